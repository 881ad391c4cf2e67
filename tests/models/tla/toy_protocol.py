"""A letter that is sent, lost or not, and sent again: small enough to be read at a glance, with something that must come about."""

import sys
from typing import NamedTuple

from remit.models.explore.model import Action, Eventually, Invariant, Model, Mutant, Patch

MOST = 2


class World(NamedTuple):
    tries: int = 0
    arrived: bool = False


def again(tries):
    return tries < MOST


def _actions():
    def send(world):
        if again(world.tries) and not world.arrived:
            yield (), world._replace(tries=world.tries + 1)

    def arrive(world):
        if world.tries and not world.arrived:
            yield (), world._replace(arrived=True)

    return Action("send", send), Action("arrive", arrive)


TEXT = """---- MODULE toy ----
EXTENDS Naturals
CONSTANTS Nothing, Bug, Most
VARIABLES tries, arrived
vars == <<tries, arrived>>
Init == tries = 0 /\\ arrived = FALSE
Send ==
    /\\ tries < Most \\/ (Bug = "sends for ever" /\\ tries < 4)
    /\\ Bug # "never sends"
    /\\ ~arrived
    /\\ tries' = tries + 1
    /\\ UNCHANGED arrived
Arrive ==
    /\\ tries > 0
    /\\ ~arrived
    /\\ arrived' = TRUE
    /\\ UNCHANGED tries
Next == Send \\/ Arrive
FewTries == tries <= Most
InTheEnd == (tries = 0) ~> arrived
====
"""


def model(fair=("send", "arrive")):
    here = sys.modules[__name__]
    return Model(
        "toy", "a letter arrives", (World(),), _actions,
        (Invariant("few-tries", "it is not sent for ever", lambda world: world.tries > 0, lambda world: world.tries <= 2),),
        lambda world: world.arrived,
        (
            Mutant("sends for ever", "few-tries", Patch(here, "again", lambda _: lambda tries: tries < 4)),
            Mutant("never sends", "in-the-end", Patch(here, "again", lambda _: lambda _: False)),
        ),
        (Eventually("in-the-end", "it arrives", lambda world: world.tries == 0, lambda world: world.arrived, fair),),
    )  # fmt: skip
