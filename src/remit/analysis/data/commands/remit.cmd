# Remit itself. What grants, trusts, answers or turns off is a person's to do: an agent that runs it widens its own policy.

[remit, python-m/remit, python-m/remit.cli]
mark exact
flags --version -h --help
out any

[remit approvals, remit guard, remit keys, remit undo, remit gateway, remit up, remit down, remit serve, remit telemetry, remit console]
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

[remit check, remit diff, remit verify, remit defaults]
else field(OPTION, VALUE)
args PATH... : file.read(tree(PATH))
out any

[remit explain, remit schema, remit version, remit completion, remit manual]
flags -h --help
args WORD...
out any
