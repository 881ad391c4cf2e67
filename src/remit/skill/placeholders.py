"""Placeholders in instructed text (`<file>`, `{name}`, `YOUR_KEY`, `...`), recognised before parsing.

`rm <file>` would parse as a redirection. Each placeholder is therefore replaced by one character of the supplementary
private use area, U+F0000 and on, which every front end reads as a letter of a word. A table with the text says what
each character stands for; characters that occur in the text already are not used, so that a character is a placeholder
if and only if the table names it.

Only text that a model reads and fills in is treated so. What a host or tool runs unchanged (hooks, recipes, package
scripts, script files) keeps its angle brackets.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from remit.core.patterns import lazy_pattern

FIRST = 0xF0000
LAST = 0xFFFFD
_PRIVATE = lazy_pattern("[\U000f0000-\U000ffffd]")


class Filled(NamedTuple):
    """A text whose placeholders are single characters, with their meaning.

    `holes` maps a character to the placeholder as written: the model fills it in. `anchors` maps a character to the
    folder that it names (`skill`).
    """

    text: str
    holes: dict[str, str]
    anchors: dict[str, str]


# `<in>out` stays a redirection: a placeholder ends with the word or at punctuation, or at the quote that was opened
# before it.
_ANGLE = (
    r"(?<![<\w)>=&\\])<(?:\w|/|\.{3}|--?\w)(?:[^<>\n\"'`$;&()\\]|(?<=\w)'(?=s )){0,79}(?<![ \t|])>(?![\w~$\"'(&>])"
    r"|(?<=[=\w&])<[A-Za-z][\w .|/-]{0,60}(?<![ \t|])>(?![\w~$\"'(&>])"
    r"|(?<=\")<\w[^<>\n\"]{0,79}>(?=\")|(?<=')<\w[^<>\n']{0,79}>(?=')|(?<=[\w/:=@ .-])<\w[\w .|/-]{0,60}>(?=\"(?:[\s|;&)]|$))"
)
_BRACES = r"\{\{(?!\s*[.#]|\s*(?:range|json|end|if)\b)[^{}\n]{1,60}\}\}|(?<![$%@#\\{])\{(?!(?:print|next|exit|BEGIN|END)\})[A-Za-z][A-Za-z0-9_ -]{0,40}\}(?!\})"
# `[BASE]..[HEAD]` is a range of git; after another bracket or a dot it is part of a pattern
_BRACKETS = r"(?:(?<![\w$\]\[\\^.}*?-])|(?<=[\w\]]\.\.)|(?<=[\w\]]\.\.\.))\[(?:(?:--?[A-Za-z]|\.{3})[^\[\]\n$]{0,60}|[A-Z][A-Z0-9_ -]{2,40}|[a-z][a-z_ -]{3,40}|<[^<>\n]{1,40}>)\](?![\w\[*+?])"
_WORDS = r"\b(?:YOUR|MY|REPLACE|INSERT|ENTER)[_-][A-Z0-9_-]{1,64}\b|\byour[-_][\w-]{1,64}|\bx{3,}\b|\bX{3,}\b|(?<![\w$])/?(?:[\w.~-]{1,64}/){0,8}path/to(?:/[\w.*-]{1,64}){0,12}"
_DOTS = r"(?<![.\w/@])\.\.\.(?![./\w])|(?<=[\w:/]/)\.\.\.(?=[\s\"')]|$)|…"
_SHELL = lazy_pattern(f"{_ANGLE}|{_BRACES}|{_BRACKETS}|{_WORDS}|{_DOTS}")
_IN_STRING = lazy_pattern(
    r"<(?:\w)[\w .:/|-]{0,60}>|\{\{[^{}\n]{1,60}\}\}|\b(?:YOUR|MY|REPLACE|INSERT|ENTER)[_-][A-Z0-9_-]{1,64}\b|\byour[-_][\w-]{1,64}|(?<![\w$])/?(?:[\w.~-]{1,64}/){0,8}path/to(?:/[\w.*-]{1,64}){0,12}"
)
# A string of one line; its prefix tells whether braces are holes already (f-strings), which are left to the language.
_STRING = lazy_pattern(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`")

# Names that texts use for the skill's folder, wherever it is installed.
_WORDS_FOR_FOLDER = (
    r"(?:skill|base|plugin|this[-_ ]skill)(?:'s)?(?:[-_ ]|(?=[DP]))(?:dir|root|path|folder|directory|home|base[-_]?dir|location)"
    r"|baseDir|path[-_ ]to[-_ ](?:this[-_ ]|the[-_ ])?skill"
)
_HOST_VARIABLES = r"CLAUDE_SKILL_DIR|CLAUDE_PLUGIN_ROOT"
_VARIABLES = rf"{_HOST_VARIABLES}|SKILL_DIR|SKILL_ROOT|SKILL_PATH|SKILL_HOME|SKILLDIR|SKILL_BASE_DIR"
_HOSTS = r"\.(?:claude|codex|openclaw|agents|agent|cursor|gemini|opencode|github|factory|clawdbot|copilot)|clawd|\.config/(?:opencode|agents)"
_ANCHOR = lazy_pattern(
    r"/(?:absolute/)?path/to/(?:this[-_]|the[-_])?skill(?=/)"
    rf"|<(?:path[-_/]to[-_/])?(?:the[-_ ])?(?:{_WORDS_FOR_FOLDER}|skill(?=>/))>"
    rf"|\{{\{{?\s*(?:{_WORDS_FOR_FOLDER})\s*\}}?\}}"
    rf"|\$\{{(?:{_VARIABLES})\}}|\$(?:{_VARIABLES})\b"
    rf"|(?<![\w/.-])(?:(?:~|\$HOME|\$\{{HOME\}}|\.)/)?(?:(?:{_HOSTS})/(?:workspace/)?)?skills/(?P<name>[\w.-]+|<skill(?:-name)?>)(?=/|\s|[\"']|\Z)",
    re.IGNORECASE,
)
_HOST_FOLDER = lazy_pattern(rf"\$\{{(?:{_HOST_VARIABLES})\}}|\$(?:{_HOST_VARIABLES})\b")
_ARGUMENTS = lazy_pattern(r"'[^']*'|(\$ARGUMENTS(?:\[\d+\])?|\$\{ARGUMENTS\}|(?<!\\)\$\d\b)")
_ASSIGNED = lazy_pattern(r"^\s*(?:export\s+)?([A-Z_]+)=", re.MULTILINE)
_F_STRING = lazy_pattern(r"\b[rR]?[fF][rR]?[\"']")
_QUICK = lazy_pattern(r"[<{\[$~/\u2026]|\.\.\.|your|YOUR|MY_|REPLACE|INSERT|ENTER|xxx|XXX")


class Finder:
    """Finds the placeholders of one skill's texts; the skill's own names show which paths lead back to its folder."""

    def __init__(self, names: tuple[str, ...] = ()) -> None:
        self._names = frozenset(name.lower() for name in names)

    def _means_folder(self, found: re.Match[str], assigned: frozenset[str]) -> bool:
        """Whether a path means the skill's folder: in a folder of skills by this name, or an unset variable."""
        name = found["name"]
        if name is not None:
            return name.startswith("<") or name.lower() in self._names
        return found[0].strip("${}") not in assigned

    def fill(self, text: str, language: str) -> Filled:
        """Replace the placeholders of a text in a language."""
        if not _QUICK.search(text):
            return Filled(text, {}, {})
        table = _Table(text)
        assigned = frozenset(_ASSIGNED.findall(text))
        text = _ANCHOR.sub(
            lambda found: table.token(found[0], "skill") if self._means_folder(found, assigned) else found[0], text
        )
        if language == "shell":
            text = _SHELL.sub(lambda found: found[0] if _formatted(found) else table.token(found[0]), text)
        else:
            text = _STRING.sub(lambda string: _IN_STRING.sub(lambda found: table.token(found[0]), string[0]), text)
        return Filled(text, table.holes, table.anchors)


def _formatted(found: re.Match[str]) -> bool:
    """Whether braces are in an f-string of Python code inside the shell text: Python fills them in itself."""
    if not found[0].startswith("{"):
        return False
    begin = found.string.rfind("\n", 0, found.start()) + 1
    return bool(_F_STRING.search(found.string, begin, found.start()))


def fill_host(text: str, *, arguments: bool = False) -> Filled:
    """Fill a text that the host runs unchanged: the host inserts the skill's folder and, in a skill's own text, the
    user's arguments. These go into the command as text, not as one word.
    """
    if "$" not in text:
        return Filled(text, {}, {})
    table = _Table(text)
    text = _HOST_FOLDER.sub(lambda found: table.token(found[0], "skill"), text)
    if arguments:
        text = _ARGUMENTS.sub(lambda found: table.token(found[1]) if found[1] else found[0], text)
    return Filled(text, table.holes, table.anchors)


class _Table:
    """Assigns characters: the same placeholder gets the same character."""

    def __init__(self, text: str) -> None:
        self.used = set(_PRIVATE.findall(text))
        self.next = FIRST
        self.holes: dict[str, str] = {}
        self.anchors: dict[str, str] = {}
        self.known: dict[tuple[str, str], str] = {}

    def token(self, placeholder: str, anchor: str = "") -> str:
        key = (placeholder, anchor)
        if key not in self.known:
            while chr(self.next) in self.used:
                self.next += 1
            if self.next > LAST:
                return placeholder  # more than 65,000 distinct ones: left unchanged
            self.known[key] = chr(self.next)
            self.next += 1
            if anchor:
                self.anchors[self.known[key]] = anchor
            else:
                self.holes[self.known[key]] = placeholder
        return self.known[key]
