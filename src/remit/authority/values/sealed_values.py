"""Values of handles, sealed by the gateway for the executor: each for one request, one handle and one destination.

The key is derived from the binding key, the request and its nonce, which bind a value to exactly this intent, caller, session and inputs.
Handle and destination are authenticated too. A value that was sealed for anything else does not open, and the executor uses no value that
does not open.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from remit.authority.intents import intents
from remit.authority.sinks import RUNTIME, sink_of
from remit.core.digest import canonical
from remit.core.errors import AuthorityError, PackageError

if TYPE_CHECKING:
    from remit.authority.values.opening import BindingKey, Opening

_NONCE_BYTES = 12
_REMEDY = "make the gateway pass on the values that the request names"


def handles_of(intent: str, inputs: Mapping[str, Any]) -> frozenset[str]:
    """Return the handles whose values travel with a request; a value that is shown to the agent stays with the gateway."""
    known = intents()[intent]
    if sink_of(known, inputs) == RUNTIME:
        return frozenset()
    return frozenset(inputs[name] for name, kind in known.types.items() if kind == "handle" and name in inputs)


def carried(
    binding: BindingKey, opening: Opening, inputs: Mapping[str, Any], values: Mapping[str, bytes]
) -> dict[str, bytes]:
    """Seal the values for transport. `inputs` are those with which the request happens."""
    if not values:
        return {}
    sealed: dict[str, bytes] = {}
    cipher = _cipher(binding, opening)
    for handle, value in values.items():
        drawn = secrets.token_bytes(_NONCE_BYTES)
        sealed[handle] = drawn + cipher.encrypt(drawn, value, _about(opening, inputs, handle))
    return sealed


def received(
    binding: BindingKey, opening: Opening, inputs: Mapping[str, Any], sealed: Mapping[str, bytes]
) -> dict[str, bytes]:
    """Open the values of exactly the handles that the request names; AuthorityError for a missing, surplus or foreign
    one.
    """
    wanted = handles_of(opening.request.intent, inputs)
    if set(sealed) - wanted:
        raise AuthorityError("a value came along for a handle that the request does not name", _REMEDY)
    if wanted - set(sealed):
        raise AuthorityError("the value of a handle did not come along", "use the handle before it ends")
    if not sealed:
        return {}
    from cryptography.exceptions import InvalidTag  # noqa: PLC0415  only who uses values needs it

    cipher = _cipher(binding, opening)
    try:
        return {
            handle: cipher.decrypt(data[:_NONCE_BYTES], data[_NONCE_BYTES:], _about(opening, inputs, handle))
            for handle, data in sealed.items()
        }
    except (InvalidTag, ValueError):
        message = "a value is sealed for another request, handle or destination"
        raise AuthorityError(message, _REMEDY) from None


def _cipher(binding: BindingKey, opening: Opening) -> Any:
    try:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415
    except ImportError:
        raise PackageError("cryptography", "authority") from None
    return AESGCM(binding.carrying_key(opening))


def _about(opening: Opening, inputs: Mapping[str, Any], handle: str) -> bytes:
    return canonical({"handle": handle, "sink": sink_of(intents()[opening.request.intent], inputs)})
