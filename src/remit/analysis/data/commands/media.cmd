# Sound and film.

# Every other option of ffmpeg has a value: what it does not name here is a word that counts as a file.
[ffmpeg, ffmpeg4, ffmpeg5, ffmpeg6, ffmpeg7]
style long
flags -y -n -hide_banner -nostdin -stdin -stats -nostats -an -vn -sn -dn -shortest -copyts -version -formats -codecs -encoders -decoders -filters -h -help -L
 -accurate_seek -noaccurate_seek -re -bitexact -autorotate -noautorotate -autoscale -noautoscale -xerror -ignore_unknown -copy_unknown -protocols -devices -hwaccels -pix_fmts -sample_fmts -colors
 -benchmark -benchmark_all -start_at_zero -dump -hex -layouts -bsfs -muxers -demuxers -buildconf -dispositions -copyinkf -copypriorss -psnr -qphist -fix_sub_duration -debug_ts -reinit_filter -apad
-i INPUT : ffinput(INPUT)
-f FORMAT : screen.capture() if FORMAT~'x11grab|gdigrab|kmsgrab|avfoundation|fbdev|dshow', microphone.record() if FORMAT~'alsa|pulse|avfoundation|dshow|jack|sndio|oss', camera.capture() if FORMAT~'v4l2|video4linux2|avfoundation|dshow|decklink',
 file.read(any) if FORMAT~'concat', file.write(any) if FORMAT=='tee', file.read(any) if FORMAT=='lavfi' and INPUT~'.*movie.*'
-pass _ : file.write('ffmpeg2pass-0.log') if not -passlogfile, file.write('ffmpeg2pass-0.log.mbtree') if not -passlogfile
-report -vstats : file.write(under('.'))
-passlogfile OUT_ : file.write(series(OUT_))
-vstats_file -progress -dump_attachment -sdp_file -segment_list -hls_fmp4_init_filename -master_pl_name -hls_master_name -init_seg_name -media_seg_name -single_file_name
 -segment_header_filename -graph_file OUT__ : ffoutput(OUT__)
-hls_segment_filename PARTS : ffoutput(PARTS)
-attach -fpre -vpre -apre -spre -hls_key_info_file -ca_file -cafile -cert_file -key_file -private_key FILE : file.read(FILE)
-pre _
-omx_libname LIBRARY : opaque 'ffmpeg loads a library'
-vf -af -filter -filter_complex -lavfi FILTER : program('ffmpeg', FILTER)
-filter_script -filter_complex_script -/filter -/filter_complex -/vf -/af -/lavfi FILTER_FILE : file.read(FILTER_FILE), program('ffmpeg', content(FILTER_FILE))
-sources -sinks DEVICE
values -protocol_whitelist -safe -loglevel -v -map -ss -to -t -r -s -c -codec -b -preset -crf -q -qscale -metadata -movflags -pix_fmt -threads -vframes -frames -aframes -dframes
 -ar -ac -vol -aspect -bufsize -maxrate -minrate -g -bf -profile -level -tune -x264-params -x265-params -x264opts -svtav1-params -loop -stream_loop -itsoffset -disposition
 -map_metadata -map_chapters -map_channel -bsf -tag -strict -max_muxing_queue_size -probesize -analyzeduration -hwaccel -hwaccel_output_format -hwaccel_device -framerate
 -video_size -channels -sample_rate -sample_fmt -ab -aq -vb -acodec -vcodec -scodec -dcodec -vtag -atag -stag -timecode -sws_flags -flags -flags2 -compression_level
 -segment_time -segment_times -segment_format -segment_start_number -reset_timestamps -hls_time -hls_list_size -hls_playlist_type -hls_flags -hls_segment_type -hls_base_url
 -start_number -vsync -fps_mode -async -fflags -err_detect -err_rate -rtsp_transport -user_agent -headers -timeout -rw_timeout -reconnect -reconnect_streamed -reconnect_at_eof
 -reconnect_delay_max -pattern_type -thread_queue_size -sseof -fs -cutoff -lossless -row-mt -cpu-used -deadline -speed -tile-columns -tile-rows -tiles -auto-alt-ref
 -lag-in-frames -quality -rc -cq -qp -qmin -qmax -keyint_min -sc_threshold -color_primaries -color_trc -colorspace -color_range -write_tmcd -brand -encryption_key -decryption_key
 -id3v2_version -write_xing -write_id3v1 -avoid_negative_ts -muxdelay -muxpreload -itsscale -discard -canvas_size -guess_layout_max -rematrix_maxval -update -frame_pts
 -final_delay -plays -dpi -default_mode -application -vbr -packet_loss -frame_duration -f_strict -discard_unused -find_stream_info -capture_cursor -list_devices
 -capture_mouse_clicks -draw_mouse -show_region -offset_x -offset_y -window_id -format -pred -alpha_quality -stats_period -filter_threads -filter_complex_threads -max_alloc
 -timelimit -copytb -seek_timestamp -target -program -isync -readrate -time_base -enc_time_base -fpsmax -rc_override -force_key_frames -channel_layout -ch_layout -init_hw_device
 -filter_hw_device -vaapi_device -rc-lookahead -b_strategy -refs -me_method -me_range -subq -trellis -aq-mode -spatial-aq -temporal_aq -multipass -movie_timescale
 -video_track_timescale -frag_duration -min_frag_duration -max_interleave_delta -export_side_data -skip_frame -skip_loop_filter -thread_type -gifflags
 -use_wallclock_as_timestamps -max_delay -listen -http_persistent -method -content_type -icy -seekable -stimeout -cpuflags
else maybefile(VALUE)
args OUT... : ffoutput(OUT)
env FFREPORT : file.write(any)
out any

[ffprobe]
style long
flags -hide_banner -pretty -unit -prefix -byte_binary_prefix -sexagesimal -show_format -show_streams -show_packets -show_frames -show_programs -show_chapters -show_error -show_data -show_versions -show_program_version
 -show_library_versions -show_pixel_formats -show_private_data -private -count_frames -count_packets -bitexact -version -L -h -help -formats -codecs -decoders -encoders -filters -protocols -pix_fmts -noprivate -stats -find_stream_info
values -v -loglevel -sections -f -read_intervals -show_data_hash -show_log -max_alloc -cpuflags -analyzeduration -probesize -rtsp_transport -user_agent -headers -timeout -rw_timeout -c -codec -c:v -c:a -threads
 -protocol_whitelist -framerate -video_size -pixel_format -sample_rate -ch_layout
-show_entries ENTRIES
-of -print_format -output_format LAYOUT
-select_streams STREAM
-i INPUT : ffinput(INPUT)
-o OUT : file.write(OUT)
else maybefile(VALUE)
args INPUT... : ffinput(INPUT)
env FFREPORT : file.write(any)
out(ENTRIES~'(format|stream)=(duration|size|bit_rate|nb_streams|width|height|nb_frames|nb_read_frames|nb_read_packets|channels|sample_rate|start_time|index|coded_width|coded_height|level)', LAYOUT~'.*(nk=1|nokey=1|p=0).*') union(num, '')
out any

[sox]
style long
flags -V -V0 -V1 -V2 -V3 -V4 -q -S -D -G -R -m -M -T --norm --no-show-progress --multi-threaded --single-threaded --guard --magic --no-glob --no-dither --repeatable --show-progress -N -X -B -L -x --clobber --no-clobber --ignore-length
values -b --bits -c --channels -e --encoding -r --rate -v --volume -C --compression --add-comment --comment --buffer --input-buffer --combine --endian --temp --replay-gain -h --help-effect --help-format
-n --null
-d --default-device : microphone.record()
-t --type TYPE : microphone.record() if TYPE~'alsa|pulseaudio|coreaudio|oss|sunau|sndio|waveaudio|ao'
--i --info -p --sox-pipe
--plot _
--comment-file --effects-file FILE_ : file.read(FILE_)
-o OUT : file.write(OUT)
args(--i) FILE... : file.read(FILE), code('sox', only(FILE, '[|].*')), web.fetch(only(FILE, '(https?|ftp):.*'))
args(-n) FILE EFFECT... : file.read(FILE), web.fetch(only(FILE, '(https?|ftp):.*')), code('sox', only(FILE, '[|].*')), code('sox', only(EFFECT, '[|].*|ladspa')), file.write(FILE) if not EFFECT~'stats?', file.write('spectrogram.png') if EFFECT~'spectrogram'
args FILE WORD... : file.read(FILE), file.read(WORD), file.write(WORD), code('sox', only(FILE, '[|].*')), code('sox', only(WORD, '[|].*|ladspa')), web.fetch(only(FILE, '(https?|ftp):.*')), web.fetch(only(WORD, '(https?|ftp):.*'))
out any

[soxi]
flags -T -V -V0 -V1 -V2 -V3
-r -c -s -D -b -p
-d -B -e -a -t
args FILE... : file.read(FILE), code('sox', only(FILE, '[|].*')), web.fetch(only(FILE, '(https?|ftp):.*'))
out(-r) union(num, '')
out <file>

# A word after the option of a number that is no number is a file, and the next operand then the target.
[lame]
style long
mark numbers
flags -h -f -k -p -o -r -x -F -t -S --silent --quiet --verbose --brief --decode --cbr --nohist --noreplaygain --replaygain-fast --replaygain-accurate --freeformat --add-id3v2 --id3v1-only --id3v2-only --ignore-tag-errors
values -m -e --preset --tt --ta --tl --ty --tc --tn --tg --tv
-b -B -V -q -s --abr --resample --lowpass --highpass --scale --bitwidth --vbr-quality NUMBER : maybefile(NUMBER, OPERANDS) if not NUMBER~'[0-9.-]+k?'
-a
-V* _
-q* _
-b* _
-m* _
--vbr-new --vbr-old --vbr-mtrh
--ti FILE_ : file.read(FILE_)
--out-dir DIR : file.write(under(DIR))
args FILE OUT : file.read(FILE), file.write(OUT), file.write(suffix(stem(FILE), '.mp3')) if not OUT, file.write(suffix(FILE, '.mp3')) if not OUT, file.write(suffix(FILE, '.wav')) if not OUT
out any

[flac, metaflac]
mark numbers exact
flags -f --force -s --silent --totally-silent -V --verify -d --decode -t --test -a --analyze -w --warnings-as-errors -F --decode-through-errors --best --fast --keep-foreign-metadata --preserve-modtime --no-preserve-modtime --list --show-md5sum --show-min-blocksize
 --show-total-samples --show-sample-rate --show-channels --show-bps --no-utf8-convert --with-filename --no-filename --dont-use-padding --ogg --lax --replay-gain --no-padding -e -p -m -M
values --until --skip --cue -T --tag -P --padding -S --seekpoint -b --blocksize -l -A -q -r --endian --channels --bps --sample-rate --sign --show-tag --block-number --block-type --except-block-type -j
-c --stdout
-o --output-name --export-tags-to --export-picture-to --export-cuesheet-to OUT : file.write(OUT)
--output-prefix PREFIX : file.write(series(PREFIX))
--delete-input-file : file.delete(FILE)
--picture --tag-from-file --cuesheet --import-tags-from --import-picture-from --import-cuesheet-from FILE_ : file.read(FILE_), file.write(FILE)
--set-tag --remove-tag --remove-replay-gain --add-replay-gain --remove --remove-all --remove-all-tags --sort-padding --merge-padding --set-tag-from-file _? : file.write(FILE)
args(-c|-o) FILE... : file.read(FILE)
args FILE... : file.read(FILE), file.write(series(stem(FILE)))
out any

[oggenc]
style long
flags -Q --quiet -h --help -V --version -k --skeleton -r --raw --managed --downmix --discard-comments --ignorelength --utf8
values -B --raw-bits -C --raw-chan -R --raw-rate --raw-endianness -b --bitrate -m --min-bitrate -M --max-bitrate --advanced-encode-option -q --quality --resample -s --serial
 -c --comment -d --date -N --tracknum -t --title -l --album -a --artist -G --genre -Y --lyrics-language -X --name-remove -P --name-replace
-o --output OUT : file.write(OUT)
-n --names _ : file.write(any)
-L --lyrics LYRICS : file.read(LYRICS)
args FILE... : file.read(FILE), file.write(series(stem(FILE))) if not -o
out any

[oggdec]
style long
flags -Q --quiet -h --help -V --version -R --raw
values -b --bits -e --endianness -s --sign
-o --output OUT : file.write(OUT)
args FILE... : file.read(FILE), file.write(series(stem(FILE))) if not -o
out any

[opusenc]
style long
mark exact
flags -h --help -V --version --help-picture --quiet --vbr --cvbr --hard-cbr --music --speech --downmix-mono --downmix-stereo --no-phase-inv --discard-comments --discard-pictures --raw --ignorelength
values --bitrate --comp --framesize --expect-loss --max-delay --title --artist --album --tracknumber --genre --date --comment --padding --raw-bits --raw-rate --raw-chan --raw-endianness --serial --set-ctl-int
--picture PICTURE : file.read(any)
--save-range OUT_ : file.write(OUT_)
args FILE OUT : file.read(FILE), file.write(OUT)
out any

[opusdec]
style long
mark exact
flags -h --help -V --version --quiet --force-stereo --force-wav --no-dither --float
values --rate --gain --packet-loss
--save-range OUT_ : file.write(OUT_)
args FILE OUT : file.read(FILE), file.write(OUT), web.fetch(only(FILE, 'https?:.*'))
out any

[vorbiscomment, faac, fdkaac, speexenc, speexdec]
style long
flags -h --help -V --version
-o --output OUT : file.write(OUT)
else maybefile(VALUE, OPERANDS)
args FILE... : file.read(FILE), file.write(series(stem(FILE)))
out any

[mediainfo]
style long
flags -f --Full --full --Version --Help -h --Help-Output --Info-Parameters --Info-Codecs
optional --Output --Language --Inform --ParseSpeed --Details --File_TestContinuousFileNames
--LogFile OUT? : file.write(OUT)
args FILE... : file.read(FILE) if not FILE~'https?:.*', file.read(tree(but(FILE, 'https?:.*|.*[.][A-Za-z][A-Za-z0-9]{1,3}'))), web.fetch(only(FILE, 'https?:.*'))
out <file>

[mkvmerge, mkvpropedit, mkvextract, mkvinfo]
style long
flags -q --quiet -v --verbose -D --no-video -A --no-audio -S --no-subtitles -B --no-buttons -M --no-attachments -T --no-track-tags --no-chapters --no-global-tags --webm -i --identify -J
values -d --video-tracks -a --audio-tracks -s --subtitle-tracks -t --language --track-name --default-track --default-track-flag --forced-display-flag --track-order --split --title --sync -F --identification-format --edit --set --delete --add --default-duration
 --link-to-previous --stereo-mode --cues --compression --timestamp-scale --default-language --append-to --append-mode --parse-mode
-o --output OUT : file.write(series(stem(OUT)))
--chapters --tags --global-tags --attach-file --add-attachment --timestamps FILE_ : file.read(FILE_)
--redirect-output -r OUT_ : file.write(OUT_)
args FILE... : file.read(FILE), file.write(FILE) if not -o, file.write(after(only(FILE, '[0-9]+:.*'), ':'))
out any

[MP4Box]
style long
-out OUT : file.write(OUT)
-info -diso -std
-add -cat FILE_ : file.read(FILE_)
-raw -srt -ttxt -single -dash -split -inter -rem -lang -fps -itags -raws _
else maybefile(VALUE)
args FILE... : file.read(FILE), file.write(series(stem(FILE)))
out any

[whisper, mlx_whisper, whisperx, faster-whisper, whisper-ctranslate2]
mark exact
values --model --device --output_format -f --verbose --task --language --temperature --best_of --beam_size --patience --length_penalty --suppress_tokens --initial_prompt --condition_on_previous_text
 --fp16 --temperature_increment_on_fallback --compression_ratio_threshold --logprob_threshold --no_speech_threshold --word_timestamps --prepend_punctuations --append_punctuations --highlight_words
 --max_line_width --max_line_count --max_words_per_line --threads --clip_timestamps --hallucination_silence_threshold --batch_size --compute_type --align_model --min_speakers --max_speakers
 --hf_token --vad_method --vad_filter --output-name --output-format --word-timestamps --initial-prompt --condition-on-previous-text
 --best-of --beam-size --length-penalty --suppress-tokens --max-line-width --max-line-count --max-words-per-line --highlight-words --clip-timestamps
flags --diarize --no_align --print_progress
--model_dir --model_path DIR : file.read(tree(DIR)), file.write(under(DIR))
-o --output_dir --output-dir OUT : file.write(under(OUT))
args FILE... : file.read(FILE)
do file.write(under('.')) if not -o, web.fetch()
out any

[whisper-cli, whisper-cpp, whisper.cpp]
style long
flags -h -tr --translate -di --diarize -tdrz --tinydiarize -nf --no-fallback -otxt --output-txt -ovtt --output-vtt -osrt --output-srt -olrc --output-lrc -ocsv --output-csv -oj --output-json -ojf --output-json-full
 -np --no-prints -ps --print-special -pc --print-colors -pp --print-progress -nt --no-timestamps -ng --no-gpu -fa --flash-attn -sow --split-on-word -debug --debug-mode -ls --log-score -sns -owts --output-words --vad
values -t --threads -p --processors -ot --offset-t -on --offset-n -d --duration -mc --max-context -ml --max-len -bo --best-of -bs --beam-size -ac --audio-ctx -wt --word-thold -et --entropy-thold -lpt --logprob-thold
 -l --language --prompt -oved --ov-e-device -dtw --dtw --suppress-regex --grammar-rule --grammar-penalty -tp --temperature
-m --model -fp --font-path --grammar -vm --vad-model FILE_ : file.read(FILE_)
-of --output-file OUT : file.write(series(OUT))
-f --file FILE : file.read(FILE), file.write(series(FILE)) if not -of
args FILE__... : file.read(FILE__), file.write(series(FILE__)) if not -of
out <file>

[piper]
mark exact
flags --output_raw --output-raw --json-input --cuda --debug
values -s --speaker --length_scale --length-scale --noise_scale --noise-scale --noise_w --sentence_silence --sentence-silence --volume
-m --model -c --config FILE_ : file.read(FILE_)
-f --output_file --output-file OUT : file.write(OUT)
-d --output_dir --output-dir OUT_ : file.write(under(OUT_))
-i --input-file FILE : file.read(FILE)
--data-dir --download-dir DIR : file.write(under(DIR)), web.fetch('huggingface.co')
args _...
out any

[mp3gain, normalize-audio, fluidsynth, timidity, vosk-transcriber, demucs, spleeter, melt, HandBrakeCLI, handbrake-cli, autosub, aubio, sherpa-onnx-tts, parakeet]
-o --output --output-file --output_dir --output-dir -F OUT : file.write(tree(OUT))
else maybefile(VALUE)
args FILE... : file.read(FILE), file.write(FILE)
do file.write(under('.'))
out any

[gst-inspect-1.0, gst-discoverer-1.0]
flags -a --print-all --print-plugin-auto-install-info --plugin --types --exists -u --uri-handlers --no-colors -b -S -C --color -v --verbose --toc --use-playbin3 --gst-debug-no-color
values -t --timeout --atleast-version --minver --gst-debug --gst-debug-level -o --sort
args FILE... : file.read(FILE)
out any

[gst-play-1.0]
flags -v --verbose --no-interactive -q --quiet --gapless --shuffle --interactive --no-position --use-playbin3 --instant-rate-changes --accurate-seeks
values --volume --start-position -f --flags --gst-debug
--playlist FILE_ : file.read(FILE_), file.read(any)
args FILE... : file.read(FILE) if not FILE~'https?:.*', web.fetch(only(FILE, 'https?:.*'))
out any

[gst-launch-1.0]
--version
args ELEMENT... : opaque 'gst-launch joins elements that can be anything'
out any

[pandoc]
flags -s --standalone --embed-resources --self-contained --no-highlight -N --number-sections --list-of-figures --list-of-tables --citeproc -C --natbib --biblatex --ascii --reference-links --strip-comments --no-check-certificate
 --preserve-tabs --quiet --verbose --trace --fail-if-warnings --file-scope --sandbox --dump-args --ignore-args --section-divs --html-q-tags -i --incremental --listings --gladtex --list-input-formats --list-output-formats --list-highlight-languages
 --list-highlight-styles --bash-completion -p --normalize --atx-headers -S --smart --mathml --chapters --link-images
optional --list-extensions --mathjax --katex --webtex --latexmathml --mimetex --toc --table-of-contents
values -V --variable -M --metadata --toc-depth --columns --tab-width --wrap --dpi --eol --slide-level --top-level-division --number-offset --reference-location --figure-caption-position
 --shift-heading-level-by --default-image-extension --email-obfuscation --id-prefix -T --title-prefix --track-changes --markdown-headings --request-header --caption-position --table-caption-position
 --epub-chapter-level --epub-subdirectory --split-level --chunk-template --ipynb-output --base-header-level --indented-code-classes --variable-json --epub-title-page -D --print-default-template --print-highlight-style
-o --output OUT : file.write(tree(OUT)) if OUT~'[^.]*', file.write(OUT)
--extract-media DIR : file.write(tree(DIR))
--pdf-engine-opt --latex-engine-opt ENGINE_OPTION : shell.execute('sh') if ENGINE_OPTION~'-?-shell-escape.*|-?-enable-write18.*', opaque 'an option lets the engine run code' if ENGINE_OPTION~'-?-(cnf-line|lua|fmt|run-script).*'
-F --filter COMMAND : run(COMMAND)
-L --lua-filter SCRIPT : script('lua', SCRIPT)
--pdf-engine --latex-engine COMMAND_ : process.create(COMMAND_) if COMMAND_~'pdflatex|xelatex|lualatex|latexmk|tectonic|weasyprint|wkhtmltopdf|typst|context|pdfroff|prince|pagedjs-cli|groff', run(COMMAND_) if not COMMAND_~'pdflatex|xelatex|lualatex|latexmk|tectonic|weasyprint|wkhtmltopdf|typst|context|pdfroff|prince|pagedjs-cli|groff'
-d --defaults CONFIG : opaque 'pandoc reads its settings from a file'
-t -w --to --write FORMAT : script('lua', FORMAT) if FORMAT~'.*[.]lua'
-f -r --from --read FORMAT_ : script('lua', FORMAT_) if FORMAT_~'.*[.]lua'
--highlight-style --syntax-highlighting STYLE : file.read(STYLE) if STYLE~'.*[.]theme'
--template --reference-doc --reference-docx --reference-odt --bibliography --csl --citation-abbreviations -c --css -H --include-in-header -B --include-before-body -A --include-after-body --metadata-file --resource-path --abbreviations
 --syntax-definition --epub-cover-image --epub-metadata --epub-embed-font --epub-stylesheet FILE_ : file.read(tree(FILE_)) if not FILE_~'https?:.*', web.fetch(only(FILE_, 'https?:.*'))
--log LOG : file.write(LOG)
--print-default-data-file _
--data-dir DATA : file.read(tree(DATA))
args FILE... : file.read(FILE) if not FILE~'https?:.*', web.fetch(only(FILE, 'https?:.*'))
out <file>

[pandoc lua]
style posix
-e -l CODE : opaque 'pandoc runs Lua'
args SCRIPT WORD... : script('lua', SCRIPT, WORD)

[pandoc server]
values --port --timeout
do net.listen()
