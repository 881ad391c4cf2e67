"""The inputs of an executor in models: requests, proofs that honest servers signed, confirmations, and forgeries.

Signatures are short codes under keys that their owners alone use; the gateway has a key of its own and uses it where it has no other.
"""

from __future__ import annotations

import hashlib
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from remit.authority.database import Built, Keys, build_database
from remit.authority.program.language import Atom, Condition, List, Policy
from remit.authority.question.answers import answer_digest, look_up
from remit.authority.question.questions import QuestionPair, ask
from remit.authority.question.slots import spoken
from remit.authority.values.action import LIFETIME
from remit.authority.values.confirmation import confirm, preview_digest
from remit.authority.values.opening import BindingKey, LookUp, Opening, open_for
from remit.authority.values.outputs import Outputs
from remit.authority.values.proof import Context, Proof, sign
from remit.authority.values.request import Request, make_request
from remit.executor.accept import ExecutorConfiguration, Presented
from remit.executor.credentials.issuer import credential, grant, scope, workload

LASTS, SKEW = 30, 5  # seconds of a proof, and between clocks
_BORN = 1_800_000_000
# a proof is fresh, still fresh, too old; the action is too old
CLOCK = (_BORN, _BORN + 20, _BORN + 60, _BORN + LIFETIME + 220)
_BINDING = BindingKey(bytes(range(32)))
_ALLOW = Outputs(allow=True, confirm=False, redact=False, clamp=False, rewrite=False)
_EPOCH = 3
_STORE, _SALT = "a" * 32, bytes(32)


class Deed(NamedTuple):
    """What the two servers were asked about, as an action. They signed their answers in these moments."""

    opening: str
    asked: str  # the request that the servers were really asked about
    decision: Outputs = _ALLOW
    servers: tuple[int, ...] = (0, 1)  # that signed
    moments: tuple[int, ...] = (0,)
    epoch: int = _EPOCH
    forged: bool = (
        False  # the second server's answer is not of the tables: it makes a yes of a no, and knows how that would look
    )


DEEDS = {
    "plain": Deed("plain", "plain", moments=(0, 2, 3)),  # signed again and again, even when it is long over
    "confirmed": Deed("stranger", "stranger", _ALLOW._replace(confirm=True), moments=(0, 2)),
    "denied": Deed("denied", "denied", _ALLOW._replace(allow=False)),
    "half": Deed("half", "half", servers=(0,)),  # the second server never agreed
    "crooked": Deed("denied", "plain"),  # bound to one request, asked about another
    "old": Deed("plain", "plain", epoch=_EPOCH - 1),  # decided under rules that no longer count
    "forged": Deed("denied", "denied", _ALLOW._replace(allow=False), forged=True),
}
NAMES = tuple(DEEDS)
_TEXTS = {"plain": "good morning", "stranger": "a word to strangers", "denied": "never", "half": "perhaps"}


class Presenting(NamedTuple):
    """What the gateway chose: a request, two proofs (server, deed, moment), and whose word it adds."""

    request: str
    first: tuple[int, str, int]
    second: tuple[int, str, int] | None
    word: str = ""


class _Person:
    """A key: the code has the length of a signature."""

    def __init__(self, name: str) -> None:
        self._name = name.encode()

    def sign(self, data: bytes) -> bytes:
        return hashlib.sha512(self._name + data).digest()

    def holds(self, signature: bytes, data: bytes) -> bool:
        return signature == self.sign(data)


def _classes(text: str) -> tuple[str, ...]:
    return ("marking",) if "strangers" in text else ()


@cache
def _built() -> Built:
    """A policy by which one person may be written to, and another one asked about some texts."""
    known, shown = Atom("recipient", "in", "friends"), Atom("text", "shows", "marking")
    rules: dict[str, tuple[Condition, ...]] = {
        word: (Condition(((atom, True),), "model"),) for word, atom in (("allow", known), ("confirm", shown))
    }
    policy = Policy("small", {"friends": List("friends", ("anna@example.org",))}, {"SendMessage": rules})
    return build_database(policy, Keys(bytes(32), b"g" * 32, b"e" * 32), _EPOCH)


@cache
def known() -> ExecutorConfiguration:
    """What the executors were given."""
    keys: dict[tuple[int, str], Any] = {(server, f"p{server}"): _Person(f"server {server}") for server in (0, 1)}
    operators: dict[str, Any] = {"operator": _Person("operator")}
    layout, people = _built().executor, {"person": _Person("person")}
    return ExecutorConfiguration(
        keys, people, operators, _STORE, _BINDING, layout, LASTS, SKEW, _classes, lambda text: text
    )


@cache
def _credential() -> Any:
    operator, exp = _Person("operator"), CLOCK[-1] + 1
    rights = scope(["*"], ["*"])
    chain = (grant("operator", operator, "agent", rights, "session", exp=exp),)
    return credential(workload("operator", operator, "agent", exp=exp), chain).to_json()


@cache
def _openings() -> dict[str, Opening]:
    out = {}
    for number, (name, text) in enumerate(_TEXTS.items()):
        to = "eve@example.org" if name == "denied" else "anna@example.org"
        request = make_request("SendMessage", "agent", "session", {"to": to, "text": text})
        out[name] = open_for(request, _STORE, bytes((number,)) * 32)
    changed = make_request("SendMessage", "agent", "session", {"to": "eve@example.org", "text": _TEXTS["plain"]})
    return out | {
        "changed": open_for(changed, _STORE, out["plain"].nonce),
        "moved": open_for(out["plain"].request, _STORE, out["half"].nonce),
    }


@cache
def action_id(deed: str) -> str:
    """The name of a deed's action; all began in the same second."""
    return f"{_BORN:08x}{NAMES.index(deed):024x}"


@cache
def _look_up(deed: str) -> LookUp:
    return LookUp(_openings()[DEEDS[deed].opening], action_id(deed), _SALT)


@cache
def _asked(deed: str) -> QuestionPair:
    layout, request = _built().gateway, _openings()[DEEDS[deed].asked].request
    return ask(layout, spoken(layout.program, request, _classes), _BINDING.question_seed(_look_up(deed)))


@cache
def _answer(server: int, deed: str) -> bytes:
    """What a server answered; a forged one makes the first row that of the value that was asked for."""
    held, asked = _built().holdings, _asked(deed)
    mine, other = (look_up(held.program, held.tables, one, asked.questions[one]) for one in (server, 1 - server))
    if not (server == 1 and DEEDS[deed].forged):
        return mine
    rows, wanted = np.frombuffer(other, dtype="<u8").copy(), asked.plans[0].wanted  # `friends` is the first look-up
    words = held.program.kept("friends").words
    rows[: words * len(wanted)].reshape(-1, words)[:, 0] ^= wanted
    return rows.tobytes()


@cache
def _proof(server: int, deed: str, moment: int) -> dict[str, Any]:
    made, layout = DEEDS[deed], known().layout
    context = Context(layout.digest, layout.database, made.epoch, _BINDING.ticket(_look_up(deed)).hex())
    digests = _asked(deed).questions[server].digest(), answer_digest(_answer(server, deed))
    proof = Proof(server, f"p{server}", CLOCK[moment], context, *digests)
    return sign(proof, _Person(f"server {server}" if server in made.servers else "gateway")).to_json()


def _previewed(request: Request) -> str:
    return preview_digest(request, request.inputs)


@cache
def _words() -> dict[str, Any]:
    """Words of an approver for two actions, for another preview, and one that the gateway made up."""
    shown = {name: _previewed(_openings()[name].request) for name in ("plain", "stranger")}

    def word(deed: str, preview: str, signer: str) -> Any:
        commitment = _BINDING.commitment(_openings()[DEEDS[deed].opening]).hex()
        return confirm(action_id(deed), commitment, shown[preview], "person", _Person(signer)).to_json()

    return {
        "": None, "for it": word("confirmed", "stranger", "person"), "for another action": word("plain", "plain", "person"),
        "for another preview": word("confirmed", "plain", "person"), "forged": word("confirmed", "stranger", "gateway"),
    }  # fmt: skip


@cache
def presentings() -> dict[Presenting, Presented]:
    """Everything that the gateway can put together. Words are added where a request wants one."""
    every = [(server, name, moment) for server in (0, 1) for name in NAMES for moment in DEEDS[name].moments]
    firsts = [one for one in every if one[0] == 0] + [(1, "plain", 0)]
    seconds = [one for one in every if one[0] == 1] + [(0, "plain", 0), None]
    out = {}
    for request, first, second in product(_openings(), firsts, seconds):
        for word in _words() if request == "stranger" else ("",):
            proofs = tuple(_proof(*one) for one in (first, second) if one)
            opening = _openings()[request]
            answers = tuple(_answer(*one[:2]) for one in (first, second) if one)
            presented = Presented(
                opening.request.spelling(), opening.nonce, action_id(first[1]), _SALT, proofs, answers, _credential(), _words()[word]
            )  # fmt: skip
            out[Presenting(request, first, second, word)] = presented
    return out


def moment_of(presenting: Presenting) -> int:
    """The first moment in which the gateway has all of it."""
    return max(one[2] for one in presenting[1:3] if one)
