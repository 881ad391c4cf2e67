"""Commands in YAML: workflows, pre-commit, compose files."""

from __future__ import annotations

from collections.abc import Iterator

import yaml

from remit.skill.config_commands import Held
from remit.skill.config_words import argv, with_holes
from remit.skill.yamltree import compose


def _yaml_nodes(node: yaml.Node, budget: list[int]) -> Iterator[tuple[str, yaml.Node, int]]:
    """Return every key with its value and line. Aliases are shared nodes, so the walk counts its steps."""
    budget[0] -= 1
    if budget[0] < 0:
        raise ValueError("too many aliases")
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if isinstance(key, yaml.ScalarNode):
                yield str(key.value), value, key.start_mark.line + 1
            yield from _yaml_nodes(value, budget)
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield from _yaml_nodes(item, budget)


def _compose(data: bytes) -> Iterator[tuple[str, yaml.Node, int]]:
    node = compose(data.decode("utf-8-sig", "replace"))
    return _yaml_nodes(node, [50_000]) if node is not None else iter(())


_RUN_KEYS = frozenset({"run", "init", "before", "command", "script", "prebuild", "onCreateCommand"})


def yaml_run(data: bytes) -> list[Held]:
    """Return commands of workflows and task files: `run` and similar keys hold shell text; `uses` names code from
    elsewhere.
    """
    out: list[Held] = []
    for key, node, line in _compose(data):
        if key in _RUN_KEYS and isinstance(node, yaml.ScalarNode):
            text, holes = with_holes(str(node.value))
            first = line + 1 if node.style in {"|", ">"} else line
            count = text.count("\n") + 1
            lines = tuple(range(first, first + count)) if node.style == "|" else (first,) * count
            out.append(Held(text, first, lines=lines, holes=holes, asked=True))
        elif key == "uses" and isinstance(node, yaml.ScalarNode):
            out.append(
                Held(
                    "", line, language="configuration", opaque=f"the workflow runs code from `{node.value}`", asked=True
                )
            )
    return out


def precommit(data: bytes) -> list[Held]:
    """Return hooks of pre-commit: local entries, and code from elsewhere."""
    out: list[Held] = []
    for key, node, line in _compose(data):
        if not isinstance(node, yaml.ScalarNode):
            continue
        if key == "entry":
            out.append(Held(str(node.value), line))
        elif key == "repo" and str(node.value) not in {"local", "meta"}:
            out.append(Held("", line, language="configuration", opaque=f"pre-commit runs code from `{node.value}`"))
    return out


def compose_file(data: bytes) -> list[Held]:
    """Return commands of compose files: what is started inside the containers."""
    out: list[Held] = []
    for key, node, line in _compose(data):
        if key in {"command", "entrypoint", "test"}:
            if isinstance(node, yaml.ScalarNode) and node.value:
                out.append(Held(str(node.value), line, asked=True))
            elif isinstance(node, yaml.SequenceNode):
                words = [str(item.value) for item in node.value if isinstance(item, yaml.ScalarNode)]
                words = words[1:] if words[:1] in (["CMD"], ["CMD-SHELL"]) else words
                out.append(Held(words[0] if len(words) == 1 else argv(words), line, asked=True))
    return [held for held in out if held.text]
