"""The generated module: the dispatch of one skill, in types.

A text literal type is a set of texts that nobody can extend: there is no class to inherit from and no value to forge. So what
a capability may act on is the literal type of the scopes that entries hold for it. (Classes for scopes, with inclusion as
inheritance, would be open: whoever inherits from one is inside it. And a denial takes a part out of a scope, which no
inheritance says.)

There is no comment in the module: comments can silence a checker.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.core.capability import vocabulary
from remit.proof.types.naming import class_name, host_name, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from remit.proof.types.universe import Universe

NAME = "dispatch"  # of the module
MANY, PART = 24, 12  # a match over so many classes takes mypy long (with the cube of their number): it is done in parts


def write_module(manifest_digest: str, universe: Universe) -> str:
    """The module of a manifest: the same bytes wherever and whenever it is written."""
    declared = [capability.name for capability in vocabulary() if capability.name in universe.held]
    others = [capability.name for capability in vocabulary() if capability.name not in universe.held]
    aliases: dict[tuple[str, ...], str] = {}
    for name in declared:
        aliases.setdefault(universe.held[name], f"Held{len(aliases) + 1}")
    lines = [
        *_head(manifest_digest, len(declared), len(others)),
        *_aliases(aliases),
        *_outcome(),
        *(line for name in declared for line in _class(name, aliases[universe.held[name]])),
        *(line for name in others for line in ("", "", "@final", f"class {class_name(name)}: ...")),
        *_union("Permitted", declared),
        *(line for name in declared for line in _host(name)),
        *_dispatch(declared),
    ]
    return "\n".join(lines) + "\n"


def _head(digest: str, declared: int, others: int) -> Iterator[str]:
    yield '"""What one skill may ask for, in types. Made from its manifest; do not edit.'
    yield ""
    yield f"manifest {digest}"
    yield f"{declared} capabilities are declared. Calls of the other {others} can be named, and nothing takes them."
    yield '"""'
    yield ""
    yield f"from typing import Final, {'Literal, ' if declared else 'Never, '}TypeAlias, assert_never, final"


def _aliases(aliases: Mapping[tuple[str, ...], str]) -> Iterator[str]:
    for texts, alias in aliases.items():
        yield ""
        yield f"{alias}: TypeAlias = Literal["
        yield from (f"    {quoted(text)}," for text in texts)
        yield "]"


def _outcome() -> Iterator[str]:
    yield from ("", "", "@final", "class Outcome:")
    yield '    """What reached the host."""'
    yield ""
    yield "    def __init__(self, capability: str, scope: str) -> None:"
    yield "        self.capability: Final = capability"
    yield "        self.scope: Final = scope"


def _class(name: str, scope: str) -> Iterator[str]:
    yield from ("", "", "@final", f"class {class_name(name)}:")
    yield f"    def __init__(self, scope: {scope}) -> None:"
    yield "        self.scope: Final = scope"


def _union(alias: str, names: list[str]) -> Iterator[str]:
    yield from ("", "")
    if not names:
        yield f"{alias}: TypeAlias = Never"
        return
    yield f"{alias}: TypeAlias = ("
    yield f"    {class_name(names[0])}"
    yield from (f"    | {class_name(name)}" for name in names[1:])
    yield ")"


def _host(name: str) -> Iterator[str]:
    yield from ("", "", f"def {host_name(name)}(call: {class_name(name)}) -> Outcome:")
    yield f"    return Outcome({quoted(name)}, call.scope)"


def _dispatch(declared: list[str]) -> Iterator[str]:
    if len(declared) <= MANY:
        yield from _match("dispatch", "Permitted", declared)
        return
    parts = [declared[at : at + PART] for at in range(0, len(declared), PART)]
    for number, names in enumerate(parts, 1):
        yield from _union(f"Part{number}", names)
        yield from _match(f"dispatch_{number}", f"Part{number}", names)
    yield from ("", "", "def dispatch(call: Permitted) -> Outcome:")
    for number, names in enumerate(parts, 1):
        yield f"    if isinstance(call, ({', '.join(map(class_name, names))},)):"
        yield f"        return dispatch_{number}(call)"
    yield "    assert_never(call)"


def _match(function: str, parameter: str, names: list[str]) -> Iterator[str]:
    yield from ("", "", f"def {function}(call: {parameter}) -> Outcome:")
    if not names:
        yield "    assert_never(call)"
        return
    yield "    match call:"
    for name in names:
        yield f"        case {class_name(name)}():"
        yield f"            return {host_name(name)}(call)"
    yield "        case _:"
    yield "            assert_never(call)"
