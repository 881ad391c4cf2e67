"""Data goes to a host of which the text does not speak."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from typing import TYPE_CHECKING

from remit.core.location import Location
from remit.core.patterns import lazy_pattern
from remit.core.scope import SKILL, TEMP, AnyScope, HostScope, PathScope
from remit.core.via import Cause
from remit.findings.destinations import belongs_to, is_own_file, is_own_key
from remit.findings.evidence import by_command, by_effect, by_text
from remit.findings.hosts import URL, is_installer, is_placeholder, kind_of
from remit.findings.model import Basis, Finding, Rule, Severity
from remit.findings.pieces import scripts
from remit.findings.trust import HostStanding, is_vendor, publisher_known, registered, speaks_of_network, standing

if TYPE_CHECKING:
    from remit.core.effect import Effect
    from remit.core.flow import Endpoint
    from remit.core.scope import Scope
    from remit.findings.subject import Subject

_SENDS = ("web.post", "net.connect", "web.fetch")
_FILES = frozenset({"file.read", "source.read", "db.read", "commit.read"})


def find(subject: Subject) -> Iterator[Finding]:
    """Hosts that scripts send to and that no document names."""
    yield from _provisioned(subject)
    yield from _generated(subject)
    yield from _pushed(subject)
    known: dict[str, HostStanding] = {}
    accounts = _accounts(subject)
    sources = {source for source in {flow.source for flow in subject.flows} if _is_content(subject, source)}
    content: dict[Location, set[Scope]] = {}
    for flow in subject.flows:
        if flow.source in sources or (flow.source.scope in accounts and flow.source.scope != flow.sink.scope):
            content.setdefault(flow.sink.where, set()).add(flow.source.scope)
    yield from _configured(subject, content)
    # where the text does not speak of a network, nobody expects that anything leaves
    filled: Container[Location] = content if speaks_of_network(subject) else {flow.sink.where for flow in subject.flows}
    for effect in subject.with_capability(*_SENDS):
        if not isinstance(effect.scope, HostScope) or effect.via.possible:
            continue
        host = effect.scope.host
        if "." not in host or host.startswith(("<", "*")) or kind_of(host) == "code":
            continue
        if effect.via.cause is Cause.SENTENCE:
            if effect.capability == "web.post" and _is_stranger(subject, host):
                message = f"tells the agent to send data to {host}, and the rest of its text does not say who runs it"
                yield by_effect(RULE, subject, effect, Severity.MEDIUM, message)
            continue
        if subject.basis_of(effect) not in (Basis.SCRIPT, Basis.HOOK):
            continue
        who = known.get(host) or known.setdefault(host, standing(subject, host))
        if (
            severity := _severity(subject, effect, who, content if effect.capability == "web.fetch" else filled)
        ) is not None:
            yield by_effect(RULE, subject, effect, severity, f"sends data to {host}, which no text of the skill names")


def _configured(subject: Subject, content: Mapping[Location, set[Scope]]) -> Iterator[Finding]:
    """Files of the user that go to an address from a data file of the skill, which no text names."""
    reads = {effect.scope for effect in subject.with_capability("file.read")}
    own = {"/".join(scope.parts) for scope in reads if isinstance(scope, PathScope) and scope.anchor == SKILL}
    data = [file.path for file in subject.skill.files if file.path in own and file.path.endswith(_SETTINGS)]
    found = {
        url[1].lower()
        for path in data
        for line in subject.lines(path)
        if "$schema" not in line
        for url in URL.finditer(line)
    }
    hosts = sorted(host for host in found if "." in host and standing(subject, host).hidden)
    for effect in subject.with_capability("web.post") if hosts else ():
        given = content.get(effect.where, ()) if isinstance(effect.scope, AnyScope) else ()
        more = any(not isinstance(scope, PathScope) or "/".join(scope.parts) not in data for scope in given)
        if more and subject.basis_of(effect) is Basis.SCRIPT:  # than the user's copy of the settings themselves
            message = f"sends data to {hosts[0]}, which only its settings name"
            yield by_effect(RULE, subject, effect, Severity.HIGH, message)


_SETTINGS = (".json", ".yaml", ".yml", ".toml", ".ini", ".cfg", ".conf", ".properties", ".txt")


def _is_stranger(subject: Subject, host: str) -> bool:
    """Whether neither the description nor the text has a name that the host has: the order alone names it."""
    return not (kind_of(host) == "local" or is_vendor(host) or is_placeholder(host) or publisher_known(subject, host))


def _accounts(subject: Subject) -> frozenset[HostScope]:
    """Hosts that get a credential of the user: what they answer comes from the user's account."""
    logins = (flow.sink.scope for flow in subject.flows if flow.source.capability == "secret.read")
    return frozenset(scope for scope in logins if isinstance(scope, HostScope) and is_vendor(scope.host))


def _pushed(subject: Subject) -> Iterator[Finding]:
    """Commands that make a repository of others a remote of the user's and push there."""
    said = [
        (command, [word for word in command.words if not word.startswith("-")])
        for command in subject.commands
        if command.program == "git"
    ]
    remotes = {words[2]: words[3] for _, words in said if words[:2] in _REMOTES and words[3:]}
    for command, words in said:
        if words[:1] != ["push"] or not words[1:]:
            continue
        found = URL.search(remotes.get(words[1], words[1]))
        host = found[1].lower() if found else ""
        if "." in host and kind_of(host) != "code" and _is_stranger(subject, registered(host)):
            yield by_command(RULE, command, Severity.HIGH, f"pushes your repository to {host}")
    for effect in subject.with_capability("commit.push"):
        found = URL.search(effect.scope.render()) if subject.basis_of(effect) in (Basis.SCRIPT, Basis.HOOK) else None
        host = found[1].lower() if found else ""
        if "." in host and kind_of(host) != "code" and standing(subject, host).hidden:
            yield by_effect(RULE, subject, effect, Severity.HIGH, f"pushes your repository to {host}")


_REMOTES = (["remote", "add"], ["remote", "set-url"])


def _provisioned(subject: Subject) -> Iterator[Finding]:
    """Commands in the files of tools that set up machines, which send values of what was set up."""
    for file in subject.skill.files:
        if not file.path.endswith(_PLANS):
            continue
        for number, line in enumerate(subject.lines(file.path), 1):
            found = URL.search(line) if "${" in line and _CALLS.search(line) else None
            if found and "." in found[1] and standing(subject, found[1].lower()).hidden:
                message = f"sends data to {found[1].lower()}, which no text of the skill names"
                where = Location(file.path, number)
                yield by_text(RULE, subject, where, line.strip(), Severity.HIGH, message)


def _generated(subject: Subject) -> Iterator[Finding]:
    """Calls to a hidden host in the texts of a script that writes files: what it makes for the user will send data."""
    writing = {effect.where.file for effect in subject.with_capability("file.write") if not effect.via.possible}
    reached = {effect.where for effect in subject.sending()}
    for file, code in scripts(subject):
        for number, line in code.lines.items() if file in writing and code.has("://") else ():
            found = URL.search(line) if "://" in line and _QUOTED_CALL.search(line) else None
            where = Location(file, number)
            if found is None or where in reached or "." not in found[1] or _SAYS.search(line):
                continue
            if is_installer(found[1].lower(), found[2] or ""):
                continue
            if kind_of(found[1]) != "code" and standing(subject, found[1].lower()).hidden:
                message = f"writes code that calls {found[1].lower()}, which no text of the skill names"
                finding = by_text(RULE, subject, where, line.strip(), Severity.HIGH, message)
                yield finding._replace(basis=subject.basis(where))


# A call and its address inside of one text
_QUOTED_CALL = lazy_pattern(
    r"([\"'`])(?:(?!\1).)*\b(?:requests\.\w+|axios(?:\.\w+)?|fetch|sendBeacon|urlopen|curl|wget)\b(?:(?!\1).)*://"
)
_SAYS = lazy_pattern(
    r"(?:^|[;)&|{])\s*(?:print|echo|printf|console\.\w+|log\w*\.\w+|\w*\.add_argument|help=|epilog=|usage=|raise\b|throw\b|die\b)[^>]*$"
)
_UNUSED = lazy_pattern(r"(?:>|-o|--output)\s*/dev/null(?!.*(?:-w|--write-out|http_code))")
_PLANS = (".tf", ".tofu", ".hcl", ".nomad", ".tftpl", ".bicep", ".pp")
_CALLS = lazy_pattern(r"\b(?:curl|wget|Invoke-WebRequest|Invoke-RestMethod|nc|http|url)\b")


def _severity(subject: Subject, effect: Effect, who: HostStanding, filled: Container[Location]) -> Severity | None:
    """By what hides the receiver, and by what is sent; None where the text says enough."""
    hook = subject.basis_of(effect) is Basis.HOOK
    if who is HostStanding.ECHOED and hook:
        return Severity.HIGH  # no one asked for what a hook sends
    if not who.hidden:
        return None
    host = effect.scope.host if isinstance(effect.scope, HostScope) else ""
    unused = _UNUSED.search(subject.line(effect.where)) is not None  # made for what it sends, not for its answer
    if effect.capability == "web.fetch" and not unused:  # an address can carry data as well
        given = _CARRIES.search(subject.line(effect.where)) is not None
        hides = given or effect.where in filled or who is not HostStanding.UNNAMED or kind_of(host) == "hosting"
        return (
            Severity.HIGH if hides and not speaks_of_network(subject) and not publisher_known(subject, host) else None
        )
    if unused and not speaks_of_network(subject) and effect.capability == "web.fetch":
        return Severity.HIGH
    if not hook and _is_expected(subject, effect, who, host, filled):
        return Severity.MEDIUM
    if hook or effect.where in filled or who is not HostStanding.UNNAMED:
        return Severity.HIGH
    return Severity.HIGH if kind_of(host) == "hosting" and not publisher_known(subject, host) else Severity.MEDIUM


def _is_expected(subject: Subject, effect: Effect, who: HostStanding, host: str, filled: Container[Location]) -> bool:
    """Whether the text has the address as it is called, speaks of the service, or the request logs in with a key of its own."""
    line = subject.line(effect.where)
    if effect.capability == "web.fetch" and effect.where not in filled and host in subject.prose:
        return _CARRIES.search(line) is None
    if kind_of(host) == "hosting" and speaks_of_network(subject) and publisher_known(subject, host) == "announced":
        return True
    return who is HostStanding.UNNAMED and (_is_default(subject, effect) or _gets_own_key(subject, effect))


# An address that ends where a value begins
_CARRIES = lazy_pattern(r"://[^\"'`\s]*\?[^\"'`\s]*(?:[\"'`]\s*(?:\+|%|\.format\()|[{$])|://[^\n]*\b(?:params|-G)\b")


def _is_default(subject: Subject, effect: Effect) -> bool:
    """Whether the user can set another host, and the request logs in with a key that the user makes for this skill."""
    here = subject.by_line.get(effect.where, ())
    named = any(
        isinstance(other.scope, AnyScope) or (isinstance(other.scope, HostScope) and other.scope.host.startswith("<"))
        for other in here
        if other.capability == effect.capability
    )
    return named and any(
        flow.sink.where == effect.where and flow.source.capability == "secret.read" and is_own_key(subject, flow)
        for flow in subject.flows
    )


def _gets_own_key(subject: Subject, effect: Effect) -> bool:
    """Whether the request logs in with a key that the host's name or vendor says is the host's own: the user has it from there."""
    scope = effect.scope
    return isinstance(scope, HostScope) and any(
        flow.sink.where == effect.where
        and flow.source.capability == "secret.read"
        and belongs_to(flow.source.scope, scope, subject)
        for flow in subject.flows
    )


def _is_content(subject: Subject, source: Endpoint) -> bool:
    """Whether it is what stands in files of the user: one that a person names, or one that the skill did not write itself."""
    if source.capability == "net.connect":
        return any(effect.capability == "db.read" for effect in subject.by_line.get(source.where, ()))
    if source.capability not in _FILES or not isinstance(source.scope, PathScope):
        return False
    if (
        source.scope.anchor in (SKILL, TEMP)
        or source.scope.parts[:1] == ("tmp",)
        or source.where.file in subject.documents
    ):
        return False
    return not is_own_file(subject, source.scope)


RULE = Rule(
    "undisclosed-host",
    "network",
    "data goes to a host that the text does not explain",
    Severity.HIGH,
    "The text of a skill should say what it sends and where. A host that appears only in the code is easily overlooked.",
    "Hosts whose operator the text names, local hosts, and hosts that the user names.",
    "Name the service, and what is sent to it, in the description.",
    find,
)
