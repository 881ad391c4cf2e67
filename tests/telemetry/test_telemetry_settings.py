"""The one file: what it may say, who may have written it, and where it is looked for."""

import json
import os

import jsonschema
import pytest

from each_row import each_row
from remit.cli.schemas import schema_text
from remit.core.errors import UsageError
from remit.core.telemetry_table import FILE
from remit.telemetry.event_log import Lines
from remit.telemetry.settings import TelemetrySettings, as_json, first_of, read_settings


def write(folder, mode=0o600, **told):
    path = folder / FILE
    path.write_text(json.dumps({"v": 1, **told}))
    path.chmod(mode)
    return path


def test_all_of_it(tmp_path):
    path = write(tmp_path, otlp="https://otel.example.org/x", prometheus="[::1]:9464", log="a/b.log", level="error")
    assert read_settings(path) == TelemetrySettings(
        "https://otel.example.org/x", ("::1", 9464), str(tmp_path / "a/b.log"), "error"
    )
    assert read_settings(write(tmp_path)) == TelemetrySettings()
    assert read_settings(write(tmp_path, log="stderr")).log == "stderr"


@each_row(
    "told",
    [
        {"otlp": "http://otel.example.org"}, {"otlp": "http://10.0.0.1:4318"}, {"otlp": "file:///etc/passwd"}, {"otlp": "http://a@127.0.0.1"},
        {"otlp": "http://127.0.0.1/?x=1"}, {"otlp": "http://127.0.0.1:99999"}, {"otlp": "http://127.0.0.1.evil.example"}, {"otlp": "https://"},
        {"prometheus": "0.0.0.0:9464"}, {"prometheus": "9464"}, {"prometheus": "localhost:9464"}, {"prometheus": "127.0.0.1:0"},
        {"prometheus": "127.0.0.1:65536"}, {"level": "loud"}, {"log": ""}, {"endpoint": "x"}, {"v": 2}, {"otlp": ["http://127.0.0.1"]},
    ],
)  # fmt: skip
def test_what_is_not_of_the_form_is_refused(tmp_path, told):
    with pytest.raises(UsageError):
        read_settings(write(tmp_path, **told))


def test_a_file_that_others_write_is_refused(tmp_path):
    with pytest.raises(UsageError, match="only its owner"):
        read_settings(write(tmp_path, mode=0o620))


def test_a_link_is_refused(tmp_path):
    (tmp_path / "a").mkdir()
    path = write(tmp_path / "a")
    (tmp_path / FILE).symlink_to(path)
    with pytest.raises(UsageError):
        first_of([tmp_path])


@each_row("text", ["", "{", "[]", "[" * 100000, "null"])
def test_what_is_no_object_is_refused(tmp_path, text):
    (tmp_path / FILE).write_text(text)
    with pytest.raises(UsageError):
        read_settings(tmp_path / FILE)


def test_the_first_folder_that_has_it_counts(tmp_path):
    first, second = tmp_path / "a", tmp_path / "b"
    first.mkdir()
    second.mkdir()
    assert first_of([first, second]) is None
    write(second, level="error")
    assert first_of([first, second]).level == "error"
    write(first, level="debug")
    assert first_of([first, second]).level == "debug"


def test_the_environment_does_not_count(tmp_path, monkeypatch):
    for name in ("OTEL_EXPORTER_OTLP_ENDPOINT", "REMIT_TELEMETRY", "OTEL_TRACES_EXPORTER"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    assert first_of([tmp_path]) is None


def test_the_schema_is_published():
    judge = jsonschema.Draft202012Validator(json.loads(schema_text("telemetry")))
    assert judge.is_valid(
        json.loads(as_json({"otlp": "http://127.0.0.1:4318", "prometheus": "[::1]:1", "log": "stderr"}))
    )
    assert not judge.is_valid({"v": 1, "endpoint": "x"})


def test_words_become_the_file(tmp_path):
    (tmp_path / FILE).write_text(as_json({"otlp": "http://127.0.0.1:4318"}))
    assert read_settings(tmp_path / FILE).otlp == "http://127.0.0.1:4318"
    with pytest.raises(UsageError):
        as_json({"otlp": "http://example.org"})


def test_a_pipe_that_nobody_reads_from_holds_up_nothing(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UsageError, match="cannot be written"):
        Lines(TelemetrySettings(log=str(tmp_path / "pipe")), "guard", lambda *_: None)
