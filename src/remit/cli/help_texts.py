"""The help texts of `--help`, by command."""

MAIN = """\
Remit reports whether you should install a skill for an AI agent: what should worry you, what the skill can do, with file and
line, and what its code can never do. Only `remit test` and `remit capsule run` run parts of a skill, both in a sandbox.

  remit check skills/pdf            should you install it?
  remit check skills                every skill in a folder, in parallel
  remit add owner/repo/skills/pdf   fetch a skill, check it, and install it for your agent; `remit update`, `remove`, `list`
  remit init skills/pdf             draft remit.json: what the skill may do, each entry with its reason
  remit diff old/pdf new/pdf        how does an update change what a skill can do?
  remit guard install claude-code   enforce manifests while the agent works
  remit explain hides-from-user     what does a term in a report mean?
"""

CHECK = """\
examples:
  remit check skills/pdf                         should you install it, what should worry you, what can it never do?
  remit check skills/pdf -v                      everything that Remit knows, with every location
  remit check owner/repo/skills/pdf@v2           a folder of a repository on GitHub; also a Git URL, a .zip, .skill or .tar.gz file
  remit check skills --format jsonl              one line of JSON for each skill, as soon as it is ready
  remit check skills --format sarif > r.sarif    for code scanning
  remit check skills --format junit > r.xml      for tools that show test results
  remit check skills --format md                 a summary for a CI run or a pull request
  remit check skills --format md --against git:origin/main
                                                 … with how a branch changes what the skills can do
  remit check skills --format html > r.html      one page with maps and source lines, for a browser
  remit check skills/pdf --manifest remit.json   against a manifest in another folder
  remit check . --summaries my-summaries/        with descriptions of private libraries and commands

A SOURCE is a skill (a folder with SKILL.md), a folder that contains skills at any depth, an archive, a Git URL (https, ssh, git@…, file; append
`#REF`), or `owner/repo[/path][@ref]` on GitHub if no folder has that name. Remit reads fetched files in a quarantine, never runs them, and removes them.
The manifest is remit.json next to SKILL.md, else one of SkillGuard or enclawed (see `remit convert --help`). Summary files (*.py.sum, *.js.sum,
*.cmd) count only if you name them with --summaries.

exit status:
  0  every skill can be installed, and every skill with a manifest stays inside it and is understood
  1  a skill should not be installed, or is outside of its manifest or not understood (see --fail-on)
  2  the command line is wrong, or a skill or manifest cannot be read
"""

DIFF = """\
examples:
  remit diff old/pdf new/pdf               how does the update change what the skill can do?
  remit diff skills.lock skills            what changed since the lock was written?
  remit diff main/skills pr/skills --format md > comment.md
                                           many skills, matched by name; for a pull request
  remit diff old/pdf new/pdf --fail-on any every changed byte counts

OLD and NEW are skills, folders that contain skills, or lock files. Gained capabilities come first, the worst at the top: a
capability that nothing in the old skill covers (such as a wider scope), a command that runs automatically, hidden text, a
location that Remit does not understand, a pre-approved tool, an entry of the manifest, a removed denial.

exit status:
  0  it can do no more than before (with --fail-on any: nothing changed)
  1  it gains something, or a part of it is newly opaque
  2  the command line is wrong, or a skill or lock file cannot be read
"""

LOCK = """\
examples:
  remit lock skills                        write skills.lock: what each skill contains and can do
  remit lock --check                       is everything as it was locked? (for CI)
  remit lock --update                      accept what changed; the other entries stay the same, byte for byte
  remit lock skills --output other.lock    another file

Without PATH, Remit checks the paths in the lock (`.` for a new one). A lock contains digests, capabilities and their
locations, but no times and no absolute paths. It is plain JSON: keep it next to the skills and review it with them.

exit status:
  0  the lock was written, or (--check) everything is as it was locked, or there is no skills.lock yet
  1  with --check: a skill changed, is new or is missing, or the lock was edited by hand
  2  the command line is wrong, or a skill or the lock cannot be read; nothing was written
"""

INIT = """\
examples:
  remit init skills/pdf                    draft skills/pdf/remit.json, with the reason for each entry
  remit init skills/pdf --stdout           print the draft, write nothing
  remit init skills --update               renew every draft, and keep what you edited
  remit init skills/pdf --assist ./ask.sh  let your own program suggest more; suggestions are denied until you allow them

A draft grants what the skill's scripts, hooks and instructed commands do and what its text tells the agent to do, each
entry with the line that requires it. Normal capabilities are allowed, dangerous and system ones need approval, secrets are
masked. Effects that the skill only shows (samples, scripts that no text names), and those that a suspicious sentence asks
for (hidden text, passing on secrets, disabling checks), are denied for you to decide. Drafting uses no network and no
model; the same skill gives the same draft.

exit status:
  0  the drafts were written
  1  with --strict: a suspicious sentence, or a location that is not understood
  2  the command line is wrong, a skill cannot be read, or a remit.json exists (see --update, --force)
"""

DEFAULTS = """\
Defaults say what every session of a workspace may do before a skill is loaded, in the language of manifests. Their denials
apply to every skill.

  remit defaults > remit-defaults.json     start with the shipped defaults
  remit defaults remit-defaults.json       check your file; exit status 2 if it is invalid, with line, column and remedy
"""

CONVERT = """\
examples:
  remit convert skills/pdf --to remit                      the skill's own manifest, in any format
  remit convert skills/pdf --to remit --output remit.json  into a new file
  remit convert skills/pdf --to skillguard --strict        fail if anything is lost
  remit convert skills/pdf --from allowed-tools --to remit what its pre-approved tools permit
  remit convert remit.json --to enclawed                   the lines for the front matter of SKILL.md
  remit convert remit.json --to enclawed --output skill.json

formats:
    remit          remit.json
    skillguard     skillguard-manifest.json, .skillguard.json, or a manifest.json that is one
    enclawed       skill.json, or `caps:` in the front matter of SKILL.md
    allowed-tools  `allowed-tools` in the front matter of SKILL.md; it pre-approves tools and limits no effects, so
                   `remit check` does not treat it as a manifest

Remit reports losses on standard error, the worst first: `widened` (the result permits more), `narrowed` (it permits less),
`unsure` (other programs may read it differently), `lost` (it permits the same).

exit status:
  0  converted
  1  something is lost, and --strict was given: nothing is written
  2  the command line is wrong, or the manifest cannot be read
"""
