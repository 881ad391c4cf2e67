"""Each page is a module of its own, and a line of `registry.py`."""
