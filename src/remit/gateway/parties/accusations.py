"""Identification of a lying policy server. A server signs question and answer, so a wrong answer is evidence.

- A server that signs another question, answer or time than its own is named at once: only it can have done so.
- If both answers together are not rows of the lists, either server may have lied. Both are asked a probe: a question whose
  right answers the operator recorded when it built the tables, and that looks like any other the first time. The one that
  fails is named.
- A server that lies once and answers the probe is found by the operator, who has the tables: questions and signed answers
  are kept, sealed, and `remit gateway liars` recomputes them.

The gateway makes every check of the executor first, also for previews and cover questions. So whether a look-up fails
depends on the lie alone, and an abort reveals nothing about the question (docs/authority.md). Aborts are counted; after
too many, no more questions are sent.
"""

from __future__ import annotations

import json
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.authority.question.answers import answer_digest, look_up
from remit.authority.question.questions import Asked, Question
from remit.authority.values.proof import SERVERS, SKEW, Signed, Verifier, read_proof
from remit.core import telemetry
from remit.core.digest import canonical
from remit.core.errors import AuthorityError
from remit.gateway.deployment.files import replace
from remit.gateway.private_files import make_private
from remit.gateway.state import Database, open_state

if TYPE_CHECKING:
    from pathlib import Path

    from remit.authority.database import Holdings, Probe
    from remit.authority.question.layout import Layout
    from remit.gateway.state import Vault

    Keys = Mapping[tuple[int, str], Verifier]  # of the servers, by number and kid

EVIDENCE = "evidence"  # in the gateway's folder
USED = "probes.db"  # the same
MOST_ABORTS, HOUR = 16, 3600
_KEPT = 64  # failures whose evidence is kept
_FORM = "CREATE TABLE IF NOT EXISTS used_probe (seed TEXT PRIMARY KEY) STRICT, WITHOUT ROWID"
_ABOUT = {"what": "evidence"}


class Evidence(NamedTuple):
    """One look-up: the questions to both servers, their answers and their signatures."""

    ticket: bytes
    questions: tuple[Question, Question]
    signed: tuple[Signed, Signed]
    told: tuple[bytes, bytes]

    def proofs(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return both proofs as JSON."""
        first, second = self.signed
        return first.to_json(), second.to_json()

    def to_json(self) -> dict[str, Any]:
        """Return the evidence as JSON."""
        return {
            "ticket": self.ticket.hex(), "bucket": self.questions[0].bucket, "proofs": list(self.proofs()),
            "questions": [one.body.hex() for one in self.questions], "answers": [one.hex() for one in self.told],
        }  # fmt: skip


def read_evidence(told: dict[str, Any]) -> Evidence:
    """Return the evidence in the JSON of `to_json`."""
    first, second = (Question(int(told["bucket"]), bytes.fromhex(one)) for one in told["questions"])
    proofs, answers = [read_proof(one) for one in told["proofs"]], [bytes.fromhex(one) for one in told["answers"]]
    return Evidence(bytes.fromhex(told["ticket"]), (first, second), (proofs[0], proofs[1]), (answers[0], answers[1]))


def unpunctual(evidence: Evidence, times: Sequence[tuple[float, float]]) -> tuple[int, ...]:
    """Return the servers whose signed time is not between question and answer (`times`). Clock skew is allowed for."""
    return tuple(
        number
        for number, (asked, answered) in enumerate(times)
        if not int(asked) - SKEW <= evidence.signed[number].proof.ts <= answered + SKEW
    )


def faults(layout: Layout, keys: Keys, asked: Asked, evidence: Evidence) -> tuple[int, ...]:
    """Return the servers that did not sign their own question and answer for these tables."""
    return tuple(number for number in SERVERS if not _signed(layout, keys, asked.questions[number], evidence, number))


def _signed(layout: Layout, keys: Keys, question: Question, evidence: Evidence, number: int) -> bool:
    signed = evidence.signed[number]
    proof, key = signed.proof, keys.get((number, signed.proof.kid))
    context = (layout.digest, layout.database, layout.epoch, evidence.ticket.hex())
    said = (proof.server_id, proof.question, proof.answer)
    right = said == (number, question.digest(), answer_digest(evidence.told[number])) and proof.context == context
    return right and key is not None and signed.held_by(key)


class UsedProbes:
    """The probes already used by all gateways that share a state.

    A server could recognize a probe that it saw before.
    """

    def __init__(self, place: Path | Database) -> None:
        self._store = open_state(place, _FORM)

    def claim(self, probe: Probe) -> bool:
        """Mark a probe as used; return whether it was unused."""
        with self._store.change() as link:
            told = link.execute("INSERT INTO used_probe VALUES (?) ON CONFLICT DO NOTHING", (probe.seed.hex(),))
            return bool(told.rowcount)

    def close(self) -> None:
        """Close the store."""
        self._store.close()


class Accusing:
    """Counts aborts, keeps evidence and records which server is named.

    `folder`: location of the sealed evidence of the latest failures. `claim`: marks a probe as used and returns whether
    it was unused.
    """

    def __init__(
        self, folder: Path, vault: Vault, claim: Callable[[Probe], bool], record: Callable[[str, str], None] = lambda *_: None,
        clock: Callable[[], float] = time.time,
    ) -> None:  # fmt: skip
        self._claim = claim
        self._folder, self._vault = folder, vault
        self.record = record
        self._clock = clock
        # a restart does not begin a new hour
        self._aborts = deque((int(path.stem.partition("-")[0]) for path in _kept(folder)), MOST_ABORTS)

    def check_limit(self) -> None:
        """Raise AuthorityError after too many aborts in an hour, so that a server cannot make unlimited attempts."""
        if len(self._aborts) == MOST_ABORTS and self._clock() - self._aborts[0] < HOUR:
            raise AuthorityError("too many look-ups failed within an hour", "`remit gateway liars` names the server")

    def next_probe(self, probes: Sequence[Probe]) -> Probe | None:
        """Return a probe that no server has seen, or None. Without one, only the operator's audit can find the liar."""
        return next(filter(self._claim, probes), None)

    def accuse(self, named: str, why: str, evidence: Evidence) -> None:
        """Count an abort, keep its evidence, and record who is named."""
        now = int(self._clock())
        self._aborts.append(now)
        make_private(self._folder)
        sealed = self._vault.seal(canonical(evidence.to_json()), _ABOUT)
        replace(self._folder / f"{now}-{evidence.ticket.hex()[:16]}.sealed", sealed)
        for path in _kept(self._folder)[:-_KEPT]:  # the kept ones suffice: each names a server
            path.unlink(missing_ok=True)
        telemetry.event("LOOK_UP_FAILED", party=named or "unnamed")
        self.record(named, why if named else "two servers' answers are not rows of the lists; the audit names one")


def kept_evidence(folder: Path, vault: Vault) -> Iterator[tuple[str, Evidence]]:
    """Yield all kept evidence with its name, the oldest first."""
    for path in _kept(folder):
        yield path.stem, read_evidence(json.loads(vault.unseal(path.read_bytes(), _ABOUT)))


def _kept(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.sealed"))


def liars(held: Holdings, keys: Keys, evidence: Evidence) -> tuple[int, ...]:
    """Return the servers whose signed answers do not follow from the tables.

    Evidence that lacks a server's valid signature accuses no server.
    """
    out = []
    for number, (question, signed) in enumerate(zip(evidence.questions, evidence.signed, strict=True)):
        proof, key = signed.proof, keys.get((number, signed.proof.kid))
        theirs = key is not None and proof.server_id == number and signed.held_by(key)
        same = proof.context[:3] == (held.digest, held.database, held.epoch) and proof.question == question.digest()
        if theirs and same and proof.answer != answer_digest(look_up(held.program, held.tables, number, question)):
            out.append(number)
    return tuple(out)
