"""Summaries against real tools: what a command line or library call does must lie inside what its summary says (docs/reality.md)."""
