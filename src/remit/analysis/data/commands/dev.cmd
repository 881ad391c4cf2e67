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
out any

[php]
style posix
mark quiet
-v --version -V -version --help -h
-r -B -R -E CODE : code('php', CODE)
args SCRIPT_ _... : source.execute(SCRIPT_) if not -r, opaque 'this language is not analysed'
do code('php', STDIN) if STDIN and not SCRIPT_ and not -r and not -v
do process.create(PROGRAM), opaque 'this language is not analysed' if not -v
out any

[lua, luajit, Rscript, julia, elixir, octave, groovy, racket, guile, swipl, sbcl, R, scala, clojure, raku, Rscript.exe]
style posix
mark quiet
-v --version -V -version --help -h
-e --eval --execute -E CODE : code('a language', CODE)
args SCRIPT_ _... : source.execute(SCRIPT_) if not -e, opaque 'this language is not analysed'
do code('a language', STDIN) if STDIN and not SCRIPT_ and not -e and not -v
do process.create(PROGRAM), opaque 'this language is not analysed' if not -v
out any

[powershell, pwsh, powershell.exe]
style long
mark quiet
-v --version -V -version --help -h
-Command -c -command -EncodedCommand -enc -e CODE... : code('powershell', CODE)
args SCRIPT_ _... : opaque 'this language is not analysed'
do process.create(PROGRAM), opaque 'this language is not analysed' if not -v
out any

# Builders and test runners: they run what the project says, and its code.
[cmake, cpack, meson, scons, gradle, ./gradlew, gradlew, mvn, mvnw, mix, rebar3, rails, jekyll, rspec, turbo, nx, lerna, hardhat, truffle]
style posix
mark quiet
-v --version -V -version --help -h
args TARGET_ _... : source.execute(under('.')), opaque 'a project is built or run'
do process.create(PROGRAM), source.execute(under('.')) if not -v, opaque 'a project is built or run' if not -v
out any

# Of these `-v` says that they shall say more.
[ctest, bazel, bazelisk, buck2, xcodebuild, swift, ant, sbt, lein, msbuild, flutter, dart, zig, dune, artisan, rake, lake, phpunit]
style posix
mark quiet
--version -version --help
args TARGET_ _... : source.execute(under('.')), opaque 'a project is built or run'
do process.create(PROGRAM), source.execute(under('.')) if not --version, opaque 'a project is built or run' if not --version
out any

[nuget, composer, pub]
mark quiet
--version -V --help -h
args TARGET_ _... : source.execute(under('.')), opaque 'a project is built or run'
do process.create(PROGRAM), source.execute(under('.')) if not --version, opaque 'a project is built or run' if not --version
out any

[nuget install, nuget restore, nuget update, nuget require, nuget get, nuget upgrade, nuget add, nuget create-project, nuget remove]
args PACKAGE... : package.install(PACKAGE)
do package.install() if not PACKAGE, file.write(under('.')), source.execute(under('.')), opaque 'an installation runs scripts of the project'

[nuget push, nuget publish]
else field(OPTION, VALUE)
args FILE... : file.read(FILE)
do publish()

[dotnet]
mark quiet
-v --version --info --list-sdks --list-runtimes -h --help
args SCRIPT _... : source.execute(SCRIPT), opaque 'this language is not analysed'
do process.create(PROGRAM), opaque 'this language is not analysed' if not -v
out any

[dotnet build, dotnet run, dotnet test, dotnet publish, dotnet pack, dotnet watch, dotnet msbuild, dotnet vstest, dotnet ef, dotnet exec, dotnet format, dotnet clean, dotnet tool run, dotnet tool exec]
-o --output OUT : file.write(tree(OUT))
args WORD...
do process.create(PROGRAM), source.execute(under('.')), file.write(under('.')), opaque 'a project is built or run'
out any

[dotnet add, dotnet package, dotnet remove]
else field(OPTION, VALUE)
args WORD... : package.install(WORD)
do process.create(PROGRAM), file.write(under('.'))
out any

[dotnet add package, dotnet package add, dotnet package update, dotnet tool install, dotnet tool update, dotnet tool restore, dotnet workload install]
values -v --version -f --framework -s --source --project --tool-path
else field(OPTION, VALUE)
args PACKAGE... : package.install(PACKAGE)
do process.create(PROGRAM), package.install() if not PACKAGE, file.write(under('.'))
out any

[dotnet restore, dotnet tool, dotnet workload]
else field(OPTION, VALUE)
args WORD... : package.install(WORD)
do process.create(PROGRAM), package.install() if not WORD, file.write(under('.'))
out any

[dotnet new install, dotnet new update, dotnet new uninstall]
else field(OPTION, VALUE)
args PACKAGE... : package.install(PACKAGE)
do process.create(PROGRAM), package.install() if not PACKAGE
out any

[dotnet user-secrets, dotnet dev-certs]
else field(OPTION, VALUE)
args WORD...
do process.create(PROGRAM), secret.read('dotnet'), secret.write('dotnet'), system.configure('certificates') if --trust
--trust
out any

[dotnet new, dotnet sln]
-o --output OUT : file.write(tree(OUT))
else field(OPTION, VALUE)
args WORD...
do process.create(PROGRAM), file.write(under('.'))
out any

[dotnet nuget]
else field(OPTION, VALUE)
args WORD...
do process.create(PROGRAM), web.fetch(), file.write(any)
out any

[dotnet nuget push]
else field(OPTION, VALUE)
args FILE... : file.read(FILE)
do process.create(PROGRAM), publish('nuget.org')

[xcrun, nim, crystal, ocaml, ghc, runghc, runhaskell, matlab, kotlin, kotlinc, java, javac, erl, tclsh, wish, irb, hugo, wolframscript, sage, gap, maxima, coqc, lean, agda, idris, godot, unity, blender, freecad, openscad, cmd, cmd.exe, wsl]
style posix
mark quiet
-v --version -V -version --help -h
args SCRIPT_ _... : opaque 'this language is not analysed'
do process.create(PROGRAM), opaque 'this language is not analysed' if not -v
out any

[gcc, g++, cc, c++, clang, clang++, tcc, icc, nvcc, hipcc, gfortran, emcc, em++, afl-clang-fast, afl-clang-fast++, afl-gcc, cpp, musl-gcc, x86_64-linux-gnu-gcc, aarch64-linux-gnu-gcc, arm-none-eabi-gcc]
style long
-o OUT : file.write(OUT), file.write(series(OUT)) if --save-temps
-MF -MJ -dumpdir -serialize-diagnostics OUT_ : file.write(OUT_)
-o* OUT_ : file.write(OUT_)
-I -isystem -iquote -idirafter -iprefix -L -include -imacros -T -isysroot --sysroot -F -iframework FILE_ : file.read(FILE_)
-I* -L* -F* FILE__ : file.read(FILE__)
-wrapper -B -specs -fplugin -fpass-plugin -Xclang -load -ccbin --compiler-bindir -fuse-ld --ld-path --config -tool-path -Xlinker PLUGIN : opaque 'the compiler loads a program or plugin'
-B* PLUGIN_ : opaque 'the compiler loads a program or plugin'
-run CODE? : opaque 'the compiler runs the program'
-U -l -x -arch -target --target -MT -MQ -D -Xpreprocessor -Xassembler -framework -gencode -Xcompiler -std -arch_only -code -z -u -e -Xptxas -mllvm -current_version -compatibility_version -install_name _
-D* -U* -l* -O* -m* -x* _
# A feature that is switched on or off; `-fNAME=VALUE` may name a file.
-f* FEATURE : maybefile(after(FEATURE, '='))
optional -fsanitize -fno-sanitize -fvisibility -fcf-protection -ftrivial-auto-var-init -ffp-contract -fopenmp -flto -fstack-usage -fsanitize-recover -fdiagnostics-color -fcolor-diagnostics -fmax-errors -ftemplate-depth -fconstexpr-steps -fsanitize-coverage -fno-sanitize-recover -fmacro-prefix-map -fdebug-prefix-map -ffile-prefix-map
optional -stdlib -rtlib -unwindlib -march -mtune -mcpu -gpu -O --expt-relaxed-constexpr -gdwarf -mfpu -mfloat-abi
-W* TEXT : file.write(any) if TEXT~'[pa],.*|l,.*(-Map|-o|--out|--dependency-file).*', opaque 'the linker loads a plugin or script' if TEXT~'l,(.*,)?(-*plugin|-T|--script|@|--dynamic-linker|-I).*'
-g* _
flags -c -S -E -g -s -v -w -p -pg -pie -no-pie -pipe -pthread -static -static-pie -static-libgcc -static-libstdc++ -shared -shared-libgcc -rdynamic -symbolic -nostdlib -nostdinc -nostdinc++ -nodefaultlibs -nostartfiles -ansi -pedantic -pedantic-errors -emit-llvm -dM -dD -dN -P -C -CC -H -M -MM -MP -MG -### -undef -traditional -time -Q -Wall -Wextra -Werror -Wpedantic -Wconversion -dynamiclib -bundle -ObjC -ObjC++ -dumpversion -dumpmachine -print-search-dirs -print-libgcc-file-name -print-sysroot -print-multi-arch -extended-lambda -rdc -lineinfo -use_fast_math -cubin -ptx -fatbin -dc -dlink -lib -dynamic -analyze --analyze -fsyntax-only -r -trigraphs
-MD -MMD --save-temps -save-temps -save-stats -ftime-trace : file.write(under('.'))
args FILE... : file.read(FILE), opaque 'options of the compiler stand in a file' if FILE~'@.*'
do file.write(under('.')) if not -o
env LIBRARY_PATH CPATH : file.read(any)
env CC CXX COMPILER_PATH GCC_EXEC_PREFIX EM_CONFIG CCC_OVERRIDE_OPTIONS : opaque 'a variable changes what the compiler runs'
out any

[dtc, fdtoverlay]
flags -@ -q -s -f -A -T -h -v --symbols --sort --force
values -I -O -b -p -S -W -E -H -V -R -a
-i --include INCLUDE : file.read(tree(INCLUDE))
-o --out OUT : file.write(OUT)
-d --out-dependency DEPENDENCIES : file.write(DEPENDENCIES)
args FILE... : file.read(tree(FILE))
out any

[as, ld, lld, mold, nasm, yasm, solc, flatc]
style long
-o OUT : file.write(tree(OUT))
-plugin -dynamic-linker -T --script PLUGIN : opaque 'the linker loads a plugin or script'
flags -g -v -w --64 --32 -pie -no-pie -shared -static -r -s -S -x -X -q -nostdlib -E --gc-sections --no-undefined --as-needed --no-as-needed --start-group --end-group --whole-archive --no-whole-archive --optimize --bin --abi --asm --ast-compact-json --gas --hashes --metadata --ir --via-ir --cpp --python --rust --go --ts --java --csharp --gen-object-api --gen-mutable --json --binary -b --yul --strict-assembly --overwrite --pretty-json -@
-f -W -a NAME_ : file.read(NAME_) if PROGRAM=='as'
values -m -e -l -z --entry -soname -h -rpath -rpath-link -arch -platform_version -p -d -H --optimize-runs --evm-version --combined-json
-l* -O* -m* -W* -g* _
-I -i -L -P --include-path --base-path --allow-paths -I* -L* INCLUDE : file.read(tree(INCLUDE))
-Map --output-dir -MD -MF OUT_ : file.write(tree(OUT_))
args FILE... : file.read(FILE)
do file.write(under('.')) if not -o
out any

[rustc, swiftc, protoc]
-o --out-dir --python_out --cpp_out --java_out --go_out --grpc_python_out --js_out OUT : file.write(tree(OUT))
--plugin PLUGIN : run(PLUGIN)
args FILE... : file.read(FILE)
do opaque 'the compiler runs plugins of the project', file.write(under('.'))

[strip, objcopy, ranlib, install_name_tool, patchelf, lipo, dsymutil, dos2unix, unix2dos, codesign, ldid]
style long
-o -O -output --output-file OUT : file.write(OUT)
--plugin PLUGIN : opaque 'the tool loads a library'
flags -s -S -x -X -g -d -w -D -U -p -v --strip-all --strip-debug --strip-unneeded --strip-dwo --only-keep-debug --preserve-dates --verbose --keep-file-symbols --discard-all --discard-locals --wildcard --force -f --deep --timestamp --verify -vv -vvv -vvvv --display --strict --remove-signature -info -archs -create -detailed_info --print-rpath --print-needed --print-soname --print-interpreter --remove-rpath --shrink-rpath --force-rpath -q --quiet -k --keepdate -e -m -u -b -a --runtime -flat
values -N -K -R --strip-symbol --keep-symbol --remove-section --only-section -j -F --target --set-rpath --add-rpath --set-interpreter --set-soname --add-needed --remove-needed --sign --options --identifier --requirements --prefix --keychain -r -add_rpath -delete_rpath -id -thin -verify_arch -extract -remove -arch -segalign -I -B -i --rename-section --set-section-flags --change-addresses
-change -rpath _ _
--entitlements ENTITLEMENTS : file.read(ENTITLEMENTS)
--add-section --update-section --dump-section SECTION : file.read(after(SECTION, '=')), file.write(after(SECTION, '='))
else maybefile(VALUE)
args FILE... : file.read(FILE), file.write(FILE)
out any

[objdump, llvm-objdump]
flags -L --recurse-limit --dwarf-check -a -C -d -D -f -F -g -G -h -H -i -l -p -r -R -s -S -t -T -u -V -w -x -z -e -W --archive-headers --demangle --disassemble --disassemble-all --file-headers --private-headers --reloc --dynamic-reloc --full-contents --source --syms --dynamic-syms --all-headers --section-headers --headers --no-show-raw-insn --show-raw-insn --no-addresses --wide --disassemble-zeroes --line-numbers --info --prefix-addresses --inlines --visualize-jumps --special-syms --macho --indirect-symbols --rebase --bind --exports-trie --print-imm-hex
optional --dwarf --disassembler-color --source-comment --ctf --sframe
values -b --target -m --architecture -j --section -M --disassembler-options -E --endian -P --private --start-address --stop-address --adjust-vma --insn-width --prefix --prefix-strip --dwarf-depth --dwarf-start --disassemble-symbols --mcpu --mattr --triple --arch-name --x86-asm-syntax
-I --include INCLUDE : file.read(tree(INCLUDE))
--plugin PLUGIN : opaque 'the tool loads a library'
args FILE... : file.read(FILE), opaque 'options of the tool stand in a file' if FILE~'@.*'
out <file>

[nm, llvm-nm]
flags -A -a -B -C -D -e -g -h -i -j -l -n -o -p -P -r -s -S -u -U -v -V -W -X -x --debug-syms --extern-only --line-numbers --no-sort --numeric-sort --print-file-name --print-armap --print-size --portability --reverse-sort --size-sort --special-syms --synthetic --undefined-only --defined-only --dynamic --no-demangle --no-weak --without-symbol-versions --quiet --just-symbol-name
optional --demangle
values -f --format -t --radix -F --target --ifunc-chars --unicode --arch
--plugin PLUGIN : opaque 'the tool loads a library'
args FILE... : file.read(FILE), opaque 'options of the tool stand in a file' if FILE~'@.*'
do file.read('a.out') if not FILE
out <file>

[readelf]
flags -a -h -l -S -g -t -e -s -n -r -u -d -V -A -c -D -L -I -W -T -C -X -H -v --all --file-header --program-headers --segments --section-headers --sections --section-groups --section-details --headers --syms --symbols --dyn-syms --lto-syms --notes --relocs --unwind --dynamic --version-info --arch-specific --archive-index --use-dynamic --histogram --wide --silent-truncation --demangle --enable-checks --got-contents
optional -w --debug-dump --ctf --sframe
values -x --hex-dump -p --string-dump -R --relocated-dump --dwarf-depth --dwarf-start --sym-base -U --unicode -j --display-section
-P --process-links
args FILE... : file.read(FILE), opaque 'options of the tool stand in a file' if FILE~'@.*'
out <file>

[size]
flags -A -B -d -f -G -m -o -t -v -V -x --common --totals
values --format --radix --target
args FILE... : file.read(FILE), opaque 'options of the tool stand in a file' if FILE~'@.*'
do file.read('a.out') if not FILE
out <file>

[strings, c++filt, addr2line, llvm-symbolizer]
mark numbers
flags -a -f -w -o -h -v -V -A -B -C -i -p -r -x -I -_ --all --data --print-file-name --include-all-whitespace --totals --common --inlines --functions --pretty-print --basenames --addresses --no-params --no-verbose --no-strip-underscore --strip-underscore --no-recurse-limit --demangle -G -m
values -n --bytes -t --radix -T --target -s --output-separator --format -b -j --section -U --unicode
-e --exe --encoding FILE_ : file.read(FILE_) if not PROGRAM=='strings'
-d
args FILE... : file.read(FILE) if not PROGRAM~'c[+][+]filt|addr2line', opaque 'options of the tool stand in a file' if FILE~'@.*'
do file.read('a.out') if not FILE and PROGRAM=='addr2line' and not -e
out <file>

[otool, ldd]
flags -a -A -C -D -d -f -g -G -h -H -I -i -j -l -L -m -M -o -P -q -Q -r -R -S -t -T -u -v -V -X -x --verbose --data-relocs --function-relocs --unused
values -arch -s -p -mcpu
args FILE... : file.read(FILE)
out <file>

[rustfilt]
style long
-i --input FILE : file.read(FILE)
-o --output OUT : file.write(OUT)
flags -h -V --include-hash -t
args WORD...
out any

[csvtool]
style long
-o -output --output --output-file --output-directory OUT : file.write(tree(OUT)), file.read(OUT)
flags -z
values -t -u
args FILE... : file.read(tree(FILE))
do file.read('.') if not FILE, file.write(under('.'))
out any

[which]
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
flags -b -m -s -u -l -g -d -v -r -w --debug --verbose --regex --wildcard --long
values -L --sections --locale -e --section
-B -M -S --manpath DIR : file.read(DIR)
-C --config-file CONFIG : file.read(CONFIG)
-f
args NAME...
out any

[man, info, tldr, apropos, less, more, most]
-P --pager -H --html -C --config-file COMMAND? : opaque 'a pager or browser is started' if PROGRAM=='man'
-o -O --log-file --LOG-FILE OUT : file.write(OUT) if PROGRAM~'less|info'
-k --lesskey-file --lesskey-src --lesskey-content KEYS : opaque 'keys of the pager can be commands' if PROGRAM=='less'
flags -a -w -f -l -c -D -i -K -N -R -e -E -F -G -I -J -n -Q -q -r -u -U -X -V -g -m -v --all --where --path --local-file --ignore-case --quit-if-one-screen --RAW-CONTROL-CHARS --raw-control-chars --no-init --chop-long-lines --LINE-NUMBERS --line-numbers --squeeze-blank-lines --update --list --list-all --whatis --apropos --no-hyphenation --no-justification --usage --vi-keys --subnodes --regex --wildcard --names-only
values -s -S -L -p -x -y -z -j -b --sections --locale --encoding --platform --language --pattern --node --tabs --prompt
-W --warnings NAME_ : file.read(NAME_)
-T --tag-file TAGS? : file.read(TAGS), opaque 'man starts a formatter or viewer' if PROGRAM=='man'
-t --troff : opaque 'man starts a formatter or viewer' if PROGRAM=='man'
-M --manpath -d --directory DIR : file.read(tree(DIR)), opaque 'man starts the formatters of a folder' if PROGRAM=='man' and not DIR~'/usr/.*'
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
flags -i -l -L -n -r -R -s -S -v -w -c -o -a -u -U -z -Z -h -H -Q -F -E -P -1 -0 --ignore-case --files-with-matches --files-without-match --nobreak --noheading --heading --nogroup --group --nocolor --color --hidden --case-sensitive --smart-case --invert-match --word-regexp --count --only-matching --all-types --unrestricted --search-zip --literal --fixed-strings --nonumbers --numbers --column --passthrough --stats --vimgrep --follow --print-long-lines --null --no-filename --with-filename --nofilter --no-pager --nopager --flush --line-number --recursive --perl-regexp --python --js --perl --ruby --cpp --cc --java --html --css --php --shell --no-hidden --ignore-files --json --csv --xml --sort -f
values -A -B -C -m -G -g -t -T --ignore --ignore-dir --ignore-directory --max-count --depth --after --before --after-context --before-context --context --type --file-search-regex --workers -W --width --color-match --color-path --noignore-directory --include --exclude --include-dir --exclude-dir -e --regexp --format -O --file-extension -j --jobs --max-depth --output
-p --path-to-ignore --path-to-agignore --files-from --exclude-from --include-from --file LIST_ : file.read(LIST_)
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
flags -l -c -n -u -N -R -E -Z -T -t -f -s -v -b --ignore-whitespace --context --normal --unified --forward --reverse --remove-empty-files --set-utc --set-time --backup --backup-if-mismatch --no-backup-if-mismatch --batch --force --quiet --silent --verbose --dry-run --posix --binary --follow-symlinks -C --check
optional --merge
values -p --strip -D --ifdef -F --fuzz -V --version-control -z --suffix -x --debug --quoting-style --reject-format --read-only
-i --input FILE_ : file.read(FILE_)
-r --reject-file -o --output OUT : file.write(OUT)
-d --directory DIR : chdir(DIR)
-B --prefix -Y --basename-prefix PREFIX : file.write(series(PREFIX)), file.write(under(dirname(PREFIX))), file.write(under(PREFIX))
-g --get NUMBER : opaque 'patch runs a version control system' if not NUMBER=='0'
-e --ed : opaque 'patch runs ed'
args FILE PATCH : file.read(FILE), file.write(FILE), file.write(series(FILE)), file.read(PATCH)
do file.read(under('.')), file.write(under('.')), file.delete(under('.'))
env POSIXLY_CORRECT PATCH_GET : opaque 'a variable makes patch run a version control system'

[ed, ex]
args FILE... : file.read(FILE), file.write(FILE)
do opaque 'an editor script can run commands'

[uuidgen, uuid, mcookie]
flags -r --random -t --time -m --md5 -s --sha1 -v
values -n --namespace -N --name -F -o
args _...
out token

[pwgen, apg]
flags -0 -A -B -c -n -s -v -y -C -1 -h -t -l -q --no-numerals --no-capitalize --ambiguous --capitalize --numerals --secure --no-vowels --symbols
values -N --num-passwords -r --remove-chars -a -m -x -M -E -S
-H --sha1 -b -d FILE_ : file.read(FILE_)
args _...
out any

[envsubst]
flags -v --variables -h -V
args FORMAT
do env.read()
out any

[pkg-config, pkgconf]
flags --libs --cflags --exists --modversion --libs-only-l --libs-only-L --libs-only-other --cflags-only-I --cflags-only-other --static --short-errors --silence-errors --print-errors --errors-to-stdout --list-all --print-variables --uninstalled --debug --print-requires --print-requires-private --print-provides --keep-system-libs --keep-system-cflags --define-prefix --dont-define-prefix --shared --pure --validate --digraph --solution --env-only --path --simulate
values --variable --atleast-version --exact-version --max-version --atleast-pkgconfig-version --define-variable --prefix-variable --maximum-traverse-depth --env --relocate
--personality FILE : file.read(FILE)
--with-path DIR : file.read(tree(DIR))
--log-file OUT : file.write(OUT)
args PACKAGE... : file.read(only(PACKAGE, '.*[.]pc'))
env PKG_CONFIG_PATH PKG_CONFIG_LIBDIR : file.read(tree(VALUE))
env PKG_CONFIG_LOG : file.write(VALUE)
out any

[llvm-config, python3-config]
flags --libs --cflags --ldflags --includes --cxxflags --cppflags --system-libs --prefix --exec-prefix --extension-suffix --abiflags --configdir --embed --bindir --libdir --includedir --components --version --src-root --obj-root --host-target --targets-built --has-rtti --build-mode --link-static --link-shared --libnames --libfiles --shared-mode --ignore-libllvm
args WORD...
out any

[getopt, gettext, ngettext, tabs]
style words
args WORD...
out any

[dircolors]
flags -b --sh --bourne-shell -c --csh --c-shell -p --print-database --print-ls-colors
args FILE : file.read(FILE)
out any

[lsmem, lsns, lsipc]
flags -a --all -b --bytes -J --json -l --list -n --noheadings -P --pairs -r --raw -u --notruncate -W --nowrap -q -m -c -g -e -y --global --time --export --persistent --creator
values -o --output -p --task -t --type -i --id -S --split -Q --filter -H --summary --time-format -T --tree -N
-s --sysroot DIR : file.read(tree(DIR))
args _...
out any

# It makes the words that a shell offers; what is given to it may be code.
[compgen]
mark builtin
flags -a -b -c -d -e -f -g -j -k -s -u -v
values -A -G -X -P -S -o -V
-C -F _ : opaque 'compgen runs a command'
-W TEXT : opaque 'compgen expands a text' if not TEXT~'[A-Za-z0-9_ ./-]*'
args WORD...
out any

[m4]
args FILE... : file.read(FILE), opaque 'm4 macros can run commands'
do program('m4', STDIN) if not FILE

[code tunnel, code serve-web, code remote-control]
args WORD...
do net.connect(), net.listen(), opaque 'an editor lets others run commands on this machine'

[code chat]
else field(OPTION, VALUE)
args WORD...
do subagent.delegate(PROGRAM)

[code, cursor, windsurf, code-insiders, codium]
style posix
--install-extension EXTENSION : package.install(EXTENSION)
--extensionDevelopmentPath --extensions-dir --user-data-dir --extension-development-path CODE : opaque 'an editor loads extensions of a folder'
--add-mcp SERVER : policy.expand(PROGRAM)
flags -n --new-window -r --reuse-window -g --goto -w --wait -d --diff -m --merge -a --add --list-extensions --show-versions -s --status --version -v -h --force --disable-gpu --disable-extensions --pre-release --verbose --no-sandbox -b --remove
values --locale --profile --uninstall-extension --category --log --sync --remote --folder-uri --file-uri --disable-extension
args FILE... : file.read(FILE), file.write(FILE)
out any

[vim, vi, view, vimdiff, gvim, nvim, nano, emacs, emacsclient, pico, subl, micro, helix, hx, gedit, kate, atom, zed, idea, joe, jed, mcedit]
style posix
-c -S -s -u -U -e -x --cmd --eval -f --load -l --execute --script --funcall --speller --remote-expr --remote-send CODE : opaque 'an editor runs commands'
-W -w OUT : file.write(OUT)
flags -n -R -b -d -h -v -y -Z -M -m -N -C -A -H -F -L -r -g -O -o -p -E -nw -q -Q --noplugin --clean --headless --embed --not-a-term --ttyfail -a -k -P -z -B -K -D --literal --wait --new-window -j --no-splash --version --nowrap
values -t -T --servername -Y --display --geometry -fn -bg -fg
-i --startuptime --log -V OUT_? : file.write(OUT_), file.read(OUT_)
args FILE... : file.read(FILE), file.write(FILE), file.write(under(dirname(FILE))), file.delete(under(dirname(FILE))), remote(FILE), opaque 'an editor runs commands' if FILE~'[+]/?[^0-9/].*'
do program('editor', PIPED)
env VIMINIT EXINIT MYVIMRC VIMRUNTIME NVIM_APPNAME : opaque 'a variable makes the editor run commands'
out any

[pytest, py.test, python-m/pytest, nox, tox, coverage, python-m/coverage, nosetests, behave, robot, locust, mutmut]
-o --junitxml --basetemp --html --cov-report --rootdir --confcutdir OUT : file.write(any)
-p -c --config-file --listener --variablefile --pythonpath --noxfile --locustfile --override-ini CODE : opaque 'a test runner loads code that an option names' if not CODE~'no:.*|(./)?(pytest[.]ini|pyproject[.]toml|setup[.]cfg|tox[.]ini)'
env PYTEST_ADDOPTS PYTEST_PLUGINS : opaque 'a variable makes the test runner load code'
flags -v -vv -vvv -x -s -q -qq -l --lf --last-failed --ff --failed-first --nf --sw --stepwise --exitfirst --verbose --quiet --no-header --no-summary --collect-only --co --showlocals --no-cov --strict-markers --strict-config --cache-clear --cache-show --disable-warnings --doctest-modules --doctest-continue-on-collection-errors --pyargs --continue-on-collection-errors --runxfail --trace --fixtures --markers --full-trace --setup-show --setup-only --setup-plan --no-capture --gremlins --benchmark-only --benchmark-skip --benchmark-disable --headed --forked --cov-branch --cov-append --parallel --skip-missing-interpreters --force-color --no-color --list-sessions --lp --append --branch --dry-run --headless -h -V --version --asyncio-debug --random-order --snapshot-update --ignore-errors
values -k -m -n -r -W --tb --maxfail --durations --durations-min --timeout --color --show-capture --capture --import-mode --ignore --ignore-glob --deselect --cov --cov-fail-under --numprocesses --dist --log-level --log-cli-level --log-format --junit-prefix --reruns --reruns-delay --asyncio-mode --seed --randomly-seed --hypothesis-profile --hypothesis-seed --browser --benchmark-sort -e --session --sessions --tags -t --fail-under --include --omit --source --paths-to-mutate -i -u --users --host -H --run-time --spawn-rate --processes --verbosity --assert --doctest-glob --keywords --mode --cov-context --max-worker-restart --count --timeout-method
--log-file --resultlog --report-log --json-report-file --csv --alluredir --clean-alluredir --benchmark-json --benchmark-save --pastebin --outputdir --output OUT_? : file.write(any), net.connect('bpaste.net') if --pastebin
args WORD...
do tests(WORD), file.write(under('.'))
out any

[jest, npx/jest, vitest, npx/vitest, mocha, npx/mocha, ava, npx/ava, cypress, npx/cypress, npx/@playwright/test, karma, bats, npx/bats]
-r --require --import --loader --config -c --globalSetup --globalTeardown --setupFiles --setupFilesAfterEnv --setupFilesAfterEach --testEnvironment --runner --reporter --reporters --testRunner --resolver --transform --preset --config-file --file CODE : opaque 'a test runner loads code that an option names' if CODE~'(.*/.*|.*[.][cm]?[jt]s)'
flags -v -i -b -w -u --verbose --coverage --runInBand --passWithNoTests --watch --watchAll --ci --bail --no-cache --no-coverage --silent --detectOpenHandles --forceExit --updateSnapshot --onlyChanged --onlyFailures --listTests --showConfig --logHeapUsage --expand --colors --json --run --no-color --headless --headed --ui --no-watch --clearMocks --resetMocks --restoreMocks --noStackTrace --errorOnDeprecated --findRelatedTests --globals --serial --tap -s --fail-fast --fail-zero --exit --recursive --parallel --no-parallelize-within-files --no-tempdir-cleanup --timing --pretty --count --trace --print-output-on-failure --coverage.enabled --dom --single-run --no-file-parallelism --typecheck --update --allow-only --no-threads -x -q --full-trace --color
values -t --testPathPattern --testPathPatterns --testPathIgnorePatterns --testNamePattern --maxWorkers --testTimeout --coverageReporters --coverageThreshold --collectCoverageFrom --changedSince --shard --projects --selectProjects --maxConcurrency --workers --pool --environment --testMatch --testRegex --seed --grep -g --timeout --retries --browser --spec --project --concurrency -m --match -f --filter -j --jobs --slow --coverage.provider --coverage.reporter --coverage.include --coverage.exclude --exclude --mode --retry --hook-timeout --teardown-timeout --browsers --log-level --port -e --env
--coverageDirectory --outputFile --rootDir --cacheDirectory --roots --coverage.reportsDirectory --reporter-options --output -o --gather-test-outputs-in --dir --root --report-formatter --tempdir OUT_ : file.write(tree(OUT_)), file.read(tree(OUT_))
args WORD...
do tests(WORD), file.write(under('.'))
out any

[playwright, npx/playwright, python-m/playwright]
flags --help -h -V --version
out any

[playwright install, playwright install-deps, playwright uninstall]
flags --with-deps --force --dry-run --only-shell --no-shell --list --all
args WORD...
do package.install('playwright')

[playwright test, playwright codegen, playwright open, playwright show-report, playwright show-trace, playwright run-server]
args WORD...
do source.execute('tests'), opaque 'a browser is driven by code of the project', web.interact()

[playwright screenshot, playwright pdf]
flags --full-page --ignore-https-errors -h
values -b --browser --wait-for-selector --wait-for-timeout --viewport-size --device --color-scheme --timezone --lang --geolocation --user-agent --timeout --proxy-bypass --paper-format --block-service-workers --channel --test-id-attribute
--load-storage FILE_ : secret.read(FILE_)
--save-storage --save-har OUT_ : secret.write(OUT_)
--proxy-server PROXY : net.connect(PROXY)
args URL OUT : web.interact(URL), file.write(OUT)

[npx/create-react-app, npx/create-next-app, npx/create-vite, npx/degit, npx/tiged, npx/shadcn, npx/husky, npx/tailwindcss, npx/@tailwindcss/cli, npx/prisma, npx/drizzle-kit, npx/expo, npx/react-native, npx/ng, npx/nx, npx/turbo, npx/lerna, npx/@changesets/cli, npx/semantic-release, npx/typedoc, npx/serve, npx/http-server, npx/concurrently, npx/nodemon, npx/remotion, npx/esbuild, npx/vite, npx/webpack, npx/rollup, npx/tsup, npx/hardhat, npx/parcel, npx/html-inline, optimum-cli, devcontainer, prek, mull-runner, slither-mutate, necessist, mewt]
args _...
do opaque 'the package runs code of the project, or code that it fetches'
out any

[rimraf, trash, trash-put, rmtrash, del]
flags -v --verbose -f --force -r -R -d -i -I -rf --directory --recursive --interactive --preserve-root --no-preserve-root --version -a --all -F -s -e -g --glob -G --no-glob --dry-run
values --trash-dir --backoff --max-retries --retry-delay --impl
args FILE... : file.delete(tree(FILE))

[streamlit, gradio, uvicorn, gunicorn, hypercorn, flask, python-m/flask, django-admin, celery, jupyter, jupyter-lab, jupyter-notebook, papermill, python-m/jupyter, python-m/uvicorn, fastapi, airflow, prefect, dagster, torchrun, accelerate, deepspeed, mpirun, mpiexec, python-m/torch.distributed.run, ray, legate, snakemake, nextflow, invoke, just, task, doit, lefthook, overmind, foreman, honcho]
args _...
do source.execute(under('.')), opaque 'the tool runs code of the project'
out any

[pre-commit]
-V --version -h --help
args WORD... : opaque 'the tool runs code of the project'
do opaque 'the tool runs code of the project' if not WORD and not -V
out any

[pre-commit install, pre-commit install-hooks, pre-commit uninstall, pre-commit autoupdate, pre-commit clean, pre-commit gc]
else field(OPTION, VALUE)
args _...
do package.install('.pre-commit-config.yaml'), hook.install('.git/hooks/pre-commit'), file.write('.pre-commit-config.yaml')
out any

[tensorboard, http-server, serve, live-server, caddy, nginx, apache2, httpd, Xvfb, x11vnc, vncserver, redis-server, postgres, mysqld, mongod, memcached, mosquitto, vllm, llama-server, tritonserver, solana-test-validator]
--logdir --root --dir --directory --dbpath --datadir -D DIR : file.read(tree(DIR)), file.write(tree(DIR)) if PROGRAM~'postgres|mysqld|mongod'
--loadmodule --plugin-load --plugin-load-add --init-file --middleware -g CODE : opaque 'the server loads code'
-c -f -C --config --conf CONFIG : opaque 'settings of a server can load code' if PROGRAM~'caddy|nginx|apache2|httpd|redis-server|postgres|mysqld|mongod|mosquitto'
flags -s --single --cors --no-cache --reload_multifile --load_fast --silent --debug -v --verbose -o --bind_all --version --no-open --quiet -q --trust-remote-code --enable-auto-tool-choice --enforce-eager --fork --reset --no-browser --browse --nothing -forever -shared -nopw -ac -localhost -noreset -bg --autorun --watch --enable-prefix-caching --disable-log-requests
values -p --port --host --bind --bind_ip -l --listen -a -m -t --samples_per_plugin --window_title --purge_orphaned_data --path_prefix -screen -geometry -depth -display -rfbport -ext -nolisten --replSet --maxmemory --maxmemory-policy --requirepass --save --daemonize --loglevel --model-control-mode --gpu-memory-utilization --max-model-len --dtype --tensor-parallel-size --served-model-name --quantization --http-port --grpc-port --metrics-port -ngl -ctx --ctx-size -n --threads --max-num-seqs --api-key --tool-call-parser --reasoning-parser --pipeline-parallel-size --kv-cache-dtype --log-verbose --cors-origin
--model-repository --model --logfile --pidfile --unixsocket --ssl-keyfile --ssl-certfile --log-file -r -logfile --model-store --download-dir FILE_ : file.read(tree(FILE_)), file.write(tree(FILE_)) if PROGRAM~'redis-server|postgres|mysqld|mongod|vllm|nginx|Xvfb|x11vnc' and FILE_
args WORD... : file.read(tree(WORD)), opaque 'settings of a server can load code' if PROGRAM=='redis-server'
do net.listen(), file.read(under('.'))
out any

[python-m/build, pyproject-build, maturin, flit, cibuildwheel]
flags -w --wheel -s --sdist -n --no-isolation -x --skip-dependency-check -v --verbose -q --quiet --release -r -h -V --strip --zig -f --find-interpreter --locked --offline --frozen
values -C --config-setting --installer -i --interpreter -m --manifest-path --features -F --target --manylinux --compatibility --profile --format --platform --archs --only -b --bindings
-o --outdir OUT : file.write(tree(OUT))
args DIR : localpackage(DIR)
do package.install('pyproject.toml'), file.write(under('.'))
out any

[python-m/build publish, python-m/build upload]
else field(OPTION, VALUE)
args FILE... : file.read(FILE)
do publish('pypi.org'), package.install('pyproject.toml'), file.write(under('.'))
out any

[npx/@modelcontextprotocol/inspector, mcp-inspector]
args _...
do opaque 'a tool server is started'

[codeql]
mark exact
-c --command COMMAND : sh(COMMAND)
-o --output OUT : file.write(tree(OUT))
else workfiles(VALUE, OPERANDS)
args WORD... : opaque 'the project is built' if WORD~'create|trace-command|init'
do workfiles(WORD)
out any

[codeql resolve, codeql version, codeql query, codeql pack, codeql bqrs]
mark exact
-o --output OUT : file.write(tree(OUT))
else workfiles(VALUE, OPERANDS)
args WORD...
do workfiles(WORD), api.call('github.com')
out any

[tegrastats, procrank, jtop, lscgroup]
flags --stop --start --readall --verbose -h -v -s -a -r -c
values --interval --refresh -p --port
--logfile OUT : file.write(OUT)
args WORD...
do process.query()
out any

[sarif, trailmark, deepstream-app]
flags --json --summary -v -h --check --no-color
values --language --depth --complexity -t -T -f --type --focus --level --target --repo --format --filter --severity
else maybefile(VALUE)
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
else field(OPTION, VALUE)
args WORD...
do api.call(vendor(PROGRAM)), file.read(tree('.')), file.write(under('.')), source.execute(under('.')), opaque 'the tool runs what files of the project say'
out any

[amplify deploy, amplify publish, amplify hosting:channel:deploy, amplify pages deploy, amplify pages publish]
else field(OPTION, VALUE)
args WORD... : file.read(tree(WORD))
do api.call(vendor(PROGRAM)), publish(PROGRAM), file.read(tree('.')), file.write(under('.')), source.execute(under('.')), opaque 'the tool runs what files of the project say'
out any

[amplify, modal, dvc, kamal, anchor, forge, qsub, bsub, firebase, netlify, wrangler, mlflow, npx/netlify-cli, npx/firebase-tools]
-V --version -h --help
else field(OPTION, VALUE)
args WORD... : opaque 'the tool runs what files of the project say' if not WORD~'version|login|logout|whoami|status|list|ls|help'
do api.call(vendor(PROGRAM)), workfiles(WORD) if WORD
do schedule.create() if PROGRAM~'qsub|bsub', opaque 'a job is run' if PROGRAM~'qsub|bsub' and not WORD and not -V
out any

[mujoco_usd_converter, urdf_usd_converter]
style long
-c --comment TEXT
-p --package TEXT : file.read(any)
else maybefile(VALUE)
args FILE OUT : file.read(any), file.write(tree(OUT)), file.delete(tree(OUT))
out any
