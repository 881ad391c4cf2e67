"""Test cases of a skill, as data: a command, its exit status, its changes and output, and its input files.

They are in `tests/remit-cases.json` of the skill. `remit test --generate` writes them, and the author keeps, changes or removes them.
"""

from __future__ import annotations

import base64
import binascii
import json
import posixpath
import shlex
from collections.abc import Iterable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

from remit.core.errors import InputError
from remit.core.shape import Items, Named, OneOf, Record, Text, Whole, Word
from remit.policy.words import plain_words

FILE = "tests/remit-cases.json"
MAX_BYTES = 4 * 1024 * 1024
_PATH = Text(1_000, r"[^\x00]+")
_CONTENT = OneOf((Text(200_000, empty=True), Record({"base64": Text(400_000, empty=True)})))
_REMEDY = f"correct {FILE}, or remove it and run `remit test --generate`"


class By(StrEnum):
    """Who performs what a case does when the skill is used."""

    SKILL = "skill"  # its scripts
    AGENT = "agent"  # the agent, as the texts of the skill ask it to


class Prints(StrEnum):
    """The kind of output of a command."""

    NOTHING = "nothing"
    JSON = "json"
    TEXT = "text"

    @classmethod
    def of(cls, output: str) -> Prints:
        """Return the kind of an output."""
        if not output.strip():
            return cls.NOTHING
        try:
            json.loads(output)
        except (ValueError, RecursionError):
            return cls.TEXT
        return cls.JSON


class Case(NamedTuple):
    """One command, how it ends, and the files in the skill's folder while it runs."""

    words: tuple[str, ...]
    status: int = 0
    by: By = By.SKILL
    files: tuple[tuple[str, bytes], ...] = ()
    effects: tuple[str, ...] | None = None  # all files that it changes and hosts that it tries to reach; None: not said
    prints: Prints | None = None
    stand_ins: tuple[str, ...] = ()  # programs that are replaced by stand-ins that do nothing and succeed


SHAPE = Record(
    {
        "version": Whole(1, 1),
        "cases": Items(
            Record(
                {
                    "command": Text(20_000),
                    "status": Whole(0, 255),
                    "by": Word(tuple(By)),
                    "files": Named(_PATH, _CONTENT, 1_000),
                    "effects": Items(Text(4_000), 1_000),
                    "prints": Word(tuple(Prints)),
                    "stand_ins": Items(Text(200, r"\w[\w.+-]*"), 100),
                },
                frozenset({"files", "effects", "prints", "stand_ins"}),
            ),
            1_000,
        ),
    }
)


def read_cases(data: bytes) -> tuple[Case, ...]:
    """Read a file of cases; InputError if it is malformed."""
    if len(data) > MAX_BYTES:
        raise InputError(f"{FILE}: it has at most {MAX_BYTES} bytes", _REMEDY)
    try:
        value: Any = json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError):
        raise InputError(f"{FILE}: it is not JSON", _REMEDY) from None
    if fault := SHAPE.fault(value, FILE):
        raise InputError(fault, _REMEDY)
    return tuple(map(_case, value["cases"]))


def _case(value: Mapping[str, Any]) -> Case:
    words = plain_words(value["command"])
    if not words:
        raise InputError(f"{FILE}: `{value['command']}` is not one plain command", _REMEDY)
    files = tuple((path, _content(path, content)) for path, content in value.get("files", {}).items())
    effects = tuple(value["effects"]) if "effects" in value else None
    prints = Prints(value["prints"]) if "prints" in value else None
    return Case(words, value["status"], By(value["by"]), files, effects, prints, tuple(value.get("stand_ins", ())))


def _content(path: str, content: str | Mapping[str, str]) -> bytes:
    if path != posixpath.normpath(path) or path.startswith(("/", "..")) or path == ".":
        raise InputError(f"{FILE}: `{path}` is not the path of a file in the skill", _REMEDY)
    if isinstance(content, str):
        return content.encode("utf-8", "surrogatepass")
    try:
        return base64.b64decode(content["base64"], validate=True)
    except binascii.Error:
        raise InputError(f"{FILE}: the content of `{path}` is not base64", _REMEDY) from None


def write_cases(cases: Iterable[Case]) -> str:
    """Return the text of a file of cases."""
    value = {"version": 1, "cases": [_value(case) for case in cases]}
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def _value(case: Case) -> dict[str, Any]:
    out: dict[str, Any] = {"command": shlex.join(case.words), "by": str(case.by), "status": case.status}
    if case.effects is not None:
        out["effects"] = list(case.effects)
    if case.stand_ins:
        out["stand_ins"] = list(case.stand_ins)
    if case.prints:
        out["prints"] = str(case.prints)
    if case.files:
        out["files"] = {path: _text(content) for path, content in case.files}
    return out


def _text(content: bytes) -> str | dict[str, str]:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(content).decode("ascii")}


def place_files(case: Case, folder: Path) -> None:
    """Put the files of a case into a copy of the skill. The skill's own files stay, and links are not followed."""
    for path, content in case.files:
        place = folder
        for part in path.split("/"):
            place /= part
            if place.is_symlink() or place.is_file():
                break
        else:
            if not place.exists():
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(content)
