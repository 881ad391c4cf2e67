"""Variables that steer the programs started later: search paths, preloads, start-up files, proxies.

The list is `data/steering.toml`. `steers` judges one setting; `find_program` follows a search path into the skill.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from remit.analysis.domain import HOME, SKILL, Hole, Text, Value, env_origin, text
from remit.analysis.each import each
from remit.core.errors import DataError
from remit.core.patterns import lazy_pattern
from remit.core.sensitive import is_credential
from remit.core.table import read_toml

if TYPE_CHECKING:
    from remit.analysis.world import Site, World

COMPUTED_NAME = "sets a variable with a computed name, which may change what programs do"
REMEDY = "do not set `{}`, or set it to a fixed, known value"
_KINDS = frozenset({"always", "programs", "modules", "values"})


class Rule(NamedTuple):
    """How a variable is judged: `always` steers; `programs` and `modules` are lists of folders; `values` has harmless texts."""

    kind: str
    harmless: re.Pattern[str]
    why: str


class _Data(NamedTuple):
    """The file data/steering.toml."""

    exact: dict[str, Rule]
    prefixes: list[tuple[str, Rule]]
    usually_set: frozenset[str]
    system: re.Pattern[str]
    below_home: re.Pattern[str]
    home: re.Pattern[str]


@lru_cache(maxsize=1)
def _rules() -> _Data:
    data = read_toml(Path(__file__).with_name("data") / "steering.toml")
    exact: dict[str, Rule] = {}
    prefixes: list[tuple[str, Rule]] = []
    for entry in data["variable"]:
        if entry["kind"] not in _KINDS:
            message = f"data/steering.toml: unknown kind `{entry['kind']}`"
            raise DataError(message, f"use one of {', '.join(sorted(_KINDS))}")
        rule = Rule(entry["kind"], lazy_pattern(entry.get("harmless", "(?!)")), entry["why"])
        for name in entry["names"].split():
            if name.endswith("*"):
                prefixes.append((name[:-1], rule))
            else:
                exact[name] = rule
    return _Data(
        exact,
        prefixes,
        frozenset(data["usually_set"].split()),
        lazy_pattern(data["system_folders"]),
        lazy_pattern(data["home_folders"], re.VERBOSE),
        lazy_pattern(data["homes"]),
    )


@lru_cache(maxsize=1024)
def rule_of(name: str) -> Rule | None:
    """The rule for a variable, if it steers at all."""
    exact, prefixes, *_ = _rules()
    found = exact.get(name)
    if found is not None:
        return found
    return next((rule for prefix, rule in prefixes if name.startswith(prefix)), None)


def usually_set() -> frozenset[str]:
    """Names that the caller's environment usually holds, so that a plain assignment reaches children."""
    return _rules().usually_set


@lru_cache(maxsize=1024)
def may_be(pattern: str, name: str) -> bool:
    """Whether a variable, of whose name only a pattern is known, may be the one of this name, or of those that it begins."""
    if not name.endswith("*"):
        return re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), name, re.DOTALL) is not None
    start, begins = pattern.partition("*")[0], name[:-1]
    return start.startswith(begins) or begins.startswith(start)


@lru_cache(maxsize=1024)
def may_steer(pattern: str) -> bool:
    """Whether a variable, of whose name only a pattern is known, may be one that steers."""
    exact, prefixes, *_ = _rules()
    return any(may_be(pattern, name) for name in (*exact, *(f"{prefix}*" for prefix, _ in prefixes)))


def steers(name: str, value: Value) -> str | None:
    """Why this setting makes later programs unpredictable; `""` if it is harmless, None if the name steers nothing."""
    if "*" in name:
        return COMPUTED_NAME if may_steer(name) else None
    rule = rule_of(name)
    if rule is None:
        return None
    for item in each(value):
        if not isinstance(item, Text):
            return f"`{name}` is set to an unknown value: {rule.why}"
        if _harmless(name, item, rule):
            continue
        return f"`{name}` is set: {rule.why}"
    return ""


def judge(world: World, name: str, value: Value, site: Site) -> None:
    """Report a variable with which programs are started, if it makes them unpredictable."""
    if reason := steers(name, value):
        world.opaque(reason, site, REMEDY.format(name))


def steers_own(name: str, value: Value, programs: Iterable[str]) -> str | None:
    """Why an unlisted variable that carries a program's name steers it: it holds a path, an address or an unknown text.

    Programs name their settings after themselves (`NODE_REPL_HISTORY`, `GIT_TRACE2_EVENT`). A word or a number chooses between
    things that the program does anyway; a place is where it reads, writes or connects. Keys are counted where they are read.
    """
    if rule_of(name) is not None or is_credential(name) or not any(_named_after(name, program) for program in programs):
        return None
    for item in each(value):
        known = item.literal if isinstance(item, Text) else None
        if known is None:
            if item != Text((Hole(env_origin(name)),)):
                return f"`{name}` is set to an unknown value, and what the program does with it is not known"
        elif "/" in known and known != "/dev/null":
            return f"`{name}` is set to a place, and what the program does there is not known"
    return None


def _named_after(name: str, program: str) -> bool:
    """Whether a variable begins with a program's name (`GIT_TRACE`, `PYTHONHOME`, `NPM_CONFIG_CACHE` of `npm`)."""
    own = re.sub(r"[\d.]+$|\.exe$", "", program).upper().replace("-", "_")
    return len(own) > 1 and name.upper().startswith(own)


def _harmless(name: str, item: Text, rule: Rule) -> bool:
    if not item.parts or item.parts == (Hole(env_origin(name)),):
        return True
    known = item.literal
    if known is not None and rule.harmless.fullmatch(known):
        return True
    if rule.kind in ("programs", "modules"):
        return all(_folder_known(folder, name) for folder in before_itself(item, name))
    return False


def before_itself(item: Text, name: str) -> list[Text]:
    """The folders of a search path that come before its old value; all, if the old value is not in it."""
    folders: list[list[str | Hole]] = [[]]
    for part in item.parts:
        if isinstance(part, Hole):
            folders[-1].append(part)
            continue
        pieces = part.split(":")
        if pieces[0]:
            folders[-1].append(pieces[0])
        folders.extend([piece] if piece else [] for piece in pieces[1:])
    out: list[Text] = []
    for folder in folders:
        if folder == [Hole(env_origin(name))]:
            break
        out.append(Text(tuple(folder)))
    return out


def _folder_known(folder: Text, name: str) -> bool:
    """A folder of the system, of the skill, or of what the user installed: not one that the run or a project fills."""
    if not folder.parts:
        return name != "PATH"  # an empty entry of PATH is the current folder
    first, *rest = folder.parts
    if isinstance(first, Hole) and first.origin == SKILL:
        below = "".join(part if isinstance(part, str) else "/../.." for part in rest)
        return not posixpath.normpath(below.lstrip("/")).startswith("..")
    known = folder.literal
    return below_home(folder) is not None or (
        known is not None and _rules().system.fullmatch(posixpath.normpath(known)) is not None
    )


def below_home(path: Text) -> str | None:
    """A folder into which the user installs programs, below any home (`/.local/bin`); None if the path is none."""
    data, first = _rules(), path.parts[0] if path.parts else ""
    if isinstance(first, Hole):
        rest = path.parts[1:] if first.origin == HOME else ()
    else:
        home = data.home.match(first)
        rest = (first[home.end() :], *path.parts[1:]) if home else ()
    below = posixpath.normpath(rest[0]) if len(rest) == 1 and isinstance(rest[0], str) else ""
    return below if data.below_home.fullmatch(below) else None


def find_program(name: Value, path: Value, world: World, cwd: Value) -> Value | None:
    """What a program name finds first in `path` if that may be a file of the skill, else nothing; None if it cannot be said."""
    found, others = set[Text](), set[Text]()
    for program in each(name):
        known = program.literal if isinstance(program, Text) else None
        if not isinstance(program, Text) or known is None or "/" in known:
            return frozenset()
        mine, elsewhere = set[Text](), False  # another folder comes first, on one of the ways
        for item in each(path):
            if not isinstance(item, Text):
                return None
            sure = False
            for folder in before_itself(item, "PATH"):
                if not _of_skill(folder):
                    elsewhere = elsewhere or not sure
                    continue
                candidate = text(*folder.parts, "/" + known)
                if not sure and world.skill_files(frozenset({candidate}), cwd):
                    mine.add(candidate)
                    sure = True
            elsewhere = elsewhere or not sure
        if not mine or (elsewhere and world.knows(known)):
            others.add(program)
        found |= mine
    return frozenset(found | others) if found else frozenset()


def _of_skill(folder: Text) -> bool:
    first = folder.parts[0] if folder.parts else ""
    return isinstance(first, Hole) and first.origin == SKILL
