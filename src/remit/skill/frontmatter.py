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
_MAX_BYTES = 256 * 1024
_MAX_NESTING = 200
_SHORT = 400  # a text of this length cannot nest deeper than the limit
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


class YamlError(Exception):
    """The text is not YAML, or exceeds a limit; `line` counts from 0."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.line = line


def compose(text: str) -> yaml.Node | None:
    """Return the root node of YAML; None for an empty text.

    The composer of libyaml's binding recurses in C: some ten thousand open brackets crash the process. The events of the parser
    come from a state machine, so their nesting is measured first.
    """
    import yaml  # noqa: PLC0415  whoever only splits a text needs no YAML

    if len(text) > _MAX_BYTES:
        raise YamlError(f"it has more than {_MAX_BYTES} bytes")
    try:
        if len(text) > _SHORT:
            _measure(text)
        node: yaml.Node | None = yaml.compose(text, Loader=_loader())
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
        problem = getattr(error, "problem", None) or getattr(error, "reason", None) or "unreadable"
        raise YamlError(str(problem), mark.line if mark else 0) from None
    except (RecursionError, ValueError, OverflowError) as error:
        raise YamlError(f"unreadable ({type(error).__name__})") from None
    return node


def first_anchor(text: str) -> int | None:
    """Return the line (from 0) of the first anchor or alias in a text that can be composed; None if there is none."""
    import yaml  # noqa: PLC0415

    events = yaml.parse(text, Loader=_loader()) if "&" in text or "*" in text else ()
    return next((int(event.start_mark.line) for event in events if getattr(event, "anchor", None)), None)


def _loader() -> Any:
    import yaml  # noqa: PLC0415

    return getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def _measure(text: str) -> None:
    import yaml  # noqa: PLC0415

    depth = 0
    for event in yaml.parse(text, Loader=_loader()):
        if isinstance(event, (yaml.SequenceStartEvent, yaml.MappingStartEvent)):
            depth += 1
            if depth > _MAX_NESTING:
                raise YamlError("it is nested too deeply", event.start_mark.line if event.start_mark else 0)
        elif isinstance(event, (yaml.SequenceEndEvent, yaml.MappingEndEvent)):
            depth -= 1


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
    reader = _Reader()
    try:
        values = reader.read(text)
    except YamlError as error:
        # The opening `---` is line 1, so that line 0 of the YAML is line 2 of the file.
        return FrontMatter(present=True, problem=f"{file}:{error.line + 2}: {error.message}")
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

    def read(self, text: str) -> dict[str, Any]:
        node = compose(text)
        values = {} if node is None else self.convert(node, (), 0)
        if not isinstance(values, dict):
            raise YamlError("it must be a mapping of keys to values")
        return values

    def convert(self, node: yaml.Node, path: Path, depth: int) -> Any:
        import yaml  # noqa: PLC0415

        line = node.start_mark.line + 2
        self.visited += 1
        if self.visited > _MAX_NODES:
            raise YamlError("its aliases expand to too much", node.start_mark.line)
        if depth > _MAX_DEPTH:
            raise YamlError("it is nested too deeply", node.start_mark.line)
        self.lines.setdefault(path, line)
        if isinstance(node, yaml.ScalarNode):
            return _scalar(node)
        if isinstance(node, yaml.SequenceNode):
            _check_tag(node, "tag:yaml.org,2002:seq")
            return [self.convert(item, (*path, index), depth + 1) for index, item in enumerate(node.value)]
        assert isinstance(node, yaml.MappingNode)
        _check_tag(node, "tag:yaml.org,2002:map")
        return self._mapping(node, path, depth)

    def _mapping(self, node: yaml.MappingNode, path: Path, depth: int) -> dict[str, Any]:
        import yaml  # noqa: PLC0415

        out: dict[str, Any] = {}
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 2
            if not isinstance(key_node, yaml.ScalarNode):
                raise YamlError("a key must be a word", key_node.start_mark.line)
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


def _check_tag(node: yaml.Node, expected: str) -> None:
    if node.tag != expected:
        raise YamlError(f"the tag `{node.tag}` is not allowed", node.start_mark.line)


_PLAIN = frozenset({"str", "int", "float", "timestamp", "merge", "value", "binary"})


def _scalar(node: yaml.ScalarNode) -> str | bool | None:
    """Return a scalar as text, boolean or null: numbers and dates keep their spelling."""
    tag = node.tag.removeprefix("tag:yaml.org,2002:")
    if tag == "bool":
        return str(node.value).lower() in {"true", "yes", "on"}
    if tag == "null":
        return None
    if tag not in _PLAIN:
        raise YamlError(f"the tag `{node.tag}` is not allowed", node.start_mark.line)
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
