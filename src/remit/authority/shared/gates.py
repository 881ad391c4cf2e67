"""The shares of a program's outputs, from the shares of its inputs: a layer of products for each exchange."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from remit.authority.program.gates import NOT, XOR
from remit.authority.shared.products import product

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from remit.authority.program.gates import Circuit, Gate
    from remit.authority.shared.products import Exchange, Party
    from remit.authority.shared.triples import Bits


class _Step(NamedTuple):
    """A layer as it is computed. `products`: results, left and right sides, by their wires."""

    products: NDArray[np.int64]
    alone: tuple[tuple[int, Gate], ...]


def evaluate(party: Party, circuit: Circuit, inputs: Bits) -> Exchange:
    """Shares of the outputs, packed. `inputs`: one byte of 0 or 1 for each."""
    wires = np.zeros(circuit.inputs + len(circuit.gates), dtype=np.uint8)
    wires[: circuit.inputs] = inputs
    turned = np.uint8(party.number == 0)
    for (result, left, right), alone in _steps(circuit):
        if len(result):
            share = yield from product(party, np.packbits(wires[left]), np.packbits(wires[right]))
            wires[result] = np.unpackbits(share)[: len(result)]
        for wire, gate in alone:
            if gate.operation == NOT:
                wires[wire] = wires[gate.left] ^ turned
            elif gate.operation == XOR:
                wires[wire] = wires[gate.left] ^ wires[gate.right]
    return np.packbits(wires[list(circuit.outputs)])


@lru_cache(maxsize=8)
def _steps(circuit: Circuit) -> tuple[_Step, ...]:
    """A server has one program, which it evaluates again and again."""
    return tuple(
        _Step(np.array(layer.products, dtype=np.int64).reshape(-1, 3).T, layer.alone) for layer in circuit.layers()
    )
