"""The command line."""

from remit.cli.main import main

__all__ = ["main"]
