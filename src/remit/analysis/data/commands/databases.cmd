# Clients of databases. Their own commands (`\!`, `\copy`, `.shell`) reach files and shells and are not analysed.

[%libpq]
-h --host HOST : net.connect(HOST)
values -p --port -U --username --role
flags -w --no-password -W --password
env PGHOST PGHOSTADDR PGSERVICE PGSERVICEFILE PGPASSFILE : net.connect(VALUE)

[psql]
use libpq
flags -a --echo-all -A --no-align -b --echo-errors -e --echo-queries -E --echo-hidden -H --html --csv -n --no-readline -q --quiet -s --single-step -S --single-line -t --tuples-only -V -x --expanded -X --no-psqlrc -z --field-separator-zero -0 --record-separator-zero
 -1 --single-transaction
values -v --set --variable -F --field-separator -P --pset -R --record-separator -T --table-attr
-l --list
-d --dbname DB : net.connect(DB) if DB~'.*://.*'
env PSQL_PAGER PSQL_EDITOR : sh(VALUE)
env PSQLRC : opaque 'psql runs a file that a variable names'
-c --command SQL : db.write(written(SQL, any)), program('psql', SQL)
-f --file FILE : file.read(FILE), db.write(written(content(FILE), any)), script('psql', FILE)
-o --output -L --log-file OUT : file.write(OUT) if not OUT~'[|].*', sh(without(OUT, '|')) if OUT~'[|].*'
args DB USER : net.connect(DB) if DB~'.*://.*'
do db.read(), net.connect() if not -h and not DB~'.*://.*'
do db.write(written(STDIN, any)) if not -c and not -f and not -l, program('psql', STDIN) if not -c and not -f and not -l
out any

[pg_dump, pg_dumpall]
use libpq
flags -a --data-only -b --blobs -B --no-blobs -c --clean -C --create -O --no-owner -s --schema-only -x --no-privileges --no-acl -v --verbose -Fc -Fp -Ft -Fd --if-exists --inserts --column-inserts --disable-triggers --no-comments --no-publications --no-subscriptions --no-tablespaces --quote-all-identifiers
 --serializable-deferrable --use-set-session-authorization --no-sync -g --globals-only -r --roles-only --no-security-labels --strict-names --on-conflict-do-nothing --load-via-partition-root
values -F --format -j --jobs -n --schema -N --exclude-schema -t --table -T --exclude-table -E --encoding -S --superuser -Z --compress --exclude-table-data --lock-wait-timeout --rows-per-insert --section --snapshot --extra-float-digits -l --database
-d --dbname DB : net.connect(DB) if DB~'.*://.*'
--filter LIST : file.read(LIST)
-f --file OUT : file.write(tree(OUT))
args DB : net.connect(DB) if DB~'.*://.*'
do db.read(), net.connect() if not -h and not DB~'.*://.*'
out <net>

[pg_restore]
use libpq
flags -a --data-only -c --clean -C --create -e --exit-on-error -l --list -O --no-owner -s --schema-only -v --verbose -x --no-privileges --no-acl -1 --single-transaction --disable-triggers --if-exists --no-comments --no-data-for-failed-tables --no-tablespaces --strict-names --no-security-labels
values -F --format -I --index -j --jobs -n --schema -N --exclude-schema -P --function -S --superuser -t --table -T --trigger --section
-d --dbname DB : db.write(DB), net.connect(DB) if DB~'.*://.*', net.connect() if not -h
-f --file OUT : file.write(OUT)
-L --use-list LIST : file.read(LIST)
args FILE : file.read(tree(FILE))
out <file>

[createdb, dropdb, createuser, dropuser, reindexdb, vacuumdb, pg_isready]
use libpq
flags -e --echo -f --force -i --interactive -q --quiet -v --verbose -z --analyze -a --all -s --superuser -S -P --pwprompt --if-exists -r -R -l
values -D --tablespace -E --encoding --locale -O --owner -T --template --maintenance-db -t --timeout -d --dbname -j --jobs
args DB WORD...
do net.connect() if not -h, db.write() if not PROGRAM=='pg_isready'
out any

[%mysql]
mark exact
-h --host HOST : net.connect(HOST)
-S --socket SOCKET
values -P --port -u --user --protocol --default-character-set --ssl-ca --ssl-cert --ssl-mode --ssl-key --max-allowed-packet --login-path --connect-timeout
optional -p --password
--defaults-file --defaults-extra-file CONFIG : secret.read(CONFIG)
flags -C --compress -v --verbose --ssl --skip-ssl -V --no-defaults -f --force
env MYSQL_HOST : net.connect(VALUE)
env LIBMYSQL_PLUGINS LIBMYSQL_PLUGIN_DIR : opaque 'a variable makes the client load a library'
--plugin-dir --init-command --plugin-load CODE : opaque 'the client loads a library or runs a statement'

[mysql, mariadb, mycli]
use mysql
flags -A --no-auto-rehash -B --batch -b --no-beep --column-names -N --skip-column-names -n --unbuffered -q --quick -r --raw -s --silent -t --table -E --vertical -H --html -X --xml --safe-updates --comments --csv -w --wait --local-infile --show-warnings
values --delimiter --prompt --select-limit --max-join-size
-D --database DB
-e --execute SQL : db.write(written(SQL, any)), program('mysql', SQL)
--tee OUT : file.write(OUT)
--pager PAGER_? : sh(PAGER_) if not PAGER_~'less( -\w+)*|more|cat'
args DB_
do db.read(), net.connect() if not -h
do db.write(written(STDIN, any)) if not -e, program('mysql', STDIN) if not -e
out any

[mysqldump, mariadb-dump]
use mysql
flags -A --all-databases -B --databases --add-drop-table --add-drop-database --single-transaction --quick -q --routines -R --triggers --events -E --no-data -d --no-create-info -t --no-create-db -n --skip-lock-tables --lock-tables --hex-blob --complete-insert -c --extended-insert --skip-extended-insert --skip-comments --compact --opt --skip-opt --no-tablespaces -y --skip-add-locks --skip-triggers --flush-logs -x --lock-all-tables --dump-date --skip-dump-date -X
values --ignore-table -w --where --set-gtid-purged --column-statistics --master-data --source-data --tables
-r --result-file OUT : file.write(OUT)
-T --tab DIR : file.write(under(DIR))
args DB TABLE...
do db.read(), net.connect() if not -h
out <net>

[mysqladmin, mysqlimport, mysqlcheck]
use mysql
args WORD... : file.read(WORD) if PROGRAM~'mysqlimport'
do db.read(), db.write(), net.connect() if not -h
out any

[redis-cli, valkey-cli, keydb-cli]
style posix
flags --raw --no-raw --csv --json -c --tls --insecure --stat --latency --bigkeys --memkeys --hotkeys --scan --no-auth-warning -x -X -2 -3 --quoted-input --show-pushes --verbose -e
values -p -a --pass --user -n -r -i --pattern -d -D --sni --quoted-pattern
--cacert --cacertdir CERTIFICATE : file.read(CERTIFICATE)
-h HOST : net.connect(HOST)
-u URI : net.connect(URI)
-s SOCKET : net.connect(SOCKET)
--cert --key KEY : secret.read(KEY)
--rdb --functions-rdb OUT : file.write(OUT)
--eval FILE : file.read(FILE), opaque 'a script is run by the server'
--pipe : db.write()
args COMMAND WORD... : db.write() if not COMMAND~'(?i)(get|mget|keys|scan|exists|ttl|pttl|type|llen|lrange|lindex|hget|hmget|hgetall|hkeys|hvals|hlen|smembers|sismember|scard|zrange|zcard|zscore|info|ping|dbsize|strlen|echo|time|object|xlen|xrange|lastsave)'
do db.read(), net.connect('127.0.0.1') if not -h and not -u, db.write() if not COMMAND and not --pipe
out any

[mongosh, mongo]
mark exact
flags --quiet --norc --tls --tlsAllowInvalidCertificates --nodb --json --verbose --ipv6 --retryWrites --skipStartupWarnings
values -u --username -p --password --authenticationDatabase --authenticationMechanism --port --tlsCAFile
--host HOST : net.connect(HOST)
--eval CODE : program('mongo', CODE)
-f --file FILE : file.read(FILE), opaque 'a script is run by the client'
--shell
args URI : net.connect(URI), code('mongo', only(URI, '.*[.]m?js'))
do db.read(), db.write(), net.connect() if not --host and not URI
do program('mongo', STDIN) if not --eval and not -f
out any

[mongodump, mongoexport, mongorestore, mongoimport, mongostat, mongotop, bsondump]
mark exact
flags --quiet -v --verbose --gzip --oplog --drop --jsonArray --pretty --headerline --upsert --ssl --tls --ignoreBlanks --objcheck --dryRun --stopOnError
values -u --username -p --password --authenticationDatabase --port -d --db -c --collection --type -f --fields -q --query --sort --limit --skip --mode --nsInclude --nsExclude --nsFrom --nsTo --readPreference --upsertFields --numInsertionWorkers --authenticationMechanism
-h --host HOST : net.connect(HOST)
--uri URI : net.connect(URI)
-o --out OUT : file.write(tree(OUT))
--archive ARCHIVE? : file.write(ARCHIVE) if PROGRAM=='mongodump', file.read(ARCHIVE) if not PROGRAM=='mongodump'
--file --dir --fieldFile --queryFile --config FILE_ : file.read(tree(FILE_))
args FILE : file.read(tree(FILE))
do db.read(), net.connect() if not -h and not --uri, db.write() if PROGRAM~'mongo(restore|import)', file.write(tree('dump')) if PROGRAM=='mongodump' and not -o and not --archive
out any

[duckdb]
style long
flags -ascii -bail -batch -box -column -csv -echo -header -html -interactive -json -jsonlines -line -list -markdown -noheader -quote -readonly -table -unredacted -no-stdin -version -safe
values -newline -nullvalue -separator -storage_version
-c -s -cmd SQL : file.read(quoted(SQL)), file.write(quoted(only(SQL, '(?i).*\b(copy|export|attach|vacuum)\b.*'))), db.write(written(SQL, DATABASE)), file.write(written(SQL, DATABASE)),
 web.fetch() if SQL~'(?i).*(https?://|s3://|install ).*', program('duckdb', SQL)
-f -init FILE : file.read(FILE), opaque 'a script is run by the client'
-ui -unsigned : opaque 'the client loads extensions, or serves a page'
args DATABASE SQL_ : file.read(DATABASE), db.read(DATABASE), file.read(quoted(SQL_)), file.write(quoted(only(SQL_, '(?i).*\b(copy|export|attach|vacuum)\b.*'))), db.write(written(SQL_, DATABASE)), file.write(written(SQL_, DATABASE)),
 web.fetch() if SQL_~'(?i).*(https?://|s3://|install ).*', program('duckdb', SQL_)
do file.read(quoted(STDIN)) if not SQL and not SQL_, file.write(quoted(only(STDIN, '(?i).*\b(copy|export|attach|vacuum)\b.*'))) if not SQL and not SQL_, db.write(written(STDIN, DATABASE)) if not SQL and not SQL_, program('duckdb', STDIN) if not SQL and not SQL_
out any

[influx, clickhouse, clickhouse-client, clickhouse-local, cqlsh, usql, sqlcmd, pgcli, bcp, isql]
-h --host -H HOST : net.connect(HOST)
-f --file -i --queries-file FILE : file.read(FILE), opaque 'a script is run by the client'
-o --output --out OUT : file.write(OUT)
-q -Q -c -e --query --command --execute SQL : db.write(written(SQL, any)), program('client', SQL)
values -U --username --user -u -P --port -p --password -d --dbname --database -F --format -S
flags --json --csv --vertical -m --multiline -n --multiquery --progress -t --time --stacktrace --echo --secure -s --silent -C -E -N -x --ssl --encrypt --debug -v --verbose --no-color --hide-headers -I -b -k --trim
values --org --token --bucket --input-format --output-format --max_memory_usage --connect-timeout --request-timeout --keyspace -K -W --precision -r -y -l -a
args WORD... : file.read(WORD), file.write(WORD) if PROGRAM~'bcp'
do net.connect() if not -h, db.read(), db.write(written(STDIN, any)) if not SQL, program('client', STDIN) if not SQL
out any
