"""The screen of `remit approvals`: a short list, one question, its answers. Pure: takes a view and a size, returns
lines.

Questions are those of the guard, and after them the requests at the gateway that need an approver's signature.

The question gets all the room that the list and the answers leave; the rest is reached with page up and down. The
answers are always at the same position.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from remit.core.counting import counted
from remit.guard.approvals.answers import Answer, can_last
from remit.guard.approvals.duplicate_questions import Folded
from remit.report.approval_view import ago, cut, headline, question_lines, whose
from remit.report.gateway_view import waiting_body, waiting_head
from remit.report.screen import Screen, width_of

if TYPE_CHECKING:
    from remit.gateway.transactions import Waiting

LISTED = 5  # questions in the list at most
SMALLEST = (40, 12)  # columns and rows
_KEYS = "←→ answer · enter gives it · ↑↓ question · pgup pgdn read on · q leave"
_SHORT = "←→ enter ↑↓ pgup pgdn q"


class View(NamedTuple):
    """What is shown."""

    folded: tuple[Folded | Waiting, ...]
    chosen: int = 0
    answer: Answer = Answer.DENY  # Enter means no
    top: int = 0  # the first visible line of the question
    now: int = 0
    until: str = ""  # the day on which a lasting answer ends
    said: str = ""  # the effect of the last answer


class Page(NamedTuple):
    """A screen full of lines, and how far the question can be scrolled."""

    lines: tuple[str, ...]
    last_top: int


def answers_for(one: Folded | Waiting) -> tuple[Answer, ...]:
    """Return the possible answers to a question. A signature is for one action alone."""
    if not isinstance(one, Folded):
        return (Answer.DENY, Answer.ONCE)
    every = (Answer.DENY, Answer.ONCE, Answer.SESSION, Answer.ALWAYS)
    return every if can_last(one.first) else every[:-1]


def page(view: View, screen: Screen, rows: int) -> Page:
    """The screen."""
    if screen.width < SMALLEST[0] or rows < SMALLEST[1]:
        return Page(("the terminal is too small",), 0)
    if not view.folded:
        return Page(_filled([_title(view, screen), "", *_quiet(screen)], [_rule(screen), _foot(view, screen)], rows), 0)
    one = view.folded[view.chosen]
    head = [_title(view, screen)]
    if len(view.folded) > 1:
        head += _list(view, screen, min(LISTED, max(2, rows // 5)))
    head.append(_rule(screen))
    foot = [_rule(screen), _answers(view, one, screen), _foot(view, screen)]
    body = _body(one, screen, view.now)
    room = rows - len(head) - len(foot)
    last = max(len(body) - room, 0)
    if last:
        room -= 1  # for a line that says that there is more
        last = len(body) - room
    top = min(view.top, last)
    seen = body[top : top + room]
    if last:
        seen += [""] * (room - len(seen))
        more = f"lines {top + 1} to {min(top + room, len(body))} of {len(body)}"
        seen.append(screen.style(f"  {more}", "dim"))
    return Page(_filled([*head, *seen], foot, rows), last)


def _body(one: Folded | Waiting, screen: Screen, now: int) -> list[str]:
    if isinstance(one, Folded):
        return question_lines(one.first, screen, one.questions[1:])
    return waiting_body(one, screen, now)


def size_of(one: Folded | Waiting) -> int:
    """Return how many calls wait for an answer."""
    return one.size if isinstance(one, Folded) else 1


def _filled(top: Sequence[str], foot: Sequence[str], rows: int) -> tuple[str, ...]:
    return (*top[: rows - len(foot)], *[""] * (rows - len(top) - len(foot)), *foot)


def _title(view: View, screen: Screen) -> str:
    count = len(view.folded)
    calls = sum(map(size_of, view.folded))
    what = counted(count, "question") if count else "nothing is waiting"
    more = f" from {counted(calls, 'call')}" if calls > count else ""
    return screen.style(" remit approvals", "bold") + screen.style(f"  {what}{more}", "dim")


def _quiet(screen: Screen) -> list[str]:
    return [
        screen.style("  Hooks wait for you while this is open.", "dim"),
        screen.style("  A question appears here as soon as an agent needs your word.", "dim"),
    ]


def _rule(screen: Screen) -> str:
    return screen.style("─" * screen.width, "dim")


def _list(view: View, screen: Screen, most: int) -> list[str]:
    first = max(0, min(view.chosen - most // 2, len(view.folded) - most))
    out = []
    for number in range(first, min(first + most, len(view.folded))):
        one = view.folded[number]
        mark = "▸" if number == view.chosen else " "
        plain, tail = _row(one, view.now)
        text = cut(plain, screen.width - 4 - width_of(tail))
        row = f" {mark} {text}{' ' * (screen.width - 4 - width_of(text) - width_of(tail))}{tail}"
        out.append(screen.style(row, "bold") if number == view.chosen else row)
    return out


def _row(one: Folded | Waiting, now: int) -> tuple[str, str]:
    """Return a question in one line, with how many calls ask it since when, or how long it can be answered."""
    if not isinstance(one, Folded):
        return waiting_head(one), f" {ago(one.transaction.until - now)} left"
    many = f"{one.size}x " if one.size > 1 else ""
    plain = f"{one.first.shown['tool']} · {whose(one.first.principal)} · {headline(one)}"
    return plain, f" {many}{ago(now - one.first.created)}"


def _answers(view: View, one: Folded | Waiting, screen: Screen) -> str:
    count = size_of(one)
    wide = screen.width >= 76
    once = "allow once" if isinstance(one, Folded) else "sign for it, once"
    labels = {
        Answer.DENY: "deny" if count == 1 else f"deny all {count}",
        Answer.ONCE: once if wide else "once",
        Answer.SESSION: "this session" if wide else "session",
        Answer.ALWAYS: f"always, to {view.until}" if wide else "always",
    }
    parts = []
    for said in answers_for(one):
        label = labels[said]
        if said is view.answer:
            parts.append(screen.style(f"[ {label} ]", "bold", "red" if said is Answer.DENY else "green"))
        else:
            parts.append(f"  {label}  ")
    return " " + " ".join(parts)


def _foot(view: View, screen: Screen) -> str:
    text = view.said or (_KEYS if screen.width > width_of(_KEYS) else _SHORT)
    return screen.style(f" {cut(text, screen.width - 2)}", "yellow" if view.said else "dim")
