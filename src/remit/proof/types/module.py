"""The generated module: the requests that one skill may make, as types. It replaces the module of requests of the
dispatch.

A string literal type is a closed set of strings: there is no class to inherit from and no value to forge. So what
a capability may act on is the literal type of the scopes that entries hold for it. (Classes for scopes, with inclusion as
inheritance, would be open: any subclass is inside. And a denial takes a part out of a scope, which no
inheritance can express.)

There is no comment in the module: comments can silence a checker.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from remit.core.capability import vocabulary
from remit.proof.types.generated_names import class_name, quoted

if TYPE_CHECKING:
    from remit.proof.types.universe import Universe

NAME = "remit.policy.request"  # of the module whose place it takes
NOTHING = "Nothing"  # what may be asked for if nothing is granted


def write_module(manifest_digest: str, universe: Universe) -> str:
    """Return the module of a manifest, which is the same bytes on every machine."""
    declared = [capability.name for capability in vocabulary() if capability.name in universe.held]
    others = [capability.name for capability in vocabulary() if capability.name not in universe.held]
    aliases: dict[tuple[str, ...], str] = {}
    for name in declared:
        aliases.setdefault(universe.held[name], f"Held{len(aliases) + 1}")
    lines = [
        *_head(manifest_digest, len(declared), len(others)),
        *_aliases(aliases),
        *(line for name in declared for line in _class(class_name(name), name, aliases[universe.held[name]])),
        *(line for name in others for line in _class(class_name(name), name, "str")),
        *([] if declared else _class(NOTHING, "", "Never")),
        *_union("Request", [class_name(name) for name in declared] or [NOTHING]),
        *_READ,
    ]
    return "\n".join(lines) + "\n"


def _head(digest: str, declared: int, others: int) -> Iterator[str]:
    yield '"""What one skill may ask for, in types. Made from its manifest; do not edit.'
    yield ""
    yield f"manifest {digest}"
    yield f"{declared} capabilities are declared. Calls of the other {others} can be named, and the projector takes none."
    yield '"""'
    yield from _HEAD


_HEAD = """
from collections.abc import Mapping
from typing import Final, Generic, Literal, Never, TypeAlias, TypeVar, final

from remit.policy.refusal import Refusal

Text = TypeVar('Text', bound=str)


@final
class Scope(Generic[Text]):
    def __init__(self, text: Text) -> None:
        self.text: Final = text

    def render(self) -> Text:
        return self.text


Bindings: TypeAlias = Mapping[str, tuple[Scope[str], ...]]


@final
class Envelope:
    pass
""".splitlines()
_READ = """

def read(envelope: Envelope, bound: Bindings) -> Request | Refusal:
    return Refusal('malformed', 'it is not read here')
""".splitlines()


def _aliases(aliases: Mapping[tuple[str, ...], str]) -> Iterator[str]:
    for texts, alias in aliases.items():
        yield ""
        yield f"{alias}: TypeAlias = Literal["
        yield from (f"    {quoted(text)}," for text in texts)
        yield "]"


def _class(name: str, capability: str, scope: str) -> Iterator[str]:
    yield from ("", "", "@final", f"class {name}:")
    yield f"    def __init__(self, scope: {scope}) -> None:"
    yield f"        self.capability: Final = {quoted(capability)}"
    yield f"        self.scope: Final = Scope[{scope}](scope)"
    yield ""
    yield "    def digest(self, skill: str) -> str:"
    yield "        return skill"


def _union(alias: str, names: list[str]) -> Iterator[str]:
    yield from ("", "", f"{alias}: TypeAlias = (")
    yield f"    {names[0]}"
    yield from (f"    | {name}" for name in names[1:])
    yield ")"
