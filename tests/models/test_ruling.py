"""The laws of decisions are proved, every deliberate bug breaks its law, and the rules that are proved are those that run."""

from dataclasses import replace
from itertools import combinations_with_replacement, product
from types import SimpleNamespace

import pytest
from ruling_bugs import BUGS

from remit.core.scope import ANY_SCOPE, PathScope, parse_scope
from remit.manifest.model import Constraints, Decision, Manifest, Permission, Verification
from remit.models.ruling import CHANGES, Answer, Asked, Entry, Ruling
from remit.models.ruling_laws import LAWS, Broken, proved
from remit.policy.decide import Call, decide
from remit.policy.finder import Finder
from remit.policy.gate import Gate, Standing
from remit.policy.judge import Deny, _one
from remit.policy.limits import Moment, Situation
from remit.policy.logic import Plain
from remit.policy.principal import Loaded, SessionPolicy
from remit.policy.request import Request
from remit.policy.rules import Authority, Rule, Rules

RULING = Ruling(Plain())
NOW = Situation(Moment(1000), {})
HERE, THERE = parse_scope("path", "/a"), parse_scope("path", "/b")
REQUESTS = {
    Standing.UNCHANGED: Request("file.read", HERE),
    Standing.REVERSIBLE: Request("file.write", HERE),
    Standing.IRREVERSIBLE: Request("file.delete", HERE),
}


@pytest.mark.parametrize("solver", ["z3", "cvc5"])
@pytest.mark.parametrize("law", LAWS)
def test_the_law_holds(law, solver):
    assert proved(law, solver=solver) is None


@pytest.mark.parametrize(("bug", "law"), [(bug, law) for bug, laws in BUGS.items() for law in laws])
def test_the_bug_breaks_it(bug, law):
    found = proved(law, bug)
    assert isinstance(found, Broken)
    assert any(found.example.values())


def test_every_law_has_a_bug():
    assert {law for laws in BUGS.values() for law in laws} == set(LAWS)


# --- the rules that are proved are those that run ---


def kinds():
    """Every entry, as the rules see it and as the code does: kind, authority, priority, effect, what it holds, its limits."""
    for authority, priority, asks, (holds, fits) in product(
        Authority, (0, 1), (False, True), ((False, True), (True, False), (True, True))
    ):
        limits = Constraints() if fits else Constraints(arguments=(("n", (1,)),))
        effect = Decision.CONFIRM if asks else Decision.ALLOW
        entry = Permission("*", (HERE if holds else THERE,), effect, priority, limits)
        plain = Entry(False, False, holds, holds, fits, asks, int(authority), priority)
        yield "grants", plain, Rule(entry, 0, None, "it", authority=authority)
    for authority, priority, meets in product((Authority.WORKSPACE, Authority.PERSON), (0, 1), (False, True)):
        entry = Permission("*", (HERE if meets else THERE,), Decision.CONFIRM, priority)
        plain = Entry(False, True, meets, False, False, True, int(authority), priority)
        yield "asks", plain, Rule(entry, -1, None, "it", authority=authority)
    for authority, meets in product(Authority, (False, True)):
        entry = Permission("*", (HERE if meets else THERE,), Decision.DENY, 0)
        yield (
            "denials",
            Entry(True, False, meets, False, False, False, int(authority), 0),
            Rule(entry, -1, None, "it", authority=authority),
        )


def judged(known, level, change, low):
    """What the code says to a request, of these rules."""
    by_kind = {kind: [] for kind in ("denials", "patterned", "grants", "asks")}
    for number, (kind, _, rule) in enumerate(known):
        by_kind[kind].append(rule._replace(member=number) if kind == "grants" else rule)
    rules = Rules(*(Finder([(rule, rule.entry.scopes) for rule in one]) for one in by_kind.values()))
    minimum = (("*", Verification.FORMAL),) if low else ()
    policy = SimpleNamespace(
        level=level, minimum=minimum, snapshotted=(PathScope("/", ("**",)),), resolve=lambda scope: scope
    )
    found = _one(policy, rules, REQUESTS[change], HERE, NOW, own=True)
    if isinstance(found, Deny):
        return Answer(True, found.code not in ("outside", "undeclared", "sensitive"), False)
    return Answer(False, False, found.gate is not Gate.ALLOW)


def ruled(known, level, change, low):
    heard = RULING.silence()
    for _, entry, _ in known:
        heard = RULING.hear(heard, entry)
    levels = {one: one is level for one in Verification}
    return RULING.answer(heard, low, levels, {one: one is change for one in CHANGES})


def test_one_meaning_is_judged_as_it_is_ruled():
    """Up to three entries of every kind; all levels and changes for up to two."""
    every = list(kinds())
    for count in range(4):
        for number, known in enumerate(combinations_with_replacement(every, count)):
            cases = list(product(Verification, CHANGES, (False, True)))
            for level, change, low in cases if count < 2 else [cases[number % len(cases)]]:
                low_now = low and level is not Verification.FORMAL
                assert judged(known, level, change, low) == ruled(known, level, change, low_now), (known, level, change)


EFFECTS = {
    "nothing": Answer(True, False, False),
    "allow": Answer(False, False, False),
    "confirm": Answer(False, False, True),
    "deny": Answer(True, True, False),
}


def loaded(name, effect, sent_by=()):
    entries = () if effect == "nothing" else (Permission("file.read", (ANY_SCOPE,), Decision(effect)),)
    return Loaded(name, name, Manifest("", entries), Verification.FORMAL, PathScope("/", (name,)), sent_by)


def test_a_call_is_decided_as_it_is_ruled():
    """A skill, who sent it, another skill, the task, a script, a doubt and an approval: every case."""
    for first, sender, other, task in product(EFFECTS, (None, *EFFECTS), (None, *EFFECTS), (None, *EFFECTS)):
        skills = [loaded("other", other)] if other else []
        skills += [loaded("sender", sender)] if sender else []
        skills.append(loaded("first", first, ("sender",) if sender else ()))
        entries = loaded("", task).manifest.permissions if task else ()
        if task == "nothing":
            entries = (Permission("file.write"),)
        session = SessionPolicy("s", (), (), skills=tuple(skills), task=entries)
        names = ("other", "first") if other else ("first",)
        for runs, doubt, approved in product((False, True), repeat=3):
            call = Call((REQUESTS[Standing.UNCHANGED],), ("first",) if runs else (), ("unclear",) if doubt else ())
            found = decide(session, call, NOW, loaded=names)
            if approved:
                found = decide(replace(session, approved=frozenset({found.subject})), call, NOW, loaded=names)
            mine = RULING.join(EFFECTS[first], EFFECTS[sender]) if sender else EFFECTS[first]
            theirs = EFFECTS[other or "nothing"]
            if task:
                mine, theirs = RULING.join(mine, EFFECTS[task]), RULING.join(theirs, EFFECTS[task])
            expected = RULING.outcome(mine, theirs, Asked(runs, bool(other), doubt, approved))
            assert (found.gate is Gate.DENY, found.gate is Gate.ALLOW) == (expected.denied, expected.allowed)
            assert found.approved == (expected.asks and approved)
