"""Drift: summaries of skills, their differences after an update, and the lock file that stores them."""
