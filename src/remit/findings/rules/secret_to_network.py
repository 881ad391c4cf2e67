"""A credential of the user goes to a host that has nothing to do with it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.effect import Origin
from remit.core.patterns import lazy_pattern
from remit.core.scope import HOME, AnyScope, HostScope, NameScope, PathScope, Scope
from remit.findings.destinations import (
    authenticates,
    belongs_to,
    has_own,
    is_content,
    is_loaded,
    is_only_possible,
    is_own_file,
    is_own_login,
    leaving,
    severity_at,
    together,
)
from remit.findings.evidence import by_effect, by_flow
from remit.findings.model import Finding, Rule, Severity
from remit.findings.trust import publisher_known, standing
from remit.findings.wording import host_words, secret_words

if TYPE_CHECKING:
    from remit.findings.subject import Subject


# Where a cloud machine asks for its own credentials.
_METADATA = frozenset(
    {"169.254.169.254", "169.254.170.2", "metadata.google.internal", "100.100.100.200", "fd00:ec2::254"}
)


def find(subject: Subject) -> Iterator[Finding]:
    """Flows from a credential to a host."""
    yield from _of_workflows(subject)
    yield from _to_unseen_host(subject)
    yield from _published(subject)
    for flow, sink in leaving(subject):
        source = flow.source.scope
        if isinstance(source, HostScope) and source.host in _METADATA:
            if sink.host not in _METADATA:
                message = f"sends the credentials of this cloud machine to {host_words(sink)}"
                yield by_flow(RULE, subject, flow, severity_at(subject, flow, sink), message)
            continue
        if flow.source.capability != "secret.read" or not _is_known(source) or belongs_to(source, sink, subject):
            continue
        if is_own_file(subject, source) and publisher_known(subject, sink.host.removeprefix("*.")):
            continue  # a login that the skill itself has kept
        if is_loaded(subject, flow):
            continue  # the variables that are sent are reported
        if (flow.sink.capability == "container.run" or not authenticates(subject, flow)) and not has_own(subject, flow):
            message = f"sends {secret_words(source)} to {host_words(sink)}"
            severity = severity_at(subject, flow, sink)
            passed = (flow.source.where, *flow.steps)
            if flow.sink.capability == "net.connect" and any(_SIGNS.search(subject.line(step)) for step in passed):
                severity = max(severity, Severity.MEDIUM, key=lambda one: one.rank)  # the host gets signatures
            yield by_flow(RULE, subject, flow, severity, message)


def _published(subject: Subject) -> Iterator[Finding]:
    """Credentials in the home folder that a program is given as what it publishes."""
    for flow in subject.flows:
        source, sink = flow.source, flow.sink
        if source.capability != "secret.read" or sink.capability not in _GIVES_AWAY or not is_content(subject, flow):
            continue
        if is_only_possible(subject, source) or (flow.origin is Origin.INSTRUCTED and not together(flow)):
            continue
        if authenticates(subject, flow):
            continue
        if isinstance(source.scope, PathScope) and source.scope.anchor == HOME:
            verb = "commits and pushes" if sink.capability == "commit.push" else "publishes"
            message = f"{verb} {secret_words(source.scope)}"
            yield by_flow(RULE, subject, flow, Severity.HIGH, message)


def _to_unseen_host(subject: Subject) -> Iterator[Finding]:
    """Credentials in the home folder that a script names itself, and sends to an address that nothing shows."""
    for flow in subject.flows:
        source, sink = flow.source, flow.sink
        if source.capability != "secret.read" or sink.capability not in _SENDS or not isinstance(sink.scope, AnyScope):
            continue
        if not isinstance(source.scope, PathScope) or source.scope.anchor != HOME or flow.origin is Origin.INSTRUCTED:
            continue
        if not source.scope.parts[-1:] or source.scope.parts[-1].endswith(_PUBLIC):
            continue
        if is_only_possible(subject, source) or is_only_possible(subject, sink):
            continue
        if is_own_login(subject, flow) or authenticates(subject, flow) or is_own_file(subject, source.scope):
            continue
        if is_loaded(subject, flow):
            continue  # the variables that are sent are reported
        if subject.documents.keys().isdisjoint({source.where.file, sink.where.file}):
            message = f"sends {secret_words(source.scope)} to a host that cannot be seen"
            yield by_flow(RULE, subject, flow, Severity.HIGH, message)


_GIVES_AWAY = frozenset({"publish", "commit.push"})
_SENDS = frozenset({"web.post", "net.connect", "api.call"})
_PUBLIC = (".pub", ".crt", "known_hosts")
_SIGNS = lazy_pattern(
    r"\bfrom_key\(|privateKeyToAccount\(|\bnew (?:ethers\.)?Wallet\(|Keypair\.from\w*\(|\bfrom_mnemonic\("
)


def _of_workflows(subject: Subject) -> Iterator[Finding]:
    """Secrets of a repository that a step of a workflow sends."""
    for effect in subject.with_capability("web.post", "web.fetch", "net.connect"):
        if not effect.where.file.endswith((".yml", ".yaml")) or not isinstance(effect.scope, HostScope):
            continue
        step = _step(subject.lines(effect.where.file), effect.where.line)
        if not (names := frozenset(found[1] or "" for found in _WORKFLOW.finditer(step))):
            continue
        host = effect.scope.host.removeprefix("*.")
        if all(name and belongs_to(NameScope(f"env:{name}"), effect.scope, subject) for name in names):
            continue
        if "." in host and not host.startswith("<") and standing(subject, host).hidden:
            what = "all secrets of your repository" if "" in names else "secrets of your repository"
            yield by_effect(RULE, subject, effect, Severity.CRITICAL, f"sends {what} to {host_words(effect.scope)}")


_WORKFLOW = lazy_pattern(r"\$\{\{[^}\n]*(?:toJSON\(\s*secrets\s*\)|\bsecrets\.(\w+))", re.IGNORECASE)
_ITEM = lazy_pattern(r"\s*-\s")


def _step(lines: tuple[str, ...], line: int) -> str:
    """The lines of the step that a line of a workflow belongs to."""
    first = next((at for at in range(min(line, len(lines)) - 1, -1, -1) if _ITEM.match(lines[at])), 0)
    last = next((at for at in range(line, len(lines)) if _ITEM.match(lines[at])), len(lines))
    return "\n".join(lines[first:last])


def _is_known(scope: Scope) -> bool:
    """Whether it is known which credential is read; all variables together are another rule's."""
    if isinstance(scope, PathScope):
        return not scope.anchor.startswith("<")
    return isinstance(scope, NameScope) and scope.pattern != "env:*"


RULE = Rule(
    "secret-to-network",
    "secrets",
    "a credential goes to a host that it does not belong to",
    Severity.CRITICAL,
    "Anyone who receives a key, token, password or cookie can use the user's account. A skill needs a credential only for the service that issued it.",
    "A key that goes to its own service: variable, file, host or description share its name. A host that the user names in an argument or a setting. Well-known services are reported as low.",
    "Send a credential only to its own service, and name that service in the description.",
    find,
)
