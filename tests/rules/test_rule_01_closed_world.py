"""Rule 1: a name is the union of its bindings in the skill, a summarised member, or opaque."""

import py_compile


def test_a_name_is_the_union_of_its_bindings(python):
    found = python("import os, sys\nact = os.rmdir if len(sys.argv) > 1 else print\nact('x')\n")
    assert "file.delete" in found.capabilities


def test_a_library_without_a_summary_is_opaque(python):
    assert python("import no_such_library_anywhere\n").opaque


def test_a_member_without_a_summary_is_opaque(python):
    assert python("import os\nos.no_such_member('x')\n").opaque


def test_a_file_that_shadows_a_library_is_opaque(python):
    assert python("import json\njson.loads('1')\n", **{"scripts/json.py": "def loads(x): pass\n"}).opaque


def test_a_sibling_module_is_followed(python):
    found = python(
        "import helper\nhelper.tidy('victim.txt')\n", **{"scripts/helper.py": "import os\ndef tidy(p): os.remove(p)\n"}
    )
    assert found.scopes("file.delete") == {"./victim.txt"}
    assert not found.opaque


def test_bytecode_replaces_its_source_and_is_opaque(skill, tmp_path):
    source = tmp_path / "m.py"
    source.write_text("import os\nos.remove('x')\n")
    py_compile.compile(str(source), cfile=str(tmp_path / "m.pyc"))
    assert skill({"scripts/m.pyc": (tmp_path / "m.pyc").read_bytes()}).opaque


def test_source_is_read_as_the_interpreter_reads_it(python):
    hidden = b"# -*- coding: utf-7 -*-\n+AAo-import os+AAo-os.remove('victim.txt')\n"
    found = python(hidden)
    assert "file.delete" in found.capabilities or found.opaque


def test_a_syntax_error_is_opaque(python):
    assert python("def (:\n").opaque


def test_a_broken_javascript_file_is_opaque(node):
    assert node("function ( {\n").opaque


def test_looking_for_a_module_imports_its_package_alone(python):
    assert python("import importlib.util\nimportlib.util.find_spec('nowhere')\n").opaque == []
    assert python("import importlib.util\nimportlib.util.find_spec('json.nowhere')\n").opaque == []
    assert python("import importlib.util\nimportlib.util.find_spec('nowhere.module')\n").opaque
    assert python("import importlib.util, sys\nimportlib.util.find_spec(sys.argv[1])\n").opaque


def test_a_server_is_told_its_application_by_name(python):
    assert "file.delete" in python("import uvicorn\nuvicorn.run('os:remove')\n").capabilities
    assert python("import uvicorn\nuvicorn.run('nowhere:app')\n").opaque
    found = python("import uvicorn\ndef app(scope, receive, send): open('x', 'w')\nuvicorn.run('main:app')\n")
    assert (found.opaque, "file.write" in found.capabilities) == ([], True)
