"""The mediation contract: every attempt that succeeds outside is held inside; and the search can find something."""

import pytest
from capsules import compiled, needs_capsule

from remit.capsule.probes import COMMAND, ProbeOutcome, probe_all, probes, standing_of
from remit.core.errors import CapsuleError
from remit.policy.command_permits import permit_for

NAMES = [probe.name for probe in probes()]
# What the machine of a test may not have or allow outside; everything else must be shown.
MAYBE = {
    "kernel-memory", "sysrq", "hypervisor", "io-uring", "bpf", "userfault", "keyring", "keyring-write", "tcp6", "terminal",
    "setuid", "raw", "packet", "device", "device-of-machine", "mount", "chroot", "join-namespace", "host-name", "core-pattern",
    "user-namespace", "user-namespace-clone", "dns", "ptrace", "memory-of-another", "exec-memory", "proc-memory",
}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_an_attempt_to_get_out_needs_bubblewrap(name):
    needs_capsule()
    (found,) = probe_all(permit_for("probe", COMMAND), [name], compiled(), lambda _: None)
    if found.standing is ProbeOutcome.NOT_SHOWN and name in MAYBE:
        pytest.skip(f"it does not succeed outside either: {found.outside}")
    assert found.standing is ProbeOutcome.HELD, found


def test_what_two_outputs_show():
    assert standing_of("GOT x", "refused y") is ProbeOutcome.HELD
    assert standing_of("GOT x", "GOT x") is ProbeOutcome.GOT_OUT
    assert standing_of("refused", "GOT x") is ProbeOutcome.GOT_OUT
    assert standing_of("refused", "refused") is ProbeOutcome.NOT_SHOWN
    for broken in ("", "Traceback", "python3: not found"):
        assert standing_of("GOT x", broken) is ProbeOutcome.UNCLEAR


def test_an_attempt_that_is_granted_gets_out_needs_bubblewrap(monkeypatch):
    """The suite notices a capsule that gives more than it should."""
    needs_capsule()
    from remit.capsule import probes
    from remit.manifest.model import Decision, Permission

    real = probes._entries
    wider = [Permission("secret.read", effect=Decision.ALLOW), Permission("process.create", effect=Decision.ALLOW)]
    monkeypatch.setattr(probes, "_entries", lambda: [*real(), *wider])
    found = probe_all(
        permit_for("probe", COMMAND), ["secret-in-workspace", "exec", "secret"], compiled(), lambda _: None
    )
    assert [item.standing for item in found] == [ProbeOutcome.GOT_OUT, ProbeOutcome.GOT_OUT, ProbeOutcome.HELD]


def test_an_unknown_attempt_is_refused():
    with pytest.raises(CapsuleError, match="there is no attempt `fly`"):
        probe_all(permit_for("probe", COMMAND), ["fly"], b"", lambda _: None)


def test_every_attempt_says_what_it_tries():
    assert len(NAMES) == len(set(NAMES)) >= 50
    assert all(probe.what and "BODY" not in probe.text for probe in probes())
    for probe in probes():
        compile(probe.text, probe.name, "exec")
