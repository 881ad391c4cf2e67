"""Model of routing to agents (`gateway/inbound/routing.py`): all sets of up to two bindings, in both orders, and
every location.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from typing import Any

from remit.gateway.inbound import routing
from remit.gateway.inbound.routing import ANY, Binding, ChatAddress, ConversationKind
from remit.models.explore.model import Case, Invariant, Model, Mutant, Patch, every, model_of, was_asked

_DEFAULT = "main"
_SAID = every(
    Binding, agent=("one",), channel=(ANY, "chat"), account=(ANY, "us"), room=(ANY, "hall"), peer=(ANY, "ann")
)
_SETTINGS = (
    (),
    *((one,) for one in _SAID),
    *((one, other._replace(agent="two")) for one, other in product(_SAID, _SAID)),
)
_PLACES = (
    *every(
        ChatAddress,
        channel=("chat", "mail"),
        account=("us", "me"),
        kind=(ConversationKind.DIRECT,),
        peer=("ann", "bob"),
    ),
    *every(
        ChatAddress,
        channel=("chat",),
        account=("us", "me"),
        kind=(ConversationKind.GROUP,),
        peer=("ann", "bob"),
        room=("hall", "hal"),
    ),
)


def _answers(bindings: tuple[Binding, ...]) -> Iterator[tuple[ChatAddress, str]]:
    for place in _PLACES:
        yield place, routing.agent_of(bindings, _DEFAULT, place)


@cache  # it asks nothing of the code that runs
def _speaks_of(binding: Binding, place: ChatAddress) -> bool:
    wanted = {"channel": place.channel, "account": place.account, "room": place.room, "peer": place.peer}
    return all(getattr(binding, name) in (ANY, value) for name, value in wanted.items())


def _fitting(case: Case) -> list[Binding]:
    return [one for one in case.settings if _speaks_of(one, case.asked)]


def _chosen(case: Case) -> Binding | None:
    return next((one for one in case.settings if one.agent == case.answer), None)


def _first_that_says(case: Case, name: str) -> bool:
    """Whether exactly one of two that fit says something of this."""
    return was_asked(case) and len(_fitting(case)) == 2 and len({getattr(one, name) for one in case.settings}) == 2


def _more(case: Case, name: str, *before: str) -> bool:
    """Two fit, only one says something of this, and of what goes before it both or neither."""
    return _first_that_says(case, name) and not any(_first_that_says(case, one) for one in before)


def _said(case: Case, name: str) -> bool:
    chosen = _chosen(case)
    return chosen is not None and getattr(chosen, name) != ANY


_INVARIANTS = (
    Invariant("only-what-fits", "an agent hears only conversations that its binding matches",
              lambda case: was_asked(case) and _chosen(case) is not None, lambda case: _chosen(case) in _fitting(case)),
    Invariant("default-for-the-rest", "the default agent hears conversations that no binding matches", lambda case: was_asked(case) and not _fitting(case),
              lambda case: case.answer == _DEFAULT),
    Invariant("person-first", "a binding for a person takes precedence over one for a room, an account or a channel", lambda case: _more(case, "peer"),
              lambda case: _said(case, "peer")),
    Invariant("room-second", "a binding for a room takes precedence over one for an account or a channel", lambda case: _more(case, "room", "peer"),
              lambda case: _said(case, "room")),
    Invariant("account-third", "a binding for an account takes precedence over one for all accounts", lambda case: _more(case, "account", "peer", "room"),
              lambda case: _said(case, "account")),
    Invariant("wildcards-are-whole", "`*` matches anything, and a name matches exactly that name", lambda case: was_asked(case) and bool(_fitting(case)),
              lambda case: case.answer != _DEFAULT),
    Invariant("first-among-equals", "of equally specific bindings the first counts",
              lambda case: was_asked(case) and len(_fitting(case)) == 2 and case.settings[0][1:] == case.settings[1][1:], lambda case: case.answer == "one"),
)  # fmt: skip


def _ignores(name: str) -> Callable[..., Any]:
    return lambda real: (
        lambda bindings, default, place: real(tuple(one._replace(**{name: ANY}) for one in bindings), default, place)
    )


def _always(agent: str) -> Callable[..., Any]:
    return lambda real: lambda bindings, _, place: real(bindings, agent, place)


def model() -> Model:
    """The model."""
    mutants = (
        Mutant(
            "takes the beginning of a name for the name",
            "only-what-fits",
            Patch(
                routing,
                "agent_of",
                lambda real: (
                    lambda bindings, default, place: real(
                        bindings, default, place._replace(room="hall" if place.room.startswith("hal") else place.room)
                    )
                ),
            ),
        ),
        Mutant("has another default", "default-for-the-rest", Patch(routing, "agent_of", _always("one"))),
        Mutant("does not look at the person", "person-first", Patch(routing, "agent_of", _ignores("peer"))),
        Mutant("does not look at the room", "room-second", Patch(routing, "agent_of", _ignores("room"))),
        Mutant("does not look at the account", "account-third", Patch(routing, "agent_of", _ignores("account"))),
        Mutant(
            "reads no `*`",
            "wildcards-are-whole",
            Patch(
                routing,
                "agent_of",
                lambda real: (
                    lambda bindings, default, place: real(
                        tuple(one for one in bindings if one.channel != ANY), default, place
                    )
                ),
            ),
        ),
        Mutant(
            "takes the last",
            "first-among-equals",
            Patch(
                routing,
                "agent_of",
                lambda real: lambda bindings, default, place: real(tuple(reversed(bindings)), default, place),
            ),
        ),
    )
    return model_of(
        "agents", "the most specific binding decides which agent hears a conversation; a name matches exactly that name, `*` matches anything",
        _SETTINGS, ("say", _answers), _INVARIANTS, mutants,
    )  # fmt: skip
