"""A question as lines: what would be done, on whose behalf, by which rule, and why a person is asked. Nothing in it can
steer a terminal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.guard.approvals.answers import Answer
from remit.report.screen import Screen, visible, width_of

if TYPE_CHECKING:
    from remit.guard.approvals.duplicate_questions import Folded
    from remit.guard.store import Approval, Grant, RememberedAnswer

_LABEL = 10  # columns of the labels at the left
OTHERS = 5  # calls that ask the same that are shown
_SIGNS = {"+": "green", "-": "red", "@": "cyan"}


def ago(seconds: int) -> str:
    """Return a duration, in one unit."""
    for size, unit in ((86400, "d"), (3600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds // size} {unit}"
    return f"{max(seconds, 0)} s"


def whose(principal: str) -> str:
    """Return on whose behalf."""
    return f"skill {visible(principal)}" if principal else "the agent itself"


def cut(text: str, width: int) -> str:
    """Cut a text to a number of columns; a line break becomes a blank."""
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
    """Return the question in one line."""
    shown = folded.first.shown
    asks = shown.get("asks") or ()
    first = f"{asks[0]['capability']} {asks[0]['scope']}" if asks else (shown.get("others") or shown["reasons"])[0]
    return first + (f" and {len(asks) - 1} more" if len(asks) > 1 else "")


def list_lines(folded: Sequence[Folded], now: int, screen: Screen) -> Iterator[str]:
    """Return all questions, two lines each."""
    if not folded:
        yield "no questions are waiting"
        return
    for one in folded:
        first = one.first
        many = screen.style(f"  {one.size}x", "yellow") if one.size > 1 else ""
        yield (
            f"{screen.style(first.id, 'bold')}  {visible(first.shown['tool'])}  {whose(first.principal)}"
            f"  {ago(now - first.created)} ago{many}"
        )
        yield f"            {cut(headline(one), screen.width - 12)}"


class Part(NamedTuple):
    """A label, and a text beside it. Without a label it continues the part before."""

    name: str
    text: str
    style: str = ""


def question_parts(question: Approval) -> list[Part]:
    """Return the parts of a question, except the diff; unescaped: the code that shows them escapes them."""
    shown = question.shown
    asks = [f"{one['capability']} {one['scope']}   [{one['source'] or 'no source'}]" for one in shown.get("asks", ())]
    reasons = dict.fromkeys(_plain(reason, shown) for reason in shown.get("reasons", ()))
    runs = [" ".join(map(_word, words)) for words in shown.get("commands", ())]
    return [
        Part("tool", f"{shown['tool']}   ({question.host}, session {question.session})"),
        Part("for", whose(question.principal)),
        *together("asks", asks, "bold"),
        *together("because", reasons),
        *together("runs", runs, "cyan"),
        Part("in", shown["cwd"]),
    ]


def argument_parts(question: Approval) -> list[Part]:
    """Return the arguments of a call, if neither a diff nor a command shows them."""
    shown = question.shown
    if shown.get("diff") or shown.get("commands"):
        return []
    return together("with", (f"{name}: {value}" for name, value in shown["arguments"].items()))


def together(name: str, texts: Iterable[str], style: str = "") -> list[Part]:
    """Return several texts under one label."""
    return [Part("" if number else name, text, style) for number, text in enumerate(texts)]


def also(others: Sequence[Approval]) -> list[Part]:
    """Return how many other calls ask the same."""
    calls = "one more call asks" if len(others) == 1 else f"{len(others)} more calls ask"
    return [Part("also", f"{calls} the same:")] if others else []


def question_lines(question: Approval, screen: Screen, others: Sequence[Approval] = ()) -> list[str]:
    """Return everything about a question."""
    out = part_lines((*question_parts(question), *also(others)), screen)
    out += [f"{' ' * (_LABEL + 2)}{cut(called(one.shown), screen.width - _LABEL - 2)}" for one in others[:OTHERS]]
    body = question.shown.get("diff") or ()
    out += ["", *(changed(line, screen) for line in body)] if body else []
    return out + part_lines(argument_parts(question), screen)


def part_lines(parts: Iterable[Part], screen: Screen) -> list[str]:
    """Render parts for a terminal."""
    return [line for one in parts for line in field(one.name, one.text, screen, *([one.style] if one.style else ()))]


def _plain(reason: str, shown: Mapping[str, Any]) -> str:
    """Return a reason without what is already shown above it."""
    for one in shown.get("asks", ()):
        head = f"`{one['capability']} {one['scope']}` needs a person's word"
        if reason.startswith(head):
            return reason.removeprefix(head).removeprefix(": ") or "the entry that allows it requires approval"
    return reason


def called(shown: Mapping[str, Any]) -> str:
    """Return a call in one line."""
    commands = shown.get("commands")
    if commands:
        return "; ".join(" ".join(map(_word, words)) for words in commands)
    return f"{shown['tool']} " + " ".join(f"{name}={value}" for name, value in shown["arguments"].items())


def told(said: Answer, count: int) -> str:
    """Describe the effect of an answer."""
    calls = "the call" if count == 1 else f"{count} calls"
    match said:
        case Answer.DENY:
            return f"{calls} denied"
        case Answer.ONCE:
            return f"{calls} allowed once"
        case Answer.SESSION:
            return f"{calls} allowed in this session"
        case Answer.ALWAYS:
            return f"{calls} allowed, with a grant for later calls"


def entry_words(entry: Mapping[str, Any]) -> str:
    """Return an entry in short: the capability and its scope."""
    scope = entry.get("scope", "any")
    return f"{entry['capability']} {scope if isinstance(scope, str) else ' '.join(scope)}"


def grant_lines(grants: Sequence[Grant], now: int, screen: Screen) -> Iterator[str]:
    """Return the grants that persons gave for longer."""
    if not grants:
        yield "there are no grants for longer than a session"
    for one in grants:
        text = entry_words(one.entry)
        until = "without an end" if one.expires is None else f"{ago(one.expires - now)} left"
        state = "revoked" if one.revoked is not None else until if one.holds(now) else "over"
        yield f"{screen.style(one.id, 'bold')}  {state:14}  {whose(one.principal)}  {cut(text, screen.width)}"
        if one.workspace:
            yield f"            in {visible(one.workspace)}"


def answer_lines(answers: Sequence[RememberedAnswer], screen: Screen) -> Iterator[str]:
    """Return questions that persons answered, and that are not asked again."""
    for one in answers:
        yield f"{screen.style(one.id, 'bold')}  {one.rule:20}  {whose(one.principal)}  {cut(visible(one.sentence), screen.width)}"
        yield f"            in {visible(one.workspace)}"


def field(name: str, text: str, screen: Screen, *styles: str) -> list[str]:
    """Return a label, and a text beside it, wrapped if necessary."""
    room = max(screen.width - _LABEL - 2, 20)
    rows = [row for line in text.splitlines() or [""] for row in _broken(visible(line), room)]
    head = f"  {screen.style(name.ljust(_LABEL - 1), 'dim')} "
    return [
        (head if not number else " " * (_LABEL + 2)) + screen.style(row, *styles) for number, row in enumerate(rows)
    ]


def _broken(text: str, room: int) -> Iterator[str]:
    """Split a text into pieces that fit: at blanks, and inside words that are longer."""
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
    """Return a line of a diff."""
    text = cut_right(visible(line.replace("\t", "    ")), screen.width - 2)
    style = _SIGNS.get(line[:1], "")
    return "  " + (screen.style(text, style) if style else text)


def cut_right(text: str, width: int) -> str:
    """Cut a text whose blanks matter to a number of columns."""
    if width_of(text) <= width:
        return text
    while text and width_of(text) > width - 1:
        text = text[:-1]
    return f"{text}…"
