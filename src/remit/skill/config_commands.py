"""Commands in configuration files, which run because of where the file lies: settings of hosts, packages, builds, workflows.

A reader that meets an unknown form returns an opaque entry, never nothing.
"""

from __future__ import annotations

import configparser
import json
import re
import shlex
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import yaml

from remit.core.patterns import lazy_pattern
from remit.skill.frontmatter import YamlError, compose
from remit.skill.placeholders import FIRST


@dataclass(frozen=True, slots=True)
class ConfigProgram:
    """A program inside a file: its text and location. `asked`: it runs on request, not automatically."""

    text: str
    line: int
    language: str = "shell"
    form: str = "hook"
    lines: tuple[int, ...] = ()  # the line of the file for each line of the text; empty: all are `line`
    holes: Mapping[str, str] = field(default_factory=dict)
    note: str = ""
    opaque: str = ""
    asked: bool = False


def unread(
    line: int, reason: str, language: str = "configuration", *, form: str = "hook", asked: bool = False
) -> ConfigProgram:
    """Return the entry for what is not analysed, with the reason."""
    return ConfigProgram("", line, language, form, opaque=reason, asked=asked)


_MAX_MISSES = 100  # strings in another spelling; each costs a search through the file
_COMMENTS = lazy_pattern(r'("(?:[^"\\\n]|\\.)*")|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
_TRAILING = lazy_pattern(r'("(?:[^"\\\n]|\\.)*")|,(?=\s*[}\]])', re.DOTALL)


def loads(data: bytes) -> Any:
    """Parse JSON, or JSON with comments and trailing commas; raises ValueError if it is neither."""
    text = data.decode("utf-8-sig", "replace")
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except ValueError:
        plain = _TRAILING.sub(lambda found: found[1] or "", _COMMENTS.sub(lambda found: found[1] or "", text))
        return json.loads(plain)


def line_finder(data: bytes) -> Callable[[str], int]:
    """Return a function from strings of a JSON text to their lines; call it in the order of the file."""
    text = data.decode("utf-8-sig", "replace")
    at = 0
    line = 1
    misses = 0

    def find(value: str) -> int:
        nonlocal at, line, misses
        if misses > _MAX_MISSES:
            return line
        for spelling in (json.dumps(value, ensure_ascii=False), json.dumps(value)):
            place = text.find(spelling, at)
            if place >= 0:
                line += text.count("\n", at, place)
                at = place
                return line
            place = text.find(spelling)
            if place >= 0:
                return text.count("\n", 0, place) + 1
        misses += 1
        return line

    return find


def walk(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Return every mapping of a JSON value with the keys that lead to it."""
    if isinstance(value, dict):
        yield path, value
        for key, item in value.items():
            yield from walk(item, (*path, str(key)))
    elif isinstance(value, list):
        for item in value:
            yield from walk(item, path)


def argv(command: Any, args: Any = None) -> str:
    """Return a command line from a text or a list of words, and further words."""
    words = [shlex.quote(str(word)) for word in command] if isinstance(command, list) else [str(command)]
    words += [shlex.quote(str(word)) for word in args] if isinstance(args, list) else []
    return " ".join(words)


_HOLE = lazy_pattern(r"\$\{\{[^{}]*\}\}")


def with_holes(text: str, pattern: re.Pattern[str] = _HOLE) -> tuple[str, dict[str, str]]:
    """Replace parts that the runner fills in by private-use characters (see `placeholders.py`)."""
    holes: dict[str, str] = {}

    def token(found: re.Match[str]) -> str:
        char = chr(FIRST + len(holes))
        holes[char] = found[0]
        return char

    return pattern.sub(token, text), holes


def text_line(text: str, wanted: str) -> int:
    """Return the line on which a text begins, or the first."""
    place = text.find(wanted.split("\n", 1)[0])
    return text.count("\n", 0, place) + 1 if place >= 0 else 1


_LIFE_CYCLE = frozenset(
    f"{when}{name}"
    for name in ("install", "prepare", "publish", "pack", "uninstall", "version", "dependencies")
    for when in ("", "pre", "post")
) | {"prepublishOnly", "prepublish", "prepack", "preprepare"}

# Settings of agent hosts whose value is a command line.
_COMMAND_KEYS = frozenset(
    {"command", "bash", "apiKeyHelper", "awsAuthRefresh", "awsCredentialExport", "otelHeadersHelper", "gcpAuthRefresh"}
)

_SERVERS = frozenset({"mcpServers", "servers", "lspServers", "mcp_servers"})  # the host starts these without a shell

_URL_KEYS = frozenset({"url", "httpUrl", "serverUrl"})


def request(url: str) -> str:
    """Return a host's request to the URL of a hook or server as a command: it sends the event or call there."""
    return f"curl -d @- {shlex.quote(url)}"


def hooks(data: bytes) -> list[ConfigProgram]:
    """Return commands of agent settings, plugins and MCP servers: `command` with `args`, at any depth."""
    find = line_finder(data)
    out: list[ConfigProgram] = []
    for path, table in walk(loads(data)):
        for key, value in table.items():
            if key in _COMMAND_KEYS and isinstance(value, (str, list)) and value:
                first = str(value[0]) if isinstance(value, list) else value
                form = "server" if _SERVERS & {*path} else "hook"
                out.append(ConfigProgram(argv(value, table.get("args")), find(first), form=form))
            elif key == "powershell" and isinstance(value, str):
                out.append(unread(find(value), "a hook in PowerShell", "powershell"))
            elif key in _URL_KEYS and isinstance(value, str) and {"hooks", "mcpServers", "servers"} & {*path}:
                out.append(ConfigProgram(request(value), find(value), note="the agent host sends to this address"))
            elif key in {"hooks", "mcpServers", "lspServers"} and isinstance(value, str):
                out.append(ConfigProgram(value, find(value), language="configuration", form="include"))
    return out


def package(data: bytes) -> list[ConfigProgram]:
    """Return commands of package.json: npm runs the life-cycle scripts automatically, the others on request."""
    value = loads(data)
    scripts = value.get("scripts") if isinstance(value, dict) else None
    if not isinstance(scripts, dict):
        return []
    find = line_finder(data)
    return [
        ConfigProgram(
            text, find(text), form="script", asked=name not in _LIFE_CYCLE, note=f"the script `{name}` of package.json"
        )
        for name, text in scripts.items()
        if isinstance(text, str) and text.strip()
    ]


def devcontainer(data: bytes) -> list[ConfigProgram]:
    """Return commands of development containers: what runs when one is created, started and attached to."""
    value = loads(data)
    find = line_finder(data)
    out: list[ConfigProgram] = []
    for key, command in value.items():
        if not key.endswith("Command"):
            continue
        commands = list(command.values()) if isinstance(command, dict) else [command]
        for item in filter(None, commands):
            first = str(item[0]) if isinstance(item, list) else str(item)
            out.append(ConfigProgram(argv(item), find(first), note=f"`{key}` of the container"))
    return out


def vscode_tasks(data: bytes) -> list[ConfigProgram]:
    """Return tasks of an editor; a task may run when the folder is opened."""
    find = line_finder(data)
    return [
        ConfigProgram(argv(table["command"], table.get("args")), find(str(table["command"])))
        for _, table in walk(loads(data))
        if isinstance(table.get("command"), str)
    ]


def vscode_launch(data: bytes) -> list[ConfigProgram]:
    """Return launch configurations of an editor."""
    find = line_finder(data)
    return [
        unread(find(str(table["request"])), "a launch configuration, which is not analysed", asked=True)
        for _, table in walk(loads(data))
        if "request" in table
    ]


def pth(data: bytes) -> list[ConfigProgram]:
    """Return commands of a .pth file: a line that begins with `import` runs at every start; the others are folders."""
    rows = [row for row in enumerate(data.decode("utf-8", "replace").splitlines(), 1) if row[1].strip()]
    out = [
        ConfigProgram(row, number, language="python") for number, row in rows if row.startswith(("import ", "import\t"))
    ]
    folders = [number for number, row in rows if not row.startswith(("#", "import ", "import\t"))]
    if folders:
        out.append(unread(folders[0], "a .pth file that adds folders to the path of every Python program"))
    return out


_INSTRUCTION = lazy_pattern(r"^\s*(?:ONBUILD\s+)?(RUN|CMD|ENTRYPOINT|HEALTHCHECK)\s+(.*)$", re.IGNORECASE | re.DOTALL)

_HEREDOC = lazy_pattern(r"<<-?\s*[\"']?(\w+)[\"']?")


def dockerfile(data: bytes) -> list[ConfigProgram]:
    """Return the commands of a container build, each a shell program unless it is a JSON list."""
    out: list[ConfigProgram] = []
    rows = data.decode("utf-8-sig", "replace").replace("\r\n", "\n").split("\n")
    index = 0
    while index < len(rows):
        start, line = index, rows[index]
        while line.endswith("\\") and index + 1 < len(rows):
            index += 1
            line += "\n" + ("" if rows[index].lstrip().startswith("#") else rows[index])
            if rows[index].lstrip().startswith("#"):
                line = line.rstrip("\n") + "\n\\" if line.endswith("\n") else line
        found = _INSTRUCTION.match(line)
        if found:
            for heredoc in _HEREDOC.finditer(found[2]):
                while index + 1 < len(rows) and rows[index].strip() != heredoc[1]:
                    index += 1
                    line += "\n" + rows[index]
            found = _INSTRUCTION.match(line)
            assert found
            out.append(_docker_command(found[2], start + 1))
        index += 1
    return out


def _docker_command(text: str, line: int) -> ConfigProgram:
    text = re.sub(r"^(?:--\w+(?:=\S+)?\s+)+", "", text.strip())
    text = re.sub(r"^CMD\s+", "", text)
    if text.startswith("["):
        try:
            return ConfigProgram(argv(loads(text.encode())), line, asked=True)
        except (ValueError, TypeError):
            pass  # docker treats a malformed list as shell text
    heredoc = re.match(r"<<-?\s*[\"']?(\w+)[\"']?\n(.*)", text, re.DOTALL)
    if heredoc:
        body = heredoc[2].rsplit("\n", 1)[0]
        return ConfigProgram(body, line + 1, lines=tuple(range(line + 1, line + 2 + body.count("\n"))), asked=True)
    return ConfigProgram(text, line, lines=tuple(range(line, line + 1 + text.count("\n"))), asked=True)


_BACKENDS = frozenset({
    "setuptools.build_meta", "setuptools.build_meta:__legacy__", "hatchling.build", "flit_core.buildapi", "flit_scm:buildapi", "poetry.core.masonry.api",
    "poetry_dynamic_versioning.backend", "pdm.backend", "pdm.pep517.api", "uv_build", "maturin", "scikit_build_core.build", "mesonpy", "setuptools_scm.build_meta",
})  # fmt: skip


def pyproject(data: bytes) -> list[ConfigProgram]:
    """Return commands of pyproject: the build backend runs at installation, those of task tables on request."""
    text = data.decode("utf-8-sig", "replace")
    value = tomllib.loads(text)
    out: list[ConfigProgram] = []
    build = value.get("build-system", {})
    backend = build.get("build-backend", "setuptools.build_meta")
    if backend not in _BACKENDS or build.get("backend-path"):
        out.append(unread(text_line(text, "build-backend"), f"the folder is built by `{backend}`"))
    tool = value.get("tool", {})
    if "cmdclass" in tool.get("setuptools", {}):
        out.append(unread(text_line(text, "cmdclass"), "build steps are replaced (`cmdclass`)"))
    return out + [
        ConfigProgram(command, text_line(text, command), form="script", asked=True, note=f"the task `{name}`")
        for name, command in _tasks(tool)
    ]


def _tasks(tool: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Return the command lines of the task tables of a pyproject file."""
    tables = [
        tool.get(runner, {}).get(key)
        for runner, key in (("poe", "tasks"), ("pdm", "scripts"), ("taskipy", "tasks"), ("rye", "scripts"))
    ]
    tables += [
        table.get("scripts") for table in tool.get("hatch", {}).get("envs", {}).values() if isinstance(table, dict)
    ]
    for table in tables:
        for name, value in (table or {}).items():
            command = value.get("cmd") or value.get("shell") if isinstance(value, dict) else value
            for line in command if isinstance(command, list) else [command]:
                if isinstance(line, str):
                    yield name, line


def toml_commands(data: bytes) -> list[ConfigProgram]:
    """Return commands of Codex settings (servers, notify) and of Gemini prompts (`!{…}` runs while one is loaded)."""
    text = data.decode("utf-8-sig", "replace")
    value = tomllib.loads(text)
    out = [
        ConfigProgram(
            argv(table["command"], table.get("args")), text_line(text, "command"), note="a server of the agent host"
        )
        for _, table in walk(value)
        if table.get("command")
    ]
    if isinstance(value.get("notify"), list) and value["notify"]:
        out.append(ConfigProgram(argv(value["notify"]), text_line(text, "notify"), note="a notifier of the agent host"))
    for begin, inner in _braced(text):
        command, holes = with_holes(inner, re.compile(r"\{\{\s*args\s*\}\}"))
        out.append(
            ConfigProgram(command, text.count("\n", 0, begin) + 1, holes=holes, note="run while the command is loaded")
        )
    return out


def _braced(text: str) -> Iterator[tuple[int, str]]:
    """Return the contents of `!{...}`, with balanced braces; one that is not closed reaches to the end."""
    for found in re.finditer(r"!\{", text):
        depth, at = 1, found.end()
        while depth and at < len(text):
            depth += (text[at] == "{") - (text[at] == "}")
            at += 1
        yield found.start(), text[found.end() : at - (depth == 0)]


def tox(data: bytes) -> list[ConfigProgram]:
    """Return the commands of the environments of tox."""
    text = data.decode("utf-8-sig", "replace")
    parser = configparser.RawConfigParser(strict=False, allow_no_value=True)
    parser.read_string(text)
    out: list[ConfigProgram] = []
    for section in parser.sections():
        for key in ("commands", "commands_pre", "commands_post"):
            for line in (parser.get(section, key, fallback="") or "").splitlines():
                if line.strip():
                    command, holes = with_holes(line.strip().lstrip("-").strip(), re.compile(r"\{[^{}]*\}"))
                    out.append(ConfigProgram(command, text_line(text, line.strip()), holes=holes, asked=True))
    return out


def _yaml_nodes(node: yaml.Node, budget: list[int]) -> Iterator[tuple[str, yaml.Node, int]]:
    """Return every key with its value and line. Aliases are shared nodes, so the walk counts its steps."""
    budget[0] -= 1
    if budget[0] < 0:
        raise ValueError("too many aliases")
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if isinstance(key, yaml.ScalarNode):
                yield str(key.value), value, key.start_mark.line + 1
            yield from _yaml_nodes(value, budget)
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield from _yaml_nodes(item, budget)


def _compose(data: bytes) -> Iterator[tuple[str, yaml.Node, int]]:
    node = compose(data.decode("utf-8-sig", "replace"))
    return _yaml_nodes(node, [50_000]) if node is not None else iter(())


_RUN_KEYS = frozenset({"run", "init", "before", "command", "script", "prebuild", "onCreateCommand"})


def yaml_run(data: bytes) -> list[ConfigProgram]:
    """Return commands of workflows: `run` and similar keys hold shell text; `uses` names code from elsewhere."""
    out: list[ConfigProgram] = []
    for key, node, line in _compose(data):
        if key in _RUN_KEYS and isinstance(node, yaml.ScalarNode):
            text, holes = with_holes(str(node.value))
            first = line + 1 if node.style in {"|", ">"} else line
            count = text.count("\n") + 1
            lines = tuple(range(first, first + count)) if node.style == "|" else (first,) * count
            out.append(ConfigProgram(text, first, lines=lines, holes=holes, asked=True))
        elif key == "uses" and isinstance(node, yaml.ScalarNode):
            out.append(unread(line, f"the workflow runs code from `{node.value}`", asked=True))
    return out


def precommit(data: bytes) -> list[ConfigProgram]:
    """Return hooks of pre-commit: local entries, and code from elsewhere."""
    out: list[ConfigProgram] = []
    for key, node, line in _compose(data):
        if not isinstance(node, yaml.ScalarNode):
            continue
        if key == "entry":
            out.append(ConfigProgram(str(node.value), line))
        elif key == "repo" and str(node.value) not in {"local", "meta"}:
            out.append(unread(line, f"pre-commit runs code from `{node.value}`"))
    return out


def compose_file(data: bytes) -> list[ConfigProgram]:
    """Return commands of compose files: what is started inside the containers."""
    out: list[ConfigProgram] = []
    for key, node, line in _compose(data):
        if key in {"command", "entrypoint", "test"}:
            if isinstance(node, yaml.ScalarNode) and node.value:
                out.append(ConfigProgram(str(node.value), line, asked=True))
            elif isinstance(node, yaml.SequenceNode):
                words = [str(item.value) for item in node.value if isinstance(item, yaml.ScalarNode)]
                words = words[1:] if words[:1] in (["CMD"], ["CMD-SHELL"]) else words
                out.append(ConfigProgram(words[0] if len(words) == 1 else argv(words), line, asked=True))
    return [held for held in out if held.text]


_MAX_BYTES = 256 * 1024
# By their names in data/autoload.toml.
READERS: dict[str, Callable[[bytes], list[ConfigProgram]]] = {
    "hooks": hooks,
    "package": package,
    "devcontainer": devcontainer,
    "vscode-tasks": vscode_tasks,
    "vscode-launch": vscode_launch,
    "yaml-run": yaml_run,
    "precommit": precommit,
    "compose": compose_file,
    "pyproject": pyproject,
    "toml-commands": toml_commands,
    "tox": tox,
    "pth": pth,
    "dockerfile": dockerfile,
}


def extract(reader: str, data: bytes) -> list[ConfigProgram]:
    """Return the commands of a file. If it cannot be read, one opaque entry with the reason."""
    if len(data) > _MAX_BYTES:
        return [unread(1, "a file that is run by its place and is too large to read")]
    try:
        return READERS[reader](data)
    except (ValueError, YamlError, configparser.Error, RecursionError, TypeError, AttributeError, KeyError) as error:
        return [unread(1, f"a file that is run by its place and cannot be read ({type(error).__name__})")]
