"""From abstract values to scopes (rule 10): on what exactly an effect acts.

Every function here over-approximates: a run that acts on something acts on something in the scopes. What could
lead anywhere is `any`. The result is empty only if the value names nothing of the kind (a file descriptor is a handle
that was counted where it was acquired).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import product

from remit.analysis import domain
from remit.analysis.domain import (
    Atom,
    Const,
    Data,
    Hole,
    Instance,
    Num,
    Part,
    Text,
    Value,
    concat,
    hole,
    lit,
    of_caller,
    text,
)
from remit.core import scope as normal
from remit.core.capability import vocabulary
from remit.core.errors import ManifestError
from remit.core.patterns import lazy_pattern
from remit.core.scope import (
    ANY_SCOPE,
    BESIDE,
    DEEP,
    PLACES,
    HostScope,
    NameScope,
    NumberScope,
    PathScope,
    Scope,
    ScopeKind,
    SymbolScope,
    covers,
    is_symbol,
    overlaps,
    parse_scope,
)
from remit.core.scope.component import escape, literal, tokens
from remit.core.scope.component import normal as normal_name
from remit.core.scope.hosts import normal_host, normal_pattern
from remit.core.scope.parse import normal_parts, one_component, port_number, program_scope
from remit.core.sensitive import VARIABLE

# From an abstract text to a path in normal form.

_PLACES = {domain.SKILL: normal.SKILL, domain.CWD: normal.WORKSPACE, domain.HOME: normal.HOME, domain.TEMP: normal.TEMP}
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
_HERE = frozenset({Text((Hole(domain.CWD),))})
_SLASH = Text(("/",))
_LOOSE = "/"  # a component that is a name, `.`, `..` or nothing
_MAX_LOOSE = 2
_PIECE = Hole(domain.UNKNOWN, domain.SEGMENT, exact=False)


def symbol_of(part: Part) -> str | None:
    """`<arg>`, `<env:NAME>` … if the part is exactly what comes from there; None if it is not, or not any more."""
    if isinstance(part, str) or not part.exact or part.alphabet != domain.ANYTHING or part.origin in domain.ANCHORS:
        return None
    symbol = f"<{part.origin}>"
    return symbol if is_symbol(symbol) else None


def giver(part: Hole) -> Value:
    """Where a text comes from that is put into code: `<net>`, `<env:NAME>` if it is exactly what comes from there, else anything."""
    known = symbol_of(part) is not None and part.origin not in _VARIABLES
    return frozenset({Text((part,))}) if known else domain.ANY


def _anchor(part: Part) -> str | None:
    """The folder that a leading part stands for."""
    if isinstance(part, str):
        return normal.ROOT if part.startswith("/") else None
    if part.origin in _PLACES:
        return _PLACES[part.origin] if part.exact else None
    if part.alphabet == domain.PARENT:
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
    if first.alphabet == domain.FLAT and len(path.parts) > 1:  # it may be empty
        return starts_relative(Text(path.parts[1:]))
    return first.alphabet in (domain.SEGMENT, domain.NUMERIC, domain.TREE) and first.origin not in domain.ANCHORS


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
        base = concat(text(Hole(domain.CWD), "/"), cwd) if starts_relative(cwd) else cwd
        yield from _resolve(concat(concat(base, _SLASH), path))
    rest = path.parts
    while rest and isinstance(rest[0], Hole) and rest[0].alphabet == domain.TREE:
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
    beside = isinstance(first, Hole) and first.alphabet == domain.PARENT
    return beside or any(map(is_given, rest)) or bool(is_given(first) and rest and str(rest[0])[:1] != "/")


def _rest(component: list[Part]) -> str | None:
    """As `_component`, after a word of the caller: a further one adds nothing to it."""
    return DEEP if any(map(is_given, component)) else _component(component)


def _formed(anchor: str, forms: list[str | None]) -> Iterator[Scope]:
    """The places of components below an anchor."""
    if forms and forms[-1] == _LOOSE:
        forms[-1] = (
            "*"  # a file: what is opened, made or deleted is no folder, such as `..` (see `folder` of summaries)
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
    if not alphabets <= {domain.SEGMENT, domain.NUMERIC, domain.TREE, domain.FLAT} or any(
        hole.origin in domain.ANCHORS for hole in holes
    ):
        return None
    if domain.FLAT in alphabets and not fixed.strip(".") and not alphabets & {domain.SEGMENT, domain.NUMERIC}:
        return _LOOSE
    if domain.TREE in alphabets:
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
        parts.append(Hole(scope.symbol[1:-1], domain.PARENT) if scope.is_beside else Hole(scope.symbol[1:-1]))
    if scope.anchor in places and scope.anchor != normal.WORKSPACE:
        parts.append(places[scope.anchor])
    if scope.anchor == normal.ROOT or (parts and scope.parts):
        parts.append("/")
    for number, part in enumerate(scope.parts):
        parts += ["/"] if number else []
        parts += [Hole(domain.UNKNOWN, domain.TREE)] if part == DEEP else name_text(part, domain.SEGMENT).parts
    return text(*parts)


def name_text(pattern: str, alphabet: str) -> Text:
    """The text that a pattern of one name means, with holes of this alphabet for its wildcards."""
    return text(*(token if isinstance(token, str) else Hole(domain.UNKNOWN, alphabet) for token in tokens(pattern)))


# From an abstract text to a host, and to the file that a URL may name.
#
# A host is fixed only if scheme and authority are literal, canonical, and closed by `/`, `?`, `#` or the end of the
# text. What two URL parsers could read differently (user names, backslashes, blanks, percent signs, odd addresses)
# fixes nothing.

# The schemes of network protocols and their ports.
PORTS = {
    "http": 80, "https": 443, "ws": 80, "wss": 443, "ftp": 21, "ftps": 990, "sftp": 22, "ssh": 22, "git": 9418,
    "smtp": 25, "smtps": 465, "imap": 143, "imaps": 993, "ldap": 389, "ldaps": 636, "mysql": 3306, "postgres": 5432,
    "postgresql": 5432, "redis": 6379, "rediss": 6379, "mongodb": 27017, "amqp": 5672, "amqps": 5671, "mqtt": 1883,
}  # fmt: skip
_SCHEME = lazy_pattern(r"([A-Za-z][A-Za-z0-9+.-]*):", re.ASCII)
_CLOSE = lazy_pattern(r"[/?#]")
_LABELS = lazy_pattern(r"[A-Za-z0-9._-]*", re.ASCII)
_NUMBER = "*"  # stands for a number in an authority; no host holds it


def host_scope(url: Text, port: int | None) -> Scope:
    """The host that a URL, `host`, or `host:port` names; `port` is what a separate argument says."""
    if not url.parts:
        return _with_port("*", port)  # a server's empty address is every address of the machine
    first = url.parts[0]
    found = _SCHEME.match(first) if isinstance(first, str) else None
    begin = 1 if found and found[1].lower() in PORTS and first[found.end() :] == "//" and len(url.parts) > 1 else 0
    symbol = _host_symbol(url.parts[begin])
    if symbol is not None and _closes(url.parts[begin + 1 :]):  # `<arg>`, `http://<arg>`
        return SymbolScope(symbol)
    if url.literal and url.literal.startswith("*."):  # no host is called so: a summary means all hosts of a vendor
        return _with_port(normal_pattern(url.literal) or "*", port)
    authority = _authority(url)
    if authority is None:
        return ANY_SCOPE
    scheme, rest = authority
    host, explicit = _split(rest)
    if host is None:
        return ANY_SCOPE
    if explicit is not None:
        return _with_port(host, explicit or None)
    return _with_port(host, PORTS[scheme] if scheme else port)


def _host_symbol(part: Part) -> str | None:
    """The symbol of a URL or host that the caller gives, which may have lost blanks and slashes at its end."""
    if isinstance(part, Hole) and part.alphabet == domain.TRIMMED:
        part = part._replace(alphabet=domain.ANYTHING, exact=True)
    return symbol_of(part)


def domain_scope(url: Text, *, bare: bool) -> Scope | None:
    """The domain below which a host seems to lie, whatever stands before it: more than one label after the last hole.

    What stands there may end the host (`evil.example/`), so that it holds beside `any` only. `bare`: a host needs no scheme.
    """
    authority = _authority(url, suffix=True) if bare or (url.parts and "://" in str(url.parts[0])) else None
    host = _split(authority[1])[0] if authority else None
    return HostScope(host) if host and host.startswith("*.") and host.count(".") > 1 else None


def port_is_given(url: Text) -> bool:
    """Whether the caller gives the port of an address."""
    pairs = zip(url.parts, url.parts[1:], strict=False)
    return any(isinstance(left, str) and left.endswith(":") and is_given(right) for left, right in pairs)


def _closes(rest: tuple[Part, ...]) -> bool:
    """Whether what follows a host cannot be part of it: a path, a query, or a port and nothing else."""
    if not rest:
        return True
    if not isinstance(rest[0], str) or rest[0].startswith("//"):  # what is before it may be a scheme and nothing else
        return False
    if rest[0][0] != ":":
        return rest[0][0] in "/?#"
    port, *path = re.split("(?=[/?#])", rest[0][1:], maxsplit=1)
    if port:
        return bool(port_number(port)) and (bool(path) or len(rest) == 1)
    number = rest[1] if len(rest) > 1 else ""
    numeric = isinstance(number, Hole) and (number.alphabet == domain.NUMERIC or is_given(number))
    return numeric and (len(rest) == 2 or (isinstance(rest[2], str) and rest[2][0] in "/?#"))


def _with_port(host: str, port: int | None) -> Scope:
    return ANY_SCOPE if host == "*" and port is None else HostScope(host, port)


def _authority(url: Text, *, suffix: bool = False) -> tuple[str, str] | None:
    """Scheme (or nothing) and authority, with `*` for each number in it; None if they are not fixed.

    `suffix`: only what stands after the last hole is asked for, whatever the holes are.
    """
    if not url.parts:
        return None
    first = url.parts[0]
    scheme, start = "", 0
    if isinstance(first, str):
        found = _SCHEME.match(first)
        if found and first.startswith("//", found.end()):
            scheme, start = found[1].lower(), found.end() + 2
            if scheme not in PORTS:
                return None
        elif first[0] in "/?#":
            return None
    pieces: list[str] = []
    for number, part in enumerate(url.parts):
        if isinstance(part, Hole):
            port = is_given(part) and bool(pieces) and pieces[-1].endswith(":")
            if part.alphabet != domain.NUMERIC and not port and not suffix:
                return None
            pieces.append(_NUMBER)
            continue
        piece = part[start:] if number == 0 else part
        if _NUMBER in piece:
            return None
        close = _CLOSE.search(piece)
        if close:
            pieces.append(piece[: close.start()])
            break
        pieces.append(piece)
    return scheme, "".join(pieces)


def _split(authority: str) -> tuple[str | None, int | None]:
    """Host pattern and port (0: a number that is not known; None: not given)."""
    host, colon, digits = authority.rpartition(":")
    if not colon or authority.endswith("]"):
        return _pattern(authority), None
    port = 0 if digits == _NUMBER else port_number(digits)
    if port is None:
        return None, None
    return _pattern(host) if host else "*", port


def _pattern(host: str) -> str | None:
    if _NUMBER not in host:
        return normal_host(host)
    before, _, after = host.rpartition(_NUMBER)
    label, dot, suffix = after.partition(".")
    # it may hold a point, so that the labels before it cannot be counted: the host lies somewhere below
    if not dot or not _LABELS.fullmatch(before.replace(_NUMBER, "") + label):
        return None
    return normal_pattern(f"*.{suffix}")


def file_urls(url: Text) -> Iterator[Text]:
    """The paths that the text names if it is a `file:` URL; unknown text if it may be one, nothing if it cannot."""
    anything = text(Hole("any"))
    if not url.parts:
        return
    first = url.parts[0]
    if isinstance(first, Hole):
        if first.alphabet != domain.NUMERIC:
            yield anything
        return
    head = first.lower()
    if head[0] in "<\"'" or not head[0].isprintable() or head[0].isspace() or head.startswith(("url:", "local_file:")):
        yield anything  # readers strip blanks, quotes, `<…>` and `URL:` from the front
        return
    if not head.startswith("file:"):
        if len(url.parts) > 1 and any(start.startswith(head) for start in ("file:", "url:", "local_file:")):
            yield anything
        return
    yield _file_path(url, first[5:]) or anything


def _file_path(url: Text, rest: str) -> Text | None:
    """The path of a `file:` URL, of which `rest` is the first literal after the scheme."""
    if rest.startswith("//"):
        authority, slash, path = rest[2:].partition("/")
        if not slash or authority.lower() not in ("", "localhost"):
            return None
        rest = slash + path
    pieces = (rest, *url.parts[1:])
    # escapes are decoded after the URL is taken apart, so that only a number is certain to hold none
    if not rest.startswith("/") or any(piece.alphabet != domain.NUMERIC for piece in pieces if isinstance(piece, Hole)):
        return None
    if any(char in piece for piece in pieces if isinstance(piece, str) for char in "%?#\\"):
        return None
    return text(rest, *url.parts[1:])


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
    return found.union(suffix for suffix in domains if suffix)


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
        return frozenset({name_text(form.pattern, domain.SEGMENT if kind is ScopeKind.PROGRAM else domain.ANYTHING)})
    if isinstance(form, SymbolScope):
        return hole(form.symbol[1:-1])
    if isinstance(form, NumberScope):
        return frozenset({Num(form.low, form.high)})
    return domain.ANY if form == ANY_SCOPE else lit(scope)


def file_url_paths(value: Value) -> Value:
    """The paths that are read if a URL is opened by something that also opens `file:` URLs; empty if it cannot be one.

    A free scheme yields unknown text: the engine adds `file.read` of the result wherever it is not empty.
    """
    texts, _ = _texts(value)
    if texts is None:
        return domain.SOME_TEXT
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
        elif isinstance(atom, Data) and atom.origin in (domain.FILE, domain.NET, domain.STDIN):
            out.add(Text((Hole(atom.origin),)))
        elif not isinstance(atom, (Const, Num)):
            return None, False
    return frozenset(out), bool(numbers)


def _spelled(atom: Atom) -> Atom:
    """A number as the text that names a process or another thing."""
    if not isinstance(atom, Num):
        return atom
    fixed = atom.low is not None and atom.low == atom.high and float(atom.low).is_integer()
    return Text((f"{atom.low:.0f}" if fixed else Hole(domain.UNKNOWN, domain.NUMERIC),))


def _has_slash(item: Text) -> bool:
    return any(isinstance(part, str) and "/" in part for part in item.parts)


def _bare_program(item: Text) -> Scope:
    """A program that is named without a slash is looked up; a hole that may hold one makes it a path, or not."""
    flat = all(isinstance(part, str) or part.alphabet in domain.NO_SLASH for part in item.parts)
    return _name(item) if flat else ANY_SCOPE


def _name(item: Text) -> Scope:
    """A name is flat: a hole in it is any run of characters."""
    if len(item.parts) == 1:
        symbol = symbol_of(item.parts[0])
        if symbol is not None:
            return SymbolScope(symbol)
    if not item.parts or any(isinstance(part, str) and "\0" in part for part in item.parts):
        return ANY_SCOPE
    pattern = normal_name("".join(escape(part) if isinstance(part, str) else "*" for part in item.parts))
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
