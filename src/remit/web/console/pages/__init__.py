"""Pages of the console: each is a module, listed in `registry.py`."""
