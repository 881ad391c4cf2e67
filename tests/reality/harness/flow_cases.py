"""Small skills whose flows are known because they were run: read from `tests/flows/*.cases`, and laid out in a folder.

A file holds many cases:

    @@ id | leak, ordinary or implicit | py, sh, js or mixed
    @SKILL                 the text of SKILL.md follows
    @FILE scripts/run.py   the text of a file of the skill follows; «tag» names a line
    @CASE                  lines of these forms follow
    entry: command         what is run in the folder of the skill
    file NAME: text        a file of the user: `~/…`, `/tmp/…`, or below the folder of the skill
    env NAME: text         a variable of the environment
    stdin: text            the input of the command
    web HOST/path: text    what a host answers; `!{…}` is JSON with status, headers, body or b64
    prepare: command       run before the skill is
    flow: KIND NAME#part > KIND NAME via=arg | tag > tag
    also: … and not: …     flows that may be reported, and flows that do not happen
    decode SINK: code      a Python expression that undoes how the skill encodes what it sends
    needle: NAME text      what to look for if the value of a variable is too short for a mark
    rc: 3                  the exit code, if it is not 0
    implicit: yes          the data moves through branches, not through values

`%m%` stands for a mark, a word that occurs nowhere else; `%m:part%` marks a part of a source. Kinds of sources are `secret`, `file`, `env`,
`arg`, `stdin` and `web`, those of sinks `net`, `file`, `child` and `stdout`.
"""

from __future__ import annotations

import hashlib
import json
import re
import shlex
from functools import cache
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).resolve().parents[2] / "flows"
ENDINGS = (".py", ".sh", ".js", ".mjs", ".cjs", ".bash")
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
_TAG = re.compile(r"[ \t]*«([^»]*)»")


class Source(NamedTuple):
    """Where data comes from. Without a part, all of it is meant."""

    kind: str
    name: str
    part: str | None = None

    def __str__(self) -> str:
        return f"{self.kind} {self.name}" + (f"#{self.part}" if self.part else "")


class Sink(NamedTuple):
    """Where data goes. `via` says how a child gets it: arg, stdin or env; None is any way."""

    kind: str
    name: str
    via: str | None = None

    def __str__(self) -> str:
        return f"{self.kind} {self.name}" + (f" via={self.via}" if self.via else "")


class Expected(NamedTuple):
    """A flow, with the lines at which it begins and ends."""

    source: Source
    sink: Sink
    lines: tuple[str, str] = ("", "")

    def __str__(self) -> str:
        return f"{self.source} > {self.sink}"


class Setup(NamedTuple):
    """What the skill finds when it runs."""

    files: dict[str, str]
    env: dict[str, str]
    web: dict[str, str | dict[str, object]]
    prepare: tuple[str, ...] = ()
    stdin: str = ""


class FlowCase(NamedTuple):
    """A skill, how it is run, and which flows it has."""

    id: str
    kind: str
    files: dict[str, str]
    entry: tuple[str, ...]
    setup: Setup
    flows: tuple[Expected, ...]
    never: tuple[Expected, ...]
    also: tuple[Expected, ...]
    parts: dict[str, str]  # mark -> part of a source
    decode: dict[str, str]
    needles: dict[str, str]
    status: int = 0
    implicit: bool = False

    @property
    def script(self) -> int:
        """Where the name of the script stands in the entry."""
        return next((at for at, word in enumerate(self.entry) if word.endswith(ENDINGS)), 1)

    @property
    def args(self) -> tuple[str, ...]:
        """What the caller passes to the script."""
        return self.entry[self.script + 1 :]

    def write(self, folder: Path) -> Path:
        """Write the files of the skill into a folder."""
        for name, text in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
            path.chmod(0o755 if text.startswith("#!") else 0o644)
        return folder


@cache
def flow_cases(folder: Path = FOLDER) -> dict[str, FlowCase]:
    """Every case by its id."""
    found: dict[str, FlowCase] = {}
    for file in sorted(folder.glob("*.cases")):
        for text in re.split(r"(?m)^@@ ", file.read_text("utf-8"))[1:]:
            case = _Reader(text).case()
            assert case.id not in found, f"{file}: two cases are called {case.id}"
            found[case.id] = case
    return found


class _Reader:
    """One case, while its lines are read."""

    def __init__(self, text: str) -> None:
        head, _, self._body = text.partition("\n")
        self._id, self._kind, _ = (word.strip() for word in head.split("|"))
        self._tags: dict[str, str] = {}
        self._parts: dict[str, str] = {}

    def case(self) -> FlowCase:
        """The whole case."""
        pieces = re.split(r"(?m)^@(SKILL|FILE [^\n]+|CASE)\n", self._body)
        sections = dict(zip(pieces[1::2], pieces[2::2], strict=True))
        described = sections.pop("CASE")
        files = {}
        for head, body in sections.items():
            name = "SKILL.md" if head == "SKILL" else head.removeprefix("FILE ").strip()
            files[name] = self._without_tags(name, body.strip("\n") + "\n")
        lines = [self._line(line) for line in described.split("\n") if line.strip() and not line.startswith("#")]
        named = {kind: {name: text for key, name, text in lines if key == kind} for kind in ("file", "env", "decode")}
        web = {
            name: json.loads(text[1:]) if text.startswith("!{") else _unescape(text)
            for key, name, text in lines
            if key == "web"
        }
        plain: dict[str, list[str]] = {}
        for key, _, text in lines:
            plain.setdefault(key, []).append(text)
        setup = Setup(
            {name: _unescape(text) for name, text in named["file"].items()},
            {name: _unescape(text) for name, text in named["env"].items()},
            web,
            tuple(plain.get("prepare", ())),
            _unescape("".join(plain.get("stdin", ()))),
        )
        flows, never, also = (tuple(map(self._flow, plain.get(key, ()))) for key in ("flow", "not", "also"))
        needles = dict(text.split(" ", 1) for text in plain.get("needle", ()))
        entry = tuple(shlex.split(*plain["entry"]))
        status, implicit = int("".join(plain.get("rc", ())) or 0), "implicit" in plain
        return FlowCase(
            self._id, self._kind, files, entry, setup, flows, never, also, self._parts, named["decode"], needles, status, implicit
        )  # fmt: skip

    def _without_tags(self, name: str, text: str) -> str:
        lines = text.split("\n")
        for number, line in enumerate(lines, 1):
            for tag in (tag for tags in _TAG.findall(line) for tag in tags.split(",")):
                assert tag not in self._tags, f"{self._id}: two lines are called {tag}"
                self._tags[tag] = f"{name}:{number}"
        return _TAG.sub("", text)

    def _line(self, line: str) -> tuple[str, str, str]:
        """The key of a line, the name that it is about, and its text with marks."""
        named = re.match(r"(file|env|decode) (.+?):(?: (.*))?$", line) or re.match(
            r"(web) ((?:[A-Z]+ )?\S+?): (.*)$", line
        )
        if named:
            key, name, text = named[1], named[2].strip(), named[3] or ""
            return key, name, text if key == "decode" else self._marked(f"web:{name}" if key == "web" else name, text)
        plain = re.match(r"(\w+):(?: (.*))?$", line)
        assert plain, f"{self._id}: {line!r}"
        key, text = plain[1], plain[2] or ""
        return key, "", self._marked(key, text) if key in ("entry", "stdin", "prepare") else text

    def _marked(self, name: str, text: str) -> str:
        def mark(found: re.Match[str]) -> str:
            part = (found[1] or ":")[1:]
            digest = hashlib.sha256(f"{self._id}|{name}|{part}".encode()).digest()
            made = "mk" + "".join(_LETTERS[byte % len(_LETTERS)] for byte in digest[:18])
            if part:
                self._parts[made] = part
            return made

        return re.sub(r"%m(:[\w.-]+)?%", mark, text)

    def _flow(self, text: str) -> Expected:
        ends, _, lines = text.partition(" | ")
        left, right = (end.strip() for end in ends.split(" > ", 1))
        right, _, via = right.partition(" via=")
        kind, _, name = left.partition(" ")
        name, _, part = name.partition("#")
        where, _, goal = right.strip().partition(" ")
        begin, _, end = (tag.strip() for tag in lines.partition(">"))
        return Expected(
            Source(kind, name.strip() or kind, part or None),
            Sink(where, goal.strip() or where, via.strip() or None),
            (self._tags[begin] if begin else "", self._tags[end] if end else ""),
        )


def _unescape(text: str) -> str:
    return text.replace("\\n", "\n").replace("\\t", "\t").replace("\\0", "\0")
