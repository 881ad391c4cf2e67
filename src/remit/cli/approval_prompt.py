"""`remit approvals` on a terminal: one question at a time, answered with the arrow keys.

A key pressed for one question never answers another: pending keys are discarded when the question changes, and Enter
counts only after the question has been visible for a moment.
"""

from __future__ import annotations

import os
import select
import sys
import termios
import time
import tty
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING

from remit.core.errors import RemitError
from remit.gateway.deployment.waiting_requests import SHORT, confirm_there, gateway_folder, refuse_there, waiting_there
from remit.guard.approvals.answers import DAYS, Answer, answer
from remit.guard.approvals.duplicate_questions import Folded, fold
from remit.guard.approvals.watchers import watching
from remit.guard.store import State, Store, approvals
from remit.report.approval_page import SMALLEST, Page, View, answers_for, page
from remit.report.approval_view import told
from remit.report.screen import Screen

if TYPE_CHECKING:
    from remit.audit import Log
    from remit.gateway.transactions import Waiting
    from remit.guard.approvals.persons import Person
    from remit.guard.state_folder import StateFolder


_LOCAL_FLAGS = 3  # where `tcgetattr` keeps them


class Key(StrEnum):
    """Keys with a name. Any other key is its character."""

    UP = "up"
    DOWN = "down"
    LEFT = "left"
    RIGHT = "right"
    PAGE_UP = "page up"
    PAGE_DOWN = "page down"
    HOME = "home"
    END = "end"
    ENTER = "enter"
    ESCAPE = "escape"
    LEAVE = "leave"  # control-C, control-D, or the terminal is gone


# as terminals send them, in both modes of the cursor keys
_SEQUENCES = {
    "A": Key.UP, "B": Key.DOWN, "C": Key.RIGHT, "D": Key.LEFT, "H": Key.HOME, "F": Key.END,
    "5~": Key.PAGE_UP, "6~": Key.PAGE_DOWN, "1~": Key.HOME, "4~": Key.END, "7~": Key.HOME, "8~": Key.END, "Z": Key.LEFT,
}  # fmt: skip
_PLAIN = {"\r": Key.ENTER, "\n": Key.ENTER, "\t": Key.RIGHT, "\x03": Key.LEAVE, "\x04": Key.LEAVE}
_GAP = 0.05  # seconds to wait for the rest of a sequence, enough for a slow line


@contextmanager
def keys_of(handle: int) -> Iterator[None]:
    """Put the terminal into a mode that delivers single keys without echo."""
    before = termios.tcgetattr(handle)
    try:
        tty.setcbreak(handle)
        raw = termios.tcgetattr(handle)
        raw[_LOCAL_FLAGS] &= ~termios.ISIG  # control-C is a key, so that the terminal is put back
        termios.tcsetattr(handle, termios.TCSADRAIN, raw)
        yield
    finally:
        termios.tcsetattr(handle, termios.TCSAFLUSH, before)


def forget_keys(handle: int) -> None:
    """Discard keys that were pressed but not read: they are not meant for what is shown next."""
    termios.tcflush(handle, termios.TCIFLUSH)


def next_key(handle: int, seconds: float) -> str | None:
    """Return the next key; None if none came in time."""
    first = _byte(handle, seconds)
    if first is None:
        return None
    if first == "":
        return Key.LEAVE
    if first != "\x1b":
        return _PLAIN.get(first, first)
    if _byte(handle, _GAP) not in ("[", "O"):
        return Key.ESCAPE
    text = ""
    while (more := _byte(handle, _GAP)) and len(text) < 16:
        text += more
        if more.isalpha() or more == "~":
            break
    # `1;5A` is an arrow with control held: an arrow
    return _SEQUENCES.get(text) or _SEQUENCES.get(text[-1:] if ";" in text else "") or Key.ESCAPE


def _byte(handle: int, seconds: float) -> str | None:
    """Return a character; empty if the terminal is gone, None if nothing came."""
    if not select.select([handle], [], [], seconds)[0]:
        return None
    try:
        return os.read(handle, 1).decode("latin-1")
    except OSError:
        return ""


_TICK = 0.25  # seconds between two checks for new questions and another size of the terminal
_READS = 0.4  # seconds that a question must have been visible before Enter answers it
_ENTER = "\x1b[?1049h\x1b[?25l"  # another screen, no cursor
_LEAVE = "\x1b[?25h\x1b[?1049l"
_LETTERS = {"d": Answer.DENY, "o": Answer.ONCE, "s": Answer.SESSION, "a": Answer.ALWAYS}


class Desk:
    """The screen and the answers of one person."""

    def __init__(self, places: StateFolder, store: Store, log: Log, person: Person) -> None:
        self._places = places
        self._store = store
        self._log = log
        self._person = person
        self._view = View(())
        self._since = 0.0  # when the question appeared

    def run(self) -> None:
        """Run until the person leaves."""
        handle = sys.stdin.fileno()
        out = sys.stdout
        with watching(self._places), keys_of(handle):
            try:
                out.write(_ENTER)
                self._loop(handle)
            finally:
                out.write(_LEAVE)
                out.flush()

    def _loop(self, handle: int) -> None:
        before: tuple[str, ...] = ()
        while True:
            self._look(handle)
            found = self._page()
            if found.lines != before:
                _paint(found.lines)
                before = found.lines
            key = next_key(handle, _TICK)
            if key in ("q", Key.ESCAPE, Key.LEAVE):
                return
            if key is not None and self._view.folded:
                self._press(key, found, handle)

    def _page(self) -> Page:
        columns, rows = os.get_terminal_size(sys.stdout.fileno())  # not of the environment: it changes
        screen = Screen(sys.stdout, color=Screen.of(sys.stdout, "auto").color, width=columns)
        found = page(self._view, screen, rows if columns >= SMALLEST[0] else 0)
        return found._replace(lines=tuple(screen.shown(line) for line in found.lines))

    def _look(self, handle: int) -> None:
        """Update what waits now. The current question stays, whatever its position in the list."""
        now = int(time.time())
        folded: tuple[Folded | Waiting, ...] = fold(approvals(self._store, State.PENDING, now))
        folded += self._there()
        view = self._view
        known = _name(view.folded[view.chosen]) if view.folded else ""
        chosen = next((number for number, one in enumerate(folded) if _name(one) == known), None)
        if chosen is None:
            self._turn_to(folded, min(view.chosen, max(len(folded) - 1, 0)), handle)
        else:
            self._view = view._replace(folded=folded, chosen=chosen)
        until = datetime.fromtimestamp(now + DAYS * 86400, UTC).strftime("%Y-%m-%d")
        self._view = self._view._replace(now=now, until=until)

    def _there(self) -> tuple[Waiting, ...]:
        """Return what waits at the gateway. If the gateway is unreachable, the guard's questions can still be answered."""
        try:
            return waiting_there(gateway_folder(self._places.folder))
        except RemitError as error:
            self._view = self._view._replace(said=f"the gateway's questions: {error.message}")
            return ()

    def _turn_to(self, folded: tuple[Folded | Waiting, ...], chosen: int, handle: int) -> None:
        """Turn to another question: its preselected answer is no."""
        forget_keys(handle)
        self._since = time.monotonic()
        self._view = self._view._replace(folded=folded, chosen=chosen, answer=Answer.DENY, top=0)

    def _press(self, key: str, found: Page, handle: int) -> None:
        view = self._view
        choices = answers_for(view.folded[view.chosen])
        match key:
            case Key.UP | Key.DOWN:
                chosen = (view.chosen + (1 if key == Key.DOWN else -1)) % len(view.folded)
                self._turn_to(view.folded, chosen, handle)
            case Key.LEFT | Key.RIGHT:
                place = choices.index(view.answer) + (1 if key == Key.RIGHT else -1)
                self._view = view._replace(answer=choices[max(0, min(place, len(choices) - 1))], said="")
            case Key.PAGE_DOWN | " ":
                self._view = view._replace(top=min(view.top + 8, found.last_top))
            case Key.PAGE_UP:
                self._view = view._replace(top=max(view.top - 8, 0))
            case Key.HOME:
                self._view = view._replace(top=0)
            case Key.END:
                self._view = view._replace(top=found.last_top)
            case Key.ENTER if time.monotonic() - self._since >= _READS:
                self._say()
            case _ if _LETTERS.get(key) in choices:
                self._view = view._replace(answer=_LETTERS[key], said="")
            case _:
                pass

    def _say(self) -> None:
        asked = self._view.folded[self._view.chosen]
        try:
            said = self._answer(asked.first.id) if isinstance(asked, Folded) else self._sign(asked)
        except RemitError as error:
            said = error.message
        self._view = self._view._replace(said=said)

    def _answer(self, name: str) -> str:
        """Answer a question of the guard."""
        said = self._view.answer
        done = answer(self._store, self._log, name, said, who=str(self._person), now=int(time.time()))
        return f"{name}: {told(said, len(done.answered))}"

    def _sign(self, one: Waiting) -> str:
        """Sign or refuse a request at the gateway with the approver's key."""
        if self._view.answer is Answer.DENY:
            refuse_there(gateway_folder(self._places.folder), one, str(self._person))
            return f"{one.id[:SHORT]}: denied"
        confirm_there(gateway_folder(self._places.folder), one, str(self._person))
        return f"{one.id[:SHORT]}: signed; the agent can let it happen now"


def _name(one: Folded | Waiting) -> str:
    return one.first.id if isinstance(one, Folded) else one.id


def _paint(lines: tuple[str, ...]) -> None:
    """Draw one frame: each line at its position, the rest of it cleared."""
    text = "".join(f"\x1b[{number};1H{line}\x1b[K" for number, line in enumerate(lines, 1))
    data = f"{text}\x1b[J".encode(sys.stdout.encoding or "ascii", "backslashreplace")
    sys.stdout.flush()
    handle = sys.stdout.fileno()
    while data:
        data = data[os.write(handle, data) :]
