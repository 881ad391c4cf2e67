"""Random small programs that move one marked value from a source through carriers to a sink.

The steps are data, `tests/reality/carriers/*.carriers`. A program is a source, some carriers (each alone or wrapped into a function, a
class, a loop …) and a sink, so that one step after the other can be left out to find the one whose data is lost.
"""

from __future__ import annotations

import hashlib
import random
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from harness.flow_cases import Expected, FlowCase, Setup, Sink, Source

CARRIERS = Path(__file__).resolve().parent.parent / "carriers"
LANGUAGES = {"python": ("py", "python3"), "shell": ("sh", "bash"), "javascript": ("js", "node")}
SKILL_MD = "---\nname: carrier\ndescription: moves a value\n---\n"


class Step(NamedTuple):
    """A piece of a program. A wrapped one holds the number of the text around it."""

    kind: str
    name: str
    text: str
    wrap: str = ""


class Steps(NamedTuple):
    """The pieces that programs of a language are made of."""

    frame: str
    sources: tuple[Step, ...]
    sinks: tuple[Step, ...]
    wraps: tuple[str, ...]
    carriers: tuple[Step, ...]


class Moved(NamedTuple):
    """A program as the steps that it is made of."""

    language: str
    steps: tuple[Step, ...]

    @property
    def text(self) -> str:
        """The program."""
        pieces, deep = [], self.language != "shell"
        for number, step in enumerate(self.steps):
            before, after = f"v{number - 1}", f"v{number}"
            if step.wrap:
                inner = _filled(step.text, number * 10 + 1, f"x{number}", f"y{number}")
                pieces.append(_with_body(_filled(step.wrap, number, before, after), inner, deep=deep))
            else:
                pieces.append(_filled(step.text, number, before, after))
        return _with_body(steps_of(self.language).frame, "\n".join(pieces), deep=deep)

    def case(self) -> FlowCase:
        """The program as a case, with its one flow."""
        ending, program = LANGUAGES[self.language]
        text = self.text
        digest = hashlib.sha256(text.encode()).hexdigest()
        mark = "mk" + digest[:18]
        source, sink = Source(*self.steps[0].name.split(" ")), Sink(*self.steps[-1].name.split(" "))
        files = {} if source.kind == "env" else {source.name: f"{mark}\n"}
        env = {source.name: mark} if source.kind == "env" else {}
        return FlowCase(
            id=f"{self.language}-{digest[:8]}",
            kind="leak",
            files={"SKILL.md": SKILL_MD, f"main.{ending}": text},
            entry=(program, f"main.{ending}", "notes.txt"),
            setup=Setup({"notes.txt": "nothing\n", **files}, env, {}),
            flows=(Expected(source, sink),),
            never=(),
            also=(),
            parts={},
            decode={},
            needles={},
        )

    def shorter(self) -> list[Moved]:
        """The same with one step or wrapping less."""
        last = len(self.steps) - 1
        without = [self._replace(steps=self.steps[:at] + self.steps[at + 1 :]) for at in range(1, last)]
        bare = [
            self._replace(steps=(*self.steps[:at], step._replace(wrap=""), *self.steps[at + 1 :]))
            for at, step in enumerate(self.steps)
            if step.wrap
        ]
        return without + bare

    @property
    def names(self) -> str:
        """The steps, for a person."""
        return " > ".join(f"{step.name} (wrapped)" if step.wrap else step.name for step in self.steps)


@cache
def steps_of(language: str) -> Steps:
    """The pieces of a language."""
    pieces = re.split(r"(?m)^=== ", (CARRIERS / f"{language}.carriers").read_text("utf-8"))[1:]
    found: dict[str, list[Step]] = {}
    for piece in pieces:
        head, _, text = piece.partition("\n")
        kind, _, name = head.strip().partition(" ")
        found.setdefault(kind, []).append(Step(kind, name, text.strip("\n")))
    (frame,) = found["frame"]
    wraps = tuple(step.text for step in found["wrap"])
    return Steps(frame.text, tuple(found["source"]), tuple(found["sink"]), wraps, tuple(found["carrier"]))


def moved(language: str, seed: int) -> Moved:
    """The program of a seed."""
    rng = random.Random(f"flows:{language}:{seed}")
    steps = steps_of(language)
    carriers = rng.sample(steps.carriers, rng.randint(1, 4))
    wrapped = (step._replace(wrap=rng.choice(steps.wraps)) if rng.random() < 0.4 else step for step in carriers)
    return Moved(language, (rng.choice(steps.sources), *wrapped, rng.choice(steps.sinks)))


def through(language: str, names: str) -> list[Moved]:
    """Programs through the carriers `a > b`, from each source to each sink. Files come before variables, which programs
    that read the whole environment seem to follow."""
    steps = steps_of(language)
    sources = sorted(steps.sources, key=lambda step: step.name.startswith("env "))
    by_name = {step.name: step for step in steps.carriers}
    carriers = [by_name[name] for name in names.split(" > ")]
    return [Moved(language, (source, *carriers, sink)) for source in sources for sink in steps.sinks]


def _filled(text: str, number: int, before: str, after: str) -> str:
    return text.replace("«n»", str(number)).replace("«v»", before).replace("«w»", after)


def _with_body(text: str, body: str, *, deep: bool) -> str:
    """A text with its line `«body»` replaced. Each line becomes as deep as that one, but not in bash: it would change here-documents."""

    def put(found: re.Match[str]) -> str:
        return "\n".join(found[1] + line if deep and line else line for line in body.split("\n"))

    return re.sub(r"(?m)^([ \t]*)«body»$", put, text)


@cache
def lost_table() -> dict[tuple[str, str], str]:
    """The reason for each carrier, or carriers after each other, whose data is known to be lost, by language."""
    lines = (CARRIERS / "lost.table").read_text("utf-8").splitlines()
    rows = (line.split(" | ") for line in lines if line and not line.startswith("#"))
    return {(language, names): reason for language, names, reason in rows}


def is_lost(program: Moved) -> bool:
    """Whether the data of a program is known to be lost on its way."""
    whole = f" > {' > '.join(step.name for step in program.steps)} > "
    return any(language == program.language and f" > {names} > " in whole for language, names in lost_table())
