"""The biconditional: whether exactly what was admitted happened, by comparing records with the world. Pure.

    (1) a call that ran must have been admitted, with the input that was judged
    (2) what the records say must have changed is folded into what two pictures can show of it, and compared as a multiset
    (3) further observed changes must be in the scope of something that was admitted
    (4) the rest: observed and not admitted is a bypass; recorded and not observed is a forgery
    (5) what cannot be decided is reported as unknown

Two pictures show the sum of what happened: a file that was created and deleted in between leaves nothing, as expected.
A *claim* is what the log says of a call that was let through: the changes that must have happened, or may have.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from remit.audit.entry import ADMITTED, ANSWER, Entry, Outcome, RecordKind
from remit.core.capability import matches, vocabulary
from remit.core.errors import DataError, ManifestError
from remit.core.scope import ANY_SCOPE, DEEP, HOME, ROOT, WORKSPACE, PathScope, Scope, ScopeKind, covers, parse_scope
from remit.core.scope.component import escape, literal
from remit.core.table import read_table

if TYPE_CHECKING:
    from remit.audit.entry import Record
    from remit.audit.world import Difference


_TABLE = Path(__file__).with_name("data") / "observed.table"
CHANGES = ("write", "delete", "chmod", "ref")
_OF_CALLS = (RecordKind.DECISION, RecordKind.EFFECT)
GIT = PathScope(WORKSPACE, (DEEP, ".git", DEEP))


class Shows(NamedTuple):
    """What the world shows of a capability."""

    changes: frozenset[str]
    exact: bool  # a record of one path must be observable


class Claim(NamedTuple):
    """Changes that a record stands for."""

    number: int  # of the record
    changes: frozenset[str]
    scope: Scope
    target: str = ""  # the only path that must have changed; empty if the claim only allows changes
    open: bool = False  # its end was not recorded


class LoggedCall(NamedTuple):
    """What the log says about one call."""

    decisions: tuple[Record, ...]
    effects: tuple[Record, ...]

    @property
    def admitted(self) -> bool:
        """Whether the last decision let it through."""
        return bool(self.decisions) and self.decisions[-1].entry.outcome in ADMITTED


@cache
def shown() -> Mapping[str, Shows]:
    """Return, by capability, what the world shows of it."""
    return read_shown(_TABLE)


def read_shown(path: Path) -> dict[str, Shows]:
    """Parse the table; an unknown capability, change or certainty is refused with its line."""
    out: dict[str, Shows] = {}
    for row in read_table(path, 4):
        name, changes, surety, _ = row.cells
        words = changes.split()
        known = name == "*" or name in vocabulary()
        if not known or name in out or surety not in ("exact", "may") or not words or not set(words) <= set(CHANGES):
            message = f"{row.where}: `{name}` occurs twice, or a word of the line is not known"
            raise DataError(message, "correct the line; the head of the file says what its cells mean")
        out[name] = Shows(frozenset(words), surety == "exact")
    return out


def calls(records: Iterable[Record]) -> dict[tuple[str, str], LoggedCall]:
    """Return decisions and effects by session and call, in order; without a name, the judged input links them."""
    found: dict[tuple[str, str], tuple[list[Record], list[Record]]] = {}
    for record in records:
        entry = record.entry
        if entry.op == ANSWER or entry.kind not in _OF_CALLS:
            continue
        key = (entry.session, entry.call or entry.judged or f"record {record.number}")
        found.setdefault(key, ([], []))[_OF_CALLS.index(entry.kind)].append(record)
    return {key: LoggedCall(tuple(decisions), tuple(effects)) for key, (decisions, effects) in found.items()}


def unfinished(records: Iterable[Record]) -> tuple[Entry, ...]:
    """Return an effect `unknown` for each call that was let through without a recorded end, after a restart."""
    lost = [call.decisions[-1].entry for call in calls(records).values() if call.admitted and not call.effects]
    reason = "the end was not recorded: it may have run, or not"
    return tuple(
        replace(entry, kind=RecordKind.EFFECT, outcome=Outcome.UNKNOWN, arguments={}, policy="", reason=reason)
        for entry in lost
    )


def claims(call: LoggedCall, root: str, home: str) -> tuple[list[Claim], list[str]]:
    """Return what a call claims in this workspace, and the capabilities of which the world shows nothing here."""
    if not call.admitted:
        return [], []  # a call that ran without being let through explains nothing
    done = [record for record in call.effects if record.entry.outcome is not Outcome.UNDONE]
    undone = {(record.entry.capability, record.entry.scope) for record in call.effects if record not in done}
    out: list[Claim] = []
    unseen: list[str] = []
    if not call.effects:
        done = [call.decisions[-1]]  # it was let through, and its end was not recorded
    for record in done:
        entry = record.entry
        if not (entry.capability or entry.inferred) and call.decisions:
            entry = call.decisions[-1].entry
        if (entry.capability, entry.scope) in undone:
            continue
        sure = record.entry.outcome is Outcome.EXECUTED
        # a failed call may have done a part; one without an end may have done all or nothing
        ended = sure or record.entry.outcome is Outcome.FAILED
        for capability, scope, main in _asked(entry):
            found = _claim(record.number, capability, scope, root, home, exact=main and sure, ended=ended)
            if found is None:
                unseen.append(capability)
            else:
                out.append(found)
    return out, unseen


def _asked(entry: Entry) -> Sequence[tuple[str, str, bool]]:
    """Return capability, scope, and whether it is the call itself rather than something inferred from a command."""
    main = [(entry.capability, entry.scope, True)] if entry.capability else []
    return [*main, *[(item.capability, item.scope, False) for item in entry.inferred if item.verdict in ADMITTED]]


def _claim(number: int, capability: str, text: str, root: str, home: str, *, exact: bool, ended: bool) -> Claim | None:
    shows = shown().get(capability)
    if shows is None and "*" in capability:
        patterns = [found for name, found in shown().items() if matches(capability, name)]
        shows = Shows(frozenset(word for found in patterns for word in found.changes), exact=False)
    if shows is None or not shows.changes:
        return None
    word = vocabulary().get(capability)
    on_paths = "*" in capability or (word is not None and word.scope_kind is ScopeKind.PATH)
    scope = _here(text, root, home) if on_paths else ANY_SCOPE
    if scope is None:
        return None
    if capability.startswith("commit."):
        scope = GIT  # the scope is the repository; other changes of a git command are inferred separately
    target = ""
    if exact and shows.exact and isinstance(scope, PathScope):
        parts = [literal(part) for part in scope.parts]
        target = "/".join(str(part) for part in parts) if DEEP not in scope.parts and None not in parts else ""
    return Claim(number, shows.changes, scope, target, not ended)


@lru_cache(4096)  # most calls of a session are about the same paths
def _here(text: str, root: str, home: str) -> Scope | None:
    """Return a scope as a part of the workspace; None if it is elsewhere, or invalid: then it explains nothing."""
    try:
        scope = parse_scope("path", text) if text else ANY_SCOPE
    except ManifestError:
        return None
    if not isinstance(scope, PathScope) or scope.anchor == WORKSPACE:
        return scope
    parts = scope.parts
    if scope.anchor == HOME and home:
        parts = (*_parts(home), *parts)
    elif scope.anchor != ROOT:
        return None
    above = _parts(root)
    if DEEP in parts[: len(above)]:
        return ANY_SCOPE if parts[parts.index(DEEP) :] == (DEEP,) and _same(parts[: parts.index(DEEP)], above) else None
    return PathScope(WORKSPACE, parts[len(above) :]) if len(parts) >= len(above) and _same(parts, above) else None


def _same(parts: tuple[str, ...], above: tuple[str, ...]) -> bool:
    return all(literal(part) == name for part, name in zip(parts, above, strict=False))


def _parts(path: str) -> tuple[str, ...]:
    return tuple(part for part in path.split("/") if part)


_CHANGE_OF = {
    "create": "write",
    "change": "write",
    "touch": "write",
    "delete": "delete",
    "chmod": "chmod",
    "ref": "ref",
}
_AS_MADE = {(False, True): "create", (True, True): "change", (True, False): "delete"}


class Verdict(StrEnum):
    """The result of comparing one thing."""

    MATCHED = "matched"
    BYPASS = "bypass"  # observed, and not admitted
    FORGERY = "forgery"  # recorded, and not observed
    REWRITTEN = "rewritten"  # what ran is not what was judged
    UNKNOWN = "unknown"  # undecidable


_ALARMS = (Verdict.BYPASS, Verdict.FORGERY, Verdict.REWRITTEN)


class Report(NamedTuple):
    """What a host reports that it ran, independently of the log (a transcript, a trace)."""

    session: str
    call: str
    digest: str


class ObservedChanges(NamedTuple):
    """What was observed."""

    seen: tuple[Difference, ...] = ()
    existed: frozenset[str] = frozenset()  # the paths of the first picture
    root: str = ""  # the workspace; empty if it was not observed
    home: str = ""
    counted: bool = False  # every single `write`, `delete` and `chmod` was seen (a trace), not the sum (two pictures)
    unread: tuple[str, ...] = ()  # paths that could not be read in a picture
    reports: tuple[Report, ...] = ()


class Finding(NamedTuple):
    """The verdict on one change or call."""

    verdict: Verdict
    op: str
    target: str
    records: tuple[int, ...]
    reason: str


class Comparison(NamedTuple):
    """Everything that was compared, and what could not be."""

    findings: tuple[Finding, ...]
    unobserved: Mapping[str, int]  # capabilities that were used and leave no observable change here, with their counts

    @property
    def holds(self) -> bool:
        """Whether nothing contradicts it. Unknown results do not; they are reported."""
        return not any(finding.verdict in _ALARMS for finding in self.findings)


def compare(records: Iterable[Record], world: ObservedChanges) -> Comparison:
    """Compare the records of a part of the log with what the world shows of it."""
    known = calls(records)
    findings = [finding for key, call in known.items() for finding in _call(key, call)]
    findings += [finding for report in world.reports for finding in _report(report, known)]
    claimed: list[Claim] = []
    unobserved: Counter[str] = Counter()
    for call in known.values():
        found, unseen = claims(call, world.root, world.home)
        claimed += found if world.root else []
        unobserved.update(unseen)
        if not world.root:
            unobserved.update("changes of files" for _ in found)
    claimed.sort(key=lambda claim: claim.number)
    findings += _world(claimed, world)
    return Comparison(tuple(findings), dict(sorted(unobserved.items())))


def _call(key: tuple[str, str], call: LoggedCall) -> list[Finding]:
    """(1) Compare a call as the log describes it."""
    out: list[Finding] = []
    target = f"call {key[1]}"
    ends = [record for record in call.effects if record.entry.outcome is not Outcome.UNDONE]
    numbers = tuple(record.number for record in (*call.decisions, *ends))
    op = (*call.decisions, *call.effects)[0].entry.tool
    if call.admitted and not call.effects:
        reason = "it was let through, and its end was not recorded: a crash, a host that does not report it, or it still runs"
        return [Finding(Verdict.UNKNOWN, op, target, numbers, reason)]
    judged = {record.entry.judged for record in call.decisions} - {""}
    for record in ends:
        ran = record.entry.ran
        against = judged or ({record.entry.judged} - {""})
        if record.entry.outcome is Outcome.UNKNOWN:
            out.append(Finding(Verdict.UNKNOWN, op, target, numbers, "its end was not recorded; it may have run"))
        elif not call.admitted:
            reason = "it ran, and it was denied" if call.decisions else "it ran, and no person was asked"
            out.append(Finding(Verdict.BYPASS, op, target, numbers, reason))
        elif ran and against and ran not in against:
            reason = "what ran is not what was judged: the input was rewritten after the decision"
            out.append(Finding(Verdict.REWRITTEN, op, target, numbers, reason))
        else:
            out.append(Finding(Verdict.MATCHED, op, target, numbers, "admitted, and ran"))
    return out


def _report(report: Report, known: Mapping[tuple[str, str], LoggedCall]) -> list[Finding]:
    """(1) Compare a call as a host reports it, independently of the log."""
    call = known.get((report.session, report.call))
    target = f"call {report.call}"
    if call is None or not call.admitted:
        return [Finding(Verdict.BYPASS, "ran", target, (), "the host ran it, and the log did not let it through")]
    numbers = tuple(record.number for record in call.decisions)
    judged = {record.entry.judged for record in call.decisions} - {""}
    if judged and report.digest and report.digest not in judged:
        return [Finding(Verdict.REWRITTEN, "ran", target, numbers, "the host ran another input than the judged one")]
    return [Finding(Verdict.MATCHED, "ran", target, numbers, "the host ran what was judged")]


def _world(claimed: list[Claim], world: ObservedChanges) -> list[Finding]:
    """(2) to (5) The changes of the workspace."""
    must: dict[str, list[Claim]] = {}
    for claim in claimed:
        if claim.target:
            must.setdefault(claim.target, []).append(claim)
    expected = _expected(must, world)
    seen = Counter((item.op, item.target) for item in world.seen)
    out: list[Finding] = []
    for op, target in sorted(expected.keys() | seen.keys()):
        wanted, here = expected[op, target], seen[op, target]
        if wanted and not here and op in ("change", "chmod"):
            here = min(wanted, seen["touch", target])  # what was written is what was there
        both = min(wanted, here)
        numbers = tuple(claim.number for claim in must.get(target, ()))
        out += [Finding(Verdict.MATCHED, op, target, numbers, "recorded, and seen")] * both
        if wanted > both:
            out += [_not_seen(op, target, numbers, claimed, world)] * (wanted - both)
        if here > both and op != "touch":
            out += [_besides(op, target, claimed, must)] * (here - both)
    folders = {item.target for item in world.seen if item.folder}
    explained = {finding.target for finding in out if finding.verdict in (Verdict.MATCHED, Verdict.UNKNOWN)}
    return [_with_folder(finding, folders, explained) for finding in out]


def _expected(must: Mapping[str, list[Claim]], world: ObservedChanges) -> Counter[tuple[str, str]]:
    if world.counted:
        return Counter((change, claim.target) for found in must.values() for claim in found for change in claim.changes)
    return Counter(item for target, found in must.items() for item in _folded(target, found, world.existed))


def _folded(target: str, found: list[Claim], existed: frozenset[str]) -> list[tuple[str, str]]:
    """Return what two pictures can show of everything that was recorded of one path, in the order of the log."""
    before = after = target in existed
    for claim in found:
        after = "write" in claim.changes if claim.changes & {"write", "delete"} else after
    written = any(claim.changes & {"write", "delete"} for claim in found)
    out = [(_AS_MADE[before, after], target)] if written and (before, after) in _AS_MADE else []
    if before and after and any("chmod" in claim.changes for claim in found):
        out.append(("chmod", target))
    return out


def _not_seen(op: str, target: str, numbers: tuple[int, ...], claimed: list[Claim], world: ObservedChanges) -> Finding:
    """(4) and (5) Report what was recorded and not observed."""
    if any(target == path or target.startswith(f"{path}/") or path == "." for path in world.unread):
        return Finding(Verdict.UNKNOWN, op, target, numbers, "the path could not be read")
    others = [claim for claim in claimed if not claim.target and _covers(claim, target)]
    if others:
        reason = f"recorded, and not seen; record {others[-1].number} allowed changes there that may have undone it"
        return Finding(Verdict.UNKNOWN, op, target, (*numbers, others[-1].number), reason)
    return Finding(Verdict.FORGERY, op, target, numbers, "recorded, and the world does not show it")


def _besides(op: str, target: str, claimed: list[Claim], must: Mapping[str, list[Claim]]) -> Finding:
    """(3), (4) and (5) Report further observed changes."""
    change = _CHANGE_OF.get(op, op)
    fitting = [
        claim for claim in claimed if not claim.target and change in claim.changes and _covers(claim, target, op)
    ]
    done = [claim for claim in fitting if not claim.open]
    if done:
        return Finding(Verdict.MATCHED, op, target, (done[-1].number,), "in the scope of what was admitted")
    above = [name for name in must if target.startswith(f"{name}/") and op == "delete"]
    numbers = [claim.number for name in above for claim in must[name] if "delete" in claim.changes]
    if numbers:
        return Finding(Verdict.MATCHED, op, target, (numbers[-1],), "the folder around it was deleted")
    if fitting:
        reason = "seen, and let through by a call whose end was not recorded"
        return Finding(Verdict.UNKNOWN, op, target, (fitting[-1].number,), reason)
    if op == "change" and f"/{target}".endswith("/.git/index"):
        reason = "git writes its index anew whenever it looks at the files; what is added makes objects, which are seen"
        return Finding(Verdict.UNKNOWN, op, target, (), reason)
    return Finding(Verdict.BYPASS, op, target, (), "seen, and nothing that was admitted explains it")


def _covers(claim: Claim, target: str, op: str = "") -> bool:
    if claim.scope == GIT:
        inside = target.rpartition(".git/")[2]
        if op == "ref":
            return True
        if inside == "config" or inside.startswith("hooks/"):
            return False  # what runs automatically is not a commit
    parts = tuple(escape(part) for part in target.split("/"))
    return claim.scope == ANY_SCOPE or covers(claim.scope, PathScope(WORKSPACE, parts))


def _with_folder(finding: Finding, folders: set[str], explained: set[str]) -> Finding:
    """A new folder is explained by what appeared in it: writing a file creates the folders above it."""
    if finding.verdict is not Verdict.BYPASS or finding.op != "create" or finding.target not in folders:
        return finding
    inside = any(target.startswith(f"{finding.target}/") for target in explained)
    return finding._replace(verdict=Verdict.MATCHED, reason="made for what was written in it") if inside else finding
