"""The monitor on the models of the store: it says nothing in any state of the code that runs, and notices spoiled code."""

import pytest
from monitored import alarms

from by_day import but_by_night
from remit.models.explore.registry import models

# mutants that what operations write does not show: the operation is as it should be, and something else is wrong. Those with a mark are seen by
# what the gateway does beside its store (tests/gateway/inbound/test_inbound_monitor.py)
UNSEEN = {
    "pairing-store": {
        "reads and writes without a transaction",  # whether a transaction is one is believed of the store
        "approves without a transaction",
        "does not keep it",
        "has one list for all channels",
    },
    "hearing": {"sends a code to another", "forgets who waits"},
    "ingress": {
        "says that it has what it did not keep",
        "gives all parts the trace of one",  # before the operation begins
        "believes the name alone",
        "leaves out the part",
        "drops what has a name",
    },
    "turns": {
        "does not write that it acts",  # (*)
        "writes nothing before it acts",  # (*)
        "looks for nobody who is lost",  # nothing happens any more
    },
    "turn-lines": {
        "looks at nobody before it",
        "lets all be due",
        "has one line for all",
        "lets nobody go when it is over",
    },
    "delivery": {
        "does not write that it was taken",  # (*)
        "takes without writing",  # (*)
        "sends to the last one it sent to",  # (*)
        "calls a failure sent",  # (*)
        "looks at nobody before it",
        "lets nobody go when it is over",
        "looks for nobody who is lost",
    },
    "node-runs": {
        "compares no content when it runs",
        "takes an approval for any request",
        "does not ask the settings again",
        "runs before it writes",  # (*)
    },
}
ALL = but_by_night(UNSEEN, {"delivery", "turn-lines", "node-runs"})
SOME, MANY = 6_000, 100_000  # states of spoiled code


@pytest.mark.parametrize("name", ALL)
def test_nothing_is_said_of_the_code_that_runs(name):
    (model,) = models([name])
    found, looked = alarms(model)
    assert found == {}
    assert looked > 300


@pytest.mark.parametrize("name", ALL)
def test_spoiled_code_is_noticed(name):
    (model,) = models([name])
    assert UNSEEN[name] <= {mutant.name for mutant in model.mutants}
    for mutant in model.mutants:
        unseen = mutant.name in UNSEEN[name]
        found, _ = alarms(model, mutant.patch, SOME if unseen else MANY)
        assert bool(found) is not unseen, mutant.name


def test_most_reds_are_seen():
    """What is told in docs/gateway.md."""
    mutants = sum(len(one.mutants) for one in models(UNSEEN))
    unseen = sum(map(len, UNSEEN.values()))
    assert (mutants - unseen, mutants) == (33, 62)
