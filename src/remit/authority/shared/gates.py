"""The shares of a program's outputs, from the shares of its inputs: a layer of products for each exchange."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from remit.authority.program.gates import NOT, XOR
from remit.authority.shared.products import product

if TYPE_CHECKING:
    from remit.authority.program.gates import Circuit
    from remit.authority.shared.products import Exchange, Party
    from remit.authority.shared.triples import Bits


def evaluate(party: Party, circuit: Circuit, inputs: Bits) -> Exchange:
    """Shares of the outputs, packed. `inputs`: one byte of 0 or 1 for each."""
    wires = np.zeros(circuit.inputs + len(circuit.gates), dtype=np.uint8)
    wires[: circuit.inputs] = inputs
    turned = np.uint8(party.number == 0)
    for layer in circuit.layers():
        if layer.products:
            result, left, right = np.array(layer.products).T
            share = yield from product(party, np.packbits(wires[left]), np.packbits(wires[right]))
            wires[result] = np.unpackbits(share)[: len(result)]
        for wire, gate in layer.alone:
            if gate.operation == NOT:
                wires[wire] = wires[gate.left] ^ turned
            elif gate.operation == XOR:
                wires[wire] = wires[gate.left] ^ wires[gate.right]
    return np.packbits(wires[list(circuit.outputs)])
