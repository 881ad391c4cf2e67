"""What probes found, as data: `found/FILE.jsonl` holds one line of JSON for each uncovered effect, replayed by every `make test`.

`open.txt` lists those that the summaries do not cover yet; `judged.toml` what is no effect of the line, with the reason;
`probed.txt` and `unprobed.toml` say of each block of the command summaries whether it was probed, or why not.
"""

from __future__ import annotations

import json
import tomllib
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from harness.observe import Event

from probe.batch import Step, is_covered, predicted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from harness.sandbox import Place

HERE = Path(__file__).parent
FOUND, OPEN, JUDGED = HERE / "found", HERE / "open.txt", HERE / "judged.toml"
PROBED, UNPROBED = HERE / "probed.txt", HERE / "unprobed.toml"


class Found(NamedTuple):
    """An effect that was not covered: where its summary stands, what it is about, and a script that has it."""

    file: str  # of the summaries
    about: str  # `mv -b`, `shutil.make_archive`
    capability: str
    script: str
    name: str  # of the script
    objects: tuple[str, ...]

    @property
    def key(self) -> str:
        """Names the effect; a second example of the same adds nothing."""
        return f"{self.about}: {self.capability}"


def found_in(file: str, about: str, step: Step, name: str, events: Iterable[Event], place: Place) -> list[Found]:
    """The uncovered events of a step, one entry a capability, without what was judged."""
    kept: dict[str, list[str]] = {}
    for event in events:
        general = _general(event.object, place)
        if not judged(about, event.capability, general):
            kept.setdefault(event.capability, []).append(general)
    return [Found(file, about, capability, step.script, name, tuple(names[:4])) for capability, names in kept.items()]


def _general(path: str, place: Place) -> str:
    for name in ("work", "skill", "home", "tmp"):
        folder = place.folders()[name]
        if path == folder or path.startswith(f"{folder}/"):
            return f"{{{name}}}{path.removeprefix(folder)}"
    return path


@cache
def _judgements() -> tuple[tuple[str, frozenset[str], str], ...]:
    entries = tomllib.loads(JUDGED.read_text("utf-8"))["judged"]
    return tuple(
        (about, frozenset(entry["capabilities"]), entry["object"]) for entry in entries for about in entry["about"]
    )


def judged(about: str, capability: str, path: str) -> bool:
    """Whether a person has said why this is no effect of the line."""
    return any(
        fnmatchcase(about, pattern) and capability in capabilities and fnmatchcase(path, wanted)
        for pattern, capabilities, wanted in _judgements()
    )


def load(file: Path) -> list[Found]:
    """The entries of a file of `found/`."""
    lines = (json.loads(line) for line in file.read_text("utf-8").splitlines())
    return [Found(**(line | {"objects": tuple(line["objects"])})) for line in lines]


def add(entries: Iterable[Found]) -> int:
    """Keep entries that are not there yet; returns how many are new."""
    new = 0
    FOUND.mkdir(exist_ok=True)
    for entry in entries:
        file = FOUND / f"{entry.file}.jsonl"
        known = {one.key for one in load(file)} if file.exists() else set()
        if entry.key not in known:
            with file.open("a", encoding="utf-8") as out:
                out.write(json.dumps(entry._asdict()) + "\n")
            new += 1
    return new


def still_uncovered(entry: Found, place: Place) -> list[str]:
    """The objects of an entry that today's analysis does not cover."""
    effects = predicted(place, Step(entry.script), entry.name)
    if effects.opaque:
        return []
    return [
        shown
        for shown in entry.objects
        for event in [Event(entry.capability, shown.format(**place.folders()) if shown.startswith("{") else shown)]
        if not is_covered(event, effects, place) and not judged(entry.about, entry.capability, shown)
    ]


def open_keys() -> set[str]:
    """The keys of what is known and not covered yet."""
    return set(OPEN.read_text("utf-8").splitlines()) if OPEN.exists() else set()
