"""Violating sessions as text: turn by turn, by the real rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.core.capability import Change
from remit.manifest.model import Verification
from remit.policy.gate import GateTable, Standing
from remit.policy.logic import Plain
from remit.policy.session import Rules, Subject, Turn
from remit.proof.sessions.encode import Encoding, Inputs
from remit.proof.sessions.model import Move, State, advance, violations

if TYPE_CHECKING:
    from remit.proof.sessions.kinds import Alphabet


class Bug(NamedTuple):
    """Rules that differ from those of this version."""

    rules: type[Rules[Any, Any]] = Rules
    table: GateTable | None = None
    horizon: int = 100


class _Envelope(NamedTuple):
    name: str
    kind: int | None  # of its own effect
    kinds: tuple[int, ...]  # of the effects of the script that it runs
    other: bool  # it only is like this one: another of its class


def tell(encoding: Encoding, alphabet: Alphabet, values: Mapping[str, bool], turns: int, bug: Bug) -> tuple[str, ...]:
    """Describe the session of these values. Each turn is found by running it, not by asking the solver."""
    return tuple(_Telling(encoding, alphabet, values, bug).lines(turns))


def shown(alphabet: Alphabet, number: int) -> Iterator[str]:
    """Describe a session of one turn in which an effect of this kind acts, by the real rules; empty if there is none."""
    kind = alphabet.kinds[number]
    level = Verification.FORMAL
    rules: Rules[bool, int] = Rules(Plain(), {one: one is level for one in Verification})
    runs = [(f"run {file}", kinds) for file, kinds in alphabet.scripts if number in kinds]
    for name, kinds in ((kind.name, ()), *runs):
        own = {line: not kinds and kind.standing is line for line in Standing}
        scripted = {line: any(alphabet.kinds[one].standing is line for one in kinds) for line in Standing}
        lasting = any(alphabet.kinds[one].change is Change.IRREVERSIBLE for one in kinds or (number,))
        turn = Turn(own, scripted, lasting, answer=True, before=False, undo=False, works=True)
        subject = Subject(mine=True, reversible=kind.change is Change.REVERSIBLE, scripted=bool(kinds))
        move = Move(turn, subject, alike=True, older=False, newer=False)
        if advance(rules, State.start(Plain()), move, _one(kind.meant)).effect.acted:
            yield f"a session at level `{level}`: envelope: {name}; a person would agree; `{kind.name}` acts"


class _Telling:
    def __init__(self, encoding: Encoding, alphabet: Alphabet, values: Mapping[str, bool], bug: Bug) -> None:
        self._facts, self._alphabet, self._values = encoding.facts, alphabet, values
        self._level = list(Verification)[self._number("level", 2)]
        self._rules: Rules[bool, int] = bug.rules(
            Plain(), {level: level is self._level for level in Verification}, bug.table, bug.horizon
        )
        self._horizon = bug.horizon
        self._followed = self._envelope("effect", "").kind
        self._by_script = values["by-script"]

    def lines(self, turns: int) -> Iterator[str]:
        """Yield the lines of the whole session."""
        assert self._followed is not None
        followed = self._alphabet.kinds[self._followed]
        who = "by a script" if self._by_script else "by an envelope"
        says = f"{followed.standing}, which the manifest means to be {followed.meant}"
        said = followed.standing if followed.standing is followed.meant else says
        yield f"a session at level `{self._level}`; watch `{followed.name}` ({said}), done {who}"
        state: State[bool, int] = State.start(Plain())
        found: list[str] = []
        for number in range(turns):
            move = self._move(number)
            after = advance(self._rules, state, move, _one(followed.meant))
            yield f"{number + 1}. {self._told(number, move, state, after)}"
            state = after
            found = [
                name for name, holds in violations(Plain(), state, followed.undoable, self._horizon).items() if holds
            ]
            if found:
                break
        yield f"wrong: {', '.join(found)}"

    def _told(self, number: int, move: Move[bool], state: State[bool, int], after: State[bool, int]) -> str:
        if move.turn.undo:
            return f"undo what waits{_became(state, after)}"
        sent = self._envelope("envelope", f"@{number}")
        admitted = self._rules.control(move.turn, state.pending)[0].admitted
        said = "a person would agree" if move.turn.answer else "a person would refuse"
        does = "admitted" if admitted else "refused"
        mine = " (the one that is watched)" if move.subject.mine and after.begun and not state.begun else ""
        return f"envelope: {sent.name}{mine}; {said}; {does}{_became(state, after)}"

    def _move(self, number: int) -> Move[bool]:
        at = f"@{number}"
        sent = self._envelope("envelope", at)
        value = {name: self._values[f"{name}{at}"] for name in Inputs._fields[1:]}
        kinds = self._alphabet.kinds
        own = {line: sent.kind is not None and kinds[sent.kind].standing is line for line in Standing}
        scripted = {line: any(kinds[one].standing is line for one in sent.kinds) for line in Standing}
        all_kinds = (*sent.kinds, *([] if sent.kind is None else [sent.kind]))
        irreversible = any(kinds[one].change is Change.IRREVERSIBLE for one in all_kinds)
        assert self._followed is not None
        followed = kinds[self._followed]
        turn = Turn(own, scripted, irreversible, value["answer"], value["before"], value["undo"], value["works"])
        subject = Subject(value["mine"], followed.change is Change.REVERSIBLE, self._by_script)
        alike = self._followed in all_kinds and not sent.other
        return Move(turn, subject, alike, value["older"], value["newer"])

    def _envelope(self, name: str, at: str) -> _Envelope:
        facts, alphabet = self._facts, self._alphabet
        one = self._number(name, facts.class_bits, at)
        place = self._number(name, facts.bits, at) >> facts.class_bits
        members = [number for number, (other, _) in enumerate(facts.numbers) if other == one]
        other = place >= len(members)
        number = members[0] if other else members[place]
        like = "another like " if other else ""
        if number < len(alphabet.kinds):
            return _Envelope(f"{like}{alphabet.kinds[number].name}", number, (), other)
        file, kinds = alphabet.scripts[number - len(alphabet.kinds)]
        return _Envelope(f"{like}run {file}", None, kinds, other)

    def _number(self, name: str, bits: int, at: str = "") -> int:
        return sum(1 << place for place in range(bits) if self._values[f"{name}.{place}{at}"])


def _one(standing: Standing) -> dict[Standing, bool]:
    return {line: line is standing for line in Standing}


def _became(state: State[bool, int], after: State[bool, int]) -> str:
    """Return what changed for the followed effect."""
    words = {
        "acted": ("it acts", "it is undone"),
        "waiting": ("it waits", "it waits no more"),
        "recorded": ("it is recorded", ""),
    }
    changed = []
    for name, (on, off) in words.items():
        before, now = getattr(state.effect, name), getattr(after.effect, name)
        if before != now:
            changed.append(on if now else off)
    return f"; {', '.join(filter(None, changed))}" if changed else ""
