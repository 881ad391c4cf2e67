"""Runs many generated programs in one sandbox, and says for each whether its mark arrived and whether that was reported."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from harness.check import a_place
from harness.flow_match import analysed, is_reported
from harness.flow_run import sources
from harness.marks import Haystack
from harness.sandbox import confined, has_bubblewrap

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from harness.flow_cases import FlowCase
    from harness.generate_flows import Moved
    from harness.sandbox import Place

SECONDS = 20  # for one program
LAUNCHER = r"""
import base64, json, os, re, socket, subprocess, sys, threading

listening, arrived, serving = socket.create_server(("127.0.0.1", 8080)), [], []

def is_whole(data):
    head, end, body = data.partition(b"\r\n\r\n")
    size = re.search(rb"(?i)content-length: *(\d+)", head)
    chunked = re.search(rb"(?i)transfer-encoding: *chunked", head)
    if not end or b" HTTP/1." not in head:
        return False
    return body.endswith(b"0\r\n\r\n") if chunked else len(body) >= int(size[1] if size else 0)

def serve(link):
    data = b""
    link.settimeout(3)
    try:
        while not is_whole(data) and (piece := link.recv(65536)):
            data += piece
        link.sendall(b"HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n")
    except OSError:
        pass
    arrived.append(data)
    link.close()

def accept():
    while True:
        link, _ = listening.accept()
        serving.append(threading.Thread(target=serve, args=(link,)))
        serving[-1].start()

threading.Thread(target=accept, daemon=True).start()
for folder, entry, env, seconds in json.load(sys.stdin):
    arrived.clear()
    serving.clear()
    try:
        ran = subprocess.run(entry, cwd=folder + "/skill", env={**os.environ, **env}, stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=seconds)
        status, output = ran.returncode, ran.stdout
    except subprocess.TimeoutExpired as late:
        status, output = 124, late.stdout or b""
    last = socket.create_connection(("127.0.0.1", 8080))  # whoever came before is accepted when this is answered
    last.sendall(b"GET / HTTP/1.0\r\n\r\n")
    last.recv(100)
    for thread in serving:
        thread.join()
    shown = output.decode("utf-8", "replace")[-2000:]
    print(json.dumps({"status": status, "output": shown, "sent": base64.b64encode(b"".join(arrived)).decode()}), flush=True)
"""


class Outcome(NamedTuple):
    """What became of one program."""

    program: Moved
    arrived: bool
    reported: bool
    opaque: tuple[str, ...]
    output: str

    @property
    def is_missed(self) -> bool:
        """Whether data arrived, nothing is opaque, and no flow was reported."""
        return self.arrived and not self.reported and not self.opaque


def outcomes(programs: Sequence[Moved]) -> list[Outcome]:
    """Analyse and run programs."""
    assert has_bubblewrap()
    cases = [program.case() for program in programs]
    with a_place() as place:
        arrived = _run(place, cases)
    found = []
    for program, case, (there, output) in zip(programs, cases, arrived, strict=True):
        with tempfile.TemporaryDirectory(prefix="flows-") as folder:
            effects = analysed(case, Path(folder))
        reported = all(is_reported(flow, effects.flows, case) for flow in case.flows)
        found.append(Outcome(program, there, reported, tuple(item.reason for item in effects.opaque), output))
    return found


def is_moved(program: Moved) -> bool:
    """Whether the flow of a program is reported, or the analysis says that a part of it is opaque. Nothing is run."""
    case = program.case()
    with tempfile.TemporaryDirectory(prefix="flows-") as folder:
        effects = analysed(case, Path(folder))
    return bool(effects.opaque) or all(is_reported(flow, effects.flows, case) for flow in case.flows)


def _run(place: Place, cases: Iterable[FlowCase]) -> list[tuple[bool, str]]:
    """Whether the mark of each case arrived at its sink, and what was printed."""
    told = []
    for number, case in enumerate(cases):
        folder = place.work / str(number)
        for name in ("home", "tmp"):
            (folder / name).mkdir(parents=True)
        case.write(folder / "skill")
        for name, text in case.setup.files.items():
            path = folder / (f"home/{name[2:]}" if name.startswith("~/") else f"skill/{name}")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        env = {"HOME": str(folder / "home"), "TMPDIR": str(folder / "tmp"), **case.setup.env}
        told.append((str(folder), case.entry, env, SECONDS))
    env = {"PATH": f"{place.bin}:/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"}
    command = [*confined(place), sys.executable, "-I", "-c", LAUNCHER]
    done = subprocess.run(command, input=json.dumps(told), env=env, capture_output=True, text=True, check=True)
    found = []
    for case, (folder, *_), line in zip(cases, told, done.stdout.splitlines(), strict=True):
        result, hay = json.loads(line), Haystack()
        (flow,) = case.flows
        file = Path(folder, "skill", flow.sink.name)
        hay.add(
            base64.b64decode(result["sent"]) if flow.sink.kind == "net" else file.read_bytes() if file.exists() else b""
        )
        there = hay.holds(sources(case)[flow.source._replace(kind=flow.source.kind.replace("secret", "file"))])
        found.append((there, f"status {result['status']}\n{result['output']}"))
    return found


def shrink(program: Moved) -> Moved:
    """Fewer steps whose data still arrives without a report."""
    while True:
        smaller = next((one.program for one in outcomes(program.shorter()) if one.is_missed), None)
        if smaller is None:
            return program
        program = smaller
