"""Before a text is written: why a person should look at it.

(1) what it would do as a program, and what the file would do now (`doing.py`): an edit counts by what it adds
(2) where it would send things, and whether the user, the manifest or the workspace's configuration names that place (`named.py`)
(3) what is dangerous wherever it runs (`dangers.py`), and lines that take protection away (`weakening.py`), unless the user's words
    ask for it
(4) how it runs and where it stands (`running.py`, `standing.py`), whom it believes (`unchecked.py`), what it brings in (`packages.py`)
(5) what it would bring into a calendar (`events.py`)
(6) what it tells the people and agents who read it later (`telling.py`), and what it opens to those agents (`addressed.py`)

Nothing is denied here. The text runs or is read at some other time, by somebody else: so it is asked about now.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from remit.guard.context.destinations import Destination
from remit.guard.context.destinations import Kind as To
from remit.guard.context.provenance import origins
from remit.guard.context.source import Kind
from remit.guard.context.tokens import Sort as Token
from remit.guard.context.tokens import addresses, payees, tokens
from remit.guard.planted.addressed import for_agents, unasked, widening
from remit.guard.planted.beacons import beacons
from remit.guard.planted.dangers import hits
from remit.guard.planted.doing import LONGEST, Doing, doing, sort_of
from remit.guard.planted.events import unwanted
from remit.guard.planted.named import Place, places, untouched, why_not
from remit.guard.planted.packages import mistaken
from remit.guard.planted.running import dated, endless, installed
from remit.guard.planted.spoiling import spoilt
from remit.guard.planted.standing import by_place
from remit.guard.planted.telling import added, by_itself, in_prose, in_strings
from remit.guard.planted.unchecked import unchecked
from remit.guard.planted.weakening import weak_lines
from remit.guard.planted.writing import Form
from remit.guard.replacing import removing
from remit.policy.dlp.classes import hits_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from remit.guard.context.tokens import Token as Word
    from remit.guard.planted.writing import Writing
    from remit.guard.session import Live

_MOST = 4  # reasons of one file
_TELLING = frozenset({Kind.SKILL, Kind.MEMORY})  # data may hold whatever a tool returned
_KINDS = {Token.HOST: To.HOST, Token.ADDRESS: To.RECIPIENT, Token.NAME: To.ACCOUNT}
_LINES = {
    ".csv": "a table",
    ".tsv": "a table",
    ".ics": "a calendar",
    ".sql": "SQL",
    ".bas": "a macro",
}  # a cell may be a formula, a reminder may run something
_PAYS = re.compile(
    r"(?i)destination|transfer|payee|pay_?out|wallet|recipient|beneficiary|withdraw|on_behalf_of|\bpay(?:_?to)?\b|\biban\b|\bsend(?:_?money)?\("
)


def reasons(live: Live, writing: Writing, whose: Sequence[str] = ()) -> tuple[str, ...]:
    """Why a person should look at a text before it is written; each names the file and the line.

    `whose` are the skills on whose behalf the call is made: only their manifests name places.
    """
    if writing.text == writing.before or "\0" in writing.text:
        return ()  # nothing is added, or it is no text
    name = shown(writing.path, str(live.workspace.root))
    if not writing.text:
        emptied = writing.form is Form.TEXT and untouched(writing.path, live.policy.started)
        return (f"`{name}` would be emptied",) if emptied else ()
    sort = sort_of(name, writing.before if writing.form is Form.WORDS else writing.text)
    found: dict[str, None] = {}
    if writing.form is Form.WORDS:
        found |= dict.fromkeys(_in_words(live, writing, whose, _TELLING) if sort.program or sort.settings else ())
    elif sort.program:
        found |= dict.fromkeys(_in_code(live, name, writing, whose, understood=sort.understood))
    elif sort.settings and writing.form is Form.TEXT:
        found |= dict.fromkeys(_in_words(live, writing, whose, _TELLING))
        found |= dict.fromkeys(in_strings(name, writing.before, writing.text[:LONGEST]))
        found |= dict.fromkeys(_weak(live, writing.before, writing.text, "settings"))
    elif name.lower()[-4:] in _LINES and writing.form is Form.TEXT:
        found |= dict.fromkeys(_weak(live, writing.before, writing.text, _LINES[name.lower()[-4:]]))
    if sort.prose and writing.form is Form.TEXT:
        found |= dict.fromkeys(in_prose(name, writing))
        found |= dict.fromkeys(by_itself(name, writing))
        found |= dict.fromkeys(_to_agents(live, name, writing, whose))
        found |= dict.fromkeys(beacons(live, writing, whose, _TELLING))
    if writing.form is Form.TEXT:
        found |= dict.fromkeys(_keys(writing))
        found |= dict.fromkeys(mistaken(name, writing.before, writing.text))
    if whose:
        found |= dict.fromkeys(spoilt(live, writing))
        for title in unwanted(writing.text, live.prompts, writing.before):
            found[f"would bring {title} into a calendar, which nobody asked for"] = None
    if not found:
        found |= dict.fromkeys(_in_words(live, writing, whose, _TELLING, _meant))
    return tuple(f"`{name}` {reason}" for reason in list(found)[:_MOST])


def shown(path: str, root: str) -> str:
    """A path as it is in the workspace."""
    return os.path.relpath(path, root) if path.startswith(f"{root}/") else path.lstrip("/")


def in_command(live: Live, text: str, inner: Iterable[Sequence[str]] = ()) -> tuple[str, ...]:
    """Why a person should look at the lines of a command, or of code that a tool runs. `inner` are the commands that its code starts."""
    lines = "\n".join((text, *map(" ".join, inner)))
    weak = (f"a line of it says that {one.does}" for one in weak_lines("", lines, live.prompts))
    events = (
        f"it would bring {title} into a calendar, which nobody asked for" for title in unwanted(text, live.prompts)
    )
    return (*weak, *events)


def _in_code(live: Live, name: str, writing: Writing, whose: Sequence[str], *, understood: bool) -> Iterator[str]:
    before, text = writing.before, writing.text
    if max(len(before), len(text)) > LONGEST:
        before, text = "", added(before, text)
        if len(text) > LONGEST:
            yield "is code, and too long to be looked at before it is written"
            return
    if understood:
        did, does = doing(name, before) if before else Doing(), doing(name, text)
        if before and does == Doing():  # a piece that means something only where it is put
            does = doing(name, f"{before}\n{text}")
        old = {(place.to, place.sends) for place in places(did.effects)}
        new = {(place.to, place.sends): place for place in places(does.effects) if (place.to, place.sends) not in old}
        for place in new.values():
            if why := why_not(live, place, whose):
                yield f"would be code that {why} (line {place.line})"
        for hit in hits(did, does):
            if hit.danger.spoken not in live.policy.spoken:
                yield f"would be code that {hit.danger.does} (line {hit.line})"
        yield from installed(name, did, does)
        yield from dated(did, does, before, text)
        for removed in removing(live, did.effects, does.effects, whose):
            yield f"would be code of which {removed}"
    else:
        yield from _in_words(live, writing._replace(before=before, text=text), whose)
    if writing.form is Form.TEXT:
        yield from by_place(name, before, live.prompts)
        yield from endless(name, before, text, live.prompts)
        yield from _paid(live, before, text, whose)
    yield from unchecked(before, text)
    yield from _weak(live, before, text, "code")
    yield from in_strings(name, before, text)


def _weak(live: Live, before: str, text: str, sort: str) -> Iterator[str]:
    for weak in weak_lines(before, text, live.prompts):
        yield f"would be {sort} of which a line says that {weak.does} (line {weak.line})"


def _perhaps(text: str) -> Iterator[Word]:
    """Whatever may be a destination."""
    yield from (token for token in tokens(text) if token.sort in (Token.HOST, Token.ADDRESS))
    yield from payees(text)


def _meant(text: str) -> Iterator[Word]:
    """What is a destination, in whatever text it stands."""
    yield from addresses(text)
    yield from payees(text)


def _in_words(
    live: Live,
    writing: Writing,
    whose: Sequence[str],
    told: frozenset[Kind] = frozenset(Kind),
    find: Callable[[str], Iterable[Word]] = _perhaps,
) -> Iterator[str]:
    """Destinations in a text that nobody here understands, if only a skill, a tool's result or memory names them."""
    fresh = set(find(writing.text)).difference(find(writing.before))  # no token goes beyond its line
    new = {one for one in fresh if not told.isdisjoint(source.kind for source in origins(live.index, one))}
    for number, line in enumerate(writing.text.splitlines() if new else (), 1):
        for token in find(line):
            if token not in new:
                continue
            new.remove(token)
            kind = _KINDS[token.sort]
            if why := why_not(live, Place(Destination(kind, token.value), number, sends=False), whose):
                yield f"would name a place that {why.partition('which ')[2]}: `{token.value}` (line {number})"


def _paid(live: Live, before: str, text: str, whose: Sequence[str]) -> Iterator[str]:
    """Whom code, or an agent, would pay, if nobody named that account."""
    known = set(payees(before))
    for number, line in enumerate(text.splitlines(), 1):
        for token in payees(line) if _PAYS.search(line) else ():
            place = Place(Destination(To.ACCOUNT, token.value), number, sends=True)
            if token not in known and why_not(live, place, whose):
                yield f"would have money paid to `{token.value}`, which nobody named (line {number})"


def _keys(writing: Writing) -> Iterator[str]:
    """Keys of services that a text shows and the text before did not: whoever gets the file gets them."""
    before, text = writing.before, writing.text
    for hit in hits_of("key", text):
        if text[hit.start : hit.end] not in before:
            line = text.count("\n", 0, hit.start) + 1
            yield f"would hold a value that looks like {hit.kind} (line {line})"


def _to_agents(live: Live, name: str, writing: Writing, whose: Sequence[str]) -> Iterator[str]:
    """What a text opens to the agents that load it, and whether anybody asked for one."""
    if for_agents(name):
        yield from widening(name, writing.before, writing.text, live.prompts)
        yield from unasked(live, writing.path, name, writing.before)
        yield from _paid(live, writing.before, writing.text, whose)
