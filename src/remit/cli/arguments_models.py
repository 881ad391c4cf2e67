"""Arguments of `remit models`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from remit.models.outcomes import ALL, DEFAULT, ENGINES

if TYPE_CHECKING:
    import argparse

MOST_DRAWN = 120  # states; a larger picture is unreadable
TITLE = "check Remit's own protocols in every state, and that planted mistakes are detected"
TEXT = """\
examples:
  remit models list                    models and theories, their properties, and the mutants that each detects
  remit models show layers             the story of each mutant of a theory or model
  remit models show approvals --mutant "has no end"
  remit models check                   explore all models and prove all theories
  remit models check handles --format json
  remit models check --engine all      with every engine: our explorer, proofs by Z3, twins in TLA+ with TLC (needs Java)
  remit models check pairing --export stories
                                       the story of each mutant as a test for pytest, in the folder `stories`
  remit models graph approvals -o approvals.svg
                                       a picture of the states and steps of a small model
  remit models graph delivery --mutant "counts no tries" --story -o story.svg
                                       the story of a mutant

A model runs Remit's own functions and explores every state. Its invariants must hold in every state; and if one function is replaced by
a broken one (a mutant), the named invariant must fail, with a story. docs/models.md describes models and engines.

exit status:
  0  every model passes
  1  one does not; the output shows what is wrong, with the story
  2  the command line is wrong, or a package or program that an engine needs is missing
"""


def add_models(
    models: argparse.ArgumentParser, add: Callable[..., argparse.ArgumentParser], natural: Callable[[str], int]
) -> None:
    """The arguments."""
    inner = models.add_subparsers(dest="action", metavar="ACTION", required=True)
    listed = add(inner, "list", "list models and theories, with their properties")
    show = add(inner, "show", "show the story of each mutant of a model or theory")
    check = add(inner, "check", "check models and theories")
    graph = add(inner, "graph", "draw a small model, or the story of a mutant, as SVG")
    for one in (listed, check):
        one.add_argument("names", nargs="*", metavar="NAME", help="a model or a theory (default: all)")
    for one in (listed, show, check):
        one.add_argument("--format", choices=("text", "json"), default="text", help="default: text")
    show.add_argument("name", metavar="NAME", help="a model or a theory")
    show.add_argument("--mutant", metavar="MUTANT", help="only this one")
    check.add_argument("--engine", choices=(*ENGINES, ALL), help=f"default: {' and '.join(DEFAULT)}")
    check.add_argument("--export", metavar="FOLDER", help="write the story of each mutant as a pytest test")
    check.add_argument(
        "-j", "--jobs", metavar="N", type=natural, default=0, help="models at a time (default: one for each core)"
    )
    check.add_argument("-q", "--quiet", action="store_true", help="no progress bar")
    graph.add_argument("name", metavar="NAME", help="a model")
    graph.add_argument("--mutant", metavar="MUTANT", help="draw the states of this mutant, with its story")
    graph.add_argument(
        "--story", action="store_true", help="draw only the story of the mutant, for models with many states"
    )
    graph.add_argument(
        "--most", metavar="N", type=natural, default=MOST_DRAWN, help=f"the most states to draw (default: {MOST_DRAWN})"
    )
    graph.add_argument("-o", "--output", metavar="FILE", help="the file to write (default: standard output)")
