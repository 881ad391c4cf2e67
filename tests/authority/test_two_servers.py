"""Two servers in one process: what they answer and sign, each for itself, and that the executor decides on it."""

import asyncio

import httpx
import pytest

from authority_world import BINDING, NOW, STORE, built, classes, credential_of, key, known
from authority_world import redact as redacted
from each_row import each_row
from remit.authority.patch import patched
from remit.authority.program.decision import decision
from remit.authority.question.questions import ServerQuestion, ask
from remit.authority.question.slots import spoken
from remit.authority.server.app import make_app, measures_of, read_answer, write_question
from remit.authority.server.service import Identity, Service
from remit.authority.values.action import new_action
from remit.authority.values.opening import BindingKey, LookUp, open_for
from remit.authority.values.request import make_request
from remit.core.errors import AuthorityError
from remit.executor.accept import Presented, accept
from remit.executor.accepted_request import Accepted

LAYOUT = built().gateway
OPENING = open_for(
    make_request("SendMessage", "agent", "session-1", {"to": "boss@example.org", "text": "hello"}), STORE, bytes(32)
)


class Clock:
    now = float(NOW)

    def __call__(self):
        return self.now


class Pair:
    """Two servers, and what a gateway makes of their answers."""

    def __init__(self, held=None):
        self.clock = Clock()
        self.services = [
            Service(
                Identity(number, f"p{number}", key(f"server {number}")), lambda: held or built().holdings, self.clock
            )
            for number in (0, 1)
        ]

    async def look_up(self, action=None, opening=OPENING, salt=bytes(32)):
        look = LookUp(opening, action or new_action(NOW), salt)
        said = spoken(LAYOUT.program, opening.request, classes)
        asked = ask(LAYOUT, said, BINDING.question_seed(look))
        ticket = BINDING.ticket(look).hex()
        found = [
            await one.look_up(one.held, ticket, asked.questions[number]) for number, one in enumerate(self.services)
        ]
        outputs = decision(LAYOUT, said, asked, (found[0].answer, found[1].answer))
        proofs, answers = tuple(one.signed.to_json() for one in found), tuple(one.answer for one in found)
        told = opening.request.spelling(), opening.nonce, look.action_id, look.salt, proofs, answers, credential_of()
        return outputs, Presented(*told)


def run(work):
    return asyncio.run(asyncio.wait_for(work, 60))


def test_they_answer_and_sign_and_the_executor_decides_the_same():
    pair = Pair()
    outputs, presented = run(pair.look_up())
    assert outputs.allow
    found = accept(known(), presented, NOW)
    assert isinstance(found, Accepted)
    assert found.outputs == outputs
    assert found.inputs == patched(LAYOUT.program, OPENING.request, outputs, redacted)
    assert accept(known(), presented, NOW + 40).code.name == "PROOF_STALE"


def test_an_action_that_is_looked_up_again_is_signed_afresh():
    pair, action = Pair(), new_action(NOW)
    run(pair.look_up(action))
    pair.clock.now += 40
    again = run(pair.look_up(action, salt=b"1" * 32))[1]
    assert isinstance(accept(known(), again, NOW + 40), Accepted)


def test_a_server_sees_nothing_alike_in_two_look_ups_for_one_action():
    """Preview and commit: other keys and another ticket, and nothing else goes to a server."""
    pair, action = Pair(), new_action(NOW)
    first, second = run(pair.look_up(action))[1], run(pair.look_up(action, salt=b"1" * 32))[1]
    for one, other in zip(first.proofs, second.proofs, strict=True):
        for name in ("ticket", "question", "answer"):
            assert one["proof"][name] != other["proof"][name]


@each_row("changed", [{"digest": "sha256:" + "0" * 64}, {"database": "sha256:" + "0" * 64}, {"epoch": 4}])
def test_what_servers_of_another_policy_sign_is_not_accepted(changed):
    presented = run(Pair(built().holdings._replace(**changed)).look_up())[1]
    assert accept(known(), presented, NOW).code.name == "PROGRAM_UNKNOWN"


def test_a_question_of_another_shape_is_not_answered():
    service, right = (
        Pair().services[0],
        ask(LAYOUT, spoken(LAYOUT.program, OPENING.request, classes), bytes(32)).questions[0],
    )
    for question in (ServerQuestion(0, b""), ServerQuestion(9, right.body), ServerQuestion(0, right.body + b"\0")):
        with pytest.raises(AuthorityError, match="shape"):
            run(service.look_up(service.held, "0" * 64, question))


def test_over_http_it_answers_look_ups_and_nothing_else():
    service = Pair().services[1]
    question = ask(LAYOUT, spoken(LAYOUT.program, OPENING.request, classes), bytes(32)).questions[1]

    async def work():
        transport = httpx.ASGITransport(make_app(service, measures_of(service)))
        async with httpx.AsyncClient(transport=transport, base_url="http://p") as client:
            good = await client.post("/look-up", content=write_question(b"t" * 32, service.held.epoch, question))
            signed, answer = read_answer(good.content)
            assert signed.proof.context.ticket == (b"t" * 32).hex()
            assert answer == (await service.look_up(service.held, "0" * 64, question)).answer
            for wrong in (
                b"",
                b"t" * 32,
                write_question(b"t" * 31, service.held.epoch, question),
                write_question(b"t" * 32, service.held.epoch, question) + b"x",
            ):
                assert (await client.post("/look-up", content=wrong)).status_code in (400, 409)
            other = await client.post("/look-up", content=write_question(b"t" * 32, 99, question))
            assert (other.status_code, other.json()["code"]) == (409, "EPOCH_UNKNOWN")
            for path in ("/commit", "/evaluate", "/policy"):
                assert (await client.post(path, content=b"{}")).status_code == 404

    run(work())


@each_row("data", [b"", b"\0\0\0\2{}", b"\xff\xff\xff\xff", b"\0\0\0\1[", b"\0\0\0\4null"])
def test_an_answer_of_another_form_is_refused(data):
    with pytest.raises(AuthorityError):
        read_answer(data)


def test_flaw_12_without_the_key_a_server_can_not_test_a_guess():
    """Flaw 12: an unkeyed digest of the request. Whoever has ticket, salt, nonce and guess, but not the key, can not compare."""
    look = LookUp(OPENING, new_action(NOW), bytes(32))
    assert BindingKey(bytes(32)).ticket(look) != BINDING.ticket(look)
    assert BindingKey(bytes(32)).commitment(OPENING) != BINDING.commitment(OPENING)
    assert "bytes" not in repr(BINDING)
