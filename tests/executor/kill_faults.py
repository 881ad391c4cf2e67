"""Executors and gateways with one fault each, as processes: `python kill_faults.py FAULT SETTINGS`. A storm must notice every one of them."""

import asyncio
import subprocess
import sys
import time
from contextlib import contextmanager
from types import SimpleNamespace
from unittest.mock import patch

from remit.gateway.deployment import processes


def acts_before_it_marks():
    from remit.executor.executor import Executor

    begin, end, held = Executor._begin, Executor._conclude, {}

    def begun(self, accepted):
        held[accepted.action_id] = accepted
        return ""

    def ended(self, entry, state):
        begin(self, held.pop(entry.call))
        return end(self, entry, state)

    Executor._begin, Executor._conclude = begun, ended


def forgets_what_it_did_not_finish():
    from remit.executor.replay.sql import SqliteMemory

    def finish(self, action_id, owner, state):
        real(self, action_id, owner, state)
        if state == "unknown":
            with self._store.change() as link:
                link.execute("DELETE FROM action WHERE name = ?", (action_id,))

    real, SqliteMemory.finish = SqliteMemory.finish, finish


def says_done_before_it_acts():
    from remit.executor.executor import Executor, Result

    act, tasks = Executor.act, set()

    async def hurried(self, presented, secrets):
        tasks.add(asyncio.create_task(act(self, presented, secrets)))
        return Result("done", action_id=presented.proofs[0]["proof"]["action_id"])

    Executor.act = hurried


def records_when_it_has_acted():
    from remit.executor.executor import Executor

    record, held = Executor._record, {}

    def recorded(self, entry):
        if entry.kind == "decision":
            held[entry.call] = entry
        else:
            record(self, held.pop(entry.call))
            record(self, entry)

    Executor._record = recorded


def keeps_the_log_in_memory_for_a_while():
    from remit.audit.log import Log

    append, held = Log.append, []

    def later(self, *entries, sync=False):
        held.extend(entries)
        if len(held) >= 40:
            append(self, *held, sync=sync)
            held.clear()
        return (0,)

    Log.append = later


def does_not_look_after_what_was_left():
    from remit.executor.executor import Executor

    Executor.reconcile = lambda _: ()


def gateway_sends_again_what_was_not_answered():
    from remit.authority.values.action import new_action
    from remit.authority.values.opening import open_for
    from remit.authority.values.request import read_request
    from remit.gateway.effects import Effects

    real = Effects._executed

    async def again(self, presented, secrets):
        for _ in range(30):
            try:
                return await self._executor.execute(presented, secrets)
            except Exception:
                await asyncio.sleep(0.1)
            try:  # as a new action
                request = read_request(presented.request)
                opening, action_id = open_for(request, await self._executor.store()), new_action(int(time.time()))
                found = await self._policy.look_up(opening, action_id)
                presented = presented._replace(
                    nonce=opening.nonce,
                    action_id=action_id,
                    salt=found.salt,
                    proofs=found.proofs,
                    answers=found.answers,
                )
            except Exception:
                continue
        return await real(self, presented, secrets)

    Effects._executed = again


def gateway_takes_no_answer_for_done():
    from remit.executor.executor import Result
    from remit.gateway.parties.executor import RemoteExecutor

    execute = RemoteExecutor.execute

    async def hoped(self, presented, secrets):
        try:
            return await execute(self, presented, secrets)
        except Exception:
            return Result("done")

    RemoteExecutor.execute = hoped


FAULTS = {
    "executor": (
        acts_before_it_marks, forgets_what_it_did_not_finish, says_done_before_it_acts, records_when_it_has_acted,
        keeps_the_log_in_memory_for_a_while, does_not_look_after_what_was_left,
    ),
    "gateway": (gateway_sends_again_what_was_not_answered, gateway_takes_no_answer_for_done),
}  # fmt: skip


def faulty(role, fault):
    """One role is started with a fault from here on."""
    return faulty_by(__file__, role, fault)


@contextmanager
def faulty_by(script, role, fault):
    """The same, with the script that has the fault."""

    def popen(command, **how):
        return subprocess.Popen([sys.executable, "-I", script, fault, command[-1]], **how)

    real, other = processes._spawn, SimpleNamespace(Popen=popen, DEVNULL=subprocess.DEVNULL)

    def spawn(folder, party):
        if party.role != role:
            return real(folder, party)
        with patch.object(processes, "subprocess", other):
            return real(folder, party)

    with patch.object(processes, "_spawn", spawn):
        yield


if __name__ == "__main__":
    from remit.cli.main import main

    {one.__name__: one for of_role in FAULTS.values() for one in of_role}[sys.argv[1]]()
    sys.exit(main(["serve", sys.argv[2]]))
