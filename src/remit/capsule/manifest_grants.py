"""What a manifest grants that a capsule can give: paths, programs, hosts, variables. Pure: it reads no disk.

An entry under a condition that no kernel can check (an hour, a rate, arguments, a masked value) is not granted here,
nor is one that asks a person, unless that person has agreed. Every omission is reported.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from remit.capsule.contract import Access, EgressRule, Narrowed
from remit.core.capability import vocabulary
from remit.core.scope import (
    ANY_SCOPE,
    DEEP,
    PLACES,
    WORKSPACE,
    AnyScope,
    HostScope,
    NameScope,
    PathScope,
    Scope,
    SymbolScope,
    covers,
)
from remit.core.scope.component import match
from remit.core.sensitive import variable_of
from remit.manifest.model import Decision, Manifest, Permission
from remit.policy.request import bind

_READS = frozenset(
    "file.read source.read context.load secret.read profile.read schedule.read memory.read commit.read".split()
)
_DELETES = frozenset("file.delete source.delete secret.delete schedule.delete".split())
_WRITES = frozenset(
    "file.write file.chmod source.write commit.create secret.write profile.write schedule.create memory.write "
    "policy.expand policy.restrict hook.install skill.install".split()
)
_COMMITS = frozenset({"commit.read", "commit.create"})  # on the folder of a repository: what git keeps lies in `.git`
_RUNS = frozenset("process.create shell.execute repl.create repl.execute source.execute".split())
_FETCHES = frozenset({"web.fetch"})
_CONNECTS = frozenset("web.fetch web.post web.interact api.call net.connect".split())
_INSIDE = PathScope(WORKSPACE, (DEEP,))
_ASKS = "it asks a person first: give --confirm if you are that person"


class Use(StrEnum):
    """The purpose of a wish."""

    PLACE = "place"
    PROGRAM = "program"


class Wish(NamedTuple):
    """A path or program that an entry grants or denies."""

    use: Use
    capability: str
    scope: Scope
    access: Access
    why: str


class Granted(NamedTuple):
    """Everything that a manifest grants."""

    wishes: tuple[Wish, ...]
    denials: tuple[Wish, ...]
    egress: tuple[EgressRule, ...]
    listens: bool
    variables: tuple[NameScope | AnyScope, ...]
    denied_variables: tuple[Scope, ...]
    narrowed: tuple[Narrowed, ...]


def granted(manifest: Manifest, passed: tuple[PathScope, ...] = (), *, confirmed: bool = False) -> Granted:
    """Read a manifest. `passed` are the caller's paths, for which `<arg>` stands."""
    found = _Reading(passed, confirmed=confirmed)
    for entry in manifest.permissions:
        found.entry(entry)
    return Granted(
        tuple(dict.fromkeys(found.wishes)),
        tuple(dict.fromkeys(found.denials)),
        tuple(dict.fromkeys(found.egress)),
        found.listens and not found.denies_listening,
        tuple(dict.fromkeys(found.variables)),
        tuple(dict.fromkeys(found.denied_variables)),
        tuple(dict.fromkeys(found.narrowed)),
    )


class _Reading:
    """A collector of what the entries of one manifest grant."""

    def __init__(self, passed: tuple[PathScope, ...], *, confirmed: bool) -> None:
        self.wishes: list[Wish] = []
        self.denials: list[Wish] = []
        self.egress: list[EgressRule] = []
        self.variables: list[NameScope | AnyScope] = []
        self.narrowed: list[Narrowed] = []
        self.denied_variables: list[Scope] = []
        self.listens = self.denies_listening = False
        self._passed = passed
        self._confirmed = confirmed

    def entry(self, entry: Permission) -> None:
        denied = entry.effect is Decision.DENY
        reason = "" if denied else _unenforced(entry)
        names = vocabulary().expand(entry.capability)
        for name in names:
            if name.startswith("source.") and f"file.{name[7:]}" in names:
                continue  # source code is among the files
            text = f"{name} {entry.place}"
            if reason:
                self._leave(text, reason)
            elif not denied and not self._confirmed and entry.decision(name) is Decision.CONFIRM:
                self._leave(text, _ASKS)
            else:
                for scope in entry.scopes:
                    self._scope(entry, name, scope, denied=denied)

    def _leave(self, entry: str, why: str) -> None:
        self.narrowed.append(Narrowed(entry, why))

    def _scope(self, entry: Permission, name: str, scope: Scope, *, denied: bool) -> None:
        for bound in bind(scope, {"<arg>": self._passed}):
            text = f"{name} {bound.render()}"
            if not denied and not _narrow_enough(entry, bound):
                self._leave(text, "the entry is for the workspace, or for other resources, alone")
                continue
            if name == "secret.read" and (variable := variable_of(bound)):
                (self.denied_variables if denied else self.variables).append(NameScope(variable))
            elif name in _READS | _WRITES | _DELETES:
                self._place(name, bound, text, denied=denied)
            if name in _RUNS:
                self._program(name, bound, text, denied=denied)
            elif name in _CONNECTS:
                self._host(name, bound, text, denied=denied)
            elif name == "net.listen":
                self.denies_listening, self.listens = self.denies_listening or denied, self.listens or not denied
            elif name == "env.read" and denied:
                self.denied_variables.append(bound)
            elif name == "env.read" and isinstance(bound, NameScope | AnyScope):
                self.variables.append(bound)

    def _place(self, name: str, scope: Scope, text: str, *, denied: bool) -> None:
        access = Access.READ if name in _READS else Access.DELETE if name in _DELETES else Access.WRITE
        if isinstance(scope, AnyScope) and not denied:
            self._leave(text, "of everything the capsule gives the workspace; name other folders")
            scope = _INSIDE
        if isinstance(scope, PathScope) and scope.anchor not in PLACES:
            if not denied:
                self._leave(text, "its value was not given; pass it with --arg")
            return
        if name in _COMMITS and isinstance(scope, PathScope):
            inner = scope.parts[:-1] if scope.parts[-1:] == (DEEP,) else scope.parts
            scope = scope._replace(parts=(*inner, ".git", DEEP))
            access = (
                access if access is Access.READ else Access.READ | Access.WRITE | Access.DELETE
            )  # git moves files into place
        (self.denials if denied else self.wishes).append(Wish(Use.PLACE, name, scope, access, text))

    def _program(self, name: str, scope: Scope, text: str, *, denied: bool) -> None:
        if denied:
            self.denials.append(Wish(Use.PROGRAM, name, scope, Access.READ, text))
        elif isinstance(scope, SymbolScope) or (isinstance(scope, PathScope) and scope.anchor not in PLACES):
            self._leave(text, "its value was not given")
        else:
            self.wishes.append(Wish(Use.PROGRAM, name, scope, Access.READ, text))

    def _host(self, name: str, scope: Scope, text: str, *, denied: bool) -> None:
        access = "fetch" if name in _FETCHES else "all"
        if isinstance(scope, AnyScope):
            self.egress.append(EgressRule("*", None, access, denied))
        elif isinstance(scope, HostScope):
            self.egress.append(EgressRule(scope.host, scope.port, access, denied))
        elif not denied:
            self._leave(text, "its host was not given")
        else:
            self.egress.append(EgressRule("*", None, access, denied))


def _unenforced(entry: Permission) -> str:
    """Return the condition of an entry that a capsule cannot enforce; empty if there is none."""
    limits = entry.constraints
    conditions = {
        "a time of day": limits.time_window,
        "a rate": limits.rate_limit,
        "arguments of a call": limits.arguments,
        "patterns of command lines": limits.denied_command_patterns,
        "a value that is handed out masked": limits.redact,
    }
    found = next((what for what, value in conditions.items() if value), "")
    return f"it depends on {found}, which a capsule cannot see" if found else ""


def _narrow_enough(entry: Permission, scope: Scope) -> bool:
    limits = entry.constraints
    inside = not limits.workspace_only or not isinstance(scope, PathScope | AnyScope) or covers(_INSIDE, scope)
    resources = limits.resource_scope
    return inside and (not resources or any(covers(one, scope) for one in resources))


def grants_class(
    wishes: tuple[Wish, ...], capability: str, scopes: Iterator[PathScope] | tuple[PathScope, ...]
) -> bool:
    """Return whether an entry grants a capability by its own name on a path, under one of the path's names."""
    names = tuple(scopes)
    return any(
        wish.capability == capability and any(covers(wish.scope, scope) for scope in names)
        for wish in wishes
        if wish.use is Use.PLACE
    )


def denies_variable(denied: tuple[Scope, ...], name: str) -> bool:
    """Return whether a variable is denied; a scope that is not a name denies all."""
    return any(not isinstance(scope, NameScope) or match(scope.pattern, name) for scope in denied)


def is_any(scope: Scope) -> bool:
    """Return whether a scope of programs covers all of them."""
    return scope == ANY_SCOPE or (isinstance(scope, NameScope) and scope.pattern == "*")
