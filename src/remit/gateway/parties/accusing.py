"""Who lied? A server signs what it was asked and what it answered, so that a wrong answer is evidence.

- A server that signs something else than it was asked or answered is named at once: only it can have done so.
- Answers that together are no rows of the lists leave two suspects. Both are asked a probe, a question whose right answers the operator
  wrote down when it built the tables; to a server it is like any other. Who fails is named.
- A server that lies once and answers the probe is named by the operator, who has the tables: the questions and the signed answers are kept,
  sealed, and `remit gateway liars` answers the questions itself.

An abort says nothing of what was asked (docs/authority.md). Aborts are counted, and after too many nothing is asked any more.
"""

from __future__ import annotations

import json
import time
from collections import deque
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.authority.question.answering import answer_digest, look_up
from remit.authority.question.asking import Question
from remit.authority.values.proof import SERVERS, Signed, read_proof
from remit.core import telemetry
from remit.core.digest import canonical
from remit.core.errors import AuthorityError
from remit.gateway.private import make_private

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from remit.authority.database import Holdings
    from remit.authority.question.asking import Asked
    from remit.authority.question.layout import Layout
    from remit.authority.values.proof import Verifier
    from remit.gateway.sealing import Vault

    Keys = Mapping[tuple[int, str], Verifier]  # of the servers, by number and kid

EVIDENCE = "evidence"  # in the gateway's folder
MOST_ABORTS, HOUR = 16, 3600
_RECALLED = 256  # look-ups that are remembered until the executor has seen them
_ABOUT = {"what": "evidence"}


class Evidence(NamedTuple):
    """One look-up: what both servers were asked, what they answered, and that they signed it."""

    ticket: bytes
    questions: tuple[Question, Question]
    signed: tuple[Signed, Signed]
    told: tuple[bytes, bytes]

    def proofs(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Both proofs as JSON."""
        first, second = self.signed
        return first.to_json(), second.to_json()

    def to_json(self) -> dict[str, Any]:
        """As it is kept."""
        return {
            "ticket": self.ticket.hex(), "bucket": self.questions[0].bucket, "proofs": list(self.proofs()),
            "questions": [one.body.hex() for one in self.questions], "answers": [one.hex() for one in self.told],
        }  # fmt: skip


def read_evidence(told: dict[str, Any]) -> Evidence:
    """What `to_json` told."""
    first, second = (Question(int(told["bucket"]), bytes.fromhex(one)) for one in told["questions"])
    proofs, answers = [read_proof(one) for one in told["proofs"]], [bytes.fromhex(one) for one in told["answers"]]
    return Evidence(bytes.fromhex(told["ticket"]), (first, second), (proofs[0], proofs[1]), (answers[0], answers[1]))


def faults(layout: Layout, keys: Keys, asked: Asked, evidence: Evidence) -> tuple[int, ...]:
    """The servers that did not sign what they were asked and what they answered, of the tables that were built."""
    return tuple(number for number in SERVERS if not _signed(layout, keys, asked.questions[number], evidence, number))


def _signed(layout: Layout, keys: Keys, question: Question, evidence: Evidence, number: int) -> bool:
    signed = evidence.signed[number]
    proof, key = signed.proof, keys.get((number, signed.proof.kid))
    context = (layout.digest, layout.database, layout.epoch, evidence.ticket.hex())
    said = (proof.server_id, proof.question, proof.answer)
    right = said == (number, question.digest(), answer_digest(evidence.told[number])) and proof.context == context
    return right and key is not None and signed.held_by(key)


class Accusing:
    """Counts aborts, keeps evidence and says who is named. `folder`: where evidence is kept, sealed."""

    def __init__(
        self, folder: Path, vault: Vault, record: Callable[[str, str], None] = lambda *_: None,
        clock: Callable[[], float] = time.time,
    ) -> None:  # fmt: skip
        self._folder, self._vault = folder, vault
        self.record = record
        self._clock = clock
        self._aborts: deque[float] = deque(maxlen=MOST_ABORTS)
        self._recalled: dict[str, Evidence] = {}

    def check_limit(self) -> None:
        """AuthorityError after too many aborts in an hour: whatever they are for, nobody gets to try any more."""
        if len(self._aborts) == MOST_ABORTS and self._clock() - self._aborts[0] < HOUR:
            raise AuthorityError("too many look-ups failed within an hour", "`remit gateway liars` names the server")

    def remember(self, evidence: Evidence) -> None:
        """Keep a look-up until the executor has seen it: it checks tags that nobody else can check."""
        self._recalled[evidence.ticket.hex()[:32]] = evidence
        if len(self._recalled) > _RECALLED:
            del self._recalled[next(iter(self._recalled))]

    def recall(self, tag: str) -> Evidence | None:
        """The look-up whose ticket begins so."""
        return self._recalled.pop(tag, None)

    def accuse(self, named: str, why: str, evidence: Evidence) -> None:
        """Count an abort, keep its evidence, and say who is named."""
        now = self._clock()
        self._aborts.append(now)
        make_private(self._folder)
        sealed = self._vault.seal(canonical(evidence.to_json()), _ABOUT)
        (self._folder / f"{int(now)}-{evidence.ticket.hex()[:16]}.sealed").write_bytes(sealed)
        telemetry.event("LOOK_UP_FAILED", party=named or "unnamed")
        self.record(named, why if named else "two servers' answers are not rows of the lists; the audit names one")


def kept_evidence(folder: Path, vault: Vault) -> Iterator[tuple[str, Evidence]]:
    """All that is kept, the oldest first: name and evidence."""
    for path in sorted(folder.glob("*.sealed")):
        yield path.stem, read_evidence(json.loads(vault.unseal(path.read_bytes(), _ABOUT)))


def liars(held: Holdings, keys: Keys, evidence: Evidence) -> tuple[int, ...]:
    """The servers whose signed answers do not follow from the tables. Evidence that anyone else could have made accuses nobody."""
    out = []
    for number, (question, signed) in enumerate(zip(evidence.questions, evidence.signed, strict=True)):
        proof, key = signed.proof, keys.get((number, signed.proof.kid))
        theirs = key is not None and proof.server_id == number and signed.held_by(key)
        same = proof.context[:3] == (held.digest, held.database, held.epoch) and proof.question == question.digest()
        if theirs and same and proof.answer != answer_digest(look_up(held.program, held.tables, number, question)):
            out.append(number)
    return tuple(out)
