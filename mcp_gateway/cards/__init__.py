"""Search results as a card in clients that show cards (MCP Apps, io.modelcontextprotocol/ui)."""
