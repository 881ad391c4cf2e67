"""A new user's way from `remit gateway init` to Claude Code in the web chat, and on to a device; the tutorial has the same commands."""

import importlib.util
import re
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_SPEC = importlib.util.spec_from_file_location("assistant_tour", ROOT / "bench/assistant_tour.py")
assistant_tour = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(assistant_tour)
PAGE = (ROOT / "docs/tutorials/assistant.md").read_text("utf-8")


def test_the_way_ends_with_a_command_on_a_device(capsys):
    with tempfile.TemporaryDirectory(prefix="tour") as folder:
        first, last = assistant_tour.tour(Path(folder))
    assert first == assistant_tour.ANSWER
    assert assistant_tour.RAN in last
    assert capsys.readouterr().out.count(" s  ") == 7


def test_the_tutorial_shows_every_command_of_the_way():
    source = Path(assistant_tour.__file__).read_text("utf-8")
    steps = set(re.findall(r'here\.(?:run|start)\((?:held, )?"(\w+)", "([\w-]+)"', source))
    shown = set(re.findall(r"remit (\w+) (?:--url \S+ )?([\w-]+)", PAGE))
    assert {words for words in steps if words[0] == "gateway"} <= shown
    assert "remit node --declare system.run" in PAGE
