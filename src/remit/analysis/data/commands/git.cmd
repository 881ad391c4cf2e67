# git. Options before the sub-command are git's own; a sub-command does not know them.

[git]
mark own
flags -v -h -p --paginate -P --no-pager --no-replace-objects --bare --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs
 --no-optional-locks --no-lazy-fetch --html-path --man-path --info-path --list-cmds
values --namespace --super-prefix --attr-source
-C BEGIN : chdir(BEGIN)
-c SETTING : setting('git-c', SETTING)
--config-env SETTING_ : opaque 'git takes a setting from a variable'
--git-dir REPOSITORY : settings(REPOSITORY), assume('environment')
--work-tree WORK_TREE : chdir(WORK_TREE), assume('environment')
--exec-path PROGRAMS? : opaque 'git runs its programs from a folder that the skill names' if PROGRAMS
env GIT_SSH_COMMAND GIT_SSH GIT_PAGER PAGER GIT_EDITOR EDITOR VISUAL GIT_SEQUENCE_EDITOR GIT_EXTERNAL_DIFF GIT_ASKPASS SSH_ASKPASS
 GIT_PROXY_COMMAND : sh(VALUE)
env GIT_CONFIG* GIT_EXEC_PATH GIT_TEMPLATE_DIR GIT_ALTERNATE* : opaque 'a variable changes what git runs'
out any

# What most commands that show commits or differences take.

[%git-diff]
flags -p -u --patch -s --no-patch -z --raw --patch-with-raw --patch-with-stat --numstat --shortstat --cumulative --check --summary --name-only
 --name-status --compact-summary --binary --full-index -R -a --text -b -W --function-context --find-copies-harder -D --irreversible-delete --renames
 --rename-empty --follow --minimal --ignore-all-space --ignore-space-change --ignore-space-at-eol --ignore-cr-at-eol --ignore-blank-lines
 --indent-heuristic --patience --histogram --exit-code -q --quiet --ita-invisible-in-index --ita-visible-in-index --pickaxe-all --pickaxe-regex
 --default-prefix --root --cc --combined-all-paths --no-diff-merges --dd --remerge-diff -t -r --no-prefix --no-ext-diff --no-textconv
optional -X --dirstat --dirstat-by-file --stat --color --abbrev -B --break-rewrites -M --find-renames -C --find-copies --word-diff --color-words
 --color-moved --relative --ignore-submodules --submodule
values -U --unified -G --stat-width --stat-name-width --stat-graph-width --stat-count --ws-error-highlight --src-prefix --dst-prefix --line-prefix
 --inter-hunk-context --output-indicator-new --output-indicator-old --output-indicator-context -I --ignore-matching-lines --diff-algorithm --anchored
 --word-diff-regex --color-moved-ws --rotate-to --skip-to --find-object --diff-filter --diff-merges --max-depth
-O ORDER : file.read(ORDER)
--output OUT : file.write(OUT)
--ext-diff : opaque 'git runs an external diff program'
--textconv : opaque 'git runs a filter of the repository'

[%git-revisions]
flags --all --not --first-parent --exclude-first-parent-only --merges --no-merges --all-match --invert-grep --regexp-ignore-case --basic-regexp
 --extended-regexp --fixed-strings --perl-regexp --remove-empty --reflog --single-worktree --alternate-refs --indexed-objects --dense --sparse
 --full-history --simplify-merges --simplify-by-decoration --show-pulls --date-order --author-date-order --topo-order --reverse --graph --left-right
 --left-only --right-only --cherry --cherry-mark --cherry-pick --boundary --parents --children --full-diff --log-size --walk-reflogs --merge --bisect
 --ignore-missing --oneline --abbrev-commit --relative-date --in-commit-order --standard-notes --use-mailmap --mailmap --source --clear-decorations
 --stdin --maximal-only --no-decorate
optional --ancestry-path --branches --tags --remotes --glob --notes --show-notes --show-notes-by-default --expand-tabs --decorate --show-linear-break
 --no-walk --do-walk
values --skip --since --until --after --before --since-as-filter --max-age --min-age --author --committer --grep --grep-reflog -L --min-parents
 --max-parents --exclude --exclude-hidden --decorate-refs --decorate-refs-exclude --encoding --date
--format --pretty FORMAT?
--show-signature : process.create('gpg')

[%git-history]
mark numbers negations
use git-diff git-revisions
flags -i -E -F -P -g -c -m -w -v --cached --staged --merge-base -0 -2 -3 --base --ours --theirs --dual-color --always --header --timestamp
 --use-bitmap-index --objects --objects-edge --objects-edge-aggressive --object-names --unpacked --filter-provided-objects --filter-print-omitted
 --exclude-promisor-objects --commit-header --progress --unsorted --bisect-vars --bisect-all --no-commit-id --updateref --rewrite --include-untracked
 --only-untracked --no-object-names
optional --missing --disk-usage
values -S -l --filter --creation-factor
-n --max-count COUNT
-1
--count
do commit.read('.')
out(--count) union(num, '')
out(-1, FORMAT~'(t?format:)?%[hHtT]') union(token, '')
out(COUNT=='1', FORMAT~'(t?format:)?%[hHtT]') union(token, '')
out(-1, FORMAT~'(t?format:)?%[ac]t') union(num, '')
out(COUNT=='1', FORMAT~'(t?format:)?%[ac]t') union(num, '')
out any

[git log, git show, git rev-list, git whatchanged, git diff-tree, git diff-index, git diff-files, git reflog, git range-diff, git stash list, git stash show]
use git-history
args WORD...

# Paths outside the repository are compared as files.
[git diff]
use git-history
--no-index
args(--no-index) FILE... : file.read(tree(FILE))
args WORD... : file.read(tree(only(WORD, '(/|~/|[.][.]/).*')))

[git shortlog]
mark numbers negations
use git-revisions
flags -c -n --numbered -s --summary -e --email -i -E -F -P -1
optional -w
values --group --max-count
args WORD... : file.read(tree(only(WORD, '(/|~/|[.][.]/).*')))
do commit.read('.')
out any

[git blame, git annotate]
mark numbers negations
use git-revisions
flags --incremental -b --root --show-stats --progress --score-debug -f --show-name -n --show-number -p --porcelain --line-porcelain -c -t -l -s -e
 --show-email -w --color-lines --color-by-age --minimal -1
optional -C -M --abbrev
values --ignore-rev --diff-algorithm --max-count
--contents --ignore-revs-file -S FILE : file.read(FILE)
--textconv : opaque 'git runs a filter of the repository'
args WORD... : file.read(tree(only(WORD, '(/|~/|[.][.]/).*')))
do commit.read('.')
out any

[git cherry, git show-branch, git show-ref]
mark numbers negations
flags -v --verbose -a --all -r --remotes --list --no-name --current --sha1-name --merge-base --independent --topo-order --topics --sparse --date-order
 --tags --heads --branches --verify --head -d --dereference -q --quiet --exists
optional --abbrev --color --more -g --reflog -s --hash --exclude-existing
args WORD... : file.read(tree(only(WORD, '(/|~/|[.][.]/).*')))
do commit.read('.')
out any

[git rev-parse]
mark numbers negations
--show-toplevel
--is-inside-work-tree --is-inside-git-dir --is-bare-repository --is-shallow-repository
--abbrev-ref --symbolic --symbolic-full-name _?
--git-dir --git-common-dir --absolute-git-dir --show-cdup --show-prefix --show-superproject-working-tree --parseopt --sq-quote --local-env-vars --shared-index-path _?
--all --branches --tags --remotes --glob --disambiguate PATTERN? : metadata()
--git-path --resolve-git-dir --prefix --default _
flags -q --quiet --verify --revs-only --no-revs --flags --no-flags --not --sq --keep-dashdash --stop-at-non-option --stuck-long --show-ref-format
optional --short --path-format --show-object-format --exclude-hidden
values --exclude --since --after --until --before
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
mark negations
flags -z --missing --batch --missing-ok --ignore-cache-tree
values --prefix
-p _
-m _
-S --gpg-sign _? : process.create('gpg')
-F FILE_ : file.read(FILE_)
args WORD...
do commit.create('.')
out union(token, '')

[git merge-base]
mark negations
flags --octopus --independent --is-ancestor --fork-point
-a --all
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
mark numbers negations
flags --contains --debug --all --tags --long --first-parent --exact-match --always --name-only --stdin --annotate-stdin --undefined --peel-tag
optional --abbrev --dirty --broken
values --candidates --match --exclude --refs
args WORD...
do commit.read('.')
out union(ref, '')

[git status]
mark negations
flags -v --verbose -s --short -b --branch --show-stash --ahead-behind --long -z --null --renames --no-renames
optional --porcelain -u --untracked-files --ignored --ignore-submodules --column -M --find-renames
args WORD...
do commit.read('.')
out any

[git ls-files, git ls-tree]
mark negations
flags -z -t -v -f -c --cached -d --deleted -m --modified -o --others -i --ignored -s --stage -k --killed --directory --eol --empty-directory -u
 --unmerged --resolve-undo --exclude-standard --full-name --recurse-submodules --error-unmatch --debug --deduplicate --sparse -r -l --long --name-only
 --name-status --object-only --full-tree
optional --abbrev
values -x --exclude --exclude-per-directory --with-tree --format
-X --exclude-from FILE : file.read(FILE)
args WORD...
do commit.read('.')
out any

[git for-each-ref, git fsck, git verify-commit, git verify-tag, git diff-pairs]
mark negations
flags -s --shell -p --perl --python --tcl --ignore-case --omit-empty --include-root-refs --stdin -v --verbose --unreachable --dangling --tags --root
 --cache --reflogs --full --connectivity-only --strict --progress --name-objects --references --raw
optional --color --merged --no-merged --contains --no-contains
values --count --format --sort --points-at --exclude --start-after
--lost-found : commit.create('.')
args WORD...
do commit.read('.')
out any

[git grep]
mark numbers negations
flags --index --cached --untracked --exclude-standard --recurse-submodules -v --invert-match -i --ignore-case -w --word-regexp -a --text -I -r
 --recursive -E --extended-regexp -G --basic-regexp -F --fixed-strings -P --perl-regexp -n --line-number --column -h -H --full-name -l
 --files-with-matches --name-only -L --files-without-match -z --null -o --only-matching -c --count --break --heading -p --show-function -W
 --function-context --and --or --not -q --quiet --all-match --ext-grep
optional --color
values --max-depth -C --context -B --before-context -A --after-context --threads -m --max-count
-O --open-files-in-pager PAGER_? : sh(PAGER_) if PAGER_, opaque 'git opens a pager'
-f LIST : file.read(LIST)
-e _
--textconv : opaque 'git runs a filter of the repository'
--no-index : file.read(tree('.')) if not PATH
args(--no-index, -e|-f) PATH... : file.read(tree(PATH))
args(--no-index) PATTERN PATH... : file.read(tree(PATH))
args WORD...
do commit.read('.')
out any

[git count-objects, git var, git check-ignore, git check-attr, git check-ref-format, git column, git stripspace]
mark negations
flags -v --verbose -H --human-readable -l -q --quiet --stdin -n --non-matching -z --index --no-index -a --all --cached --normalize --allow-onelevel
 --refspec-pattern --branch --print -s --strip-comments -c --comment-lines
optional --mode
values --source --command --raw-mode --width --indent --nl --padding
args WORD...
do metadata()
out any

[git help, git version]
mark negations
flags -a --all --external-commands --aliases --exclude-guides -m --man -i --info -v --verbose -g --guides --user-interfaces --developer-interfaces -c
 --config --config-for-completion --config-sections-for-completion --build-options
-w --web : web.interact()
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
mark negations
flags --push --all
args WORD...
do metadata()
out any

[git remote show]
mark negations
-n
args REMOTE... : remote(REMOTE) if not -n
do metadata()
out any

[git remote update, git remote prune]
mark negations
flags -p --prune -n --dry-run
args REMOTE... : remote(REMOTE)
do web.fetch() if not REMOTE, file.write(under('.git'))
out any

[git remote add]
mark negations
flags --tags
optional --mirror
-f --fetch : remote(URL)
-t --track -m --master _
args NAME URL : file.write(under('.git')), opaque 'a transport of git is a command' if URL~'ext::.*'

[git remote set-url]
mark negations
flags --push --add --delete
args WORD... : opaque 'a transport of git is a command' if WORD~'ext::.*'
do file.write(under('.git'))

[git remote remove, git remote rm, git remote rename, git remote set-branches]
mark negations
flags --progress --add
args WORD...
do file.write(under('.git'))

[git remote set-head]
mark negations
flags -d --delete
-a --auto : remote(REMOTE)
args REMOTE WORD...
do file.write(under('.git'))

[git add, git stage]
-u --update -A --all : file.read(under('.'))
flags -n --dry-run -v --verbose -f --force -i --interactive -p --patch -e --edit --no-ignore-removal --ignore-removal --no-all -N --intent-to-add --refresh --ignore-errors --ignore-missing --renormalize --sparse --pathspec-file-nul
values --chmod
--pathspec-from-file FILE : file.read(FILE)
args PATH... : file.read(tree(PATH))
do commit.create('.')
out any

[git update-index]
mark negations
flags -q --add --replace --remove --unmerged --refresh --really-refresh --assume-unchanged --no-assume-unchanged --skip-worktree --no-skip-worktree
 --ignore-skip-worktree-entries --info-only --force-remove -z --stdin --index-info --unresolve -g --again --ignore-missing --verbose
 --clear-resolve-undo --split-index --force-untracked-cache --force-write-index --fsmonitor --fsmonitor-valid
 --no-fsmonitor-valid --show-index-version
optional --ignore-submodules
values --chmod --index-version --cacheinfo
--pathspec-from-file FILE : file.read(FILE)
--untracked-cache --test-untracked-cache : file.write(under('.')), file.delete(under('.'))
args WORD... : file.read(WORD)
do commit.create('.')
out any

[git notes, git replace, git update-ref, git pack-refs, git gc, git prune, git repack, git rerere, git multi-pack-index]
mark negations
flags -f --force --allow-empty --stdin -v --verbose -q --quiet --commit --abort --ignore-missing -n --dry-run -l --list -d --delete -e --edit -g
 --graft --convert-graft-file --raw --no-deref --deref -z --create-reflog --all --auto-pack --cruft --aggressive --auto --keep-largest-pack --progress
 --exclude-promisor-objects -a -A -b --write-bitmap-index --local -i --delta-islands -k --keep-unreachable --pack-kept-objects --write-midx
 --rerere-autoupdate --bitmap --no-stripspace --stripspace --detach
optional --prune --separator
values --ref -m --message -c --reedit-message -C --reuse-message --for-rewrite -s --strategy --format --expire --cruft-expiration --max-cruft-size
 --unpack-unreachable --window --window-memory --depth --threads --max-pack-size --keep-pack --geometric --filter --preferred-pack --batch-size
 --include --exclude
-F --file FILE : file.read(FILE)
--object-dir STORE : file.write(tree(STORE))
--expire-to STORE_ : file.write(series(STORE_))
args WORD...
do commit.create('.')
out any

[git read-tree]
mark negations
flags --empty -v --verbose -m --trivial --aggressive -i -n --dry-run --sparse-checkout --debug-unpack -q --quiet
optional --prefix --recurse-submodules
values --exclude-per-directory
-u --reset : file.write(under('.')), file.delete(under('.'))
--index-output OUT : file.write(OUT)
args WORD...
do commit.create('.')

[git fast-export]
mark numbers negations
use git-diff git-revisions
flags --fake-missing-tagger --full-tree --use-done-feature --data --no-data --anonymize --reference-excluded-parents --show-original-ids --mark-tags
 -1
optional --anonymize-map
values --progress --signed-tags --signed-commits --tag-of-filtered-object --reencode --refspec -n --max-count
--export-marks OUT : file.write(OUT)
--import-marks --import-marks-if-exists FILE : file.read(FILE)
args WORD...
do commit.read('.')
out any

[git pack-objects]
mark negations
flags -q --quiet --progress --all-progress --all-progress-implied --local --incremental --reuse-delta --reuse-object --delta-base-offset --non-empty
 --revs --unpacked --all --reflog --indexed-objects --stdin-packs --stdout --include-tag --keep-unreachable --pack-loose-unreachable --cruft --sparse
 --thin --shallow --honor-pack-keep --keep-true-parents --use-bitmap-index --write-bitmap-index --exclude-promisor-objects --delta-islands
optional --unpack-unreachable --cruft-expiration
values --index-version --max-pack-size --window --window-memory --depth --threads --keep-pack --compression --filter --missing --uri-protocol
args WORD... : file.write(series(WORD))
do commit.create('.')
out any

[git maintenance]
do commit.create('.')

[git maintenance run, git maintenance is-needed]
mark negations
flags --auto --quiet --detach
values --schedule --task
do commit.create('.')

[git maintenance start, git maintenance stop, git maintenance register, git maintenance unregister]
mark negations
flags -f --force
values --scheduler
--config-file FILE : file.write(FILE)
do schedule.create(), file.write(series('~/.gitconfig'))

[git reflog expire, git reflog delete, git reflog drop, git reflog exists, git stash drop, git stash clear, git stash create, git stash store]
mark negations
flags -n --dry-run --rewrite --updateref --verbose --stale-fix --all --single-worktree -q --quiet
values --expire --expire-unreachable -m --message
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
-a --all : file.read(under('.'))
flags -p --patch -v --verbose -q --quiet --amend --allow-empty --allow-empty-message --no-edit -n --no-verify --reset-author -s --signoff
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
mark negations
flags -i --interactive -b --binary -3 --3way -q --quiet -s --signoff -u --utf8 -k --keep --keep-non-patch -m --message-id --keep-cr --no-keep-cr -c
 --scissors --ignore-space-change --ignore-whitespace --reject --continue -r --resolved --skip --abort --quit --allow-empty
 --committer-date-is-author-date --ignore-date --rerere-autoupdate -n --no-verify --verify
optional --show-current-patch --retry -S --gpg-sign
values --quoted-cr --whitespace --directory --exclude --include -C -p --patch-format --resolvemsg --empty
args FILE... : file.read(tree(FILE))
do commit.create('.'), file.write('.'), file.write(under('.')), file.delete(under('.'))
out any

[git merge]
mark negations
flags -n --stat --summary --squash --commit -e --edit --ff --no-ff --ff-only --rerere-autoupdate --verify-signatures -v --verbose -q --quiet --abort
 --quit --continue --allow-unrelated-histories --progress --autostash --overwrite-ignore --signoff --verify --no-verify --compact-summary
optional --log -S --gpg-sign
values --cleanup -s --strategy -X --strategy-option -m --message --into-name
-F --file FILE : file.read(FILE)
args WORD...
do commit.create('.'), file.write('.'), file.write(under('.')), file.delete(under('.'))
out any

[git rebase]
mark negations
flags --keep-base --verify --no-verify -q --quiet -v --verbose -n --stat --no-stat --signoff --committer-date-is-author-date --reset-author-date
 --ignore-date --ignore-whitespace -f --force-rebase --ff --no-ff --continue --skip --abort --quit --edit-todo --show-current-patch --apply -m --merge
 -i --interactive -p --preserve-merges --rerere-autoupdate -k --keep-empty --autosquash --update-refs --autostash --allow-empty-message --fork-point
 --root --reschedule-failed-exec --reapply-cherry-picks
optional -r --rebase-merges -S --gpg-sign
values --onto -C --whitespace --empty -s --strategy -X --strategy-option --trailer
-x --exec COMMAND : sh(COMMAND)
args WORD...
do commit.create('.'), file.write('.'), file.write(under('.')), file.delete(under('.'))
out any

[git cherry-pick, git revert]
mark negations
flags --quit --continue --abort --skip -n --commit --no-commit -e --edit -s --signoff --rerere-autoupdate -x --ff --allow-empty --allow-empty-message
 --keep-redundant-commits --reference -r
optional -S --gpg-sign
values --cleanup -m --mainline --strategy -X --strategy-option --empty
args WORD...
do commit.create('.'), file.write('.'), file.write(under('.')), file.delete(under('.'))
out any

[git stash, git stash push, git stash pop, git stash apply, git stash save, git stash branch]
mark negations
flags -k --keep-index -S --staged -p --patch -q --quiet -u --include-untracked -a --all --pathspec-file-nul --index
values -m --message
--pathspec-from-file FILE : file.read(FILE)
args WORD...
do commit.create('.'), file.write('.'), file.write(under('.')), file.delete(under('.'))
out any

[git push]
mark negations
flags -v --verbose -q --quiet --all --branches --mirror -d --delete --tags -n --dry-run --porcelain -f --force --force-if-includes --thin -u
 --set-upstream --progress --prune --verify --no-verify --follow-tags --atomic -4 --ipv4 -6 --ipv6
optional --force-with-lease --recurse-submodules --signed
values -o --push-option
--receive-pack --exec COMMAND : sh(COMMAND)
--repo REPO : commit.push(REPO)
args REMOTE REF... : commit.push(REMOTE)
do commit.push() if not REMOTE

[git clone]
flags -l --local -s --shared --no-hardlinks -n --no-checkout --dissociate --single-branch --no-single-branch --no-tags --shallow-submodules
 --no-shallow-submodules --remote-submodules --sparse -q --quiet -v --verbose --progress --no-local --reject-shallow --also-filter-submodules
 -4 -6 --no-recurse-submodules
values --depth -b --branch -o --origin --shallow-since --shallow-exclude --filter -j --jobs
 --server-option --revision
--recurse-submodules --recursive _? : web.fetch()
--reference --reference-if-able OTHER : file.read(tree(OTHER))
--separate-git-dir GIT_DIR : file.write(tree(GIT_DIR)), settings(GIT_DIR)
--bundle-uri BUNDLE : remote(BUNDLE)
--template DIR : opaque 'git copies hooks from a folder'
-u --upload-pack COMMAND : sh(COMMAND), opaque 'git runs a program on the repository'
--bare --mirror : file.write(tree(ending(basename(URL), '.git=.git', '=.git'))) if not DIR
-c --config SETTING : setting('git-c', SETTING)
args URL DIR : remote(URL), file.read(tree(local(URL))), file.write(tree(DIR)), file.write(tree(ending(basename(URL), '.git=', '.bundle='))) if not DIR,
 file.write(tree(basename(dirname(URL)))) if not DIR and URL~'.*/[.]git'

[git ls-remote]
mark negations
flags -q --quiet -t --tags -h --heads -b --branches --refs --exit-code --symref
values --sort -o --server-option
--upload-pack --exec COMMAND : sh(COMMAND)
--get-url
args REMOTE WORD... : remote(REMOTE)
do web.fetch() if not REMOTE
out any

[git fetch]
mark negations
flags -v --verbose -q --quiet --all --set-upstream -a --append --atomic -f --force -m --multiple -t --tags -n -p --prune -P --prune-tags --dry-run
 --write-fetch-head -k --keep -u --update-head-ok --progress --unshallow --refetch --update-shallow -4 --ipv4 -6 --ipv6 --negotiate-only
 --auto-maintenance --auto-gc --show-forced-updates --write-commit-graph --stdin --prefetch --porcelain
optional --recurse-submodules
values --depth --deepen --shallow-since --shallow-exclude --negotiation-tip -j --jobs --refmap --filter --submodule-prefix
 --recurse-submodules-default -o --server-option
--upload-pack COMMAND : sh(COMMAND)
args REMOTE WORD... : remote(REMOTE)
do web.fetch() if not REMOTE, file.write(under('.git'))
out any

[git pull]
mark negations
flags -v --verbose -q --quiet --progress -n --stat --summary --commit --edit -e --ff --ff-only --verify --no-verify --verify-signatures --autostash
 --allow-unrelated-histories --all -a --append -f --force -t --tags -p --prune --dry-run -k --keep --unshallow --update-shallow -4 --ipv4 -6 --ipv6
 --show-forced-updates --set-upstream --compact-summary
optional --recurse-submodules --log --signoff -j --jobs -S --gpg-sign
values --depth --deepen --shallow-since --shallow-exclude -s --strategy -X --strategy-option --cleanup --refmap -o --server-option --negotiation-tip
 --filter
--upload-pack COMMAND : sh(COMMAND)
-r --rebase REBASE? : commit.create('.') if not REBASE~'false|no'
--no-ff --squash : commit.create('.')
args REMOTE WORD... : remote(REMOTE)
do file.write('.'), file.write(under('.')), file.delete(under('.')), web.fetch() if not REMOTE
out any

[git sparse-checkout]
mark negations
flags --cone --sparse-index --skip-checks
--stdin
args WORD...
do file.write('.'), file.write(under('.')), file.delete(under('.'))
out any

[git submodule]
flags -q --quiet
args WORD...
do web.fetch(), file.write('.'), file.write(under('.')), file.delete(under('.'))
out any

[git submodule update, git submodule add]
mark negations
flags -q --quiet -f --force --init --remote -N --no-fetch --checkout --recommend-shallow --recursive --single-branch --progress --dissociate
 --require-init
values -b --branch --depth --name -j --jobs --filter --ref-format
--rebase --merge : commit.create('.')
--reference STORE : file.read(tree(STORE))
args WORD...
do web.fetch(), file.write(under('.')), file.delete(under('.'))
out any

[git submodule init, git submodule sync, git submodule deinit, git submodule set-url, git submodule set-branch, git submodule absorbgitdirs]
mark negations
flags -q --quiet -f --force --all --recursive -d --default
values -b --branch
args WORD...
do file.write(under('.')), file.delete(under('.'))
out any

[git lfs, git lfs pull, git lfs fetch, git lfs checkout]
mark negations
flags -r --recent -a --all -p --prune --ours --theirs --base --refetch -d --dry-run -j --json --stdin
values -I --include -X --exclude
--to OUT : file.write(OUT)
args WORD...
do web.fetch(), file.write(under('.')), file.delete(under('.'))
out any

[git lfs migrate]
mark negations
flags --everything --skip-fetch --verbose --yes --no-rewrite --fixup
values -I --include -X --exclude --include-ref --exclude-ref --above --top --unit --pointers -m --message --remote
--object-map OUT : file.write(OUT)
args WORD...
do web.fetch(), commit.create('.'), file.write(under('.')), file.delete(under('.'))
out any

[git lfs install, git lfs uninstall, git lfs update]
mark negations
flags -f --force -l --local -w --worktree -m --manual -s --skip-smudge --skip-repo --system
--file FILE : file.write(FILE)
args WORD...
do file.write(under('.git')), hook.install('.git/hooks')

[git lfs track, git lfs untrack]
mark negations
flags -v --verbose -d --dry-run --filename -l --lockable --not-lockable --no-excluded --no-modify-attrs -j --json
args WORD...
do file.write('.gitattributes')
out any

[git subtree]
mark negations
flags -q --quiet -d --debug --ignore-joins --rejoin --squash
optional -S --gpg-sign
values -P --prefix -b --branch -m --message --onto --annotate
args WORD... : commit.push() if WORD~'push'
do web.fetch(), commit.create('.'), file.write(under('.')), file.delete(under('.'))
out any

[git subtree push]
mark negations
flags -q --quiet -d --debug --ignore-joins --rejoin --squash
optional -S --gpg-sign
values -P --prefix -b --branch -m --message --onto --annotate
args WORD...
do commit.push()

[git lfs push]
mark negations
flags -d --dry-run --all --object-id --stdin
args REMOTE WORD... : commit.push(REMOTE)

[git submodule status, git submodule summary, git lfs ls-files, git lfs status, git lfs env]
mark negations
flags -q --quiet --cached --recursive --files -l --long -s --size -d --debug -a --all --deleted -n --name-only -j --json -p --porcelain
values --summary-limit -I --include -X --exclude
args WORD...
do commit.read('.')
out any

[git submodule foreach]
style posix
flags --recursive -q --quiet
args COMMAND... : chdir(under('.')), sh(COMMAND)

[git bisect]
do commit.read('.')

[git bisect run]
style posix
args COMMAND... : run(COMMAND)
do commit.create('.'), file.write(under('.'))

[git bisect start, git bisect good, git bisect bad, git bisect reset, git bisect skip, git bisect new, git bisect old, git bisect next]
mark negations
flags --no-checkout --first-parent
values --term-new --term-bad --term-old --term-good
args WORD...
do commit.create('.'), file.write(under('.')), file.delete(under('.'))

[git bisect log, git bisect view, git bisect visualize]
args WORD...
do commit.read('.')

[git archive]
mark numbers negations
flags --worktree-attributes -v --verbose -l --list
values --format --prefix --add-virtual-file --mtime
-o --output OUT : file.write(OUT)
--remote REMOTE : remote(REMOTE)
--exec COMMAND : sh(COMMAND)
--add-file FILE : file.read(FILE)
args WORD...
do commit.read('.')
out any

[git bundle]
do commit.read('.')

[git bundle create]
mark numbers negations
use git-revisions
flags -q --quiet --progress --all-progress --all-progress-implied -1
values --version -n --max-count --filter
args OUT WORD... : file.write(series(OUT)), file.delete(series(OUT))
do commit.read('.')

[git bundle verify, git bundle list-heads, git bundle unbundle]
mark negations
flags -q --quiet --progress
args FILE WORD... : file.read(FILE)
do commit.create('.')

[git worktree]

[git worktree list]
mark negations
flags --porcelain -z -v --verbose
values --expire
do metadata()
out any

[git worktree add]
flags -f --force -d --detach --checkout --no-checkout --lock -q --quiet --track --no-track --guess-remote --no-guess-remote --orphan
values --reason
-b -B _ : commit.create('.')
args DIR WORD... : file.write(tree(DIR))
do file.write(under('.git'))

[git worktree remove]
mark negations
flags -f --force
args DIR... : file.delete(tree(DIR))
do file.write(under('.git'))

[git worktree move]
mark negations
flags -f --force --relative-paths
args SRC DST : file.delete(tree(SRC)), file.write(tree(DST))
do file.write(under('.git'))

[git worktree prune, git worktree lock, git worktree unlock, git worktree repair]
mark negations
flags -n --dry-run -v --verbose --relative-paths
values --expire --reason
args DIR...
do file.write(under('.git'))

[git filter-branch]
args WORD...
do opaque 'git filter-branch runs shell text'

[git checkout, git switch]
mark negations
flags -l --guess --overlay -q --quiet --progress -m --merge -d --detach --overwrite-ignore --ignore-other-worktrees -2 --ours -3 --theirs
 --ignore-skip-worktree-bits --pathspec-file-nul --auto-advance
optional --recurse-submodules -t --track
values --conflict -U --unified --inter-hunk-context
-b -B -c -C --orphan --create --force-create NAME
-f --force --discard-changes -p --patch : file.write(under('.')), file.delete(under('.'))
--pathspec-from-file FILE : file.read(FILE), file.write(under('.')), file.delete(under('.'))
args(-b) START... : file.write(under('.')), file.delete(under('.'))
args WORD... : file.write(under('.')), file.delete(under('.'))
do commit.create('.')

[git checkout-index]
mark negations
flags --ignore-skip-worktree-bits -f --force -q --quiet -n --no-create --create -u --index -z
values --stage
--prefix PREFIX : file.write(series(PREFIX)), file.write(under(PREFIX))
-a --all --stdin : file.write(under('.')) if not --prefix
--temp : file.write(under('.'))
args WORD... : file.write(tree(WORD)) if not --prefix

[git restore]
mark negations
flags --ignore-unmerged --overlay -q --quiet --progress -m --merge -2 --ours -3 --theirs --ignore-skip-worktree-bits --pathspec-file-nul
optional --recurse-submodules
values -s --source --conflict -U --unified --inter-hunk-context
--pathspec-from-file FILE : file.read(FILE), file.write(under('.')), file.delete(under('.'))
-p --patch : file.write(under('.')), file.delete(under('.')), file.read(under('.'))
-S --staged
-W --worktree
args(-S, not -W) WORD... : commit.create('.')
args WORD... : file.write(tree(WORD)), file.delete(tree(WORD))

[git reset]
mark negations
flags -q --quiet --refresh --mixed --soft -p --patch -N --intent-to-add --pathspec-file-nul
optional --recurse-submodules
values -U --unified --inter-hunk-context
--hard --merge --keep : file.write(under('.')), file.delete(under('.'))
--pathspec-from-file FILE : file.read(FILE)
args WORD...
do commit.create('.')

[git clean, git rm]
mark negations
flags -q --quiet -n --dry-run -f --force -i --interactive -d -x -X --cached -r --ignore-unmatch --sparse --pathspec-file-nul
values -e --exclude
--pathspec-from-file FILE : file.read(FILE)
args PATH... : file.delete(tree(PATH))
do commit.create('.'), file.delete(under('.')) if not PATH

[git init, git init-db]
flags -q --quiet
--bare : file.write(under('.')) if not DIR
--separate-git-dir STORE : file.read(STORE), file.write(tree(STORE)), settings(STORE)
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
-f --file FILE : file.read(FILE), file.write(FILE) if VALUE_, file.write(FILE) if --unset, file.write(suffix(FILE, '.lock')) if VALUE_, file.delete(suffix(FILE, '.lock')) if VALUE_
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
mark negations
flags --global --system --local --worktree --all --regexp --fixed-value -z --null --name-only --show-origin --show-scope --show-names --includes
 --bool --int --bool-or-int --bool-or-str --path --expiry-date
values --blob --value --default --type --url
-f --file FILE : file.read(FILE)
args KEY...
do metadata()
out any

[git config set, git config unset, git config remove-section, git config rename-section, git config edit]
mark negations
flags --local --worktree --all --append --fixed-value --bool --int --bool-or-int --bool-or-str --path --expiry-date
values --value --type --comment
--global
--system
-f --file FILE : file.write(FILE)
args KEY VALUE_... : setting('git-set', KEY, VALUE_)
do file.write(under('.git')) if not --global|--system|-f, file.write(series('~/.gitconfig')) if --global, file.write(series('/etc/gitconfig')) if --system

[git credential, git credential-store, git credential-cache, git credential-osxkeychain]
mark negations
values --timeout
--file STORE : file.read(STORE), file.write(STORE)
--socket PIPE : file.write(PIPE)
args WORD...
do secret.read('git'), secret.write('git')
out any

[git send-email, git imap-send]
mark negations
flags -v --verbose -q --quiet --curl --annotate --compose --thread --chain-reply-to --force --dry-run --validate --suppress-from --signed-off-by-cc
 --cc-cover --to-cover --xmailer --format-patch --smtp-ssl --use-mailmap --list
values --to --cc --bcc --from --subject --in-reply-to --reply-to --identity --smtp-user --smtp-pass --smtp-server-port --smtp-encryption --smtp-domain
 --smtp-auth --smtp-debug --smtp-server-option --envelope-sender --confirm --suppress-cc --transfer-encoding --8bit-encoding --compose-encoding
 --batch-size --relogin-delay -f --folder
--to-cmd --cc-cmd --header-cmd --sendmail-cmd COMMAND : sh(COMMAND)
--smtp-server SERVER : sh(SERVER) if SERVER~'[/.~].*', net.connect(but(SERVER, '[/.~].*'))
--smtp-ssl-cert-path FILE_ : file.read(FILE_)
args FILE... : file.read(FILE)
do message.send()

[git format-patch]
mark numbers negations
use git-diff git-revisions
flags -n --numbered -N --cover-letter --numbered-files --signoff -k --keep-subject --zero-commit --ignore-if-in-upstream --progress
 --force-in-body-from -i -1
optional --from --attach --inline --thread --base --rfc --commit-list-format
values --suffix --start-number -v --reroll-count --filename-max-length --cover-from-description --subject-prefix --add-header --to --in-reply-to
 --signature --interdiff --range-diff --creation-factor --max-count
-o --output-directory DIR : file.write(under(DIR))
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
do commit.read('.'), commit.create('.')

# Settings. `git -c key=value` holds for one command, `git config` for later ones. Keys are matched in small letters.

[git-c/core.pager, git-c/core.sshcommand, git-c/core.gitproxy, git-c/merge.*.driver, git-c/filter.*, git-c/credential.helper, git-c/credential.*.helper, git-c/pager.*, git-c/difftool.*, git-c/mergetool.*, git-c/uploadpack.packobjectshook, git-c/sendemail.*, git-c/man.*, git-c/browser.*, git-c/remote.*.uploadpack, git-c/remote.*.receivepack, git-c/tar.*.command, git-c/gpg.ssh.defaultkeycommand, git-c/submodule.*.update, git-c/imap.tunnel, git-c/gc.recentobjectshook, git-c/hook.*, git-c/lfs.customtransfer.*, git-c/lfs.extension.*]
mark quiet
style words
args TEXT : sh(TEXT) if not TEXT~'(true|false|checkout|rebase|merge|none|cat|less|more|vi|vim|nano|osxkeychain|store|cache( --timeout[= ][0-9]+)?|manager|wincred|manager-core|0|1|on|off|)'

# git runs these with words of its own.
[git-c/core.editor, git-c/core.fsmonitor, git-c/core.askpass, git-c/sequence.editor, git-c/diff.external, git-c/diff.*.command, git-c/diff.*.textconv, git-c/gpg.program, git-c/gpg.*.program, git-c/interactive.difffilter, git-c/trailer.*.command, git-c/trailer.*.cmd]
mark quiet
style words
args TEXT : sh(suffix(TEXT, ' "$@"'), token) if not TEXT~'(true|false|checkout|rebase|merge|none|cat|less|more|vi|vim|nano|osxkeychain|store|cache( --timeout[= ][0-9]+)?|manager|wincred|manager-core|0|1|on|off|)'

[git-c/alias.*]
mark quiet
style words
args TEXT : opaque 'a git alias is defined for one command'

[git-c/core.hookspath]
mark quiet
style words
args TEXT : script('', join(TEXT, seg)) if not TEXT~'(/dev/null|)'

[git-c/protocol.ext.allow, git-c/protocol.allow, git-set/protocol.ext.allow, git-set/protocol.allow]
mark quiet
style words
args TEXT : opaque 'git may fetch by a transport that is a command' if not TEXT~'(never|)'

[git-c/init.templatedir, git-c/include.path, git-c/includeif.*, git-c/core.worktree, git-c/core.attributesfile, git-c/protocol.*, git-c/core.alternaterefscommand]
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

[git-set/core.pager, git-set/pager.*, git-set/merge.*.driver]
mark quiet
style words
args TEXT : hook.install('.git/config') if not TEXT~'[\w.-]*( --?\w[\w-]*)*',
 sh(TEXT) if not TEXT~'(true|false|cat|less( -\w+)*|more|vi|vim|nvim|nano|emacs|code( --wait)?|delta|diff-so-fancy|0|1|on|off|)'

# git runs these with words of its own.
[git-set/core.editor, git-set/sequence.editor, git-set/diff.external, git-set/diff.*.command, git-set/diff.*.textconv]
mark quiet
style words
args TEXT : hook.install('.git/config') if not TEXT~'[\w.-]*( --?\w[\w-]*)*',
 sh(suffix(TEXT, ' "$@"'), token) if not TEXT~'(true|false|cat|less( -\w+)*|more|vi|vim|nvim|nano|emacs|code( --wait)?|delta|diff-so-fancy|0|1|on|off|)'

[git-set/core.sshcommand, git-set/filter.*, git-set/core.gitproxy, git-set/difftool.*, git-set/mergetool.*, git-set/uploadpack.*, git-set/trailer.*, git-set/gpg.ssh.defaultkeycommand, git-set/remote.*.uploadpack, git-set/remote.*.receivepack, git-set/core.alternaterefscommand, git-set/tar.*.command, git-set/submodule.*.update, git-set/imap.tunnel, git-set/gc.recentobjectshook, git-set/hook.*, git-set/lfs.customtransfer.*, git-set/lfs.extension.*, git-set/man.*, git-set/browser.*]
mark quiet
style words
args TEXT : hook.install('.git/config'), sh(TEXT) if not TEXT~'(true|false|checkout|rebase|merge|none|git-lfs( [\w-]+)*( -- %f)?|ssh-keygen|gpg2?|/usr/bin/gpg2?|vimdiff|meld|kdiff3|opendiff|code( --wait.*)?|0|1|on|off|)'

# git runs these with words of its own.
[git-set/core.fsmonitor, git-set/core.askpass, git-set/gpg.program, git-set/interactive.difffilter, git-set/gpg.*.program]
mark quiet
style words
args TEXT : hook.install('.git/config'), sh(suffix(TEXT, ' "$@"'), token) if not TEXT~'(true|false|checkout|rebase|merge|none|git-lfs( [\w-]+)*( -- %f)?|ssh-keygen|gpg2?|/usr/bin/gpg2?|vimdiff|meld|kdiff3|opendiff|code( --wait.*)?|0|1|on|off|)'

[git-set/core.hookspath]
mark quiet
style words
args TEXT : hook.install('.git/config'), script('', join(TEXT, seg)) if not TEXT~'(/dev/null|)'

[git-set/init.templatedir, git-set/include.path, git-set/includeif.*, git-set/core.attributesfile, git-set/core.worktree, git-set/trace2.*]
mark quiet
style words
args TEXT : hook.install('.git/config'), opaque 'a git setting names files with commands' if not TEXT~'(/dev/null|)'

[git-set/alias.*]
mark quiet
style words
args TEXT : hook.install('.git/config')

[git-set/credential.*]
mark quiet
style words
args TEXT : hook.install('.git/config') if TEXT~'[!/].*', sh(TEXT) if TEXT~'[!/].*'

[git-set/http.*, git-set/https.*, git-set/url.*, git-set/protocol.*]
mark quiet
style words
args TEXT : system.configure('git')

[git-set/*]
mark quiet
style words
args _...
