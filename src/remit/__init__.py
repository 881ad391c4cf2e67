"""Remit: what an AI-agent skill can do, what it may do, and that the first stays inside the second."""
