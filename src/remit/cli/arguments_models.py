"""What can be written after `remit models`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

TITLE = "explore every state of Remit's own state machines, and see that spoiled ones are noticed"
TEXT = """\
examples:
  remit models list                    the models, and what each says
  remit models check                   explore them all
  remit models check handles --format json

A model is explored through the functions that run. It must hold in every state (green); and when one function is spoiled (red), the
invariant that is named must fail, with a story. docs/models.md describes the models and the gates.

exit status:
  0  every model passes
  1  one does not: what is wrong is told, with the story
  2  the command line is wrong, or a package that a model needs is missing
"""


def add_models(models: argparse.ArgumentParser, add: Callable[..., argparse.ArgumentParser]) -> None:
    """The arguments."""
    inner = models.add_subparsers(dest="action", metavar="ACTION", required=True)
    for name, text in (("list", "list the models"), ("check", "explore models, and hold them against the gates")):
        one = add(inner, name, text)
        one.add_argument("names", nargs="*", metavar="NAME", help="a model (default: all)")
        one.add_argument("--format", choices=("text", "json"), default="text", help="default: text")
        one.add_argument("-q", "--quiet", action="store_true", help="no progress bar")
