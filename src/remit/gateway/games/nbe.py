"""Game NBE: no effect without both authorities.

The adversary wins if a message leaves without both servers' signatures for exactly this request, or if one leaves
twice. In each round all attempts of `presenting` are played; then the correct presentation is sent several times at
once: it must happen exactly once.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
import time
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from remit.core.errors import AuthorityError
from remit.gateway.deployment.plan import Party
from remit.gateway.deployment.processes import start, stop
from remit.gateway.deployment.single_machine import make_folder
from remit.gateway.games.agents import play_agents
from remit.gateway.games.direct_client import Asker, credential_in, keys_in
from remit.gateway.games.forged_presentations import ATTEMPTS, Hand, confirmation, message
from remit.gateway.games.installation import Office, killed, office
from remit.gateway.games.mail import actions_of
from remit.gateway.games.other_user import play_strangers
from remit.gateway.games.tally import Tally, Tried

if TYPE_CHECKING:
    from remit.executor.accept import Presented
    from remit.executor.forms import Result

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
    asker = Asker(place.folder)
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


async def _fresh(asker: Asker, elsewhere: Path, number: int, hand: Hand) -> Hand:
    """Return the hand, or a new one before its proofs are too old: on a busy machine a round takes long."""
    return await _dealt(asker, elsewhere, number) if _old(hand) else hand


def _old(hand: Hand) -> bool:
    return time.time() - hand.now > _FRESH


def confirmed_one(hand: Hand) -> Presented:
    """Return the waiting request with the approver's confirmation."""
    return hand.waits.presented(confirmation=confirmation(hand, hand.waits).to_json())


async def _dealt(asker: Asker, elsewhere: Path, number: int) -> Hand:
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
    asker: Asker, tally: Tally, presented: Presented, names: tuple[str, str], where: tuple[str, ...]
) -> None:
    """Send the same presentation several times at once: exactly one must succeed."""
    told = await asyncio.gather(*(_answer(asker, presented, one) for one in where))
    count = sum(one is not None and one.status == "done" for one in told)
    tally.add(names[0], won=count == 0, note="" if count else f"refused: {told[0].code if told[0] else 'no answer'}")
    for number in range(1, len(where)):
        tally.add(names[1], won=number < count)


async def _answer(asker: Asker, presented: Presented, where: str = "executor") -> Result | None:
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
