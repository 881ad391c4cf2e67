"""Actions on packages and projects: what a package runner, a package script or an installation runs."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Sequence
from typing import TYPE_CHECKING

from remit.analysis.commands.languages import seen_from
from remit.analysis.commands.values import head, literal, tail, texts
from remit.analysis.domain import Text, Value, concat, lit, text
from remit.analysis.each import each
from remit.core.patterns import lazy_pattern
from remit.core.via import Cause, Via

if TYPE_CHECKING:
    from remit.analysis.commands.evaluate import Call
    from remit.analysis.commands.model import Expr

_VERSION = lazy_pattern(r"(?<=.)(?:@[^/:]*|\[[^\]]*\]|[=<>~!]=.*)$")
_INLINE = lazy_pattern(r"(?m)^# /// script$\s((?:^#(?:| .*)$\s)+)^# ///$")
_MODULES = (".js", ".ts", ".mjs", ".cjs", ".mts", ".cts", ".jsx", ".tsx")
_LIFECYCLE = {
    "install": ("preinstall", "install", "postinstall", "prepublish", "preprepare", "prepare", "postprepare"),
    "version": ("preversion", "version", "postversion"),
    "publish": ("prepublishOnly", "prepack", "prepare", "postpack", "publish", "postpublish"),
}


def run_package(call: Call, args: tuple[Expr, ...]) -> None:
    """`npx package words`: the package is installed, and what it brings is run."""
    words, rest = call.words(args[0])
    if not words:
        return
    for item in each(texts(words[0])):
        whole = item.literal
        if whole is None:
            call.effect("package.install", frozenset({item}))
            call.effect("process.create", frozenset({item}))
            call.opaque("the package that is run is not known", "name the package literally")
            continue
        name = _VERSION.sub("", whole)
        sources = _sources(call)
        if not sources:
            call.effect("package.install", lit(whole))
        call.effect("process.create", lit(name))
        if sources and not any(_brings(call, source, name) for source in sources):
            call.opaque(f"`{name}` is a program of another package", "run the package that has the name of its program")
        if call.block(f"npx/{name}", words[1:], rest) or call.block(name, words[1:], rest):
            continue
        call.world.run_own_program(name, call.inner(words, rest), call.site)
        call.opaque(f"package `{name}` has no summary", "add a summary file with a block for it")


def _sources(call: Call) -> list[Text]:
    """The packages that options name as those that bring the program (`npx -p`, `uvx --from`)."""
    return [
        item
        for action, local, _ in call.reading.actions
        if action.verb == "package.install"
        for name in ("PACKAGE", "SOURCE")
        for value in local.get(name, ())
        for item in texts(value)
    ]


def _brings(call: Call, source: Text, name: str) -> bool:
    """Whether a package is known to bring the program of this name."""
    package = _VERSION.sub("", source.literal or "")
    same = call.catalog.get(f"npx/{package}")
    return package == name or (same is not None and same is call.catalog.get(name))


def run_uv(call: Call, args: tuple[Expr, ...]) -> None:
    """`uv run`: a Python file, or any command in the project's environment."""
    words, rest = call.words(args[0])
    if not words:
        return
    first = words[0]
    child = call.inner(words, rest)
    if all(tail(item).endswith((".py", ".pyw")) for item in texts(first)) or "-s" in call.reading.sure:
        _inline_packages(call, first)
        call.printed.append(call.world.run_file("python", first, call.site, args=child.words[1:], child=child).stdout)
    else:
        call.start(child)


def _inline_packages(call: Call, script: Value) -> None:
    """The packages that a script declares in itself (PEP 723) are installed before it is run."""
    for file in call.world.skill_files(script, call.child.cwd) or ():
        block = _INLINE.search(literal(call.world.file_text(file)) or "")
        if block is None:
            continue
        lines = (line[1:].removeprefix(" ") for line in block[1].splitlines())
        try:
            declared = tomllib.loads("\n".join(lines)).get("dependencies", [])
        except tomllib.TOMLDecodeError:
            call.opaque("the packages that the script declares cannot be read", "repair its `# /// script` block")
            continue
        for package in declared if isinstance(declared, list) else ():
            via = Via(Cause.CODE, call.label, words="{} installs what the script declares")
            call.world.effect("package.install", lit(str(package)), call.site, via, cwd=call.child.cwd)


def run_local_package(call: Call, args: tuple[Expr, ...]) -> None:
    """A folder that is installed as a package runs its `setup.py` and what its settings name."""
    for item in call.texts(args[0]):
        start = head(item)
        if item.literal == "." or start.startswith(("./", "../", "/")) or (item.parts and not start):
            call.load_settings(seen_from(call.child.cwd, frozenset({item})))
            path: Value = frozenset({concat(item, text("/setup.py"))})
            if call.world.skill_files(path, call.child.cwd):
                call.world.run_file("python", path, call.site, child=call.child)


def _scripts(call: Call) -> dict[str, str] | None:
    """The scripts of the package.json of the folder, if that is a file of the skill."""
    files = call.world.skill_files(lit("package.json"), call.child.cwd)
    if not files:
        return None
    known = literal(call.world.file_text(files[0]))
    try:
        data = json.loads(known) if known is not None else None
    except ValueError:
        data = None
    scripts = data.get("scripts", {}) if isinstance(data, dict) else {}
    if not isinstance(scripts, dict):
        return {}
    return {str(name): str(body) for name, body in scripts.items()}


def run_project_script(call: Call, args: tuple[Expr, ...]) -> None:
    """`npm run name`: the script of the skill's package.json, or of a project that is not known."""
    names = [item.literal for item in call.texts(args[0])] or [call.label.rpartition(" ")[2]]
    scripts = _scripts(call)
    if scripts is None:
        call.effect("source.execute", lit("package.json"))
        call.opaque("a script of a package.json outside the skill is run", "run the command of the script itself")
        return
    if None in names:
        names = list(scripts)
    words, rest = call.words(args[1]) if len(args) > 1 else ([], frozenset())
    for name in names:
        for full in (f"pre{name}", f"post{name}"):
            _shell(call, scripts.get(full))
        if name in scripts:
            _shell(call, f'{scripts[name]} "$@"' if words or rest else scripts[name], words, rest)
        elif not call.label.startswith("npm") and name is not None:  # the others look for a program of this name
            call.start(call.inner([lit(name), *words], rest))
        elif name == "start" and call.world.skill_files(lit("server.js"), call.child.cwd):
            call.world.run_file("js", lit("server.js"), call.site, args=tuple(words), child=call.child)


def run_bun(call: Call, args: tuple[Expr, ...]) -> None:
    """`bun name`: a file is run, any other name is a script of the package."""
    words, rest = call.words(args[1])
    for value in call.values(args[0]):
        if all(tail(item).endswith(_MODULES) or "/" in tail(item) for item in texts(value)):
            child = call.inner([value, *words], rest)
            call.printed.append(call.world.run_file("ts", value, call.site, args=tuple(words), child=child).stdout)
        else:
            run_project_script(call, args)


def run_lifecycle(call: Call, args: tuple[Expr, ...]) -> None:
    """Scripts of the skill's package.json that an installation or publication runs by itself."""
    stage = literal(call.values(args[0])[0]) or ""
    scripts = _scripts(call) or {}
    for name in _LIFECYCLE[stage]:
        _shell(call, scripts.get(name))


def _shell(call: Call, body: str | None, words: Sequence[Value] = (), rest: Value = frozenset()) -> None:
    if body is not None:
        call.effect("shell.execute", lit("sh"))
        site = call.site._replace(hosted=False)  # the package manager starts its programs
        child = call.child._replace(words=(lit("sh"), *words), rest=rest)
        call.world.run_code("shell", lit(body), site, args=tuple(words), child=child)
