"""The process that makes decisions: it listens at a Unix socket and connects hosts, adapters and the engine."""
