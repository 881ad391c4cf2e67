"""Every law is a claim of a model, in the same words; and what a law is given by, it can tell apart."""

from each_row import each_row
from remit.gateway.inbound import laws
from remit.gateway.inbound.laws import Law
from remit.gateway.inbound.nodes import runs
from remit.gateway.inbound.routing import ChatAddress, ConversationKind, Identity, Scope, Sessions, linked
from remit.gateway.inbound.turns import Turn, TurnPhase
from remit.models.explore.properties import read_properties

LAWS = [one for one in vars(laws).values() if isinstance(one, Law)]


def test_every_law_is_a_claim_of_a_model():
    claims = {one.id: one.says for one in read_properties()}
    assert {one.id: one.says for one in LAWS} == {one.id: claims.get(one.id) for one in LAWS}
    assert len({one.id for one in LAWS}) == len(LAWS) == 37


ANN, BOB = (
    ChatAddress("chat", "us", ConversationKind.DIRECT, "ann"),
    ChatAddress("chat", "us", ConversationKind.DIRECT, "bob"),
)
ELSEWHERE = ChatAddress("mail", "us", ConversationKind.DIRECT, "ann")
LINKED = Sessions(Scope.PEER, links=linked([(ANN.identity, ELSEWHERE.identity)]))


def test_who_may_be_in_one_session():
    assert laws.may_share(Sessions(), ANN, ANN._replace(thread="t"))
    assert not laws.may_share(Sessions(), ANN, BOB)
    assert not laws.may_share(Sessions(Scope.PEER), ANN, ELSEWHERE)
    assert laws.may_share(LINKED, ANN, ELSEWHERE)
    assert not laws.may_share(LINKED._replace(unlinked=frozenset({"mail"})), ANN, ELSEWHERE)
    assert not laws.may_share(LINKED._replace(scopes={"mail": Scope.CHANNEL_PEER}), ANN, ELSEWHERE)
    assert laws.may_share(Sessions(Scope.MAIN), ANN, BOB)
    assert not laws.may_share(Sessions(Scope.MAIN, {"mail": Scope.PEER}), ANN, ELSEWHERE)
    room = ANN._replace(kind=ConversationKind.GROUP, room="garden")
    assert laws.may_share(Sessions(), room, room._replace(peer="bob"))
    assert not laws.may_share(Sessions(), room, room._replace(room="kitchen"))
    assert not laws.may_share(Sessions(Scope.MAIN), room, ANN)
    assert Identity("chat", "ann") == ANN.identity


ASKED = runs.Request("d", "notes.list", "x", 1000, runs.RunPhase.WAITING)


@each_row(
    ("phase", "approver", "holds"),
    [
        (runs.RunPhase.WAITING, "", True),
        (runs.RunPhase.DENIED, "", True),
        (runs.RunPhase.READY, "olga", True),
        (runs.RunPhase.READY, "", False),
        (runs.RunPhase.RUNNING, "olga", False),
        (runs.RunPhase.DONE, "olga", False),
    ],
)
def test_what_waits_for_a_person_becomes_ready_by_a_person_and_nothing_else(phase, approver, holds):
    assert laws.waits_for_a_person(ASKED, ASKED._replace(phase=phase, approver=approver)) is holds


def test_what_is_kept_of_a_turn_before_a_tool_runs():
    turn = Turn("s", "main", "t")
    held = {phase: laws.turn_kept_first(turn._replace(phase=phase)) for phase in TurnPhase}
    assert {phase for phase, holds in held.items() if not holds} == {TurnPhase.WAITING, TurnPhase.TAKEN}
    assert laws.turn_kept_first(None)  # its end was forgotten
