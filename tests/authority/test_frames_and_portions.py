"""The connection of two servers and their portions of triples: nothing is heard twice, and nothing used twice."""

import asyncio
import struct

import pytest

from authority_world import dealt
from remit.authority.server.pool import Pool, Portion
from remit.authority.wire import frames
from remit.authority.wire.frames import EVALUATE, Link, Said
from remit.core.errors import AuthorityError


def run(work):
    return asyncio.run(asyncio.wait_for(work, 60))


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    monkeypatch.setattr(frames, "_WAIT", 1.0)


async def linked():
    begun = []
    link = Link(lambda said, payload: begun.append((said, payload)))
    made = asyncio.get_running_loop().create_future()
    listener = await asyncio.start_server(lambda r, w: made.set_result((r, w)), "127.0.0.1", 0)
    _reader, writer = await asyncio.open_connection("127.0.0.1", listener.sockets[0].getsockname()[1])
    serving = asyncio.create_task(link.serve(*await made))
    await asyncio.sleep(0)
    listener.close()
    return link, writer, serving, begun


def frame(kind, name, number, payload, length=None):
    return struct.pack(">B16sHI", kind, name, number, len(payload) if length is None else length) + payload


def test_what_comes_early_waits_and_is_heard_once():
    async def work():
        link, writer, serving, begun = await linked()
        said = Said(EVALUATE, b"a" * 16, 0)
        writer.write(frame(*said, b"early"))
        await asyncio.sleep(0.05)
        assert begun == [(said, b"early")]
        assert await link.exchange(said, b"mine") == b"early"
        with pytest.raises(AuthorityError):
            await link.exchange(said, b"mine")
        writer.close()
        await serving

    run(work())


@pytest.mark.parametrize(
    "sent", [frame(7, b"a" * 16, 0, b"x"), frame(EVALUATE, b"a" * 16, 0, b"", 1 << 30), frame(0, b"a" * 16, 0, b"")]
)
def test_frames_of_unknown_kinds_or_too_long_end_the_connection(sent):
    async def work():
        link, writer, serving, begun = await linked()
        waiting = asyncio.create_task(link.exchange(Said(EVALUATE, b"b" * 16, 0), b"x"))
        writer.write(sent)
        await serving
        with pytest.raises(AuthorityError):
            await waiting
        assert not link.up
        assert not begun
        writer.close()

    run(work())


def test_a_lost_connection_fails_all_conversations_and_forgets_what_came_early():
    async def work():
        link, writer, serving, _ = await linked()
        writer.write(frame(EVALUATE, b"a" * 16, 3, b"old") + b"half of a fra")
        waiting = asyncio.create_task(link.exchange(Said(EVALUATE, b"b" * 16, 0), b"x"))
        await asyncio.sleep(0.05)
        writer.close()
        with pytest.raises(AuthorityError, match="does not answer"):
            await waiting
        await serving
        assert not link._early
        with pytest.raises(AuthorityError):
            await link.exchange(Said(EVALUATE, b"a" * 16, 3), b"x")

    run(work())


def test_a_connection_that_has_ended_and_is_not_read_to_its_end_says_nothing():
    """Bad frames at a running server found it: a transport that is closed raises an error of its own."""

    class Closed:
        def is_closing(self):
            return True

        def write(self, _):
            raise RuntimeError("the handler is closed")

    link = Link(lambda *_: None)
    link._writer = Closed()
    with pytest.raises(AuthorityError):
        asyncio.run(link.exchange(Said(EVALUATE, bytes(16), 0), b"x"))


def test_another_connection_takes_the_place_and_old_words_are_not_heard():
    async def work():
        link, writer, serving, _ = await linked()
        writer.write(frame(EVALUATE, b"a" * 16, 3, b"old"))
        waiting = asyncio.create_task(link.exchange(Said(EVALUATE, b"b" * 16, 0), b"x"))
        await asyncio.sleep(0.05)
        made = asyncio.get_running_loop().create_future()
        listener = await asyncio.start_server(lambda r, w: made.set_result((r, w)), "127.0.0.1", 0)
        _, newer = await asyncio.open_connection("127.0.0.1", listener.sockets[0].getsockname()[1])
        second = asyncio.create_task(link.serve(*await made))
        with pytest.raises(AuthorityError):
            await waiting
        writer.write(frame(EVALUATE, b"c" * 16, 0, b"old"))
        await serving
        assert link.up
        assert not link._early
        for one in (writer, newer):
            one.close()
        await second
        listener.close()

    run(work())


def test_early_frames_are_limited_in_number_and_size(monkeypatch):
    monkeypatch.setattr(frames, "_EARLY", 3)
    monkeypatch.setattr(frames, "_EARLY_BYTES", 100)
    link = Link(lambda *_: None)
    for number in range(10):
        link._arrived(Said(EVALUATE, b"a" * 16, number), b"x" * 10)
    assert [said.round for said in link._early] == [7, 8, 9]
    link._arrived(Said(EVALUATE, b"a" * 16, 11), b"x" * 85)
    assert [said.round for said in link._early] == [9, 11]
    assert link._early_bytes == 95


def test_a_portion_is_taken_once():
    pool = Pool(8)
    pool.add(b"b" * 16, dealt(20)[0])
    assert len(pool) == 2
    portion = next(pool.names())
    assert portion == Portion(b"b" * 16, 0)
    pool.take(portion)
    for gone in (portion, Portion(b"b" * 16, 2), Portion(b"c" * 16, 0)):
        with pytest.raises(AuthorityError, match="no triples"):
            pool.take(gone)


def test_portions_that_nobody_takes_do_not_pile_up():
    pool = Pool(8)
    for number in range(40):
        pool.add(bytes((number,)) * 16, dealt(16)[0])
    assert len(pool) == 16
    assert next(pool.names()).block == bytes((32,)) * 16
