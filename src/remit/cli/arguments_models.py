"""Arguments of `remit models`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from remit.models.outcomes import ALL, DEFAULT, ENGINES

if TYPE_CHECKING:
    import argparse

MOST_DRAWN = 120  # states; more of them nobody can read
TITLE = "explore every state of Remit's own state machines, and see that spoiled ones are noticed"
TEXT = """\
examples:
  remit models list                    models and theories, what each says, and the mutants that are noticed
  remit models show layers             the story of each mutant of a theory, or of a model
  remit models show approvals --mutant "has no end"
  remit models check                   what every run of the tests checks
  remit models check handles --format json
  remit models check --engine all      with every engine: our explorer, proofs by Z3, twins in TLA+ with TLC (needs Java)
  remit models check pairing --export stories
                                       the story of each mutant as a test for pytest, in the folder `stories`
  remit models graph approvals -o approvals.svg
                                       states and ways of a small model as a picture
  remit models graph delivery --mutant "counts no tries" --story -o story.svg
                                       the story of a mutant

A model is explored through the functions that run. It must hold in every state; and when one function is spoiled (mutant), the
invariant that is named must fail, with a story. docs/models.md describes the models, the engines and the gates.

exit status:
  0  every model passes
  1  one does not: what is wrong is told, with the story
  2  the command line is wrong, or a package or program that an engine needs is missing
"""


def add_models(
    models: argparse.ArgumentParser, add: Callable[..., argparse.ArgumentParser], natural: Callable[[str], int]
) -> None:
    """The arguments."""
    inner = models.add_subparsers(dest="action", metavar="ACTION", required=True)
    listed = add(inner, "list", "list models and theories, with what each says")
    show = add(inner, "show", "tell the story of each mutant of a model or a theory")
    check = add(inner, "check", "check models, and hold them against the gates")
    graph = add(inner, "graph", "draw a small model, or the story of a mutant, as SVG")
    for one in (listed, check):
        one.add_argument("names", nargs="*", metavar="NAME", help="a model or a theory (default: all)")
    for one in (listed, show, check):
        one.add_argument("--format", choices=("text", "json"), default="text", help="default: text")
    show.add_argument("name", metavar="NAME", help="a model or a theory")
    show.add_argument("--mutant", metavar="MUTANT", help="this one alone")
    check.add_argument("--engine", choices=(*ENGINES, ALL), help=f"by what (default: {' and '.join(DEFAULT)})")
    check.add_argument("--export", metavar="FOLDER", help="write the story of each mutant as a test for pytest")
    check.add_argument(
        "-j", "--jobs", metavar="N", type=natural, default=0, help="models at a time (default: one for each core)"
    )
    check.add_argument("-q", "--quiet", action="store_true", help="no progress bar")
    graph.add_argument("name", metavar="NAME", help="a model")
    graph.add_argument("--mutant", metavar="MUTANT", help="with this mutant: its story is drawn in")
    graph.add_argument(
        "--story", action="store_true", help="the story of the mutant alone, for models with many states"
    )
    graph.add_argument(
        "--most", metavar="N", type=natural, default=MOST_DRAWN, help=f"states that are drawn (default: {MOST_DRAWN})"
    )
    graph.add_argument("-o", "--output", metavar="FILE", help="where to (default: standard output)")
