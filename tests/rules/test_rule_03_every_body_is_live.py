"""Rule 3: every body is live, and its parameters are the join of its calls, or anything."""


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
