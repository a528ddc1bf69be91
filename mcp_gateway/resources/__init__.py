"""Memories as MCP resources, for clients that let a person pick what to attach."""
