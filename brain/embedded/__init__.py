"""The data services that come with the product: PostgreSQL and Valkey under one data folder."""
