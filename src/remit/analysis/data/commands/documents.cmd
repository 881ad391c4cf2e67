# Documents: PDF, office files, typesetting, recognition of text, diagrams.

[%poppler]
style long
flags -q -v -h -help --help -?
values -opw -upw

[pdfinfo]
use poppler
flags -box -meta -custom -js -struct -struct-text -url -isodates -rawdates -dests -listenc
values -f -l -enc
args FILE : file.read(FILE)
out <file>

[pdffonts]
use poppler
flags -subst -loc -locPS
values -f -l
args FILE : file.read(FILE)
out <file>

[pdftotext]
use poppler
flags -layout -raw -nodiag -tsv -nopgbrk -listenc -cropbox -simple -simple2 -table -lineprinter -clip -bom
-htmlmeta -bbox -bbox-layout
values -f -l -r -x -y -W -H -fixed -enc -eol -colspacing -linespacing -marginl -marginr -margint -marginb
args FILE OUT : file.read(FILE), file.write(OUT), file.write(suffix(stem(FILE), '.txt')) if not OUT and not -htmlmeta, file.write(suffix(stem(FILE), '.html')) if not OUT and -htmlmeta
out <file>

[pdftoppm]
use poppler
flags -o -e -singlefile -cropbox -hide-annotations -mono -gray -png -jpeg -jpegcmyk -tiff -overprint -progress -forcenum -scale-dimension-before-rotation
values -f -l -r -rx -ry -scale-to -scale-to-x -scale-to-y -x -y -W -H -sz -sep -jpegopt -tiffcompression -thinlinemode -freetype -aa -aaVector
-displayprofile -defaultgrayprofile -defaultrgbprofile -defaultcmykprofile PROFILE : file.read(PROFILE)
args FILE PREFIX : file.read(FILE), file.write(series(PREFIX))
out <file>

[pdftocairo]
use poppler
flags -png -jpeg -tiff -singlefile -o -e -cropbox -gray -mono -transp -nocrop -nocenter -noshrink -expand -origpagesizes -level2 -level3 -duplex -struct
-pdf -ps -eps -svg
values -f -l -r -rx -ry -scale-to -scale-to-x -scale-to-y -x -y -W -H -sz -jpegopt -tiffcompression -antialias -paper -paperw -paperh
-icc PROFILE : file.read(PROFILE)
args FILE OUT : file.read(FILE), file.write(OUT) if -pdf, file.write(series(OUT)) if not -pdf, file.write(series(stem(basename(FILE)))) if not OUT
out <file>

[pdfimages]
use poppler
flags -list -j -png -tiff -jp2 -jbig2 -ccitt -all -p -raw -print-filenames -verbose
values -f -l
args FILE PREFIX : file.read(FILE), file.write(series(PREFIX))
out <file>

[pdftohtml]
use poppler
flags -p -c -s -noframes -xml -noroundcoord -hidden -nomerge -nodrm -fontfullname -dataurls
-stdout
-i
values -f -l -enc -zoom -fmt -wbt
args FILE OUT : file.read(FILE), file.write(series(stem(OUT))), file.write(series(stem(FILE))) if not OUT and not -stdout, file.write(series(stem(FILE))) if not OUT and not -i
out <file>

[pdfseparate]
use poppler
values -f -l
args FILE PATTERN : file.read(FILE), ffoutput(PATTERN)
out any

[pdfunite]
use poppler
args FILE... OUT : file.read(FILE), file.write(OUT)
out any

[pdfdetach]
use poppler
flags -list
values -enc
-save -savefile ITEM
-saveall
-o OUT : file.write(tree(OUT))
args FILE : file.read(FILE)
do file.write(under('.')) if -saveall and not -o, file.write(under('.')) if ITEM and not -o
out <file>

[pdfattach]
use poppler
flags -replace
args FILE ATTACHMENT OUT : file.read(FILE), file.read(ATTACHMENT), file.write(OUT)
out any

[pdftops]
use poppler
flags -level1 -level1sep -level2 -level2sep -level3 -level3sep -origpagesizes -nocrop -expand -noshrink -nocenter -preload -passfonts -binary -eps -form -opi
 -duplex -noembt1 -noembtt -noembcidps -noembcidtt -overprint -optimizecolorspace -passlevel1customcolor
values -f -l -paper -paperw -paperh -r -aaRaster -rasterize -processcolorformat
-processcolorprofile -defaultgrayprofile -defaultrgbprofile -defaultcmykprofile PROFILE : file.read(PROFILE)
args FILE OUT : file.read(FILE), file.write(OUT), file.write(suffix(stem(FILE), '.ps')) if not OUT, file.write(suffix(stem(FILE), '.eps')) if not OUT
out any

[pdfsig]
use poppler
flags -nocert -no-ocsp -no-appearance -aia
-dump : file.write(under('.'))
args FILE : file.read(FILE)
out <file>

[ps2pdf, ps2pdf12, ps2pdf13, ps2pdf14, ps2pdfwr]
style long
-sOutputFile OUT_ : ffoutput(OUT_), code('ghostscript', only(OUT_, '[|].*|.*%pipe.*'))
-dNOSAFER -dDELAYSAFER -c : opaque 'PostScript is code'
-d* _
-s* _
-r* _
args FILE OUT : file.read(FILE), file.write(OUT), code('ghostscript', only(OUT, '[|].*|.*%pipe.*')), file.write(ending(basename(FILE), '.ps=.pdf', '.eps=.pdf', '=.pdf')) if not OUT
env GS_OPTIONS GS_LIB : opaque 'a variable adds options or code to ghostscript'

[pdf2ps, ps2ps, ps2eps, eps2eps]
style long
-dNOSAFER -dDELAYSAFER -c : opaque 'PostScript is code'
-d* _
-r* _
args FILE OUT : file.read(FILE), file.write(OUT), code('ghostscript', only(OUT, '[|].*|.*%pipe.*')), file.write(ending(basename(FILE), '.pdf=.ps', '=.ps')) if not OUT, file.write(suffix(stem(basename(FILE)), '.ps')) if not OUT
env GS_OPTIONS GS_LIB : opaque 'a variable adds options or code to ghostscript'

[epstopdf]
style long
flags --exact --hires --embed --compress --nocompress --debug --quiet --gs --nogs
values --res --autorotate --device --gsopt --pdfsettings --pdfversion
-o --outfile OUT : file.write(OUT)
--gscmd COMMAND : run(COMMAND)
args FILE OUT_ : file.read(FILE), file.write(OUT_), file.write(suffix(stem(FILE), '.pdf')) if not -o and not OUT_

# Since version 9.50 a PostScript file reaches no other files unless an option says so.
[gs, ghostscript]
style long
flags -q -dBATCH -dNOPAUSE -dQUIET -dSAFER -v
-dNOSAFER -dDELAYSAFER -dWRITESYSTEMDICT : opaque 'PostScript is code'
-c WORDS... : opaque 'PostScript is code'
-I DIR : opaque 'ghostscript reads its own code from a folder'
--permit-file-read --permit-file-write --permit-file-control --permit-file-all --permit-devices PERMIT : opaque 'PostScript is code'
-f
-P
-P-
-o -sOutputFile OUT : ffoutput(OUT) if not OUT~'[|].*|.*%pipe.*|%std(out|err)', code('ghostscript', only(OUT, '[|].*|.*%pipe.*'))
-sstdout OUT_? : file.write(OUT_) if not OUT_~'%stderr|%stdout'
values -sDEVICE -sPAPERSIZE -sPDFPassword -sOwnerPassword -sUserPassword -sColorConversionStrategy -sColorConversionStrategyForImages -sProcessColorModel -sPageList -sCompression
 -sJPEGColorTransform -sOCRLanguage
-sDefaultRGBProfile -sDefaultCMYKProfile -sDefaultGrayProfile -sOutputICCProfile -sFONTPATH -sFontMap PROFILE : file.read(tree(PROFILE))
-d* _
-r* _
-g* _
args FILE... : file.read(FILE) if not FILE~'@.*|[%|].*', code('ghostscript', only(FILE, '@.*|[%|].*'))
env GS_OPTIONS GS_LIB : opaque 'a variable adds options or code to ghostscript'
out any

[qpdf]
mark exact
flags --linearize --warning-exit-0 --progress --no-warn --verbose --deterministic-id --static-id --coalesce-contents --qdf --no-original-object-ids --preserve-unreferenced
 --preserve-unreferenced-resources --newline-before-endstream --flatten-rotation --generate-appearances --optimize-images --externalize-inline-images --decrypt --allow-weak-crypto
 --remove-page-labels --remove-restrictions --password-is-hex-key --suppress-password-recovery --suppress-recovery --ignore-xref-streams --keep-inline-images --recompress-flate
 --empty --raw-stream-data --filtered-stream-data --with-images --remove-info --remove-metadata --remove-structure
 --allow-insecure
optional --password --min-version --prefix --force-version --object-streams --stream-data --rotate --compression-level --decode-level --compress-streams --normalize-content --flatten-annotations
 --keep-files-open --keep-files-open-threshold --oi-min-width --oi-min-height --oi-min-area --ii-min-bytes --encryption-file-password --password-mode --remove-unreferenced-resources --coalesce
 --collate --set-page-labels --range --from --to --repeat --print --modify --extract --annotate --assemble --form --modify-other --accessibility --cleartext-metadata --bits --use-aes --user-password --owner-password
 --json-key --json-object --json-stream-data --show-object --jpeg-quality --newline
--replace-input : file.write(FILE)
--encrypt --pages --overlay --underlay --copy-attachments-from
--split-pages _?
--check --show-npages --show-encryption --show-encryption-key --show-linearization --check-linearization --show-xref --show-pages --list-attachments --is-encrypted --requires-password
--json --json-output VERSION_?
--show-attachment KEY?
--remove-attachment NAME?
--password-file --copy-encryption --update-from-json --file FILE_? : file.read(FILE_)
--add-attachment : file.read(any)
--json-stream-prefix PREFIX? : file.write(series(PREFIX))
--job-json-file JOB? : opaque 'qpdf reads its job from a file'
args(--json) FILE OUT : file.read(FILE), file.write(OUT)
args(--check|--show-attachment) FILE... : file.read(FILE)
args(--replace-input) FILE... : file.read(FILE), code('qpdf', only(FILE, '@.*'))
args(--split-pages) FILE... OUT : file.read(FILE), ffoutput(OUT), file.write(series(stem(OUT)))
args FILE... OUT : file.read(FILE), file.write(OUT), code('qpdf', only(FILE, '@.*'))
out <file>

# `pdftk a.pdf b.pdf cat 1-3 output c.pdf`: a word is an operand or a keyword; without `output` the data is printed.
[pdftk]
style words
args FILE WORD... : file.read(FILE), file.read(WORD), file.write(WORD) if not WORD~'dump_data(_utf8|_fields|_fields_utf8|_annots)?', file.write(under('.')) if WORD~'burst|unpack_files'
out <file>

[mutool]
style posix

[mutool show]
style long
flags -F -I -M -P -S -X -b -g -e
values -p
-o OUT : file.write(OUT)
args FILE WORD... : file.read(FILE)
out <file>

[mutool info, mutool pages, mutool trace]
style long
flags -F -I -M -P -S -X -b -g -e
values -p
-o OUT : file.write(OUT)
args FILE... : file.read(but(FILE, '[0-9N,-]+'))
out <file>

[mutool draw, mutool convert]
style long
flags -q -i -D -P -L -K -KK -x -a -f -I -N -X -Y
values -p -F -R -r -w -h -B -T -A -G -l -S -W -H -O -s -t -y -z -Z
-o OUT : ffoutput(OUT)
-U FILE_ : file.read(FILE_)
-c -e PROFILE : file.read(PROFILE) if not PROFILE~'mono|gr[ae]y(alpha)?|rgba?|cmyk(alpha)?'
-d DIR : file.read(tree(DIR))
args FILE... : file.read(but(FILE, '[0-9N,-]+')), ffoutput('out%d.png') if not -o
out <file>

[mutool clean]
style long
flags -g -gg -ggg -gggg -D -d -i -f -a -c -s -l -z -A -S -AA -ascii -m -tt -v -Z -L
values -p -e -E -U -O -P
args FILE OUT PAGES... : file.read(FILE), file.write(OUT), file.write('out.pdf') if not OUT
out any

[mutool merge, mutool create]
style long
values -O
-o OUT : file.write(OUT)
args FILE... : file.read(FILE)
do file.write('out.pdf') if not -o
out any

[mutool extract]
style long
flags -r -a -N
values -p
args FILE WORD... : file.read(FILE), file.write(under('.'))
out any

[img2pdf]
flags -v --verbose --include-thumbnails --pillow-limit-break --nodate --fit-window --center-window --fullscreen --auto-orient --first-frame-only
values -C --colorspace -D -S --pagesize -s --imgsize -b --border -f --fit --engine --title --author --creator --producer --creationdate --moddate --subject --keywords
 --viewer-panes --viewer-initial-page --viewer-magnification --viewer-page-layout --rotation --crop-border --bleed-border --trim-border --art-border
-o --output OUT : file.write(OUT)
--from-file LIST : file.read(LIST), file.read(any)
args FILE... : file.read(FILE)
out <file>

[pdfgrep]
style gnu
flags -i --ignore-case -F --fixed-strings -P --perl-regexp -H --with-filename -h --no-filename -n --page-number -c --count -p --page-count -o --only-matching -q --quiet -R -r --recursive
 --cache --unac --warn-empty -Z --null -l --files-with-matches -L --files-without-match
optional --color
values -e --regexp -m --max-count -A -B -C --context --after-context --before-context --include --exclude --password --page-range --match-prefix-separator
-f --file LIST : file.read(LIST)
args PATTERN FILE... : file.read(tree(FILE))
out <file>

[pdfcrop]
style long
flags --verbose --quiet --debug --clip --noclip --hires --nohires --ini --restricted --luatex --pdftex --xetex --version --help
values --margins --bbox --bbox-odd --bbox-even --resolution --pdfversion --uncompress --papersize --tmpdir
--gscmd --pdftexcmd --luatexcmd --xetexcmd COMMAND : run(COMMAND)
args FILE OUT : file.read(FILE), file.write(OUT), file.write(suffix(stem(FILE), '-crop.pdf')) if not OUT

[pdf2svg]
args FILE OUT PAGE : file.read(FILE), ffoutput(OUT)

[pdf2txt.py, dumppdf.py]
flags -d --debug -a --all -r --raw-stream -b --binary-stream -t --text-stream -T --extract-toc --extract-embedded -C --disable-caching -n -A --all-texts -V --detect-vertical -S --strip-control
values -p --pagenos -m --maxpages -P --password -R --rotation -L -W -M -F --line-margin --word-margin --char-margin --boxes-flow -s --scale -Y --layoutmode -c --codec --page-numbers --output-type
-o --outfile OUT : file.write(OUT)
-O --output-dir DIR : file.write(under(DIR))
args FILE... : file.read(FILE)
out <file>

[pdfcpu, cpdf, pdfjam, pdfnup, k2pdfopt, pypdf, pymupdf]
style long
-o -outfile --outfile OUT : file.write(OUT)
else maybefile(VALUE)
args FILE... : file.read(FILE), file.write(FILE)
do file.write(under('.'))
out any

[djvutxt, djvudump, djvused, ddjvu]
style long
-format -page -pages -scale -size -quality -mode -subsample -detail _
-eachpage -verbose -skip -1 -black
-e -f SCRIPT : opaque 'djvused runs a script'
args FILE OUT : file.read(FILE), ffoutput(OUT)
out <file>

[pdfplumber]
values --format --types --include-attrs --exclude-attrs --pages --precision --indent --laparams --object_types
--structure --structure-text
args FILE : file.read(FILE)
out <file>

[tesseract]
style long
flags --list-langs --print-parameters --print-fonts-table --version -v -h --help --help-extra --help-psm --help-oem
values -l --psm --oem --dpi --loglevel
# since version 4 this is no option but the picture, so that the words after it are target and settings
-psm OUT_ : file.write(series(OUT_)), code('tesseract', OUT) if not OUT_~'[0-9]+'
-c SETTING : code('tesseract', only(SETTING, '.*(file|script|path|_dir).*'))
--tessdata-dir DIR : file.read(tree(DIR))
--user-words --user-patterns LIST : file.read(LIST)
args IMAGE OUT CONFIG... : file.read(IMAGE) if not IMAGE~'https?:.*|stdin', web.fetch(only(IMAGE, 'https?:.*')), file.write(series(OUT)) if not OUT~'stdout|-', code('tesseract', but(CONFIG, 'alto|ambigs[.]train|api_config|bazaar|batch([.]nochop)?|bigram|box[.]train([.]stderr)?|digits|get[.]images|hocr|inter|kannada|linebox|logfile|lstm[.]train|lstmbox|lstmdebug|makebox|matdemo|msdemo|nobatch|page|pdf|quiet|rebox|segdemo|strokewidth|tsv|txt|unlv|wordstrbox')),
 file.read(but(CONFIG, 'alto|ambigs[.]train|api_config|bazaar|batch([.]nochop)?|bigram|box[.]train([.]stderr)?|digits|get[.]images|hocr|inter|kannada|linebox|logfile|lstm[.]train|lstmbox|lstmdebug|makebox|matdemo|msdemo|nobatch|page|pdf|quiet|rebox|segdemo|strokewidth|tsv|txt|unlv|wordstrbox')), file.write('tesseract.log') if CONFIG~'logfile|lstmdebug', file.write('tessinput.tif') if CONFIG~'get[.]images'
out <file>

[ocrmypdf, python-m/ocrmypdf]
mark exact
flags -r --rotate-pages --remove-background -d --deskew -c --clean -i --clean-final --remove-vectors --threshold -f --force-ocr -s --skip-text --redo-ocr -q --quiet -v --verbose
 --no-overwrite -n --use-threads --no-use-threads --keep-temporary-files -k --invalidate-digital-signatures --no-progress-bar --continue-on-soft-render-error --jbig2-lossy
values -l --language --image-dpi --output-type -j --jobs --title --author --subject --keywords --unpaper-args --oversample --skip-big --tesseract-config --tesseract-pagesegmode --tesseract-oem
 --tesseract-thresholding --tesseract-timeout --rotate-pages-threshold --pdf-renderer --pdfa-image-compression -O --optimize --jpeg-quality --png-quality --jbig2-page-group-size --pages
 --max-image-mpixels --fast-web-view --color-conversion-strategy --tagged-pdf-mode --tesseract-non-ocr-timeout --tesseract-downsample-above
--sidecar SIDECAR : file.write(SIDECAR)
--user-words --user-patterns LIST : file.read(LIST)
--plugin PLUGIN : opaque 'ocrmypdf loads a plugin'
args FILE OUT : file.read(FILE), file.write(OUT)
out any

# The profile of the user and what a document itself links to are part of the office program.
[soffice, libreoffice, localc, lowriter, loffice, soffice.bin, libreoffice7.*, libreoffice24.*]
style long
mark exact
flags --headless --invisible --norestore --nologo --nodefault --nofirststartwizard --nolockcheck --quickstart --minimized --safe-mode --writer --calc --impress --draw --math --base --web --global
 -n -v --view --version -h --help -o --terminate_after_init
values --infilter --display --language
--pidfile PIDFILE : file.write(PIDFILE)
-env:UserInstallation PROFILE? : file.write(tree(without(PROFILE, 'file://')))
--convert-to FORMAT
--convert-images-to _
--cat
--outdir OUT : file.write(under(OUT))
--print-to-file
--printer-name _
--accept SOCKET : net.listen()
--script-cat --pt -p : opaque 'the office program prints, or lists its macros'
--unaccept _
args(--cat) FILE... : file.read(FILE)
args(--convert-to|--print-to-file) FILE... : file.read(FILE) if not FILE~'(macro|vnd[.].*|https?):.*', code('macro', only(FILE, '(macro|vnd[.].*):.*')), web.fetch(only(FILE, 'https?:.*')), file.write(series(stem(basename(FILE)))) if not --outdir
args FILE... : file.read(but(FILE, '(macro|vnd[.].*|https?):.*')), file.write(but(FILE, '(macro|vnd[.].*|https?):.*')), code('macro', only(FILE, '(macro|vnd[.].*):.*')), web.fetch(only(FILE, 'https?:.*'))
out any

[unoconv]
flags -v -vv -vvv --verbose --show --listener -n --no-launch --stdout --preserve
values -f --format -d --doctype -e --export -i --import -p --port -s --server -T --timeout -P --password -F --field
-o --output OUT : file.write(tree(OUT))
-t --template FILE_ : file.read(FILE_)
-c --connection CONNECTION : net.connect(CONNECTION)
args FILE... : file.read(FILE), file.write(series(stem(FILE))) if not -o
out any

[unoconvert, unoserver]
mark exact
flags --dont-update-index --update-index
values --convert-to --input-filter --output-filter --filter-option --filter-options --host --port --host-location --interface --uno-interface --uno-port --user-installation --conversion-timeout
--executable COMMAND : run(COMMAND)
args FILE OUT : file.read(FILE), file.write(OUT)
do net.connect('127.0.0.1')
out any

[ebook-convert]
style posix
args FILE OUT WORD... : file.read(FILE), file.write(tree(OUT)), web.fetch() if FILE~'.*[.]recipe', code('recipe', only(FILE, '.*[.]recipe'))
out any

[ebook-meta]
style posix
args FILE WORD... : file.read(FILE), file.write(FILE) if WORD, file.write(any) if WORD
out <file>

[wkhtmltopdf, wkhtmltoimage]
mark exact
flags -q --quiet -g --grayscale -l --lowquality --no-collate --collate --use-xserver --disable-javascript --enable-javascript -n --no-background --background --no-images --images --disable-smart-shrinking
 --enable-smart-shrinking --print-media-type --no-print-media-type --enable-local-file-access --disable-local-file-access --enable-external-links --disable-external-links --enable-internal-links
 --disable-internal-links --no-outline --outline --footer-line --header-line --no-footer-line --no-header-line --disable-plugins --enable-plugins --enable-forms --disable-forms --no-stop-slow-scripts
 --stop-slow-scripts --disable-dotted-lines --disable-toc-links --enable-toc-back-links --no-pdf-compression --exclude-from-outline --include-in-outline --transparent --no-custom-header-propagation
values -s --page-size -O --orientation -d --dpi --image-dpi --image-quality -T --margin-top -B --margin-bottom -L --margin-left -R --margin-right --page-width --page-height --title --encoding
 --zoom --javascript-delay --load-error-handling --load-media-error-handling --minimum-font-size --window-status --viewport-size --header-center --header-left --header-right --header-font-name
 --header-font-size --header-spacing --footer-center --footer-left --footer-right --footer-font-name --footer-font-size --footer-spacing --outline-depth --page-offset --username --password
 --copies --log-level --toc-header-text --toc-level-indentation --toc-text-size-shrink --width --height --quality -f --format --crop-h --crop-w --crop-x --crop-y
--allow DIR : file.read(tree(DIR))
--header-html --footer-html --user-style-sheet --xsl-style-sheet FILE_ : file.read(FILE_) if not FILE_~'https?:.*', web.fetch(only(FILE_, 'https?:.*'))
--cookie-jar --dump-outline OUT_ : file.write(OUT_)
--cookie --custom-header --replace _ _
--post NAME VALUE_ : web.post()
--post-file NAME_ POSTED : file.read(POSTED), web.post()
--run-script CODE : opaque 'a script runs in the page'
-p --proxy PROXY : net.connect(PROXY)
args PAGE... OUT : file.read(PAGE) if not PAGE~'https?:.*|cover|toc', web.fetch(only(PAGE, 'https?:.*')), file.write(OUT)
out any

[weasyprint, python-m/weasyprint]
mark exact
flags -v --verbose -d --debug -q --quiet -i --info --presentational-hints -p --uncompressed-pdf --custom-metadata --pdf-forms --optimize-images --full-fonts --hinting --srgb --pdf-tags
values -e --encoding -m --media-type --pdf-identifier --pdf-variant --pdf-version -j --jpeg-quality -D --dpi -t --timeout -u --base-url
-s --stylesheet -a --attachment FILE_ : file.read(FILE_) if not FILE_~'https?:.*', web.fetch(only(FILE_, 'https?:.*'))
-c --cache-folder DIR : file.write(under(DIR))
args FILE OUT : file.read(FILE) if not FILE~'https?:.*', web.fetch(only(FILE, 'https?:.*')), file.write(OUT)
out <file>

[markitdown, python-m/markitdown]
mark exact
flags -v --version --list-plugins --keep-data-uris
values -x --extension -m --mime-type -c --charset
-o --output OUT : file.write(OUT)
-d --use-docintel -e --endpoint : api.call()
-p --use-plugins : opaque 'markitdown loads plugins'
args FILE : file.read(FILE) if not FILE~'https?:.*', web.fetch(only(FILE, 'https?:.*'))
out <file>

[docx2txt, docx2txt.pl]
-i --img_dir DIR : file.write(under(DIR))
args FILE OUT : file.read(FILE), file.write(OUT), file.write(suffix(stem(FILE), '.txt')) if not OUT
out <file>

[antiword, catdoc, catppt, xls2csv, wvText, unrtf, odt2txt, rtf2txt]
style long
flags -a -b -x -v -V -q -c -t -h -l -r -L -f
values -m -d -w -i -p
-s CHARSET : file.read(CHARSET) if PROGRAM=='antiword'
-q* _
-c* _
args FILE... : file.read(FILE)
out <file>

[docx2pdf]
flags --keep-active --version
args FILE OUT : file.read(tree(FILE)), file.write(tree(OUT)), file.write(suffix(stem(FILE), '.pdf')) if not OUT

[docling, marker, marker_single, nougat, mineru]
mark exact
-o --output --out --output_dir OUT : file.write(tree(OUT))
--converter_cls --processors --renderer --llm_service CODE : opaque 'the converter loads code that an option names'
values --to --from --pipeline --ocr-engine --ocr-lang --output_format --langs --page_range --device --image-export-mode --table-mode --vlm-model --pdf-backend --num-threads -l --lang -m --method -b --backend -d --model --batch_multiplier --workers
else maybefile(VALUE)
args FILE... : file.read(tree(FILE)) if not FILE~'https?:.*', web.fetch(only(FILE, 'https?:.*'))
do file.write(under('.')) if not -o, web.fetch('huggingface.co')
out any

[html2text, html2markdown, lynx, w3m, links, elinks]
style long
-crawl -traversal : file.write(under('.'))
flags -dump -nolist -stdin -utf8 -nobs -ascii -style -check -noreferer -nomargins -force_html -hiddenlinks -listonly -source --ignore-links --ignore-images --no-wrap-links --no-automatic-links
-rcfile RULES : file.read(RULES)
values -width -cols -T -I -O --body-width -b -display_charset -assume_charset -connect_timeout -useragent
-cfg -lss -cmd_script CONFIG : opaque 'a browser reads its settings from a file'
-o OUT : file.write(OUT)
args FILE... : file.read(FILE) if not FILE~'https?:.*', web.fetch(only(FILE, 'https?:.*')), web.fetch(only(FILE, 'www[.].*|.*[.]com|.*[.]org|.*[.]net|.*[.]io')) if PROGRAM~'lynx|w3m|links|elinks'
out any

[jupytext, python-m/jupytext]
mark exact
flags -q --quiet --test --test-strict --warn-only
values --from --format-options --update-metadata --opt -k --set-kernel
--to --set-formats FORMAT
-o --output OUT : file.write(OUT)
-s --sync -p --paired-paths -i --update
-x --execute --check --pipe --run-path CODE? : opaque 'the notebook is run'
args FILE... : file.read(FILE), file.write(series(stem(FILE))) if not -o
out <file>

# Formulas, pages and books are programs that reach files below the folder.
[pdflatex, xelatex, lualatex, latex, tex, pdftex, xetex, luatex, uplatex, platex, context]
style long
flags -halt-on-error -file-line-error -no-file-line-error -recorder -draftmode -ini -etex -mltex -parse-first-line -src-specials -8bit -no-shell-escape -no-mktex -no-pdf -safer -nosocket
values -jobname -interaction -fmt -output-format -synctex -output-comment -kpathsea-debug -progname -translate-file -papersize -mktex -output-driver
-output-directory -aux-directory DIR : file.write(under(DIR))
-shell-escape -enable-write18 : shell.execute('sh'), opaque 'a TeX document may run commands'
-shell-restricted : shell.execute('sh')
-lua -luaonly -luaconly -luahashchars LUA? : opaque 'TeX runs a Lua program'
-cnf-line SETTING : opaque 'TeX takes a setting that can let documents start commands'
args FILE... : file.read(FILE), code('TeX', only(FILE, '.*\\(write|input|immediate|openout|directlua).*'))
do file.read(under('.')), file.write(under('.')) if not -output-directory
env shell_escape shell_escape_commands openout_any openin_any TEXMFCNF : opaque 'a variable changes what TeX documents may do'
out any

[latexmk]
style long
flags -pdf -pdfxe -pdflua -pdfdvi -pdfps -xelatex -lualatex -dvi -ps -bibtex -bibtex- -biber -f -f- -g -gg -silent -quiet -verbose -recorder -cd -cd- -halt-on-error -file-line-error -shell-escape- -nobibtex -norc -time -diagnostics
 -pv- -pvc- -emulate-aux-dir -use-make- -Werror -logfilewarninglist
values -jobname -interaction -synctex -bibtex-cond -max_repeat
-output-directory -outdir -auxdir -aux-directory -out2dir DIR : file.write(under(DIR))
-c -C -CA -ca : file.delete(under('.'))
-shell-escape -enable-write18 : shell.execute('sh'), opaque 'a TeX document may run commands'
-e -r -pdflatex -usepretex -pretex -latexoption CODE : opaque 'latexmk runs code'
-pv -pvc : process.create('viewer')
args FILE... : file.read(FILE)
do file.read(under('.')), file.write(under('.')) if not DIR
out any

[dvips]
style long
-o OUT : file.write(OUT) if not OUT~'[!|].*', code('shell', only(OUT, '[!|].*'))
-R0 : opaque 'the document can start commands'
flags -a -A -B -C -E -f -F -G -i -K -k -M -m -N -q -R -r -s -U -V -z -Z -R1 -R2 -noomega -q*
values -b -c -D -d -e -j -l -n -O -p -pp -S -t -T -x -X -y -Y -mode
-t* -D* -n* -p* -x* -c* -l* -O* -T* -y* _
-P -h -u -P* -h* FILE__ : file.read(any)
args FILE... : file.read(series(FILE)), file.read(FILE), file.write(series(stem(FILE)))
out any

[bibtex, bibtex8, biber, makeindex, xindy, texindy, makeglossaries, dvipdfm, dvipdfmx, dvisvgm, bibtool, mendex]
style long
-o -output-directory --output-directory -O --output_directory -output --output OUT : file.write(tree(OUT))
--onlylog --quiet -terse -q -s -t -n _?
flags -min-crossrefs -big -huge -wolfgang -g -i -l -r -c -p -V -v --debug --validate_datamodel --nolog --noconf --u --tool --nobreak -K --verbose --stdout --exact -e -a -Z -P --no-fonts --no-styles
values --min-crossrefs -M -L --bibencoding --input-encoding --output-encoding --output-format --output_format -T -m -x -y --page --zoom --bbox --precision -d -R -z --language --codepage --font-format --transform -E --sortlocale --listsep
--configfile --bcf --input-directory --include-directory --datamodel -I --fontmap --config FILE__ : file.read(tree(FILE__)), opaque 'settings can name programs' if PROGRAM~'biber|makeglossaries|xindy|texindy'
--logfile -C --cache --output-file OUT__ : file.write(OUT__)
args FILE... : file.read(series(FILE)), file.read(FILE), file.write(series(stem(FILE)))
out any

[kpsewhich, chktex, texcount, lacheck, detex, texdoc]
style long
flags -all -a -q -b -v -V -w -h -inc -merge -sum -brief -total -0 -1 -2 -utf8 -nosub -nocol -v0 -v1 -v2 -v3 -I -H -T -W -s -c -C -t -x -r --quiet --help --version -must-exist -interactive -expand-all -dirs -tex -latex -char -freq -nobib -incbib --inputfiles
values -expand-var -expand-path -expand-braces -var-value -format -progname -show-path -engine -D -dpi -mode -var-brace-value -n -e -m -f -d -p --format -sub -subcount -template
-o -l -out --output --localrc -path -opt OUT__ : file.write(OUT__), file.read(OUT__)
-l* -o* OUT___ : file.write(OUT___), file.read(OUT___)
-out=*
args FILE... : file.read(FILE)
out <file>

[tectonic]
flags -k --keep-intermediates -p --print --keep-logs --synctex --untrusted
-C --only-cached
values -f --format -r --reruns --pass --outfmt --makefile-rules --hide -c --chatter -w --web-bundle -b --bundle
-o --outdir OUT : file.write(under(OUT))
-Z OPTION : shell.execute('sh') if OPTION~'shell-escape.*'
-X WORDS... : file.read(under('.')), file.write(under('.')), shell.execute('sh') if WORDS~'.*shell-escape.*', file.write(any) if WORDS~'-o.*|--outdir.*'
args FILE : file.read(FILE), file.read(under('.')), file.write(under('.'))
do web.fetch('relay.fullyjustified.net') if not -C
out any

[typst]
values --color --cert
out any

[typst compile, typst c, typst watch, typst w]
values --root --input --font-path --format -f --ppi --pages --pdf-standard --diagnostic-format -j --jobs --creation-timestamp --features --package-path --package-cache-path --port
flags --ignore-system-fonts --no-serve --no-reload --no-pdf-tags
--make-deps --deps --timings OUT_ : file.write(OUT_)
--open VIEWER? : process.create('viewer')
args FILE OUT : file.read(FILE), file.write(OUT), file.write(suffix(stem(FILE), '.pdf')) if not OUT
do file.read(under('.'))

[typst fonts, typst query]
flags --variants --one --pretty --ignore-system-fonts --ignore-embedded-fonts
values --field --format --input --target --diagnostic-format --features -j --jobs --creation-timestamp
--font-path --root --package-path --package-cache-path DIR_ : file.read(tree(DIR_))
args FILE WORD... : file.read(FILE)
out any

[dot, neato, fdp, sfdp, circo, twopi, osage, patchwork]
flags -v -V -q -n -x -y -P -?
values -T -K -G -N -E -s -A
optional -L
-l LIBRARY : file.read(LIBRARY)
-o OUT : file.write(OUT)
-O : file.write(series(FILE))
args FILE... : file.read(FILE)
env GVBINDIR : opaque 'a variable makes graphviz load plugins'
out <file>

[mmdc, npx/mmdc, npx/@mermaid-js/mermaid-cli]
mark exact
flags -q --quiet -f --pdfFit --svgFit
values -t --theme -w --width -H --height -b --backgroundColor -s --scale -I --svgId -e --outputFormat --iconPacks
-i --input FILE : file.read(FILE), file.write(series(FILE)) if not -o
-o --output OUT : file.write(OUT), file.write(series(stem(OUT)))
-c --configFile -C --cssFile FILE_ : file.read(FILE_)
-a --artefacts DIR : file.write(under(DIR))
-p --puppeteerConfigFile CONFIG : file.read(CONFIG), opaque 'a file says which browser is started' if not CONFIG~'.*[.]json'
out any

[plantuml]
style long
flags -tpng -tsvg -tpdf -teps -tlatex -ttxt -tutxt -txmi -tscxml -tvdx -thtml -pipe -p -syntax -checkonly -failfast -failfast2 -version -quiet -nometadata -duration -progress -noerror -darkmode -encodesprite
values -charset -theme -nbthread -timeout -S -D -exclude
-S* _
-D* _
-o -output DIR : file.write(tree(DIR))
-config -I FILE_ : file.read(FILE_)
-graphvizdot COMMAND : run(COMMAND)
env GRAPHVIZ_DOT : run(VALUE)
args FILE... : file.read(tree(FILE)), file.write(series(stem(FILE))) if not -o
out any

[d2]
flags --sketch --center --force-appendix --bundle -d --debug --img-cache --no-xml-tag
values -t --theme --dark-theme -l --layout --pad --animate-interval --scale --target --timeout --font-regular --font-bold --font-italic --salt --ascii-mode --stdout-format
args FILE OUT : file.read(FILE), file.write(OUT), file.write(suffix(stem(FILE), '.svg')) if not OUT

[d2 fmt]
args FILE... : file.read(FILE), file.write(FILE)

[marp, npx/marp, npx/@marp-team/marp-cli]
mark exact
flags --pdf --pptx --pptx-editable --html --no-html --allow-local-files --pdf-notes --pdf-outlines --no-config --no-config-file --no-stdin --quiet -q
values --image --images --title --description --author --keywords --url --og-image --browser --browser-timeout --image-scale --jpeg-quality --bespoke.progress --parallel -P
-o --output OUT : file.write(tree(OUT))
-I --input-dir DIR : file.read(tree(DIR))
--theme --theme-set FILE_ : file.read(tree(FILE_))
-c --config-file --config --engine CODE : opaque 'marp loads code'
-s --server -w --watch -p --preview : net.listen('127.0.0.1')
args FILE... : file.read(FILE), file.write(series(stem(FILE))) if not -o
out any

[quarto, sphinx-build, python-m/sphinx, mkdocs, python-m/mkdocs, mdbook, asciidoctor, asciidoctor-pdf, reveal-md, gnuplot, prince, nikola, pelican, rst2pdf]
--version -V -h --help
args FILE_ _... : opaque 'the tool runs code of the project'
do opaque 'the tool runs code of the project' if not --version
out any

[rst2html, rst2html.py, rst2html5, rst2latex, rst2odt, rst2man, rst2xml]
mark exact
--config CONFIG : opaque 'docutils reads its settings from a file'
--stylesheet --stylesheet-path --template FILE_ : file.read(FILE_)
flags --embed-stylesheet --link-stylesheet --strip-comments --section-numbering --no-generator --date --time --quiet -q --no-file-insertion --no-raw
values --title --report -r --halt --language -l --initial-header-level --math-output --syntax-highlight --input-encoding -i --output-encoding -o
args FILE OUT : file.read(FILE), file.write(OUT)
out <file>
