"""`remit summaries`: shows what is known about a function, class, module or command, and checks summary files."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from remit.analysis.commands.catalog import DATA as COMMANDS
from remit.analysis.commands.catalog import load_commands
from remit.analysis.summaries.check import problems
from remit.analysis.summaries.library import FOLDERS, Library
from remit.analysis.summaries.model import Entry, Section
from remit.checker.task import read_commands
from remit.cli.discover import summary_files
from remit.core.counting import counted
from remit.core.errors import DataError, RemitError, UsageError
from remit.report.screen import Screen, visible
from remit.report.summary_words import entry_words

if TYPE_CHECKING:
    import argparse

    from remit.analysis.commands.model import Command

_LIBRARIES = COMMANDS.parent
_OPTIONS = 20  # options of one kind that are shown
_BARE = ("builtins", "globals")  # the modules of names that need no module


def summaries(args: argparse.Namespace) -> int:
    """Run the command."""
    return show(args.names, args.summaries) if args.action == "show" else check_files(args.files)


def show(names: Sequence[str], given: Sequence[str]) -> int:
    """Print the summary of each name in every language that has one."""
    screen = Screen.of(sys.stdout, "auto")
    extra = summary_files(given, ())
    for number, name in enumerate(names):
        found = [
            *_library(screen, "python", name, extra),
            *_library(screen, "js", name, extra),
            *_command(screen, name, extra),
        ]
        if not found:
            raise _unknown(name)
        screen.write([""] * bool(number) + found)
    return 0


def _unknown(name: str) -> UsageError:
    known = [*load_commands().names(), *(path.stem for path in _LIBRARIES.glob("*/*.sum"))]
    close = difflib.get_close_matches(name.partition(".")[0], known, 3)
    hint = f"did you mean {', '.join(f'`{word}`' for word in close)}? " if close and name not in close else ""
    return UsageError(
        f"`{name}` has no summary, so it is opaque",
        f"{hint}describe it in a summary file (docs/summaries.md) and pass it with --summaries",
    )


# ── libraries ──


def _library(screen: Screen, language: str, name: str, extra: Sequence[Path]) -> list[str]:
    ending = ".py.sum" if language == "python" else ".js.sum"
    library = Library(language, [path for path in extra if path.name.endswith(ending)])
    return list(_members(screen, library, name))


def _members(screen: Screen, library: Library, name: str) -> Iterator[str]:
    section = library.section(name)
    if section is not None:
        yield from _section(screen, library, section)
    for owner, member in _splits(name):
        found = library.member(owner, member)
        if isinstance(found, Section):
            if section is None:
                yield from _section(screen, library, found)
            return
        if found is not None and (owner not in _BARE or found.name == member):
            yield from _entry(screen, library, owner, member, found)
            return


def _splits(name: str) -> Iterator[tuple[str, str]]:
    owner, dot, member = name.rpartition(".")
    if dot and owner and member:
        yield owner, member
    elif not dot:
        yield from ((owner, name) for owner in _BARE)


def _source(library: Library, section: Section, line: int) -> tuple[str, list[str]]:
    """Return the location of a line of a summary, and its text with its continuations."""
    path = Path(section.file)
    if not path.is_absolute():
        path = _LIBRARIES / FOLDERS[library.language] / section.file
    lines = path.read_text("utf-8").splitlines()[line - 1 :]
    more = 1
    while more < len(lines) and lines[more][:1] in (" ", "\t") and lines[more].strip():
        more += 1
    shown = f"{path.parent.name}/{path.name}" if path.is_relative_to(_LIBRARIES) else str(path)
    return f"{shown}:{line}", lines[:more]


def _entry(screen: Screen, library: Library, owner: str, member: str, entry: Entry) -> Iterator[str]:
    home = _home(library, owner, entry)
    if home is None:
        return
    where, text = _source(library, home, entry.line)
    yield _head(screen, f"{owner}.{member}", where)
    yield from (screen.style(f"    {visible(line)}", "cyan") for line in text)
    if entry.name == ".*":
        yield from screen.wrap("it is not listed by name: the line that closes the section covers it", 2)
    for line in entry_words(entry):
        yield from screen.wrap(line, 4, 2)


def _home(library: Library, owner: str, entry: Entry) -> Section | None:
    """Return the section of an entry: the owner's, or one that it inherits from."""
    todo, seen = [owner], set[str]()
    while todo:
        section = library.section(todo.pop(0))
        if section is None or section.name in seen:
            continue
        seen.add(section.name)
        if entry is section.rest or entry is section.entries.get(entry.name):
            return section
        todo += section.bases
    return None


def _section(screen: Screen, library: Library, section: Section) -> Iterator[str]:
    where, _ = _source(library, section, section.line)
    kind = "class" if section.is_class else "module"
    bases = f" (inherits {', '.join(section.bases)})" if section.bases else ""
    yield _head(screen, f"{kind} {section.name}{bases}", where)
    effects = {entry.name: entry for entry in section.entries.values() if entry.effects}
    pure = [name for name in section.entries if name not in effects]
    inner = "its members" if section.is_class else "its functions"
    if effects:
        yield f"  {inner} with effects"
        width = min(24, max(map(len, effects)))
        for name, entry in effects.items():
            count = len([effect for effect in entry.effects if effect.kind != "none"])
            first, *rest = screen.wrap("; ".join(entry_words(entry)[: count or 1]), width + 8)
            yield f"    {name:<{width}}  {first.lstrip()}"
            yield from rest
    if pure:
        yield "  without effects"
        yield from screen.wrap(" ".join(pure), 4)
    if section.rest is None:
        yield "  whatever is not listed is opaque"
    else:
        yield from screen.wrap(f"whatever is not listed: {entry_words(section.rest)[0]}", 4, 2)


def _head(screen: Screen, name: str, where: str) -> str:
    return f"{screen.style(name, 'bold')}  {screen.style(where, 'dim')}"


# ── commands ──


def _command(screen: Screen, name: str, extra: Sequence[Path]) -> Iterator[str]:
    catalog = load_commands([path for path in extra if path.name.endswith(".cmd")])
    found = catalog.get(name)
    if found is None or name == "*":
        return
    text, where = _block(found)
    yield _head(screen, f"command {name}", where)
    for line in text:
        lines = screen.wrap(visible(_shortened(line)), 8, 4)
        yield from (screen.style(inner, "cyan") for inner in lines)
    subs = sorted(sub for sub in catalog.names() if sub.startswith(f"{name} "))
    if subs:
        yield "  with sub-commands"
        yield from screen.wrap(", ".join(subs), 4)
    capabilities = sorted(set(_capabilities(found)))
    if capabilities:
        yield from screen.wrap(f"it can cause, besides process.create: {', '.join(capabilities)}", 4, 2)
    else:
        yield "  it causes nothing besides process.create"
    yield (
        "  an option that is not listed is opaque"
        if found.fallback is None
        else "  options that are not listed are covered by `else`"
    )


def _shortened(line: str) -> str:
    """Shorten a list of options without effects, which is long and says little."""
    words = line.split(" ")
    if words[0] not in {"flags", "values"} or len(words) <= _OPTIONS:
        return line
    return f"{' '.join(words[:_OPTIONS])} … and {len(words) - _OPTIONS} more"


def _block(found: Command) -> tuple[list[str], str]:
    """Return the text of a block, continuations joined, and where it begins."""
    own = COMMANDS / found.file.removeprefix("commands/")
    path = own if found.file.startswith("commands/") else Path(found.file)
    lines = path.read_text("utf-8").splitlines()
    head = next(at for at in range(found.line - 1, -1, -1) if lines[at].startswith("["))
    end = next((at for at in range(head + 1, len(lines)) if lines[at].startswith("[")), len(lines))
    joined: list[str] = []
    for line in lines[head + 1 : end]:
        if line[:1] in (" ", "\t") and joined:
            joined[-1] += f" {line.strip()}"
        elif line.strip() and not line.startswith("#"):
            joined.append(line)
    return [lines[head], *joined], f"{found.file}:{head + 1}"


def _capabilities(found: Command) -> Iterator[str]:
    actions = [*found.always, *(found.fallback or ())]
    actions += [action for option in found.options.values() for action in option.actions]
    actions += [action for operands in found.operands for action in operands.actions]
    return (action.verb for action in actions if "." in action.verb)


# ── checking ──


def check_files(names: Sequence[str]) -> int:
    """Print what is wrong with summary files; 1 if something is."""
    wrong = 0
    for name in names:
        found = list(_problems(Path(name)))
        wrong += len(found)
        for line in found:
            print(visible(line))
    print(f"{counted(len(names), 'file')}, {counted(wrong, 'problem') if wrong else 'no problems'}")
    return 1 if wrong else 0


def _problems(path: Path) -> Iterator[str]:
    if not path.is_file():
        raise UsageError(f"`{path}` does not exist", "give a summary file")
    if path.name.endswith(".cmd"):
        try:
            read_commands(path)
        except DataError as error:
            yield f"{error.message}; {error.remedy}"
        return
    try:
        yield from problems(path)
    except (RemitError, UnicodeDecodeError) as error:
        yield f"{path}: {error}"
