"""Made-up spaces that show what the product looks like after months of use."""
