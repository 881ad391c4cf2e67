"""Both policy servers at once. A request becomes two questions, one for each; the answers are shares of a decision."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import secrets
import time
from typing import TYPE_CHECKING, Any

from remit.authority.question.asking import questions
from remit.authority.question.layout import BUCKETS
from remit.authority.question.spoken import Spoken, spoken
from remit.authority.values.action import COMMIT, PREVIEW, new_action
from remit.core import telemetry
from remit.core.digest import canonical
from remit.core.errors import AuthorityError
from remit.core.telemetry import part
from remit.gateway.parties.shaping import Shaping, next_cover
from remit.gateway.ports import NotAskedError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection

    from remit.authority.question.asking import Question
    from remit.authority.question.layout import Layout
    from remit.authority.values.opening import BindingKey, Opening
    from remit.authority.wire.asking import Client


_SHORT = 1024  # characters
_TICK = 0.001
_DRAWN = 32  # bytes: of a seed, and of a commitment


class Servers:
    """The port `Policy` of the gateway, over the wire."""

    def __init__(
        self, layout: Layout, binding: BindingKey, clients: tuple[Client, Client],
        classes: Callable[[str], Collection[str]], shaping: Shaping | None = None,
    ) -> None:  # fmt: skip
        self._layout = layout
        self._binding = binding
        self._clients = clients
        self._classes = classes
        self._shaping = Shaping() if shaping is None else shaping
        self._covering: asyncio.Task[None] | None = None
        self._committing: set[asyncio.Task[None]] = set()

    async def evaluate(self, opening: Opening, action_id: str = "") -> tuple[str, tuple[bytes, bytes]]:
        """Have both decide: the name of the action, which is a new one if none is given, and the shares of the decision."""
        try:
            said = spoken(self._layout.program, opening.request, self._classes)
            asked = await self._questions(said, self._binding.question_seed(opening))
        except AuthorityError as error:
            raise NotAskedError(error.message, error.remedy) from None
        return await self._ask(asked, self._binding.commitment(opening), action_id)

    async def commit(self, action_id: str, commitment: str) -> tuple[Any, Any]:
        """Have both sign, now."""
        body = canonical({"action_id": action_id, "commitment": commitment})
        await self._slot()
        telemetry.current().belongs(part(action_id, COMMIT), part(action_id, PREVIEW))
        first, second = await asyncio.gather(*(client.post("/commit", body) for client in self._clients))
        return _told(first), _told(second)

    async def _questions(self, said: Spoken, seed: bytes) -> tuple[Question, Question]:
        """Short ones are made before another thread would have begun."""
        if any(len(text) > _SHORT for text in said.texts.values()):
            return await asyncio.to_thread(questions, self._layout, said, seed)
        return questions(self._layout, said, seed)

    async def _ask(
        self, asked: tuple[Question, Question], commitment: bytes, action_id: str = ""
    ) -> tuple[str, tuple[bytes, bytes]]:
        await self._slot()
        action_id = action_id or new_action(int(time.time()))
        telemetry.current().belongs(part(action_id, PREVIEW))
        head = bytes.fromhex(action_id) + commitment

        def evaluated(client: Client, question: Question) -> Awaitable[bytes]:
            return client.post("/evaluate", head + bytes((question.bucket,)) + question.body)

        first, second = await asyncio.gather(*map(evaluated, self._clients, asked))
        return action_id, (_share(first), _share(second))

    async def _slot(self) -> None:
        """Wait for the next slot. The clock of a loop counts milliseconds: what is left is waited for exactly, since otherwise the
        moment at which a question leaves would say something of that at which it was asked.
        """
        now = time.monotonic()
        leaves = now + self._shaping.wait(now)
        if leaves > now:
            await asyncio.sleep(max(0.0, leaves - now - _TICK))
            time.sleep(max(0.0, leaves - time.monotonic()))  # noqa: ASYNC251  about a tick, for all who wait for this slot

    def cover(self) -> None:
        """Begin to ask what nobody asked."""
        if self._shaping.covers:
            self._covering = asyncio.get_running_loop().create_task(self._cover(random.SystemRandom()))

    async def close(self) -> None:
        """Stop asking, and let go of the connections."""
        for task in (*self._committing, *filter(None, (self._covering,))):
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
        for client in self._clients:
            await client.close()

    async def _cover(self, draw: random.Random) -> None:
        while True:
            cover = next_cover(self._shaping, draw)
            await asyncio.sleep(cover.after)
            nobody = _nobody(self._layout, BUCKETS[cover.bucket])
            asked = await self._questions(nobody, secrets.token_bytes(_DRAWN))
            commitment = secrets.token_bytes(_DRAWN)
            with contextlib.suppress(AuthorityError):  # a server that is away is noticed by who asks for something
                with telemetry.span("remit.gateway.cover"):
                    action_id, _ = await self._ask(asked, commitment)
                if cover.committed >= 0:
                    self._later(cover.committed, action_id, commitment.hex())

    def _later(self, after: float, action_id: str, commitment: str) -> None:
        async def committed() -> None:
            await asyncio.sleep(after)
            with contextlib.suppress(AuthorityError), telemetry.span("remit.gateway.cover"):
                await self.commit(action_id, commitment)  # the proofs are dropped: they are of no request

        task = asyncio.get_running_loop().create_task(committed())
        self._committing.add(task)
        task.add_done_callback(self._committing.discard)


def _nobody(layout: Layout, size: int) -> Spoken:
    """What a request says that is of no intent, with a text of a size."""
    slots = {slot for slot, name in layout.program.look_ups if layout.program.kept(name).window}
    return Spoken(-1, {}, dict.fromkeys(slots, "x" * size), (False,) * len(layout.program.facts))


def _share(told: bytes) -> bytes:
    try:
        return bytes.fromhex(_told(told)["outputs"])
    except (ValueError, KeyError, TypeError):
        raise _another_form() from None


def _told(data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        raise _another_form() from None


def _another_form() -> AuthorityError:
    return AuthorityError("a policy server answered in another form", "let all parties be of one version")
