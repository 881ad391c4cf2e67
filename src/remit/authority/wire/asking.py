"""A client that speaks with one party over lasting connections. What is not a plain success is an AuthorityError."""

from __future__ import annotations

from typing import TYPE_CHECKING

import httpx

from remit.authority.wire.address import asking_context
from remit.core.errors import AuthorityError

if TYPE_CHECKING:
    from remit.authority.wire.address import Address, Certificates

_MOST = 64 * 1024 * 1024
_SECONDS = 15.0


class Client:
    """One party, as another sees it."""

    def __init__(self, name: str, address: Address, files: Certificates | None) -> None:
        self._name = name
        if address.path:
            transport = httpx.AsyncHTTPTransport(uds=address.path)
        elif files is not None:
            transport = httpx.AsyncHTTPTransport(verify=asking_context(files))
        else:
            raise AuthorityError(f"there are no certificates for {name}", "name them in the settings")
        base = "http://party" if address.path else f"https://{address.host}:{address.port}"
        self._client = httpx.AsyncClient(transport=transport, base_url=base, timeout=_SECONDS, trust_env=False)

    async def post(self, path: str, body: bytes) -> bytes:
        """What the party answers; AuthorityError with its code if it refuses, or does not answer."""
        try:
            answer = await self._client.post(path, content=body)
        except httpx.HTTPError as error:
            raise AuthorityError(
                f"{self._name} does not answer: {type(error).__name__}", "see that it runs: `remit status`"
            ) from None
        if answer.status_code != 200 or len(answer.content) > _MOST:
            raise AuthorityError(*_told(self._name, answer))
        return answer.content

    async def close(self) -> None:
        """Close its connections."""
        await self._client.aclose()


def _told(name: str, answer: httpx.Response) -> tuple[str, str]:
    try:
        told = answer.json()
        return str(told["message"]), str(told["remedy"])
    except (ValueError, KeyError, TypeError):
        return f"{name} refused (HTTP {answer.status_code})", "see its log"
