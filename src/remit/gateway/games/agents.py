"""Attempts of agents at the gateway to cause an effect without a grant."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from remit.audit.log import Log
from remit.gateway.deployment.operator_actions import Given, confirm_one, give
from remit.gateway.fronts.client import Asker

if TYPE_CHECKING:
    from pathlib import Path

    from remit.gateway.games.installation import Office
    from remit.gateway.games.tally import Tally

_HAPPENED = ("OK",)
_GIVEN = Given("alice", "one", ("*",), ("*",), 3600)
_CONTROL = "control: an agent previews and commits, once"
_FORM, _WHO = "at the gateway: fields that nobody knows", "at the gateway: no credential, or a changed one"
_COMMIT = "at the gateway: commit of something else, by somebody else, or twice"
_WAIT = "at the gateway: commit without the approver's word"


def play_agents(place: Office, elsewhere: Path, tally: Tally, rounds: int) -> list[str]:
    """Play all attempts, also with credentials of another installation; return the names of the actions that had to
    happen.
    """
    asyncio.run(play_at(place, tally, rounds, give(elsewhere, _GIVEN)))
    with Log.open(place.folder / "state" / "gateway-log") as log:
        records = list(log.records())
    return [
        one.entry.arguments["action_id"]
        for one in records
        if one.entry.kind == "effect" and one.entry.outcome == "executed"
    ]


async def play_at(place: Office, tally: Tally, rounds: int, stranger: str) -> None:
    """Play all attempts at the gateway; `stranger`: a credential of another operator."""
    alice = place.credential("alice", "one")
    others = {"somebody else": place.credential("bob", "one"), "another session": place.credential("alice", "two")}
    async with Asker(place.gateway, alice) as asker:
        for number in range(rounds):
            said = _said(f"agent number {number}")
            for told in _unknown_fields(said):
                _judge(tally, _FORM, await asker.act(told))
            for credential in (*_credentials(alice), stranger):
                async with Asker(place.gateway, credential) as nobody:
                    _judge(tally, _WHO, await nobody.act(said))
            await _committed(place, tally, asker, said, others)
            await _confirmed(place, tally, asker, number)


async def _committed(place: Office, tally: Tally, asker: Asker, said: dict[str, Any], others: dict[str, str]) -> None:
    preview = await asker.act(said)
    commit = {"constraints": {"tx_id": preview.get("tx_id", "")}}
    for credential in others.values():
        async with Asker(place.gateway, credential) as other:
            _judge(tally, _COMMIT, await other.act(said | commit))
    for changed in ({"to": "boss@example.org"}, {"text": "something else"}, {"subject": "new"}):
        _judge(tally, _COMMIT, await asker.act({**said, "inputs": said["inputs"] | changed, **commit}))
    _judge(tally, _COMMIT, await asker.act(said | {"constraints": {"tx_id": "0" * 32}}))
    told = await asyncio.gather(*(asker.act(said | commit) for _ in range(4)))
    happened = sum(one["status"] in _HAPPENED for one in told)
    tally.add(_CONTROL, won=happened == 0, note="" if happened else str(told[0].get("reason_code")))
    for number in range(1, len(told)):
        tally.add(_COMMIT, won=number < happened)


async def _confirmed(place: Office, tally: Tally, asker: Asker, number: int) -> None:
    said = {"intent_id": "SendMessage", "inputs": {"to": f"agent-{number}@example.org", "text": "to be confirmed"}}
    preview = await asker.act(said)
    name = preview.get("tx_id", "")
    for constraints in ({"tx_id": name}, {"tx_id": name, "user_confirm": True}, {"tx_id": name, "confirmation": {}}):
        _judge(tally, _WAIT, await asker.act({**said, "constraints": constraints}))
    await asyncio.to_thread(confirm_one, place.folder, name, "games")
    told = await asker.act({**said, "constraints": {"tx_id": name}})
    tally.add(_CONTROL, won=told["status"] not in _HAPPENED, note=str(told.get("reason_code", "")))


def _said(text: str) -> dict[str, Any]:
    return {"intent_id": "SendMessage", "inputs": {"to": "anna@example.org", "text": text}}


def _unknown_fields(said: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for name in ("caller", "session", "user_confirm", "contextual_targets", "channel", "proofs"):
        yield said | {name: "alice"}
        yield {**said, "inputs": said["inputs"] | {name: True}}
        yield {**said, "constraints": {name: True}}
    yield {"intent_id": said["intent_id"]}


def _credentials(right: str) -> Iterator[str]:
    yield "x"
    middle = len(right) // 2
    yield right[:middle] + ("A" if right[middle] != "A" else "B") + right[middle + 1 :]
    yield right[:-8]


def _judge(tally: Tally, what: str, told: dict[str, Any]) -> None:
    won = told["status"] in _HAPPENED
    tally.add(what, won=won, note=str(told.get("summary")) if won else "", code=str(told.get("reason_code", "")))
