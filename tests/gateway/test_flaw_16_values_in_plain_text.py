"""Flaw 16: values of handles lay in plain text."""

import sqlite3

from gatekeys import credential_of

from remit.gateway.handles import Secret, Sensitivity

VALUE = "a-value-that-lies-nowhere-in-plain"
SINKS = frozenset({"api.example.org", "runtime"})


def on_the_disk(world):
    return b"".join(path.read_bytes() for path in world.folder.rglob("*") if path.is_file())


def forms(text):
    """As it would lie there: as it is, in hexadecimal, in base 64."""
    import base64

    data = text.encode()
    return [data, data.hex().encode(), *(base64.b64encode(data[at:])[4:-4] for at in range(3))]


def test_no_file_of_the_gateway_or_the_executor_has_a_value(world):
    world.handles.keep_secret("token", Secret(VALUE.encode(), Sensitivity.LOW, SINKS))
    handle = world.act("ReadSecret", {"name": "token"}).artifacts[0]
    world.done("UseCredential", {"handle": handle, "url": "https://api.example.org/"})
    assert world.done("Declassify", {"handle": handle}).data["text"] == VALUE  # the one way to see it
    world.returns = {"content": VALUE}
    world.done("ReadFile", {"path": "/srv/notes.txt"})
    world.done("MemoryWrite", {"key": "a", "text": VALUE})
    assert world.act("MemoryRead", {"key": "a"}).data["text"] == VALUE
    data = on_the_disk(world)
    assert [form for form in forms(VALUE) if form in data and form != VALUE.encode()] == []
    # what an agent itself writes is in the log of requests, without what the scan finds; values of handles are not
    stores = b"".join(path.read_bytes() for path in world.folder.glob("*.db*"))
    assert not any(form in stores for form in forms(VALUE))
    executor = b"".join(path.read_bytes() for path in (world.folder / "executor-log").glob("*.db*"))
    assert not any(form in executor for form in forms(VALUE))


def test_two_values_that_are_equal_do_not_look_equal(world):
    world.handles.keep_secret("token", Secret(VALUE.encode(), Sensitivity.LOW, SINKS))
    for _ in range(2):
        world.act("ReadSecret", {"name": "token"})
    with sqlite3.connect(world.folder / "handles.db") as link:
        rows = [row[0] for row in link.execute("SELECT sealed FROM handle")]
    assert len({row[:12] for row in rows}) == len({row[12:] for row in rows}) == 2


def test_another_caller_does_not_find_it(world):
    world.handles.keep_secret("token", Secret(VALUE.encode(), Sensitivity.LOW, SINKS))
    handle = world.act("ReadSecret", {"name": "token"}).artifacts[0]
    for who in (credential_of("bob"), credential_of("alice", session="s2")):
        assert world.act("Declassify", {"handle": handle}, who=who).reason_code == "HANDLE_UNKNOWN"
        assert world.act("DescribeHandle", {"handle": handle}, who=who).reason_code == "HANDLE_UNKNOWN"
        assert world.act("RevokeHandle", {"handle": handle}, who=who).reason_code == "HANDLE_UNKNOWN"
