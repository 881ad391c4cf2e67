"""Summaries: what libraries do, as data."""
