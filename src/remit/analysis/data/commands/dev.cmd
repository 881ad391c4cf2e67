# Compilers, linters, test runners and other tools of developers.

[ninja]
flags -v --verbose --quiet -n
values -j -k -l -d -w
-C DIR : chdir(DIR)
-f FILE
-t TOOL
args TARGET...
do makefile(FILE)
out any

[make, gmake, nmake]
flags -b -B --always-make -d -e --environment-overrides -i --ignore-errors -k --keep-going -L -m -n --just-print --dry-run --recon -p --print-data-base -q
 --question -r --no-builtin-rules -R --no-builtin-variables -s --silent --quiet -S --no-keep-going --stop -t --touch --trace -v -w --print-directory
 --no-print-directory --warn-undefined-variables -h --no-silent --check-symlink-times
optional -j --jobs -l --load-average -O --output-sync --debug
values -o --old-file --assume-old -W --what-if --new-file --assume-new --shuffle
-C --directory DIR : chdir(DIR)
-I --include-dir DIR_ : file.read(tree(DIR_))
-f --file --makefile FILE
-E --eval CODE : opaque 'make evaluates a text'
args TARGET...
do makefile(FILE)
do opaque 'a variable changes what make runs' if TARGET~'[^=]*=(.|\n)*'
env MAKEFLAGS GNUMAKEFLAGS MAKEFILES SHELL : opaque 'a variable changes what make runs'
out any

# A text on the command line is code of the skill, also where the agent is told to run it.
[perl, ruby]
style posix
mark quiet
-v --version -V -version --help -h
-e -E CODE : code('perl', CODE)
flags -n -p -l -a -w -c -s -S -t -T -u -U -W -X
values -I -M -m -F -r -C -x
-i SUFFIX_?
-0 DIGITS_?
args SCRIPT_ _... : source.execute(SCRIPT_) if not -e, opaque 'this language is not analysed'
do code('perl', STDIN) if STDIN and not SCRIPT_ and not -e and not -v
do process.create(PROGRAM), opaque 'this language is not analysed' if not -v
else pure
out any

[php]
style posix
mark quiet
-v --version -V -version --help -h
-r -B -R -E CODE : code('php', CODE)
args SCRIPT_ _... : source.execute(SCRIPT_) if not -r, opaque 'this language is not analysed'
do code('php', STDIN) if STDIN and not SCRIPT_ and not -r and not -v
do process.create(PROGRAM), opaque 'this language is not analysed' if not -v
else pure
out any

[lua, luajit, Rscript, julia, elixir, octave, groovy, racket, guile, swipl, sbcl, R, scala, clojure, raku, Rscript.exe]
style posix
mark quiet
-v --version -V -version --help -h
-e --eval --execute -E CODE : code('a language', CODE)
args SCRIPT_ _... : source.execute(SCRIPT_) if not -e, opaque 'this language is not analysed'
do code('a language', STDIN) if STDIN and not SCRIPT_ and not -e and not -v
do process.create(PROGRAM), opaque 'this language is not analysed' if not -v
else pure
out any

[powershell, pwsh, powershell.exe]
style long
mark quiet
-v --version -V -version --help -h
-Command -c -command -EncodedCommand -enc -e CODE... : code('powershell', CODE)
args SCRIPT_ _... : opaque 'this language is not analysed'
do process.create(PROGRAM), opaque 'this language is not analysed' if not -v
else pure
out any

# Builders and test runners: they run what the project says, and its code.
[cmake, cpack, meson, scons, gradle, ./gradlew, gradlew, mvn, mvnw, mix, rebar3, rails, jekyll, rspec, turbo, nx, lerna, hardhat, truffle]
style posix
mark quiet
-v --version -V -version --help -h
args TARGET_ _... : source.execute(under('.')), opaque 'a project is built or run'
do process.create(PROGRAM), source.execute(under('.')) if not -v, opaque 'a project is built or run' if not -v
else pure
out any

# Of these `-v` says that they shall say more.
[ctest, bazel, bazelisk, buck2, xcodebuild, swift, ant, sbt, lein, msbuild, flutter, dart, zig, dune, artisan, rake, lake, phpunit]
style posix
mark quiet
--version -version --help
args TARGET_ _... : source.execute(under('.')), opaque 'a project is built or run'
do process.create(PROGRAM), source.execute(under('.')) if not --version, opaque 'a project is built or run' if not --version
else pure
out any

[nuget, composer, pub]
mark quiet
--version -V --help -h
else pure
args TARGET_ _... : source.execute(under('.')), opaque 'a project is built or run'
do process.create(PROGRAM), source.execute(under('.')) if not --version, opaque 'a project is built or run' if not --version
out any

[nuget install, nuget restore, nuget update, nuget require, nuget get, nuget upgrade, nuget add, nuget create-project, nuget remove]
else pure
args PACKAGE... : package.install(PACKAGE)
do package.install() if not PACKAGE, file.write(under('.')), source.execute(under('.')), opaque 'an installation runs scripts of the project'

[nuget push, nuget publish]
else pure
args FILE... : file.read(FILE)
do publish()

[dotnet]
mark quiet
-v --version --info --list-sdks --list-runtimes -h --help
else pure
args SCRIPT _... : source.execute(SCRIPT), opaque 'this language is not analysed'
do process.create(PROGRAM), opaque 'this language is not analysed' if not -v
out any

[dotnet build, dotnet run, dotnet test, dotnet publish, dotnet pack, dotnet watch, dotnet msbuild, dotnet vstest, dotnet ef, dotnet exec, dotnet format, dotnet clean, dotnet tool run, dotnet tool exec]
-o --output OUT : file.write(tree(OUT))
else pure
args WORD...
do process.create(PROGRAM), source.execute(under('.')), file.write(under('.')), opaque 'a project is built or run'
out any

[dotnet add, dotnet package, dotnet remove]
else pure
args WORD... : package.install(WORD)
do process.create(PROGRAM), file.write(under('.'))
out any

[dotnet add package, dotnet package add, dotnet package update, dotnet tool install, dotnet tool update, dotnet tool restore, dotnet workload install]
values -v --version -f --framework -s --source --project --tool-path
else pure
args PACKAGE... : package.install(PACKAGE)
do process.create(PROGRAM), package.install() if not PACKAGE, file.write(under('.'))
out any

[dotnet restore, dotnet tool, dotnet workload]
else pure
args WORD... : package.install(WORD)
do process.create(PROGRAM), package.install() if not WORD, file.write(under('.'))
out any

[dotnet new install, dotnet new update, dotnet new uninstall]
else pure
args PACKAGE... : package.install(PACKAGE)
do process.create(PROGRAM), package.install() if not PACKAGE
out any

[dotnet user-secrets, dotnet dev-certs]
else pure
args WORD...
do process.create(PROGRAM), secret.read('dotnet'), secret.write('dotnet'), system.configure('certificates') if --trust
--trust
out any

[dotnet new, dotnet sln]
-o --output OUT : file.write(tree(OUT))
else pure
args WORD...
do process.create(PROGRAM), file.write(under('.'))
out any

[dotnet nuget]
else pure
args WORD...
do process.create(PROGRAM), web.fetch(), file.write(any)
out any

[dotnet nuget push]
else pure
args FILE... : file.read(FILE)
do process.create(PROGRAM), publish('nuget.org')

[xcrun, nim, crystal, ocaml, ghc, runghc, runhaskell, matlab, kotlin, kotlinc, java, javac, erl, tclsh, wish, irb, hugo, wolframscript, sage, gap, maxima, coqc, lean, agda, idris, godot, unity, blender, freecad, openscad, cmd, cmd.exe, wsl]
style posix
mark quiet
-v --version -V -version --help -h
args SCRIPT_ _... : opaque 'this language is not analysed'
do process.create(PROGRAM), opaque 'this language is not analysed' if not -v
else pure
out any

[gcc, g++, cc, c++, clang, clang++, tcc, icc, nvcc, hipcc, gfortran, emcc, em++, afl-clang-fast, afl-clang-fast++, afl-gcc, cpp, musl-gcc, x86_64-linux-gnu-gcc, aarch64-linux-gnu-gcc, arm-none-eabi-gcc]
style long
-o -MF OUT : file.write(OUT)
-o* OUT_ : file.write(OUT_)
-I -isystem -iquote -L -include -imacros -T FILE_ : file.read(FILE_)
-wrapper -B -specs -fplugin -fpass-plugin -Xclang -load -ccbin --compiler-bindir -fuse-ld --ld-path --config -tool-path PLUGIN : opaque 'the compiler loads a program or plugin'
-B* PLUGIN_ : opaque 'the compiler loads a program or plugin'
-D -U -l -x -arch -target -MT -MQ -Xlinker -Xpreprocessor -Xassembler -framework -gencode -Xcompiler -std -march -mtune _
else pure
args FILE... : file.read(FILE), opaque 'options of the compiler stand in a file' if FILE~'@.*'
do file.write(under('.')) if not -o
env LIBRARY_PATH CPATH : file.read(any)
env CC CXX COMPILER_PATH GCC_EXEC_PREFIX EM_CONFIG CCC_OVERRIDE_OPTIONS : opaque 'a variable changes what the compiler runs'
out any

[as, ld, lld, mold, nasm, yasm, dtc, fdtoverlay, solc, flatc]
style long
-o OUT : file.write(tree(OUT))
-plugin -dynamic-linker -T --script PLUGIN : opaque 'the linker loads a plugin or script'
else pure
args FILE... : file.read(FILE)
do file.write(under('.')) if not -o
out any

[rustc, swiftc, protoc]
else pure
-o --out-dir --python_out --cpp_out --java_out --go_out --grpc_python_out --js_out OUT : file.write(tree(OUT))
--plugin PLUGIN : run(PLUGIN)
args FILE... : file.read(FILE)
do opaque 'the compiler runs plugins of the project', file.write(under('.'))

[strip, objcopy, ranlib, install_name_tool, patchelf, lipo, dsymutil, dos2unix, unix2dos, codesign, ldid]
style long
-o -O -output --output-file OUT : file.write(OUT)
--plugin PLUGIN : opaque 'the tool loads a library'
else pure
args FILE... : file.read(FILE), file.write(FILE)
out any

[objdump, nm, readelf, size, strings, c++filt, addr2line, otool, ldd, llvm-objdump, llvm-nm, llvm-symbolizer]
style long
--plugin PLUGIN : opaque 'the tool loads a library'
else pure
args FILE... : file.read(FILE)
out <file>

[rustfilt]
style long
-i --input FILE : file.read(FILE)
-o --output OUT : file.write(OUT)
else pure
args WORD...
out any

[csvtool]
style long
-o -output --output --output-file --output-directory OUT : file.write(tree(OUT)), file.read(OUT)
else pure
args FILE... : file.read(tree(FILE))
do file.read('.') if not FILE, file.write(under('.'))
out any

[which]
mark builtin
flags -s -p -v --skip-alias --tty-only
-a --all
args NAME...
out(-a) any
out union(NAME, '')

[type]
mark builtin
flags -a -f -P -p -t
args NAME...
out any

[whereis, whatis]
else pure
args NAME...
out any

[man, info, tldr, apropos, less, more, most]
-P --pager -H --html -C --config-file COMMAND? : opaque 'a pager or browser is started' if PROGRAM=='man'
-o -O --log-file --LOG-FILE OUT : file.write(OUT) if PROGRAM~'less|info'
-k --lesskey-file --lesskey-src --lesskey-content KEYS : opaque 'keys of the pager can be commands' if PROGRAM=='less'
else pure
args FILE... : file.read(FILE)
env PAGER MANPAGER LESSOPEN LESSCLOSE : sh(VALUE)
out any

[fd, fdfind]
flags -H --hidden -I --no-ignore -u -s --case-sensitive -i --ignore-case -g --glob -F --fixed-strings -a --absolute-path -L --follow -p --full-path -0 --print0 -1 -q
 --quiet -l --list-details
values -d --max-depth --min-depth --exact-depth -t --type -e --extension -E --exclude -S --size --changed-within --changed-before -o --owner -c --color -j --threads
 --max-results --format --path-separator
-x --exec -X --exec-batch COMMAND; : findrun(COMMAND, DIR)
--search-path --base-directory DIR_ : file.read(tree(DIR_))
--ignore-file FILE : file.read(FILE)
args PATTERN DIR... : file.read(tree(DIR))
do file.read(tree('.')) if not DIR
out <file>

[ag, ack, ugrep]
else pure
--pager --filter --view COMMAND : sh(COMMAND)
--save-config OUT : file.write(OUT)
--ackrc --config FILE : file.read(FILE)
args PATTERN DIR... : file.read(tree(PATTERN)), file.read(tree(DIR))
do file.read(tree('.')) if not DIR
out <file>

[xxd]
style long
mark numbers
flags -a -b -C -e -E -i -p -ps -plain -r -revert -u -d -R -h -v
-c -g -l -o -s -n -len -seek _
args FILE OUT : file.read(FILE), file.write(OUT)
out derived(STDIN)

[iconv, recode]
flags -c -l --list -s --silent --verbose -V --usage
values -f --from-code -t --to-code
-o --output OUT : file.write(OUT)
args FILE... : file.read(FILE)
out any

[patch]
-i --input FILE_ : file.read(FILE_)
-r --reject-file -o --output OUT : file.write(OUT)
-d --directory DIR : chdir(DIR)
-p --strip -D -F -B -V -Y -z _
else pure
args FILE... : file.read(FILE), file.write(FILE)
do file.write(under('.')), file.delete(under('.'))

[ed, ex]
else pure
args FILE... : file.read(FILE), file.write(FILE)
do opaque 'an editor script can run commands'

[uuidgen, uuid, mcookie]
flags -r --random -t --time -m --md5 -s --sha1 -v
values -n --namespace -N --name -F -o
args _...
out token

[pwgen, apg]
else pure
args _...
out any

[envsubst]
flags -v --variables -h -V
args FORMAT
do env.read()
out any

[pkg-config, llvm-config, python3-config, pkgconf, getopt, gettext, ngettext, tabs, dircolors, lsmem, lsns, lsipc, compgen]
else pure
args WORD...
out any

[m4]
else pure
args FILE... : file.read(FILE), opaque 'm4 macros can run commands'

[code tunnel, code serve-web, code remote-control]
else pure
args WORD...
do net.connect(), net.listen(), opaque 'an editor lets others run commands on this machine'

[code chat]
else pure
args WORD...
do subagent.delegate(PROGRAM)

[code, cursor, windsurf, code-insiders, codium]
style posix
--install-extension EXTENSION : package.install(EXTENSION)
--extensionDevelopmentPath --extensions-dir --user-data-dir --extension-development-path CODE : opaque 'an editor loads extensions of a folder'
--add-mcp SERVER : policy.expand(PROGRAM)
else pure
args FILE... : file.read(FILE), file.write(FILE)
out any

[vim, vi, view, vimdiff, gvim, nvim, nano, emacs, emacsclient, pico, subl, micro, helix, hx, gedit, kate, atom, zed, idea, joe, jed, mcedit]
style posix
-c -S -s -u -U -e -x --cmd --eval -f --load -l --execute --script --funcall --speller --remote-expr --remote-send CODE : opaque 'an editor runs commands'
-W -w OUT : file.write(OUT)
else pure
args FILE... : file.read(FILE), file.write(FILE), opaque 'an editor runs commands' if FILE~'[+]/?[^0-9/].*'
env VIMINIT EXINIT MYVIMRC VIMRUNTIME NVIM_APPNAME : opaque 'a variable makes the editor run commands'
out any

[pytest, py.test, python-m/pytest, nox, tox, coverage, python-m/coverage, nosetests, behave, robot, locust, mutmut]
-o --junitxml --basetemp --html --cov-report --rootdir --confcutdir OUT : file.write(any)
-p -c --config-file --listener --variablefile --pythonpath --noxfile --locustfile --override-ini CODE : opaque 'a test runner loads code that an option names' if not CODE~'no:.*|(./)?(pytest[.]ini|pyproject[.]toml|setup[.]cfg|tox[.]ini)'
env PYTEST_ADDOPTS PYTEST_PLUGINS : opaque 'a variable makes the test runner load code'
else pure
args WORD...
do tests(WORD), file.write(under('.'))
out any

[jest, npx/jest, vitest, npx/vitest, mocha, npx/mocha, ava, npx/ava, cypress, npx/cypress, npx/@playwright/test, karma, bats, npx/bats]
-r --require --import --loader --config -c --globalSetup --globalTeardown --setupFiles --setupFilesAfterEnv --setupFilesAfterEach --testEnvironment --runner --reporter --reporters --testRunner --resolver --transform --preset --config-file --file CODE : opaque 'a test runner loads code that an option names' if CODE~'(.*/.*|.*[.][cm]?[jt]s)'
else pure
args WORD...
do tests(WORD), file.write(under('.'))
out any

[playwright, npx/playwright, python-m/playwright]
flags --help -h -V --version
out any

[playwright install, playwright install-deps, playwright uninstall]
else pure
args WORD...
do package.install('browsers')

[playwright test, playwright codegen, playwright open, playwright show-report, playwright show-trace, playwright run-server]
else pure
args WORD...
do source.execute('tests'), opaque 'a browser is driven by code of the project', web.interact()

[playwright screenshot, playwright pdf]
else pure
args URL OUT : web.interact(URL), file.write(OUT)

[npx/create-react-app, npx/create-next-app, npx/create-vite, npx/degit, npx/tiged, npx/shadcn, npx/husky, npx/tailwindcss, npx/@tailwindcss/cli, npx/prisma, npx/drizzle-kit, npx/expo, npx/react-native, npx/ng, npx/nx, npx/turbo, npx/lerna, npx/@changesets/cli, npx/semantic-release, npx/typedoc, npx/serve, npx/http-server, npx/concurrently, npx/nodemon, npx/remotion, npx/esbuild, npx/vite, npx/webpack, npx/rollup, npx/tsup, npx/hardhat, npx/parcel, npx/html-inline, optimum-cli, devcontainer, prek, mull-runner, slither-mutate, necessist, mewt]
args _...
else pure
do opaque 'the package runs code of the project, or code that it fetches'
out any

[rimraf, trash, trash-put, rmtrash, del]
else pure
args FILE... : file.delete(tree(FILE))

[streamlit, gradio, uvicorn, gunicorn, hypercorn, flask, python-m/flask, django-admin, celery, jupyter, jupyter-lab, jupyter-notebook, papermill, python-m/jupyter, python-m/uvicorn, fastapi, airflow, prefect, dagster, torchrun, accelerate, deepspeed, mpirun, mpiexec, python-m/torch.distributed.run, ray, legate, snakemake, nextflow, invoke, just, task, doit, lefthook, overmind, foreman, honcho]
args _...
else pure
do source.execute(under('.')), opaque 'the tool runs code of the project'
out any

[pre-commit]
-V --version -h --help
else pure
args WORD... : opaque 'the tool runs code of the project'
do opaque 'the tool runs code of the project' if not WORD and not -V
out any

[pre-commit install, pre-commit install-hooks, pre-commit uninstall, pre-commit autoupdate, pre-commit clean, pre-commit gc]
else pure
args _...
do package.install('.pre-commit-config.yaml'), hook.install('.git/hooks/pre-commit'), file.write('.pre-commit-config.yaml')
out any

[tensorboard, http-server, serve, live-server, caddy, nginx, apache2, httpd, Xvfb, x11vnc, vncserver, redis-server, postgres, mysqld, mongod, memcached, mosquitto, vllm, llama-server, tritonserver, solana-test-validator]
--logdir --root --dir --directory --dbpath --datadir -D DIR : file.read(tree(DIR)), file.write(tree(DIR)) if PROGRAM~'postgres|mysqld|mongod'
--loadmodule --plugin-load --plugin-load-add --init-file --middleware -g CODE : opaque 'the server loads code'
-c -f -C --config --conf CONFIG : opaque 'settings of a server can load code' if PROGRAM~'caddy|nginx|apache2|httpd|redis-server|postgres|mysqld|mongod|mosquitto'
else pure
args WORD... : file.read(tree(WORD)), opaque 'settings of a server can load code' if PROGRAM=='redis-server'
do net.listen(), file.read(under('.'))
out any

[python-m/build, pyproject-build, maturin, flit, cibuildwheel]
else pure
-o --outdir OUT : file.write(tree(OUT))
args DIR : localpackage(DIR)
do package.install('pyproject.toml'), file.write(under('.'))
out any

[python-m/build publish, python-m/build upload]
else pure
args FILE... : file.read(FILE)
do publish('pypi.org'), package.install('pyproject.toml'), file.write(under('.'))
out any

[npx/@modelcontextprotocol/inspector, mcp-inspector]
args _...
else pure
do opaque 'a tool server is started'

[codeql]
mark exact
-c --command COMMAND : sh(COMMAND)
-o --output OUT : file.write(tree(OUT))
else pure
args WORD... : opaque 'the project is built' if WORD~'create|trace-command|init'
do file.read(any), file.write(any)
out any

[codeql resolve, codeql version, codeql query, codeql pack, codeql bqrs]
mark exact
-o --output OUT : file.write(tree(OUT))
else pure
args WORD...
do file.read(any), file.write(any), api.call('github.com')
out any

[tegrastats, procrank, jtop, lscgroup]
else pure
--logfile OUT : file.write(OUT)
args WORD...
do process.query()
out any

[sarif, trailmark, deepstream-app]
else pure
--preview --bind COMMAND : sh(COMMAND)
-o --output OUT : file.write(OUT)
args WORD... : file.read(tree(WORD))
do file.read(under('.')), file.write(under('.'))
env FZF_DEFAULT_COMMAND FZF_DEFAULT_OPTS : sh(VALUE)
out any

# Tools that carry out what the files of a project say, which may be commands.

[amplify login, amplify logout, amplify token, amplify login:ci]
use login

[amplify pages]
else pure
args WORD...
do api.call(), file.read(any), file.write(any), source.execute(under('.')), opaque 'the tool runs what files of the project say'
out any

[amplify deploy, amplify publish, amplify hosting:channel:deploy, amplify pages deploy, amplify pages publish]
else pure
args WORD... : file.read(tree(WORD))
do api.call(), publish(PROGRAM), file.read(any), file.write(any), source.execute(under('.')), opaque 'the tool runs what files of the project say'
out any

[amplify, modal, dvc, kamal, anchor, forge, qsub, bsub, firebase, netlify, wrangler, mlflow, npx/netlify-cli, npx/firebase-tools]
-V --version -h --help
else pure
args WORD... : opaque 'the tool runs what files of the project say' if not WORD~'version|login|logout|whoami|status|list|ls|help'
do api.call(), file.read(any), file.write(any) if WORD
do schedule.create() if PROGRAM~'qsub|bsub', opaque 'a job is run' if PROGRAM~'qsub|bsub' and not WORD and not -V
out any

[mujoco_usd_converter, urdf_usd_converter]
style long
-c --comment TEXT
-p --package TEXT : file.read(any)
else pure
args FILE OUT : file.read(any), file.write(tree(OUT)), file.delete(tree(OUT))
out any
