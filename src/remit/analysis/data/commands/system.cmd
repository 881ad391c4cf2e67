# Processes, services, schedules, users, devices and settings of the machine.

[*]
env PATH : steered(VALUE)
env LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT DYLD_* HOME XDG_CONFIG_HOME XDG_CONFIG_DIRS : steered(VALUE)
env GCONV_PATH GLIBC_TUNABLES : opaque 'a variable makes programs load code'
env OPENSSL_CONF OPENSSL_ENGINES OPENSSL_MODULES : steered(VALUE)

[pgrep]
flags -f --full -i --ignore-case -n --newest -o --oldest -v --inverse -w --lightweight -x --exact -q
-l --list-name -a --list-full
-d --delimiter _
values -g --pgroup -G --group -P --parent -s --session -t --terminal -u --euid -U --uid -F --pidfile -r --runstates --ns --nslist
-c --count
args PATTERN
do process.query()
out(-l|-d) any
out union(num, '')

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
else pure
args WORD...
do process.query()
do env.read() if WORD~'[A-Za-z]*e[A-Za-z]*'
out any

[fuser]
-k --kill : process.kill()
else pure
args WORD...
do process.query()
out any

[pstree, ss, netstat, jobs, pmap, procs, jps, nvidia-settings, pidstat, iotop]
style words
args WORD...
do process.query()
out any

[kill, pkill, killall, skill, xkill]
mark builtin
style words
args WORD... : process.kill(WORD)
do process.kill() if not WORD
out any

[crontab]
-l : schedule.read()
-r : schedule.delete()
-e -i : schedule.create()
-u USER
args FILE : file.read(FILE), schedule.create()
do schedule.create() if not FILE and not -l and not -r
out any

[at, batch]
-f FILE : file.read(FILE)
-l : schedule.read()
-d -r : schedule.delete()
-c : schedule.read()
flags -m -M -v -V
-q -t _
args WORD...
do schedule.create() if not -l and not -d and not -c
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
values -t --type --state -p --property -M --machine -n --lines -o --output --job-mode -s --signal --kill-who --kill-whom --root --what --preset-mode --image --timestamp --legend --check-inhibitors --boot-loader-menu --boot-loader-entry
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
else pure
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
else pure
args WORD... : schedule.create()

[launchctl unload, launchctl bootout, launchctl disable, launchctl remove, launchctl stop]
else pure
args WORD... : schedule.delete()

[launchctl setenv, launchctl unsetenv, launchctl config, launchctl limit, launchctl kill, launchctl reboot]
else pure
args WORD... : system.configure('launchd')

[pm2]
else pure
args WORD... : opaque 'a process manager runs what it is told to'
out any

[pm2 list, pm2 ls, pm2 l, pm2 status, pm2 ps, pm2 logs, pm2 monit, pm2 describe, pm2 desc, pm2 info, pm2 show, pm2 jlist, pm2 prettylist, pm2 ping, pm2 env, pm2 id, pm2 pid, pm2 report]
else pure
args WORD...
do process.query('pm2')
out any

[pm2 stop, pm2 delete, pm2 del, pm2 kill, pm2 flush, pm2 reset]
else pure
args WORD...
do process.kill('pm2')

[pm2 startup, pm2 unstartup, pm2 save, pm2 resurrect]
else pure
args WORD...
do schedule.create(), file.write(under('~/.pm2'))

[service, rc-service, initctl, supervisorctl, sc, rc-update]
args NAME WORD... : system.configure('services')
else pure
out any

[journalctl, dmesg, log, coredumpctl]
--vacuum-size --vacuum-time --vacuum-files LIMIT : file.delete('/var/log/journal')
--rotate --flush --relinquish-var --setup-keys --update-catalog -C --clear --read-clear --console-off --console-on : system.configure('logs')
--debugger PROGRAM_ : run(PROGRAM_)
-D --directory --file FILE : file.read(tree(FILE))
-o --output --cursor-file OUT : file.write(OUT) if PROGRAM~'coredumpctl|log'
else pure
args WORD...
do process.query()
out any

[logger]
else pure
-f --file FILE : file.read(FILE)
-n --server HOST : net.connect(HOST)
-P --port -p --priority -t --tag -S --size --id --msgid --sd-id --sd-param -u --socket _?
args WORD...

# Who is logged in sees it.
[wall, write]
else pure
args WORD...
do message.send()

[sysctl]
-w -p --write --load --system : system.configure('kernel')
else pure
args WORD... : system.configure('kernel') if WORD~'.*=.*'
out any

[timedatectl, hostnamectl, localectl, loginctl, nmcli, diskutil, gsettings, dconf, tailscale, amixer, pactl, xdg-mime, xdg-settings, ufw, wg, powerprofilesctl, tmutil, networksetup, scutil, pmset, zerotier-cli, warp-cli, xrandr, xset, nvpmodel]
style words
args COMMAND WORD... : system.configure(PROGRAM) if not COMMAND~'status|list|show|get|info|read|query|version|ip|ping|netcheck|whois|-g|--get|--query|-q|q|list-[a-z]+|show-[a-z-]+|get-[a-z-]+|-get[a-z]+|-list[a-z]+|--[a-z]*version|--listmonitors|timesync-status|list-recursively|destinationinfo',
 system.configure(PROGRAM) if PROGRAM~'nmcli|amixer|pactl|ufw' and COMMAND~'-.*' and WORD
do process.query(PROGRAM)
out any

[ifconfig, iwconfig, route, arp]
style words
args NAME WORD... : system.configure('network') if WORD, system.configure('network') if NAME~'add|del|delete|flush|change|-s|-d'
do process.query('network')
out any

# The terminal is the user's own.
[stty]
flags -a --all -g --save
-F --file DEVICE : file.write(DEVICE)
else pure
args WORD...
out any

[defaults]
style words
args COMMAND WORD... : system.configure('defaults') if not COMMAND~'read|read-type|domains|find|help|export'
do file.read('~/Library/Preferences')
out any

[modprobe, insmod, rmmod, depmod, swapon, swapoff, mkswap, mkfs, mkfs.ext4, mkfs.xfs, fdisk, parted, sfdisk, cryptsetup, losetup, lvcreate, vgcreate, pvcreate, mdadm, fsck, tune2fs, resize2fs, hdparm, wipefs, growpart, hdiutil, nvram, systemsetup, spctl, csrutil, kextload, dscl, sysadminctl, createhomedir, dseditgroup, authconfig, jetson_clocks, cpupower, tuned-adm, bluetoothctl, blueutil, rfkill, iw, ifup, ifdown, ethtool, iptables, ip6tables, nft, firewall-cmd, pfctl, brctl, tc, useradd, userdel, usermod, adduser, deluser, groupadd, groupdel, groupmod, addgroup, chage, chsh, chfn, visudo, setenforce, semanage, restorecon, setsebool, aa-enforce, grub-mkconfig, update-grub, update-initramfs, dracut, shutdown, reboot, halt, poweroff, init, telinit, xhost, xmodmap, setxkbmap, pacmd, alsactl, kwriteconfig5, lpadmin, lpoptions, cupsenable, setterm, loadkeys, blockdev, dmsetup, quotaon, efibootmgr, ipvsadm, wg-quick, openvpn]
style words
args WORD...
do system.configure()
out any

[passwd, chpasswd, gpasswd, vipw, htpasswd]
else pure
args WORD...
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
else pure
args COMMAND... : run(COMMAND)
do system.configure('root')

[nsenter]
style posix
flags -a --all -e --env --preserve-credentials -F --no-fork -Z --follow-context
optional -m --mount -u --uts -i --ipc -n --net -p --pid -C --cgroup -U --user -T --time -r --root -w --wd --wdns -W
values -t --target -S --setuid -G --setgid
args COMMAND... : run(COMMAND)
do system.configure('namespaces'), shell(STDIN) if not COMMAND

[unshare]
style posix
flags -r --map-root-user -c --map-current-user --map-auto -f --fork --keep-caps
optional -m --mount -u --uts -i --ipc -n --net -p --pid -C --cgroup -U --user -T --time --kill-child --mount-proc
values -S --setuid -G --setgid -w --wd -R --root --map-user --map-group --map-users --map-groups --propagation --setgroups --monotonic --boottime
args COMMAND... : run(COMMAND)
do system.configure('namespaces'), shell(STDIN) if not COMMAND

[bwrap, firejail, sandbox-exec, systemd-nspawn, proot]
style posix
else pure
args _...
do opaque 'a sandbox starts a command behind its own options'

[mount, umount, fusermount, sshfs]
else pure
args WORD... : system.configure('mounts')
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
optional -t --timing
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
args FILE COMMAND... : file.write(FILE) if not FILE~'[0-9]+', run(COMMAND)

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
else pure
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
else pure
args WORD... : opaque 'a setting of tmux runs a command' if WORD~'.*#[(].*', opaque 'a setting of tmux runs a command' if WORD~'default-command|default-shell|lock-command|copy-command|command-alias.*|editor|update-environment', opaque 'several commands of tmux stand in one line' if WORD~'.*;'

[tmux paste-buffer, tmux pasteb]
else pure
args WORD...
do repl.execute('tmux'), opaque 'what is typed into a terminal is not known'

[tmux load-buffer, tmux save-buffer]
else pure
values -b -t
args FILE : file.read(FILE), file.write(FILE)

[tmux run-shell, tmux run, tmux if-shell, tmux pipe-pane, tmux source-file, tmux source, tmux set-hook, tmux bind-key, tmux bind]
style posix
else pure
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
else pure
args WORD... : opaque 'a terminal multiplexer runs what is typed into it'
do opaque 'a terminal multiplexer runs what is typed into it' if not WORD

[zellij list-sessions, zellij ls]
else pure
do process.query('zellij')
out any

[zellij delete-session, zellij kill-session, zellij delete-all-sessions, zellij kill-all-sessions]
else pure
args WORD...
do process.kill('zellij')
out any

[nvidia-ctk]
else pure
args WORD...
do system.configure('docker'), file.read(any), file.write(any)
out any

[fail2ban-client]
else pure
args WORD... : system.configure('fail2ban')
out any

[expect, autoexpect]
style posix
flags -d -D -i -n -N
-c CODE : opaque 'an expect script is not analysed'
-b -f SCRIPT : script('expect', SCRIPT)
args SCRIPT ARGS... : script('expect', SCRIPT, ARGS)

[osascript]
style posix
flags -i -s
-l LANGUAGE
-e CODE : code('applescript', CODE)
args(not -e) SCRIPT ARGS... : script('applescript', SCRIPT, ARGS)
args _...
do code('applescript', STDIN) if not SCRIPT and not -e
out any

[pbcopy, wl-copy, clip, clip.exe, termux-clipboard-set]
else pure
args WORD...
do clipboard.write()
out none

[pbpaste, wl-paste, termux-clipboard-get]
else pure
args WORD...
do clipboard.read()
out any

[xclip, xsel]
style long
-o -out --output : clipboard.read()
-selection -sel -target -t -d -display -l -loops _
else pure
args FILE... : file.read(FILE)
do clipboard.write() if not -o
out any

[scrot]
-e --exec COMMAND : sh(COMMAND)
values -d --delay -q --quality -t --thumb -a --autoselect -D --display -l --line -k --stack -C --class -M --monitor
-F --file OUT : file.write(OUT)
else pure
args FILE... : file.write(FILE)
do screen.capture()
out any

[screencapture, maim, import, gnome-screenshot, grim, spectacle, flameshot, peekaboo, xwd]
else pure
args FILE... : file.write(FILE)
do screen.capture()
out any

[arecord, rec, parecord, parec, termux-microphone-record]
else pure
args FILE... : file.write(FILE)
do microphone.record()
out any

[aplay, afplay, paplay, mpg123, mpv, play, vlc, cvlc, say, espeak, espeak-ng, spd-say, ffplay]
-o --output-file -w OUT : file.write(OUT)
-f FILE_ : file.read(FILE_)
values -v -r -a -p -s --rate --voice --volume
--script --scripts --input-conf --include --config-dir --lua-config --extraintf --sout CODE : opaque 'the player loads code'
--stream-record --record-file --log-file --logfile OUT_ : file.write(OUT_)
else pure
args FILE... : file.read(FILE) if not FILE~'https?:.*', web.fetch(only(FILE, 'https?:.*')), opaque 'sox runs a command' if FILE~'[|].*'

[imagesnap, fswebcam, v4l2-ctl, raspistill, libcamera-still, rpicam-still, termux-camera-photo]
else pure
args FILE... : file.write(FILE)
do camera.capture()

[xdotool, ydotool, cliclick, wmctrl, xte, dotool, wtype]
style words
args WORD...
do screen.interact(), input.access()
out any

[open, xdg-open, gnome-open, kde-open, wslview, sensible-browser, start]
-b -a APPLICATION : process.create(APPLICATION)
--args _...
else pure
args TARGET... : opentarget(TARGET), opaque 'what is opened is a program' if TARGET~'(?i).*[.](app|command|tool|terminal|workflow|desktop|exe|bat|cmd|ps1|vbs|jar|pkg|msi|appimage)/?'

[terminal-notifier, alerter]
style long
-execute --execute COMMAND : sh(COMMAND)
-open --open URL : opentarget(URL)
else pure
args WORD...
out any

[notify-send, zenity, kdialog, dialog, whiptail, clear, reset, tset, cls, figlet, toilet, lolcat, cowsay, banner, boxes]
style words
args WORD...
out any

[playerctl, dbus-send, busctl, gdbus, qdbus, spotify_player, mpc, nowplaying-cli]
else pure
args WORD...
do system.configure('desktop')
out any

[oathtool, totp, authenticator]
else pure
args SECRET
do secret.read('otp')
out union(num, '')

[remindctl, memo, things, icalBuddy, shortcuts, contacts, khard, calcurse, todo.sh, taskwarrior, blucli, eightctl]
else pure
args WORD...
do tool.invoke(PROGRAM)
out any

[mail, mailx, mutt, neomutt, sendmail, msmtp, ssmtp, swaks, himalaya, s-nail]
-a -A --attach FILE : file.read(FILE)
-s -r -c -b _
-S SETTING : opaque 'a setting of the mailer can name a program' if SETTING~'(?i).*(sendmail|mta|shell|editor|pager|visual)[^=]*=.*'
-e -F -C -~ --pipe COMMAND? : opaque 'the mailer runs commands'
else pure
args TO... : message.send(TO)
do message.send() if not TO
out any

[security]
style posix
args WORD...
do secret.read('keychain'), secret.write('keychain'), secret.delete('keychain'), system.configure('keychain')
out any

[security find-generic-password, security find-internet-password, security find-certificate, security find-identity, security dump-keychain, security list-keychains, security default-keychain, security login-keychain, security show-keychain-info, security export, security help, security verify-cert, security error]
else pure
args WORD...
do secret.read('keychain')
out any

[security add-generic-password, security add-internet-password]
else pure
args WORD...
do secret.write('keychain')

[security delete-generic-password, security delete-internet-password]
else pure
args WORD...
do secret.delete('keychain')

[pass show, pass ls, pass list, pass find, pass search, pass grep, pass get, pass read, pass item get, pass otp, pass lookup, pass status, pass audit]
-c --clip : clipboard.write()
else pure
args WORD...
do secret.read(any)
out any

[pass insert, pass generate, pass edit, pass create, pass mv, pass cp, pass item create, pass set, pass store, pass put, pass init, pass login, pass signin, pass unlock]
-c --clip : clipboard.write()
else pure
args WORD...
do secret.write(any)
out any

[pass rm, pass remove, pass delete, pass item delete, pass clear]
else pure
args WORD...
do secret.delete(any)
out any

# They run a command with secrets in its variables.
[pass run]
style posix
values --env -e -p --project -c --config --path --projectId --token --scope --account
--env-file FILE : file.read(FILE)
--command COMMAND_ : sh(COMMAND_)
else pure
args COMMAND... : run(COMMAND)
do secret.read(any)

[pass exec]
values -d --duration -n --region
else pure
args PROFILE COMMAND... : run(COMMAND)
do secret.read(any)

[pass exec-env, pass exec-file]
else pure
args FILE COMMAND... : file.read(FILE), sh(COMMAND)
do secret.read(any)

[pass git, pass sync]
else pure
args WORD...
do secret.read(any), secret.write(any), commit.push(), web.fetch()
out any

[pass, gopass, op, bw, lpass, keepassxc-cli, secret-tool, vault, doppler, infisical, chamber, sops, age, rage, age-keygen, aws-vault, keyring, dashlane-cli]
style posix
args WORD...
else pure
do secret.read(any), secret.write(any), api.call() if PROGRAM~'op|bw|lpass|vault|doppler|infisical|chamber|aws-vault|dashlane-cli', file.read(any) if PROGRAM~'age|rage|sops|vault|bw|op|doppler|infisical', file.write(any) if PROGRAM~'age|rage|sops|age-keygen|op|doppler|infisical'
out any

[gpg, gpg2]
flags -a --armor --batch --yes -q --quiet -v --verbose --no-tty --with-colons --with-fingerprint --always-trust --no-default-keyring -n --dry-run --no --no-auto-key-locate --auto-key-locate --no-comments --throw-keyids
 --update-trustdb --with-keygrip --version --textmode -t --no-symkey-cache --no-verbose --expert --no-greeting --no-permission-warning --ignore-mdc-error --with-subkey-fingerprint --openpgp --no-emit-version --rfc4880 --lock-never --use-agent --no-use-agent --fixed-list-mode --with-key-data
values -r --recipient -R --hidden-recipient -u --local-user --default-key --passphrase --passphrase-fd --pinentry-mode --keyserver --trust-model --cipher-algo --digest-algo --personal-cipher-preferences --personal-digest-preferences -z --compress-level --s2k-count --s2k-mode --s2k-cipher-algo --s2k-digest-algo
 --compress-algo --status-fd --keyid-format --logger-fd --command-fd --set-filename --comment --default-recipient --default-new-key-algo --faked-system-time --list-options --verify-options --import-options --export-options --max-output --cert-digest-algo --status-file_ --group
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

[xattr, setfattr]
else pure
args WORD... : file.chmod(WORD)
out any

[getfattr, getfacl, lsattr]
else pure
args WORD...
out any
