"""`remit up`, `down`, `policy` and `serve` as a user sees them: what is started, what is started anew, and what is said when it cannot be."""

import json
import os
import re
import socket
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from remit.cli import packages
from remit.cli.main import main
from remit.gateway.deployment import processes

POLICY = "policy  small\nintent  FinalizeOutput\nallow   not text shows key\n"
ORDER = ["p1", "p0", "executor", "gateway"]


def run(capfd, *words):
    status = main([str(word) for word in words])
    out, err = capfd.readouterr()
    return status, out, err


@pytest.fixture
def sleepers(monkeypatch):
    """Processes that only sleep in place of parties; who was started, in order."""
    begun, children = [], []

    def spawn(folder, party):
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        child.returncode = 0  # as the real one: nobody waits for it here
        children.append(child)
        begun.append(party.role)
        note = [child.pid, processes._begun(child.pid), processes._given(folder, party)]
        (folder / "run" / f"{party.role}.pid").write_text(json.dumps(note))
        return child.pid

    monkeypatch.setattr(processes, "_spawn", spawn)
    monkeypatch.setattr(processes, "_said", lambda _: (200, {"epoch": 1 << 40}))
    yield begun
    for child in children:
        if processes._begun(child.pid):
            os.kill(child.pid, 9)
            os.waitpid(child.pid, 0)


def test_what_runs_goes_on_and_what_changed_is_started_anew(capfd, work, sleepers):
    policy = work / "small.policy"
    policy.write_text(POLICY)
    folder = work / "up"
    status, out, _ = run(capfd, "up", "--folder", folder, "--policy", policy)
    assert (status, sleepers) == (0, ORDER)
    assert out.startswith(f"Two authorities, in {folder}; started\n")
    sleepers.clear()
    assert run(capfd, "up", "--folder", folder)[1].startswith(f"Two authorities, in {folder}\n")
    assert sleepers == []
    (folder / "effects.json").write_text('{"v": 1, "web": {"near": [], "plain": []}}')
    assert "; started: executor" in run(capfd, "up", "--folder", folder)[1]
    assert sleepers == ["executor"]
    sleepers.clear()
    (folder / "policy" / "remit.policy").write_text(POLICY + "deny    text shows card\n")
    assert run(capfd, "up", "--folder", folder)[0] == 0
    assert sleepers == [], "a policy is taken by what runs: tests/gateway/test_live_policy.py"
    told = json.loads(run(capfd, "up", "--status", "--folder", folder, "--format", "json")[1])
    assert [one["healthy"] for one in told["parties"]] == [True] * 4
    assert run(capfd, "down", "--folder", folder)[1] == "stopped: gateway, executor, p0, p1\n"
    assert run(capfd, "down", "--folder", folder)[:2] == (0, "nothing was running\n")
    assert run(capfd, "up", "--status", "--folder", folder)[0] == 1


def test_a_number_that_is_another_process_now_is_not_taken_for_a_party(capfd, work, sleepers):
    folder = work / "up"
    assert run(capfd, "up", "--folder", folder)[0] == 0
    note = folder / "run" / "p0.pid"
    pid, _, given = json.loads(note.read_text())
    note.write_text(json.dumps([os.getpid(), "1", given]))  # the number of this process, and another moment
    sleepers.clear()
    assert run(capfd, "up", "--folder", folder)[0] == 0
    assert sleepers == ["p0"]
    os.kill(pid, 9)
    for broken in ("", "[]", "[1]", "{}", "nothing", "[null, null, null]"):
        note.write_text(broken)
        assert processes._alive(folder, "p0") == 0


def test_looking_writes_nothing(capfd, work):
    status, _, err = run(capfd, "up", "--status", "--folder", work / "none")
    assert (status, "there is no installation in" in err, "`remit up` makes one" in err) == (2, True, True)
    assert not (work / "none").exists()


@pytest.mark.parametrize("what", ["file", "open", "long", "no-policy", "wrong-policy", "no-list"])
def test_what_cannot_be_is_said_with_a_remedy(capfd, work, what, snapshot):
    folder, more = work / "up", []
    if what == "file":
        folder.write_text("")
    elif what == "open":
        folder.mkdir(mode=0o755)
        folder.chmod(0o755)
    elif what == "long":
        folder = Path("/") / ("x" * 100)
    else:
        more = ["--policy", work / "w.policy"]
    if what == "wrong-policy":
        (work / "w.policy").write_text("policy w\nintent Nothing\nallow always\n")
    if what == "no-list":
        (work / "w.policy").write_text("policy w\nlist a from a.txt\n")
    status, _, err = run(capfd, "up", "--folder", folder, *more)
    assert status == 2
    assert err.replace(str(work), "…") == snapshot
    assert what in ("file", "open") or not folder.exists()


def test_settings_that_are_not_there_are_named(capfd, work):
    assert run(capfd, "serve", work / "nothing.json")[2].startswith("remit: `")


def test_a_port_that_is_taken_is_named():
    from remit.authority.wire.address import listening, read_address
    from remit.core.errors import AuthorityError

    with socket.create_server(("127.0.0.1", 0)) as other:
        place = f"tls:127.0.0.1:{other.getsockname()[1]}"
        with pytest.raises(AuthorityError, match="address already in use") as found:
            listening(read_address(place))
    assert "no other program listens there" in found.value.remedy


def test_a_package_that_is_missing_is_named_with_its_extra(capfd, work, monkeypatch):
    for module in [
        name for name in sys.modules if name.startswith("remit.gateway.deployment") or name == "remit.cli.up"
    ]:
        monkeypatch.delitem(sys.modules, module)
    for module in [name for name in sys.modules if name.startswith(("remit.authority", "numpy"))]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "numpy", None)
    status, _, err = run(capfd, "up", "--folder", work / "up")
    assert (status, err) == (2, "remit: the package `numpy` is not installed\n       pip install 'remit[authority]'\n")
    assert packages.missing(ModuleNotFoundError(name="remit.nothing")) is None


IMPORTED = {
    "opentelemetry-sdk": "opentelemetry",
    "opentelemetry-exporter-otlp-proto-http": "opentelemetry",
    "jpype1": "jpype",
    "python-sat": "pysat",
    "z3-solver": "z3",
    "prometheus-client": "prometheus_client",
}


def test_every_package_of_an_extra_is_known():
    project = tomllib.loads((Path(__file__).resolve().parents[2] / "pyproject.toml").read_text())["project"]
    known = set()
    everything = project["optional-dependencies"].pop("all")
    assert everything == [f"remit[{','.join(project['optional-dependencies'])}]"]
    for extra, wanted in project["optional-dependencies"].items():
        for one in wanted:
            name = re.match(r"[A-Za-z0-9-]+", one)[0]
            module = IMPORTED.get(name, name)
            known.add(module)
            offered = {
                other
                for other, names in project["optional-dependencies"].items()
                if any(re.match(rf"{name}\b", item) for item in names)
            }
            assert packages.EXTRAS[module] in offered, (extra, name)
    assert known == set(packages.EXTRAS)


@pytest.mark.parametrize(
    "words", [("up",), ("down",), ("deploy",), ("serve",), ("policy",), ("games",), ("models",), ("schema",)]
)
def test_every_command_of_the_authorities_teaches(capfd, words):
    with pytest.raises(SystemExit):
        main([*words, "--help"])
    out = capfd.readouterr().out
    assert "\nexamples" in out
    assert "\nexit status:\n" in out


@pytest.mark.parametrize(("command", "extra"), [("console", "console"), ("gateway", "gateway"), ("up", "authority")])
def test_a_package_of_several_extras_is_named_with_that_of_the_command(command, extra):
    assert f"remit[{extra}]" in packages.missing(ModuleNotFoundError(name="uvicorn.config"), command).remedy
