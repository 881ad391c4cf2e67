"""Where agents ask: over HTTP on a Unix socket, and as an MCP server at standard input. Python programs call `Gateway.act`.

- http: the application behind the socket
- asking: a client of that socket, for who has a credential
- mcp_stdio: one tool, `act`, for hosts that speak MCP; it asks at the socket
"""
