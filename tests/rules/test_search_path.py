"""A folder that a skill adds to where Python looks for modules must be its own: others hold code that nobody has seen."""

import pytest

OUTSIDE = {
    "a fixed folder": "sys.path.insert(0, '/tmp/q')",
    "the working folder": "sys.path.append(os.getcwd())",
    "a relative folder": "sys.path.append('../..')",
    "above the skill": "sys.path.insert(0, str(Path(__file__).resolve().parents[5]))",
    "an argument": "sys.path[:0] = [sys.argv[1]]",
    "a variable": "sys.path.extend([os.environ['LIB']])",
    "something computed": "sys.path.append(input())",
    "an alias": "p = sys.path\np += ['/tmp/q']",
    "in a function": "def use(folder):\n    sys.path.insert(0, folder)\nuse('/tmp/q')",
    "in a function that nobody calls": "def use(folder):\n    sys.path.insert(0, folder)",
    "replaced": "sys.path = ['/tmp/q'] + sys.path",
    "by setattr": "setattr(sys, 'path', ['/tmp/q'])",
    "one that is made": "import tempfile\nsys.path.insert(0, tempfile.mkdtemp())",
}
OWN = {
    "beside the script": "sys.path.insert(0, str(Path(__file__).parent))",
    "resolved": "sys.path.insert(0, str(Path(__file__).resolve().parent))",
    "another folder": "sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'lib'))",
    "a name for it": "HERE = Path(__file__).resolve().parent\nif str(HERE) not in sys.path:\n    sys.path.insert(0, str(HERE))",
    "only looked at": "for folder in sys.path:\n    print(folder)",
    "taken out": "sys.path.remove(str(Path(__file__).parent))",
}
HEAD, TAIL = "import os, sys\nfrom pathlib import Path\n", "\nimport json\njson.dumps(1)\n"


@pytest.mark.parametrize("name", OUTSIDE)
def test_a_folder_that_is_not_surely_of_the_skill_is_opaque(python, name):
    found = python(HEAD + OUTSIDE[name] + TAIL)
    assert any("imported from a folder" in one or "is replaced" in one for one in found.opaque)


@pytest.mark.parametrize("name", OWN)
def test_folders_of_the_skill_are_read_like_all_of_it(python, name):
    assert not python(HEAD + OWN[name] + TAIL).opaque
