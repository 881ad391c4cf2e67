"""What the analysis of a skill yields, and its form as JSON, in which it crosses processes and rests in the cache."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from remit.core.capability import vocabulary
from remit.core.effect import Assumed, Command, Effect, Opaque, Origin, Unread
from remit.core.errors import ManifestError
from remit.core.flow import Endpoint, Flow
from remit.core.location import Location
from remit.core.scope import ANY_SCOPE, Scope, parse_scope
from remit.core.via import Cause, Via


@dataclass(frozen=True, slots=True)
class Effects:
    """Everything that a skill can do, what is not understood, and what the answer rests on."""

    skill: str
    path: str
    effects: tuple[Effect, ...]
    opaque: tuple[Opaque, ...]
    assumptions: tuple[str, ...]
    analysed: int
    inert: int
    opaque_files: int
    commands: tuple[Command, ...] = ()  # what documents tell the agent to run, interpreters and builtins included
    digests: tuple[tuple[str, str], ...] = ()  # of the files that were looked into, by path
    unread: tuple[Unread, ...] = ()  # sentences that ask for something that is not checked
    flows: tuple[Flow, ...] = ()  # data that it moves from where it comes from to where it goes
    samples: tuple[Location, ...] = ()  # locations of effects and opaque code that documents only show
    described: tuple[str, ...] = ()  # hosts among its scopes that the description speaks of
    assumed: tuple[Assumed, ...] = ()  # locations where an assumption is in the hands of whoever wrote the skill
    documents: tuple[str, ...] = ()  # files that the agent or a person reads as text
    code: tuple[str, ...] = ()  # files that hold code, documents with commands and code blocks included
    started: tuple[Command, ...] = ()  # what scripts start
    uses: tuple[tuple[Location, str], ...] = ()  # where a file of the skill is run or imported, and which

    def places(self) -> Iterator[Location]:
        """Every place that it speaks of, those of calls too."""
        for effect in self.effects:
            yield effect.where
            yield from effect.path
        yield from (item.where for item in self.opaque)

    def encode(self) -> dict[str, Any]:
        """As JSON values; `decode` gives it back. The path is left out: it is where the skill lay, not what it is."""
        return {
            "skill": self.skill,
            "effects": [_effect(effect) for effect in self.effects],
            "opaque": [[item.reason, *item.where, item.remedy, item.origin] for item in self.opaque],
            "assumptions": list(self.assumptions),
            "files": [self.analysed, self.inert, self.opaque_files],
            "commands": [_command(item) for item in self.commands],
            "digests": [list(item) for item in self.digests],
            "unread": [[item.text, *item.where, list(item.likely)] for item in self.unread],
            "flows": [_flow(item) for item in self.flows],
            "samples": [list(at) for at in self.samples],
            "described": list(self.described),
            "assumed": [[item.ident, *item.where, item.origin] for item in self.assumed],
            "documents": list(self.documents),
            "code": list(self.code),
            "started": [_command(item) for item in self.started],
            "uses": [[*where, file] for where, file in self.uses],
        }

    @classmethod
    def decode(cls, data: dict[str, Any], path: str) -> Effects:
        """From JSON values; KeyError, TypeError or ValueError if they are not such a form."""
        analysed, inert, opaque_files = map(int, data["files"])
        return cls(
            str(data["skill"]),
            path,
            tuple(
                Effect(
                    capability,
                    scope(capability, text),
                    Location(file, line),
                    Via(Cause(cause), name, option, bool(possible), words),
                    Origin(origin),
                    tuple(Location(*at) for at in calls),
                )
                for capability, text, file, line, (cause, name, option, possible, words), origin, calls in data[
                    "effects"
                ]
            ),
            tuple(
                Opaque(reason, Location(file, line), remedy, Origin(origin))
                for reason, file, line, remedy, origin in data["opaque"]
            ),
            tuple(map(str, data["assumptions"])),
            analysed,
            inert,
            opaque_files,
            tuple(map(_read_command, data["commands"])),
            tuple((str(file), str(found)) for file, found in data["digests"]),
            tuple(Unread(text, Location(file, line), tuple(likely)) for text, file, line, likely in data["unread"]),
            tuple(
                Flow(_end(source), _end(sink), tuple(Location(*at) for at in steps), Origin(origin), bool(model))
                for source, sink, steps, origin, model in data["flows"]
            ),
            tuple(Location(str(file), int(line)) for file, line in data["samples"]),
            tuple(map(str, data["described"])),
            tuple(
                Assumed(str(ident), Location(str(file), int(line)), Origin(origin))
                for ident, file, line, origin in data["assumed"]
            ),
            tuple(map(str, data["documents"])),
            tuple(map(str, data["code"])),
            tuple(map(_read_command, data["started"])),
            tuple((Location(str(at), int(line)), str(file)) for at, line, file in data["uses"]),
        )


def _command(command: Command) -> list[Any]:
    return [command.program, command.text, *command.where, command.origin]


def _read_command(data: list[Any]) -> Command:
    program, text, file, line, origin = data
    return Command(program, text, Location(file, line), Origin(origin))


def _effect(effect: Effect) -> list[Any]:
    calls = [list(at) for at in effect.path]
    return [effect.capability, effect.scope.render(), *effect.where, list(effect.via), effect.origin, calls]


def _flow(flow: Flow) -> list[Any]:
    ends = [[end.capability, end.scope.render(), *end.where] for end in (flow.source, flow.sink)]
    return [*ends, [list(at) for at in flow.steps], flow.origin, flow.model]


def _end(data: list[Any]) -> Endpoint:
    capability, text, file, line = data
    return Endpoint(capability, scope(capability, text), Location(file, line))


@lru_cache(4096)
def scope(capability: str, text: str) -> Scope:
    """The scope that was written as `text`; one that cannot be read back counts as everything."""
    try:
        return parse_scope(vocabulary()[capability].scope_kind, text)
    except ManifestError:
        return ANY_SCOPE
