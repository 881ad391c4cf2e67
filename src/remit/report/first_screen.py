"""The first screen: whether to install a skill, its findings, what it does and what it never does.

It is built once as rows, which terminal, Markdown and HTML each render. Words from a skill are not yet escaped:
renderers do that.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from remit.core.capability import vocabulary
from remit.core.counting import counted
from remit.core.effect import Origin
from remit.core.flow import Endpoint, Flow, fetches_for_itself
from remit.core.scope import AnyScope, HostScope, NameScope, PathScope, Scope, ScopeKind, SymbolScope
from remit.findings.guarantees import Certain, Guarantee, GuaranteeStatus, GuaranteeSubject, deletes, reads_secret
from remit.findings.hosts import is_users_own
from remit.findings.model import Basis, Confidence, Finding, Level, Role, Severity
from remit.findings.wording import is_kept_by_client, secret_words
from remit.proof import Verdict

if TYPE_CHECKING:
    from remit.checker.report import Report

LINES = 12  # rows of the whole screen, at most
FINDINGS = 3  # findings on it, at most


class RowKind(StrEnum):
    """The kind of a row, in the order of the screen."""

    FINDING = "finding"
    MORE = "more"  # how many findings are not shown
    ACCEPTED = "accepted"
    MANIFEST = "manifest"
    NETWORK = "network"
    SECRETS = "secrets"
    CODE = "code"
    APPROVED = "approved"  # tools that the agent may use without asking
    UNATTENDED = "unattended"
    LASTING = "lasting"  # what cannot be undone
    WORK = "work"
    OPAQUE = "opaque"
    UNREAD = "unread"
    GUARANTEES = "guarantees"
    CONDITIONAL = "conditional"  # guarantees with what would break them
    HINT = "hint"


class ScreenRow(NamedTuple):
    """One row: a sentence that begins with `text` and lists `items`, the last of which may be left out for lack of
    space.
    """

    kind: RowKind
    text: str
    items: tuple[str, ...] = ()
    detail: tuple[str, ...] = ()  # of a finding: the steps that show it, from source to sink
    severity: Severity | None = None  # of a finding
    end: str = ""  # what follows the items

    @property
    def whole(self) -> str:
        """Return the sentence with all of its items."""
        return self.few(len(self.items))

    def few(self, most: int) -> str:
        """Return the sentence with a number of its items."""
        more = f" and {len(self.items) - most} more" if len(self.items) > most else ""
        return f"{self.text}{', '.join(self.items[:most])}{more}{self.end}"

    @property
    def way(self) -> str:
        """Return the steps of a finding."""
        return "  →  ".join(self.detail)


class InstallAnswer(NamedTuple):
    """Whether to install a skill: a level, or `failed` (unreadable) or `outside` (of its manifest), in words too."""

    name: str
    words: str


ANSWERS = ("failed", Level.BLOCK, Level.REVIEW, "outside", Level.CLEAR)  # the worst first


def answer_of(report: Report) -> InstallAnswer:
    """Return the answer in a few words."""
    if report.failure and report.level is not Level.BLOCK:
        return InstallAnswer("failed", "its manifest cannot be read" if report.found.effects else "cannot be read")
    if report.level is Level.CLEAR and (report.containment.escapes or report.unproven):
        return InstallAnswer(
            "outside", "outside of its manifest" if report.containment.escapes else "may leave its manifest"
        )
    return InstallAnswer(report.level, report.level.words)


def why(report: Report) -> str:
    """Return what decides the answer, or what the skill never does."""
    if report.failure and report.level is not Level.BLOCK:
        return report.failure.message
    if row := deciding_row(report):
        return row.whole
    rest = report.headline.removeprefix(report.level.words).removeprefix(", ")
    never = [row.whole for row in _guarantees(report)]
    return "; ".join(filter(None, [rest, *never]))


def deciding_row(report: Report) -> ScreenRow | None:
    """Return the row that says most about a problem: the worst finding, or what is or may be outside of the manifest."""
    if report.level is not Level.CLEAR and report.concerns:
        return finding_row(report.concerns[0])
    if report.unproven:
        return next(_opaque(report, Certain(report.found)), None)
    return next(_manifest(report), None) if report.containment.escapes else None


# ── the rows ──


def first_screen(report: Report, findings: int = FINDINGS) -> list[ScreenRow]:
    """Return the rows below the headline, in order, with a limited number of findings."""
    if report.failure and not report.found.effects:
        return [ScreenRow(RowKind.HINT, report.failure.remedy)] if report.failure.remedy else []
    found = Certain(report.found)
    rows = [*_findings(report, findings), *_accepted(report), *_manifest(report), *_network(report, found)]
    rows += [*_secrets(report, found), *_code(report, found), *_approved(found), *_unattended(found), *_lasting(found)]
    if report.level is not Level.BLOCK:
        rows += [*_work(found, report), *_opaque(report, found), *_unread(report), *_guarantees(report)]
    else:
        rows += _opaque(report, found)
    return [*rows, _hint(report)]


def _findings(report: Report, most: int) -> Iterator[ScreenRow]:
    shown = [finding for finding in report.concerns if finding.severity is not Severity.INFO]
    if report.level is not Level.CLEAR:  # a remark must not separate a person from what decides
        shown = [finding for finding in shown if finding.severity is not Severity.LOW]
    else:  # and words alone that make no concern are none
        shown = [finding for finding in shown if not _is_wording(finding)]
    few = shown[:most]
    yield from map(finding_row, few)
    more = len(report.concerns) - len(few) if few else 0
    if more:
        yield ScreenRow(RowKind.MORE, f"… and {counted(more, 'more finding')} (-v shows all)")


def _is_wording(finding: Finding) -> bool:
    """Whether a finding rests on how a text is worded, and on nothing that happens."""
    said = all(item.role is Role.TEXT for item in finding.witnesses)
    return said and finding.confidence is not Confidence.HIGH


def finding_row(finding: Finding) -> ScreenRow:
    """Return a finding: its message, and where it is shown: the data flow, or the words in quotes."""
    steps = tuple(f"{item.where}{_said(item.role, item.text)}" for item in finding.witnesses)
    basis = _BASES.get(finding.basis, "")
    return ScreenRow(RowKind.FINDING, finding.message, detail=steps, severity=finding.severity, end=basis)


_BASES = {
    Basis.SAMPLE: " (in a sample)",
    Basis.CONDITION: " (if a value begins with a dash)",
    Basis.HOOK: " (runs by itself)",
}


def _said(role: Role, text: str) -> str:
    if not text:
        return ""
    return f' "{text}"' if role is Role.TEXT else f" {text}"


def _accepted(report: Report) -> Iterator[ScreenRow]:
    found = report.acceptances
    if found.accepted:
        items = tuple(f"{item.finding.message} ({item.finding.where})" for item in found.accepted)
        yield ScreenRow(RowKind.ACCEPTED, f"accepted in {report.manifest_name}: ", items)
    if found.void:
        items = tuple(f"{item.entry.finding} {item.entry.where}: {item.reason}" for item in found.void)
        yield ScreenRow(RowKind.ACCEPTED, "no longer accepted: ", items)


def _manifest(report: Report) -> Iterator[ScreenRow]:
    if report.failure:
        remedy = f". To do: {report.failure.remedy}" if report.failure.remedy else ""
        yield ScreenRow(RowKind.MANIFEST, f"{report.failure.message}{remedy}")
    if report.manifest is None:
        return
    name, verdict = report.manifest_name, report.verdict
    denied = len(report.containment.denied)
    tries = f"; tries {counted(denied, 'thing')} that it denies" if denied else ""
    if verdict is Verdict.ESCAPES:
        effects = list(dict.fromkeys((item.effect.capability, item.effect.scope.render(), str(item.effect.where))
                                     for item in report.containment.escapes))  # fmt: skip
        items = tuple(f"{capability} {scope} ({where})" for capability, scope, where in effects)
        yield ScreenRow(RowKind.MANIFEST, f"outside of {name}: ", items, end=tries)
    elif verdict is Verdict.OPAQUE:
        yield ScreenRow(RowKind.MANIFEST, f"stays inside {name}, except for what is not understood{tries}")
    else:
        needed = any(item.kind != "assumption" for item in report.containment.residuals)
        yield ScreenRow(RowKind.MANIFEST, f"stays inside {name}{' if its conditions hold' if needed else ''}{tries}")


# ── what leaves ──


_LOCAL = ("localhost", "127.0.0.1", "::1")
THIS_MACHINE, ANY_HOST = "this machine", "any host"


def _host(scope: Scope) -> str:
    """Return a host in words."""
    if isinstance(scope, AnyScope):
        return ANY_HOST
    if isinstance(scope, HostScope) and not scope.host.startswith("<"):
        if scope.host in _LOCAL:
            return THIS_MACHINE
        if is_users_own(scope.host):
            return f"hosts {_named_by(scope)}"
        return scope.host if scope.port in (None, 80, 443) else scope.render()
    return f"hosts {_named_by(scope)}"


_NAMED_BY = {"<model>": "the agent chooses", "<file>": "that a file names", "<net>": "that a server names"}


def _named_by(scope: Scope) -> str:
    """Return who decides at run time what a scope is."""
    if isinstance(scope, SymbolScope):
        symbol = scope.symbol
    else:
        symbol = scope.host if isinstance(scope, HostScope) else scope.symbol if isinstance(scope, PathScope) else ""
    return _NAMED_BY.get(symbol, "you name")


def _flows(report: Report, found: Certain) -> Iterator[Flow]:
    """Return data flows, without those that only samples show and those that need a value that begins with a dash."""
    certain = {Endpoint(effect.capability, effect.scope, effect.where) for effect in found.effects}
    return (flow for flow in report.found.flows if flow.sink in certain)


def _is_host(capability: str) -> bool:
    return vocabulary()[capability].scope_kind is ScopeKind.HOST


def _network(report: Report, found: Certain) -> Iterator[ScreenRow]:
    reached = [effect for effect in found.effects if _is_host(effect.capability) and effect.capability != "net.listen"]
    gets: dict[str, list[str]] = {}
    for flow in _flows(report, found):
        # destinations of secrets are included; that a host's response becomes part of a request to another says little
        if not _is_host(flow.sink.capability) or _is_secret(flow.source) or _is_host(flow.source.capability):
            continue
        if not fetches_for_itself(flow, (effect for effect in found.effects if effect.where == flow.sink.where)):
            gets.setdefault(_host(flow.sink.scope), []).append(_data(flow.source))
    announced: list[str] = []
    others: list[str] = []
    hosts = {_host(effect.scope): effect.scope for effect in reached}
    for host in sorted(hosts, key=lambda host: (host not in gets, host == THIS_MACHINE)):
        shown = f"{host} (gets {' and '.join(_few(gets[host], 2))})" if host in gets else host
        scope = hosts[host]
        unnamed = (
            isinstance(scope, HostScope)
            and host != THIS_MACHINE
            and scope.host not in report.found.described
            and not is_users_own(scope.host)
        )
        (others if unnamed else announced).append(shown)
    if others:
        yield ScreenRow(RowKind.NETWORK, "talks to hosts that its description does not name: ", tuple(others))
    if announced:
        yield ScreenRow(RowKind.NETWORK, "talks to ", tuple(announced))
    listening = [effect.scope for effect in found.effects if effect.capability == "net.listen"]
    if outside := sorted({_host(scope) for scope in listening} - {THIS_MACHINE}):
        yield ScreenRow(RowKind.NETWORK, "waits for connections on ", tuple(outside))


def _data(source: Endpoint) -> str:
    """Return what flows out, in words."""
    scope = source.scope
    if isinstance(scope, NameScope):
        name = scope.pattern.removeprefix("env:")
        return "all environment variables" if name == "*" else name
    if source.capability == "env.read":
        return "all environment variables"
    if is_kept_by_client(scope):
        return secret_words(scope)
    if isinstance(scope, AnyScope):
        return "secrets" if source.capability == "secret.read" else "files"
    return _files_words(scope) if source.capability in _FILES else scope.render()


def _is_secret(source: Endpoint) -> bool:
    return source.capability == "secret.read" or (
        source.capability == "env.read" and isinstance(source.scope, AnyScope)
    )


def _few(words: Iterable[str], most: int) -> list[str]:
    every = list(dict.fromkeys(words))
    return every if len(every) <= most else [*every[:most], f"{len(every) - most} more"]


# ── secrets, code, what happens by itself and what cannot be undone ──


def _secrets(report: Report, found: Certain) -> Iterator[ScreenRow]:
    goes: dict[tuple[str, str], list[str]] = {}
    for flow in _flows(report, found):
        if _is_host(flow.sink.capability):
            key = flow.source.capability, flow.source.scope.render()
            goes.setdefault(key, []).append(_host(flow.sink.scope))
    items: dict[str, None] = {}
    for effect in sorted(filter(reads_secret, found.effects), key=lambda effect: effect.capability == "env.read"):
        name = _data(Endpoint(effect.capability, effect.scope, effect.where))
        sent = goes.get((effect.capability, effect.scope.render()))
        items[f"{name} → {' and '.join(_few(sent, 2))}" if sent else name] = None
    if items:
        secret = any(effect.capability != "env.read" and reads_secret(effect) for effect in found.effects)
        yield ScreenRow(RowKind.SECRETS, "reads secrets: " if secret else "reads ", tuple(items))


def _code(report: Report, found: Certain) -> Iterator[ScreenRow]:
    parts: dict[str, None] = {}
    for flow in _flows(report, found):
        # a named program gets what was fetched as input; code is what could be anything
        runs = flow.sink.capability in ("source.execute", "shell.execute") and isinstance(flow.sink.scope, AnyScope)
        if runs and _is_host(flow.source.capability):
            parts[f"code from {_host(flow.source.scope)} ({flow.sink.where})"] = None
    for effect in found.effects:
        if effect.capability == "package.install":
            parts[_package(effect.scope)] = None
        elif effect.capability == "skill.install":
            parts[f"skills or commands for your agent ({effect.where})"] = None
        elif effect.capability == "container.run" and not effect.via.name.endswith(" exec"):  # that one runs already
            parts[f"container {effect.scope.render()}"] = None
    if parts:
        plain = all(part == part.split(" ", 1)[0] for part in parts)
        yield ScreenRow(RowKind.CODE, "installs " if plain else "installs or fetches code: ", tuple(parts))


def _package(scope: Scope) -> str:
    """Return a package in words; of a list of packages the file that has it."""
    if isinstance(scope, AnyScope):
        return "packages that are not named"
    name = scope.render()
    return f"what {name} lists" if name.endswith(_LISTS) else name


_LISTS = (".json", ".toml", ".txt", ".lock", ".yaml", ".yml", "Gemfile", "Pipfile")


def _approved(found: Certain) -> Iterator[ScreenRow]:
    """Return tools of the agent that its front matter pre-approves."""
    anything = {
        effect.via.name
        for effect in found.approvals
        if effect.capability == "shell.execute" and isinstance(effect.scope, AnyScope)
    }
    if tools := dict.fromkeys(effect.via.name for effect in found.approvals):
        items = tuple(f"{tool} (any command)" if tool in anything else tool for tool in tools)
        yield ScreenRow(RowKind.APPROVED, "your agent need not ask before it uses ", items)


def _unattended(found: Certain) -> Iterator[ScreenRow]:
    """Return what starts automatically: hooks, and jobs and start-up files that it leaves behind."""
    does: dict[str, list[str]] = {}
    for effect in found.effects:
        if effect.origin is Origin.HOOK or effect.capability in ("hook.install", "schedule.create", "profile.write"):
            does.setdefault(str(effect.where), []).append(f"{effect.capability} {effect.scope.render()}")
    if does:
        items = tuple(f"{where} ({', '.join(_few(words, 2))})" for where, words in does.items())
        yield ScreenRow(RowKind.UNATTENDED, "runs by itself: ", items)


_ACTS = {
    "commit.push": ("pushes commits", " to "),
    "publish": ("publishes", " "),
    "message.send": ("sends messages", " to "),
    "pay": ("spends money", ": "),
    "memory.write": ("changes your agent's memory", " "),
    "policy.expand": ("widens your agent's permissions", " "),
    "system.configure": ("changes system settings", ": "),
    "schema.mutate": ("changes database tables", ": "),
    "db.write": ("writes to databases", ": "),
}


def _lasting(found: Certain) -> Iterator[ScreenRow]:
    scopes: dict[tuple[str, str], list[str]] = {}
    for effect in found.effects:
        if deletes(effect):
            scopes.setdefault(("deletes", " "), []).append(_files_words(effect.scope))
        elif effect.capability in _ACTS and effect.origin is not Origin.HOOK:
            words = scopes.setdefault(_ACTS[effect.capability], [])
            if not isinstance(effect.scope, AnyScope):
                words.append(effect.scope.render())
    if scopes:
        items = tuple(
            f"{act}{between}{' and '.join(_few(words, 2))}" if words else act
            for (act, between), words in scopes.items()
        )
        yield ScreenRow(RowKind.LASTING, "cannot be undone: ", items)


# ── what it works on, what is not understood, what it never does ──

_FILES = ("file.read", "file.write", "source.read", "source.write", "secret.read", "file.chmod")
_ORDER = ("files you name", "your project")
_PROGRAMS = ("shell.execute", "process.create")


def _files_words(scope: Scope) -> str:
    """Return files in words."""
    if isinstance(scope, AnyScope):
        return "any file"
    if isinstance(scope, PathScope) and not scope.anchor.startswith("<"):
        return scope.render()
    return f"files {_named_by(scope)}"


def _folder_words(scope: Scope) -> str:
    """Return files in the words of a summary: whose they are, not their names."""
    anchors = {"workspace": "your project", "~": "your home folder", "skill": "", "temp": ""}
    if isinstance(scope, PathScope) and not scope.anchor.startswith("<"):
        top = scope.parts[0] if scope.parts else ""
        return anchors.get(scope.anchor, "files elsewhere" if "*" in top else f"/{top}")
    return _files_words(scope)


# scripts and instructions run everywhere; this says nothing about a skill
_ORDINARY = frozenset(
    "awk basename browser cat cd chmod cp cut date dirname echo env find grep head jq ls mkdir mktemp mv nohup open printf pwd rm sed"
    " sleep sort source tail tar tee test touch tr true uniq unzip wc which xargs zip bash sh python python3 node".split()
)


def _work(found: Certain, report: Report) -> Iterator[ScreenRow]:
    reads, writes = (
        _folders(found, names)
        for names in (("file.read", "source.read"), ("file.write", "source.write", "secret.write"))
    )
    runs = [effect for effect in found.effects if effect.capability in _PROGRAMS]
    runs.sort(key=lambda effect: effect.origin is Origin.INSTRUCTED)
    every = dict.fromkeys(_program(effect.scope) for effect in runs)
    programs = tuple(program for program in every if program not in _ORDINARY and not program.startswith("-"))
    acts = {"works on": reads} if reads == writes else {"reads": reads, "writes": writes}
    on = "; ".join(f"{act} {', '.join(_few(words, 3))}" for act, words in acts.items() if words)
    if programs:
        yield ScreenRow(RowKind.WORK, f"{on}; runs " if on else "runs ", programs)
    elif on:
        yield ScreenRow(RowKind.WORK, on)
    elif not report.found.code and not report.found.effects:
        yield ScreenRow(RowKind.WORK, "only text: it holds no code and no command, and names no file, host or program")


def _folders(found: Certain, capabilities: tuple[str, ...]) -> list[str]:
    """Return whose files some capabilities are on; any file means all of them."""
    scopes = [effect.scope for effect in found.effects if effect.capability in capabilities]
    words = set(map(_folder_words, scopes)) - {""}
    rank = {word: place for place, word in enumerate(_ORDER)}
    return ["any file"] if "any file" in words else sorted(words, key=lambda word: (rank.get(word, len(rank)), word))


def _program(scope: Scope) -> str:
    if isinstance(scope, AnyScope):
        return "any program"
    named = isinstance(scope, NameScope) or (isinstance(scope, PathScope) and not scope.anchor.startswith("<"))
    return scope.render() if named else f"programs {_named_by(scope)}"


def _opaque(report: Report, found: Certain) -> Iterator[ScreenRow]:
    reasons: dict[str, list[str]] = {}
    for item in report.not_understood:
        reasons.setdefault(item.reason, []).append(str(item.where))
    items = tuple(
        f"{places[0]} {reason}{f' (+{len(places) - 1})' if len(places) > 1 else ''}"
        for reason, places in sorted(reasons.items(), key=lambda entry: -len(entry[1]))
    )
    shown = counted(len(found.shown), "location") if found.shown else ""
    if items:
        yield ScreenRow(RowKind.OPAQUE, "not understood: ", items, end=f"; {shown} in samples" if shown else "")
    elif shown and report.level is not Level.BLOCK:
        yield ScreenRow(RowKind.OPAQUE, f"not understood: {shown} in samples, nothing that runs")


def _unread(report: Report) -> Iterator[ScreenRow]:
    if count := len(report.found.unread):
        yield ScreenRow(RowKind.UNREAD, f"not checked: {counted(count, 'sentence')} of its text (-v lists them)")


# the most requested ones; the others follow
_FIRST = ("no-network", "only-installs", "no-secrets", "deletes-no-files", "installs-nothing")
_FEW = 3  # locations that a condition may name here


def _guarantees(report: Report) -> Iterator[ScreenRow]:
    """Return guarantees about its code, for the widest part for which they are known; and those that need a condition."""
    besides = "(not its text) " if report.found.unread else ""
    found = [item for item in report.guarantees if item.claims and item.ident != "only-hosts"]
    found.sort(key=lambda item: _FIRST.index(item.ident) if item.ident in _FIRST else len(_FIRST))
    for about in reversed(GuaranteeSubject):
        if texts := tuple(item.text for item in found if item.about is about):
            yield ScreenRow(RowKind.GUARANTEES, f"{about.words}{besides}", texts)
    groups: dict[GuaranteeStatus, list[str]] = {}
    for item in found:
        if item.about is None and (standing := _nameable(item)):
            groups.setdefault(standing, []).append(item.text)
    for standing, shared in sorted(groups.items(), key=lambda group: -len(group[1]))[
        :1
    ]:  # the others are in the whole report
        notes = " and ".join(condition.note for condition in standing.conditions)
        yield ScreenRow(
            RowKind.CONDITIONAL, f"{standing.about.words}{besides}", tuple(shared), end=f", except possibly {notes}"
        )


def _nameable(item: Guarantee) -> GuaranteeStatus | None:
    """Return the widest part with few enough conditions to name."""
    few = [one for one in item.standings if sum(len(condition.where) for condition in one.conditions) <= _FEW]
    return few[-1] if few else None


def _hint(report: Report) -> ScreenRow:
    path = shlex.quote(report.found.path)
    more = [f"more: remit check {path} -v"]
    if report.manifest is None and report.level is not Level.BLOCK:
        more.append(f"hold it to this: remit init {path}")
    return ScreenRow(RowKind.HINT, "    ".join(more))


def hints(row: ScreenRow) -> list[tuple[str, str]]:
    """Return the next commands of a hint, each with its purpose."""
    parts = [part.partition(": ") for part in row.text.split("    ")]
    return [(label, command) for label, _, command in parts]


def badness(report: Report) -> tuple[int, int, int]:
    """Return a sort key: the worst skill first, by its answer, by its worst finding, by what is outside."""
    worst = report.concerns[0].severity.rank if report.concerns else len(Severity)
    return ANSWERS.index(answer_of(report).name), worst, -len(report.containment.escapes)
