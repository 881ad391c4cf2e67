"""Summary of a skill, from its files and the result of its analysis."""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from remit.core.digest import bytes_digest, digest
from remit.core.effect import Effect, Opaque, Origin
from remit.core.errors import ManifestError
from remit.core.location import Location
from remit.manifest.drift.content import content_digest, file_marks
from remit.manifest.drift.dependencies import dependencies
from remit.manifest.drift.model import Summary, Trait, TraitKind, in_order
from remit.manifest.drift.requested_acts import SETTINGS, acts, addresses, is_limit, settings_addresses
from remit.manifest.drift.words import invisible, sentences, unseen
from remit.manifest.find import manifest_among
from remit.manifest.identity import manifest_digest
from remit.manifest.render import constraints_value
from remit.skill.host_permissions import grants
from remit.skill.model import Skill, Stance
from remit.skill.program import SourceProgram, programs

if TYPE_CHECKING:
    from remit.manifest.model import Manifest, Permission


# A digest of the part of a file's code that matters distinguishes an unchanged opaque location from a changed one.
#
# Where a change is not certain to be layout or a comment only, it counts: at worst, a change too many is reported.
_COMMENTS = {"shell": "#", "js": "//", "ts": "//"}


def shape(skill: Skill, path: str, run: Sequence[SourceProgram]) -> str:
    """Return a digest of the code that matters: of a document or configuration file the code in it (`run`), of Python
    the syntax tree, of others the lines.
    """
    file, data = skill.file(path), skill.read(path)
    if file is None or data is None or file.stance is Stance.OPAQUE:
        return file.digest if file else ""
    if run and all(program.form != "file" and (program.source or not program.opaque) for program in run):
        return digest([bytes_digest(program.source) for program in run])
    if file.language == "python":
        try:
            return bytes_digest(ast.dump(ast.parse(data)).encode("utf-8", "surrogatepass"))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return file.digest
    text = data.decode("utf-8", "surrogateescape")
    mark = _COMMENTS.get(file.language, "")
    return bytes_digest("\n".join(_lines(text, mark)).encode("utf-8", "surrogateescape"))


def _lines(text: str, comment: str) -> Iterator[str]:
    """Return lines without trailing blanks, and without comments where no quoted text can be open."""
    quoted = dict.fromkeys("'\"`", 0)
    plain = bool(comment) and "<<" not in text and (comment == "#" or "/*" not in text)
    for number, line in enumerate(text.split("\n")):
        row = line.rstrip()
        opened = any(count % 2 for count in quoted.values())
        if not row or (plain and number and not opened and row.lstrip().startswith(comment)):
            continue
        for quote in quoted:
            quoted[quote] += row.count(quote)
        yield row


def summarise(skill: Skill, effects: Iterable[Effect], opaque: Iterable[Opaque]) -> Summary:
    """Return the summary of a skill."""
    manifest, problem = _manifest(skill)
    run = programs(skill)
    traits = [
        *_capabilities(effects),
        *_commands(run),
        *_hidden(skill),
        *_opaque(skill, run, (*opaque, *problem)),
        *(Trait(TraitKind.TOOL, clean(found.tool), Location(found.file, found.line)) for found in grants(skill)),
        *([_entry(entry, manifest.file) for entry in manifest.permissions] if manifest else ()),
        *(
            Trait(TraitKind.PACKAGE, clean(found.name), Location(found.file, found.line), (clean(found.version),))
            if found.version
            else Trait(TraitKind.PACKAGE, clean(found.name), Location(found.file, found.line))
            for found in dependencies(skill)
        ),
        *_addresses(skill),
        *_instructions(skill),
        *(
            Trait(TraitKind.FILE, path, Location(path), mark=mark)
            for path, mark in file_marks(skill.files, skill.links).items()
        ),
    ]
    return Summary(
        clean(skill.name),
        content_digest(skill.files, skill.links),
        manifest_digest(manifest) if manifest else "",
        in_order(traits),
    )


def clean(text: str) -> str:
    """Return text that JSON can carry: lone surrogates, which escapes in JSON files can name, are spelt out."""
    return text.encode("utf-8", "backslashreplace").decode()


def _capabilities(effects: Iterable[Effect]) -> Iterator[Trait]:
    """Return each capability with each scope, once for automatic triggers and once for others, at the first location."""
    seen: dict[tuple[str, str, bool], Trait] = {}
    for effect in sorted(effects, key=lambda effect: (effect.where, effect.origin, effect.why)):
        scope = clean(effect.scope.render())
        key = (effect.capability, scope, effect.origin is Origin.HOOK)
        seen.setdefault(
            key,
            Trait(
                TraitKind.CAPABILITY,
                effect.capability,
                effect.where,
                (scope,),
                str(effect.origin),
                clean(effect.why),
                effect.path,
            ),
        )
    yield from seen.values()


def _commands(run: Iterable[SourceProgram]) -> Iterator[Trait]:
    """Return what a host or tool runs automatically: hooks, `!` lines, life-cycle scripts, and whole files loaded
    because of their location.
    """
    seen: set[tuple[str, str]] = set()
    for program in run:
        if program.origin is not Origin.HOOK or (program.opaque and not program.source):
            continue
        text = program.file if program.form == "file" else _written(program)
        if (text, program.note) not in seen:
            seen.add((text, program.note))
            yield Trait(TraitKind.COMMAND, text, Location(program.file, program.line(1)), why=clean(program.note))


def _written(program: SourceProgram) -> str:
    """Return the text of a command with its placeholders as they were written."""
    text = program.source.decode("utf-8", "surrogatepass")
    for char, placeholder in (*program.holes.items(), *program.anchors.items()):
        text = text.replace(char, placeholder)
    return clean(text.strip())


def _hidden(skill: Skill) -> Iterator[Trait]:
    seen: set[tuple[str, str]] = set()
    found = [
        (document.path, *item)
        for document in skill.documents
        for item in unseen(document, skill.contents.get(document.path, b""))
    ]
    found += [(path, *item) for path, data in skill.contents.items() for item in invisible(data)]
    for file, text, line, how in found:
        if (text, how) not in seen:
            seen.add((text, how))
            yield Trait(TraitKind.HIDDEN, text, Location(file, line), why=how, mark=digest([text, how]))


def _opaque(skill: Skill, run: Iterable[SourceProgram], items: Iterable[Opaque]) -> Iterator[Trait]:
    """Return each opaque location. The mark distinguishes unchanged from changed code: both could do anything."""
    held: dict[str, list[SourceProgram]] = {}
    for program in run:
        held.setdefault(program.file, []).append(program)
    shapes: dict[str, str] = {}
    for item in items:
        file = item.where.file
        if file not in shapes:
            shapes[file] = shape(skill, file, held.get(file, ()))
        yield Trait(
            TraitKind.OPAQUE,
            clean(item.reason),
            item.where,
            origin=str(item.origin),
            why=clean(item.remedy),
            mark=shapes[file],
        )


def _manifest(skill: Skill) -> tuple[Manifest | None, tuple[Opaque, ...]]:
    """Return the manifest beside SKILL.md; one that cannot be read is opaque, because it says nothing about permissions."""
    folder = posixpath.dirname(skill.main)
    beside = [file.path for file in skill.files if posixpath.dirname(file.path) == folder]

    def data(name: str) -> bytes:
        found = skill.read(posixpath.join(folder, name))
        if found is None:
            raise ManifestError(f"`{name}` is too large to be read", "shorten it")
        return found

    found = manifest_among([posixpath.basename(path) for path in beside], data)
    if found is None:
        return None, ()
    name, known = found
    try:
        return known.read(data(name), name).manifest, ()
    except ManifestError as error:
        where = Location(posixpath.join(folder, name))
        return None, (Opaque(f"the manifest cannot be read: {error.message}", where, error.remedy),)


def _entry(entry: Permission, file: str) -> Trait:
    scopes = tuple(sorted(scope.render() for scope in entry.scopes))
    rest = digest([constraints_value(entry.constraints), entry.priority])
    return Trait(
        TraitKind.ENTRY,
        entry.capability,
        Location(file, entry.line),
        scopes,
        str(entry.effect or ""),
        entry.fallback_msg,
        mark=rest,
    )


def _addresses(skill: Skill) -> Iterator[Trait]:
    """Return each address at its first location."""
    seen: set[str] = set()
    for path, data in sorted(skill.contents.items()):
        if b"\0" in data:
            continue
        text = data.decode("utf-8", "replace")
        named = settings_addresses(text) if posixpath.basename(path).lower().endswith(SETTINGS) else ()
        for address, at in (*addresses(text), *named):
            if address not in seen:
                seen.add(address)
                yield Trait(TraitKind.ADDRESS, clean(address), Location(path, text.count("\n", 0, at) + 1))


def _instructions(skill: Skill) -> Iterator[Trait]:
    for document in skill.documents:
        for text, line, prose in sentences(skill.contents.get(document.path, b"")):
            words = clean(text)
            mark = bytes_digest(words.encode())[7:23]  # enough to tell sentences apart; files have whole digests
            where = Location(document.path, line)
            mark = " ".join((mark, *(acts(words) if prose else ())))
            yield Trait(TraitKind.INSTRUCTION, words, where, mark=mark)
            if prose and is_limit(words):
                yield Trait(TraitKind.LIMIT, words, where)
