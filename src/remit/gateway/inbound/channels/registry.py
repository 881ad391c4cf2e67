"""Creation of channels from their settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from remit.core.errors import UsageError
from remit.gateway.inbound.channels.discord import discord
from remit.gateway.inbound.channels.mail import mail
from remit.gateway.inbound.channels.platform_requests import new_client
from remit.gateway.inbound.channels.slack import slack
from remit.gateway.inbound.channels.telegram import telegram
from remit.gateway.inbound.channels.webhook import webhook
from remit.gateway.inbound.settings.values import Channel as Settings
from remit.gateway.inbound.settings.values import Platform

if TYPE_CHECKING:
    from httpx import AsyncClient

    from remit.gateway.inbound.channels.interface import Channel

MAKERS: Mapping[Platform, Callable[[str, Settings, AsyncClient], Channel]] = {
    Platform.WEBHOOK: webhook,
    Platform.SLACK: slack,
    Platform.DISCORD: discord,
    Platform.TELEGRAM: telegram,
    Platform.MAIL: mail,
}


def make_channel(name: str, settings: Settings) -> Channel:
    """Return a channel; UsageError if its settings are unusable or if it has no adapter here (chat_events.py)."""
    maker = MAKERS.get(settings.kind)
    if maker is None:
        raise UsageError(
            f"the channel `{name}` is of the kind `{settings.kind}`, which does not run here", "leave it out"
        )
    return maker(name, settings, new_client())
