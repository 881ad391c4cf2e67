"""A channel of each kind, made of its settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from remit.gateway.inbound.channels.form import Channel
    from remit.gateway.inbound.settings.values import Channel as Settings
    from remit.gateway.inbound.settings.values import Platform

MAKERS: Mapping[Platform, Callable[[str, Settings], Channel]] = {}


def make_channel(name: str, settings: Settings) -> Channel:
    """The channel of this name."""
    maker = MAKERS.get(settings.kind)
    if maker is None:
        raise UsageError(
            f"the channel `{name}` is of the kind `{settings.kind}`, which does not run here", "leave it out"
        )
    return maker(name, settings)
