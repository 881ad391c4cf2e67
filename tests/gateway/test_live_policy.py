"""A changed list counts while all parties go on running, as processes; what the earlier policy allowed is refused from then on."""

import asyncio
import json
import os
import signal
import time
from collections import Counter
from contextlib import contextmanager

from remit.authority.values.request import make_request
from remit.cli import main
from remit.gateway.deployment import processes
from remit.gateway.deployment.folders import make_folder
from remit.gateway.deployment.operator_actions import CredentialContents, confirm_one, give, waiting
from remit.gateway.deployment.processes import start, status, stop
from remit.gateway.fronts.client import GatewayClient as AgentsAsker
from remit.gateway.games.direct_client import AGENT, SESSION, DirectClient

POLICY = """
policy  live
list    notes    from notes.txt
intent  MemoryWrite
allow   token in notes
confirm text shows card
intent  FinalizeOutput
allow   not text shows key
"""
CARD = "4111 1111 1111 1111"


@contextmanager
def installation(folder):
    (folder / "live.policy").write_text(POLICY)
    (folder / "notes.txt").write_text("one\ntwo\n")
    up = folder / "up"
    try:
        list(start(up, make_folder(up, folder / "live.policy")))
        yield up
    finally:
        list(stop(up))


def change(up, notes):
    """Another list, with the command of the operator; gives what it printed."""
    (up / "policy" / "notes.txt").write_text(notes)
    assert main(["up", "--folder", str(up)]) == 0


def running(up):
    return {one.role: one.pid for one in status(up, processes.known_parties(up))}


def write(key, text="hello"):
    return {"intent_id": "MemoryWrite", "inputs": {"key": key, "text": text}}


def agent(up):
    credential = give(up, CredentialContents("agent", "s1", ("*",), ("*",), 3600))
    return AgentsAsker(str(up / "run" / "gateway.sock"), credential)


async def committed(asker, said, preview):
    return await asker.act(said | {"constraints": {"tx_id": preview["tx_id"]}})


def test_a_changed_list_counts_at_once_and_the_earlier_one_no_more(tmp_path, capfd):
    with installation(tmp_path) as up:
        before = running(up)

        async def first():
            async with agent(up) as asker:
                denied = await asker.act(write("three"))
                assert denied["reason_code"] == "POLICY_DENY"
                assert denied["summary"] == "no line that allows it holds: `allow token in notes` (remit.policy:5)"
                waits = await asker.act(write("two", CARD))
                assert waits["status"] == "CONFIRM"
                return await asker.act(write("one")), await asker.act(write("two")), waits

        async def second(one, two, waits):
            async with agent(up) as asker:
                gone = await committed(asker, write("one"), one)
                assert gone["reason_code"] == "POLICY_DENY", gone
                assert (await asker.act(write("one")))["reason_code"] == "POLICY_DENY"
                assert (await committed(asker, write("two"), two))["status"] == "OK"
                assert (await committed(asker, write("two", CARD), waits))["status"] == "OK"
                new = await asker.act(write("three"))
                assert (await committed(asker, write("three"), new))["status"] == "OK"

        async def proofs(asker):
            return await asker.granted(make_request("MemoryWrite", AGENT, SESSION, write("one")["inputs"]))

        async def presented(up, granted):
            asker = DirectClient(up)
            try:
                return (await asker.present(granted.presented())).code
            finally:
                await asker.close()

        async def old():
            asker = DirectClient(up)
            try:
                return await proofs(asker)
            finally:
                await asker.close()

        known = asyncio.run(first())
        (one,) = waiting(up)
        confirm_one(up, one.id, "anna")  # an approver's word from before the change is good after it
        granted = asyncio.run(old())
        capfd.readouterr()
        change(up, "two\nthree\n")
        assert "; the new policy counts" in capfd.readouterr().out
        assert running(up) == before
        asyncio.run(second(*known))
        assert asyncio.run(presented(up, granted)) == "PROGRAM_UNKNOWN"
        change(up, "two\nthree\n")
        assert "new policy" not in capfd.readouterr().out
        assert running(up) == before


def test_a_gateway_that_was_not_told_follows_the_executor(tmp_path, monkeypatch):
    """Parties on several machines are told one after another: nobody is refused in between, and nothing is decided by the earlier list."""
    with installation(tmp_path) as up:
        told = {one.role: one.pid for one in status(up, processes.known_parties(up)) if one.role != "gateway"}
        monkeypatch.setattr("remit.cli.up.start", lambda *_: [])

        async def work():
            async with agent(up) as asker:
                one, two = await asker.act(write("one")), await asker.act(write("two"))
                change(up, "two\nthree\n")
                for pid in told.values():
                    os.kill(pid, signal.SIGHUP)
                until = time.monotonic() + 300
                while len({read(up, role) for role in told}) > 1 or read(up, "p0") == read(up, "gateway"):
                    assert time.monotonic() < until, "a party did not take the policy"
                    await asyncio.sleep(0.05)
                assert (await committed(asker, write("two"), two))["status"] == "OK"
                assert (await committed(asker, write("one"), one))["reason_code"] == "POLICY_DENY"
                assert read(up, "gateway") == read(up, "executor")

        asyncio.run(work())


def read(up, role):
    return processes._epoch(f"unix:{up}/run/{role}.sock")


def test_a_policy_that_cannot_be_read_does_not_count(tmp_path):
    with installation(tmp_path) as up:
        layout = up / "built" / "executor.layout"
        good, before = layout.read_bytes(), running(up)
        layout.write_text("{}")
        os.kill(before["executor"], signal.SIGHUP)
        until = time.monotonic() + 300
        while "does not count" not in (up / "log" / "executor.log").read_text():
            assert time.monotonic() < until, "nothing was said of it"
            time.sleep(0.05)
        layout.write_bytes(good)

        async def work():
            async with agent(up) as asker:
                return await committed(asker, write("one"), await asker.act(write("one")))

        assert asyncio.run(work())["status"] == "OK"
        assert running(up) == before


def test_nobody_notices_a_change_of_the_list(tmp_path):
    """Agents go on while the list changes again and again: what both lists allow always happens."""
    with installation(tmp_path) as up:
        done, answers = asyncio.Event(), Counter()

        async def busy(number):
            async with agent(up) as asker:
                while not done.is_set():
                    said = write("two", f"text of {number}")
                    preview = await asker.act(said)
                    told = await committed(asker, said, preview) if preview["status"] == "PREVIEW" else preview
                    answers[told["reason_code"] or told["status"]] += 1

        async def work():
            clients = [asyncio.create_task(busy(number)) for number in range(4)]
            for number in range(5):
                before = answers["OK"]
                while answers["OK"] < before + 10:
                    assert set(answers) <= {"OK"}, answers
                    await asyncio.sleep(0.02)
                await asyncio.to_thread(change, up, f"two\nnumber{number}\n")
            done.set()
            await asyncio.gather(*clients)

        asyncio.run(work())
        assert set(answers) == {"OK"}, answers
        epochs = {json.loads((up / "built" / "epoch.json").read_text())[0]}
        assert {read(up, role) for role in ("p0", "p1", "executor", "gateway")} == epochs
