"""Game NBE: no effect without both authorities.

The adversary wins if a message leaves without both servers' signatures for exactly this request, or if one leaves
twice. In each round all attempts of `forged_presentations` are played; then the correct presentation is sent several
times at once: it must happen exactly once. Agents try to cause an effect at the gateway without a grant.

Another user of the machine tries to use the parties' sockets directly. First with the folders as created: the user
cannot reach a socket. Then with folders and sockets opened to all: the parties refuse by the user id from the kernel.
This needs the right to become another user.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
import tempfile
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from remit.audit.log import Log
from remit.core.errors import AuthorityError
from remit.gateway.deployment.folders import make_folder
from remit.gateway.deployment.operator_actions import CredentialContents, confirm_one, give
from remit.gateway.deployment.plan import Party
from remit.gateway.deployment.processes import start, stop
from remit.gateway.fronts.client import GatewayClient
from remit.gateway.games.direct_client import DirectClient, credential_in, keys_in
from remit.gateway.games.forged_presentations import ATTEMPTS, Hand, confirmation, message
from remit.gateway.games.installation import Office, Tally, Tried, actions_of, killed, office

if TYPE_CHECKING:
    from remit.executor.accept import Presented
    from remit.executor.forms import Result


_HAPPENED = ("OK",)
_GIVEN = CredentialContents("alice", "one", ("*",), ("*",), 3600)
_AGENT_CONTROL = "control: an agent previews and commits, once"
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
    async with GatewayClient(place.gateway, alice) as asker:
        for number in range(rounds):
            said = _said(f"agent number {number}")
            for told in _unknown_fields(said):
                _judge_answer(tally, _FORM, await asker.act(told))
            for credential in (*_credentials(alice), stranger):
                async with GatewayClient(place.gateway, credential) as nobody:
                    _judge_answer(tally, _WHO, await nobody.act(said))
            await _committed(place, tally, asker, said, others)
            await _confirmed(place, tally, asker, number)


async def _committed(
    place: Office, tally: Tally, asker: GatewayClient, said: dict[str, Any], others: dict[str, str]
) -> None:
    preview = await asker.act(said)
    commit = {"constraints": {"tx_id": preview.get("tx_id", "")}}
    for credential in others.values():
        async with GatewayClient(place.gateway, credential) as other:
            _judge_answer(tally, _COMMIT, await other.act(said | commit))
    for changed in ({"to": "boss@example.org"}, {"text": "something else"}, {"subject": "new"}):
        _judge_answer(tally, _COMMIT, await asker.act({**said, "inputs": said["inputs"] | changed, **commit}))
    _judge_answer(tally, _COMMIT, await asker.act(said | {"constraints": {"tx_id": "0" * 32}}))
    told = await asyncio.gather(*(asker.act(said | commit) for _ in range(4)))
    happened = sum(one["status"] in _HAPPENED for one in told)
    tally.add(_AGENT_CONTROL, won=happened == 0, note="" if happened else str(told[0].get("reason_code")))
    for number in range(1, len(told)):
        tally.add(_COMMIT, won=number < happened)


async def _confirmed(place: Office, tally: Tally, asker: GatewayClient, number: int) -> None:
    said = {"intent_id": "SendMessage", "inputs": {"to": f"agent-{number}@example.org", "text": "to be confirmed"}}
    preview = await asker.act(said)
    name = preview.get("tx_id", "")
    for constraints in ({"tx_id": name}, {"tx_id": name, "user_confirm": True}, {"tx_id": name, "confirmation": {}}):
        _judge_answer(tally, _WAIT, await asker.act({**said, "constraints": constraints}))
    await asyncio.to_thread(confirm_one, place.folder, name, "games")
    told = await asker.act({**said, "constraints": {"tx_id": name}})
    tally.add(_AGENT_CONTROL, won=told["status"] not in _HAPPENED, note=str(told.get("reason_code", "")))


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


def _judge_answer(tally: Tally, what: str, told: dict[str, Any]) -> None:
    won = told["status"] in _HAPPENED
    tally.add(what, won=won, note=str(told.get("summary")) if won else "", code=str(told.get("reason_code", "")))


_NOBODY = 65534
_CLOSED, _OPEN = "as another user, at each socket", "as another user, with folders and sockets thrown open"
_OWN_USER = "control: its own user is answered at each socket"
_ASKED = b"GET /health HTTP/1.1\r\nhost: party\r\n\r\n"
_SECONDS = 5


def play_strangers(place: Office, tally: Tally) -> None:
    """Play both; without root nothing is counted."""
    if os.getuid() != 0:
        tally.add(_CLOSED, won=False, note="not here: only root can become another user")
        return
    run = place.folder / "run"
    sockets = sorted(run.glob("*.sock"))
    for path in sockets:
        tally.add(_CLOSED, won=_heard(path, _NOBODY))
        tally.add(_OWN_USER, won=not _heard(path, os.getuid()))
    folders = (place.folder.parent, place.folder, run)
    for folder in folders:
        folder.chmod(0o755)
    try:
        for path in sockets:
            path.chmod(0o666)
            tally.add(_OPEN, won=_heard(path, _NOBODY))
            path.chmod(0o600)
    finally:
        for folder in folders:
            folder.chmod(0o700)


def _heard(path: Path, user: int) -> bool:
    """Return whether a party answers a process of this user."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        answered = b"n"
        try:
            os.setgroups([])
            os.setgid(user)
            os.setuid(user)
            answered = b"y" if _asked(path) else b"n"
        finally:
            os.write(writing, answered)
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        told = pipe.read()
    os.waitpid(child, 0)
    return told != b"n"


def _asked(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as sock:
        sock.settimeout(_SECONDS)
        try:
            sock.connect(str(path))
            sock.sendall(_ASKED)
            return bool(sock.recv(1))
        except TimeoutError:
            return True  # it was not refused
        except OSError:
            return False


_AT_ONCE = 6
_CONTROL = "control: two proofs for exactly this happen, once"
_AGAIN, _SIGNED_AGAIN = "again, at once from many sides", "again, with fresh proofs of the same action"
_FRESH = 10  # seconds
_KILLED, _TWO = "again, at both executors, after one was killed", "two executors with one memory, at once"
_APART = "at an executor with a replay store of its own"
_MAIL = "messages that left, each for one control"


def play(rounds: int) -> tuple[Tried, ...]:
    """Play the game."""
    tally = Tally("NBE")
    with office() as place, tempfile.TemporaryDirectory(prefix="remit-games-") as elsewhere:
        make_folder(Path(elsewhere) / "up", None)
        shared, apart = str(place.folder / "state" / "actions.db"), "state/actions.db"
        others = {
            name: _other_executor(place, Path(elsewhere) / name, memory)
            for name, memory in (("second", shared), ("apart", apart))
        }
        try:
            for one in others.values():
                for _ in start(*one):
                    pass
            folders = {name: folder for name, (folder, _) in others.items()}
            done = asyncio.run(_played(place, folders, Path(elsewhere) / "up", tally, rounds))
            done += play_agents(place, Path(elsewhere) / "up", tally, rounds)
            play_strangers(place, tally)
        finally:
            for folder, _ in others.values():
                for _ in stop(folder):
                    pass
        _compare(place, done, tally)
    return tally.tried()


async def _played(place: Office, others: dict[str, Path], elsewhere: Path, tally: Tally, rounds: int) -> list[str]:
    asker = DirectClient(place.folder)
    for name, folder in others.items():
        asker.add_executor(name, folder)
    done: list[str] = []
    last: list[Presented] = []
    try:
        for number in range(rounds):
            hand = await _dealt(asker, elsewhere, number)
            for what, attempt in ATTEMPTS.items():
                tried, more = 0, True
                while more:
                    hand, more = await _fresh(asker, elsewhere, number, hand), False
                    for presented in islice(attempt(hand), tried, None):
                        if more := _old(hand):
                            break
                        _judge(tally, what, await _answer(asker, presented))
                        tried += 1
            hand = await _fresh(asker, elsewhere, number, hand)
            for one in (hand.good, hand.other):
                _judge(tally, _APART, await _answer(asker, one.presented(), "apart"))
            _judge(tally, _APART, await _answer(asker, confirmed_one(hand), "apart"))
            hand = await _fresh(asker, elsewhere, number, hand)
            wanted = hand.good.presented(), confirmed_one(hand)
            for presented in wanted:
                await _once(asker, tally, presented, (_CONTROL, _AGAIN), ("executor",) * _AT_ONCE)
            await _once(
                asker, tally, hand.other.presented(), (_CONTROL, _TWO), ("executor", "second") * (_AT_ONCE // 2)
            )
            done += [hand.good.action_id, hand.waits.action_id, hand.other.action_id]
            last = [(await asker.again(hand.good)).presented(), hand.other.presented()]
            _judge(tally, _SIGNED_AGAIN, await _answer(asker, last[0]))
        await asyncio.to_thread(killed, place, "executor")
        for presented in (*last, (await asker.again(hand.good)).presented()):
            for where in ("executor", "second"):
                _judge(tally, _KILLED, await _answer(asker, presented, where))
    finally:
        await asker.close()
    return done


async def _fresh(asker: DirectClient, elsewhere: Path, number: int, hand: Hand) -> Hand:
    """Return the hand, or a new one before its proofs are too old: on a busy machine a round takes long."""
    return await _dealt(asker, elsewhere, number) if _old(hand) else hand


def _old(hand: Hand) -> bool:
    return time.time() - hand.now > _FRESH


def confirmed_one(hand: Hand) -> Presented:
    """Return the waiting request with the approver's confirmation."""
    return hand.waits.presented(confirmation=confirmation(hand, hand.waits).to_json())


async def _dealt(asker: DirectClient, elsewhere: Path, number: int) -> Hand:
    good = await asker.granted(message("anna@example.org", f"number {number}"))
    other = await asker.granted(message("boss@example.org", f"number {number} for the boss"))
    denied = await asker.granted(message("eve@evil.example", f"number {number}"))
    misled = await asker.granted(
        message("eve@evil.example", f"number {number}"), message("anna@example.org", f"number {number}")
    )
    waits = await asker.granted(message(f"new-{number}@example.org", "to be confirmed"))
    if not (good.outputs.allow and other.outputs.allow and waits.outputs.allow and waits.outputs.confirm):
        raise AuthorityError("the servers do not allow what the policy of the games allows", "report this")
    program, stranger, foreign = asker.given.layout.program, keys_in(elsewhere), credential_in(elsewhere)
    return Hand(good, other, denied, misled, waits, asker.keys, stranger, foreign, program, int(time.time()))


async def _once(
    asker: DirectClient, tally: Tally, presented: Presented, names: tuple[str, str], where: tuple[str, ...]
) -> None:
    """Send the same presentation several times at once: exactly one must succeed."""
    told = await asyncio.gather(*(_answer(asker, presented, one) for one in where))
    count = sum(one is not None and one.status == "done" for one in told)
    tally.add(names[0], won=count == 0, note="" if count else f"refused: {told[0].code if told[0] else 'no answer'}")
    for number in range(1, len(where)):
        tally.add(names[1], won=number < count)


async def _answer(asker: DirectClient, presented: Presented, where: str = "executor") -> Result | None:
    try:
        return await asker.present(presented, where)
    except AuthorityError:
        return None  # refused before evaluation: the messages sent are counted at the end


def _judge(tally: Tally, what: str, result: Result | None) -> None:
    if result is None:
        tally.add(what, won=False, code="BAD_REQUEST")
    else:
        won = result.status != "refused"
        tally.add(what, won=won, note=f"{result.status}: {result.summary}" if won else "", code=result.code)


def _other_executor(place: Office, folder: Path, memory: str) -> tuple[Path, tuple[Party, ...]]:
    """Create an executor with the first one's keys and policy, its own socket and log, and the given replay store."""
    for name in ("run", "log", "state"):
        (folder / name).mkdir(mode=0o700, parents=True)
    (party,) = [one for one in place.parties if one.role == "executor"]
    files = {name: str(place.folder / path) for name, path in party.settings["files"].items()}
    own = {
        "listen": {"http": f"unix:{folder}/run/executor.sock"},
        "files": files | {"log": "state/executor", "memory": memory},
    }
    settings = party.settings | own
    (folder / "executor.json").write_text(json.dumps(settings))
    return folder, (Party("executor", settings),)


def _compare(place: Office, done: list[str], tally: Tally) -> None:
    sent = actions_of(place.taken)
    for action_id in sorted(set(sent) | set(done)):
        won = sent[action_id] != 1 or action_id not in done
        tally.add(_MAIL, won=won, note=f"action {action_id}: {sent[action_id]} messages" if won else "")
