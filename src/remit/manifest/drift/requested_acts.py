"""What a text asks for, in a form that two versions can be compared by: acts of sentences, and addresses."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

_TABLE = Path(__file__).with_name("data") / "acts.toml"
_HOST = r"(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]"
_URL = re.compile(
    rf"\b(?:https?|wss?|ftps?|ssh|git|s3|gs)://(?:[^\s/@\"'<>]*@)?({_HOST}|\[[0-9a-f:]+\]|[\d.]+|localhost)(:\d+)?(/[^\s/?#\"'`<>)\]}}|,;]+)?",
    re.IGNORECASE,
)
# Default values: `${HOST:-a.example}`, `getenv("HOST", "a.example")`, `env.HOST || "a.example"`.
_DEFAULT = re.compile(
    rf"(?::[-=?]|\|\|\s*|\?\?\s*|\bor\s+|\bdefault\s*[=:]\s*|\bget(?:env)?\([^()\n]*,\s*)[\"'`]?({_HOST})(:\d+)?(?=[/\"'`}})\s,;:]|$)",
    re.IGNORECASE,
)
# A mailbox, and a repository as git writes it: `git@host:owner/name`.
_MAILBOX = re.compile(rf"(?<![\w.+-])([\w.+-]+)@({_HOST})(:[\w.-]+)?", re.IGNORECASE)
# In settings, a value that is an address as a whole; without a key that says so, only with a common host ending.
SETTINGS = (".json", ".jsonc", ".yaml", ".yml", ".toml", ".ini", ".cfg", ".conf", ".env", ".properties", ".xml")
_SETTING = re.compile(
    rf"([\w.-]*)[\"']?\s*[:=]\s*[\"']?({_HOST})(:\d+)?(?=[\"']?\s*(?:[,;}}\]#]|$))", re.IGNORECASE | re.MULTILINE
)
# Paths that identify the recipient: a hook, a repository.
_WHOLE = re.compile(
    r"\w*(?:hook|endpoint|remote|upload|target|report|push|dest)\w*[\"']?\s*[:=]\s*[\"']?(?:https?|wss?|ssh|git)://([^\s\"'<>`]+)",
    re.IGNORECASE,
)
_SAYS_HOST = re.compile(
    r"host|server|ur[il]|endpoint|domain|address|remote|registry|index|mirror|proxy|smtp|imap|api|hook|zone|site|base|target",
    re.IGNORECASE,
)
_COMMON = (
    ".com",
    ".org",
    ".net",
    ".edu",
    ".gov",
    ".io",
    ".ai",
    ".dev",
    ".app",
    ".cloud",
    ".co",
    ".info",
    ".biz",
    ".xyz",
)
# Places outside of the workspace that a sentence can name.
_PLACE = re.compile(
    r"(?<![\w./:~])(?:~|\$HOME|/(?:etc|home|root|usr|var|opt|Users|dev|proc|mnt|media|srv|boot|Library|System)\b)(?:/[\w.@*-]+)*"
    r"|\bhome (?:directory|folder)\b",
    re.IGNORECASE,
)
_LIMIT = re.compile(
    r"^\W*(?:please )?(?:do not|don't|never|avoid|only|under no circumstances|ask|confirm|always ask|always confirm)\b"
    r"|^\W*\w+ only\b|\b(?:must|may|should|can) (?:not|never|only)\b|\b(?:mustn't|shouldn't)\b|\bonly (?:if|when|after|with)\b"
    r"|\bunless (?:the|you|he|she|they)\b|\bwithout (?:\w+ ){0,2}(?:asking|confirm|permission|approv|consent)",
    re.IGNORECASE,
)
_LIMITING = re.compile(r"\b(?:not|n't|never|avoid|only|ask|confirm|unless|without|no)\b|n't\b")
_BLANK = re.compile(r"(?:localhost|127\.[\d.]+|0\.0\.0\.0|::1)", re.IGNORECASE)
_FILE = re.compile(
    r"\.(?:py|js|ts|sh|md|json|ya?ml|toml|txt|csv|html?|xml|log|env|cfg|ini|conf|db|png|jpe?g|pdf|lock|sql|js|mjs|cjs|tsx?|css)$",
    re.IGNORECASE,
)


@cache
def _acts() -> tuple[tuple[str, re.Pattern[str]], ...]:
    data = tomllib.loads(_TABLE.read_text("utf-8"))
    verbs = [(verb, _inflected(verb)) for verb in data["verbs"].split()]
    return tuple((name, re.compile(rf"\b{text}\b", re.IGNORECASE)) for name, text in (*verbs, *data["phrases"].items()))


def _inflected(verb: str) -> str:
    if verb == "send":
        return "(?:sends?|sending|sent)"
    stem = verb[:-1] if verb.endswith(("e", "y")) else verb
    return rf"{stem}(?:{verb[len(stem) :]}s?|{verb[-1]}?(?:ed|ing)|es|ies|ied)"


def acts(sentence: str) -> tuple[str, ...]:
    """Return what a sentence can ask the agent for, and the places outside of the workspace that it names."""
    return (*(name for name, pattern in _acts() if pattern.search(sentence)), *sorted(places(sentence)))


def places(sentence: str) -> frozenset[str]:
    """Return the places outside of the workspace that a sentence names."""
    return frozenset(found[0].lower().replace(" ", "-") for found in _PLACE.finditer(sentence))


def limiting(sentence: str) -> frozenset[str]:
    """Return the words by which a sentence limits."""
    return frozenset(_LIMITING.findall(sentence.lower()))


def is_limit(sentence: str) -> bool:
    """Whether a sentence says what the agent must not do, or only where, or not without being asked."""
    return sentence.count(" ") > 2 and _LIMIT.search(sentence) is not None


def addresses(text: str) -> Iterator[tuple[str, int]]:
    """Return hosts that a text names in URLs, each with the first part of the path, and default hosts; with the offset."""
    for found in _URL.finditer(text):
        if not _BLANK.fullmatch(found[1]):
            yield f"{found[1].lower()}{found[2] or ''}{found[3] or ''}".rstrip(".:"), found.start()
    for found in _MAILBOX.finditer(text):
        yield (f"{found[2]}/{found[3][1:]}" if found[3] else found[0]).lower(), found.start()
    for found in _DEFAULT.finditer(text):
        if not _FILE.search(found[1]):
            yield f"{found[1].lower()}{found[2] or ''}", found.start()


def settings_addresses(text: str) -> Iterator[tuple[str, int]]:
    """Return addresses in settings, from which a script takes its destinations: hosts as values, and whole URLs of
    recipients.
    """
    for found in _WHOLE.finditer(text):
        yield found[1].rstrip(".,;:)]}/"), found.start()
    for found in _SETTING.finditer(text):
        host = found[2].lower()
        if not _FILE.search(host) and (_SAYS_HOST.search(found[1]) or host.endswith(_COMMON)):
            yield f"{host}{found[3] or ''}", found.start(2)
