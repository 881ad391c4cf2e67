"""Each of the sixteen flaws of designs like this one has a test that is named after it."""

import re
from pathlib import Path

from each_row import each_row

TESTS = Path(__file__).parents[1]
FLAWS = {
    1: "servers sign any circuit that a client sends",
    2: "the gateway asserts the inputs of a decision, and deals the triples",
    3: "what an agent adds makes a recipient right",
    4: "a confirmation is a boolean that the agent sets",
    5: "a collision of hashes is taken for a member of a list",
    6: "only the beginning of a text is looked at",
    7: "proofs reach the agent, and the executor asks nobody who he is",
    8: "proofs are not bound to the recipient, and replays are not seen",
    9: "the agent chooses the channel through which values are shown",
    10: "keys that verify proofs can forge them",
    11: "a memory of actions that fails says yes",
    12: "digests without a key, plain connections",
    13: "lists are served in clear",
    14: "the work tells what is asked; cover traffic is off",
    15: "callers name themselves",
    16: "effects are stubs, values lie in plain text",
}


def found():
    out = set()
    for path in TESTS.rglob("test_*.py"):
        if path.name.startswith("test_flaw_"):
            out.add(int(path.name[10:12]))
        out |= {int(number) for number in re.findall(r"def test_flaw_(\d\d)_", path.read_text("utf-8"))}
    return out


@each_row("number", FLAWS)
def test_each_flaw_has_a_test(number):
    assert number in found(), FLAWS[number]


def test_no_test_is_named_after_a_flaw_that_nobody_knows():
    assert found() == set(FLAWS)
