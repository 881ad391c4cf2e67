"""What a gateway does, by hand: ask both servers, have them sign, present it to the executor. Honest or not."""

from __future__ import annotations

import asyncio
import json
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.authority.database import build_database
from remit.authority.program.language import read_policy
from remit.authority.question.asking import questions
from remit.authority.question.spoken import spoken
from remit.authority.values.action import new_action
from remit.authority.values.opening import BindingKey, open_for
from remit.authority.values.outputs import joined
from remit.authority.values.proof import read_proof, sign
from remit.authority.wire.address import read_address
from remit.authority.wire.asking import Client
from remit.bundle.keys import read_private
from remit.executor.accept import Presented
from remit.gateway.parties.executor import RemoteExecutor
from remit.policy.dlp.classes import classes

if TYPE_CHECKING:
    from pathlib import Path

    from remit.authority.question.layout import Layout
    from remit.authority.values.outputs import Outputs
    from remit.authority.values.proof import Signed, Signer
    from remit.authority.values.request import Request
    from remit.bundle.keys import PrivateKey
    from remit.executor.forms import Result


class Keys(NamedTuple):
    """The signing keys of an installation. Who has them can sign as its servers and its approver would."""

    p0: PrivateKey
    p1: PrivateKey
    approver: PrivateKey


class Granted(NamedTuple):
    """A request with the proofs of both servers for it, as a gateway holds it."""

    request: Request
    nonce: bytes
    proofs: tuple[Signed, Signed]

    @property
    def action_id(self) -> str:
        """The name of the action."""
        return self.proofs[0].proof.context.action_id

    @property
    def commitment(self) -> str:
        """What stands for the request."""
        return self.proofs[0].proof.context.commitment

    @property
    def outputs(self) -> Outputs:
        """The decision."""
        return joined(self.proofs[0].proof.outputs, self.proofs[1].proof.outputs)

    def presented(self, *proofs: Any, request: bytes | None = None, confirmation: Any = None) -> Presented:
        """As it is sent to the executor; with other proofs or another request, if they are given."""
        told = proofs or tuple(one.to_json() for one in self.proofs)
        return Presented(self.request.spelling() if request is None else request, self.nonce, told, confirmation)


def keys_in(folder: Path) -> Keys:
    """The keys of an installation."""
    return Keys(*(read_private(folder / "keys" / f"{name}.key") for name in Keys._fields))


def signed_again(signed: Signed, signer: Signer, **changes: Any) -> Signed:
    """A proof with other fields, signed. Fields of its context are told by their names."""
    proof = signed.proof
    inner = {name: changes.pop(name) for name in proof.context._fields if name in changes}
    return sign(proof._replace(context=proof.context._replace(**inner), **changes), signer)


class Asker:
    """Asks the parties of an installation on their sockets."""

    def __init__(self, folder: Path) -> None:
        self.keys = keys_in(folder)
        self.binding = BindingKey((folder / "keys" / "binding.key").read_bytes())
        self.layout = layout_in(folder)
        self._servers = [_client(folder, name) for name in ("p0", "p1")]
        self._executors = {"executor": RemoteExecutor(_client(folder, "executor"))}

    def add_executor(self, name: str, folder: Path) -> None:
        """Another executor, which has its socket in another folder."""
        self._executors[name] = RemoteExecutor(_client(folder, "executor"))

    async def granted(self, request: Request, asked_about: Request | None = None) -> Granted:
        """Both servers' proofs for a request; or, by a dishonest gateway, for what they were asked about another one."""
        opening = open_for(request)
        said = spoken(self.layout.program, asked_about or request, classes)
        asked = await asyncio.to_thread(questions, self.layout, said, self.binding.question_seed(opening))
        commitment = self.binding.commitment(opening)
        action_id = new_action(int(time.time()))
        head = bytes.fromhex(action_id) + commitment + bytes((asked[0].bucket,))
        posts = [client.post("/evaluate", head + one.body) for client, one in zip(self._servers, asked, strict=True)]
        await asyncio.gather(*posts)
        proofs = await self.signed(action_id, commitment.hex())
        return Granted(request, opening.nonce, proofs)

    async def signed(self, action_id: str, commitment: str) -> tuple[Signed, Signed]:
        """What both servers sign now for an action that they decided."""
        body = json.dumps({"action_id": action_id, "commitment": commitment}).encode()
        told = await asyncio.gather(*(client.post("/commit", body) for client in self._servers))
        return read_proof(json.loads(told[0])), read_proof(json.loads(told[1]))

    async def present(self, presented: Presented, where: str = "executor") -> Result:
        """What an executor says to it; AuthorityError if it does not answer."""
        return await self._executors[where].execute(presented, {})

    async def close(self) -> None:
        """Let go of all connections."""
        for server in self._servers:
            await server.close()
        for executor in self._executors.values():
            await executor.close()


def layout_in(folder: Path) -> Layout:
    """Program and tables as all parties of an installation know them."""
    key = (folder / "keys" / "table.key").read_bytes()
    epoch = json.loads((folder / "p0.json").read_bytes())["epoch"]
    return build_database(read_policy(folder / "policy" / "remit.policy"), key, epoch).layout


def _client(folder: Path, name: str) -> Client:
    return Client(name, read_address(f"unix:{folder}/run/{name}.sock"), None)
