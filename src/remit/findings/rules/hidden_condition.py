"""Something harmful happens only from a date on, or on some machines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.location import Location
from remit.core.patterns import lazy_pattern
from remit.core.scope import SKILL, TEMP, PathScope
from remit.findings.evidence import by_text
from remit.findings.model import Finding, Rule, Severity
from remit.findings.pieces import scripts

if TYPE_CHECKING:
    from remit.core.effect import Effect
    from remit.findings.subject import Subject

_CLOCK = lazy_pattern(
    r"\b(?:date|datetime)\.(?:today|now|utcnow)\(|\btime\.(?:time|localtime|gmtime|strftime)\(|\bDate\.now\(\)|\bnew Date\(\s*\)|\$\(\s*date\b|`date\b|\$\{?EPOCHSECONDS"
)
_FIXED = lazy_pattern(
    r"\b(?:date|datetime)\(\s*20\d\d\s*,|\bnew Date\(\s*[\"'`]?20\d\d|\bDate\.(?:parse|UTC)\(\s*[\"'`]?20\d\d|[\"'`]?\b20[2-9]\d-[01]\d-[0-3]\d|\b20[2-9]\d[01]\d[0-3]\d\b|\b1[6-9]\d{8}(?:\d{3})?\b"
)
_COMPARES = lazy_pattern(r"[^-=<>]\s?[<>]=?\s*[^<>=]|\s-(?:lt|gt|le|ge)\s|\\?[<>]\s")
_NAMED = lazy_pattern(r"^\s*(?:const |let |var |readonly |local |export )?(\w+)\s*(?::\s*\w+\s*)?=(?!=)\s*(.*)$")
_CALLED = lazy_pattern(r"(?<![.\w])([A-Za-z_]\w*)\s*\(|^\s*([A-Za-z_]\w*)\s*$|(?:&&|\|\||;|then)\s+([A-Za-z_]\w*)\b")
_WHO = lazy_pattern(
    r"getpass\.getuser|gethostname|platform\.node\(|getnode\(|os\.getlogin|userInfo\(\)|os\.hostname\(|USERDNSDOMAIN|\$\(?(?:hostname|whoami)\b|environ[^\n]{0,20}[\"']USER(?:NAME)?[\"']"
)
_HASHES = lazy_pattern(r"\b(?:sha\d+|md5|blake2\w|createHash|sha\d+sum|md5sum)\b")
_DIGEST = lazy_pattern(r"[\"'](?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{8,64}[\"']")
_NEAR = 15  # lines behind a condition that may depend on it
_BODY = 25  # lines of a function that is called there
_ACTS = frozenset(
    "file.delete source.delete web.post net.connect commit.push db.write secret.read message.send container.manage pay".split()
)


def find(subject: Subject) -> Iterator[Finding]:
    """Comparisons of the clock with a fixed date before an act, and of who uses the machine with a digest."""
    acting: dict[str, set[int]] = {}
    for effect in subject.effects:
        if _is_act(effect) and effect.where.file not in subject.documents:
            acting.setdefault(effect.where.file, set()).add(effect.where.line)
    for file, code in scripts(subject):
        lines = code.lines
        if acts := acting.get(file):
            yield from _dated(subject, file, lines, acts)
            yield from _aimed(subject, file, lines, acts)
        if code.has("sha", "md5", "blake2", "createhash"):
            yield from _by_digest(subject, file, lines)


def _is_act(effect: Effect) -> bool:
    if effect.capability == "file.delete" and isinstance(effect.scope, PathScope):
        return effect.scope.anchor not in (SKILL, TEMP) and not effect.via.possible
    return effect.capability in _ACTS and not effect.via.possible


def _dated(subject: Subject, file: str, lines: dict[int, str], acting: set[int]) -> Iterator[Finding]:
    clocks, dates = _names(lines, _CLOCK), _names(lines, _FIXED)
    for at, line in lines.items():
        if not (_COMPARES.search(line) and _speaks(line, _CLOCK, clocks) and _speaks(line, _FIXED, dates)):
            continue
        if any(act in span for span in _spans(lines, at) for act in acting):
            where = Location(file, at)
            message = "acts only after a fixed date, long after the review"
            yield by_text(RULE, subject, where, line.strip(), Severity.HIGH, message)._replace(
                basis=subject.basis(where)
            )
            return


# A name that only some machines or users have; `root` and the like say what a script may do
_ONE = lazy_pattern(
    r"(?:==|\bendswith\(|\bstartswith\(|\.(?:ends|starts)With\(|\.includes\(|=~|\bin\s*[\[({])\s*[\"'`](?!root\b|localhost|runner\b|vscode\b|codespace)[\w.@-]{3,}[\"'`]",
    re.IGNORECASE,
)
_IF = lazy_pattern(r"\bif\b|&&|\?")


def _aimed(subject: Subject, file: str, lines: dict[int, str], acting: set[int]) -> Iterator[Finding]:
    """An act that follows only where the user or the machine has a certain name, of which no text speaks."""
    for at, line in lines.items():
        found = _ONE.search(line) if _WHO.search(line) and _IF.search(line) else None
        if found is None or found[0].rstrip("\"'`").rpartition(found[0][-1])[2].lower() in subject.written:
            continue
        if any(act in span for span in _spans(lines, at) for act in acting):
            message = "acts only on machines or for users of a certain name"
            where = Location(file, at)
            yield by_text(RULE, subject, where, line.strip(), Severity.HIGH, message)._replace(
                basis=subject.basis(where)
            )
            return


def _names(lines: dict[int, str], what: re.Pattern[str]) -> frozenset[str]:
    """The variables that are made of the clock or of a date."""
    made = (found for line in lines.values() if (found := _NAMED.match(line)))
    return frozenset(found[1] for found in made if what.search(found[2]))


def _speaks(line: str, what: re.Pattern[str], names: frozenset[str]) -> bool:
    return what.search(line) is not None or any(word in names for word in re.findall(r"\w+", line))


def _spans(lines: dict[int, str], at: int) -> Iterator[range]:
    """The lines that follow a condition, and those of the functions that are called there."""
    yield range(at, at + _NEAR)
    near = [lines[number] for number in range(at, at + _NEAR) if number in lines]
    called = {name for line in near for found in _CALLED.finditer(line) for name in found.groups() if name}
    for number, line in lines.items():
        made = re.match(r"\s*(?:async\s+)?(?:def|function|const|let)\s+(\w+)|\s*(\w+)\s*\(\)\s*\{", line)
        if made and (made[1] or made[2]) in called:
            yield range(number, number + _BODY)


def _by_digest(subject: Subject, file: str, lines: dict[int, str]) -> Iterator[Finding]:
    """Who uses the machine is hashed, and compared with digests that do not say who is meant."""
    if not any(_DIGEST.search(line) for line in lines.values()):
        return
    for at, line in lines.items():
        near = (lines.get(number, "") for number in range(at, at + 4))
        if _WHO.search(line) and any(map(_HASHES.search, near)):
            where = Location(file, at)
            message = "behaves differently for some users or machines, whom only digests name"
            yield by_text(RULE, subject, where, line.strip(), Severity.HIGH, message)._replace(
                basis=subject.basis(where)
            )
            return


RULE = Rule(
    "hidden-condition",
    "hidden code",
    "something happens only after a date, or only on some machines",
    Severity.HIGH,
    "A condition that is false today hides the behaviour from everyone who tries the skill.",
    "Dates in data, ages of files, dates that are only printed, and machines that are named in plain words.",
    "Behave the same on every day and every machine.",
    find,
)
