"""The rules of transactions (`gateway/transactions/life.py`) for a solver, and beside them the code, asked the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import z3

from remit.gateway.transactions import life as code
from remit.models.proofs.solving import choose, value

if TYPE_CHECKING:
    from random import Random

    from remit.models.proofs.theory import Term

PHASE, _VALUES = z3.EnumSort("TransactionPhase", [str(one) for one in code.Phase])
PHASES = dict(zip(code.Phase, _VALUES, strict=True))
OPEN, TAKEN, DONE, REFUSED = (PHASES[one] for one in code.Phase)
KINDS = (code.Begin, code.Confirm, code.Refuse, code.Commit, code.Release, code.Finish)
KIND, KIND_VALUES = z3.EnumSort("TransactionEvent", [one.__name__.lower() for one in KINDS])
BEGIN, CONFIRM, REFUSE, COMMIT, RELEASE, FINISH = KIND_VALUES


class About(NamedTuple):
    """What is bound: an action, the commitment to a request, and the inputs with which it happens."""

    action: Term
    commitment: Term
    preview: Term


class Kept(NamedTuple):
    """A transaction, as it is kept."""

    there: Term
    caller: Term
    session: Term
    until: Term
    confirm: Term  # an approver must confirm
    word: Term  # and has
    phase: Term


class Event(NamedTuple):
    """What happens: of whom, about what, when."""

    kind: Term
    caller: Term
    session: Term
    about: About
    until: Term  # beginning: its end
    confirm: Term  # beginning: an approver must confirm
    now: Term


def begins(kept: Kept, event: Event) -> Term:
    """Whether it begins: nothing takes the place of what is there, and nothing begins that is over."""
    return z3.And(z3.Not(kept.there), event.until > event.now)


def hears(kept: Kept, about: About, event: Event) -> Term:
    """Whether an approver's word counts."""
    same = z3.And(*(one == other for one, other in zip(event.about, about, strict=True)))
    return z3.And(event.now < kept.until, kept.phase == OPEN, kept.confirm, same)


def commits(kept: Kept, about: About, event: Event) -> Term:
    """Whether it is committed."""
    mine = z3.And(
        event.caller == kept.caller, event.session == kept.session, event.about.commitment == about.commitment
    )
    return z3.And(mine, kept.phase == OPEN, event.now < kept.until, z3.Or(z3.Not(kept.confirm), kept.word))


def becomes(kept: Kept, kind: Term) -> Term:
    """How far it has come by anything else."""
    taken = kept.phase == TAKEN
    done = z3.If(z3.And(kind == FINISH, taken), DONE, kept.phase)
    back = z3.If(z3.And(kind == RELEASE, taken), OPEN, done)
    return z3.If(z3.And(kind == REFUSE, kept.phase == OPEN), REFUSED, back)


class Operators(NamedTuple):
    """The rules."""

    begins: Callable[[Kept, Event], Term] = begins
    hears: Callable[[Kept, About, Event], Term] = hears
    commits: Callable[[Kept, About, Event], Term] = commits
    becomes: Callable[[Kept, Term], Term] = becomes


def step(rules: Operators, kept: Kept, about: About, event: Event) -> tuple[Kept, About, Term]:
    """What is there after an event, what it is about, and whether it was committed by it."""
    new = Kept(z3.BoolVal(True), event.caller, event.session, event.until, event.confirm, z3.BoolVal(False), OPEN)
    begun = z3.And(event.kind == BEGIN, rules.begins(kept, event))
    heard = z3.And(event.kind == CONFIRM, rules.hears(kept, about, event))
    committed = z3.And(kept.there, event.kind == COMMIT, rules.commits(kept, about, event))
    phase = z3.If(committed, TAKEN, rules.becomes(kept, event.kind))
    refused = z3.And(event.kind == REFUSE, kept.phase == OPEN)
    told = kept._replace(phase=phase, word=z3.And(z3.Or(kept.word, heard), z3.Not(refused)))
    return choose(begun, new, choose(kept.there, told, kept)), choose(begun, event.about, about), committed


class Case(NamedTuple):
    """What is kept, an event and the time."""

    known: code.Transaction | None
    event: code.Event
    now: int


def sample(random: Random) -> Case:
    """Most of it right, and something wrong."""

    def pick(letter: str) -> str:
        return letter if random.random() < 0.85 else "x"

    def some(phase: code.Phase) -> code.Transaction:
        word = {"by": "person"} if random.random() < 0.5 else None
        wants = random.random() < 0.5
        return code.Transaction("c", "s", "Send", "a", "00", "r", random.randint(2, 4), "00", wants, "p", word, phase)

    phase = random.choice((code.Phase.OPEN, code.Phase.OPEN, *code.Phase))
    begin = code.Begin(some(code.Phase.OPEN)._replace(confirmation=None))
    commit, confirm = (
        code.Commit(pick("c"), pick("s"), pick("r")),
        code.Confirm(pick("a"), pick("r"), pick("p"), {"by": "new"}),
    )
    event = random.choice((begin, commit, commit, confirm, confirm, code.Refuse(), code.Release(), code.Finish()))
    return Case(some(phase) if random.random() < 0.85 else None, event, random.randint(1, 4))


def every() -> Iterator[Case]:
    """One that could be committed or confirmed, with one thing wrong; and every phase with every other event."""
    shown = code.Transaction("c", "s", "Send", "a", "00", "r", 3, "00", True, "p", {"by": "person"})
    commit, word = code.Commit("c", "s", "r"), code.Confirm("a", "r", "p", {"by": "new"})
    for phase, now in ((code.Phase.OPEN, 2), (code.Phase.OPEN, 3), (code.Phase.TAKEN, 2), (code.Phase.REFUSED, 2)):
        for event in (commit, word):
            yield Case(shown._replace(phase=phase), event, now)
    yield Case(shown._replace(confirmation=None), commit, 2)
    yield Case(shown._replace(confirm=False, confirmation=None), word, 2)
    for name in ("caller", "session", "commitment"):
        yield Case(shown, commit._replace(**{name: "x"}), 2)
    for wrong in (code.Confirm("x", "r", "p", {}), code.Confirm("a", "x", "p", {}), code.Confirm("a", "r", "x", {})):
        yield Case(shown._replace(confirmation=None), wrong, 2)
    begin = code.Begin(shown._replace(caller="d", confirmation=None))
    for phase in code.Phase:
        for other in (begin, code.Refuse(), code.Release(), code.Finish()):
            yield Case(shown._replace(phase=phase), other, 2)


def _number(letter: str) -> Term:
    return z3.IntVal(ord(letter) if letter else 0)


def encoded(rules: Operators, case: Case) -> Any:
    """What is there then, and whether it was committed."""
    known, event = case.known, case.event
    truths = (
        known is not None,
        known is not None and known.confirm,
        known is not None and known.confirmation is not None,
    )
    there, confirm, word = map(z3.BoolVal, truths)
    kept = Kept(
        there, _number(known.caller if known else ""), _number(known.session if known else ""), z3.IntVal(known.until if known else 0),
        confirm, word, PHASES[known.phase if known else code.Phase.OPEN],
    )  # fmt: skip
    about = About(*map(_number, (known.action_id, known.commitment, known.preview) if known else ("", "", "")))
    made: Any = event.transaction if isinstance(event, code.Begin) else event
    told = About(*(_number(getattr(made, name, "")) for name in ("action_id", "commitment", "preview")))
    came = Event(
        KIND_VALUES[KINDS.index(type(event))], _number(getattr(made, "caller", "")), _number(getattr(made, "session", "")), told,
        z3.IntVal(getattr(made, "until", 0)), z3.BoolVal(getattr(made, "confirm", False)), z3.IntVal(case.now),
    )  # fmt: skip
    after, then, committed = step(rules, kept, about, came)
    found = (*map(value, after), *map(value, then))
    return found if found[0] else None, value(committed)


def run(case: Case) -> Any:
    """What the code says."""
    after, refused = code.step(case.known, case.event, case.now)
    committed = not refused and isinstance(case.event, code.Commit)
    if after is None:
        return None, committed
    word = after.confirmation is not None
    names = (after.action_id, after.commitment, after.preview)
    who = (ord(after.caller), ord(after.session), after.until, after.confirm, word, str(after.phase))
    return (True, *who, *map(ord, names)), committed
