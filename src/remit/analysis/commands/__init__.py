"""Commands: what a program started with some words does, from summaries that are data (docs/commands.md)."""

from remit.analysis.commands.catalog import Catalog, load_commands
from remit.analysis.commands.spawn import spawn

__all__ = ["Catalog", "load_commands", "spawn"]
