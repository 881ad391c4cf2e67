"""Rule 5: reflection matches its operand against a finite universe, or is opaque."""

import pytest


def test_a_constant_name_is_the_member(python):
    assert python("import os\ngetattr(os, 'rem' + 'ove')('v')\n").scopes("file.delete") == {"./v"}


def test_a_computed_name_on_a_module_is_opaque(python):
    assert python("import os, sys\ngetattr(os, sys.argv[1])('v')\n").opaque


def test_a_computed_name_on_an_object_of_the_skill_is_one_of_its_members(python):
    source = "import os, sys\nclass C:\n    def a(self): os.remove('v')\n    def b(self): pass\ngetattr(C(), sys.argv[1])()\n"
    found = python(source)
    assert "file.delete" in found.capabilities
    assert not found.opaque


@pytest.mark.parametrize("name", ["__globals__", "__subclasses__", "__builtins__", "__code__", "f_globals"])
def test_escape_hatches_are_opaque(python, name):
    assert python(f"def f(): pass\nprint(f.{name})\n").opaque


def test_sys_modules_is_opaque(python):
    assert python("import sys\nsys.modules['os'].remove('v')\n").opaque


def test_patching_a_library_is_noticed(python):
    found = python("import json, os\ndef evil(s): os.remove('v')\njson.loads = evil\n")
    assert found.opaque
    assert "file.delete" in found.capabilities


def test_a_computed_member_of_a_node_module_is_opaque(node):
    assert node("const fs = require('fs');\nfs[process.argv[2]]('v');\n").opaque
