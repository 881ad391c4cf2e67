# What `python -m` runs. Caches of bytecode count where making them is the purpose.

[python-m/json.tool, python-m/json]
flags --sort-keys --no-ensure-ascii --json-lines --tab --no-indent --compact
values --indent
args FILE OUT : file.read(FILE), file.write(OUT)
out(FILE) picked(content(FILE))
out picked(STDIN)

[python-m/py_compile]
flags -q --quiet
args FILE... : file.read(FILE), file.write(tree(join(dirname(FILE), '__pycache__')))
out none

[python-m/compileall]
flags -l -f -q -qq -b
values -r -d -s -p -x -j -o -e --invalidation-mode --hardlink-dupes
-i LIST : file.read(LIST), file.write(any)
args PATH... : file.read(tree(PATH)), file.write(tree(PATH))
do file.read(any) if not PATH, file.write(any) if not PATH
out any

[python-m/zipfile]
-l --list FILE : file.read(FILE)
-t --test FILE_ : file.read(FILE_)
-e --extract FILE__ DIR : file.read(FILE__), file.write(under(DIR))
-c --create OUT SRC... : file.write(OUT), file.read(tree(SRC))
values --metadata-encoding
out <file>

[python-m/tarfile]
flags -v --verbose
values --filter
-l --list FILE : file.read(FILE)
-t --test FILE_ : file.read(FILE_)
-e --extract FILE__ DIR... : file.read(FILE__), file.write(under(DIR)), file.write(under('.')) if not DIR
-c --create OUT SRC... : file.write(OUT), file.read(tree(SRC))
out <file>

[python-m/gzip]
flags --fast --best
-d --decompress
args FILE... : file.read(FILE), file.write(stem(FILE)) if -d, file.write(suffix(FILE, '.gz')) if not -d
out any

[python-m/base64]
flags -h -t -e -u
-d
args FILE : file.read(FILE)
out(-d, not FILE) decode(STDIN)
out any

[python-m/quopri]
flags -t -d
args FILE... : file.read(FILE)
out any

[python-m/uu]
flags -t -d --text --decode
args FILE OUT : file.read(FILE), file.write(OUT)
out any

[python-m/pickletools]
flags -a --annotate
-m --memo
values -l --indentlevel -p --preamble
-o --output OUT : file.write(OUT)
args FILE... : file.read(FILE)
out <file>

# A Python that does not know the option takes the word after it for the file.
[python-m/ast]
flags -a --include-attributes --no-type-comments --show-empty
values -m --mode -i --indent
--feature-version -O --optimize VERSION : file.read(VERSION)
args FILE... : file.read(FILE)
out <file>

[python-m/tokenize, python-m/dis, python-m/plistlib, python-m/symtable, python-m/difflib, python-m/filecmp]
flags -e --exact -C --show-caches -P --show-positions -O --show-offsets -S --specialized -r
args FILE... : file.read(FILE)
out <file>

[python-m/tabnanny]
flags -q -v
args PATH... : file.read(tree(PATH))
out <file>

[python-m/zipapp]
flags -c --compress --info -h
values -p --python -m --main
-o --output OUT : file.write(OUT)
args DIR : file.read(tree(DIR)), file.write(suffix(stem(DIR), '.pyz')) if not -o
out any

[python-m/calendar, python-m/platform, python-m/sysconfig, python-m/site, python-m/uuid, python-m/mimetypes, python-m/this, python-m/random, python-m/locale, python-m/zoneinfo, python-m/getopt, python-m/torch.utils.collect_env, python-m/bitsandbytes, python-m/keyword, python-m/test.pystone]
args _...
flags -h --help -t
values -L --locale -e --encoding -m --month -w --width -l --lines -s --spacing --css -u --uuid -n --namespace -N --name --first-weekday
--user-base --user-site
out any

[python-m/webbrowser]
flags -n -t -d -h
args URL : web.interact(URL)

[python-m/antigravity]
do web.interact('xkcd.com')

[python-m/http.server]
flags
values -b --bind -p --protocol --tls-key --tls-password-file
--cgi : opaque 'programs of a folder are run'
--tls-cert KEY : secret.read(KEY)
-d --directory DIR : file.read(tree(DIR))
args PORT
do net.listen(), file.read(tree('.')) if not -d
out any

[python-m/timeit]
style posix
flags -p --process -v --verbose
values -n --number -r --repeat -u --unit
-s --setup SETUP : code('python', SETUP), opaque 'a statement is run with the names that a set-up defines'
args STATEMENT... : code('python', STATEMENT)
out any

[python-m/cProfile, python-m/profile]
style posix
values -s --sort
-o --outfile OUT : file.write(OUT)
-m MODULE WORDS... : module(MODULE, WORDS)
args(not -m) SCRIPT ARGS... : script('python', SCRIPT, ARGS)
args _...

[python-m/runpy]
style posix
args MODULE WORDS... : module(MODULE, WORDS)

[python-m/trace]
style posix
flags -l --listfuncs -t --trace -c --count -T --trackcalls -g --timing -R --no-report -m --missing -s --summary -r --report
values --ignore-module --ignore-dir
-f --file -C --coverdir OUT : file.write(tree(OUT))
--module
args(--module) MODULE WORDS... : module(MODULE, WORDS)
args SCRIPT ARGS... : script('python', SCRIPT, ARGS)
do file.write(under('.')) if not -f

[python-m/sqlite3]
flags -v --version -h
args DATABASE SQL : program('sqlite3', SQL, database(DATABASE)), file.read(database(DATABASE)), db.read(DATABASE)
do program('sqlite3', STDIN, database(DATABASE)) if DATABASE and not SQL
out any

[python-m/unittest]
flags -v --verbose -q --quiet -f --failfast -c --catch -b --buffer --locals
values -k --durations -p --pattern -t --top-level-directory
-s --start-directory DIR
args WORD...
do tests(WORD)
out any

[python-m/ensurepip]
flags -U --upgrade --user --altinstall --default-pip -v --verbose -q
values --root
do package.install('pip')
out any

[python-m/venv]
flags --system-site-packages --symlinks --upgrade --without-pip --without-scm-ignore-files
values --prompt
--copies
--clear
--upgrade-deps : web.fetch('pypi.org'), package.install('pip')
args DIR... : file.write(tree(DIR)), file.delete(tree(DIR)) if --clear, process.create(join(DIR, 'bin/python3')) if --copies
out none

[python-m/pdb, python-m/pydoc, python-m/inspect, python-m/doctest, python-m/IPython, ipython, python-m/code, python-m/asyncio, python-m/pickle, python-m/idlelib, python-m/bdb, python-m/turtledemo]
style posix
-V --version -h --help
args SCRIPT_ _... : opaque 'the module runs a text or a file'
do opaque 'the module runs a text or a file' if not -V
out any

[python-m/spacy]
out any

[python-m/spacy download]
flags --direct -d --sdist -S
args MODEL WORD... : package.install(MODEL)

[python-m/spacy info, python-m/spacy validate]
flags --markdown -md --silent -s
args WORD...
out any

[python-m/nltk.downloader]
flags -q -f -e -k
-d DIR : file.write(under(DIR))
-u URL : web.fetch(URL)
args NAME...
do web.fetch('raw.githubusercontent.com'), file.write(under('~/nltk_data')) if not -d
out any

[python-m/ipykernel]
out any

[python-m/ipykernel install]
flags --user --sys-prefix
values --name --display-name --prefix --profile --env
do file.write(under('~/.local/share/jupyter'))

[python-m/markdown, markdown_py]
flags -q --quiet -v --verbose --noisy -n --no_lazy_ol
values -e --encoding -o --output_format
-f --file OUT : file.write(OUT)
-x --extension -c --extension_configs CODE : opaque 'markdown loads an extension' if not CODE~'(markdown[.]extensions[.])?(extra|tables|fenced_code|toc|codehilite|footnotes|attr_list|def_list|abbr|admonition|meta|nl2br|sane_lists|smarty|wikilinks|md_in_html|legacy_attrs|legacy_em)'
args FILE : file.read(FILE)
out <file>

[python-m/grpc_tools.protoc]
--python_out --grpc_python_out --pyi_out --mypy_out --descriptor_set_out OUT : file.write(tree(OUT))
-I --proto_path DIR : file.read(tree(DIR))
--plugin PLUGIN : run(PLUGIN)
args FILE... : file.read(FILE), opaque 'options stand in a file' if FILE~'@.*'
out any

[python-m/rich.markdown, python-m/rich.json, python-m/rich.syntax]
style posix
flags -c --force-color -p --page -j --justify -l --line-numbers -x --line-range -y --hyperlinks
values -w --width -i --inline-code-lexer -t --code-theme
args FILE WORD... : file.read(FILE)
out <file>

[2to3, python-m/lib2to3]
flags -n --nobackups -p --print-function -d --doctests_only -v --verbose --no-diffs
values -f --fix -x --nofix -j --processes --add-suffix
-w --write : file.write(tree(PATH))
-o --output-dir DIR : file.write(tree(DIR))
args PATH... : file.read(tree(PATH))
out any
