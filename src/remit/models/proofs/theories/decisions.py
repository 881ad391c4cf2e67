"""The laws of decisions (`models/ruling_laws.py`), for any number of entries, layers, requests and principals. Rules and code are compared in `_decisions`.

The laws are written over truth values, for any standard solver; here each of their claims and its premises are checked separately.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib import import_module
from itertools import product
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

import z3

from remit.core.scope import ANY_SCOPE, PathScope, parse_scope
from remit.manifest.model import Constraints, Decision, Manifest, Permission, Verification
from remit.models.explore.model import Patch
from remit.models.proofs.theory import Claim, Mutant, Planted, Theorem, Theory, Tie
from remit.models.ruling import CHANGES, CallFacts, Entry, RequestAnswer, Ruling
from remit.models.ruling_bugs import BUGS, ADenialAlsoDecides
from remit.models.ruling_laws import LAWS, said
from remit.policy.decide import Call
from remit.policy.gate import Gate, Standing
from remit.policy.judge import Deny
from remit.policy.limits import Moment, Situation
from remit.policy.logic import Plain
from remit.policy.principal import Loaded, SessionPolicy
from remit.policy.request import Request
from remit.policy.rules import Authority, Rule, Rules
from remit.policy.scope_index import Finder

if TYPE_CHECKING:
    from random import Random


JUDGING: Any = import_module("remit.policy.judge")  # the modules: their room calls two functions by the same names
DECIDING: Any = import_module("remit.policy.decide")
NOW = Situation(Moment(1000), {})
HERE, THERE = parse_scope("path", "/a"), parse_scope("path", "/b")
REQUESTS = {
    Standing.UNCHANGED: Request("file.read", HERE),
    Standing.REVERSIBLE: Request("file.write", HERE),
    Standing.IRREVERSIBLE: Request("file.delete", HERE),
}


class DecisionRules(NamedTuple):
    """The rules: all of them are in one class, of which a mutant changes one method."""

    rules: Callable[..., Ruling[Any, Any]] = Ruling


class EntryForms(NamedTuple):
    """An entry, in the forms of the rules and of the code."""

    kind: str
    plain: Entry[bool, int]
    rule: Rule


def kinds() -> Iterator[EntryForms]:
    """Yield every kind of entry: authority, priority, effect, coverage, limits."""
    for authority, priority, asks, (holds, fits) in product(
        Authority, (0, 1), (False, True), ((False, True), (True, False), (True, True))
    ):
        limits = Constraints() if fits else Constraints(arguments=(("n", (1,)),))
        effect = Decision.CONFIRM if asks else Decision.ALLOW
        entry = Permission("*", (HERE if holds else THERE,), effect, priority, limits)
        plain = Entry(False, False, holds, holds, fits, asks, int(authority), priority)
        yield EntryForms("grants", plain, Rule(entry, 0, None, "it", authority=authority))
    for authority, priority, meets in product((Authority.WORKSPACE, Authority.PERSON), (0, 1), (False, True)):
        entry = Permission("*", (HERE if meets else THERE,), Decision.CONFIRM, priority)
        plain = Entry(False, True, meets, meets, True, True, int(authority), priority)
        yield EntryForms("asks", plain, Rule(entry, -1, None, "it", authority=authority))
    for authority, meets in product(Authority, (False, True)):
        entry = Permission("*", (HERE if meets else THERE,), Decision.DENY, 0)
        plain = Entry(True, False, meets, meets, True, False, int(authority), 0)
        yield EntryForms("denials", plain, Rule(entry, -1, None, "it", authority=authority))


class Meaning(NamedTuple):
    """Entries, and one meaning of a request: the level of the skill, the change, and whether the highest level is
    required.
    """

    known: tuple[EntryForms, ...]
    level: Verification
    change: Standing
    demanding: bool


_KINDS = tuple(kinds())


def some_meaning(random: Random) -> Meaning:
    """Up to three entries."""
    known = tuple(random.choice(_KINDS) for _ in range(random.randint(1, 3)))
    return Meaning(known, random.choice(list(Verification)), random.choice(CHANGES), random.random() < 0.2)


def judged(case: Meaning) -> RequestAnswer[bool]:
    """Return the code's answer to a request with these entries."""
    by_kind: dict[str, list[Rule]] = {kind: [] for kind in ("denials", "patterned", "grants", "asks")}
    for number, (kind, _, rule) in enumerate(case.known):
        by_kind[kind].append(rule._replace(member=number) if kind == "grants" else rule)
    rules = Rules(*(Finder([(rule, rule.entry.scopes) for rule in one]) for one in by_kind.values()))
    minimum = (("*", Verification.FORMAL),) if case.demanding else ()
    policy: Any = SimpleNamespace(
        level=case.level, minimum=minimum, snapshotted=(PathScope("/", ("**",)),), resolve=lambda scope: scope
    )
    found = JUDGING._one(policy, rules, REQUESTS[case.change], HERE, NOW, own=True)  # noqa: SLF001  one meaning alone
    if isinstance(found, Deny):
        return RequestAnswer(True, found.code not in ("outside", "undeclared", "sensitive"), False)
    return RequestAnswer(False, False, found.gate is not Gate.ALLOW)


def ruled(operators: DecisionRules, case: Meaning) -> RequestAnswer[bool]:
    """Return the rules' answer."""
    rules = operators.rules(Plain())
    heard = rules.silence()
    for one in case.known:
        heard = rules.hear(heard, one.plain)
    low = case.demanding and case.level is not Verification.FORMAL
    return rules.answer(
        heard, low, {one: one is case.level for one in Verification}, {one: one is case.change for one in CHANGES}
    )


EFFECTS = {
    "nothing": RequestAnswer(True, False, False),
    "allow": RequestAnswer(False, False, False),
    "confirm": RequestAnswer(False, False, True),
    "deny": RequestAnswer(True, True, False),
}


class CallAnswers(NamedTuple):
    """A call: the answers of its skill, its sender, another skill and the task; None means that there is none."""

    first: str
    sender: str | None
    other: str | None
    task: str | None
    runs: bool
    doubt: bool
    approved: bool


def wholes() -> Iterator[CallAnswers]:
    """Every call."""
    some = (None, *EFFECTS)
    for first, sender, other, task in product(EFFECTS, some, some, some):
        for truths in product((False, True), repeat=3):
            yield CallAnswers(first, sender, other, task, *truths)


_WHOLES = tuple(wholes())


def some_whole(random: Random) -> CallAnswers:
    """One of them."""
    return random.choice(_WHOLES)


def _loaded(name: str, effect: str, sent_by: tuple[str, ...] = ()) -> Loaded:
    entries = () if effect == "nothing" else (Permission("file.read", (ANY_SCOPE,), Decision(effect)),)
    return Loaded(name, name, Manifest("", entries), Verification.FORMAL, PathScope("/", (name,)), sent_by)


def decided(case: CallAnswers) -> tuple[bool, bool, bool]:
    """Return the code's answer: denied, allowed, and only because of an approval."""
    skills = [_loaded("other", case.other)] if case.other else []
    skills += [_loaded("sender", case.sender)] if case.sender else []
    skills.append(_loaded("first", case.first, ("sender",) if case.sender else ()))
    entries = _loaded("", case.task).manifest.permissions if case.task else ()
    if case.task == "nothing":
        entries = (Permission("file.write"),)
    session = SessionPolicy("s", (), (), skills=tuple(skills), task=entries)
    names = ("other", "first") if case.other else ("first",)
    call = Call((REQUESTS[Standing.UNCHANGED],), ("first",) if case.runs else (), ("unclear",) if case.doubt else ())
    found = DECIDING.decide(session, call, NOW, loaded=names)
    if case.approved:
        found = DECIDING.decide(replace(session, approved=frozenset({found.subject})), call, NOW, loaded=names)
    return found.gate is Gate.DENY, found.gate is Gate.ALLOW, found.approved


def ruled_whole(operators: DecisionRules, case: CallAnswers) -> tuple[bool, bool, bool]:
    """Return the rules' answer."""
    rules = operators.rules(Plain())
    mine = rules.join(EFFECTS[case.first], EFFECTS[case.sender]) if case.sender else EFFECTS[case.first]
    theirs = EFFECTS[case.other or "nothing"]
    if case.task:
        mine, theirs = rules.join(mine, EFFECTS[case.task]), rules.join(theirs, EFFECTS[case.task])
    found = rules.outcome(mine, theirs, CallFacts(case.runs, bool(case.other), case.doubt, case.approved))
    return found.denied, found.allowed, found.asks and case.approved


# every law, by the name of its theorem: a law that stands here no more, or not yet, fails
_LAWS = dict(
    zip(
        (
            "deny-wins-in-every-decision", "nothing-without-a-grant", "narrowing-never-frees", "rights-never-mix", "delegates-within-their-senders",
            "approval-outweighs-no-denial", "people-outrank-manifests", "asking-grants-nothing", "levels-in-order", "unknown-never-helps",
        ),
        LAWS,
        strict=True,
    )
)  # fmt: skip
_NAMES = {law: name for name, law in _LAWS.items()}


def _claims(law: str) -> Callable[[DecisionRules], Iterator[Claim]]:
    def claims(operators: DecisionRules) -> Iterator[Claim]:
        text = said(law, operators.rules)
        declared = [f"(declare-const {name} Bool)" for name in text.names]
        asserted = [f"(assert {one})" for one in (text.given, *text.claims, *text.reached)]
        given, *rest = z3.parse_smt2_string("\n".join((*declared, *asserted)))
        told = (("so are", _listed(text.names)),)
        for number, claim in enumerate(rest[: len(text.claims)], 1):
            yield Claim(f"part {number}", (given,), True, claim, told)
        for number, about in enumerate(rest[len(text.claims) :], 1):
            yield Claim(f"what it is about, {number}", (given,), about, True, told)

    return claims


def _listed(names: tuple[str, ...]) -> Any:
    """A text of everything that is so."""
    return z3.Concat(*(z3.If(z3.Bool(name), z3.StringVal(f"{name} "), z3.StringVal("")) for name in names))


def _words(bug: Callable[..., Any]) -> str:
    return re.sub(r"(?<!^)([A-Z])", r" \1", bug.__name__.replace("_", " ")).lower()


def _mutants() -> Iterator[Mutant]:
    """Yield every bug. For a denied request, the authority that chose between asking and allowing cannot be observed, so
    no tie notices that bug.
    """
    for bug, laws in BUGS.items():
        for law in laws:
            also = f", for {_NAMES[law]}" if len(laws) > 1 else ""
            yield Mutant(f"{_words(bug)}{also}", _NAMES[law], "rules", bug, tied=bug is not ADenialAlsoDecides)


def theory() -> Theory:
    """The theory."""
    meanings = (
        Planted("lets a denial of another place pass", Patch(JUDGING, "_met", lambda real: lambda rules, forms, **given: [] if given else real(rules, forms))),
        Planted("does not look at limits", Patch(JUDGING, "_unmet", lambda _: lambda *_: "")),
        Planted("ranks by nothing", Patch(JUDGING, "_rank", lambda _: lambda *_: 0)),
        Planted("demands no level", Patch(JUDGING, "_least", lambda _: lambda *_: 0)),
    )  # fmt: skip
    calls = (
        Planted("asks nobody who sent it", Patch(DECIDING, "_policies", lambda _: lambda session, principals: map(session.policy, principals))),
        Planted("does it for another without asking", Patch(DECIDING, "_for_another",
            lambda real: lambda *given: real(*given)._replace(gate=Gate.ALLOW))),
    )  # fmt: skip
    return Theory(
        "decisions", "decisions of the guard, for any number of entries, requests and principals", DecisionRules(),
        tuple(Theorem(name, law, _claims(law)) for name, law in _LAWS.items()), tuple(_mutants()),
        (
            Tie("one meaning of a request", ruled, judged, some_meaning, meanings, samples=350),
            Tie("a call of several", ruled_whole, decided, some_whole, calls, samples=200),
        ),
    )  # fmt: skip
