"""Who may speak with a party: users over Unix sockets, names over TLS, and nobody else."""

import asyncio
import os
from contextlib import suppress

import pytest
from starlette.applications import Starlette
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from each_row import each_row
from remit.authority.wire.address import Address, Certificates, Peers, read_address
from remit.authority.wire.certificates import make_authority, make_certificate
from remit.authority.wire.client import Client
from remit.authority.wire.server import Served, serve_all
from remit.core.errors import AuthorityError, UsageError

ME = Peers(users=frozenset({os.getuid()}))
NOT_ME = Peers(users=frozenset({os.getuid() + 1}))


async def echo(request):
    return Response(await request.body())


async def refuse(request):
    return JSONResponse({"code": "NO", "message": "NO: not this", "remedy": "ask another"}, 409)


APP = Starlette(routes=[Route("/echo", echo, methods=["POST"]), Route("/refuse", refuse, methods=["POST"])])


def spoken(served, speak):
    """Serve, speak, stop."""

    async def all_of_it():
        serving = asyncio.create_task(serve_all(served))
        for _ in range(3000):
            await asyncio.sleep(0.01)
            if serving.done() or await reachable(served.address):
                break
        try:
            return await speak()
        finally:
            os.kill(os.getpid(), 15)
            await serving

    return asyncio.run(all_of_it())


async def reachable(address):
    try:
        if address.path:
            _, writer = await asyncio.open_unix_connection(address.path)
        else:
            _, writer = await asyncio.open_connection(address.host, address.port)
    except OSError:
        return False
    writer.close()
    return True


def asked(client, path="/echo", body=b"hello"):
    async def speak():
        try:
            return await client.post(path, body)
        finally:
            await client.close()

    return speak


def test_a_user_who_may_is_answered(tmp_path):
    at = Address(path=str(tmp_path / "a.sock"))
    assert spoken(Served(APP, at, ME, None), asked(Client("a", at, None))) == b"hello"


def test_a_large_body_goes_through(tmp_path):
    at, body = Address(path=str(tmp_path / "a.sock")), os.urandom(5_000_000)
    assert spoken(Served(APP, at, ME, None), asked(Client("a", at, None), body=body)) == body


def test_a_user_who_may_not_is_cut_off(tmp_path):
    at = Address(path=str(tmp_path / "a.sock"))
    with pytest.raises(AuthorityError, match="does not answer"):
        spoken(Served(APP, at, NOT_ME, None), asked(Client("a", at, None)))


def test_a_socket_is_its_owners_alone(tmp_path):
    at = Address(path=str(tmp_path / "a.sock"))

    async def speak():
        return os.stat(at.path).st_mode & 0o777

    assert spoken(Served(APP, at, ME, None), speak) == 0o600


def test_a_connection_is_used_again_and_again(tmp_path, monkeypatch):
    at, made = Address(path=str(tmp_path / "a.sock")), []
    client = Client("a", at, None)

    async def speak():
        loop = asyncio.get_running_loop()
        connect = loop.create_unix_connection

        def counted(*args):
            made.append(args)
            return connect(*args)

        monkeypatch.setattr(loop, "create_unix_connection", counted)
        try:
            one_after_another = [await client.post("/echo", str(number).encode()) for number in range(20)]
            together = await asyncio.gather(*(client.post("/echo", str(number).encode()) for number in range(5)))
            for _ in range(3):  # what is refused was answered: the connection lasts
                with pytest.raises(AuthorityError, match="NO"):
                    await client.post("/refuse", b"")
            return one_after_another, together
        finally:
            await client.close()

    numbers = [str(number).encode() for number in range(20)]
    assert spoken(Served(APP, at, ME, None), speak) == (numbers, numbers[:5])
    assert len(made) == 5  # as many as were open at once


ANSWER = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"


@each_row(
    ("told", "body"),
    [
        (ANSWER, b"ok"),
        (
            ANSWER + ANSWER,
            b"ok",
        ),  # the second one answers nothing: it is never taken for the answer to what is asked next
        (ANSWER.replace(b"\r\ncontent-length: 2", b"\r\nconnection: close\r\ncontent-length: 2"), b"ok"),
        (b"HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nok", None),
        (b"no HTTP at all\r\n\r\n", None),
        (b"", None),
    ],
)
def test_what_a_server_says_beyond_or_short_of_an_answer(tmp_path, told, body):
    """Each connection says `told` to whatever it is asked, and ends when a second question comes."""
    at, asked_on, serving = Address(path=str(tmp_path / "a.sock")), [], []

    async def serve(reader, writer):
        serving.append(asyncio.current_task())
        connection = len(asked_on)
        asked_on.append(0)
        try:
            while await reader.readuntil(b"\r\n\r\n"):
                asked_on[connection] += 1
                writer.write(told)
                if told != ANSWER:
                    break
        except asyncio.IncompleteReadError:
            pass
        await asyncio.sleep(0.01)
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()

    async def speak():
        async with await asyncio.start_unix_server(serve, at.path):
            client = Client("a", at, None)
            try:
                for _ in range(3):
                    if body is None:
                        with pytest.raises(AuthorityError, match="does not answer"):
                            await client.post("/", b"")
                    else:
                        assert await client.post("/", b"") == body
                    await asyncio.sleep(0)
            finally:
                await client.close()
                await asyncio.gather(*serving)  # until the server has taken note

    asyncio.run(speak())
    assert asked_on == ([3] if told == ANSWER else [1, 1, 1])


def test_a_refusal_brings_its_words(tmp_path):
    at = Address(path=str(tmp_path / "a.sock"))
    with pytest.raises(AuthorityError, match="NO: not this") as caught:
        spoken(Served(APP, at, ME, None), asked(Client("a", at, None), "/refuse"))
    assert caught.value.remedy == "ask another"


def test_nobody_there(tmp_path):
    with pytest.raises(AuthorityError, match="does not answer"):
        asyncio.run(asked(Client("a", Address(path=str(tmp_path / "none.sock")), None))())


@pytest.fixture(scope="module")
def installation(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tls")
    signing = make_authority(folder)
    for name in ("p0", "gateway", "other"):
        make_certificate(signing, folder, name, "127.0.0.1")
    strange = tmp_path_factory.mktemp("strange")
    make_certificate(make_authority(strange), strange, "gateway", "127.0.0.1")
    return folder, strange


def files(folder, name, authority=None):
    return Certificates(folder / f"{name}.crt", folder / f"{name}.key", (authority or folder) / "authority.crt")


def free_port():
    import socket

    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return sock.getsockname()[1]


GATEWAY = Peers(names=frozenset({"gateway"}))


def over_tls(installation, client_files, peers=GATEWAY):
    folder, _ = installation
    at = Address(host="127.0.0.1", port=free_port())
    return spoken(Served(APP, at, peers, files(folder, "p0")), asked(Client("p0", at, client_files)))


def test_tls_both_sides_know_each_other(installation):
    assert over_tls(installation, files(installation[0], "gateway")) == b"hello"


def test_tls_another_name_is_cut_off(installation):
    with pytest.raises(AuthorityError, match="does not answer"):
        over_tls(installation, files(installation[0], "other"))


def test_tls_the_right_name_of_another_authority_is_refused(installation):
    folder, strange = installation
    with pytest.raises(AuthorityError, match="does not answer"):
        over_tls(installation, files(strange, "gateway", authority=folder))


def test_tls_a_server_of_another_authority_is_not_believed(installation):
    folder, strange = installation
    with pytest.raises(AuthorityError, match="does not answer"):
        over_tls(installation, files(folder, "gateway", authority=strange))


def test_tls_another_party_at_the_same_host_is_not_believed(installation):
    folder, _ = installation
    at = Address(host="127.0.0.1", port=free_port())
    with pytest.raises(AuthorityError, match="does not answer"):
        spoken(Served(APP, at, GATEWAY, files(folder, "other")), asked(Client("p0", at, files(folder, "gateway"))))


def test_without_certificates_nothing_goes_over_a_network():
    at = Address(host="127.0.0.1", port=1)
    with pytest.raises(AuthorityError, match="no certificates"):
        Client("p0", at, None)
    with pytest.raises(AuthorityError, match="no certificates"):
        asyncio.run(serve_all(Served(APP, at, GATEWAY, None)))


@each_row(
    "text", ["", "unix:relative", "unix:/" + "a" * 200, "tls:host", "tls::1", "tls:h:0", "tls:h:70000", "http://x"]
)
def test_what_is_no_address(text):
    with pytest.raises(UsageError):
        read_address(text)


@pytest.mark.parametrize("text", ["unix:/run/p0.sock", "tls:p0.example.org:7443"])
def test_an_address_has_one_spelling(text):
    assert str(read_address(text)) == text
