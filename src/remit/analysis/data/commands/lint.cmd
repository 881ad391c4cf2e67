# Formatters, linters and scanners. Their caches are no effect; code that a project's own settings load is not theirs to tell.

[ruff, python-m/ruff]
mark exact
flags -v --verbose -q --quiet -s --silent --isolated -V
values --config --color
out any

[ruff check]
flags --show-fixes --no-show-fixes --diff --watch -n --no-cache --preview --no-preview --exit-zero --exit-non-zero-on-fix --statistics --show-files --show-settings --ignore-noqa --no-force-exclude --force-exclude --respect-gitignore --no-respect-gitignore -e --no-fix -w
values --select --ignore --extend-select --extend-ignore --fixable --unfixable --extend-fixable --per-file-ignores --extend-per-file-ignores --exclude --extend-exclude --output-format --target-version --line-length --extension --stdin-filename --cache-dir --min-python-version
-o --output-file OUT : file.write(OUT)
--fix --fix-only --add-noqa --unsafe-fixes --no-unsafe-fixes : file.write(tree(PATH)), file.write(under('.')) if not PATH
args PATH... : file.read(tree(PATH))
do file.read(tree('.')) if not PATH
out any

[ruff format]
flags -n --no-cache --preview --no-preview --respect-gitignore --no-respect-gitignore --force-exclude --no-force-exclude --exit-non-zero-on-format
values --exclude --target-version --line-length --extension --stdin-filename --cache-dir --range
--check --diff
args PATH... : file.read(tree(PATH)), file.write(tree(PATH)) if not --check
do file.read(tree('.')) if not PATH, file.write(under('.')) if not PATH and not --check
out any

[ruff rule, ruff linter, ruff config, ruff version, ruff help, ruff clean]
flags --all -v --verbose -q --quiet -s --silent --isolated -n --no-cache
values --output-format --format --color
--config CONFIG : file.read(CONFIG)
--cache-dir DIR : file.delete(tree(DIR))
args WORD...
out any

[black, python-m/black, blue]
mark exact
flags -S --skip-string-normalization -C --skip-magic-trailing-comma --preview --unstable --fast --safe -q --quiet -v --verbose --pyi --ipynb -x --skip-source-first-line --color --no-color --no-cache
values -l --line-length -t --target-version --line-ranges --required-version --include --exclude --extend-exclude --force-exclude --stdin-filename -W --workers --enable-unstable-feature --python-cell-magics
--config CONFIG : file.read(CONFIG)
-c --code _
--check --diff
args PATH... : file.read(tree(PATH)), file.write(tree(PATH)) if not --check
out any

[isort, python-m/isort]
mark exact
flags -q --quiet -v --verbose --atomic --force-sort-within-sections --force-single-line-imports --sl --float-to-top --show-files --show-settings --overwrite-in-place -e --balanced --tc --trailing-comma --use-parentheses --up --case-sensitive --fss --only-modified --dont-follow-links --skip-gitignore -r
values --profile -l --line-length -m --multi-line -s --skip --skip-glob -p --project --src -o -a --add-import --py --python-version --settings-path --known-local-folder -t -f --filename --ext -j --jobs --lines-after-imports
--settings-file --settings --sp CONFIG : file.read(CONFIG)
-c --check --check-only -d --stdout --df --diff
args PATH... : file.read(tree(PATH)), file.write(tree(PATH)) if not -c
out any

[autopep8, yapf, autoflake, pyupgrade, docformatter, python-m/autopep8, python-m/yapf]
mark exact
flags -v --verbose -a --aggressive -r --recursive --remove-all-unused-imports --remove-unused-variables --expand-star-imports --ignore-init-module-imports --remove-duplicate-keys --quiet -p --parallel --experimental --py36-plus --py37-plus --py38-plus --py39-plus --py310-plus --py311-plus --keep-percent-format -e --exit-code -vv --exit-zero-even-if-changed
values --max-line-length --ignore --select --exclude --imports --style -l --lines -j --jobs --wrap-summaries --wrap-descriptions --global-config --pep8-passes --line-range
-d --diff -c --check --check-diff
-i --in-place : file.write(tree(PATH))
args PATH... : file.read(tree(PATH)), file.write(tree(PATH)) if PROGRAM=='pyupgrade'
out any

[prettier, npx/prettier, npx/@prettier/cli]
mark exact
flags --no-config --no-editorconfig --single-quote --jsx-single-quote --no-semi --no-bracket-spacing --use-tabs --bracket-same-line --ignore-unknown -u --no-error-on-unmatched-pattern --with-node-modules --no-color --cache --insert-pragma --require-pragma --single-attribute-per-line --vue-indent-script-and-style --experimental-ternaries --no-plugin-search
values --parser --print-width --tab-width --trailing-comma --prose-wrap --quote-props --arrow-parens --end-of-line --html-whitespace-sensitivity --embedded-language-formatting --stdin-filepath --log-level --loglevel --config-precedence --cache-location --cache-strategy --object-wrap
--config --ignore-path FILE_ : file.read(FILE_), code('settings', only(FILE_, '.*[.][cm]?[jt]s'))
--plugin PLUGIN : code('plugin', only(PLUGIN, '[.]{0,2}/.*'))
-c --check -l --list-different --find-config-path --file-info --support-info
-w --write : file.write(tree(FILE))
args FILE... : file.read(tree(FILE))
out <file>

[eslint, npx/eslint, stylelint, npx/stylelint, standard, npx/standard, oxlint, npx/oxlint, xo, npx/xo]
mark exact
flags --quiet --cache --no-eslintrc --no-inline-config --report-unused-disable-directives --exit-on-fatal-error --no-error-on-unmatched-pattern --no-ignore --debug --color --no-color --verbose --no-warn-ignored --pass-on-no-patterns --stdin --fix-dry-run --deny-warnings --env-info --allow-empty-input --aei
values --ext --max-warnings --rule --env --parser-options --ignore-pattern --ip --stdin-filename --cache-location --cache-strategy --fix-type --report-unused-disable-directives-severity --global -D --deny -A --allow -W --warn --concurrency --cache-file
-c --config CONFIG : file.read(CONFIG), code('settings', but(only(CONFIG, '.*[.][cm]?[jt]s'), '(./)?eslint[.]config[.][cm]?[jt]s'))
-f --format --formatter FORMAT : code('formatter', only(FORMAT, '[.]{0,2}/.*|.*[.][cm]?js'))
--ignore-path FILE_ : file.read(FILE_)
--rulesdir --resolve-plugins-relative-to --plugin --parser --custom-syntax CODE : opaque 'the linter loads code'
-o --output-file OUT : file.write(OUT)
--fix --fix-suggestions --fix-dangerously --suppress-all : file.write(tree(FILE)), file.write(under('.')) if not FILE
args FILE... : file.read(tree(FILE))
do file.read(tree('.')) if not FILE
out any

[biome, npx/biome, npx/@biomejs/biome]
mark exact
values --colors --config-path --max-diagnostics --log-level --log-kind --diagnostic-level --reporter --stdin-file-path --files-max-size --indent-style --indent-width --line-width --quote-style
flags --verbose --no-errors-on-unmatched --error-on-warnings --use-server --skip-errors --staged --changed --files-ignore-unknown=true --json
out any

[biome check, biome lint, biome format, biome ci, biome rage, biome explain, biome search, biome version]
--write --fix --apply --apply-unsafe --unsafe --suppress : file.write(tree(FILE)), file.write(under('.')) if not FILE
values --only --skip --since
args FILE... : file.read(tree(FILE))
do file.read(tree('.')) if not FILE
out any

[biome init, biome migrate]
--write
do file.write('biome.json')

[clang-format]
style long
flags --Werror --dry-run -n --dump-config --verbose --sort-includes --ferror-limit
values --style -style --fallback-style --lines --offset --length --cursor --assume-filename
--files LIST : file.read(LIST)
-i : file.write(FILE)
args FILE... : file.read(FILE)
out <file>

[rustfmt]
flags -l --files-with-diff -v --verbose -q --quiet --backup
values --edition --color --style-edition
--config --config-path CONFIG
--check
--emit MODE
args FILE... : file.read(FILE), file.write(FILE) if not --check
out any

[shfmt]
flags -d -l -s -mn -bn -ci -sr -kp -fn --diff --list --simplify --minify -f --find --apply-ignore
values -i --indent -ln --language-dialect --filename
-w --write : file.write(tree(FILE))
args FILE... : file.read(tree(FILE))
out <file>

[gofmt, goimports]
style long
flags -d -e -l -s -v
values -r -local
-cpuprofile OUT : file.write(OUT)
-w : file.write(tree(FILE))
args FILE... : file.read(tree(FILE))
out <file>

[go fmt]
style long
flags -n -x
args PACKAGE...
do file.read(under('.')), file.write(under('.'))

[dprint, npx/dprint]
flags --verbose --diff --list-different --allow-no-files --incremental -L --skip-stable-format --staged --fail-fast
values --log-level --excludes --includes --excludes-override --stdin
-c --config --plugins CONFIG : file.read(CONFIG)
args WORD... : file.read(tree(WORD))
do file.read(tree('.')), file.write(under('.')), web.fetch('plugins.dprint.dev')
out any

[sqlfmt, stylua, nixfmt, swiftformat, buildifier, ktlint]
-R --ruleset --reporter CODE : opaque 'the formatter loads code' if CODE~'.*[.]jar.*'
--check -c --diff --lint --dryrun
values --line-length -l --dialect --indent --swiftversion --rules --disable --glob
--config -f CONFIG : file.read(CONFIG)
flags -v --verbose -q --quiet --no-progressbar --no-jinjafmt --fast --safe -s -r --recursive -F --format --relative --color --allow-hidden --respect-ignores -n --lenient --stdin -V --version
values --column-width --indent-type --indent-width --quote-style --call-parentheses --syntax --mode -mode --type -lint --warnings --width -w --exclude -k --threads --encoding
--stdin-filepath --cache --baseline --editorconfig FILE_ : file.read(FILE_), file.write(FILE_)
args FILE... : file.read(tree(FILE)), file.write(tree(FILE)) if not --check
out any

[markdownlint, npx/markdownlint-cli, npx/markdownlint-cli2, markdownlint-cli2, npx/markdownlint]
flags -q --quiet -d --dot -s --stdin -j --json --no-globs
values --enable --disable -i --ignore --configPointer --format
-c --config -p --ignore-path FILE_ : file.read(FILE_), code('settings', only(FILE_, '.*[.][cm]?js'))
-r --rules CODE : opaque 'the linter loads code'
-o --output OUT : file.write(OUT)
-f --fix : file.write(tree(FILE))
args FILE... : file.read(tree(FILE))
out any

[taplo]
values --colors
out any

[taplo fmt, taplo format]
flags -f --force --stdin-filepath
values -o --option
-c --config CONFIG : file.read(CONFIG)
--check --diff
args FILE... : file.read(FILE), file.write(FILE) if not --check
do file.read(tree('.')) if not FILE, file.write(under('.')) if not FILE and not --check
out <file>

[taplo lint, taplo check, taplo validate, taplo get]
values -o -p --schema-catalog
-f --file-path -c --config FILE_ : file.read(FILE_)
--schema SCHEMA : file.read(SCHEMA) if not SCHEMA~'https?:.*', web.fetch(only(SCHEMA, 'https?:.*'))
args FILE... : file.read(FILE)
do web.fetch()
out <file>

[djlint]
mark exact
flags --check --lint --quiet --warn --require-pragma --use-gitignore --preserve-blank-lines --format-css --format-js --statistics -
values --extension -e --ignore -i --indent --profile --max-line-length --exclude --extend-exclude --custom-blocks --linter-output-format --files
--configuration CONFIG : file.read(CONFIG)
--reformat : file.write(tree(FILE))
args FILE... : file.read(tree(FILE))
out any

[codespell]
flags -c --enable-colors -d --disable-colors -H --check-hidden -s --summary --count -f --check-filenames --stdin-single-line
values -L --ignore-words-list -q --quiet-level -S --skip -r --regex --uri-ignore-words-list --ignore-regex -A --after-context -B --before-context -C --context --builtin
-D --dictionary -I --ignore-words -x --exclude-file --config --toml FILE_ : file.read(FILE_)
-w --write-changes : file.write(tree(FILE)), file.write(under('.')) if not FILE
-i --interactive LEVEL : file.write(tree(FILE))
args FILE... : file.read(tree(FILE))
do file.read(tree('.')) if not FILE
out any

[typos]
flags --hidden --no-ignore --files --words --diff -v --verbose -q --quiet --sort --isolated --no-check-files --no-check-filenames
values -t --type --format -j --threads --exclude --locale
-c --config CONFIG : file.read(CONFIG)
-w --write-changes : file.write(tree(FILE)), file.write(under('.')) if not FILE
args FILE... : file.read(tree(FILE))
do file.read(tree('.')) if not FILE
out any

[flake8, python-m/flake8, pycodestyle, pydocstyle, pyflakes, python-m/pyflakes, pyroma, interrogate]
mark exact
flags -v --verbose -q --quiet --count --exit-zero --show-source --statistics --benchmark --isolated --doctests --hang-closing --disable-noqa --bug-report -vv --diff --first --show-pep8 -i -I -m -M -n -p
values --select --extend-select --ignore --extend-ignore --max-line-length --max-complexity --max-doc-length --exclude --extend-exclude --filename --format --per-file-ignores --jobs -j --stdin-display-name --indent-size --enable-extensions --color --convention --fail-under -f -c
--config --append-config CONFIG : file.read(CONFIG), opaque 'settings of a linter can load code' if not CONFIG~'(./)?([.]flake8|setup[.]cfg|tox[.]ini|pyproject[.]toml)'
--output-file --tee OUT : file.write(OUT)
args PATH... : file.read(tree(PATH))
do file.read(tree('.')) if not PATH
out any

[pylint, python-m/pylint]
mark exact
flags -E --errors-only -v --verbose --list-msgs --list-msgs-enabled --list-groups --list-extensions --persistent=n --from-stdin --exit-zero --long-help --generate-rcfile --generate-toml-config
values -d --disable -e --enable -f --output-format -r --reports -s --score -j --jobs --max-line-length --ignore --ignore-patterns --ignore-paths --fail-under --fail-on --msg-template --recursive --good-names --confidence --py-version --source-roots --ignored-modules --ignored-classes --max-args --max-locals -y --persistent
--rcfile CONFIG : file.read(CONFIG), opaque 'settings of a linter can load code' if not CONFIG~'(./)?([.]pylintrc|pylintrc|[.]pylintrc[.]toml|pylintrc[.]toml|setup[.]cfg|tox[.]ini|pyproject[.]toml)'
--init-hook --load-plugins --extension-pkg-allow-list --extension-pkg-whitelist CODE : opaque 'pylint runs code'
--output OUT : file.write(OUT)
args PATH... : file.read(tree(PATH))
out any

[mypy, python-m/mypy, dmypy, ty, pyre, pyright, npx/pyright, basedpyright, python-m/pyright]
mark exact
flags --strict -v --verbose --ignore-missing-imports --no-error-summary --show-error-codes --hide-error-codes --pretty --no-incremental --namespace-packages --explicit-package-bases --no-implicit-optional --warn-unused-ignores --warn-return-any --warn-unreachable --disallow-untyped-defs --disallow-any-generics --check-untyped-defs --no-strict-optional
 --non-interactive --sqlite-cache --show-traceback --tb --no-site-packages --skip-cache-mtime-checks --disallow-untyped-calls --disallow-incomplete-defs --warn-redundant-casts --no-warn-unused-ignores --implicit-reexport --no-implicit-reexport --local-partial-types --show-column-numbers --show-absolute-path --error-summary --stats --outputjson --warnings --watch -w --lib --skipunannotated --dependencies
values --python-version --platform --follow-imports --exclude -p --package -m --module -c --command --cache-dir --enable-error-code --disable-error-code --custom-typeshed-dir --pythonversion --pythonplatform --level --verifytypes --threads -t --typeshedpath --venvpath --always-true --always-false
--config-file --project CONFIG : file.read(tree(CONFIG)), opaque 'settings of a checker can load code' if PROGRAM~'mypy|dmypy' and not CONFIG~'(./)?(mypy[.]ini|[.]mypy[.]ini|setup[.]cfg|pyproject[.]toml)|'
--python-executable --pythonpath PYTHON : run(PYTHON)
--any-exprs-report --cobertura-xml-report --html-report --linecount-report --linecoverage-report --lineprecision-report --txt-report --xml-report --xslt-html-report --xslt-txt-report OUT : file.write(under(OUT))
--junit-xml OUT_ : file.write(OUT_)
--install-types : package.install('types')
--plugins CODE : opaque 'the checker loads a plugin'
args PATH... : file.read(tree(PATH))
do file.read(tree('.')) if not PATH
out any

[bandit, python-m/bandit, vulture, python-m/vulture, radon, xenon, pyscn, lizard]
flags -r --recursive -v --verbose -q --quiet -d --debug -l -ll -lll -i -ii -iii --ignore-nosec --exit-zero --sort-by-size --make-whitelist -s --show-complexity -a --average -j --json --total-average -w
values --aggregate -n --number -f --format -t --tests --skip -x --exclude --severity-level --confidence-level --msg-template --min-confidence --ignore-names --ignore-decorators -nc -nb -L --length -T --arguments -C --CCN --max-absolute --max-modules --max-average -e
-c --configfile --ini -b --baseline --config FILE_ : file.read(FILE_)
-p --profile _
-o --output OUT : file.write(OUT)
args WORD... : file.read(tree(WORD))
out any

[pip-audit, python-m/pip_audit, safety]
mark exact
flags -l --local --strict --desc --no-deps --require-hashes --skip-editable --full-report --short-report --bare --json -v --verbose --dry-run -S
values -f --format -s --vulnerability-service --cache-dir --timeout --progress-spinner --index-url --extra-index-url --ignore-vuln -i --ignore --key --aliases --db
--fix : package.install()
-r --requirement --file --path FILE_ : file.read(FILE_), package.install(FILE_) if PROGRAM~'pip-audit|pip_audit' and not --disable-pip
--disable-pip
-o --output OUT : file.write(OUT)
args PATH... : file.read(tree(PATH)), package.install(PATH) if PROGRAM~'pip-audit|pip_audit'
do api.call('pypi.org')
out any

[shellcheck]
flags -a --check-sourced -V -x --external-sources --norc --list-optional
optional -C --color
values -e --exclude -f --format -i --include -o --enable -P --source-path -s --shell -S --severity -W --wiki-link-count --extended-analysis
--rcfile CONFIG : file.read(CONFIG)
args FILE... : file.read(FILE)
out any

[hadolint, yamllint, python-m/yamllint, actionlint, proselint, vint, checkmake, dotenv-linter, write-good, npx/write-good, alex, npx/alex, cfn-lint, sqlfluff-lint]
mark exact
flags -s --strict --no-warnings --no-color -v --verbose --no-fail -V --list-files -verbose -no-color -oneline -q --quiet --clean --json --compact
values -f --format -d --config-data -t --failure-threshold --ignore --trusted-registry --require-label -ignore -format -shellcheck -pyflakes --error --warning --info --style --exclude
-c --config-file --config -config-file CONFIG : file.read(CONFIG)
args FILE... : file.read(tree(FILE))
do file.read(tree('.')) if not FILE
out any

[cppcheck]
style long
flags -q --quiet -v --verbose --force -f --inconclusive --inline-suppr --xml --check-config --errorlist --debug --check-level=exhaustive --no-check-headers
values -j -l -i
--enable --std --platform --language --suppress --template --error-exitcode --max-configs --xml-version --template-location --check-level --showtime _?
--cppcheck-build-dir --plist-output DIR? : file.write(tree(DIR))
--file-list --suppressions-list --project --rule-file --library --include FILE_? : file.read(FILE_)
--addon CODE? : opaque 'cppcheck runs an addon'
--output-file --checkers-report OUT? : file.write(OUT)
--dump : file.write(series(PATH))
-U -D _
-I -I* --includes-file INCLUDE : file.read(tree(INCLUDE))
-D* _
-U* _
-j* _
args PATH... : file.read(tree(PATH))
out any

[semgrep]
mark exact
values --lang -l -e --pattern --severity --exclude --include -j --jobs --timeout --max-target-bytes --exclude-rule --baseline-commit --max-memory --timeout-threshold --project-root --remote
flags --json --sarif --text --junit-xml --gitlab-sast --gitlab-secrets --emacs --vim --error --no-error --quiet -q --verbose -v --debug --strict --no-git-ignore --use-git-ignore --no-rewrite-rule-ids --time --dataflow-traces --pro --pro-intrafile --oss-only --disable-version-check --enable-version-check --dryrun --force-color --no-autofix --validate --test --historical-secrets --secrets --disable-nosem --enable-nosem --optimizations
-f -c --config CONFIG : file.read(tree(CONFIG)) if not CONFIG~'(p|r)/.*|auto|https?:.*|supply-chain|policy', web.fetch('semgrep.dev') if CONFIG~'(p|r)/.*|auto|supply-chain|policy', web.fetch(only(CONFIG, 'https?:.*'))
--metrics SWITCH : api.call('semgrep.dev') if not SWITCH=='off'
-a --autofix --fix : file.write(tree(PATH))
-o --output --json-output --sarif-output --text-output OUT : file.write(OUT)
--dump-command-for-core --allow-local-builds : opaque 'semgrep runs a build'
args PATH... : file.read(tree(PATH))
do file.read(tree('.')) if not PATH
out any

[semgrep scan, semgrep ci, semgrep login, semgrep logout, semgrep test, semgrep validate, semgrep show]
-f -c --config CONFIG : file.read(tree(CONFIG)) if not CONFIG~'(p|r)/.*|auto|https?:.*|supply-chain|policy', web.fetch('semgrep.dev') if CONFIG~'(p|r)/.*|auto|supply-chain|policy', web.fetch(only(CONFIG, 'https?:.*'))
args PATH... : file.read(tree(PATH))
do file.read(tree('.')) if not PATH, api.call('semgrep.dev') if not -f
out any

[trivy plugin, trivy module]
args WORD...
do package.install(), web.fetch(), opaque 'a plugin of the scanner is installed or run'

[semgrep install-semgrep-pro, semgrep mcp, semgrep lsp, semgrep publish]
args WORD...
do package.install('semgrep'), api.call('semgrep.dev'), opaque 'semgrep installs, serves or publishes'

[gitleaks, trufflehog, detect-secrets]
flags -v --verbose --no-git --redact --no-banner --no-color --only-verified --json --fail --staged --pipe --no-update -n --all-files --no-verification
values --log-level -l --log-opts -f --report-format --exit-code --max-target-megabytes --max-depth --since-commit --branch --results --exclude-files --exclude-lines --concurrency
-c --config --baseline-path --baseline -b --exclude-paths --include-paths FILE_ : file.read(FILE_)
-r --report-path OUT : file.write(OUT)
--update OUT_ : file.write(OUT_)
-s --source SOURCE : file.read(tree(SOURCE))
args WORD... : file.read(tree(WORD)) if not WORD~'https?:.*', web.fetch(only(WORD, 'https?:.*'))
do file.read(tree('.')), commit.read('.'), net.connect() if PROGRAM=='trufflehog'
out any

[trivy, grype, syft, osv-scanner, checkov, tfsec, kube-linter, kubeval, kubeconform, conftest, terrascan, dockle, kics, hadolint-json]
mark exact
flags -q --quiet -v -d --debug --ignore-unfixed --no-progress --exit-on-eol --skip-db-update --offline-scan -r --recursive --strict -ignore-missing-schemas -summary -strict -verbose --compact --soft-fail --only-fixed --add-cpes-if-none --json --list-all-pkgs
values -f --format -s --severity --exit-code --scanners --security-checks --vuln-type --timeout --skip-dirs --skip-files --platform --cache-dir --check --skip-check --framework --fail-on --scope --distro -schema-location -output -n -kubernetes-version --minimum-severity -t
-c --config --ignorefile --lockfile -L --sbom -S --values -p --policy --directory --file --template FILE_ : file.read(tree(FILE_))
-o --output --report -O OUT : file.write(OUT)
--external-checks-dir --external-checks-git CODE : opaque 'the scanner loads code'
args WORD... : file.read(tree(WORD))
do file.read(tree('.')), web.fetch()
out any

[lychee]
mark exact
flags -v --verbose -q --quiet -n --no-progress --offline --dump --cache -i --insecure --include-verbatim --exclude-mail --exclude-all-private --exclude-private --exclude-loopback --include-mail --skip-missing --require-https --suggest -g --glob-ignore-case
values --max-concurrency -t --timeout -r --max-retries --exclude --include --exclude-path -u --user-agent -X --method -a --accept -b --base --base-url --basic-auth -f --format --header -h --threads -s --scheme --max-redirects --cache-exclude-status --max-cache-age --mode --archive --fallback-extensions --remap
-c --config --exclude-file --cookie-jar FILE_ : file.read(FILE_)
-o --output OUT : file.write(OUT)
--github-token _
args INPUT... : file.read(tree(INPUT)) if not INPUT~'https?:.*', web.fetch(only(INPUT, 'https?:.*'))
do web.fetch()
out any

[vale]
flags --no-wrap --no-exit --no-global --ignore-syntax
values --glob --minAlertLevel --output --filter --ext --path
--config CONFIG : file.read(CONFIG)
args PATH... : file.read(tree(PATH))
out any

[vale sync]
do web.fetch(), file.write(under('.'))

[ajv, npx/ajv, npx/ajv-cli]
style long
flags --all-errors --verbose --allow-union-types --data
values --spec --errors --strict --strict-tuples --strict-types --coerce-types --use-defaults --changes --remove-additional --inline-refs --messages --loop-required
-s -d -r -m --schema FILE_ : file.read(FILE_)
-c CODE : opaque 'ajv loads code' if not CODE~'ajv-(formats|keywords|errors|i18n)'
-o OUT : file.write(OUT)
args WORD...
out any

[tsc, npx/tsc, vue-tsc, npx/vue-tsc, npx/typescript]
style long
flags --strict --skipLibCheck --esModuleInterop --allowJs --checkJs --sourceMap --declaration -d --pretty --watch -w --incremental --showConfig --listFiles --listFilesOnly --force -f --verbose -v --dry --noUnusedLocals --noUnusedParameters --resolveJsonModule --isolatedModules --declarationMap --removeComments --noImplicitAny --all --extendedDiagnostics --diagnostics --explainFiles --preserveWatchOutput --experimentalDecorators --noErrorTruncation --traceResolution
values --target -t --module -m --lib --jsx --moduleResolution --types --typeRoots --maxNodeModuleJsDepth --locale
-p --project CONFIG : file.read(tree(CONFIG))
-b --build
--noEmit --noemit SWITCH?
--init : file.write('tsconfig.json')
--outDir --outFile --declarationDir --tsBuildInfoFile --generateTrace --generateCpuProfile --rootDir --baseUrl OUT : file.write(tree(OUT))
--emitDeclarationOnly
args FILE... : file.read(FILE), opaque 'options of the compiler stand in a file' if FILE~'@.*'
do file.read(tree('.')), file.write(under('.')) if not --noEmit, file.write(under('.')) if FILE=='false'
out any

[knip, npx/knip, npx/dependency-cruiser, depcruise]
-c --config CONFIG : opaque 'the tool loads code'
flags --production --strict --include-libs --no-exit-code --no-progress --no-gitignore --debug --trace --performance --cache --isolate-workspaces --watch -d -n --include-entry-exports --metrics --no-config
values --include --exclude --tags --workspace -W --max-issues --output-type -T -x -X --do-not-follow -F --focus --include-only --reaches --collapse --max-depth -m --affected
--reporter --preprocessor CODE_ : opaque 'the tool loads code' if CODE_~'.*[./].*'
--reporter-options --directory --tsConfig -t --cache-location FILE_ : file.read(FILE_), file.write(FILE_)
-f --output-to OUT : file.write(OUT)
--fix --allow-remove-files : file.write(under('.')), file.delete(under('.'))
args PATH... : file.read(tree(PATH))
do file.read(tree('.')) if not PATH
out any

[madge, npx/madge, depcheck, npx/depcheck, npx/license-checker, npx/npm-check-updates]
mark exact
flags --circular -c --json --no-color --summary -s --leaves -l --orphans --no-spinner --production --strict --no-progress --dependencies --exports --include-entry-exports --skip-missing --oneline
values --extensions -x --exclude --include --reporter --ignores --ignore-patterns --workspace -W --max-issues --depends -d
--image -i OUT : file.write(OUT)
--fix --allow-remove-files -u : file.write(under('.'))
--config --require-config --ts-config --webpack-config CONFIG : opaque 'the tool loads code'
args PATH... : file.read(tree(PATH))
do file.read(tree('.')) if not PATH
out any

[swiftlint, rubocop, phpcs, phpcbf, phpstan, golangci-lint, staticcheck, gosec, clang-tidy, slither, mythril, echidna, medusa, cosign, spectral, skills-ref]
-o --output --output-file --report-file --sarif-output --out OUT : file.write(tree(OUT))
--require --bootstrap --autoload-file --load --plugin --resolver --compile-custom-build --detect-plugins --enable-check-profile CODE : opaque 'the tool loads code or runs a command'
-r -a CODE_ : opaque 'the tool loads code' if CODE_~'.*[.](rb|php|[cm]?[jt]s)'
--ruleset --standard RULES : opaque 'the tool loads code' if RULES~'.*[.](rb|php|[cm]?[jt]s)'
--project --config --format --severity --exclude --select --ignore --rules --target _
flags -q --quiet -v --verbose --version -h --help --strict --lenient --fix --autocorrect -A --auto-correct --autocorrect-all --lint -l --only-show-failures -D --display-cop-names -E -P --parallel --no-color --exclude-dependencies --exclude-informational --exclude-low --exclude-medium --exclude-optimization --checklist --show-ignored-findings --no-fail-pedantic --fail-high --fail-medium --fail-low --fail-on-findings --list-detectors --list-printers --triage-mode --ignore-compile --foundry-ignore-compile --hardhat-ignore-compile --allow-parallel-runners --fast --no-config --new --use-properties --list --enable-all --disable-all --no-progress --debug --no-error --compact --raw --safe --fix-errors --fix-notes --explain-config --list-checks -tests -nosec -no-fail -s -n --list-tests --all -i --force-exclusion --no-cache --silence_inheritance --yes -y --tlog-upload --recursive --no-ci
values --only --except -f --fail-level --print --detect --filter-paths --include-paths --solc --solc-remaps --solc-args --checks --header-filter --timeout -t -m --max --max-transactions --level --memory-limit -d --tab-width --extensions --encoding --report --report-width --enable --disable --new-from-rev --concurrency -j --presets --max-issues-per-linter --max-same-issues --out-format --build-tags --go -fmt -tags -exclude -include -severity -confidence -checks --warnings-as-errors --line-filter --extra-arg --extra-arg-before --contract --test-mode --test-limit --seq-len --seed --workers --solver-timeout --execution-timeout --strategy --bin-version --fail-severity --certificate-identity --certificate-oidc-issuer --certificate-identity-regexp --certificate-oidc-issuer-regexp --type --payload-type --annotations --solc-disable-warnings
--json --sarif --zip --markdown --cache-location --config-file --baseline --export-fixes --corpus-dir --coverage-dir --key --cert --certificate --signature --bundle --output-signature --output-certificate --predicate -p --stdin-path FILE_ : file.read(tree(FILE_)), file.write(tree(FILE_))
-load -fplugin --load-plugin PLUGIN_ : opaque 'the tool loads code or runs a command'
args FILE... : file.read(tree(FILE)), web.fetch(only(FILE, 'https?:.*'))
do file.read(under('.')), file.write(under('.'))
out any
