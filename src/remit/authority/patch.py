"""The changes that a decision makes to a request: secrets redacted, texts cut, addresses routed through a proxy.

Gateway and executor compute the same inputs from the same request, so that what a person approved is what happens. A
request that cannot be changed as decided is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from remit.authority.intents import CHANGEABLE, intents
from remit.core.errors import AuthorityError

if TYPE_CHECKING:
    from remit.authority.program.compiled import Program
    from remit.authority.values.outputs import Outputs
    from remit.authority.values.request import Request


def patched(program: Program, request: Request, outputs: Outputs, redact: Callable[[str], str]) -> dict[str, Any]:
    """Return the changed inputs of a request. `redact` removes secrets from a text in all of its views. Raises
    AuthorityError if a secret cannot be removed: in an address, or split over several inputs.
    """
    inputs = dict(request.inputs)
    intent = intents()[request.intent]
    for name in intent.of_types("text", *CHANGEABLE):
        if name in inputs:
            text = redact(inputs[name]) if outputs.redact else inputs[name]
            inputs[name] = text[: program.clamp(request.intent)] if outputs.clamp else text
    left = intent.said("text", inputs)  # as the policy sees it
    if outputs.redact and redact(left) != left:
        names = " and ".join(f"`{name}`" for name in intent.slots["text"] if name in inputs)
        raise AuthorityError(f"a secret stands in {names}, where it cannot be taken out", "send it elsewhere, or not")
    for name in intent.of_types("domain", "url"):
        if outputs.rewrite:
            inputs[name] = f"{program.proxy}?to={quote(inputs[name], safe='')}"
    return inputs
