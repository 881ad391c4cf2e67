"""Client that does what a gateway does, honestly or not: asks both servers, decides, presents to the executor."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.authority.policy_files import DeliveredPolicy, read_layout
from remit.authority.program.decision import decision
from remit.authority.question.layout import GATEWAY
from remit.authority.question.questions import ask
from remit.authority.question.slots import spoken
from remit.authority.server.app import read_answer, write_question
from remit.authority.values.action import new_action
from remit.authority.values.opening import LookUp, open_for
from remit.authority.values.proof import Signed, Signer, sign
from remit.authority.wire.address import read_address
from remit.authority.wire.client import Client
from remit.bundle.keys import PrivateKey, read_private
from remit.executor.accept import Presented
from remit.executor.credentials.tokens import read_credential
from remit.gateway.deployment.files import BUILT, GATEWAY_LAYOUT
from remit.gateway.deployment.operator_actions import CredentialContents as Credentials
from remit.gateway.deployment.operator_actions import give
from remit.gateway.parties.executor import RemoteExecutor
from remit.policy.dlp.classes import classes

if TYPE_CHECKING:
    from pathlib import Path

    from remit.authority.values.outputs import Outputs
    from remit.authority.values.request import Request
    from remit.executor.forms import Result


SALT = 32
AGENT, SESSION = "agent", "session"
_HOUR = 3600


class Keys(NamedTuple):
    """The signing keys of an installation, to sign as its servers and its approver would."""

    p0: PrivateKey
    p1: PrivateKey
    approver: PrivateKey


class AnsweredRequest(NamedTuple):
    """A request with both servers' answers and proofs, as a gateway holds it."""

    look_up: LookUp
    outputs: Outputs
    proofs: tuple[Signed, Signed]
    answers: tuple[bytes, bytes]
    credential: Any
    commitment: str

    @property
    def request(self) -> Request:
        """The request."""
        return self.look_up.opening.request

    @property
    def action_id(self) -> str:
        """The name of the action."""
        return self.look_up.action_id

    def presented(self, *proofs: Any, request: bytes | None = None, confirmation: Any = None) -> Presented:
        """Return the presentation for the executor, with other proofs or another request if given."""
        told = proofs or tuple(one.to_json() for one in self.proofs)
        spelled = self.request.spelling() if request is None else request
        rest = self.action_id, self.look_up.salt, told, self.answers, self.credential, confirmation
        return Presented(spelled, self.look_up.opening.nonce, *rest)


def keys_in(folder: Path) -> Keys:
    """Return the keys of an installation."""
    return Keys(*(read_private(folder / "keys" / f"{name}.key") for name in Keys._fields))


def signed_again(signed: Signed, signer: Signer, **changes: Any) -> Signed:
    """Return a proof with changed fields (also of its context), signed again."""
    proof = signed.proof
    inner = {name: changes.pop(name) for name in proof.context._fields if name in changes}
    return sign(proof._replace(context=proof.context._replace(**inner), **changes), signer)


class DirectClient:
    """Sends requests to the parties' sockets of an installation."""

    def __init__(self, folder: Path) -> None:
        self.keys = keys_in(folder)
        self.given = given_in(folder)
        self._credential = credential_in(folder)
        self._servers = [_client(folder, name) for name in ("p0", "p1")]
        self._executors = {"executor": RemoteExecutor(_client(folder, "executor"))}

    def add_executor(self, name: str, folder: Path) -> None:
        """Add another executor, whose socket is in another folder."""
        self._executors[name] = RemoteExecutor(_client(folder, "executor"))

    async def granted(self, request: Request, asked_about: Request | None = None) -> AnsweredRequest:
        """Return both servers' proofs for a request. A dishonest gateway asks them about another request."""
        opening = open_for(request, await self._executors["executor"].store())
        return await self.looked_up(LookUp(opening, new_action(int(time.time())), bytes(SALT)), asked_about)

    async def again(self, one: AnsweredRequest) -> AnsweredRequest:
        """Return fresh proofs for the same action."""
        return await self.looked_up(one.look_up._replace(salt=one.look_up.salt[1:] + b"a"))

    async def looked_up(self, one: LookUp, asked_about: Request | None = None) -> AnsweredRequest:
        """Return both servers' answers and proofs."""
        layout, binding = self.given.layout, self.given.binding
        said = spoken(layout.program, asked_about or one.opening.request, classes)
        asked = await asyncio.to_thread(ask, layout, said, binding.question_seed(one))
        ticket = binding.ticket(one)
        posts = [
            client.post("/look-up", write_question(ticket, layout.epoch, question))
            for client, question in zip(self._servers, asked.questions, strict=True)
        ]
        first, second = (read_answer(data) for data in await asyncio.gather(*posts))
        answers = (first[1], second[1])
        outputs = decision(layout, said, asked, answers)
        commitment = binding.commitment(one.opening).hex()
        return AnsweredRequest(one, outputs, (first[0], second[0]), answers, self._credential, commitment)

    async def present(self, presented: Presented, where: str = "executor") -> Result:
        """Return an executor's result; AuthorityError if it does not answer."""
        return await self._executors[where].execute(presented, {})

    async def close(self) -> None:
        """Close all connections."""
        for server in self._servers:
            await server.close()
        for executor in self._executors.values():
            await executor.close()


def given_in(folder: Path) -> DeliveredPolicy:
    """Return what the gateway of an installation has of its policy."""
    return read_layout(folder / BUILT / GATEWAY_LAYOUT, GATEWAY)


def credential_in(folder: Path) -> Any:
    """Return a credential of the games' agent, with all rights."""
    return read_credential(give(folder, Credentials(AGENT, SESSION, ("*",), ("*",), _HOUR))).to_json()


def _client(folder: Path, name: str) -> Client:
    return Client(name, read_address(f"unix:{folder}/run/{name}.sock"), None)
