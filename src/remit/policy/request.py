"""The parser of untrusted envelopes: a language model's request is parsed once, here, and strictly.

A request names *one* concrete thing: no wildcard, no unbound symbol, no `..` in a path, no command that a
shell would split into several. The reasoning of an envelope is kept for people to read; it is never evaluated.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from remit.core.capability import Capability, vocabulary
from remit.core.digest import canonical, digest
from remit.core.errors import ManifestError, RemitError
from remit.core.patterns import lazy_pattern
from remit.core.scope import (
    ANY_SCOPE,
    PLACES,
    ROOT,
    WORKSPACE,
    HostScope,
    NameScope,
    NumberScope,
    PathScope,
    Scope,
    ScopeKind,
    SymbolScope,
    parse_scope,
)
from remit.core.scope.component import escape, literal
from remit.manifest.words import HIDDEN
from remit.policy.refusal import Refusal
from remit.policy.words import plain_words


class RefusedError(Exception):
    """Raised while parsing an envelope; `read` turns it into its refusal."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.refusal = Refusal(code, reason)


def read_text(value: object, name: str, most: int) -> str:
    """Return a text within its limit that has only one reading."""
    if type(value) is not str:
        raise RefusedError("malformed", f"`{name}` is no text")
    if len(value) > most:
        raise RefusedError("too-large", f"`{name}` is longer than {most} characters")
    refuse_unseen(value, name)
    return value


def refuse_unseen(text: str, name: str) -> None:
    """Refuse, and never repair, a text that a person, a file system and a shell could read differently."""
    if text.isascii():
        bad = not text.isprintable() and HIDDEN.search(text) is not None
    else:
        from unicodedata import normalize  # noqa: PLC0415  (most names are ASCII)

        wide = normalize("NFKC", text)
        bad = (
            HIDDEN.search(text) is not None
            or any("\ud800" <= char <= "\udfff" for char in text)
            or normalize("NFC", text) != text
            or any(wide.count(char) != text.count(char) for char in "/\\\0")  # a slash in another width
            or any(part in (".", "..") for part in wide.split("/") if part not in text.split("/"))
        )
    if bad:
        raise RefusedError("unseen-characters", f"`{name}` holds characters that hide or steer, or look like others")


def shown(value: object) -> str:
    """Return a short text for a message, without invisible characters."""
    text = value if isinstance(value, str) else type(value).__name__
    clean = "".join(char if char.isprintable() else "?" for char in text[:81])
    return clean if len(clean) <= 80 else f"{clean[:80]}…"


MAX_TARGET = 4096  # characters; the longest path of most systems
MAX_COMPONENTS = 256  # of a path; comparing takes time in proportion
MAX_COMMAND = 32_768
MAX_NAMES = 100
MAX_NAME = 200
MAX_VALUES = 65_536  # bytes of all arguments as JSON
MAX_DEPTH = 20

_FIELDS = frozenset({"target", "command", "arguments"})
# Capabilities that start the program that is their target, and those that hand text to something that runs already.
_STARTS = frozenset({"shell.execute", "process.create", "repl.create"})
_HANDS_OVER = frozenset({"repl.execute", "container.run"})
COMMANDS = _STARTS | _HANDS_OVER

Bindings: TypeAlias = "Mapping[str, tuple[Scope, ...]]"
NOTHING_BOUND: Bindings = MappingProxyType({})


class Envelope(NamedTuple):
    """The request of a language model. Nothing of it is trusted, not even the types."""

    op: str
    args: Mapping[str, Any]
    reasoning: str = ""


class Nested(NamedTuple):
    """A list or object among the arguments, as canonical JSON. It is passed on, and never matches a value of an entry."""

    json: str


Value: TypeAlias = "str | int | float | bool | Nested | None"


class Request(NamedTuple):
    """A parsed request. `command` is the whole command line, where the capability runs one."""

    capability: str
    scope: Scope
    command: str = ""
    arguments: tuple[tuple[str, Value], ...] = ()  # sorted by name
    spared: bool = False  # of a pattern: its runner ensures that no sensitive or denied place inside is touched

    def digest(self, skill: str) -> str:
        """Return the digest of this request by this skill, to which an approval is bound."""
        values = [[name, list(value) if isinstance(value, Nested) else value] for name, value in self.arguments]
        scope = [self.scope.tag, self.scope.render()]
        spared = ["spared"] if self.spared else []
        return digest([skill, self.capability, scope, self.command, values, *spared])


def read(envelope: Envelope, bound: Bindings = NOTHING_BOUND) -> Request | Refusal:
    """Parse an envelope. A symbol is replaced by what the caller binds it to, if that is one thing."""
    try:
        capability = _capability(envelope.op)
        args = _args(envelope.args)
        text = read_text(args["target"], "target", MAX_TARGET) if "target" in args else ""
        scope = _target(capability, text, bound)
        command = _command(capability.name, scope, args["command"]) if "command" in args else ""
        return Request(capability.name, scope, command, _arguments(args.get("arguments", {})))
    except RefusedError as error:
        return error.refusal


def _capability(op: object) -> Capability:
    if type(op) is not str:
        raise RefusedError("malformed", "the operation is no text")
    found = vocabulary().get(op)
    if found is None:
        raise RefusedError("unknown-capability", f"`{shown(op)}` is not a capability")
    return found


def _args(args: object) -> dict[str, Any]:
    if type(args) is not dict:
        raise RefusedError("malformed", "the arguments are no object")
    for name in args:
        if name not in _FIELDS or type(name) is not str:
            raise RefusedError("malformed", f"`{shown(name)}` is no part of a request")
    return args


def _target(capability: Capability, text: str, bound: Bindings) -> Scope:
    kind = capability.scope_kind
    if kind is ScopeKind.NONE:
        if text:
            raise RefusedError("target-unread", f"{capability.name} acts on nothing that has a name")
        return ANY_SCOPE
    if text.count("/") > MAX_COMPONENTS:
        raise RefusedError("too-large", f"the target has more than {MAX_COMPONENTS} parts")
    if not text:
        raise RefusedError("target-missing", f"{capability.name} needs a target")
    try:
        found = tuple(bind(parse_scope(kind, text), bound))
    except ManifestError:
        raise RefusedError("target-unread", f"`{shown(text)}` is no target of {capability.name}") from None
    if kind is ScopeKind.PATH and not capability.name.startswith("secret.") and isinstance(found[0], NameScope):
        raise RefusedError("target-unread", f"`{shown(text)}` is a variable, and {capability.name} acts on files")
    if len(found) != 1 or not _is_concrete(found[0]):
        raise RefusedError("not-concrete", f"`{shown(text)}` is not one thing that is known now")
    return found[0]


def bind(scope: Scope, bound: Bindings) -> Iterator[Scope]:
    """Yield the meanings of a scope under bindings. An unbound symbol stays: it grants nothing concrete."""
    if isinstance(scope, SymbolScope):
        yield from bound.get(scope.symbol) or (scope,)
    elif isinstance(scope, PathScope) and scope.symbol:
        for value in bound.get(scope.symbol, ()):
            if isinstance(value, PathScope):
                yield from _placed(scope, value)
            else:  # a program that is called by its name
                yield scope if scope.parts or scope.is_beside else value
        if not bound.get(scope.symbol):
            yield scope
    else:
        yield scope


def _placed(scope: PathScope, value: PathScope) -> Iterator[PathScope]:
    """Yield a scope with its leading symbol replaced by a path. A pattern has no known parent folder."""
    if not scope.is_beside:
        yield PathScope(value.anchor, (*value.parts, *scope.parts))
    elif not value.symbol and value.parts and literal(value.parts[-1]) is not None:
        yield PathScope(value.anchor, (*value.parts[:-1], *scope.parts))
    else:
        yield scope


def _is_concrete(scope: Scope) -> bool:
    match scope:
        case PathScope(anchor, parts):
            return anchor in PLACES and all(map(_is_name, parts))
        case HostScope(host):
            return "*" not in host
        case NameScope(pattern):
            return _is_name(pattern)
        case NumberScope(low, high):
            return low == high and low is not None and math.isfinite(low)
        case _:
            return False


def _is_name(pattern: str) -> bool:
    """Return whether a pattern is one visible name, with no character hidden by an escape."""
    text = literal(pattern)
    if not text:
        return False
    refuse_unseen(text, "target")
    return True


def _command(capability: str, scope: Scope, value: object) -> str:
    if capability not in COMMANDS:
        raise RefusedError("no-command", f"{capability} runs no command")
    if capability in _HANDS_OVER and type(value) is str and len(value) <= MAX_COMMAND:
        refuse_unseen(value.translate(_LINES), "command")
        return value
    text = read_text(value, "command", MAX_COMMAND)
    words = command_words(text)
    if words is None:
        raise RefusedError("command-unclear", f"`{shown(text)}` is not one plain command")
    if _program(words[0], placed=_PLACED.match(text) is not None) != scope:
        raise RefusedError("command-elsewhere", f"`{shown(words[0])}` is not `{shown(scope.render())}`")
    return text


_LINES = {ord("\n"): " ", ord("\t"): " "}  # code has lines
_PLACED = lazy_pattern(r"(?:~|\$[A-Z]+)/[\w./+@-]+(?= |$)", re.ASCII)  # `~/bin/tool`, `$SKILL/run.sh`


def command_words(command: str) -> tuple[str, ...] | None:
    """Return the words of a plain command, as they are judged and run. It may begin with a program path, written as in a
    scope.
    """
    placed = _PLACED.match(command)
    if placed is None:
        return plain_words(command)
    rest = plain_words(f"x{command[placed.end() :]}")
    return (placed[0], *rest[1:]) if rest else None


def _program(word: str, *, placed: bool) -> Scope | None:
    """Return the program that a word starts. A quoted place is not a place, but a name that no scope has."""
    try:
        scope = parse_scope(ScopeKind.PROGRAM, word if placed else "/".join(map(escape, word.split("/"))))
    except ManifestError:
        return None
    plain = isinstance(scope, NameScope) or (isinstance(scope, PathScope) and scope.anchor in (ROOT, WORKSPACE))
    return scope if plain or placed else None


def _arguments(value: object) -> tuple[tuple[str, Value], ...]:
    if type(value) is not dict or not all(type(name) is str for name in value):
        raise RefusedError("malformed", "`arguments` is no object")
    if len(value) > MAX_NAMES or any(not name or len(name) > MAX_NAME for name in value):
        raise RefusedError(
            "too-large", f"`arguments` has more than {MAX_NAMES} names, or one that is empty or too long"
        )
    for name in value:
        refuse_unseen(name, "arguments")
    _measure(value)
    try:
        if len(canonical(value)) > MAX_VALUES:
            raise RefusedError("too-large", f"`arguments` takes more than {MAX_VALUES} bytes")
        return tuple((name, _value(value[name])) for name in sorted(value))
    except RemitError as error:
        raise RefusedError("malformed", f"`arguments`: {error.message}") from None


def _measure(value: object) -> None:
    """Refuse deeply nested or large values before any function walks through them."""
    todo = [(value, 0)]
    seen = 0
    while todo:
        item, depth = todo.pop()
        seen += len(item) if isinstance(item, str) else 1
        if depth > MAX_DEPTH or seen > MAX_VALUES:
            raise RefusedError("too-large", "`arguments` is deeper or longer than any request needs")
        if isinstance(item, dict):
            todo += [(inner, depth + 1) for inner in item.values()]
        elif isinstance(item, list | tuple):
            todo += [(inner, depth + 1) for inner in item]


def _value(value: Any) -> Value:
    if value is None or type(value) in (str, int, float, bool):
        return value  # type: ignore[no-any-return]
    return Nested(canonical(value).decode())
