"""From abstract values to scopes (rule 10): on what exactly an effect acts.

Every function here over-approximates: a run that acts on something acts on something in the scopes. What could
lead anywhere is `any`. The result is empty only if the value names nothing of the kind (a file descriptor is a handle
that was counted where it was acquired).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from remit.analysis._hosts import domain_scope, file_urls, host_scope
from remit.analysis._paths import (
    leads_by_caller,
    name_text,
    path_scopes,
    path_text,
    starts_relative,
    symbol_of,
    widened,
)
from remit.analysis.domain import (
    ANY,
    ANYTHING,
    FILE,
    NET,
    NO_SLASH,
    NUMERIC,
    SEGMENT,
    SOME_TEXT,
    STDIN,
    UNKNOWN,
    Atom,
    Const,
    Data,
    Hole,
    Instance,
    Num,
    Text,
    Value,
    hole,
    lit,
)
from remit.core.capability import vocabulary
from remit.core.errors import ManifestError
from remit.core.scope import (
    ANY_SCOPE,
    DEEP,
    NameScope,
    NumberScope,
    PathScope,
    Scope,
    ScopeKind,
    SymbolScope,
    covers,
    overlaps,
    parse_scope,
)
from remit.core.scope.component import escape, normal
from remit.core.scope.parse import port_number, program_scope
from remit.core.sensitive import VARIABLE

# More scopes than this for one effect are joined: nobody reads them, and they would only grow.
MAX_SCOPES = 8
_NOWHERE: frozenset[Scope] = frozenset({ANY_SCOPE})


def scopes_of(capability: str, value: Value, cwd: Value, port: Value | None = None) -> frozenset[Scope]:
    """The scopes of an effect of this capability on `value`; relative paths start from `cwd`.

    For hosts `value` is a URL, a host or `host:port`, and `port` the argument that gives the port apart.
    """
    found = reported_scopes(capability, value, cwd, port)
    return _NOWHERE if ANY_SCOPE in found else found


def fixed_scopes(value: Value, cwd: Value) -> frozenset[Scope]:
    """Where a file is written, as far as the skill itself says: by a word of the caller inside of a path it may be anywhere."""
    texts = named_texts(value)
    return _NOWHERE if texts is None or any(map(leads_by_caller, texts)) else scopes_of("file.write", value, cwd)


def reported_scopes(capability: str, value: Value, cwd: Value, port: Value | None = None) -> frozenset[Scope]:
    """As `scopes_of`, with what the skill names kept beside `any`: another default shows when the skill changes."""
    if capability == "secret.read" and (variables := _variables(value)):
        return variables
    kind = vocabulary()[capability].scope_kind
    found = _scopes(kind, value, cwd, port)
    if kind is not ScopeKind.HOST or ANY_SCOPE not in found:
        return found
    texts = (atom for atom in value if isinstance(atom, Text))
    domains = (domain_scope(item, bare=capability.startswith("net.")) for item in texts)
    return found.union(domain for domain in domains if domain)


def _variables(value: Value) -> frozenset[Scope]:
    """The credentials that lie in variables, if all of these do: `env:NAME` as a summary or a reader of headers names them."""
    names = [atom.literal or "" if isinstance(atom, Text) else "" for atom in value]
    if not all(name.startswith(VARIABLE) for name in names):
        return frozenset()
    return frozenset(parse_scope(ScopeKind.PATH, name) for name in names)


def written_scope(capability: str, scope: str) -> Value:
    """The value that a summary means when it *writes* a scope of this capability: `'~/.cache/app/**'`, `'AWS_*'`.

    The text of a program is never a pattern; the text of a summary is one. A relative path stays relative.
    """
    kind = vocabulary()[capability].scope_kind
    if kind is ScopeKind.HOST and "://" in scope:
        return lit(scope)
    form = parse_scope(kind, scope)
    if isinstance(form, PathScope):
        return frozenset({path_text(form)})
    if isinstance(form, NameScope):
        return frozenset({name_text(form.pattern, SEGMENT if kind is ScopeKind.PROGRAM else ANYTHING)})
    if isinstance(form, SymbolScope):
        return hole(form.symbol[1:-1])
    if isinstance(form, NumberScope):
        return frozenset({Num(form.low, form.high)})
    return ANY if form == ANY_SCOPE else lit(scope)


def file_url_paths(value: Value) -> Value:
    """The paths that are read if a URL is opened by something that also opens `file:` URLs; empty if it cannot be one.

    A free scheme yields unknown text: the engine adds `file.read` of the result wherever it is not empty.
    """
    texts, _ = _texts(value)
    if texts is None:
        return SOME_TEXT
    return frozenset(path for url in texts for path in file_urls(url))


def named_texts(value: Value) -> frozenset[Text] | None:
    """The texts that a value can be as the name of something; None if it can be any."""
    return _texts(value)[0]


@lru_cache(8192)
def _scopes(kind: ScopeKind, value: Value, cwd: Value, port: Value | None) -> frozenset[Scope]:
    if kind is ScopeKind.NONE or not value:
        return _NOWHERE
    if kind is ScopeKind.NUMBER:
        found = frozenset(_numbers(value))
    else:
        spelled = value if kind is ScopeKind.PATH else frozenset(map(_spelled, value))
        texts, handles = _texts(spelled)
        if texts is None:
            known = frozenset(atom for atom in spelled if isinstance(atom, Text))
            found = _NOWHERE.union(_each(kind, known, cwd, port))
        elif not (texts or (handles and kind is ScopeKind.PATH)):
            return _NOWHERE
        else:
            found = frozenset(_each(kind, texts, cwd, port))
    if ANY_SCOPE in found:
        return found if len(found) <= MAX_SCOPES else _NOWHERE
    if len(found) > MAX_SCOPES:
        found = widened(found)
    return found if len(found) <= MAX_SCOPES else _NOWHERE


def behind_link(scope: Scope, start: Scope, end: Scope, *, whole: bool) -> Scope | None:
    """Where a path leads that goes through a link from `start` to `end`, or the `whole` folder there; None: nowhere else."""
    if not isinstance(scope, PathScope) or not isinstance(start, PathScope) or scope.anchor != start.anchor:
        return None
    depth = len(start.parts)
    if scope.parts[:depth] == start.parts:
        rest = (DEEP,) if whole else scope.parts[depth:]
    elif overlaps(scope, start._replace(parts=(*start.parts, DEEP))):
        rest = (DEEP,)
    else:
        return None
    found = end._replace(parts=(*end.parts, *rest)) if isinstance(end, PathScope) else end
    return None if covers(scope, found) else found


def below(scope: Scope, folder: PathScope) -> tuple[str, ...] | None:
    """How a path goes on below a folder that may be the one it lies in; None if it does not lie there."""
    if not isinstance(scope, PathScope) or not overlaps(folder, scope._replace(parts=scope.parts[: len(folder.parts)])):
        return None
    return scope.parts[len(folder.parts) :]


def moved_ends(start: Scope, end: Scope, moved: PathScope) -> Iterator[Scope]:
    """Where a link leads that was at `start` and is now at `moved`: to the same place, or as far from its own folder as before."""
    if moved == end:
        return
    yield end
    if isinstance(start, PathScope) and isinstance(end, PathScope) and start.anchor == end.anchor:
        folder = start.parts[:-1]
        if end.parts[: len(folder)] == folder and moved.parts[:-1] != folder:
            yield moved._replace(parts=(*moved.parts[:-1], *end.parts[len(folder) :]))


def _each(kind: ScopeKind, texts: frozenset[Text], cwd: Value, port: Value | None) -> Iterator[Scope]:
    if kind is ScopeKind.HOST:
        ports = _ports(port)
        for item in texts:
            yield from (host_scope(item, number) for number in ports)
    elif kind in (ScopeKind.PATH, ScopeKind.PROGRAM):
        folders, _ = _texts(cwd)
        for item in texts:
            if kind is ScopeKind.PROGRAM and starts_relative(item) and not _has_slash(item):
                yield _bare_program(item)
            elif kind is ScopeKind.PROGRAM:
                yield from map(program_scope, path_scopes(item, folders or None))
            else:
                yield from path_scopes(item, folders or None)
    else:
        yield from map(_name, texts)


def _texts(value: Value) -> tuple[frozenset[Text] | None, bool]:
    """The texts that a value can be (None: any), and whether it can be a number, which as a path is a descriptor.

    `None`, booleans and the like name nothing: beside a text they are the branch that does not act.
    """
    out: set[Text] = set()
    numbers = [atom for atom in value if isinstance(atom, Num)]
    for atom in value:
        if isinstance(atom, Text):
            out.add(atom)
        elif isinstance(atom, Instance) and atom.payload is not None:
            out |= atom.payload
        elif isinstance(atom, Data) and atom.origin in (FILE, NET, STDIN):
            out.add(Text((Hole(atom.origin),)))
        elif not isinstance(atom, (Const, Num)):
            return None, False
    return frozenset(out), bool(numbers)


def _spelled(atom: Atom) -> Atom:
    """A number as the text that names a process or another thing."""
    if not isinstance(atom, Num):
        return atom
    fixed = atom.low is not None and atom.low == atom.high and float(atom.low).is_integer()
    return Text((f"{atom.low:.0f}" if fixed else Hole(UNKNOWN, NUMERIC),))


def _has_slash(item: Text) -> bool:
    return any(isinstance(part, str) and "/" in part for part in item.parts)


def _bare_program(item: Text) -> Scope:
    """A program that is named without a slash is looked up; a hole that may hold one makes it a path, or not."""
    flat = all(isinstance(part, str) or part.alphabet in NO_SLASH for part in item.parts)
    return _name(item) if flat else ANY_SCOPE


def _name(item: Text) -> Scope:
    """A name is flat: a hole in it is any run of characters."""
    if len(item.parts) == 1:
        symbol = symbol_of(item.parts[0])
        if symbol is not None:
            return SymbolScope(symbol)
    if not item.parts or any(isinstance(part, str) and "\0" in part for part in item.parts):
        return ANY_SCOPE
    pattern = normal("".join(escape(part) if isinstance(part, str) else "*" for part in item.parts))
    return ANY_SCOPE if pattern == "*" else NameScope(pattern)


def _numbers(value: Value) -> Iterator[Scope]:
    for atom in value:
        if isinstance(atom, Num):
            yield NumberScope(atom.low, atom.high) if atom.low is not None or atom.high is not None else ANY_SCOPE
        elif isinstance(atom, Text) and len(atom.parts) == 1:
            symbol = symbol_of(atom.parts[0])
            yield _number_text(atom.literal or "") if symbol is None else SymbolScope(symbol)
        else:
            yield ANY_SCOPE


def _number_text(digits: str) -> Scope:
    try:
        return parse_scope(ScopeKind.NUMBER, digits) if ".." not in digits else ANY_SCOPE
    except ManifestError:
        return ANY_SCOPE


def _ports(port: Value | None) -> set[int | None]:
    """The ports that a separate argument can give; None is any."""
    return {None} if not port else {_port(atom) for atom in port}


def _port(atom: object) -> int | None:
    if isinstance(atom, Num) and atom.low == atom.high and atom.low is not None:
        return port_number(f"{atom.low:g}")
    return port_number(atom.literal) if isinstance(atom, Text) and atom.literal else None
