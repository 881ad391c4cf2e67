# Tables, JSON, YAML, XML and listings of files.

[%csvkit]
flags -t --tabs -b --no-doublequote -S --skipinitialspace -H --no-header-row -v --verbose -l --linenumbers --add-bom --zero -V --blanks -G --no-grouping-separator -I --no-inference
values -d --delimiter -q --quotechar -u --quoting -p --escapechar -z --maxfieldsize -e --encoding -L --locale --null-value --date-format --datetime-format -K --skip-lines

[csvcut]
use csvkit
flags -n --names -x --delete-empty-rows
values -c --columns -C --not-columns
args FILE : file.read(FILE)
out <file>

[csvgrep]
use csvkit
flags -n --names -i --invert-match -a --any-match
values -c --columns -m --match -r --regex
-f --file LIST : file.read(LIST)
args FILE : file.read(FILE)
out <file>

[csvsort]
use csvkit
flags -n --names -r --reverse -i --ignore-case
values -c --columns -y --snifflimit
args FILE : file.read(FILE)
out <file>

[csvstat]
use csvkit
flags --csv --json -n --names --type --nulls --non-nulls --unique --min --max --sum --mean --median --stdev --len --max-precision --freq
values -i --indent -c --columns --freq-count --decimal-format -y --snifflimit
--count
args FILE : file.read(FILE)
out(--count) union(num, '')
out <file>

[csvlook]
use csvkit
flags --no-number-ellipsis
values --max-rows --max-columns --max-column-width --max-precision -y --snifflimit
args FILE : file.read(FILE)
out <file>

[csvjoin, csvstack]
use csvkit
flags --outer --left --right --filenames
values -c --columns -g --groups -n --group-name -y --snifflimit
args FILE... : file.read(FILE)
out <file>

[csvjson]
use csvkit
flags --no-bbox --stream --ndjson
values -i --indent -k --key --lat --lon --type --geometry --crs -y --snifflimit
args FILE : file.read(FILE)
out <file>

[csvformat]
use csvkit
flags -T --out-tabs -A --out-asv -B --out-no-doublequote -E --skip-header
values -D --out-delimiter -Q --out-quotechar -U --out-quoting -P --out-escapechar -M --out-lineterminator
args FILE : file.read(FILE)
out <file>

[csvclean]
use csvkit
flags -n --dry-run -a --enable-all-checks --join-short-rows --omit-error-rows --label --header-normalize-space --length-mismatch --empty-columns
args FILE : file.read(FILE), file.write(series(stem(FILE)))
do file.write('stdin_out.csv') if not FILE, file.write('stdin_err.csv') if not FILE
out <file>

[in2csv]
use csvkit
flags -n --names --use-sheet-names
values -f --format -k --key --sheet -y --snifflimit --encoding-xls
-s --schema SCHEMA : file.read(SCHEMA)
--write-sheets SHEETS : file.write(series(stem(FILE)))
args FILE : file.read(FILE)
out <file>

[csvsql]
use csvkit
flags --no-constraints --unique-constraint --no-create --create-if-not-exists --overwrite
values -i --dialect --db-schema --tables --chunk-size --prefix --before-insert --after-insert --min-col-len --col-len-multiplier --sql-delimiter --engine-option -y --snifflimit
--query QUERY : code('SQL', only(QUERY, '.*[.]sql'))
--db DATABASE : db.read(DATABASE), db.write(DATABASE), net.connect(DATABASE) if not DATABASE~'sqlite:.*', file.write(without(DATABASE, 'sqlite:///')) if DATABASE~'sqlite:.*'
--insert
args FILE... : file.read(FILE)
out <file>

[sql2csv]
use csvkit
values --engine-option
--query QUERY
--db DATABASE : db.read(DATABASE), net.connect(DATABASE) if not DATABASE~'sqlite:.*', file.read(without(DATABASE, 'sqlite:///')) if DATABASE~'sqlite:.*', db.write(DATABASE) if not QUERY~'(?i)\s*select[^;]*;?'
args FILE : file.read(FILE)
out <file>

# Words after the options are verbs, their options and files; programs of `put` and `filter` can write and run.
[mlr, miller]
style posix
flags --icsv --itsv --ijson --ijsonl --ixtab --inidx --imd --ipprint --iusv --iasv --idkvp --ocsv --otsv --ojson --ojsonl --oxtab --onidx --omd --opprint --odkvp --csv --tsv --json --jsonl --xtab --pprint --nidx --dkvp --c2t --c2j --c2l --c2p --c2b --c2x --c2m --c2n --c2d
 --t2c --t2j --t2l --t2p --t2b --t2x --t2m --j2c --j2t --j2l --j2p --j2b --j2x --j2m --l2c --l2t --l2j --l2p --x2c --x2t --x2j --x2p -p --barred --right --allow-ragged-csv-input --ragged --implicit-csv-header --headerless-csv-output --hi --ho --implicit-pprint-header
 --quote-all --quote-original --lazy-quotes --csvlite --no-auto-flatten --no-auto-unflatten -S -A -O -N --jvstack --no-jvstack --jlistwrap --no-jlistwrap -n --from-off --unsparsify --no-color -M -C --always-color --infer-none --infer-octal --xvright --gzin --bz2in --zin --zstdin --skip-comments --pass-comments
values --ifs --ofs --fs --ips --ops --ps --irs --ors --rs --ofmt --nr-progress-mod --records-per-batch --tz --fflatsep --flatsep --skip-comments-with --pass-comments-with --io -i -o --seed
--from FILE_ : file.read(FILE_)
-s --load --mload --prepipe --prepipex CODE : opaque 'mlr reads options or a program from a file, or starts a command'
-I : file.write(WORD), file.write(FILE_)
args VERB WORD... : file.read(WORD), opaque 'mlr reads a program from a file' if VERB~'put|filter' and WORD~'-f', code('miller', only(WORD, '.*[.]mlr')), code('miller', only(VERB, 'tee|split')), code('miller', only(WORD, 'tee|split|.*(system|exec) *[(].*|.*(tee|print|emit|dump).*[>|].*'))
out <file>

[xsv, qsv]
out any

[xsv headers, xsv count, xsv stats, xsv select, xsv search, xsv slice, xsv sort, xsv frequency, xsv table, xsv sample, xsv join, xsv cat, xsv fmt, xsv flatten, xsv input, xsv reverse, xsv fixlengths, xsv fill, xsv dedup, xsv enum, xsv rename, xsv sniff, xsv validate, xsv schema, xsv tojsonl, xsv cat rows, xsv cat columns, xsv explode]
flags -n --no-headers -i --ignore-case -v --invert-match -N --numeric -R --reverse --left --right --full --cross --no-case --nulls --mode --median --cardinality --everything -j --just-names --intersect -H --human-readable --crlf --ascii --quote-always --quote-never
values -d --delimiter -s --select -S --start -e --end -l --len --index -w --width -p --pad -c --condense -t --out-delimiter --limit --quote --escape --seed -x
-o --output OUT : file.write(OUT)
args WORD... : file.read(WORD)
out <file>

[xsv index, xsv split, xsv partition, xsv sqlp, xsv excel, xsv to]
else maybefile(VALUE)
-o --output OUT : file.write(OUT)
args WORD... : file.read(WORD), file.write(any)
out any

[yq]
flags -r --raw-output --unwrapScalar -P --prettyPrint -j --tojson -y --yaml-output -Y --yaml-roundtrip -e --exit-status -C --colors -M --no-colors -N --no-doc -h --arrays -S --sort-keys -c --compact-output -x --xml-output -t --toml-output -V -v --verbose
 --slurp --raw-input -0 --nul-output --header-preprocess --xml-raw-token --xml-skip-directives --xml-skip-proc-inst --xml-strict-mode --xml-keep-namespace --string-interpolation --csv-auto-parse --tsv-auto-parse --yaml-compact-seq-indent --explicit-start --explicit-end
values -o --output-format -p --input-format -I --indent --xml-attribute-prefix --xml-content-name --properties-separator --csv-separator --lua-prefix --lua-suffix -f --front-matter --width --yaml-output-grammar-version --xml-root --xml-item-depth
-n --null-input
--arg --argjson NAME VALUE_
-s --split-exp EXPRESSION_ : file.write(any)
--from-file --split-exp-file PROGRAM_ : file.read(PROGRAM_), file.read(any), env.read()
-i --inplace --in-place : file.write(FILE), file.write(FILTER) if not FILE
args FILTER FILE... : file.read(FILE), file.read(FILTER) if not FILE and not -n and FILTER~'[\w~-][\w./~-]*[.]\w+|[.]{0,2}/.*', program('jq', FILTER)
out any

[yq eval, yq e, yq eval-all, yq ea]
-n --null-input
args FILTER FILE... : file.read(FILE), file.read(FILTER) if not -n and FILTER~'[\w~-][\w./~-]*[.]\w+|[.]{0,2}/.*', program('jq', FILTER)
out any

[gron, norg, ungron]
flags -u --ungron -v --values -c --colorize -m --monochrome -s --stream -k --insecure -j --json --no-sort
args FILE : file.read(FILE) if not FILE~'https?:.*', web.fetch(only(FILE, 'https?:.*'))
out <file>

[jo]
flags -a -p -B -e -n -v -V
-f FILE : file.read(FILE)
-o OUT : file.write(OUT)
-d _
args WORD... : argfile(WORD)
out any

[jc]
style posix
flags -a -C -d -dd -h -M -m -p -q -qq -r -u -v -y -V --about --help --monochrome --pretty --quiet --raw --unbuffer --yaml-out -s --slurp
else maybefile(VALUE)
args COMMAND... : run(COMMAND)
out any

[jsonlint, npx/jsonlint]
flags -s --sort-keys -q --quiet -c --compact -p --pretty-print -V -D -S -C -M
values -t --indent -e --environment
-i --in-place : file.write(FILE)
--schema -f FILE_ : file.read(FILE_)
args FILE... : file.read(FILE)
out <file>

[fx]
args WORD... : file.read(WORD)
do opaque 'fx runs JavaScript' if WORD~'.*[({=].*'
out <file>

[dasel]
flags --plain -n --multiline -c --compact --color --colour -m --merge-input-documents
values -s --selector -v --value -t --type -r --read -w --write -p --parser --indent -d --delimiter
-f --file FILE_ : file.read(FILE_), file.write(FILE_) if WORD~'put|delete'
-o --out OUT : file.write(OUT)
args WORD... : file.read(WORD)
out <file>

[xq, tomlq]
flags -r --raw-output -c --compact-output -s --slurp -S --sort-keys -e --exit-status -C -M -j -n --null-input -x --xml-output -t --toml-output -y --yaml-output -h --no-color --color -a
values --indent --xml-root --xml-item-depth -q --query
--arg --argjson NAME VALUE_
-i --in-place : file.write(FILE)
args FILTER FILE... : file.read(FILE), file.read(FILTER) if not FILE, program('jq', FILTER)
out <file>

[jp, jpath, json_pp, jless, jd, htmlq, pup, json_reformat, json_verify]
flags -c --color -C -p -u -q --quiet -t --text -w --whitespace -B -r --raw -n --node -x --pretty -s -m -v --number --ignore-whitespace --plain -j -set --compact
values -b --base -a --attribute -i --indent -l --limit --expression --selector -S
-f --file --filename --schema FILE_ : file.read(FILE_)
-e EXPRESSION_ : file.read(EXPRESSION_) if PROGRAM=='jp'
--in-place --inplace : file.write(any)
-o --output OUT : file.write(OUT)
args WORD... : file.read(WORD)
out <file>

[xmllint]
style long
flags --noout --format --html --valid --recover --nonet --noent --noblanks --nodefdtd --nowarning --noerr --nocdata --nsclean --c14n --c14n11 --exc-c14n --stream --huge --debug --copy --timing --repeat --memory --push --compress --quiet --xmlout --nofixup-base-uris
 --loaddtd --dtdattr --postvalid --insert --dropdtd --auto --xinclude --noxincludenode --version --walker --sax --sax1 --testIO --oldxml10 --noenc --load-trace --nodict --htmlout --nowrap --nocompact --catalogs --nocatalogs --sgml
values --xpath --pattern --encode --pretty --maxmem --maxampl
--dtdvalid --dtdvalidfpi --relaxng --schema --schematron --path SCHEMA : file.read(SCHEMA) if not SCHEMA~'https?:.*', web.fetch(only(SCHEMA, 'https?:.*'))
-o --output OUT : file.write(OUT)
--shell : opaque 'xmllint reads commands'
args FILE... : file.read(FILE) if not FILE~'https?:.*', web.fetch(only(FILE, 'https?:.*'))
out <file>

[xmlstarlet, xml]
flags -q --quiet --doc-namespace --no-doc-namespace --help
out <file>

[xmlstarlet sel, xmlstarlet select, xmlstarlet el, xmlstarlet elements, xmlstarlet c14n, xmlstarlet pyx, xmlstarlet ls, xmlstarlet esc, xmlstarlet unesc]
style long
flags -t --template -n --nl -T --text -B --noblanks -D --xml-decl -I --indent -R --root -Q --quiet -C --comp -b --break -u -f --inp-name --doc
values -v --value-of -c --copy-of -m --match -e --elem -a --attr -o --output -s --sort -N -E --encode -i --if -l --var -d --depth
args FILE... : file.read(FILE) if not FILE~'https?:.*', web.fetch(only(FILE, 'https?:.*'))
out <file>

[xmlstarlet ed, xmlstarlet edit]
style long
flags -P --pf -S --ps -O --omit-decl
-L --inplace : file.write(FILE)
values -N
-d --delete -r --rename -u --update -m --move -s --subnode -i --insert -a --append --var PATH_
# these belong to an action; without one they are files
-t --type -n --name -v --value -x --expr VALUE_ : file.read(VALUE_) if not -d
args FILE... : file.read(FILE) if not FILE~'(https?|ftp):.*', web.fetch(only(FILE, '(https?|ftp):.*'))
out <file>

[xmlstarlet fo, xmlstarlet format]
style long
flags -n --noindent -t --indent-tab -o --omit-decl -R --recover -D --dropdtd -C --nocdata -N --nsclean -H --html -Q --quiet
values -s --indent-spaces -e --encode
args FILE : file.read(FILE) if not FILE~'(https?|ftp):.*', web.fetch(only(FILE, '(https?|ftp):.*'))
out <file>

[xmlstarlet val, xmlstarlet validate]
style long
flags -w --well-formed -e --err -b --list-bad -g --list-good -q --quiet -S --stop -E --embed
-d --dtd -s --xsd -r --relaxng SCHEMA : file.read(SCHEMA) if not SCHEMA~'https?:.*', web.fetch(only(SCHEMA, 'https?:.*'))
args FILE... : file.read(FILE) if not FILE~'(https?|ftp):.*', web.fetch(only(FILE, '(https?|ftp):.*'))
out any

# A stylesheet is a program: it reads documents by path and address, and writes others.
[xmlstarlet tr, xmlstarlet transform, xsltproc]
style long
flags --omit-decl -E --embed --show-ext --val --net --xinclude --xincl --html --novalid --noout --verbose -v --timing --repeat --huge --nodtdattr --nomkdir --catalogs --load-trace
values -s -p --maxdepth --encoding --path --maxvars --maxparserdepth --seed-rand
--stringparam --param _ _
--nowrite
--nonet
-o --output OUT : file.write(OUT)
args STYLE FILE... : file.read(STYLE), file.read(FILE), file.read(any), web.fetch() if not --nonet, file.write(any) if not --nowrite
out <file>

[tree]
style gnu
flags -a -d -f -l -x -A -C -D -F -J -N -Q -S -X -g -h -i -n -p -q -r -s -t -U -u -v --dirsfirst --du --ignore-case --info --inodes --device --matchdirs --metafirst --noreport --nolinks --prune --si --filesfirst --gitignore -c --fflinks --hyperlink
values -L -P -I --charset --filelimit --sort --timefmt -T
-H _
-o OUT : file.write(OUT)
-R
--fromfile --fromtabfile
--gitfile --infofile --hintro --houtro FILE : file.read(FILE)
args DIR... : file.read(tree(DIR))
do file.read(tree('.')) if not DIR, file.write(any) if -R and -H
out <file>

[bat, batcat]
mark exact
flags -A --show-all -p --plain -n --number -f --force-colorization -P --no-paging -u --unbuffered -L --list-languages --list-themes -d --diff -E --quiet-empty --no-config --no-custom-assets --no-lessopen -S --chop-long-lines --diagnostic --acknowledgements
values -l --language -H --highlight-line --file-name --diff-context --tabs --wrap --terminal-width --color --italic-text --decorations --paging -m --map-syntax --ignored-suffix --theme --theme-dark --theme-light --style -r --line-range --nonprintable-notation --binary --squeeze-limit --strip-ansi --completion
flags -pp -s --squeeze-blank
--pager COMMAND : sh(COMMAND)
--lessopen : opaque 'a program of the environment is run'
args FILE... : file.read(FILE)
env BAT_PAGER BAT_CONFIG_PATH BAT_CONFIG_DIR BAT_OPTS : opaque 'a variable changes what bat runs'
out <file>

[cloc]
style long
flags --json --csv --xml --yaml --md --quiet --by-file --by-file-by-lang --sum-one --hide-rate --no-autogen --git --diff --count-and-diff --skip-uniqueness --3 --follow-links --fullpath --show-lang --show-ext --ignore-whitespace --ignore-case --sum-reports --unicode --use-sloccount --docstring-as-code --force-git
values --exclude-dir --exclude-ext --exclude-lang --include-lang --include-ext --match-d --match-f --not-match-d --not-match-f --timeout --max-file-size --processes --percent --by-percent --force-lang --script-lang --lang-no-ext --progress-rate --csv-delimiter --sql-project
--exclude-list-file --list-file --read-lang-def --force-lang-def FILE_ : file.read(FILE_)
--config CONFIG : opaque 'cloc reads its options from a file'
--vcs LISTER : sh(LISTER) if not LISTER~'git|svn|auto'
--out --report-file --sql --ignored --counted --found --categorized --diff-alignment --write-lang-def OUT : file.write(OUT)
--strip-comments _ : file.write(any)
--extract-with COMMAND : sh(COMMAND)
args PATH... : file.read(tree(PATH))
do file.read(tree('.')) if not PATH
out <file>

[tokei, scc, loc]
mark exact
flags -f --files -C --compact -h --hidden --no-ignore --no-ignore-parent --no-ignore-vcs -v --verbose -n --by-file -c --no-complexity --no-cocomo --no-min-gen --no-duplicates -d --ci --wide -w --gen --debug --trace --include-symlinks --no-large --no-size --count-ignore
values -e --exclude -s --sort -t --type --types --num-format --columns --exclude-dir --exclude-ext -i --include-ext -x --format --not-match --cocomo-project-type --avg-wage --size-unit --count-as
-o --output OUT : file.write(OUT) if not OUT~'json|yaml|cbor'
args PATH... : file.read(tree(PATH))
do file.read(tree('.')) if not PATH
out <file>

[ctags, etags]
style long
-f -o OUT : file.read(OUT), file.write(OUT)
-R --recurse
--options CONFIG : opaque 'ctags reads its options from a file'
-L LIST : file.read(LIST), file.read(any)
--options-maybe --optlib-dir CONFIG_ : opaque 'ctags reads its options from a file'
-e : file.write('TAGS')
optional --languages --fields --extras --extra --kinds --langmap --map --exclude --sort --format --output-format --c-kinds --python-kinds --tag-relative
else maybefile(VALUE)
args PATH... : file.read(tree(PATH))
do file.write('tags') if not -f, file.read(tree('.')) if -R
out any

[enca, enconv]
flags -g --guess -i --iconv-name -m --mime-name -n --name -e --enca-name -r --rfc1345-name -f --human-readable -p --with-filename -P --no-filename -d --details -v --verbose
values -L --language
-x --convert-to _
-c --auto-convert
-E --external-converter-program COMMAND : run(COMMAND)
-C --try-converters _
args FILE... : file.read(FILE), file.write(FILE) if -x|-c, file.write(FILE) if PROGRAM~'enconv'
out <file>

[delta, difft, wdiff, icdiff, dyff, dwdiff]
style long
--pager COMMAND : sh(COMMAND)
--config CONFIG : file.read(CONFIG)
flags -s --side-by-side -n --line-numbers --dark --light --no-gitconfig --hyperlinks --navigate --keep-plus-minus-markers --color-only --raw -1 -2 -3 -d --no-deleted -i --no-inserted --no-common --ignore-case --statistics -t --terminal -U --unified -N -w --recursive -r --check-only --ignore-comments -b --brief -c
values --width --tabs --theme --syntax-theme --features --color --display --context --context-lines --background --parse-errors --language --override --paging --omit-header --start-delete --end-delete --start-insert --end-insert -x -y -z --cols --title -L --label --set-exit-code --ignore-order-changes
args FILE... : file.read(FILE)
env DELTA_PAGER BAT_PAGER : sh(VALUE)
out <file>

[ptx, gptx]
flags -A --auto-reference -f --ignore-case -r --references -t --typeset-mode -R --right-side-refs -C --copyright
values -F --flag-truncation -g --gap-size -M --macro-name -w --width -W --word-regexp -S --sentence-regexp --format
-O -T
-b --break-file -i --ignore-file -o --only-file LIST : file.read(LIST)
-G --traditional
args(-G) FILE OUT : file.read(FILE), file.write(OUT)
args FILE... : file.read(FILE)
out <file>

[mdcat, mdless]
flags -P --no-pager --fail --ansi --detect-terminal --no-colour -c
values --columns --theme
-l --local
-p --paginate : opaque 'a pager is started'
args FILE... : file.read(FILE)
do web.fetch() if not -l
out <file>

[hexyl, uchardet, chardetect, locate, plocate, mdfind, mdls, fc-query, otfinfo, fc-scan, textutil-info]
style long
-n -l -c -s -L -U --length --skip --width --context --color --language -f --format -name -onlyin _
flags -i --ignore-case -b --basename --count -e --existing -r --regex --regexp -0 --null -A --all -w --wholename -P --plain --border --no-squeezing --characters -v --verbose -g --groups -literal -live -count -minimal --legacy -a --ansi --local --fail --dry-run
values --panels --group-size --base --endianness --terminal-width --limit -attr -nullMarker --columns
-d --database DATABASE_ : file.read(DATABASE_)
else maybefile(VALUE)
args FILE... : file.read(FILE)
out <file>

[fc-list, fc-match, fc-cache]
flags -v --verbose -b --brief -q --quiet -s --sort -a --all -r --really-force --system-only -V
values -f --format
args WORD...
out any

[glow]
flags -a --all -l --local -m --mouse -n -p --pager -t --tui
values -s --style -w --width
--config CONFIG : file.read(CONFIG)
args FILE : file.read(FILE) if not FILE~'https?:.*', web.fetch(only(FILE, 'https?:.*')), web.fetch() if FILE~'github:.*|gitlab:.*|github[.]com/.*|gitlab[.]com/.*'
do file.read(tree('.')) if not FILE
out <file>

[pygmentize, python-m/pygments]
values -l -f -F -O -P -S -a -N -H -C
flags -s -g -v -L -V
-x : opaque 'pygments loads a lexer or formatter of a file'
-o OUT : file.write(OUT)
args FILE : file.read(FILE)
out <file>

[plutil]
style long
flags -s
-lint -p -help
-extract KEY FORMAT : file.write(FILE) if not FORMAT=='raw' and not -o
-type KEY_
-convert FORMAT_ : file.write(FILE) if not -o
-insert -replace KEY__ TYPE VALUE_ : file.write(FILE) if not -o
-remove KEY___ : file.write(FILE) if not -o
-create FORMAT__ : file.write(FILE)
-o OUT : file.write(OUT)
-e EXTENSION : file.write(series(stem(FILE)))
args FILE... : file.read(FILE)
out <file>

[ttx, pyftsubset, fonttools]
style long
-o --output-file OUT : file.write(OUT)
-d OUT_ : file.write(under(OUT_))
else maybefile(VALUE)
args FILE... : file.read(FILE), file.write(series(stem(FILE))) if not -o
out any

[gcov, llvm-cov, llvm-profdata, gcovr, lcov, genhtml]
style long
--gcov-tool --gcov-executable --demangle-cpp-tool -Xdemangler COMMAND : nested(COMMAND)
--config-file --config CONFIG : opaque 'settings are read from a file'
-o -output --output --output-file --output-directory OUT : file.write(tree(OUT)), file.read(OUT)
flags -sparse -show-directory-coverage -show-line-counts-or-regions -show-line-counts -show-regions -show-branches -show-functions -show-instantiations -use-color -summary-only -a -b -c -f -m -n -p -r -x --all-blocks --branch-probabilities --branch-counts --function-summaries --no-output --preserve-paths --relative-only --json-format --stdout -t --capture --no-external --external --list -l --summary --zerocounters -z -q --quiet --branch-coverage --legend --frames --show-details --function-coverage --no-source --dark-mode --print-summary --delete --html --txt --csv --json --xml --xml-pretty --cobertura --sort-percentage --keep
values -format --ignore-errors --exclude --branches --filter --fail-under-line --fail-under-branch -ignore-filename-regex -name -name-regex --title -j --num-spaces --exclude-unreachable-branches -arch --rc --threshold
-instr-profile -profile --instr-profile -object -path-equivalence --root -d --directory --object-directory -s --add-tracefile --remove --extract --diff --prefix --css-file --html-prolog --html-epilog --base-directory --exclude-directories DATA : file.read(tree(DATA)), file.read('.')
-output-dir --html-details --html-nested --json-summary --sonarqube --coveralls OUT_? : file.write(tree(OUT_)), file.write(under('.'))
args FILE... : file.read(tree(FILE))
do file.read('.') if not FILE, file.write(under('.')) if not -o
out any

[fzf]
mark exact
--preview --bind --become COMMAND : sh(COMMAND)
values -q --query -f --filter --prompt --header --height --delimiter -d -n --nth --with-nth --layout --border --pointer --marker --info --tiebreak --color --expect --preview-window --margin --padding --header-lines --history-size --min-height
flags -e --exact -m --multi --no-multi -i +i -x --ansi --reverse --cycle -0 --exit-0 -1 --select-1 --print-query --print0 --read0 --no-sort +s --tac --no-mouse --sync --inline-info --keep-right --filepath-word --phony --disabled --literal
optional --tmux --border-label
--history FILE : file.write(FILE)
do file.read(tree('.')) if not STDIN
env FZF_DEFAULT_COMMAND FZF_DEFAULT_OPTS FZF_DEFAULT_OPTS_FILE : sh(VALUE)
out picked(STDIN)

[gum]
out any

[gum table]
-f --file FILE : file.read(FILE)
flags --print -p --show-help
values -s --separator -c --columns -w --widths --height --border --return-column
args WORD...
out any

[gum choose, gum input, gum write, gum confirm, gum filter, gum style, gum format, gum join, gum log, gum pager, gum file]
flags --no-limit --ordered --show-help --password --bold --italic --faint --strikethrough --underline --soft-wrap --no-show-help --fuzzy --strict --reverse --vertical --horizontal --center --structured -s --all -a --directory --permissions --size --no-permissions --no-size
values --limit --header --cursor --placeholder --prompt --value --width --height --char-limit --foreground --background --border --border-foreground --border-background --margin --padding --align --timeout --default --affirmative --negative --selected --selected-prefix --unselected-prefix --cursor-prefix --indicator --type -t -l --level --language --theme --template --time --prefix -f --format --formatter --item.foreground --cursor.foreground --header.foreground --selected.foreground --prompt.foreground --label-delimiter --input-delimiter --output-delimiter
-o --file OUT_ : file.write(OUT_)
args WORD...
out any

[gum spin]
style posix
flags --show-output --show-error --show-stdout --show-stderr -a
values -s --spinner --title --align --timeout --spinner.foreground --title.foreground
args COMMAND... : run(COMMAND)

[bc]
flags -l --mathlib -q --quiet -s --standard -w --warn -i --interactive -h -v
-e --expression _
-f --file FILE_ : file.read(FILE_)
values -S --scale -O --obase -I --ibase
args FILE... : file.read(FILE)
out union(num, '')

[dc]
flags -x --extended-register -h -V -i
-e --expression CODE : program('dc', CODE)
-f --file FILE_ : file.read(FILE_), script('dc', FILE_)
args FILE... : file.read(FILE), script('dc', FILE)
do program('dc', STDIN) if not CODE and not FILE and not FILE_
out union(num, '')
