"""Ways to hide what a command does. Each is tried, and what it does is still reported."""

from fake_world import run

from each_row import each_row

DELETES_X = [
    "rm --rec x",
    "rm -fr -- x",
    "env rm x",
    "env -i A=1 rm x",
    "env -S 'rm x'",
    "env --split-string='-i rm x'",
    "nice -n 5 rm x",
    "timeout 5 rm x",
    "timeout -k 1 5 rm x",
    "nohup rm x",
    "setsid -f rm x",
    "stdbuf -oL rm x",
    "ionice -c3 rm x",
    "sudo -u root rm x",
    "sudo -E -- rm x",
    "time -o log rm x",
    "time -p rm x",
    "xargs -n1 rm x",
    "xargs -I{} rm x",
    "busybox rm x",
    "command rm x",
    "unlink x",
    "chroot / rm x",
    "nice nice nice rm x",
    "flock lock rm x",
    "xvfb-run -a rm x",
    "caffeinate -i rm x",
    "git bisect run rm x",
    "uv run rm x",
    "git -c core.pager=less rm x",
]


@each_row("line", DELETES_X)
def test_delete_behind_wrappers(line):
    world, _ = run(line)
    assert any(capability == "file.delete" and "x" in scope.split("|") for capability, scope in world.effects), (
        world.effects
    )


RUNS_CODE = [
    "sh -c 'rm x'",
    "bash -ec 'rm x'",
    "bash --norc -c 'rm x'",
    "awk 'BEGIN{system(\"rm x\")}'",
    "awk 'BEGIN { \"rm x\" | getline y }'",
    "awk '{ print | \"rm x\" }' f",
    "gawk -e 'BEGIN{system(\"rm x\")}'",
    "sed '1e rm x' f",
    "sed -n -e p -e '$e rm x' f",
    "sed '/a/{s/a/b/;e rm x\n}' f",
    "git -c core.pager='rm x' log",
    "git -c core.fsmonitor='rm x' status",
    "git -c CORE.SSHCommand='rm x' fetch origin",
    "git clone -u 'rm x' h:r",
    "git rebase --exec 'rm x' main",
    "git submodule foreach 'rm x'",
    "git grep --open-files-in-pager='rm x' a",
    "tar --checkpoint=1 --checkpoint-action=exec='rm x' -cf a b",
    "tar -xf a --to-com 'rm x'",
    "tar -cf a --use-comp 'rm x' b",
    "tar cfI a.tar 'rm x' b",
    "ssh -o ProxyCommand='rm x' host",
    "ssh -oproxycommand='rm x' host",
    "ssh -o 'LocalCommand rm x' host",
    "zip a.zip b -T -TT 'rm x'",
    "watch 'rm x'",
    "script -c 'rm x'",
    "su -c 'rm x'",
    "flock l -c 'rm x'",
    "find . -exec sh -c 'rm x' ;",
    "find . -execdir bash -c 'rm x' \\;",
    "xargs sh -c 'rm x'",
    "split --filter='rm x' f",
    "sqlite3 a.db '.shell rm x'",
    "sqlite3 a.db -cmd '.system rm x' 'select 1'",
    "tmux new-session -d 'rm x'",
    "tmux send-keys -t 0 'rm x' Enter",
    "npx -c 'rm x'",
    "npm exec --call 'rm x'",
    "nc -e 'rm x' host 80",
    "yt-dlp --exec 'rm x' https://x.org",
]


@each_row("line", RUNS_CODE)
def test_text_that_is_run(line):
    world, _ = run(line)
    assert ("shell", "rm x") in {(language, code.removesuffix(' "$@"')) for language, code, _ in world.codes}, (
        world.codes,
        world.opaques,
    )
    assert "shell.execute" in world.capabilities


EFFECTS = [
    ("find . -delete", "file.delete", ".|./<file:tree>"),
    ("find src -fprint out", "file.write", "out"),
    ("find . ( -name a -o -name b ) -exec rm -f {} +", "file.delete", "./<file:tree>/a|./<file:tree>/b"),
    ("dd of=x", "file.write", "x"),
    ("sort -ox y", "file.write", "x"),
    ("sort --outp=x y", "file.write", "x"),
    ("curl -sSLox https://h", "file.write", "x"),
    ("curl --outpu x https://h", "file.write", "x"),
    ("curl -T x https://h", "file.read", "x"),
    ("curl --js '{}' https://h", "web.post", "https://h"),
    ("curl -XDELETE https://h", "web.post", "https://h"),
    ("curl -sXPUT https://h", "web.post", "https://h"),
    ("curl --unix-socket /s http://d", "net.connect", "/s"),
    ("curl -Ox https://h/f", "file.write", "<file:seg>"),
    ("uniq a x", "file.write", "x"),
    ("sed -n 'w x' f", "file.write", "x"),
    ("sed 's/a/b/w x' f", "file.write", "x"),
    ("sed 'r x' f", "file.read", "x"),
    ("sed --in-p=.bak p x", "file.write", "x"),
    ("sed -Ei.bak p x", "file.write", "x"),
    ("awk '{print > \"x\"}' f", "file.write", "x"),
    ("awk '{print $1, $2 >> (\"x\")}' f", "file.write", "x"),
    ("awk 'BEGIN{while((getline l < \"x\")>0) print l}'", "file.read", "x"),
    ("awk 'BEGIN{print ENVIRON[\"K\"]}'", "env.read", "K"),
    ("git log --output=x", "file.write", "x"),
    ("git diff --no-index a x", "file.read", "x|x/<file:tree>"),
    ("diff -r a x", "file.read", "x|x/<file:tree>"),
    ("diff --from-file=x a", "file.read", "x|x/<file:tree>"),
    ("grep -d recurse p x", "file.read", "x|x/<file:tree>"),
    ("grep --directories=recurse -e p x", "file.read", "x|x/<file:tree>"),
    ("grep -r p", "file.read", ".|./<file:tree>"),
    ("grep -d recurse p", "file.read", ".|./<file:tree>"),
    ("tar -cPf x y --remove-files", "file.delete", "y|y/<file:tree>"),
    ("rsync -a --delete a/ x/", "file.delete", "x/|x/<file:tree>"),
    ("tar c -f x y", "file.write", "x"),
    ("time -o x ls", "file.write", "x"),
    ("wget -i x", "file.read", "x"),
    ("gpg --export-secret-keys", "secret.read", "<home>/.gnupg"),
    ("git config --global alias.s '!rm x'", "hook.install", ".git/config"),
    ("python3 -m http.server", "net.listen", "<any>"),
    ("mv -t x a", "file.delete", "a"),
    ("sqlite3 a.db \"attach 'x' as b\"", "file.write", "x"),
    ("ffmpeg -f avfoundation -i :0 a.wav", "microphone.record", "<any>"),
    ("npx rimraf x", "file.delete", "x|x/<file:tree>"),
    ("npx -y skills@latest add o/r", "skill.install", "o/r"),
    ("xxd -r a x", "file.write", "x"),
]


@each_row(("line", "capability", "scope"), EFFECTS, ids=[line for line, _, _ in EFFECTS])
def test_effect_is_reported(line, capability, scope):
    world, _ = run(line)
    assert (capability, scope) in world.effects, (world.effects, world.opaques)


OPAQUE = [
    "git config core.hooksPath h",
    "terraform apply",
    "ansible-playbook x.yml",
    "awk -l lib -f prog.awk f",
    "gawk -i lib 1 f",
    "sed 's/.*/rm x/e' f",
    "sed e f",
    "bash --init-file /tmp/x -i",
    "git -c alias.x='!rm x' x",
    "git --exec-path=/tmp/x log",
    "tar --rsh-command=x -F y -cf a b --info-script",
    "ssh -F cfg host",
    "sqlite3 a.db '.load lib'",
    "parallel rm ::: x",
    "perl -e 'unlink x'",
    "ruby x.rb",
    "go run x.go",
    "vim -c ':!rm x' f",
    "curl -K cfg https://h",
    "wget -e use_askpass=x https://h",
    "python3 -m frobnicate",
    "npx frobnicate",
    "node --env-file=.env x",
]


@each_row("line", OPAQUE)
def test_opaque(line):
    world, _ = run(line)
    assert world.opaques or world.scripts or world.codes


STEERED = [
    ("PATH", "/opt/x:/usr/bin", False),
    ("PATH", "bin:/usr/bin", True),
    ("PATH", ".:/usr/bin", True),
    ("PATH", "{HOMEDIR}/.local/bin:/usr/bin", False),
    ("LD_PRELOAD", "./x.so", True),
    ("COLOR", "x", False),
]


@each_row(("name", "value", "opaque"), STEERED)
def test_steering_variables(name, value, opaque):
    assert bool(run("ls", env={name: value}, shell=False)[0].opaques) == opaque


def test_steering_of_one_command():
    assert ("shell", "rm x", ()) in run("git log", env={"GIT_PAGER": "rm x"})[0].codes
    assert not run("ls", env={"GIT_PAGER": "rm x"})[0].codes
    assert run("bash -c ls", env={"BASH_ENV": "/tmp/x"})[0].scripts[0][:2] == ("shell", "/tmp/x")
    assert ("shell", "rm x", ()) in run("env GIT_SSH_COMMAND='rm x' git fetch origin")[0].codes
    assert run("env NODE_OPTIONS=-r=x node y.js")[0].opaques
