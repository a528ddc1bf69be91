"""Everything that agents see: the MCP endpoint, OAuth, API keys."""
