"""Classes of code spans and links in a sentence, each as one word that rules can name.

`the file ``report.csv``` reads as `the file ~data`: what a sentence does with a thing matters, not the thing's own
name.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from remit.core.errors import ManifestError
from remit.core.hosttools import host_tools, split_tool
from remit.core.patterns import lazy_pattern
from remit.core.scope import ScopeKind, parse_scope
from remit.core.sensitive import sensitive
from remit.core.source import globs
from remit.skill.commands import is_command
from remit.skill.prose.services import is_api_address, is_service_program
from remit.skill.prose.variables import holds_secret, is_blank

if TYPE_CHECKING:
    from remit.skill.model import Skill

_URL = lazy_pattern(r"(?:https?|wss?|ftp)://|(?:www\.|api\.)[\w-]+\.\w")
_VARIABLE = lazy_pattern(r"\$?\{?[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\}?(?:=.*)?\Z|\$[A-Z]\w*\Z|process\.env\.|os\.environ")
_TOOL = lazy_pattern(r"mcp__\w|[A-Z][A-Za-z]+:[a-z][\w-]+\Z")
_PATH = lazy_pattern(r"[\w.@~${}<>*-]*(?:/[\w.@${}<>* -]*)+\Z|\.[a-z][\w.-]+\Z")
# By its location, even if the file is missing; `../` leads to the documents of neighbouring skills.
NEIGHBOUR = lazy_pattern(r"((?:\.\./)+[\w./-]+\.md)(?:#.*)?\Z")
_OWN_DOCUMENT = lazy_pattern(rf"(?:\./)?(?:references?|resources)/[\w./*-]*\Z|{NEIGHBOUR.pattern}")
_TO_COPY = lazy_pattern(r"(?:assets|templates?)/")  # programs here are read and copied, not run
_ONLY_BLANKS = lazy_pattern(
    r"(?:<[\w -]+>|\{[\w -]+\})(?:/(?:<[\w -]+>|\{[\w -]+\}))*\Z"
)  # `<type>/<name>`: a branch, a tag
_ROUTE = lazy_pattern(r"/(?:api|v\d+|auth|graphql|\w+/[:{])")
# A name without a folder is a file only with the ending of a data file: `report.csv`, but not `model.fit`.
DATA_ENDING = (
    r"\.(?:md|mdx|txt|rst|pdf|html?|ya?ml|jsonl?|toml|xml|csv|tsv|tex|bib|ini|cfg|conf|log|lock|plist|svg|png|jpe?g|gif|webp|bmp|"
    r"tiff?|ico|mp3|mp4|wav|m4a|flac|ogg|mov|avi|mkv|webm|srt|vtt|docx?|pptx?|xlsx?|xlsm|odt|ods|odp|rtf|epub|zip|tar|gz|tgz|7z|"
    r"parquet|feather|arrow|h5|hdf5|npy|npz|pkl|db|sqlite|ipynb|env|diff|patch|bam|bed|fasta|fastq|vcf|pdb|sdf|mol|cif|onnx|pt|"
    r"ckpt|safetensors|gguf|sarif|mmd|drawio|ics|eml|geojson|shp|dat|bin|skill)"
)
_DATA_NAME = lazy_pattern(rf"[\w*<>{{}}\[\]. -]*{DATA_ENDING}\Z", re.IGNORECASE)


@cache
def _source_endings() -> tuple[str, ...]:
    return tuple(glob.removeprefix("*").lower() for glob in globs())


def _is_source(path: str) -> bool:
    name = path.rsplit("/", 1)[-1].lower()
    return name.endswith(_source_endings())


# Capabilities of writing to a sensitive place, with their words. Files that give agents information about a project are
# read and written as documents; only those that are called memory count as memory.
_PLACES = {
    "policy.expand": "~settings",
    "profile.write": "~profile",
    "schedule.create": "~schedule",
    "hook.install": "~hooks",
    "skill.install": "~skills",
}


@lru_cache(1024)
def _place_word(path: str) -> str:
    try:
        meant = sensitive("file.write", parse_scope(ScopeKind.PATH, path))
    except ManifestError:
        return ""  # a path that cannot be parsed names no known place
    if "memory" in path.lower() and (path.startswith("memory/") or "memory.write" in meant):
        return "~memory"
    return _PLACES.get(meant[0], "") if meant else ""


_HERE = lazy_pattern(r"^(?:\$\{?\w+\}?|\{\w+\}|<[\w -]+>|\.)/")
_TOOL_NAME = lazy_pattern(r"[A-Za-z]\w*[_-]\w+\Z|[a-z]+[A-Z]\w+\Z|[A-Z][a-z]+[A-Z]\w+\Z")


def tool_word(text: str, *, called: bool) -> str:
    """Return `~tool` for a tool of the host that is more than files, shell and web, `~agent` for one that starts other
    agents.

    `called`: the text calls it a tool. Otherwise only names count that are no usual words.
    """
    name = split_tool(text)[0]
    if not (called or _TOOL_NAME.match(name)):
        return ""
    known = host_tools().get(name)
    if known is None:
        return "~tool" if called and _TOOL_NAME.match(name) else ""
    return "~agent" if "subagent.delegate" in known.capabilities else "" if known.capabilities else "~tool"


def url_word(url: str) -> str:
    """Return `~api` for an address that programs call, `~url` for any other."""
    return "~api" if is_api_address(url) else "~url"


def variable_word(name: str) -> str:
    """Return `~apikey` for a variable that holds the key of an API, `~secret` for another secret, `~variable` for any
    other.
    """
    if not holds_secret(name):
        return "~variable"
    return "~apikey" if "API" in name else "~secret"


def word_for(text: str, bundled: Bundled, *, tool: bool = False) -> str:  # noqa: PLR0911  one case for each form of sentence
    """Return the word for a code span or the target of a link; `tool`: the word after it is `tool`."""
    text = text.strip()
    if found := tool_word(text, called=tool):
        return found
    if _URL.match(text):
        return url_word(text)
    if _VARIABLE.match(text) and not is_blank(text.strip("${}")):
        return variable_word(text.partition("=")[0].strip("${}"))
    if is_service_program(text):
        return "~service"
    if _TOOL.match(text):
        return "~tool"
    if found := bundled.kind(text):
        return found
    if is_command(text, bundled.scripts, bare=False):
        return "~command"
    if _ONLY_BLANKS.match(text):
        return "~code"
    if _DATA_NAME.match(text) or (_PATH.match(text) and not _ROUTE.match(text)) or _is_source(text):
        if found := _place_word(text):
            return found
        return "~source" if _is_source(text) else "~folder" if text.endswith("/") else "~data"
    return "~code"


class Bundled:
    """The files of a skill, by the ways in which its text names them; without a skill there are none."""

    def __init__(self, skill: Skill | None) -> None:
        files = skill.files if skill else ()
        self.scripts = frozenset(file.path for file in files if file.languages)
        self.main = skill.main if skill else ""
        self.paths = {file.path: file for file in files}
        self._words: dict[tuple[str, bool], str] = {}
        self.names: dict[str, str] = {}  # in lower case: texts write `FORMS.md` for `forms.md`
        for path in self.paths:
            self.names.setdefault(path.rsplit("/", 1)[-1].lower(), path)
        self.folders = {path.rsplit("/", depth)[0] for path in self.paths for depth in range(1, path.count("/") + 1)}

    def word(self, text: str, *, called: bool = False) -> str:
        """Return `word_for` of a text, cached because most skills name it more than once. `called`: the text calls it a
        tool.
        """
        if (found := self._words.get((text, called))) is None:
            found = self._words[text, called] = word_for(text, self, tool=called)
        return found

    def kind(self, text: str) -> str:
        """Return `~script`, `~bundled` or `~manual` (SKILL.md) for a file of the skill, `~bundled` for its folders;
        else empty.
        """
        path = self.find(text)
        if path is None:
            plain = text.strip("./").rstrip("/*")
            return "~bundled" if (plain and plain in self.folders) or _OWN_DOCUMENT.match(text) else ""
        if path == self.main:
            return "~manual"
        return "~script" if path in self.scripts and not _TO_COPY.match(path) else "~bundled"

    def find(self, text: str) -> str | None:
        """Return the file of the skill that a text names: by its path, or by a name that only one folder has."""
        clean = text.partition("#")[0].strip()
        clean = _HERE.sub("", clean)
        if clean in self.paths:
            return clean
        for marker in ("references/", "reference/", "scripts/", "assets/", "templates/", "resources/"):
            if (at := clean.find(marker)) >= 0 and clean[at:] in self.paths:
                return clean[at:]
        return self.names.get(clean.lower()) if "/" not in clean and "." in clean else None
