"""Every law is a claim of a model, in the same words; and what a law is given by, it can tell apart."""

from remit.gateway.inbound.laws import answers, devices, events, people, tools, work
from remit.gateway.inbound.laws.law import Law
from remit.gateway.inbound.routing.links import linked
from remit.gateway.inbound.routing.message import Identity, Kind, Place
from remit.gateway.inbound.routing.sessions import Scope, Sessions
from remit.models.explore.properties import read_properties

LAWS = [
    one
    for room in (answers, devices, events, people, tools, work)
    for one in vars(room).values()
    if isinstance(one, Law)
]


def test_every_law_is_a_claim_of_a_model():
    claims = {one.id: one.says for one in read_properties()}
    assert {one.id: one.says for one in LAWS} == {one.id: claims.get(one.id) for one in LAWS}
    assert len({one.id for one in LAWS}) == len(LAWS) == 37


ANN, BOB = Place("chat", "us", Kind.DIRECT, "ann"), Place("chat", "us", Kind.DIRECT, "bob")
ELSEWHERE = Place("mail", "us", Kind.DIRECT, "ann")
LINKED = Sessions(Scope.PEER, links=linked([(ANN.identity, ELSEWHERE.identity)]))


def test_who_may_be_in_one_session():
    assert events.may_share(Sessions(), ANN, ANN._replace(thread="t"))
    assert not events.may_share(Sessions(), ANN, BOB)
    assert not events.may_share(Sessions(Scope.PEER), ANN, ELSEWHERE)
    assert events.may_share(LINKED, ANN, ELSEWHERE)
    assert not events.may_share(LINKED._replace(unlinked=frozenset({"mail"})), ANN, ELSEWHERE)
    assert not events.may_share(LINKED._replace(scopes={"mail": Scope.CHANNEL_PEER}), ANN, ELSEWHERE)
    assert events.may_share(Sessions(Scope.MAIN), ANN, BOB)
    assert not events.may_share(Sessions(Scope.MAIN, {"mail": Scope.PEER}), ANN, ELSEWHERE)
    room = ANN._replace(kind=Kind.GROUP, room="garden")
    assert events.may_share(Sessions(), room, room._replace(peer="bob"))
    assert not events.may_share(Sessions(), room, room._replace(room="kitchen"))
    assert not events.may_share(Sessions(Scope.MAIN), room, ANN)
    assert Identity("chat", "ann") == ANN.identity
