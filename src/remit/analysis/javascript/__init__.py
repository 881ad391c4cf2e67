"""The JavaScript and TypeScript front end: bytes to the common form of `remit.analysis.ir`."""

from remit.analysis.javascript.lower import DIALECTS, lower_javascript

__all__ = ["DIALECTS", "lower_javascript"]
