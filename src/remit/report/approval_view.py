"""A question as lines: what would be done, on whose behalf, by which rule, and why a person is asked. Nothing in it can steer a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from remit.report.screen import visible, width_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from remit.guard.broker.folding import Folded
    from remit.guard.store import Approval, Grant
    from remit.report.screen import Screen

_LABEL = 10  # columns of the words at the left
_SIGNS = {"+": "green", "-": "red", "@": "cyan"}


def ago(seconds: int) -> str:
    """How long, in one unit."""
    for size, unit in ((86400, "d"), (3600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds // size} {unit}"
    return f"{max(seconds, 0)} s"


def whose(principal: str) -> str:
    """On whose behalf."""
    return f"skill {visible(principal)}" if principal else "the agent itself"


def cut(text: str, width: int) -> str:
    """A text in so many columns at most; a blank for every line break."""
    text = visible(" ".join(text.split()))
    if width_of(text) <= width:
        return text
    out = ""
    for char in text:
        if width_of(out + char) > width - 1:
            break
        out += char
    return f"{out}…"


def headline(folded: Folded) -> str:
    """What is asked, in one line."""
    shown = folded.first.shown
    asks = shown.get("asks") or ()
    first = f"{asks[0]['capability']} {asks[0]['scope']}" if asks else (shown.get("others") or shown["reasons"])[0]
    return first + (f" and {len(asks) - 1} more" if len(asks) > 1 else "")


def list_lines(folded: Sequence[Folded], now: int, screen: Screen) -> Iterator[str]:
    """All questions, two lines each."""
    if not folded:
        yield "nobody waits for an answer"
        return
    for one in folded:
        first = one.first
        many = screen.style(f"  {one.size}x", "yellow") if one.size > 1 else ""
        yield (
            f"{screen.style(first.id, 'bold')}  {visible(first.shown['tool'])}  {whose(first.principal)}"
            f"  {ago(now - first.created)} ago{many}"
        )
        yield f"            {cut(headline(one), screen.width - 12)}"


def question_lines(question: Approval, screen: Screen, others: Sequence[Approval] = ()) -> list[str]:
    """Everything about a question."""
    shown = question.shown
    out = [*field("tool", f"{shown['tool']}   ({question.host}, session {question.session})", screen)]
    out += field("for", whose(question.principal), screen)
    for number, one in enumerate(shown.get("asks", ())):
        source = one["source"] or "no source"
        text = f"{one['capability']} {one['scope']}   [{source}]"
        out += field("asks" if number == 0 else "", text, screen, "bold")
    for number, reason in enumerate(dict.fromkeys(_plain(reason, shown) for reason in shown.get("reasons", ()))):
        out += field("because" if number == 0 else "", reason, screen)
    for number, words in enumerate(shown.get("commands", ())):
        out += field("runs" if number == 0 else "", " ".join(map(_word, words)), screen, "cyan")
    out += field("in", shown["cwd"], screen)
    if others:
        calls = "one more call asks" if len(others) == 1 else f"{len(others)} more calls ask"
        out += field("also", f"{calls} the same:", screen)
        out += [f"{' ' * (_LABEL + 2)}{cut(called(one.shown), screen.width - _LABEL - 2)}" for one in others[:5]]
    body = shown.get("diff") or ()
    if body:
        out += ["", *(changed(line, screen) for line in body)]
    elif not shown.get("commands"):
        out += _arguments(shown, screen)
    return out


def _plain(reason: str, shown: Mapping[str, Any]) -> str:
    """A reason without what stands above it already."""
    for one in shown.get("asks", ()):
        head = f"`{one['capability']} {one['scope']}` needs a person's word"
        if reason.startswith(head):
            return reason.removeprefix(head).removeprefix(": ") or "the entry that allows it wants a person to be asked"
    return reason


def called(shown: Mapping[str, Any]) -> str:
    """A call in one line."""
    commands = shown.get("commands")
    if commands:
        return "; ".join(" ".join(map(_word, words)) for words in commands)
    return f"{shown['tool']} " + " ".join(f"{name}={value}" for name, value in shown["arguments"].items())


def grant_lines(grants: Sequence[Grant], now: int, screen: Screen) -> Iterator[str]:
    """What persons granted for longer."""
    if not grants:
        yield "nothing is granted for longer than a session"
    for one in grants:
        entry = one.entry
        scope = entry.get("scope", "any")
        text = f"{entry['capability']} {scope if isinstance(scope, str) else ' '.join(scope)}"
        until = "without an end" if one.expires is None else f"{ago(one.expires - now)} left"
        state = "revoked" if one.revoked is not None else until if one.holds(now) else "over"
        yield f"{screen.style(one.id, 'bold')}  {state:14}  {whose(one.principal)}  {cut(text, screen.width)}"
        if one.workspace:
            yield f"            in {visible(one.workspace)}"


def field(name: str, text: str, screen: Screen, *styles: str) -> list[str]:
    """A word at the left, and a text beside it, broken where it must be."""
    room = max(screen.width - _LABEL - 2, 20)
    rows = [row for line in text.splitlines() or [""] for row in _broken(visible(line), room)]
    head = f"  {screen.style(name.ljust(_LABEL - 1), 'dim')} "
    return [
        (head if not number else " " * (_LABEL + 2)) + screen.style(row, *styles) for number, row in enumerate(rows)
    ]


def _broken(text: str, room: int) -> Iterator[str]:
    """A text in pieces that fit: at blanks, and inside of words that are longer."""
    line = ""
    for word in text.split(" "):
        joined = f"{line} {word}" if line else word
        if width_of(joined) <= room:
            line = joined
            continue
        if line:
            yield line
        while width_of(word) > room:
            head = word[:room]
            while width_of(head) > room:
                head = head[:-1]
            yield head
            word = word[len(head) :]  # noqa: PLW2901  what is left of it
        line = word
    yield line


def _word(word: str) -> str:
    import shlex  # noqa: PLC0415

    return shlex.quote(word)


def changed(line: str, screen: Screen) -> str:
    """A line of a diff."""
    text = cut_right(visible(line.replace("\t", "    ")), screen.width - 2)
    style = _SIGNS.get(line[:1], "")
    return "  " + (screen.style(text, style) if style else text)


def cut_right(text: str, width: int) -> str:
    """A text whose blanks matter, in so many columns at most."""
    if width_of(text) <= width:
        return text
    while text and width_of(text) > width - 1:
        text = text[:-1]
    return f"{text}…"


def _arguments(shown: Mapping[str, Any], screen: Screen) -> list[str]:
    out: list[str] = []
    for number, (name, value) in enumerate(shown["arguments"].items()):
        out += field("with" if number == 0 else "", f"{name}: {value}", screen)
    return out
