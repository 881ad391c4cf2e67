"""What a summary can do besides naming a capability: start commands, run code, read small languages."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from remit.analysis.commands import languages, projects
from remit.analysis.commands.model import Action, Expr, Name
from remit.analysis.commands.outputs import python_output
from remit.analysis.commands.services import run_credential, run_service
from remit.analysis.commands.values import SOME, literal, texts
from remit.analysis.domain import ANY, STDIN_PATHS, Text, Value, lit
from remit.analysis.engine.texts import dirname, join_paths

if TYPE_CHECKING:
    from remit.analysis.commands.evaluate import Call

# Names that stand for a standard stream: reading or writing them is no effect on a file.
STREAMS = frozenset({"-", "/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/tty", ""})
_STREAM_CAPABILITIES = frozenset({"file.read", "file.write"})


def capability(call: Call, action: Action) -> None:
    """Report the capability for every value of its scope."""
    if not action.args:
        call.effect(action.verb, ANY)
        return
    for value in call.values(action.args[0]):
        scope = value
        if action.verb in _STREAM_CAPABILITIES:
            scope = frozenset(item for item in texts(value) if item.literal not in STREAMS)
        if scope:
            call.effect(action.verb, scope)


def _text(call: Call, args: tuple[Expr, ...], index: int = 0) -> str:
    """A constant argument."""
    values = call.values(args[index])
    return literal(values[0]) or "" if values else ""


def _run(call: Call, args: tuple[Expr, ...]) -> None:
    """Start the command that the words name; a second argument is what is added to its words."""
    words, rest = call.words(args[0])
    extra = [value for arg in args[1:] for value in call.values(arg)]
    words = words or ([rest] if rest else [])
    if not words:
        return
    if literal(words[0]) == "-c" and len(words) > 1:  # wrappers that take a text for the shell in this place
        call.effect("shell.execute", lit("sh"))
        outcome = call.world.run_code("shell", words[1], call.site, child=call.child)
        call.printed.append(outcome.stdout)
        return
    call.start(call.inner(words, frozenset().union(rest, *extra)))


def _shell(call: Call, args: tuple[Expr, ...]) -> None:
    """The shell that is called runs a text."""
    call.effect("shell.execute", call.program)
    _code_in(call, "shell", args, named="-c" in call.reading.sure)


def _sh(call: Call, args: tuple[Expr, ...]) -> None:
    """The command starts a shell to run a text."""
    call.effect("shell.execute", lit("sh"))
    _code_in(call, "shell", args)


def _code_in(call: Call, language: str, args: tuple[Expr, ...], *, named: bool = False) -> None:
    """Run texts as code; `named`: the first word after the text is the name of the program, as for `sh -c`."""
    words, rest = call.words(args[1]) if len(args) > 1 else ([], frozenset())
    name = (words[0] if words else rest) if named else frozenset()
    words = words[1:] if named else words
    for code in call.values(args[0]):
        child = call.inner([name or call.program, *words], rest)
        outcome = call.world.run_code(language, code, call.site, args=tuple(words), child=child)
        if language == "shell":
            call.printed.append(outcome.stdout)
        else:
            argv = frozenset().union(rest, *words)
            call.printed.append(python_output(call, code, argv) if language == "python" else SOME)


def _code(call: Call, args: tuple[Expr, ...]) -> None:
    """An interpreter runs a text."""
    language = _text(call, args)
    call.effect("process.create", call.program)
    _code_in(call, language, args[1:])


def _script(call: Call, args: tuple[Expr, ...]) -> None:
    """An interpreter runs a file."""
    language = _text(call, args)
    words, rest = call.words(args[2]) if len(args) > 2 else ([], frozenset())
    for path in call.values(args[1]):
        child = call.inner([path, *words], rest)
        if literal(path) in STDIN_PATHS or literal(path) == "-":
            _code(call, (args[0], Name("STDIN"), *args[2:]))
            continue
        outcome = call.world.run_file(language, path, call.site, args=tuple(words), child=child)
        call.printed.append(outcome.stdout)


def _program(call: Call, args: tuple[Expr, ...]) -> None:
    """The command runs a text in a small language; further arguments are what the program is run on."""
    words = tuple(value for arg in args[2:] for value in call.values(arg))
    for code in call.values(args[1]):
        call.world.run_code(_text(call, args), code, call.site, args=words, child=call.child)


def _module(call: Call, args: tuple[Expr, ...]) -> None:
    """`python -m`: a module of the skill, a summarised tool, or unknown code."""
    words, rest = call.words(args[1])
    for item in call.texts(args[0]):
        _one_module(call, item, words, rest)


def _one_module(call: Call, item: Text, words: list[Value], rest: Value) -> None:
    name = item.literal
    if name is None:
        call.effect("source.execute", frozenset({item}))
        call.opaque("runs a module whose name is not known", "write the name of the module")
        return
    for path in (f"{name.replace('.', '/')}.py", f"{name.replace('.', '/')}/__main__.py"):
        if call.world.skill_files(lit(path), call.child.cwd):
            child = call.inner([lit(path), *words], rest)
            outcome = call.world.run_file("python", lit(path), call.site, args=tuple(words), child=child)
            call.printed.append(outcome.stdout)
            return
    call.effect("process.create", call.program)
    if not call.block(f"python-m/{name}", words, rest):
        call.effect("source.execute", lit(name))
        call.opaque(f"module `{name}` has no summary as a program", "add a summary file with a block for it")


def _opaque(call: Call, args: tuple[Expr, ...]) -> None:
    call.opaque(_text(call, args) or "this command is not understood")


def _assume(call: Call, args: tuple[Expr, ...]) -> None:
    call.world.assume(_text(call, args), call.site)


def _link(call: Call, args: tuple[Expr, ...]) -> None:
    """A path leads to a target from now on; the target of a symbolic link is seen from the link's own folder."""
    for item in call.texts(args[0]):
        one = frozenset({item})
        for target in call.values(args[1]):
            found = target | join_paths(dirname(one, empty="."), target)
            call.world.link(one, found, call.site, cwd=call.child.cwd)


class Verb(NamedTuple):
    """What a verb does, and what it amounts to if its words can be anything: a capability (empty: it stays what it is)."""

    perform: Callable[[Call, tuple[Expr, ...]], None]
    wide: str = "shell.execute"


VERBS = {
    "run": Verb(_run, "process.create"),
    "shell": Verb(_shell),
    "sh": Verb(_sh),
    "code": Verb(_code, "source.execute"),
    "script": Verb(_script, "source.execute"),
    "module": Verb(_module, "source.execute"),
    "program": Verb(_program),
    "opaque": Verb(_opaque, "source.execute"),
    "assume": Verb(_assume, ""),
    "link": Verb(_link, ""),
    "chdir": Verb(languages.run_chdir, ""),
    "forget": Verb(languages.run_forget),
    "setting": Verb(languages.run_setting),
    "settings": Verb(languages.run_settings),
    "steered": Verb(languages.run_steered),
    "variable": Verb(languages.run_variable, "process.create"),
    "nested": Verb(languages.run_nested, "process.create"),
    "filter": Verb(languages.run_filter, "process.create"),
    "findrun": Verb(languages.run_findrun, "process.create"),
    "url": Verb(languages.run_url, "web.fetch"),
    "post": Verb(languages.run_post, "web.post"),
    "upload": Verb(languages.run_upload, "file.write"),
    "argfile": Verb(languages.run_argfile, "file.read"),
    "curlconfig": Verb(languages.run_curlconfig, "web.post"),
    "remote": Verb(languages.run_remote, "web.fetch"),
    "service": Verb(run_service, ""),
    "credential": Verb(run_credential, ""),
    "runpackage": Verb(projects.run_package, "package.install"),
    "uvrun": Verb(projects.run_uv, "process.create"),
    "bunrun": Verb(projects.run_bun),
    "localpackage": Verb(projects.run_local_package, "package.install"),
    "projectscript": Verb(projects.run_project_script, "source.execute"),
    "lifecycle": Verb(projects.run_lifecycle, "source.execute"),
    "makefile": Verb(languages.run_makefile, "source.execute"),
    "tests": Verb(languages.run_tests, "source.execute"),
    "ffinput": Verb(languages.run_ffinput, "file.read"),
    "ffoutput": Verb(languages.run_ffoutput, "file.write"),
    "opentarget": Verb(languages.run_opentarget, "web.interact"),
    "argurl": Verb(languages.run_argurl, "file.read"),
    "field": Verb(languages.run_field, "file.write"),
    "maybefile": Verb(languages.run_maybefile, "file.write"),
    "workfiles": Verb(languages.run_workfiles, "file.write"),
    "metadata": Verb(languages.run_metadata, "commit.read"),
    "keys": Verb(languages.run_keys),
}
