"""The text of files after a patch in the form of `apply_patch`. What does not fit a file is added to it: then it is looked at all the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_ADD, _UPDATE, _MOVE = "*** Add File:", "*** Update File:", "*** Move to:"


class Change(NamedTuple):
    """What a patch does to one file: the path that it names, where the file is called otherwise afterwards, and its pieces."""

    path: str
    moved: str
    pieces: tuple[tuple[str, str], ...]  # what stands there, and what will

    def applied(self, text: str) -> str:
        """The text of the file afterwards."""
        for before, after in self.pieces:
            text = text.replace(before, after, 1) if before and before in text else f"{text}\n{after}"
        return text


def changes(patch: str) -> tuple[Change, ...]:
    """What a patch does, file by file. Lines before the first file belong to none."""
    found: list[Change] = []
    body: list[str] = []
    path = moved = ""
    for line in [*patch.splitlines(), _ADD]:
        plain = line.strip()
        if plain.startswith((_ADD, _UPDATE)):
            if path:
                found.append(Change(path, moved, tuple(_pieces(body))))
            path, moved, body = plain.partition(":")[2].strip(), "", []
        elif plain.startswith(_MOVE):
            moved = plain.partition(":")[2].strip()
        elif not plain.startswith("*** "):
            body.append(line)
    return tuple(found)


def _pieces(body: list[str]) -> Iterator[tuple[str, str]]:
    """The pieces of a file: lines from one `@@` to the next."""
    before: list[str] = []
    after: list[str] = []
    for line in [*body, "@@"]:
        if line.startswith("@@"):
            if before or after:
                yield "\n".join(before), "\n".join(after)
            before, after = [], []
        else:
            sign, rest = line[:1], line[1:]
            before += [rest] if sign in (" ", "-") else []
            after += [rest] if sign in (" ", "+") else []
