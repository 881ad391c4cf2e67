"""Rule 3: every body is live, and its parameters are the join of its calls, or anything."""

from each_row import each_row
from remit.analysis.session import analyse
from self_analysis.source import as_skill


def test_parameters_are_the_join_of_the_calls(python):
    found = python("def save(p):\n    open(p, 'w')\nsave('a')\nsave('b')\n")
    assert found.scopes("file.write") == {"./a", "./b"}


def test_a_function_that_nobody_calls_is_live_with_anything(python):
    assert python("def save(p):\n    open(p, 'w')\n").scopes("file.write") == {"any"}


def test_a_special_method_is_live(python):
    assert "file.delete" in python("import os\nclass C:\n    def __del__(self): os.remove('x')\nC()\n").capabilities


def test_a_parameter_is_not_an_argument_of_the_command_line(python):
    assert "<arg>" not in python("def save(p):\n    open(p, 'w')\n").scopes("file.write")


def test_a_function_handed_to_an_unknown_caller_runs_with_anything(python):
    found = python("import os, atexit\ndef clean(p='x'):\n    os.remove(p)\natexit.register(clean)\n")
    assert "file.delete" in found.capabilities


def test_a_javascript_getter_is_live(node):
    assert (
        "file.delete" in node("const fs = require('fs');\nclass C { get x() { fs.unlinkSync('v'); } }\n").capabilities
    )


PACKAGE = {
    "use.py": "import pack.open\ndef door(anyone):\n    anyone(pack.open.door)\n",
    "pack/__init__.py": "",
    "pack/open.py": "import os\ndef door(): return _near()\ndef _near(): os.mkdir('near')\ndef _far(): os.mkdir('far')\n"
    "class _Unmade:\n    def __del__(self): os.mkdir('unmade')\n",
}


def of_package(**changed):
    """What a package does whose one user is known."""
    files = {**PACKAGE, **{f"pack/{name}.py": PACKAGE[f"pack/{name}.py"] + text for name, text in changed.items()}}
    found = analyse(as_skill(files), entries=frozenset({"use.py"}))
    return {effect.scope.render() for effect in found.effects} | {item.reason for item in found.opaque}


def test_of_a_package_with_known_users_only_what_they_reach_is_live():
    assert of_package() == {"./near"}


@each_row(
    ("more", "reached"),
    [
        ("os.mkdir('body')\n", "./body"),
        ("@staticmethod\ndef _x(): os.mkdir('x')\ndef door(): return _x\n", "./x"),
        ("def door(): _Unmade()\n", "./unmade"),
        ("def door(): return _Unmade\n", "./unmade"),
        ("def door(name): return globals()[name]\n", "./far"),
        ("def __getattr__(name): return _far\n", "./far"),
        ("def door():\n    def inner(): os.mkdir('inner')\n", "./inner"),
        (
            "class _T(__import__('threading').Thread):\n    def run(self): os.mkdir('run')\ndef door(): _T().start()\n",
            "./run",
        ),
    ],
)
def test_what_is_called_by_no_name_stays_live_in_a_package(more, reached):
    assert reached in of_package(open=more)


def test_a_package_is_imported_by_full_names_only():
    files = {
        **PACKAGE,
        "pack/types.py": "import os\nos.mkdir('types')\n",
        "pack/open.py": "import types\ndef door(): pass\n",
    }
    assert analyse(as_skill(files), entries=frozenset({"use.py"})).effects == ()
