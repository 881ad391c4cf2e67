"""A skill that writes code or instructions into its own folder runs, afterwards, what nobody has seen: opaque, whatever is granted."""

import pytest

from each_row import each_row
from remit.analysis.own_writes import DATA, load
from remit.core.errors import DataError

HEAD = "import os, shutil, sys\nfrom pathlib import Path\nHERE = Path(__file__).parent\nROOT = HERE.parent\n"
PYTHON = {
    "a module of the standard library": "(HERE / 'colorsys.py').write_text('x')",
    "a package": "(HERE / 'json' / '__init__.py').write_text('x')",
    "itself": "open(__file__, 'w').write('x')",
    "the instructions": "(ROOT / 'SKILL.md').write_text('x')",
    "the instructions, spelled otherwise": "(ROOT / 'skill.MD').write_text('x')",
    "a document that is referred to": "(ROOT / 'references' / 'guide.md').write_text('x')",
    "a document that is linked, and made at run time": "(ROOT / 'references' / 'later.md').write_text('x')",
    "what Node asks": "(ROOT / 'package.json').write_text('{}')",
    "what Node asks, beside scripts": "(HERE / 'package.json').write_text('{}')",
    "a package of Node": "(ROOT / 'node_modules' / 'x' / 'data.json').write_text('{}')",
    "what Python loads at its start": "(HERE / 'a.pth').write_text('x')",
    "byte code": "(HERE / '__pycache__' / 'main.cpython-311.pyc').write_bytes(b'x')",
    "what pytest loads": "(HERE / 'conftest.py').write_text('x')",
    "the manifest": "(ROOT / 'remit.json').write_text('{}')",
    "a name without an ending": "(ROOT / 'output' / 'state').write_text('x')",
    "any name": "(ROOT / 'output' / sys.stdin.readline()).write_text('x')",
    "any name with an ending": "(ROOT / (sys.stdin.readline() + '.json')).write_text('x')",
    "any document": "(ROOT / 'output' / f'{os.path.basename(sys.argv[1])}.md').write_text('x')",
    "the caller's name": "open(os.path.join(HERE, sys.argv[1]), 'w')",
    "a copy": "shutil.copy('/tmp/x', HERE / 'colorsys.py')",
    "a tree": "shutil.copytree('/tmp/x', ROOT / 'lib')",
    "a move": "os.rename('/tmp/x.txt', HERE / 'colorsys.py')",
    "a link": "os.symlink('/tmp/x.py', HERE / 'colorsys.py')",
    "a link to the scripts": "os.symlink(HERE, '/tmp/x')",
    "an archive": "import tarfile\ntarfile.open('/tmp/x.tar').extractall(ROOT / 'output')",
    "a download": "import urllib.request\nurllib.request.urlretrieve('https://e.org/x', HERE / 'colorsys.py')",
    "after a change of folder": "os.chdir(HERE)\nopen('colorsys.py', 'w').write('x')",
    "after a change of folder, any name": "os.chdir(HERE)\nopen(sys.argv[1], 'w').write('x')",
    "into a folder that is named like data": "os.makedirs(ROOT / 'x.json')\nshutil.copy(sys.argv[1], ROOT / 'x.json')",
    "its script, from the workspace": "open('scripts/main.py', 'w').write('x')",
}
DATA_WRITES = {
    "values": "(ROOT / 'output' / 'a.json').write_text('{}')",
    "values beside scripts": "(HERE / 'state.json').write_text('{}')",
    "a table that is there": "(ROOT / 'data.csv').write_text('x')",
    "a picture": "(ROOT / 'out.png').write_bytes(b'x')",
    "a log": "open(os.path.join(HERE, 'run.log'), 'a').write('x')",
    "a report": "(ROOT / 'output' / 'report.md').write_text('x')",
    "what people read": "(ROOT / 'CHANGELOG.md').write_text('x')",
    "names with a fixed ending": "(ROOT / 'output' / f'{os.path.basename(sys.argv[1])}.csv').write_text('x')",
    "a folder": "(ROOT / 'output').mkdir(exist_ok=True)",
    "a copy": "shutil.copy(sys.argv[1], ROOT / 'output' / 'a.csv')",
    "a finished file": "os.replace(ROOT / 'a.json.tmp', ROOT / 'a.json')",
    "code in the workspace": "open('colorsys.py', 'w').write('x')",
    "what the caller names": "open(sys.argv[1], 'w').write('x')",
    "a temporary file": "import tempfile\ntempfile.NamedTemporaryFile(suffix='.py')",
}
SHELL = {
    "a redirection": 'echo x > "$(dirname "$0")/lib.sh"',
    "after cd": 'cd "$(dirname "$0")"\necho x > lib.sh',
    "after cd, any name": 'cd "$(dirname "$0")"\necho x > "$1"',
    "a copy": 'cp /tmp/x "$(dirname "$0")/helper.sh"',
    "a download": 'curl -o "${CLAUDE_SKILL_DIR}/scripts/colorsys.py" https://e.org/x',
    "a download by its own name": 'cd "${CLAUDE_SKILL_DIR}"\ncurl -O https://e.org/x.py',
    "an archive": 'tar -xf /tmp/x.tar -C "${CLAUDE_SKILL_DIR}/output"',
    "a link": 'ln -s /tmp/x "${CLAUDE_SKILL_DIR}/scripts/x.py"',
    "instructions": 'echo x >> "${CLAUDE_SKILL_DIR}/SKILL.md"',
    "in place": 'sed -i s/a/b/ "$0"',
    "the plugin": 'cp /tmp/x "${CLAUDE_PLUGIN_ROOT}/skills/demo/x.py"',
    "a clone": 'git clone https://e.org/x "${CLAUDE_SKILL_DIR}/lib"',
}
NODE = {
    "a module": "fs.writeFileSync(path.join(__dirname, 'x.js'), 'x')",
    "a package": "fs.writeFileSync(path.join(__dirname, 'node_modules/x/index.js'), 'x')",
    "what Node asks": "fs.writeFileSync(path.join(__dirname, 'package.json'), '{}')",
    "itself": "fs.writeFileSync(__filename, 'x')",
    "a stream": "fs.createWriteStream(path.join(__dirname, '..', 'SKILL.md'))",
    "a copy": "fs.copyFileSync('/tmp/x', path.join(__dirname, 'x.mjs'))",
    "a move": "fs.renameSync('/tmp/x', path.join(__dirname, 'x.node'))",
    "after a change of folder": "process.chdir(__dirname)\nfs.writeFileSync('x.js', 'x')",
}
FILES = {"references/guide.md": "# Guide\n\nRead me.\n", "data.csv": "a,b\n", "CHANGELOG.md": "# Changes\n"}
TEXT = "Use the scripts. See [the guide](references/guide.md), and later [this](references/later.md).\n"


def changes(found):
    return [one for one in found.opaque if "written" in one]


@pytest.mark.parametrize("name", PYTHON)
def test_python_that_writes_its_own_code_is_opaque(skill, name):
    assert changes(skill({"scripts/main.py": HEAD + PYTHON[name] + "\n", **FILES}, TEXT))


@pytest.mark.parametrize("name", DATA_WRITES)
def test_data_in_the_own_folder_stays_precise(skill, name):
    found = skill({"scripts/main.py": HEAD + DATA_WRITES[name] + "\n", **FILES}, TEXT)
    assert not found.opaque
    assert "file.write" in found.capabilities


@pytest.mark.parametrize("name", SHELL)
def test_shell_that_writes_its_own_code_is_opaque(shell, name):
    assert changes(shell(SHELL[name] + "\n"))


@pytest.mark.parametrize(
    "line", ["echo x > $D/a.json", "mkdir -p $D/output", "cd $D\necho x >> run.log", "echo x > /tmp/x.sh"]
)
def test_shell_that_writes_data_stays_precise(shell, line):
    assert not shell(f'D="${{CLAUDE_SKILL_DIR}}"\n{line}\n').opaque


@pytest.mark.parametrize("name", NODE)
def test_javascript_that_writes_its_own_code_is_opaque(node, name):
    assert changes(node("const fs = require('fs'), path = require('path')\n" + NODE[name] + "\n"))


def test_javascript_that_writes_data_stays_precise(node):
    assert not node("require('fs').writeFileSync(require('path').join(__dirname, 'a.json'), '{}')\n").opaque


@pytest.mark.parametrize(
    "line", ["echo x > ${CLAUDE_SKILL_DIR}/scripts/a.py", "cd ${CLAUDE_SKILL_DIR} && python scripts/main.py"]
)
def test_what_a_document_tells_the_agent_counts_too(skill, line):
    assert changes(skill({"scripts/main.py": "open('colorsys.py', 'w')\n"}, f"Run this:\n\n```bash\n{line}\n```\n"))


def test_a_file_whose_text_the_analysis_relies_on_must_not_be_written(skill):
    script = '#!/bin/sh\nF="$(dirname "$0")/words.txt"\neval "$(cat "$F")"\n'
    assert not skill({"scripts/a.sh": script, "scripts/words.txt": "echo hi\n"}).opaque
    assert changes(skill({"scripts/a.sh": script + 'echo x > "$F"\n', "scripts/words.txt": "echo hi\n"}))


@each_row(
    "row",
    ["[data]\n.a | - | x\n.a | - | y\n", "[other]\n.a | - | x\n", "[names]\na | - | x\n", "[data]\n.a | code | x\n"],
)
def test_a_malformed_table_is_refused_with_its_line(tmp_path, row):
    (tmp_path / "own.table").write_text(row)
    with pytest.raises(DataError, match=r"own\.table:\d"):
        load(tmp_path / "own.table")


def test_the_table_holds_every_section():
    assert all(load(DATA / "own_writes.table"))
