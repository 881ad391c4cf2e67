"""Probes of the summaries of Node's built-in modules: each function is called with values of many kinds."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from harness.ambient import is_ambient

from probe.batch import AMBIENT, Step, predicted, probe_place, run_steps, uncovered
from probe.python_calls import Finding, Report, as_found

if TYPE_CHECKING:
    from collections.abc import Iterator

DRIVER = Path(__file__).parent / "driver.js"
MODULES = (
    "fs", "fs/promises", "child_process", "http", "https", "http2", "net", "tls", "dgram", "dns", "dns/promises", "zlib", "path", "os", "util", "url",
    "querystring", "crypto", "stream", "stream/promises", "readline", "vm", "v8", "module", "events", "buffer", "string_decoder", "perf_hooks", "assert",
    "async_hooks", "inspector", "tty", "punycode", "diagnostics_channel", "worker_threads", "timers",
)  # fmt: skip
VALUES = (
    "'data.txt'", "'probe.new'", "'folder'", "'./run.sh'", "'http://127.0.0.1:9/x'", "9", "Buffer.from('abc')", "() => {}", "{}", "['data.txt']",
    "{ path: 'data.txt', host: '127.0.0.1', port: 9 }", "{ filename: 'probe.new', file: 'probe.new' }",
)  # fmt: skip
PAIRS = (
    ("'data.txt'", "'probe.new'"), ("'probe.new'", "'data.txt'"), ("'data.txt'", "'w'"), ("'probe.new'", "'abc'"), ("'data.txt'", "() => {}"),
    ("'folder'", "() => {}"), ("'./run.sh'", "['data.txt']"), ("'folder'", "{ recursive: true }"), ("'data.txt'", "3"), ("9", "'127.0.0.1'"),
    ("'touch probe.new'", "() => {}"), ("'probe.new'", "{ flags: 'w', cwd: 'folder' }"), ("Buffer.from('abc')", "{}"), ("'data.txt'", "0o600"),
)  # fmt: skip
LEFT_OUT = {
    "inspector.waitForDebugger",
    "vm.Script",
    "tty.ReadStream",
    "module.runMain",
    "v8.setHeapSnapshotNearHeapLimit",
}


def described() -> dict[str, dict[str, dict] | str]:
    """The functions of the modules."""
    done = subprocess.run(["node", DRIVER, "--describe", *MODULES], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def probe_node(module: str, functions: dict[str, dict], *, limit: int | None = None) -> Report:
    """Call what a module offers. `limit` is the number of functions."""
    names = [name for name in functions if f"{module}.{name}" not in LEFT_OUT and name.isidentifier()]
    if limit is not None:
        names = names[:: max(1, len(names) // limit)]
    steps = [
        (f"node:{module}.{name}", f"{'new ' if functions[name]['made'] else ''}(require('{module}').{name})({args});\n")
        for name in names
        for args in _arguments()
    ]
    findings: list[Finding] = []
    with probe_place() as place:
        for at in range(0, len(steps), 150):
            part = steps[at : at + 150]
            results = run_steps(
                place, [Step(code, code=code) for _, code in part], driver=("node", str(DRIVER)), seconds=0.3
            )
            for (name, code), result in zip(part, results, strict=True):
                if all(is_ambient(event, place) or is_ambient(event, place, AMBIENT) for event in result.events):
                    continue
                if events := uncovered(place, result, predicted(place, Step(code), "main.js")):
                    findings.append(Finding(name, code, events))
        found = as_found(f"node-{module.partition('/')[0]}.sum", findings, "main.js", place)
    return Report(module, len(names), len(steps), found)


def _arguments() -> Iterator[str]:
    yield ""
    yield from VALUES
    yield from (", ".join(pair) for pair in PAIRS)
    yield from (", ".join((*pair, "() => {}")) for pair in PAIRS[:5])
