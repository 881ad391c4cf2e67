"""What a module does only as a program counts where it is started, and not where it is imported."""

import pytest

from each_row import each_row
from remit.guard.call_analysis.commands import CallPlace, understand
from remit.guard.call_analysis.commands.python_imports import as_imported

MODULE = """import shutil


def names(folder):
    return [folder]


def main():
    shutil.rmtree("kept")


if __name__ == "__main__":
    main()
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "tools.py").write_text(MODULE)
    (tmp_path / "run.py").write_text("import tools\nprint(tools.names('x'))\n")
    return tmp_path


def asked(folder, command):
    return understand(command, CallPlace(folder, folder, folder / "home", folder / "tmp"), seconds=30)


def deletes(found):
    return any(part.capability == "file.delete" for part in found.parts)


@pytest.mark.parametrize(
    "command", ["python3 run.py", 'python3 -c "import tools"', 'python3 -c "from tools import names"']
)
def test_an_import_does_not_run_the_program(folder, command):
    found = asked(folder, command)
    assert not deletes(found)
    assert not found.doubts


@pytest.mark.parametrize(
    "command",
    [
        "python3 tools.py",
        "python3 -m tools",
        "python3 run.py && python3 tools.py",
        'python3 -c "import tools; tools.main()"',
        'python3 -c "from tools import main as m; m()"',
        'python3 -c "import tools as t; x = [t.main]; x[0]()"',
        'python3 -c "import tools, threading; threading.Thread(target=tools.main).start()"',
        'python3 -c "import tools, atexit; atexit.register(tools.main)"',
        'python3 -c "import tools, functools; functools.partial(tools.main)()"',
        "python3 -c \"import tools; getattr(tools, 'ma' + 'in')()\"",
        'python3 -c "import tools; list(map(lambda f: f(), {1: tools.main}.values()))"',
        'python3 -c "import tools; max([1], key=lambda x: tools.main())"',
        'python3 -c "import tools, signal; signal.signal(2, tools.main)"',
        'python3 -c "import tools, concurrent.futures as c; c.ThreadPoolExecutor().submit(tools.main)"',
    ],
)
def test_who_runs_it_runs_all_of_it(folder, command):
    assert deletes(asked(folder, command))


@pytest.mark.parametrize(
    "program",
    [
        "import runpy\nrunpy.run_module('tools', run_name='__main__')\n",
        "import runpy\nrunpy.run_path('tools.py', run_name='__main__')\n",
        "import importlib.util as u\nimport tools\ns = u.spec_from_file_location('__main__', 'tools.py')\ns.loader.exec_module(u.module_from_spec(s))\n",
        "import sys, tools\nsys.modules['tools'].__name__ = '__main__'\n",
        "import tools\nexec(open('tools.py').read())\n",
        "import tools\nsetattr(tools, '__name__', '__main__')\n",
    ],
)
def test_a_program_that_may_change_names_runs_all_of_it(folder, program):
    (folder / "odd.py").write_text(program)
    found = asked(folder, "python3 odd.py")
    assert found.doubts or deletes(found)


@pytest.mark.parametrize(
    "module",
    [
        "import shutil\n\n\ndef gone():\n    shutil.rmtree('kept')\n\n\ndef names(x):\n    gone()\n    return [x]\n",
        "import shutil\n\n\nclass names:\n    def __init__(self, x):\n        shutil.rmtree('kept')\n",
        "import shutil\n\n\nclass names(list):\n    def __del__(self):\n        shutil.rmtree('kept')\n",
        "import atexit, shutil\n\n\n@atexit.register\ndef gone():\n    shutil.rmtree('kept')\n\n\ndef names(x):\n    return x\n",
        "import shutil\n\n\ndef gone():\n    shutil.rmtree('kept')\n\n\ntable = {'x': gone}\n\n\ndef names(x):\n    return table[x]()\n",
        "import shutil\n\nshutil.rmtree('kept')\n\n\ndef names(x):\n    return x\n",
        "import shutil\n\n\nclass A:\n    def go(self):\n        shutil.rmtree('kept')\n\n\ndef names(x):\n    return A().go()\n",
        "import shutil\n\n\nclass A:\n    def __str__(self):\n        shutil.rmtree('kept')\n        return ''\n\n\ndef names(x):\n    return A()\n",
        "import shutil\n\n\ndef __getattr__(name):\n    shutil.rmtree('kept')\n    return print\n",
        "import os, pathlib\n\n\nclass A(os.PathLike):\n    def __fspath__(self):\n        pathlib.Path('kept').unlink()\n        return 'x'\n\n\ndef names(x):\n    return open(A())\n",
    ],
)
def test_what_an_import_reaches_counts(folder, module):
    (folder / "tools.py").write_text(module)
    assert deletes(asked(folder, "python3 run.py"))


def test_another_module_may_change_the_name_before_the_block_is_reached(folder):
    (folder / "tools.py").write_text("import evil\n" + MODULE)
    (folder / "evil.py").write_text("import sys\nsys.modules['tools'].__name__ = '__main__'\n")
    assert deletes(asked(folder, "python3 run.py"))


@each_row(
    ("text", "left"),
    [
        ("if __name__ == '__main__':\n    a()\n    b()\nc()\n", "if __name__ == '__main__':\n    pass\n\nc()\n"),
        ("if '__main__' == __name__: a(); b()\nc()\n", "if '__main__' == __name__: pass\nc()\n"),
        (
            "x = 'ä'; y = 1\nif __name__ == '__main__': a('ö', 1); b()\nc()\n",
            "x = 'ä'; y = 1\nif __name__ == '__main__': pass\nc()\n",
        ),
        (
            "if __name__ == '__main__':\n    a(\n        1)\nelse:\n    b()\n",
            "if __name__ == '__main__':\n    pass\n\nelse:\n    b()\n",
        ),
    ],
)
def test_lines_stay_where_they_are(text, left):
    assert as_imported(text.encode()).decode() == left


@each_row(
    "text",
    [
        "__name__ = '__main__'\nif __name__ == '__main__':\n    a()\n",
        "for __name__ in x:\n    pass\nif __name__ == '__main__':\n    a()\n",
        "from x import __name__\nif __name__ == '__main__':\n    a()\n",
        "import x as __name__\nif __name__ == '__main__':\n    a()\n",
        "def __name__():\n    pass\nif __name__ == '__main__':\n    a()\n",
        "def f():\n    global __name__\nif __name__ == '__main__':\n    a()\n",
        "from x import *\nif __name__ == '__main__':\n    a()\n",
        "globals()['__na' + 'me__'] = '__main__'\nif __name__ == '__main__':\n    a()\n",
        "if __name__ != '__main__':\n    a()\n",
        "if __name__ == '__main__' or x:\n    a()\n",
        "import atexit\n\n\n@atexit.register\ndef a():\n    pass\nif __name__ == '__main__':\n    a()\n",
        "\uff53etattr(x, y, z)\nif __name__ == '__main__':\n    a()\n",
        "# coding: latin-1\nif __name__ == '__main__':\n    a()\n",
        "@x\nclass A:\n    pass\nif __name__ == '__main__':\n    a()\n",
        "if __name__ == 'other':\n    a()\n",
        "if x:\n    if __name__ == '__main__':\n        a()\n",
        "if __name__ == '__main__':\n    a(\n",
        "match x:\n    case {'a': __name__}:\n        pass\nif __name__ == '__main__':\n    a()\n",
    ],
)
def test_what_nobody_can_say_counts_as_a_whole(text):
    assert as_imported(text.encode()) in (None, text.encode())
