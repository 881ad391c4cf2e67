"""What generated programs act on."""

from __future__ import annotations

import random  # noqa: TC003

EXISTING = ("victim.txt", "data.txt", "a.tmp", "b.tmp", "dir/x.txt")
NEW = (
    "new.txt",
    "out.md",
    "dir/made",
    "dir/sub",
    "n-1.log",
    "with blank.txt",
    "q",
    "deep.tar.gz",
    "ünï.txt",
    "a=b",
    "x'y",
    "%s",
    "a{b}",
)
ARGS = ("arg-out.txt", "data.txt", "dir")
SAFE = "abcdefghijklmnopqrstuvwxyz0123456789._-"


class Builder:
    """Shared by the generators: names that are not used twice, and pieces of texts."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.count = 0

    def fresh(self, stem: str = "v") -> str:
        """A variable that is not used yet."""
        self.count += 1
        return f"{stem}{self.count}"

    def pick(self, *choices):
        """One of the arguments."""
        return self.rng.choice(choices)

    def existing(self) -> str:
        """A file that is there."""
        return self.rng.choice(EXISTING)

    def new(self) -> str:
        """A file that is not there."""
        return self.rng.choice(NEW)

    def cut(self, text: str) -> tuple[str, str]:
        """A text in two pieces."""
        at = self.rng.randint(0, len(text))
        return text[:at], text[at:]
