# Programs that talk over the network.

[curl]
flags -0 --http1.0 --http1.1 --http2 --http2-prior-knowledge --http3 -1 --tlsv1 --tlsv1.0 --tlsv1.1 --tlsv1.2 --tlsv1.3 -2 -3 -4 --ipv4 -6
 --ipv6 -# --progress-bar --no-progress-meter --anyauth --basic --digest --negotiate --ntlm --compressed --create-dirs --crlf -f --fail
 --fail-with-body --fail-early -g --globoff -i --include --show-headers -j --junk-session-cookies -k --insecure --keepalive -l --list-only
 -L --location --location-trusted -M --manual -n --netrc --netrc-optional -N --no-buffer -p --proxytunnel --path-as-is --raw -R --remote-time
 -s --silent -S --show-error --ssl --ssl-reqd --styled-output --tcp-fastopen --tcp-nodelay --tr-encoding -v --verbose -V -a --append
 --disable-epsv --disable-eprt -Z --parallel --parallel-immediate --post301 --post302 --post303 --retry-all-errors --retry-connrefused
 --suppress-connect-headers --xattr --false-start --ca-native --no-keepalive --no-sessionid --no-alpn --no-npn --haproxy-protocol
 --ignore-content-length --metalink --mail-rcpt-allowfails --remove-on-error --no-clobber --skip-existing --proxy-insecure -q --disable
 --ssl-no-revoke --doh-insecure --trace-time --trace-ids
values -A --user-agent -b --cookie -C --continue-at --cacert --capath --cert-type --ciphers --connect-timeout --connect-to --crlfile --curves
 -e --referer --expect100-timeout --happy-eyeballs-timeout-ms --interface --keepalive-time --limit-rate --local-port --max-filesize
 --max-redirs -m --max-time --noproxy --oauth2-bearer --pass --parallel-max --pinnedpubkey --proto --proto-default --proto-redir --range -r
 --rate --request-target --resolve --retry --retry-delay --retry-max-time --socks4 --socks5 --socks5-hostname --speed-limit -Y --speed-time -y
 --ssl-sessions -t --telnet-option --tftp-blksize -z --time-cond --tls-max --tls13-ciphers -u --user --aws-sigv4 --url-query --variable
 --delegation --dns-servers --engine --hostpubmd5 --hostpubsha256 --ip-tos --krb --login-options --service-name --sasl-authzid --proxy-user -U
 --vlan-priority --alt-svc --hsts --ftp-account --ftp-method --ftp-port -P --mail-auth --abstract-unix-socket
-w --write-out FORMAT : argfile(FORMAT)
-H --header HEADER : argfile(HEADER)
-o --output OUT : file.write(OUT)
--output-dir OUT_DIR : file.write(under(OUT_DIR))
-O --remote-name --remote-name-all -J --remote-header-name : file.write(any)
-c --cookie-jar OUT_ : file.write(OUT_)
-D --dump-header OUT__ : file.write(OUT__)
--trace --trace-ascii --stderr --libcurl --etag-save OUT___ : file.write(OUT___)
--etag-compare ETAG : file.read(ETAG)
-E --cert --key --proxy-cert --proxy-key --netrc-file --cert-status KEY : secret.read(KEY)
-x --proxy --preproxy --doh-url PROXY : net.connect(PROXY)
--unix-socket SOCKET : net.connect(SOCKET)
-K --config CONFIG : file.read(CONFIG), curlconfig(CONFIG)
-d --data --data-raw --data-binary --data-ascii --data-urlencode --json -F --form --form-string --mail-from --mail-rcpt DATA :
 argfile(DATA), post(URL) if not -G
-T --upload-file FILE : file.read(FILE), post(URL)
-Q --quote COMMAND_ : post(URL)
-X --request METHOD : post(URL) if not METHOD~'GET|HEAD|OPTIONS'
-I --head
-G --get
-: --next
--url URL : url(URL)
args URL... : url(URL)
env HTTP_PROXY HTTPS_PROXY http_proxy https_proxy ALL_PROXY all_proxy : net.connect(VALUE)
env CURL_HOME : opaque 'curl reads its options from a folder that the skill sets'
out <net>

[wget]
flags -4 --inet4-only -6 --inet6-only -b --background -c --continue -d --debug -E --adjust-extension -F --force-html -H --span-hosts -h
 -K --backup-converted -k --convert-links -L --relative -m --mirror -N --timestamping -nv --no-verbose -nc --no-clobber -nd
 --no-directories -nH --no-host-directories -np --no-parent -p --page-requisites -q --quiet -r --recursive -S --server-response -v --verbose
 -x --force-directories --content-disposition --delete-after --no-cache --no-check-certificate --no-cookies --no-proxy --show-progress
 --spider --trust-server-names --content-on-error --no-hsts --no-dns-cache --https-only --no-netrc --auth-no-challenge --ignore-case
 --keep-session-cookies --no-use-server-timestamps --retry-connrefused --save-headers --no-config --passive-ftp --no-passive-ftp
 --no-iri -n -V
optional --progress
values -A --accept -B --base -D --domains -I --include-directories -l --level -R --reject -T --timeout -t --tries -U --user-agent -w
 --wait --accept-regex --bind-address --ca-certificate --ca-directory --connect-timeout --cut-dirs --default-page --dns-timeout
 --exclude-directories -X --exclude-domains --follow-tags --header --http-password --http-user --ftp-user --ftp-password --ignore-length
 --ignore-tags --limit-rate --local-encoding --max-redirect --password --user --prefer-family --protocol-directories --quota -Q
 --random-wait --read-timeout --referer --regex-type --reject-regex --remote-encoding --restrict-file-names --retry-on-http-error
 --secure-protocol --waitretry --compression --start-pos --report-speed --warc-header --warc-max-size --load-cookies
-e --execute SETTING : opaque 'wget takes a setting that may name files and programs' if not SETTING~'robots *= *(off|on)'
--use-askpass ASK : run(ASK)
-o --output-file -a --append-output --save-cookies --rejected-log --warc-file --hsts-file LOG : file.write(LOG)
-O --output-document OUT : file.write(OUT)
-P --directory-prefix DIR : file.write(under(DIR))
-i --input-file LIST : file.read(LIST), web.fetch()
--config CONFIG : opaque 'wget reads its settings from a file'
--post-data --body-data DATA : web.post(URL)
--post-file --body-file FILE : file.read(FILE), web.post(URL)
--certificate --private-key KEY : secret.read(KEY)
--method METHOD : web.post(URL) if not METHOD~'GET|HEAD'
args URL... : web.fetch(URL), file.write(basename(URL)) if not -O|-P
env WGETRC : opaque 'wget reads its settings from a file that the skill names'
env HTTP_PROXY HTTPS_PROXY http_proxy https_proxy : net.connect(VALUE)
out(-O) <net>
out none
