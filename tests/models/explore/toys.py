"""Small machines with what is known of them by hand."""

from types import ModuleType
from typing import NamedTuple

from remit.models.explore.model import Action, Invariant, Model, Mutant, Patch

JUGS = ModuleType("remit.jugs")
JUGS.pour_limit = min  # how much goes from one jug into the other: not more than there is, nor than there is room for


class Jugs(NamedTuple):
    """Water in a jug of three and in one of five."""

    small: int = 0
    large: int = 0


def jugs_actions():
    def fill(jugs):
        yield "small", jugs._replace(small=3)
        yield "large", jugs._replace(large=5)

    def empty(jugs):
        yield "small", jugs._replace(small=0)
        yield "large", jugs._replace(large=0)

    def pour(jugs):
        much = JUGS.pour_limit(jugs.small, 5 - jugs.large)
        yield "into the large", Jugs(jugs.small - much, jugs.large + much)
        much = JUGS.pour_limit(jugs.large, 3 - jugs.small)
        yield "into the small", Jugs(jugs.small + much, jugs.large - much)

    return Action("fill", fill), Action("empty", empty), Action("pour", pour)


FITS = Invariant("fits", "no jug runs over", lambda _: True, lambda jugs: jugs.small <= 3 and jugs.large <= 5)
NEVER_FOUR = Invariant("never-four", "never four", lambda jugs: jugs.large > 0, lambda jugs: jugs.large != 4)
SPILLS = Mutant("spills", "fits", Patch(JUGS, "pour_limit", lambda real: lambda there, room: real(there, room + 1)))


def jugs(*invariants, mutants=(SPILLS,), actions=jugs_actions):
    return Model("jugs", "two jugs", (Jugs(),), actions, invariants or (FITS,), lambda _: False, tuple(mutants))


def counter(last, *, ends=True):
    """Counts to a number, and stops."""
    up = Action("up", lambda count: [((), count + 1)] if count < last else [])
    small = Invariant("small", "small", lambda _: True, lambda count: count <= last)
    return Model("counter", "counts", (0,), lambda: (up,), (small,), lambda count: ends and count == last, ())
