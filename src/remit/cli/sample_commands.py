"""Sample runs of a skill's scripts: commands with input files, the likeliest first.

A document that shows how a script is called is the best source. Else the options that a Python script declares are
used, and else the file name endings in its text.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from remit.capsule.cases import Case
from remit.capsule.samples import kind_of, sample
from remit.core.effect import Effect, Origin
from remit.core.patterns import lazy_pattern
from remit.core.scope import WORKSPACE, PathScope
from remit.core.scope.component import literal
from remit.policy.words import plain_words
from remit.skill.model import Skill, SkillFile, Stance

if TYPE_CHECKING:
    from remit.skill.program import SourceProgram

_RUNNERS = {"python": "python3", "shell": "bash", "js": "node"}
# how to call one function of a file: followed by the path, its name and its arguments
_CALLS = {
    "python3": ("python3", "-c", "import runpy, sys; runpy.run_path(sys.argv[1])[sys.argv[2]](*sys.argv[3:])"),
    "node": ("node", "--input-type=module", "-e",
             "const [path, name, ...given] = process.argv.slice(1); await (await import(path))[name](...given)"),
}  # fmt: skip
_EXPORTED = lazy_pattern(r"^export\s+(?:async\s+)?function\s+(\w+)\s*\(([^)]*)\)", re.MULTILINE)
_MOST = 6  # ways to try one script
_ENDINGS = lazy_pattern(r"[\"'*]\.([A-Za-z0-9]{2,8})\b")
_OPERATORS = lazy_pattern(r"\|\||&&|[|;>&]")
_TAKES = lazy_pattern(rb"sys\.argv|argparse|process\.argv|\$\{?[1@*]|\bclick\b|\btyper\b")
_FOLDERS = lazy_pattern(r"dir(?:ectory)?\b|folder|\bpath$|root", re.IGNORECASE)
_NUMBERS = lazy_pattern(r"^(?:n|num|count|limit|max|min|size|port|width|height|top|days|page|timeout)\b", re.IGNORECASE)
_GLOB = lazy_pattern(r"[\"']([\w.-]*\*[\w.*-]*)[\"']")
_SEVERAL = 13  # scripts that clean up keep some
_SAMPLES = "samples"


class Sampled(NamedTuple):
    """A script, and the ways to run it."""

    file: str
    cases: tuple[Case, ...]


def sample_commands(skill: Skill, programs: Sequence[SourceProgram], effects: Iterable[Effect]) -> tuple[Sampled, ...]:
    """Return every script of the skill that can be run here, with commands for it."""
    scripts = [file for file in skill.files if _is_script(file)]
    fixed = _fixed_inputs(skill, effects)
    lines = list(_lines(programs))
    return tuple(Sampled(file.path, _cases(skill, file, lines, fixed)) for file in scripts)


def _is_script(file: SkillFile) -> bool:
    parts = file.path.split("/")
    helps = parts[-1].startswith(("test_", "__init__", "conftest")) or {"tests", "test"} & set(parts[:-1])
    return bool(set(file.languages) & set(_RUNNERS) and file.stance is Stance.ANALYSED and not file.link and not helps)


def _fixed_inputs(skill: Skill, effects: Iterable[Effect]) -> tuple[str, ...]:
    """Return files of the workspace that scripts read or remove by one name, and several for each pattern by which they
    remove some.
    """
    found: dict[str, None] = {}
    for effect in effects:
        scope = effect.scope
        removed = effect.capability == "file.delete"
        used = removed or effect.capability == "file.read"
        if not used or effect.origin is not Origin.SCRIPT or not isinstance(scope, PathScope):
            continue
        words = [literal(part) for part in scope.parts]
        if removed and scope.anchor == WORKSPACE and words and all(words[:-1]) and not words[-1] and ".." not in words:
            folder = "/".join([word for word in words if word])
            patterns = _GLOB.findall((skill.read(effect.where.file) or b"").decode("utf-8", "replace"))
            names = [pattern.replace("*", str(number)) for pattern in patterns[:3] for number in range(1, _SEVERAL)]
            found |= dict.fromkeys(f"{folder}/{name}".lstrip("/") for name in names)
        if scope.anchor == WORKSPACE and words and all(words) and (removed or kind_of(words[-1] or "")):
            path = "/".join(word for word in words if word)
            if ".." not in words and skill.file(path) is None:
                found.setdefault(path)
    return tuple(found)


def _cases(skill: Skill, file: SkillFile, lines: Sequence[str], fixed: Iterable[str]) -> tuple[Case, ...]:
    runner = next(_RUNNERS[language] for language in file.languages if language in _RUNNERS)
    source = skill.read(file.path) or b""
    tails = [*_documented(lines, file.path), *_declared(source, file), *_guessed(source)]
    found: dict[Case, None] = {}
    keys = _keys(source) if "python" in file.languages else ()
    for tail in list(dict.fromkeys(tails))[:_MOST]:
        made = _inputs(skill, tail, keys)
        for given in (made, {**{path: sample(path, keys) for path in fixed}, **made}):
            found.setdefault(Case((runner, file.path, *tail), files=tuple(sorted(given.items()))))
    for name, values in list(_functions(source, runner))[:_MOST]:
        made = _inputs(skill, values, keys)
        found.setdefault(Case((*_CALLS[runner], f"./{file.path}", name, *values), files=tuple(sorted(made.items()))))
    return tuple(found)


def _functions(source: bytes, runner: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Return the public functions of a file, and a sample for each argument that they need."""
    if runner == "node":
        for name, parameters in _EXPORTED.findall(source.decode("utf-8", "replace")):
            words = [part.strip() for part in parameters.split(",")]
            yield name, tuple(value_for(word) for word in words if word.isidentifier())
    elif runner == "python3":
        try:
            body = ast.parse(source).body
        except (SyntaxError, ValueError, RecursionError):
            return
        for node in body:
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_") and node.name != "main":
                needed = node.args.args[: len(node.args.args) - len(node.args.defaults)]
                yield node.name, tuple(value_for(one.arg) for one in needed)


def _keys(source: bytes) -> tuple[str, ...]:
    """Return names by which a Python script accesses its input: `row["amount"]`, `row.get("amount")`."""
    try:
        nodes = list(ast.walk(ast.parse(source)))
    except (SyntaxError, ValueError, RecursionError):
        return ()
    words = [_constant(node.slice) for node in nodes if isinstance(node, ast.Subscript)]
    words += [_constant(call.args[0]) for node in nodes if (call := _call(node, "get")) and call.args]
    return tuple(dict.fromkeys(word for word in words if isinstance(word, str) and word.isidentifier()))[:40]


def _inputs(skill: Skill, words: Iterable[str], keys: tuple[str, ...]) -> dict[str, bytes]:
    """Return samples for the words that name files which the skill does not include."""
    found: dict[str, bytes] = {}
    for word in words:
        path = word.partition("=")[2] if word.startswith("--") and "=" in word else word
        path = path.removeprefix("./")
        if path == _SAMPLES:
            found |= {f"{path}/sample.{kind}": sample(f"sample.{kind}", keys) for kind in ("md", "json", "csv", "py")}
        elif kind_of(path) and _is_inside(path) and skill.file(path) is None:
            found[path] = sample(path, keys)
    return found


def _is_inside(path: str) -> bool:
    """Whether a word can be the path of a file in the folder of the skill."""
    plain = not path.startswith(("/", "~", "-")) and "://" not in path
    return plain and ".." not in path.split("/") and "//" not in path and not path.endswith("/")


# ── what documents show ──


def _lines(programs: Iterable[SourceProgram]) -> Iterator[str]:
    """Return the command lines of documents, with a sample for each placeholder."""
    for program in programs:
        if program.language != "shell" or program.origin is not Origin.INSTRUCTED:
            continue
        text = program.source.decode("utf-8", "replace").replace("\\\n", " ")
        for character in program.anchors:
            text = text.replace(character, ".")
        for character, words in program.holes.items():
            text = text.replace(character, _filled(words))
        yield from text.splitlines()


def _filled(placeholder: str) -> str:
    words = placeholder.strip("<>{}[]").strip()
    name = re.sub(r"[^\w./-]+", "-", words.rpartition("/")[2]) or "sample"
    return name if kind_of(name) else value_for(name)


def _documented(lines: Iterable[str], path: str) -> Iterator[tuple[str, ...]]:
    name = path.rpartition("/")[2]
    for line in lines:
        if name not in line:
            continue
        for part in _OPERATORS.split(line):
            words = plain_words(part.strip()) or ()
            place = next((at for at, word in enumerate(words) if _names(word, path)), None)
            if place is not None and place < 3:
                yield words[place + 1 :]


def _names(word: str, path: str) -> bool:
    word = word.removeprefix("./")
    return word == path or path.endswith(f"/{word}") or word.endswith(f"/{path}")


# ── what a script declares ──


class _Option(NamedTuple):
    flags: tuple[str, ...]
    value: str | None  # None: it takes none
    needed: bool


def _declared(source: bytes, file: SkillFile) -> Iterator[tuple[str, ...]]:
    """Return calls with what a Python script needs, and with everything that it takes."""
    if "python" not in file.languages:
        return
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return
    ending = next(iter(_endings(source)), "")
    own: list[_Option] = []
    commands: dict[str, tuple[str, list[_Option]]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and (call := _call(node.value, "add_parser")) and call.args:
            word = _constant(call.args[0])
            if isinstance(word, str) and isinstance(node.targets[0], ast.Name):
                commands[node.targets[0].id] = (word, [])
    for node in ast.walk(tree):
        if (call := _call(node, "add_argument")) and (option := _option(call, ending)):
            name = _owner(call)
            (commands[name][1] if name in commands else own).append(option)
    if not own and not commands:
        return
    groups = list(commands.values()) or [("", [])]
    for word, options in groups:
        for full in (False, True):
            yield (*_words(own, full=full), *([word] if word else []), *_words(options, full=full))


def _call(node: ast.AST, method: str) -> ast.Call | None:
    """Return the node as a method call; None if it is none."""
    called = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == method
    return node if called and isinstance(node, ast.Call) else None


def _owner(call: ast.Call) -> str:
    """Return the name of the object whose method is called; empty if it has none."""
    value = call.func.value if isinstance(call.func, ast.Attribute) else None
    return value.id if isinstance(value, ast.Name) else ""


def _option(node: ast.Call, ending: str) -> _Option | None:
    flags = tuple(flag for flag in map(_constant, node.args) if isinstance(flag, str))
    if not flags:
        return None
    given = {word.arg: word.value for word in node.keywords if word.arg}
    action = _constant(given["action"]) if "action" in given else ""
    if action in {"version", "help"}:
        return None
    positional = not flags[0].startswith("-")
    several = _constant(given["nargs"]) if "nargs" in given else None
    needed = (positional and several not in {"?", "*"}) or (
        "required" in given and _constant(given["required"]) is True
    )
    if isinstance(action, str) and action.startswith(("store_", "count")):
        return _Option(flags, None, needed=False)
    return _Option(() if positional else flags, _value(flags[-1], given, ending), needed)


def _value(name: str, given: Mapping[str, ast.expr], ending: str) -> str:
    choices = given.get("choices")
    if isinstance(choices, ast.List | ast.Tuple) and choices.elts:
        return str(_constant(choices.elts[0]))
    kind = given["type"].id if "type" in given and isinstance(given["type"], ast.Name) else ""
    default = _constant(given["default"]) if "default" in given else None
    if kind in {"int", "float"} or isinstance(default, int | float):
        return str(default) if isinstance(default, int | float) else "1"
    if isinstance(default, str) and default:
        return default
    help_text = _constant(given["help"]) if "help" in given else ""
    told = re.search(r"\.([a-z0-9]{2,5})\b", help_text) if isinstance(help_text, str) else None
    return value_for(name.strip("-"), told[1] if told and kind_of(f"x.{told[1]}") else ending, str(help_text))


def value_for(name: str, ending: str = "", about: str = "") -> str:
    """Return a sample value for something with this name."""
    plain = name.lower().replace("_", "-")
    if "url" in plain or "link" in plain:
        return "https://example.com/"
    if _NUMBERS.search(plain.replace("-", " ")):
        return "1"
    if "date" in plain:
        return "2026-01-15"
    for kind in ("json", "csv", "pdf", "docx", "xlsx", "pptx", "html", "xml", "yaml", "png", "svg"):
        if kind in plain:
            return f"sample.{kind}"
    if _FOLDERS.search(plain) or "directory" in about.lower():
        return _SAMPLES
    if re.search(r"out", plain):
        return f"out.{ending or 'txt'}"
    if re.search(r"file|input|source|document|doc\b|in\b|config|data|log", plain) or "file" in about.lower():
        return f"sample.{ending or 'txt'}"
    return "sample"


def _words(options: Iterable[_Option], *, full: bool) -> Iterator[str]:
    for option in options:
        if option.needed or full:
            yield from option.flags[-1:]
            if option.value is not None:
                yield option.value


def _constant(node: ast.expr) -> object:
    return node.value if isinstance(node, ast.Constant) else None


# ── what its text lets one guess ──


def _endings(source: bytes) -> list[str]:
    """Return the kinds of files that a text mentions, the most frequent first."""
    found = [word.lower() for word in _ENDINGS.findall(source.decode("utf-8", "replace")) if kind_of(f"x.{word}")]
    return sorted(dict.fromkeys(found), key=lambda word: (-found.count(word), found.index(word)))


def _guessed(source: bytes) -> Iterator[tuple[str, ...]]:
    yield ()
    if not _TAKES.search(source):
        return
    for ending in _endings(source)[:2] or ["txt"]:
        yield (f"sample.{ending}",)
        yield (f"sample.{ending}", f"out.{ending}")
    yield (_SAMPLES,)
