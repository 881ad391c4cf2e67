"""Walks from a command to its sub-command and evaluates the block that is meant."""

from __future__ import annotations

from itertools import product
from math import prod
from typing import TYPE_CHECKING

from remit.analysis.commands.argv import ENDS, ArgvReader, Reading
from remit.analysis.commands.evaluate import Call, Surroundings
from remit.analysis.commands.values import SOME, dash, texts
from remit.analysis.each import each
from remit.analysis.steering import steers, steers_own
from remit.analysis.world import Child, Outcome, Site, World

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.analysis.commands.catalog import Catalog
    from remit.analysis.commands.model import Command
    from remit.analysis.domain import Text, Value

# Command lines that differ in what is an option are read one by one up to this number.
_LIMIT = 24


def evaluate_block(world: World, catalog: Catalog, command: Command, child: Child, site: Site) -> Outcome:
    """Evaluate a command on the words of a child."""
    steered(world, catalog, child, site, command)
    walk = _Walk(world, catalog, child, site)
    printed = [walk.evaluate(command, command.names[0], words, Reading()) for words in _variants(child.words[1:])]
    return Outcome(frozenset().union(*printed))


def steered(world: World, catalog: Catalog, child: Child, site: Site, command: Command | None = None) -> None:
    """Count variables that change what a program does.

    Those that `[*]` and `[*/files]` in the data or the command itself name are followed, and proxies are counted where they are set. Others are
    opaque if steering.toml lists them (a shell judges those itself) or if they carry the program's own name and hold a place.
    """
    if not child.env:
        return
    walk = _Walk(world, catalog, child, site)
    names = ("*/files",) if child.shell else ("*/files", "*")
    blocks = [block for name in names if (block := catalog.get(name)) is not None]
    for block in blocks:
        walk.call(block, block.label, Reading()).steer()
    blocks += [command] if command is not None else []
    followed = [name for block in blocks for line in block.steering for name in line.names]
    for name, value in child.env.items():
        if name.lower().endswith("_proxy") or any(_named(name, one) for one in followed):
            continue
        reason = None if child.shell else steers(name, value)
        if reason is None and command is not None:
            reason = steers_own(name, value, command.names)
        if reason:
            world.opaque(reason, site, f"do not set `{name}`, or set it to a fixed, known value")


def _named(name: str, listed: str) -> bool:
    return name == listed or (listed.endswith("*") and name.startswith(listed[:-1]))


def _variants(words: tuple[Value, ...]) -> Iterator[tuple[Value, ...]]:
    """The command lines that these words can be, split where a word may or may not be an option or end a command."""
    choices = [_choices(word) for word in words]
    return product(*choices) if prod(map(len, choices)) <= _LIMIT else iter((words,))


def _choices(word: Value) -> list[Value]:
    found = texts(word)
    if len(found) == 1:
        return [word]
    alone = [item for item in each(found) if dash(item) == "yes" or item.literal in ENDS]
    others: Value = found.difference(alone)
    return [*(frozenset({item}) for item in alone), *([others] if others else [])]


class _Walk(Surroundings):
    """One child on its way down the sub-commands."""

    __slots__ = ()

    def call(self, command: Command, label: str, reading: Reading) -> Call:
        return Call(self, command, reading, label, evaluate_block)

    def evaluate(self, command: Command, path: str, words: tuple[Value, ...], before: Reading) -> Value:
        has_subs = self.catalog.has_subs(path)
        reading = ArgvReader(command, words, self.child.rest, self.child.last, stops=has_subs).read()
        _carry(before, reading)
        if not has_subs or not (reading.operands or reading.rest):
            return self.call(command, path, reading).run().stdout
        word = reading.operands[0] if reading.operands else reading.rest
        printed = [self.sub(command, path, item, reading) for item in each(texts(word))]
        if None not in printed:
            return frozenset().union(*(value for value in printed if value is not None))
        # some word is no sub-command but an operand of the command itself
        whole = ArgvReader(command, words, self.child.rest, self.child.last).read()
        _carry(before, whole)
        return self.call(command, path, whole).run().stdout.union(*(value for value in printed if value is not None))

    def sub(self, command: Command, path: str, word: Text, reading: Reading) -> Value | None:
        """Evaluate the sub-command that a word names; None if it is an operand of the command itself."""
        name = word.literal
        found = self.catalog.get(f"{path} {name}") if name is not None else None
        if found is not None:
            return self.evaluate(found, f"{path} {name}", tuple(reading.operands[1:]), reading)
        if command.operands:
            if name is None:
                self.world.assume("option-like-arguments", self.site)
            return None
        self.call(command, path, Reading(sure=reading.sure, bound=reading.bound, actions=reading.actions)).run()
        if name is None:
            self.world.opaque(f"the sub-command of `{path}` is not known", self.site, "write the sub-command literally")
        else:
            remedy = "add a summary file with a block for the sub-command"
            self.world.opaque(f"`{path} {name}` has no summary", self.site, remedy)
        return SOME


def _carry(before: Reading, reading: Reading) -> None:
    """Options that stood before the sub-command count for it too."""
    reading.sure |= before.sure
    reading.maybe |= before.maybe
    reading.actions[:0] = before.actions
    reading.unknown[:0] = before.unknown
    reading.given = before.given | reading.given
    reading.wild |= before.wild
    reading.user = reading.user or before.user
    for name, values in before.bound.items():
        reading.bound.setdefault(name, [])[:0] = values
