"""`remit gateway up`: starts the inbound gateway, and prints what a user must know first."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING

from remit.core.errors import PackageError, UsageError
from remit.gateway.inbound.access import Auth, address_of, resolved
from remit.gateway.inbound.findings import checked, findings
from remit.gateway.inbound.settings.loader import read_inbound
from remit.guard.state_folder import telling_folders
from remit.report.screen import Screen
from remit.telemetry.startup import telling

if TYPE_CHECKING:
    from pathlib import Path

    from remit.gateway.inbound.settings.values import Settings


def run(path: Path, folder: Path, port: int | None, rate: float | None, *, stop: bool) -> int:
    """Serve until stopped. `rate`: the share of actions that a monitor checks, if there is one; `stop`: whether an
    alarm ends it.
    """
    if stop and rate is None:
        raise UsageError("`--monitor-stop` is what an alarm does", "give `--monitor` too")
    try:
        from remit.web.alarms import Watch  # noqa: PLC0415  packages that only this needs
        from remit.web.server import Telling, demo, serve  # noqa: PLC0415
    except ImportError as error:
        raise PackageError(error.name or "starlette", "gateway") from None
    settings = checked(read_inbound(path))
    if port is not None:
        settings = settings._replace(port=port)
    Screen.of(sys.stdout, "auto").write(_page(settings, path, folder, address_of(settings.access)))
    sys.stdout.flush()

    async def main() -> None:
        async with demo(settings) as with_model:
            telling = Telling(
                lambda line: print(line, flush=True), lambda line: print(line, file=sys.stderr, flush=True)
            )
            await serve(with_model, path, folder, telling, None if rate is None else Watch(rate, stop))

    with telling("inbound", *telling_folders(folder)):
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
        "remit gateway runs     list commands for devices that wait for approval",
    ]
