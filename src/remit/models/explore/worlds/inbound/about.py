"""Model of edits, deletions and reactions (`gateway/inbound/events.py`, through the store), with changing
settings and other senders.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from remit.gateway.inbound import intake
from remit.gateway.inbound.events import Event, MessageSession, What
from remit.gateway.inbound.intake import MESSAGES, Routed
from remit.gateway.inbound.routing import ChatAddress, ConversationKind
from remit.gateway.inbound.turns import TURNS
from remit.models.explore.interleave import Interleaving, Memory, memory_of
from remit.models.explore.model import Action, Invariant, Model, Mutant, Patch

SESSIONS = ("before", "after")  # in which something new would be heard: the settings change in between
PEOPLE = ("ann", "bob")
ROOMS = ("hall", "cellar")
THREADS = ("", "t")


class RecentMessage(NamedTuple):
    """What was heard just now: what, by whom, in which room and thread, in which session, and where its message had been said."""

    what: What
    speaker: str
    room: str
    thread: str
    session: str
    said: MessageSession | None


class MessageChangeState(NamedTuple):
    """The store, the settings, and what really went on."""

    memory: Memory = memory_of()
    settings: int = 0
    first: tuple[MessageSession | None, ...] = (None, None)  # where the message was said first, by room
    last: RecentMessage | None = None


def _actions() -> tuple[Action, ...]:
    running = Interleaving(accept=intake.accept)

    def say(what: What) -> Callable[[MessageChangeState], Iterator[tuple[Any, MessageChangeState]]]:
        def moves(world: MessageChangeState) -> Iterator[tuple[Any, MessageChangeState]]:
            for speaker in PEOPLE:
                for place, room in enumerate(ROOMS):
                    for thread in THREADS:
                        event = Event(
                            ChatAddress("chat", "us", ConversationKind.GROUP, speaker, room, thread),
                            what,
                            "text",
                            "m",
                            f"{what}{speaker}{room}{thread}",
                        )
                        session = f"{SESSIONS[world.settings]}/{room}/{thread}"
                        kept, point = (
                            memory_of({key: row for key, row in world.memory.rows.items() if key[0] == MESSAGES}),
                            None,
                        )
                        point = running.start("accept", Routed(event, speaker, "agent", session), 0)
                        while (
                            not point.over
                        ):  # one after the other: what goes on at the same time is looked at in `ingress`
                            found = running.step(kept, (), point)
                            assert found is not None
                            kept, point = found
                        if point.value:
                            continue
                        turn = next(iter(kept.table(TURNS).values()))
                        last = RecentMessage(what, speaker, room, thread, turn.session, world.first[place])
                        first = MessageSession(session, speaker) if what is What.SAID else None
                        firsts = (*world.first[:place], world.first[place] or first, *world.first[place + 1 :])
                        only = memory_of({key: row for key, row in kept.rows.items() if key[0] == MESSAGES})
                        yield (speaker, room, thread), MessageChangeState(only, world.settings, firsts, last)

        return moves

    def change(world: MessageChangeState) -> Iterator[tuple[Any, MessageChangeState]]:
        if not world.settings:
            yield (), world._replace(settings=1, last=None)

    each = (
        Action(name, say(what))
        for name, what in (("say", What.SAID), ("edit", What.EDITED), ("delete", What.DELETED), ("react", What.REACTED))
    )
    return (*each, Action("change the settings", change))


def _was(*whats: What) -> Callable[[MessageChangeState], bool]:
    return lambda world: world.last is not None and world.last.what in whats


def _bound(world: MessageChangeState) -> bool:
    kept = world.last
    return kept is not None and kept.said is not None and kept.session == kept.said.session


def _its_speaker(world: MessageChangeState) -> bool:
    kept = world.last
    return kept is not None and (kept.said is None or kept.said.speaker == kept.speaker)


_INVARIANTS = (
    Invariant("edits-are-bound", "an edit is heard in the session of its message, whatever the current settings are", _was(What.EDITED), _bound),
    Invariant("deletions-are-bound", "a deletion is heard in the session of its message", _was(What.DELETED), _bound),
    Invariant("reactions-are-bound", "a reaction is heard in the session of its message, from a thread or from its parent", _was(What.REACTED), _bound),
    Invariant("its-speaker-alone", "only the author of a message edits or deletes it", _was(What.EDITED, What.DELETED), _its_speaker),
    Invariant("a-name-is-one-message", "a repeated message is heard in its first session, from its first author, or not at all",
              lambda world: _was(What.SAID)(world) and world.last.said is not None, lambda world: _bound(world) and _its_speaker(world)),
    Invariant("others-may-react", "anyone who is heard can react to a message of another author", lambda world: _was(What.REACTED)(world) and not _its_speaker(world), _bound),
)  # fmt: skip


def _as_new(*whats: What) -> Callable[..., Any]:
    """Something about a message is heard where something new would be."""
    return lambda real: (
        lambda event, fresh, speaker, held: (
            (fresh, "") if event.what in whats and held else real(event, fresh, speaker, held)
        )
    )


def _unknown(real: Callable[..., Any]) -> Callable[..., Any]:
    def belongs(event: Event, fresh: str, speaker: str, held: MessageSession | None) -> Any:
        return (
            (fresh, "")
            if event.what is What.REACTED and held and held.speaker != speaker
            else real(event, fresh, speaker, held)
        )

    return belongs


def model() -> Model:
    """The model."""
    mutants = (
        Mutant("hears edits as something new", "edits-are-bound", Patch(intake, "belongs", _as_new(What.EDITED))),
        Mutant("hears edits of what was never said", "edits-are-bound",
            Patch(intake, "belongs", lambda real: lambda event, fresh, speaker, held: real(event, fresh, speaker, held or MessageSession(fresh, speaker)))),
        Mutant("hears deletions as something new", "deletions-are-bound", Patch(intake, "belongs", _as_new(What.DELETED))),
        Mutant("hears reactions as something new", "reactions-are-bound", Patch(intake, "belongs", _as_new(What.REACTED))),
        Mutant("lets anyone edit", "its-speaker-alone", Patch(intake, "belongs",
            lambda real: lambda event, fresh, speaker, held: real(event, fresh, held.speaker if held else speaker, held))),
        Mutant("hears a name again as another message", "a-name-is-one-message", Patch(intake, "belongs",
            lambda real: lambda event, fresh, speaker, held: real(event, fresh, speaker, None if event.what is What.SAID else held))),
        Mutant("moves the reactions of others", "others-may-react", Patch(intake, "belongs", _unknown)),
    )  # fmt: skip
    return Model(
        "about", "an edit, deletion or reaction is heard in the session of its message, and only the author of the message can edit or delete it",
        (MessageChangeState(),), _actions, _INVARIANTS, lambda _: False, mutants,
    )  # fmt: skip
