"""Protocols in TLA+, each with a file that says where its constants come from."""
