# git. Options before the sub-command are git's own; a sub-command does not know them.

[git]
mark own
flags -v -h -p --paginate -P --no-pager --no-replace-objects --bare --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs
 --no-optional-locks --no-lazy-fetch --html-path --man-path --info-path --list-cmds
values --namespace --super-prefix --attr-source
-C BEGIN : chdir(BEGIN)
-c SETTING : setting('git-c', SETTING)
--config-env SETTING_ : opaque 'git takes a setting from a variable'
--git-dir REPOSITORY : assume('environment')
--work-tree WORK_TREE : chdir(WORK_TREE), assume('environment')
--exec-path PROGRAMS? : opaque 'git runs its programs from a folder that the skill names' if PROGRAMS
env GIT_SSH_COMMAND GIT_SSH GIT_PAGER PAGER GIT_EDITOR EDITOR VISUAL GIT_SEQUENCE_EDITOR GIT_EXTERNAL_DIFF GIT_ASKPASS SSH_ASKPASS
 GIT_PROXY_COMMAND : sh(VALUE)
env GIT_CONFIG* GIT_EXEC_PATH GIT_TEMPLATE_DIR GIT_ALTERNATE* : opaque 'a variable changes what git runs'
out any

# `git diff` of paths outside the repository compares them as files.
[git log, git show, git diff, git shortlog, git rev-list, git whatchanged, git diff-tree, git diff-index, git diff-files, git reflog, git range-diff, git cherry, git show-branch, git show-ref, git blame, git annotate, git stash list, git stash show]
mark numbers
values --skip --since --until --after --before --author --committer --grep --date -L -S -G -O -U
-n --max-count COUNT
-1
--format --pretty FORMAT?
--count
--output OUT : file.write(OUT)
--ext-diff : opaque 'git runs an external diff program'
--contents --ignore-revs-file FILE : file.read(FILE)
--no-index
else pure
args(--no-index) FILE... : file.read(tree(FILE))
args WORD... : file.read(tree(only(WORD, '(/|~/|[.][.]/).*')))
do commit.read('.')
out(--count) union(num, '')
out(-1, FORMAT~'(t?format:)?%[hHtT]') union(token, '')
out(COUNT=='1', FORMAT~'(t?format:)?%[hHtT]') union(token, '')
out(-1, FORMAT~'(t?format:)?%[ac]t') union(num, '')
out(COUNT=='1', FORMAT~'(t?format:)?%[ac]t') union(num, '')
out any

[git rev-parse]
mark numbers
--show-toplevel
--is-inside-work-tree --is-inside-git-dir --is-bare-repository --is-shallow-repository --show-object-format
--abbrev-ref --symbolic --symbolic-full-name _?
--git-dir --git-common-dir --absolute-git-dir --show-cdup --show-prefix --show-superproject-working-tree --parseopt --sq-quote --local-env-vars --shared-index-path _?
--all --branches --tags --remotes --glob --disambiguate PATTERN? : metadata()
--git-path --resolve-git-dir --prefix --default _
else pure
args WORD... : metadata()
out(--show-toplevel) cwd
out(--is-inside-work-tree) union(token, '')
out(--abbrev-ref) union(ref, '')
out(--git-dir|--git-path) any
out(WORD~'[A-Za-z@][A-Za-z0-9_./~^@{}-]*') union(token, '')
out any

# What is stored so can be printed from the store.
[git hash-object]
-w : commit.create('.')
-t TYPE_
--path PATH_
--stdin
--stdin-paths
flags --no-filters --literally
args FILE... : file.read(FILE)
do commit.read('.')
do opaque 'paths are read from standard input' if --stdin-paths
out union(token, '')

[git mktree, git write-tree, git commit-tree]
-p _
-m _
-S _?
-F FILE_ : file.read(FILE_)
else pure
args WORD...
do commit.create('.')
out union(token, '')

[git merge-base]
-p _
-m _
-F FILE_ : file.read(FILE_)
--all -a --octopus --independent --is-ancestor --fork-point --stdin --stdin-paths
else pure
args WORD...
do commit.read('.')
out(--all) any
out union(token, '')

[git symbolic-ref]
flags -q --quiet --short --recurse --no-recurse
-d --delete : commit.create('.')
-m _
args NAME REF : commit.create('.') if REF
do metadata()
out union(ref, '')

[git cat-file]
flags -e -p --batch-all-objects --buffer --follow-symlinks --unordered -z -Z --mailmap --use-mailmap
optional --batch --batch-check --batch-command --filter
-t
-s
--textconv --filters : opaque 'git runs a filter of the repository'
values --path
args WORD...
do commit.read('.')
out(-t) union(token, '')
out(-s) union(num, '')
out any

[git describe, git name-rev]
mark numbers
else pure
args WORD...
do commit.read('.')
out union(ref, '')

[git status, git ls-files, git ls-tree, git for-each-ref, git grep, git fsck, git verify-commit, git verify-tag, git diff-pairs]
mark numbers
-O --open-files-in-pager PAGER_? : sh(PAGER_) if PAGER_, opaque 'git opens a pager' if not PAGER_
-f LIST : file.read(LIST)
--textconv --filters : opaque 'git runs a filter of the repository'
-X --exclude-from FILE : file.read(FILE)
--lost-found : commit.create('.')
--no-index : file.read(tree(WORD)), file.read(tree('.')) if not WORD
-w --web : web.interact()
else pure
args WORD...
do commit.read('.')
out any

[git count-objects, git var, git check-ignore, git check-attr, git check-ref-format, git column, git stripspace]
else pure
args WORD...
do metadata()
out any

[git help, git version]
-w --web : web.interact()
else pure
args WORD...
out any

[git branch]
mark numbers
flags -a --all -r --remotes -v --verbose -q --quiet --no-color --ignore-case -i --omit-empty --column --no-column --create-reflog
 -t --no-track
optional --color --abbrev --track
values --sort --format --contains --no-contains --merged --no-merged --points-at
-l --list
--show-current
-d -D --delete -m -M --move -c -C --copy -f --force --unset-upstream --edit-description : commit.create('.')
-u --set-upstream-to _ : commit.create('.')
args(-l|--show-current) WORD...
args NAME... : commit.create('.')
do commit.read('.') if not --show-current, metadata() if --show-current
out(--show-current) union(ref, '')
out any

[git tag]
mark numbers
flags -i --ignore-case --omit-empty --column --no-column --create-reflog -v --verify -e --edit
optional -n --color
values --sort --format --contains --no-contains --merged --no-merged --points-at --cleanup
-l --list
-d --delete -f --force -a --annotate -s --sign --no-sign : commit.create('.')
-u --local-user -m --message _ : commit.create('.')
-F --file FILE : file.read(FILE), commit.create('.')
args(-l) WORD...
args NAME... : commit.create('.')
do commit.read('.')
out any

[git remote]
flags -v --verbose
do metadata()

[git remote get-url]
else pure
args WORD...
do metadata()
out any

[git remote show]
-n
else pure
args REMOTE... : remote(REMOTE) if not -n
do metadata()
out any

[git remote update, git remote prune]
else pure
args REMOTE... : remote(REMOTE)
do web.fetch() if not REMOTE, file.write(under('.git'))
out any

[git remote add]
-f --fetch : web.fetch(URL)
-t --track -m --master _
else pure
args NAME URL : file.write(under('.git'))

[git remote set-url]
else pure
args WORD...
do file.write(under('.git'))

[git remote remove, git remote rm, git remote rename, git remote set-head, git remote set-branches]
else pure
args WORD...
do file.write(under('.git'))

[git add, git stage]
flags -n --dry-run -v --verbose -f --force -i --interactive -p --patch -e --edit -u --update -A --all --no-ignore-removal --ignore-removal --no-all -N --intent-to-add --refresh --ignore-errors --ignore-missing --renormalize --sparse --pathspec-file-nul
values --chmod
--pathspec-from-file FILE : file.read(FILE)
args PATH... : file.read(PATH)
do commit.create('.')
out any

[git update-index, git notes, git replace, git update-ref, git pack-refs, git gc, git prune, git repack, git rerere, git multi-pack-index]
-F --file --pathspec-from-file FILE : file.read(FILE)
else pure
args WORD...
do commit.create('.')
out any

[git read-tree]
-u --reset : file.write(under('.')), file.delete(under('.'))
--index-output OUT : file.write(OUT)
--prefix _?
else pure
args WORD...
do commit.create('.')

[git fast-export, git pack-objects]
--export-marks OUT : file.write(OUT)
--import-marks --import-marks-if-exists FILE : file.read(FILE)
else pure
args WORD... : file.write(series(WORD))
do commit.create('.')
out any

[git maintenance]
do commit.create('.')

[git maintenance run, git maintenance is-needed]
else pure
do commit.create('.')

[git maintenance start, git maintenance stop, git maintenance register, git maintenance unregister]
else pure
do schedule.create(), file.write(series('~/.gitconfig'))

[git reflog expire, git reflog delete, git stash drop, git stash clear, git stash create, git stash store]
else pure
args WORD...
do commit.create('.')
out any

[git mv]
flags -f --force -k -n --dry-run -v --verbose --sparse
args SRC... DST : file.delete(SRC), file.write(into(DST, SRC))
do commit.create('.')

[git apply]
flags -v --verbose -q --quiet -R --reverse -3 --3way --ignore-whitespace --ignore-space-change --recount --unidiff-zero --binary --allow-binary-replacement --allow-empty --reject --inaccurate-eof -z -N --intent-to-add --no-add
--index --cached : commit.create('.')
--check --stat --numstat --summary
--apply : file.write(under('.')), file.delete(under('.'))
--build-fake-ancestor OUT : file.write(OUT)
values -p -C --whitespace --exclude --include
--directory DIR : file.write(tree(DIR))
--unsafe-paths : file.write(any)
args FILE... : file.read(FILE)
do commit.read('.'), file.write(under('.')) if not --check, file.delete(under('.')) if not --check
out any

[git commit]
flags -a --all -p --patch -v --verbose -q --quiet --amend --allow-empty --allow-empty-message --no-edit -n --no-verify --reset-author -s --signoff
 --no-signoff --dry-run --short --branch --porcelain --long -z --null -i --include -o --only --no-post-rewrite --status --no-status
 --no-gpg-sign -e --edit
optional -u --untracked-files -S --gpg-sign
values -m --message -C --reuse-message -c --reedit-message --fixup --squash --author --date --cleanup --trailer
-t --template TEMPLATE : file.read(TEMPLATE)
-F --file FILE : file.read(FILE)
--pathspec-from-file FILE_ : file.read(FILE_)
args PATH...
do commit.create('.')

[git am]
else pure
args FILE... : file.read(tree(FILE))
do commit.create('.'), file.write('.'), file.write(under('.')), file.delete(under('.'))
out any

[git merge, git rebase, git cherry-pick, git revert, git stash, git stash push, git stash pop, git stash apply, git stash save, git stash branch]
-x --exec --tree-filter --index-filter --msg-filter --env-filter COMMAND : sh(COMMAND)
-F --file FILE : file.read(FILE)
else pure
args WORD...
do commit.create('.'), file.write('.'), file.write(under('.')), file.delete(under('.'))
out any

[git push]
else pure
--receive-pack --exec COMMAND : sh(COMMAND)
-o --push-option _
--recurse-submodules --force-with-lease _?
args REMOTE REF... : commit.push(REMOTE)
do commit.push() if not REMOTE

[git clone]
flags -l --local -s --shared --no-hardlinks -n --no-checkout --bare --mirror --dissociate --single-branch --no-single-branch --no-tags --shallow-submodules
 --no-shallow-submodules --remote-submodules --sparse -q --quiet -v --verbose --progress --no-local --reject-shallow --also-filter-submodules
 -4 -6 --no-recurse-submodules
values --depth -b --branch -o --origin --shallow-since --shallow-exclude --filter -j --jobs
 --server-option --revision
--recurse-submodules --recursive _? : web.fetch()
--reference --reference-if-able OTHER : file.read(tree(OTHER))
--separate-git-dir GIT_DIR : file.write(tree(GIT_DIR))
--bundle-uri BUNDLE : remote(BUNDLE)
--template DIR : opaque 'git copies hooks from a folder'
-u --upload-pack COMMAND : sh(COMMAND)
-c --config SETTING : setting('git-c', SETTING)
args URL DIR : remote(URL), file.read(local(URL)), file.write(tree(DIR)), file.write(tree(stem(basename(URL)))) if not DIR

[git ls-remote]
--upload-pack --exec COMMAND : sh(COMMAND)
-o --server-option _
values --sort
else pure
args REMOTE WORD... : remote(REMOTE)
do web.fetch() if not REMOTE
out any

[git fetch]
--upload-pack --exec COMMAND : sh(COMMAND)
-o --server-option _
else pure
values --depth --deepen --shallow-since --shallow-exclude --negotiation-tip -j --jobs --refmap --filter --sort
args REMOTE WORD... : remote(REMOTE)
do web.fetch() if not REMOTE, file.write(under('.git'))
out any

[git pull]
--upload-pack COMMAND : sh(COMMAND)
values --depth -s --strategy -X --strategy-option
-j --jobs _?
-r --rebase REBASE? : commit.create('.') if not REBASE~'false|no'
--no-ff --squash : commit.create('.')
else pure
args REMOTE WORD... : remote(REMOTE)
do file.write('.'), file.write(under('.')), file.delete(under('.')), web.fetch() if not REMOTE
out any

[git sparse-checkout]
--stdin
else pure
args WORD...
do file.write('.'), file.write(under('.')), file.delete(under('.'))
out any

[git submodule]
flags -q --quiet
args WORD...
do web.fetch(), file.write('.'), file.write(under('.')), file.delete(under('.'))
out any

[git submodule update, git submodule add]
values -b --branch --reference --depth --name -j --jobs --filter
--rebase --merge : commit.create('.')
else pure
args WORD...
do web.fetch(), file.write(under('.')), file.delete(under('.'))
out any

[git submodule init, git submodule sync, git submodule deinit, git submodule set-url, git submodule set-branch, git submodule absorbgitdirs]
else pure
args WORD...
do file.write(under('.')), file.delete(under('.'))
out any

[git lfs, git lfs pull, git lfs fetch, git lfs checkout]
else pure
args WORD...
do web.fetch(), file.write(under('.')), file.delete(under('.'))
out any

[git lfs migrate]
else pure
args WORD...
do web.fetch(), commit.create('.'), file.write(under('.')), file.delete(under('.'))
out any

[git lfs install, git lfs uninstall, git lfs update]
else pure
args WORD...
do file.write(under('.git')), hook.install('.git/hooks')

[git lfs track, git lfs untrack]
else pure
args WORD...
do file.write('.gitattributes')
out any

[git subtree]
values -P --prefix -b --branch -m --message --onto --annotate
else pure
args WORD... : commit.push() if WORD~'push'
do web.fetch(), commit.create('.'), file.write(under('.')), file.delete(under('.'))
out any

[git subtree push]
else pure
args WORD...
do commit.push()

[git lfs push]
else pure
args REMOTE WORD... : commit.push(REMOTE)

[git submodule status, git submodule summary, git lfs ls-files, git lfs status, git lfs env]
else pure
args WORD...
do commit.read('.')
out any

[git submodule foreach]
style posix
flags --recursive -q --quiet
args COMMAND... : sh(COMMAND)

[git bisect]
do commit.read('.')

[git bisect run]
style posix
args COMMAND... : run(COMMAND)
do commit.create('.'), file.write(under('.'))

[git bisect start, git bisect good, git bisect bad, git bisect reset, git bisect skip, git bisect new, git bisect old]
else pure
args WORD...
do commit.create('.'), file.write(under('.')), file.delete(under('.'))

[git bisect log, git bisect view, git bisect visualize]
args WORD...
do commit.read('.')

[git archive]
-o --output OUT : file.write(OUT)
--remote REMOTE : remote(REMOTE)
--exec COMMAND : sh(COMMAND)
--add-file FILE : file.read(FILE)
else pure
args WORD...
do commit.read('.')
out any

[git bundle]
do commit.read('.')

[git bundle create]
else pure
args OUT WORD... : file.write(OUT)
do commit.read('.')

[git bundle verify, git bundle list-heads, git bundle unbundle]
else pure
args FILE WORD... : file.read(FILE)
do commit.create('.')

[git worktree]

[git worktree list]
else pure
do metadata()
out any

[git worktree add]
flags -f --force -d --detach --checkout --no-checkout --lock -q --quiet --track --no-track --guess-remote --no-guess-remote --orphan
values --reason
-b -B _ : commit.create('.')
args DIR WORD... : file.write(tree(DIR))
do file.write(under('.git'))

[git worktree remove]
else pure
args DIR... : file.delete(tree(DIR))
do file.write(under('.git'))

[git worktree move]
else pure
args SRC DST : file.delete(tree(SRC)), file.write(tree(DST))
do file.write(under('.git'))

[git worktree prune, git worktree lock, git worktree unlock, git worktree repair]
else pure
args DIR...
do file.write(under('.git'))

[git filter-branch]
args WORD...
do opaque 'git filter-branch runs shell text'
else pure

[git checkout, git switch]
-b -B -c -C --orphan NAME
-f --force --discard-changes -p --patch : file.write(under('.')), file.delete(under('.'))
--pathspec-from-file FILE : file.read(FILE), file.write(under('.')), file.delete(under('.'))
else pure
args(-b) START... : file.write(under('.')), file.delete(under('.'))
args WORD... : file.write(under('.')), file.delete(under('.'))
do commit.create('.')

[git checkout-index]
--prefix PREFIX : file.write(series(PREFIX)), file.write(under(PREFIX))
-a --all --stdin : file.write(under('.')) if not --prefix
else pure
args WORD... : file.write(tree(WORD)) if not --prefix

[git restore]
--pathspec-from-file FILE : file.read(FILE), file.write(under('.')), file.delete(under('.'))
-s --source _
-S --staged
-W --worktree
else pure
args(-S, not -W) WORD... : commit.create('.')
args WORD... : file.write(tree(WORD)), file.delete(tree(WORD))

[git reset]
--hard --merge --keep : file.write(under('.')), file.delete(under('.'))
--pathspec-from-file FILE : file.read(FILE)
else pure
args WORD...
do commit.create('.')

[git clean, git rm]
--pathspec-from-file FILE : file.read(FILE)
else pure
args PATH... : file.delete(tree(PATH))
do commit.create('.'), file.delete(under('.')) if not PATH

[git init, git init-db]
flags -q --quiet --bare --separate-git-dir
values -b --initial-branch --object-format --ref-format
optional --shared
--template DIR_ : opaque 'git copies hooks from a folder'
args DIR : file.write(tree(DIR))
do file.write(under('.git')) if not DIR

[git config]
flags --local --worktree -z --null --name-only --show-origin --show-scope --no-type --includes --no-includes --all --bool --int --bool-or-int --path
 --expiry-date --fixed-value
values --default --type --blob --comment --value
--global
--system
-f --file FILE : file.read(FILE), file.write(FILE) if VALUE_, file.write(FILE) if --unset
-l --list --get --get-all --get-regexp --get-urlmatch --get-color --get-colorbool
--unset --unset-all --remove-section --rename-section -e --edit : file.write(under('.git')) if not --global|--system, file.write(series('~/.gitconfig')) if --global,
 file.write(series('/etc/gitconfig')) if --system
--add --replace-all
args(-l) KEY...
args KEY VALUE_... : setting('git-set', KEY, VALUE_), file.write(under('.git')) if VALUE_ and not --global|--system|-f,
 file.write(series('~/.gitconfig')) if VALUE_ and --global, file.write(series('/etc/gitconfig')) if VALUE_ and --system
do metadata() if not VALUE_
out any

[git config get, git config list]
else pure
args KEY...
do metadata()
out any

[git config set, git config unset, git config remove-section, git config rename-section, git config edit]
--global
--system
-f --file FILE : file.write(FILE)
else pure
args KEY VALUE_... : setting('git-set', KEY, VALUE_)
do file.write(under('.git')) if not --global|--system|-f, file.write(series('~/.gitconfig')) if --global, file.write(series('/etc/gitconfig')) if --system

[git credential, git credential-store, git credential-cache, git credential-osxkeychain]
else pure
args WORD...
do secret.read('git'), secret.write('git')
out any

[git send-email, git imap-send]
--to-cmd --cc-cmd --header-cmd --sendmail-cmd COMMAND : sh(COMMAND)
--smtp-server SERVER : sh(SERVER) if SERVER~'[/.~].*', net.connect(but(SERVER, '[/.~].*'))
else pure
args FILE... : file.read(FILE)
do message.send()

[git format-patch]
else pure
-o --output-directory DIR : file.write(under(DIR))
--output OUT : file.write(OUT)
--signature-file FILE : file.read(FILE)
--stdout
args WORD...
do commit.read('.'), file.write(under('.')) if not -o and not --stdout
out any

[git difftool, git mergetool, git gui, git web--browse, git instaweb, git daemon]
args _...
do opaque 'git starts a program that its configuration names'

[gitk, git-gui, tig, lazygit]
args _...
else pure
do commit.read('.'), commit.create('.')

# Settings. `git -c key=value` holds for one command, `git config` for later ones. Keys are matched in small letters.

[git-c/core.pager, git-c/core.editor, git-c/core.sshcommand, git-c/core.fsmonitor, git-c/core.askpass, git-c/core.gitproxy, git-c/sequence.editor, git-c/diff.external, git-c/diff.*.command, git-c/diff.*.textconv, git-c/merge.*.driver, git-c/filter.*, git-c/credential.helper, git-c/credential.*.helper, git-c/gpg.program, git-c/gpg.*.program, git-c/pager.*, git-c/difftool.*, git-c/mergetool.*, git-c/interactive.difffilter, git-c/uploadpack.packobjectshook, git-c/trailer.*.command, git-c/trailer.*.cmd, git-c/sendemail.*, git-c/man.*, git-c/browser.*, git-c/remote.*.uploadpack, git-c/remote.*.receivepack, git-c/tar.*.command, git-c/gpg.ssh.defaultkeycommand, git-c/submodule.*.update, git-c/imap.tunnel, git-c/gc.recentobjectshook, git-c/hook.*, git-c/lfs.customtransfer.*, git-c/lfs.extension.*]
mark quiet
style words
args TEXT : sh(TEXT) if not TEXT~'(true|false|checkout|rebase|merge|none|cat|less|more|vi|vim|nano|osxkeychain|store|cache( --timeout[= ][0-9]+)?|manager|wincred|manager-core|0|1|on|off|)'

[git-c/alias.*]
mark quiet
style words
args TEXT : opaque 'a git alias is defined for one command'

[git-c/core.hookspath, git-c/init.templatedir, git-c/include.path, git-c/includeif.*, git-c/core.worktree, git-c/core.attributesfile, git-c/protocol.*, git-c/core.alternaterefscommand]
mark quiet
style words
args TEXT : opaque 'a git setting names hooks, settings or transports' if not TEXT~'(/dev/null|user|never|always|)'

[git-c/http.*proxy, git-c/https.proxy]
mark quiet
style words
args TEXT : net.connect(TEXT) if not TEXT==''

[git-c/remote.*.url, git-c/remote.*.pushurl, git-c/remote.*.proxy, git-c/lfs.url]
mark quiet
style words
args TEXT : remote(TEXT)

[git-c/url.*]
mark quiet
style words
args TEXT : web.fetch()

[git-c/*]
mark quiet
style words
args _...

[git-set/core.pager, git-set/core.editor, git-set/sequence.editor, git-set/pager.*, git-set/diff.external, git-set/merge.*.driver, git-set/diff.*.command, git-set/diff.*.textconv]
mark quiet
style words
args TEXT : hook.install('.git/config') if not TEXT~'[\w.-]*( --?\w[\w-]*)*',
 sh(TEXT) if not TEXT~'(true|false|cat|less( -\w+)*|more|vi|vim|nvim|nano|emacs|code( --wait)?|delta|diff-so-fancy|0|1|on|off|)'

[git-set/core.fsmonitor, git-set/core.sshcommand, git-set/core.askpass, git-set/filter.*, git-set/gpg.program, git-set/core.gitproxy, git-set/difftool.*, git-set/mergetool.*, git-set/interactive.difffilter, git-set/uploadpack.*, git-set/trailer.*, git-set/gpg.*.program, git-set/gpg.ssh.defaultkeycommand, git-set/remote.*.uploadpack, git-set/remote.*.receivepack, git-set/core.alternaterefscommand, git-set/tar.*.command, git-set/submodule.*.update, git-set/imap.tunnel, git-set/gc.recentobjectshook, git-set/hook.*, git-set/lfs.customtransfer.*, git-set/lfs.extension.*, git-set/man.*, git-set/browser.*]
mark quiet
style words
args TEXT : hook.install('.git/config'), sh(TEXT) if not TEXT~'(true|false|checkout|rebase|merge|none|git-lfs( [\w-]+)*( -- %f)?|ssh-keygen|gpg2?|/usr/bin/gpg2?|vimdiff|meld|kdiff3|opendiff|code( --wait.*)?|0|1|on|off|)'

[git-set/core.hookspath, git-set/init.templatedir, git-set/include.path, git-set/includeif.*, git-set/core.attributesfile]
mark quiet
style words
args TEXT : hook.install('.git/config'), opaque 'a git setting names files with commands' if not TEXT~'(/dev/null|\.githooks|\.husky|)'

[git-set/alias.*]
mark quiet
style words
args TEXT : hook.install('.git/config')

[git-set/credential.*]
mark quiet
style words
args TEXT : hook.install('.git/config') if TEXT~'[!/].*'

[git-set/http.*, git-set/https.*, git-set/url.*, git-set/protocol.*]
mark quiet
style words
args TEXT : system.configure('git')

[git-set/*]
mark quiet
style words
args _...
