"""The proxy of `remit guard mcp`: it stands between a client and a server, and hands on what the guard lets through."""
