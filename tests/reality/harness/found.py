"""Counterexamples: shrunk, saved as a folder of `tests/reality/found/`, and read back.

A folder holds the program and `expected.json`: the arguments, and the events that were seen and have to be predicted, with
`{work}`, `{skill}`, `{home}` and `{tmp}` for the folders of the run.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING

from harness.check import SKILL_MD, Program, check
from harness.observe import Event

if TYPE_CHECKING:
    from harness.check import Verdict
    from harness.sandbox import Place

FOUND = Path(__file__).resolve().parent.parent / "found"


def shrink(program: Program, capability: str, attempts: int = 120) -> tuple[Program, Verdict]:
    """Fewer lines that still do something of this capability that was not predicted."""
    verdict = check(program)
    lines = program.files[program.main].split("\n")
    size = max(1, len(lines) // 2)
    while size and attempts:
        at = 0
        while at < len(lines) and attempts:
            attempts -= 1
            fewer = lines[:at] + lines[at + size :]
            smaller = program._replace(files={**program.files, program.main: "\n".join(fewer)})
            found = _failing(smaller, capability)
            if found:
                program, verdict, lines = smaller, found, fewer
            else:
                at += size
        size //= 2
    used = {name: text for name, text in program.files.items() if name == program.main or _mentioned(program, name)}
    return program._replace(files=used), verdict


def _mentioned(program: Program, name: str) -> bool:
    return name.rpartition(".")[0] in program.files[program.main]


def _failing(program: Program, capability: str) -> Verdict | None:
    try:
        verdict = check(program)
    except Exception:
        return None
    return verdict if any(event.capability == capability for event in verdict.missing) else None


def save(program: Program, verdict: Verdict, place: Place | None = None, folder: Path = FOUND) -> Path:
    """Keep a counterexample."""
    digest = hashlib.sha256(repr(program).encode()).hexdigest()[:8]
    capability = verdict.missing[0].capability.replace(".", "-")
    target = folder / f"{program.main.rpartition('.')[2]}-{capability}-{digest}"
    target.mkdir(parents=True, exist_ok=True)
    for name, text in program.files.items():
        (target / name).write_text(text, "utf-8")
    events = sorted({(event.capability, _general(event.object)) for event in verdict.missing})
    expected = {"args": list(program.args), "stdin": program.stdin, "events": [list(event) for event in events]}
    (target / "expected.json").write_text(json.dumps(expected, indent=2) + "\n", "utf-8")
    return target


def _general(path: str) -> str:
    for name in ("work", "skill", "home", "tmp"):
        before, mark, after = path.partition(f"/{name}")
        if mark and "/reality-" in before:
            return f"{{{name}}}{after}"
    return path


def load(folder: Path, place: Place) -> tuple[Program, list[Event]]:
    """A counterexample, laid out in a place, with its events there."""
    expected = json.loads((folder / "expected.json").read_text("utf-8"))
    files = {path.name: path.read_text("utf-8") for path in sorted(folder.iterdir()) if path.name != "expected.json"}
    (place.skill / "SKILL.md").write_text(SKILL_MD)
    for name, text in files.items():
        (place.skill / name).write_text(text, "utf-8")
    events = [Event(name, object_.format(**place.folders())) for name, object_ in expected["events"]]
    main = next(name for name in files if name.startswith("main."))
    ordered = {main: files.pop(main), **files}
    return Program(ordered, tuple(expected["args"]), stdin=expected.get("stdin", "")), events
