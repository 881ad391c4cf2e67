"""A gateway with everything behind it in this process: two servers' computation, their keys, and an executor with a real memory and log."""

from __future__ import annotations

import asyncio
from typing import Any

from gatekeys import APPROVER_KEY, DAY, NOW, OPERATORS, credential_of

from authority_world import BINDING, STORE, answers_of, built, key, known, proved
from remit.audit.log import Log
from remit.authority.intents import intents
from remit.authority.policy_files import DeliveredPolicy
from remit.authority.program.decision import decision, refusal
from remit.authority.question.questions import ask
from remit.authority.question.slots import spoken
from remit.authority.values.opening import LookUp
from remit.authority.values.proof import sign
from remit.core.errors import AuthorityError
from remit.executor.effects.adapter import EffectDone
from remit.executor.executor import Executor
from remit.executor.replay.sql import SqliteMemory
from remit.gateway.effects import Rules
from remit.gateway.gateway import Gateway
from remit.gateway.handles import Handles, Limits
from remit.gateway.local import Local, Notes, SkillFolder
from remit.gateway.parties.servers import LookUpResult, NotAskedError
from remit.gateway.revocations import Revocations
from remit.gateway.state import Vault
from remit.gateway.transactions import Transactions, approve, deliver
from remit.gateway.workspace import Workspace
from remit.policy.dlp.classes import classes, veiled

POLICY = """
policy  gate
proxy   https://proxy.example.org/through
list    recipients  boss@example.org anna@example.org
list    domains     example.org api.example.org
list    friends     bob
list    fragments   windows 12 from fragments.txt
list    paths       /srv/notes.txt

intent  SendMessage
allow   recipient in recipients
deny    text has fragments
deny    text shows key
redact  text shows card
confirm text shows marking

intent  FetchResource
allow   domain in domains
rewrite domain not in domains

intent  PostWebhook
allow   domain in domains

intent  UseCredential
allow   domain in domains

intent  Declassify
allow   always
confirm always

intent  ReadFile
allow   token in paths

intent  MemoryWrite
allow   always
redact  text shows card

intent  MemoryDelete
allow   always

intent  SendInterAgentMessage
allow   recipient in friends

intent  FinalizeOutput
allow   not text shows key
"""
APPROVERS = {"anna": APPROVER_KEY.public}
CARD = "4111 1111 1111 1111"


class Servers:
    """The `Policy` port: both servers' real answers, without sockets between them."""

    def __init__(self, clock: Any) -> None:
        self.use(POLICY)
        self.clock = clock
        self.down = False
        self.signed: list[Any] = []
        self.salts = 0

    def use(self, policy):
        self.policy, self.layout = policy, built(policy).gateway
        self.given = DeliveredPolicy(self.layout, BINDING)

    async def renew(self, before):
        return self.given.epoch > before

    async def look_up(self, opening, action_id):
        if self.down:
            raise AuthorityError("the policy servers do not answer", "see that they run")
        self.salts += 1
        look = LookUp(opening, action_id, self.salts.to_bytes(32, "big"))
        try:
            said = spoken(self.layout.program, opening.request, classes)
            asked = ask(self.layout, said, BINDING.question_seed(look))
        except AuthorityError as error:
            raise NotAskedError(error.message, error.remedy) from None
        answers = answers_of(asked, self.policy)
        proofs = tuple(
            sign(one, key(f"server {one.server_id}")).to_json()
            for one in proved(look, asked, answers, self.policy, int(self.clock()))
        )
        self.signed += proofs
        outputs = decision(self.layout, said, asked, answers)
        why = "" if outputs.allow else refusal(self.layout, said, asked, answers)
        return LookUpResult(outputs, look.salt, proofs, answers, self.given, why)


class World:
    """All of it, with a clock that tests turn."""

    def __init__(self, folder: Any, shared: Any = None, owner: str = "", **rules: Any) -> None:
        self.now = NOW
        self.folder = folder
        self.happened: list[Any] = []
        self.secrets: list[Any] = []
        self.returns: dict[str, Any] = {}
        vault = Vault(b"v" * 32)
        self.transactions = Transactions(shared or folder / "tx.db", vault, owner)
        self.handles = Handles(shared or folder / "handles.db", vault)
        self.revocations = Revocations(shared or folder / "revoked.db")
        self.notes = Notes(shared or folder / "notes.db", vault)
        for name in ("workspace", "skills"):
            (folder / name).mkdir(exist_ok=True)
        workspace = Workspace(folder / "workspace")
        skills = SkillFolder(folder / "skills", folder / "workspace", workspace)
        self.local = Local(self.handles, self.revocations, self.notes, workspace, skills)
        self.servers = Servers(self.clock)
        self.memory = SqliteMemory(folder / "marks.db")
        self.logs = [Log.open(self._made(name)) for name in ("gateway-log", "executor-log")]
        names = [name for name, one in intents().items() if one.effect != "none"]
        self.executor = Executor(
            "e1", known(POLICY, classes=classes, redact=veiled, approvers=APPROVERS, operators=OPERATORS), self.memory, self.logs[1],
            dict.fromkeys(names, self), self.clock,
        )  # fmt: skip
        self.presented: list[Any] = []
        self.rules = Rules(OPERATORS, APPROVERS, veiled, **{"limits": Limits(), **rules})
        self.gateway = Gateway(
            self.rules, self.servers, self, self.transactions, self.local, self.logs[0], self.clock
        )  # fmt: skip
        self.answers: list[Any] = []
        self.alice = credential_of("alice", exp=NOW + DAY)

    def _made(self, name: str) -> Any:
        (self.folder / name).mkdir(mode=0o700)
        return self.folder / name

    def clock(self) -> float:
        return self.now

    def happen(self, accepted):
        self.happened.append(accepted)
        self.secrets.append(accepted.secrets)
        return EffectDone("done", self.returns)

    async def store(self):
        return STORE

    async def outcome(self, action_id):
        return self.executor.outcome(action_id)

    async def execute(self, presented, secrets):
        self.presented.append(presented)
        return await self.executor.act(presented, secrets)

    def act(self, intent_id, inputs=None, tx_id="", who=None, peer=None):
        said = {"intent_id": intent_id, "inputs": inputs or {}}
        if tx_id:
            said["constraints"] = {"tx_id": tx_id}
        return self.said(said, who, peer)

    def said(self, said, who=None, peer=None):
        answer = asyncio.run(self.gateway.act(self.alice if who is None else who, said, peer))
        self.answers.append(answer)
        return answer

    def approve(self, tx_id):
        (waiting,) = [one for one in self.transactions.waiting(self.now) if one.id == tx_id]
        word = approve(waiting, "anna", APPROVER_KEY).to_json()
        assert deliver(self.transactions, tx_id, word, APPROVERS, self.now) == ""

    def done(self, intent_id, inputs=None, who=None):
        """Preview, confirmation if it is wanted, and commit."""
        first = self.act(intent_id, inputs, who=who)
        assert first.status in ("PREVIEW", "CONFIRM"), first
        if first.status == "CONFIRM":
            self.approve(first.tx_id)
        return self.act(intent_id, inputs, first.tx_id, who=who)

    def change(self, policy):
        """Another policy, for all parties at once."""
        self.servers.use(policy)
        self.executor._known = known(policy, classes=classes, redact=veiled, approvers=APPROVERS, operators=OPERATORS)

    def close(self) -> None:
        for one in (self.transactions, self.handles, self.revocations, self.notes, self.memory, *self.logs):
            one.close()
