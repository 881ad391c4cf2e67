"""Drafts: the least manifest that lets a skill work, from what it can do and what its text asks for."""
