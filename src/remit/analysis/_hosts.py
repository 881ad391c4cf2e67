"""From an abstract text to a host, and to the file that a URL may name.

A host is fixed only if scheme and authority are literal, canonical, and closed by `/`, `?`, `#` or the end of the text.
What two URL parsers could read differently (user names, backslashes, blanks, percent signs, odd addresses) fixes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from remit.analysis._paths import is_given, symbol_of
from remit.analysis.domain import ANYTHING, NUMERIC, TRIMMED, Hole, Part, Text, text
from remit.core.patterns import lazy_pattern
from remit.core.scope import ANY_SCOPE, HostScope, Scope, SymbolScope
from remit.core.scope.hosts import normal_host, normal_pattern
from remit.core.scope.parse import port_number

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
    if isinstance(part, Hole) and part.alphabet == TRIMMED:
        part = part._replace(alphabet=ANYTHING, exact=True)
    return symbol_of(part)


def domain_scope(url: Text, *, bare: bool) -> Scope | None:
    """The domain below which a host seems to lie, whatever stands before it: more than one label after the last hole.

    What stands there may end the host (`evil.example/`), so that it holds beside `any` only. `bare`: a host needs no scheme.
    """
    authority = _authority(url, domain=True) if bare or (url.parts and "://" in str(url.parts[0])) else None
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
    numeric = isinstance(number, Hole) and (number.alphabet == NUMERIC or is_given(number))
    return numeric and (len(rest) == 2 or (isinstance(rest[2], str) and rest[2][0] in "/?#"))


def _with_port(host: str, port: int | None) -> Scope:
    return ANY_SCOPE if host == "*" and port is None else HostScope(host, port)


def _authority(url: Text, *, domain: bool = False) -> tuple[str, str] | None:
    """Scheme (or nothing) and authority, with `*` for each number in it; None if they are not fixed.

    `domain`: only what stands after the last hole is asked for, whatever the holes are.
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
            if part.alphabet != NUMERIC and not port and not domain:
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
    label, dot, domain = after.partition(".")
    # it may hold a point, so that the labels before it cannot be counted: the host lies somewhere below
    if not dot or not _LABELS.fullmatch(before.replace(_NUMBER, "") + label):
        return None
    return normal_pattern(f"*.{domain}")


def file_urls(url: Text) -> Iterator[Text]:
    """The paths that the text names if it is a `file:` URL; unknown text if it may be one, nothing if it cannot."""
    anything = text(Hole("any"))
    if not url.parts:
        return
    first = url.parts[0]
    if isinstance(first, Hole):
        if first.alphabet != NUMERIC:
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
    if not rest.startswith("/") or any(piece.alphabet != NUMERIC for piece in pieces if isinstance(piece, Hole)):
        return None
    if any(char in piece for piece in pieces if isinstance(piece, str) for char in "%?#\\"):
        return None
    return text(rest, *url.parts[1:])
