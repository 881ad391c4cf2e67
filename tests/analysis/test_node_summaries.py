"""The summaries of Node's built-in modules are complete, and nothing dangerous is called pure."""

from __future__ import annotations

import json
import shutil
import subprocess
from functools import cache
from importlib import resources
from pathlib import Path

import pytest

from each_row import each_row
from remit.analysis.summaries.check import problems
from remit.analysis.summaries.library import Library
from remit.analysis.summaries.model import Entry, Section
from remit.analysis.summaries.parser import parse

_FOLDER = Path(str(resources.files("remit.analysis"))) / "data" / "node"
_NODE = shutil.which("node")

# `module.builtinModules` of Node 20 to 24, and what is only reached as `node:…`.
_BUILTIN = """
_http_agent _http_client _http_common _http_incoming _http_outgoing _http_server _stream_duplex _stream_passthrough
_stream_readable _stream_transform _stream_wrap _stream_writable _tls_common _tls_wrap assert assert/strict async_hooks buffer
child_process cluster console constants crypto dgram diagnostics_channel dns dns/promises domain events fs fs/promises http http2
https inspector inspector/promises module net os path path/posix path/win32 perf_hooks process punycode querystring readline
readline/promises repl sea sqlite stream stream/consumers stream/promises stream/web string_decoder sys test test/reporters timers
timers/promises tls trace_events tty url util util/types v8 vm wasi worker_threads zlib
"""

# These touch files, processes, the network, the environment or run code: each has an effect or is opaque.
_DANGEROUS = """
fs.readFile fs.readFileSync fs.writeFile fs.writeFileSync fs.appendFile fs.appendFileSync fs.open fs.openSync fs.openAsBlob
fs.createReadStream fs.createWriteStream fs.readdir fs.readdirSync fs.opendir fs.opendirSync fs.mkdir fs.mkdirSync fs.mkdtemp
fs.mkdtempSync fs.unlink fs.unlinkSync fs.rm fs.rmSync fs.rmdir fs.rmdirSync fs.rename fs.renameSync fs.copyFile fs.copyFileSync
fs.cp fs.cpSync fs.link fs.linkSync fs.symlink fs.symlinkSync fs.truncate fs.truncateSync fs.utimes fs.utimesSync fs.futimes
fs.chmod fs.chmodSync fs.fchmod fs.fchmodSync fs.chown fs.chownSync fs.watch fs.glob fs.globSync
fs.ReadStream.__init__ fs.WriteStream.__init__ fs.FileHandle.chmod fs.FileHandle.chown fs.FileHandle.utimes
fs/promises.readFile fs/promises.writeFile fs/promises.appendFile fs/promises.open fs/promises.readdir fs/promises.opendir
fs/promises.mkdir fs/promises.mkdtemp fs/promises.unlink fs/promises.rm fs/promises.rmdir fs/promises.rename fs/promises.copyFile
fs/promises.cp fs/promises.link fs/promises.symlink fs/promises.truncate fs/promises.utimes fs/promises.chmod fs/promises.chown
fs/promises.watch fs/promises.glob
child_process.exec child_process.execSync child_process.spawn child_process.spawnSync child_process.execFile
child_process.execFileSync child_process.fork child_process.ChildProcess.spawn child_process._forkChild
process.chdir process.kill process.binding process.dlopen process.getBuiltinModule process.loadEnvFile process.setuid process.execve
process._linkedBinding process._kill process._debugProcess process.Environment.anything process.Report.writeReport
process.Report.getReport os.setPriority
http.request http.get https.request https.get http.Agent.createConnection http.ClientRequest.__init__ http.ClientRequest.write
http.ClientRequest.end net.connect net.createConnection net.Socket.connect net.Server.listen http.Server.listen tls.connect
http2.connect http2.ClientHttp2Session.request http2.Stream.respondWithFile dgram.Socket.bind dgram.Socket.send dgram.Socket.connect
dns.lookup dns.resolve dns.resolveTxt dns.reverse dns.Resolver.resolve dns/promises.lookup dns/promises.resolveTxt
vm.runInThisContext vm.runInNewContext vm.runInContext vm.compileFunction vm.Script.__init__ vm.SourceTextModule.__init__
worker_threads.Worker.__init__ cluster.fork cluster.setupPrimary module.register module.registerHooks module._load
module._extensions module.runMain module.Module.require module.Module.load module.Module._compile module.Module.__init__
repl.start inspector.open inspector.Session.post v8.setFlagsFromString v8.writeHeapSnapshot wasi.WASI crypto.setEngine
sqlite.DatabaseSync.__init__ sqlite.DatabaseSync.exec sqlite.DatabaseSync.prepare sqlite.DatabaseSync.loadExtension sqlite.backup
trace_events.Tracing.enable test.run util.inherits sys.inherits _http_client.ClientRequest _tls_wrap.connect
globals.eval globals.Function.__init__ globals.fetch globals.Require.__call__ globals.Require.cache globals.Require.extensions
globals.Proxy.__init__ globals/WebAssembly.instantiate globals/WebAssembly.Module globals/Reflect.apply globals/Reflect.construct
globals/Reflect.getPrototypeOf globals.Object.getPrototypeOf globals.importScripts
webapi.WebSocket.__init__ webapi.EventSource.__init__ webapi.XMLHttpRequest.open webapi.Request.__init__
dom.Worker.__init__ dom.Navigator.sendBeacon dom.Clipboard.readText dom.Clipboard.writeText dom.MediaDevices.getUserMedia
dom.PageElement.__setattr__ dom.Page.write
deno.readTextFile deno.writeTextFile deno.remove deno.run deno.Command.__init__ deno.open deno.connect deno.listen deno.serve
deno.dlopen deno.Environment.get deno.Environment.toObject deno.anythingElse
bun.write bun.file bun.spawn bun.spawnSync bun.serve bun.connect bun.build bun.plugin bun.Shell.__call__ bun.anythingElse
bun/ffi.dlopen
fs-extra.remove fs-extra.outputFile fs-extra.copy fs-extra.readJson fs-extra.emptyDir fs-extra.unlinkSync graceful-fs.unlinkSync
rimraf.default execa.execa shelljs.exec shelljs.rm cross-spawn.default zx.Shell.__call__ node-pty.spawn simple-git.Git.push simple-git.Git.raw
axios.get axios.post axios.default got.default node-fetch.default undici.fetch undici.request ws.WebSocket.__init__ pg.Client.__init__
nodemailer.createTransport openai.OpenAI.__init__ playwright._Value.launch playwright._Value.goto puppeteer.launch
pptxgenjs.PptxGenJS.writeFile exceljs.Format.writeFile xlsx.writeFile sharp.default sharp.Sharp.toFile ejs.render lodash.template
vm2.VM.run isolated-vm.Isolate keytar.getPassword clipboardy.read robotjs.typeString gray-matter.default dotenv.config
"""

_PURE = "path.join path.resolve fs.existsSync fs.statSync os.homedir crypto.createHash util.format url.parse globals/JSON.parse"

_INTROSPECT = """
const out = {};
for (const name of JSON.parse(process.argv[1])) {
  let found;
  try { found = require('node:' + name); } catch { try { found = require(name); } catch { continue; } }
  out[name] = Object.getOwnPropertyNames(found).filter((key) => {
    try { return typeof found[key] === 'function' || (typeof found[key] === 'object' && found[key] !== null); } catch { return false; }
  });
}
console.log(JSON.stringify(out));
"""
# What every function has, and what a runtime flag adds.
_NOT_MEMBERS = frozenset({"prototype", "length", "name", "default"})


@cache
def library() -> Library:
    return Library("js")


def node(script: str, *args: str) -> object:
    assert _NODE is not None
    run = subprocess.run(
        [_NODE, "--no-warnings", "-e", script, *args], capture_output=True, text=True, check=True, timeout=30
    )
    return json.loads(run.stdout)


def member(qualified: str) -> Entry | Section | None:
    owner, _, name = qualified.rpartition(".")
    return library().member(owner, name)


def is_pure(found: Entry | Section | None) -> bool:
    """Whether a summary promises that nothing happens (a member that is not listed is opaque)."""
    if isinstance(found, Section):
        return True
    if found is None or found.flag("intrinsic") is not None:
        return False
    if found.result is not None and found.result.op == "member":
        return is_pure(member(found.result.text))
    return all(effect.kind == "calls" for effect in found.effects)


def test_every_builtin_module_is_classified() -> None:
    assert [name for name in _BUILTIN.split() if library().module(name) is None] == []


@pytest.mark.skipif(_NODE is None, reason="needs node")
def test_every_module_of_the_installed_node_is_classified() -> None:
    names = node("console.log(JSON.stringify(require('module').builtinModules))")
    assert isinstance(names, list)
    assert [name for name in names if library().module(name.removeprefix("node:")) is None] == []


@pytest.mark.skipif(_NODE is None, reason="needs node")
def test_every_export_of_a_builtin_module_is_listed_or_closed() -> None:
    exported = node(_INTROSPECT, json.dumps(_BUILTIN.split()))
    assert isinstance(exported, dict)
    missing = [
        f"{module}.{name}"
        for module, names in exported.items()
        for name in names
        if name not in _NOT_MEMBERS and not name.startswith("_") and library().member(module, name) is None
    ]
    assert missing == []


def test_dangerous_members_are_not_pure() -> None:
    assert [name for name in _DANGEROUS.split() if is_pure(member(name))] == []


def test_harmless_members_are_pure() -> None:
    assert [name for name in _PURE.split() if not is_pure(member(name))] == []


def test_a_made_up_pure_line_is_noticed(tmp_path: Path) -> None:
    wrong = tmp_path / "made-up.sum"
    wrong.write_text("[module made-up]\npure unlinkSync -> none\n", encoding="utf-8")
    assert is_pure(Library("js", [wrong]).member("made-up", "unlinkSync"))


@each_row("path", sorted(_FOLDER.glob("*.sum")), ids=lambda path: path.name)
def test_summaries_are_well_formed(path: Path) -> None:
    assert problems(path) == []


def test_parameters_do_not_hide_words_of_the_language() -> None:
    words = {"text", "data", "num", "bool", "any", "list", "dict", "iter", "item", "key", "none"}
    library_ = library()
    for path in _FOLDER.glob("*.sum"):
        library_._parse(path.name)
    hidden = [
        f"{section.file}:{entry.line} {section.name}.{entry.name}"
        for section in library_.sections.values()
        for entry in section.entries.values()
        if any(parameter.name in words for parameter in entry.params or ())
    ]
    assert hidden == []


def test_a_package_lies_in_one_file_only() -> None:
    seen: dict[str, str] = {}
    for path in sorted(_FOLDER.glob("*.sum")):
        for name in parse(path.read_text(encoding="utf-8"), path.name):
            assert name not in seen, f"`{name}` is described in {seen.get(name)} and {path.name}"
            seen[name] = path.name


def test_a_package_with_its_own_file_is_not_described_in_a_shared_one() -> None:
    """A shared file is only read for packages without a file of their own."""
    own = {path.stem.replace("+", "/") for path in _FOLDER.glob("*.sum") if not path.name.startswith("_small")}
    lost = [
        name
        for path in _FOLDER.glob("_small*.sum")
        for name, section in parse(path.read_text(encoding="utf-8"), path.name).items()
        if library().top_of(section.name) in own
    ]
    assert lost == []
