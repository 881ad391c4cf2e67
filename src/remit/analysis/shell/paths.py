"""Where `cd` goes."""

from __future__ import annotations

from remit.analysis.domain import ANCHORS, CWD, NO_SLASH, Hole, Text, Value, text
from remit.analysis.shell.values import MAX_TEXTS, TOP, texts


def change(cwd: Value, target: Value) -> Value:
    """The folders after `cd target` in each of these folders."""
    out = set[Text]()
    for item in texts(target):
        if _absolute(item):
            out.add(_normal(item))
            continue
        first = item.parts[0] if item.parts else ""
        for base in texts(cwd):
            if isinstance(first, Hole):
                out.add(item)  # it may be absolute, and then the old folder is dropped
                if base.parts != (Hole(CWD),) and first.alphabet not in NO_SLASH:
                    out.add(text(*base.parts, "/", *item.parts))
                elif first.alphabet in NO_SLASH:
                    out.discard(item)
                    out.add(text(*base.parts, "/", *item.parts))
            else:
                out.add(_normal(text(*base.parts, "/", *item.parts)))
    return frozenset(out) if len(out) <= MAX_TEXTS else TOP


def _absolute(item: Text) -> bool:
    first = item.parts[0] if item.parts else ""
    return first.origin in ANCHORS if isinstance(first, Hole) else first.startswith("/")


def _normal(item: Text) -> Text:
    """Without `.`, and without `..` where the folder before it is a literal."""
    last = item.parts[-1] if item.parts else ""
    if isinstance(last, Hole):
        return item
    pieces: list[str] = []
    for index, piece in enumerate(last.split("/")):
        if piece == "." or (not piece and index):
            continue
        if piece == ".." and len(pieces) > 1 and pieces[-1] != "..":
            pieces.pop()
        elif piece == ".." and pieces == [""] and len(item.parts) == 1:
            continue
        else:
            pieces.append(piece)
    joined = "/".join(pieces)
    return text(*item.parts[:-1], joined or ("/" if len(item.parts) == 1 else ""))
