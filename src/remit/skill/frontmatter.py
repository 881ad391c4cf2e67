"""Front matter: YAML between two `---` lines, read without trusting it, with the line of every key.

The text is composed to nodes, never constructed: tags cannot name classes, and an alias is a shared node until it is
visited. The walk counts its steps, so that a bomb of aliases ends at a limit instead of in memory.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from remit.core.patterns import lazy_pattern

if TYPE_CHECKING:
    import yaml

Key: TypeAlias = str | int
Path: TypeAlias = tuple[Key, ...]

_MAX_NODES = 20_000
_MAX_DEPTH = 60
_CLOSE = lazy_pattern(r"^(?:---|\.\.\.)[ \t]*\r?$", re.MULTILINE)
_OPEN = lazy_pattern(r"\ufeff?---[ \t]*\r?\n")


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The fields of a document, as plain values, and the line of each by its path (`("hooks", "Stop", 0)`)."""

    values: Mapping[str, Any] = field(default_factory=dict)
    lines: Mapping[Path, int] = field(default_factory=dict)
    present: bool = False
    problem: str = ""  # why it could not be read, if that is no error (documents other than SKILL.md)
    duplicates: tuple[tuple[str, int], ...] = ()  # duplicate keys; `every` returns the values of both
    shadowed: tuple[tuple[Path, Any, int], ...] = ()  # values that a later key of the same name replaced

    def text(self, key: str) -> str:
        """Return a field as text; empty if it is absent or not a scalar."""
        value = self.values.get(key)
        return "" if value is None or isinstance(value, (list, dict)) else str(value)

    def line(self, *path: Key) -> int:
        """Return the line of a key or item; of its nearest parent if it has none."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, 1)


class _BrokenError(Exception):
    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.message = message
        self.line = line


def split(text: str) -> tuple[str | None, str, int]:
    """Return front matter (None if there is none), body, and the number of lines before the body."""
    opened = _OPEN.match(text)
    if not opened:
        return None, text, 0
    closed = _CLOSE.search(text, opened.end())
    if not closed:
        return None, text, 0
    end = text.find("\n", closed.end() - 1)
    cut = len(text) if end < 0 else end + 1
    return text[opened.end() : closed.start()], text[cut:], text.count("\n", 0, cut)


def read(text: str, file: str) -> FrontMatter:
    """Parse the YAML of a document's front matter.

    Errors are recorded as a problem: hosts differ in how they handle them, so the hooks and tools that it names are
    unknown.
    """
    try:
        return _parse(text)
    except _BrokenError as broken:
        # The opening `---` is line 1, so that line n of the YAML is line n + 1 of the file.
        return FrontMatter(present=True, problem=f"{file}:{broken.line}: {broken.message}")


def _parse(text: str) -> FrontMatter:
    from remit.skill.yamltree import YamlError, compose  # noqa: PLC0415  whoever only splits a text needs no YAML

    try:
        node = compose(text)
    except YamlError as error:
        raise _BrokenError(error.message, error.line + 2) from None
    if node is None:
        return FrontMatter(present=True)
    reader = _Reader()
    values = reader.convert(node, (), 0)
    if not isinstance(values, dict):
        raise _BrokenError("it must be a mapping of keys to values", 2)
    return FrontMatter(
        values, reader.lines, present=True, duplicates=tuple(reader.duplicates), shadowed=tuple(reader.shadowed)
    )


class _Reader:
    """Converts nodes to plain values and notes their lines."""

    def __init__(self) -> None:
        self.lines: dict[Path, int] = {}
        self.duplicates: list[tuple[str, int]] = []
        self.shadowed: list[tuple[Path, Any, int]] = []
        self.visited = 0

    def convert(self, node: yaml.Node, path: Path, depth: int) -> Any:
        import yaml  # noqa: PLC0415

        line = node.start_mark.line + 2
        self.visited += 1
        if self.visited > _MAX_NODES:
            raise _BrokenError("its aliases expand to too much", line)
        if depth > _MAX_DEPTH:
            raise _BrokenError("it is nested too deeply", line)
        self.lines.setdefault(path, line)
        if isinstance(node, yaml.ScalarNode):
            return _scalar(node, line)
        if isinstance(node, yaml.SequenceNode):
            _check_tag(node, "tag:yaml.org,2002:seq", line)
            return [self.convert(item, (*path, index), depth + 1) for index, item in enumerate(node.value)]
        assert isinstance(node, yaml.MappingNode)
        _check_tag(node, "tag:yaml.org,2002:map", line)
        return self._mapping(node, path, depth)

    def _mapping(self, node: yaml.MappingNode, path: Path, depth: int) -> dict[str, Any]:
        import yaml  # noqa: PLC0415

        out: dict[str, Any] = {}
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 2
            if not isinstance(key_node, yaml.ScalarNode):
                raise _BrokenError("a key must be a word", line)
            # YAML 1.1 reads `on:` as a boolean and `<<:` as a merge; hosts with other parsers do not.
            key = str(key_node.value)
            inner = (*path, key)
            if key in out:
                self.duplicates.append((key, line))
                self.shadowed.append((inner, out[key], self.lines[inner]))
                self.lines.pop(inner)
            value = self.convert(value_node, inner, depth + 1)
            self.lines[inner] = line
            if key == "<<" and isinstance(value, dict):
                for merged, item in value.items():
                    out.setdefault(merged, item)
                continue
            out[key] = value
        return out


def _check_tag(node: yaml.Node, expected: str, line: int) -> None:
    if node.tag != expected:
        raise _BrokenError(f"the tag `{node.tag}` is not allowed", line)


_PLAIN = frozenset({"str", "int", "float", "timestamp", "merge", "value", "binary"})


def _scalar(node: yaml.ScalarNode, line: int) -> str | bool | None:
    """Return a scalar as text, boolean or null: numbers and dates keep their spelling."""
    tag = node.tag.removeprefix("tag:yaml.org,2002:")
    if tag == "bool":
        return str(node.value).lower() in {"true", "yes", "on"}
    if tag == "null":
        return None
    if tag not in _PLAIN:
        raise _BrokenError(f"the tag `{node.tag}` is not allowed", line)
    return str(node.value)


def allowed_tools(values: Mapping[str, Any], key: str = "allowed-tools") -> tuple[str, ...]:
    """Return the entries of `allowed-tools`, from a list or a separated text; `Bash(git add:*)` stays whole."""
    raw = values.get(key)
    if raw is None or isinstance(raw, (dict, bool)):
        return ()
    texts = [str(item) for item in raw if not isinstance(item, (list, dict))] if isinstance(raw, list) else [str(raw)]
    return tuple(tool for text in texts for tool in _tools(text))


def _tools(text: str) -> list[str]:
    out, word, depth = [], "", 0
    for char in text:
        depth += (char == "(") - (char == ")" and depth > 0)
        if depth == 0 and (char == "," or char.isspace()):
            out.append(word)
            word = ""
        else:
            word += char
    return [tool for tool in (*out, word) if tool]


def hook_commands(front: FrontMatter) -> list[tuple[str, int]]:
    """Return the commands of `hooks` (and of servers that the front matter starts), with their lines."""
    out: list[tuple[str, int]] = []
    for key in ("hooks", "mcpServers", "mcp-servers", "mcp_servers"):
        if key in front.values:
            _commands(front.values[key], (key,), front, out)
    for path, value, line in front.shadowed:
        if path[0] in {"hooks", "mcpServers"}:
            _commands(value, path, FrontMatter(lines={path: line}), out)
    return out


def _commands(value: Any, path: Path, front: FrontMatter, out: list[tuple[str, int]]) -> None:
    """Collect `command` (with `args`) at any depth: hosts nest it differently."""
    if isinstance(value, list):
        for index, item in enumerate(value):
            _commands(item, (*path, index), front, out)
        return
    if not isinstance(value, dict):
        if isinstance(value, str) and path[0] == "hooks" and len(path) > 1 and path[-1] not in _HOOK_WORDS:
            out.append((value, front.line(*path)))  # `hooks: {Stop: ./x.sh}`, or a list of commands
        return
    for key, item in value.items():
        if key in {"command", "bash", "run", "script", "cmd"} and isinstance(item, (str, list)):
            words = [str(word) for word in item] if isinstance(item, list) else [item]
            extra = value.get("args")
            words += [shlex.quote(str(word)) for word in extra] if isinstance(extra, list) else []
            out.append((" ".join(words), front.line(*path, key)))
        elif key == "url" and isinstance(item, str):
            out.append((f"curl -d @- {shlex.quote(item)}", front.line(*path, key)))  # the host sends the event there
        elif key not in {"args", "env", "headers"}:
            _commands(item, (*path, key), front, out)


# Fields of a hook that are not commands.
_HOOK_WORDS = frozenset(
    "matcher type timeout once prompt model name description if statusMessage async url server tool".split()
)
