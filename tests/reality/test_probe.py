"""Summaries against real tools: a fixed sample each time, everything that was found once, and all of it at night (docs/reality.md)."""

import shutil
import tomllib
from dataclasses import replace

import pytest
from harness.observe import Event
from harness.sandbox import has_bubblewrap, has_node, has_strace
from probe import commands, known
from probe.__main__ import perform, wanted
from probe.batch import probe_place, settled
from probe.commands import blocks, probe_block
from probe.lines import option_lines, options_of_help, start
from probe.node_calls import described, probe_node
from probe.python_calls import probe_module

from by_day import but_by_night
from each_row import each_row
from remit.analysis.commands.catalog import default_catalog

SAMPLE = "cat cp mv ln sort split tee date install tar gzip find xargs diff".split()
BY_NIGHT = "mv split date gzip xargs install cat ln".split()
LIBRARIES = ["shutil"]


def needed():
    if not (has_strace() and has_bubblewrap()):
        pytest.skip("strace and bubblewrap are not both usable here")


def new(found):
    """What is not on the list of what is open."""
    return [f"{entry.key} {entry.objects}\n{entry.script}" for entry in found if entry.key not in known.open_keys()]


@pytest.mark.parametrize("name", but_by_night(SAMPLE, BY_NIGHT))
def test_what_a_command_does_is_in_its_summary_needs_strace_and_bubblewrap(name):
    needed()
    if not shutil.which(name):
        pytest.skip(f"{name} is not installed")
    report = probe_block(default_catalog().get(name), limit=8)
    assert report.ran
    assert new(report.found) == []


@pytest.mark.parametrize("name", LIBRARIES)
def test_what_a_python_library_does_is_in_its_summary_needs_strace_and_bubblewrap(name):
    needed()
    report = probe_module(name, [], limit=4)
    assert report.calls > 20
    assert new(report.found) == []


def test_what_node_does_is_in_its_summary_needs_strace_and_bubblewrap():
    needed()
    if not has_node():
        pytest.skip("node is not installed")
    report = probe_node("fs", described()["fs"], limit=8)
    assert report.calls > 20
    assert new(report.found) == []


def test_everything_that_is_installed_nightly():
    needed()
    done = [perform(task) for task in wanted(20.0)]
    assert [entry for one in done for entry in new(one.found)] == []


# ── what was found once ──

FILES = sorted(known.FOUND.glob("*.jsonl"))


@each_row("file", FILES, ids=lambda file: file.stem)
def test_found_once_is_covered_since(file):
    with probe_place() as place:
        left = [entry for entry in known.load(file) if known.still_uncovered(entry, place)]
    assert new(left) == []


def test_what_is_open_was_found():
    assert known.open_keys() <= {entry.key for file in FILES for entry in known.load(file)}


# ── what was not probed ──


def test_each_block_was_probed_or_says_why_not():
    probed = set(known.PROBED.read_text("utf-8").splitlines())
    reasons = tomllib.loads(known.UNPROBED.read_text("utf-8"))
    unprobed = [label for entry in reasons["unprobed"] for label in entry["blocks"]]
    labels = {command.label for command in blocks()}
    assert len(unprobed) == len(set(unprobed))
    assert labels - probed - set(unprobed) == set()
    assert set(unprobed) - labels == set()
    assert probed & set(unprobed) == set()


# ── the probe itself ──


def test_an_effect_that_a_summary_hides_is_seen_needs_strace_and_bubblewrap(monkeypatch):
    needed()
    real = commands.predicted

    def blind(place, step, name="main.sh"):
        effects = real(place, step, name)
        return replace(effects, effects=tuple(e for e in effects.effects if e.capability != "file.write"))

    monkeypatch.setattr(commands, "predicted", blind)
    report = probe_block(default_catalog().get("tee"), limit=1)
    assert "tee: file.write" in {entry.key for entry in report.found}


def test_each_option_and_operand_has_a_line():
    command = default_catalog().get("sort")
    groups = list(option_lines(command, ("sort",), ("data.txt",), set(), ["--new-option", "-o"]))
    about = [group[0].about for group in groups]
    assert "-o" in about
    assert about.count("-o") == 1
    assert {line.text for line in groups[-1]} >= {
        "sort --new-option data.txt",
        "sort --new-option more.txt data.txt",
        "sort --new-option=probe.new data.txt",
    }
    assert start(command) == ("sort",)


def test_options_are_read_from_help():
    text = "Usage: tool [-x] FILE\n  -a, --all          all\n      --out=FILE     write\n see --not-an-option-line\n"
    assert options_of_help(text) == ["-x", "-a", "--all", "--out"]


def test_names_that_a_step_used_for_a_while_are_left_out():
    with probe_place() as place:
        work = place.work
        events = [
            Event("file.write", f"{work}/zip123"),
            Event("file.delete", f"{work}/data.zip"),
            Event("file.delete", f"{work}/zip123"),
            Event("file.write", f"{work}/data.zip"),
            Event("file.delete", f"{work}/data.txt"),
        ]
        assert [event[:2] for event in settled(events, place, 0)] == [
            ("file.write", f"{work}/data.zip"),
            ("file.delete", f"{work}/data.txt"),
        ]
        assert ("file.write", f"{work}/zip123") in {event[:2] for event in settled(events, place, 1)}
