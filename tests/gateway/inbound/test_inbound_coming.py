"""Who comes: guesses from one place, and a device that comes twice."""

import asyncio

import pytest

from remit.gateway.inbound.access import MOST_ADDRESSES, WRONG, Guesses
from remit.gateway.inbound.nodes.commands import Device
from remit.gateway.inbound.nodes.devices import DeviceAnswer, Devices, LostError


def test_guesses_from_one_place_are_counted_and_come_back_with_time():
    guesses = Guesses()
    for _ in range(WRONG.most):
        assert not guesses.spent("192.0.2.1", 0)
        guesses.wrong("192.0.2.1", 0)
    assert guesses.spent("192.0.2.1", 0)
    assert guesses.spent("::ffff:192.0.2.1", WRONG.seconds - 1)
    assert not guesses.spent("192.0.2.2", 0)
    assert not guesses.spent("192.0.2.1", WRONG.seconds)


def test_a_network_of_ipv6_is_one_place_and_what_is_no_address_is_one():
    guesses = Guesses()
    for number in range(WRONG.most):
        guesses.wrong(f"2001:db8::{number:x}", 0)
        guesses.wrong("", 0)
    assert guesses.spent("2001:db8::ffff", 0)
    assert not guesses.spent("2001:db8:0:1::1", 0)
    assert guesses.spent("nonsense", 0)


def test_there_is_an_end_to_whom_it_remembers():
    guesses = Guesses()
    for number in range(MOST_ADDRESSES + 50):
        guesses.wrong(f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}", 0)
    assert guesses.spent("10.255.255.255", 0)  # one of the others
    assert not guesses.spent("10.0.0.0", 0)
    guesses.wrong("10.0.0.0", WRONG.most * WRONG.seconds)
    assert not guesses.spent("10.255.255.255", WRONG.most * WRONG.seconds)


async def nothing(_):
    pass


def test_a_device_that_comes_again_stays_when_its_old_connection_ends():
    device, devices = Device("d", "linux", frozenset({"system.run"})), Devices()
    old = devices.connect(device, nothing)
    new = devices.connect(device, nothing)
    devices.disconnect(old)
    assert devices.get("d") is device
    devices.disconnect(new)
    assert devices.get("d") is None


def test_what_was_asked_over_the_old_connection_is_lost_and_answered_by_no_other():
    async def run():
        device, devices = Device("d", "linux", frozenset({"system.run"})), Devices()
        devices.connect(device, nothing)
        asked = asyncio.create_task(devices.run("d", "r", "system.run", "id"))
        await asyncio.sleep(0)
        new = devices.connect(device, nothing)
        assert not new.answered(DeviceAnswer("r", 0, ""))
        with pytest.raises(LostError):
            await asked

    asyncio.run(run())
