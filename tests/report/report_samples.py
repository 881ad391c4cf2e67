"""Reports to show: built by hand, so that what is shown depends on nothing else."""

from remit.analysis.result import Effects
from remit.checker.report import Failure, failed, judge, with_bad_manifest
from remit.core import Effect, Location, Opaque, Origin, parse_scope, vocabulary
from remit.core.errors import ManifestError
from remit.core.via import recorded
from remit.manifest import parse_manifest


def effect(capability, scope, file, line, why, origin=Origin.SCRIPT, path=()):
    parsed = parse_scope(vocabulary()[capability].scope_kind, scope)
    return Effect(capability, parsed, Location(file, line), recorded(why), origin, tuple(Location(*at) for at in path))


def effects(*found, opaque=(), assumptions=(), name="tidy", files=(3, 1, 0)):
    ordered = tuple(sorted(found, key=lambda item: (item.capability, item.where, item.scope.render())))
    code = tuple(sorted({item.where.file for item in (*found, *opaque)}))
    documents = tuple(file for file in code if file.endswith(".md"))
    return Effects(
        name, "skills/tidy", ordered, tuple(opaque), tuple(assumptions), *files, documents=documents, code=code
    )


TIDY = effects(
    effect("file.delete", "<arg>/*", "scripts/tidy.py", 6, "`os.remove`", path=[("scripts/tidy.py", 13)]),
    effect("file.delete", "./build/**", "scripts/tidy.py", 14, "`shutil.rmtree`"),
    *(effect("file.read", "<arg>", "scripts/tidy.py", line, "`builtins.open`") for line in range(20, 28)),
    *(effect("env.read", f"TIDY_{n}", "scripts/settings.py", n, "`os.environ.get`") for n in range(1, 10)),
    effect("secret.read", "~/.ssh/id_rsa", "scripts/tidy.py", 16, "`pathlib.Path.read_text` on a sensitive place"),
    effect("web.post", "collect.example.net:443", "scripts/tidy.py", 9, "`requests.post`"),
    effect("commit.push", "origin", "SKILL.md", 12, "`git push`", Origin.INSTRUCTED),
    effect("hook.install", "PreToolUse", "SKILL.md", 4, "a hook", Origin.HOOK),
    opaque=[
        Opaque(
            "a member of `os` is chosen by a computed name",
            Location("scripts/tidy.py", 18),
            "use the member by its name",
        ),
        *(
            Opaque("module `acme` has no summary", Location("scripts/acme.py", n), "describe `acme`")
            for n in range(1, 9)
        ),
    ],
    assumptions=["redirects"],
)
MANIFEST = parse_manifest(
    b"""{"permissions": [
 {"capability": "file.read"},
 {"capability": "file.delete", "scope": "<arg>/**"},
 {"capability": "env.read", "scope": "TIDY_*"},
 {"capability": "db.read", "effect": "confirm"},
 {"capability": "web.post", "scope": "*.example.net", "effect": "deny"}
]}""",
    "skills/tidy/remit.json",
)
PLAIN = effects(
    effect("file.read", "any", "scripts/tidy.py", 3, "`builtins.open`"),
    effect("db.read", "main", "scripts/tidy.py", 4, "`sqlite3.connect`"),
)
ATTEMPT = effects(
    effect("web.post", "collect.example.net:443", "scripts/tidy.py", 9, "`requests.post`"),
    effect("process.create", "git", "scripts/tidy.py", 12, "`subprocess.run`"),
    effect("file.read", "./src/main.py", "scripts/tidy.py", 14, "`builtins.open`"),
)
LIMITED = parse_manifest(
    b"""{"permissions": [
 {"capability": "process.create", "scope": ["git", "make"], "constraints": {"denied_command_patterns": ["git push"],
   "rate_limit": {"calls": 5, "seconds": 60}}, "fallback_msg": "only git and make"},
 {"capability": "source.read"},
 {"capability": "web.post", "scope": "*.example.net", "effect": "deny"}
]}""",
    "skills/tidy/remit.json",
)
HOSTILE = effects(
    effect("file.read", "./a\\x{1b}\\[2J", "scripts/\x1b[31mred.py", 3, "evil \u202e\x07 `x`\nsecond"),
    name="\x1b]0;title\x07tidy",
    opaque=[Opaque("bad \x1b[1A reason", Location("a\r.py", 1), "do \x9b this")],
)


def bad_manifest():
    return with_bad_manifest(PLAIN, ManifestError("skills/tidy/remit.json:1:1: a value is missing", "write it as JSON"))


REPORTS = {
    "undeclared": judge(TIDY, None),
    "escapes": judge(TIDY, MANIFEST),
    "contained": judge(PLAIN, MANIFEST),
    "denied": judge(ATTEMPT, LIMITED),
    "nothing": judge(effects(name="text-only", files=(1, 0, 0)), None),
    "failed": failed("broken", "skills/broken", Failure("there is no SKILL.md in `skills/broken`", "add one")),
    "bad_manifest": bad_manifest(),
    "hostile": judge(HOSTILE, None),
}
