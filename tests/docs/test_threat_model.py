"""docs/threat-model.md: every layer names tests that are there, and every room that defends something is a layer or a boundary."""

import re

from walks import ROOT

TEXT = (ROOT / "docs/threat-model.md").read_text("utf-8")
LAYERS = [
    [cell.strip() for cell in line.strip("|").split(" | ")]
    for line in TEXT.split("## The layers")[1].split("\n## ")[0].splitlines()
    if line.startswith("|")
][2:]


def test_every_layer_says_what_it_assumes_what_is_lost_and_which_tests_hold_it():
    assert len(LAYERS) > 10
    for layer, assumes, lost, tests in LAYERS:
        assert assumes, layer
        assert lost, layer
        named = re.findall(r"`(tests/[\w./-]+)`", tests)
        assert named, layer
        for path in named:
            assert (ROOT / path).exists(), path


def test_every_room_that_defends_something_is_named():
    for room in (
        "skill",
        "analysis",
        "bundle",
        "guard",
        "policy",
        "capsule",
        "gateway",
        "authority",
        "executor",
        "web",
    ):
        assert f"`{room}/" in TEXT, room


def test_the_policy_names_nobody_who_does_not_exist():
    text = (ROOT / "SECURITY.md").read_text("utf-8")
    assert "private security advisory" in text
    assert not re.search(r"[\w.]+@[\w.]+", text)
