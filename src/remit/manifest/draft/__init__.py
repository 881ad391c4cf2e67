"""Drafting: from what a skill can do and what its text asks for to the least manifest that lets it work."""
