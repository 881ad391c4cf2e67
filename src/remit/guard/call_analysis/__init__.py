"""Analysis of an agent's tool call: its requests with real paths, and where it sends data."""
