"""Client of the gateway for the holder of a credential."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Self

from remit.core import telemetry
from remit.core.errors import AuthorityError, PackageError
from remit.core.telemetry import Home, parent_text

if TYPE_CHECKING:
    from types import TracebackType

    from remit.authority.wire.address import Address, Certificates


_REMEDY = "see that it runs: `remit up --status`"


class GatewayClient:
    """A connection to the gateway that acts with one credential."""

    def __init__(
        self, place: str | Address, credential: str, files: Certificates | None = None, within: Home | None = None
    ) -> None:
        """`place`: the path of a socket, or a network address, which needs certificates too.

        `within`: the parent of trace spans.
        """
        try:
            from remit.authority.wire.address import Address  # noqa: PLC0415  needed only by clients
            from remit.authority.wire.client import Client  # noqa: PLC0415
            from remit.gateway.transactions import LONGEST  # noqa: PLC0415
        except ImportError:
            raise PackageError("httptools", "authority") from None
        if not credential.isprintable():  # a line break would start another header
            raise AuthorityError("a credential has characters that none has", "use one that `remit gateway` gave")
        address = Address(path=place) if isinstance(place, str) else place
        self._client = Client("gateway", address, files, LONGEST)
        self._within = within
        self._headers = f"authorization: Bearer {credential}\r\n"

    async def act(self, said: dict[str, Any]) -> dict[str, Any]:
        """Send one request and return the answer as JSON; AuthorityError if there is none."""
        here = telemetry.current().home or self._within
        headers = self._headers + (f"traceparent: {parent_text(here)}\r\n" if here else "")
        try:
            status, body = await self._client.ask("/act", json.dumps(said).encode(), headers)
            told = json.loads(body)
        except (AuthorityError, ValueError, RecursionError):
            raise AuthorityError("the gateway does not answer", _REMEDY) from None
        if not isinstance(told, dict) or "status" not in told:
            raise AuthorityError(f"the gateway answered in another form (HTTP {status})", _REMEDY)
        return told

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._client.close()
