"""What there is to present at an executor: requests, proofs that honest servers signed, words of an approver, and forgeries.

Signatures are short codes under keys that their owners alone use; the gateway has a key of its own and uses it where it has no other.
"""

from __future__ import annotations

import hashlib
from functools import cache
from itertools import product
from typing import Any, NamedTuple

from remit.authority.database import build_database
from remit.authority.program.language import Condition, Policy
from remit.authority.question.asking import questions
from remit.authority.question.spoken import spoken
from remit.authority.values.action import LIFETIME
from remit.authority.values.confirmation import confirm, preview_digest
from remit.authority.values.opening import BindingKey, Opening, open_for
from remit.authority.values.outputs import Outputs
from remit.authority.values.proof import Context, Proof, SharedKey, sign
from remit.authority.values.request import make_request
from remit.executor.accept import HeldKey, Known, Presented

LASTS, SKEW = 30, 5  # seconds of a proof, and between clocks
_BORN = 1_800_000_000
CLOCK = (
    _BORN,
    _BORN + 20,
    _BORN + 60,
    _BORN + LIFETIME + 220,
)  # a proof is fresh, still fresh, too old; the action is too old
_BINDING = BindingKey(bytes(range(32)))
_ALLOW = Outputs(allow=True, confirm=False, redact=False, clamp=False, rewrite=False)
_EPOCH = 3


class Deed(NamedTuple):
    """What the two servers were asked to decide, as an action. Honest servers signed it in these moments."""

    opening: str
    asked: str  # the request that the servers were really asked about
    decision: Outputs = _ALLOW
    servers: tuple[int, ...] = (0, 1)  # that signed
    moments: tuple[int, ...] = (0,)
    epoch: int = _EPOCH


DEEDS = {
    "plain": Deed("plain", "plain", moments=(0, 2, 3)),  # signed again and again, even when it is long over
    "confirmed": Deed("stranger", "stranger", _ALLOW._replace(confirm=True), moments=(0, 2)),
    "denied": Deed("denied", "denied", _ALLOW._replace(allow=False)),
    "half": Deed("half", "half", servers=(0,)),  # the second server never agreed
    "crooked": Deed("denied", "plain"),  # bound to one request, asked about another
    "old": Deed("plain", "plain", epoch=_EPOCH - 1),  # decided under rules that no longer count
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
    """An approver's key: the code has the length of a signature."""

    def __init__(self, name: str) -> None:
        self._name = name.encode()

    def sign(self, data: bytes) -> bytes:
        return hashlib.sha512(self._name + data).digest()

    def holds(self, signature: bytes, data: bytes) -> bool:
        return signature == self.sign(data)


def _key(name: str) -> SharedKey:
    return SharedKey(hashlib.sha256(name.encode()).digest())


@cache
def known() -> Known:
    """What the executors were given: a policy that allows everything, since decisions are what the deeds say."""
    policy = Policy("small", {}, {"SendMessage": {"allow": (Condition((), "model"),)}})
    layout = build_database(policy, bytes(32), _EPOCH).layout
    keys = {(server, f"p{server}"): HeldKey("hmac-sha256", _key(f"server {server}")) for server in (0, 1)}
    return Known(keys, {"person": _Person("person")}, _BINDING, layout, LASTS, SKEW, lambda _: (), lambda text: text)


@cache
def _openings() -> dict[str, Opening]:
    out = {}
    for number, (name, text) in enumerate(_TEXTS.items()):
        request = make_request("SendMessage", "agent", "session", {"to": "anna@example.org", "text": text})
        out[name] = open_for(request, bytes((number,)) * 32)
    changed = make_request("SendMessage", "agent", "session", {"to": "eve@example.org", "text": _TEXTS["plain"]})
    return out | {
        "changed": open_for(changed, out["plain"].nonce),
        "moved": open_for(out["plain"].request, out["half"].nonce),
    }


@cache
def action_id(deed: str) -> str:
    """The name of a deed's action; all began in the same second."""
    return f"{_BORN:08x}{NAMES.index(deed):024x}"


@cache
def _context(deed: str) -> Context:
    layout = known().layout
    commitment = _BINDING.commitment(_openings()[DEEDS[deed].opening]).hex()
    return Context(action_id(deed), layout.digest, layout.database, DEEDS[deed].epoch, commitment)


@cache
def _proof(server: int, deed: str, moment: int) -> dict[str, Any]:
    made, layout = DEEDS[deed], known().layout
    opening = _openings()[made.asked]
    asked = questions(layout, spoken(layout.program, opening.request, lambda _: ()), _BINDING.question_seed(opening))
    hidden = 0b01010000  # the share of the first server; that of the second makes the decision of it
    share = bytes((hidden if server == 0 else hidden ^ bytes(made.decision)[0],))
    proof = Proof(
        server, f"p{server}", CLOCK[moment], _context(deed), asked[server].digest(), share, bytes((server,)) * 16, "hmac-sha256"
    )  # fmt: skip
    return sign(proof, _key(f"server {server}" if server in made.servers else "gateway")).to_json()


@cache
def _words() -> dict[str, Any]:
    """Words of an approver for two actions, for another preview, and one that the gateway made up."""
    shown = {name: preview_digest(_openings()[name].request.inputs) for name in ("plain", "stranger")}

    def word(deed: str, preview: str, signer: str) -> Any:
        context = _context(deed)
        return confirm(context.action_id, context.commitment, shown[preview], "person", _Person(signer)).to_json()

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
            presented = Presented(opening.request.spelling(), opening.nonce, proofs, _words()[word])
            out[Presenting(request, first, second, word)] = presented
    return out


def moment_of(presenting: Presenting) -> int:
    """The first moment in which the gateway has all of it."""
    return max(one[2] for one in presenting[1:3] if one)
