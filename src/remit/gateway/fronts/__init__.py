"""Interfaces for agents: HTTP on a Unix socket, and an MCP server on standard input.

Python programs call `Gateway.act`.

- http: the application behind the socket
- client: a client of that socket for the holder of a credential
- mcp_stdio: one tool, `act`, for hosts that speak MCP; it sends requests to the socket
"""
