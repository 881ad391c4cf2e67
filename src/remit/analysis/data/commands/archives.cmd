# Archives and compressors. Extracting writes below a folder: absolute names and `..` are refused by today's tools.

[tar, gtar, bsdtar]
style tar
flags --usage --restrict --clamp-mtime --show-snapshot-field-ranges --test-label --uncompress -v --verbose -z --gzip --gunzip --ungzip -j --bzip2 -J --xz --zstd --lzma --lzip --lzop -Z --compress -a --auto-compress -p
 --preserve-permissions --same-permissions -h --dereference -k --keep-old-files -m --touch -n --seek -o --no-same-owner
 --old-archive --portability -q -s --preserve-order --same-order -S --sparse -U --unlink-first -w --interactive --confirmation
 -W --verify -l --check-links -B --read-full-records -i --ignore-zeros -M --multi-volume -R --block-number
 --keep-newer-files --skip-old-files --overwrite --overwrite-dir --no-overwrite-dir --numeric-owner --no-same-permissions
 --same-owner --delay-directory-restore --no-delay-directory-restore --acls --no-acls --selinux --no-selinux --xattrs --no-xattrs --totals
 --full-time --one-file-system --no-recursion --recursion --anchored --no-anchored
 --ignore-case --no-ignore-case --wildcards --no-wildcards --wildcards-match-slash --no-wildcards-match-slash --exclude-vcs
 --exclude-vcs-ignores --exclude-backups --exclude-caches --exclude-caches-under --exclude-caches-all --force-local --hard-dereference
 --no-check-device --check-device --no-unquote --unquote --null --no-null --ignore-failed-read --no-auto-compress --posix --show-defaults
 --show-omitted-dirs --show-transformed-names --show-stored-names --utc --verbatim-files-from --no-verbatim-files-from --no-seek
 --ignore-command-error --no-ignore-command-error --keep-directory-symlink --disable-copyfile --no-mac-metadata
optional --atime-preserve --backup --occurrence
--index-file --volno-file OUT : file.write(OUT)
values --no-quote-chars --sparse-version -b --blocking-factor -H --format -V --label -K --starting-file -N --newer --after-date --newer-mtime --mtime --owner --group
 --mode --record-size --strip-components --strip --transform --xform --suffix --exclude --exclude-tag --exclude-tag-under --exclude-tag-all --quoting-style --quote-chars --xattrs-include
 --xattrs-exclude --pax-option --level --tape-length -L --warning --options --gid --uid --gname --uname --hole-detection --sort
-c --create
-r -u -A --append --update --catenate --concatenate --delete
-t -d --list --diff --compare
-x --extract --get
-O --to-stdout
-P --absolute-names : file.write(any) if -x
-f --file ARCHIVE
--add-file ADDED : file.read(tree(ADDED))
-C --cd --directory DIR
--one-top-level TOP? : file.write(tree(TOP)) if -x
-T --files-from LIST : file.read(LIST), file.read()
-X --exclude-from LIST_ : file.read(LIST_)
-g --listed-incremental SNAPSHOT : file.read(SNAPSHOT), file.write(SNAPSHOT), file.delete(under(DIR)) if -x, file.delete(under('.')) if -x and not -C
-G --incremental --recursive-unlink : file.delete(under(DIR)) if -x, file.delete(under('.')) if -x and not -C
--owner-map --group-map MAP : file.read(MAP)
--exclude-ignore --exclude-ignore-recursive IGNORE : file.read(any)
-F --info-script --new-volume-script --rmt-command --rsh-command COMMAND : sh(COMMAND)
-I --use-compress-program COMPRESSOR : sh(COMPRESSOR)
--to-command COMMAND_ : sh(COMMAND_)
--checkpoint NUMBER?
--checkpoint-action ACTION : setting('tar-action', ACTION)
--remove-files : file.delete(tree(MEMBER)), file.delete(tree(join(DIR, MEMBER))), file.delete() if -T
args(-x|-t) _...
args(-C) MEMBER... : file.read(tree(join(DIR, MEMBER)))
args MEMBER... : file.read(tree(MEMBER))
do net.connect(but(host(ARCHIVE), '.*/.*')), file.write(ARCHIVE) if -c|-r, file.read(ARCHIVE) if -x|-t|-r, file.write(tree(DIR)) if -x and not -O, file.write(under('.')) if -x and not -C and not -O
env TAR_OPTIONS : opaque 'a variable adds options to tar'
env TAPE : file.read(VALUE), file.write(VALUE)
out <file>

[tar-action/exec]
mark quiet
style words
args TEXT : sh(TEXT)

[tar-action/*]
mark quiet
style words
args _...

[unzip]
mark numbers
flags -a -b -B -C -f -j -K -L -M -n -o -q -s -T -u -U -V -W -X -: -^ -D
-P _
-x NAME_ : file.read(NAME_)
-l -p -c -Z -z -t -v
-d DIR
args ARCHIVE MEMBER... : file.read(ARCHIVE), file.read(suffix(but(ARCHIVE, '(?i).*[.](zip|jar|whl|docx|xlsx|pptx|epub|apk|egg|vsix|odt)'), '.zip')), file.write(tree(DIR)) if -d and not -l, file.write(under('.')) if not -d and not -l,
 file.read(MEMBER) if ARCHIVE=='-'
env UNZIP UNZIPOPT : opaque 'a variable adds options to unzip'
out <file>

[zip]
style long
mark numbers
flags -r -R -rq -qr -ry -yr -rj -jr -rqX -rX -qrX -r9 -qj -jq -9r -9q -9rq -r0 -q -v -u -f -d -j -D -y -X -o -T -g -F -FF -A -J -e -l -ll -L -S -k -db -dc -dd -dg -du -dv -9 -0 -1 -2 -3 -4 -5 -6 -7 -8 -h -h2 -sf -su -nw -ws -fz -MM -sd
values -n -t -tt -P -s -Z -sp
-m --move : file.delete(tree(FILE))
-b DIR : file.write(under(DIR))
-lf LOG : file.write(LOG)
-O --out OUT : file.write(OUT)
-TT --unzip-command COMMAND : sh(COMMAND)
-x --exclude _
-i --include _
-@ : file.read()
--recurse-paths
args ARCHIVE FILE... : file.write(ending(ARCHIVE, '.*=.*', '=.zip')), file.read(ending(ARCHIVE, '.*=.*', '=.zip')), file.read(tree(FILE))
env ZIPOPT ZIP : opaque 'a variable adds options to zip'
out any

[zipinfo, funzip, lsar]
flags -1 -2 -s -m -l -v -h -M -t -T -z -p -C -L -e -nr -no-recursion -j -json
values -x
args FILE MEMBER... : file.read(FILE), file.read(suffix(but(FILE, '(?i).*[.][a-z0-9]+'), '.zip')) if PROGRAM=='zipinfo', file.read(MEMBER) if FILE=='-'
out <file>

[%7z]
flags -y -bd -slt -ssw -ssc -ssc- -spe -spm -snl -snh -sni -sns -stl -r -r- -sse -ssp -snz -sccUTF-8 -bt --
-m* -t* -p* -b* -v* -r* _
-x* -a* LIST : file.read(after(LIST, '@'))
-w* TEMP : file.write(tree(TEMP))
-u* _ : file.write(any)
-s* _ : file.read(any)

[7z, 7za, 7zr, 7zz]
flags -y
out any

[7z h]
style long
-i* _ : file.read()
use 7z
args FILE... : file.read(tree(FILE)), file.read(any) if FILE~'@.*'
do file.read(under('.')) if not FILE
out <file>

[7z l, 7z t, 7z i, 7z b]
style long
use 7z
args ARCHIVE FILE... : file.read(tree(ARCHIVE))
out <file>

[7z x, 7z e]
style long
-o* DIR : file.write(under(DIR))
-spf -spf2 : file.write(any)
-so
use 7z
args ARCHIVE MEMBER... : file.read(tree(ARCHIVE)), file.write(under('.')) if not DIR and not -so
out <file>

[7z a, 7z u]
style long
-sdel : file.delete(tree(FILE))
-so
-i* _ : file.read()
use 7z
args ARCHIVE FILE... : file.write(series(ARCHIVE)), file.write(ARCHIVE), file.read(ARCHIVE), file.read(tree(FILE)), file.read(any) if FILE~'@.*',
 file.read(under('.')) if not FILE, file.write(under('.')) if ARCHIVE~'\w+://.*'
out any

[7z d, 7z rn]
style long
use 7z
args ARCHIVE MEMBER... : file.read(ARCHIVE), file.write(series(ARCHIVE)), file.write(ARCHIVE)
out any

[unrar, unar]
style long
flags -y -r -u -f -kb -ep -ep1 -ep2 -ad -ad1 -ad2 -inul -idq -idp -idc -or -cl -cu -c- -o+ -o- -p- -v -ai -ts -scu -q -quiet -force-overwrite -D -no-directory -force-directory -d -s -force-skip -force-rename -nq -k -nr -no-recursion -t -copy-time
values -e -encoding -password -pe -password-encoding -i -indexes
-p* _
-x* -n* LIST : file.read(after(LIST, '@'))
-w* TEMP : file.write(tree(TEMP))
-o -output-directory DIR : file.write(tree(DIR)), file.write(tree(without(only(DIR, 'p.*'), 'p')))
args WORD... : file.read(WORD), file.write(under('.')) if not WORD~'l|lb|v|vt|t|p', file.write(under(WORD)) if WORD~'.*/'
out any

[rar]
style long
flags -y -r -r0 -ep -ep1 -o+ -o- -idq -inul -u -f -t -df -dw -k -s -ma5 -ma4 -m0 -m1 -m2 -m3 -m4 -m5 -tk -tl -rr -ol -oh -as
-p* -h* -v* -rr* _
args WORD... : file.read(WORD), file.write(WORD), file.write(under('.'))
out any

[%zstd]
mark numbers
flags -f --force -v --verbose -q --quiet --ultra --no-progress --progress --check --no-check -k --keep --sparse --no-sparse --rsyncable --adapt --single-thread --no-content-size --exclude-compressed -C -V -h -e -i --fast -n --no-name
values --threads --memory --stream-size --size-hint --maxdict --format --block-size -w --lgwin --quality --target-compressed-block-size
optional --long -T -M -B
-o --output OUT : file.write(OUT)
--output-dir-flat --output-dir-mirror OUT_ : file.write(under(OUT_))
--filelist LIST : file.read(LIST), file.read(any), file.write(any)
-D --patch-from --dictionary DICTIONARY : file.read(DICTIONARY)
--train : file.write('dictionary')
-c --stdout --to-stdout -t --test -l --list -b
--rm : file.delete(FILE)
-r : file.read(tree(FILE)), file.write(tree(FILE))

[zstd]
use zstd
flags -z --compress -m --multiple -S
-d --decompress --uncompress
args FILE... : file.read(FILE), file.write(stem(FILE)) if -d and not -o and not -c, file.write(suffix(FILE, '.zst')) if not -d and not -o and not -c
out any

[unzstd]
use zstd
flags -m --multiple -S
-d --decompress --uncompress
-z --compress : file.write(suffix(FILE, '.zst'))
args FILE... : file.read(FILE), file.write(stem(FILE)) if not -o and not -c
out any

[lz4, unlz4]
use zstd
flags -z --compress -S -BD -BI -BX -B4 -B5 -B6 -B7
-m --multiple
-d --decompress
args(-m|-r) FILE... : file.read(FILE), file.write(suffix(FILE, '.lz4')) if not -c and not -d, file.write(stem(FILE)) if not -c
args FILE OUT__ : file.read(FILE), file.read(OUT__), file.write(OUT__), file.write(suffix(FILE, '.lz4')) if not OUT__ and not -c and not -d, file.write(stem(FILE)) if not OUT__ and not -c
out any

[brotli, unbrotli]
use zstd
-d --decompress
flags -z --compress -m --multiple
-S --suffix SUFFIX : file.write(series(FILE)), file.read(series(FILE))
-j : file.delete(FILE)
args FILE... : file.read(FILE), file.write(suffix(FILE, '.br')) if not -d and not -o and not -c, file.write(stem(FILE)) if -d and not -o and not -c
out any

[%gzip]
mark numbers
flags -L --license --synchronous -V -H --long-help -f --force -h -q --quiet -v --verbose -n --no-name -1 -2 -3 -4 -5 -6 -7 -8 -9 -0 --fast --best -e --extreme
 -s --small --no-progress -m -M -R --rsyncable -i --independent -K --zip -Y --synchronous-write
-z --compress
values -b --blocksize -p --processes -T --threads -F --format -C --check -A --alias -B --memlimit
-c --stdout --to-stdout -l --list -t --test
-k --keep
-N --name : file.write(under(dirname(FILE)))
-S --suffix SUFFIX : file.write(series(FILE)), file.read(series(FILE)), file.write(stem(FILE)), file.delete(series(FILE)) if not -k
-d --decompress --uncompress
-r --recursive : file.read(tree(FILE)), file.write(tree(FILE)), file.delete(tree(FILE))
-o --output OUT : file.write(OUT)
args(-c) FILE... : file.read(FILE)

[gzip, pigz]
use gzip
args FILE... : file.read(FILE), file.write(suffix(FILE, '.gz')) if not -d, file.delete(FILE) if not -k, file.write(ending(FILE, '.tgz=.tar', '.taz=.tar', '.gz=', '.z=', '.Z=', '-gz=', '-z=')) if -d,
 file.read(suffix(but(FILE, '.*[.](t?gz|taz|[zZ])|.*-g?z'), '.gz')) if -d, file.delete(suffix(but(FILE, '.*[.](t?gz|taz|[zZ])|.*-g?z'), '.gz')) if -d and not -k
out any

[bzip2, pbzip2]
use gzip
args FILE... : file.read(FILE), file.write(suffix(FILE, '.bz2')) if not -d, file.write(ending(FILE, '.tbz2=.tar', '.tbz=.tar', '.bz2=', '.bz=', '=.out')) if -d, file.delete(FILE) if not -k
out any

[xz]
use gzip
--files --files0 LIST? : file.read(LIST), file.write(any), file.delete(any)
args FILE... : file.read(FILE), file.write(suffix(FILE, '.xz')) if not -d, file.write(stem(FILE)) if -d, file.delete(FILE) if not -k
out any

[lzma, lzip]
use gzip
args FILE... : file.read(FILE), file.write(suffix(FILE, '.lzma')) if not -d, file.write(suffix(FILE, '.lz')) if not -d, file.write(stem(FILE)) if -d, file.delete(FILE) if not -k
out any

[bunzip2]
use gzip
args FILE... : file.read(FILE), file.write(ending(FILE, '.tbz2=.tar', '.tbz=.tar', '.bz2=', '.bz=', '=.out')), file.write(suffix(FILE, '.bz2')) if -z, file.delete(FILE) if not -k
out any

# A name without an ending is looked for with one.
[gunzip, unpigz, uncompress]
use gzip
args FILE... : file.read(FILE), file.write(ending(FILE, '.tgz=.tar', '.taz=.tar', '.gz=', '.z=', '.Z=', '-gz=', '-z=')), file.delete(FILE) if not -k,
 file.read(suffix(but(FILE, '.*[.](t?gz|taz|[zZ])|.*-g?z'), '.gz')), file.delete(suffix(but(FILE, '.*[.](t?gz|taz|[zZ])|.*-g?z'), '.gz')) if not -k
out any

[unxz, unlzma]
use gzip
args FILE... : file.read(FILE), file.write(ending(FILE, '.txz=.tar', '.tlz=.tar', '.xz=', '.lzma=', '.lz=')), file.write(suffix(FILE, '.xz')) if -z, file.delete(FILE) if not -k
out any

[compress]
use gzip
args FILE... : file.read(FILE), file.write(suffix(FILE, '.Z')), file.delete(FILE) if not -k
out any

[cpio]
style gnu
flags -v --verbose -0 --null -d --make-directories -m --preserve-modification-time -u --unconditional -a -A --append -c --quiet -B --dot -L --dereference -f --nonmatching -n --numeric-uid-gid
values -H --format -C --io-size -R --owner --block-size
-t --list
--no-absolute-filenames
-i --extract : file.write(under('.')) if not -t, file.write(any) if not -t and not --no-absolute-filenames
-o --create : file.read(any)
-p --pass-through : file.read(any)
-F --file -I -O ARCHIVE : file.read(ARCHIVE), file.write(ARCHIVE) if -o
-D --directory DIR_ : file.write(under(DIR_))
-E --pattern-file LIST : file.read(LIST)
--absolute-filenames : file.write(any)
--rsh-command COMMAND : sh(COMMAND)
args WORD... : file.write(tree(WORD)) if -p
out <file>

[ar, gar, llvm-ar]
style posix
args MODE ARCHIVE FILE... : file.read(ARCHIVE), file.read(FILE), file.write(ARCHIVE) if not MODE~'-?[tpx][a-zA-Z]*', file.write(under('.')) if MODE~'-?x[a-zA-Z]*'
out <file>

[jar]
style tar
flags --no-manifest --main-class --module-version --date --warn-if-resolved -h -p
-i --generate-index -m --manifest FILE_ : file.read(FILE_), file.write(FILE_) if -i
-P
-f --file ARCHIVE : file.read(ARCHIVE), file.write(ARCHIVE)
-C DIR : file.read(tree(DIR))
--dir OUT : file.write(tree(OUT))
-J JAVA : opaque 'an option is passed to Java' if not JAVA~'-X(m[sx]|ss).*|-Dfile[.]encoding=.*'
-c -x -t -u -v --create --extract --list --update --verbose -e -M -0
args FILE... : file.read(FILE), file.write(FILE), file.write(under('.'))
out any
