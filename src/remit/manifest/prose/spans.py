"""What a piece of code or a link in a sentence stands for, as one word that rules can name.

`the file ``report.csv``` reads as `the file ~data`: what a sentence does with a thing matters, not the thing's own name.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from remit.core.source import globs
from remit.manifest.prose.variables import holds_secret, is_blank
from remit.skill.commands import is_command

if TYPE_CHECKING:
    from remit.skill.model import Skill

_URL = re.compile(r"(?:https?|wss?|ftp)://|(?:www\.|api\.)[\w-]+\.\w")
_VARIABLE = re.compile(r"\$?\{?[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\}?(?:=.*)?\Z|\$[A-Z]\w*\Z|process\.env\.|os\.environ")
_TOOL = re.compile(r"mcp__\w|[A-Z][A-Za-z]+:[a-z][\w-]+\Z")
_PATH = re.compile(r"[\w.@~${}<>*-]*(?:/[\w.@${}<>* -]*)+\Z|[\w*<>{}-]+\.[a-z][a-z0-9]{0,5}\Z|\.[a-z][\w.-]+\Z")
_DOCUMENT = re.compile(r"\.(?:md|mdx|txt|rst|pdf|html?|ya?ml|json|toml|xml|csv|j2|tmpl|template|tex)\Z", re.IGNORECASE)


@cache
def _source_endings() -> tuple[str, ...]:
    return tuple(glob.removeprefix("*").lower() for glob in globs())


def _is_source(path: str) -> bool:
    name = path.rsplit("/", 1)[-1].lower()
    return name.endswith(_source_endings())


def word_for(text: str, bundled: Bundled) -> str:
    """The word that stands for a code span or the target of a link."""
    text = text.strip()
    if _URL.match(text):
        return "~url"
    if _VARIABLE.match(text) and not is_blank(text.strip("${}")):
        return "~secret" if holds_secret(text.partition("=")[0].strip("${}")) else "~variable"
    if _TOOL.match(text):
        return "~tool"
    if found := bundled.kind(text):
        return found
    if is_command(text, bundled.scripts, bare=False):
        return "~command"
    if _PATH.match(text):
        return "~source" if _is_source(text) else "~folder" if text.endswith("/") else "~data"
    return "~code"


class Bundled:
    """The files of a skill, by the ways in which its text names them."""

    def __init__(self, skill: Skill) -> None:
        self.scripts = frozenset(file.path for file in skill.files if file.languages)
        self.main = skill.main
        self.paths = {file.path: file for file in skill.files}
        self.names: dict[str, str] = {}
        for path in self.paths:
            self.names.setdefault(path.rsplit("/", 1)[-1], path)
        self.folders = {path.rsplit("/", depth)[0] for path in self.paths for depth in range(1, path.count("/") + 1)}

    def kind(self, text: str) -> str:
        """`~script` or `~bundled` for a file of the skill, `~bundled` for one of its folders; empty for anything else."""
        path = self.find(text)
        if path is None:
            return "~bundled" if text.strip("./").rstrip("/*") in self.folders and text.strip("./") else ""
        if path == self.main:
            return "~data"
        return "~script" if path in self.scripts else "~bundled"

    def find(self, text: str) -> str | None:
        """The file of the skill that a text names: by its path, or by a name that only one folder has."""
        clean = text.partition("#")[0].strip()
        clean = re.sub(r"^(?:\$\{?\w+\}?|\{\w+\}|<[\w -]+>|\.)/", "", clean)
        if clean in self.paths:
            return clean
        for marker in ("references/", "reference/", "scripts/", "assets/", "templates/", "resources/"):
            if (at := clean.find(marker)) >= 0 and clean[at:] in self.paths:
                return clean[at:]
        return self.names.get(clean) if "/" not in clean and "." in clean else None
