"""A gateway that polls a fake Telegram is killed (`kill -9`) at random moments: is each message answered once, or reported as unknown?

python bench/channel_kills.py ROUNDS
"""

import asyncio
import json
import os
import random
import signal
import socket
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests/gateway/inbound/channels/fakes"))

from serving import served
from telegram_api import TOKEN, FakeTelegram

from remit.gateway.inbound.delivery import TABLE, PiecePhase
from remit.gateway.inbound.stores.operations import listed
from remit.gateway.inbound.stores.sql import sqlite_link
from remit.gateway.inbound.stores.store import Store
from remit.gateway.inbound.stores.tables import TABLES

MESSAGES, LONGEST = 5, 4.0  # of a round; seconds until it is killed
SETTINGS = """
[channels.telegram]
kind = "telegram"
token_file = "token"
direct = "anyone"
api = "{api}"

[tools.global]
deny = ["group:run", "group:files"]
"""


async def gateway(folder):
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = one.getsockname()[1]
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "remit.cli", "gateway", "up", "--settings", folder / "gateway.toml", "--folder", folder / "state",
        "--port", str(port), stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip


async def kills(rounds, folder):
    fake, texts, chance = FakeTelegram(), [], random.Random(1)
    async with served(fake.app()) as url:
        (folder / "gateway.toml").write_text(SETTINGS.format(api=url))
        (folder / "token").write_text(TOKEN)
        (folder / "token").chmod(0o600)
        for number in range(rounds):
            process = await gateway(folder)
            for part in range(MESSAGES):
                texts.append(f"message {number}-{part}")
                fake.say(texts[-1])
                await asyncio.sleep(chance.random() * LONGEST / MESSAGES)
            process.send_signal(signal.SIGKILL)
            await process.wait()
        process = await gateway(folder)
        await fake.until(lambda: not fake.pending)
        known = -1
        while known != len(fake.said()):
            known = len(fake.said())
            await asyncio.sleep(130)  # a turn or a piece that was taken is found again after its lease
        process.send_signal(signal.SIGKILL)
        await process.wait()
    return texts, fake.said()


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        texts, said = asyncio.run(kills(int(sys.argv[1]), folder))
        store = Store(sqlite_link(next(folder.rglob("*.db"))), TABLES)
        pieces = [piece for _, piece in store.run(listed(TABLE))]
        store.close()
    answers = Counter(text for text in texts for one in said if one.startswith(f"You said: {text}\n"))
    unknown = {
        text
        for text in texts
        for one in pieces
        if one.phase is PiecePhase.UNKNOWN and one.body.startswith(f"You said: {text}\n")
    }
    told = {
        "messages": len(texts), "answered once": sum(answers[one] == 1 for one in texts),
        "answered twice": sum(answers[one] > 1 for one in texts),
        "unknown and not answered": sum(one in unknown and not answers[one] for one in texts),
        "lost": sum(not answers[one] and one not in unknown for one in texts),
    }  # fmt: skip
    print(json.dumps(told))
    return 1 if told["answered twice"] or told["lost"] else 0


if __name__ == "__main__":
    os.umask(0o077)
    sys.exit(main())
