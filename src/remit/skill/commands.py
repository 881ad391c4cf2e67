"""Recognition of shell commands in lines of text, and of sentences that ask for one to be run.

A line is a command if its first word (after assignments and `sudo`) is a known command or a script of the skill. Words
that are English as well (`find`, `open`, `make`) need a sign after them: an option, a path, a variable, a quote or a
placeholder. All of it is deterministic; the words are data/commands.toml.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from pathlib import Path

from remit.core.patterns import lazy_pattern
from remit.core.table import read_toml

_PREFIX = lazy_pattern(r"(?:(?:[A-Za-z_]\w*=(?:\"[^\"]*\"|'[^']*'|\S*)|sudo|env|time|nohup|command)\s+)*")
_WORD = lazy_pattern(r"[^\s;|&()<>\"'`]+")
_SIGN = lazy_pattern(
    r"(?:^|\s)(?:-{1,2}[A-Za-z]|\.{0,2}/|~|\$|\"|'|<|\{|\[|\*|[\w-]+[./][\w./-]*\w|[A-Z_]+=|\||>|&&|[\U000f0000-\U000ffffd])"
)
_PATH_CALL = lazy_pattern(r"(?:\./|\.\./|~/|/)[\w.@~/-]+(?:\s|\Z)")
# A statement of JavaScript begins with the name of a program that takes pictures of the screen.
_IMPORT = lazy_pattern(r"import\s+(?:type\s+)?(?:\{|\*\s+as\b|\S+(?:\s*,\s*\{[^}]*\})?\s+from\s+[\"'])")
_INTERPOLATED = lazy_pattern(r"(?:\$\{?\w+\}?|[\U000f0000-\U000ffffd]|\{\w+\}|<[\w -]+>)/[\w./-]+")


@cache
def _words() -> tuple[frozenset[str], frozenset[str]]:
    raw = read_toml(Path(__file__).with_name("data") / "commands.toml")
    return frozenset(raw["plain"].split()), frozenset(f"{raw['ambiguous']} {raw['named']}".split())


@cache
def _programs() -> frozenset[str]:
    plain, ambiguous = _words()
    return plain | ambiguous


@cache
def _named() -> frozenset[str]:
    raw = read_toml(Path(__file__).with_name("data") / "commands.toml")
    return frozenset(f"{raw['plain']} {raw['named']}".split()) - frozenset(raw["ambiguous"].split())


def is_command(line: str, scripts: frozenset[str] = frozenset(), *, bare: bool = True) -> bool:
    """Whether a line reads as a command. `bare`: a known word alone (`ls`) counts too."""
    line = line.strip()
    rest = line[_PREFIX.match(line).end() :]  # type: ignore[union-attr]  # the prefix may be empty, so it always matches
    found = _WORD.match(rest)
    if not found or _IMPORT.match(rest):
        return False
    word, after = found[0], rest[found.end() :]
    if word in scripts or word.removeprefix("./") in scripts:
        return bare or bool(after.strip())
    plain, ambiguous = _words()
    name = word.rsplit("/", 1)[-1]
    if (_PATH_CALL.match(rest) and (name in plain or "." in name or name in scripts)) or _INTERPOLATED.match(rest):
        return bare or bool(after.strip())
    if after and not after[0].isspace():
        return word in plain and after[0] in ";|&<>"
    if word in ambiguous:
        return bool(_SIGN.search(after))
    if word in plain:
        return bool(after.strip()) or bare
    return False


def may_begin(word: str, scripts: frozenset[str]) -> bool:
    """Whether a command may begin with this word; `is_command` says whether one does."""
    return word in _programs() or "/" in word or "=" in word or word in scripts


def any_program(words: list[str]) -> bool:
    """Whether one of these words is the name of a command."""
    return not _programs().isdisjoint(words)


def is_named(word: str) -> bool:
    """Whether a word is the name of a command and no usual English word."""
    return word in _named()


def named_programs(words: list[str]) -> frozenset[str]:
    """Return those of these words that are names of commands and no usual English words."""
    return _named().intersection(words)


def is_english(word: str) -> bool:
    """Whether the name of a command is a usual English word as well."""
    return word in _words()[1]


# Words that turn a clause into a warning or a mention of what should not be run. Only the clause that contains the span
# counts ("if it does not exist, run ..." asks), and a clause of connectives alone continues the one before ("never run
# `a`, `b` or `c`"). What is not negated counts as an instruction, because a model may follow it.
_NEGATION = lazy_pattern(
    r"\b(?:never|not|don['\u2019]?t|doesn['\u2019]?t|didn['\u2019]?t|isn['\u2019]?t|shouldn['\u2019]?t|mustn['\u2019]?t|cannot|can['\u2019]?t|won['\u2019]?t"
    r"|avoid(?:s|ing)?|instead of|rather than|forbid(?:s|den)?|prohibit(?:s|ed)?|block(?:s|ed)?|den(?:y|ies|ied)|refuse[sd]?|reject(?:s|ed)?"
    r"|dangerous|unsafe|malicious|deprecated|anti-?patterns?|no need (?:to|for)|replaces|equivalent (?:to|of)|similar to|unlike"
    r"|detect(?:s|ed)?|flag(?:s|ged)|such as|commands? like|patterns? like)\b|\u274c|\u2717|\U0001f6ab|\u26d4",
    re.IGNORECASE,
)
# A negated omission asks for it; and so does what may not happen before or without it.
_NO_NEGATION = lazy_pattern(
    r"\b(?:(?:do not|don['\u2019]?t|never|not|cannot|can['\u2019]?t|must not|mustn['\u2019]?t|won['\u2019]?t)"
    r"(?: (?:ever|you))? (?:forget|skip|omit|miss|fail|neglect|hesitate|avoid|refuse)(?:ting|ping|ing)?(?: to)?"
    r"|not (?:only|just|dangerous|enough|optional)|if not|why not|or not|not yet"
    r"|(?:do not|don['\u2019]?t|never|not|cannot|can['\u2019]?t|must not|mustn['\u2019]?t|won['\u2019]?t)\b[^.;:]{0,80}?\b(?:before|until|unless|without|except))\b",
    re.IGNORECASE,
)
_DENIED_AFTER = lazy_pattern(
    r"\s*(?:(?:is|are|was|were|will be|must be|should be)\s+(?:never|not|blocked|denied|forbidden|prohibited|dangerous|unsafe|deprecated|rejected|refused)\b"
    r"|\(?not\s+(?:allowed|permitted|recommended|supported)\b)",
    re.IGNORECASE,
)
_CLAUSE = lazy_pattern(r"[,;()\u2013\u2014]|\s-\s")
_CODE = lazy_pattern(r"`[^`]*`")
_CONNECTIVE = lazy_pattern(r"[\s*_\"'/&+|]*(?:(?:and|or|nor|then|etc\.?)\b[\s*_\"'/&+|]*)*")
_WARNING_HEADING = lazy_pattern(
    r"\b(?:forbidden|(?:never|don['\u2019]?t|do not)(?! (?:forget|skip|miss|omit))|avoid|anti-?patterns?|dangerous|blocked|prohibited|not allowed|disallowed|wrong|incorrect|red flags|suspicious|what to look for|signs of|reject)\b|\u274c",
    re.IGNORECASE,
)


@lru_cache(1024)  # every sentence of a section asks
def is_warning_heading(heading: str) -> bool:
    """Whether a section is about what should not be done."""
    return _WARNING_HEADING.search(heading.rsplit(" / ", 1)[-1]) is not None


# Another program or person runs it, or has run it: a story, not an order.
_NARRATED = lazy_pattern(
    r"\b(?:they|he|she|someone|somebody|attackers?|intruders?|adversar(?:y|ies)|hackers?|thie(?:f|ves)|malware)\s+(?:\w+\s+){0,4}$"
    r"|\b(?:ran|typed|executed|entered|issued|did)\s+$",
    re.IGNORECASE,
)


def is_instruction(sentence: str, heading: str = "") -> bool:
    """Whether the code span of this sentence (represented by NUL) is asked for, not warned of or compared with."""
    before, _, after = sentence.partition("\0")
    if _DENIED_AFTER.match(after) or is_warning_heading(heading):
        return False
    clauses = _CLAUSE.split(_NO_NEGATION.sub("", _CODE.sub("", before[-300:])))
    while len(clauses) > 1 and _CONNECTIVE.fullmatch(clauses[-1]):
        clauses.pop()
    return not _NEGATION.search(clauses[-1]) and not _NARRATED.search(clauses[-1].rstrip("`") + " ")


_PROMPT = lazy_pattern(
    r"(?:\([\w.-]+\)\s*)?(?:[\w.-]+@[\w.-]+[: ]?[^\s$#%>]*)?\s*(?:\$|%|\u276f|\u279c|\u2192)\s+(?=\S)"
)
_ROOT_PROMPT = lazy_pattern(r"[\w.-]+@[\w.-]+:?[^\s#]*#\s+(?=\S)")
_PYTHON_PROMPT = lazy_pattern(r"(?:>>>|\.\.\.|In \[\d+\]:)(?: |\Z)")
_CONTINUED = lazy_pattern(r">\s(?=\S)")


def unprompt(text: str, *, session: bool, scripts: frozenset[str] = frozenset()) -> list[tuple[int, str]] | None:
    """Return the commands of a transcript as (line index, command); None if no line has a prompt.

    Lines without a prompt are output. In a block that claims to be a script (`session` false) such a line is kept if it
    reads as a command, because one prompt does not make a block of commands inert.
    """
    lines = text.split("\n")
    plain = any(_PROMPT.match(line.lstrip()) for line in lines)
    arrows = session and not plain
    if not plain and not arrows and not any(_ROOT_PROMPT.match(line.lstrip()) for line in lines):
        return None
    out: list[tuple[int, str]] = []
    prompted = continued = False
    for index, line in enumerate(lines):
        bare = line.lstrip()
        found = _PROMPT.match(bare) or _ROOT_PROMPT.match(bare) or (_CONTINUED.match(bare) if arrows else None)
        if found:
            prompted, command = True, bare[found.end() :]
        elif continued:
            command = bare.removeprefix("> ")
        elif not session and is_command(bare, scripts):
            command = bare
        else:
            continue
        out.append((index, command))
        continued = command.rstrip().endswith("\\") or not balanced("\n".join(text for _, text in out[-20:]))
    return out if prompted else None


def unprompt_python(text: str) -> list[tuple[int, str]] | None:
    """Return the statements of a Python session as (line index, text); None if no line has a prompt."""
    if ">>>" not in text and "In [" not in text:
        return None
    out = []
    for index, line in enumerate(text.split("\n")):
        bare = line.lstrip()
        if found := _PYTHON_PROMPT.match(bare):
            out.append((index, bare[found.end() :]))
    return out or None


_QUOTES = lazy_pattern(
    r"\\.|'[^']*'|\"(?:[^\"\\]|\\.)*\"|(?<![^\s;|&(])#[^\n]*|(<<-?)\s*(['\"]?)(\w+)\2|['\"]", re.DOTALL
)


def balanced(text: str) -> bool:
    """Whether a shell text ends outside of quotes, heredocs and continued lines: it swallows nothing behind it."""
    at = 0
    while found := _QUOTES.search(text, at):
        if found[0] in {"'", '"'}:
            return False
        at = found.end()
        if found[1]:
            closing = re.compile(rf"^[ \t]*{re.escape(found[3])}[ \t]*$", re.MULTILINE).search(text, at)
            if not closing:
                return False
            # The rest of the line still belongs to the command; quotes there are rare enough to be skipped with it.
            at = closing.end()
    return not text.rstrip("\n").endswith("\\")
