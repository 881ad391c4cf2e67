"""Who lied? A server signs what it was asked and what it answered, so that a wrong answer is evidence.

- A server that signs something else than it was asked or answered, or another time, is named at once: only it can have done so.
- Answers that together are no rows of the lists leave two suspects. Both are asked a probe, a question whose right answers the operator
  wrote down when it built the tables; to a server it is like any other, once. Who fails is named.
- A server that lies once and answers the probe is named by the operator, who has the tables: the questions and the signed answers are kept,
  sealed, and `remit gateway liars` answers the questions itself.

All that the executor checks of an answer the gateway has checked before, of previews and covers too: whether a look-up fails follows from
the lie alone, and an abort says nothing of what was asked (docs/authority.md). Aborts are counted, and after too many nothing is asked.
"""

from __future__ import annotations

import json
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.authority.question.answering import answer_digest, look_up
from remit.authority.question.asking import Asked, Question
from remit.authority.values.proof import SERVERS, SKEW, Signed, Verifier, read_proof
from remit.core import telemetry
from remit.core.digest import canonical
from remit.core.errors import AuthorityError
from remit.gateway.deployment.files import replace
from remit.gateway.private import make_private
from remit.gateway.state import Database, open_state

if TYPE_CHECKING:
    from pathlib import Path

    from remit.authority.database import Holdings, Probe
    from remit.authority.question.layout import Layout
    from remit.gateway.sealing import Vault

    Keys = Mapping[tuple[int, str], Verifier]  # of the servers, by number and kid

EVIDENCE = "evidence"  # in the gateway's folder
USED = "probes.db"  # the same
MOST_ABORTS, HOUR = 16, 3600
_KEPT = 64  # failures of which the evidence is kept
_FORM = "CREATE TABLE IF NOT EXISTS used_probe (seed TEXT PRIMARY KEY) STRICT, WITHOUT ROWID"
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


def unpunctual(evidence: Evidence, times: Sequence[tuple[float, float]]) -> tuple[int, ...]:
    """The servers that signed another time than one between question and answer (`times`), as far as clocks may differ."""
    return tuple(
        number
        for number, (asked, answered) in enumerate(times)
        if not int(asked) - SKEW <= evidence.signed[number].proof.ts <= answered + SKEW
    )


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


class UsedProbes:
    """The probes that were used, by all gateways that share a state, also before a restart: a server knows one that it saw before."""

    def __init__(self, place: Path | Database) -> None:
        self._store = open_state(place, _FORM)

    def claim(self, probe: Probe) -> bool:
        """Use one; whether nobody has used it before."""
        with self._store.change() as link:
            told = link.execute("INSERT INTO used_probe VALUES (?) ON CONFLICT DO NOTHING", (probe.seed.hex(),))
            return bool(told.rowcount)

    def close(self) -> None:
        """No more."""
        self._store.close()


class Accusing:
    """Counts aborts, keeps evidence and says who is named. `folder`: where evidence of the last failures is kept, sealed.

    `claim`: uses a probe, and says whether nobody has used it before.
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
        """AuthorityError after too many aborts in an hour: whatever they are for, nobody gets to try any more."""
        if len(self._aborts) == MOST_ABORTS and self._clock() - self._aborts[0] < HOUR:
            raise AuthorityError("too many look-ups failed within an hour", "`remit gateway liars` names the server")

    def next_probe(self, probes: Sequence[Probe]) -> Probe | None:
        """One of them that no server has seen; none if all were used: then the audit says who lied."""
        return next(filter(self._claim, probes), None)

    def accuse(self, named: str, why: str, evidence: Evidence) -> None:
        """Count an abort, keep its evidence, and say who is named."""
        now = int(self._clock())
        self._aborts.append(now)
        make_private(self._folder)
        sealed = self._vault.seal(canonical(evidence.to_json()), _ABOUT)
        replace(self._folder / f"{now}-{evidence.ticket.hex()[:16]}.sealed", sealed)
        for path in _kept(self._folder)[:-_KEPT]:  # each of the others accuses somebody too
            path.unlink(missing_ok=True)
        telemetry.event("LOOK_UP_FAILED", party=named or "unnamed")
        self.record(named, why if named else "two servers' answers are not rows of the lists; the audit names one")


def kept_evidence(folder: Path, vault: Vault) -> Iterator[tuple[str, Evidence]]:
    """All that is kept, the oldest first: name and evidence."""
    for path in _kept(folder):
        yield path.stem, read_evidence(json.loads(vault.unseal(path.read_bytes(), _ABOUT)))


def _kept(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.sealed"))


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
