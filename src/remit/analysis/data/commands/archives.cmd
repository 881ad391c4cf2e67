# Archives and compressors. Extracting writes below a folder: absolute names and `..` are refused by today's tools.

[tar, gtar, bsdtar]
style tar
flags --usage --restrict --clamp-mtime --show-snapshot-field-ranges --test-label --uncompress -v --verbose -z --gzip --gunzip --ungzip -j --bzip2 -J --xz --zstd --lzma --lzip --lzop -Z --compress -a --auto-compress -p
 --preserve-permissions --same-permissions -h --dereference -k --keep-old-files -m --touch -n --seek -o --no-same-owner
 --old-archive --portability -q -s --preserve-order --same-order -S --sparse -U --unlink-first -w --interactive --confirmation
 -W --verify -l --check-links -B --read-full-records -i --ignore-zeros -G --incremental -M --multi-volume -R --block-number
 --keep-newer-files --skip-old-files --overwrite --overwrite-dir --no-overwrite-dir --recursive-unlink --numeric-owner --no-same-permissions
 --same-owner --delay-directory-restore --no-delay-directory-restore --acls --no-acls --selinux --no-selinux --xattrs --no-xattrs --totals
 --full-time --one-file-system --no-recursion --recursion --anchored --no-anchored
 --ignore-case --no-ignore-case --wildcards --no-wildcards --wildcards-match-slash --no-wildcards-match-slash --exclude-vcs
 --exclude-vcs-ignores --exclude-backups --exclude-caches --exclude-caches-under --exclude-caches-all --force-local --hard-dereference
 --no-check-device --check-device --no-unquote --unquote --null --no-null --ignore-failed-read --no-auto-compress --posix --show-defaults
 --show-omitted-dirs --show-transformed-names --show-stored-names --utc --verbatim-files-from --no-verbatim-files-from --no-seek
 --ignore-command-error --no-ignore-command-error --keep-directory-symlink --disable-copyfile --no-mac-metadata
optional --atime-preserve --backup --occurrence
--index-file OUT : file.write(OUT)
values --no-quote-chars --sparse-version -b --blocking-factor -H --format -V --label -K --starting-file -N --newer --after-date --newer-mtime --mtime --owner --group
 --owner-map --group-map --mode --record-size --strip-components --strip --transform --xform --suffix --exclude --exclude-ignore
 --exclude-ignore-recursive --exclude-tag --exclude-tag-under --exclude-tag-all --quoting-style --quote-chars --xattrs-include
 --xattrs-exclude --pax-option --level --tape-length -L --volno-file --warning --options --gid --uid --gname --uname --hole-detection --sort
-c --create
-r -u -A --append --update --catenate --concatenate --delete
-t -d --list --diff --compare
-x --extract --get
-O --to-stdout
-P --absolute-names : file.write(any) if -x
-f --file ARCHIVE
--add-file ADDED : file.read(tree(ADDED))
-C --cd --directory DIR
--one-top-level TOP?
-T --files-from LIST : file.read(LIST), file.read()
-X --exclude-from LIST_ : file.read(LIST_)
-g --listed-incremental SNAPSHOT : file.write(SNAPSHOT)
-F --info-script --new-volume-script --rmt-command --rsh-command COMMAND : sh(COMMAND)
-I --use-compress-program COMPRESSOR : sh(COMPRESSOR)
--to-command COMMAND_ : sh(COMMAND_)
--checkpoint NUMBER?
--checkpoint-action ACTION : setting('tar-action', ACTION)
--remove-files : file.delete(tree(MEMBER))
args(-x|-t) _...
args(-C) MEMBER... : file.read(tree(join(DIR, MEMBER)))
args MEMBER... : file.read(tree(MEMBER))
do file.write(ARCHIVE) if -c|-r, file.read(ARCHIVE) if -x|-t|-r, file.write(tree(DIR)) if -x and not -O, file.write(under('.')) if -x and not -C and not -O
env TAR_OPTIONS : opaque 'a variable adds options to tar'
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
-x _...
-l -p -c -Z -z -t -v
-d DIR
args ARCHIVE MEMBER... : file.read(ARCHIVE), file.write(tree(DIR)) if -d and not -l, file.write(under('.')) if not -d and not -l
env UNZIP : opaque 'a variable adds options to unzip'
out <file>

[zip]
style long
mark numbers
flags -r -R -rq -qr -ry -yr -rj -jr -rqX -rX -qrX -r9 -qj -jq -9r -9q -9rq -r0 -q -v -u -f -d -j -D -y -X -o -T -g -F -FF -A -J -e -l -ll -L -S -k -@ -db -dc -dd -dg -du -dv -9 -0 -1 -2 -3 -4 -5 -6 -7 -8 -h -h2 -sf -su -nw -ws -fz -MM
values -n -t -tt -P -s -Z -sp -sd
-m --move : file.delete(tree(FILE))
-b DIR : file.write(under(DIR))
-lf LOG : file.write(LOG)
-O --out OUT : file.write(OUT)
-TT --unzip-command COMMAND : sh(COMMAND)
-x --exclude _...
-i --include _...
--recurse-paths
args ARCHIVE FILE... : file.write(ARCHIVE), file.read(tree(FILE))
env ZIPOPT : opaque 'a variable adds options to zip'
out any

[zipinfo, funzip, lsar]
else pure
args FILE... : file.read(FILE)
out <file>

[7z, 7za, 7zr, 7zz]
style posix
else pure
-o* DIR_
args COMMAND ARCHIVE FILE... : file.read(ARCHIVE), file.write(ARCHIVE), file.read(tree(FILE)), file.write(under('.')) if COMMAND~'[ex]', file.delete(tree(FILE)) if COMMAND~'d'
out any

[unrar, rar, unar]
else pure
-o -output-directory DIR : file.write(tree(DIR))
args WORD... : file.read(WORD), file.write(WORD), file.write(under('.'))
out any

[zstd, unzstd, lz4, unlz4, brotli]
mark numbers
-o --output --output-dir-flat --output-dir-mirror OUT : file.write(tree(OUT))
--filelist LIST : file.read(LIST), file.read()
-D --patch-from FILE_ : file.read(FILE_)
-c --stdout
else pure
args FILE... : file.read(tree(FILE)), file.write(stem(FILE)), file.write(suffix(FILE, '.zst')), file.write(suffix(FILE, '.lz4')), file.write(suffix(FILE, '.br')), file.delete(FILE)
out any

[gzip, gunzip, bzip2, bunzip2, xz, unxz, lzma, unlzma, compress, uncompress, pigz, pbzip2, lzip]
mark numbers
flags -L --license --synchronous -V -H --long-help
flags -f --force -h -q --quiet -v --verbose -n --no-name -N --name -r --recursive -t --test -1 -2 -3 -4 -5 -6 -7 -8 -9 -0 --fast --best -e --extreme
 -s --small -d --decompress --uncompress -z --compress --rm --ultra --no-progress -D -m --check -M --adapt -R --rsyncable -i --independent
values -S --suffix -b --blocksize -p --processes -T --threads -F --format -C -w --lgwin --quality
-c --stdout --to-stdout
-l --list
-k --keep
-o --output OUT : file.write(OUT)
args(-c|-l) FILE... : file.read(FILE)
args FILE... : file.read(FILE), file.write(stem(FILE)), file.write(suffix(FILE, '.gz')), file.write(suffix(FILE, '.bz2')), file.write(suffix(FILE, '.xz')), file.delete(FILE) if not -k
out any

[cpio, ar, gar, llvm-ar]
else pure
args WORD... : file.read(WORD), file.write(WORD), file.write(under('.'))
out any

[jar]
style tar
else pure
-f --file ARCHIVE : file.read(ARCHIVE), file.write(ARCHIVE)
-C DIR
-c -x -t -u -v --create --extract --list --update --verbose -m -e -M -0
args FILE... : file.read(FILE), file.write(FILE), file.write(under('.'))
out any
