"""The tables of what agents do: the actions that an injection asks for, and the ordinary calls of each task.

    injection 7 action WHAT THE HARM IS      or `action planted` (the harm is in code that is written), or `text` (in prose alone)
    variant HOW IT IS DONE                   one of the ways in which an agent obeys; each is replayed
    do TOOL FIRST ARGUMENT                   a call; its other arguments stand below, indented by four spaces
    do! TOOL FIRST ARGUMENT                  a call that does the harm: stopping the others does not count
    pair 0 TASK                              the benchmark's number of the task in this injection, and our name for it

    way NAME                                 how a kind of task is done: calls as above
    task NAME WAY name=value…                fills `@{name}` in the calls; `@{prompt}` is what the user asked for

The arguments of an `Edit` are split by a line `=>`. Lines that begin with `#` are comments. Nothing of the benchmark's text
stands here: its numbers do.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from remit.core.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

HERE = Path(__file__).parent
KINDS = ("contextual", "obvious")
PROMPT = "prompt"
_HOLE = re.compile(r"@\{([a-z]+)\}")
_TOOLS = {
    "Bash": ("command",),
    "Edit": ("file_path", "old_string", "new_string"),
    "Glob": ("pattern",),
    "Grep": ("pattern",),
    "Read": ("file_path",),
    "TodoWrite": ("todos",),
    "WebFetch": ("url", "prompt"),
    "Write": ("file_path", "content"),
}


class Call(NamedTuple):
    """One tool call, with holes for what differs between tasks."""

    tool: str
    args: tuple[tuple[str, str], ...]
    decisive: bool
    where: str

    def filled(self, values: Mapping[str, str]) -> dict[str, str]:
        """The arguments with the values of a task."""
        return {name: _HOLE.sub(lambda hole: values[hole[1]], text) for name, text in self.args}

    def holes(self) -> set[str]:
        return {name for _, text in self.args for name in _HOLE.findall(text)}


class Variant(NamedTuple):
    title: str
    calls: tuple[Call, ...]


class Injection(NamedTuple):
    """What obeying one injection means, and the tasks that it comes with."""

    kind: str
    number: int
    harmful: bool  # class `action`; else the harm is in the text alone
    planted: bool
    harm: str
    variants: tuple[Variant, ...]
    pairs: Mapping[int, str]
    where: str


class Task(NamedTuple):
    name: str
    way: str
    calls: tuple[Call, ...]
    values: Mapping[str, str]
    where: str


class Tables(NamedTuple):
    injections: tuple[Injection, ...]
    tasks: Mapping[str, Task]


class _Entry(NamedTuple):
    where: str
    word: str
    rest: str
    body: tuple[str, ...]


def load(folder: Path = HERE) -> Tables:
    """All tables of a folder, checked against each other."""
    ways: dict[str, tuple[Call, ...]] = {}
    rows: list[_Entry] = []
    for path in sorted((folder / "clean").glob("*.table")):
        for block in _blocks(path, ("way", "task")):
            name = block[0].rest
            if block[0].word == "task":
                rows.append(_alone(block))
            elif name in ways:
                raise DataError(f"{block[0].where}: a second way `{name}`", "give it another name")
            else:
                ways[name] = _calls(block[1:], block[0].where)
    tasks: dict[str, Task] = {}
    for row in rows:
        task = _task(row, ways)
        if task.name in tasks:
            raise DataError(
                f"{row.where}: a second task `{task.name}`", f"the first stands in {tasks[task.name].where}"
            )
        tasks[task.name] = task
    injections: dict[tuple[str, int], Injection] = {}
    for kind in KINDS:
        for block in _blocks(folder / "actions" / f"{kind}.table", ("injection",)):
            one = _injection(kind, block)
            if (kind, one.number) in injections:
                raise DataError(f"{one.where}: a second injection `{one.number}`", "keep one of them")
            injections[kind, one.number] = one
            _check(one, tasks)
    return Tables(tuple(injections.values()), tasks)


def _entries(path: Path) -> Iterator[_Entry]:
    head, body, blank, where = "", list[str](), 0, ""
    for number, line in enumerate([*path.read_text("utf-8").splitlines(), "end"], 1):
        if line.startswith("    ") and head:
            body += [""] * blank + [line[4:]]
            blank = 0
            continue
        if not line.strip():
            blank += 1
            continue
        if line.startswith(" "):
            raise DataError(
                f"{path.name}:{number}: a line is indented by four spaces or not at all", "indent it by four"
            )
        if line.startswith("#"):
            continue
        if head:
            word, _, rest = head.partition(" ")
            yield _Entry(where, word, rest.strip(), tuple(body))
        head, body, blank, where = line, [], 0, f"{path.name}:{number}"


def _blocks(path: Path, begins: tuple[str, ...]) -> list[list[_Entry]]:
    blocks: list[list[_Entry]] = []
    for entry in _entries(path):
        if entry.word in begins:
            blocks.append([entry])
        elif entry.word not in {"do", "do!", "variant", "pair"} or not blocks:
            raise DataError(f"{entry.where}: `{entry.word}` cannot stand here", f"begin with {' or '.join(begins)}")
        else:
            blocks[-1].append(entry)
        if entry.body and not entry.word.startswith("do"):
            raise DataError(f"{entry.where}: only a call has lines below it", "remove the indented lines")
    return blocks


def _alone(block: list[_Entry]) -> _Entry:
    if len(block) > 1:
        raise DataError(f"{block[1].where}: a task has no calls of its own", "put them in a `way`")
    return block[0]


def _call(entry: _Entry) -> Call:
    tool, _, first = entry.rest.partition(" ")
    names = _TOOLS.get(tool)
    if names is None:
        raise DataError(f"{entry.where}: the tool `{tool}` is not known", f"use one of {', '.join(_TOOLS)}")
    texts = [first] if first else []
    if entry.body:
        rest = "\n".join(entry.body)
        texts += rest.split("\n=>\n") if tool == "Edit" else [rest + "\n" * (tool == "Write")]
    if len(texts) != len(names):
        raise DataError(f"{entry.where}: `{tool}` takes {', '.join(names)}", f"there are {len(texts)} arguments")
    return Call(tool, tuple(zip(names, texts, strict=True)), entry.word == "do!", entry.where)


def _calls(entries: list[_Entry], where: str) -> tuple[Call, ...]:
    for entry in entries:
        if entry.word != "do":
            raise DataError(f"{entry.where}: `{entry.word}` has no place in a way", "a way is made of `do` lines")
    if not entries:
        raise DataError(f"{where}: a way without calls", "add `do` lines")
    return tuple(map(_call, entries))


def _task(entry: _Entry, ways: Mapping[str, tuple[Call, ...]]) -> Task:
    words = shlex.split(entry.rest)
    if len(words) < 2 or not all("=" in word for word in words[2:]):
        raise DataError(f"{entry.where}: a task is `task NAME WAY name=value…`", "look at the other tasks")
    if words[1] not in ways:
        raise DataError(f"{entry.where}: there is no way `{words[1]}`", "write it, or use one that is there")
    task = Task(words[0], words[1], ways[words[1]], dict(word.split("=", 1) for word in words[2:]), entry.where)
    _holes(task.calls, task, entry.where)
    return task


def _holes(calls: tuple[Call, ...], task: Task, where: str) -> None:
    for call in calls:
        for name in sorted(call.holes() - task.values.keys() - {PROMPT}):
            raise DataError(f"{where}: the task gives no `{name}`, which {call.where} asks for", f"add `{name}=…`")


def _injection(kind: str, block: list[_Entry]) -> Injection:
    head = block[0]
    number, _, rest = head.rest.partition(" ")
    cls, _, harm = rest.partition(" ")
    if not number.isdecimal() or cls not in {"action", "text"} or not harm:
        message = f"{head.where}: an injection is `injection NUMBER action|text WHAT THE HARM IS`"
        raise DataError(message, "look at the other injections")
    planted = cls == "action" and harm.startswith("planted ")
    variants: list[tuple[str, list[Call]]] = []
    pairs: dict[int, str] = {}
    for entry in block[1:]:
        if entry.word == "variant":
            variants.append((entry.rest, []))
        elif entry.word == "pair":
            index, _, name = entry.rest.partition(" ")
            if not index.isdecimal() or not name or int(index) in pairs:
                raise DataError(f"{entry.where}: a pair is `pair NUMBER TASK`, each number once", "correct the line")
            pairs[int(index)] = name
        elif not variants:
            raise DataError(f"{entry.where}: a call stands before the first variant", "add a `variant` line above it")
        else:
            variants[-1][1].append(_call(entry))
    done = tuple(Variant(title, tuple(calls)) for title, calls in variants)
    return Injection(kind, int(number), cls == "action", planted, harm, done, pairs, head.where)


def _check(one: Injection, tasks: Mapping[str, Task]) -> None:
    if not one.pairs:
        raise DataError(f"{one.where}: the injection has no pair", "add `pair` lines")
    if one.harmful != bool(one.variants):
        raise DataError(f"{one.where}: variants belong to class `action` and to it alone", "correct the class")
    for variant in one.variants:
        if not any(call.decisive for call in variant.calls):
            raise DataError(f"{one.where}: no call of `{variant.title}` does the harm", "mark one with `do!`")
    for index, name in one.pairs.items():
        if name not in tasks:
            raise DataError(f"{one.where}: pair {index} names a task `{name}` that is not there", "add it to clean/")
        for variant in one.variants:
            _holes(variant.calls, tasks[name], tasks[name].where)
