"""The data: every block is read and evaluated, and what is wrong is refused with its place."""

import pytest
from fake_world import HERE_SITE, FakeWorld, run

from each_row import each_row
from remit.analysis.commands import Catalog, load_commands, spawn
from remit.analysis.commands.actions import VERBS
from remit.analysis.commands.spawn import evaluate_block
from remit.analysis.commands.syntax import all_actions
from remit.analysis.domain import lit
from remit.analysis.world import Child
from remit.core.capability import vocabulary
from remit.core.errors import DataError

CATALOG = load_commands()


@pytest.mark.parametrize("letter", sorted({name[0] for name in CATALOG.names()}))
def test_every_option_and_operand_of_every_block_is_evaluated(letter):
    for name in CATALOG.names():
        if name[0] == letter and CATALOG.get(name).names[0] == name:
            evaluated(name)


def evaluated(name):
    command = CATALOG.get(name)
    for option in {id(option): option for option in command.options.values()}.values():
        words = [option.names[0].rstrip("*"), *("value" for _ in option.values), "first", "second", "third"]
        if option.names[0].endswith("="):
            words[:2] = [f"{option.names[0]}value"]
        world = FakeWorld()
        child = Child((lit(name), *map(lit, words)), env={"A": lit("b")})
        evaluate_block(world, CATALOG, command, child, HERE_SITE)
    world = FakeWorld()
    env = {key.replace("*", "X"): lit("value") for line in command.steering for key in line.names}
    evaluate_block(world, CATALOG, command, Child((lit(name), lit("first"), lit("second")), env=env), HERE_SITE)
    if all_actions(command) and "args" not in name:
        evaluate_block(world, CATALOG, command, Child((lit(name),)), HERE_SITE)


def test_every_root_command_is_a_process_or_quiet():
    for name in CATALOG.names():
        command = CATALOG.get(name)
        if " " in name or "/" in name or "*" in name or "quiet" in command.marks:
            continue
        world = FakeWorld()
        spawn(world, Child((lit(name), lit("first")), shell=False), HERE_SITE)
        assert ("process.create", name) in world.effects


def test_what_a_verb_amounts_to_is_a_capability():
    assert set(VERBS).isdisjoint(vocabulary())


def test_three_hundred_commands():
    assert len({name for name in CATALOG.names() if " " not in name and "/" not in name}) > 300


WRONG = [
    ("[a]\nargs X\n\n[b, a]\n", "x.cmd:4: command `a` is summarised twice"),
    ("[a]\nfrob\n", "x.cmd:2: `frob` does not begin a line"),
    ("[a]\nargs X : file.frob(X)\n", "x.cmd:2: `file.frob` is neither a capability nor an action"),
    ("[a]\nargs X : file.read(Y)\n", "x.cmd:2: `Y` is bound by no option"),
    ("[a]\n\nargs X : file.read(frob(X))\n", "x.cmd:3: `frob` is not a function"),
    ("[a]\nflags -a -a\n", "x.cmd:2: option `-a` is listed twice"),
    ("[a]\nflags -r --rec\nargs X : file.read(X) if -r\n", "tests `-r`, which has no line of its own"),
    ("[a]\nstyle frob\n", "x.cmd:2: style `frob`"),
    ("[a]\nmark frob\n", "x.cmd:2: mark `frob`"),
    ("[a]\nargs X... Y...\n", "x.cmd:2: `X... Y...` has two places"),
    ("[a]\nuse frob\n", "x.cmd:2: shared block `%frob` does not exist"),
    ("[%a]\nflags -x\n[%a]\n", "x.cmd:3: shared block `%a` is defined twice"),
    ("[a b]\nargs X\n", "`a b` has no block"),
    ("[a]\nargs X : file.read(X) if X~'('\n", "x.cmd:2: `(` is not a regular expression"),
    ("[a]\nout num num\n", "x.cmd:2: `num num` is more than one expression"),
    ("[a]\nargs(X\n", "the condition does not end"),
    ("[a]\nargs X : file.read(X\n", "is missing in"),
    ("[a]\nargs X : file.read(X) file.write(X)\n", "`,` is missing"),
    ("[a]\nargs W\n[a b c, a b]\nargs W\n", "share a block"),
]


@each_row(("text", "message"), WRONG)
def test_wrong_data_is_refused_with_its_place(text, message):
    with pytest.raises(DataError) as caught:
        _load(text)
    assert message in caught.value.message


def _load(text):
    catalog = Catalog([("x.cmd", text)])
    for name in catalog.names():
        catalog.get(name)


def test_local_summaries(tmp_path):
    folder = tmp_path / "remit-summaries"
    folder.mkdir()
    (folder / "mine.cmd").write_text("[frob]\nargs FILE : file.write(FILE)\n")
    world, _ = run("frob a", catalog=load_commands([folder]))
    assert ("file.write", "a") in world.effects
    assert not world.opaques


def test_local_summaries_cannot_redefine_ours(tmp_path):
    path = tmp_path / "mine.cmd"
    path.write_text("[curl]\nargs URL\n")
    with pytest.raises(DataError, match="summarised twice"):
        load_commands([path])


def test_local_summary_that_cannot_be_read(tmp_path):
    with pytest.raises(DataError, match="cannot be read"):
        load_commands([tmp_path / "none.cmd"])
