# GNU coreutils, with the options that BSD and macOS add.

[tac, gtac]
flags -b --before -r --regex
values -s --separator
args FILE... : file.read(FILE)
out <file>

[cat, gcat]
flags -u -l -h -V
-A -b -e -E -n -s -t -T -v --show-all --number-nonblank --show-ends --number --squeeze-blank --show-tabs --show-nonprinting
args FILE... : file.read(FILE)
out(-A) any
out(FILE) content(FILE)
out STDIN

[rev]
flags -0 -h -V --zero
args FILE... : file.read(FILE)
out any

[zstdcat, lz4cat]
flags -f -q -v -k -c -d -r -t -l -h -H -V -C -n -N -m -z --force --quiet --verbose --keep --stdout --no-progress --progress --long --rm --test --list --recursive --ultra --sparse --no-sparse --pass-through --no-pass-through --no-check --check --decompress --uncompress --favor-decSpeed --threads
-0 -1 -2 -3 -4 -5 -6 -7 -8 -9
optional -T -M -B -b
values --memory --memlimit --format
-D --patch-from DICTIONARY : file.read(DICTIONARY)
--trace TRACE : file.write(TRACE)
-o --output-dir-flat --output-dir-mirror OUT : file.write(tree(OUT))
--filelist LIST : file.read(LIST), file.read()
args FILE... : file.read(FILE)
out <file>

[zcat, gzcat, bzcat, xzcat]
flags -f -l -q -v -k -t -c -h -n -N -r -d -z -s -e -m -0 -1 -2 -3 -4 -5 -6 -7 -8 -9 --force --list --quiet --recursive --synchronous --test --verbose
 --decompress --compress --keep --stdout --small --fast --best --extreme --rm --rsyncable --ultra --adapt
values -S --suffix -T --threads -D
-o OUT : file.write(OUT)
args FILE... : file.read(FILE)
out <file>

[nl, gnl]
flags -p --no-renumber
values -b --body-numbering -d --section-delimiter -f --footer-numbering -h --header-numbering -i --line-increment -l --join-blank-lines
 -n --number-format -s --number-separator -v --starting-line-number -w --number-width
args FILE... : file.read(FILE)
out <file>

[od, god]
flags -a -b -c -d -D -e -f -F -h -H -i -I -l -L -o -O -s -v -x -X --output-duplicates --traditional
optional -w --width --strings
values -A --address-radix -j --skip-bytes -N --read-bytes -S -t --format --endian
args FILE... : file.read(FILE)
out any

[hexdump, hd]
flags -b -c -C -d -o -v -x --one-byte-octal --one-byte-char --canonical --two-bytes-decimal --two-bytes-octal --no-squeezing --two-bytes-hex -h -V
values -e --format -n --length -s --skip
optional -L --color
-f --format-file FORMAT_FILE : file.read(FORMAT_FILE)
args FILE... : file.read(FILE)
out any

[head, ghead]
mark numbers
flags -q --quiet --silent -v --verbose -z --zero-terminated
values -c --bytes -n --lines
args FILE... : file.read(FILE)
out(FILE) picked(content(FILE))
out picked(STDIN)

[tail, gtail]
mark numbers
flags -f -F -q --quiet --silent -v --verbose -z --zero-terminated --retry -r
optional --follow
values -c --bytes -n --lines -s --sleep-interval --pid --max-unchanged-stats
args FILE... : file.read(FILE)
out(FILE) picked(content(FILE))
out picked(STDIN)

[wc, gwc]
-c --bytes -m --chars -l --lines -L --max-line-length -w --words
values --total
--files0-from LIST : file.read(LIST), file.read()
args FILE... : file.read(FILE)
out(-l, FILE) union(row(num, ' ', FILE), '')
out(FILE) <file>
out num

[exa, eza, lsd]
flags -a -A -b -B -d -D -f -F -g -G -h -H -i -l -m -n -N -o -O -r -S -u -U -x -X -Z -1 -@ --all --almost-all --long --oneline --grid --across --header --binary --bytes --group --git --git-ignore --git-repos --icons --inode --links --modified --created --accessed --changed
 --blocksize --extended --octal-permissions --no-permissions --no-filesize --no-user --no-time --no-icons --no-quotes --group-directories-first --group-dirs --only-dirs --only-files --list-dirs --reverse --smart-group --total-size --human-readable --size-short
optional --color --colour --icon --classify --hyperlink
values -s --sort -L --level --depth -I --ignore-glob -t --time --time-style -w --width --blocks --date --size
-R --recurse --recursive -T --tree
args(-R) DIR... : file.read(tree(DIR))
args DIR... : file.read(DIR)
do file.read(tree('.')) if not DIR and -R, file.read('.') if not DIR
out <file>

[ls, gls, dir, vdir]
flags -a -A -b -B -c -C -d -D -f -F -g -G -h -H -i -k -l -L -m -n -N -o -p -q -Q -r -s -S -t -u -U -v -x -X -Z -1 -@ -e -O -P -W
 --all --almost-all --author --escape --ignore-backups --directory --dired --classify --file-type --full-time --no-group
 --group-directories-first --human-readable --si --inode --kibibytes --dereference --dereference-command-line --numeric-uid-gid
 --literal --hide-control-chars --show-control-chars --quote-name --reverse --size --context --zero --icons --git
 --long --header --oneline
optional --color --hyperlink
flags --dereference-command-line-symlink-to-dir
values --block-size --format --hide --indicator-style -I --ignore --quoting-style --sort --time --time-style -T --tabsize -w --width
 --level
-R --recursive --tree
args(-R) DIR... : file.read(tree(DIR))
args DIR... : file.read(DIR)
do file.read(tree('.')) if not DIR and -R, file.read('.') if not DIR
out <file>

# What was there before is renamed: it is kept under a name that begins with the same letters.
[%backups]
-b : file.write(series(into(DST, SRC))), file.write(series(join(DIR, basename(SRC)))), file.delete(into(DST, SRC)), file.delete(join(DIR, basename(SRC)))
--backup CONTROL? : file.write(series(into(DST, SRC))), file.write(series(join(DIR, basename(SRC)))), file.delete(into(DST, SRC)), file.delete(join(DIR, basename(SRC)))
-S --suffix SUFFIX_ : file.write(series(into(DST, SRC))), file.write(series(join(DIR, basename(SRC)))), file.delete(into(DST, SRC)), file.delete(join(DIR, basename(SRC)))

[cp, gcp]
flags -d -f --force -H -i --interactive -L --dereference -n --no-clobber -P --no-dereference -p
 --remove-destination --strip-trailing-slashes -T --no-target-directory -u -v --verbose -x
 --one-file-system -Z --attributes-only --copy-contents --debug -c -X -N
optional --preserve --reflink --sparse --context --update
values --no-preserve
use backups
-t --target-directory DIR : file.write(join(DIR, basename(SRC))), file.write(under(join(DIR, basename(SRC)))) if -r
-r -R -a --recursive --archive
--parents : file.write(under(DST)), file.write(under(DIR))
-s -l --symbolic-link --link : file.write(SRC), link(into(DST, SRC), SRC), link(join(DIR, basename(SRC)), SRC)
args(-t) SRC... : file.read(SRC), file.read(under(SRC)) if -r
args(-r) SRC... DST : file.read(tree(SRC)), file.write(tree(into(DST, SRC)))
args SRC... DST : file.read(SRC), file.write(into(DST, SRC))
out none

[mv, gmv]
flags -f --force -i --interactive -n --no-clobber --strip-trailing-slashes -T --no-target-directory -u -v --verbose -Z --debug -h --no-copy --exchange
optional --update --context
use backups
-t --target-directory DIR : file.write(join(DIR, basename(SRC)))
args(-t) SRC... : file.delete(SRC)
args SRC... DST : file.delete(SRC), file.write(into(DST, SRC))
out none

[rm, grm]
flags -d --dir -f --force -i -I -v --verbose --one-file-system --no-preserve-root -P -W -x
optional --interactive --preserve-root
-r -R --recursive
args(-r) FILE... : file.delete(tree(FILE))
args FILE... : file.delete(FILE)
out none

[rmdir, grmdir]
flags -v --verbose --ignore-fail-on-non-empty
-p --parents : file.delete(parents(DIR))
args DIR... : file.delete(DIR)
out none

[unlink]
args FILE : file.delete(FILE)
out none

[shred]
flags -f --force -v --verbose -x --exact -z --zero
values -n --iterations -s --size
--random-source FILE_ : file.read(FILE_)
-u : file.write(join(dirname(FILE), num))
--remove HOW? : file.write(join(dirname(FILE), num))
args FILE... : file.write(FILE), file.delete(FILE)
out none

[srm]
flags -d -f -i -r -R -l -v -z -s -m -n --force --recursive --verbose --simple --medium --dod --gutmann --rcmp --openbsd -D -x -X -E -P
args FILE... : file.write(tree(FILE)), file.delete(tree(FILE))
out none

[mkdir, gmkdir]
flags -p --parents -v --verbose -Z
optional --context
values -m --mode
args DIR... : file.write(DIR), file.write(join('.', only(DIR, '-')))
out none

[touch, gtouch]
flags -a -c --no-create -f -h --no-dereference -m
values -d --date -t --time
-r --reference FILE
args PATH... : file.write(PATH)
out none

[mkfifo, mknod]
values -m --mode
args PATH... : file.write(PATH), file.write(join('.', only(PATH, '-')))
out none

[ln, gln]
flags -d -F --directory -f --force -i --interactive -L --logical -n --no-dereference -P --physical -r --relative -s --symbolic
 -T --no-target-directory -v --verbose -h
use backups
-t --target-directory DIR : file.write(join(DIR, basename(SRC))), link(join(DIR, basename(SRC)), SRC)
args(-t) SRC... : file.read(SRC), file.write(SRC)
args SRC... DST : file.read(SRC), file.write(SRC), file.write(into(DST, SRC)), file.read(DST) if not SRC, file.write(basename(DST)) if not SRC,
 link(into(DST, SRC), SRC), link(basename(DST), DST) if not SRC
out none

[link]
args SRC DST : file.read(SRC), file.write(SRC), file.write(DST), link(DST, SRC)
out none

[install, ginstall]
flags -c -C --compare -D -p --preserve-timestamps -T --no-target-directory -v --verbose -Z
optional --context
values -g --group -m --mode -o --owner
use backups
-s --strip : process.create('strip'), file.read(into(DST, SRC)), file.write(under(dirname(into(DST, SRC)))), file.delete(into(DST, SRC)), file.chmod(into(DST, SRC))
--strip-program PROGRAM_NAME : run(PROGRAM_NAME)
-t --target-directory DIR : file.write(join(DIR, basename(SRC)))
-d --directory
args(-d) DIR... : file.write(DIR)
args(-t) SRC... : file.read(SRC)
args SRC... DST : file.read(SRC), file.write(into(DST, SRC))
out none

[chmod, gchmod]
flags -c --changes -f --silent --quiet -v --verbose --no-preserve-root --preserve-root -H -L -P -h

--reference FILE
-R --recursive
-x -r -w -X -s -t -a
args(--reference, not -R) FILE... : file.chmod(FILE)
args(--reference) FILE... : file.chmod(tree(FILE))
args(-x, not -R) FILE... : file.chmod(FILE)
args(-x) FILE... : file.chmod(tree(FILE))
args(-R) MODE FILE... : file.chmod(tree(FILE))
args MODE FILE... : file.chmod(FILE)
out none

[chcon]
flags -c --changes -f --silent --quiet -v --verbose --dereference -h --no-dereference --no-preserve-root --preserve-root -H -L -P
values -u --user -r --role -t --type -l --range --reference
-R --recursive
args(-R) FILE... : file.chmod(tree(FILE))
args FILE... : file.chmod(FILE)
out none

[chown, chgrp, setfacl, chflags]
flags -c --changes -f --silent --quiet -v --verbose --dereference -h --no-dereference --no-preserve-root --preserve-root
 -H -L -P -d -n --mask --no-mask --default --test
values -u -r -t -l --user --role --type --range --from
--set-file --restore LIST : file.read(LIST), file.chmod() if --restore
--set _
--reference REFERENCE
-R --recursive
-b -k --remove-all --remove-default
-m -x --modify --remove _
-M -X --modify-file --remove-file LIST_ : file.read(LIST_)
args(-R) OWNER FILE... : file.chmod(tree(OWNER)), file.chmod(tree(FILE))
args OWNER FILE... : file.chmod(FILE), file.chmod(OWNER) if -m|-M|-b|--set|--set-file|--reference
out none

[tee, gtee]
flags -a --append -i --ignore-interrupts -p
optional --output-error
args FILE... : file.write(FILE), file.write(join('.', only(FILE, '-')))
out STDIN

[truncate]
flags -c --no-create -o --io-blocks
values -s --size
-r --reference FILE
args PATH... : file.write(PATH)
out none

[dd, gdd]
style keys
if= FILE : file.read(FILE)
of= OUT : file.write(OUT)
bs= _
cbs= _
conv= _
count= _
ibs= _
iflag= _
obs= _
oflag= _
seek= _
skip= _
status= _
oseek= _
iseek= _
args _...
out <file>

[mktemp, gmktemp]
flags -d --directory -q --quiet -u --dry-run
values --suffix
-p FOLDER : file.write(under(FOLDER))
--tmpdir FOLDER_? : file.write(under(FOLDER_)), file.write(temp) if not FOLDER_
-t
args(not -p, not --tmpdir) TEMPLATE : file.write(subst(TEMPLATE)) if not -t, file.write(temp) if -t
args TEMPLATE
do file.write(temp) if not TEMPLATE
out(-p) under(FOLDER)
out(--tmpdir, FOLDER_) under(FOLDER_)
out(-t) temp
out(--tmpdir) temp
out(TEMPLATE) subst(TEMPLATE)
out temp

[realpath, grealpath]
flags -e --canonicalize-existing -m --canonicalize-missing -L --logical -P --physical -q --quiet -s --strip --no-symlinks -z --zero
--relative-to --relative-base _
args PATH...
out(--relative-to) derived(PATH)
out expand(PATH)

[readlink, greadlink]
flags -n --no-newline -q --quiet -s --silent -v --verbose -z --zero
-f -e -m --canonicalize --canonicalize-existing --canonicalize-missing
args PATH...
out(-f) expand(PATH)
out <file>

[basename, gbasename]
flags -z --zero
-a --multiple
-s --suffix SUFFIX
args(-a|-s) PATH...
args PATH SUFFIX
out(-a) union(derived(PATH), seg)
out(SUFFIX) basename(PATH, SUFFIX)
out basename(PATH)

[dirname, gdirname]
flags -z --zero
args PATH...
out dirname(PATH)

[pwd, gpwd]
mark builtin
flags -L --logical -P --physical
args _...
out cwd

[stat, gstat]
flags -L --dereference -t --terse -x -n -q -r -s -l -F
values --cached
-f --file-system ATTACHED?
-c --format --printf FORMAT
args(-f) FORMAT_ PATH...
args PATH...
out(ATTACHED~'%[mzacBugild]') union(num, '')
out(FORMAT~'%[sYXZWughibaBdo]') union(num, '')
out(-f, FORMAT_~'%[mzacBugild]') union(num, '')
out any

[chattr]
mark exact
flags -R -V -f -a -i -s -u -A -S -d -c -e -j -t -C -D -F -P -T -x -m
values -v -p
+*
args PATH... : file.chmod(PATH)

[file]
flags -v -c -l -S --checking-printout --uncompress-noreport --apple --list --preserve-date --no-sandbox --debug -b --brief -i -I --mime --mime-type --mime-encoding -k --keep-going -L --dereference -h --no-dereference -n --no-buffer -N --no-pad -p
 -r --raw -s --special-files -z --uncompress -Z -0 --print0 --extension -d
values -e --exclude --exclude-quiet -F --separator -P --parameter
-f --files-from LIST : file.read(LIST), file.read()
-m --magic-file FILE_ : file.read(FILE_)
-C --compile : file.write('magic.mgc')
args FILE... : file.read(FILE)
out any

[echo, gecho]
mark builtin
style words
args WORD...
out echo(WORD)

[printf, gprintf]
mark builtin
style words
args FORMAT WORD...
out printf(FORMAT, WORD)

[true, false, :]
mark builtin
style words
args _...
out none

[sync]
flags -d --data -f --file-system
args FILE... : file.read(FILE)
out none

[test, []
mark builtin
style words
args _...
out none

[sleep, gsleep]
style words
args _...
out none

[yes]
style words
args WORD...
out derived(WORD)

[seq, gseq, jot]
flags -w --equal-width -r -n
values -b -p
mark numbers
-s -f -t --separator --format --terminator _
args NUMBER...
out(-s) any
out num

[nproc, gnproc]
flags --all
values --ignore
out num

[factor, gfactor]
args NUMBER...
out any

[expr, gexpr]
style words
args LEFT SIGN RIGHT WORD...
out(SIGN~'[-+*/%]', not WORD) union(num, '')
out any

[numfmt, gnumfmt]
flags --debug --grouping -z --zero-terminated
optional --header
values --delimiter -d --field --format --from --from-unit --invalid --padding --round --suffix --to --to-unit --unit-separator
args NUMBER...
out any

[whoami, logname, arch, hostid]
args _...
out token

[tty]
flags -s --silent --quiet
out any

[uname, guname]
flags -s --kernel-name -n --nodename -r --kernel-release -m --machine -p --processor -i --hardware-platform
 -o --operating-system
-a -v --all --kernel-version
out(-a) any
out token

[id, gid, groups, users]
flags -a -Z --context -r --real -z --zero -p -P -F
-n --name
-G --groups
-u -g --user --group
args USER...
out(-n, not -G) token
out(-u) num
out any

[hostname]
flags -a --alias -d --domain -f --fqdn --long -s --short -y
-A --all-fqdns -i --ip-address -I --all-ip-addresses
-F --file FILE : file.read(FILE), system.configure('hostname')
args NAME : system.configure('hostname')
out(-A) any
out token

[date, gdate]
flags --debug -u --utc --universal -R --rfc-email -n
optional --rfc-3339 --resolution
-I --iso-8601 _?
-r --reference FILE
-s --set TIME : system.configure('clock')
-v ADJUST
values -d --date -z
-f --file LIST : file.read(LIST) if not -j
-j
args(-j) WORD...
args FORMAT INPUT : system.configure('clock') if FORMAT~'[^+].*'
out(FORMAT~'[+].*') date(FORMAT)
out(-j) date(only(WORD, '[+].*'))
out(-I) token
out any

[tput, getconf]
style words
args NAME WORD...
out(NAME~'cols|lines|colors|_?NPROCESSORS_ONLN|_?NPROCESSORS_CONF|PAGE_?SIZE|LONG_BIT|ARG_MAX') num
out any

[lsb_release]
flags -v --version -a --all
-i --id -d --description -r --release -c --codename
-s --short
out(-s) union(token, '')
out any

[uptime]
flags -p --pretty -s --since -h
out any

[free]
flags -b -k -m -g -h -l -t -w -v -L --bytes --kibi --mebi --gibi --tebi --pebi --kilo --mega --giga --tera --peta --human --si --lohi --line --total --wide
values -s --seconds -c --count
out any

[vmstat, vm_stat, iostat, mpstat]
flags -a --active -f --forks -m --slabs -n --one-header -s --stats -d --disk -D --disk-sum -t --timestamp -w --wide -y --no-first -V -c -h -k -x -z -H -A -u -T -C --human --pretty --compact
values -p --partition -S --unit -P -I -N -o --dec -g -j
args _...
out any

[lscpu]
flags -a --all -b --online -c --offline -B --bytes -J --json -x --hex -y --physical -r --raw --output-all
optional -e --extended -p --parse -C --caches
values --hierarchic --annotate
-s --sysroot DIR : file.read(tree(DIR))
out any

[lsblk]
flags -A --noempty -a --all -b --bytes -d --nodeps -D --discard -f --fs -i --ascii -J --json -l --list -M --merge -m --perms -n --noheadings -N --nvme -v --virtio -O --output-all -p --paths -P --pairs -r --raw -S --scsi -s --inverse -t --topology -T --tree -y --shell -z --zoned -h -V
values -E --dedup -e --exclude -I --include -o --output -x --sort -w --width -Q --filter --ct --ct-filter --highlight --hyperlink --properties-by
--sysroot DIR : file.read(tree(DIR))
args DEVICE...
out any

[findmnt]
flags -A --all -a --ascii -b --bytes -C --nocanonicalize -c --canonicalize -D --df -e --evaluate -f --first-only -i --invert -J --json -k --kernel -l --list -m --mtab -n --noheadings -P --pairs -R --submounts -r --raw -s --fstab -U --uniq -u --notruncate -v --nofsroot -x --verify -y --shell --real --pseudo --shadowed --deleted --vfs-all --tree --verbose --output-all --dfi -I -h -V
optional -p --poll
values -d --direction -M --mountpoint -N --task -O --options -o --output -S --source -T --target -t --types -w --timeout --id --uniq-id -Q --filter
-F --tab-file FILE : file.read(FILE)
args WORD...
out any

[lspci, lsusb]
flags -b -D -k -m -mm -M -n -nn -q -Q -t -v -vv -vvv -x -xxx -xxxx -P -PP --tree --verbose
values -s -d -A -O -H
-i -p -F FILE : file.read(FILE)
out any

[locale]
flags -a -m -c -k -v --all-locales --charmaps --category-name --keyword-name --verbose
args _...
out any

[cal, ncal]
mark numbers
flags -1 -3 -s -m -j -y -Y -w -h -J -e -o -p -v -M -S -b -C -N --one --three --sunday --monday --julian --year --twelve --week
values -n --months --reform -A -B -d -H -W --color --columns
args _...
out any

[who, w]
flags -a -b -d -H -l -m -p -q -r -s -t -T -u -w -f -h -i -o -n --all --boot --dead --heading --login --lookup --mesg --message --writable --process --count --runlevel --short --time --users --from --no-header --ip-addr --no-current
args FILE WORD : file.read(FILE) if PROGRAM=='who' and not WORD
out any

[last, lastb, lastlog]
mark numbers
flags -a --hostlast -d --dns -F --fulltimes -i --ip -R -w --fullnames -x --system -C --clear -S --set
values -n --limit -s --since -t --until -p --present --time-format -b --before -u --user -T -y
-f --file FILE : file.read(FILE)
--root ROOT : file.read(any)
args NAME...
out any

[finger]
flags -l -m -s -p
args WORD... : net.connect(after(only(WORD, '.*@.*'), '@'))
out any

[sensors]
flags -s -A --no-adapter -f --fahrenheit -u -j -v --bus-list --allow-no-sensors
-c --config-file FILE : file.read(FILE)
args _...
out any

[acpi]
flags -b -a -t -c -V -s -f -k -i -v -h --battery --ac-adapter --thermal --cooling --everything --show-empty --fahrenheit --kelvin --details
-d -p --directory --proc DIR : file.read(tree(DIR))
out any

[sw_vers, lsmod, sestatus, getenforce]
style long
flags -productName -productVersion -buildVersion -productVersionExtra --productName --productVersion --buildVersion --productVersionExtra -v -b
out any

[xdpyinfo, glxinfo, vulkaninfo, vainfo, clinfo]
style long
flags -B -b -t -v -h -l -i -s -c -j --summary --json --html --raw --human --list --offline -queryExtensions --all -a
values -display --display -ext --device --prop -d
-o --output OUT : file.write(OUT)
out any

[ioreg, system_profiler]
style long
flags -l -a -b -f -i -S -t -x -y -z -w0 -listDataTypes -usage -nospawn
values -c -d -k -n -p -r -w -detailLevel -timeout
-xml -json
args _...
out any

# A name of a host is asked for in the network, and who answers for it sees it.
[getent]
flags -i --no-idn -A --no-addrconfig
values -s --service
args DATABASE KEY...
do net.connect(KEY) if DATABASE~'a?hosts.*|networks'
out any

[top, htop, btop, nvtop]
flags -b -c -h -H -i -s -S -v -V -1 -a -t -C -M -r -R --tree --no-color --no-mouse --readonly -B -f -L --utf-force --low-color --no-unicode -J
values -n -d -o -p -u -U -w -l -E -e -F --delay --pid --user --sort-key -stats --preset --filter --update --highlight-changes -O -N
--config --themes-dir CONFIG : file.read(tree(CONFIG))
args _...
do process.query()
out any

[glances]
flags -1 -2 -3 -4 -5 -6 -q --quiet -b --byte -z --enable-process-extended --disable-check-update
values --stdout --stdout-csv --stdout-json --stop-after -t --time --disable-plugin -i
-w --webserver -s --server : net.listen()
-c --client HOST : net.connect(HOST)
--export-csv-file --export-json-file OUT : file.write(OUT)
args _...
# it asks for temperatures of disks, newer versions of itself, and the public address of the machine
do process.query(), net.connect('127.0.0.1:7634'), web.fetch()
out any

[nvidia-smi, rocm-smi]
style long
flags -L --list-gpus -q --query -x --xml-format -h -a
values -i --id -l --loop -lms -d --display --format --loop-ms
values --query-gpu --query-compute-apps --query-accounted-apps --query-supported-clocks
-f --filename FILE : file.write(FILE)
-pm MODE : system.configure('gpu')
-pl LIMIT : system.configure('gpu')
-r --gpu-reset : system.configure('gpu')
else system.configure('gpu')
args WORD...
do process.query()
out any

[sort, gsort]
flags -b --ignore-leading-blanks -d --dictionary-order -f --ignore-case -g --general-numeric-sort -i --ignore-nonprinting -M --month-sort
 -h --human-numeric-sort -n --numeric-sort -R --random-sort -r --reverse -V --version-sort -c -C -m --merge -s --stable -u --unique -z
 --zero-terminated --debug
optional --check
values -k --key -t --field-separator -S --buffer-size --parallel --batch-size --sort
--random-source FILE_ : file.read(FILE_)
--files0-from LIST : file.read(LIST), file.read()
--compress-program COMMAND : run(COMMAND)
-o --output OUT : file.write(OUT)
-T --temporary-directory DIR : file.write(under(DIR))
args FILE... : file.read(FILE)
out(FILE) picked(content(FILE))
out picked(STDIN)

[uniq, guniq]
mark numbers
flags -c --count -d --repeated -D -i --ignore-case -u --unique -z --zero-terminated
optional --all-repeated --group
values -f --skip-fields -s --skip-chars -w --check-chars
args FILE OUT : file.read(FILE), file.write(OUT)
out(FILE) picked(content(FILE))
out picked(STDIN)

[tr, gtr]
style posix
flags -s --squeeze-repeats -t --truncate-set1 -u
-c -C --complement
-d --delete
args SET...
out(-c, -d, SET~'(0-9|\[:digit:\]|[.])*') num
out(-d, not -c) picked(STDIN)
out derived(STDIN)

[cut, gcut]
flags -n -s --only-delimited -z --zero-terminated --complement -w
values -b --bytes -c --characters
--output-delimiter BETWEEN
-d --delimiter MARK
-f --fields FIELD
args FILE... : file.read(FILE)
out(BETWEEN) any
out(FIELD=='1', MARK==' ', not FILE) first(STDIN, ' ')
out(FIELD=='1', MARK=='|', not FILE) first(STDIN, '|')
out(FIELD=='1', MARK==':', not FILE) first(STDIN, ':')
out(FIELD=='1', MARK==',', not FILE) first(STDIN, ',')
out(FIELD=='1', not -d, not FILE) first(STDIN, '	')
out(FILE) picked(content(FILE))
out picked(STDIN)

[paste, gpaste]
flags -s --serial -z --zero-terminated
values -d --delimiters
args FILE... : file.read(FILE)
out(FILE) picked(content(FILE))
out picked(STDIN)

[join, gjoin]
flags -i --ignore-case --check-order --nocheck-order --header -z --zero-terminated
values -a -e -j -o -t -v -1 -2
args FILE... : file.read(FILE)
out <file>

[comm, gcomm]
flags -1 -2 -3 -i --check-order --nocheck-order --total -z --zero-terminated
values --output-delimiter
args FILE... : file.read(FILE)
out <file>

[fold, fmt, gfold, gfmt]
mark numbers
flags -b --bytes -s --spaces -c --crown-margin -t --tagged-paragraph -u --uniform-spacing --split-only -n -m
values -w --width -g --goal -p --prefix -l -d
args FILE... : file.read(FILE)
out(FILE) picked(content(FILE))
out picked(STDIN)

[expand, unexpand, gexpand]
mark numbers
flags -i --initial -a --all --first-only
values -t --tabs
args FILE... : file.read(FILE)
out(FILE) picked(content(FILE))
out picked(STDIN)

[column]
flags -h -V -t --table -x --fillrows -e --table-header-repeat -J --json -L --keep-empty-lines -d --table-noheadings
values -n -l --table-columns-limit -s --separator -c --output-width --columns -R --table-right -T --table-truncate
 -W --table-wrap -H --table-hide -O --table-order -E --table-noextreme -r --tree -i --tree-id -p --tree-parent --table-name
-o --output-separator -N --table-columns BETWEEN
args FILE... : file.read(FILE)
out(BETWEEN) any
out(FILE) picked(content(FILE))
out picked(STDIN)

[pr]
mark numbers
flags -a --across -c --show-control-chars -d --double-space -f -F --form-feed -J --join-lines -m --merge -r --no-file-warnings -t
 --omit-header -T --omit-pagination -v --show-nonprinting
optional -e --expand-tabs -i --output-tabs -n --number-lines -s --separator -S --sep-string
values -D --date-format -h --header -l --length -N --first-line-number -o --indent -w --width -W --page-width --columns --pages
args FILE... : file.read(FILE)
out <file>

[shuf, gshuf]
flags -r --repeat -z --zero-terminated
values -n --head-count
--random-source FILE_ : file.read(FILE_)
-o --output OUT : file.write(OUT)
-e --echo
-i --input-range _
args(-e) WORD...
args FILE... : file.read(FILE)
out(-i) num
out any

[tsort, look, col, colrm, ul]
flags -b -f -h -p -x -i -d -a
values -l -t
args FILE... : file.read(FILE)
out any

[split, gsplit]
mark numbers
flags -d -x -e --elide-empty-files -u --unbuffered --verbose
optional --numeric-suffixes --hex-suffixes
values -a --suffix-length --additional-suffix -b --bytes -C --line-bytes -l --lines -n --number -t --separator
--filter COMMAND : sh(COMMAND)
args FILE PREFIX : file.read(FILE), file.write(series(PREFIX)), file.write(series('x')) if not PREFIX
do file.write(series('x')) if not FILE
out none

[csplit, gcsplit]
mark numbers
flags -k --keep-files -s --quiet --silent -z --elide-empty-files --suppress-matched
values -b --suffix-format -n --digits
-f --prefix PREFIX : file.write(series(PREFIX))
args FILE PATTERN... : file.read(FILE), file.write(series('xx')) if not -f
out num

[du, gdu]
flags -0 --null -a --all --apparent-size -b --bytes -c --total -D --dereference-args --inodes -k -L --dereference -l
 --count-links -m -P --no-dereference -S --separate-dirs -x --one-file-system -g -r -n -A
optional --time
values -B --block-size -d --max-depth -t --threshold --time-style --exclude -I
-X --exclude-from LIST : file.read(LIST)
--files0-from LIST : file.read(LIST), file.read()
-s --summarize
-h --human-readable -H --si
args DIR... : file.read(DIR)
do file.read('.') if not DIR
out(-s, -h, DIR) union(row(token, '	', DIR), '')
out(-s, DIR) union(row(num, '	', DIR), '')
out any

[df, gdf]
flags -a --all -h --human-readable -H --si -i --inodes -k -l --local --no-sync -P --portability --sync --total -T --print-type -m -g -b
optional --output
flags -v
values -B --block-size -t --type -x --exclude-type
args PATH...
out any

[md5sum, sha1sum, sha224sum, sha256sum, sha384sum, sha512sum, b2sum, cksum, shasum, gmd5sum, gsha256sum, xxhsum, xxh64sum]
flags --debug -h -v --UNIVERSAL -b --binary -t --text -z --zero --ignore-missing --quiet --status --strict -w --warn -r -q -U -0 --01 --untagged
values -a --algorithm -l --length
-c --check
--tag
args(-c) FILE... : file.read(FILE), file.read()
args FILE... : file.read(FILE)
out(-c|--tag) any
out(FILE) union(row(token, '  ', FILE), '')
out row(token, '  ', '-')

[sum, md5]
flags -r -s --sysv -p -n -x -t
-q
args FILE... : file.read(FILE)
out(-q) union(token, '')
out any

[base64, base32, basenc, gbase64]
flags --base64 --base64url --base32 --base32hex --base16 --base2msbf --z85 -h
values -w --wrap -b --break
-o --output OUT : file.write(OUT)
-d -D --decode
-i --ignore-garbage
args(-i, not -d) FILE... : file.read(FILE)
args FILE... : file.read(FILE)
out(-d, not FILE) decode(STDIN)
out any

[env, genv]
style posix
mark quiet
flags -0 --null -v --debug --list-signal-handling -
optional --block-signal --default-signal --ignore-signal
-i --ignore-environment : forget()
-u --unset GONE : forget(GONE)
-C --chdir DIR : chdir(DIR)
-S --split-string TEXT : nested(TEXT, OPERANDS)
args(-S) _...
args COMMAND... : variable(COMMAND)
do env.read() if not COMMAND and not -S, secret.read('env:*') if not COMMAND and not -S
do process.create(PROGRAM)
out(not COMMAND, not -S) any

[printenv]
flags -0 --null
args NAME... : env.read(NAME)
do env.read() if not NAME, secret.read('env:*') if not NAME
out(NAME) env(NAME)
out any

[nice, gnice]
style posix
mark numbers
values -n --adjustment
args COMMAND... : run(COMMAND)

[nohup, gnohup]
style posix
args COMMAND... : run(COMMAND), file.write('nohup.out')

[timeout, gtimeout]
style posix
flags --foreground --preserve-status -v --verbose -f -p
values -k --kill-after -s --signal
args DURATION COMMAND... : run(COMMAND)

[stdbuf, gstdbuf]
style posix
values -i --input -o --output -e --error
args COMMAND... : run(COMMAND)

[chroot]
style posix
flags --skip-chdir
values --groups --userspec -u -g -G
args ROOT COMMAND... : system.configure('chroot'), run(COMMAND)
