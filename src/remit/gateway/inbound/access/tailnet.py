"""The tailnet user of an address, according to the local tailscale program. Without an answer there is no user."""

from __future__ import annotations

import asyncio
import json
import shutil
from ipaddress import ip_address

_SECONDS = 3.0
_MOST = 1024 * 1024


async def user_of(address: str) -> str:
    """Return the login name of the address's user, or an empty string."""
    program = shutil.which("tailscale")
    try:
        plain = str(ip_address(address))
    except ValueError:
        return ""
    if program is None:
        return ""
    try:
        asked = await asyncio.create_subprocess_exec(
            program, "whois", "--json", plain,
            stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
    except OSError:
        return ""
    try:
        async with asyncio.timeout(_SECONDS):
            told, _ = await asked.communicate()
    except TimeoutError:
        asked.kill()
        await asked.wait()
        return ""
    return _name_in(told) if asked.returncode == 0 and len(told) <= _MOST else ""


def _name_in(told: bytes) -> str:
    try:
        name = json.loads(told)["UserProfile"]["LoginName"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return ""
    return name if isinstance(name, str) else ""
