"""Random programs that read their command line with argparse and write a file for each word that an argument gets."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import random

_SHAPES = ("main", "module", "builder", "helper", "group", "exclusive", "subparsers", "known")
_ARGUMENTS = (
    ("'inp'", "inp"), ("'out', nargs='?', default='d0'", "out"), ("'more', nargs='*'", "more"), ("'some', nargs='+'", "some"),
    ("'two', nargs=2", "two"), ("'-o', '--output', default='d1'", "output"), ("'-n', '--name'", "name"),
    ("'-v', '--verbose', action='store_true'", ""), ("'--list', nargs='+'", "list"), ("'--add', action='append'", "add"),
    ("'--maybe', nargs='?', const='c1', default='d2'", "maybe"), ("'-q', action='count'", ""), ("'--pair', nargs=2, dest='both'", "both"),
    ("'--kind', choices=['k1', 'k2'], default='k1'", "kind"), ("'--no-name', action='store_const', const='c2', dest='fixed'", "fixed"),
    ("'--flag', action=argparse.BooleanOptionalAction", ""), ("'--outer', '--out-file', type=str", "outer"),
)  # fmt: skip
_OPTIONS = (
    "-o", "--output", "--outp", "--out", "-n", "--name", "--na", "-v", "--verbose", "--list", "--add", "--maybe", "-q", "--pair",
    "--kind", "--no-name", "--flag", "--no-flag", "--outer", "--out-file", "--no", "-vq", "-vo", "--",
)  # fmt: skip
_LISTS = frozenset({"more", "some", "two", "list", "add", "both"})


class Program(NamedTuple):
    """Its text, and how it is called."""

    source: str
    subcommands: bool


def program(chosen: random.Random) -> Program:
    """A program whose parser has a few arguments."""
    shape = chosen.choice(_SHAPES)
    arguments = chosen.sample(_ARGUMENTS, chosen.randint(1, 5))
    adds = [f"add_argument({text})" for text, _ in arguments]
    dests = [dest for _, dest in arguments if dest]
    use = "".join(
        map(_used, [f"getattr(a, {dest!r}, None)" if shape == "subparsers" else f"a.{dest}" for dest in dests], dests)
    )
    head = "import argparse, sys\n"
    if shape == "main":
        steps = "".join(f"    p.{add}\n" for add in adds)
        body = f"def main(argv=None):\n    p = argparse.ArgumentParser()\n{steps}    a = p.parse_args(argv)\n{_indented(use)}\nmain()\n"
    elif shape == "builder":
        steps = "".join(f"    p.{add}\n" for add in adds)
        body = f"def build():\n    p = argparse.ArgumentParser()\n{steps}    return p\na = build().parse_args()\n{use}"
    elif shape == "helper":
        steps = "".join(f"    q.{add}\n" for add in adds[1:]) or "    q.add_argument('--unused')\n"
        body = f"def more(q):\n{steps}p = argparse.ArgumentParser()\np.{adds[0]}\nmore(p)\na = p.parse_args(sys.argv[1:])\n{use}"
    elif shape in {"group", "exclusive"}:
        method = "add_argument_group()" if shape == "group" else "add_mutually_exclusive_group()"
        inner = "".join(f"g.{add}\n" if "'-" in add and chosen.random() < 0.6 else f"p.{add}\n" for add in adds)
        body = f"p = argparse.ArgumentParser()\ng = p.{method}\n{inner}a = p.parse_args()\n{use}"
    elif shape == "subparsers":
        first = "".join(f"one.{add}\n" if i % 2 else f"two.{add}\n" for i, add in enumerate(adds))
        body = (
            "p = argparse.ArgumentParser()\ns = p.add_subparsers(dest='which')\none = s.add_parser('one')\n"
            f"two = s.add_parser('two', aliases=['zwei'])\n{first}a = p.parse_args()\n{use}"
        )
    else:
        parse = "a, rest = p.parse_known_args()\n" if shape == "known" else "a = p.parse_args()\n"
        body = "p = argparse.ArgumentParser()\n" + "".join(f"p.{add}\n" for add in adds) + parse + use
    return Program(head + body, shape == "subparsers")


def _used(value: str, dest: str) -> str:
    if dest in _LISTS:
        return f"for word in {value} or []:\n    open(word, 'w')\n"
    return f"if {value} is not None:\n    open({value}, 'w')\n"


def _indented(text: str) -> str:
    return "".join(f"    {line}\n" if line else "\n" for line in text.splitlines())


def words_for(made: Program, chosen: random.Random) -> tuple[str, ...]:
    """Words that often fit the parser, because those that do not fit end the program."""
    words = [chosen.choice(("one", "two", "zwei"))] if made.subcommands else []
    known = [option for option in _OPTIONS if f"'{option}'" in made.source or chosen.random() < 0.04]
    most = sum(f"add_argument('{name}'" in made.source for name in ("inp", "out", "more", "some", "two", "two"))
    words += [f"w{number}" for number in range(chosen.randint(most and 1, most + chosen.choice((0, 0, 1))))]
    for number in range(chosen.randint(0, 3) if known else 0):
        option = chosen.choice(known)
        value = chosen.choice(("k2", f"-{number}", "x y", "")) if chosen.random() < 0.1 else f"v{number}"
        given = [] if f"'{option}', action" in made.source or option in {"-v", "-q", "--verbose"} else [value]
        given += [f"u{number}"] if option == "--pair" else []
        at = chosen.randint(len(words) if chosen.random() < 0.6 else int(made.subcommands), len(words))
        joined = len(given) == 1 and chosen.random() < 0.2
        words[at:at] = [f"{option}={value}"] if joined else [option, *given]
    return tuple(words)
