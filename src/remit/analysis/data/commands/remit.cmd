# Remit itself. What grants, trusts, answers or turns off is a person's to do: an agent that runs it widens its own policy.

[remit, python-m/remit, python-m/remit.cli]
mark exact
flags --version -h --help
out any

[remit approvals, remit guard, remit keys, remit undo, remit gateway, remit up, remit down, remit serve, remit telemetry, remit console, remit add, remit update, remit remove]
values --level --host --port --to --as --reason
--add --remove --root --key FILE : file.read(FILE)
else field(OPTION, VALUE)
args WORD...
do policy.expand('remit')
out any

[remit lock]
--check
values --format --output
--update : policy.expand('remit')
args PATH... : file.read(tree(PATH))
do file.read(tree('.')), policy.expand('remit') if not --check

# what is no folder here may be a repository: `owner/repo` is one on GitHub, if no folder has that name
[remit check]
else field(OPTION, VALUE)
args SOURCE... : file.read(tree(local(SOURCE))), remote(SOURCE) if SOURCE~'(git\+)?(https?|ssh|file)://.*|[^/]*@[^/]*:.*',
 web.fetch('https://github.com/') if SOURCE~'(github:)?[A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9_-].*'
out any

[remit diff, remit verify, remit defaults]
else field(OPTION, VALUE)
args PATH... : file.read(tree(PATH))
out any

[remit list]
flags --user --project --json -h --help
values --host
do file.read(tree('.')), file.read(tree('~/.claude')), file.read(tree('~/.codex/skills')), file.read(tree('~/.gemini/skills')), file.read(tree('~/.copilot/skills')),
 file.read(tree('~/.config/opencode')), file.read(tree('~/.openclaw')), file.read(tree('~/.agents/skills')), file.read(tree('~/.opencode')), file.read(tree('~/.local/state/remit'))
out any

[remit explain, remit schema, remit version, remit completion, remit manual]
flags -h --help
args WORD...
out any
