"""The Python front end: source bytes to the common form."""

from remit.analysis.python.lower import lower_python

__all__ = ["lower_python"]
