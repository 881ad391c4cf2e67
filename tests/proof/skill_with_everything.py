"""A skill and a manifest in which every rule of the run time has something to decide."""

from sessions_values import effect, entry

from remit.manifest.model import Constraints, Decision, Manifest, RateLimit, TimeWindow


def limited(capability, text, effect=Decision.ALLOW, **limits):
    return entry(capability, text, effect)._replace(constraints=Constraints(**limits))


MANIFEST = Manifest(
    "remit.json",
    (
        entry("file.read", "./data/**"),
        entry("file.read", "./data/private/**", Decision.DENY),
        entry("file.read", "/opt/rates/**"),
        entry("file.read", "/opt/rates/secret", Decision.DENY),
        entry("file.write", "./out/**"),
        entry("file.write", "/var/log/skill/*.log"),
        entry("file.write", "./ask/**", Decision.CONFIRM),
        entry("file.delete", "./**", Decision.DENY),
        entry("web.post", "api.example.com:443"),
        entry("web.fetch", "*.example.org"),
        entry("message.send", "*", Decision.CONFIRM),
        entry("process.create", "git"),
        entry("env.read", "REPORT_*"),
        entry("clipboard.write", "any", None),
        entry("pay", "1..10"),
        entry("file.read", "~/**"),
        entry("secret.read", "~/.ssh/**", Decision.CONFIRM),
        limited("file.write", "/srv/day/**", time_window=TimeWindow(("mon", "tue", "fri"), 9 * 60, 17 * 60)),
        limited("file.write", "/srv/night/**", time_window=TimeWindow(("sat",), 22 * 60, 6 * 60)),
        limited("web.post", "rated.example.com:443", rate_limit=RateLimit(3, 60)),
        limited("tool.invoke", "send", arguments=(("to", ("team", "me")), ("urgent", (False,)))),
        limited("secret.read", "~/.netrc", redact=True),
        limited("file.read", "/srv/names/**", redact=True),
        limited("commit.create", "any", workspace_only=True),
        limited("file.chmod", "/srv/**", resource_scope=(entry("file.chmod", "/srv/bin/**").scopes)),
        entry("file.write", "/srv/open/**"),
        limited("file.write", "/srv/open/**", Decision.DENY, time_window=TimeWindow((), 12 * 60, 13 * 60)),
        entry("tool.invoke", "publish"),
        limited("tool.invoke", "publish", Decision.DENY, arguments=(("draft", (True,)),)),
    ),
)
EFFECTS = (
    effect("file.chmod", "/srv/bin/run", 2),
    effect("file.read", "./data/in.csv", 3),
    effect("file.write", "./out/report.txt", 5),
    effect("file.write", "/var/log/skill/a.log", 6),
    effect("file.write", "./ask/a", 7),
    effect("file.delete", "./old", 8),
    effect("web.post", "api.example.com:443", 9),
    effect("message.send", "team", 10),
)
# what a mutated Method A would take for declared: no entry speaks of the capability, or none holds the scope
ESCAPING = (
    *EFFECTS,
    effect("web.fetch", "api.example.com:443", 20),
    effect("pay", "500", 21),
    effect("commit.create", "/srv/repository", 22),
)
