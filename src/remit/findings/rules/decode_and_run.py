"""Encoded text is decoded and run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.location import Location
from remit.core.patterns import lazy_pattern
from remit.core.scope import SKILL, TEMP, AnyScope, PathScope
from remit.core.via import DECODED, Cause
from remit.findings.evidence import by_effect, by_text, is_text
from remit.findings.model import Finding, Rule, Severity

if TYPE_CHECKING:
    from remit.core.effect import Effect
    from remit.findings.subject import Subject

_DECODES = lazy_pattern(
    r"\bbase64\b[^|;]{0,40}\s(?:-d|-D|--decode)\b|b64decode|\batob\(|Buffer\.from\([^)\n]{8,4000}[\"']base64|\bxxd\s+-r|\bfromhex\(|unhexlify\("
    r"|\b(?:zlib|gzip|lzma|bz2)\.decompress\(|marshal\.loads|FromBase64String|\s-e(?:nc|ncodedcommand)?\s+[A-Za-z0-9+/=]{16}|codecs\.decode\(",
    re.IGNORECASE,
)
_RUNS = lazy_pattern(
    r"\|\s*(?:sudo\s+)?(?:/\S*/)?(?:(?:ba|z|da|k)?sh|python3?|node|perl)\b(?!\s+-[mc]\b)|\b(?:eval|exec|Function|iex|Invoke-Expression)\b|(?:sh|source|\s\.)\s+<\("
    r"|\b(?:ba|z|da)?sh\s+-c|powershell|pwsh|os\.system|subprocess|execSync",
    re.IGNORECASE,
)
# What else makes code of other text: characters by number, turned around, changed bit by bit, decrypted.
_ASSEMBLES = lazy_pattern(
    r"\bchr\(|fromCharCode|\[::-1\]|\.reverse\(\)|\.decrypt\(|createDecipheriv|\bint\([^)\n]{1,40},\s*2\)|\brot_?13\b|\bbytes\([^)\n]{0,60}\^|\bord\([^)\n]{0,20}\)\s*\^|unescape\("
    r"|\brev\b|\btr\s+[\"']?[\w-]{4,}|printf\s+[\"'](?:\\\\?x?[0-9a-f]{2,3}){4}",
    re.IGNORECASE,
)
# Code that is made or chosen where no reader sees its name.
_LOADS = lazy_pattern(
    r"\b_compile\(|FunctionType\(|\bgetattr\(|import_module\(|__import__\(|\bexec\(|\beval\(|globals\(\)\[|\bvars\(|__builtins__|CFUNCTYPE|VirtualAlloc|\bFunction\("
)
_SPELLS = lazy_pattern(
    r"\bchr\b|PROT_EXEC|\bmmap\([^\n]*\bprot\s*=\s*7\b|VirtualAlloc|[\"']\s*\+\s*[\"']|fromCharCode|\[::-1\]|\^\s*\w+\[|\^=|\brot_?13\b|\.decrypt\(|createDecipheriv|gunzipSync|inflateSync"
)
_NESTED = lazy_pattern(
    r"\b(?:eval|exec|Function)\s*\(\s*[^;\n]{0,60}?(?:b64decode|\batob\(|Buffer\.from\(|decompress\(|fromhex\(|unhexlify\(|codecs\.decode\()"
    r"|\bbase64\s+-[dD]\b[^;\n]{0,40}\|\s*(?:ba|z|da)?sh\b"
)
_LONG = 2000  # characters of a line that people write
_MARKS = (b"b64decode", b"atob(", b"Buffer.from(", b"decompress(", b"fromhex(", b"unhexlify(", b"codecs.decode(")
_MESSAGE = "decodes hidden code and runs it"
_BEFORE = 12  # lines between decoding and running that belong together


def find(subject: Subject) -> Iterator[Finding]:  # noqa: C901  one case for each form of what is found
    """Lines that decode and run, by their effects or as they are written, and lines that run what was decoded just before."""
    for effect in subject.with_capability("source.execute", "shell.execute"):
        line = subject.line(effect.where)
        if effect.via.option == DECODED and len(line) <= _LONG:
            yield by_effect(RULE, subject, effect, Severity.HIGH, _MESSAGE)
            continue
        if not _RUNS.search(line):
            continue
        if len(line) > _LONG and not _NESTED.search(line):
            continue  # a packed library has both somewhere
        coded = effect.via.cause is Cause.CODE and is_text(effect.scope) and _ASSEMBLES.search(line)
        if _DECODES.search(line) or coded or _decoded_before(subject, effect, line):
            yield by_effect(RULE, subject, effect, Severity.HIGH, _MESSAGE)
    for item in subject.found.opaque:
        line = subject.line(item.where)
        if item.where.file not in subject.documents and len(line) <= _LONG and _LOADS.search(line):
            above = subject.lines(item.where.file)[max(0, item.where.line - 1 - _BEFORE) : item.where.line]
            if any(_DECODES.search(text) or _SPELLS.search(text) for text in above):
                basis = subject.basis(item.where)
                yield by_text(RULE, subject, item.where, line, Severity.HIGH, _MESSAGE)._replace(basis=basis)
    yield from _made_of_own(subject)
    yield from _from_media(subject)
    for file in subject.skill.files:
        data = subject.skill.contents.get(file.path)
        if data is None or not file.languages or not any(mark in data for mark in _MARKS):
            continue
        for number, line in enumerate(subject.lines(file.path), 1):
            if _NESTED.search(line) and not line.lstrip().startswith(("#", "//", "*")):
                yield by_text(RULE, subject, Location(file.path, number), line.strip(), Severity.HIGH, _MESSAGE)


def _made_of_own(subject: Subject) -> Iterator[Finding]:
    """Texts that scripts run as code, that stand nowhere as code, and into which nothing comes from outside of the skill."""
    given = {flow.sink.where for flow in subject.flows if flow.sink.capability == "source.execute"}
    reads = ((effect.where.file, effect.scope) for effect in subject.with_capability("file.read"))
    shipped = {file for file, scope in reads if isinstance(scope, PathScope) and scope.anchor == SKILL}
    for effect in subject.with_capability("source.execute"):
        if (
            not isinstance(effect.scope, AnyScope)
            or effect.via.cause is not Cause.CODE
            or effect.via.name
            or effect.via.option == DECODED
        ):
            continue
        file, here = effect.where.file, subject.by_line[effect.where]
        if effect.where in given or file in subject.documents or any(map(_brings_code, here)):
            continue  # what another program runs is made of what it is given
        line = subject.line(effect.where)
        if len(line) <= _LONG and (not _UNPACKS.search(line) or file in shipped):  # not what an earlier run kept
            yield by_effect(RULE, subject, effect, Severity.HIGH, "turns its own data into code and runs it")


def _brings_code(effect: Effect) -> bool:
    """Whether the code may come from a program, the network or a file that the skill does not ship."""
    own = isinstance(effect.scope, PathScope) and effect.scope.anchor == SKILL
    return effect.capability in _OUTSIDE or (effect.capability == "file.read" and not own)


_OUTSIDE = frozenset({"shell.execute", "process.create", "web.fetch", "net.connect"})
_UNPACKS = lazy_pattern(r"\b(?:pickle|dill|joblib|cloudpickle|torch|shelve|marshal|numpy|np)\b")


def _from_media(subject: Subject) -> Iterator[Finding]:
    """Scripts that read a picture or other media of the skill, and run a text or a file that they have made."""
    read: dict[str, str] = {}
    for effect in subject.with_capability("file.read"):
        scope = effect.scope
        if (
            isinstance(scope, PathScope)
            and scope.anchor == SKILL
            and scope.parts[-1:]
            and scope.parts[-1].lower().endswith(_MEDIA)
        ):
            read.setdefault(effect.where.file, scope.parts[-1])
    for effect in subject.with_capability("source.execute"):
        name = read.get(effect.where.file)
        made = is_text(effect.scope) or (isinstance(effect.scope, PathScope) and effect.scope.anchor == TEMP)
        if name and made and not effect.via.possible and effect.where.file not in subject.documents:
            yield by_effect(RULE, subject, effect, Severity.HIGH, f"runs code that is hidden in {name}")


_MEDIA = tuple(
    f".{end}"
    for end in "png jpg jpeg gif bmp webp tiff ico wav mp3 ogg flac mp4 ttf otf woff woff2 pdf bin dat db sqlite idx".split()
)


def _decoded_before(subject: Subject, effect: Effect, line: str) -> bool:
    """Whether a variable that is run was made by decoding a few lines above."""
    if effect.via.cause is not Cause.CODE and not is_text(effect.scope):
        return False
    where = effect.where
    above = subject.lines(where.file)[max(0, where.line - 1 - _BEFORE) : where.line - 1]
    made = (text for text in above if _DECODES.search(text) or _ASSEMBLES.search(text))
    names = {found[1] for text in made if (found := _ASSIGNED.match(text))}
    return any(re.search(rf"\b{re.escape(name)}\b", line) for name in names)


_ASSIGNED = lazy_pattern(r"\s*(?:const |let |var |export |local )?\$?(\w+)\s*=(?!=)")


RULE = Rule(
    "decode-and-run",
    "hidden code",
    "encoded text is decoded and run",
    Severity.HIGH,
    "Encoded code is hidden from every reader of the skill. There is no honest reason to encode a command that runs at once.",
    "Encoded data that is not run: pictures, keys, Basic authentication.",
    "Write the command in plain text.",
    find,
)
