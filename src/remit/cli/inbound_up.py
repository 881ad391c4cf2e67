"""`remit gateway up`: what is told before it serves."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING

from remit.core.errors import PackageError
from remit.gateway.inbound.access.settings import Auth, resolved
from remit.gateway.inbound.findings import checked, findings
from remit.gateway.inbound.settings.reading import read_inbound
from remit.report.screen import Screen

if TYPE_CHECKING:
    from pathlib import Path

    from remit.gateway.inbound.settings.values import Settings


def run(path: Path, folder: Path, port: int | None) -> int:
    """Serve until stopped."""
    try:
        from remit.web.serving import address_of, demo, serve  # noqa: PLC0415  packages that only this needs
    except ImportError as error:
        raise PackageError(error.name or "starlette", "gateway") from None
    settings = checked(read_inbound(path))
    if port is not None:
        settings = settings._replace(port=port)
    Screen.of(sys.stdout, "auto").write(_page(settings, path, folder, address_of(settings.access)))
    sys.stdout.flush()

    async def main() -> None:
        async with demo(settings) as with_model:
            await serve(with_model, path, folder, lambda line: print(line, flush=True))

    asyncio.run(main())
    return 0


def _page(settings: Settings, path: Path, folder: Path, address: str) -> list[str]:
    login = {Auth.NONE: "nothing (this machine alone)", Auth.TOKEN: "a token", Auth.PASSWORD: "a password"}
    lines = [
        f"web chat   http://{address}:{settings.port}/",
        f"login      {login[resolved(settings.access)]}",
        f"model      {settings.model.url or 'a script that answers: set [model] for a real one'}",
        f"settings   {path}",
        f"log        remit audit log --state {folder / 'log'}",
        "",
    ]
    lines += [f"channel    {name}: {one.kind}, direct {one.gate.direct}" for name, one in settings.channels.items()]
    lines += [f"warn       {one.id} ({one.at}): {one.kind.says}" for one in findings(settings)]
    return [
        *lines,
        "",
        "remit gateway pair     who waits to be let in",
        "remit gateway runs     what devices are asked for",
    ]
