"""What ordinary command lines cause."""

from fake_world import HERE_SITE, FakeWorld, run, shown, word

from each_row import each_row
from remit.analysis.commands import spawn
from remit.analysis.domain import lit
from remit.analysis.world import Child

CASES = [
    ("rm a b", {("file.delete", "a"), ("file.delete", "b")}),
    ("rm -rf build", {("file.delete", "build|build/<file:tree>")}),
    ("mv a b.txt", {("file.delete", "a"), ("file.write", "b.txt")}),
    ("mv a b dir/", {("file.delete", "a"), ("file.delete", "b"), ("file.write", "dir/a|dir/b")}),
    ("cp -t out a", {("file.read", "a"), ("file.write", "out/a")}),
    ("ln -s a b.txt", {("file.read", "a"), ("file.write", "a"), ("file.write", "b.txt")}),
    ("chmod +x s.sh", {("file.chmod", "s.sh")}),
    ("chmod -R 755 d", {("file.chmod", "d|d/<file:tree>")}),
    ("touch a", {("file.write", "a")}),
    ("mkdir -p a/b", {("file.write", "a/b")}),
    ("tee -a log", {("file.write", "log")}),
    ("dd if=a of=b bs=1M", {("file.read", "a"), ("file.write", "b")}),
    ("cat a -", {("file.read", "a")}),
    ("head -5 a", {("file.read", "a")}),
    ("ls", {("file.read", ".")}),
    ("stat a", set()),
    ("which git", set()),
    ("grep -rn x src", {("file.read", "src|src/<file:tree>")}),
    ("grep -e x a", {("file.read", "a")}),
    ("sort -o out in", {("file.read", "in"), ("file.write", "out")}),
    ("sed -i s/a/b/ f", {("file.read", "f"), ("file.write", "f")}),
    ("sed -i '' s/a/b/ f", {("file.read", "f"), ("file.write", "f")}),
    ("sed -i .bak s/a/b/ f", {("file.read", "f"), ("file.write", "f"), ("file.write", "f<file:seg>")}),
    ("sed -n 1,5p f", {("file.read", "f")}),
    ("jq -r .a f.json", {("file.read", "f.json")}),
    ("jq -n --arg a b '$ENV.HOME'", {("env.read", "HOME")}),
    ("find . -name '*.md'", {("file.read", ".|./<file:tree>")}),
    ("tar xzf a.tgz -C out", {("file.read", "a.tgz"), ("file.write", "out|out/<file:tree>")}),
    ("tar -czf a.tgz src", {("file.read", "src|src/<file:tree>"), ("file.write", "a.tgz")}),
    ("unzip -q a.zip -d o", {("file.read", "a.zip"), ("file.write", "o|o/<file:tree>")}),
    ("curl -fsSL https://x.org/a", {("web.fetch", "https://x.org/a")}),
    ("curl -so f https://x.org", {("web.fetch", "https://x.org"), ("file.write", "f")}),
    ("curl -X POST https://x.org", {("web.post", "https://x.org")}),
    ("curl -d @body https://x.org", {("web.post", "https://x.org"), ("file.read", "body")}),
    ("curl -F f=@up.png https://x.org", {("web.post", "https://x.org"), ("file.read", "up.png")}),
    ("curl -G -d q=1 https://x.org", {("web.fetch", "https://x.org")}),
    ("curl file:///etc/passwd", {("file.read", "/etc/passwd")}),
    ("curl -K - ", set()),
    (
        "wget -q https://x.org/a.txt",
        {("web.fetch", "https://x.org/a.txt"), ("file.write", "a.txt"), ("file.write", "a.txt.<file:num>")},
    ),
    ("wget -qO- https://x.org", {("web.fetch", "https://x.org")}),
    ("ssh u@h ls", {("net.connect", "h")}),
    ("az extension add --name x --yes", {("package.install", "x")}),
    ("az upgrade", {("package.install", "<any>")}),
    ("scp a u@h:/b", {("net.connect", "h"), ("file.read", "a|a/<file:tree>")}),
    ("nc -l 80", {("net.listen", "<any>")}),
    ("git log -1", {("commit.read", ".")}),
    ("git -C d status", {("commit.read", ".")}),
    ("git commit -m x", {("commit.create", ".")}),
    ("git push origin main", {("commit.push", "origin")}),
    ("git checkout -b x", {("commit.create", ".")}),
    ("pip install -r r.txt x", {("file.read", "r.txt"), ("package.install", "r.txt"), ("package.install", "x")}),
    ("apt-get install -y jq", {("package.install", "jq")}),
    ("docker ps", {("container.query", "<any>")}),
    ("docker run img", {("container.run", "img")}),
    ("kill -9 12", {("process.kill", "-9"), ("process.kill", "12")}),
    ("ps aux", {("process.query", "<any>")}),
    ("crontab -l", {("schedule.read", "/var/spool/cron/<file:tree>"), ("schedule.read", "/var/at/tabs/<file:tree>")}),
    (
        "crontab f",
        {
            ("file.read", "f"),
            ("schedule.create", "/var/spool/cron/<file:tree>"),
            ("schedule.create", "/var/at/tabs/<file:tree>"),
        },
    ),
    ("ffmpeg -y -i a.mp4 -vn out_%03d.mp3", {("file.read", "a.mp4"), ("file.write", "out_<any:num>.mp3")}),
    ("pandoc a.md -o b.pdf", {("file.read", "a.md"), ("file.write", "b.pdf")}),
    ("convert a.png -resize 5x5 b.png", {("file.read", "a.png"), ("file.write", "b.png")}),
    ("claude -p hi", {("subagent.delegate", "claude")}),
    ("pbcopy", {("clipboard.write", "<any>")}),
    ("sqlite3 a.db 'select 1'", {("db.read", "a.db"), ("file.read", "a.db")}),
    ("open https://x.org", {("web.interact", "https://x.org")}),
]


@each_row(("line", "expected"), CASES, ids=[line for line, _ in CASES])
def test_effects(line, expected):
    world, _ = run(line, stdin="" if "-K -" in line else None)
    assert {found for found in world.effects if found[0] != "process.create"} == expected
    assert not world.opaques


def test_external_program_is_a_process():
    world, _ = run("rm a")
    assert ("process.create", "rm") in world.effects


def test_absolute_path_keeps_its_name():
    world, _ = run("/usr/bin/git status")
    assert ("process.create", "/usr/bin/git") in world.effects
    assert ("commit.read", ".") in world.effects


def test_relative_path_is_no_command():
    world, _ = run("./git status")
    assert world.scripts == [("", "./git", ("status",))]
    assert ("commit.read", ".") not in world.effects


def test_builtin_is_no_process_in_a_shell():
    assert not run("echo a")[0].effects
    assert run("echo a", shell=False)[0].effects == [("process.create", "echo")]


def test_unknown_command_is_a_process_and_opaque():
    world, _ = run("frobnicate a")
    assert world.effects == [("process.create", "frobnicate")]
    assert world.opaques == ["command `frobnicate` has no summary"]


@each_row("line", ["ls --frobnicate", "git frobnicate", "rm -Q a"])
def test_unknown_option_or_sub_command_is_opaque(line):
    assert run(line)[0].opaques


SCRIPTS = [
    ("python3 scripts/x.py a b", ("python", "scripts/x.py", ("a", "b"))),
    ("bash s.sh -v", ("shell", "s.sh", ("-v",))),
    ("./s.sh a", ("", "./s.sh", ("a",))),
    ("node y.js --flag", ("js", "y.js", ("--flag",))),
    ("uv run scripts/x.py q", ("python", "scripts/x.py", ("q",))),
    ("python3 -m mod q", ("python", "mod/__main__.py", ("q",))),
    ("bun run y.js", ("ts", "y.js", ())),
    ("make -f Makefile all", ("make", "Makefile", ("all",))),
    ("env A=1 python3 scripts/x.py", ("python", "scripts/x.py", ())),
]


@each_row(("line", "script"), SCRIPTS, ids=[line for line, _ in SCRIPTS])
def test_scripts_of_the_skill_are_run(line, script):
    world, _ = run(line, files={"scripts/x.py": "", "s.sh": "", "y.js": "", "mod/__main__.py": "", "Makefile": ""})
    assert world.scripts == [script]
    assert not world.opaques


CODES = [
    ("python3 -c 'print(1)' a", ("python", "print(1)", ("a",))),
    ("node -e 'f()'", ("js", "f()", ())),
    ("bash -c 'rm x' name a", ("shell", "rm x", ("a",))),
    ("sudo sh -c 'rm x'", ("shell", "rm x", ())),
]


@each_row(("line", "code"), CODES, ids=[line for line, _ in CODES])
def test_code_on_the_command_line(line, code):
    assert run(line)[0].codes == [code]


def test_code_from_standard_input():
    assert run("bash", stdin="rm x")[0].codes == [("shell", "rm x", ())]
    world, _ = run("python3 - a", stdin="f()")
    assert world.codes == [("python", "f()", ("a",))]
    assert not world.scripts
    assert run("bash")[0].codes == [("shell", "<stdin>", ())]


def test_package_scripts_of_the_skill():
    files = {"package.json": '{"scripts": {"build": "rm x", "postinstall": "rm y"}}'}
    assert run("npm run build", files=files)[0].codes == [("shell", "rm x", ())]
    assert ("shell", "rm y", ()) in run("npm install", files=files)[0].codes
    assert not run("npm install --ignore-scripts", files=files)[0].codes
    assert run("npm run build")[0].opaques


def test_local_package_runs_its_setup():
    assert run("pip install ./pkg", files={"pkg/setup.py": ""})[0].scripts == [("python", "./pkg/setup.py", ())]


OUTPUTS = [
    ("date +%s", "<any:num>"),
    ("date +%Y-%m-%d", "<any:num>-<any:num>-<any:num>"),
    ("basename a/b.txt", "b.txt"),
    ("basename {ARG}", "<arg:flat>"),
    ("dirname a/b.txt", "a"),
    ("dirname b.txt", "."),
    ("pwd", "<cwd>"),
    ("mktemp", "<temp>/<random:seg>"),
    ("mktemp /tmp/a.XXXXXX", "/tmp/a.<random:seg>"),
    ("whoami", "<random:seg>"),
    ("uname -s", "<random:seg>"),
    ("echo a {ARG}", "a <arg>"),
    ("printf '%s-%d\\n' x 3", "x-<any:num>"),
    ("git rev-parse --show-toplevel", "<cwd>"),
    ("rm a", ""),
    ("cat notes.txt", "remember"),
    ("cat other.txt", "<file>"),
    ("realpath a", "<cwd>/a"),
    ("env X=1 basename a/b", "b"),
    ("curl https://x.org", "<net>"),
]


@each_row(("line", "printed"), OUTPUTS, ids=[line for line, _ in OUTPUTS])
def test_output(line, printed):
    assert run(line, files={"notes.txt": "remember"})[1] == printed


def test_output_made_of_input():
    assert run("wc -l", stdin="a")[1] == "<any:num>"
    assert run("base64 -d", stdin="cm0geA==")[1] == "rm x"
    assert run("tr -cd 0-9", stdin="a1")[1] == "<any:num>"
    assert run("base64 -d", stdin="%%")[1] == "<any>"


def test_what_jq_builds_keeps_its_origin():
    world = FakeWorld()
    child = Child((lit("jq"), lit("{a: .b}")), stdin=word("{NET}"), shell=True)
    assert shown(spawn(world, child, HERE_SITE).stdout) == "|{<net>"
