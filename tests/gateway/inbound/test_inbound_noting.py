"""What is heard is in the log before anybody is told: what comes at one moment is written together, and a failure is everybody's."""

import asyncio

import pytest

from remit.audit.entry import Entry, RecordKind
from remit.gateway.inbound.records import Journal


class Written:
    """A log."""

    def __init__(self, *, fail=False):
        self.batches, self.fail = [], fail

    def append(self, *entries):
        if self.fail:
            raise OSError("no space")
        self.batches.append([one.call for one in entries])


def noted(log, count):
    journal = Journal(log)

    async def run():
        return await asyncio.gather(
            *(
                journal.note(Entry(kind=RecordKind.ENVELOPE, host="gateway", event="heard", call=str(number)))
                for number in range(count)
            ),
            return_exceptions=True,
        )

    return asyncio.run(run())


def test_what_comes_at_one_moment_is_written_together():
    log = Written()
    assert noted(log, 5) == [None] * 5
    assert log.batches == [["0", "1", "2", "3", "4"]]


def test_nobody_is_told_that_it_is_written_when_it_is_not():
    found = noted(Written(fail=True), 3)
    assert [type(one) for one in found] == [OSError] * 3


def test_who_goes_away_takes_nobody_along():
    log = Written()
    journal = Journal(log)

    async def run():
        tasks = [
            asyncio.create_task(journal.note(Entry(kind=RecordKind.ENVELOPE, host="gateway", event="heard", call=name)))
            for name in "ab"
        ]
        await asyncio.sleep(0)
        tasks[0].cancel()
        await tasks[1]
        with pytest.raises(asyncio.CancelledError):
            await tasks[0]

    asyncio.run(run())
    assert log.batches == [["a", "b"]]
