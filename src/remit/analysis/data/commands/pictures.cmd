# Pictures.

[%magick]
style find
-write OUT_ : file.write(picture(OUT_)), code('ImageMagick', only(OUT_, '(\w+:)?[|].*'))
-script -process CODE : opaque 'ImageMagick runs a script or a module'
-read -mask -clip-mask -read-mask -write-mask -texture -remap -map -profile -cdl -tile-image FILE_ : file.read(picture(FILE_))
+profile +noise +level +level-colors +distort +opaque +transparent +polaroid +define +set +sigmoidal-contrast +tile-offset +sparse-color _
+*
-decipher -encipher PASSPHRASE : file.read(PASSPHRASE)
flags -adjoin -antialias -append -auto-gamma -auto-level -auto-orient -black-threshold-channel -clip -clut -coalesce -combine -contrast -deconstruct -despeckle -enhance -equalize
 -flatten -flip -flop -hald-clut -identify -ift -integral -linear -magnify -matte -minify -monitor -monochrome -mosaic -negate -normalize -ping -quiet
 -regard-warnings -render -respect-parentheses -reverse -separate -strip -transpose -transverse -trim -unique-colors -verbose -version -fft -synchronize -taint
 -concatenate -black-point-compensation -clamp -epsilon -composite -compare -transform -moments -unique -immutable -help -backdrop -shared-memory -no-remote
values -support -clip-path -deskew -grayscale -local-contrast -origin -displace -affinity -adaptive-blur -adaptive-resize -adaptive-sharpen -affine -alpha -attenuate -auto-threshold -authenticate -background -bench -bias -black-threshold -blend -blue-primary -blue-shift -blur
 -border -bordercolor -brightness-contrast -canny -cast-shadow -channel -channel-fx -charcoal -chop -clahe -clone -colorize -colormap -colors -color-matrix -colorspace -color-threshold
 -complex -compose -compress -connected-components -contrast-stretch -convolve -copy -crop -cycle -debug -define -delay -delete -density -depth -descend -direction -display
 -dispose -dissolve -distort -distribute-cache -dither -duplicate -edge -emboss -encoding -endian -evaluate -evaluate-sequence -exposure -extent -extract -family -features -fill
 -filter -frame -function -fuzz -fx -gamma -gaussian-blur -geometry -gravity -green-primary -highlight-color -hough-lines -implode -insert -intensity -intent -interlace -interline-spacing
 -interpolate -interpolative-resize -interword-spacing -kerning -kmeans -kuwahara -lat -layers -level -level-colors -limit -linear-stretch -liquid-rescale -list -log -loop -lowlight-color
 -mattecolor -mean-shift -median -metric -mode -modulate -morph -morphology -motion-blur -noise -noise-reduction -opaque -ordered-dither -orient -orientation -page -paint -perceptible
 -pointsize -polaroid -poly -posterize -precision -preview -primitive -print -quality -quantize -radial-blur -raise -random-threshold -range-threshold -red-primary -region -repage
 -resample -resize -roll -rotate -rotational-blur -sample -sampling-factor -scale -scene -scenes -screen -seed -segment -selective-blur -sepia-tone -set -shade -sharpen -shave -shear
 -sigmoidal-contrast -sketch -size -smush -solarize -sort-pixels -sparse-color -splice -spread -statistic -stretch -stroke -strokewidth -style -swap -swirl -thickness -threshold
 -thumbnail -tile-offset -tint -transparent -transparent-color -treedepth -tune -type -undercolor -units -unsharp -vignette -virtual-pixel -wave -wavelet-denoise -weight
 -white-balance -white-point -white-threshold -word-break
-font FONT : file.read(FONT) if FONT~'@.*|.*/.*'
-annotate _ TEXT : argfile(TEXT)
-caption -label -comment -title TEXT_ : argfile(TEXT_)
-draw DRAWN : argfile(DRAWN), file.read() if DRAWN~'(?i).*image.*'
env MAGICK_CONFIGURE_PATH MAGICK_CODER_MODULE_PATH MAGICK_FILTER_MODULE_PATH MAGICK_CODER_FILTER_PATH MAGICK_HOME : opaque 'a variable says what ImageMagick loads and starts'
-format FORMAT

[%convert]
values -tile -shadow
-subimage-search
args FILE... OUT : file.read(picture(FILE)) if not FILE~'(?i)(https?|ftp|msl|x|ephemeral|clipboard|mvg):.*', file.write(picture(OUT)), web.fetch(only(FILE, 'https?:.*')),
 screen.capture(only(FILE, '(?i)x:.*')), code('ImageMagick', only(FILE, '(?i)(msl|ephemeral|clipboard|ftp|mvg):.*|(\w+:)?[|].*')), code('ImageMagick', only(OUT, '(\w+:)?[|].*'))
out <file>

[convert, magick convert]
use magick
use convert

[magick]
use magick
use convert

[composite, magick composite]
use magick
flags -tile
values -shadow
-watermark -stegano -stereo -dissolve-percent _

args FILE... OUT : file.read(picture(FILE)), file.write(picture(OUT)), code('ImageMagick', only(FILE, '(?i)(msl|ephemeral|clipboard|ftp|x):.*'))
out <file>

[montage, magick montage]
use magick
flags -shadow
values -tile

args FILE... OUT : file.read(picture(FILE)), file.write(picture(OUT)), code('ImageMagick', only(FILE, '(?i)(msl|ephemeral|clipboard|ftp|x):.*'))
out <file>

[compare, magick compare]
use magick
values -tile -shadow
-subimage-search
-dissimilarity-threshold -similarity-threshold _
args A B OUT : file.read(picture(A)), file.read(picture(B)), file.write(picture(OUT)), web.fetch(only(A, 'https?:.*')), web.fetch(only(B, 'https?:.*')), code('ImageMagick', only(A, '(?i)(msl|ephemeral|clipboard|ftp|mvg|x):.*|(\w+:)?[|].*')), code('ImageMagick', only(B, '(?i)(msl|ephemeral|clipboard|ftp|mvg|x):.*|(\w+:)?[|].*'))
out any

[mogrify, magick mogrify]
use magick
values -tile -shadow
-path DIR : file.write(under(DIR))
args FILE... : file.read(picture(FILE)), file.write(picture(FILE)) if not -path, file.write(series(stem(FILE))) if not -path, web.fetch(only(FILE, 'https?:.*')), code('ImageMagick', only(FILE, '(?i)(msl|ephemeral|clipboard|ftp|mvg|x):.*|(\w+:)?[|].*'))
out any

[identify, magick identify]
use magick
values -tile -shadow
args FILE... : file.read(picture(FILE)) if not FILE~'(?i)(https?|msl|x|ephemeral|clipboard):.*', web.fetch(only(FILE, 'https?:.*')), code('ImageMagick', only(FILE, '(?i)(msl|x|ephemeral|clipboard):.*|(\w+:)?[|].*'))
out(FORMAT~'%(w|h|n|k|z|s|p|x|y|b|B|Q|\[(fx:.*|width|height|mean|entropy|colors|channels|depth|quality|size|kurtosis|skewness|minima|maxima|standard-deviation|orientation|resolution[.][xy]|page[.][a-z]+)\])(\\n)?') union(num, '')
out any

[magick import]
flags -silent -frame -border -screen -descend
values -window -display -pause -delay -quality -resize -crop -colors -depth -type
args OUT... : file.write(OUT)
do screen.capture()

[magick conjure, magick display, magick animate, magick stream]
args FILE... : file.read(FILE)
do opaque 'ImageMagick runs a script, or opens a window with its own commands'

[gm]
out any

[gm convert, gm composite, gm montage]
use magick
values -tile -shadow
args FILE... OUT : file.read(picture(FILE)), file.write(picture(OUT)), code('ImageMagick', only(FILE, '(?i)(msl|x|clipboard|https?|ftp):.*'))
out any

[gm mogrify]
use magick
values -tile -shadow
-output-directory DIR : file.write(under(DIR))
args FILE... : file.read(picture(FILE)), file.write(picture(FILE)), file.delete(picture(FILE)), file.write(series(stem(FILE))), web.fetch(only(FILE, '(https?|ftp):.*'))
out any

[gm identify]
use magick
args FILE... : file.read(picture(FILE)), web.fetch(only(FILE, '(https?|ftp):.*'))
out any

[cwebp, gif2webp, img2webp]
style long
flags -lossless -mt -low_memory -strong -nostrong -noalpha -exact -short -quiet -progress -print_psnr -print_ssim -print_lsim -v -af -jpeg_like -mixed -min_size -loop_compatibility -lossy -sharp_yuv
values -q -m -z -preset -size -psnr -sns -f -sharpness -pass -segments -partition_limit -alpha_q -alpha_method -alpha_filter -alpha_cleanup -hint -metadata -near_lossless -pre -blend_alpha -map -kmin -kmax -loop -qrange
-resize _ _
-crop _ _ _ _
-s _ _
-d OUT_ : file.write(OUT_) if PROGRAM=='cwebp'
-o OUT : file.write(OUT)
args FILE... : file.read(FILE)
out <file>

[dwebp, webpinfo]
style long
flags -version -bmp -tiff -pam -ppm -pgm -yuv -nofancy -nofilter -nodither -alpha_dither -mt -flip -alpha -incremental -v -quiet -noasm -summary -diag -bitstream_info
values -dither
-crop _ _ _ _
-scale -resize _ _
-o OUT : file.write(OUT)
args FILE : file.read(FILE)
out <file>

[webpmux]
style long
else maybefile(VALUE)
-o OUT : file.write(OUT)
-info
args FILE... : file.read(FILE)
out <file>

[pngquant]
flags -f --force --skip-if-larger -v --verbose --strip --nofs --version -h --transbug
values --quality --speed -s --posterize
optional --floyd
-o --output OUT : file.write(OUT)
--ext EXTENSION
--map FILE_ : file.read(FILE_)
args FILE... : file.read(FILE) if not FILE~'[0-9]+', file.write(series(stem(FILE))) if not -o
out <file>

[optipng]
style long
mark numbers
flags -quiet -silent -preserve -fix -force -clobber -snip -nb -nc -np -nz -full -v -o0 -o1 -o2 -o3 -o4 -o5 -o6 -o7 -nx
-simulate
-backup -keep
values -strip -i -f -zc -zm -zs -zw -o
-out OUT : file.write(OUT), file.write(suffix(OUT, '.bak')) if -backup
-dir DIR : file.write(under(DIR))
-log LOG : file.write(LOG)
args FILE... : file.read(FILE), file.write(FILE) if not -out and not -dir and not -simulate, file.write(suffix(stem(FILE), '.png')) if not -out and not -dir and not -simulate,
 file.write(suffix(FILE, '.bak')) if -backup and not -out and not -dir
out any

[jpegoptim]
flags -b --csv -f --force -h -o --overwrite -p --preserve -P --preserve-perms -q --quiet -t --totals -v --verbose -s --strip-all --strip-none --strip-com --strip-exif --strip-iptc --strip-icc --strip-xmp
 --strip-jfif --strip-jfxx --all-normal --all-progressive --keep-all --keep-exif --keep-icc --keep-iptc --keep-xmp --auto-mode --retry -r --save-extra
-n --noaction
--stdout --stdin
values -m --max -S --size -T --threshold -w --workers
-d --dest DIR : file.write(under(DIR))
--files-from --files-stdin LIST : file.read(LIST), file.write(any)
args FILE... : file.read(FILE), file.write(FILE) if not -n and not -d and not --stdout
out any

[jpegtran, cjpeg, djpeg]
style long
flags -optimize -progressive -grayscale -perfect -trim -verbose -debug -arithmetic -baseline -targa -rgb -gif -bmp -pnm -png -fast -nosmooth -onepass -revert -transpose -transverse -strict
values -copy -quality -rotate -flip -crop -restart -smooth -maxmemory -scale -dct -quant -sample -colors -dither -wipe
-scans -qtables -icc -drop FILE_ : file.read(FILE_)
-outfile OUT : file.write(OUT)
args FILE : file.read(FILE)
out <file>

[gifsicle, gifdiff]
mark numbers exact
flags -I --info -w --no-warnings -V --verbose --no-loopcount --careful -i --interlace --no-interlace -U --unoptimize --no-delay --no-comments --no-names --no-extensions --merge --cinfo --xinfo --sinfo
 --multifile --nextfile --flip-horizontal --flip-vertical --rotate-90 --rotate-180 --rotate-270 --no-rotate --crop-transparency --gray --no-transform
optional -l --loopcount -O --optimize -f --dither -j --threads
values -d --delay -D --disposal -k --colors --color-method --resize --scale --resize-fit --resize-width --resize-height --resize-touch --resize-method --crop -t --transparent -B --background -n --name -c --comment
 --gamma -p --position -S --logical-screen --lossy --change-color
-b --batch : file.write(FILE)
-e --explode -E --explode-by-name : file.write(series(FILE))
--use-colormap MAP : file.read(MAP) if not MAP~'web|gray|bw'
-o --output OUT : file.write(OUT)
--delete --replace --append _?
args FILE... : file.read(FILE) if not FILE~'#.*'
out <file>

[svgo, npx/svgo]
flags -q --quiet --pretty -r --recursive --multipass --no-color --show-plugins --final-newline
values -p --precision --datauri --indent --eol --exclude
-s --string _
-i --input FILE : file.read(FILE), file.write(FILE) if not -o
-f --folder DIR : file.read(tree(DIR)), file.write(tree(DIR)) if not -o
-o --output OUT : file.write(tree(OUT))
--config CONFIG : opaque 'svgo loads code'
args FILE... : file.read(FILE), file.write(FILE) if not -o

[rsvg-convert]
flags -a --keep-aspect-ratio -u --unlimited --keep-image-data --no-keep-image-data -v
values -d --dpi-x -p --dpi-y -x --x-zoom -y --y-zoom -z --zoom -w --width -h --height --top --left --page-width --page-height -f --format -i --export-id -l --accept-language -b --background-color
-s --stylesheet FILE_ : file.read(FILE_)
-o --output OUT : file.write(OUT)
args FILE... : file.read(FILE)
out <file>

[inkscape]
flags --without-gui -z --export-area-page -C --export-area-drawing -D --export-area-snap --export-id-only -j --export-text-to-path -T --export-ignore-filters --vacuum-defs --pipe
 -W --query-width -H --query-height -X --query-x -Y --query-y -S --query-all --export-png-use-dithering --batch-process -p
values --export-dpi -d --export-width -w --export-height -h --export-area -a --export-id -i --export-background -b --export-background-opacity -y --export-margin --export-ps-level --export-pdf-version
 --export-page --query-id -I --pages --pdf-page --pdf-poppler --export-png-color-mode --export-png-compression --export-png-antialias --convert-dpi-method
--export-type TYPE
-l --export-plain-svg OUT_? : file.write(OUT_), file.write(series(stem(FILE))) if not OUT_ and not -o
--export-overwrite : file.write(FILE)
-o --export-filename --export-png -e --export-pdf -A --export-svg --export-ps --export-eps OUT : file.write(OUT)
-g --with-gui --shell --actions --action-list --verb --extension-directory -r --select CODE? : opaque 'inkscape runs actions'
args FILE... : file.read(FILE), file.write(series(stem(FILE))) if --export-type and not -o
out any

[cairosvg, python-m/cairosvg]
mark exact
flags --negate-colors --invert-images -u --unsafe
values -f --format -d --dpi -W --width -H --height -s --scale -b --background --output-width --output-height
-o --output OUT : file.write(OUT)
args FILE : file.read(FILE) if not FILE~'https?:.*', web.fetch(only(FILE, 'https?:.*'))
out <file>

[potrace, autotrace, vtracer]
style long
-o -output-file --output OUT : file.write(OUT)
else maybefile(VALUE, OPERANDS)
args FILE... : file.read(FILE), file.write(series(stem(FILE))) if not -o
out any

# `-TAG` shows a tag, `-TAG=value` writes it: tags that are not listed count as written.
[exiftool]
style long
flags -a -b -D -e -E -ee -ee2 -ee3 -ex -f -F -g -g0 -g1 -g2 -G -G0 -G1 -G2 -G3 -H -h -htmlDump -j -json -J -l -L -m -n -php -q -qq -r -recurse -R -s -S -s1 -s2 -s3 -short -sort -struct -t -T -table -u -U -unknown -v -v0 -v1 -v2 -v3 -v4 -v5
 -X -xmlFormat -z -zip -ver -list -listx -listf -listw -listg -listr -progress -fast -fast1 -fast2 -fast3 -fast4 -all -common -trailer -P -preserve -scanForXMP -ignoreMinorErrors -binary -duplicates -args -argFormat -tab -long -latin
values -c -coordFormat -d -dateFormat -ext -extension -x -exclude -i -ignore -lang -charset -sep -separator -echo -echo1 -echo2 -password -fileOrder
-overwrite_original -overwrite_original_in_place -restore_original -delete_original -delete_original! : file.write(FILE)
-csv -json= IMPORT? : file.read(IMPORT) if IMPORT, file.write(FILE) if IMPORT
-p -printFormat FORMAT : file.read(FORMAT) if FORMAT~'[^$]*[.].*', opaque 'exiftool runs an expression' if FORMAT~'.*[{].*;.*'
-api API : opaque 'exiftool runs an expression' if API~'(?i)filter.*'
-o -out OUT : file.write(tree(OUT))
-w -textOut -W -tagOut OUT_ : file.write(any)
-tagsFromFile -TagsFromFile SOURCE : file.read(SOURCE), file.write(FILE)
-srcfile -geotag FILE_ : file.read(FILE_), file.write(FILE)
-if -if2 -config -execute -stay_open -@ -userParam CODE : opaque 'exiftool runs an expression, or reads its options from a file'
-FileName -Directory PLACE? : file.write(any) if PLACE
-ImageSize -ImageWidth -ImageHeight -Make -Model -LensModel -Lens -DateTimeOriginal -CreateDate -ModifyDate -FileModifyDate -FileSize -FileType -MIMEType -Orientation -ISO -FNumber -ExposureTime
 -ShutterSpeed -Aperture -FocalLength -GPSPosition -GPSLatitude -GPSLongitude -GPSAltitude -GPS:all -EXIF:all -XMP:all -IPTC:all -gps:all -exif:all -xmp:all -iptc:all -time:all -Time:all -all:all -Author -Title -Subject -Keywords
 -Description -Comment -Copyright -Artist -Creator -Producer -PageCount -Duration -VideoFrameRate -AvgBitrate -CompressorID -AudioChannels -AudioSampleRate -Rating -Megapixels -ColorSpace -BitDepth -WhiteBalance -Flash
 -SerialNumber -Software -UserComment -ImageDescription -Rotation -MediaDuration -TrackDuration -PDFVersion -Language -ThumbnailImage -PreviewImage -JpgFromRaw -exif -gps -FileTypeExtension -XResolution -YResolution VALUE_? : file.write(FILE) if VALUE_, file.write(series(FILE)) if VALUE_
else file.write(FILE), file.read(VALUE) if OPTION~'.*<', file.write(any) if OPTION~'(?i)-(filename|directory|testname|hardlink|symlink).*', opaque 'exiftool runs an expression' if OPTION~'.*<.*;.*'
args FILE... : file.read(tree(FILE))
out <file>

[exiv2]
flags -v -q -k -b -u -V -h -F -f -t -T
values -a -Y -O -D -p -P -g -K -n -S -e -i -d -c -r
-l DIR : file.write(under(DIR))
-m CMDFILE : file.read(CMDFILE)
-M _
args(-M) FILE... : file.read(FILE), file.write(FILE), web.fetch(only(FILE, '(https?|ftp):.*'))
args ACTION FILE... : file.read(FILE), file.write(FILE) if not ACTION~'pr|print', file.read(ACTION), web.fetch(only(FILE, '(https?|ftp):.*')), web.fetch(only(ACTION, '(https?|ftp):.*'))
out <file>

[jhead]
style long
-cmd COMMAND : sh(COMMAND)
-ce : opaque 'jhead opens an editor'
-st OUT : file.write(any)
-te FILE_ : file.read(any)
else maybefile(VALUE)
args FILE... : file.read(FILE), file.write(FILE)
out <file>

[sips]
style long
flags -1 --oneLine --verify -h --help -H --helpProperties --formats -v
-g --getProperty _
values -Z --resampleHeightWidthMax --resampleWidth --resampleHeight -r --rotate -f --flip --padColor --debug
-z --resampleHeightWidth -c --cropToHeightWidth -p --padToHeightWidth --cropOffset _ _
-s --setProperty _ _
-d --deleteProperty _
-i --addIcon
-e -E -m -M --embedProfile --matchTo --embedProfileIfNone PROFILE : file.read(PROFILE)
-x --extractProfile -X --extractTag OUT_ : file.write(OUT_)
-j --js CODE : opaque 'sips runs a script'
-o --out OUT : file.write(tree(OUT))
args FILE... : file.read(FILE), file.write(FILE) if -z and not -o, file.write(FILE) if -s and not -o, file.write(FILE) if -d|-i
do file.write(FILE) if not -g and not -o
out any

[heif-convert, heif-enc, avifenc, avifdec, cavif]
style long
-o --output OUT : file.write(OUT)
-q -s -j --min --max --minalpha --maxalpha -d -y -p -a --speed --quality _
flags -L --lossless --quiet -v --with-aux --with-xmp --with-exif
args FILE OUT_ : file.read(FILE), file.write(OUT_)
out any

[zbarcam]
flags -q --quiet -v --verbose --raw --xml --oneshot --nodisplay -1 --nodbus -D
values --prescale -S --set
args DEVICE
do camera.capture()
out any

[zbarimg]
flags -q --quiet --raw --xml --nodbus -1 --oneshot --nodisplay -d -D
values -S --set --polygon
args FILE... : file.read(FILE)
out <file>

[qrencode]
flags -M --micro -8 --8bit -k --kanji -c --casesensitive -i --ignorecase -S --structured -V --verbose --rle --strict-version
values -s --size -l --level -v --symversion -m --margin -d --dpi -t --type --foreground --background --svg-path --inline
-r --read-from FILE : file.read(FILE)
-o --output OUT : file.write(OUT)
args TEXT
out any

[oxipng, pngcrush, zopflipng, dcraw, waifu2x, realesrgan-ncnn-vulkan, rembg, icotool, png2icns, iconutil, tiffcp, tiffinfo, pdftosvg, dcmdump, dcm2niix]
style long
-o --out --output -d --output-dir OUT : file.write(tree(OUT))
values -c --convert -m --model -s --scale --opt --strip --interlace -t --threads -z -f -q -w
flags -v -vv --pedantic -y -brute -reduce --lossy_transparent --preserve --fix -x -l -i -a --alpha
else maybefile(VALUE)
args FILE... : file.read(FILE), file.write(FILE), file.write(series(stem(FILE)))
out any
