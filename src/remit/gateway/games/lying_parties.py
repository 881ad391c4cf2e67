"""Game of a lying party: it causes no wrong decision, and it is named.

Everything runs in this process: two servers with real tables and keys, the gateway's look-ups, and the executor's
predicate. In each round one party lies in one way about one request. It wins if the gateway or the executor decides
otherwise than the policy, or if no party or another one is named. A server lies once, which the audit finds, or in
every answer, which a probe finds.
"""

from __future__ import annotations

import asyncio
import random
import secrets
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from remit.authority.database import Built, build_database, make_probes, new_keys
from remit.authority.policy_files import DeliveredPolicy
from remit.authority.program.language import read_policy
from remit.authority.question.answers import answer_digest
from remit.authority.server.app import read_question, write_answer
from remit.authority.server.service import Identity, Service, SignedAnswer
from remit.authority.values.action import new_action
from remit.authority.values.opening import BindingKey, Opening, open_for
from remit.authority.values.proof import sign
from remit.authority.values.request import make_request
from remit.bundle.keys import PrivateKey, ed25519
from remit.core.errors import AuthorityError
from remit.executor.accept import ExecutorConfiguration, Presented, accept
from remit.executor.accepted_request import Accepted
from remit.executor.credentials.issuer import credential, grant, scope, workload
from remit.gateway.games.installation import Tally, Tried
from remit.gateway.parties.servers import OPEN, Accusing, Policy, Servers, kept_evidence, liars
from remit.gateway.state import KEY_BYTES, Vault
from remit.policy.dlp.classes import classes, veiled

if TYPE_CHECKING:
    from remit.authority.wire.client import Client
    from remit.gateway.parties.servers import LookUpResult

    Lie = Callable[["SignedAnswer", "Service", random.Random], "SignedAnswer"]

_POLICY = """\
policy  lies
list    recipients  anna@example.org boss@example.org
list    domains     example.org

intent  SendMessage
allow   recipient in recipients
allow   domain in domains
confirm recipient not in recipients
redact  text shows card
"""
_STORE = "0" * 32
_HOUR = 3600.0
_TO = ("anna@example.org", "new@example.org", "eve@evil.example")
_TEXTS = ("hello", "4111 1111 1111 1111")


def _spoils(change: Callable[[bytearray, Service, random.Random], None]) -> Lie:
    """Return the lie of a server that changes its answer and signs that as its own."""

    def lie(found: SignedAnswer, service: Service, draw: random.Random) -> SignedAnswer:
        answer = bytearray(found.answer)
        change(answer, service, draw)
        proof = found.signed.proof._replace(answer=answer_digest(bytes(answer)))
        return SignedAnswer(sign(proof, service.identity.signer), bytes(answer))

    return lie


def _one_bit(answer: bytearray, _: Service, draw: random.Random) -> None:
    answer[draw.randrange(len(answer))] ^= 1 << draw.randrange(8)


def _first(service: Service) -> tuple[str, int]:
    """Return the list whose rows an answer begins with, and the offset of the executor's tag in a row."""
    kept = service.held.program.lists[0]
    return kept.name, 8 * kept.slots


def _another_row(answer: bytearray, service: Service, draw: random.Random) -> None:
    """Add the difference of two rows of the table, which would work if all rows had the same tag."""
    columns = service.held.tables[_first(service)[0]]
    full = np.flatnonzero(columns[0]).tolist()
    first, second = (
        np.ascontiguousarray(columns[:, place]).tobytes()
        for place in (draw.choice(full), draw.randrange(columns.shape[1]))
    )
    for place, (one, other) in enumerate(zip(first, second, strict=True)):
        answer[place] ^= one ^ other
    answer[0] ^= first == second


def _always_the_same(answer: bytearray, service: Service, _: random.Random) -> None:
    """Add the same error each time, which would cancel out if answers of one server were compared with each other."""
    answer[_first(service)[1] + 8] ^= 1


def _executors_tag(answer: bytearray, service: Service, _: random.Random) -> None:
    """Spoil the executor's tag, which would fail at commits alone if the gateway did not check it."""
    answer[_first(service)[1]] ^= 1


def _signs(**changes: Any) -> Lie:
    def lie(found: SignedAnswer, service: Service, _: random.Random) -> SignedAnswer:
        proof = found.signed.proof
        inner = {name: changes[name] for name in proof.context._fields if name in changes}
        own = {name: value for name, value in changes.items() if name not in inner}
        return found._replace(
            signed=sign(proof._replace(context=proof.context._replace(**inner), **own), service.identity.signer)
        )

    return lie


SERVER_LIES: Mapping[str, Lie] = {
    "turns over a bit of its answer": _spoils(_one_bit),
    "adds what makes one row another": _spoils(_another_row),
    "adds the same each time": _spoils(_always_the_same),
    "spoils the tag for the executor": _spoils(_executors_tag),
    "answers nothing": _spoils(lambda answer, *_: answer.clear()),
    "signs another answer": _signs(answer="0" * 64),
    "signs another question": _signs(question="0" * 64),
    "signs for another ticket": _signs(ticket="0" * 64),
    "signs for an older policy": _signs(epoch=0),
    "signs a time that is over": _signs(ts=0),
}


class _Server:
    """The client of one server; lies while `left` is positive."""

    def __init__(self, service: Service, draw: random.Random) -> None:
        self._service, self._draw = service, draw
        self.lie: Lie | None = None
        self.left = 0  # number of answers that will be lies

    async def post(self, _: str, body: bytes) -> bytes:
        read = read_question(body)
        assert read is not None, "the gateway asks in the form"
        found = await self._service.look_up(self._service.held, read[0].hex(), read[2])
        if self.lie is not None and self.left > 0:
            self.left -= 1
            found = self.lie(found, self._service, self._draw)
        return write_answer(found)


class _Office(NamedTuple):
    """All parties, and what the operator has."""

    built: Built
    servers: tuple[_Server, _Server]
    keys: dict[str, PrivateKey]
    known: ExecutorConfiguration
    given: DeliveredPolicy


def play(rounds: int, seed: int = 1) -> tuple[Tried, ...]:
    """Play the game for a number of rounds."""
    tally, draw = Tally("LIES"), random.Random(seed)  # noqa: S311  a plan, not a secret
    with tempfile.TemporaryDirectory(prefix="remit-games-") as folder:
        place = _office(Path(folder), draw)
        for number in range(rounds):
            asyncio.run(_lying_server(place, Path(folder) / f"e{number}", tally, draw))
            asyncio.run(_lying_gateway(place, Path(folder) / f"g{number}", tally, draw))
    return tally.tried()


def _office(folder: Path, draw: random.Random) -> _Office:
    path = folder / "games.policy"
    path.write_text(_POLICY)
    built, binding = build_database(read_policy(path), new_keys(), 1), BindingKey(secrets.token_bytes(32))
    keys = {
        name: PrivateKey(ed25519().Ed25519PrivateKey.from_private_bytes(secrets.token_bytes(32)))
        for name in ("p0", "p1", "approver", "operator")
    }
    first, second = (
        _Server(Service(Identity(number, "k1", keys[f"p{number}"]), lambda: built.holdings), draw) for number in (0, 1)
    )
    public = {(number, "k1"): keys[f"p{number}"].public for number in (0, 1)}
    people = {"approver": keys["approver"].public}, {"operator": keys["operator"].public}
    known = ExecutorConfiguration(public, *people, _STORE, binding, built.executor, 30, 5, classes, veiled)
    return _Office(built, (first, second), keys, known, DeliveredPolicy(built.gateway, binding, make_probes(built, 4)))


class _Heard:
    """Collects whom the gateway names."""

    def __init__(self) -> None:
        self.named: list[str] = []

    def __call__(self, named: str, _: str) -> None:
        self.named.append(named)


async def _lying_server(place: _Office, folder: Path, tally: Tally, draw: random.Random) -> None:
    request, liar = _request(draw), draw.randrange(2)
    what = draw.choice(sorted(SERVER_LIES))
    vault, heard = Vault(secrets.token_bytes(KEY_BYTES)), _Heard()
    accusing = Accusing(folder, vault, lambda _: True, heard)
    servers = _servers(place, accusing, 1)
    opening, action = open_for(request, _STORE), new_action(int(time.time()))
    right = (await servers.look_up(opening, action)).outputs
    place.servers[liar].lie, place.servers[liar].left = SERVER_LIES[what], draw.choice((1, 1000))
    always = place.servers[liar].left > 1
    wrong = ""
    try:
        found = await servers.look_up(opening, action)
        result = accept(place.known, _presented(place, found, opening, action), int(time.time()))
        if found.outputs != right or isinstance(result, Accepted):
            wrong = f"decided {found.outputs}, and the policy says {right}"
        else:
            wrong = f"left to the executor, which sees commits alone: {result.code.name}"
    except AuthorityError:
        pass
    finally:
        place.servers[liar].left = 0
    named = {*heard.named} - {""}
    for _, evidence in kept_evidence(folder, vault):
        named |= {f"p{number}" for number in liars(place.built.holdings, place.known.keys, evidence)}
    if not wrong and named != {f"p{liar}"}:
        wrong = f"p{liar} lied, and named is {sorted(named)}"
    tally.add(f"a server {what}, {'in every answer' if always else 'once'}", won=bool(wrong), note=wrong)


async def _lying_gateway(place: _Office, folder: Path, tally: Tally, draw: random.Random) -> None:
    """Play presentations by a gateway that has real proofs of both servers for another request."""
    accusing = Accusing(folder, Vault(secrets.token_bytes(KEY_BYTES)), lambda _: True)
    servers, request, now = _servers(place, accusing), _request(draw, "anna@example.org", "hello"), int(time.time())
    opening, action = open_for(request, _STORE), new_action(now)
    good = _presented(place, await servers.look_up(opening, action), opening, action)
    other = open_for(_request(draw, "eve@evil.example", "hello"), _STORE, opening.nonce)
    denied = _presented(place, await servers.look_up(other, action), other, action)
    apart = open_for(request, "1" * 32, opening.nonce)
    elsewhere = _presented(place, await servers.look_up(apart, action), apart, action)
    waits = open_for(_request(draw, "new@example.org", "hello"), _STORE)
    unconfirmed = _presented(place, await servers.look_up(waits, action), waits, action)
    lies = {
        "hands on what the policy denies": denied,
        "hands on another request with the proofs of an allowed one": good._replace(request=denied.request),
        "hands on the answers about another request": denied._replace(answers=good.answers),
        "hands on proofs and answers of another request": denied._replace(answers=good.answers, proofs=good.proofs),
        "names another action": good._replace(action_id=new_action(now)),
        "names another caller": good._replace(credential=_credential(place, "somebody", now)),
        "names nobody": good._replace(credential=None),
        "hands on proofs for another replay store": elsewhere,
        "hands on what nobody confirmed": unconfirmed,
    }
    for what, presented in lies.items():
        result = accept(place.known, presented, now)
        code = "" if isinstance(result, Accepted) else result.code.name
        tally.add(f"a gateway {what}", won=not code, code=code)
    tally.add("control: an honest look-up is accepted", won=not isinstance(accept(place.known, good, now), Accepted))


def _servers(place: _Office, accusing: Accusing, probes: int = 0) -> Servers:
    given = place.given._replace(probes=place.given.probes[:probes])
    policy = Policy(lambda: given, place.known.keys, classes)
    clients = cast("tuple[Client, Client]", place.servers)  # they have the interface of a client
    return Servers(policy, clients, accusing, OPEN)


def _request(draw: random.Random, to: str = "", text: str = "") -> Any:
    inputs = {"to": to or draw.choice(_TO), "text": text or draw.choice(_TEXTS)}
    return make_request("SendMessage", "agent", "session", inputs)


def _credential(place: _Office, name: str, now: int) -> Any:
    operator, exp = place.keys["operator"], now + int(_HOUR)
    chain = (grant("operator", operator, name, scope(["*"], ["*"]), "session", exp=exp),)
    return credential(workload("operator", operator, name, exp=exp), chain).to_json()


def _presented(place: _Office, found: LookUpResult, opening: Opening, action: str) -> Presented:
    shown = _credential(place, "agent", int(time.time()))
    return Presented(
        opening.request.spelling(), opening.nonce, action, found.salt, found.proofs, found.answers, shown
    )  # fmt: skip
