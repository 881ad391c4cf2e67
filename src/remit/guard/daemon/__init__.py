"""The one process that decides: it listens at a Unix socket, and carries between hosts, adapters and the engine."""
