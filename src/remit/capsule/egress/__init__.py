"""The one way out of a capsule: a proxy that reaches the hosts of a manifest and nothing else, and records each connection."""
