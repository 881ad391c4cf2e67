"""Whose host it is to which data goes: the service that a credential belongs to, one that the user names, or another."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.capability import vocabulary
from remit.core.effect import Effect, Origin
from remit.core.patterns import lazy_pattern
from remit.core.scope import (
    DEEP,
    HOME,
    ROOT,
    SKILL,
    WORKSPACE,
    AnyScope,
    HostScope,
    NameScope,
    PathScope,
    Scope,
    ScopeKind,
    covers,
)
from remit.findings.hosts import URL, is_users_own, kind_of
from remit.findings.model import Severity
from remit.findings.pieces import code_of
from remit.findings.subject import Subject, owner_words
from remit.findings.trust import HostStanding, is_vendor, publisher_known, registered, standing
from remit.findings.vendors import domains_for, is_under
from remit.findings.wording import is_kept_by_client

if TYPE_CHECKING:
    from remit.core.flow import Endpoint, Flow
    from remit.core.location import Location

_WORD = lazy_pattern(r"[a-z0-9]+")
# Words in the names of variables and files that do not say whose credential it is.
_KINDS = frozenset(
    "api key keys token tokens secret secrets password passwd pass auth access bearer id client app user private refresh"
    " account base url host endpoint env config credentials json yaml toml ssh home local share etc bin default rsa dsa ecdsa ed25519 pem"
    " netrc pgpass cookies keychain wallet".split()
)
_SHORT = 3  # letters of a name that many names begin with
_ALIKE = 5  # letters with which two names of one service begin
_LONG = 4  # letters of a name that stands in another only on purpose
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
    return frozenset(word for word in words - _KINDS if len(word) > 2 or domains_for(frozenset({word})))


# Whoever answers for a domain sees the names that are looked up in it, and the data of which they are made.
NAME_SERVERS = HostScope("name servers")
_LOOKUPS = frozenset({"nslookup", "dig", "host", "drill", "resolvectl", "getent"})


def leaving(subject: Subject) -> Iterator[tuple[Flow, HostScope]]:
    """Flows to a known host of others. What the text tells the agent to run counts only where source and host stand together."""
    for flow in subject.flows:
        sink = flow.sink.scope
        if is_only_possible(subject, flow.source) or is_only_possible(subject, flow.sink):
            continue
        if isinstance(sink, AnyScope) and flow.sink.capability == "net.connect" and _looks_up(subject, flow):
            yield flow, NAME_SERVERS
        elif (
            isinstance(sink, AnyScope)
            and flow.sink.capability in ("web.post", "net.connect")
            and flow.origin is not Origin.INSTRUCTED
        ):
            hosts = filter(_is_of_others, _named_hosts(subject, flow.sink.where))
            yield from ((flow, HostScope(host)) for host in hosts)
        if flow.sink.capability == "container.run" and (found := URL.search(subject.line(flow.sink.where))):
            yield flow, HostScope(found[1].lower())  # the container gets the data and the address
            continue
        if not isinstance(sink, HostScope) or vocabulary()[flow.sink.capability].scope_kind is not ScopeKind.HOST:
            continue
        host = sink.host.removeprefix("*.")
        if not _is_of_others(host):
            continue
        if flow.origin is Origin.INSTRUCTED and not together(flow):
            continue
        yield flow, sink


def _is_of_others(host: str) -> bool:
    """Whether it is the name of a host that may be one of others."""
    return "." in host and not host.startswith("<") and kind_of(host) != "local" and not is_users_own(host)


def effects_of(subject: Subject, end: Endpoint | Effect) -> list[Effect]:
    """The effects that are an end of a flow."""
    here = subject.by_line.get(end.where, ())
    return [effect for effect in here if (effect.capability, effect.scope) == (end.capability, end.scope)]


def is_only_possible(subject: Subject, end: Endpoint) -> bool:
    """Whether it happens only if a value turns out to be an option."""
    here = effects_of(subject, end)
    return bool(here) and all(effect.via.possible for effect in here)


def _named_hosts(subject: Subject, where: Location) -> frozenset[str]:
    """The hosts to which a request with an unknown address may go: that on its line, or else the only one that the script names."""
    found = frozenset(url[1].lower() for url in URL.finditer(subject.line(where)))
    if found or where.file in subject.documents:
        return found
    lines = (line for line in code_of(subject, where.file).lines.values() if "://" in line)
    every = frozenset(url[1].lower() for line in lines for url in URL.finditer(line))
    return every if len(every) == 1 else frozenset()


def _looks_up(subject: Subject, flow: Flow) -> bool:
    here = subject.by_line.get(flow.sink.where, ())
    return any(effect.via.name.partition(" ")[0] in _LOOKUPS for effect in here if effect.capability == "net.connect")


def together(flow: Flow) -> bool:
    """Whether the text shows both ends near each other."""
    source, sink = flow.source.where, flow.sink.where
    return source.file == sink.file and abs(source.line - sink.line) <= _NEAR


def belongs_to(source: Scope, sink: HostScope, subject: Subject) -> bool:
    """Whether a credential is expected at a host: at the vendor's own if a vendor issued it, else where the name of the host is
    its own, or, if the skill asks the user for it, where the description speaks of the service."""
    host = sink.host.removeprefix("*.")
    names = names_of(source)
    if own := domains_for(names):
        return is_under(host, own)
    if any(_is_same_name(mine, other) for mine in names for other in owner_words(host)):
        return True
    if not is_asked_for(source) or publisher_known(subject, host) != "announced":
        return False
    return not names or standing(subject, host) is HostStanding.STATED


def _is_same_name(mine: str, other: str) -> bool:
    return mine == other or (len(mine) > _SHORT and (other.startswith(mine) or (len(mine) > _LONG and mine in other)))


def is_asked_for(scope: Scope) -> bool:
    """Variables, and files of settings beside the work: the user puts there what a skill asks for."""
    if isinstance(scope, PathScope):
        unplaced = scope.parts[:1] == (DEEP,)  # beside the script, wherever that lies
        return (scope.anchor in (WORKSPACE, SKILL) or unplaced) and not is_kept_by_client(scope)
    return isinstance(scope, NameScope)


def is_own_file(subject: Subject, scope: Scope) -> bool:
    """Whether the skill itself writes the file that it reads."""
    if not isinstance(scope, PathScope):
        return False
    writes = (
        effect.scope for effect in subject.with_capability("file.write", "secret.write") if not effect.via.possible
    )
    return any(isinstance(written, PathScope) and covers(written, scope) for written in writes)


def is_loaded(subject: Subject, flow: Flow) -> bool:
    """Whether a file of settings only becomes variables of the environment, and the host gets some of them by their names."""
    passed = [
        effect
        for step in flow.steps
        for effect in subject.by_line.get(step, ())
        if effect.capability == flow.source.capability and _last(effect.scope) == _last(flow.source.scope)
    ]
    ends: tuple[Endpoint | Effect, ...] = (flow.source, *passed)
    if not any(becomes_variables(subject, end) for end in ends):
        return False
    sources = [other.source for other in subject.flows if other.sink == flow.sink and other.source != flow.source]
    named = [source for source in sources if isinstance(source.scope, NameScope) and not is_everything(source.scope)]
    return bool(named) and not any(
        source.capability in ("env.read", "secret.read")
        and is_everything(source.scope)
        and not becomes_variables(subject, source)
        for source in sources
    )


def _last(scope: Scope) -> str:
    """The name of a file, wherever it lies."""
    return scope.parts[-1] if isinstance(scope, PathScope) and scope.parts else ""


def becomes_variables(subject: Subject, source: Endpoint | Effect) -> bool:
    """Whether whatever reads a secret only sets variables of the environment."""
    readers = {effect.via.name for effect in effects_of(subject, source)}
    here = subject.by_line.get(source.where, ())
    return bool(readers) and readers <= {effect.via.name for effect in here if effect.capability == "env.write"}


def authenticates(subject: Subject, flow: Flow) -> bool:
    """Whether a program only uses its own credential: `ssh` proves that it has a key and sends none, `gpg` signs and decrypts."""
    here, read = subject.by_line.get(flow.source.where, ()), effects_of(subject, flow.source)
    if read and all(_client(effect) in _KEEPERS and not _SHOWS.search(effect.via.option) for effect in read):
        return True
    if flow.source.where != flow.sink.where or is_content(subject, flow):
        return False
    reached = _clients(subject, flow)
    signed = {_client(effect) for effect in read}
    uses = [effect for effect in here if effect.scope == flow.source.scope and effect.capability in _READS]
    own = bool(uses) and all(_client(effect) in reached and effect.via.option in _LOGINS for effect in uses)
    return own or not _CLIENTS.isdisjoint(signed & reached)


def _clients(subject: Subject, flow: Flow) -> set[str]:
    """The programs and functions that take the data out."""
    return {_client(effect) for effect in effects_of(subject, flow.sink)}


def is_content(subject: Subject, flow: Flow) -> bool:
    """Whether a client that logs in by itself is given a file of the home folder as what it sends: `scp` the file that it
    copies, `gh` the text of an issue."""
    source, here = flow.source, subject.by_line.get(flow.sink.where, ())
    clients = _clients(subject, flow)
    if not clients or not clients <= _CLIENTS or any(_KEEPS_SECRETS.search(effect.via.name) for effect in here):
        return False
    if not is_everything(source.scope) and (is_asked_for(source.scope) or is_own_login(subject, flow)):
        return False
    read = effects_of(subject, source)
    return not any(_client(effect) in _CLIENTS and not _is_copied(effect, subject) for effect in read)


def _is_copied(effect: Effect, subject: Subject) -> bool:
    """Whether a program copies the secret file that it reads: a key that it only uses is no operand."""
    return _client(effect) in _COPIERS and any(
        other.capability == "file.read" and other.scope == effect.scope and _client(other) == _client(effect)
        for other in subject.by_line.get(effect.where, ())
    )


def is_own_login(subject: Subject, flow: Flow) -> bool:
    """Whether a program sends what has its name: `aws` what lies in `~/.aws`."""
    names = names_of(flow.source.scope)
    here = subject.by_line.get(flow.sink.where, ())
    clients = {_client(effect) for effect in here if effect.capability == flow.sink.capability}
    return bool(clients) and all(client in names for client in clients)


_KEEPERS = frozenset(
    {
        "gpg",
        "gpg2",
        "paramiko.SSHClient.connect",
        "paramiko.SSHClient.load_system_host_keys",
        "paramiko.SSHClient.load_host_keys",
    }
)
_COPIERS = frozenset({"scp", "rsync", "sftp", "aws", "gsutil", "gcloud"})
_KEEPS_SECRETS = lazy_pattern(
    r" secrets?\b| ssh-key\b| gpg-key\b"
)  # commands that hand a credential to the service that is to use it
_SHOWS = lazy_pattern(r"secret|homedir|keyring|passphrase-file|-K\b")  # options that read other keys, or hand keys out
_READS = frozenset({"secret.read", "file.read"})
# The host gets what is kept for it, or a proof that the user has the key of a certificate.
_LOGINS = frozenset(
    "-n --netrc --netrc-optional --netrc-file -E --cert --key --proxy-cert --proxy-key --certificate --private-key".split()
)


def _client(effect: Effect) -> str:
    """The program that causes an effect."""
    return effect.via.name.partition(" ")[0]


_CLIENTS = frozenset(
    "ssh scp sftp rsync ssh-copy-id git gh glab aws gcloud gsutil az kubectl helm docker podman npm pnpm yarn pip twine cargo hf psql"
    " mysql heroku vercel fly flyctl netlify wrangler terraform ansible ansible-playbook doctl oc".split()
)


def severity_at(subject: Subject, flow: Flow, sink: HostScope) -> Severity:
    """How bad it is that data goes to a host that it does not belong to."""
    host = sink.host.removeprefix("*.")
    who = standing(subject, host, instructed=flow.origin is Origin.INSTRUCTED)
    own = _is_of_installed_skill(subject, flow.source.scope)
    if who is HostStanding.VENDOR:
        by_client = not _clients(subject, flow).isdisjoint(_CLIENTS)
        grave = is_content(subject, flow) if by_client else not own and _is_login_file(flow.source.scope)
        return Severity.HIGH if grave else Severity.LOW
    if who is HostStanding.UNNAMED and (
        is_own_key(subject, flow) or _is_shared(subject, flow) or _is_shown(flow) or _is_alike(subject, flow, host)
    ):
        return Severity.MEDIUM
    if who.hidden:
        return Severity.CRITICAL
    if _is_settings(flow.source.scope) and registered(host).partition(".")[0] in subject.announced:
        return Severity.MEDIUM
    issued = domains_for(names_of(flow.source.scope))
    if not (own or is_asked_for(flow.source.scope)) or is_everything(flow.source.scope):
        return Severity.HIGH
    return Severity.HIGH if issued and who is HostStanding.ECHOED else Severity.LOW


def _is_login_file(scope: Scope) -> bool:
    """Whether it is a file below the home folder by which a person logs in elsewhere: no other service has a use for it."""
    if not isinstance(scope, PathScope) or scope.anchor != HOME:
        return False
    return not {".ssh", ".gnupg"}.isdisjoint(scope.parts) or bool(domains_for(names_of(scope)))


def _is_of_installed_skill(subject: Subject, scope: Scope) -> bool:
    """Whether it is a file of settings in the folder of an agent's skill that this skill itself writes: its own copy."""
    return isinstance(scope, PathScope) and "skills" in scope.parts[:-1] and is_own_file(subject, scope)


def _is_settings(scope: Scope) -> bool:
    """Whether it is a `.env` at a fixed place: agents keep there what the user gives to skills."""
    return isinstance(scope, PathScope) and scope.anchor in (HOME, ROOT) and scope.parts[-1:] == (".env",)


def _is_shown(flow: Flow) -> bool:
    """Whether the text itself shows which variable goes to which host, and no vendor issues it."""
    source = flow.source.scope
    return (
        flow.origin is Origin.INSTRUCTED
        and isinstance(source, NameScope)
        and not is_everything(source)
        and not domains_for(names_of(source))
        and _STAYS.search(source.pattern) is None
    )


# What proves who a machine is, or opens a database: no web service asks for it.
_STAYS = lazy_pattern(
    r"PRIVATE_?KEY|SSH_|MNEMONIC|SEED_PHRASE|(?:DATABASE|DB|POSTGRES\w*|MYSQL|MONGO\w*|REDIS)_(?:UR[LI]|DSN|PASS\w*)"
)


def is_own_key(subject: Subject, flow: Flow) -> bool:
    """Whether it is a key that the user makes for this skill, or one that it has written down itself: with a name of the
    description, that no vendor issues."""
    source, names = flow.source.scope, names_of(flow.source.scope)
    if domains_for(names) or not (isinstance(source, NameScope) or is_own_file(subject, source)):
        return False
    together = _SEPARATORS.sub("", subject.description)
    return any(name in subject.announced or (len(name) > _LONG and name in together) for name in names)


_SEPARATORS = lazy_pattern(r"[\s_-]+")


def _is_alike(subject: Subject, flow: Flow, host: str) -> bool:
    """Whether a key that no vendor issues has a name that begins as that of the host does: `HOARDER_KEY` and `hoard.site.net`.

    A file below the home folder has to be named by the text as well: programs keep keys there that no skill is given.
    """
    source = flow.source.scope
    names = names_of(source)
    if domains_for(names) or not (is_asked_for(source) or source.render() in subject.written):
        return False
    begins = {mine[:_ALIKE] for mine in names if len(mine) >= _ALIKE}
    return any(other[:_ALIKE] in begins for other in owner_words(host))


def _is_shared(subject: Subject, flow: Flow) -> bool:
    """Whether the same line sends the credential to its own service: a client for many hosts, which the analysis does not tell apart."""
    return any(
        other.sink.where == flow.sink.where
        and other.source.scope == flow.source.scope
        and isinstance(other.sink.scope, HostScope)
        and belongs_to(other.source.scope, other.sink.scope, subject)
        for other in subject.flows
    )


def is_everything(scope: Scope) -> bool:
    """Whether it is all variables or the whole home folder; `~` alone is the list of what lies there."""
    if isinstance(scope, NameScope):
        return scope.pattern in ("*", "env:*")
    return isinstance(scope, AnyScope) or (
        isinstance(scope, PathScope) and scope.anchor == HOME and scope.parts == (DEEP,)
    )


def has_own(subject: Subject, flow: Flow) -> bool:
    """Whether a credential goes to its own service and the host gets one of its own: two clients of one program that the analysis
    does not tell apart."""
    host = flow.sink.scope.host.removeprefix("*.") if isinstance(flow.sink.scope, HostScope) else ""
    if not (is_vendor(host) or publisher_known(subject, host)):
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
