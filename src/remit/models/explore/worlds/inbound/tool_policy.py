"""Model of the tool policy (`gateway/inbound/tool_policy.py`): eight layers on one tool in every
combination, every spelling in each of them, and every kind of caller.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from typing import Any, NamedTuple

from remit.core.errors import DataError
from remit.gateway.inbound import laws, tool_policy
from remit.gateway.inbound.tool_policy import LAYERS, Caller, Layer, Names, Policy
from remit.models.explore.model import Case, Invariant, Model, Mutant, Patch, every, model_of, was_asked

_TOOLS = frozenset({"exec", "process", "read", "memory_get", "node_run"})
_ELEVATED = frozenset({"node_run"})
# what entries mean, written down here once more: what the code makes of them is compared with it
_MEANS = {
    "exec": {"exec"}, "bash": {"exec"}, " EXEC ": {"exec"}, "run-command": {"exec"}, "\uff45xec": {"exec"}, "group:run": {"exec", "process"},
    "*": set(_TOOLS), "read": {"read"}, "cat": {"read"}, "group:memory": {"memory_get", "memory_put", "memory_search"}, "execute": {"execute"},
}  # fmt: skip
_UNKNOWN = "group:nobody"


class ToolPolicySettings(NamedTuple):
    """Each layer's word, in the order of the layers, and the two words for tools with the operator's own rights."""

    layers: tuple[Layer, ...]
    elevated_global: bool = True
    elevated_agent: bool = True

    def policy(self) -> Policy:
        """As the code takes it."""
        said = dict(zip(LAYERS, self.layers, strict=True))
        return Policy(_TOOLS, said, _ELEVATED, elevated_global=self.elevated_global, elevated_agent=self.elevated_agent)


class ToolPolicyAnswer(NamedTuple):
    """What may be called, and what a spelling means."""

    allowed: frozenset[str]
    tool: str
    again: str  # what that spelling means in turn
    refused: bool = False


_SILENT = Layer()
_EIGHT = tuple(
    map(ToolPolicySettings, product((_SILENT, Layer(allow=("exec",)), Layer(deny=("exec",))), repeat=len(LAYERS)))
)
_ONE = tuple(
    ToolPolicySettings((*(_SILENT,) * place, said, *(_SILENT,) * (len(LAYERS) - place - 1)), everywhere, agent)
    for place in (0, 3, 7)
    for entry in (*_MEANS, _UNKNOWN)
    for said in (Layer(deny=(entry,)), Layer(allow=(entry,)), Layer(allow=("*",), deny=(entry,)))
    for everywhere in (False, True)
    for agent in (False, True)
)
_CALLERS = every(Caller, elevated=(False, True), shared=(False, True), sender_elevated=(False, True))


def _answers(settings: ToolPolicySettings) -> Iterator[tuple[Any, ToolPolicyAnswer]]:
    known, policy = tool_policy.names(), settings.policy()
    for caller in (Caller(),) if settings in _PLAIN else _CALLERS:
        try:
            allowed = tool_policy.allowed(known, policy, caller)
        except DataError:
            yield (caller, "exec"), ToolPolicyAnswer(frozenset(), "", "", refused=True)
            continue
        for spelled in ("exec",) if settings in _PLAIN else ("exec", "Shell", "open-file"):
            yield (caller, spelled), ToolPolicyAnswer(allowed, known.tool(spelled), known.tool(known.tool(spelled)))


_PLAIN = frozenset(_EIGHT)


def _meant(entries: tuple[str, ...]) -> set[str]:
    return {tool for entry in entries for tool in _MEANS.get(entry, ())}


@cache
def _denied_by(said: tuple[Layer, ...]) -> frozenset[str]:
    return frozenset().union(*(_meant(layer.deny) for layer in said))


@cache
def _left_out_by(said: tuple[Layer, ...]) -> frozenset[str]:
    return frozenset().union(*(_TOOLS - _meant(layer.allow) for layer in said if layer.allow is not None))


def _denied(case: Case) -> frozenset[str]:
    return _denied_by(case.settings.layers)


def _left_out(case: Case) -> frozenset[str]:
    """Tools that some layer does not name though it names what it allows."""
    return _left_out_by(case.settings.layers)


def _answered(case: Case) -> bool:
    return was_asked(case) and not case.answer.refused


def _may_elevate(case: Case) -> bool:
    caller = case.asked[0]
    return all((case.settings.elevated_global, case.settings.elevated_agent, caller.elevated, caller.sender_elevated))


_INVARIANTS = (
    Invariant("deny-wins", "a tool that any of the eight layers denies, under any spelling, is not allowed", lambda case: _answered(case) and bool(_denied(case)),
              lambda case: laws.deny_wins(_denied(case), case.answer.allowed)),
    Invariant("allowing-takes-away", "a tool that a layer's allow list omits is not allowed", lambda case: _answered(case) and bool(_left_out(case)),
              lambda case: not _left_out(case) & case.answer.allowed),
    Invariant("groups-are-exact", "no other tool is removed: a group, a name or `*` matches exactly what it says", _answered,
              lambda case: _TOOLS - _denied(case) - _left_out(case) - _ELEVATED - {"memory_get"} <= case.answer.allowed),
    Invariant("aliases-are-the-tool", "another name of a tool is the same tool and may be called if the tool may", _answered,
              lambda case: case.answer.tool == {"exec": "exec", "Shell": "exec", "open-file": "read"}[case.asked[1]]),
    Invariant("one-spelling", "the normalised name of a tool is already normalised", _answered, lambda case: case.answer.again == case.answer.tool),
    Invariant("elevated-wants-all", "elevated tools need permission from gateway, agent, session and sender",
              lambda case: _answered(case) and bool(_ELEVATED & case.answer.allowed), _may_elevate),
    Invariant("elevated-is-possible", "with all four permissions elevated tools may be called", lambda case: _answered(case) and _may_elevate(case)
              and not _ELEVATED & (_denied(case) | _left_out(case)), lambda case: case.answer.allowed >= _ELEVATED),
    Invariant("shared-has-no-memory", "a session that several people share has no memory tools", lambda case: _answered(case) and case.asked[0].shared,
              lambda case: "memory_get" not in case.answer.allowed),
    Invariant("memory-alone", "a session of one person keeps the memory tools", lambda case: _answered(case) and not case.asked[0].shared
              and "memory_get" not in _denied(case) | _left_out(case), lambda case: "memory_get" in case.answer.allowed),
    Invariant("unknown-groups-are-refused", "an unknown group is refused, and is not ignored", lambda case: was_asked(case)
              and any(_UNKNOWN in (*(layer.allow or ()), *layer.deny) for layer in case.settings.layers), lambda case: case.answer.refused),
)  # fmt: skip


class _AsWritten(Names):
    """Names that are compared as they are written."""

    def tool(self, text: str) -> str:
        return text


class _NoAliases(Names):
    def tool(self, text: str) -> str:
        return text.strip().casefold().replace("-", "_")


class _Unsettled(Names):
    def tool(self, text: str) -> str:
        return self.aliases.get(text.casefold(), f"{text.strip()}_")


class _Wide(Names):
    """`group:run` means every name that begins like one of its tools, and a group that is not there means nothing."""

    def tools(self, entries: Any, known: frozenset[str]) -> frozenset[str]:
        there = [one for one in entries if not one.startswith("group:") or one[6:] in self.groups]
        return super().tools(there, known) | (known if "group:run" in there else frozenset())


def _named(kind: type) -> Callable[..., Any]:
    return lambda real: lambda: kind(*real())


def model() -> Model:
    """The model."""
    mutants = (
        Mutant("lets a later layer allow again", "deny-wins", Patch(tool_policy, "apply_layer",
            lambda real: lambda known, tools, left, layer: real(known, tools, left, layer) | known.tools(layer.allow or (), tools))),
        Mutant("forgets the last layer", "deny-wins", Patch(tool_policy, "LAYERS", lambda real: real[:-1])),
        Mutant("compares names as they are written", "deny-wins", Patch(tool_policy, "names", _named(_AsWritten))),
        Mutant("reads no list of what is allowed", "allowing-takes-away", Patch(tool_policy, "apply_layer",
            lambda real: lambda known, tools, left, layer: real(known, tools, left, layer._replace(allow=None)))),
        Mutant("widens a group", "groups-are-exact", Patch(tool_policy, "names", _named(_Wide))),
        Mutant("knows no other names", "aliases-are-the-tool", Patch(tool_policy, "names", _named(_NoAliases))),
        Mutant("spells what is spelled already", "one-spelling", Patch(tool_policy, "names", _named(_Unsettled))),
        Mutant("wants one word of the two", "elevated-wants-all", Patch(tool_policy, "may_elevate", lambda _: lambda policy, caller: (
            (policy.elevated_global or policy.elevated_agent) and caller.elevated and caller.sender_elevated))),
        Mutant("asks nobody about the sender", "elevated-wants-all", Patch(tool_policy, "may_elevate", lambda real: lambda policy, caller: (
            real(policy, caller._replace(sender_elevated=True))))),
        Mutant("elevates nobody", "elevated-is-possible", Patch(tool_policy, "may_elevate", lambda _: lambda *_: False)),
        Mutant("keeps memory where several are", "shared-has-no-memory", Patch(tool_policy, "SHARED", lambda _: frozenset())),
        Mutant("takes every session for a shared one", "memory-alone", Patch(tool_policy, "allowed", lambda real: lambda known, policy, caller: (
            real(known, policy, caller._replace(shared=True))))),
        Mutant("reads over groups that are not there", "unknown-groups-are-refused", Patch(tool_policy, "names", _named(_Wide))),
    )  # fmt: skip
    return model_of(
        "tool-policy", "a denial overrides all eight layers and all spellings; elevated tools need all four permissions",
        (*_ONE, *_EIGHT), ("ask what may be called", _answers), _INVARIANTS, mutants,
    )  # fmt: skip
