"""Settings to begin with, asked for or given, and those of another gateway."""

import io
import json

import pytest

from remit.cli.main import main
from remit.gateway.inbound.findings import findings
from remit.gateway.inbound.settings.loader import read_inbound


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setenv("REMIT_STATE", str(tmp_path / "state"))
    monkeypatch.setenv("PATH", str(tmp_path))
    for name in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def settings(place):
    return read_inbound(place / "state/inbound/gateway.toml")


def answers(monkeypatch, *lines, key=""):
    terminal = io.StringIO("".join(f"{line}\n" for line in lines))
    terminal.isatty = lambda: True
    monkeypatch.setattr("sys.stdin", terminal)
    monkeypatch.setattr("getpass.getpass", lambda _: key)


def test_without_questions_the_safe_choices(place, capsys):
    assert main(["gateway", "init", "--yes"]) == 0
    found = settings(place)
    assert (found.access.bind, found.model.url, found.agents["main"].backend) == ("loopback", "", "model")
    assert [one.id for one in findings(found) if one.kind.grave] == []
    assert "remit gateway chat" in capsys.readouterr().out
    assert found.channels["cli"].gate.operators == found.channels["cli"].gate.named != set()


def test_by_options_alone(place):
    (place / "key").write_text("of-the-model\n")
    words = ["--backend", "claude-code", "--model", "m", "--model-url", "http://h/v1", "--key-file", str(place / "key")]
    assert main(["gateway", "init", *words, "--bind", "lan", "--port", "19999", "--yes"]) == 0
    found = settings(place)
    assert found.agents["main"].backend == "claude-code"
    assert (found.model.speaks, found.model.url, found.model.name, found.model.key) == (
        "anthropic",
        "http://h/v1",
        "m",
        "of-the-model",
    )
    assert (found.access.bind, found.port, found.access.token_length) == ("lan", 19999, 48)
    assert "of-the-model" not in (place / "state/inbound/gateway.toml").read_text()


def test_enter_is_the_safe_answer_and_a_wrong_one_is_asked_again(place, monkeypatch, capsys):
    (place / "codex").write_text("#!/bin/sh\n")
    (place / "codex").chmod(0o755)
    answers(monkeypatch, "", "everywhere", "", "", "gpt-5.2", key="typed")
    assert main(["gateway", "init"]) == 0
    found = settings(place)
    assert found.agents["main"].backend == "codex"
    assert (found.access.bind, found.model.url, found.model.name, found.model.key) == (
        "loopback",
        "https://api.openai.com",
        "gpt-5.2",
        "typed",
    )
    assert capsys.readouterr().out.count("Who reaches it") == 2


@pytest.mark.parametrize("words", [["--backend", "model", "--yes"], ["--backend", "claude-code", "--yes"]])
def test_a_model_without_a_name_is_refused(place, words, capsys):
    assert main(["gateway", "init", *words]) == 2
    assert "no model is named" in capsys.readouterr().err
    assert not (place / "state/inbound/gateway.toml").exists()


def test_an_input_that_ends_is_refused(place, monkeypatch, capsys):
    answers(monkeypatch, "model")
    assert main(["gateway", "init"]) == 2
    assert "--yes" in capsys.readouterr().err


def test_settings_that_are_there_are_not_replaced(place, capsys):
    assert main(["gateway", "init", "--yes"]) == 0
    before = (place / "state/inbound/gateway.toml").read_bytes()
    assert main(["gateway", "init", "--yes"]) == 2
    (place / "openclaw.json").write_text("{}")
    assert main(["gateway", "import", str(place / "openclaw.json")]) == 2
    assert (place / "state/inbound/gateway.toml").read_bytes() == before
    assert "is there already" in capsys.readouterr().err


def test_an_import_says_what_is_unsafe_and_what_was_left(place, capsys):
    (place / "openclaw.json").write_text("{gateway: {bind: 'lan', auth: {mode: 'none'}}, cron: {enabled: true}}")
    assert main(["gateway", "import", str(place / "openclaw.json"), "--audit"]) == 1
    assert not (place / "state/inbound/gateway.toml").exists()
    capsys.readouterr()
    assert main(["gateway", "import", str(place / "openclaw.json"), "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert {"openclaw.bind_no_auth", "openclaw.sessions_shared"} <= {one["id"] for one in told["unsafe"]}
    assert told["left"] == [{"at": "cron", "why": "nothing here is like it"}]
    assert settings(place).access.token_length == 48


def test_an_import_as_text(place, capsys):
    (place / "openclaw.json").write_text("{gateway: {auth: {mode: 'none'}}}")
    main(["gateway", "import", str(place / "openclaw.json"), "--audit"])
    out = capsys.readouterr().out
    assert "P1  gateway.auth.mode: nothing is asked of anybody" in " ".join(out.split(" "))
    assert "not taken over (0)" in out
