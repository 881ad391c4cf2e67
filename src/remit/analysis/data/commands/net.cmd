# Programs that talk over the network.

[curl]
flags -0 --http1.0 --http1.1 --http2 --http2-prior-knowledge --http3 -1 --tlsv1 --tlsv1.0 --tlsv1.1 --tlsv1.2 --tlsv1.3 -2 -3 -4 --ipv4 -6
 --ipv6 -# --progress-bar --no-progress-meter --anyauth --basic --digest --negotiate --ntlm --compressed --create-dirs --crlf -f --fail
 --fail-with-body --fail-early -g --globoff -i --include --show-headers -j --junk-session-cookies -k --insecure --keepalive -l --list-only
 -M --manual -N --no-buffer -p --proxytunnel --path-as-is --raw -R --remote-time
 -s --silent -S --show-error --ssl --ssl-reqd --styled-output --tcp-fastopen --tcp-nodelay --tr-encoding -v --verbose -V -a --append
 --disable-epsv --disable-eprt -Z --parallel --parallel-immediate --post301 --post302 --post303 --retry-all-errors --retry-connrefused
 --suppress-connect-headers --xattr --false-start --ca-native --no-keepalive --no-sessionid --no-alpn --no-npn --haproxy-protocol
 --ignore-content-length --metalink --mail-rcpt-allowfails --remove-on-error --no-clobber --skip-existing --proxy-insecure -q --disable
 --compressed-ssh --disallow-username-in-url --doh-cert-status --form-escape --ftp-create-dirs --ftp-pasv --ftp-pret --ftp-skip-pasv-ip --ftp-ssl-ccc
 --ftp-ssl-control --http0.9 --http3-only --proxy-anyauth --proxy-basic --proxy-digest --proxy-ntlm --sasl-ir --socks5-basic --ssl-allow-beast
 --ssl-auto-client-cert --ssl-revoke-best-effort --sslv2 --sslv3 --suppress --tcp-keepalive -h
 --ssl-no-revoke --doh-insecure --trace-time --trace-ids --cert-status
values -A --user-agent -C --continue-at --cert-type --ciphers --connect-timeout --curves
 -e --referer --expect100-timeout --happy-eyeballs-timeout-ms --interface --keepalive-time --limit-rate --local-port --max-filesize
 --max-redirs -m --max-time --noproxy --pass --parallel-max --proto --proto-default --proto-redir --range -r
 --rate --request-target --retry --retry-delay --retry-max-time --speed-limit -Y --speed-time -y
 -t --telnet-option --tftp-blksize -z --time-cond --tls-max --tls13-ciphers --aws-sigv4
 --delegation --hostpubmd5 --hostpubsha256 --ip-tos --krb --login-options --service-name --sasl-authzid --proxy-user -U
 --create-file-mode --dns-interface --dns-ipv4-addr --dns-ipv6-addr --ftp-alternative-to-user --key-type --proxy-ciphers
 --ftp-ssl-ccc-mode --tlsuser --tlspassword --tlsauthtype --proxy-service-name --keepalive-cnt --haproxy-clientip --ech
 --vlan-priority --ftp-account --ftp-method --ftp-port -P --mail-auth
-w --write-out FORMAT : argfile(FORMAT), file.write() if FORMAT~'.*%output.*'
-b --cookie COOKIE : file.read(COOKIE) if not COOKIE~'.*=.*'
-n --netrc --netrc-optional : secret.read('~/.netrc')
--url-query --proxy-header QUERY : argfile(QUERY)
--variable VARIABLE : argfile(VARIABLE)
--alt-svc --hsts --ssl-sessions CACHE : file.read(CACHE), file.write(CACHE)
--connect-to --resolve --dns-servers ELSEWHERE : net.connect()
-H --header HEADER : argfile(HEADER), credential(HEADER, URL)
-o --output OUT : file.write(pattern(OUT, '#[0-9]+'))
--output-dir OUT_DIR : file.write(under(OUT_DIR))
-O --remote-name --remote-name-all : file.write(pattern(page(URL), '[{[].*[]}]')) if not --output-dir,
 file.write(pattern(page(before(URL, '?')), '[{[].*[]}]')) if not --output-dir, file.write('curl_response') if URL~'.*/' and not --output-dir,
 file.write(seg) if not URL and not --output-dir
-J --remote-header-name : file.write(seg) if not --output-dir
-c --cookie-jar OUT_ : file.write(OUT_)
-D --dump-header OUT__ : file.write(OUT__)
--trace --trace-ascii --stderr --libcurl --etag-save OUT___ : file.write(OUT___)
--etag-compare --cacert --capath --crlfile --proxy-cacert --proxy-capath --proxy-crlfile --pubkey ETAG : file.read(tree(ETAG))
--pinnedpubkey --proxy-pinnedpubkey PIN : file.read(PIN) if not PIN~'sha256//.*'
--egd-file --random-file SEED : file.read(SEED)
-E --cert --key --proxy-cert --proxy-key --netrc-file KEY : secret.read(KEY)
-x --proxy --preproxy --proxy1.0 --socks4 --socks4a --socks5 --socks5-hostname --doh-url PROXY : net.connect(PROXY)
--unix-socket --abstract-unix-socket SOCKET : net.connect(SOCKET)
-K --config CONFIG : file.read(CONFIG), curlconfig(CONFIG)
-d --data --data-raw --data-binary --data-ascii --data-urlencode --json -F --form --form-string --mail-from --mail-rcpt DATA :
 argfile(DATA), post(URL) if not -G, post(URL) if --next
-L --location --location-trusted : assume('redirects')
-T --upload-file FILE : file.read(pattern(FILE, '[{[].*[]}]')), post(URL), upload(URL)
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
flags -4 --inet4-only -6 --inet6-only -d --debug -F --force-html -h
 -k --convert-links -L --relative -nv --no-verbose -nd
 --no-directories -nH --no-host-directories -np --no-parent -q --quiet -S --server-response -v --verbose
 --delete-after --no-cache --no-check-certificate --no-cookies --no-proxy --show-progress
 --spider --random-wait --content-on-error --no-hsts --no-dns-cache --https-only --no-netrc --auth-no-challenge --ignore-case
 --keep-session-cookies --no-use-server-timestamps --retry-connrefused --save-headers --no-config --passive-ftp --no-passive-ftp
 --no-iri -n -V --no-if-modified-since --ask-password --unlink --xattr --no-http-keep-alive --no-remove-listing --no-glob --preserve-permissions --retr-symlinks
 --ftps-implicit --ftps-resume-ssl --ftps-clear-data-connection --ftps-fallback-to-ftp --no-warc-compression --no-warc-digests --no-warc-keep-log --warc-cdx --strict-comments
 --no-use-askpass --convert-file-only --ignore-length
optional --progress
values -A --accept -B --base -D --domains -I --include-directories -l --level -R --reject -T --timeout -t --tries -U --user-agent -w
 --wait --accept-regex --bind-address --connect-timeout --cut-dirs --default-page --dns-timeout
 --exclude-directories -X --exclude-domains --follow-tags --http-password --http-user --ftp-user --ftp-password --proxy-user --proxy-password --certificate-type --private-key-type
 --ciphers
 --ignore-tags --limit-rate --local-encoding --max-redirect --password --user --prefer-family --quota -Q
 --read-timeout --referer --regex-type --reject-regex --remote-encoding --restrict-file-names --retry-on-http-error
 --secure-protocol --waitretry --compression --start-pos --report-speed --warc-header --warc-max-size
-r --recursive -m --mirror -p --page-requisites -x --force-directories --protocol-directories --content-disposition --trust-server-names : file.write(under('.')) if not -P
-c --continue -N --timestamping -nc --no-clobber
-b --background : file.write(series('wget-log')) if not -o
-E --adjust-extension -K --backup-converted : file.write(series(page(URL))) if not -P
-H --span-hosts : web.fetch()
--load-cookies --ca-certificate --ca-directory --crl-file --pinnedpubkey --warc-dedup COOKIES : file.read(tree(COOKIES))
--warc-tempdir TEMP : file.write(under(TEMP))
--warc-file WARC : file.write(series(WARC))
-e --execute SETTING : opaque 'wget takes a setting that may name files and programs' if not SETTING~'robots *= *(off|on)'
--use-askpass ASK : run(ASK)
-o --output-file -a --append-output --save-cookies --rejected-log --hsts-file LOG : file.write(LOG)
-O --output-document OUT : file.write(OUT)
-P --directory-prefix DIR : file.write(under(DIR))
-i --input-file LIST : file.read(LIST), web.fetch(), file.write(under('.')) if not -O|-P
--config CONFIG : opaque 'wget reads its settings from a file'
--post-data --body-data DATA : web.post(URL)
--post-file --body-file FILE : file.read(FILE), web.post(URL)
--certificate --private-key KEY : secret.read(KEY)
--method METHOD : web.post(URL) if not METHOD~'GET|HEAD'
--header HEADER : credential(HEADER, URL)
args URL... : web.fetch(URL), service(URL), file.write(page(URL)) if not -O|-P, file.write(numbered(page(URL))) if not -O|-P and not -c
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
-b BATCH : file.read(BATCH), file.write(any), script('sftp', BATCH)
-i KEY : secret.read(KEY)
-J JUMP : net.connect(spec(JUMP))
-S COMMAND : run(COMMAND)
-o SETTING : setting('ssh-o', SETTING)
args HOST DST : net.connect(HOST), file.read(any), file.write(any), program('sftp', STDIN) if not -b

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
args SRC... DST : net.connect(host(SRC)), net.connect(host(DST)), file.read(tree(local(SRC))), file.read(tree(local(DST))), file.write(tree(local(DST))), file.write(tree(local(into(DST, SRC))))
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
-lf LOG : file.write(LOG)
args _...
do opaque 'socat joins two addresses that can be anything'

[telnet, irssi]
flags -4 -6 -8 -E -F -K -L -a -c -d -f -x -r -y -N
values -e -l -b -X -k -S -s -p -h -w --nick --port --connect --password
--config --home FILE_ : file.read(tree(FILE_)), opaque 'settings of the client can run commands'
-n LOG : file.write(LOG)
args HOST WORD... : net.connect(HOST)
do net.connect() if not HOST
out <net>

[ftp, tftp]
flags -n -i -v -p -g -d -e -4 -6 -A -a -V -t -f -l
values -P -q -r -R -w -x -m -c
-N --netrc FILE_ : secret.read(FILE_)
-o OUT : file.write(OUT)
args HOST WORD... : net.connect(HOST)
do net.connect() if not HOST, file.read(any), file.write(any), program('ftp', STDIN)
out <net>

[lftp]
-e -c -f CODE : opaque 'lftp runs a script, which can start commands'
-p -u _
args HOST WORD... : net.connect(HOST)
do net.connect() if not HOST, file.read(any), file.write(any), opaque 'lftp runs the script of its input' if not CODE
out <net>

# Which letters take a value differs from one to the next: one too many would swallow the host.
[ping, ping6]
values -c -i -s -t -W -w -I -Q -p -l -M -m -S
flags -4 -6 -3 -a -A -b -B -C -D -d -f -h -H -L -n -O -q -r -R -U -v -V
values -e -F -N -G -g
args HOST... : net.connect(HOST)
out any

[fping]
-f --file FILE : file.read(FILE), net.connect()
values -b -B -c -C -H -i -I -O -p -r -S -t -T
flags -4 -6 -a -A -d -D -e -g -h -J -l -m -M -n -N -o -q -R -s -u -v --ipv4 --ipv6 --alive --unreach --generate --elapsed --quiet --stats --loop --name --rdns --timestamp --show-by-ip
values --count --vcount --interval --period --retry --timeout --src --iface --size --ttl --backoff --tos -k --fwmark -x --reachable -X -Q --squiet
args HOST... : net.connect(HOST)
out any

[traceroute, tracepath]
values -f -m -q -w -z -p -s -g -i -N -t -l -O -M
flags -4 -6 -b -d -F -I -T -n -r -e -a -A -V -U -D -S -v -h --icmp --tcp --udp
values -P -x --sport --fwmark --port --queries --wait --max-hops --first --gateways --interface --source --sendwait --tos --sim-queries
args HOST... : net.connect(HOST)
out any

[mtr]
-F --filename FILE : file.read(FILE), net.connect()
values -i -c -s -f -m -B -Q -P -L -Z -G -a -I -y -o -U
flags -r -w -n -b -4 -6 -u -T -S -z -x -C -l -p -t -e -v -h -j -g --report --report-wide --no-dns --show-ips --aslookup --json --xml --csv --raw --split --curses --mpls --udp --tcp --sctp --gtk
values -k --report-cycles --interval --psize --bitpattern --tos --mark --interface --address --first-ttl --max-ttl --max-unknown --port --localport --timeout --gracetime --order --ipinfo --displaymode -E
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
flags -4 -6 --no-pager --legend --synthesize --cache --zone --trust-anchor --network --cname --validate --stale-data --relax-single-label --raw --service-address --service-txt
values -i --interface -p --protocol -t --type -c --class --json
optional -l
args ACTION WORD... : system.configure('dns') if not ACTION~'query|service|openpgp|tlsa|status|statistics|monitor|show-cache|show-server-state'
do net.connect()
out <net>

[nslookup, host, whois]
values -t -h -p -T -W -R -c
flags -a -C -d -e -b -u -g -l -L -n -N -r -s -v -V -w -4 -6 -i -B -G -M -x -K -H -I -A -U -Q
values -m -q -k -y --host --port
args WORD...
do net.connect()
out <net>

[nmap, masscan, zmap, arp-scan]
style long
flags -sS -sT -sU -sn -sP -sA -sW -sM -sN -sF -sX -sL -sO -sY -sZ -sV -Pn -PE -PP -PM -PN -PR -n -R -v -vv -vvv -d -dd -F -r -6 -f -O -V --open --reason --traceroute --packet-trace --iflist --badsum --privileged --unprivileged --osscan-guess --osscan-limit --fuzzy --version-all --version-light --version-trace --append-output --system-dns --disable-arp-ping --defeat-rst-ratelimit --noninteractive --no-stylesheet --webxml --send-eth --send-ip --randomize-hosts --banners --ping --offline -q -l -x --localnet --plain --ignoredups --release-memory
values --exclude --max-retries --min-rate --max-rate --host-timeout --scan-delay --max-scan-delay --min-rtt-timeout --max-rtt-timeout --initial-rtt-timeout --min-parallelism --max-parallelism --min-hostgroup --max-hostgroup --script-args -e -S -g --source-port --data-length --data --ttl --spoof-mac -D --mtu --version-intensity --script-timeout --dns-servers -sI -b --scanflags --ip-options --data-string --stats-every --port-ratio --exclude-ports --ports --range --wait --adapter-ip --adapter-port --router-mac --retries --shards --seed -i -I --interface -B --bandwidth -P -N --max-targets -t --interval --timeout --retry --backoff --arpspa --source-ip --proxies
-p* -T* -PS* -PA* -PU* -P* _
-sC -A --script-updatedb : opaque 'nmap runs scripts'
--resume --stylesheet --includefile -w --blocklist-file LIST_ : file.read(LIST_)
values -p --rate --top-ports -T
-oN -oX -oG -oA -oS -oJ -oL -oB -o -O* -output-file --output-filename --pcapsavefile -W OUT : file.write(series(OUT))
--script SCRIPT : opaque 'nmap runs a script'
-iL --excludefile --script-args-file --readscan LIST : file.read(LIST)
--datadir --servicedb --versiondb -c --conf CONFIG : opaque 'the scanner reads its settings and scripts from there'
args HOST... : net.connect(HOST)
out <net>

[openssl]
out any

# Ciphers, digests and what is done.
[%openssl-flags]
flags -sha1 -sha224 -sha256 -sha384 -sha512 -sha3-256 -sha3-512 -md5 -blake2b512 -sm3 -ripemd160 -aes128 -aes192 -aes256 -aes-128-cbc -aes-192-cbc -aes-256-cbc -aes-128-ctr -aes-256-ctr -aes-128-gcm -aes-256-gcm -aes-128-ecb -aes-256-ecb -des3 -des -chacha20 -camellia256
 -salt -nosalt -pbkdf2 -d -e -a -A -base64 -nopad -p -P -v -debug -z -binary -hex -r -c -list -x509 -new -nodes -noenc -text -noout -export -pubout -pubin -pubkey -modulus -fingerprint -issuer -serial -dates -startdate -enddate -hash -email -ocsp_uri -purpose -alias -req -trustout -batch -utf8 -selfsign -rawin -derive -encrypt -decrypt -verifyrecover -nocerts -nokeys -cacerts -clcerts -legacy -nomac -twopass -info -topk8 -traditional -nocrypt -check -pubcheck -param_out -genkey -2 -3 -5 -1 -6 -apr1 -quiet -table -reverse -noverify -in_order -showcerts -brief -ign_eof -no_ign_eof -crlf -prexit -status -tls1 -tls1_1 -tls1_2 -tls1_3 -no_tls1 -no_tls1_1 -no_tls1_2 -no_tls1_3 -nbio -state -msg -tlsextdebug -reconnect -nocommands -verify_return_error -verify_quiet -4 -www -WWW -HTTP -nointern -nosigs -nochain -noattr -nodetach -detached -indef -stream -resign -compress -uncompress -digest_create -raw -asn1parse -hexdump -pkcs -oaep -ssl -x509_strict -partial_chain -crl_check -crl_check_all -policy_check -trusted_first -no-CAfile -no-CApath -no-CAstore -gencrl -updatedb -notext -msie_hack -outpubkey -rsa -keys -gen -prime -safe -commands -digest-commands -cipher-commands -digest-algorithms -cipher-algorithms -public-key-algorithms -providers -disabled -b -o -f -n -s -stdname -V -mr -elapsed -dsaparam -no_public -extended_crypto -engine_impl -nonce -no_nonce

[openssl s_client]
style long
-connect -proxy HOST : net.connect(HOST)
-cert -key -CAfile -pass KEY : secret.read(KEY)
-keylogfile -sess_out -msgfile -writerand OUT : file.write(OUT)
-early_data -sess_in -cert_chain -rand -xchain -xkey -xcert -requestCAfile -serverinfo -ctlogfile -CAstore -chainCAstore -verifyCAstore FILE : file.read(FILE)
-engine -provider -provider-path ENGINE : opaque 'openssl loads code'
values -servername -starttls -CApath -alpn -cipher -verify -tls -verify_hostname -name -verify_email -record_padding -srpuser -nextprotoneg -keymatexport -xmpphost -psk_identity -proxy_user -bind
use openssl-flags
else maybefile(VALUE)
args HOST_ : net.connect(HOST_)
do net.connect('localhost:4433') if not HOST and not HOST_
out <net>

[openssl s_server, openssl s_time, openssl ocsp]
style long
-keylogfile -sess_out -msgfile -writerand -respout -reqout -out OUT : file.write(OUT)
-engine -provider -provider-path ENGINE : opaque 'openssl loads code'
use openssl-flags
else maybefile(VALUE)
args _...
do net.listen(), net.connect(), file.read(any)

[openssl genrsa, openssl genpkey, openssl ecparam, openssl dsaparam, openssl dhparam, openssl gendsa]
style long
-out OUT : secret.write(OUT)
-writerand OUT_ : file.write(OUT_)
-in FILE : file.read(FILE)
-config -engine -provider ENGINE : opaque 'openssl loads settings or code'
use openssl-flags
values -algorithm -name -pkeyopt -pass -passout -outform -numbits -param_enc -primes
-paramfile FILE_ : file.read(FILE_)
else maybefile(VALUE)
args _...
out any

[%openssl-files]
-keyout KEY_FILE : file.write(KEY_FILE)
-in FILE__ : file.read(FILE__)
-key KEY_ : secret.read(KEY_) if not KEY_~'(pass|env|fd|stdin):?.*'
-out -signature_out -writerand -CAserial OUT : file.write(OUT)
-outdir DIR : file.write(under(DIR))
-CA CA : file.read(CA)
-CAcreateserial : file.write(series(stem(CA)))
-certfile -extfile -CAkey -CAfile -content -rand -sigfile -signature FILE : file.read(FILE)
-inkey -signkey -sign -verify -prverify -kfile -passin -passout -pass -cert -signer -recip KEY : secret.read(KEY) if not KEY~'(pass|env|fd|stdin):?.*'
-engine -provider -provider-path ENGINE : opaque 'openssl loads code'
-config CONFIG : file.read(CONFIG)
values -subj -days -newkey -pkeyopt -K -iv -S -md -iter -hmac -mac -macopt -set_serial -addext -name -inform -outform -keyform -checkend
 -nameopt -sigopt -length
flags -subject
use openssl-flags
else maybefile(VALUE)
args FILE_... : file.read(FILE_)
out any

# A new key is written, wherever no other is named.
[openssl req]
style long
use openssl-files
do file.write('privkey.pem') if not -key and not -keyout and not -in

[openssl x509, openssl rsa, openssl ec, openssl pkey, openssl pkcs12, openssl pkcs8, openssl pkcs7, openssl enc, openssl dgst, openssl ca, openssl verify, openssl crl, openssl asn1parse, openssl ts, openssl aes-256-cbc, openssl base64, openssl sha256, openssl md5, openssl sha1, openssl sha512, openssl passwd, openssl kdf, openssl mac]
style long
use openssl-files

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
use openssl-flags
else maybefile(VALUE)
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
use openssl-flags
values -seconds -bytes -multi -bits -evp -mode -cmac
else maybefile(VALUE)
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
flags -c --continue -q --quiet -v -D --daemon -n -N --allow-overwrite --auto-file-renaming --check-certificate --check-integrity -V --remote-time -R --follow-torrent --enable-dht --bt-metadata-only --bt-save-metadata --show-files -S --dry-run --no-conf --no-netrc --parameterized-uri -P --http-auth-challenge --async-dns --disable-ipv6 --optimize-concurrent-downloads --verbose --no-clobber --alternate --insecure -4 -6 --ipv4 --ipv6
values -x --max-connection-per-server -s --split -j --max-concurrent-downloads -k --min-split-size --max-download-limit --max-overall-download-limit -t --timeout --connect-timeout -m --max-tries --retry-wait -U --user-agent --header --referer --http-user --http-passwd --ftp-user --ftp-passwd --file-allocation --checksum --summary-interval --console-log-level --log-level --seed-time --seed-ratio --bt-stop-timeout --bt-tracker --bt-max-peers --listen-port --dht-listen-port --select-file --index-out --lowest-speed-limit --piece-length --uri-selector --stream-piece-selector -H --max-speed --num-connections --search -u --interface --max-redirect
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
args URL... : web.fetch(URL), file.read(but(URL, '\w+:.*')), file.write(under('.')) if not -d and not -o
out any

[gallery-dl]
-d --dest -D --directory --write-log --write-unsupported --download-archive --error-file OUT : file.write(tree(OUT))
-i --input-file -I -x --cookies LIST : file.read(LIST)
--cookies-from-browser BROWSER : secret.read()
--exec --exec-after COMMAND : sh(COMMAND)
-c --config --config-yaml --config-toml -o --option -P --postprocessor -O --postprocessor-option CODE : opaque 'gallery-dl takes settings that can name programs'
flags -q --quiet -w --warning -v --verbose -g --get-urls -G --resolve-urls -j --dump-json -J --resolve-json -s --simulate -E --extractor-info -K --list-keywords --list-modules --list-extractors --no-part --no-skip --no-mtime --no-download --no-check-certificate --no-colors --no-input --write-metadata --write-info-json --write-tags --zip --cbz --ignore-config -4 -6 --force-ipv4 --force-ipv6 --no-postprocessors
values -f --filename -u --username -p --password --user-agent -a -r --limit-rate -R --retries --http-timeout --sleep --sleep-request --sleep-extractor --range --filter --chapter-range --chapter-filter --image-range --image-filter -A --abort -T --terminate --filesize-min --filesize-max --sleep-429 --chunk-size --source-address --ugoira --mtime --rename --rename-to
--netrc : secret.read('~/.netrc')
--proxy --xff PROXY_ : net.connect(PROXY_)
args URL... : web.fetch(URL), file.write(under('.')) if not OUT
out <net>

[you-get]
-o --output-dir -O --output-filename OUT : file.write(tree(OUT))
-c --cookies -I --input-file LIST : file.read(LIST)
-p --player COMMAND : run(COMMAND)
-x --http-proxy -y --extractor-proxy -s --socks-proxy PROXY : net.connect(PROXY)
flags -i --info -u --url --json -n --no-merge --no-caption --postfix -f --force --skip-existing-file-size-check -l --playlist -a --auto-rename -k --insecure -d --debug -V --version -m --m3u8
values -F --format -t --timeout -P --password --itag --stream -e --first --last --size --page-size
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
flags --no-download --get-title --get-id --get-thumbnail --get-description --get-duration --get-filename --get-format --write-sub --write-subs --write-auto-sub --write-auto-subs --write-automatic-subs --no-write-subs --no-write-auto-subs --all-subs --write-description --no-write-description --write-info-json --no-write-info-json --write-thumbnail --write-all-thumbnails --no-write-thumbnail --write-comments --no-write-comments --get-comments --write-annotations --embed-subs --no-embed-subs --embed-thumbnail --no-embed-thumbnail --embed-metadata --no-embed-metadata --embed-chapters --no-embed-chapters --embed-info-json --add-metadata --add-chapters --xattrs --list-thumbnails --list-extractors --extractor-descriptions --list-impersonate-targets
 -c --continue --no-continue -w --no-overwrites --force-overwrites --no-force-overwrites --part --no-part --mtime --no-mtime -k --keep-video --no-keep-video --no-post-overwrites --split-chapters --no-split-chapters --no-sponsorblock -i --ignore-errors --no-abort-on-error --abort-on-error -q --quiet --no-quiet -v --verbose --no-warnings --newline --no-progress --progress --console-title --yes-playlist --no-playlist --restrict-filenames --no-restrict-filenames --windows-filenames --no-windows-filenames --ignore-config --no-config --no-check-certificates --no-check-certificate --prefer-insecure --prefer-free-formats --no-prefer-free-formats --check-formats --no-check-formats --hls-use-mpegts --no-hls-use-mpegts --live-from-start --no-live-from-start --mark-watched --no-mark-watched --force-ipv4 -4 --force-ipv6 -6 --geo-bypass --no-geo-bypass --allow-unplayable-formats --ignore-no-formats-error --no-cache-dir --rm-cache-dir --break-on-existing --skip-unavailable-fragments --abort-on-unavailable-fragments --keep-fragments --no-keep-fragments --playlist-random --playlist-reverse --lazy-playlist --id --title -t --literal -A --auto-number --video-multistreams --audio-multistreams --legacy-server-connect --print-traffic -C --dump-pages --prefer-ffmpeg --hls-prefer-native --hls-prefer-ffmpeg --include-ads --youtube-skip-dash-manifest --no-video --version -U --update --dump-user-agent -e --force-write-archive --no-batch-file --no-exec
values --trim-filenames --concurrent-fragments -N --fragment-retries --file-access-retries --retry-sleep --buffer-size --http-chunk-size --throttled-rate --source-address --impersonate --sponsorblock-mark --sponsorblock-remove --sponsorblock-chapter-title --sleep-requests --max-sleep-interval --min-sleep-interval --sleep-subtitles --age-limit --min-views --max-views --match-title --reject-title --match-filters --break-match-filters --date --default-search --color --video-password --twofactor -2 --ap-mso --ap-username --ap-password --add-header --add-headers --compat-options --preset-alias --metadata-from-title --fixup --force-keyframes-at-cuts --concat-playlist --xff --geo-bypass-country --geo-bypass-ip-block --extractor-retries --wait-for-video --playlist-index --external-downloader-args --downloader-args --progress-delta --format-sort --skip-playlist-after-errors --use-extractors --ies --encoding --bidi-workaround
--sponsorblock-api URL_ : web.fetch(URL_)
--replace-in-metadata _ _ _
args URL... : web.fetch(URL), file.write(under('.')) if not -j and not -o and not -P
out <net>
