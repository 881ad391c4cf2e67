"""A day of a gateway in one store: people who ask and are let in, events that come twice, turns that are lost, sendings that fail, devices."""

from one_at_a_time import take_piece, take_turn

from remit.gateway.inbound import delivery, intake, pairing, turns
from remit.gateway.inbound.delivery import MaybeSent, NotSent, Piece, SentConfirmed
from remit.gateway.inbound.events import Event, Gate, What
from remit.gateway.inbound.nodes import runs
from remit.gateway.inbound.pairing import Approve, Ask, Deny, Remove, Rules
from remit.gateway.inbound.routing import ChatAddress, ConversationKind
from remit.gateway.inbound.settings.values import Agent, ChannelSettings, Platform, Settings
from remit.gateway.inbound.tool_policy import Layer, Policy, names

RULES = Rules(most=2)
POLICY = Policy(names().all, {"global": Layer(deny=("group:run",))})
SETTINGS = Settings(
    channels={"chat": ChannelSettings(Platform.WEBHOOK, "us", Gate(operators=frozenset({"olga"})), RULES, "secret")},
    agents={"main": Agent(POLICY)},
)


def event(peer, number, text="hello", what=What.SAID, message=""):
    place = ChatAddress("chat", "us", ConversationKind.DIRECT, peer)
    return Event(place, what, text, message or f"m{number}", f"e{number}", f"t{number}", f"d{number}")


def live(run, begin):
    """Whatever happens in a day. `run`: what runs an operation."""
    now = begin
    for number, peer in enumerate(("ann", "bob", "cid", "ann", "olga")):
        run(intake.hear(SETTINGS, event(peer, number), f"code-{peer}", now + number))
    run(pairing.apply(RULES, "chat", Approve("code-ann"), now))
    run(pairing.apply(RULES, "chat", Deny("code-bob"), now))
    run(pairing.apply(RULES, "chat", Ask("cid", "code-cid"), now + 9))
    for number in range(10, 16):
        for _ in range(2):
            run(intake.hear(SETTINGS, event("ann", number), "unused", now + number))
    run(intake.hear(SETTINGS, event("ann", 16, "better", What.EDITED, "m10"), "unused", now + 16))
    run(intake.hear(SETTINGS, event("olga", 17, "/status"), "unused", now + 17))
    now += 100
    for lost in range(12):
        now = _turns(run, now, lost)
    run(intake.hear(SETTINGS, event("ann", 10), "unused", now))
    for ended in (*[NotSent] * 30, SentConfirmed, MaybeSent, *[SentConfirmed] * 9):
        now += 1000
        if found := run(take_piece("w", now)):
            run(delivery.apply(found[0], ended("w"), now))
    _devices(run, now)
    run(pairing.apply(RULES, "chat", Remove("ann"), now))


def _turns(run, now, lost):
    """One turn: it is lost while it thinks, lost while it acts, or answered."""
    found = run(take_turn("w", now))
    if found is None or found[2] is None:
        return now + 1000
    key, turn, said = found
    if lost % 3:
        run(turns.go_on(key, "w", now, acts=lost % 3 == 2))
    if lost % 3 != 1:
        return now + 1000  # nobody goes on with it
    piece = Piece(turn.session, turns.back_to(said), "answer", turn.trace)
    run(turns.finish(key, "w", now, (piece, piece)))
    return now + 1


def _devices(run, now):
    for name, approval, answers in (
        (
            "r1",
            True,
            (
                runs.RunSent("x", True),
                runs.Approve("x", "olga"),
                runs.RunSent("x", True),
                runs.RunDone(),
                runs.RunSent("x", True),
            ),
        ),
        ("r2", True, (runs.Approve("x", "olga"), runs.Deny(), runs.RunSent("x", True))),
        ("r3", False, (runs.RunSent("x", True), runs.RunLost(), runs.Approve("x", "olga"))),
        ("r4", True, (runs.Approve("x", "olga"),)),
    ):
        run(runs.apply(name, runs.Ask("d", "notes.list", "x", approval), now))
        run(runs.apply(name, runs.Ask("d", "notes.list", "y", approval=False), now))
        for one in answers:
            run(runs.apply(name, one, now))
    run(runs.apply("r4", runs.RunSent("x", True), now + 10_000))
