"""A client of the gateway's socket, for who has a credential."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Self

from remit.core.errors import AuthorityError, PackageError

if TYPE_CHECKING:
    from types import TracebackType

    from httpx import AsyncClient

_SECONDS = 60.0
_REMEDY = "see that it runs: `remit up --status`"


class Asker:
    """Asks in the name of one credential."""

    def __init__(self, socket: str, credential: str) -> None:
        try:
            import httpx  # noqa: PLC0415  only who asks needs it
        except ImportError:
            raise PackageError("httpx", "authority") from None
        self._failed = httpx.HTTPError
        self._client: AsyncClient = httpx.AsyncClient(
            transport=httpx.AsyncHTTPTransport(uds=socket), base_url="http://gateway", timeout=_SECONDS,
            headers={"authorization": f"Bearer {credential}"},
        )  # fmt: skip

    async def act(self, said: dict[str, Any]) -> dict[str, Any]:
        """The answer, as JSON; AuthorityError if there is none."""
        try:
            got = await self._client.post("/act", json=said)
            told = json.loads(got.content)
        except (self._failed, ValueError, RecursionError):
            raise AuthorityError("the gateway does not answer", _REMEDY) from None
        if not isinstance(told, dict) or "status" not in told:
            raise AuthorityError(f"the gateway answered in another form (HTTP {got.status_code})", _REMEDY)
        return told

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._client.aclose()
