"""`remit gateway chat`: a stranger at a terminal is let in as everywhere else, and then answered; a script gets its answers in order."""

import os
import pty
import re
import subprocess
import sys
import time


def said(running, text, *args):
    done = subprocess.run(
        [sys.executable, "-m", "remit.cli", "gateway", "chat", "--url", f"ws://127.0.0.1:{running.port}/cli", *args],
        env=running.env, input=text, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout + done.stderr


def let_in(running):
    code, told = said(running, "hello\n")
    assert code == 1
    assert "[not heard: pairing asked]" in told
    found = re.search(r"[A-Z0-9]{8}$", told, re.MULTILINE)[0]
    assert f"cli  {found}" in running.run("gateway", "pair")[1]
    assert running.run("gateway", "pair", "cli", found, "--unattended") == (0, "cli: approved\n")


def test_a_script_is_let_in_and_answered_in_its_order(running):
    let_in(running)
    code, told = said(running, "one\n\ntwo\ndevices\n")
    assert code == 0
    assert [line for line in told.splitlines() if not line.startswith("I answer by")] == [
        "You said: one",
        "You said: two",
        "[]",
    ]
    assert (running.folder / "chat.key").stat().st_mode & 0o777 == 0o600
    assert (
        said(running, "hello\n", "--key", str(running.folder / "other.key"))[0] == 1
    )  # another secret is somebody else


def test_somebody_at_a_terminal(running):
    let_in(running)
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "remit.cli", "gateway", "chat", "--url", f"ws://127.0.0.1:{running.port}/cli"],
        env={**running.env, "TERM": "dumb"}, stdin=slave, stdout=slave, stderr=slave,
    )  # fmt: skip
    os.close(slave)
    seen = b""

    def until(wanted):
        nonlocal seen
        deadline = time.monotonic() + 300
        while wanted not in seen and time.monotonic() < deadline:
            seen += os.read(master, 4096)
        assert wanted in seen

    until(b"> ")
    os.write(master, b"hello there\n")
    until(b"You said: hello there")
    os.write(master, b"\x04")
    assert process.wait(300) == 0
    os.close(master)


def test_without_a_gateway_or_a_login(running, tmp_path):
    code, told = said(running, "hello\n", "--url", "ws://127.0.0.1:1/cli")
    assert (code, "the gateway ended it" in told) == (2, True)
    bad = tmp_path / "key"
    bad.write_bytes(b"short")
    bad.chmod(0o600)
    assert said(running, "hello\n", "--key", str(bad))[0] == 2
