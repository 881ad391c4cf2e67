"""The egress proxy of a capsule: it connects only to hosts of the manifest, and records each connection."""
