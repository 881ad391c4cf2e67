"""Keys of a terminal, one at a time: as they are pressed, without a library. The terminal is put back however this ends."""

from __future__ import annotations

import os
import select
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum

_LOCAL_FLAGS = 3  # where `tcgetattr` keeps them


class Key(StrEnum):
    """Keys that have a name. Every other key is its character."""

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
_GAP = 0.05  # seconds in which the rest of a sequence comes, also over a slow line


@contextmanager
def keys_of(handle: int) -> Iterator[None]:
    """The terminal gives keys as they are pressed, and shows none."""
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
    """What was pressed and not read is not meant for what is shown next."""
    termios.tcflush(handle, termios.TCIFLUSH)


def next_key(handle: int, seconds: float) -> str | None:
    """The next key; None if none came in time."""
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
    """A character; empty if the terminal is gone, None if nothing came."""
    if not select.select([handle], [], [], seconds)[0]:
        return None
    try:
        return os.read(handle, 1).decode("latin-1")
    except OSError:
        return ""
