"""What a text asks for, in a form that two versions of it can be compared by: acts of sentences, and addresses."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_TABLE = Path(__file__).with_name("data") / "acts.toml"
_HOST = r"(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]"
_URL = re.compile(
    rf"\b(?:https?|wss?|ftps?|ssh|git|s3|gs)://(?:[^\s/@\"'<>]*@)?({_HOST}|\[[0-9a-f:]+\]|[\d.]+|localhost)(:\d+)?(/[^\s/?#\"'`<>)\]}}|,;]+)?",
    re.IGNORECASE,
)
# What is used where nothing else is given: `${HOST:-a.example}`, `getenv("HOST", "a.example")`, `env.HOST || "a.example"`.
_DEFAULT = re.compile(
    rf"(?::[-=?]|\|\|\s*|\?\?\s*|\bor\s+|\bdefault\s*[=:]\s*|\bget(?:env)?\([^()\n]*,\s*)[\"'`]?({_HOST})(:\d+)?(?=[/\"'`}})\s,;:]|$)",
    re.IGNORECASE,
)
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
    """What a sentence can ask the agent for."""
    return tuple(name for name, pattern in _acts() if pattern.search(sentence))


def addresses(text: str) -> Iterator[tuple[str, int]]:
    """Hosts that a text names in URLs, each with the first part of the path, and hosts that are a default; with the offset."""
    for found in _URL.finditer(text):
        if not _BLANK.fullmatch(found[1]):
            yield f"{found[1].lower()}{found[2] or ''}{found[3] or ''}".rstrip(".:"), found.start()
    for found in _DEFAULT.finditer(text):
        if not _FILE.search(found[1]):
            yield f"{found[1].lower()}{found[2] or ''}", found.start()
