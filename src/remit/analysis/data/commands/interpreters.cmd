# Programs that run code, and programs that run programs.

[bash, sh, dash, zsh, ksh, ash, mksh, rbash, fish]
style posix
mark interpreter
flags -a -b -e -f -h -i -k -l -m -p -r -t -u -v -x -B -C -E -H -P -T -D --login --posix --norc --noprofile --restricted --verbose
 --debug --pretty-print --noediting --debugger --dump-strings --dump-po-strings +e +x +u +v +f +m
values -o +o -O +O
-n --no-execute
+n
--rcfile --init-file FILE : script('shell', FILE)
-c CODE WORDS... : shell(CODE, WORDS)
-s : shell(STDIN, OPERANDS)
args(-n, not -c, not -s, not +n) SCRIPT ARGS... : file.read(SCRIPT)
args(not -c, not -s) SCRIPT ARGS... : script('shell', SCRIPT, ARGS) if not SCRIPT=='-', shell(STDIN) if SCRIPT=='-' and not ARGS, script('shell', ARGS) if SCRIPT=='-'
args WORD...
--version
do shell(STDIN) if not SCRIPT and not -c and not -s and not --version and not -n
do shell(STDIN) if +n and not SCRIPT and not -c and not -s
do process.create(PROGRAM) if --version|-n
env BASH_ENV ENV : script('shell', VALUE)
env ZDOTDIR : opaque 'the shell reads its start-up files from a folder that the skill sets'
env SHELLOPTS BASHOPTS PS4 : opaque 'a variable changes what the shell does'

[python3, python, python2, pypy, pypy3, python3.*, python2.*, pythonw]
style posix
mark interpreter
flags -b -B -d -E -I -O -P -q -s -S -u -v -x -R
-i : code('python', STDIN)
values -W -X --check-hash-based-pycs
-V --version --help -h
-c CODE WORDS... : code('python', CODE, WORDS)
-m MODULE WORDS... : module(MODULE, WORDS)
args(not -c, not -m) SCRIPT ARGS... : script('python', SCRIPT, ARGS) if not SCRIPT=='-', code('python', STDIN, ARGS) if SCRIPT=='-'
args _...
do code('python', STDIN) if not SCRIPT and not -c and not -m and not -V
do process.create(PROGRAM) if -V
env PYTHONPATH PYTHONHOME PYTHONSTARTUP PYTHONUSERBASE PYTHONBREAKPOINT PYTHONPLATLIBDIR PYTHONINSPECT PYTHONWARNINGS PYTHONEXECUTABLE
 PYTHONPYCACHEPREFIX PYTHONCASEOK : steered(VALUE)
out(-V) any

[node, nodejs]
style long
mark interpreter stops
flags --track-heap-objects --trace-uncaught --test-only --test-force-exit --insecure-http-parser --allow-addons --allow-child-process --allow-worker --allow-wasi
 --trace-warnings --no-warnings --experimental-modules --enable-source-maps --harmony
 --experimental-vm-modules --experimental-strip-types --expose-gc --preserve-symlinks --trace-deprecation --no-deprecation --watch
 --throw-deprecation --abort-on-uncaught-exception --pending-deprecation --experimental-fetch --interactive -i
 --use-openssl-ca --use-system-ca --experimental-transform-types --experimental-json-modules --experimental-sqlite --permission
values --disable-proto --unhandled-rejections --test-name-pattern --test-concurrency --max-http-header-size --disable-warning --allow-fs-read --allow-fs-write --max-semi-space-size --max-old-space-size --stack-size --input-type --icu-data-dir --title --conditions -C --dns-result-order
 --experimental-default-type --stack-trace-limit
--env-file FILE : file.read(FILE), opaque 'a file of variables steers node'
--prof --cpu-prof --heap-prof : file.write(under('.'))
--inspect --inspect-brk --inspect-wait ADDRESS? : net.listen(ADDRESS), net.listen('127.0.0.1') if not ADDRESS
--test-reporter REPORTER : script('js', only(REPORTER, '[.]{0,2}/.*'))
-r --require MODULE : script('js', MODULE)
--import --loader --experimental-loader MODULE_ : script('js', MODULE_)
-e --eval CODE WORDS... : code('js', CODE, WORDS), opaque 'the text stands behind further options' if CODE~'--?[a-z][a-z-]*(=.*)?'
-p --print -pe CODE_ WORDS_... : code('js', shown(CODE_), WORDS_), opaque 'the text stands behind further options' if CODE_~'--?[a-z][a-z-]*(=.*)?'
-v --version -h --help
-c --check
--test
args(-c) SCRIPT... : file.read(SCRIPT)
args(not -e, not -p) SCRIPT ARGS... : script('js', SCRIPT, ARGS) if not SCRIPT=='-', code('js', STDIN, ARGS) if SCRIPT=='-'
args _...
do code('js', STDIN) if not SCRIPT and not -e and not -p and not -v and not -c and not --test, tests(SCRIPT) if --test and not SCRIPT
do process.create(PROGRAM) if -v|-c
env NODE_OPTIONS NODE_PATH : steered(VALUE)
out(-v) any

[sudo, doas]
style posix
flags -A --askpass -b --background -B --bell -E -H --set-home -k --reset-timestamp -K -l --list -n --non-interactive -P
 --preserve-groups -S --stdin -V -v --validate -N --no-update
optional --preserve-env
values -C --close-from -g --group -h --host -p --prompt -r --role -t --type -T --command-timeout -U --other-user -u --user -a
-R --chroot DIR : system.configure('chroot')
-D --chdir DIR_ : chdir(DIR_)
-e --edit FILE : file.write(FILE)
args COMMAND... : forget(), variable(COMMAND)
-s --shell -i --login
do system.configure('root') if not COMMAND, shell(STDIN) if -s and not COMMAND
env SUDO_ASKPASS SUDO_EDITOR : opaque 'a variable names a program that sudo runs'

[xargs, gxargs]
style posix
flags -0 --null -r --no-run-if-empty -o --open-tty -p --interactive -t --verbose -x --exit --show-limits
optional -e --eof -l --max-lines
values -d --delimiter -E -L -n --max-args -P --max-procs -s --max-chars -R -S --process-slot-var
-I -J MARK
-i --replace MARK?
-a --arg-file FILE : file.read(FILE)
args COMMAND... : filter(COMMAND)

[time, gtime]
style posix
flags -a --append -p --portability -v --verbose -q --quiet -l -h -V
values -f --format
-o --output OUT : file.write(OUT)
args COMMAND... : run(COMMAND)

[setsid]
style posix
flags -c --ctty -f --fork -w --wait
args COMMAND... : run(COMMAND)

[ionice]
style posix
flags -t --ignore
values -c --class -n --classdata -u --uid -P --pgid
-p --pid PID
args(-p) _...
args COMMAND... : run(COMMAND)

[caffeinate]
style posix
flags -d -i -m -s -u
values -t -w
args COMMAND... : run(COMMAND)

[unbuffer, fakeroot, catchsegv, eatmydata, nocache, dbus-run-session, proxychains, proxychains4, torsocks, torify, ccache, rlwrap, winpty]
style posix
flags -p -q -v
args COMMAND... : run(COMMAND)
do shell(STDIN) if not COMMAND and PROGRAM=='fakeroot'

[xvfb-run]
style posix
flags -a --auto-servernum -l --listen-tcp
values -n --server-num -p --xauth-protocol -s --server-args -w --wait
-e --error-file OUT : file.write(OUT)
-f --auth-file OUT_ : file.write(OUT_)
args COMMAND... : run(COMMAND)

[taskset, chrt]
style posix
flags -a --all-tasks -c --cpu-list -f --fifo -r --rr -o --other -b --batch -i --idle -d -m --max
-p --pid PID : system.configure('scheduler')
args(-p) _...
args MASK COMMAND... : run(COMMAND)

[sshpass]
style posix
flags -e -v -V
values -P -p -d
-f FILE : secret.read(FILE)
args COMMAND... : run(COMMAND)

[busybox, toybox]
style posix
flags --list --list-full --help -s
--install : file.write(any)
args COMMAND... : run(COMMAND)

[command, exec, builtin]
style posix
mark builtin
flags -p -c -l
values -a
-v -V
args(-v) NAME...
args COMMAND... : run(COMMAND)

[deactivate]
mark builtin
args _...
out none
