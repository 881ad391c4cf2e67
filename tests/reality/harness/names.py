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
    """Shared by the generators: what is written, names that are not used twice, and pieces of texts.

    Methods `t_…` give an expression for a text, methods `e_…` statements that do something.
    """

    TEXTS: tuple = ()
    EFFECTS: tuple = ()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        ways = [(name, way) for kind in cls.__mro__ for name, way in vars(kind).items()]
        cls.TEXTS = tuple(way for name, way in ways if name.startswith("t_"))
        cls.EFFECTS = tuple(way for name, way in ways if name.startswith("e_"))

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.count = 0
        self.lines: list[str] = []
        self.files: dict[str, str] = {}

    def quote(self, text: str) -> str:
        """A text as a literal of the language."""
        raise NotImplementedError

    def text(self, want: str, depth: int = 3) -> str:
        """An expression whose value is `want`."""
        if depth <= 0 or self.rng.random() < 0.15:
            return self.quote(want)
        return self.rng.choice(self.TEXTS)(self, want, depth - 1)

    def effect(self):
        """Statements that do something."""
        return self.rng.choice(self.EFFECTS)(self)

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
