"""Our own analysis of our own source: what acts does so with a Permit, and one place makes one (docs/doors.md)."""
