"""A small office with a policy, its two servers' tables and keys, for tests of authority and executor."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.authority.database import Built, Keys, build_database
from remit.authority.program.decision import decision
from remit.authority.program.language import read_policy
from remit.authority.question.answers import answer_digest, look_up
from remit.authority.question.questions import ask
from remit.authority.question.slots import spoken
from remit.authority.values.action import new_action
from remit.authority.values.confirmation import confirm, preview_digest
from remit.authority.values.opening import BindingKey, LookUp, open_for
from remit.authority.values.proof import Context, Proof, sign
from remit.authority.values.request import make_request
from remit.bundle.keys import PrivateKey, ed25519
from remit.core.text_views import cleaned, views
from remit.executor.accept import ExecutorConfiguration, Presented
from remit.executor.credentials.issuer import credential, grant, scope, workload

if TYPE_CHECKING:
    from remit.authority.values.outputs import Outputs

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
KEYS = Keys(TABLE_KEY, b"g" * 32, b"e" * 32)
STORE = "5" * 32
NOW = 1_800_000_000


def write_policy(folder: Path, text: str = OFFICE, **files: str) -> Path:
    """A policy file with the lists beside it."""
    for name, content in {"fragments": FRAGMENTS, **files}.items():
        (folder / f"{name}.txt").write_text(content, "utf-8")
    path = folder / "office.policy"
    path.write_text(text, "utf-8")
    return path


@cache
def built(text: str = OFFICE) -> Built:
    """Tables of a policy, and what gateway and executor know of them."""
    with TemporaryDirectory() as folder:
        return build_database(read_policy(write_policy(Path(folder), text)), KEYS, epoch=3)


@cache
def tables(text: str = OFFICE) -> dict[str, Any]:
    """The tables, ready to be summed."""
    return built(text).holdings.tables


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


def answers_of(asked: Any, text: str = OFFICE) -> tuple[bytes, bytes]:
    """What both servers answer."""
    program = built(text).holdings.program
    first, second = (look_up(program, tables(text), number, one) for number, one in enumerate(asked.questions))
    return first, second


def decided(request: Any, text: str = OFFICE, seed: bytes = bytes(32)) -> Outputs:
    """The decision on what two servers answer."""
    layout = built(text).gateway
    said = spoken(layout.program, request, classes)
    asked = ask(layout, said, seed)
    return decision(layout, said, asked, answers_of(asked, text))


@cache
def key(name: str) -> PrivateKey:
    """A key of a party."""
    seed = name.encode().ljust(32, b".")[:32]
    return PrivateKey(ed25519().Ed25519PrivateKey.from_private_bytes(seed))


BINDING = BindingKey(bytes(range(32, 64)))


def server_keys() -> dict[tuple[int, str], Any]:
    """The public keys of both servers."""
    return {(number, f"p{number}"): key(f"server {number}").public for number in (0, 1)}


@cache
def credential_of(name: str = "agent", session: str = "session-1") -> Any:
    """A credential of somebody who may ask for everything, as JSON."""
    operator, exp = key("operator"), NOW + 10**6
    who = workload("operator", operator, name, exp=exp)
    rights = scope(["*"], ["*"])
    return credential(who, (grant("operator", operator, name, rights, session, exp=exp),)).to_json()


def known(text: str = OFFICE, **changes: Any) -> ExecutorConfiguration:
    """What the executor was given."""
    made = ExecutorConfiguration(
        server_keys(), {"person": key("person").public}, {"operator": key("operator").public}, STORE, BINDING,
        built(text).executor, 30, 5, classes, redact,
    )  # fmt: skip
    return made._replace(**changes)


class Case(NamedTuple):
    """A request that both servers answered about, in pieces that a test can change before they are signed and presented."""

    request: Any
    nonce: bytes
    action_id: str
    salt: bytes
    proofs: tuple[Proof, Proof]
    answers: tuple[bytes, ...]
    signers: tuple[Any, Any]
    credential: Any
    confirmation: Any = None

    def presented(self) -> Presented:
        """As it arrives at the executor."""
        signed = tuple(sign(proof, signer).to_json() for proof, signer in zip(self.proofs, self.signers, strict=True))
        return Presented(
            self.request.spelling(), self.nonce, self.action_id, self.salt, signed, self.answers, self.credential, self.confirmation
        )  # fmt: skip


def proved(look: LookUp, asked: Any, answers: Any, text: str = OFFICE, now: int = NOW) -> tuple[Proof, Proof]:
    """What both servers say of a look-up, not signed yet."""
    held = built(text).holdings
    context = Context(held.digest, held.database, held.epoch, BINDING.ticket(look).hex())
    first, second = (
        Proof(number, f"p{number}", now, context, asked.questions[number].digest(), answer_digest(answers[number]))
        for number in (0, 1)
    )
    return first, second


def case(
    intent: str = "SendMessage", inputs: Any = None, *, text: str = OFFICE, now: int = NOW, store: str = STORE, about: Any = None
) -> Case:  # fmt: skip
    """A request, answered about by both servers, and confirmed if the policy wants that. `about`: what they were really asked about."""
    from remit.authority.patch import patched

    inputs = {"to": "boss@example.org", "text": "good morning"} if inputs is None else inputs
    request = make_request(intent, "agent", "session-1", inputs)
    layout = built(text).gateway
    look = LookUp(open_for(request, store, bytes(range(64, 96))), new_action(now), bytes(range(96, 128)))
    said = spoken(layout.program, about or request, classes)
    asked = ask(layout, said, BINDING.question_seed(look))
    answers = answers_of(asked, text)
    outputs = decision(layout, said, asked, answers)
    confirmation = None
    if outputs.confirm:
        preview = preview_digest(request, patched(layout.program, request, outputs, redact))
        commitment = BINDING.commitment(look.opening).hex()
        confirmation = confirm(look.action_id, commitment, preview, "person", key("person")).to_json()
    signers = (key("server 0"), key("server 1"))
    return Case(
        request, look.opening.nonce, look.action_id, look.salt, proved(look, asked, answers, text, now), answers, signers,
        credential_of(), confirmation,
    )  # fmt: skip
