"""What a decision changes in a request before it happens: secrets are taken out, texts cut, addresses led through a proxy.

Gateway and executor compute the same inputs from the same request, so that what a person saw is what happens. What can not be
changed as decided does not happen.
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
    """The inputs with which a request happens; AuthorityError if a secret stands where it can not be taken out: in an address, or cut
    in pieces over several inputs. `redact` takes secrets out of a text in all of its views.
    """
    inputs = dict(request.inputs)
    intent = intents()[request.intent]
    for name in intent.of_types("text", *CHANGEABLE):
        if name in inputs:
            text = redact(inputs[name]) if outputs.redact else inputs[name]
            inputs[name] = text[: program.clamp(request.intent)] if outputs.clamp else text
    left = intent.said("text", inputs)  # as the policy looks at it
    if outputs.redact and redact(left) != left:
        names = " and ".join(f"`{name}`" for name in intent.slots["text"] if name in inputs)
        raise AuthorityError(f"a secret stands in {names}, where it can not be taken out", "send it elsewhere, or not")
    for name in intent.of_types("domain", "url"):
        if outputs.rewrite:
            inputs[name] = f"{program.proxy}?to={quote(inputs[name], safe='')}"
    return inputs
