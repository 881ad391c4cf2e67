"""Whether a reported flow speaks of a flow that was expected or seen: capabilities, paths, hosts and names are compared, not texts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from harness.predict import STARTING, Given, bindings
from harness.sandbox import Place
from remit.analysis.session import analyse
from remit.core.capability import vocabulary
from remit.core.scope import (
    DEEP,
    ROOT,
    AnyScope,
    HostScope,
    NameScope,
    PathScope,
    ScopeKind,
    SymbolScope,
    covers,
    overlaps,
)
from remit.core.scope.component import escape, match
from remit.skill.load import load_skill

if TYPE_CHECKING:
    from collections.abc import Iterable

    from harness.flow_cases import Expected, FlowCase, Sink, Source
    from remit.analysis.result import Effects
    from remit.core.effect import Effect
    from remit.core.flow import Endpoint, Flow
    from remit.core.scope import Scope

SENDING = frozenset({"message.send", "publish", "commit.push"})
UNREPORTED = frozenset(
    {"arg", "stdin", "stdout"}
)  # what the caller passes and reads: no effect brings it in or takes it out


@dataclass(frozen=True)
class SkillPlace(Place):
    """The folders that a case sees: it runs in the folder of the skill."""

    base: Path = Path("/nowhere")

    @property
    def skill(self) -> Path:
        return Path("/skill")

    @property
    def work(self) -> Path:
        return Path("/skill")

    @property
    def home(self) -> Path:
        return Path("/home/user")

    @property
    def tmp(self) -> Path:
        return Path("/tmp")


PLACE = SkillPlace()
ALWAYS = {"HOME": str(PLACE.home), "TMPDIR": str(PLACE.tmp), "USER": "dev"}


def analysed(case: FlowCase, folder: Path) -> Effects:
    """The analysis of the skill of a case, which is written into an empty folder."""
    return analyse(load_skill(case.write(folder)))


def is_checked(wanted: Expected) -> bool:
    """Whether both ends are of a kind that is reported."""
    return not {wanted.source.kind, wanted.sink.kind} & UNREPORTED


def is_reported(wanted: Expected, flows: Iterable[Flow], case: FlowCase) -> bool:
    """Whether some flow speaks of it."""
    return any(speaks(flow, wanted, case) for flow in flows)


def is_secret(source: Source, effects: Effects, case: FlowCase) -> bool:
    """Whether the analysis takes a file for a secret."""
    given = _given(case)
    return any(effect.capability == "secret.read" and _path(effect, source.name, given) for effect in effects.effects)


def is_started(name: str, effects: Effects, case: FlowCase) -> bool:
    """Whether the analysis says that the skill itself starts a program of this name."""
    given = _given(case)
    return any(effect.capability in STARTING and _program(effect.scope, name, given) for effect in effects.effects)


def speaks(flow: Flow, wanted: Expected, case: FlowCase) -> bool:
    """Whether both ends of a flow are those that are wanted."""
    given = _given(case)
    return is_checked(wanted) and _brings(flow.source, wanted.source, given) and _takes(flow.sink, wanted.sink, given)


def _given(case: FlowCase) -> Given:
    return Given(case.args, {**ALWAYS, **case.setup.env})


def _brings(end: Endpoint, source: Source, given: Given) -> bool:
    if source.kind == "env":
        return _variable(end, source.name)
    if source.kind == "web":
        return _reaches_host(end, source.name, given)
    return (
        end.capability.endswith(".read")
        and vocabulary()[end.capability].scope_kind is ScopeKind.PATH
        and _path(end, source.name, given)
    )


def _takes(end: Endpoint, sink: Sink, given: Given) -> bool:
    if sink.kind == "net":
        return _reaches_host(end, sink.name, given)
    if sink.kind == "child":
        inherited = sink.via == "env" and end.capability == "env.write"  # every program that is started later gets it
        return inherited or (end.capability in STARTING and _program(end.scope, sink.name, given))
    return end.capability.endswith((".write", ".create")) and _path(end, sink.name, given)


def _variable(end: Endpoint, name: str) -> bool:
    if isinstance(end.scope, AnyScope):
        return end.capability in ("env.read", "secret.read")
    if not isinstance(end.scope, NameScope):
        return end.capability == "env.read" and isinstance(end.scope, SymbolScope)
    prefix = {"env.read": "", "secret.read": "env:"}.get(end.capability)
    return prefix is not None and covers(end.scope, NameScope(prefix + ("*" if name == "*" else escape(name))))


def _path(end: Endpoint | Effect, name: str, given: Given) -> bool:
    wanted = _located(name)
    literal = not set(name) & set("*?[")
    for bound in bindings(end.scope, PLACE, given):
        scope: Scope = bound
        if isinstance(bound, PathScope) and end.capability.startswith("commit."):
            scope = bound._replace(parts=(*bound.parts, DEEP))  # a repository: all files in it
        if covers(scope, wanted) or (not literal and overlaps(scope, wanted)):
            return True
    return False


@cache
def _located(name: str) -> PathScope:
    """The path that a name of a case stands for; it may be a pattern."""
    if name == "*":
        return PathScope(ROOT, (DEEP,))
    if name.startswith("~/"):
        name = f"{PLACE.home}/{name[2:]}"
    elif not name.startswith("/"):
        name = f"{PLACE.work}/{name}"
    return PathScope(ROOT, tuple(part if set(part) & set("*?[") else escape(part) for part in name.split("/") if part))


def _reaches_host(end: Endpoint, name: str, given: Given) -> bool:
    kind, scope = vocabulary()[end.capability].scope_kind, end.scope
    if kind is not ScopeKind.HOST and end.capability not in SENDING:
        return False
    if isinstance(scope, SymbolScope):
        return name == "*" or any(_is_host_of(name, value) for value in _values(scope.symbol, given))
    if isinstance(scope, NameScope):  # a registry and what is published there, an address of mail
        return name == "*" or _is_host_of(name, scope.pattern)
    if isinstance(scope, HostScope):
        return name == "*" or covers(HostScope(scope.host), HostScope(name)) or scope.host.endswith(f".{name}")
    return isinstance(scope, AnyScope)


def _values(symbol: str, given: Given) -> tuple[str, ...]:
    """The texts that a symbol can stand for in this run; `*` where the run does not say it."""
    if symbol == "<arg>":
        return given.args
    if symbol.startswith("<env:"):
        return (given.env.get(symbol[5:-1], ""),)
    return ("*",)


def _is_host_of(name: str, text: str) -> bool:
    return text == "*" or name in re.split(r"[^\w.-]+", text.lower())


def _program(scope: Scope, name: str, given: Given) -> bool:
    if isinstance(scope, AnyScope) or name == "*":
        return True
    if isinstance(scope, SymbolScope):
        return name in {value.rpartition("/")[2] for value in _values(scope.symbol, given)} or "*" in _values(
            scope.symbol, given
        )
    if isinstance(scope, NameScope):
        return match(scope.pattern, name)
    return any(
        isinstance(bound, PathScope) and (bound.parts[-1:] == (DEEP,) or match(bound.parts[-1], name))
        for bound in bindings(scope, PLACE, given)
    )
