"""A script downloads a file and runs it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from remit.core.effect import Origin
from remit.core.scope import (
    DEEP,
    HOME,
    ROOT,
    SKILL,
    TEMP,
    WORKSPACE,
    AnyScope,
    HostScope,
    PathScope,
    SymbolScope,
    covers,
    overlaps,
)
from remit.findings.evidence import by_flow
from remit.findings.hosts import URL, is_installer, kind_of
from remit.findings.model import Rule, Severity
from remit.findings.trust import Standing, publisher_known, standing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.core.flow import Endpoint, Flow
    from remit.findings.model import Finding
    from remit.findings.subject import Subject


def find(subject: Subject) -> Iterator[Finding]:
    """Text of a host that is run as code, and files that are written of what a host gives, and run or loaded."""
    run = [effect.scope for effect in subject.with_capability("source.execute") if isinstance(effect.scope, PathScope)]
    for flow in subject.flows:
        source, sink = flow.source, flow.sink
        if source.capability not in _FETCHES or not _is_code(subject, sink, run):
            continue
        if isinstance(source.scope, SymbolScope) and sink.capability == "shell.execute":
            yield by_flow(RULE, subject, flow, Severity.HIGH, "runs commands that stand in pages of the web")
        if not isinstance(source.scope, HostScope):
            continue
        if source.where.file in subject.documents and (
            source.where.file != sink.where.file or not 0 < sink.where.line - source.where.line <= _NEAR
        ):
            continue  # what the agent installs is not what a script runs; one command is another rule's
        host = source.scope.host.removeprefix("*.")
        if "." not in host or kind_of(host) == "local" or is_installer(host, _path_at(subject, flow)):
            continue
        message = f"downloads code from {host} and runs it"
        yield by_flow(RULE, subject, flow, _severity(subject, host, flow), message)


def _is_code(subject: Subject, sink: Endpoint, run: list[PathScope]) -> bool:
    """Whether a flow ends where its data is run: at once, or as a file that the skill runs or is made of."""
    if sink.capability in ("source.execute", "shell.execute"):
        return isinstance(sink.scope, AnyScope) and _WHOLE.search(subject.line(sink.where)) is not None
    if sink.capability not in _WRITES or not isinstance(sink.scope, PathScope):
        return False
    if sink.scope.anchor == SKILL:
        name = sink.scope.parts[-1] if sink.scope.parts else ""
        return name.endswith(_PROGRAMS) and "*" not in name
    if sink.scope.parts[-1:] != () and sink.scope.parts[-1].endswith(_DATA):
        return False
    if sink.scope.anchor not in _KEPT:
        return False
    made = (
        effect.scope for effect in subject.with_capability("file.chmod") if _CHMOD.search(subject.line(effect.where))
    )
    started = [scope for scope in made if isinstance(scope, PathScope)]
    return any(_is_same_file(scope, sink.scope) for scope in (*run, *started))


def _severity(subject: Subject, host: str, flow: Flow) -> Severity:
    who = standing(subject, host, instructed=flow.origin is Origin.INSTRUCTED)
    if kind_of(host) == "code" or who is Standing.VENDOR:
        owner = "/".join(_path_at(subject, flow).lower().strip("/").split("/")[:2])
        return Severity.MEDIUM if not owner or owner in subject.written else Severity.HIGH
    if who is Standing.STATED:
        return Severity.LOW if publisher_known(subject, host) == "announced" else Severity.MEDIUM
    return Severity.HIGH


def _path_at(subject: Subject, flow: Flow) -> str:
    """The path of the address that is fetched, as far as it stands on the line."""
    return next((found[2] or "" for found in URL.finditer(subject.line(flow.source.where))), "")


def _is_same_file(run: PathScope, written: PathScope) -> bool:
    """Whether both are one file, not only folders that have something in common."""
    if written.parts[-1:] == (DEEP,) and _is_temporary(written):
        return (
            _is_temporary(run) and "*" not in "".join(run.parts) and covers(written, run)
        )  # an archive is unpacked there
    names = {run.parts[-1:], written.parts[-1:]}
    return len(names) == 1 and names.isdisjoint({(), ("*",), (DEEP,)}) and overlaps(run, written)


def _is_temporary(scope: PathScope) -> bool:
    return scope.anchor == TEMP or (scope.anchor == ROOT and scope.parts[:1] == ("tmp",))


# The data is the code as a whole, not a word of a command that the script writes itself.
_WHOLE = re.compile(
    r"\bnew Function\(|\b(?:exec|eval|compile|(?:pickle|marshal|dill|joblib|cloudpickle|torch)\.loads?|exec_module|runInNewContext|runInThisContext|runInContext|import_module|run_path|_compile|system|popen|Popen|run|call|check_output|execSync|exec|spawn)\s*\(\s*(?!f?[\"'`])"
    r"|\b(?:eval|source|bash|sh|zsh)\s+(?:-c\s+)?[\"']?\$|<\(|\|\s*(?:\w+\s+)?(?:ba|z|da)?sh\b|\|\s*(?:python3?|node|perl|ruby)\b(?!\s+-[mc])"
)
_CHMOD = re.compile(r"\+\w*x|\b[0-7]?7[0-7]{2}\b|S_IX|0o7")
_NEAR = 12  # lines of a document between commands that belong together
_FETCHES = frozenset({"web.fetch", "web.post", "net.connect", "api.call"})
_DATA = (".json", ".yaml", ".yml", ".toml", ".csv", ".txt", ".md", ".html", ".xml")
_PROGRAMS = (".py", ".js", ".mjs", ".ts", ".sh", ".rb", ".pl", ".md")
_WRITES = frozenset({"file.write", "source.write"})
_KEPT = frozenset({TEMP, HOME, WORKSPACE, ROOT})  # places that the skill itself names

RULE = Rule(
    "downloaded-code-run",
    "remote code",
    "a file is downloaded and run, at any distance",
    Severity.HIGH,
    "The owner of the address decides what runs on the machine, at every run anew, and no version of it can be reviewed.",
    "Vendors' own installers of well-known tools, hosts that the text names, and hosts of this machine.",
    "Ship the code with the skill, or compare the digest of what was downloaded before it runs.",
    find,
)
