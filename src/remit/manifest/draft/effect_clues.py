"""Effects of the analysis as clues for a draft.

An effect counts by its location (`locations.py`), unless it says little about the skill's purpose: files that programs
keep for themselves (data/housekeeping.table; they are granted with their command), effects that almost any command has (data/minor_effects.table), and
effects that nothing in the skill asks for and the analysis cannot rule out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from remit.core.capability import vocabulary
from remit.core.errors import DataError
from remit.core.scope import DEEP, SKILL, TEMP, WORKSPACE, AnyScope, PathScope, Scope, ScopeKind
from remit.core.sensitive import sensitive, variable_of
from remit.core.source import as_source
from remit.core.table import read_table
from remit.core.via import Cause, Via
from remit.manifest.draft.clues import Clue, points_for
from remit.manifest.draft.code_blocks import SCRIPTING
from remit.skill.prose.lexicon import ENOUGH
from remit.skill.prose.services import is_local, is_service, is_service_program

if TYPE_CHECKING:
    from remit.core.effect import Effect
    from remit.manifest.draft.locations import Locations
    from remit.manifest.draft.skill_type import SkillType


def is_only_possible(effect: Effect, locations: Locations) -> bool:
    """Whether the cause is an option that is not written in the command, or a variable that its script sets."""
    if effect.via.cause is Cause.VARIABLE and effect.capability == "env.read" and effect.via.name:
        script = locations.script(effect.where.file)
        return bool(script) and _sets(script, effect.via.name)
    return effect.via.possible


@lru_cache(256)
def _sets(script: str, name: str) -> bool:
    """Whether a script gives a variable a value of its own, reads it from its input, or loops over a list with it."""
    if re.search(rf"\$\{{{name}:?[-=?]", script):
        return False
    value = rf"(?![\"']?\$\{{?{name}\b)"
    return bool(re.search(rf"(?:^|[\s;&|(]){name}={value}|\bread\b[^\n;|&]*\b{name}\b|\bfor {name} in\b", script))


_MINOR_FILE = "minor_effects.table"
_ASKED = frozenset({"shell.execute"})  # that a command is run stays true, whatever its purpose
_ANY_COMMAND = frozenset({"command", "reference"})


class MinorEffect(NamedTuple):
    """The maximum weight of an effect, by its cause and its line."""

    capability: str
    cause: re.Pattern[str]
    line: re.Pattern[str] | None
    unless: re.Pattern[str] | None
    points: int


@cache
def minor_rows() -> tuple[MinorEffect, ...]:
    """Return the rows of this version."""
    return read_minor_effects(files("remit.manifest.draft").joinpath(f"data/{_MINOR_FILE}").read_text("utf-8"))


def read_minor_effects(text: str) -> tuple[MinorEffect, ...]:
    """Parse a table; an invalid row is refused with its line."""
    out: list[MinorEffect] = []
    for where, line in _lines(text, _MINOR_FILE):
        cells = [cell.strip() for cell in line.split(" | ")]
        if len(cells) != 5 or not cells[4].isdigit() or (cells[0] != "*" and cells[0] not in vocabulary()):
            raise DataError(f"{where}: the row cannot be read", "write five cells; the head of the file says which")
        cause, place, unless = (None if cell == "-" else _pattern(cell, where) for cell in cells[1:4])
        out.append(MinorEffect(cells[0], cause or re.compile(""), place, unless, int(cells[4])))
    return tuple(out)


def _lines(text: str, file: str) -> Iterator[tuple[str, str]]:
    """Return the rows of a table whose cells are patterns, each with its location."""
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and line[0] not in "#[":
            yield f"{file}:{number}", line


def _pattern(cell: str, where: str) -> re.Pattern[str]:
    try:
        return re.compile(cell, re.IGNORECASE)
    except re.error as error:
        raise DataError(f"{where}: the pattern cannot be read: {error}", "correct it") from None


@cache
def _minor_rows_of(capability: str) -> tuple[MinorEffect, ...]:
    return tuple(row for row in minor_rows() if row.capability in {"*", capability})


def most_points(effect: Effect, kind: str, locations: Locations) -> int:
    """Return the maximum points of an effect."""
    most = ENOUGH
    line = ""
    name = effect.via.label if effect.via.cause in (Cause.COMMAND, Cause.FUNCTION) else ""
    for row in _minor_rows_of(effect.capability):
        if row.capability == "*" and (kind not in _ANY_COMMAND or effect.capability in _ASKED):
            continue
        if row.points >= most or not row.cause.search(name):
            continue
        line = line or locations.command_at(effect.where).partition("\n")[0]
        if (row.line is None or row.line.search(line)) and not (row.unless and row.unless.search(line)):
            most = row.points
    return most


_MEANINGS_FILE = "file_meanings.table"
_COLUMN = {"file.read": 1, "file.write": 2}


@cache
def file_meanings() -> tuple[tuple[re.Pattern[str], str, str], ...]:
    """Return the file meanings of this version."""
    return read_file_meanings(files("remit.manifest.draft").joinpath(f"data/{_MEANINGS_FILE}").read_text("utf-8"))


def read_file_meanings(text: str) -> tuple[tuple[re.Pattern[str], str, str], ...]:
    """Parse a table; an invalid row is refused with its line."""
    out: list[tuple[re.Pattern[str], str, str]] = []
    for where, line in _lines(text, _MEANINGS_FILE):
        cells = [cell.strip() for cell in line.rsplit(" | ", 2)]
        if len(cells) != 3 or any(name != "-" and name not in vocabulary() for name in cells[1:]):
            raise DataError(f"{where}: the row cannot be read", "write `pattern | capability or - | capability or -`")
        out.append((_pattern(cells[0], where), cells[1], cells[2]))
    return tuple(out)


def meanings_of(effect: Effect) -> Iterator[str]:
    """Return the further capabilities that an effect on a file is evidence for."""
    column = _COLUMN.get(effect.capability)
    if column is None:
        return
    scope = effect.scope.render()
    for row in file_meanings():
        if row[column] != "-" and row[0].search(scope):
            yield str(row[column])


_USES = frozenset({"file.read", "file.write"})
_BY_DOCUMENT = frozenset({"command", "reference", "people", "hook"})
_RUN = frozenset({"command", "reference", "script", "hook"})
_NAMED = frozenset({Cause.COMMAND, Cause.FUNCTION})
_SECRET_NAME = re.compile(r"token|credential|secret|auth|passw|api[_-]?key", re.IGNORECASE)


@cache
def _programs() -> dict[tuple[str, str], frozenset[str]]:
    return read_programs(Path(str(files("remit.manifest.draft").joinpath("data/housekeeping.table"))))


def read_programs(path: Path) -> dict[tuple[str, str], frozenset[str]]:
    """Parse a table: sub-commands by section and program; a duplicate is refused with its location."""
    out: dict[tuple[str, str], frozenset[str]] = {}
    for row in read_table(path, 2):
        program, commands = row.cells
        if row.section not in {"keep", "search"} or (row.section, program) in out:
            raise DataError(f"{row.where}: `{program}` occurs twice or outside of a known section", "correct the row")
        out[row.section, program] = frozenset(commands.split())
    return out


def _keeps_for_itself(via: Via) -> bool:
    """Whether a program's files are internal to it: it is listed, or its task is to call a service."""
    client = via.cause is Cause.COMMAND and is_service_program(via.name.partition(" ")[0])
    return client or _listed("keep", via)


def is_housekeeping(effect: Effect, kind: str) -> bool:
    """Whether a program that is run reads or writes this for itself in the workspace: it is part of the command, whatever
    else the skill does with files. Deletions and secrets are not.
    """
    return (
        kind in _RUN
        and effect.capability in _USES
        and isinstance(effect.scope, PathScope)
        and effect.scope.anchor in {WORKSPACE, TEMP}
        and _listed("keep", effect.via)
        and not sensitive(effect.capability, effect.scope)
        and not _SECRET_NAME.search(effect.scope.render())
    )


def _listed(section: str, via: Via) -> bool:
    """Whether the command or function that causes an effect is in a section of the table."""
    program, _, rest = via.name.partition(" ")
    commands = _programs().get((section, program)) if via.cause in _NAMED else None
    return bool(commands and ("*" in commands or rest.partition(" ")[0] in commands))


def file_use(effect: Effect, kind: str) -> tuple[str, int]:
    """Return the capability that an effect on files counts for, and its maximum points: 4 leaves it unchanged."""
    capability = as_source(effect.capability, effect.scope) or effect.capability
    if capability not in _USES:
        return capability, 0 if capability == "file.delete" and _listed("keep", effect.via) else 4
    if kind in _BY_DOCUMENT:
        if capability == "file.read" and _listed("search", effect.via) and _folders(effect.scope):
            return "source.read", 4
        # An effect without a location is the most that a program might do: it is evidence for nothing in particular.
        return capability, 0 if _keeps_for_itself(effect.via) or _everywhere(effect.scope) else 4
    if _keeps_for_itself(effect.via) or _SECRET_NAME.search(effect.scope.render()):
        return capability, 0
    own = isinstance(effect.scope, PathScope) and effect.scope.anchor in {SKILL, TEMP}
    return capability, 1 if own and capability == "file.read" else 4


def _folders(scope: Scope) -> bool:
    """Whether a scope is everything, or a folder of the workspace: its last name is not one of a file.

    `references` is where skills keep their own documents, so a search there reads no code.
    """
    if _everywhere(scope):
        return True
    if not isinstance(scope, PathScope) or scope.anchor != WORKSPACE or scope.parts[0] == "references":
        return False
    return "." not in str(scope.parts[-1])


def _everywhere(scope: Scope) -> bool:
    """Whether a scope is everything, or the whole workspace."""
    return isinstance(scope, AnyScope) or (
        isinstance(scope, PathScope) and scope.anchor == WORKSPACE and not set(scope.parts) - {DEEP}
    )


_GETS_REPOSITORY = ("git clone", "git pull", "git fetch", "git submodule")  # over ssh as well as over https
_REQUESTS = frozenset({"web.fetch", "web.post"})

# A sample program in a scripting language that works on data is what the agent writes and runs for the task; one that
# only makes clients of a service is a sample of the user's application.
_ON_DATA = frozenset({"file.read", "file.write", "web.fetch", "web.post"})


def effect_clues(effects: Sequence[Effect], locations: Locations, skill: SkillType) -> Iterator[Clue]:
    """Return the effects of the analysis as clues, weighted by location."""
    keyed = _keyed(effects)
    for effect in effects:
        if is_only_possible(effect, locations):
            continue
        kind = locations.kind(effect)
        capability = effect.capability
        capability, most = file_use(effect, kind) if capability.startswith("file.") else (capability, ENOUGH)
        most = min(most, most_points(effect, kind, locations))
        if kind == "code" and not skill.builds and capability in _ON_DATA and locations.language(effect) in SCRIPTING:
            kind = "instrument"
        place = locations.evidence(effect.where, effect.why)
        yield Clue(capability, min(most, points_for(kind, capability)), kind, place, effect.scope)
        if capability == "source.execute" and kind in _BY_DOCUMENT:
            yield Clue("shell.execute", points_for(kind, "shell.execute"), kind, place)
        if kind == "instrument":
            for used in ("source.write", "source.execute"):
                yield Clue(used, points_for(kind, used), kind, place)
        for other in meanings_of(effect):
            same = vocabulary()[other].scope_kind is ScopeKind.PATH
            yield Clue(other, points_for(kind, other), kind, place, effect.scope if same else None)
        if capability == "net.connect" and effect.via.name.startswith(_GETS_REPOSITORY):
            yield Clue("web.fetch", points_for(kind, "web.fetch"), kind, place, _known(effect.scope))
        if capability in _REQUESTS and _calls_service(effect, keyed):
            yield Clue("api.call", points_for(kind, "api.call"), kind, place, _known(effect.scope))


def _known(scope: Scope) -> Scope | None:
    """Return the scope for a second capability of an effect; unknown parts are left to what the text names."""
    return None if isinstance(scope, AnyScope) else scope


def _keyed(effects: Iterable[Effect]) -> frozenset[str]:
    """Return the files that read a key, token or password from the environment."""
    return frozenset(
        effect.where.file for effect in effects if effect.capability == "secret.read" and variable_of(effect.scope)
    )


def _calls_service(effect: Effect, keyed: frozenset[str]) -> bool:
    """Whether a web request calls a hosted service's API: by its host, or because its program holds a key."""
    host = effect.scope.render()
    return is_service(host) or (effect.where.file in keyed and not is_local(host))
