"""The tree of Boyle, Gilboa and Ishai on one page: blocks are numbers, a point is walked to bit by bit, nothing is done at once."""

import hashlib

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

LEAF = 7  # a leaf has 2**7 points


def grown(side, block):
    """AES under the public key of a side, and the block added."""
    key = hashlib.sha256(f"remit/dpf/{side}/v1".encode()).digest()[:16]
    data = block.to_bytes(16, "little")
    cipher = Cipher(algorithms.AES(key), modes.ECB()).encryptor()
    return int.from_bytes(cipher.update(data), "little") ^ block


def roots(seed, count):
    """The roots of both parties for so many keys."""
    first = int.from_bytes(seed, "little")
    blocks = [grown("stream", first ^ number) & ~1 for number in range(2 * count)]
    return blocks[:count], blocks[count:]


def make(domain, point, first, second):
    """What both keys have in common: a correction for each level, and one for the leaf."""
    states, controls, corrections = [first, second], [0, 1], []
    for level in range(domain - LEAF):
        turn = point >> (domain - 1 - level) & 1
        children = [[grown(side, state) for side in ("left", "right")] for state in states]
        lost = (children[0][1 - turn] ^ children[1][1 - turn]) & ~1
        bits = [(children[0][side] ^ children[1][side] ^ (side == turn)) & 1 for side in (0, 1)]
        corrections.append((lost, bits))
        for party in (0, 1):
            child, control = children[party][turn], controls[party]
            states[party] = (child & ~1) ^ (lost if control else 0)
            controls[party] = (child & 1) ^ (bits[turn] & control)
    leaf = grown("leaf", states[0]) ^ grown("leaf", states[1]) ^ (1 << point % (1 << LEAF))
    return corrections, leaf


def expand(domain, party, root, corrections, leaf):
    """The share of every point, in order."""
    nodes = [(root, party)]
    for lost, bits in corrections:
        below = []
        for state, control in nodes:
            for side, name in enumerate(("left", "right")):
                child = grown(name, state)
                below.append(((child & ~1) ^ (lost if control else 0), (child & 1) ^ (bits[side] & control)))
        nodes = below
    ends = [grown("leaf", state) ^ (leaf if control else 0) for state, control in nodes]
    return [end >> place & 1 for end in ends for place in range(1 << LEAF)]
