"""The JSON form of counterexample sessions (`remit schema session`).

The reader is strict: a session may come from anywhere, and one that is misread would be replayed as something else.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from remit.core.capability import vocabulary
from remit.core.effect import Effect, Origin
from remit.core.errors import InputError, ManifestError
from remit.core.location import Location
from remit.core.scope import Scope, parse_scope
from remit.core.via import recorded
from remit.manifest.fields import NAME, fields, items, text, whole, word
from remit.manifest.jsontext import Node, Reader
from remit.policy.request import Envelope
from remit.proof.counterexample import Beginning, Counterexample, Script, SessionStart

FORMAT = "urn:remit:session:1"
MAX_BYTES = 16 * 1024 * 1024
_SESSIONS, _LINKS, _LINE, _LONG = 20_000, 1_000, 10_000_000, 1_000_000


class Sessions(NamedTuple):
    """The content of a session file: the skill, and the sessions, the shortest first."""

    skill: str
    sessions: tuple[Counterexample, ...]


def document(skill: str, sessions: tuple[Counterexample, ...]) -> dict[str, Any]:
    """Return a session file as JSON values."""
    return {"format": FORMAT, "skill": skill, "sessions": [session_value(item) for item in sessions]}


def session_value(item: Counterexample) -> dict[str, Any]:
    """One session as JSON values, every field in a fixed order."""
    begins: dict[str, Any] = {"how": str(item.beginning.how), "where": _place(item.beginning.where)}
    if item.beginning.command:
        begins["command"] = item.beginning.command
    out: dict[str, Any] = {"begins": begins}
    if item.envelope:
        out["envelope"] = {
            "op": item.envelope.op,
            "args": dict(item.envelope.args),
            "reasoning": item.envelope.reasoning,
        }
    out["scripts"] = [
        {"file": script.file, "digest": script.digest, "started": _place(script.started)} for script in item.scripts
    ]
    out["calls"] = [_place(where) for where in item.effect.path]
    effect: dict[str, Any] = {"capability": item.effect.capability, "scope": item.effect.scope.render()}
    if item.instance:
        effect["instance"] = item.instance.render()
    out["effect"] = effect | {
        "where": _place(item.effect.where),
        "why": item.effect.why,
        "origin": str(item.effect.origin),
    }
    return out | {"reason": item.reason, "remedy": item.remedy}


def _place(where: Location) -> dict[str, Any]:
    return {"file": where.file, "line": where.line}


def read_sessions(data: bytes, file: str) -> Sessions:
    """The sessions in a file; InputError with line and column if it holds something else."""
    try:
        reader = Reader(data.decode("utf-8"), file)
        return _Form(reader).document(reader.read())
    except UnicodeDecodeError:
        raise InputError(f"{file}: it is not UTF-8 text", "write it with `remit check --counterexample`") from None
    except ManifestError as error:  # the kind that the shared reader raises
        raise InputError(error.message, error.remedy) from None


class _Form:
    """The reader of one document."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader

    def document(self, node: Node) -> Sessions:
        found = fields(self.reader, node, "a file of sessions", ("format", "skill", "sessions"))
        if text(self.reader, found["format"], "format") != FORMAT:
            raise self.reader.fail(found["format"].at, "this is not a file of sessions", f"its format is `{FORMAT}`")
        sessions = items(self.reader, found["sessions"], "sessions", _SESSIONS, empty=False)
        return Sessions(text(self.reader, found["skill"], "skill", _LONG), tuple(map(self.session, sessions)))

    def session(self, node: Node) -> Counterexample:
        needed = ("begins", "scripts", "calls", "effect", "reason", "remedy")
        found = fields(self.reader, node, "a session", needed, ("envelope",))
        calls = tuple(self.place(item) for item in items(self.reader, found["calls"], "calls", _LINKS))
        effect, instance = self.effect(found["effect"], calls)
        return Counterexample(
            self.beginning(found["begins"]),
            self.envelope(found["envelope"]) if "envelope" in found else None,
            tuple(self.script(item) for item in items(self.reader, found["scripts"], "scripts", _LINKS)),
            effect,
            instance,
            text(self.reader, found["reason"], "reason", _LONG),
            text(self.reader, found["remedy"], "remedy", _LONG),
        )

    def beginning(self, node: Node) -> Beginning:
        found = fields(self.reader, node, "`begins`", ("how", "where"), ("command",))
        command = text(self.reader, found["command"], "command", _LONG) if "command" in found else ""
        return Beginning(word(self.reader, found["how"], "how", SessionStart), self.place(found["where"]), command)

    def envelope(self, node: Node) -> Envelope:
        found = fields(self.reader, node, "`envelope`", ("op", "args", "reasoning"))
        args = fields(self.reader, found["args"], "`args`", (), ("target",))
        given: Mapping[str, str] = {name: text(self.reader, value, name, _LONG) for name, value in args.items()}
        return Envelope(self.capability(found["op"]), given, text(self.reader, found["reasoning"], "reasoning", _LONG))

    def script(self, node: Node) -> Script:
        found = fields(self.reader, node, "a script", ("file", "digest", "started"))
        file = text(self.reader, found["file"], "file", _LONG)
        return Script(file, text(self.reader, found["digest"], "digest", empty=True), self.place(found["started"]))

    def effect(self, node: Node, calls: tuple[Location, ...]) -> tuple[Effect, Scope | None]:
        found = fields(self.reader, node, "`effect`", ("capability", "scope", "where", "why", "origin"), ("instance",))
        capability = self.capability(found["capability"])
        scope = self.scope(found["scope"], capability)
        instance = self.scope(found["instance"], capability) if "instance" in found else None
        why = text(self.reader, found["why"], "why", _LONG)
        origin = word(self.reader, found["origin"], "origin", Origin)
        return Effect(capability, scope, self.place(found["where"]), recorded(why), origin, calls), instance

    def capability(self, node: Node) -> str:
        name = text(self.reader, node, "capability", NAME)
        if name not in vocabulary():
            raise self.reader.fail(node.at, f"`{name}` is not a capability", "`remit explain` lists all")
        return name

    def scope(self, node: Node, capability: str) -> Scope:
        try:
            return parse_scope(vocabulary()[capability].scope_kind, text(self.reader, node, "scope", _LONG))
        except ManifestError as error:
            raise self.reader.fail(node.at, error.message, error.remedy) from None

    def place(self, node: Node) -> Location:
        found = fields(self.reader, node, "a place", ("file", "line"))
        line = whole(self.reader, found["line"], "line", 0, _LINE)
        return Location(text(self.reader, found["file"], "file", _LONG), line)
