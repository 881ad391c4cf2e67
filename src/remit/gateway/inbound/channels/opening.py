"""The channel of some settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.core.errors import UsageError
from remit.gateway.inbound.channels.discord import discord
from remit.gateway.inbound.channels.slack import slack
from remit.gateway.inbound.channels.telegram import telegram
from remit.gateway.inbound.channels.webhook import webhook
from remit.gateway.inbound.settings.values import Platform

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from httpx import AsyncClient

    from remit.gateway.inbound.channels.form import Channel
    from remit.gateway.inbound.settings.values import Channel as ChannelSettings

_OPENED: Mapping[Platform, Callable[[str, ChannelSettings, AsyncClient], Channel]] = {
    Platform.WEBHOOK: webhook,
    Platform.SLACK: slack,
    Platform.DISCORD: discord,
    Platform.TELEGRAM: telegram,
}


def opened(name: str, settings: ChannelSettings, client: AsyncClient) -> Channel:
    """The channel `name`; UsageError if its settings can not be used, or if it is one of connections (connected.py)."""
    if settings.kind not in _OPENED:
        raise UsageError(f"nothing is sent to the channel `{name}` from outside", "use the connection of who logged in")
    return _OPENED[settings.kind](name, settings, client)
