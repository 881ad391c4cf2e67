"""What the help of a tool says of its options, compared with its summary.

An option that takes nothing takes nothing in the summary: it would swallow a file, a host or a command. An option that takes a
file, a folder or a program does something in the summary, or is not listed and therefore opaque.
"""

import re
import shutil
import subprocess

from each_row import each_row
from remit.analysis.commands.catalog import default_catalog

TOOLS = (
    "cat cp mv rm ln ls dd df du mkdir mktemp rmdir install touch chmod chown head tail sort uniq cut paste tr wc tee split csplit join comm shuf seq base64 sha256sum md5sum stat "
    "env nice nohup timeout stdbuf xargs find grep sed tar gzip xz diff cmp wget curl date id uname nl od fold fmt tac truncate shred readlink realpath basename dirname "
    "ptx pr numfmt dircolors dmesg findmnt lsblk lscpu last who ss netstat pstree pmap pgrep pkill ps free vmstat journalctl logger script flock nsenter unshare setpriv "
    "losetup column hexdump patch zip unzip bzip2 zstd objdump nm readelf strings size addr2line objcopy strip pkg-config rsync file getent setfacl getfacl"
).split()
# Options that are written without their value in the help, or mean something else in two versions of a tool
KNOWN = {
    ("wget", "--max-redirect"), ("wget", "--hsts-file"), ("stat", "-c"), ("ss", "-N"), ("ss", "--net"), ("zip", "-x"), ("unzip", "-x"), ("file", "-P"), ("file", "--parameter"),
    *(("pkg-config", f"--{name}-version") for name in ("atleast", "exact", "max", "atleast-pkgconfig")), ("pkg-config", "--maximum-traverse-depth"),
}  # fmt: skip
# Options whose file is only looked at (its times, its mode, where it lies), or whose value is used with another option
LOOKED_AT = {
    *((tool, name) for tool in ("touch", "date", "truncate", "chmod", "chown") for name in ("-r", "--reference")),
    ("realpath", "--relative-to"), ("realpath", "--relative-base"), ("findmnt", "-T"), ("findmnt", "--target"), ("findmnt", "-M"), ("findmnt", "--mountpoint"),
    ("tar", "-C"), ("tar", "--directory"), ("tar", "-f"), ("tar", "--file"), ("tar", "--exclude-tag"), ("tar", "--exclude-tag-under"), ("tar", "--exclude-tag-all"),
    ("diff", "-S"), ("diff", "--starting-file"), ("getent", "-s"), ("getent", "--service"), ("unzip", "-d"),
}  # fmt: skip
_NAMED = re.compile(
    r"^\s{1,14}((?:-[A-Za-z0-9]|--[\w-]+)(?:,\s+(?:-[A-Za-z0-9]\b|--[\w-]+))*)[= ]"
    r"(?:<(?:file|path|dir|directory|command|program)>|(?:FILE|PATH|DIR|DIRECTORY|PROG|PROGRAM|CMD|COMMAND|PATCHFILE|DATEFILE)\b)"
)
_LINE = re.compile(r"^\s{1,14}((?:-[A-Za-z0-9]|--[\w-]+)(?:,\s+(?:-[A-Za-z0-9]\b|--[\w-]+))*)(\s{2,}\S.*|\s*)$")


def options(tool, pattern):
    """The options of a tool whose lines of its help match."""
    done = subprocess.run([tool, "--help"], capture_output=True, text=True, timeout=60, check=False)
    for line in (done.stdout + done.stderr).splitlines():
        if found := pattern.match(line):
            yield from re.findall(r"--?[\w-]+", found[1])


def bare(tool):
    """The options of a tool that its help shows without a value."""
    return options(tool, _LINE)


@each_row("tool", [tool for tool in TOOLS if shutil.which(tool)])
def test_an_option_without_a_value_swallows_nothing(tool):
    command = default_catalog().get(tool)
    assert command is not None
    swallowing = {
        name
        for name in bare(tool)
        if (option := command.options.get(name)) and option.values and not option.optional and (tool, name) not in KNOWN
    }
    assert swallowing == set()


@each_row("tool", [tool for tool in TOOLS if shutil.which(tool)])
def test_an_option_that_names_a_file_or_program_does_something(tool):
    command = default_catalog().get(tool)
    assert command is not None
    harmless = {
        name
        for name in options(tool, _NAMED)
        if (option := command.options.get(name)) and not option.actions and (tool, name) not in LOOKED_AT
    }
    assert harmless == set()


def test_the_help_is_read():
    assert {"-t", "--target-directory"} <= set(options("cp", _NAMED))
    assert {"-r", "--recursive"} <= set(bare("cp"))
    assert "--suffix" not in set(bare("cp"))
