"""An executor with real effects, asked by real proofs: what happened, and what its memory and log say of it."""

from __future__ import annotations

import asyncio
import json

from authority_world import NOW, case, known
from remit.audit.entry import Outcome, RecordKind
from remit.audit.log import Log
from remit.executor.effects.settings import read_effects
from remit.executor.executor import Executor
from remit.executor.replay.sql import SqliteMemory

INTENTS = (
    "ReadFile", "WriteWorkspaceFile", "AppendWorkspaceFile", "DeleteWorkspaceFile", "RunProcess", "CommitSkillInstall",
    "MemoryWrite", "SendInterAgentMessage", "FinalizeOutput",
)  # fmt: skip
POLICY = "policy all\n" + "".join(f"intent {name}\nallow always\n" for name in INTENTS)
CONFIRMING = POLICY.replace("intent RunProcess\nallow always\n", "intent RunProcess\nallow always\nconfirm always\n")
ENDED = {"done": Outcome.EXECUTED, "failed": Outcome.FAILED, "unknown": Outcome.UNKNOWN}


class Acting:
    """One executor in a folder, with the effects that a file sets up."""

    def __init__(self, folder, effects, policy=POLICY):
        self.folder, self.policy = folder, policy
        for name in ("workspace", "state"):
            (folder / name).mkdir(exist_ok=True)
        (folder / "effects.json").write_text(json.dumps({"v": 1, **effects}))
        self.memory = SqliteMemory(folder / "state" / "marks.db")
        self.log = Log.open(folder / "state")
        self.executor = Executor("one", known(policy), self.memory, self.log, self.effects(), lambda: NOW)

    def effects(self):
        return read_effects(self.folder / "effects.json", self.folder / "state")

    def act(self, intent, **inputs):
        """What became of it. Whatever it was, the log has one admission and one end of the same kind."""
        one = case(intent, inputs, text=self.policy)
        result = asyncio.run(self.executor.act(one.presented()))
        assert result.status in ENDED, result
        entries = self.entries(one.action_id)
        assert [(entry.kind, entry.outcome in (Outcome.ADMIT, Outcome.PERSON_APPROVED)) for entry in entries] == [
            (RecordKind.DECISION, True),
            (RecordKind.EFFECT, False),
        ]
        assert entries[-1].outcome is ENDED[result.status]
        assert asyncio.run(self.executor.act(one.presented())).code == "REPLAY_DENY"
        return result

    def entries(self, action_id):
        return [record.entry for record in self.log.records() if record.entry.call == action_id]

    def record_of(self, result):
        return self.entries(result.action_id)[1].arguments

    def close(self):
        self.memory.close()
        self.log.close()
