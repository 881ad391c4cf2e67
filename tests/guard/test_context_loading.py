"""Loading a skill: what was locked, admitted and cleared, and nothing else."""

from hypothesis import given
from hypothesis import strategies as st

from each_row import each_row
from remit.bundle.admission import Admission
from remit.bundle.codes import reason
from remit.bundle.trust import Clearance
from remit.core.location import Location
from remit.guard.event import Outcome
from remit.guard.session.loading_policy import Candidate, Loading, Unlisted, may_load
from remit.manifest.drift.lockfile import Lock, Locked
from remit.manifest.drift.model import Summary, Trait, TraitKind
from remit.manifest.model import Classification, Verification

OLD, NEW = "sha256:old", "sha256:new"


def capability(name, scope):
    return Trait(TraitKind.CAPABILITY, name, Location("scripts/a.py", 1), (scope,), "script")


LOCK = Lock(("skills",), (Locked("skills/notes", Summary("notes", OLD, traits=(capability("file.read", "./**"),))),))
SKILL = Candidate("notes", "skills/notes", OLD)
FORMAL = Admission(Verification.FORMAL, Verification.FORMAL, refused=False, reasons=(), steps=())


def test_the_skill_that_was_locked_is_loaded():
    assert may_load(SKILL, LOCK) == Loading(Outcome.PASS, Verification.UNVERIFIED)


def test_the_level_is_that_of_the_bundle_for_this_content():
    held = SKILL._replace(admission=FORMAL, admitted=OLD)
    assert may_load(held, LOCK).level is Verification.FORMAL
    assert may_load(held._replace(admitted=NEW), LOCK).level is Verification.UNVERIFIED
    assert may_load(held._replace(admitted=""), LOCK).level is Verification.UNVERIFIED


def test_drift_is_refused_with_what_it_gains():
    now = Summary("notes", NEW, traits=(capability("file.read", "./**"), capability("web.post", "x.example.net")))
    found = may_load(SKILL._replace(content=NEW, summary=now, admission=FORMAL, admitted=NEW), LOCK)
    assert (found.outcome, found.level) == (Outcome.DENY, Verification.UNVERIFIED)
    assert found.reasons == ("the skill `notes` is not the one that was locked: it gains `web.post(x.example.net)`",)


def test_drift_without_gains_is_refused_too():
    now = Summary("notes", NEW, traits=(capability("file.read", "./**"),))
    found = may_load(SKILL._replace(content=NEW, summary=now), LOCK)
    assert found.outcome is Outcome.DENY
    assert "no more than before" in found.reasons[0]


def test_drift_that_nobody_analysed_is_refused():
    found = may_load(SKILL._replace(content=NEW), LOCK)
    assert found.outcome is Outcome.DENY
    assert "gains are unknown" in found.reasons[0]


@each_row("lock", [None, Lock((), ()), LOCK])
def test_a_skill_that_nobody_locked(lock):
    other = SKILL._replace(place="skills/other")
    assert may_load(other, lock).outcome is Outcome.ASK
    assert may_load(other, lock, unlisted=Unlisted.DENY).outcome is Outcome.DENY


def test_a_lock_that_was_edited_vouches_for_nothing():
    assert may_load(SKILL, LOCK._replace(intact=False)).outcome is Outcome.DENY


def test_a_folder_that_cannot_be_read_is_refused():
    assert may_load(SKILL._replace(content=""), None).outcome is Outcome.DENY


def test_a_label_above_the_clearance_is_refused():
    label = Classification("secret", 2, ("x",), ("EU",))
    cleared = Clearance(2, ("x",), ("EU",))
    assert may_load(SKILL._replace(label=label), LOCK, cleared).outcome is Outcome.PASS
    for bad in (
        Clearance(),
        cleared._replace(rank=1),
        cleared._replace(compartments=()),
        cleared._replace(releasability=()),
    ):
        found = may_load(SKILL._replace(label=label), LOCK, bad)
        assert found.outcome is Outcome.DENY
        assert "above what this reader may see" in found.reasons[0]


def test_a_refused_bundle_is_refused_with_its_reasons():
    refused = FORMAL._replace(refused=True, level=Verification.UNVERIFIED, reasons=(reason("file-changed", "`a.py`"),))
    found = may_load(SKILL._replace(admission=refused, admitted=OLD), LOCK)
    assert (found.outcome, found.level) == (Outcome.DENY, Verification.UNVERIFIED)
    assert found.reasons == ("the bundle of `notes` is refused: file-changed: `a.py`",)


@given(
    st.sampled_from(["", OLD, NEW]),
    st.sampled_from([None, LOCK, LOCK._replace(intact=False)]),
    st.sampled_from([None, FORMAL, FORMAL._replace(refused=True)]),
    st.sampled_from([None, Classification("secret", 2)]),
    st.sampled_from(list(Unlisted)),
)
def test_only_what_is_locked_cleared_and_not_refused_passes(content, lock, admission, label, unlisted):
    found = may_load(SKILL._replace(content=content, admission=admission, label=label), lock, unlisted=unlisted)
    locked = (content == OLD and lock is LOCK) or (content and lock is None and unlisted is Unlisted.PASS)
    good = locked and (admission is None or not admission.refused) and label is None
    assert (found.outcome is Outcome.PASS) == bool(good)
    assert bool(found.reasons) != good
