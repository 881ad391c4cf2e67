"""A script downloads a file and runs it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.effect import Effect, Origin
from remit.core.patterns import lazy_pattern
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
from remit.core.via import WHOLE, Cause
from remit.findings.evidence import by_effect, by_flow, is_text
from remit.findings.hosts import URL, is_installer, kind_of
from remit.findings.model import Finding, Rule, Severity
from remit.findings.trust import HostStanding, publisher_known, standing

if TYPE_CHECKING:
    from remit.core.flow import Endpoint, Flow
    from remit.core.location import Location
    from remit.findings.subject import Subject


def find(subject: Subject) -> Iterator[Finding]:
    """Text of a host that is run as code, and files that are written of what a host gives, and run or loaded."""
    every = (effect.scope for effect in subject.with_capability("source.execute"))
    run = [scope for scope in every if isinstance(scope, PathScope) and not _is_data(scope)]
    for flow in subject.flows:
        source, sink = flow.source, flow.sink
        if source.capability not in _FETCHES or not _is_code(subject, sink, run):
            continue
        if (
            isinstance(source.scope, SymbolScope)
            and sink.capability == "shell.execute"
            and not _LEFT_OUT.search(subject.line(source.where))
        ):
            yield by_flow(RULE, subject, flow, Severity.HIGH, "runs commands that it takes from web pages")
        if (
            isinstance(source.scope, AnyScope)
            and sink.capability in _WRITES
            and source.where.file not in subject.documents
            and not _asks_database(subject, source)
        ):
            yield by_flow(
                RULE, subject, flow, Severity.HIGH, "downloads code from a host that cannot be seen and runs it"
            )
        if not isinstance(source.scope, HostScope):
            continue
        if source.where.file in subject.documents and not _is_together(flow):
            continue  # what the agent installs is not what a script runs; one command is another rule's
        host = source.scope.host.removeprefix("*.")
        if "." not in host or kind_of(host) == "local" or is_installer(host, _path_at(subject, source.where)):
            continue
        severity = _severity(
            subject, host, _path_at(subject, source.where), instructed=flow.origin is Origin.INSTRUCTED
        )
        yield by_flow(RULE, subject, flow, severity, f"downloads code from {host} and runs it")
    yield from _instructed(subject)


_LEFT_OUT = lazy_pattern(r"(?:\u2026|\.{3})[\s\"']*\|")  # an address that is not given: nobody can run that


def _instructed(subject: Subject) -> Iterator[Finding]:
    """Files that a document tells the agent to download by one command, to unpack by another, and to run below it."""
    for effect in subject.with_capability("source.execute"):
        if effect.where.file not in subject.documents or not isinstance(effect.scope, PathScope):
            continue
        for other in subject.with_capability("file.write"):
            if not _is_before(other, effect) or not isinstance(other.scope, PathScope):
                continue
            if not _is_same_file(effect.scope, other.scope) and not _unpacks(other, effect.scope):
                continue
            for host, path in _fetched(subject, other):
                if "." in host and kind_of(host) != "local" and not is_installer(host, path):
                    severity = _severity(subject, host, path, instructed=True)
                    yield by_effect(RULE, subject, effect, severity, f"downloads code from {host} and runs it")


def _is_before(first: Effect, second: Effect) -> bool:
    return first.where.file == second.where.file and 0 < second.where.line - first.where.line <= _NEAR


def _unpacks(write: Effect, run: PathScope) -> bool:
    """Whether a file that is run may be one that an archive held."""
    scope = write.scope
    return (
        write.via.name.partition(" ")[0] in _UNPACKERS
        and isinstance(scope, PathScope)
        and scope.parts[-1:] == (DEEP,)
        and run.anchor == scope.anchor
        and "*" not in "".join(run.parts)
        and covers(scope, run)
    )


def _fetched(subject: Subject, write: Effect) -> Iterator[tuple[str, str]]:
    """What a command downloads to the file that it writes, or what stands above a command that unpacks it."""
    unpacks = write.via.name.partition(" ")[0] in _UNPACKERS
    for fetch in subject.with_capability("web.fetch"):
        if isinstance(fetch.scope, HostScope) and (
            fetch.where == write.where or (unpacks and _is_before(fetch, write) and _keeps(subject, fetch))
        ):
            yield fetch.scope.host, _path_at(subject, fetch.where)


def _keeps(subject: Subject, fetch: Effect) -> bool:
    """Whether a download is written to a file."""
    return any(effect.capability == "file.write" for effect in subject.by_line[fetch.where])


_UNPACKERS = frozenset("unzip tar bsdtar 7z 7za unrar unar gunzip ditto".split())


def _is_together(flow: Flow) -> bool:
    """Whether two commands of a document belong together, or one command writes a file."""
    source, sink = flow.source.where, flow.sink.where
    if source.file != sink.file or (source == sink and flow.sink.capability not in _WRITES):
        return False
    return 0 <= sink.line - source.line <= _NEAR


def _is_code(subject: Subject, sink: Endpoint, run: list[PathScope]) -> bool:
    """Whether a flow ends where its data is run: at once, or as a file that the skill runs or is made of."""
    if sink.capability in ("source.execute", "shell.execute"):
        whole = sink.capability == "source.execute" and (sink.scope == _FROM_NETWORK or _is_whole(subject, sink))
        return whole or (is_text(sink.scope) and _WHOLE.search(subject.line(sink.where)) is not None)
    if sink.capability not in _WRITES or not isinstance(sink.scope, PathScope) or _is_folder(subject, sink):
        return False
    if sink.scope.anchor == SKILL:
        if "/".join(sink.scope.parts) == sink.where.file and _may_be_any(subject, sink):
            return False  # a file from the arguments, the first of which is the script
        name = sink.scope.parts[-1] if sink.scope.parts else ""
        return name.endswith(_PROGRAMS) and "*" not in name
    if _is_data(sink.scope):
        return False
    if sink.scope.anchor not in _KEPT:
        return False
    made = (
        effect.scope for effect in subject.with_capability("file.chmod") if _CHMOD.search(subject.line(effect.where))
    )
    started = [scope for scope in made if isinstance(scope, PathScope)]
    return any(_is_same_file(scope, sink.scope) for scope in (*run, *started))


def _may_be_any(subject: Subject, sink: Endpoint) -> bool:
    """Whether what writes a file may write any other."""
    here = subject.by_line.get(sink.where, ())
    return any(effect.capability == sink.capability and isinstance(effect.scope, AnyScope) for effect in here)


def _asks_database(subject: Subject, source: Endpoint) -> bool:
    """Whether the connection is that of a client of databases, which downloads no code."""
    here = subject.by_line.get(source.where, ())
    return source.capability == "net.connect" and any(effect.capability.startswith("db.") for effect in here)


def _is_folder(subject: Subject, sink: Endpoint) -> bool:
    """Whether what is written there is a new folder, whose mode says nothing about code."""
    here = (effect for effect in subject.by_line.get(sink.where, ()) if effect.scope == sink.scope)
    return any(effect.via.name.rpartition(".")[2].startswith(("mkdir", "makedirs")) for effect in here)


def _is_whole(subject: Subject, sink: Endpoint) -> bool:
    """Whether all of the code that is run at a place comes from elsewhere."""
    return any(
        effect.capability == "source.execute" and effect.via.cause is Cause.CODE and effect.via.option == WHOLE
        for effect in subject.by_line.get(sink.where, ())
    )


def _severity(subject: Subject, host: str, path: str, *, instructed: bool) -> Severity:
    who = standing(subject, host, instructed=instructed)
    if kind_of(host) == "code" or who is HostStanding.VENDOR:
        if instructed:
            return Severity.LOW  # a person sees whose repository it is
        owner = "/".join(path.lower().strip("/").split("/")[:2])
        return Severity.MEDIUM if not owner or owner in subject.written else Severity.HIGH
    if who is HostStanding.STATED or (instructed and who is HostStanding.ECHOED):
        return Severity.LOW if publisher_known(subject, host) == "announced" else Severity.MEDIUM
    return Severity.HIGH


def _path_at(subject: Subject, where: Location) -> str:
    """The path of the address that is fetched, as far as it stands on the line."""
    return next((found[2] or "" for found in URL.finditer(subject.line(where))), "")


def _is_data(scope: PathScope) -> bool:
    return scope.parts[-1:] != () and scope.parts[-1].endswith(_DATA)


def _is_same_file(run: PathScope, written: PathScope) -> bool:
    """Whether both are one file, not only folders that have something in common."""
    if written.anchor == ROOT and {"*", DEEP}.issuperset(written.parts):
        return False  # anywhere is no place
    if written.parts[-1:] == (DEEP,) and written.anchor != WORKSPACE and len(written.parts) > 1:
        return "*" not in "".join(run.parts) and covers(written, run)  # an archive is unpacked there
    names = {run.parts[-1:], written.parts[-1:]}
    return len(names) == 1 and names.isdisjoint({(), ("*",), (DEEP,)}) and overlaps(run, written)


# The data is the code as a whole, not a word of a command that the script writes itself.
_WHOLE = lazy_pattern(
    r"\bnew Function\(|(?<![\w)]\.)\b(?:exec|eval|compile)\s*\(\s*(?!f?[\"'`])|\b(?:cp|child_process)\.exec\(\s*(?![\"'`])|\b(?:(?:pickle|marshal|dill|joblib|cloudpickle|torch)\.loads?|exec_module|runInNewContext|runInThisContext|runInContext|import_module|run_path|_compile|system|popen|execSync|getoutput|getstatusoutput|create_subprocess_shell)\s*\(\s*(?!f?[\"'`])"
    r"|\b(?:Popen|run|call|check_output|spawn)\(\s*(?!f?[\"'`])[^\n]*shell\s*[=:]\s*[Tt]rue"
    r"|\beval\s+[\"']?\$|\b(?:source|bash|sh|zsh)\s+(?:-c\s+[\"']?\$|[\"']?\$(?!\{?\w+\}?[\"']?/))|<\(|\|\s*(?:\w+\s+)?(?:ba|z|da)?sh\b|\|\s*(?:python3?|node|perl|ruby)\b(?!\s+-[mc])"
)
_FROM_NETWORK = PathScope("<net>", ())
_CHMOD = lazy_pattern(r"\+\w*x|\b[0-7]?7[0-7]{2}\b|S_IX|0o7")
_NEAR = 12  # lines of a document between commands that belong together
_FETCHES = frozenset({"web.fetch", "web.post", "net.connect", "api.call"})
_DATA = (".json", ".yaml", ".yml", ".toml", ".csv", ".txt", ".md", ".html", ".xml", ".env")
_PROGRAMS = (".py", ".js", ".mjs", ".ts", ".sh", ".rb", ".pl", ".md")
_WRITES = frozenset({"file.write", "source.write"})
_KEPT = frozenset({TEMP, HOME, WORKSPACE, ROOT})  # places that the skill itself names

RULE = Rule(
    "downloaded-code-run",
    "remote code",
    "a file is downloaded, and run later",
    Severity.HIGH,
    "The owner of the address decides what runs on the machine, on every run, and the code cannot be reviewed in advance.",
    "Vendors' own installers of well-known tools, hosts that the text names, and local hosts.",
    "Ship the code with the skill, or verify the digest of the download before you run it.",
    find,
)
