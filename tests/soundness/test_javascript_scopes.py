"""Scopes of JavaScript effects: what a path or host is when the script runs lies inside what is reported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from each_row import each_row
from remit.analysis.session import analyse
from remit.skill.load import load_skill

if TYPE_CHECKING:
    from pathlib import Path

SKILL = "---\nname: helper\ndescription: A small helper for files. Use when files need a helper.\n---\n\nA text.\n"
HEAD = """
import fs from 'fs';
import os from 'os';
import path from 'path';
import { fileURLToPath, pathToFileURL } from 'url';
const arg = process.argv[2];
"""
PATHS = [
    ("path.join('/data', '..', 'etc', 'x')", {"/etc/x"}),
    ("path.join('/data', arg)", {"/data/**", "<arg>"}),
    ("path.resolve('/data', arg)", {"/data/**", "<arg>"}),
    ("path.resolve('sub', '../x')", {"./x"}),
    ("path.join(process.cwd(), 'x')", {"./x"}),
    ("path.join('out', path.basename(arg) + '.json')", {"./out/*.json"}),
    ("path.normalize('/a/../../b')", {"/b"}),
    ("arg", {"<arg>"}),
    ("`${arg}/x`", {"<arg>/x"}),
    ("arg.replace(/x/g, '') + '.y'", {"any"}),
    ("'x' + null + true + undefined + (1 + 2)", {"./xnulltrueundefined3"}),
    ("new URL('file:///etc/x')", {"/etc/x"}),
    ("pathToFileURL('x')", {"./x"}),
    ("new URL('../data/x', import.meta.url)", {"$SKILL/data/x"}),
    ("new URL('./x', import.meta.url).pathname", {"$SKILL/scripts/x"}),
    ("fileURLToPath(new URL('../data/x', import.meta.url))", {"$SKILL/data/x"}),
    ("path.join(path.dirname(fileURLToPath(import.meta.url)), 'x')", {"$SKILL/scripts/x"}),
    ("import.meta.url.replace('file://', '') + '.bak'", {"$SKILL/scripts/main.mjs.bak"}),
    ("path.join(os.homedir(), '.cache', 'x')", {"~/.cache/x"}),
    ("['a', 'b'].join('/')", {"./a/b"}),
    ("'unlink'.slice(2, 4)", {"./li"}),
    ("'abc'.substring(2, 0)", {"./ab"}),
    ("'abc'.substr(-2, 1)", {"./b"}),
    ("'x'.padStart(3, 'ab')", {"./abx"}),
    ("'a-b-c'.replace('-', '$&')", {"any"}),
    ("(() => { process.chdir('/tmp'); return 'x'; })()", {"./x", "/tmp/x"}),
    ("(() => { process.chdir('/tmp'); return path.resolve('x'); })()", {"./x", "/tmp/x"}),
    ("arg ? 'a' : 'b'", {"./a", "./b"}),
    ("arg || '/etc/x'", {"<arg>", "/etc/x"}),
    ("((p = '/etc/x') => p)(arg)", {"<arg>", "/etc/x"}),
    ("((p = '/etc/x') => p)(process.env.P)", {"<env:P>", "/etc/x"}),
    ("((p = '/etc/x') => p)(process.env[['P', 'Q'].join('')])", {"<env:PQ>", "/etc/x"}),
    ("((p = '/etc/x') => p)(JSON.parse('{}').p)", {"any", "/etc/x"}),
    ("((p = '/etc/x') => p)(/a|(b)/.exec(arg)[1])", {"any", "/etc/x"}),
    ("(({ P = '/etc/x' }) => P)(process.env)", {"<env:P>", "/etc/x"}),
    ("((p = '/etc/x') => p)('/y')", {"/y"}),
    ("((p = '/etc/x') => p)(arg ?? '/y')", {"<arg>", "/y"}),
    ("((p = '/etc/x') => p)([arg, '/y'][1])", {"/y"}),
]
HOSTS = [
    ("`https://api.x.com/${arg}`", {"api.x.com:443"}),
    ("`https://api.x.com${arg}`", {"any"}),
    ("'https://' + arg + '/x'", {"<arg>"}),
    ("new URL(arg, 'https://api.x.com')", {"<arg>", "api.x.com:443"}),
    ("new URL('/v1/x', 'https://api.y.com')", {"api.y.com:443"}),
    ("new URL('//evil.com/x', 'https://api.y.com')", {"evil.com:443"}),
    ("new URL(' /\\t/evil.com/x', 'https://api.y.com')", {"evil.com:443"}),
    ("new URL('/' + arg, 'https://api.y.com')", {"<arg>", "api.y.com:443"}),
    ("new URL('/v1/' + arg, 'https://api.y.com')", {"api.y.com:443"}),
    ("'https://api.x.com@evil.com/'", {"any"}),
    ("'HTTPS://API.Z.COM/'", {"api.z.com:443"}),
    ("'http://127.0.0.1:8080/x'", {"127.0.0.1:8080"}),
    ("arg", {"<arg>"}),
]


def scopes(source: str, capability: str, folder: Path) -> set[str]:
    (folder / "scripts").mkdir(parents=True)
    (folder / "SKILL.md").write_text(SKILL, encoding="utf-8")
    (folder / "scripts/main.mjs").write_text(HEAD + source, encoding="utf-8")
    found = analyse(load_skill(folder))
    assert not found.opaque
    return {effect.scope.render() for effect in found.effects if effect.capability == capability}


@each_row(("path", "expected"), PATHS, ids=[path for path, _ in PATHS])
def test_paths(path: str, expected: set[str], tmp_path: Path) -> None:
    assert scopes(f"fs.unlinkSync({path});\n", "file.delete", tmp_path / "helper") == expected


@each_row(("url", "expected"), HOSTS, ids=[url for url, _ in HOSTS])
def test_hosts(url: str, expected: set[str], tmp_path: Path) -> None:
    assert scopes(f"await fetch({url});\n", "web.fetch", tmp_path / "helper") == expected


def test_exports_of_the_main_module_are_called_by_another_file(tmp_path: Path) -> None:
    (tmp_path / "scripts").mkdir()
    (tmp_path / "SKILL.md").write_text(SKILL)
    (tmp_path / "scripts" / "main.js").write_text(
        "const fs = require('fs');\nexports.wipe = p => fs.writeFileSync(p, 'x');\n"
        "exports.wipe('old.txt');\nrequire('./child');\n"
    )
    (tmp_path / "scripts" / "child.js").write_text("require.main.exports.wipe('victim.txt');\n")
    found = analyse(load_skill(tmp_path))
    scopes = {effect.scope.render() for effect in found.effects if effect.capability == "file.write"}
    assert found.opaque or "./victim.txt" in scopes
