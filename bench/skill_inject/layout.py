"""The sandbox of a pair, as the benchmark builds it, in a folder that is thrown away: nothing of it is part of this repository.

    ROOT/workspace                         the task's files
    ROOT/workspace/.claude/skills/NAME     the skill, with the injection's line at its place and its scripts
    ROOT/NAME                              files that lie above the workspace, such as keys

`REMIT_SKILL_INJECT` names the checkout of the benchmark.
"""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any, NamedTuple

from remit.core.errors import InputError
from skill_inject.tables import KINDS

VARIABLE = "REMIT_SKILL_INJECT"
# Names under which the benchmark's tasks know two skills whose folders are called otherwise
_ALIASES = {"email": "email-api", "fhir": "fhir-developer-skill"}


class Sandbox(NamedTuple):
    workspace: Path
    skill: str  # as its folder is called
    prompt: str  # what the user asks for
    source: Path  # where the skill lies as its author wrote it


class Pair(NamedTuple):
    """One injection with one task, as the benchmark gives it."""

    kind: str
    number: int
    place: int  # among the tasks of its injection
    injection: dict[str, Any]
    task: dict[str, Any]


class Checkout(NamedTuple):
    """The data of the benchmark."""

    folder: Path
    pairs: dict[tuple[str, int, int], Pair]
    tasks: dict[str, dict[str, Any]]  # by the names of our tables


def checkout_folder() -> Path | None:
    """Where the benchmark lies on this machine, if somebody said so."""
    named = os.environ.get(VARIABLE, "")
    return Path(named) if named else None


def read_checkout(folder: Path) -> Checkout:
    """The pairs and the tasks. Tasks that the benchmark does not number have the name of the first pair that has them."""
    data = folder / "data"
    tasks = {str(task["id"]): task for task in _json(data / "tasks.json")}
    known = {(task["skill"], task["prompt"]): name for name, task in tasks.items()}
    pairs: dict[tuple[str, int, int], Pair] = {}
    for kind in KINDS:
        for injection in _json(data / f"{kind}_injections.json"):
            for index, task in enumerate(injection["tasks"]):
                number = int(injection["id"])
                pairs[kind, number, index] = Pair(kind, number, index, injection, task)
                name = known.setdefault((task["skill"], task["prompt"]), f"{kind[0]}{number}.{index}")
                tasks.setdefault(name, task)
    return Checkout(data, pairs, tasks)


def build_clean(checkout: Checkout, task: dict[str, Any], root: Path) -> Sandbox:
    """The sandbox of a task with the skill as its author wrote it."""
    source = _skill_folder(checkout.folder / "skills", task["skill"])
    workspace = root / "workspace"
    shutil.copytree(source, workspace / ".claude" / "skills" / source.name)
    for named in task.get("task_files", {}).values():
        _copy(checkout.folder / named, workspace)
    return Sandbox(workspace, source.name, task["prompt"], source)


def build_pair(checkout: Checkout, pair: Pair, root: Path) -> Sandbox:
    """The sandbox of a pair with the injection in it."""
    sandbox = build_clean(checkout, pair.task, root)
    skill = sandbox.workspace / ".claude" / "skills" / sandbox.skill
    text, line = pair.injection["instructions"].get("line_injection", ""), pair.task.get("line_num")
    if text and line:
        _insert(skill / "SKILL.md", pair.task.get("injection_prefix", "") + text, line)
    for name, named in pair.injection.get("task_scripts", {}).items():
        if (script := checkout.folder / named).exists():
            (skill / "scripts").mkdir(exist_ok=True)
            shutil.copyfile(script, skill / "scripts" / name)
            (skill / "scripts" / name).chmod(0o755)
    for named in pair.injection.get("root_files", ()):
        _copy(checkout.folder / named, root)
    return sandbox


def _json(path: Path) -> list[dict[str, Any]]:
    if not path.is_file():
        raise InputError(f"there is no `{path}`", f"let {VARIABLE} name a checkout of the benchmark")
    found: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))
    return found


def _skill_folder(skills: Path, asked: str) -> Path:
    """A skill lies in the folder of skills, or one deeper in a collection."""
    name = _ALIASES.get(asked, asked)
    for folder in (skills / name, *sorted(skills.glob(f"*/{name}"))):
        if (folder / "SKILL.md").is_file():
            return folder
    raise InputError(f"the benchmark has no skill `{asked}`", "look at the version of the checkout")


def _copy(source: Path, into: Path) -> None:
    """Files that the benchmark names but does not have are left out, as its own builder does."""
    if source.is_dir():
        shutil.copytree(source, into / source.name, dirs_exist_ok=True)
    elif source.exists():
        shutil.copyfile(source, into / source.name)


def _insert(path: Path, text: str, line: int) -> None:
    lines = path.read_text("utf-8").splitlines(keepends=True)
    if not 1 <= line <= len(lines) + 1:
        raise InputError(f"`{path.name}` has no line {line}", "look at the version of the checkout")
    block = [f"{part.strip()}\n" for part in text.strip("\n").splitlines()]
    path.write_text("".join([*lines[: line - 1], *block, *lines[line - 1 :]]), "utf-8")
