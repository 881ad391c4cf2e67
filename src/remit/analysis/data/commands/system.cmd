# Processes, services, schedules, users, devices and settings of the machine.

[*]
env PATH : steered(VALUE)
env LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT DYLD_* HOME XDG_CONFIG_HOME XDG_CONFIG_DIRS : steered(VALUE)
env GCONV_PATH GLIBC_TUNABLES : opaque 'a variable makes programs load code'
env OPENSSL_CONF OPENSSL_ENGINES OPENSSL_MODULES : steered(VALUE)

# Variables that name files into which whatever runs writes what it did.
[*/files]
env NODE_V8_COVERAGE NODE_REDIRECT_WARNINGS NODE_REPL_HISTORY LD_DEBUG_OUTPUT LD_PROFILE_OUTPUT MALLOC_TRACE GCOV_PREFIX LLVM_PROFILE_FILE COVERAGE_FILE : file.write(tree(VALUE)), file.write(series(VALUE)), file.write(series(before(VALUE, '%')))

[%processes]
flags -f --full -i --ignore-case -n --newest -o --oldest -v --inverse -w --lightweight -x --exact -q -L --logpidfile -A --ignore-ancestors -Q --shell-quote --quiet -m --mrelease --require-handler -H -I -S
-l --list-name -a --list-full
-d --delimiter _
values -g --pgroup -G --group -P --parent -s --session -t --terminal -u --euid -U --uid -r --runstates --ns --nslist -O --older --signal --cgroup --env -M -N
-F --pidfile FILE : file.read(FILE)
-c --count
-e --echo

[pgrep]
use processes
args PATTERN
do process.query()
out(-l|-d) any
out union(num, '')

[pkill]
style long
use processes
flags -1 -2 -3 -6 -9 -10 -12 -15 -18 -19 -HUP -INT -QUIT -ABRT -KILL -USR1 -USR2 -TERM -CONT -STOP -SIGHUP -SIGINT -SIGQUIT -SIGABRT -SIGKILL -SIGUSR1 -SIGUSR2 -SIGTERM -SIGCONT -SIGSTOP -0 -fx -xf -fi -if -9f -f9
args PATTERN : process.kill(PATTERN)
do process.kill() if not PATTERN
out any

[pidof]
flags -s -c -q -w -x
values -o -S
args NAME...
do process.query()
out union(num, '')

[lsof]
style posix
flags -a -b -C -h -l -n -N -O -P -R -U -v -V -w -x -X
values -c -d -g -p -u -S -T -F -o -L -K -f
optional -i -s -r
-t
args WORD...
do process.query()
out(-t) union(num, '')
out any

# Without a dash `e` shows the variables of every process.
[ps]
values -o -O -p -q -C -u -U -g -G -s -t -k --format --sort --pid --ppid --user --User --group --Group --tty --sid --cols --columns --rows
 --lines --width --quick-pid
flags -A -a -d -e -f -F -j -l -L -M -N -T -V -w -x -y -Z -H -c -m -r -S -v -h
-E : env.read()
flags --headers --no-headers --no-heading --forest --deselect --info --cumulative --context --headings -P -n -X -D -i -1 -2 -3 -4 -5 -6 -7 -8 -9 -0
args WORD...
do process.query()
do env.read() if WORD~'[A-Za-z]*e[A-Za-z]*'
out any

[fuser]
-k --kill : process.kill()
mark numbers
flags -a --all -c -f -i --interactive -I --inode -l --list-signals -m --mount -M --ismountpoint -s --silent -u --user -v --verbose -w --writeonly -4 -6 --ipv4 --ipv6 -
-n --namespace SPACE
-H -U -P -T -E -R -K -L -S -O -G -N
args WORD...
do process.query()
out any

[pstree]
flags -a -A -c -g -G -h -k -l -n -p -s -S -t -T -u -U -V -Z -w --arguments --ascii --compact-not --highlight-all --long --numeric-sort --show-pids --show-parents --hide-threads --unicode --uid-changes --thread-names --show-pgids
values -H --highlight-pid -N --ns-sort -C --color -f -d
args WORD...
do process.query()
out any

[ss]
flags -h -V -n -r -a -l -B -o -e -m -p -T -i -s -E -Z -z -b -4 -6 -0 -t -u -d -w -x -S -M -H -O -Q --numeric --resolve --all --listening --bound-inactive --options --extended --memory --processes --threads --info --summary --events --context --contexts --bpf --ipv4 --ipv6 --packet --tcp --udp --dccp --raw --unix --sctp --vsock --tipc --xdp --mptcp --no-header --oneline --no-queues --cgroup --tos --inet-sockopt
values -N --net -f --family -A --query --socket
-K --kill : system.configure('network')
-D --diag OUT : file.write(OUT)
-F --filter FILE : file.read(FILE)
args WORD...
do process.query()
out any

[netstat]
flags -v -W -n -N -e -p -o -l -a -s -t -u -w -x -r -i -g -M -c -C -F -S -4 -6 -b -d -L -m -R -Z -U -X -q -h -V -z --verbose --wide --numeric --numeric-hosts --numeric-ports --numeric-users --symbolic --extend --programs --timers --continuous --cache --listening --all --statistics --tcp --udp --raw --unix --route --interfaces --groups --masquerade --fib --context --inet --inet6
values -A -f -I -P --protocol
args WORD...
do process.query()
out any

[jobs]
mark builtin
style posix
flags -l -n -p -r -s
-x COMMAND... : run(COMMAND)
args WORD...
do process.query()
out any

[pmap]
flags -x --extended -X -d --device -q --quiet -p --show-path -V -k --use-kernel-name
values -A --range
-c --read-rc : file.read('~/.pmaprc')
-n --create-rc : file.write('~/.pmaprc')
-C --read-rc-from FILE : file.read(FILE)
-N --create-rc-to OUT : file.write(OUT)
args WORD...
do process.query()
out any

[procs, jps, pidstat, iotop]
style posix
mark numbers
flags -a --and -o --or --tree -t -w -q -l -m -v -V -d -I -r -s -u -U -R -H -h --human -b --batch --only -P --processes --accumulated -k --kilobytes -c --thread --no-header --dec
values -n --iter --delay --pid -p -C -T -G --sorta --sortd --insert --user --pager --color --theme --interval
-e COMMAND... : run(COMMAND) if PROGRAM=='pidstat'
--load-config CONFIG : file.read(CONFIG)
--gen-completion --gen-completion-out SHELL? : file.write(under('.'))
args WORD...
do process.query()
out any

[nvidia-settings]
flags -v --version -t --terse -d --display-device-string --verbose
values -q --query -g -c --ctrl-display -p --page -V
-a --assign SETTING : system.configure('gpu')
-l --load-config-only -n --no-config -r --rewrite-config-file -R : system.configure('gpu'), file.write('~/.nvidia-settings-rc')
--config FILE : file.read(FILE), file.write(FILE)
args WORD...
do process.query()
out any

[kill]
mark builtin
style words
args WORD... : process.kill(WORD)
do process.kill() if not WORD
out any

[killall, skill, xkill]
style words
args WORD... : process.kill(WORD)
do process.kill() if not WORD
out any

[crontab]
-l : schedule.read(union(under('/var/spool/cron'), under('/var/at/tabs')))
-r : schedule.delete(union(under('/var/spool/cron'), under('/var/at/tabs')))
-e -i : schedule.create(union(under('/var/spool/cron'), under('/var/at/tabs')))
-u USER
args FILE : file.read(FILE), schedule.create(union(under('/var/spool/cron'), under('/var/at/tabs'))), script('crontab', FILE)
do schedule.create(union(under('/var/spool/cron'), under('/var/at/tabs'))) if not FILE and not -l and not -r, program('crontab', PIPED) if not FILE and not -l and not -r
out any

[at, batch]
-f FILE : file.read(FILE), script('shell', FILE)
-l : schedule.read()
-d -r : schedule.delete()
-c : schedule.read()
flags -m -M -v -V
-q -t _
args WORD...
do schedule.create() if not -l and not -d and not -c, sh(PIPED) if not -f and not -l and not -d and not -c
out any

[atq]
args _...
do schedule.read()
out any

[atrm]
args _...
do schedule.delete()

[systemctl]
flags --user --system --now --no-pager -q --quiet -l --full --all -a --failed --plain --no-legend --no-block -f --force --global --runtime --wait -r -i -v -h -P -T --recursive --reverse --with-dependencies --show-transaction --show-types --value --dry-run
 --no-wall --no-reload --no-ask-password --read-only --mkdir --marked --firmware-setup
-H --host HOST : net.connect(HOST)
--root --image ROOT : file.read(any), file.write(any)
values -t --type --state -p --property -M --machine -n --lines -o --output --job-mode -s --signal --kill-who --kill-whom --what --preset-mode --timestamp --legend --check-inhibitors --boot-loader-menu --boot-loader-entry
do schedule.read()
out any

[systemctl status, systemctl is-active, systemctl is-enabled, systemctl is-failed, systemctl list-units, systemctl list-timers, systemctl list-unit-files, systemctl show, systemctl cat, systemctl list-dependencies, systemctl is-system-running, systemctl get-default, systemctl list-sockets, systemctl list-jobs, systemctl show-environment, systemctl list-machines, systemctl list-paths, systemctl list-automounts, systemctl list-mounts, systemctl help, systemctl whoami]
args UNIT...
do schedule.read()
out any

[systemctl start, systemctl stop, systemctl restart, systemctl reload, systemctl try-restart, systemctl kill, systemctl reload-or-restart, systemctl isolate, systemctl try-reload-or-restart, systemctl reload-or-try-restart, systemctl force-reload, systemctl condrestart, systemctl freeze, systemctl thaw, systemctl clean, systemctl bind, systemctl mount-image, systemctl cancel]
args UNIT...
do system.configure('services')

[systemctl enable, systemctl link, systemctl edit, systemctl reenable, systemctl preset, systemctl add-wants, systemctl set-property, systemctl revert, systemctl add-requires, systemctl preset-all]
args UNIT...
do schedule.create()

[systemctl disable, systemctl mask, systemctl unmask]
args UNIT...
do schedule.delete()

[systemctl daemon-reload, systemctl daemon-reexec, systemctl reboot, systemctl poweroff, systemctl halt, systemctl suspend, systemctl hibernate, systemctl set-default, systemctl set-environment, systemctl import-environment, systemctl unset-environment, systemctl reset-failed, systemctl rescue, systemctl emergency, systemctl exit, systemctl default, systemctl kexec, systemctl soft-reboot, systemctl switch-root, systemctl hybrid-sleep, systemctl suspend-then-hibernate, systemctl log-level, systemctl log-target, systemctl service-log-level, systemctl service-log-target, systemctl service-watchdogs]
args _...
do system.configure('services')

[systemd-run]
style posix
flags --user --system --scope -t --pty -P --pipe -q --quiet -G --collect -r --remain-after-exit --send-sighup --wait --no-block --no-ask-password -d --same-dir --slice-inherit -v --verbose --expand-environment
values -u --unit --description --slice --uid --gid --nice -E --setenv --on-active --on-boot --on-startup --on-unit-active --on-unit-inactive --on-calendar --timer-property --service-type -M --machine --background --json
-H --host HOST : net.connect(HOST)
-p --property --path-property --socket-property SETTING : opaque 'a setting of the service names a program' if SETTING~'(?i)(Exec|On|Root|Bind|PAM|Environment|Standard|Load|Import).*'
--working-directory DIR : chdir(DIR)
-S --shell : shell(STDIN)
args COMMAND... : run(COMMAND)
do schedule.create()

[launchctl]
out any

[launchctl asuser, launchctl bsexec]
style posix
args SESSION COMMAND... : run(COMMAND)

[launchctl list, launchctl print, launchctl getenv, launchctl managername, launchctl blame, launchctl version, launchctl help, launchctl print-disabled, launchctl print-cache, launchctl dumpstate, launchctl hostinfo, launchctl manageruid, launchctl managerpid, launchctl procinfo, launchctl examine]
args _...
do schedule.read()
out any

[launchctl load, launchctl bootstrap, launchctl enable, launchctl submit, launchctl start, launchctl kickstart]
flags -w -F -k -s -d -p
values -S -D -l
-o -e OUT : file.write(OUT)
args WORD... : schedule.create(only(WORD, '.*[.]plist')), schedule.create() if not WORD~'.*[.]plist'

[launchctl unload, launchctl bootout, launchctl disable, launchctl remove, launchctl stop]
flags -w -F -k -s -d -p
values -S -D
args WORD... : schedule.delete(only(WORD, '.*[.]plist')), schedule.delete() if not WORD~'.*[.]plist'

[launchctl setenv, launchctl unsetenv, launchctl config, launchctl limit, launchctl kill, launchctl reboot]
args WORD... : system.configure('launchd')

[pm2]
args WORD... : opaque 'a process manager runs what it is told to'
out any

[pm2 list, pm2 ls, pm2 l, pm2 status, pm2 ps, pm2 logs, pm2 monit, pm2 describe, pm2 desc, pm2 info, pm2 show, pm2 jlist, pm2 prettylist, pm2 ping, pm2 env, pm2 id, pm2 pid, pm2 report]
else field(OPTION, VALUE)
args WORD...
do process.query('pm2')
out any

[pm2 stop, pm2 delete, pm2 del, pm2 kill, pm2 flush, pm2 reset]
else field(OPTION, VALUE)
args WORD...
do process.kill('pm2')

[pm2 startup, pm2 unstartup, pm2 save, pm2 resurrect]
else field(OPTION, VALUE)
args WORD...
do schedule.create(), file.write(under('~/.pm2'))

[service, rc-service, initctl, supervisorctl, sc, rc-update]
args NAME WORD... : system.configure('services')
flags --status-all --full-restart -a -d -f -i -l -q -v -Z --verbose --quiet --interactive
values -u --username -p --password
-c --configuration --history-file -r FILE : file.read(FILE)
-s --serverurl URL : net.connect(URL)
out any

[journalctl]
flags -a --all -f --follow -e --pager-end -r --reverse -q --quiet -x --catalog -l --full -k --dmesg --system --user --no-pager --no-full --no-tail --no-hostname --utc --list-boots --disk-usage --header --list-catalog --dump-catalog --sync -m --merge --fields -N --verify --show-cursor --truncate-newline --list-invocations -I
optional -b --boot --case-sensitive
values -n --lines -o --output -u --unit --user-unit -t --identifier -T --exclude-identifier -p --priority --facility -g --grep -S --since -U --until -c --cursor --after-cursor -M --machine -F --field --output-fields --namespace --interval --invocation
--vacuum-size --vacuum-time --vacuum-files LIMIT : file.delete('/var/log/journal')
--rotate --flush --relinquish-var --smart-relinquish-var --setup-keys --update-catalog : system.configure('logs')
-D --directory -i --file --root --image --verify-key FILE : file.read(tree(FILE))
--cursor-file CURSOR : file.read(CURSOR), file.write(CURSOR)
args WORD...
do process.query()
out any

[dmesg]
flags -d --show-delta -e --reltime -H --human -J --json -k --kernel -P --nopager -p --force-prefix -r --raw -S --syslog -T --ctime -t --notime --noescape -u --userspace -w --follow -W --follow-new -x --decode -h -V -a
optional -L --color
values -f --facility -l --level -s --buffer-size --time-format --since --until
-C --clear -c --read-clear -D --console-off -E --console-on : system.configure('logs')
-n --console-level _ : system.configure('logs')
-F --file -K --kmsg-file FILE : file.read(FILE)
args WORD...
do process.query()
out any

[log]
flags --info --debug --no-info --no-debug --signpost --backtrace --loss --mach-continuous-time --no-pager --all --ttl --reset --status
values --predicate --last --style --start --end --process --timeout --level --type --color --source --mode --subsystem --category --size --device --device-name --device-udid --user
--archive --file FILE : file.read(tree(FILE))
--output OUT : file.write(tree(OUT))
args WORD... : system.configure('logs') if WORD~'erase|config'
do process.query(), file.write(under('.')) if WORD=='collect'
out any

[coredumpctl]
flags -1 -r --reverse -q --quiet --no-pager --no-legend --all -h
values -n -S --since -U --until -F --field --json
-D --directory --file --root --image FILE : file.read(tree(FILE))
-o --output OUT : file.write(OUT)
--debugger PROGRAM_ : run(PROGRAM_)
-A --debugger-arguments _ : opaque 'a debugger is started'
args WORD... : opaque 'a debugger is started' if WORD~'debug|gdb'
do process.query()
out any

[logger]
flags -d --udp -T --tcp -e --skip-empty -i -s --stderr --no-act --octet-count --prio-prefix --rfc3164
optional --rfc5424 --socket-errors
--journald ENTRY? : file.read(ENTRY)
-f --file FILE : file.read(FILE)
-n --server HOST : net.connect(HOST)
-P --port -p --priority -t --tag -S --size --id --msgid --sd-id --sd-param _?
-u --socket SOCKET : net.connect(SOCKET)
args WORD...

# Who is logged in sees it.
[wall, write]
flags -n --nobanner
values -t --timeout -g --group
args WORD... : file.read(only(WORD, '[^ ]*')) if PROGRAM=='wall'
do message.send()

[sysctl]
flags -a --all -A -X -x -b --binary -e --ignore -N --names -n --values -q --quiet -V -d -o -h --deprecated --dry-run -l -t
values -r --pattern
-w --write --system : system.configure('kernel')
-p -f --load FILE? : system.configure('kernel'), file.read(FILE)
args(-p) FILE_... : file.read(FILE_), system.configure('kernel')
args WORD... : system.configure('kernel') if WORD~'.*=.*'
out any

[timedatectl, hostnamectl, localectl, loginctl, nmcli, diskutil, gsettings, dconf, tailscale, amixer, pactl, xdg-mime, xdg-settings, ufw, wg, powerprofilesctl, tmutil, networksetup, scutil, pmset, zerotier-cli, warp-cli, xrandr, xset, nvpmodel]
style words
args COMMAND WORD... : system.configure(PROGRAM) if not COMMAND~'status|list|show|get|info|read|query|version|ip|ping|netcheck|whois|-g|--get|--query|-q|q|list-[a-z]+|show-[a-z-]+|get-[a-z-]+|-get[a-z]+|-list[a-z]+|--[a-z]*version|--listmonitors|timesync-status|list-recursively|destinationinfo',
 system.configure(PROGRAM) if PROGRAM~'nmcli|amixer|pactl|ufw' and COMMAND~'-.*' and WORD
do process.query(PROGRAM), file.read(only(WORD, '.*[.](conf|wav)')) if PROGRAM~'wg|pactl', net.connect() if COMMAND~'-H.*|--host.*'
out any

[ifconfig, iwconfig, route, arp]
style words
args NAME WORD... : file.read(WORD) if NAME~'-f|--file', system.configure('network') if WORD, system.configure('network') if NAME~'add|del|delete|flush|change|-s|-d'
do process.query('network')
out any

# The terminal is the user's own.
[stty]
flags -a --all -g --save
-F --file DEVICE : file.read(DEVICE), file.write(DEVICE)
style long
flags -echo -echoe -echok -echonl -icanon -isig -ixon -ixoff -ixany -opost -onlcr -icrnl -inlcr -igncr -iexten -crtscts -cstopb -parenb -parodd -hupcl -hup -clocal -cread -brkint -ignbrk -ignpar -parmrk -inpck -istrip -iuclc -imaxbel -iutf8 -ocrnl -onocr -onlret -ofill -ofdel -olcuc -tostop -echoctl -echoke -echoprt -crterase -crtkill -ctlecho -prterase -noflsh -cooked -raw -cbreak -nl -evenp -oddp -parity -pass8 -litout -lcase -LCASE -decctlq -tandem -extproc -flusho -pendin -cdtrdsr -cmspar -xcase -drain
args WORD...
out any

[defaults]
style words
args COMMAND WORD... : system.configure('defaults') if not COMMAND~'read|read-type|domains|find|help|export', maybefile(WORD) if COMMAND~'export|import', file.write(ending(only(WORD, '.*/.*'), '.plist=.plist', '=.plist'))
do file.read('~/Library/Preferences')
out any

# Disks, modules and tables: what is named may be a file.
[insmod, swapon, swapoff, mkswap, mkfs, mkfs.*, mke2fs, fdisk, parted, sfdisk, gdisk, sgdisk, cryptsetup, losetup, lvcreate, vgcreate, pvcreate, mdadm, fsck, fsck.*, e2fsck, tune2fs, resize2fs, hdparm, wipefs, growpart, hdiutil, kextload, restorecon, aa-enforce, grub-mkconfig, alsactl, xmodmap, loadkeys, kwriteconfig5, lpadmin, blockdev, dmsetup, jetson_clocks, nft, pfctl, semanage]
style words
args WORD... : maybefile(WORD)
do system.configure()
out any

[depmod, modprobe, update-initramfs, dracut, openvpn, wg-quick, visudo]
style words
args WORD... : maybefile(WORD), opaque 'settings that are named here can run commands' if WORD~'-C.*|--config.*|.*[./].*|--(up|down|script|include|install|plugin).*|-f'
do system.configure(), opaque 'an editor is started' if PROGRAM=='visudo' and not WORD~'-.*c.*|--check'
out any

[rmmod, nvram, systemsetup, spctl, csrutil, dscl, sysadminctl, createhomedir, dseditgroup, authconfig, cpupower, tuned-adm, bluetoothctl, blueutil, rfkill, iw, ifup, ifdown, ethtool, iptables, ip6tables, firewall-cmd, brctl, useradd, userdel, usermod, adduser, deluser, groupadd, groupdel, groupmod, addgroup, chage, chsh, chfn, setenforce, setsebool, update-grub, shutdown, reboot, halt, poweroff, init, telinit, xhost, setxkbmap, pacmd, lpoptions, cupsenable, setterm, quotaon, efibootmgr, ipvsadm, tc]
style words
args WORD...
do system.configure()
out any

[passwd, chpasswd, gpasswd]
flags -d -e -l -u -S -q -k -h -m --delete --expire --lock --unlock --status --all --quiet --keep-tokens --stdin --encrypted --md5
values -n -x -w -i -r -c -s -a -A -M --mindays --maxdays --warndays --inactive --crypt-method --add --administrators --members
-R -P --root --prefix ROOT : file.read(any), file.write(any)
args WORD...
do secret.write('passwords')

[vipw, vigr]
flags -g -p -q -s
do secret.write('passwords'), opaque 'an editor is started'

[htpasswd]
flags -b -i -m -2 -5 -B -d -s -p -v -c -D
values -C -r
-n
args(-n) _...
args FILE WORD... : secret.read(FILE), secret.write(FILE)
do secret.write('passwords')

[su]
flags -f --fast -l --login -m -p --preserve-environment -P --pty
values -g --group -G --supp-group -w --whitelist-environment
-c --command --session-command COMMAND : sh(COMMAND)
-s --shell SHELL : run(SHELL)
-
args USER WORD... : script('shell', only(WORD, '.*[./].*'))
do system.configure('root'), shell(STDIN) if not -c

[gosu, su-exec]
style posix
args USER COMMAND... : run(COMMAND)
do system.configure('root')

[runuser, setpriv, capsh]
style posix
flags -l --login -m -p --preserve-environment
-u -g -G -s --user --group _
-c --command COMMAND_ : sh(COMMAND_)
flags -f --fast -P --pty --clear-groups --init-groups --keep-groups --no-new-privs --nnp --reset-env -d --dump --list-caps --print
values -w --whitelist-environment --reuid --regid --ruid --rgid --euid --egid --groups --inh-caps --ambient-caps --bounding-set --securebits --pdeathsig --selinux-label --apparmor-profile --caps --drop --keep --uid --gid --inh --addamb --delamb
--session-command COMMAND__ : sh(COMMAND__)
args COMMAND... : run(COMMAND)
do system.configure('root')

[nsenter]
style posix
flags -a --all -e --env --preserve-credentials -F --no-fork -Z --follow-context
-m --mount -u --uts -i --ipc -n --net -p --pid -C --cgroup -U --user -T --time SPACE? : file.read(SPACE)
-r --root -w --wd -W --wdns ROOT? : chdir(ROOT)
values -t --target -S --setuid -G --setgid
args COMMAND... : run(COMMAND)
do system.configure('namespaces'), shell(STDIN) if not COMMAND

[unshare]
style posix
flags -r --map-root-user -c --map-current-user --map-auto -f --fork --keep-caps
optional --kill-child --mount-proc
-m --mount -u --uts -i --ipc -n --net -p --pid -C --cgroup -U --user -T --time SPACE? : file.write(SPACE)
-w --wd -R --root ROOT : chdir(ROOT)
values -S --setuid -G --setgid --map-user --map-group --map-users --map-groups --propagation --setgroups --monotonic --boottime
args COMMAND... : run(COMMAND)
do system.configure('namespaces'), shell(STDIN) if not COMMAND

[bwrap, firejail, sandbox-exec, systemd-nspawn, proot]
style posix
args _...
do opaque 'a sandbox starts a command behind its own options'

[umount, fusermount, fusermount3]
flags -a -A -d -f -i -l -n -q -r -R -u -v -z --all --lazy --force --quiet --recursive --detach-loop --read-only --all-targets
values -o -O -t --types --test-opts
-N --namespace NAMESPACE : file.read(NAMESPACE)
args WORD... : system.configure('mounts')
out any

[mount, sshfs]
flags -a -B -c -f -F -i -l -M -n -r -R -s -v -w -d -C --all --bind --rbind --move --make-private --make-rprivate --make-shared --make-rshared --make-slave --read-only --rw --verbose --fake --mkdir --no-canonicalize
values -o --options -t --types -L --label -U --uuid -O --test-opts -N --namespace -p --options-mode
-T --fstab FILE : file.read(tree(FILE))
--source SOURCE : link(DST, SOURCE)
--target TARGET : link(TARGET, SRC), link(TARGET, SOURCE), link(TARGET, DST)
args SRC... DST : system.configure('mounts'), maybefile(local(SRC)), maybefile(local(DST)), net.connect(host(SRC)), net.connect(host(DST)), link(DST, SRC)
out any

[ip]
style long
flags -4 -6 -s -d -o -j -p -br -c -a --json --brief --color --oneline -details -stats
values -n -netns
args WORD... : system.configure('network') if WORD~'add|del|delete|set|flush|replace|change|append|exec|up|down|save|restore', opaque 'a command is run in a network of its own' if WORD=='exec'
do process.query('network')
out any

[script]
flags -a --append -e --return -f --flush -q --quiet -r -k -d -F
values -E --echo -m --logging-format -o --output-limit
-t --timing TIMING? : file.write(TIMING)
-c --command COMMAND : sh(COMMAND)
-I -O -B -T --log-in --log-out --log-io --log-timing OUT : file.write(OUT)
args(-c) FILE : file.write(FILE)
args FILE WORD... : file.write(FILE), run(WORD)
do file.write('typescript') if not FILE, shell(STDIN) if not -c and not WORD

[flock]
style posix
flags -s --shared -x --exclusive -u --unlock -n --nonblock -e -o --close -F --no-fork -v --verbose --nb
values -w --timeout -E --conflict-exit-code
-c --command COMMAND_ : sh(COMMAND_)
args FILE COMMAND... : file.read(FILE) if not FILE~'[0-9]+', file.write(FILE) if not FILE~'[0-9]+', run(COMMAND)

[watch]
style posix
flags -b --beep -c --color -e --errexit -g --chgexit -p --precise -t --no-title -w --no-wrap -x --exec -C --no-color -f --follow -r --no-rerun
optional -d --differences
values -n --interval -q --equexit -s --shotsdir
args COMMAND... : sh(echo(COMMAND))

[strace, ltrace, gdb, lldb, valgrind, perf, ncu, nsys, heaptrack, hyperfine, dtruss, xctrace, bpftrace]
style posix
-o --output --log-file -report --export OUT : file.write(OUT)
-p --pid -e --trace -E -s -n --eval-command -ex --batch-size -w --warmup -r --runs --min-runs _
args _...
do opaque 'a tracer starts a command behind its own options'

[entr]
style posix
flags -a -c -d -n -p -r -s -x -z
args COMMAND... : run(COMMAND)

[parallel]
style posix
args _...
do opaque 'parallel runs commands that it makes from its input'

[tmux]
values -L -S
-f FILE_ : opaque 'tmux runs commands of a file'
flags -2 -8 -C -D -l -u -v -V -q
do repl.create('tmux')
out any

[tmux new-session, tmux new, tmux new-window, tmux neww, tmux split-window, tmux splitw, tmux respawn-pane, tmux respawn-window, tmux popup, tmux display-popup]
style posix
flags -A -d -D -E -P -X -a -b -h -v -k -S -f -I -Z -C -B
values -s -n -t -x -y -F -e -l -p -w -T
-c DIR : chdir(DIR)
args COMMAND... : sh(echo(COMMAND)), opaque 'several commands of tmux stand in one line' if COMMAND~'.*;'
do repl.create('tmux')
out any

[tmux send-keys, tmux send]
style posix
flags -l -R -M -X -H -F -K
values -t -N -c
args KEY... : keys(KEY)

[tmux kill-session, tmux kill-server, tmux kill-window, tmux kill-pane]
flags -a -C
values -t
args WORD... : repl.terminate('tmux'), opaque 'several commands of tmux stand in one line' if WORD~'.*;'
do repl.terminate('tmux')

[tmux capture-pane, tmux capturep, tmux list-sessions, tmux ls, tmux list-windows, tmux lsw, tmux list-panes, tmux lsp, tmux has-session, tmux has, tmux display-message, tmux display, tmux show-options, tmux show, tmux show-buffer, tmux list-keys, tmux list-clients, tmux info, tmux show-environment]
flags -p -a -C -e -J -N -P -q -g -s -w -A -v -H
values -t -b -E -S -c -d
-F -f FORMAT : opaque 'a format of tmux runs a command' if FORMAT~'.*#[(].*'
args WORD... : opaque 'a format of tmux runs a command' if WORD~'.*#[(].*', opaque 'several commands of tmux stand in one line' if WORD~'.*;'
do repl.read('tmux')
out any

[tmux attach, tmux attach-session, tmux a, tmux detach, tmux detach-client, tmux switch-client, tmux select-window, tmux select-pane, tmux select-layout, tmux rename-session, tmux rename-window, tmux resize-pane, tmux resize-window, tmux set-option, tmux set, tmux set-window-option, tmux setw, tmux wait-for, tmux swap-pane, tmux move-window, tmux clear-history, tmux set-buffer, tmux delete-buffer, tmux start-server, tmux refresh-client, tmux next-window, tmux set-environment, tmux last-window]
-E COMMAND_? : opaque 'tmux runs a command'
flags -a -A -b -B -c -C -d -D -f -F -g -h -H -k -K -l -L -M -n -N -o -O -p -P -q -r -R -s -S -t -T -u -U -v -w -W -x -X -y -Z -e -I -i
args WORD... : opaque 'a setting of tmux runs a command' if WORD~'.*#[(].*', opaque 'a setting of tmux runs a command' if WORD~'default-command|default-shell|lock-command|copy-command|command-alias.*|editor|update-environment', opaque 'several commands of tmux stand in one line' if WORD~'.*;'

[tmux paste-buffer, tmux pasteb]
args WORD...
do repl.execute('tmux'), opaque 'what is typed into a terminal is not known'

[tmux load-buffer, tmux save-buffer]
flags -a -w
values -b -t
args FILE : file.read(FILE), file.write(FILE)

[tmux run-shell, tmux run, tmux if-shell, tmux pipe-pane, tmux source-file, tmux source, tmux set-hook, tmux bind-key, tmux bind]
style posix
values -t
args COMMAND... : sh(COMMAND), opaque 'tmux runs commands of its own'

[screen]
style posix
flags -a -A -d -D -m -f -i -l -L -q -r -R -U -v -x -O -dm -wipe
values -e -h -S -T -t -p -Logfile
-c -s FILE_ : opaque 'screen runs a program or commands of a file'
-ls -list : process.query('screen')
-X WORDS... : opaque 'screen runs commands of its own'
args COMMAND... : run(COMMAND), repl.create('screen')
out any

[zellij]
values --data-dir --session -s --max-panes
args WORD... : opaque 'a terminal multiplexer runs what is typed into it'
do opaque 'a terminal multiplexer runs what is typed into it' if not WORD

[zellij list-sessions, zellij ls]
flags -n -s -r --no-formatting --short --reverse --long
do process.query('zellij')
out any

[zellij delete-session, zellij kill-session, zellij delete-all-sessions, zellij kill-all-sessions]
flags -y --yes -f --force
args WORD...
do process.kill('zellij')
out any

[nvidia-ctk]
flags -q --quiet -d --debug --dry-run --set-as-default --in-place -i --enable-cdi --cdi.enabled
values --runtime --nvidia-runtime-name --format --mode --device-name-strategy --set --vendor --class --library-search-path --config-mode
else workfiles(VALUE, OPERANDS)
args WORD...
do system.configure('docker'), workfiles(WORD)
out any

[fail2ban-client]
flags -v -d -i -b -f -x -t -V -h -q --async --dp --test
values -s -p --pname --loglevel --logtarget --syslogsocket --timeout --str2sec
-c --conf CONFIG : file.read(tree(CONFIG)), opaque 'settings of the service can run commands'
args WORD... : system.configure('fail2ban'), opaque 'an action of the service runs a command' if WORD~'(add)?action.*'
out any

[expect, autoexpect]
style posix
flags -d -D -i -n -N
-c CODE : opaque 'an expect script is not analysed'
-b -f SCRIPT : script('expect', SCRIPT)
args SCRIPT ARGS... : script('expect', SCRIPT, ARGS)
do program('expect', PIPED) if not SCRIPT

[osascript]
style posix
flags -i -s
-l LANGUAGE
-e CODE : code('applescript', CODE)
args(not -e) SCRIPT ARGS... : script('applescript', SCRIPT, ARGS)
args _...
do code('applescript', STDIN) if not SCRIPT and not -e
out any

[pbcopy, clip, clip.exe, termux-clipboard-set]
style long
values -pboard -Prefer
args WORD...
do clipboard.write()
out none

[wl-copy]
flags -o --paste-once -f --foreground -c --clear -p --primary -n --trim-newline
values -t --type -s --seat
args WORD...
do clipboard.write()
out none

[pbpaste, termux-clipboard-get]
style long
values -pboard -Prefer
args WORD...
do clipboard.read()
out any

[wl-paste]
style posix
flags -n --no-newline -l --list-types -p --primary
values -t --type -s --seat
-w --watch COMMAND... : run(COMMAND)
args WORD...
do clipboard.read()
out any

[xclip, xsel]
style long
-o -out --output : clipboard.read()
flags -i -in --input -f -filter --follow -r -rmlastnl -silent -quiet -verbose -noutf8 -h -version -b --clipboard -p --primary -s --secondary -a --append -c --clear -k --keep -x --exchange -n --nodetach -v -bi -bo -ib --trim -sensitive --zeroflush -z --delete
values -selection -sel -selec -target -t -d -display -loops -wait --selectionTimeout
-l --logfile LOG : file.write(LOG) if PROGRAM=='xsel'
args FILE... : file.read(FILE)
do clipboard.write() if not -o
out any

[scrot]
-e --exec COMMAND : sh(COMMAND)
values -d --delay -q --quality -t --thumb -a --autoselect -D --display -l --line -k --stack -C --class -M --monitor
-F --file OUT : file.write(OUT)
flags -b --border -c --count -f --freeze -h -i --ignorekeyboard -m --multidisp -o --overwrite -p --pointer -u --focused -v -z --silent
optional -s --select
values -w --window -Z --compression -n --note -S --script --format
args FILE... : file.write(FILE)
do screen.capture()
out any

[peekaboo]
else field(OPTION, VALUE)
--path --output OUT : file.write(OUT)
args WORD... : file.write(only(WORD, '.*[./].*'))
do screen.capture()
out any

[screencapture]
flags -x -i -w -s -S -W -o -r -C -m -d -M -P -a -b -B -k -K -u -p -U -I -h
values -T -t -l -R -D -V -g -G
-c : clipboard.write()
args FILE... : file.write(FILE)
do screen.capture()
out any

[maim, import, gnome-screenshot, grim, spectacle, flameshot, xwd]
flags -s -u -k -q -l -a -w -b -n -r --select --hidecursor --quiet --window --area --interactive --background --nonotify --fullscreen --activewindow --region --raw -root --clipboard -c
values -d --delay -g --geometry -e --border-effect -m --quality --format -t -x --window-type -window -id -name --border
-f --file -o --output --path -p -out OUT : file.write(tree(OUT))
else maybefile(VALUE)
args FILE... : file.write(FILE)
do screen.capture()
out any

[arecord, rec, parecord, parec, termux-microphone-record]
flags -q --quiet -v --verbose -N --nonblock -M --mmap -C -h -L --list-devices --list-pcms -P -S -i --interactive --use-strftime -n
values -r --rate -c --channels -d --duration -D --device -t --file-type -B --buffer-time -F --period-time -s --samples -R --start-delay -T --stop-delay -A --avail-min -b -e -E -V --vumeter --max-file-time --file-format --latency-msec --client-name --stream-name --buffer-size --process-time-msec --period-size
-l --limit LIMIT?
-f --format FILE_ : file.write(FILE_) if PROGRAM=='termux-microphone-record'
--process-id-file OUT_ : file.write(OUT_)
--effects-file EFFECTS : file.read(EFFECTS)
args FILE... : file.write(FILE)
do microphone.record()
out any

[ffplay]
style long
flags -autoexit -nodisp -hide_banner -an -vn -sn -fs -noborder -stats -nostats -infbuf -framedrop -exitonkeydown -exitonmousedown -noinfbuf -autorotate -sync
values -loglevel -v -ss -t -volume -f -x -y -left -top -window_title -loop -ast -vst -sst -showmode -codec -acodec -vcodec -ar -ac -ch_layout -sample_rate -pixel_format -video_size -framerate -probesize -analyzeduration -fflags -flags -rtsp_transport -bytes
-vf -af FILTER : program('ffmpeg', FILTER)
-i INPUT : file.read(INPUT) if not INPUT~'[a-z]+:.*', web.fetch(only(INPUT, 'https?:.*')), net.connect(only(INPUT, '(rtsp|rtmp|udp|tcp|srt|rtp|mms|ftp)s?:.*'))
else maybefile(VALUE)
args FILE... : file.read(FILE) if not FILE~'[a-z]+:.*', web.fetch(only(FILE, 'https?:.*')), net.connect(only(FILE, '(rtsp|rtmp|udp|tcp|srt|rtp|mms|ftp)s?:.*'))

[aplay, afplay, paplay, mpg123, mpv, play, vlc, cvlc, say, espeak, espeak-ng, spd-say]
-o --output-file -w OUT : file.write(OUT)
-f FILE_ : file.read(FILE_)
-@ --list --playlist --input-file LIST : file.read(LIST), file.read(any), web.fetch()
values -v -r -a -p -s --rate --voice --volume -D --device -c --channels -t -d --duration -l -g -k -P -b --start --length --end --speed --loop-file --ytdl-format --audio-device --ao --vo --af --title --geometry --intf -I --gain --file-format --data-format --bit-rate --quality -A -R --sid --aid --vid --sub-delay --audio-delay --window-scale --cache --demuxer-max-bytes --msg-level --force-media-title --start-time --stop-time -y -e -C -G
flags -q --quiet -n -m -x -X -z -S -h -V -N -u -1 -2 -4 -8 -0 --stdout --no-video --no-audio --really-quiet --no-terminal --terminal --fs --fullscreen --loop --pause --force-window --keep-open --idle --no-config --shuffle --mute --play-and-exit --no-loop --no-repeat --repeat --interactive -i --progress --wait --no-video-title-show --qt-minimal-view --audio-display --pipe-mode --mono --stereo --no-osc --ontop --no-cache --ytdl --no-ytdl --save-position-on-quit --verbose --dump-conf --list-devices -L
--script --scripts --input-conf --include --config-dir --lua-config --extraintf --sout CODE : opaque 'the player loads code'
--stream-record --record-file --log-file --logfile OUT_ : file.write(OUT_)
args FILE... : file.read(FILE) if not FILE~'https?:.*', web.fetch(only(FILE, 'https?:.*')), opaque 'sox runs a command' if FILE~'[|].*'

[imagesnap, fswebcam, v4l2-ctl, raspistill, libcamera-still, rpicam-still, termux-camera-photo]
flags -q --quiet -l -n -v --no-banner --no-timestamp --no-title --no-subtitle --no-info --list-devices --list-formats-ext --all --list-ctrls --info -D -b --background -hf -vf --nopreview --immediate --autofocus-on-capture
-d --device DEVICE : file.read(only(DEVICE, '.*[/.].*'))
values -w -t --timeout -r --resolution -S --skip -F --frames --delay -p --palette -i --input --set-fmt-video --stream-count --stream-mmap -s --set --jpeg --png --rotate --flip --scale --crop --title --width --height -h -e --encoding -sh -co -br -sa -ISO -ex -awb -rot --camera -ss --shutter --gain --set-ctrl --get-ctrl --loop
-o --output --save --stream-to --log -L OUT : file.write(OUT)
-c --config FILE_ : file.read(FILE_)
--exec COMMAND : sh(COMMAND)
args FILE... : file.write(FILE)
do camera.capture()

[xdotool, ydotool, cliclick, wmctrl, xte, dotool, wtype]
style words
args WORD... : opaque 'xdotool runs a script or a command' if PROGRAM=='xdotool' and WORD~'exec|behave.*|-|.*/.*|.*[.]sh'
do screen.interact(), input.access()
out any

[open, xdg-open, gnome-open, kde-open, wslview, sensible-browser, start]
-b -a APPLICATION : process.create(APPLICATION)
--args _...
flags -n -g -j -W -F -R -e -t -h -f --new --wait-apps --background --fresh --reveal --hide --header --min /min /max /wait
values -s --env --arch -u
-i --stdin FILE_ : file.read(FILE_)
-o --stdout --stderr OUT_ : file.write(OUT_)
args TARGET... : opentarget(TARGET), opaque 'what is opened is a program' if TARGET~'(?i).*[.](app|command|tool|terminal|workflow|desktop|exe|bat|cmd|ps1|vbs|jar|pkg|msi|appimage)/?'

[terminal-notifier, alerter]
style long
-execute --execute COMMAND : sh(COMMAND)
-open --open URL : opentarget(URL)
values -title -subtitle -message -sound -group -activate -sender -appIcon -contentImage -list -remove -timeout -actions -closeLabel -dropdownLabel --title --subtitle --message --sound --group --sender --app-icon --content-image --timeout --actions --close-label --dropdown-label
flags -ignoreDnD -json -reply --json --reply --ignore-dnd
args WORD...
out any

[notify-send]
flags -e --transient -w --wait -p --print-id
values -u --urgency -t --expire-time -a --app-name -i --icon -c --category -h --hint -r --replace-id -A --action -n --app-icon
args WORD...
out any

[clear, reset, tset, cls]
style words
args WORD...
out any

[figlet, toilet, banner, lolcat]
flags -c -l -r -x -t -k -n -o -s -S -W -D -E -L -R -N -X -e -v -a --animate -i --invert --force --truecolor -h --gay --metal --irc --html
values -w -m -I -p --spread -F --freq --filter --width --seed --duration --speed --export
-f --font -d -C --directory FONT : file.read(tree(FONT)) if not PROGRAM=='lolcat'
args WORD... : file.read(WORD) if PROGRAM=='lolcat'
out any

[cowsay, cowthink]
flags -b -d -g -p -s -t -w -y -n -l -r -h
values -e -T -W
-f COW : opaque 'the picture of cowsay is code' if COW~'.*[/.].*'
args WORD...
out any

[boxes]
flags -h -l -m -r -v --no-color
values -a -d -e -i -k -n -p -q -s -t -c --design --align --size --padding --tabs --eol --encoding --create
-f --config FILE_ : file.read(FILE_)
args FILE OUT : file.read(FILE), file.write(OUT)
out any

[zenity, kdialog, dialog, whiptail]
style long
flags --info --warning --error --question --entry --password --progress --notification --list --file-selection --calendar --scale --color-selection --forms --text-info --checklist --radiolist --multiple --directory --save --confirm-overwrite --auto-close --auto-kill --no-cancel --pulsate --hide-text --no-wrap --hide-header --clear --stdout --stderr --no-shadow --ascii-lines --colors --nocancel --no-collapse --cr-wrap --defaultno --scrolltext --fb --fullbuttons --notags --separate-output --noitem --topleft --yesno --msgbox --infobox --inputbox --passwordbox --menu --gauge --no-tags --no-items --insecure --trim --tab-correct --beep --keep-window --sorry --inputmenu --mixedform --form --timebox --rangebox --pause --buildlist --treeview --yesnocancel --warningyesno --warningcontinuecancel --hide-value --show-hidden
values --title --text --width --height --timeout --window-icon --icon-name --ok-label --cancel-label --extra-button --entry-text --column --print-column --hide-column --separator --percentage --value --min-value --max-value --step --day --month --year --date-format --add-entry --add-password --add-calendar --add-list --list-values --backtitle --yes-button --no-button --ok-button --cancel-button --default-item --output-fd --input-fd --yes-label --no-label --exit-label --extra-label --help-label --aspect --begin --sleep --passivepopup --geometry --default --combobox --icon --button --field --buttons-layout --file-filter
--filename --textbox --tailbox --tailboxbg --editbox --file --fselect --dselect --getopenfilename --getsavefilename --getexistingdirectory FILE : file.read(FILE)
--trace --create-rc OUT : file.write(OUT)
args WORD...
out any

[playerctl, dbus-send, busctl, gdbus, qdbus, spotify_player, mpc, nowplaying-cli]
flags -a --all-players -F --follow -l --list-all -s --no-messages -q --quiet --session --system --print-reply --user --no-pager --no-legend --full --json -v --verbose --literal --acquired --activatable
values -p --player -i --ignore-player -f --format --dest -d --type --reply-timeout -o --object-path -m --method -h --port --expect-reply --auto-start --timeout -t --match --size
-H --host HOST : net.connect(HOST)
--address --bus --peer -M --machine ADDRESS : opaque 'messages go to another bus'
args WORD...
do system.configure('desktop')
out any

[oathtool, totp, authenticator]
flags --hotp -b --base32 -v --verbose -q
optional --totp
values -c --counter -w --window -d --digits -s --time-step-size -S --start-time -N --now -a --algorithm
args SECRET : argfile(SECRET)
do secret.read('otp')
out union(num, '')

[remindctl, memo, things, icalBuddy, shortcuts, contacts, khard, calcurse, todo.sh, taskwarrior, blucli, eightctl]
-C -D --confdir --datadir --directory DIR : file.read(tree(DIR)) if PROGRAM=='calcurse', file.write(tree(DIR)) if PROGRAM=='calcurse', field('--file', DIR) if not PROGRAM=='calcurse'
else field(OPTION, VALUE)
args WORD...
do tool.invoke(PROGRAM)
out any

[himalaya]
-c --config CONFIG : file.read(CONFIG), opaque 'settings of the mailer can name programs'
else field(OPTION, VALUE)
args TO... : message.send(TO)
do message.send() if not TO
out any

[mail, mailx, mutt, neomutt, sendmail, msmtp, ssmtp, swaks, s-nail]
-a -A --attach FILE : file.read(FILE)
-s -r -c -b _
-S SETTING : opaque 'a setting of the mailer can name a program' if SETTING~'(?i).*(sendmail|mta|shell|editor|pager|visual)[^=]*=.*'
-e -F -C -~ --pipe COMMAND? : opaque 'the mailer runs commands'
flags -t -v -n -E -N -R -y -z -Z -x -d -I -B -V --tls --silent --quiet --read-recipients --read-envelope-from -i
values -u -T -p -o -M --to --from --server --port --auth --auth-user --auth-password --header --subject --host --user --account --tls-on-connect --ehlo --protocol --timeout --h-Subject -P
-H -q -f --file --body --data --logfile -X -L FILE_ : file.read(FILE_), file.write(FILE_)
args TO... : message.send(TO)
do message.send() if not TO
out any

[security]
style posix
args WORD...
do secret.read('keychain'), secret.write('keychain'), secret.delete('keychain'), system.configure('keychain')
out any

[security find-generic-password, security find-internet-password, security find-certificate, security find-identity, security dump-keychain, security list-keychains, security default-keychain, security login-keychain, security show-keychain-info, security export, security help, security verify-cert, security error]
flags -w -g -Z -v -d -n
values -s -a -l -c -C -D -G -j -t -f -P -e -m -p -r -S -U
-o OUT : file.write(OUT)
-k FILE_ : secret.read(FILE_)
args WORD...
do secret.read('keychain')
out any

[security add-generic-password, security add-internet-password]
flags -U -A
values -s -a -w -l -c -C -D -G -j -T -p -r -P -X -t -d
args WORD...
do secret.write('keychain')

[security delete-generic-password, security delete-internet-password]
flags -g
values -s -a -l -c -C -D -G -j -r -p -t -d -P
args WORD...
do secret.delete('keychain')

[pass show, pass ls, pass list, pass find, pass search, pass grep, pass get, pass read, pass item get, pass otp, pass lookup, pass status, pass audit]
-c --clip : clipboard.write()
else field(OPTION, VALUE)
args WORD...
do secret.read(any)
out any

[pass insert, pass generate, pass edit, pass create, pass mv, pass cp, pass item create, pass set, pass store, pass put, pass init, pass login, pass signin, pass unlock]
-c --clip : clipboard.write()
else field(OPTION, VALUE)
args WORD...
do secret.write(any)
out any

[pass rm, pass remove, pass delete, pass item delete, pass clear]
else field(OPTION, VALUE)
args WORD...
do secret.delete(any)
out any

# They run a command with secrets in its variables.
[pass run]
style posix
values --env -e -p --project -c --config --path --projectId --token --scope --account
--env-file FILE : file.read(FILE)
--command COMMAND_ : sh(COMMAND_)
flags --no-masking --preserve-env --silent --watch --no-fallback --no-exit-on-write-failure
values --name-transformer --fallback --mount-template --mount-format --log-level --domain
args COMMAND... : run(COMMAND)
do secret.read(any)

[pass exec]
values -d --duration -n --region
flags -j --json -s --server --pristine --strict --no-session --ec2-server --ecs-server --debug
values -t --mfa-token --backend --prompt --strict-value
args PROFILE COMMAND... : run(COMMAND)
do secret.read(any)

[pass exec-env, pass exec-file]
flags --background --same-process --no-fifo --pristine
values --user --filename --input-type --output-type
args FILE COMMAND... : file.read(FILE), sh(COMMAND)
do secret.read(any)

[pass git, pass sync]
else field(OPTION, VALUE)
args WORD...
do secret.read(any), secret.write(any), commit.push(), web.fetch()
out any

[pass, gopass, op, bw, lpass, keepassxc-cli, secret-tool, vault, doppler, infisical, chamber, sops, age, rage, age-keygen, aws-vault, keyring, dashlane-cli]
style posix
args WORD...
else file.read(any), file.write(any)
do secret.read(any), secret.write(any), api.call() if PROGRAM~'op|bw|lpass|vault|doppler|infisical|chamber|aws-vault|dashlane-cli', file.read(any) if PROGRAM~'age|rage|sops|vault|bw|op|doppler|infisical', file.write(any) if PROGRAM~'age|rage|sops|age-keygen|op|doppler|infisical'
out any

[gpg, gpg2]
flags -a --armor --batch --yes -q --quiet -v --verbose --no-tty --with-colons --with-fingerprint --always-trust --no-default-keyring -n --dry-run --no --no-auto-key-locate --auto-key-locate --no-comments --throw-keyids
 --update-trustdb --with-keygrip --version --textmode -t --no-symkey-cache --no-verbose --expert --no-greeting --no-permission-warning --ignore-mdc-error --with-subkey-fingerprint --openpgp --no-emit-version --rfc4880 --lock-never --use-agent --no-use-agent --fixed-list-mode --with-key-data
values -r --recipient -R --hidden-recipient -u --local-user --default-key --passphrase --passphrase-fd --pinentry-mode --keyserver --trust-model --cipher-algo --digest-algo --personal-cipher-preferences --personal-digest-preferences -z --compress-level --s2k-count --s2k-mode --s2k-cipher-algo --s2k-digest-algo
 --compress-algo --status-fd --keyid-format --logger-fd --command-fd --set-filename --comment --default-recipient --default-new-key-algo --faked-system-time --list-options --verify-options --import-options --export-options --max-output --cert-digest-algo --group
-o --output --status-file --logger-file --log-file --attribute-file OUT : file.write(OUT)
--homedir --keyring --secret-keyring --trustdb-name --primary-keyring DIR : secret.read(tree(DIR)), secret.write(tree(DIR))
--passphrase-file KEY : secret.read(KEY)
-e --encrypt -s --sign --clearsign --clear-sign -c --symmetric -b --detach-sign --dearmor --enarmor --store
-d --decrypt --verify --list-packets --print-md --show-keys
--import --import-ownertrust
-k --list-keys --list-public-keys --fingerprint --list-signatures --check-signatures --list-sigs --check-sigs --card-status --export --export-ownertrust --export-ssh-key --list-config --gen-random --check-trustdb
--export-secret-keys --export-secret-subkeys --list-secret-keys -K : secret.read('~/.gnupg')
--gen-key --generate-key --full-generate-key --full-gen-key --quick-generate-key --quick-gen-key --edit-key --delete-key --delete-keys --sign-key --lsign-key --quick-add-uid --quick-revoke-uid --quick-set-expire --quick-sign-key --quick-lsign-key
 --quick-add-key --change-passphrase --passwd --generate-revocation --gen-revoke --edit-card --change-pin : secret.write('~/.gnupg')
--delete-secret-key --delete-secret-keys --delete-secret-and-public-key : secret.delete('~/.gnupg')
--recv-keys --recv-key --receive-keys --send-keys --search-keys --refresh-keys --fetch-keys --locate-keys --locate-external-keys : net.connect(), secret.write('~/.gnupg')
--exec-path --photo-viewer --keyserver-options LIBRARY : opaque 'gpg runs a program of a folder'
--options CONFIG : opaque 'gpg reads its settings from a file'
args(-k|--gen-key|--recv-keys|-K|--delete-secret-key) KEY_...
args(-d|--import) FILE... : file.read(FILE)
args(-e) FILE... : file.read(FILE), file.write(series(FILE)) if not -o
args FILE... : file.read(FILE), file.write(stem(FILE)) if not -o
do secret.read('~/.gnupg'), secret.write('~/.gnupg') if --import
out any

[xattr]
flags -c -d -r -s -v -x -l -w -p -h
args WORD... : file.chmod(WORD)
out any

[setfattr]
flags -h --no-dereference --raw
values -n --name -v --value -x --remove
--restore LIST : file.read(LIST), file.chmod()
args WORD... : file.chmod(WORD)
out any

[getfattr]
flags -d --dump -h --no-dereference -L --logical -P --physical --absolute-names --only-values
-R --recursive
values -n --name -m --match -e --encoding
args WORD... : file.read(tree(WORD)) if -R
out any

[getfacl]
flags -a --access -d --default -c --omit-header -e --all-effective -E --no-effective -s --skip-base -R --recursive -L --logical -P --physical -t --tabular -p --absolute-names -n --numeric
args WORD... : file.read(tree(WORD))
out any

[lsattr]
flags -R -V -a -d -v -l -p
args WORD... : file.read(tree(WORD))
do file.read(tree('.')) if not WORD
out any
