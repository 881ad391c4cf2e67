"""From an abstract text to a path in normal form."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from remit.analysis.domain import (
    ANCHORS,
    ANY,
    ANYTHING,
    CWD,
    FLAT,
    HOME,
    NUMERIC,
    PARENT,
    SEGMENT,
    SKILL,
    TEMP,
    TREE,
    UNKNOWN,
    Hole,
    Part,
    Text,
    Value,
    concat,
    of_caller,
    text,
)
from remit.core import scope as normal
from remit.core.scope import ANY_SCOPE, BESIDE, DEEP, PLACES, PathScope, Scope, is_symbol
from remit.core.scope.component import escape, literal, tokens
from remit.core.scope.parse import normal_parts, one_component

_PLACES = {SKILL: normal.SKILL, CWD: normal.WORKSPACE, HOME: normal.HOME, TEMP: normal.TEMP}
# Variables that every host sets to a place which has a name of its own.
_VARIABLES = {
    "env:HOME": normal.HOME,
    "env:USERPROFILE": normal.HOME,
    "env:TMPDIR": normal.TEMP,
    "env:TEMP": normal.TEMP,
    "env:TMP": normal.TEMP,
    "env:CLAUDE_SKILL_DIR": normal.SKILL,
    "env:CLAUDE_PROJECT_DIR": normal.WORKSPACE,
}
_HERE = frozenset({Text((Hole(CWD),))})
_SLASH = Text(("/",))
_LOOSE = "/"  # a component that is a name, `.`, `..` or nothing
_MAX_LOOSE = 2
_PIECE = Hole(UNKNOWN, SEGMENT, exact=False)


def symbol_of(part: Part) -> str | None:
    """`<arg>`, `<env:NAME>` … if the part is exactly what comes from there; None if it is not, or not any more."""
    if isinstance(part, str) or not part.exact or part.alphabet != ANYTHING or part.origin in ANCHORS:
        return None
    symbol = f"<{part.origin}>"
    return symbol if is_symbol(symbol) else None


def giver(part: Hole) -> Value:
    """Where a text comes from that is put into code: `<net>`, `<env:NAME>` if it is exactly what comes from there, else anything."""
    known = symbol_of(part) is not None and part.origin not in _VARIABLES
    return frozenset({Text((part,))}) if known else ANY


def _anchor(part: Part) -> str | None:
    """The folder that a leading part stands for."""
    if isinstance(part, str):
        return normal.ROOT if part.startswith("/") else None
    if part.origin in _PLACES:
        return _PLACES[part.origin] if part.exact else None
    if part.alphabet == PARENT:
        return None if part.origin in _VARIABLES or not part.exact else f"<{part.origin}>{BESIDE}"
    symbol = symbol_of(part)
    return symbol if symbol is None else _VARIABLES.get(part.origin, symbol)


def starts_relative(path: Text) -> bool:
    """Whether a text can only be a relative path."""
    if not path.parts:
        return True
    first = path.parts[0]
    if isinstance(first, str):
        return not first.startswith("/")
    if first.alphabet == FLAT and len(path.parts) > 1:  # it may be empty
        return starts_relative(Text(path.parts[1:]))
    return first.alphabet in (SEGMENT, NUMERIC, TREE) and first.origin not in ANCHORS


_PROCESS_LINKS = frozenset({"cwd", "root", "fd", "map_files"})
_STANDARD = frozenset({"0", "1", "2"})
_SELF = frozenset({"self", "thread-self"})


def path_scopes(path: Text, cwds: frozenset[Text] | None) -> Iterator[Scope]:
    """What a text names as a path, seen from each of these folders (None: from any)."""
    for scope in _named(path, cwds):
        yield _behind_process(scope, here=cwds == _HERE)


def _behind_process(scope: Scope, *, here: bool) -> Scope:
    """The file behind a link that the kernel keeps for a process: its folder, its root, an open file."""
    if not isinstance(scope, PathScope) or scope.anchor != normal.ROOT or scope.parts[:1] != ("proc",):
        return scope
    process, *rest = scope.parts[1:] or ("",)
    if rest[:1] == ["task"]:
        rest = rest[2:]
    if len(rest) < 2 or rest[0] not in _PROCESS_LINKS or (rest[0] == "fd" and rest[1] in _STANDARD):
        return scope
    if rest[0] == "root":
        return PathScope(normal.ROOT, tuple(rest[1:]))
    return PathScope(normal.WORKSPACE, tuple(rest[1:])) if rest[0] == "cwd" and process in _SELF and here else ANY_SCOPE


def _named(path: Text, cwds: frozenset[Text] | None) -> Iterator[Scope]:
    if not starts_relative(path):
        yield from _from_anchor(path, cwds)
        return
    if cwds is None:
        yield ANY_SCOPE
        return
    for cwd in cwds:
        base = concat(text(Hole(CWD), "/"), cwd) if starts_relative(cwd) else cwd
        yield from _resolve(concat(concat(base, _SLASH), path))
    rest = path.parts
    while rest and isinstance(rest[0], Hole) and rest[0].alphabet == TREE:
        rest = rest[1:]
    if len(rest) < len(path.parts) and not starts_relative(Text(rest)):
        # an unknown subtree may be empty, and what follows it then begins with a slash
        yield from _resolve(Text(rest))


def _from_anchor(path: Text, cwds: frozenset[Text] | None) -> Iterator[Scope]:
    for scope in _resolve(path):
        moved = isinstance(scope, PathScope) and scope.symbol and cwds != _HERE
        yield ANY_SCOPE if moved else scope  # a relative argument means another file once the folder has changed


def _resolve(path: Text) -> Iterator[Scope]:
    """The normal forms of a text that begins with an anchor; `any` if a component can lead anywhere."""
    anchor = _anchor(path.parts[0])
    parts = path.parts if anchor == normal.ROOT else path.parts[1:]
    if anchor is None or (parts and not (isinstance(parts[0], str) and parts[0].startswith("/"))):
        if anchor is not None and is_symbol(anchor) and is_given(path.parts[0]):  # `<arg>.bak` lies beside it
            anchor, parts = anchor + BESIDE, ("/", _PIECE, *parts)
        else:
            yield ANY_SCOPE  # `<home>-old` is a neighbour of the folder
            return
    components = list(_components(parts))
    for at, component in enumerate(components):
        for given in filter(is_given, component):
            # the caller's word may lead down from there, or be, or lead to, a path of the caller's own
            yield from _formed(anchor, [*map(_component, components[:at]), DEEP, *map(_rest, components[at + 1 :])])
            symbol, rest = symbol_of(given) or "", list(map(_rest, components[at + 1 :]))
            if len(component) == 1:
                yield from _formed(symbol, rest)
            else:
                named = [_PIECE if is_given(part) else part for part in component]
                yield from _formed(symbol + BESIDE, [_component(named), *rest])
            return
    yield from _formed(anchor, list(map(_component, components)))


def is_given(part: Part) -> bool:
    """Whether a part is exactly what the caller gives."""
    return isinstance(part, Hole) and of_caller(part) and symbol_of(part) is not None


def leads_by_caller(path: Text) -> bool:
    """Whether the caller gives a part of a path, so that where it leads is the caller's choice: `out/<arg>`, `<arg>.bak`."""
    first, *rest = path.parts or ("",)
    beside = isinstance(first, Hole) and first.alphabet == PARENT
    return beside or any(map(is_given, rest)) or bool(is_given(first) and rest and str(rest[0])[:1] != "/")


def _rest(component: list[Part]) -> str | None:
    """As `_component`, after a word of the caller: a further one adds nothing to it."""
    return DEEP if any(map(is_given, component)) else _component(component)


def _formed(anchor: str, forms: list[str | None]) -> Iterator[Scope]:
    """The places of components below an anchor."""
    if forms and forms[-1] == _LOOSE:
        forms[-1] = (
            "*"  # a file: what is opened, made or deleted is no `..`, which is a folder (see `folder` of summaries)
        )
    loose = forms.count(_LOOSE)
    if loose > _MAX_LOOSE or None in forms:
        yield ANY_SCOPE
        return
    for choice in product(("*", "", ".."), repeat=loose):
        left = iter(choice)
        yield _walked(anchor, [next(left) if form == _LOOSE else form or "" for form in forms])


def _walked(anchor: str, forms: list[str]) -> Scope:
    """The path that components lead to. Above a folder of which only the name is known lies *some* folder: `../a` is `/**/a`."""
    out: list[str] = []
    above = False
    for form in forms:
        if form == "..":
            if out:
                if literal(out[-1]) is None:
                    return ANY_SCOPE
                out.pop()
            elif anchor not in PLACES:
                return ANY_SCOPE
            else:
                above |= anchor != normal.ROOT
        elif form:
            out.append(form)
    if above:
        return PathScope(normal.ROOT, normal_parts([DEEP, *out])) if any(map(literal, out)) else ANY_SCOPE
    return PathScope(anchor, normal_parts(out))


def _components(parts: tuple[Part, ...]) -> Iterator[list[Part]]:
    current: list[Part] = []
    for part in parts:
        if isinstance(part, Hole):
            current.append(part)
            continue
        first, *others = part.split("/")
        if first:
            current.append(first)
        for piece in others:
            yield current
            current = [piece] if piece else []
    yield current


def _component(component: list[Part]) -> str | None:
    """The pattern of one component; empty for `.` and nothing, `..` for that, `_LOOSE` for a name or one of them, None if it can
    lead anywhere."""
    fixed = "".join(part for part in component if isinstance(part, str))
    if "\0" in fixed:
        return None
    holes = [part for part in component if isinstance(part, Hole)]
    if not holes:
        return ".." if fixed == ".." else "" if fixed == "." else escape(fixed)
    alphabets = {hole.alphabet for hole in holes}
    if not alphabets <= {SEGMENT, NUMERIC, TREE, FLAT} or any(hole.origin in ANCHORS for hole in holes):
        return None
    if FLAT in alphabets and not fixed.strip(".") and not alphabets & {SEGMENT, NUMERIC}:
        return _LOOSE
    if TREE in alphabets:
        # with an empty subtree dots beside it could become `..`
        return None if fixed and not fixed.strip(".") else DEEP
    return one_component("".join(escape(part) if isinstance(part, str) else "*" for part in component))


def widened(scopes: frozenset[Scope]) -> frozenset[Scope]:
    """Fewer scopes that cover these: for each anchor the folder that all paths have in common."""
    groups: dict[str, list[tuple[str, ...]]] = {}
    for scope in scopes:
        if not isinstance(scope, PathScope):
            return frozenset({ANY_SCOPE})
        groups.setdefault(scope.anchor, []).append(scope.parts)
    return frozenset(PathScope(anchor, _common(paths)) for anchor, paths in groups.items())


def _common(paths: list[tuple[str, ...]]) -> tuple[str, ...]:
    if len(paths) == 1:
        return paths[0]
    prefix: list[str] = []
    for column in zip(*paths, strict=False):
        if len(set(column)) > 1 or column[0] == DEEP:
            break
        prefix.append(column[0])
    return normal_parts([*prefix, DEEP])


def path_text(scope: PathScope) -> Text:
    """The text that has this scope: the inverse of `path_scopes`, except that `?` becomes `*`."""
    places = {place: Hole(origin) for origin, place in _PLACES.items()}
    parts: list[Part] = []
    if scope.symbol:
        parts.append(Hole(scope.symbol[1:-1], PARENT) if scope.is_beside else Hole(scope.symbol[1:-1]))
    if scope.anchor in places and scope.anchor != normal.WORKSPACE:
        parts.append(places[scope.anchor])
    if scope.anchor == normal.ROOT or (parts and scope.parts):
        parts.append("/")
    for number, part in enumerate(scope.parts):
        parts += ["/"] if number else []
        parts += [Hole(UNKNOWN, TREE)] if part == DEEP else name_text(part, SEGMENT).parts
    return text(*parts)


def name_text(pattern: str, alphabet: str) -> Text:
    """The text that a pattern of one name means, with holes of this alphabet for its wildcards."""
    return text(*(token if isinstance(token, str) else Hole(UNKNOWN, alphabet) for token in tokens(pattern)))
