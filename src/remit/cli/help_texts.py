"""The help texts of `--help`, by command."""

MAIN = """\
Remit says whether to install a skill for an AI agent: what should worry you, what the skill can do, with file and line, and
what it can certainly not do. Nothing of a skill is run, except by `remit test` and `remit capsule run`, in a sandbox.

  remit check skills/pdf            should you install it?
  remit check skills                every skill in a folder, in parallel
  remit add owner/repo/skills/pdf   fetch a skill, check it, and install it for your agent; `remit update`, `remove`, `list`
  remit init skills/pdf             draft remit.json: what the skill may do, each entry with its reason
  remit diff old/pdf new/pdf        what does an update change in what a skill can do?
  remit guard install claude-code   hold skills to their manifests while the agent works
  remit explain hides-from-user     what does a word of a report mean?
"""

CHECK = """\
examples:
  remit check skills/pdf                         should you install it, what should worry you, what can it not do?
  remit check skills/pdf -v                      everything that is known, with every location
  remit check owner/repo/skills/pdf@v2           a folder of a repository on GitHub; also a Git URL, a .zip, .skill or .tar.gz file
  remit check skills --format jsonl              one line of JSON for each skill, as soon as it is known
  remit check skills --format sarif > r.sarif    for code scanning
  remit check skills --format junit > r.xml      for whatever shows test results
  remit check skills --format md                 a summary for a run or a pull request
  remit check skills --format md --against git:origin/main
                                                 … with what a branch changes in what they can do
  remit check skills --format html > r.html      one page with maps and source lines, for a browser
  remit check skills/pdf --manifest remit.json   against a manifest in another folder
  remit check . --summaries my-summaries/        with descriptions of private libraries and commands

A SOURCE is a skill (a folder with SKILL.md), a folder that holds skills at any depth, an archive, a Git URL (https, ssh, git@…, file; `#REF`
after it), or `owner/repo[/path][@ref]` on GitHub if no folder has that name. What is fetched is read in a quarantine, never run, and removed.
A remit.json beside SKILL.md is the skill's manifest, or else one of SkillGuard or enclawed (see `remit convert
--help`). Summary files (*.py.sum, *.js.sum, *.cmd) count only if you name them with --summaries.

exit status:
  0  no skill is one not to install, and none with a manifest is outside of it or not understood
  1  a skill should not be installed, or is outside of its manifest or not understood (see --fail-on)
  2  the command line is wrong, or a skill or manifest cannot be read
"""

DIFF = """\
examples:
  remit diff old/pdf new/pdf               what does the update change in what the skill can do?
  remit diff skills.lock skills            what changed since the lock was written?
  remit diff main/skills pr/skills --format md > comment.md
                                           many skills, matched by name; for a pull request
  remit diff old/pdf new/pdf --fail-on any every changed byte counts

OLD and NEW are skills, folders that hold skills, or lock files. Gained capabilities come first, the worst at the top: a
capability that nothing in the old skill covers (a wider scope is one), a command that runs by itself, hidden text, a place
that is not understood, a tool that the host is asked to allow, an entry of the manifest, a denial that is gone.

exit status:
  0  it can do no more than before (with --fail-on any: nothing changed)
  1  it gains something, or a part of it is newly opaque
  2  the command line is wrong, or a skill or lock file cannot be read
"""

LOCK = """\
examples:
  remit lock skills                        write skills.lock: what each skill holds and can do
  remit lock --check                       does everything stand as it was locked? (for CI)
  remit lock --update                      accept what changed; the others stay as they are, byte for byte
  remit lock skills --output other.lock    another file

Without PATH, the paths in the lock are looked at (`.` for a new one). A lock holds digests, capabilities and where they
were found; no times, no absolute paths. It is plain JSON, to be kept beside the skills and reviewed with them.

exit status:
  0  the lock was written, or (--check) everything is as it was locked, or there is no skills.lock yet
  1  with --check: a skill changed, is new or is missing, or the lock was edited by hand
  2  the command line is wrong, or a skill or the lock cannot be read; nothing was written
"""

INIT = """\
examples:
  remit init skills/pdf                    draft skills/pdf/remit.json, and say why each entry is in it
  remit init skills/pdf --stdout           print the draft, write nothing
  remit init skills --update               renew every draft; what a person edited stays
  remit init skills/pdf --assist ./ask.sh  let a program of yours suggest more; suggestions are denied until allowed

A draft grants what the skill's scripts, hooks and instructed commands do and what its text tells the agent to do, each
entry with the line that caused it. Normal capabilities are allowed, dangerous and system ones asked for, secrets handed out
masked. What is only shown (samples, scripts that nothing names) and what a suspicious sentence asks for (hidden text, hand
out everything, disable checks) is denied, for you to decide. No network, no model; the same skill gives the same draft.

exit status:
  0  the drafts were made
  1  with --strict: a suspicious sentence, or a place that is not understood
  2  the command line is wrong, a skill cannot be read, or a remit.json exists (see --update, --force)
"""

DEFAULTS = """\
Defaults say what every session of a workspace may do before a skill is loaded, in the language of manifests; a denial
there holds for every skill.

  remit defaults > remit-defaults.json     begin with the careful ones that are shipped
  remit defaults remit-defaults.json       is it well-formed? exit status 2 if not, with line, column and remedy
"""

CONVERT = """\
examples:
  remit convert skills/pdf --to remit                      the skill's own manifest, whatever its format
  remit convert skills/pdf --to remit --output remit.json  into a new file
  remit convert skills/pdf --to skillguard --strict        fail if anything is lost
  remit convert skills/pdf --from allowed-tools --to remit what the tools that it pre-approves amount to
  remit convert remit.json --to enclawed                   the lines for the front matter of SKILL.md
  remit convert remit.json --to enclawed --output skill.json

formats:
    remit          remit.json
    skillguard     skillguard-manifest.json, .skillguard.json, or a manifest.json that is one
    enclawed       skill.json, or `caps:` in the front matter of SKILL.md
    allowed-tools  `allowed-tools` in the front matter of SKILL.md; it pre-approves tools and bounds no effects, so
                   `remit check` does not take it for a manifest

What does not come along is said on standard error, the worst first: `widened` (the result permits more), `narrowed`
(it permits less), `unsure` (others may read it otherwise), `lost` (it permits the same).

exit status:
  0  converted
  1  something is lost, and --strict was given: nothing is written
  2  the command line is wrong, or the manifest cannot be read
"""
