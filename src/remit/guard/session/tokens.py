"""Tokens: the words of a text that can name a destination: hosts, mail addresses, paths, and plain names.

A token counts only as a whole: `docs.example.com` is not part of `evil-docs.example.com`, and two adjacent tokens are
never joined.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple


class TokenKind(StrEnum):
    """What a token names."""

    HOST = "host"
    ADDRESS = "address"  # of mail
    PATH = "path"
    NAME = "name"  # an account, a channel, a branch, a remote …
    PAGE = "page"  # by its whole address: of the texts of trusted skills
    PACKAGE = "package"  # as a registry knows it: from project files and code of trusted skills, not from texts
    PHRASE = "phrase"  # some words in a row, of the texts of skills


class Token(NamedTuple):
    """One such word, in the spelling in which tokens are compared."""

    sort: TokenKind
    value: str


_PAGE = re.compile(r"https?://[^\s\\\"'<>`()\[\]{}|*$?#]+", re.IGNORECASE)
_URL = re.compile(r"\b[a-z][a-z0-9+.-]{1,20}://([^\s/?#\\\"'<>`]+)", re.IGNORECASE)
_SCP = re.compile(r"(?<![\w.@/-])[\w.-]+@([\w-]+(?:\.[\w-]+)+):(?!\d+(?:\s|$))(?=[\w~./-])")
_ADDRESS = re.compile(r"(?<![\w.+%-])[\w+%-]+(?:\.[\w+%-]+)*@[\w-]+(?:\.[\w-]+)+")
_HOST = re.compile(r"(?<![\w@/.:$~-])(?:\*\.)?[\w-]+(?:\.[\w-]+)+(?::\d{1,5})?(?![\w@-]|\.\w)")
_LOCAL = re.compile(r"(?<![\w@/.:-])localhost(?![\w-]|\.\w)", re.IGNORECASE)
_IP6 = re.compile(r"\[[0-9a-f:.]{2,45}\]", re.IGNORECASE)
_PATH = re.compile(r"(?<![\w:/.~$-])(?:~[\w-]*)?(?:/[^\s/\"'`<>|;&()\[\],:]+)+/?")
_WORD = re.compile(r"[\w.@:+/#-]+")
_PHONE = re.compile(r"(?<![\w.])\+?\d[\d ().-]{6,20}\d(?![\w])")
_GROUPED = re.compile(r"\b[A-Z]{2}\d{2}(?: [A-Z0-9]{2,4}){2,8}\b")  # the number of an account
_PARTS = re.compile(r"[/:=,]")
# Endings that make a bare name a file although hosts may end so too: `setup.py` in a prompt names no server in
# Paraguay. Such a host counts where a whole address names it.
_FILES = frozenset(
    "md py sh rs pl ps so zip mov cc pm ml mm js ts go rb java txt csv json yaml yml toml html htm css xml pdf png jpg gif doc docx xlsx "
    "pptx log lock env cfg ini conf sql db c h cpp hpp vue jsx tsx ipynb svg tar gz bak tmp".split()
)
_NUMBER = re.compile(rf"(?:{_PHONE.pattern})|(?:{_GROUPED.pattern})")
_MOST_NAME = 200  # characters
_IN_A_ROW = 3  # words of a phrase: fewer are chance
_COMMENTS = ("# ", "// ")


def page_addresses(text: str) -> Iterator[str]:
    """Return the addresses of pages that are written out in a text, without a query."""
    yield from (found.rstrip(".,;:!") for found in _PAGE.findall(text))


def host_of(authority: str) -> str:
    """Return the host of `user@host:port`, as hosts are compared; empty if there is none."""
    host = authority.rpartition("@")[2]
    if host.startswith("["):
        host = host.partition("]")[0][1:]
    elif host.count(":") == 1:
        host = host.partition(":")[0]
    host = host.rstrip(".").lower()
    if not host.isascii():
        try:
            host = host.encode("idna").decode("ascii")
        except UnicodeError:
            return host  # it stays as it is, and equals nothing that looks like it
    return host


def url_host(text: str) -> str:
    """Return the host of an address with a scheme, or of a git remote; empty if the text is neither."""
    found = _URL.match(text) or _SCP.match(text)
    return host_of(found[1]) if found else ""


def path_of(text: str, home: str) -> str:
    """Return a path as paths are compared: with the full home, without `.` and empty parts, up to the first wildcard.
    Empty if it has `..`.
    """
    if home and (text == "~" or text.startswith("~/")):
        text = home + text[1:]
    parts: list[str] = []
    for part in text.split("/"):
        if part == "..":
            return ""
        if any(char in part for char in "*?[{"):
            break
        if part not in ("", "."):
            parts.append(part)
    return ("" if text.startswith("~") else "/") + "/".join(parts)


def addresses(text: str) -> Iterator[Token]:
    """Return the hosts of whole addresses in a text, and mail addresses: in code, where `wb.save` is no host, only
    these are certain.
    """
    for pattern in (_URL, _SCP):
        for found in pattern.finditer(text):
            if host := host_of(found[1]):
                yield Token(TokenKind.HOST, host)
    for found in mail_addresses(text):
        yield Token(TokenKind.ADDRESS, found[0].lower())


def mail_addresses(text: str) -> Iterator[re.Match[str]]:
    """Return where a text names mail addresses."""
    return _ADDRESS.finditer(text) if "@" in text else iter(())


def tokens(text: str, home: str = "") -> Iterator[Token]:
    """Return every token of a text; repeated ones are not removed."""
    yield from addresses(text)
    for pattern in (_HOST, _LOCAL, _IP6):
        for found in pattern.finditer(text):
            host = host_of(found[0])
            if host.rpartition(".")[2] not in _FILES:
                yield Token(TokenKind.HOST, host)
    if "/" in text:
        for found in _PATH.finditer(text):
            path = path_of(found[0].rstrip(".!?"), home)
            if path.strip("/") and not f"{home}/".startswith(f"{path}/"):  # a whole home folder names no place in it
                yield Token(TokenKind.PATH, path)
    for pattern in (_PHONE, _GROUPED):
        for found in pattern.finditer(text):
            yield Token(TokenKind.NAME, name_of(found[0]))
    for found in _WORD.finditer(text):
        word = found[0]
        for part in {word, *_PARTS.split(word)} if _PARTS.search(word) else (word,):
            if name := name_of(part):
                yield Token(TokenKind.NAME, name)


def phrases(text: str) -> Iterator[Token]:
    """Return the words in a row of each line that is no comment: what recurs elsewhere was copied."""
    for line in text.splitlines():
        words = [] if line.lstrip().startswith(_COMMENTS) else _WORD.findall(line.lower())
        for at in range(len(words) - _IN_A_ROW + 1):
            yield Token(TokenKind.PHRASE, " ".join(words[at : at + _IN_A_ROW]))


def name_of(word: str) -> str:
    """Return a name as names are compared: `@ann` and `#ann` are `ann`, a number is its digits, and a final full stop
    is dropped.
    """
    name = "".join(filter(str.isalnum, word)) if _NUMBER.fullmatch(word) else word.strip("@#.:+/").rstrip("-")
    return name if len(name) <= _MOST_NAME else ""
