"""The summaries of the standard library are complete, and nothing dangerous is called pure."""

from __future__ import annotations

import importlib
import inspect
import re
import sys
import tomllib
import types
import warnings
from functools import cache
from importlib import resources

from each_row import each_row
from remit.analysis.summaries.library import Library
from remit.analysis.summaries.model import Entry, Section

# Importing these does something, or needs a display.
_NOT_IMPORTED = frozenset({"antigravity", "this", "idlelib", "turtledemo", "turtle", "tkinter", "lib2to3", "__main__"})

# Functions that raise an audit event in CPython (docs, "Audit events table"), or start programs and connections without one.
_DANGEROUS = """
builtins.open builtins.compile builtins.exec builtins.eval builtins.__import__ builtins.breakpoint
io.open io.open_code io.FileIO.__init__ codecs.open
os.open os.remove os.unlink os.rmdir os.rename os.replace os.renames os.removedirs os.mkdir os.makedirs os.link os.symlink
os.truncate os.chmod os.lchown os.chown os.fchmod os.fchown os.utime os.listdir os.scandir os.walk os.fwalk os.chdir os.fchdir
os.system os.popen os.execv os.execve os.execl os.execlp os.execvpe os.fork os.forkpty os.posix_spawn os.posix_spawnp
os.spawnl os.spawnv os.spawnve os.startfile os.kill os.killpg os.putenv os.unsetenv os.getxattr os.setxattr os.removexattr
os.listxattr os.add_dll_directory os.mkfifo os.mknod os.getenv os.chroot os.setns os.unshare
os._Environ.__getitem__ os._Environ.get os._Environ.__setitem__ os._Environ.copy os._Environ.items
pathlib.Path.open pathlib.Path.read_text pathlib.Path.read_bytes pathlib.Path.write_text pathlib.Path.write_bytes
pathlib.Path.unlink pathlib.Path.rmdir pathlib.Path.rename pathlib.Path.replace pathlib.Path.mkdir pathlib.Path.touch
pathlib.Path.chmod pathlib.Path.symlink_to pathlib.Path.hardlink_to pathlib.Path.iterdir pathlib.Path.glob pathlib.Path.rglob
pathlib.Path.walk pathlib.PosixPath.unlink
subprocess.run subprocess.call subprocess.check_call subprocess.check_output subprocess.getoutput subprocess.getstatusoutput
subprocess.Popen.__init__
shutil.copyfile shutil.copy shutil.copy2 shutil.copymode shutil.copystat shutil.copytree shutil.rmtree shutil.move shutil.chown
shutil.make_archive shutil.unpack_archive
sys.settrace sys.setprofile sys.addaudithook sys.call_tracing sys.set_asyncgen_hooks sys.modules sys.meta_path sys.path_hooks
sys.remote_exec sys.breakpointhook
socket.create_connection socket.create_server socket.getaddrinfo socket.gethostbyname socket.gethostbyaddr socket.getnameinfo
socket.sethostname socket.socket.connect socket.socket.connect_ex socket.socket.bind socket.socket.sendto socket.socket.sendmsg
socket.socket.listen
urllib.request.urlopen urllib.request.urlretrieve urllib.request.Request.__init__ urllib.request.OpenerDirector.open
http.client.HTTPConnection.request http.client.HTTPConnection.connect http.client.HTTPConnection.send
ftplib.FTP.__init__ ftplib.FTP.connect smtplib.SMTP.__init__ smtplib.SMTP.connect smtplib.SMTP.sendmail smtplib.SMTP.send_message
poplib.POP3.__init__ imaplib.IMAP4.__init__ imaplib.IMAP4_stream.__init__ telnetlib.Telnet.__init__ nntplib.NNTP.__init__
xmlrpc.client.ServerProxy.__init__ http.server.HTTPServer.__init__ socketserver.TCPServer.__init__
wsgiref.simple_server.make_server webbrowser.open webbrowser.open_new
asyncio.create_subprocess_exec asyncio.create_subprocess_shell asyncio.open_connection asyncio.start_server asyncio.to_thread
asyncio.AbstractEventLoop.run_in_executor asyncio.AbstractEventLoop.create_connection asyncio.AbstractEventLoop.subprocess_shell
importlib.import_module importlib.util.spec_from_file_location importlib.machinery.SourceFileLoader
runpy.run_path runpy.run_module pkgutil.resolve_name pkgutil.walk_packages zipimport.zipimporter imp.load_source
pickle.load pickle.loads pickle.Unpickler.__init__ shelve.open tracemalloc.Snapshot.load
code.interact code.InteractiveConsole timeit.timeit timeit.repeat timeit.Timer.__init__ trace.Trace cProfile.run profile.run
pdb.set_trace pdb.run bdb.Bdb doctest.testmod pydoc.locate rlcompleter.Completer site.addsitedir
logging.FileHandler.__init__ logging.basicConfig logging.config.dictConfig logging.config.fileConfig logging.config.listen
logging.handlers.SocketHandler.__init__ logging.handlers.RotatingFileHandler.__init__ logging.handlers.SMTPHandler.__init__
tempfile.mkstemp tempfile.mkdtemp tempfile.NamedTemporaryFile tempfile.TemporaryFile tempfile.TemporaryDirectory.__init__
glob.glob glob.iglob fileinput.input zipfile.ZipFile.__init__ zipfile.ZipFile.extractall zipfile.ZipFile.extract
tarfile.open tarfile.TarFile.extractall tarfile.TarFile.extract gzip.open bz2.open lzma.open gzip.GzipFile.__init__
sqlite3.connect sqlite3.Connection.execute sqlite3.Cursor.execute sqlite3.Connection.load_extension
sqlite3.Connection.enable_load_extension dbm.open
ctypes.CDLL ctypes.cdll ctypes.util.find_library gc.get_objects gc.get_referrers inspect.getmembers types.FunctionType types.CodeType
pty.spawn pty.fork multiprocessing.Process.__init__ multiprocessing.Pool concurrent.futures.ProcessPoolExecutor.__init__
threading.Thread.__init__ threading.Timer.__init__ concurrent.futures.Executor.submit concurrent.futures.Executor.map
atexit.register signal.signal weakref.finalize.__init__ sched.scheduler.enter functools.reduce operator.call
ensurepip.bootstrap venv.create py_compile.compile compileall.compile_dir zipapp.create_archive
xml.etree.ElementTree.parse xml.etree.ElementTree.ElementTree.write xml.dom.minidom.parse xml.sax.parse
configparser.ConfigParser.read mimetypes.init linecache.getline filecmp.cmp netrc.netrc.__init__ mailbox.mbox.__init__
typing.get_type_hints ssl.SSLContext.load_cert_chain fcntl.ioctl signal.pthread_kill readline.write_history_file
winreg.SetValue msilib.OpenDatabase posix.system nt.system _posixsubprocess.fork_exec _socket.socket _io.open _ctypes.dlopen
"""


@cache
def library() -> Library:
    return Library("python")


def modules() -> list[str]:
    """Every module of this interpreter's standard library, and the summarised submodules."""
    tops = set(sys.stdlib_module_names)
    for top in tops:
        library().section(top)
    return sorted(
        name for name, section in library().sections.items() if not section.is_class and name.partition(".")[0] in tops
    )


@cache
def imported(name: str) -> types.ModuleType | None:
    """The module itself, if it can be imported here without consequences."""
    if name.partition(".")[0] in _NOT_IMPORTED:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            module = importlib.import_module(name)
        except ImportError:
            return None
    return module if inspect.ismodule(module) else None


def is_pure(entry: Entry | Section | None) -> bool:
    """Whether using a member has no effect at all. What is not listed is opaque, and so not pure."""
    if entry is None:
        return False
    if isinstance(entry, Section):
        return not any(not is_pure(item) for item in entry.entries.values())
    return not entry.effects and not entry.flags


def test_every_module_is_classified() -> None:
    for name in sorted(sys.stdlib_module_names):
        section = library().section(name)
        assert section is not None, f"add {name}.sum, or a section to a _small file"
        assert not section.is_class, name
        assert section.rest is not None, f"[module {name}] needs a closing line"


def test_public_callables_are_listed_or_covered() -> None:
    missing = []
    for name in modules():
        module = imported(name)
        for member, value in list(vars(module).items()) if module else ():
            if not member.startswith("_") and callable(value) and library().member(name, member) is None:
                missing.append(f"{name}.{member}")
    assert not missing


def test_methods_of_summarised_classes_are_listed_or_covered() -> None:
    missing = []
    for name in modules():
        module = imported(name)
        for member, value in list(vars(module).items()) if module else ():
            section = library().sections.get(f"{name}.{member}")
            if section is None or not section.is_class or not inspect.isclass(value):
                continue
            names = [
                method for method in dir(value) if not method.startswith("_") and callable(getattr(value, method, None))
            ]
            missing += [
                f"{section.name}.{method}" for method in names if library().member(section.name, method) is None
            ]
    assert not missing


def test_a_pure_closing_line_hides_no_module() -> None:
    """`shutil.os.system`: a module that a module imports is one of its members."""
    hidden = []
    for name in modules():
        section = library().section(name)
        module = imported(name)
        if module is None or section is None or section.rest is None or not section.rest.pure:
            continue
        for member, value in vars(module).items():
            if isinstance(value, types.ModuleType) and not member.startswith("_"):
                found = library().member(name, member)
                if found is section.rest:
                    hidden.append(f"{name}.{member} is {value.__name__}")
    assert not hidden


def test_a_pure_closing_line_hides_no_effectful_function() -> None:
    hidden = []
    for name in modules():
        section = library().section(name)
        module = imported(name)
        if module is None or section is None or section.rest is None or not section.rest.pure:
            continue
        for member, value in vars(module).items():
            home = getattr(value, "__module__", None)
            if (
                member.startswith("_")
                or not inspect.isroutine(value)
                or home in {None, name}
                or library().member(name, member) is not section.rest
            ):
                continue
            original = library().member(str(home), value.__name__) if library().section(str(home)) else None
            if (
                isinstance(original, Entry)
                and original.name == value.__name__
                and any(effect.kind != "calls" for effect in original.effects)
            ):
                hidden.append(f"{name}.{member} is {home}.{value.__name__}")
    assert not hidden


@each_row("name", _DANGEROUS.split())
def test_dangerous_members_are_not_pure(name: str) -> None:
    owner, _, member = name.rpartition(".")
    if name == "builtins.compile":
        found = library().member(owner, member)
        assert isinstance(found, Entry)
        assert found.result is not None
        assert found.result.text == "source", "a code object stays the text that it was made from"
        return
    assert not is_pure(library().member(owner, member))


@each_row(
    "name",
    ["os.path.join", "json.detect_encoding", "math.sqrt", "re.Pattern.match", "time.time", "pathlib.Path.exists"],
)
def test_ordinary_members_are_pure(name: str) -> None:
    owner, _, member = name.rpartition(".")
    assert is_pure(library().member(owner, member))


@each_row("name", ["tempfile._mkstemp_inner", "shutil._rmtree_unsafe", "os._execvpe", "random._os", "math._secret"])
def test_private_members_are_never_covered(name: str) -> None:
    owner, _, member = name.rpartition(".")
    assert library().member(owner, member) is None


@each_row(
    ("chain", "cls"),
    [
        ("builtins.open", "io.TextIOWrapper"),
        ("subprocess.run", "subprocess.CompletedProcess"),
        ("urllib.request.urlopen", "http.client.HTTPResponse"),
        ("sqlite3.Connection.execute", "sqlite3.Cursor"),
        ("re.compile", "re.Pattern"),
        ("pathlib.Path.parent", "pathlib.Path"),
        ("pathlib.Path.joinpath", "pathlib.Path"),
        ("xml.etree.ElementTree.ElementTree.getroot", "xml.etree.ElementTree.Element"),
        ("concurrent.futures.Executor.submit", "concurrent.futures.Future"),
        ("tarfile.open", "tarfile.TarFile"),
        ("hashlib.sha256", "hashlib._Hash"),
        ("logging.getLogger", "logging.Logger"),
        ("argparse.ArgumentParser.add_subparsers", "argparse._SubParsersAction"),
    ],
)
def test_results_are_typed(chain: str, cls: str) -> None:
    owner, _, member = chain.rpartition(".")
    found = library().member(owner, member)
    assert isinstance(found, Entry)
    assert found.result is not None
    assert cls in {found.result.text, *(arg.text for arg in found.result.args)}


def test_assumptions_are_a_closed_list() -> None:
    known = tomllib.loads((resources.files("remit.core") / "data/assumptions.toml").read_text(encoding="utf-8"))
    for ident, entry in known.items():
        assert set(entry) - {"when", "by"} == {"text", "layer"}, ident
    used = set()
    for path in (resources.files("remit.analysis") / "data/python").iterdir():
        used.update(re.findall(r"\bassumes ([\w-]+)", path.read_text(encoding="utf-8")))
    assert used <= set(known)
