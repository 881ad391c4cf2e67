"""Twins: protocols in TLA+, each with a file that defines its constants."""
