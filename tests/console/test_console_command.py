"""`remit console` as a person starts it: what it prints, whom it lets in, over TLS too, and what it refuses."""

import signal
import ssl
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from console_skills import KEEPER, write

from remit.authority.wire.certificates import make_authority, make_certificate
from remit.cli.main import main


@contextmanager
def console(tmp_path, *words):
    """The command, and the first address that it prints."""
    command = [sys.executable, "-m", "remit.cli", "console", "--port", "0", "--state", str(tmp_path / "state")]
    process = subprocess.Popen([*command, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        yield process, process.stdout.readline().removeprefix("open ").strip()
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def entered(client, address):
    url, _, code = address.partition("/#")
    answer = client.post(f"{url}/enter", data={"code": code}, headers={"origin": url})
    assert answer.status_code == 200
    return url + answer.json()["to"], answer


def test_it_prints_an_address_lets_in_once_and_ends_when_it_is_interrupted(tmp_path):
    write(tmp_path / "skills/keeper", "keeper", "Keeps.", "Run `python3 scripts/keep.py`.", {"keep.py": KEEPER})
    with console(tmp_path, tmp_path / "skills") as (process, address), httpx.Client() as client:
        start, _ = entered(client, address)
        assert client.get(start).status_code == 200
        second = process.stdout.readline().removeprefix("for another browser: ").strip()
        assert second.partition("#")[0] == address.partition("#")[0]
        assert second != address
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=300)
        assert (process.returncode, err) == (0, "")


def test_over_tls_the_cookie_is_for_tls_alone(tmp_path):
    make_certificate(make_authority(tmp_path), tmp_path, "box", "localhost")
    certificate, key = tmp_path / "box.crt", tmp_path / "box.key"
    words = ("--tls-certificate", certificate, "--tls-key", key, "--name", "localhost", tmp_path)
    trusting = ssl.create_default_context(cafile=tmp_path / "authority.crt")
    with console(tmp_path, *words) as (_, address), httpx.Client(verify=trusting) as client:
        assert address.startswith("https://localhost:")
        start, answer = entered(client, address)
        assert "secure" in answer.headers["set-cookie"].lower()
        assert client.get(start).status_code == 200


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--bind", "10.0.0.5"], "reachable from other machines"),
        (["--bind", "example.org"], "is no address"),
        (["--bind", "0.0.0.0", "--without-tls"], "no name"),
        (["--tls-key", __file__], "belong together"),
        (["--trust-root", "no-such-file"], "is no file"),
        (["no-such-folder"], "does not exist"),
        (["--bind", "192.0.2.1", "--without-tls"], "not possible to listen"),
    ],
)
def test_what_it_refuses_is_said_with_what_to_do(capfd, tmp_path, monkeypatch, words, said):
    monkeypatch.chdir(tmp_path)
    assert main(["console", "--port", "0", *words]) == 2
    err = capfd.readouterr().err
    assert said in err
    assert err.count("\n") >= 2  # the message, and the remedy


def test_a_port_that_is_taken_is_named(capfd, tmp_path):
    with console(tmp_path, tmp_path) as (_, address):
        port = address.partition("/#")[0].rpartition(":")[2]
        assert main(["console", "--port", port, str(tmp_path)]) == 2
    assert "--port" in capfd.readouterr().err


def test_the_processes_that_look_end_with_it(tmp_path):
    for number in range(60):
        write(tmp_path / f"skills/s{number}", f"s{number}", "Keeps.", "Run it.", {"keep.py": KEEPER + f"# {number}\n"})
    with console(tmp_path, "--no-cache", tmp_path / "skills") as (process, address), httpx.Client() as client:
        start, _ = entered(client, address)
        assert client.get(f"{start}skills/state").json()["busy"]
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        assert children
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=300)
    assert not [one for one in children if Path(f"/proc/{one}").exists()]
