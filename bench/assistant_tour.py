"""A new user's way to an assistant, timed: from `remit gateway init` to an answer of the real Claude Code in the web chat, and on to a command on a device.

What the model says is scripted; everything else is real. Needs Node (Claude Code is installed from npm once) and Chromium.

    .venv/bin/python bench/assistant_tour.py     prints a line for each step, with the seconds since the first began
"""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests/hosts")]

from host_packages import CLAUDE_CODE, installed  # noqa: E402
from scripted_model import Turn, call, say, scripted  # noqa: E402

from chromium_browser import started  # noqa: E402  shared with the tests

ANSWER, RAN = "Roses and tulips.", "it ran here"
_SECONDS = 300


def _on_the_device(body: dict[str, Any]) -> Turn:
    device = re.search(r"[0-9a-f]{32}", str(body["messages"][-1]))
    assert device is not None, body["messages"][-1]
    return call("mcp__remit__node_run", device=device[0], command="system.run", arguments=f"echo {RAN}")


def _told(body: dict[str, Any]) -> Turn:
    return say("The device says: " + (RAN if RAN in str(body["messages"][-1]) else str(body["messages"][-1])))


SCRIPT = [
    call("Bash", command="printf 'roses\\ntulips\\n' > bed; cat bed"),
    say(ANSWER),
    call("mcp__remit__node_list"),
    _on_the_device,
    _told,
]


class Tour:
    """The steps, each with the seconds since the first began."""

    def __init__(self, place: Path, program: Path) -> None:
        self.place, self.begun, self.commands = place, time.perf_counter(), list[str]()
        self.env = {
            name: text for name, text in os.environ.items() if not name.startswith(("XDG_", "REMIT_", "CLAUDE"))
        }
        self.env |= {
            "HOME": str(place),
            "PATH": f"{program.parent}:{os.environ['PATH']}",
            "PYTHONUNBUFFERED": "1",
            "NO_COLOR": "1",
        }
        self.env |= {"PYTHONPATH": str(ROOT / "src")}

    def note(self, what: str) -> None:
        print(f"{time.perf_counter() - self.begun:7.1f} s  {what}", flush=True)

    def run(self, *words: str) -> str:
        """A command of ours, to its end."""
        self.commands.append(words[1])
        done = subprocess.run(
            [sys.executable, "-m", "remit.cli", *words], env=self.env, capture_output=True, text=True, timeout=_SECONDS, check=False
        )  # fmt: skip
        if done.returncode:
            raise SystemExit(f"{' '.join(words)}: {done.stdout}{done.stderr}")
        return done.stdout

    def start(self, held: ExitStack, *words: str) -> Path:
        """A command that goes on; where it prints."""
        log = self.place / f"out-{words[0]}-{words[1]}"
        with log.open("w") as out:
            process = subprocess.Popen(
                [sys.executable, "-m", "remit.cli", *words], env=self.env, stdin=subprocess.DEVNULL, stdout=out, stderr=out
            )  # fmt: skip
        held.callback(process.wait)
        held.callback(process.terminate)
        return log


def until(look: Any) -> Any:
    """What is found, once it is."""
    end = time.monotonic() + _SECONDS
    while time.monotonic() < end:
        if found := look():
            return found
        time.sleep(0.05)
    raise SystemExit("it did not come")


def heard(page: Any, words: str) -> str:
    """Say something in the web chat, and wait for what is answered."""
    before = page.locator(".gateway").count()
    page.locator("#text").fill(words)
    page.keyboard.press("Enter")
    page.wait_for_function("count => document.querySelectorAll('.gateway + .at').length > count", arg=before)
    return str(page.locator(".gateway").last.inner_text())


def tour(place: Path) -> list[str]:
    """The whole way; the last answers."""
    program = installed(CLAUDE_CODE, "claude")
    with ExitStack() as held:
        model = held.enter_context(scripted(SCRIPT))
        browser = held.enter_context(started())
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        here = Tour(place, program)
        words = (
            "--backend",
            "claude-code",
            "--model",
            "scripted",
            "--model-url",
            model.url,
            "--port",
            str(port),
            "--yes",
        )
        here.run("gateway", "init", *words)
        here.note("remit gateway init: the settings are there")
        here.start(held, "gateway", "up")
        until(lambda: _listens(port))
        here.note("remit gateway up: the web chat is served")
        page = browser.new_page()
        page.set_default_timeout(_SECONDS * 1000)
        page.goto(f"http://127.0.0.1:{port}/")
        page.wait_for_selector("#text:not([disabled])")
        code = heard(page, "hello")[-8:]
        here.run("gateway", "pair", "web", code, "--unattended")
        here.note("remit gateway pair: the visitor is let in")
        first = heard(page, "what grows in the bed?")
        here.note(f"Claude Code answers in the web chat: {first}")
        log = here.start(held, "node", "--url", f"ws://127.0.0.1:{port}/node", "--declare", "system.run")
        code = until(lambda: re.search(r"pair nodes (\w+)", log.read_text()))[1]
        here.run("gateway", "pair", "nodes", code, "--unattended")
        until(lambda: "paired: " in log.read_text())
        here.note("remit node: a device is paired")
        page.locator("#text").fill("run something on the device")
        page.keyboard.press("Enter")
        waiting = until(lambda: re.match(r"([0-9a-f]{8})  ", here.run("gateway", "runs")))[1]
        here.note("the command waits for a person")
        here.run("gateway", "runs", waiting, "--unattended")
        page.locator(".gateway", has_text=RAN).wait_for()
        here.note("remit gateway runs: the command ran on the device, and Claude Code says what it printed")
        return [first, *page.locator(".gateway").all_inner_texts()[-1:]]


def _listens(port: int) -> bool:
    with socket.socket() as asked:
        return asked.connect_ex(("127.0.0.1", port)) == 0


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="tour") as folder:
        tour(Path(folder))
