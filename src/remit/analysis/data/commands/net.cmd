# Programs that talk over the network.

[curl]
flags -0 --http1.0 --http1.1 --http2 --http2-prior-knowledge --http3 -1 --tlsv1 --tlsv1.0 --tlsv1.1 --tlsv1.2 --tlsv1.3 -2 -3 -4 --ipv4 -6
 --ipv6 -# --progress-bar --no-progress-meter --anyauth --basic --digest --negotiate --ntlm --compressed --create-dirs --crlf -f --fail
 --fail-with-body --fail-early -g --globoff -i --include --show-headers -j --junk-session-cookies -k --insecure --keepalive -l --list-only
 -L --location --location-trusted -M --manual -N --no-buffer -p --proxytunnel --path-as-is --raw -R --remote-time
 -s --silent -S --show-error --ssl --ssl-reqd --styled-output --tcp-fastopen --tcp-nodelay --tr-encoding -v --verbose -V -a --append
 --disable-epsv --disable-eprt -Z --parallel --parallel-immediate --post301 --post302 --post303 --retry-all-errors --retry-connrefused
 --suppress-connect-headers --xattr --false-start --ca-native --no-keepalive --no-sessionid --no-alpn --no-npn --haproxy-protocol
 --ignore-content-length --metalink --mail-rcpt-allowfails --remove-on-error --no-clobber --skip-existing --proxy-insecure -q --disable
 --compressed-ssh --disallow-username-in-url --doh-cert-status --form-escape --ftp-create-dirs --ftp-pasv --ftp-pret --ftp-skip-pasv-ip --ftp-ssl-ccc
 --ftp-ssl-control --http0.9 --http3-only --proxy-anyauth --proxy-basic --proxy-digest --proxy-ntlm --sasl-ir --socks5-basic --ssl-allow-beast
 --ssl-auto-client-cert --ssl-revoke-best-effort --sslv2 --sslv3 --suppress --tcp-keepalive -h
 --ssl-no-revoke --doh-insecure --trace-time --trace-ids --cert-status
values -A --user-agent -C --continue-at --cacert --capath --cert-type --ciphers --connect-timeout --crlfile --curves
 -e --referer --expect100-timeout --happy-eyeballs-timeout-ms --interface --keepalive-time --limit-rate --local-port --max-filesize
 --max-redirs -m --max-time --noproxy --pass --parallel-max --pinnedpubkey --proto --proto-default --proto-redir --range -r
 --rate --request-target --retry --retry-delay --retry-max-time --speed-limit -Y --speed-time -y
 -t --telnet-option --tftp-blksize -z --time-cond --tls-max --tls13-ciphers --aws-sigv4
 --delegation --hostpubmd5 --hostpubsha256 --ip-tos --krb --login-options --service-name --sasl-authzid --proxy-user -U
 --create-file-mode --dns-interface --dns-ipv4-addr --dns-ipv6-addr --ftp-alternative-to-user --key-type --proxy-cacert --proxy-ciphers
 --ftp-ssl-ccc-mode --tlsuser --tlspassword --tlsauthtype --pubkey --proxy-service-name --keepalive-cnt --haproxy-clientip --ech
 --vlan-priority --ftp-account --ftp-method --ftp-port -P --mail-auth
-w --write-out FORMAT : argfile(FORMAT), file.write() if FORMAT~'.*%output.*'
-b --cookie COOKIE : file.read(COOKIE) if not COOKIE~'.*=.*'
-n --netrc --netrc-optional : secret.read('~/.netrc')
--url-query --proxy-header QUERY : argfile(QUERY)
--variable VARIABLE : argfile(VARIABLE)
--alt-svc --hsts --ssl-sessions CACHE : file.read(CACHE), file.write(CACHE)
--connect-to --resolve --dns-servers ELSEWHERE : net.connect()
-H --header HEADER : argfile(HEADER), credential(HEADER, URL)
-o --output OUT : file.write(OUT)
--output-dir OUT_DIR : file.write(under(OUT_DIR))
-O --remote-name --remote-name-all -J --remote-header-name : file.write(any)
-c --cookie-jar OUT_ : file.write(OUT_)
-D --dump-header OUT__ : file.write(OUT__)
--trace --trace-ascii --stderr --libcurl --etag-save OUT___ : file.write(OUT___)
--etag-compare ETAG : file.read(ETAG)
-E --cert --key --proxy-cert --proxy-key --netrc-file KEY : secret.read(KEY)
-x --proxy --preproxy --proxy1.0 --socks4 --socks4a --socks5 --socks5-hostname --doh-url PROXY : net.connect(PROXY)
--unix-socket --abstract-unix-socket SOCKET : net.connect(SOCKET)
-K --config CONFIG : file.read(CONFIG), curlconfig(CONFIG)
-d --data --data-raw --data-binary --data-ascii --data-urlencode --json -F --form --form-string --mail-from --mail-rcpt DATA :
 argfile(DATA), post(URL) if not -G, post(URL) if --next
-T --upload-file FILE : file.read(FILE), post(URL)
-Q --quote COMMAND_ : post(URL)
-X --request METHOD : post(URL) if not METHOD~'GET|HEAD|OPTIONS'
-I --head
-G --get
-: --next
-u --user --oauth2-bearer USER : credential(USER)
--url URL : url(URL), service(URL)
args URL... : url(URL), service(URL)
env HTTP_PROXY HTTPS_PROXY http_proxy https_proxy ALL_PROXY all_proxy : net.connect(VALUE)
env SSLKEYLOGFILE : file.write(VALUE)
env CURL_HOME : opaque 'curl reads its options from a folder that the skill sets'
out(-o, not OUT=='-', FORMAT~'%\{(http_code|response_code|http_connect|time_[a-z]+|size_[a-z]+|speed_[a-z]+|num_[a-z]+|exitcode|ssl_verify_result)\}(\\n)?') num
out <net>

[wget]
flags -4 --inet4-only -6 --inet6-only -b --background -c --continue -d --debug -E --adjust-extension -F --force-html -H --span-hosts -h
 -K --backup-converted -k --convert-links -L --relative -N --timestamping -nv --no-verbose -nc --no-clobber -nd
 --no-directories -nH --no-host-directories -np --no-parent -q --quiet -S --server-response -v --verbose
 --delete-after --no-cache --no-check-certificate --no-cookies --no-proxy --show-progress
 --spider --random-wait --content-on-error --no-hsts --no-dns-cache --https-only --no-netrc --auth-no-challenge --ignore-case
 --keep-session-cookies --no-use-server-timestamps --retry-connrefused --save-headers --no-config --passive-ftp --no-passive-ftp
 --no-iri -n -V --no-if-modified-since --ask-password --unlink --xattr --no-http-keep-alive --no-remove-listing --no-glob --preserve-permissions --retr-symlinks
 --ftps-implicit --ftps-resume-ssl --ftps-clear-data-connection --ftps-fallback-to-ftp --no-warc-compression --no-warc-digests --no-warc-keep-log --warc-cdx --strict-comments
 --no-use-askpass --convert-file-only --ignore-length
optional --progress
values -A --accept -B --base -D --domains -I --include-directories -l --level -R --reject -T --timeout -t --tries -U --user-agent -w
 --wait --accept-regex --bind-address --ca-certificate --ca-directory --connect-timeout --cut-dirs --default-page --dns-timeout
 --exclude-directories -X --exclude-domains --follow-tags --http-password --http-user --ftp-user --ftp-password --proxy-user --proxy-password --certificate-type --private-key-type
 --crl-file --pinnedpubkey --ciphers
 --ignore-tags --limit-rate --local-encoding --max-redirect --password --user --prefer-family --quota -Q
 --read-timeout --referer --regex-type --reject-regex --remote-encoding --restrict-file-names --retry-on-http-error
 --secure-protocol --waitretry --compression --start-pos --report-speed --warc-header --warc-max-size
-r --recursive -m --mirror -p --page-requisites -x --force-directories --protocol-directories --content-disposition --trust-server-names : file.write(under('.')) if not -P
--load-cookies COOKIES : file.read(COOKIES)
-e --execute SETTING : opaque 'wget takes a setting that may name files and programs' if not SETTING~'robots *= *(off|on)'
--use-askpass ASK : run(ASK)
-o --output-file -a --append-output --save-cookies --rejected-log --warc-file --hsts-file LOG : file.write(LOG)
-O --output-document OUT : file.write(OUT)
-P --directory-prefix DIR : file.write(under(DIR))
-i --input-file LIST : file.read(LIST), web.fetch(), file.write(under('.')) if not -O|-P
--config CONFIG : opaque 'wget reads its settings from a file'
--post-data --body-data DATA : web.post(URL)
--post-file --body-file FILE : file.read(FILE), web.post(URL)
--certificate --private-key KEY : secret.read(KEY)
--method METHOD : web.post(URL) if not METHOD~'GET|HEAD'
--header HEADER : credential(HEADER, URL)
args URL... : web.fetch(URL), service(URL), file.write(basename(URL)) if not -O|-P
env WGETRC : opaque 'wget reads its settings from a file that the skill names'
env HTTP_PROXY HTTPS_PROXY http_proxy https_proxy : net.connect(VALUE)
out(-O|-o) <net>
out none

[ssh]
style posix
flags -4 -6 -A -a -C -f -G -g -K -k -M -N -n -q -s -T -t -V -v -X -x -Y -y
values -B -b -c -e -m -P -p -Q -l
-I LIBRARY : opaque 'ssh loads a library'
-D -L -R -w FORWARD : net.listen(FORWARD)
-E LOG : file.write(LOG)
-F CONFIG : file.read(CONFIG), opaque 'ssh reads its settings from a file' if not CONFIG~'/dev/null|none'
-i KEY : secret.read(KEY)
-J JUMP : net.connect(spec(JUMP))
-O -S CONTROL
-W TARGET : net.connect(TARGET)
-o SETTING : setting('ssh-o', SETTING)
args HOST COMMAND... : net.connect(spec(HOST))
env SSH_ASKPASS : run(VALUE)
env SSH_SK_PROVIDER : opaque 'a variable makes ssh load a library'
out <net>

[ssh-o/proxycommand, ssh-o/localcommand, ssh-o/knownhostscommand]
mark quiet
style words
args TEXT : sh(TEXT) if not TEXT=='none'

[ssh-o/proxyjump, ssh-o/hostname]
mark quiet
style words
args TEXT : net.connect(spec(TEXT))

[ssh-o/sendenv]
mark quiet
style words
args TEXT : env.read(TEXT)

[ssh-o/identityfile, ssh-o/identityfile2, ssh-o/certificatefile]
mark quiet
style words
args TEXT : secret.read(TEXT)

[ssh-o/controlpath, ssh-o/userknownhostsfile, ssh-o/globalknownhostsfile]
mark quiet
style words
args TEXT : file.write(TEXT) if not TEXT=='none'

[ssh-o/pkcs11provider, ssh-o/smartcarddevice, ssh-o/securitykeyprovider, ssh-o/include, ssh-o/xauthlocation]
mark quiet
style words
args TEXT : opaque 'ssh loads a library or further settings'

[ssh-o/localforward, ssh-o/remoteforward, ssh-o/dynamicforward]
mark quiet
style words
args TEXT : net.listen(TEXT)

[ssh-o/*]
mark quiet
style words
args _...

[scp]
flags -3 -4 -6 -A -B -C -O -p -q -R -r -s -T -v
values -c -l -P -X
-D SERVER : nested(SERVER)
-F CONFIG : opaque 'ssh reads its settings from a file'
-i KEY : secret.read(KEY)
-J JUMP : net.connect(spec(JUMP))
-S COMMAND : run(COMMAND)
-o SETTING : setting('ssh-o', SETTING)
args SRC... DST : net.connect(host(SRC)), net.connect(host(DST)), file.read(tree(local(SRC))), file.write(tree(local(DST)))

[sftp]
flags -4 -6 -A -a -C -f -N -p -q -r -v
values -B -c -l -P -R -s -X
-D SERVER : nested(SERVER)
-F CONFIG : opaque 'ssh reads its settings from a file'
-b BATCH : file.read(BATCH), file.write(any), code('sftp', only(content(BATCH), '(?s)(.*\n)?[ @-]*!.*'))
-i KEY : secret.read(KEY)
-J JUMP : net.connect(spec(JUMP))
-S COMMAND : run(COMMAND)
-o SETTING : setting('ssh-o', SETTING)
args HOST DST : net.connect(HOST), file.read(any), file.write(any), code('sftp', only(STDIN, '(?s)(.*\n)?[ @-]*!.*')) if not -b

[rsync]
flags -v --verbose -q --quiet --no-motd -c --checksum -a --archive -r --recursive -R --relative --no-implied-dirs -b -u --update --inplace
 --append --append-verify -d --dirs -l --links -L --copy-links --copy-unsafe-links --safe-links --munge-links -k --copy-dirlinks -K
 --keep-dirlinks -H --hard-links -p --perms -E --executability -A --acls -X --xattrs -o --owner -g --group -D --devices --specials -t --times
 -O --omit-dir-times -J --omit-link-times --super --fake-super -S --sparse --preallocate -n --dry-run -W --whole-file -x --one-file-system
 --existing --ignore-existing --ignore-errors --force --partial --delay-updates -m --prune-empty-dirs --numeric-ids -I --ignore-times
 --size-only -y --fuzzy -z --compress --blocking-io --stats -8 --8-bit-output -h --human-readable --progress -P -i --itemize-changes
 --list-only -0 --from0 -s --protect-args --secluded-args -4 -6 --no-perms --no-owner --no-group --no-times --backup -N -U --crtimes --fsync --no-o
 --no-g --no-p --mkpath -F -C --cvs-exclude --copy-devices --write-devices --old-args --no-recursive
optional --info --debug
values -B --block-size --chmod --chown --usermap --groupmap --max-delete --max-size --min-size --timeout --contimeout -@ --modify-window
 --suffix --exclude --include --address --port --sockopts --out-format --bwlimit --protocol --iconv --checksum-seed --skip-compress
 --compress-level --zl --compress-choice --zc --stop-at --time-limit --outbuf --cc --checksum-choice --max-alloc
--exclude-from --include-from --files-from LIST : file.read(LIST)
--password-file KEY : secret.read(KEY)
--log-file OUT : file.write(OUT)
--write-batch --only-write-batch OUT_ : file.write(series(OUT_))
--read-batch BATCH : file.read(BATCH)
-f --filter RULE : file.read() if RULE~'(merge|dir-merge|[.]|:).*'
-M --remote-option REMOTE_ : opaque 'rsync passes an option to the other side, which is here for a local copy' if not REMOTE_=='--fake-super'
--backup-dir --temp-dir -T --partial-dir --compare-dest --copy-dest --link-dest OUT__ : file.write(tree(OUT__))
--delete --del --delete-before --delete-during --delete-delay --delete-after --delete-excluded --delete-missing-args : file.delete(tree(local(DST)))
--remove-source-files : file.delete(tree(local(SRC)))
-e --rsh COMMAND : nested(COMMAND)
--rsync-path _
--early-input FILE : file.read(FILE)
args SRC... DST : net.connect(host(SRC)), net.connect(host(DST)), file.read(tree(local(SRC))), file.write(tree(local(DST))), file.write(tree(local(into(DST, SRC))))
env RSYNC_RSH RSYNC_CONNECT_PROG RSYNC_OLD_ARGS : sh(VALUE)
out any

[nc, ncat, netcat, nc.openbsd, nc.traditional]
flags -4 -6 -C -D -d -F -h -k -n -N -r -S -t -u -U -v -z -Z --ssl --crlf --no-dns -b --keep-open --udp --sctp --telnet --verbose --nsock-engine
values -I -i -M -m -O -P -p -q -s -T -V -W -w -X -g -G --source-port --source --wait -K
-x --proxy --hex-dump PROXY : net.connect(PROXY), file.write(but(PROXY, '.*:[0-9]+'))
-e --exec -c --sh-exec --lua-exec COMMAND : sh(COMMAND)
-o --output --append-output OUT : file.write(OUT)
-l --listen : net.listen()
args(-l) _...
args HOST PORT... : net.connect(HOST), net.connect(but(PORT, '[0-9]+(-[0-9]+)?'))
out <net>

[socat]
style posix
else pure
-lf LOG : file.write(LOG)
args _...
do opaque 'socat joins two addresses that can be anything'

[telnet, irssi]
else pure
-n LOG : file.write(LOG)
args HOST WORD... : net.connect(HOST)
do net.connect() if not HOST
out <net>

[ftp, tftp]
else pure
args HOST WORD... : net.connect(HOST)
do net.connect() if not HOST, file.read(any), file.write(any), code('ftp', only(STDIN, '(?s)(.*\n)? *!.*'))
out <net>

[lftp]
-e -c -f CODE : opaque 'lftp runs a script, which can start commands'
-p -u _
else pure
args HOST WORD... : net.connect(HOST)
do net.connect() if not HOST, file.read(any), file.write(any), opaque 'lftp runs the script of its input' if not CODE
out <net>

# Which letters take a value differs from one to the next: one too many would swallow the host.
[ping, ping6]
values -c -i -s -t -W -w -I -Q -p -l -M -m -S
else pure
args HOST... : net.connect(HOST)
out any

[fping]
-f --file FILE : file.read(FILE), net.connect()
values -b -B -c -C -H -i -I -O -p -r -S -t -T
else pure
args HOST... : net.connect(HOST)
out any

[traceroute, tracepath]
values -f -m -q -w -z -p -s -g -i -N -t -l -O -M
else pure
args HOST... : net.connect(HOST)
out any

[mtr]
-F --filename FILE : file.read(FILE), net.connect()
values -i -c -s -f -m -B -Q -P -L -Z -G -a -I -y -o -U
else pure
args HOST... : net.connect(HOST)
out any

[dig, drill, kdig]
flags -4 -6 -m -u -v
values -b -c -p -q -t -x -y
-k KEY : secret.read(KEY)
-f FILE : file.read(FILE)
args WORD... : net.connect(without(WORD, '@'))
do net.connect()
out <net>

[resolvectl]
else pure
args ACTION WORD... : system.configure('dns') if not ACTION~'query|service|openpgp|tlsa|status|statistics|monitor|show-cache|show-server-state'
do net.connect()
out <net>

[nslookup, host, whois]
values -t -h -p -T -W -R -c
else pure
args WORD...
do net.connect()
out <net>

[nmap, masscan, zmap, arp-scan]
style long
else pure
values -p --rate --top-ports -T
-oN -oX -oG -oA -oS -oJ -oL -oB -o -O* -output-file --output-filename --pcapsavefile -W OUT : file.write(series(OUT))
--script SCRIPT : opaque 'nmap runs a script'
-iL --excludefile --script-args-file --readscan LIST : file.read(LIST)
--datadir --servicedb --versiondb -c --conf CONFIG : opaque 'the scanner reads its settings and scripts from there'
args HOST... : net.connect(HOST)
out <net>

[openssl]
out any

[openssl s_client]
style long
-connect -proxy HOST : net.connect(HOST)
-cert -key -CAfile -pass KEY : secret.read(KEY)
-keylogfile -sess_out -msgfile -writerand OUT : file.write(OUT)
-early_data -sess_in -cert_chain -rand FILE : file.read(FILE)
-engine -provider -provider-path ENGINE : opaque 'openssl loads code'
values -servername -starttls -CApath -alpn -cipher -verify -tls -verify_hostname -name
else pure
args HOST_ : net.connect(HOST_)
out <net>

[openssl s_server, openssl s_time, openssl ocsp]
style long
-keylogfile -sess_out -msgfile -writerand -respout -reqout -out OUT : file.write(OUT)
-engine -provider -provider-path ENGINE : opaque 'openssl loads code'
else pure
args _...
do net.listen(), net.connect(), file.read(any)

[openssl genrsa, openssl genpkey, openssl ecparam, openssl dsaparam, openssl dhparam, openssl gendsa]
style long
-out OUT : secret.write(OUT)
-writerand OUT_ : file.write(OUT_)
-in FILE : file.read(FILE)
-config -engine -provider ENGINE : opaque 'openssl loads settings or code'
else pure
args _...
out any

[openssl req, openssl x509, openssl rsa, openssl ec, openssl pkey, openssl pkcs12, openssl pkcs8, openssl pkcs7, openssl enc, openssl dgst, openssl ca, openssl verify, openssl crl, openssl asn1parse, openssl ts, openssl aes-256-cbc, openssl base64, openssl sha256, openssl md5, openssl sha1, openssl sha512, openssl passwd, openssl kdf, openssl mac]
style long
-out -keyout -signature_out -writerand -CAserial OUT : file.write(OUT)
-outdir DIR : file.write(under(DIR))
-CA CA : file.read(CA)
-CAcreateserial : file.write(series(stem(CA)))
-in -certfile -extfile -CAkey -CAfile -content -rand -sigfile -signature FILE : file.read(FILE)
-inkey -key -signkey -sign -verify -prverify -kfile -passin -passout -pass -cert -signer -recip KEY : secret.read(KEY) if not KEY~'(pass|env|fd|stdin):?.*'
-engine -provider -provider-path ENGINE : opaque 'openssl loads code'
-config CONFIG : file.read(CONFIG)
values -subj -days -newkey -pkeyopt -K -iv -S -md -iter -hmac -mac -macopt -set_serial -addext -name -inform -outform -keyform -checkend
 -nameopt -sigopt -length
else pure
args FILE_... : file.read(FILE_)
out any

# Here `-sign` and `-verify` say what is done, and have no value; who signed a message is written where `-signer` says.
[openssl smime, openssl cms, openssl rsautl, openssl pkeyutl]
style long
-out -writerand -certsout OUT : file.write(OUT)
-signer SIGNER : secret.read(SIGNER), file.write(SIGNER) if -verify
-sign -verify
-in -certfile -CAfile -content -rand -sigfile FILE : file.read(FILE)
-inkey -peerkey -passin -pass -recip -secretkey KEY : secret.read(KEY) if not KEY~'(pass|env|fd|stdin):?.*'
-engine -provider -provider-path ENGINE : opaque 'openssl loads code'
-config CONFIG : file.read(CONFIG)
values -md -inform -outform -keyform -pkeyopt -digest -kdf -kdflen -to -from -subject -secretkeyid -keyopt
else pure
args FILE_... : file.read(FILE_)
out any

[openssl rand]
style long
-hex
-base64
-out -writerand OUT : file.write(OUT)
-engine -provider ENGINE : opaque 'openssl loads code'
args NUMBER
out(-hex) token
out any

[openssl version, openssl ciphers, openssl list, openssl speed, openssl prime, openssl errstr, openssl help, openssl info]
style long
-engine -provider -provider-path ENGINE : opaque 'openssl loads code'
else pure
args _...
out any

[ssh-keygen]
flags -q -v -H -c -U -k
values -t -b -C -N -P -m -n -O -Z -a -z -I -V -E -W -S -M -G -T
-l -L -B -e -i
-y
-A : secret.write('/etc/ssh')
-F _
-R _ : file.write('~/.ssh/known_hosts')
-f KEY
-p
-D -w LIBRARY : opaque 'ssh-keygen loads a library'
-s CA : secret.read(CA), file.write(any)
-Y WORD : secret.read(any), file.write(any)
args FILE... : file.read(FILE)
do file.read(KEY) if -l, secret.read(KEY) if -y, secret.read(KEY) if -p, file.write(series(KEY)) if -R, file.read(KEY) if -F, secret.write(KEY) if not -l and not -y and not -F and not -R, file.write(suffix(KEY, '.pub')) if not -l and not -y and not -F and not -R,
 secret.write('~/.ssh') if not -f and not -l and not -F and not -R and not -A and not -s and not -Y, secret.read('~/.ssh') if not -f and -y, file.read('~/.ssh/known_hosts') if -F|-R
out any

[ssh-add]
flags -c -D -d -K -k -L -l -q -v -X -x -A
values -E -t -H
-e -s -S -T LIBRARY : opaque 'ssh-add loads a library'
--apple-use-keychain --apple-load-keychain
args KEY... : secret.read(KEY)
do secret.read('~/.ssh')
out any

[ssh-copy-id]
flags -f -n -s
values -p
-o SETTING : setting('ssh-o', SETTING)
-i KEY : file.read(KEY)
args HOST : net.connect(spec(HOST))
do file.read('~/.ssh')

[ssh-keyscan]
values -p -t -T -O
-f LIST : file.read(LIST)
flags -H -4 -6 -c -D -v
args HOST... : net.connect(HOST)
out <net>

[ssh-agent]
style posix
flags -c -s -D -d -k
values -E -P -t -O
-a SOCKET : file.write(SOCKET)
args COMMAND... : run(COMMAND)
out none

[http, https, xh, xhs]
mark exact
flags -j --json -f --form --multipart -b --body -h --headers -v --verbose -m --meta -q --quiet -S --stream -c --continue -F --follow -I --ignore-stdin --offline --check-status --debug --traceback --sorted --unsorted --compress -x --chunked --https --all --path-as-is
values -p --print --pretty -s --style --format-options -a --auth -A --auth-type --timeout --max-redirects --max-headers --verify --ssl --ciphers --boundary --default-scheme --response-charset --response-mime --http-version
--raw _ : web.post(URL), web.post(METHOD) if not URL
-d --download
-o --output OUT : file.write(OUT)
--session --session-read-only SESSION : file.write(any)
--cert --cert-key --cert-key-pass KEY : secret.read(KEY)
--proxy PROXY : net.connect(after(PROXY, ':'))
args METHOD URL ITEM... : web.fetch(URL) if METHOD~'(?i)(get|head|options)', web.post(URL) if METHOD~'(?i)(post|put|patch|delete)',
 web.fetch(METHOD) if not METHOD~'(?i)(get|head|options|post|put|patch|delete)' and not URL, web.post(METHOD) if not METHOD~'[A-Za-z]+' and URL, web.post(URL) if not METHOD~'(?i)(get|head|options)' and METHOD~'[A-Za-z]+', argfile(ITEM), argfile(URL)
do file.write(under('.')) if -d and not -o
env HTTPIE_CONFIG_DIR XH_CONFIG_DIR : opaque 'settings and plugins are read from a folder that the skill names'
out <net>

[aria2c, axel]
else pure
-d --dir DIR : file.write(tree(DIR))
-o --out --output OUT : file.write(OUT)
-i --input-file LIST : file.read(LIST), web.fetch()
--on-download-complete --on-download-start --on-download-error --on-download-stop --on-download-pause --on-bt-download-complete COMMAND : run(COMMAND)
-l --log --save-session --save-cookies --server-stat-of LOG : file.write(LOG)
--load-cookies --server-stat-if -T --torrent-file -M --metalink-file FILE : file.read(FILE)
--netrc-path --private-key KEY : secret.read(KEY)
--all-proxy --http-proxy --https-proxy --ftp-proxy PROXY : net.connect(PROXY)
--enable-rpc : opaque 'aria2c takes orders from others'
--conf-path CONFIG : opaque 'settings are read from a file'
args URL... : web.fetch(URL), file.write(under('.')) if not -d and not -o
out any

[gallery-dl]
-d --dest -D --directory --write-log --write-unsupported --download-archive --error-file OUT : file.write(tree(OUT))
-i --input-file -I -x --cookies LIST : file.read(LIST)
--cookies-from-browser BROWSER : secret.read()
--exec --exec-after COMMAND : sh(COMMAND)
-c --config --config-yaml --config-toml -o --option -P --postprocessor -O --postprocessor-option CODE : opaque 'gallery-dl takes settings that can name programs'
else pure
args URL... : web.fetch(URL), file.write(under('.')) if not OUT
out <net>

[you-get]
-o --output-dir -O --output-filename OUT : file.write(tree(OUT))
-c --cookies -I --input-file LIST : file.read(LIST)
-p --player COMMAND : run(COMMAND)
-x --http-proxy -y --extractor-proxy -s --socks-proxy PROXY : net.connect(PROXY)
else pure
args URL... : web.fetch(URL), file.write(under('.')) if not OUT
out <net>

[yt-dlp, youtube-dl]
-o --output OUT : file.write(under(dirname(OUT)))
-P --paths OUT_ : file.write(under(OUT_)), file.write(under(after(only(OUT_, '[a-z]+:.*'), ':')))
--print-to-file _ TO : file.write(TO)
--download-archive --write-pages --cache-dir ARCHIVE : file.write(tree(ARCHIVE))
-a --batch-file --load-info-json --client-certificate LIST : file.read(LIST)
--cookies JAR : file.read(JAR), file.write(JAR)
--netrc-location NETRC : secret.read(NETRC)
-n --netrc : secret.read('~/.netrc')
--proxy --geo-verification-proxy PROXY : net.connect(PROXY)
--cookies-from-browser BROWSER : secret.read()
--exec --exec-before-download --netrc-cmd COMMAND : sh(COMMAND)
--external-downloader --downloader PROGRAM_ : run(PROGRAM_)
--ffmpeg-location --avconv-location PROGRAM__ : run(PROGRAM__)
--config-locations --config-location --plugin-dirs CONFIG : opaque 'settings are read from a file'
--use-postprocessor --alias --js-runtimes --remote-components CODE : opaque 'an option of yt-dlp that can start programs'
-x --extract-audio
-j -J -g -F --dump-json --dump-single-json --get-url --list-formats --simulate -s --list-subs
--no-simulate : file.write(under('.'))
flags --skip-download --flat-playlist
values -f --format --audio-format --audio-quality --sub-lang --sub-langs --merge-output-format --playlist-items --max-downloads --print
 --user-agent --referer -S --recode-video --remux-video --postprocessor-args --ppa --download-sections --sub-format
 --convert-subs --convert-thumbnails --limit-rate -r -R --retries --match-filter --dateafter --datebefore -I --progress-template --output-na-placeholder
 -u --username -p --password --extractor-args --socket-timeout --sleep-interval --max-filesize --min-filesize --playlist-start --playlist-end --parse-metadata
else pure
args URL... : web.fetch(URL), file.write(under('.')) if not -j and not -o and not -P
out <net>
