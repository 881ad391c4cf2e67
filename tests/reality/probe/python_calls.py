"""Probes of the summaries of Python libraries: each public function, class and method is called with values of many kinds."""

from __future__ import annotations

import importlib.util
import json
import re
import sys
import sysconfig
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from harness.ambient import is_ambient
from harness.sandbox import run

from probe.batch import AMBIENT, Step, predicted, probe_place, run_steps, touched, uncovered
from probe.known import Found, found_in
from remit.analysis import summaries

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.observe import Event
    from harness.sandbox import Place

    from probe.batch import Result

    Calls = list[tuple[str, Result]]

DATA = Path(summaries.__file__).parent.parent / "data" / "python"
_SECTION = re.compile(r"^\[module ([\w.]+)\]", re.MULTILINE)
FILE, NEW, FOLDER = "'data.txt'", "'probe.new'", "'folder'"
VALUES = (
    FILE, NEW, FOLDER, "'more.txt'", "'table.csv'", "'data.json'", "'image.png'", "'data.zip'", "'data.tar.gz'", "'data.txt.gz'", "'data.db'", "'page.pdf'",
    "'sound.wav'", "'page.html'", "'data.xml'", "'code.py'", "'./run.sh'", "['./run.sh']", "['data.txt', 'more.txt']", "'http://127.0.0.1:9/x'", "b'abc'", "1",
    "{'a': 1}", "(lambda *a, **k: None)", "__import__('pathlib').Path('data.txt')", "open('data.txt')",
)  # fmt: skip
PAIRS = (
    (FILE, NEW), (NEW, FILE), (FILE, "'w'"), (NEW, "'w'"), (FILE, "b'abc'"), (NEW, "b'abc'"), (NEW, "{'a': 1}"), ("{'a': 1}", NEW), (FILE, "1"), ("1", FILE),
    ("'word'", FILE), ("'word'", NEW), (FOLDER, NEW), (FOLDER, "'*'"), ("'*'", FOLDER), ("(lambda *a: None)", "['data.txt']"), ("['data.txt']", NEW),
    (NEW, "'zip'"), ("'./run.sh'", "['./run.sh']"), ("'data.zip'", FOLDER), ("'127.0.0.1'", "9"), ("'GET'", "'http://127.0.0.1:9/x'"), ("[1, 2]", NEW), (NEW, "[1, 2]"),
)  # fmt: skip
GIVEN = (FILE, NEW, "'./run.sh'", FOLDER)  # values of an optional parameter
# They end or signal processes, the driver among them, or never return
LEFT_OUT = {
    "os.kill", "os.killpg", "os.abort", "os._exit", "os.fork", "os.forkpty", "signal.raise_signal", "signal.pidfd_send_signal", "signal.pthread_kill",
    "faulthandler.dump_traceback_later", "os.setsid", "os.closerange", "os.close", "builtins.input", "builtins.breakpoint",
}  # fmt: skip


class Finding(NamedTuple):
    """A call with an effect that the summary does not cover."""

    name: str
    code: str
    events: list[Event]


class Function(NamedTuple):
    """Something to call: its name, how it is called, its parameters, and what has to stand before."""

    name: str
    call: str
    parameters: dict | None
    before: str = ""


class Report(NamedTuple):
    """What the probe of one module showed."""

    module: str
    functions: int
    calls: int
    found: list[Found]
    reason: str = ""  # why it was not probed


def modules() -> dict[str, str]:
    """Every module with a summary, and the file that holds it."""
    found: dict[str, str] = {}
    for file in sorted(DATA.glob("*.sum")):
        for name in _SECTION.findall(file.read_text("utf-8")):
            found.setdefault(name, file.name)
    return found


def site_folders(extra: list[str]) -> list[str]:
    """Where installed packages lie."""
    return [*extra, sysconfig.get_paths()["purelib"], sysconfig.get_paths()["platlib"]]


def installed(module: str, extra: list[str]) -> bool:
    """Whether a module can be imported here."""
    top = module.partition(".")[0]
    if top in sys.stdlib_module_names:
        return True
    sys.path[:0] = extra
    try:
        return importlib.util.find_spec(top) is not None
    except (ImportError, ValueError):
        return False
    finally:
        del sys.path[: len(extra)]


def probe_module(module: str, extra: list[str], *, limit: int | None = None) -> Report:
    """Call what a module offers. `limit` is the number of functions and classes."""
    with probe_place() as place:
        described = _described(place, module, extra)
        if isinstance(described, str):
            return Report(module, 0, 0, [], described)
        names = [name for name in described if f"{module}.{name}" not in LEFT_OUT]
        if limit is not None:
            names = names[:: max(1, len(names) // limit)]
        first = [Function(f"{module}.{name}", f"{module}.{name}", described[name]["call"]) for name in names]
        done = _called(place, module, first, extra)
        methods = [
            Function(f"{one.name}.{method}", f"it.{method}", parameters, f"it = {made}\n")
            for one in first
            if (made := _working(done[one.name]))
            for method, parameters in described[one.name.rpartition(".")[2]].get("methods", {}).items()
        ]
        done |= _called(place, module, methods, extra)
        findings: list[Finding] = []
        for one in (*first, *methods):
            findings += _beyond(_uncovered(place, one.name, done[one.name]), findings, one)
        found = as_found(modules()[module], findings, "main.py", place)
    return Report(module, len(done), sum(map(len, done.values())), found)


def as_found(file: str, findings: list[Finding], name: str, place: Place) -> list[Found]:
    """Findings as data, each effect of a function once."""
    found = [entry for one in findings for entry in found_in(file, one.name, Step(one.code), name, one.events, place)]
    return list({entry.key: entry for entry in reversed(found)}.values())


def _beyond(found: list[Finding], before: list[Finding], one: Function) -> list[Finding]:
    """What a method does besides what making its object does."""
    seen = {
        event[:2]
        for finding in before
        if one.before and finding.name == one.name.rpartition(".")[0]
        for event in finding.events
    }
    return [finding for finding in found if any(event[:2] not in seen for event in finding.events)]


def _described(place: Place, module: str, extra: list[str]) -> dict[str, dict] | str:
    out = place.log / "described.json"
    script = Path(__file__).parent / "describe.py"
    ran = run(place, [sys.executable, "-S", str(script), json.dumps(site_folders(extra)), str(out), module], seconds=60)
    if not out.exists():
        return f"cannot be imported (status {ran.status})"
    found = json.loads(out.read_text())[module]
    out.unlink()
    return found


def _called(place: Place, module: str, functions: list[Function], extra: list[str]) -> dict[str, Calls]:
    """Each call of each function, with what it did: first with required arguments alone, then with the optional ones."""
    done: dict[str, Calls] = {one.name: [] for one in functions}

    def perform(calls: list[tuple[Function, str]]) -> None:
        for at in range(0, len(calls), 400):
            part = [(one, f"import {module}\n{one.before}{call}\n") for one, call in calls[at : at + 400]]
            steps = [Step(code, code=code) for _, code in part]
            results = run_steps(place, steps, imports=[module], path=site_folders(extra), seconds=3.0)
            for (one, code), result in zip(part, results, strict=True):
                done[one.name].append((code, result))

    perform([(one, f"{one.call}({args})") for one in functions for args in _required(one.parameters)])
    perform([(one, call) for one in functions for call in _with_options(one.parameters, _working(done[one.name]))])
    return done


def _with_options(parameters: dict | None, base: str | None) -> Iterator[str]:
    """A call that works, with each optional argument."""
    if parameters and base:
        start = base.removesuffix(")") + ("" if base.endswith("()") else ", ")
        yield from (f"{start}{name}={value})" for name in parameters["optional"][:25] for value in GIVEN)


def _required(parameters: dict | None) -> Iterator[str]:
    """Arguments for the parameters that have no default."""
    count = len(parameters["required"]) if parameters else None
    named = "".join(f", {name}={FILE}" for name in parameters["needed"]) if parameters else ""
    if count in (0, None):
        yield named.removeprefix(", ")
    if count in (0, 1, None):
        optional = not parameters or parameters["optional"] or parameters["rest"]
        yield from (value + named for value in VALUES if count != 0 or optional)
    if count is None or count > 1:
        last = (count or 2) - 2
        yield from (", ".join([one, other, *[other] * last]) + named for one, other in PAIRS)


def _working(done: Calls) -> str | None:
    """The last line of the call that ended well and did most."""
    well = [(touched(result), code) for code, result in done if result.status == 0]
    return max(well, key=lambda item: item[0])[1].rstrip("\n").rpartition("\n")[2] if well else None


def _uncovered(place: Place, name: str, done: Calls) -> list[Finding]:
    found = []
    for code, result in done:
        if all(is_ambient(event, place) or is_ambient(event, place, AMBIENT) for event in result.events):
            continue
        if events := uncovered(place, result, predicted(place, Step(code), "main.py")):
            found.append(Finding(name, code, events))
    return found
