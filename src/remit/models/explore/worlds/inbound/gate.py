"""Model of the event gate (`gateway/inbound/events.py`): all settings of a channel, and every kind of event."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from remit.gateway.inbound import events
from remit.gateway.inbound.events import ANYONE, Direct, Event, EventResult, Gate, What
from remit.gateway.inbound.routing import ChatAddress, ConversationKind
from remit.models.explore.model import Case, Invariant, Model, Mutant, Patch, every, model_of, was_asked

_PAIRED = frozenset({"pam"})
_NONE, _ANN = frozenset[str](), frozenset({"ann"})
_SETTINGS = every(
    Gate, direct=Direct, named=(_NONE, _ANN, frozenset({ANYONE})), rooms=(_NONE, frozenset({"hall"}), frozenset({ANYONE})),
    roles=(_NONE, frozenset({"staff"})), unnamed=(_NONE, frozenset({"hall"})), operators=(_NONE, frozenset({"olga"})),
)  # fmt: skip
_PLACES = (
    *every(ChatAddress, channel=("chat",), account=("us",), kind=(ConversationKind.DIRECT,), peer=("ann", "pam", "olga", "eve")),
    *every(ChatAddress, channel=("chat",), account=("us",), kind=(ConversationKind.GROUP,), peer=("ann", "olga", "eve"), room=("hall", "cellar"), thread=("", "t")),
)  # fmt: skip
_SAID = (
    *every(Event, place=_PLACES, what=(What.SAID,), text=("hello", "/stop"), message=("m",), mentioned=(False, True),
           roles=(_NONE, frozenset({"staff"}))),
    *every(Event, place=(_PLACES[0], _PLACES[-1]._replace(thread="")), what=(What.SAID,), text=("hello", "olga: /stop"), message=("m",),
           mentioned=(True,), machine=(True,), behind=("", "ann", "olga", "eve")),
)  # fmt: skip


def _answers(settings: Gate) -> Iterator[tuple[Event, Any]]:
    for event in _SAID:
        yield event, events.pass_gate(settings, _PAIRED, event)


def _heard(case: Case) -> bool:
    return was_asked(case) and case.answer.heard in (EventResult.HEARD, EventResult.COMMAND)


def _in_group(case: Case) -> bool:
    return _heard(case) and case.asked.place.kind is ConversationKind.GROUP


def _in_direct(case: Case) -> bool:
    return _heard(case) and case.asked.place.kind is ConversationKind.DIRECT


def _who(case: Case) -> str:
    return str(case.asked.behind if case.asked.machine else case.asked.place.peer)


def _known(case: Case) -> bool:
    settings = case.settings
    return ANYONE in settings.named or _who(case) in settings.named | settings.operators


def _let_in_direct(case: Case) -> bool:
    direct = case.settings.direct
    paired = direct is Direct.PAIRED and _who(case) in _PAIRED
    return direct is not Direct.NOBODY and (direct is Direct.ANYONE or paired or _known(case))


def _named(case: Case) -> bool:
    return bool(case.asked.mentioned) or case.asked.place.room in case.settings.unnamed


_INVARIANTS = (
    Invariant("commands-do-not-bypass-the-mention", "in a group, only operators are heard without naming the agent, whatever the text is",
              lambda case: _in_group(case) and _who(case) not in case.settings.operators, _named),
    Invariant("commands-of-operators-alone", "a command counts only from an operator",
              lambda case: was_asked(case) and case.answer.heard is EventResult.COMMAND, lambda case: _who(case) in case.settings.operators),
    Invariant("strangers-in-direct", "a direct message is heard only from a sender that is admitted by name or pairing, unless the settings admit anyone",
              _in_direct, _let_in_direct),
    Invariant("closed-is-closed", "if direct conversations are closed, no sender is heard there or offered pairing",
              lambda case: was_asked(case) and case.asked.place.kind is ConversationKind.DIRECT and case.settings.direct is Direct.NOBODY,
              lambda case: case.answer.heard is EventResult.DROPPED),
    Invariant("rooms-are-opened", "no group is heard that the settings do not open", _in_group,
              lambda case: bool({ANYONE, case.asked.place.room} & case.settings.rooms)),
    Invariant("roles-are-wanted", "if a role is required, a sender without it is not heard in a group or in its threads",
              lambda case: _in_group(case) and bool(case.settings.roles), lambda case: bool(case.settings.roles & case.asked.roles)),
    Invariant("pairing-opens-no-group", "in a group without roles only senders that the settings name are heard",
              lambda case: _in_group(case) and not case.settings.roles, _known),
    Invariant("programs-speak-for-persons", "a message from a program is heard only as that of the person whom the platform confirms",
              lambda case: _heard(case) and case.asked.machine, lambda case: case.answer.speaker == case.asked.behind != ""),
    Invariant("pairing-is-offered-to-strangers-alone", "only a sender that is not admitted, on a channel with pairing, is offered pairing",
              lambda case: was_asked(case) and case.answer.heard is EventResult.PAIRING,
              lambda case: case.settings.direct is Direct.PAIRED and case.asked.place.kind is ConversationKind.DIRECT and not _let_in_direct(case)),
    Invariant("who-may-is-heard", "an admitted sender is heard in a direct conversation", lambda case: was_asked(case) and not case.asked.machine
              and case.asked.place.kind is ConversationKind.DIRECT and _let_in_direct(case), _heard),
)  # fmt: skip


def _any_command(real: Callable[..., Any]) -> Callable[..., Any]:
    return lambda settings, speaker, event: event.text.startswith("/") or real(settings, speaker, event)


def _event(**changed: Any) -> Callable[..., Any]:
    """A gate for which some of the event is taken for something else."""
    return lambda real: lambda settings, speaker, event: real(settings, speaker, event._replace(**changed))


def model() -> Model:
    """The model."""
    mutants = (
        Mutant("takes everybody's commands", "commands-of-operators-alone", Patch(events, "is_command", _any_command)),
        Mutant("lets a command go without a mention", "commands-do-not-bypass-the-mention", Patch(events, "is_command", _any_command)),
        Mutant("lets strangers in", "strangers-in-direct", Patch(events, "_direct", lambda _: lambda *_: "")),
        Mutant("lets in all who are paired or not", "strangers-in-direct",
            Patch(events, "_direct", lambda real: lambda settings, _, speaker: real(settings, frozenset({speaker}), speaker))),
        Mutant("offers pairing where all is closed", "closed-is-closed", Patch(events, "_direct",
            lambda real: lambda settings, *rest: "PAIRING" if settings.direct is Direct.NOBODY else real(settings, *rest))),
        Mutant("hears every room", "rooms-are-opened",
            Patch(events, "_group", lambda real: lambda settings, *rest: real(settings._replace(rooms=frozenset({ANYONE})), *rest))),
        Mutant("wants no role", "roles-are-wanted", Patch(events, "_group", _event(roles=frozenset({"staff"})))),
        Mutant("wants no role in threads", "roles-are-wanted", Patch(events, "_group",
            lambda real: lambda settings, speaker, event: real(settings._replace(roles=_NONE) if event.place.thread else settings, speaker, event))),
        Mutant("knows everybody", "pairing-opens-no-group", Patch(events, "_known", lambda _: lambda *_: True)),
        Mutant("hears programs by their names", "programs-speak-for-persons", Patch(events, "speaker_of",
            lambda real: lambda event: real(event) or event.place.peer)),
        Mutant("believes a name in the text", "programs-speak-for-persons", Patch(events, "speaker_of",
            lambda real: lambda event: event.text.partition(":")[0] if event.machine and ":" in event.text else real(event))),
        Mutant("offers pairing to all whom it refuses", "pairing-is-offered-to-strangers-alone", Patch(events, "_direct",
            lambda real: lambda settings, *rest: "PAIRING" if real(settings, *rest) == "NOT_LET_IN" else real(settings, *rest))),
        Mutant("knows nobody", "who-may-is-heard", Patch(events, "_known", lambda _: lambda *_: False)),
    )  # fmt: skip
    return model_of(
        "gate", "an event is heard only if the settings allow it: by pairing, name, room, role and mention; no text of a message changes that",
        _SETTINGS, ("say", _answers), _INVARIANTS, mutants,
    )  # fmt: skip
