"""Theory of previews and commits, for any number of transactions, callers and attempts. The rules are in `_previews`.

One arbitrary transaction. Whoever committed it hands it to the executor, or finds for certain that nothing was handed on, and releases it; it may also die. Whether a person approved exactly this
transaction, and what was handed on, is written down as it really was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import z3

from remit.gateway import transactions
from remit.models.explore.model import Patch
from remit.models.proofs.solver import choose, value
from remit.models.proofs.theory import Claim, Mutant, Planted, State, Term, Theorem, Theory, Tie, Told, induction

if TYPE_CHECKING:
    from random import Random


PHASE, _VALUES = z3.EnumSort("TransactionPhase", [str(one) for one in transactions.Phase])
PHASES = dict(zip(transactions.Phase, _VALUES, strict=True))
OPEN, TAKEN, DONE, REFUSED = (PHASES[one] for one in transactions.Phase)
KINDS = (
    transactions.Begin,
    transactions.Confirm,
    transactions.Refuse,
    transactions.Commit,
    transactions.Release,
    transactions.Finish,
)
KIND, KIND_VALUES = z3.EnumSort("TransactionEvent", [one.__name__.lower() for one in KINDS])
BEGIN, CONFIRM, REFUSE, COMMIT, RELEASE, FINISH = KIND_VALUES


class BoundRequest(NamedTuple):
    """What is bound: an action, the commitment to a request, and the inputs of the effect."""

    action: Term
    commitment: Term
    preview: Term


class StoredTransaction(NamedTuple):
    """A stored transaction."""

    there: Term
    caller: Term
    session: Term
    until: Term
    confirm: Term  # an approver must confirm
    word: Term  # and has
    phase: Term


class Event(NamedTuple):
    """An event: its caller, subject and time."""

    kind: Term
    caller: Term
    session: Term
    about: BoundRequest
    until: Term  # beginning: its end
    confirm: Term  # beginning: an approver must confirm
    now: Term


def begins(kept: StoredTransaction, event: Event) -> Term:
    """Return whether it begins: nothing replaces an existing one, and nothing expired begins."""
    return z3.And(z3.Not(kept.there), event.until > event.now)


def hears(kept: StoredTransaction, about: BoundRequest, event: Event) -> Term:
    """Return whether a confirmation counts."""
    same = z3.And(*(one == other for one, other in zip(event.about, about, strict=True)))
    return z3.And(event.now < kept.until, kept.phase == OPEN, kept.confirm, same)


def commits(kept: StoredTransaction, about: BoundRequest, event: Event) -> Term:
    """Return whether it is committed."""
    mine = z3.And(
        event.caller == kept.caller, event.session == kept.session, event.about.commitment == about.commitment
    )
    return z3.And(mine, kept.phase == OPEN, event.now < kept.until, z3.Or(z3.Not(kept.confirm), kept.word))


def becomes(kept: StoredTransaction, kind: Term) -> Term:
    """Return its phase after any other event."""
    taken = kept.phase == TAKEN
    done = z3.If(z3.And(kind == FINISH, taken), DONE, kept.phase)
    back = z3.If(z3.And(kind == RELEASE, taken), OPEN, done)
    return z3.If(z3.And(kind == REFUSE, kept.phase == OPEN), REFUSED, back)


class PreviewRules(NamedTuple):
    """The rules."""

    begins: Callable[[StoredTransaction, Event], Term] = begins
    hears: Callable[[StoredTransaction, BoundRequest, Event], Term] = hears
    commits: Callable[[StoredTransaction, BoundRequest, Event], Term] = commits
    becomes: Callable[[StoredTransaction, Term], Term] = becomes


def step(
    rules: PreviewRules, kept: StoredTransaction, about: BoundRequest, event: Event
) -> tuple[StoredTransaction, BoundRequest, Term]:
    """Return what is stored after an event, its subject, and whether the event committed it."""
    new = StoredTransaction(
        z3.BoolVal(True), event.caller, event.session, event.until, event.confirm, z3.BoolVal(False), OPEN
    )
    begun = z3.And(event.kind == BEGIN, rules.begins(kept, event))
    heard = z3.And(event.kind == CONFIRM, rules.hears(kept, about, event))
    committed = z3.And(kept.there, event.kind == COMMIT, rules.commits(kept, about, event))
    phase = z3.If(committed, TAKEN, rules.becomes(kept, event.kind))
    refused = z3.And(event.kind == REFUSE, kept.phase == OPEN)
    told = kept._replace(phase=phase, word=z3.And(z3.Or(kept.word, heard), z3.Not(refused)))
    return choose(begun, new, choose(kept.there, told, kept)), choose(begun, event.about, about), committed


class PreviewCase(NamedTuple):
    """What is kept, an event and the time."""

    known: transactions.Transaction | None
    event: transactions.TransactionEvent
    now: int


def sample(random: Random) -> PreviewCase:
    """Most of it right, and something wrong."""

    def pick(letter: str) -> str:
        return letter if random.random() < 0.85 else "x"

    def some(phase: transactions.Phase) -> transactions.Transaction:
        word = {"by": "person"} if random.random() < 0.5 else None
        wants = random.random() < 0.5
        return transactions.Transaction(
            "c", "s", "Send", "a", "00", "r", random.randint(2, 4), "00", wants, "p", word, phase
        )

    phase = random.choice((transactions.Phase.OPEN, transactions.Phase.OPEN, *transactions.Phase))
    begin = transactions.Begin(some(transactions.Phase.OPEN)._replace(confirmation=None))
    commit, confirm = (
        transactions.Commit(pick("c"), pick("s"), pick("r")),
        transactions.Confirm(pick("a"), pick("r"), pick("p"), {"by": "new"}),
    )
    event = random.choice(
        (begin, commit, commit, confirm, confirm, transactions.Refuse(), transactions.Release(), transactions.Finish())
    )
    return PreviewCase(some(phase) if random.random() < 0.85 else None, event, random.randint(1, 4))


def every() -> Iterator[PreviewCase]:
    """One that could be committed or confirmed, with one thing wrong; and every phase with every other event."""
    shown = transactions.Transaction("c", "s", "Send", "a", "00", "r", 3, "00", True, "p", {"by": "person"})
    commit, word = transactions.Commit("c", "s", "r"), transactions.Confirm("a", "r", "p", {"by": "new"})
    for phase, now in (
        (transactions.Phase.OPEN, 2),
        (transactions.Phase.OPEN, 3),
        (transactions.Phase.TAKEN, 2),
        (transactions.Phase.REFUSED, 2),
    ):
        for event in (commit, word):
            yield PreviewCase(shown._replace(phase=phase), event, now)
    yield PreviewCase(shown._replace(confirmation=None), commit, 2)
    yield PreviewCase(shown._replace(confirm=False, confirmation=None), word, 2)
    for name in ("caller", "session", "commitment"):
        yield PreviewCase(shown, commit._replace(**{name: "x"}), 2)
    for wrong in (
        transactions.Confirm("x", "r", "p", {}),
        transactions.Confirm("a", "x", "p", {}),
        transactions.Confirm("a", "r", "x", {}),
    ):
        yield PreviewCase(shown._replace(confirmation=None), wrong, 2)
    begin = transactions.Begin(shown._replace(caller="d", confirmation=None))
    for phase in transactions.Phase:
        for other in (begin, transactions.Refuse(), transactions.Release(), transactions.Finish()):
            yield PreviewCase(shown._replace(phase=phase), other, 2)


def _number(letter: str) -> Term:
    return z3.IntVal(ord(letter) if letter else 0)


def encoded(rules: PreviewRules, case: PreviewCase) -> Any:
    """What is there then, and whether it was committed."""
    known, event = case.known, case.event
    truths = (
        known is not None,
        known is not None and known.confirm,
        known is not None and known.confirmation is not None,
    )
    there, confirm, word = map(z3.BoolVal, truths)
    kept = StoredTransaction(
        there, _number(known.caller if known else ""), _number(known.session if known else ""), z3.IntVal(known.until if known else 0),
        confirm, word, PHASES[known.phase if known else transactions.Phase.OPEN],
    )  # fmt: skip
    about = BoundRequest(*map(_number, (known.action_id, known.commitment, known.preview) if known else ("", "", "")))
    made: Any = event.transaction if isinstance(event, transactions.Begin) else event
    told = BoundRequest(*(_number(getattr(made, name, "")) for name in ("action_id", "commitment", "preview")))
    came = Event(
        KIND_VALUES[KINDS.index(type(event))], _number(getattr(made, "caller", "")), _number(getattr(made, "session", "")), told,
        z3.IntVal(getattr(made, "until", 0)), z3.BoolVal(getattr(made, "confirm", False)), z3.IntVal(case.now),
    )  # fmt: skip
    after, then, committed = step(rules, kept, about, came)
    found = (*map(value, after), *map(value, then))
    return found if found[0] else None, value(committed)


def run(case: PreviewCase) -> Any:
    """Return the code's answer."""
    after, refused = transactions.step(case.known, case.event, case.now)
    committed = not refused and isinstance(case.event, transactions.Commit)
    if after is None:
        return None, committed
    word = after.confirmation is not None
    names = (after.action_id, after.commitment, after.preview)
    who = (ord(after.caller), ord(after.session), after.until, after.confirm, word, str(after.phase))
    return (True, *who, *map(ord, names)), committed


class PreviewState(NamedTuple):
    """A transaction, who is about to hand it on, how often it was, and whether a person approved it."""

    kept: StoredTransaction
    about: BoundRequest
    going: Term
    handed: Term
    approved: Term


_HANDS, _DIES = z3.Bools("hands dies")  # not an event of the transaction: somebody hands it on, or dies


def _any() -> PreviewState:
    caller, session, until, going, handed = z3.Ints("caller session until going handed")
    there, confirm, word, approved = z3.Bools("there confirm word approved")
    kept = StoredTransaction(there, caller, session, until, confirm, word, z3.Const("phase", PHASE))
    return PreviewState(kept, BoundRequest(*z3.Ints("action commitment preview")), going, handed, approved)


def _event() -> Event:
    about = BoundRequest(*z3.Ints("event-action event-commitment event-preview"))
    names = z3.Ints("event-caller event-session event-until now")
    return Event(z3.Const("kind", KIND), names[0], names[1], about, names[2], z3.Bool("wants"), names[3])


def _next(rules: PreviewRules, world: PreviewState, event: Event) -> tuple[PreviewState, Term]:
    """One thing more: an event, or that it is handed on, or that who was about to do so dies."""
    after, about, committed = step(rules, world.kept, world.about, event)
    beside = z3.Or(_HANDS, _DIES)
    release = event.kind == RELEASE
    happens = z3.And(z3.Not(beside), z3.Or(z3.Not(release), world.going > 0))  # released by who has not handed it on
    kept = StoredTransaction(*(z3.If(happens, one, other) for one, other in zip(after, world.kept, strict=True)))
    then = BoundRequest(*(z3.If(happens, one, other) for one, other in zip(about, world.about, strict=True)))
    ends = z3.And(world.going > 0, z3.Or(beside, release))
    going = world.going + z3.If(z3.And(happens, committed), 1, 0) - z3.If(ends, 1, 0)
    same = z3.And(*(one == other for one, other in zip(event.about, world.about, strict=True)))
    word = z3.And(happens, event.kind == CONFIRM, same, world.kept.there, event.now < world.kept.until)
    handed = world.handed + z3.If(z3.And(_HANDS, world.going > 0), 1, 0)
    return PreviewState(kept, then, going, handed, z3.Or(world.approved, word)), z3.And(happens, committed)


def _holds(world: PreviewState) -> Term:
    """Handed on, or about to be: once, and then it is taken or done. A word that is kept was given for exactly this."""
    count, kept = world.going + world.handed, world.kept
    taken = z3.And(kept.there, z3.Or(kept.phase == TAKEN, kept.phase == DONE))
    word = z3.Implies(z3.And(kept.there, kept.word), world.approved)
    return z3.And(world.going >= 0, world.handed >= 0, count <= 1, z3.Implies(count > 0, taken), word)


def _told(name: str, world: PreviewState) -> Told:
    return (
        (f"the transaction {name}", world.kept.phase), (f"about to be handed on {name}", world.going), (f"handed on {name}", world.handed),
    )  # fmt: skip


def _steps(rules: PreviewRules) -> Iterator[Claim]:
    world, event = _any(), _event()
    after, committed = _next(rules, world, event)
    zero = z3.IntVal(0)
    new = PreviewState(world.kept._replace(there=z3.BoolVal(False)), world.about, zero, zero, z3.BoolVal(False))
    happens = (("an event", event.kind), ("it is handed on", _HANDS), ("who has it dies", _DIES))
    before = State(_holds(world), (*_told("before", world), *happens))
    first = State(_holds(new), _told("at first", new))
    yield from induction(
        first, before, State(_holds(after), _told("after", after)), seen=z3.And(committed, world.kept.word)
    )


def _once(rules: PreviewRules) -> Iterator[Claim]:
    yield from _steps(rules)
    world = _any()
    yield Claim("so", (_holds(world),), world.handed > 0, world.handed <= 1, _told("", world))


def _bound(rules: PreviewRules) -> Iterator[Claim]:
    """Committed by its caller, in its session, as previewed, in time, and confirmed for exactly that if required."""
    yield from _steps(rules)
    world, event = _any(), _event()
    _, committed = _next(rules, world, event)
    kept = world.kept
    mine = z3.And(
        event.caller == kept.caller, event.session == kept.session, event.about.commitment == world.about.commitment
    )
    right = z3.And(
        mine, kept.there, event.now < kept.until, kept.phase == OPEN, z3.Implies(kept.confirm, world.approved)
    )
    told = (
        ("its caller", kept.caller), ("who commits", event.caller), ("its request", world.about.commitment), ("the request", event.about.commitment),
        ("its end", kept.until), ("now", event.now), ("to be confirmed", kept.confirm), ("approved", world.approved),
    )  # fmt: skip
    yield Claim("it is committed", (_holds(world),), committed, right, told, seen=kept.confirm)


def _stays(rules: PreviewRules) -> Iterator[Claim]:
    """A begun transaction never changes its content; a refusal is final, and so is completion."""
    world, event = _any(), _event()
    after, about, committed = step(rules, world.kept, world.about, event)
    kept = world.kept
    same = z3.And(
        after.caller == kept.caller,
        after.session == kept.session,
        after.until == kept.until,
        after.confirm == kept.confirm,
    )
    told = (
        ("the transaction", kept.phase),
        ("an event", event.kind),
        ("then", after.phase),
        ("its caller", kept.caller),
        ("then ", after.caller),
    )
    bound = z3.And(*(one == other for one, other in zip(about, world.about, strict=True)))
    yield Claim("an event", (), kept.there, z3.And(same, bound, after.there), told, seen=event.kind == BEGIN)
    over = z3.Or(kept.phase == REFUSED, kept.phase == DONE)
    final = z3.And(after.phase == kept.phase, z3.Not(committed))
    yield Claim(
        "what is over",
        (),
        z3.And(kept.there, over),
        final,
        told,
        seen=z3.And(event.kind == COMMIT, kept.phase == REFUSED),
    )


_THEOREMS = (
    Theorem("handed-once-by-any-callers", "a transaction is handed to the executor at most once, for any number of callers, commits and crashes", _once),
    Theorem("committed-as-it-was-shown", "among any number of transactions, one is committed only by its caller, in its session, unchanged, in time, and confirmed where that is required",
            _bound),
    Theorem("what-was-begun-stays", "a transaction is never replaced by another one of the same name, and a refusal or an end is final", _stays),
)  # fmt: skip


def theory() -> Theory:
    """The theory."""

    def committing(*left_out: str) -> Callable[[StoredTransaction, BoundRequest, Event], Term]:
        """Without some of its conditions."""
        return lambda kept, about, event: z3.And(*(so for name, so in {
            "caller": event.caller == kept.caller, "session": event.session == kept.session, "request": event.about.commitment == about.commitment,
            "phase": kept.phase == OPEN, "clock": event.now < kept.until, "word": z3.Or(z3.Not(kept.confirm), kept.word),
        }.items() if name not in left_out))  # fmt: skip

    mutants = (
        Mutant("commits whatever the phase", "handed-once-by-any-callers", "commits", committing("phase")),
        Mutant("opens again what is done", "handed-once-by-any-callers", "becomes",
            lambda kept, kind: z3.If(z3.And(kind == FINISH, kept.phase == TAKEN), OPEN, becomes(kept, kind))),
        Mutant("does not look at the caller", "committed-as-it-was-shown", "commits", committing("caller")),
        Mutant("does not look at the session", "committed-as-it-was-shown", "commits", committing("session")),
        Mutant("does not look at the request", "committed-as-it-was-shown", "commits", committing("request")),
        Mutant("does not look at the clock", "committed-as-it-was-shown", "commits", committing("clock")),
        Mutant("waits for no approver", "committed-as-it-was-shown", "commits", committing("word")),
        Mutant("takes a word for another preview", "committed-as-it-was-shown", "hears",
            lambda kept, about, event: z3.And(event.now < kept.until, kept.phase == OPEN, kept.confirm, event.about.action == about.action)),
        Mutant("begins over what is there", "what-was-begun-stays", "begins", lambda _, event: event.until > event.now),
        Mutant("takes no for nothing", "what-was-begun-stays", "becomes",
            lambda kept, kind: z3.If(z3.And(kind == REFUSE, kept.phase == REFUSED), OPEN, becomes(kept, kind))),
    )  # fmt: skip
    planted = (
        Planted("commits whatever the phase", Patch(transactions, "_committed",
            lambda real: lambda known, event, now: real(known._replace(phase=transactions.Phase.OPEN), event, now))),
        Planted("does not look at the caller", Patch(transactions, "_committed",
            lambda real: lambda known, event, now: real(known, event._replace(caller=known.caller), now))),
        Planted("hears every word", Patch(transactions, "_confirmed", lambda _: lambda known, event, _now: (known._replace(confirmation=event.confirmation), ""))),
    )  # fmt: skip
    return Theory(
        "previews", "previews and commits, for any number of callers and tries", PreviewRules(), _THEOREMS, mutants,
        (Tie("the life of a transaction", encoded, run, sample, planted, every, samples=25),),
    )  # fmt: skip
