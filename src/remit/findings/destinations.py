"""Whose host it is to which data goes: the service that a credential belongs to, one that the user names, or another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.core.capability import vocabulary
from remit.core.effect import Origin
from remit.core.patterns import lazy_pattern
from remit.core.scope import WORKSPACE, AnyScope, HostScope, NameScope, PathScope, ScopeKind
from remit.findings.hosts import kind_of
from remit.findings.lookalikes import is_well_known
from remit.findings.model import Severity
from remit.findings.subject import owner_words
from remit.findings.trust import is_anonymous, publisher_known
from remit.skill.prose.services import is_listed_service

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.core.flow import Flow
    from remit.core.scope import Scope
    from remit.findings.subject import Subject

_WORD = lazy_pattern(r"[a-z0-9]+")
# Words in the names of variables and files that do not say whose credential it is.
_KINDS = frozenset(
    "api key keys token tokens secret secrets password passwd pass auth access bearer id client app user private refresh"
    " account base url host endpoint env config credentials json yaml toml ssh home local share etc bin default rsa dsa ecdsa ed25519 pem"
    " netrc pgpass cookies keychain wallet".split()
)
_SHORT = 3  # letters of a name that many names begin with
_NEAR = 12  # lines of a document between commands that belong together


def names_of(source: Scope) -> frozenset[str]:
    """The words that say whose credential a variable or a file is."""
    if isinstance(source, NameScope):
        text = source.pattern.removeprefix("env:")
    elif isinstance(source, PathScope):
        text = " ".join(source.parts)
    else:
        return frozenset()
    words = frozenset(_WORD.findall(text.lower().replace("_", " ")))
    return frozenset(word for word in words - _KINDS if len(word) > 2)


def leaving(subject: Subject) -> Iterator[tuple[Flow, HostScope]]:
    """Flows to a known host of others. What the agent is told to run counts only where source and host stand together."""
    for flow in subject.flows:
        sink = flow.sink.scope
        if not isinstance(sink, HostScope) or vocabulary()[flow.sink.capability].scope_kind is not ScopeKind.HOST:
            continue
        host = sink.host.removeprefix("*.")
        if host.startswith("<") or "." not in host or kind_of(host) == "local":
            continue
        if flow.origin is Origin.INSTRUCTED and not _together(flow):
            continue
        yield flow, sink


def _together(flow: Flow) -> bool:
    source, sink = flow.source.where, flow.sink.where
    return source.file == sink.file and abs(source.line - sink.line) <= _NEAR


def belongs_to(source: Scope, sink: HostScope, subject: Subject) -> bool:
    """Whether a credential is expected at a host: it is named for the service, or, if the skill asks the user for it, the
    description speaks of the service."""
    host = sink.host.removeprefix("*.")
    owner = owner_words(host)
    if any(
        mine == other or (len(mine) > _SHORT and other.startswith(mine)) for mine in names_of(source) for other in owner
    ):
        return True
    return is_asked_for(source) and publisher_known(subject, host) == "announced"


def is_asked_for(scope: Scope) -> bool:
    """Variables, and files of settings beside the work: the user puts there what a skill asks for."""
    return isinstance(scope, NameScope) or (isinstance(scope, PathScope) and scope.anchor == WORKSPACE)


def authenticates(subject: Subject, flow: Flow) -> bool:
    """Whether a program uses its own credential to sign in: `ssh` proves that it has a key and sends none."""
    if flow.source.where != flow.sink.where:
        return False
    return any(
        effect.capability == "secret.read"
        and effect.scope == flow.source.scope
        and effect.via.name.split(" ")[0] in _CLIENTS
        for effect in subject.by_line.get(flow.source.where, ())
    )


_CLIENTS = frozenset(
    "ssh scp sftp rsync ssh-copy-id git gh glab aws gcloud gsutil az kubectl helm docker podman npm pnpm yarn pip twine cargo hf psql"
    " mysql heroku vercel fly flyctl netlify wrangler terraform ansible ansible-playbook doctl oc".split()
)


def severity_at(subject: Subject, sink: HostScope, *, asked_for: bool) -> Severity | None:
    """How bad it is that data goes to a host that it does not belong to; `asked_for`: the skill asks the user for it openly."""
    host = sink.host.removeprefix("*.")
    if is_anonymous(host):
        return Severity.CRITICAL
    if is_well_known(host) or is_listed_service(host):
        return Severity.LOW
    if publisher_known(subject, host) or host in subject.prose:
        return Severity.LOW if asked_for else Severity.HIGH
    return Severity.CRITICAL


def has_own(subject: Subject, flow: Flow) -> bool:
    """Whether a credential goes to its own service and the host gets one of its own: two clients of one program that the analysis
    does not tell apart."""
    host = flow.sink.scope.host.removeprefix("*.") if isinstance(flow.sink.scope, HostScope) else ""
    if not (is_well_known(host) or is_listed_service(host) or publisher_known(subject, host)):
        return False  # a variable with a fitting name is easily made up
    goes, gets = False, False
    for other, sink in leaving(subject):
        if other.source.scope == flow.source.scope and belongs_to(other.source.scope, sink, subject):
            goes = True
        if sink == flow.sink.scope and belongs_to(other.source.scope, sink, subject) and _is_credential(other):
            gets = True
    return goes and gets


def _is_credential(flow: Flow) -> bool:
    return flow.source.capability == "secret.read" and not isinstance(flow.source.scope, AnyScope)
