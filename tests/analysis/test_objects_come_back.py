"""Functions of real libraries are given an object; where it comes out again, the summary must not promise plain text or numbers."""

import contextlib
import importlib
import inspect
import io
import itertools
import types
import warnings

import pytest

from remit.analysis.engine.apply import holds_objects
from remit.analysis.summaries.library import Library
from remit.analysis.summaries.model import Entry, Section

MODULES = (
    "asyncio.queues attr bisect builtins cattrs collections concurrent.futures contextlib contextvars copy dataclasses enum functools heapq "
    "itertools json more_itertools numpy operator pandas queue random sortedcontainers statistics string toolz tqdm types typing weakref"
).split()
# These ask, end the program, take over the interpreter, or wait.
LEFT_OUT = {
    "builtins": {"breakpoint", "exit", "quit", "input", "help", "copyright", "credits", "license", "eval", "exec", "compile", "open", "print"},
    "numpy": {"test", "info", "show_config", "show_runtime", "setbufsize", "seterr", "seterrcall", "set_printoptions", "fromfile"},
    "pandas": {"test", "show_versions", "read_clipboard"},
    "functools": {"reduce"},
    "itertools": {"count", "cycle", "repeat"},
    "typing": {"reveal_type"},
    "weakref": {"finalize"},
}  # fmt: skip


class Marker:
    """Something with effects, as far as anybody knows."""

    def __lt__(self, other):
        return id(self) < id(other)

    def __hash__(self):
        return 7

    def __eq__(self, other):
        return self is other


MARKER = Marker()


def arguments():
    """Ways to hand an object to a function: alone, in collections, as a result of a callback."""
    some = [MARKER, Marker()]
    yield from (
        (MARKER,),
        (some,),
        (some, 1),
        (1, some),
        (some, some),
        (MARKER, 1),
        ("k", MARKER),
        (1, MARKER),
        ({"k": MARKER}, "k"),
    )
    yield from (
        (lambda *_: MARKER,),
        (lambda *_: MARKER, [1, 2]),
        ({"k": MARKER},),
        ([[MARKER, 1]],),
        (some, MARKER),
        (some, 0, MARKER),
        (),
    )


def holds(value, depth=0):
    """Whether the object can be reached from a value."""
    if value is MARKER:
        return True
    if depth > 3 or isinstance(value, str | bytes | int | float | type | types.ModuleType | None):
        return False
    with contextlib.suppress(Exception):
        if isinstance(value, dict):
            return any(holds(item, depth + 1) for pair in value.items() for item in pair)
        if any(holds(item, depth + 1) for item in itertools.islice(value, 6)):
            return True
    with contextlib.suppress(Exception):
        return any(holds(item, depth + 1) for item in vars(value).values())
    return False


def attempts(function):
    """Results of calls that the function accepts."""
    for given in arguments():
        with (
            contextlib.suppress(BaseException),
            contextlib.redirect_stdout(io.StringIO()),
            contextlib.redirect_stderr(io.StringIO()),
            warnings.catch_warnings(),
        ):
            warnings.simplefilter("ignore")
            yield function(*given)


def keeps(entry):
    return entry.flag("intrinsic") is not None or entry.result is None or holds_objects(entry.result)


def broken_promises(name):
    module = importlib.import_module(name)
    library = Library("python")
    section = library.section(name)
    for word in [word for word in dir(module) if not word.startswith("_")] if section is not None else ():
        found = library.member(name, word)
        value = getattr(module, word)
        if word in LEFT_OUT.get(name.partition(".")[0], ()) or not callable(value):
            continue
        if (
            isinstance(found, Entry)
            and not any(effect.kind != "calls" for effect in found.effects)
            and not keeps(found)
        ):
            if any(map(holds, attempts(value))):
                yield f"{name}.{word}"
        elif isinstance(found, Section) and found.is_class and inspect.isclass(value):
            yield from broken_methods(library, found, value)


def broken_methods(library, section, cls):
    for word in [word for word in dir(cls) if not word.startswith("_")]:
        found = library.member(section.name, word)
        if not isinstance(found, Entry) or keeps(found) or any(effect.kind != "calls" for effect in found.effects):
            continue
        if word in {"get", "wait", "join", "acquire", "put"}:  # they wait when there is nothing to give
            continue
        for made in attempts(cls):
            member = getattr(made, word, None)
            if holds(member) or (callable(member) and any(map(holds, attempts(member)))):
                yield f"{section.name}.{word}"
                break


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("name", MODULES)
def test_what_comes_out_of_a_library_is_not_promised_to_be_plain(name):
    pytest.importorskip(name.partition(".")[0], reason="this library is not installed here")
    assert list(broken_promises(name)) == []
