"""Two servers in one process: they decide together, and whatever differs or breaks between them ends without a decision."""

import asyncio

import pytest

from authority_world import BINDING, NOW, classes, database, key, known, tables
from authority_world import redact as redacted
from remit.authority.patch import patched
from remit.authority.question.asking import Question, questions
from remit.authority.question.spoken import spoken
from remit.authority.server.service import Identity, Service
from remit.authority.shared.dealing import deal
from remit.authority.values.action import LIFETIME, REMEMBERED, new_action
from remit.authority.values.opening import open_for
from remit.authority.values.outputs import joined
from remit.authority.values.request import make_request
from remit.authority.wire import frames
from remit.authority.wire.frames import CHECK, Said
from remit.core.errors import AuthorityError
from remit.executor.accept import Presented, accept
from remit.executor.accepted import Accepted

LAYOUT = database().layout
OPENING = open_for(make_request("SendMessage", "agent", "s", {"to": "boss@example.org", "text": "hello"}), bytes(32))
ASKED = questions(LAYOUT, spoken(LAYOUT.program, OPENING.request, classes), BINDING.question_seed(OPENING))
COMMITMENT = BINDING.commitment(OPENING).hex()


class Clock:
    now = float(NOW)

    def __call__(self):
        return self.now


class Pair:
    """Two servers, their connection and a dealer."""

    def __init__(self, **changes):
        self.clock = Clock()
        self.layouts = changes.get("layouts", (LAYOUT, LAYOUT))
        self.spoil = changes.get("spoil", lambda _party, dealt: dealt)
        self.fetched = []

    async def __aenter__(self):
        self.services = [self.service(number) for number in (0, 1)]
        await self.connect()
        return self

    def service(self, number):
        async def fetch(block, size):
            self.fetched.append((number, block))
            return self.spoil(number, deal(b"d" * 32, int.from_bytes(block, "big"), number, size))

        identity = Identity(number, f"p{number}", "ed25519", key(f"server {number}"))
        return Service(identity, self.layouts[number], tables(), fetch, self.clock)

    async def connect(self):
        made = asyncio.get_running_loop().create_future()
        self.listener = await asyncio.start_server(lambda r, w: made.set_result((r, w)), "127.0.0.1", 0)
        port = self.listener.sockets[0].getsockname()[1]
        ends = [await asyncio.open_connection("127.0.0.1", port), await made]
        self.writers = [end[1] for end in ends]
        self.serving = [asyncio.create_task(one.link.serve(*end)) for one, end in zip(self.services, ends, strict=True)]
        await asyncio.sleep(0)

    async def __aexit__(self, *_):
        for writer in self.writers:
            writer.close()
        await asyncio.gather(*self.serving)
        self.listener.close()
        for one in self.services:
            await asyncio.gather(*one._tasks, return_exceptions=True)

    async def decide(self, action_id, commitment=(COMMITMENT, COMMITMENT), asked=ASKED):
        return await asyncio.gather(
            *(self.services[n].evaluate(action_id, commitment[n], asked[n]) for n in (0, 1)), return_exceptions=True
        )


def run(work):
    return asyncio.run(asyncio.wait_for(work, 60))


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    monkeypatch.setattr(frames, "_WAIT", 3.0)
    monkeypatch.setattr("remit.authority.server.service._PATIENCE", 300)


def test_they_decide_and_sign_and_the_executor_accepts():
    async def work():
        async with Pair() as pair:
            action = new_action(NOW)
            shares = await pair.decide(action)
            assert joined(*shares).allow
            proofs = tuple(one.commit(action, COMMITMENT).to_json() for one in pair.services)
            presented = Presented(OPENING.request.spelling(), OPENING.nonce, proofs)
            found = accept(known(), presented, NOW)
            assert isinstance(found, Accepted)
            assert found.inputs == patched(LAYOUT.program, OPENING.request, joined(*shares), redacted)
            pair.clock.now += 40
            assert accept(known(), presented, NOW + 40).code.name == "PROOF_STALE"
            again = tuple(one.commit(action, COMMITMENT).to_json() for one in pair.services)
            assert isinstance(accept(known(), presented._replace(proofs=again), NOW + 40), Accepted)

    run(work())


def test_many_that_wait_for_one_portion_each_get_one(monkeypatch):
    monkeypatch.setattr("remit.authority.server.service._PORTIONS", (1, 1, 1, 1))
    monkeypatch.setattr("remit.authority.server.service._READY", (1, 1, 1, 1))

    async def work():
        async with Pair() as pair:
            decided = await asyncio.gather(*(pair.decide(new_action(NOW)) for _ in range(5)))
            assert [joined(*shares).allow for shares in decided] == [True] * 5

    run(work())


def test_many_at_once_each_have_their_own_triples():
    async def work():
        async with Pair() as pair:
            actions = [new_action(NOW) for _ in range(12)]
            found = await asyncio.gather(*(pair.decide(action) for action in actions))
            assert all(joined(*shares).allow for shares in found)

    run(work())


def test_a_block_is_fetched_once_by_each():
    async def work():
        async with Pair() as pair:
            for _ in range(3):
                await pair.decide(new_action(NOW))
            assert len(pair.fetched) == len(set(pair.fetched))
            second = pair.services[1]
            block = next(block for number, block in pair.fetched if number == 1)
            second._begun(Said(CHECK, block, 0), b"\0")
            second._begun(Said(CHECK, b"x" * 16, 0), b"\x09")
            second._begun(Said(CHECK, b"x" * 16, 0), b"")
            assert not [one for one in second._tasks if not one.done()]

    run(work())


def refused(results):
    return all(isinstance(one, AuthorityError) for one in results)


def nothing_to_sign(pair, action, commitment=COMMITMENT):
    for one in pair.services:
        with pytest.raises(AuthorityError, match="ACTION_UNKNOWN"):
            one.commit(action, commitment)


@pytest.mark.parametrize(
    "changed", [{"digest": "sha256:" + "0" * 64}, {"database": "sha256:" + "0" * 64}, {"epoch": 4}]
)
def test_servers_with_different_policies_decide_nothing(changed):
    async def work():
        async with Pair(layouts=(LAYOUT, LAYOUT._replace(**changed))) as pair:
            action = new_action(NOW)
            assert refused(await pair.decide(action))
            nothing_to_sign(pair, action)

    run(work())


def test_servers_that_are_told_of_different_requests_decide_nothing():
    async def work():
        async with Pair() as pair:
            action = new_action(NOW)
            assert refused(await pair.decide(action, (COMMITMENT, "0" * 64)))
            nothing_to_sign(pair, action)

    run(work())


def test_a_server_that_dies_under_way_takes_the_decision_with_it():
    async def work():
        async with Pair() as pair:
            action = new_action(NOW)
            running = asyncio.create_task(pair.decide(action))
            await asyncio.sleep(0)  # it has begun
            pair.writers[0].transport.abort()
            assert refused(await running)
            nothing_to_sign(pair, action)
            assert not any(one.link.up for one in pair.services)

    run(work())


def test_one_server_alone_decides_nothing():
    async def work():
        async with Pair() as pair:
            action = new_action(NOW)
            with pytest.raises(AuthorityError, match="does not answer"):
                await pair.services[0].evaluate(action, COMMITMENT, ASKED[0])
            nothing_to_sign(pair, action)

    run(work())


def test_words_of_an_attempt_that_failed_are_not_heard_by_the_next():
    """The first server was asked alone and named a portion; asked again together, both must speak of one portion or not at all."""

    async def work():
        async with Pair() as pair:
            action = new_action(NOW)
            with pytest.raises(AuthorityError):
                await pair.services[0].evaluate(action, COMMITMENT, ASKED[0])
            results = await pair.decide(action)
            assert refused(results) or joined(*results).allow
            assert joined(*await pair.decide(new_action(NOW))).allow

    run(work())


def test_a_dealer_who_deals_wrong_triples_is_no_dealer():
    def spoil(party, dealt):
        return dealt._replace(correction=bytes(255 - byte for byte in dealt.correction)) if party else dealt

    async def work():
        async with Pair(spoil=spoil) as pair:
            results = await pair.decide(new_action(NOW))
            assert any("no triples" in str(one) for one in results)
            assert refused(results)

    run(work())


@pytest.mark.parametrize("later", [-61, LIFETIME])
def test_an_action_is_begun_in_its_time(later):
    async def work():
        async with Pair() as pair:
            pair.clock.now += later
            results = await pair.decide(new_action(NOW))
            assert all("ACTION_STALE" in str(one) for one in results)

    run(work())


def test_a_decision_is_signed_in_its_time_and_for_its_commitment_alone():
    async def work():
        async with Pair() as pair:
            action = new_action(NOW)
            await pair.decide(action)
            nothing_to_sign(pair, action, "0" * 64)
            nothing_to_sign(pair, new_action(NOW))
            pair.clock.now += REMEMBERED
            nothing_to_sign(pair, action)

    run(work())


def test_an_action_is_begun_once():
    async def work():
        async with Pair() as pair:
            action = new_action(NOW)
            await pair.decide(action)
            assert all("ACTION_KNOWN" in str(one) for one in await pair.decide(action))
            assert pair.services[0].commit(action, COMMITMENT)

    run(work())


def test_a_question_of_another_shape_costs_no_triples():
    async def work():
        async with Pair() as pair:
            for question in (Question(0, b""), Question(9, ASKED[0].body), Question(0, ASKED[0].body + b"\0")):
                results = await pair.decide(new_action(NOW), asked=(question, question))
                assert all("shape" in str(one) for one in results)
            assert not pair.fetched

    run(work())


def test_flaw_12_without_the_key_a_server_can_not_test_a_guess():
    """Flaw 12: an unkeyed digest of the request. Whoever has commitment, nonce and guess, but not the key, can not compare."""
    from remit.authority.values.opening import BindingKey

    assert BINDING.commitment(OPENING).hex() == COMMITMENT
    assert BindingKey(bytes(32)).commitment(OPENING).hex() != COMMITMENT
    assert "bytes" not in repr(BINDING)
