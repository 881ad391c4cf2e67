# Package managers. Installing runs code of the package: that is what `package.install` means.

[pip, pip3, pip3.*, python-m/pip, pipenv]
flags -v --verbose -q --quiet --isolated --require-virtualenv --no-input --disable-pip-version-check --no-color --no-cache-dir --debug -h
 --no-python-version-warning
values --proxy --retries --timeout --exists-action --trusted-host --use-feature --use-deprecated
--cert --client-cert CERTIFICATE : file.read(CERTIFICATE)
--cache-dir CACHE : file.write(tree(CACHE)), file.read(tree(CACHE))
--python PYTHON : run(PYTHON)
--log LOG : file.write(LOG)
env PIP_INDEX_URL PIP_EXTRA_INDEX_URL PIP_CONFIG_FILE PIP_TARGET PIP_PREFIX PIP_FIND_LINKS PIP_REQUIREMENT PIP_EDITABLE PIP_PYTHON PIP_ROOT : package.install(VALUE)

[pip install, pip download, pip wheel]
flags -U --upgrade --user --force-reinstall -I --ignore-installed --no-deps --pre --no-build-isolation --use-pep517 --no-compile --compile
 --break-system-packages --prefer-binary --no-warn-script-location --no-index --require-hashes --no-binary-all --dry-run --check-build-dependencies
 --no-clean --ignore-requires-python --no-warn-conflicts --no-use-pep517 --quiet
-i --index-url --extra-index-url -f --find-links INDEX : package.install(but(INDEX, 'https://pypi[.]org/simple/?')),
 web.fetch(but(only(INDEX, 'https?:.*'), 'https://pypi[.]org/simple/?'))
values --only-binary --no-binary --platform --python-version --implementation --abi
 --upgrade-strategy --config-settings -C --global-option --progress-bar --root-user-action --src --report -w --wheel-dir --install-option
-r --requirement REQUIREMENTS : file.read(REQUIREMENTS), package.install(REQUIREMENTS)
-c --constraint CONSTRAINTS : file.read(CONSTRAINTS)
-e --editable PROJECT : package.install(PROJECT), localpackage(PROJECT)
-t --target --prefix --root -d --dest DIR : file.write(tree(DIR))
args PACKAGE... : package.install(PACKAGE), localpackage(PACKAGE)
out any

[pip uninstall]
flags -y --yes --break-system-packages
values --root-user-action
-r --requirement REQUIREMENTS : file.read(REQUIREMENTS)
args PACKAGE... : package.install(PACKAGE)

[pip list, pip show, pip freeze, pip check, pip inspect, pip debug, pip help, pip completion, pip cache, pip hash]
else field(OPTION, VALUE)
-r --requirement REQUIREMENTS : file.read(REQUIREMENTS)
-o --outdated -u --uptodate : web.fetch('pypi.org')
-i --index-url --extra-index-url -f --find-links INDEX : web.fetch(INDEX)
args WORD...
out any

[pip index, pip index versions, pip search]
else field(OPTION, VALUE)
-i --index-url --extra-index-url -f --find-links --index INDEX : web.fetch(INDEX)
args WORD...
do web.fetch('pypi.org')
out <net>

[pip config]
--editor EDITOR : run(EDITOR)
else field(OPTION, VALUE)
args WORD...
do system.configure('pip')
out any

[npm]
flags -s --silent -q --quiet -d --verbose -h -y --yes --no -f --force -g --global --json --long -l --parseable --no-color -v --dry-run
 --no-audit --no-fund --no-save --no-package-lock --legacy-peer-deps --if-present --prefer-offline --offline --no-progress
 --workspaces --include-workspace-root -D --save-dev -S --save -P --save-prod -O --save-optional -E --save-exact -B --package-lock-only
 --omit-lockfile --strict-peer-deps --production --no-optional --no-bin-links --foreground-scripts --install-links --color --unsafe-perm --no-update-notifier
 --no-engine-strict --engine-strict --dev --prod --all -a --access-public --allow-same-version --no-git-tag-version --fix --package-lock
values --loglevel --omit --include --tag --access --otp -w --workspace --cache --depth --audit-level --before --location
 --install-strategy --fetch-timeout --fetch-retries --preid --scope --auth-type --cpu --os --libc
--registry REGISTRY : web.fetch(REGISTRY)
--userconfig --globalconfig SETTINGS : file.read(SETTINGS), opaque 'settings of npm can name programs'
--node-options --script-shell --browser --editor --viewer --git STEERED : opaque 'npm runs a program or loads code that an option names'
--prefix -C DIR : chdir(DIR)
env NPM_CONFIG_* npm_config_* : opaque 'a variable changes what npm does'
out any

[npm install, npm i, npm add, npm ci, npm clean-install, npm update, npm up, npm upgrade, npm rebuild, npm dedupe, npm link, npm ln, npm audit fix]
args PACKAGE... : package.install(PACKAGE)
do package.install('package.json') if not PACKAGE, lifecycle('install') if not PACKAGE and not --ignore-scripts, lifecycle('install') if PACKAGE~'[.]/*|false|[.]/[.]', file.write(tree('node_modules')), file.write('package.json'), file.write('package-lock.json')
--ignore-scripts

[npm install-test, npm it, npm install-ci-test, npm cit]
args PACKAGE... : package.install(PACKAGE)
do package.install('package.json'), lifecycle('install'), file.write(tree('node_modules')), file.write('package.json'), projectscript('test')

[npm uninstall, npm remove, npm rm, npm un, npm unlink, npm prune]
args PACKAGE... : package.install(PACKAGE)
do file.delete(tree('node_modules')), file.write('package.json')

[npm run, npm run-script, npm rum, npm urn]
args SCRIPT WORD...
do projectscript(SCRIPT, WORD)

[npm test, npm t, npm tst]
args WORD...
do projectscript('test', WORD)

[npm start]
args WORD...
do projectscript('start', WORD)

[npm stop]
args WORD...
do projectscript('stop', WORD)

[npm restart]
args WORD...
do projectscript('restart', WORD), projectscript('stop', WORD), projectscript('start', WORD)

[npm exec, npm x]
style posix
-p --package PACKAGE : package.install(PACKAGE)
-c --call COMMAND_ : sh(COMMAND_)
args COMMAND... : runpackage(COMMAND)

[npm init, npm create, npm innit]
args PACKAGE WORD... : package.install(PACKAGE), opaque 'npm runs the initialiser of a package'
do file.write('package.json')

[npm publish]
args FOLDER : publish(FOLDER), file.read(tree(FOLDER))
do publish() if not FOLDER, file.read(under('.')) if not FOLDER, lifecycle('publish')

[npm unpublish, npm deprecate, npm dist-tag, npm owner, npm access]
args WORD... : publish(WORD)
do publish() if not WORD, lifecycle('publish')

[npm login, npm adduser, npm add-user, npm logout, npm token]
else field(OPTION, VALUE)
args WORD...
do secret.write('~/.npmrc'), api.call('registry.npmjs.org')
out any

[npm whoami, npm ping, npm profile, npm hook, npm org, npm team, npm star]
args WORD...
do api.call('registry.npmjs.org')

[npm root, npm prefix]
flags -g --global --silent -s
out '/usr/lib/node_modules'

[npm list, npm ls, npm la, npm ll, npm bin, npm help, npm fund, npm why, npm explain, npm query, npm sbom, npm completion]
-h --help
else field(OPTION, VALUE)
args WORD...
do file.read(under('.'))
out <file>

[npm config get, npm get]
args WORD... : secret.read('~/.npmrc') if WORD~'.*(_auth|[Tt]oken|_password).*'
do file.read(under('.'))
out <file>

[npm view, npm v, npm info, npm show, npm outdated, npm search, npm docs, npm repo, npm doctor, npm diff, npm bugs]
-h --help
else field(OPTION, VALUE)
args WORD...
do file.read(under('.')), api.call('registry.npmjs.org')
out <net>

[npm audit, npm pkg, npm cache]
-h --help
else field(OPTION, VALUE)
args WORD... : lifecycle('install') if WORD=='fix'
do file.write(under('.')), api.call('registry.npmjs.org')
out any

[npm version, npm pack]
-h --help
else field(OPTION, VALUE)
args WORD...
do file.write(under('.')), lifecycle('version'), lifecycle('publish')
out any

[npm explore, npm edit]
args WORD... : opaque 'npm starts a shell or an editor in a package'

[npm config, npm set, npm config set, npm config delete, npm c, npm config list, npm config ls]
args WORD...
do system.configure('npm')

[npx, pnpx, bunx]
style posix
flags -y --yes --no --no-install -q --quiet --ignore-existing --shell-auto-fallback --bun --silent --verbose -d --prefer-offline --prefer-online
values --cache --loglevel --workspace -w
--registry REGISTRY : package.install(REGISTRY)
--node-arg -n --npm --node-options --userconfig --script-shell STEERED : opaque 'npx runs a program or loads code that an option names'
-p --package PACKAGE : package.install(PACKAGE)
-c --call COMMAND_ : sh(COMMAND_)
-v --version -h --help
args COMMAND... : runpackage(COMMAND)
env NPM_CONFIG_* npm_config_* : opaque 'a variable changes what npm does'

[uvx]
style posix
use uv-options
-w --with --with-editable --with-requirements EXTRA : package.install(EXTRA)
--from SOURCE : package.install(SOURCE)
args COMMAND... : runpackage(COMMAND)

[%uv-options]
flags -q --quiet -v --verbose --native-tls --offline --no-progress --no-cache -n --no-config --no-python-downloads --isolated -U --upgrade
 --no-index --reinstall --refresh --no-build --no-binary --no-sources --no-build-isolation -h --managed-python --no-managed-python
 --python-preference-only-managed --preview --no-preview --allow-python-downloads --frozen --locked --active --exact --no-env-file
 --all-extras --no-dev --dev --only-dev --no-default-groups --all-groups --no-editable --all-packages --system --break-system-packages
 --compile-bytecode --no-verify-hashes --show-settings --no-strict --strict --emit-index-url --universal --generate-hashes --seed --clear
-p --python PYTHON : run(only(PYTHON, '.*/.*'))
--index --default-index -i --index-url --extra-index-url -f --find-links INDEX : package.install(but(INDEX, 'https://pypi[.]org/simple/?')),
 web.fetch(but(only(INDEX, 'https?:.*'), 'https://pypi[.]org/simple/?'))
values --color --cache-dir --config-file
 --index-strategy --keyring-provider --resolution --prerelease --fork-strategy --config-setting -C --link-mode --exclude-newer -P
 --upgrade-package --reinstall-package --refresh-package --no-build-package --no-binary-package --python-preference --allow-insecure-host
 --extra --no-extra --group --only-group --no-group --package --python-version --python-platform --torch-backend --prompt
--directory DIR : chdir(DIR)
--project PROJECT_ : package.install(PROJECT_)
--env-file ENV_FILE : file.read(ENV_FILE)

[uv]
use uv-options
env UV_* : package.install()
out any

[uv run]
style posix
-w --with --with-editable PACKAGE : package.install(PACKAGE)
-r --with-requirements REQUIREMENTS : file.read(REQUIREMENTS), package.install(REQUIREMENTS)
-m --module MODULE WORDS... : module(MODULE, WORDS)
-s --script --gui-script
args(not -m) COMMAND... : uvrun(COMMAND)
do package.install('pyproject.toml') if not --no-project and not --no-sync and not -s
--no-project
--no-sync

[uv pip]
[uv pip install, uv pip sync, uv pip uninstall]
-r --requirement --requirements REQUIREMENTS : file.read(REQUIREMENTS), package.install(REQUIREMENTS)
-c --constraint --constraints --override --overrides CONSTRAINTS : file.read(CONSTRAINTS)
-e --editable PROJECT : package.install(PROJECT), localpackage(PROJECT)
-t --target --prefix DIR_ : file.write(tree(DIR_))
args PACKAGE... : package.install(PACKAGE), localpackage(PACKAGE)

[uv pip list, uv pip show, uv pip freeze, uv pip check, uv pip tree, uv tree, uv version, uv help, uv python list, uv python find, uv python dir, uv tool list, uv tool dir, uv cache dir, uv self version]
-o --output-file OUT : file.write(OUT)
else field(OPTION, VALUE)
args FILE... : file.read(FILE)
out any

# To resolve is to fetch, and to build what has no wheel.
[uv export, uv pip compile]
-o --output-file OUT : file.write(OUT)
else field(OPTION, VALUE)
args FILE... : file.read(FILE), package.install(FILE)
do web.fetch('pypi.org'), package.install('pyproject.toml') if not FILE
out any

[uv add, uv remove, uv sync, uv lock, uv tool install, uv tool upgrade, uv tool uninstall, uv python install, uv python uninstall, uv python pin, uv self update, uv tool update-shell]
-r --requirements REQUIREMENTS : file.read(REQUIREMENTS), package.install(REQUIREMENTS)
-w --with PACKAGE_ : package.install(PACKAGE_)
--script FILE : file.write(FILE)
else field(OPTION, VALUE)
args PACKAGE... : package.install(PACKAGE), localpackage(PACKAGE)
do file.write('pyproject.toml'), file.write('uv.lock'), package.install('pyproject.toml') if not PACKAGE

[uv tool]
[uv tool run]
style posix
-w --with EXTRA : package.install(EXTRA)
--from SOURCE : package.install(SOURCE)
args COMMAND... : runpackage(COMMAND)

[uv python]
[uv self]
[uv cache]
[uv cache clean, uv cache prune]
args WORD...
else field(OPTION, VALUE)
do file.delete('~/.cache/uv')

[uv venv, virtualenv, python-m/virtualenv]
flags --system-site-packages --symlinks --copies --upgrade --without-pip --upgrade-deps --seed --allow-existing --relocatable -q
values --prompt
-c --clear
-p --python PYTHON : run(only(PYTHON, '.*/.*'))
args DIR... : file.write(tree(DIR)), file.delete(tree(DIR)) if -c
do file.write(tree('.venv')) if not DIR, file.delete(tree('.venv')) if not DIR and -c

[uv build]
-o --out-dir OUT : file.write(tree(OUT))
else field(OPTION, VALUE)
args DIR : localpackage(DIR)
do localpackage('.') if not DIR, package.install('pyproject.toml'), file.write(under('.'))
out any

[uv init, uv generate-shell-completion]
else field(OPTION, VALUE)
args DIR : file.write(tree(DIR))
do file.write(under('.'))

[twine, python-m/twine]

[uv publish, twine upload, python-m/twine upload, twine register, python-m/twine register]
else field(OPTION, VALUE)
args FILE... : file.read(FILE)
do publish('pypi.org')

[twine check, python-m/twine check]
flags --strict
args FILE... : file.read(FILE)

[pipx]
flags -q --quiet -v --verbose
out any

[pipx run]
style posix
flags --no-cache --pypackages --no-path-check
values --python --index-url -i --pip-args
--spec SOURCE : package.install(SOURCE)
--path
args COMMAND... : runpackage(COMMAND)

[pipx install, pipx upgrade, pipx inject, pipx reinstall, pipx uninstall, pipx upgrade-all, pipx install-all, pipx ensurepath, pipx uninstall-all]
else field(OPTION, VALUE)
args PACKAGE... : package.install(PACKAGE)
do package.install() if not PACKAGE

[pipx list, pipx environment, pipx completions]
else field(OPTION, VALUE)
out any

[conda, mamba, micromamba]
flags -h -V -v -q --json
out any

[conda install, conda create, conda update, conda upgrade, conda remove, conda uninstall, conda clean, conda env, conda env create, conda env update, conda env remove, conda config, conda init]
values -n --name -p --prefix --solver
-c --channel CHANNEL : package.install(only(CHANNEL, '.*[:/].*'))
-f --file FILE : file.read(FILE), package.install(FILE)
else field(OPTION, VALUE)
args PACKAGE... : package.install(PACKAGE)
do package.install() if not PACKAGE

[conda activate, conda deactivate, conda list, conda info, conda env list, conda shell.bash]
values -n --name
else field(OPTION, VALUE)
args WORD...
out any

[conda env export]
values -n --name -p --prefix
-f --file OUT : file.write(OUT)
else field(OPTION, VALUE)
out any

[conda search]
values -n --name
-c --channel CHANNEL : web.fetch(only(CHANNEL, 'https?:.*'))
else field(OPTION, VALUE)
args WORD...
do web.fetch('conda.anaconda.org')
out <net>

[conda run]
style posix
flags --no-capture-output --live-stream -v
values -n --name -p --prefix --cwd
args COMMAND... : run(COMMAND)

[poetry, pdm, rye, hatch]
flags -q --quiet -v --verbose -n --no-interaction --no-ansi -V
values -P --project
-C --directory DIR : chdir(DIR)
out any

[poetry install, poetry add, poetry remove, poetry update, poetry lock, poetry sync, poetry self, poetry init, poetry new, poetry env]
else field(OPTION, VALUE)
args PACKAGE... : package.install(PACKAGE)
do package.install('pyproject.toml') if not PACKAGE, file.write(under('.'))

[poetry run]
style posix
args COMMAND... : run(COMMAND)
do opaque 'a script of the project may have this name' if PROGRAM~'pdm|hatch|rye'

[poetry show, poetry check, poetry search, poetry export, poetry about, poetry env info, poetry env list]
-o --output OUT : file.write(OUT)
else field(OPTION, VALUE)
args WORD...
out any

[poetry version]
else field(OPTION, VALUE)
args VERSION : file.write('pyproject.toml')
out any

[poetry config]
else field(OPTION, VALUE)
args KEY VALUE_... : file.write(under('~/.config')), secret.write(under('~/.config')) if KEY~'(pypi-token|http-basic|certificates|repository|pypi|publish)[.].*'
out any

[poetry build]
do opaque 'building runs code of the project'

[poetry publish]
else field(OPTION, VALUE)
do publish('pypi.org'), file.read(under('dist'))

[yarn, yarnpkg, pnpm]
mark stops
flags --silent -s -v -h --frozen-lockfile --immutable --production --ignore-scripts --non-interactive --no-frozen-lockfile -r --recursive --prefer-offline
 -D -d -g --global -w -W --dev -E --exact --offline --prod --no-lockfile --verbose --bun --watch --hot --smol -P --if-present --parallel
 -O --save-dev --save-exact --save-prod --save-optional -T --ignore-engines --ignore-workspace -i --workspace-root --fix-lockfile --json --stream --yes -y
 --no-save --no-install --no-cache --force -f --check-files --flat --ignore-optional --ignore-platform --link-duplicates --pure-lockfile --coverage
values --filter -F --registry --store-dir --workspace-concurrency --loglevel --network-timeout --cache-folder --modules-folder --mutex -c --config --target
 --timeout --reporter
--cwd --dir -C DIR : chdir(DIR)
--version --help
args SCRIPT WORD... : projectscript(SCRIPT, WORD)
do package.install('package.json') if not SCRIPT and not --version, lifecycle('install') if not SCRIPT and not --version, file.write(tree('node_modules')) if not SCRIPT and not --version
out any

[yarn install, yarn add, yarn upgrade, yarn up, yarn i, yarn ci, yarn update, yarn import, yarn fetch, yarn rebuild, yarn link, yarn dedupe, yarn global, yarn self-update, yarn set, yarn corepack, yarn approve-builds, yarn patch]
else field(OPTION, VALUE)
args PACKAGE... : package.install(PACKAGE)
do package.install('package.json') if not PACKAGE, lifecycle('install'), file.write(tree('node_modules')), file.write('package.json')

[yarn remove, yarn rm, yarn uninstall, yarn un, yarn prune, yarn unlink]
else field(OPTION, VALUE)
args PACKAGE... : package.install(PACKAGE)
do file.delete(tree('node_modules')), file.write('package.json')

[yarn run, yarn run-script]
args SCRIPT WORD...
do projectscript(SCRIPT, WORD)

[yarn test, yarn t]
args WORD...
do projectscript('test', WORD)

[yarn start]
args WORD...
do projectscript('start', WORD)

[yarn node]
style posix
args SCRIPT WORD... : script('js', SCRIPT, WORD)
do code('js', STDIN) if not SCRIPT

[yarn dlx, yarn x]
style posix
-c --shell-mode COMMAND_ : sh(COMMAND_)
-p --package PACKAGE : package.install(PACKAGE)
args COMMAND... : runpackage(COMMAND)

# a program of the project or of the machine: nothing is installed
[yarn exec]
style posix
flags --no-reporter-hide-prefix --parallel -r --recursive --report-summary
values --resume-from
-c --shell-mode COMMAND_ : sh(COMMAND_)
args COMMAND... : run(COMMAND)

[yarn create, yarn init, yarn c]
args PACKAGE WORD... : package.install(PACKAGE), opaque 'the initialiser of a package is run'
do file.write('package.json')

[yarn login, yarn logout, yarn npm login, yarn npm logout, yarn npm whoami]
else field(OPTION, VALUE)
args WORD...
do secret.write('~/.npmrc'), api.call('registry.npmjs.org')

[yarn publish, yarn npm, yarn deploy]
else field(OPTION, VALUE)
args WORD...
do publish(), file.read(under('.'))

[yarn list, yarn info, yarn why, yarn ls, yarn la, yarn ll, yarn outdated, yarn audit, yarn bin, yarn root, yarn version, yarn config, yarn cache, yarn pm, yarn workspaces, yarn store, yarn licenses, yarn help, yarn check, yarn view, yarn env, yarn workspace, yarn doctor, yarn pack]
else field(OPTION, VALUE)
args WORD...
do file.write(under('.'))
out any

[yarn build]
args WORD...
-o --outfile --outdir OUT : file.write(tree(OUT))
do projectscript('build')

[bun]
mark quiet
flags --silent -h --bun --watch --hot --smol --no-install --no-cache --force -y --yes
values --filter --target --registry
--env-file FILE_ : file.read(FILE_)
-c --config SETTINGS : opaque 'settings of bun can load code' if not SETTINGS~'(./)?bunfig[.]toml'
--cwd DIR : chdir(DIR)
-v --version --help --revision
-e --eval -p --print CODE WORDS... : code('ts', CODE, WORDS)
-r --preload MODULE : script('ts', MODULE)
args SCRIPT WORD... : bunrun(SCRIPT, WORD)
do process.create(PROGRAM)
out any

[bun run]
style posix
flags --silent --bun --watch --hot --smol
args SCRIPT WORD... : bunrun(SCRIPT, WORD) if not SCRIPT=='-', code('ts', STDIN) if SCRIPT=='-'

[bun exec]
args COMMAND : sh(COMMAND)

[bun x]
style posix
-p --package PACKAGE : package.install(PACKAGE)
args COMMAND... : runpackage(COMMAND)

[bun install, bun i, bun add, bun a, bun update, bun link, bun upgrade, bun pm, bun patch, bun ci]
else field(OPTION, VALUE)
args PACKAGE... : package.install(PACKAGE)
do package.install('package.json') if not PACKAGE, lifecycle('install') if not PACKAGE, file.write(tree('node_modules')), file.write('package.json')

[bun remove, bun rm, bun unlink]
else field(OPTION, VALUE)
args PACKAGE... : package.install(PACKAGE)
do file.delete(tree('node_modules')), file.write('package.json')

[bun test]
-r --preload --require --import MODULE : script('ts', MODULE)
else field(OPTION, VALUE)
args WORD...
do tests(WORD)

[bun build]
--outfile --outdir OUT : file.write(tree(OUT))
else field(OPTION, VALUE)
args FILE... : file.read(FILE)
do file.read(under('.'))

[bun create, bun init, bun c]
args PACKAGE WORD... : package.install(PACKAGE), opaque 'the initialiser of a package is run'
do file.write(under('.'))

[bun publish]
else field(OPTION, VALUE)
do publish('registry.npmjs.org'), file.read(under('.'))

[bun outdated, bun why, bun info, bun audit, bun help]
else field(OPTION, VALUE)
args WORD...
out any

[corepack]
args WORD...
else field(OPTION, VALUE)
do package.install()

[deno]
mark quiet
flags -q --quiet -h --unstable
--version -V
args SCRIPT WORD... : script('js', SCRIPT, WORD)
do process.create(PROGRAM)
out any

[deno test, deno bench]
--preload --import --require MODULE : script('js', MODULE)
-c --config --import-map SETTINGS : opaque 'settings of deno change what is loaded' if not SETTINGS~'(./)?deno[.]jsonc?'
flags -A --allow-all --allow-net --allow-read --allow-write --allow-env --allow-run --allow-ffi --allow-sys --no-check --no-prompt --watch --fail-fast --parallel --doc --trace-leaks --quiet -q --no-run --json
values --filter --shuffle --reporter --ignore
--coverage --junit-path OUT_? : file.write(tree(OUT_))
args WORD...
do tests(WORD)

[deno run, deno serve]
style posix
flags -A --allow-all --allow-net --allow-read --allow-write --allow-env --allow-run --allow-ffi --allow-sys --no-check --no-prompt --cached-only --no-remote
 -N -R -W -E --watch --no-lock --inspect
-c --config --import-map SETTINGS : opaque 'settings of deno change what is loaded' if not SETTINGS~'(./)?deno[.]jsonc?'
--preload --import --require MODULE : script('js', MODULE)
--lock --cert --env-file FILE_ : file.read(FILE_)
values -L --log-level --location --seed --ext --v8-flags --port --host
flags -q --quiet --allow-import --no-npm --unstable -r --reload --allow-hrtime --no-config --check
flags --deny-net --deny-read --deny-write --deny-env --deny-run --deny-ffi --deny-sys --node-modules-dir --frozen --vendor
args SCRIPT WORD... : script('js', SCRIPT, WORD)

[deno eval]
style posix
flags -p --print -T --ts --no-check -A
args CODE WORD... : code('js', CODE, WORD)

[deno install, deno add, deno cache, deno upgrade, deno remove]
else field(OPTION, VALUE)
args PACKAGE... : package.install(PACKAGE)

[deno fmt, deno lint, deno check, deno info, deno doc, deno types]
else field(OPTION, VALUE)
args FILE... : file.read(FILE), file.write(FILE)
do file.write(under('.')) if not FILE
out any

[deno compile]
-o --output OUT : file.write(OUT)
else field(OPTION, VALUE)
args FILE... : file.read(FILE)
do file.write(under('.')), web.fetch()

[deno task]
args TASK WORD... : source.execute('deno.json'), opaque 'a task of the project is run'

[tsx, ts-node, esr, sucrase-node, tsimp, esno, jiti, babel-node]
style posix
mark quiet
flags -T --transpile-only --esm -h --no-cache --no-warnings -s --files --swc --watch
values --tsconfig -P --project
--cwd DIR : chdir(DIR)
-C --compiler COMPILER : opaque 'a compiler of the skill is loaded'
-e --eval -p --print CODE WORDS... : code('ts', CODE, WORDS)
-v --version
-r --require --import MODULE : script('js', MODULE)
args(not -e) SCRIPT ARGS... : script('ts', SCRIPT, ARGS)
do code('ts', STDIN) if not SCRIPT and not -e and not -v
do process.create(PROGRAM) if -v

[apt, apt-get, aptitude]
flags -y --yes --assume-yes -q --quiet -f --fix-broken -m --fix-missing -d --download-only -s --simulate --dry-run --no-install-recommends
 --install-recommends --allow-unauthenticated --reinstall --purge --auto-remove --autoremove -V --no-upgrade --only-upgrade --force-yes
 --allow-downgrades --allow-remove-essential --allow-change-held-packages --allow-releaseinfo-change --no-cache --installed --upgradable -u -a
values -t --target-release
-c --config-file SETTINGS : file.read(SETTINGS), opaque 'settings of apt can name commands'
-o --option SETTING : setting('apt-o', SETTING)
out any

[apt install, apt reinstall, apt remove, apt purge, apt build-dep, apt download, apt source]
args PACKAGE... : package.install(PACKAGE)

[apt update, apt upgrade, apt dist-upgrade, apt full-upgrade, apt autoremove, apt autoclean, apt clean, apt mark, apt hold]
args PACKAGE...
do package.install()

[apt list, apt search, apt show, apt policy, apt depends, apt rdepends, apt changelog, apt help, apt moo]
args PACKAGE...
out any

[apt-o/dpkg::*, apt-o/apt::*, apt-o/acquire::*, apt-o/dir::*, apt-o/debug::*]
mark quiet
style words
args TEXT : sh(TEXT) if TEXT~'.*[ ;|&$/].*'

[apt-o/*]
mark quiet
style words
args TEXT : opaque 'an option of apt can name a command'

[apt-cache, dpkg-query, apt-file, apt-config, dpkg-architecture, rpm-qa, pacman-q]
else field(OPTION, VALUE)
args PACKAGE...
out any

[apt-mark]
else field(OPTION, VALUE)
args WORD... : system.configure('packages') if not WORD~'show.*'
out any

[add-apt-repository, apt-key, update-alternatives, update-ca-certificates, debconf-set-selections, dpkg-reconfigure, ldconfig, locale-gen, update-locale]
else field(OPTION, VALUE)
args WORD...
do system.configure('packages')

[dpkg, rpm]
-i --install -U --upgrade -e --erase -r --remove -P --purge --configure -F --import --force-all --unpack -A --triggers-only --set-selections --clear-selections --add-architecture --remove-architecture : package.install(FILE), package.install() if not FILE
-E --eval --pipe -D --define --load --rcfile --macros --pre-invoke --post-invoke --initdb COMMAND : opaque 'a macro or an option runs a command'
-l --list -s --status -L --listfiles -S --search -p --print-avail -q --query -qa -V --verify --print-architecture --get-selections --compare-versions
-x --extract -X : file.write(any)
flags --dry-run --no-act --simulate -R --recursive -G -O -B --print-foreign-architectures --no-debsig --audit -C --force-confold --force-confdef --force-overwrite --force-depends --no-triggers --version --nodeps --force --test --percent --hash -h --replacepkgs --oldpackage --nosignature --nodigest --justdb --noscripts --allmatches -a --all -c --changelog --provides --requires --whatprovides --scripts -W --show
values --queryformat --qf -f --showformat --abort-after
--admindir --instdir --root --dbpath --relocate --prefix ROOT : file.read(any), file.write(any)
args FILE... : file.read(FILE)
out any

# They run commands in what they install, or build a project.
[yum exec, yum x, yum run, yum develop, yum repl, yum ghci, yum runghc, yum runhaskell, yum script, yum eval]
args WORD...
do package.install(), source.execute(under('.')), opaque 'a command is run in an environment'
out any

[yum build, yum test, yum bench, yum make, yum shell]
else field(OPTION, VALUE)
args WORD... : package.install(WORD)
do package.install() if not WORD, source.execute(under('.')) if PROGRAM~'cabal|stack|luarocks|conan|nix|guix|mise', opaque 'a project is built or a command run' if PROGRAM~'cabal|stack|luarocks|conan|nix|guix|mise'
out any

[yum, dnf, microdnf, zypper, apk, pacman, snap, flatpak, port, choco, winget, scoop, nix-env, nix, guix, emerge, xbps-install, opkg, pkg, pkg_add, asdf, mise, sdk, nvm, fnm, volta, n, rbenv, pyenv, tlmgr, cpan, cpanm, luarocks, opam, cabal, stack, ghcup, krew, pkgutil, softwareupdate, mas, ensurepip, gup, vcpkg, conan]
else field(OPTION, VALUE)
args WORD... : package.install(WORD)
do package.install() if not WORD
out any

[brew]
flags -v --verbose -q --quiet -d --debug -h
--version --prefix --cellar --repository --cache --env
out any

[brew install, brew reinstall, brew upgrade, brew uninstall, brew remove, brew rm, brew tap, brew untap, brew cask, brew bundle, brew link, brew unlink, brew update, brew cleanup, brew pin, brew autoremove]
else field(OPTION, VALUE)
args PACKAGE... : package.install(PACKAGE)
do package.install() if not PACKAGE

[brew shellenv]
args SHELL
out none

[brew list, brew ls, brew info, brew search, brew outdated, brew doctor, brew config, brew deps, brew uses, brew leaves, brew home, brew cat, brew commands]
else field(OPTION, VALUE)
args PACKAGE...
out any

[brew bundle exec, brew bundle sh]
style posix
args COMMAND... : run(COMMAND)
do package.install('Brewfile')

[brew services]
else field(OPTION, VALUE)
args WORD...
do schedule.create()

[gem]
flags -V -q --quiet --verbose -v -h --version
out any

[gem install, gem update, gem uninstall, gem cleanup]
else field(OPTION, VALUE)
args PACKAGE... : package.install(PACKAGE)
do package.install() if not PACKAGE

[gem list, gem environment, gem env, gem search, gem info, gem which, gem outdated, gem help, gem dependency]
else field(OPTION, VALUE)
args PACKAGE...
out any

[gem build]
args FILE : opaque 'a gem specification is code'

[gem signin, gem signout]
else field(OPTION, VALUE)
args WORD...
do secret.write('~/.gem/credentials'), api.call('rubygems.org')

[gem push, gem yank]
else field(OPTION, VALUE)
args FILE : file.read(FILE)
do publish('rubygems.org')

[bundle, bundler]
flags --verbose -v -h --version
out any

[bundle install, bundle update, bundle add, bundle remove, bundle lock]
else field(OPTION, VALUE)
args PACKAGE... : package.install(PACKAGE)
do package.install('Gemfile') if not PACKAGE

[bundle exec]
style posix
args COMMAND... : run(COMMAND)

[bundle list, bundle show, bundle info, bundle check, bundle outdated]
args WORD...
do source.execute('Gemfile'), opaque 'a Gemfile is code'
out any

[bundle config]
else field(OPTION, VALUE)
args WORD... : file.write('~/.bundle/config')
out any

[cargo]
flags -v --verbose -q --quiet --locked --offline --frozen -h -V --version --list -r --release --all-targets --all-features --no-default-features
 --workspace --all --lib --bins --tests --benches --examples --keep-going --no-run --no-fail-fast --doc --force -f --git-only --allow-dirty --no-verify
 --dry-run --open --no-deps --bin-only --fix --allow-staged --no-track --debug
flags +*
values -p --package -j --jobs --target --features -F --profile --manifest-path --bin --example --test --bench --exclude --color --message-format
 --branch --tag --rev --registry --index --edition --name --vcs -Z --git --path --format --threshold
--config SETTING : opaque 'a setting of cargo can name programs'
-C DIR : chdir(DIR)
--root --target-dir --out-dir --artifact-dir OUT_DIR : file.write(tree(OUT_DIR))
env RUSTC RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER CARGO_BUILD_* CARGO_HOME : opaque 'a variable changes what cargo runs'
out any

[cargo build, cargo b, cargo check, cargo c, cargo clippy, cargo run, cargo r, cargo test, cargo t, cargo bench, cargo doc, cargo rustc, cargo fix, cargo nextest, cargo miri, cargo fuzz, cargo expand, cargo llvm-cov, cargo tarpaulin, cargo package, cargo kani, cargo watch, cargo build-sbf, cargo make, cargo xtask, cargo geiger, cargo udeps]
args WORD...
do file.write(tree('target')), source.execute(under('.')), opaque 'rust code is not analysed'

[cargo install]
--path DIR : source.execute(under(DIR)), opaque 'a project is built or run'
--config -Z SETTING : opaque 'a setting of cargo can name a program'
else field(OPTION, VALUE)
args PACKAGE... : package.install(PACKAGE)
do package.install('Cargo.toml') if not PACKAGE

[cargo add, cargo update, cargo fetch, cargo remove, cargo uninstall, cargo binstall, cargo vendor, cargo generate-lockfile]
--config -Z SETTING : opaque 'a setting of cargo can name a program'
else field(OPTION, VALUE)
args PACKAGE... : package.install(PACKAGE)
do package.install('Cargo.toml') if not PACKAGE

[cargo generate]
args SOURCE WORD... : package.install(SOURCE)
do web.fetch(), file.write(under('.')), opaque 'a template can run commands'

[cargo fmt, cargo new, cargo init, cargo sort]
--config --config-path -Z SETTING : opaque 'a setting of cargo can name a program'
else field(OPTION, VALUE)
args PATH... : file.write(tree(PATH))
do file.write(under('.'))

[cargo clean]
--config -Z SETTING : opaque 'a setting of cargo can name a program'
--target-dir DIR_ : file.delete(tree(DIR_))
else field(OPTION, VALUE)
do file.delete(tree('target'))

[cargo login, cargo logout]
else field(OPTION, VALUE)
args TOKEN
do secret.write('~/.cargo/credentials.toml'), api.call('crates.io')

[cargo publish]
-n --dry-run :
flags --no-verify --allow-dirty --locked --offline --frozen --all-features --no-default-features --workspace -q --quiet -v --verbose
--config -Z SETTING : opaque 'a setting of cargo can name a program'
else field(OPTION, VALUE)
args WORD...
do publish('crates.io') if not -n and not --dry-run, source.execute(under('.')), opaque 'rust code is not analysed'

[cargo yank, cargo owner]
else field(OPTION, VALUE)
args WORD...
do publish('crates.io')

[cargo search, cargo info, cargo audit, cargo deny, cargo outdated]
--registry --index REGISTRY : web.fetch(REGISTRY)
--config -Z SETTING : opaque 'a setting of cargo can name a program'
else field(OPTION, VALUE)
args WORD...
do file.read(tree('.')), web.fetch('crates.io')
out <net>

[cargo tree, cargo metadata, cargo version, cargo help, cargo locate-project, cargo pkgid, cargo read-manifest, cargo license, cargo machete, cargo report]
--config -Z SETTING : opaque 'a setting of cargo can name a program'
else field(OPTION, VALUE)
args WORD...
do file.read(tree('.'))
out any

[rustup run]
style posix
flags --install
args TOOLCHAIN COMMAND... : run(COMMAND)
do package.install('rust')

[rustup show, rustup which, rustup help, rustup completions]
else field(OPTION, VALUE)
args WORD...
out any

[rustup]
else field(OPTION, VALUE)
args WORD...
do package.install('rust')
out any

[go]
flags -h
-C DIR : chdir(DIR)
env GOFLAGS GOPROXY CC CXX GOTOOLCHAIN GOROOT GOENV GOCACHEPROG GOAUTH : opaque 'a variable changes what go runs'
out any

[go version]
style long
flags -m -v -json
args FILE... : file.read(tree(FILE))
out any

[go env, go help]
style long
flags -json -changed
-w -u : system.configure('go')
args WORD...
out any

# these read the sources of the project, and fetch modules that are missing
[go list, go doc, go vet]
style long
-vettool -toolexec -exec -overlay -modfile COMMAND : opaque 'go runs a program that an option names'
flags -m -v -json -u -e -f -deps -test -all -src -short -cmd -c -n -x -race
values -tags -mod
args WORD... : file.read(tree(WORD))
do file.read(tree('.')), web.fetch('proxy.golang.org'), file.write(under('~/go/pkg'))
out any

[go fix]
style long
-fixtool -vettool -toolexec -exec -overlay -modfile COMMAND : opaque 'go runs a program that an option names'
flags -v -json -n -x -diff
values -tags -mod -fix
args WORD... : file.read(tree(WORD)), file.write(tree(WORD))
do file.read(tree('.')), file.write(tree('.')), web.fetch('proxy.golang.org'), file.write(under('~/go'))
out any

[go install, go get]
style long
flags -u -t -d -v -x -n -a -race -trimpath -json -e -go -work -insecure
values -tags -ldflags -gcflags -mod -p -compat -require -replace
-C DIR_ : chdir(DIR_)
-o OUT : file.write(OUT)
-toolexec -exec -overlay -modfile -asmflags COMMAND : opaque 'go runs a program that an option names'
args PACKAGE... : package.install(PACKAGE)
do file.read(tree('.')), file.write('go.mod'), file.write('go.sum'), file.write(tree('vendor')), file.write(under('~/go'))

# what the module itself names
[go mod, go work]
style long
flags -u -t -d -v -x -n -a -race -trimpath -json -e -go -work -insecure
values -tags -ldflags -gcflags -mod -p -compat -require -replace
-C DIR_ : chdir(DIR_)
-o OUT : file.write(OUT)
-toolexec -exec -overlay -modfile -asmflags COMMAND : opaque 'go runs a program that an option names'
args WORD...
do package.install('go.mod'), file.read(tree('.')), file.write('go.mod'), file.write('go.sum'), file.write(tree('vendor')), file.write(under('~/go/pkg'))

[go build, go test, go generate, go clean, go tool]
style long
-o OUT : file.write(tree(OUT))
-exec -toolexec COMMAND : run(COMMAND)
args WORD...
do file.write(under('.')), source.execute(under('.')), opaque 'go code is not analysed'

[go run]
style posix
-exec COMMAND_ : run(COMMAND_)
-race -v -x -a -n -work -mod -tags -ldflags -gcflags -trimpath -p -C -buildvcs _?
args SCRIPT ARGS... : script('go', SCRIPT, ARGS)
