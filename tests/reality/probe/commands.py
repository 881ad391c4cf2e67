"""Probes of the command summaries."""

from __future__ import annotations

import subprocess
import time
from typing import TYPE_CHECKING, NamedTuple

from harness.sandbox import confined

from probe.batch import predicted, probe_place, run_steps, touched, uncovered
from probe.known import Found, found_in
from probe.lines import Line, operand_lines, option_lines, options_of_help, start
from remit.analysis.commands.catalog import default_catalog

if TYPE_CHECKING:
    from harness.observe import Event
    from harness.sandbox import Place

    from probe.batch import Result
    from remit.analysis.commands.model import Command


class Finding(NamedTuple):
    """A line with an effect that its summary does not cover."""

    line: Line
    events: list[Event]


class Report(NamedTuple):
    """What the probe of one block showed."""

    block: str
    lines: int  # analysed
    ran: int  # run: the others are opaque
    options: int
    found: list[Found]


def blocks() -> list[Command]:
    """Every block of the summaries, in the order of their files."""
    catalog = default_catalog()
    found = {id(command): command for command in (catalog.get(name) for name in catalog.names()) if command}
    return list(found.values())


def probe_block(command: Command, *, limit: int | None = None, seconds: float | None = None) -> Report | None:
    """Run the lines of a block; None if it is not installed. `limit` is the number of options that are tried,
    evenly chosen; `seconds` limits it by what this machine can do in them."""
    words = start(command)
    if words is None:
        return None
    parent = default_catalog().get(command.names[0].rpartition(" ")[0]) if " " in command.names[0] else None
    known = {id(option) for option in parent.options.values()} if parent else set()
    began, file = time.monotonic(), command.file.rpartition("/")[2]
    with probe_place(repository=file == "git.cmd") as place:
        lines = operand_lines(command, words)
        first, baseline = _compared(place, command, lines[:4])
        # what is slow to start shows what it does with fewer kinds of files
        slow = seconds is not None and time.monotonic() - began > seconds / 4
        others, further = _compared(place, command, lines[4 :: 4 if slow else 1])
        first, baseline = first + others, baseline + further
        operands = _fitting(first, words)
        groups = list(option_lines(command, words, operands, known, options_of_help(_help(place, words))))
        if limit is not None:
            groups = groups[:: max(1, len(groups) // limit)]
        elif seconds is not None:
            each = (time.monotonic() - began) / max(1, len(first)) * 3
            groups = groups[:: max(1, int(len(groups) * each / seconds))]
        wanted = [line for group in groups for line in _clear(place, group, command)]
        second, rest = _compared(place, command, wanted)
        rest = _beyond(rest, baseline)
        found = [
            entry
            for one in baseline + rest
            for entry in found_in(
                file, f"{command.label} {one.line.about}".strip(), one.line.step, "main.sh", one.events, place
            )
        ]
    tried = {line.about for line, _ in second}
    once = {entry.key: entry for entry in reversed(found)}
    return Report(command.label, len(first) + len(wanted), len(first) + len(second), len(tried), list(once.values()))


def _clear(place: Place, group: list[Line], command: Command) -> list[Line]:
    """The lines of an option; none if the summary does not know it, which is opaque with any value."""
    unknown = group[:1] and group[0].about not in command.options
    return [] if unknown and predicted(place, group[0].step).opaque else group


def _compared(place: Place, command: Command, lines: list[Line]) -> tuple[list[tuple[Line, Result]], list[Finding]]:
    """Run the lines that are not opaque, and compare."""
    effects = [(line, predicted(place, line.step)) for line in lines]
    clear = [(line, said) for line, said in effects if not said.opaque]
    done: list[tuple[Line, Result]] = []
    findings: list[Finding] = []
    for at in range(0, len(clear), 200):
        part = clear[at : at + 200]
        results = run_steps(place, [line.step for line, _ in part])
        for (line, said), result in zip(part, results, strict=True):
            done.append((line, result))
            if events := uncovered(place, result, said):
                findings.append(Finding(line, events))
    return done, findings


def _beyond(findings: list[Finding], baseline: list[Finding]) -> list[Finding]:
    """What options add to a block whose operands alone have uncovered effects: those come first, and come back with each option."""
    seen = {event.capability for one in baseline for event in one.events}
    kept = (one._replace(events=[event for event in one.events if event.capability not in seen]) for one in findings)
    return [one for one in kept if one.events]


def _fitting(done: list[tuple[Line, Result]], words: tuple[str, ...]) -> tuple[str, ...]:
    """The operands with which the command does most: it ends well, touches files, and takes no more words than it needs."""

    def worth(item: tuple[Line, Result]) -> tuple[bool, int, int]:
        line, result = item
        return result.status == 0, min(touched(result), 2), -len(line.words)

    best = max(done, key=worth, default=None)
    return best[0].words[len(words) :] if best else ("data.txt",)


def _help(place: Place, words: tuple[str, ...]) -> str:
    """What the command prints about its options."""
    text = ""
    for ask in ("--help", "-h", "-help"):
        try:
            done = subprocess.run(
                [*confined(place), *words, ask], capture_output=True, timeout=8, check=False, stdin=subprocess.DEVNULL
            )
        except subprocess.TimeoutExpired:
            continue
        text = (done.stdout + done.stderr).decode("utf-8", "replace")
        if len(options_of_help(text)) > 2:
            return text
    return text
