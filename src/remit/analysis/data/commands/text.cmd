# Filters and searchers.

[grep, egrep, fgrep, ggrep, zgrep, bzgrep, xzgrep, zegrep]
mark numbers
flags -E --extended-regexp -F --fixed-strings -G --basic-regexp -P --perl-regexp -i --ignore-case -y --no-ignore-case -v --invert-match
 -w --word-regexp -x --line-regexp -L --files-without-match -l --files-with-matches -o --only-matching -q --quiet --silent -s
 --no-messages -b --byte-offset -H --with-filename -h --no-filename -n --line-number -T --initial-tab -Z --null -z --null-data -a --text -I
 -U --binary --line-buffered -u -V --no-group-separator
optional --color --colour
values -m --max-count --label -A --after-context -B --before-context -C --context --binary-files -D --devices --exclude
 --exclude-dir --include --group-separator
--exclude-from LIST : file.read(LIST)
-e --regexp PATTERN
-f --file LIST_ : file.read(LIST_)
-r -R --recursive --dereference-recursive
-d --directories ACTION
-c --count
args(-e|-f, -r|-d) FILE... : file.read(tree(FILE))
args(-e|-f) FILE... : file.read(FILE)
args(-r|-d) PATTERN FILE... : file.read(tree(FILE))
args PATTERN FILE... : file.read(FILE)
do file.read(tree('.')) if -r and not FILE, file.read(tree('.')) if -d and not FILE
out(-c, not -r, not -d) number(FILE)
out(FILE) picked(content(FILE))
out picked(STDIN)

[rg, ripgrep]
flags -i --ignore-case -S --smart-case -s --case-sensitive -v --invert-match -w --word-regexp -x --line-regexp -c --count --count-matches
 -l --files-with-matches --files-without-match -o --only-matching -q --quiet -n --line-number -N --no-line-number -H --with-filename -I
 --no-filename --hidden -. --no-ignore -u --unrestricted -U --multiline --multiline-dotall -P --pcre2 -F --fixed-strings -a --text
 --json --heading --no-heading --column -p --pretty --trim --vimgrep -L --follow --null -0 --stats --debug --no-messages --passthru
 --no-ignore-vcs --type-list -z --search-zip --no-config --one-file-system --line-buffered --crlf --no-ignore-parent
values -A --after-context -B --before-context -C --context -g --glob --iglob -t --type -T --type-not --type-add -m --max-count
 --max-depth -d -M --max-columns -j --threads --color --colors --sort --sortr -r --replace -E --encoding --max-filesize --engine
 --path-separator --context-separator
--pre COMMAND : run(COMMAND)
--ignore-file LIST : file.read(LIST)
--hostname-bin COMMAND_ : run(COMMAND_)
-e --regexp PATTERN
-f --file LIST_ : file.read(LIST_)
--files
args(-e|-f|--files) FILE... : file.read(tree(FILE))
args PATTERN FILE... : file.read(tree(FILE))
do file.read(tree('.')) if not FILE
env RIPGREP_CONFIG_PATH : opaque 'ripgrep reads its options from a file'
out <file>

[sed, gsed]
mark bsd
flags -n --quiet --silent -E -r --regexp-extended --debug --follow-symlinks --posix -s --separate -u --unbuffered -z --null-data
 --sandbox -a
values -l --line-length
-e --expression SCRIPT : program('sed', SCRIPT)
-f --file SCRIPT_FILE : file.read(SCRIPT_FILE), script('sed', SCRIPT_FILE)
-i --in-place SUFFIX? : file.write(series(FILE)) if SUFFIX~'.+', file.write() if SUFFIX~'.*[*/].*'
-I SUFFIX_ : file.write(FILE)
args(-e|-f, -i) FILE... : file.read(FILE), file.write(FILE)
args(-e|-f) FILE... : file.read(FILE)
args(-i) SCRIPT FILE... : program('sed', SCRIPT), file.read(FILE), file.write(FILE)
args SCRIPT FILE... : program('sed', SCRIPT), file.read(FILE)
out(-f) any
out(FILE) picked(content(FILE), SCRIPT)
out picked(STDIN, SCRIPT)

[awk, gawk, mawk, nawk, original-awk]
style posix
flags -b --characters-as-bytes -c --traditional -C --copyright -g --gen-pot -n --non-decimal-data -N --use-lc-numeric -O --optimize -P
 --posix -r --re-interval -S --sandbox -t --lint-old -V --csv -s --no-optimize
optional -D --debug -L --lint
-W OPTION : opaque 'awk takes a program or an option in another spelling' if not OPTION~'i|interactive|v|version|posix|posix_space|dump|help|lint|traditional|sprintf=[0-9]+|random=[0-9]+'
-d --dump-variables -o --pretty-print -p --profile OUT? : file.write(OUT), file.write(under('.')) if not OUT
-F --field-separator MARK
-v --assign ASSIGNED
flags -M --bignum
-f --file SCRIPT_FILE : file.read(SCRIPT_FILE), script('awk', SCRIPT_FILE)
-E --exec SCRIPT_FILE_ : file.read(SCRIPT_FILE_), script('awk', SCRIPT_FILE_)
-e --source SCRIPT : program('awk', SCRIPT)
-i --include LIBRARY : opaque 'awk includes a library'
-l --load LIBRARY_ : opaque 'awk loads a library'
args(-f|-e|-E) FILE... : file.read(FILE)
args SCRIPT FILE... : program('awk', SCRIPT), file.read(FILE)
env AWKPATH AWKLIBPATH : opaque 'a variable says where awk finds its libraries'
out(SCRIPT~'END *\{ *print NR *;? *\}|\{ *([a-z]+) *\+= *\$\d+ *;? *\} *END *\{ *print +\1 *(\+ *0)? *;? *\}|BEGIN *\{ *printf *\(? *"%[0-9.]*[dfegi](\\n)?" *,[^;{}"]*\}') union(num, '')
out(SCRIPT~'[^{}]*\{ *print +\$1 *;? *\}', not -F, not FILE) first(STDIN, '')
out(-f|-E) any
out(FILE) picked(content(FILE), SCRIPT, ASSIGNED)
out picked(STDIN, SCRIPT, ASSIGNED)

[jq, gojq, jaq]
flags -c --compact-output -r --raw-output -j --join-output -a --ascii-output -S --sort-keys -M --monochrome-output --tab
 --unbuffered -s --slurp --stream --stream-errors -e --exit-status -R --raw-input --raw-output0 -h --build-configuration --arrays
 --yaml-input
-C --color-output --seq --yaml-output -y
values --indent
-n --null-input
--arg NAME VALUE_
--argjson NAME_ VALUE__
--slurpfile --rawfile --argfile NAME__ FILE_ : file.read(FILE_)
--args --jsonargs
-f --from-file SCRIPT_FILE : file.read(SCRIPT_FILE), program('jq', content(SCRIPT_FILE))
-L --library-path DIR : file.read(under(DIR))
args(-f, --args) WORD...
args(--args) FILTER WORD... : program('jq', FILTER), file.read(WORD) if not -n, file.read(WORD) if FILTER~'.*input.*'
args(-f) FILE... : file.read(FILE)
args FILTER FILE... : program('jq', FILTER), file.read(FILE)
out(FILTER~'(.*\| *)?(length|tonumber|floor|round|ceil|now)') union(num, '')
out(-C|-f) any
out(FILE) union(built(FILTER, picked(content(FILE), FILTER, union(VALUE_, VALUE__))), '')
out(-n) built(FILTER, any)
out union(built(FILTER, picked(STDIN, FILTER, union(VALUE_, VALUE__))), '')

[find, gfind]
style find
flags -H -L -P -a -o -not -and -or -depth -d -daystart -follow -ignore_readdir_race -mount -xdev -x -noignore_readdir_race -noleaf -warn
 -nowarn -empty -executable -false -true -nogroup -nouser -readable -writable -prune -quit -O0 -O1 -O2 -O3 -E -X -s
values -D -regextype -maxdepth -mindepth -amin -anewer -atime -cmin -cnewer -ctime -fstype -gid -group -ilname -iname -inum -ipath
 -iregex -iwholename -links -lname -mmin -mtime -name -newer -path -perm -regex -samefile -size -type -uid -used -user -wholename -xtype
 -context -newermt -newerct -newerat -newermm -Bmin -Btime -flags
-printf _
-ls
-print
-print0
-files0-from LIST : file.read(LIST), file.read()
-f PATH
-delete : file.delete(found('-delete', PATH)), file.delete(found('-delete', '.')) if not PATH, file.delete() if LIST
-fprint -fprint0 -fls OUT : file.write(OUT)
-fprintf OUT FORMAT : file.write(OUT)
-exec -ok COMMAND; : findrun(COMMAND, PATH)
-execdir -okdir COMMAND; : findrun(COMMAND, PATH, 'there')
args PATH... : file.read(tree(PATH))
do file.read(tree('.')) if not PATH
out(-printf|-ls|-exec|-execdir|-ok|-okdir|-files0-from) any
out(-print0, not -print, PATH) union(records(found('-print', PATH)), '')
out(-print0, not -print) union(records(found('-print', '.')), '')
out(PATH) union(found('-print', PATH), '')
out union(found('-print', '.'), '')

[sdiff]
-o --output OUT : file.write(OUT)
--diff-program COMMAND : run(COMMAND)
flags -b -B -d -E -H -i -l -s -t -W -Z --expand-tabs --ignore-case --ignore-all-space --ignore-blank-lines --ignore-space-change --ignore-tab-expansion --ignore-trailing-space --left-column --minimal --speed-large-files --suppress-common-lines --strip-trailing-cr -a --text
values -w --width -I --ignore-matching-lines --tabsize
args FILE... : file.read(FILE)
out <file>

[cmp]
flags -b --print-bytes -l --verbose -s --quiet --silent
values -i --ignore-initial -n --bytes
args FILE... : file.read(FILE)
out <file>

[diff3]
--diff-program COMMAND : run(COMMAND)
-L --label _
flags -A -a -E -e -3 -i -m -T -x -X --show-all --text --show-overlap --ed --easy-only --overlap-only --merge --initial-tab --strip-trailing-cr
args FILE... : file.read(FILE)
out <file>

[diff, gdiff, colordiff]
mark numbers
flags -a --text -b --ignore-space-change -B --ignore-blank-lines -c -d --minimal -e --ed -E --ignore-tab-expansion -i --ignore-case -l
 --paginate -n --rcs -N --new-file -p --show-c-function -q --brief -s --report-identical-files -t --expand-tabs -T
 --initial-tab -u -v -w --ignore-all-space -y --side-by-side -Z --ignore-trailing-space --left-column --suppress-common-lines
 --suppress-blank-empty --no-dereference --normal --unidirectional-new-file --ignore-file-name-case --no-ignore-file-name-case --strip-trailing-cr --speed-large-files --print-bytes --verbose --quiet --silent
optional --color --context --unified
values -C -D --ifdef -F --show-function-line -I --ignore-matching-lines -L --label -S --starting-file -U -W --width -x --exclude
 --horizon-lines --palette --tabsize --line-format --old-line-format --new-line-format --unchanged-line-format
 --changed-group-format --unchanged-group-format --bytes --ignore-initial
-X --exclude-from LIST : file.read(LIST)
-o --output OUT : file.write(OUT)
--from-file --to-file ONE : file.read(tree(ONE))
-r --recursive
args(-r) FILE... : file.read(tree(FILE))
args FILE... : file.read(FILE)
out <file>
