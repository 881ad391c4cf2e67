"""Conditions as sums and products of bits. A sum costs nothing, a product one triple, and a layer of products one exchange.

Wires are numbered: first the inputs, then one for each gate. The same gate is made once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

AND, XOR, NOT, ZERO = "and", "xor", "not", "zero"


class Gate(NamedTuple):
    """An operation on wires; `not` has one, `zero` none (they stand as -1)."""

    operation: str
    left: int = -1
    right: int = -1


class Layer(NamedTuple):
    """Products that need one exchange together, and what each party computes alone after it, in order."""

    products: tuple[tuple[int, int, int], ...]  # result, left, right
    alone: tuple[tuple[int, Gate], ...]


class Circuit(NamedTuple):
    """Gates over inputs, and the wires that are told."""

    inputs: int
    gates: tuple[Gate, ...]
    outputs: tuple[int, ...]

    def layers(self) -> tuple[Layer, ...]:
        """The gates by the exchange after which they can be computed; the first layer needs none."""
        depth = [0] * self.inputs
        products: dict[int, list[tuple[int, int, int]]] = {}
        alone: dict[int, list[tuple[int, Gate]]] = {}
        for wire, gate in enumerate(self.gates, self.inputs):
            deepest = max((depth[side] for side in gate[1:] if side >= 0), default=0)
            depth.append(deepest + (gate.operation == AND))
            if gate.operation == AND:
                products.setdefault(deepest + 1, []).append((wire, gate.left, gate.right))
            else:
                alone.setdefault(deepest, []).append((wire, gate))
        last = max(depth, default=0)
        return tuple(Layer(tuple(products.get(at, ())), tuple(alone.get(at, ()))) for at in range(last + 1))


class Builder:
    """Makes gates; every method gives the wire of its result."""

    def __init__(self, inputs: int) -> None:
        self._inputs = inputs
        self._wires: dict[Gate, int] = {}

    def zero(self) -> int:
        """What never holds."""
        return self._wire(Gate(ZERO))

    def negated(self, wire: int) -> int:
        """Whether it does not hold."""
        made = self._gate(wire)
        return made.left if made is not None and made.operation == NOT else self._wire(Gate(NOT, wire))

    def all_of(self, wires: Iterable[int]) -> int:
        """Whether all hold; of none at all it is true."""
        return self._tree(wires, self._product, lambda: self.negated(self.zero()))

    def any_of(self, wires: Iterable[int]) -> int:
        """Whether one holds."""
        return self.negated(self.all_of(self.negated(wire) for wire in wires))

    def sum_of(self, wires: Iterable[int]) -> int:
        """The sum: whether one holds, where at most one can."""
        return self._tree(wires, lambda left, right: self._wire(Gate(XOR, left, right)), self.zero)

    def circuit(self, outputs: Iterable[int]) -> Circuit:
        """All gates that were made, with these results."""
        return Circuit(self._inputs, tuple(self._wires), tuple(outputs))

    def _product(self, left: int, right: int) -> int:
        return left if left == right else self._wire(Gate(AND, *sorted((left, right))))

    def _tree(self, wires: Iterable[int], join: Callable[[int, int], int], none: Callable[[], int]) -> int:
        """All joined in pairs, so that the way from any of them to the result is short."""
        now = list(dict.fromkeys(wires))
        if not now:
            return none()
        while len(now) > 1:
            now = [join(*now[at : at + 2]) if at + 1 < len(now) else now[at] for at in range(0, len(now), 2)]
        return now[0]

    def _gate(self, wire: int) -> Gate | None:
        return list(self._wires)[wire - self._inputs] if wire >= self._inputs else None

    def _wire(self, gate: Gate) -> int:
        return self._wires.setdefault(gate, self._inputs + len(self._wires))


def plain(circuit: Circuit, inputs: Iterable[bool]) -> tuple[bool, ...]:
    """The outputs for inputs that are known: what the shares must add up to."""
    values = list(inputs)
    for gate in circuit.gates:
        left = values[gate.left] if gate.left >= 0 else False
        right = values[gate.right] if gate.right >= 0 else False
        values.append({AND: left and right, XOR: left != right, NOT: not left, ZERO: False}[gate.operation])
    return tuple(values[wire] for wire in circuit.outputs)
