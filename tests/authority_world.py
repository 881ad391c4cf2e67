"""A small office with a policy, its two servers' tables and keys, for tests of authority and executor."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np

from remit.authority.database import Database, build_database
from remit.authority.program.language import read_policy
from remit.authority.question.answering import decide, look, triples_for
from remit.authority.question.asking import questions
from remit.authority.question.spoken import spoken
from remit.authority.shared.products import Party
from remit.authority.shared.triples import Supply, Triples
from remit.authority.tables.answer import prepare
from remit.authority.values.action import new_action
from remit.authority.values.confirmation import confirm, preview_digest
from remit.authority.values.opening import BindingKey, open_for
from remit.authority.values.outputs import Outputs, joined
from remit.authority.values.proof import Context, Proof, sign
from remit.authority.values.request import make_request
from remit.bundle.keys import PrivateKey, ed25519
from remit.core.text_views import cleaned, views
from remit.executor.accept import HeldKey, Known, Presented

OFFICE = """
policy  office
proxy   https://proxy.example.org/through
list    recipients  boss@example.org anna@example.org
list    domains     example.org example.com 192.0.2.7
list    bad         evil.example
list    fragments   windows 12 from fragments.txt
list    skills      wanted-skill

intent  SendMessage
allow   recipient in recipients
allow   domain in domains and not text shows key
deny    text has fragments
confirm recipient not in recipients
redact  text shows card
clamp   text longer than 300

intent  FetchResource
allow   always
deny    domain in bad
deny    text has fragments
rewrite domain not in domains

intent  CommitSkillInstall
allow   token in skills
confirm always
"""
FRAGMENTS = "# what must not leave\nproject nightingale\nthe merger with Zürich\n"
TABLE_KEY = bytes(range(32))
NOW = 1_800_000_000


def write_policy(folder: Path, text: str = OFFICE, **files: str) -> Path:
    """A policy file with the lists beside it."""
    for name, content in {"fragments": FRAGMENTS, **files}.items():
        (folder / f"{name}.txt").write_text(content, "utf-8")
    path = folder / "office.policy"
    path.write_text(text, "utf-8")
    return path


@cache
def database(text: str = OFFICE) -> Database:
    """Program and tables of a policy."""
    with TemporaryDirectory() as folder:
        return build_database(read_policy(write_policy(Path(folder), text)), TABLE_KEY, epoch=3)


@cache
def tables(text: str = OFFICE) -> dict[str, Any]:
    """The tables, ready to be summed."""
    return {name: prepare(table) for name, table in database(text).tables.items()}


def classes(text: str) -> set[str]:
    """A stand-in for the local scan: words that name their class."""
    return {name for name in ("key", "card", "marking") if any(f"<{name}>" in view for view in views(text).texts)}


def redact(text: str) -> str:
    """What the stand-in takes out."""

    def plainly(view: str) -> str:
        for name in ("key", "card", "marking"):
            view = view.replace(f"<{name}>", "[taken out]")
        return view

    return cleaned(text, plainly, "[taken out]")


def together(first: Any, second: Any) -> tuple[Any, Any]:
    """Two protocols with one another: what each yields is sent to the other. Both end in the same round."""
    heard: list[Any] = [None, None]
    while True:
        said, results = [], []
        for one, told in zip((first, second), reversed(heard), strict=True):
            try:
                said.append(one.send(told))
            except StopIteration as end:
                results.append(end.value)
        if results:
            assert len(results) == 2, "one ended before the other"
            return results[0], results[1]
        heard = said


def dealt(size: int, seed: int = 0) -> tuple[Triples, Triples]:
    """Right triples for both, `size` bytes."""
    a0, a1, b0, b1, c0 = np.random.default_rng(seed).integers(0, 256, (5, size), dtype=np.uint8)
    return Triples(a0, b0, c0), Triples(a1, b1, ((a0 ^ a1) & (b0 ^ b1)) ^ c0)


def parties(size: int, seed: int = 0) -> tuple[Party, Party]:
    """Two parties with triples for one computation."""
    first, second = dealt(size, seed)
    return Party(0, Supply(first)), Party(1, Supply(second))


def decided(request: Any, text: str = OFFICE, seed: bytes = bytes(32)) -> Outputs:
    """The decision of two servers."""
    layout = database(text).layout
    return Outputs.of(shares_of(layout, questions(layout, spoken(layout.program, request, classes), seed), text)[2])


def shares_of(layout: Any, asked: Any, text: str = OFFICE, triples: int = 0) -> tuple[bytes, bytes, int]:
    """Both shares, and what they make."""
    bucket = asked[0].bucket
    both = parties(triples_for(layout.program, bucket), triples)
    looked = [look(layout.program, tables(text), number, asked[number]) for number in (0, 1)]
    found = together(*(decide(both[number], layout.program, bucket, looked[number]) for number in (0, 1)))
    first, second = bytes(found[0]), bytes(found[1])
    return first, second, first[0] ^ second[0]


@cache
def key(name: str) -> PrivateKey:
    """A key of a party."""
    seed = name.encode().ljust(32, b".")[:32]
    return PrivateKey(ed25519().Ed25519PrivateKey.from_private_bytes(seed))


BINDING = BindingKey(bytes(range(32, 64)))


def known(text: str = OFFICE, **changes: Any) -> Known:
    """What the executor was given."""
    keys = {(number, f"p{number}"): HeldKey("ed25519", key(f"server {number}").public) for number in (0, 1)}
    made = Known(
        keys, {"person": key("person").public}, BINDING, database(text).layout, 30, 5, classes, redact
    )  # fmt: skip
    return made._replace(**changes)


class Case(NamedTuple):
    """A request that was decided, in pieces that a test can change before they are signed and presented."""

    request: Any
    nonce: bytes
    proofs: tuple[Proof, Proof]
    signers: tuple[Any, Any]
    confirmation: Any = None

    def presented(self) -> Presented:
        """As it arrives at the executor."""
        signed = tuple(sign(proof, signer).to_json() for proof, signer in zip(self.proofs, self.signers, strict=True))
        return Presented(self.request.spelling(), self.nonce, signed, self.confirmation)


def case(intent: str = "SendMessage", inputs: Any = None, *, text: str = OFFICE, now: int = NOW) -> Case:
    """A request, decided by both servers, and confirmed if the policy wants that."""
    from remit.authority.patch import patched

    inputs = {"to": "boss@example.org", "text": "good morning"} if inputs is None else inputs
    request = make_request(intent, "agent", "session-1", inputs)
    layout = database(text).layout
    opening = open_for(request, bytes(range(64, 96)))
    asked = questions(layout, spoken(layout.program, request, classes), BINDING.question_seed(opening))
    shares = shares_of(layout, asked, text)
    commitment = BINDING.commitment(opening).hex()
    context = Context(new_action(now), layout.digest, layout.database, layout.epoch, commitment)
    proofs = tuple(
        Proof(number, f"p{number}", now, context, asked[number].digest(), shares[number], bytes((number,)) * 16, "ed25519")
        for number in (0, 1)
    )  # fmt: skip
    outputs = joined(*shares[:2])
    confirmation = None
    if outputs.confirm:
        preview = preview_digest(patched(layout.program, request, outputs, redact))
        confirmation = confirm(context.action_id, commitment, preview, "person", key("person")).to_json()
    return Case(request, opening.nonce, (proofs[0], proofs[1]), (key("server 0"), key("server 1")), confirmation)
