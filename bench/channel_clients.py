# ruff: noqa: ARG001, ARG002, N802, PLC0415  each half imports what only it has, and libraries say what their callbacks are called
"""Whether the fake platforms of tests/gateway/inbound/channels/fakes speak the protocols: the platforms' own client libraries use them.

    python3 -m venv /somewhere/clients
    /somewhere/clients/bin/pip install python-telegram-bot slack_sdk discord.py aioimaplib aiosmtpd
    python bench/channel_clients.py /somewhere/clients/bin/python

Each library logs in, hears something, answers and edits its answer. aiosmtpd is a server: the gateway's own mail channel sends to it.
"""

import asyncio
import base64
import json
import subprocess
import sys
import time
import urllib.request
from importlib import metadata
from pathlib import Path

FAKES = Path(__file__).resolve().parents[1] / "tests/gateway/inbound/channels/fakes"
MAIL = b"From: anna@example.net\r\nTo: garden@example.org\r\nSubject: roses\r\n\r\nwater?\r\n"


def control(url, **told):
    request = urllib.request.Request(
        f"{url}/control/say", json.dumps(told).encode(), {"content-type": "application/json"}
    )
    return urllib.request.urlopen(request).read()


def state(url):
    return json.loads(urllib.request.urlopen(f"{url}/control/state").read())


def until(holds):
    end = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)


async def telegram(url):
    import telegram as library

    bot = library.Bot("5550001:AAours", base_url=f"{url}/bot", base_file_url=f"{url}/file/bot")
    async with bot:
        assert bot.username == "remit_garden_bot"
        control(url, text="hello")
        (update,) = await bot.get_updates(timeout=5, allowed_updates=["message"])
        assert (update.message.text, update.message.from_user.first_name) == ("hello", "Anna")
        await bot.send_chat_action(update.message.chat_id, "typing")
        sent = await bot.send_message(update.message.chat_id, "one")
        await sent.edit_text("one, two")
        await bot.get_updates(offset=update.update_id + 1, timeout=0)
        assert state(url) == {"said": ["one, two"], "pending": 0, "confirmed": [update.update_id]}
        try:
            await library.Bot("1:others", base_url=f"{url}/bot").get_me()
        except library.error.InvalidToken:
            return library.__version__
    raise AssertionError("another token was taken")


async def slack(url):
    return await asyncio.to_thread(_slack, url)


def _slack(url):
    from slack_sdk import WebClient, version
    from slack_sdk.socket_mode import SocketModeClient
    from slack_sdk.socket_mode.response import SocketModeResponse

    heard = []
    web = WebClient("xoxb-ours", base_url=f"{url}/api/")
    client = SocketModeClient("xapp-1-ours", web_client=web)

    def listen(socket, request):
        heard.append(request)
        socket.send_socket_mode_response(SocketModeResponse(envelope_id=request.envelope_id))

    client.socket_mode_request_listeners.append(listen)
    assert web.auth_test()["team_id"] == "T0HOUSE"
    client.connect()
    control(url, text="hello")
    until(lambda: heard)
    assert (heard[0].type, heard[0].payload["event"]["text"]) == ("events_api", "hello")
    until(lambda: state(url)["acks"] == [heard[0].envelope_id])
    sent = web.chat_postMessage(channel="D0ANNA", text="one")
    web.chat_update(channel="D0ANNA", ts=sent["ts"], text="one, two")
    assert state(url)["said"] == ["one, two"]
    client.close()
    return version.__version__


async def discord(url):
    import discord as library
    import yarl

    library.http.Route.BASE = f"{url}/api/v10"
    library.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(url.replace("http", "ws"))
    intents = library.Intents.default()
    intents.message_content = True
    client, heard = library.Client(intents=intents), asyncio.get_running_loop().create_future()

    @client.event
    async def on_message(message):
        if message.author.id != client.user.id and not heard.done():
            sent = await message.channel.send("one")
            await sent.edit(content="one, two")
            heard.set_result((message.content, message.author.display_name))

    task = asyncio.create_task(client.start("discord-token"))
    while not state(url)["identified"]:  # noqa: ASYNC110  what it waits for is another program
        await asyncio.sleep(0.05)
    await asyncio.sleep(1)
    await asyncio.to_thread(control, url, text="hello", room="850000000000000021")
    done, _ = await asyncio.wait((heard, task), timeout=60, return_when=asyncio.FIRST_COMPLETED)
    if task in done:
        task.result()
    assert heard.result() == ("hello", "Anna")
    assert state(url)["said"] == ["one, two"]
    await client.close()
    await asyncio.gather(task, return_exceptions=True)
    return library.__version__


async def imap(port):
    import aioimaplib

    client = aioimaplib.IMAP4("127.0.0.1", int(port))
    await client.wait_hello_from_server()
    assert (await client.login("garden@example.org", "of-a-program")).result == "OK"
    assert (await client.select("INBOX")).result == "OK"
    print("come", flush=True)
    idle = await client.idle_start(timeout=30)
    pushed = await client.wait_server_push()
    assert any(b"EXISTS" in line for line in pushed), pushed
    client.idle_done()
    await asyncio.wait_for(idle, 10)
    found = await client.uid_search("UID 1:*")
    assert found.lines[0] == b"1", found
    read = await client.uid("fetch", "1", "(BODY.PEEK[])")
    assert MAIL in [bytes(line) for line in read.lines], read
    await client.logout()
    return metadata.version("aioimaplib")


async def smtp(_):
    import aiosmtpd
    from aiosmtpd.controller import Controller
    from aiosmtpd.smtp import AuthResult

    got = []

    class Handler:
        async def handle_DATA(self, server, session, envelope):
            got.append((envelope.mail_from, envelope.rcpt_tos, envelope.content.decode()))
            return "250 fine"

    def known(server, session, envelope, mechanism, shown):
        return AuthResult(success=(shown.login, shown.password) == (b"garden@example.org", b"of-a-program"))

    import socket

    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = one.getsockname()[1]
    controller = Controller(Handler(), hostname="127.0.0.1", port=port, authenticator=known, auth_require_tls=False)
    controller.start()
    print(port, flush=True)
    await asyncio.to_thread(until, lambda: got)
    assert got[0][:2] == ("garden@example.org", ["anna@example.net"])
    assert "one, two" in got[0][2]
    controller.stop()
    return aiosmtpd.__version__


CLIENTS = {"telegram": telegram, "slack": slack, "discord": discord, "imap": imap, "smtp": smtp}


def started(program, *arguments):
    return subprocess.Popen([program, *map(str, arguments)], stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True)


def check(python, name):
    """One library; its version."""
    fakes = {
        "telegram": "telegram_api.py",
        "slack": "slack_api.py",
        "discord": "discord_api.py",
        "imap": "mail_servers.py",
    }
    fake = started(sys.executable, FAKES / fakes[name]) if name in fakes else None
    at = fake.stdout.readline().split()[0] if fake else "-"
    client = started(python, __file__, "client", name, at)
    if name == "imap":
        assert client.stdout.readline() == "come\n"
        fake.stdin.write(base64.b64encode(MAIL).decode() + "\n")
        fake.stdin.flush()
    if name == "smtp":
        send(int(client.stdout.readline()))
    out, _ = client.communicate(timeout=120)
    if fake:
        fake.kill()
        fake.wait()
    return out.strip() if client.returncode == 0 else ""


def send(port):
    """The gateway's own mail channel to a server of aiosmtpd."""
    from remit.gateway.inbound.channels.mail import Mail
    from remit.gateway.inbound.delivery import Piece, Route
    from remit.gateway.inbound.events import Gate
    from remit.gateway.inbound.pairing import Rules
    from remit.gateway.inbound.settings.values import ChannelSettings, Platform

    settings = ChannelSettings(
        Platform.MAIL,
        "garden@example.org",
        Gate(),
        Rules(),
        token="of-a-program",
        api="imap://127.0.0.1",
        smtp=f"smtp://127.0.0.1:{port}",
    )
    piece = Piece("s", Route("mail", "garden@example.org", "anna@example.net"), "one, two", "t")
    assert asyncio.run(Mail("mail", settings, None).send(piece)).went == "sent"


def main():
    if sys.argv[1] == "client":
        print(asyncio.run(CLIENTS[sys.argv[2]](sys.argv[3])))
        return 0
    found = {name: check(sys.argv[1], name) for name in CLIENTS}
    for name, version in found.items():
        print(f"{name:10} {version or 'FAILED'}")
    return 0 if all(found.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
