"""What a decision changes in a request before it happens: secrets are taken out, texts cut, addresses led through a proxy.

Gateway and executor compute the same inputs from the same request, so that what a person saw is what happens.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from remit.authority.intents import intents

if TYPE_CHECKING:
    from collections.abc import Callable

    from remit.authority.program.compiled import Program
    from remit.authority.values.outputs import Outputs
    from remit.authority.values.request import Request


def patched(program: Program, request: Request, outputs: Outputs, redact: Callable[[str], str]) -> dict[str, Any]:
    """The inputs with which a request happens."""
    inputs = dict(request.inputs)
    slots = intents()[request.intent].slots
    for name in slots.get("text", ()):
        if name in inputs and not _is_address(inputs[name]):
            text = redact(inputs[name]) if outputs.redact else inputs[name]
            inputs[name] = text[: program.clamp] if outputs.clamp else text
    for name in slots.get("domain", ()):
        if outputs.rewrite and _is_address(inputs[name]):
            inputs[name] = f"{program.proxy}?to={quote(inputs[name], safe='')}"
    return inputs


def _is_address(value: str) -> bool:
    return value.startswith(("https://", "http://"))
