"""The proxy of `remit guard mcp`: it stands between an MCP client and a server, and passes on what the guard allows."""
