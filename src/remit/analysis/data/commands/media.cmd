# Documents, pictures, sound and film.

[ffmpeg]
style long
flags -y -n -hide_banner -nostdin -stats -nostats -an -vn -sn -dn -shortest -copyts -version -formats -codecs -encoders -decoders -filters -h
 -accurate_seek -re -bitexact -autorotate -noautorotate -xerror -ignore_unknown -protocols -devices -hwaccels -pix_fmts -benchmark -start_at_zero
 -vstats -dump -hex -layouts -bsfs -muxers -demuxers -buildconf
-i INPUT : ffinput(INPUT)
-f FORMAT : screen.capture() if FORMAT~'x11grab|gdigrab|kmsgrab|avfoundation|fbdev|dshow', microphone.record() if FORMAT~'alsa|pulse|avfoundation|dshow|jack|sndio|oss', camera.capture() if FORMAT~'v4l2|video4linux2|avfoundation|dshow|decklink'
-passlogfile -report -vstats_file -progress -dump_attachment OUT_ : file.write(OUT_)
-filter_script -filter_complex_script -/filter_complex -attach -fpre -vpre -apre FILE : file.read(FILE)
-vf -af -filter -filter_complex -lavfi -filter:v -filter:a FILTER : fffilter(FILTER)
-T _
-protocol_whitelist -safe -loglevel -v -map -ss -to -t -r -s -c -codec -b -preset -crf -q -qscale -metadata -movflags -pix_fmt -threads -vframes -frames -ar -ac
 -vol -aspect -bufsize -maxrate -minrate -g -bf -profile -level -tune -x264-params -x265-params -loop -stream_loop -itsoffset -disposition -map_metadata
 -map_chapters -bsf -tag -strict -max_muxing_queue_size -probesize -analyzeduration -hwaccel -hwaccel_output_format -hwaccel_device -framerate -video_size -channels
 -sample_rate -sample_fmt -ab -aq -vb -acodec -vcodec -scodec -vtag -timecode -pass -sws_flags -flags -compression_level -segment_time -segment_format
 -reset_timestamps -hls_time -hls_list_size -hls_segment_filename -start_number -vsync -fps_mode -async -fflags -err_detect -err_rate -rtsp_transport -user_agent
 -headers -timeout -rw_timeout -reconnect -reconnect_streamed -reconnect_delay_max -pattern_type -thread_queue_size -sseof -fs -cutoff -lossless -row-mt -cpu-used -deadline
 -speed -tile-columns -auto-alt-ref -lag-in-frames -quality -rc -cq -qp -qmin -qmax -keyint_min -sc_threshold -color_primaries -color_trc -colorspace -color_range
 -write_tmcd -brand -encryption_key -id3v2_version -write_xing -avoid_negative_ts -muxdelay -muxpreload -itsscale -discard -canvas_size -guess_layout_max -rematrix_maxval
 -update -frame_pts -final_delay -plays -dpi -default_mode -application -vbr -packet_loss -frame_duration -f_strict -discard_unused -find_stream_info -capture_cursor -list_devices
 -capture_mouse_clicks -draw_mouse -show_region -offset_x -offset_y -window_id -format -pred -alpha_quality _
else pure
args OUT... : ffoutput(OUT)
env FFREPORT : file.write(any)
out any

[ffprobe]
style long
else pure
-i INPUT : ffinput(INPUT)
-o OUT : file.write(OUT)
-v -loglevel -show_entries -of -print_format -select_streams -f -read_intervals -show_data_hash _
args INPUT... : ffinput(INPUT)
out any

[%magick]
style long
else pure
-write OUT_ : file.write(OUT_)
-resize -quality -density -background -fill -stroke -font -pointsize -annotate -draw -gravity -geometry -crop -extent -rotate -alpha -colorspace -depth -type -blur
 -sharpen -threshold -fuzz -transparent -border -bordercolor -compose -size -page -tile -delay -loop -level -gamma -modulate -brightness-contrast -format -define -limit -set
 -colors -dither -channel -evaluate -fx -morphology -distort -shave -chop -splice -shadow -strokewidth -kerning -interline-spacing -units -sampling-factor -interlace -filter
 -thumbnail -sample -scale -adaptive-resize -liquid-rescale -roll -region -swirl -wave -implode -charcoal -sketch -edge -emboss -median -noise -paint -spread -tint -colorize
 -metric -compress -dissolve -clone -delete -insert -swap -seed -layers -virtual-pixel -lat -contrast-stretch -linear-stretch -posterize -opaque -label -title _

[convert]
use magick
args FILE... OUT : file.read(FILE), file.write(OUT)

[magick, composite, montage, compare]
use magick
args FILE... OUT : file.read(FILE), file.write(OUT)

[mogrify]
use magick
-path DIR : file.write(tree(DIR))
args FILE... : file.read(FILE), file.write(FILE)

[identify]
use magick
args FILE... : file.read(FILE)
out any

[sips, cwebp, dwebp, gif2webp, pngquant, optipng, jpegoptim, jpegtran, cjpeg, djpeg, gifsicle, svgo, rsvg-convert, inkscape, potrace, exiftool, exiv2, oxipng, pngcrush, zopflipng, heif-convert, avifenc, dcraw, waifu2x, realesrgan-ncnn-vulkan]
-o --out --output --export-filename -d --output-dir OUT : file.write(tree(OUT))
else pure
args FILE... : file.read(FILE), file.write(FILE)
out any

[sox, soxi, lame, flac, oggenc, opusenc, opusdec, mp3gain, fluidsynth, timidity, whisper, whisper-cli, whisper-cpp, whisperx, mlx_whisper, faster-whisper, vosk-transcriber, piper, demucs, spleeter, melt, mkvmerge, mkvextract, mkvpropedit, mediainfo, MP4Box, HandBrakeCLI, handbrake-cli, gst-launch-1.0, gst-inspect-1.0, gst-play-1.0, gst-discoverer-1.0, autosub, aubio, sherpa-onnx-tts, parakeet]
-o --output --output-file --output_dir --output-dir OUT : file.write(tree(OUT))
else pure
args FILE... : file.read(FILE), file.write(FILE)
do file.write(under('.'))
out any

[pandoc]
-o --output OUT : file.write(OUT)
--extract-media DIR : file.write(tree(DIR))
-F --filter COMMAND : run(COMMAND)
-L --lua-filter SCRIPT : script('lua', SCRIPT)
--pdf-engine COMMAND_ : run(COMMAND_)
-d --defaults CONFIG : opaque 'pandoc reads its settings from a file'
-t -w --to --write FORMAT : script('lua', FORMAT) if FORMAT~'.*[.]lua'
-f -r --from --read FORMAT_
--template --reference-doc --bibliography --csl -c --css -H --include-in-header -B --include-before-body -A --include-after-body --metadata-file --resource-path --abbreviations FILE_ : file.read(tree(FILE_)) if not FILE_~'https?:.*', web.fetch(FILE_) if FILE_~'https?:.*'
--log LOG : file.write(LOG)
--print-default-data-file --data-dir DATA : file.read(tree(DATA))
values -V --variable -M --metadata --toc-depth --highlight-style --columns --tab-width --wrap --dpi --eol --slide-level --pdf-engine-opt --top-level-division --number-offset
 --shift-heading-level-by --default-image-extension --syntax-definition --email-obfuscation --id-prefix --title-prefix --track-changes --markdown-headings --request-header
 --epub-cover-image --epub-metadata --epub-embed-font --epub-chapter-level --split-level --ipynb-output --base-header-level --indented-code-classes --variable-json
else pure
args FILE... : file.read(FILE) if not FILE~'https?:.*', web.fetch(FILE) if FILE~'https?:.*'
out <file>

[soffice, libreoffice, localc, lowriter, unoconv, unoserver, unoconvert, ebook-convert, wkhtmltopdf, wkhtmltoimage, weasyprint, prince, docx2pdf, docx2txt, antiword, catdoc, xls2csv, markitdown, docling, marker, marker_single, nougat, mineru, pymupdf, jupytext, marp, mdbook, mkdocs, sphinx-build, asciidoctor, rst2html, typst, quarto, reveal-md, mmdc, plantuml, dot, neato, fdp, sfdp, circo, twopi, d2, gnuplot, tesseract, ocrmypdf]
style long
-o --outdir -outdir --output --outfile -O --output-dir -d OUT : file.write(tree(OUT))
--convert-to --lang --to -env --theme --config --scale --psm --oem _
else pure
args FILE... : file.read(FILE) if not FILE~'https?:.*', web.fetch(FILE) if FILE~'https?:.*', file.write(FILE)
do file.write(under('.')) if not -o
out any

[pdftotext, pdfinfo, pdffonts, pdfimages, pdftoppm, pdftocairo, pdftohtml, pdfseparate, pdfunite, pdfdetach, pdfattach, pdftops, ps2pdf, pdf2ps, pdfcrop, pdfjam, pdftk, mutool, pdfcpu, cpdf, img2pdf, pdf2svg, pdfgrep, pdfsig, pdf2txt.py, pdfplumber, pypdf, k2pdfopt, djvutxt, ddjvu]
style long
-scale-to -scale-to-x -scale-to-y -jpegopt -opw -upw -enc -eol -password _
-o OUT : file.write(OUT)
else pure
args FILE... OUT : file.read(FILE), file.write(OUT), file.write(any) if OUT
do file.write(under('.'))
out any

[qpdf]
else pure
--password --min-version --object-streams --stream-data --rotate --json-key --json-object --compression-level --decode-level _
--replace-input : file.write(FILE)
--pages --overlay --underlay
--add-attachment --json-input --copy-encryption --job-json-file FILE_ : file.read(FILE_)
args FILE... OUT : file.read(FILE), file.write(OUT), file.write(under('.'))
out any

[gs, ghostscript]
style long
else pure
args FILE... : file.read(FILE), opaque 'PostScript is code'
-sOutputFile -o OUT : file.write(OUT)

[pdflatex, xelatex, lualatex, latex, tex, pdftex, latexmk, bibtex, biber, makeindex, dvips, dvipdfmx, dvisvgm, tectonic, chktex, texcount, kpsewhich, makeglossaries, arara, context, lacheck]
style long
-output-directory -outdir -o DIR : file.write(tree(DIR))
-shell-escape --shell-escape -enable-write18 : shell.execute('sh')
-e -pdflatex -xelatex -lualatex -usepretex -r CODE : opaque 'latexmk runs code'
-jobname -interaction -fmt -output-format _
else pure
args FILE... : file.read(FILE)
do file.read(under('.')), file.write(under('.'))
out any
