"""One party that lies decides nothing and is named; and where a check is taken away, the game sees that the liar wins."""

import asyncio
import json
import random
import secrets
import time

import pytest

from authority_world import built
from each_row import each_row
from remit.authority.database import make_probes
from remit.authority.question import answers as answer_module
from remit.authority.values.action import new_action
from remit.authority.values.opening import BindingKey, open_for
from remit.bundle.keys import read_private, read_public
from remit.cli.main import main
from remit.core.errors import AuthorityError
from remit.executor import accept
from remit.gateway.deployment.folders import make_folder
from remit.gateway.games import lying_parties
from remit.gateway.parties import servers
from remit.gateway.parties.servers import (
    EVIDENCE,
    MOST_ABORTS,
    Accusing,
    Evidence,
    UsedProbes,
    kept_evidence,
    liars,
    read_evidence,
)
from remit.gateway.state import Vault, read_vault


def won(rounds, seed=1):
    return {one.what for one in lying_parties.play(rounds, seed) if one.won}


def test_a_liar_decides_nothing_and_is_named():
    assert won(4) == set()


class AnyTag:
    def __xor__(self, other):
        return other ^ other


def test_without_tags_a_lying_server_wins(monkeypatch):
    monkeypatch.setattr(answer_module, "tags", lambda *_: AnyTag())
    assert any(what.startswith("a server") for what in won(6))


def test_a_liar_that_nobody_names_has_won(monkeypatch):
    monkeypatch.setattr(lying_parties, "liars", lambda *_: ())
    monkeypatch.setattr(servers, "_names", lambda _: "")
    assert any(what.startswith("a server") for what in won(3))


def test_an_honest_server_that_is_named_is_a_win(monkeypatch):
    monkeypatch.setattr(lying_parties, "liars", lambda *_: (0, 1))
    assert any(what.startswith("a server") for what in won(6))


@pytest.mark.parametrize(
    ("name", "put", "what"),
    [
        ("_called", lambda *_: None, "a gateway names another caller"),
        ("confirmed", lambda *_: "approver", "a gateway hands on what nobody confirmed"),
    ],
)
def test_without_a_check_of_the_executor_a_lying_gateway_wins(monkeypatch, name, put, what):
    monkeypatch.setattr(accept, name, put)
    assert what in won(1)


def test_where_tickets_name_no_store_proofs_count_in_two(monkeypatch):
    real = BindingKey._told
    monkeypatch.setattr(
        BindingKey, "_told", lambda self, domain, opening: real(self, domain, opening._replace(store="0" * 32))
    )
    assert "a gateway hands on proofs for another replay store" in won(1)


def evidence(folder, lie):
    """What is kept of one look-up in which the first server lied."""
    place = lying_parties._office(folder, random.Random(1))
    vault = Vault(b"v" * 32)
    accusing = Accusing(folder / "evidence", vault, bool)
    place.servers[0].lie, place.servers[0].left = lie, 1
    request = lying_parties._request(random.Random(2))
    with pytest.raises(AuthorityError):
        asyncio.run(
            lying_parties._servers(place, accusing).look_up(open_for(request, secrets.token_hex(16)), new_action(0))
        )
    ((_, found),) = kept_evidence(folder / "evidence", vault)
    return place, found


def test_evidence_that_the_gateway_could_have_made_accuses_nobody(tmp_path):
    """Only a server's own signature on an answer that does not follow from the tables accuses it."""
    place, found = evidence(tmp_path, lying_parties._spoils(lying_parties._one_bit))
    held, known = place.built.holdings, place.known.keys
    assert liars(held, known, found) == (0,)
    assert read_evidence(json.loads(json.dumps(found.to_json()))) == found
    other = found.questions[0]._replace(body=found.questions[0].body[::-1])
    forged = [
        found._replace(questions=(other, found.questions[1])),
        found._replace(signed=(found.signed[0]._replace(signature=bytes(64)), found.signed[1])),
        found._replace(signed=found.signed[::-1]),
    ]
    for one in forged:
        assert liars(held, known, one) == ()
    assert liars(held._replace(epoch=9), known, found) == ()


def test_after_too_many_failures_nothing_is_asked(tmp_path):
    now = [1000.0]
    _, found = evidence(tmp_path, lying_parties._spoils(lying_parties._one_bit))
    named = []
    accusing = Accusing(tmp_path / "e", Vault(b"v" * 32), bool, lambda *told: named.append(told), lambda: now[0])
    for _ in range(MOST_ABORTS):
        accusing.check_limit()
        accusing.accuse("p0", "why", found)
    with pytest.raises(AuthorityError, match="too many"):
        accusing.check_limit()
    now[0] += 3601
    accusing.check_limit()
    assert named == [("p0", "why")] * MOST_ABORTS


def test_a_restart_does_not_begin_a_new_hour_and_old_evidence_goes(tmp_path):
    now, vault = [1000.0], Vault(b"v" * 32)
    _, found = evidence(tmp_path, lying_parties._spoils(lying_parties._one_bit))

    def started():
        return Accusing(tmp_path / "e", vault, bool, clock=lambda: now[0])

    accusing = started()
    for number in range(100):
        now[0] += 1
        accusing.accuse("", "why", found._replace(ticket=number.to_bytes(32, "little")))
    kept = [one.ticket[0] for _, one in kept_evidence(tmp_path / "e", vault)]
    assert kept == list(range(36, 100))
    with pytest.raises(AuthorityError, match="too many"):
        started().check_limit()
    now[0] += 3600
    started().check_limit()


def test_each_probe_is_used_once_by_all_gateways_also_after_a_restart(tmp_path):
    """A server knows a question that it saw before, and answers it as it should."""
    some = make_probes(built(), 3)
    seen = []
    for given in (some, some, some[:1], some):
        used = UsedProbes(tmp_path / "probes.db")
        seen.append(Accusing(tmp_path / "e", None, used.claim).next_probe(given))
        used.close()
    assert seen == [some[0], some[1], None, some[2]]


def looked_up(folder, lie, ask):
    """Whom the gateway names when the second server lies in one answer."""
    place = lying_parties._office(folder, random.Random(1))
    heard = lying_parties._Heard()
    servers = lying_parties._servers(place, Accusing(folder / "evidence", Vault(b"v" * 32), bool, heard))
    place.servers[1].lie, place.servers[1].left = lie, 1
    asyncio.run(ask(servers))
    return heard.named, place


async def cover(servers):
    await servers._ask_nothing(0)


async def preview(servers):
    with pytest.raises(AuthorityError):
        await servers.look_up(open_for(lying_parties._request(random.Random(2)), "0" * 32), new_action(0))


@each_row("ask", [cover, preview])
@each_row("what", lying_parties.SERVER_LIES)
def test_no_lie_is_left_for_the_executor_to_find(tmp_path, what, ask):
    """It sees commits alone: what it refuses would tell the liar which look-up was one, and that it was allowed."""
    named, place = looked_up(tmp_path, lying_parties.SERVER_LIES[what], ask)
    found = {
        f"p{number}"
        for _, one in kept_evidence(tmp_path / "evidence", Vault(b"v" * 32))
        for number in liars(place.built.holdings, place.known.keys, one)
    }
    assert {*named, *found} - {""} == {"p1"}


@each_row("moment", [-600, -20, 20, 600])
def test_who_signs_another_time_is_named_at_once(tmp_path, moment):
    lie = lying_parties._signs(ts=int(time.time()) + moment)
    assert looked_up(tmp_path, lie, preview)[0] == ["p1"]


def test_the_clock_of_the_gateway_accuses_no_server(tmp_path, monkeypatch):
    place = lying_parties._office(tmp_path, random.Random(1))
    heard = lying_parties._Heard()
    servers = lying_parties._servers(place, Accusing(tmp_path / "evidence", Vault(b"v" * 32), bool, heard))
    for one in place.servers:
        one._service._clock = lambda: time.time() - 60
    with pytest.raises(AuthorityError, match="clocks"):
        asyncio.run(servers.look_up(open_for(lying_parties._request(random.Random(2)), "0" * 32), new_action(0)))
    assert not heard.named


def test_after_too_many_failures_no_cover_leaves_either(tmp_path):
    """Covers that went on alone would show how many of the look-ups before were none."""
    place = lying_parties._office(tmp_path, random.Random(1))
    accusing = Accusing(tmp_path / "evidence", Vault(b"v" * 32), bool)
    servers = lying_parties._servers(place, accusing)
    place.servers[0].lie, place.servers[0].left = lying_parties._spoils(lying_parties._one_bit), 1000
    for _ in range(MOST_ABORTS + 5):
        asyncio.run(servers._ask_nothing(0))
    assert place.servers[0].left == 1000 - MOST_ABORTS
    assert len(list(kept_evidence(tmp_path / "evidence", Vault(b"v" * 32)))) == MOST_ABORTS


def test_the_audit_of_an_operator_names_the_liar(tmp_path, capsys):
    from remit.authority.policy_files import read_layout, read_tables
    from remit.authority.question.answers import answer_digest, look_up
    from remit.authority.question.layout import GATEWAY
    from remit.authority.question.questions import ask, nobody
    from remit.authority.values.proof import Context, Proof, sign

    folder = tmp_path / "up"
    make_folder(folder, None)
    (folder / "state" / "gateway").mkdir()
    assert main(["gateway", "liars", "--folder", str(folder)]) == 0
    layout = read_layout(folder / "built" / "gateway.layout", GATEWAY).layout
    held = read_tables(folder / "built" / "tables")
    asked = ask(layout, nobody(layout), b"s" * 32)
    answers = [look_up(held.program, held.tables, number, one) for number, one in enumerate(asked.questions)]
    answers[1] = bytes([answers[1][0] ^ 1]) + answers[1][1:]
    context = Context(held.digest, held.database, held.epoch, "0" * 64)
    signed = [
        sign(
            Proof(number, "k1", 1, context, asked.questions[number].digest(), answer_digest(answers[number])),
            read_private(folder / "keys" / f"p{number}.key"),
        )
        for number in (0, 1)
    ]
    assert read_public(folder / "keys" / "p1.key.pub").key == read_private(folder / "keys" / "p1.key").public
    one = Evidence(bytes(32), asked.questions, tuple(signed), tuple(answers))
    vault = read_vault(folder / "keys" / "handle.key")
    Accusing(folder / "state" / "gateway" / EVIDENCE, vault, bool).accuse("", "x", one)
    capsys.readouterr()
    assert main(["gateway", "liars", "--folder", str(folder), "--format", "json"]) == 1
    assert [one["liars"] for one in json.loads(capsys.readouterr().out)["look_ups"]] == [["p1"]]
