/* Walls around a command, in five roles:
 *
 *   wall CALL COMMAND          enter the walls that CALL names and run COMMAND there, in the shell that started this program
 *   wall make PAIRS -- WORDS…  lay private copies over folders (PAIRS: folder, upper, work), then become WORDS (bubblewrap)
 *   wall hold CHANNEL          inside: the first process of the walls. It hands out the socket of the egress proxy and waits
 *   wall connect HOST PORT     inside: standard input and output become a connection through the egress proxy
 *   wall mask PID START        cover places inside of walls that stand: words on standard input, each ended by NUL:
 *                              empty PATH, copy PATH SOURCE, fixed PATH (read-only), pin PATH (cannot be moved away),
 *                              nolinks PATH (a mount in which no link is followed)
 *
 * CALL is a file that the guard made for this one command: words, each ended by NUL (`remit/guard/walls/call.py`):
 *   holder PID START           the first process of the walls, and when it started
 *   command TEXT               what may be run; anything else is refused
 *   shell PATH                 which shell runs it, if no shell started this program
 *   drop PATTERN               variables that are not handed on, unless
 *   pass NAME                  names them exactly
 *   set NAME VALUE             a variable
 *   filter PATH                the filter of calls
 *   refused PATH               where the egress proxy writes what it refused, one line each
 *   keep FOLDER                where the old state of what the command changes is kept (see observe.h)
 *   links FOLDER               where objects of git that the command removes get a second name
 *   observe PATH               below which it is
 * Beside it, in CALL.back, the folder and the status are written for the shell that waits outside.
 * It fails closed: whatever goes wrong, the command does not start, and the status is 125.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <linux/filter.h>
#include <linux/nsfs.h>
#include <linux/openat2.h>
#include <linux/seccomp.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <dirent.h>
#include <unistd.h>

enum { REFUSED = 125, PROXY_PORT = 3128, MOST = 4096, CAPABILITIES = 64 };
enum { NO_LINKS = 256 };  /* MS_NOSYMFOLLOW, of Linux 5.10 */
enum { CLOSE_RANGE = 436, CAPSET = SYS_capset };

extern char **environ;

#include "observe.h"

static void refuse(const char *what, const char *about) {
    fprintf(stderr, "remit: the walls cannot be entered (%s %s: %s), so nothing was run; try again, and the guard decides without them\n", what, about, strerror(errno));
    _exit(REFUSED);
}

static void stop(const char *message) {
    fprintf(stderr, "remit: %s, so nothing was run\n", message);
    _exit(REFUSED);
}

static char *contents(const char *path, size_t *length) {
    struct stat state;
    int file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0 || fstat(file, &state)) return NULL;
    if (!S_ISREG(state.st_mode) || state.st_uid != geteuid() || state.st_mode & 077) { errno = EPERM; refuse("file", path); }
    char *text = malloc((size_t)state.st_size + 1);
    size_t got = 0;
    if (!text) refuse("memory", path);
    while (got < (size_t)state.st_size) {
        ssize_t one = read(file, text + got, (size_t)state.st_size - got);
        if (one <= 0) refuse("read", path);
        got += (size_t)one;
    }
    text[got] = 0;
    close(file);
    *length = got;
    return text;
}

#include "../../capsule/helper/listener.h"

static int received_descriptor(int channel) {
    int found = -1;
    char byte, room[CMSG_SPACE(sizeof found)];
    struct iovec one = {&byte, 1};
    struct msghdr message = {.msg_iov = &one, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room};
    if (recvmsg(channel, &message, MSG_CMSG_CLOEXEC) != 1 || !CMSG_FIRSTHDR(&message)) return -1;
    memcpy(&found, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof found);
    return found;
}

/* --- what a call says --- */

static char *call_text;
static size_t call_length, call_at;
static const char *drops[MOST], *keeps[MOST], *command, *shell = "/bin/sh", *filter_path, *refused_path, *kept_path, *links_path;
static size_t dropping, keeping;
static long holder;
static unsigned long long holder_start;

static const char *word(void) {
    if (call_at >= call_length) { errno = EINVAL; refuse("call", "ends early"); }
    const char *found = call_text + call_at;
    call_at += strlen(found) + 1;
    return found;
}

static int dropped(const char *variable) {
    char name[256];
    size_t length = strcspn(variable, "=");
    if (length >= sizeof name) return 0;
    memcpy(name, variable, length);
    name[length] = 0;
    for (size_t one = 0; one < keeping; one++)
        if (!strcmp(keeps[one], name)) return 0;
    for (size_t one = 0; one < dropping; one++)
        if (!fnmatch(drops[one], name, FNM_CASEFOLD)) return 1;
    return 0;
}

static void filter_environment(void) {
    size_t kept = 0;
    for (size_t at = 0; environ && environ[at]; at++)
        if (!dropped(environ[at])) environ[kept++] = environ[at];
    if (environ) environ[kept] = NULL;
}

static void read_call(const char *path) {
    call_text = contents(path, &call_length);
    if (!call_text) stop("this call was run before, or the guard did not let it through");
    unlink(path);  /* one use */
    size_t sets = 0;
    static const char *names[MOST], *values[MOST];
    while (call_at < call_length) {
        const char *order = word();
        if (!strcmp(order, "holder")) { holder = atol(word()); holder_start = strtoull(word(), NULL, 10); }
        else if (!strcmp(order, "command")) command = word();
        else if (!strcmp(order, "shell")) shell = word();
        else if (!strcmp(order, "filter")) filter_path = word();
        else if (!strcmp(order, "refused")) refused_path = word();
        else if (!strcmp(order, "keep") && !kept_path) kept_path = word();
        else if (!strcmp(order, "links") && !links_path) links_path = word();
        else if (!strcmp(order, "observe") && observed < MOST_PLACES) places[observed++] = word();
        else if (!strcmp(order, "drop") && dropping < MOST) drops[dropping++] = word();
        else if (!strcmp(order, "pass") && keeping < MOST) keeps[keeping++] = word();
        else if (!strcmp(order, "set") && sets < MOST) { names[sets] = word(); values[sets++] = word(); }
        else { errno = EINVAL; refuse("order", order); }
    }
    filter_environment();
    for (size_t one = 0; one < sets; one++)
        if (setenv(names[one], values[one], 1)) refuse("variable", names[one]);
    if (!command || !filter_path || holder <= 1) { errno = EINVAL; refuse("call", "is not whole"); }
}

/* --- entering --- */

static int opened_in(int folder, const char *name) {
    int found = openat(folder, name, O_RDONLY | O_CLOEXEC);
    if (found < 0) refuse("holder", name);
    return found;
}

/* The shell that waits for this program is the one that would have run the command. */
static const char *waiting_shell(void) {
    static char found[4096];
    static const char *known[] = {"bash", "zsh", "sh", "dash", "ksh", NULL};
    char link[64];
    snprintf(link, sizeof link, "/proc/%d/exe", (int)getppid());
    ssize_t got = readlink(link, found, sizeof found - 1);
    const char *name = got > 0 ? strrchr(found, '/') : NULL;
    for (const char **one = known; name && *one; one++)
        if (!strcmp(name + 1, *one)) return found;
    return shell;
}

static int holder_folder(void) {
    char path[64], text[2048];
    snprintf(path, sizeof path, "/proc/%ld", holder);
    int folder = open(path, O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) stop("the walls are gone, or cannot be seen from here: try the call again");
    int file = opened_in(folder, "stat");
    ssize_t got = read(file, text, sizeof text - 1);
    close(file);
    if (got <= 0) refuse("holder", "stat");
    text[got] = 0;
    char *at = strrchr(text, ')');  /* the name of a process may hold anything */
    for (int field = 2; at && field < 22; field++) at = strchr(at + 1, ' ');
    if (!at || strtoull(at + 1, NULL, 10) != holder_start) stop("the walls are gone, or cannot be seen from here: try the call again");
    return folder;
}

static int inner_user = -1;

static void enter(void) {
    static const struct { const char *name; int kind; } rooms[] = {
        {"ns/ipc", CLONE_NEWIPC}, {"ns/net", CLONE_NEWNET}, {"ns/pid", CLONE_NEWPID}, {"ns/mnt", CLONE_NEWNS}};
    int spaces[4], folder = holder_folder();
    for (int one = 0; one < 4; one++) spaces[one] = opened_in(folder, rooms[one].name);
    inner_user = opened_in(folder, "ns/user");
    int owner = ioctl(spaces[3], NS_GET_USERNS);
    if (owner < 0) refuse("namespace", "owner");
    close(folder);
    if (setns(owner, CLONE_NEWUSER)) refuse("namespace", "user");
    for (int one = 0; one < 4; one++) {
        if (setns(spaces[one], rooms[one].kind)) refuse("namespace", rooms[one].name);
        close(spaces[one]);
    }
    close(owner);
}

static void drop_rights(void) {
    struct { uint32_t version; int pid; } head = {0x20080522, 0};
    struct { uint32_t effective, permitted, inheritable; } none[2] = {{0, 0, 0}, {0, 0, 0}};
    if (setns(inner_user, CLONE_NEWUSER) && errno != EINVAL) refuse("namespace", "inner user");  /* EINVAL: we are in it */
    close(inner_user);
    for (int one = 0; one < CAPABILITIES; one++)
        if (prctl(PR_CAPBSET_DROP, one, 0, 0, 0) && errno != EINVAL) refuse("rights", "bound");
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    if (syscall(CAPSET, &head, none)) refuse("rights", "drop");
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) refuse("rights", "kept");
}

static void filter_calls(const char *text, size_t length) {
    struct sock_fprog program = {(unsigned short)(length / sizeof(struct sock_filter)), (struct sock_filter *)text};
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0)) refuse("filter", "of calls");
}

/* The command as the shell outside would have run it; afterwards the folder in which it ended is told. */
static const char *SCRIPT =
    "__remit=$1; shift; eval \"$__remit\"\n"
    "__remit=$?; { command pwd -P >&9; } 2>/dev/null; exit $__remit";

static int observer = -1;  /* where the descriptor for the process that observes goes */

static void be_observed(void) {
    if (observer < 0) return;
    int listener = observed_calls();
    if (listener < 0) return;  /* a kernel that cannot do it: nothing is kept, and nothing can be undone */
    if (!send_descriptor(observer, listener)) refuse("observer", "hand out");
}

static void become(const char *cwd, int told, const char *calls, size_t length) {
    drop_rights();
    if (chdir(cwd)) refuse("folder", cwd);
    if (told != 9 && dup2(told, 9) < 0) refuse("descriptor", "folder");
    fcntl(9, F_SETFD, 0);
    be_observed();
    if (syscall(CLOSE_RANGE, 3, 8, 0) || syscall(CLOSE_RANGE, 10, ~0U, 0)) refuse("descriptors", "close");
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0)) refuse("parent", "watch");
    filter_calls(calls, length);
    const char *name = strrchr(shell, '/');
    execl(shell, name ? name + 1 : shell, "-c", SCRIPT, name ? name + 1 : shell, command, (char *)NULL);
    refuse("shell", shell);
}

/* Make the process that observes the command. It holds nothing that the host waits for, and its parent is in the walls: else the
 * first process there could not end before somebody outside had asked how this one ended. */
static void start_observer(void) {
    int channel[2];
    if (keeping_in < 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, channel)) return;
    pid_t made = fork();
    if (made < 0) { close(channel[0]); close(channel[1]); return; }
    if (made) {
        while (waitpid(made, NULL, 0) < 0 && errno == EINTR) continue;
        close(channel[0]);
        observer = channel[1];
        return;
    }
    static const char begun[] = "observed";
    if (fork()) _exit(0);
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    setsid();
    close(channel[1]);
    int listener = received_descriptor(channel[0]), *needed[4 + MOST_PLACES] = {&listener, &keeping_in, &journal, &links_in}, last = 3;
    if (listener < 0) _exit(0);
    for (size_t one = 0; one < observed; one++) needed[4 + one] = &outside[one];
    for (size_t one = 0; one < 4 + observed; one++) *needed[one] = fcntl(*needed[one], F_DUPFD_CLOEXEC, 100);
    for (size_t one = 0; one < 4 + observed; one++)
        if (*needed[one] >= 0) *needed[one] = dup2(*needed[one], last++);
    close(0); close(1); close(2);
    syscall(CLOSE_RANGE, last, ~0U, 0);
    if (keeping_in < 0 || write(journal, begun, sizeof begun) != sizeof begun) journal = -1;
    observe(listener);
}

static pid_t child;

static void pass_on(int number) {
    if (child > 0) kill(child, number);
}

static void quoted(FILE *out, const char *text) {
    fputc('\'', out);
    for (; *text; text++)
        if (*text == '\'') fputs("'\\''", out);
        else fputc(*text, out);
    fputc('\'', out);
}

/* What the shell outside reads when the command has ended: where it stands now, and how it ended. */
static void tell_back(FILE *back, int told, int status) {
    char cwd[8192];
    fcntl(told, F_SETFL, O_NONBLOCK);
    ssize_t got = read(told, cwd, sizeof cwd - 1);
    rewind(back);
    if (got > 1 && cwd[got - 1] == '\n' && cwd[0] == '/') {
        cwd[got - 1] = 0;
        if (!memchr(cwd, '\n', (size_t)got - 1)) { fputs("cd -- ", back); quoted(back, cwd); fputs(" 2>/dev/null\n", back); }
    }
    fprintf(back, "return %d\n", status);
    if (fflush(back) || ftruncate(fileno(back), ftell(back))) refuse("answer", "write");
}

static void tell_refusals(int refusals, off_t from) {
    char line[4096], last[4096] = "";
    FILE *file = refusals < 0 ? NULL : fdopen(refusals, "r");
    if (!file || fseeko(file, from, SEEK_SET)) return;
    while (fgets(line, sizeof line, file)) {
        if (strcmp(line, last)) fputs(line, stderr);
        memcpy(last, line, sizeof last);
    }
}

/* Until the command has ended, the status is that of one that never ran. The guard looks for the note. */
static void status_so_far(FILE *back, const char *note) {
    rewind(back);
    if (fprintf(back, "return %d%s\n", REFUSED, note) < 0 || fflush(back) || ftruncate(fileno(back), ftell(back))) refuse("answer", "write");
}

static FILE *open_back(const char *call) {
    char path[8192];
    if (snprintf(path, sizeof path, "%s.back", call) >= (int)sizeof path) { errno = ENAMETOOLONG; refuse("answer", call); }
    FILE *back = fopen(path, "r+e");
    if (!back) refuse("answer", path);
    status_so_far(back, "");
    return back;
}

static const int PASSED[] = {SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, 0};

static int run(const char *call, const char *asked) {
    char cwd[8192];
    int told[2], status;
    size_t length;
    sigset_t all, before;
    FILE *back = open_back(call);
    read_call(call);
    if (strcmp(command, asked)) stop("the command was changed after the guard let it through");
    if (!getcwd(cwd, sizeof cwd)) refuse("folder", "current");
    status_so_far(back, " # not entered");
    shell = waiting_shell();
    char *calls = contents(filter_path, &length);
    if (!calls) refuse("file", filter_path);
    int refusals = refused_path ? open(refused_path, O_RDONLY | O_CLOEXEC) : -1;
    off_t seen = refusals < 0 ? 0 : lseek(refusals, 0, SEEK_END);
    if (pipe2(told, O_CLOEXEC)) refuse("pipe", "folder");
    if (kept_path && observed) {
        keeping_in = open(kept_path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        journal = keeping_in < 0 ? -1 : openat(keeping_in, "journal", O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
        if (journal >= 0) flock(journal, LOCK_EX | LOCK_NB);  /* held while a process of the command may still write */
        links_in = links_path ? open(links_path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
        for (size_t one = 0; one < observed; one++) outside[one] = open(places[one], O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    }
    enter();
    status_so_far(back, "");
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);  /* a signal that comes now is for the command */
    if (journal >= 0) start_observer();
    child = fork();
    if (child < 0) refuse("process", "start");
    if (!child) {
        sigprocmask(SIG_SETMASK, &before, NULL);
        become(cwd, told[1], calls, length);
    }
    close(told[1]);
    if (observer >= 0) close(observer);
    struct sigaction ignored = {.sa_handler = SIG_IGN}, passed = {.sa_handler = pass_on, .sa_flags = SA_RESTART};
    sigaction(SIGINT, &ignored, NULL);  /* the terminal sends these to the command too: it decides */
    sigaction(SIGQUIT, &ignored, NULL);
    for (const int *one = PASSED; *one; one++) sigaction(*one, &passed, NULL);
    sigprocmask(SIG_SETMASK, &before, NULL);
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) refuse("process", "wait");
    tell_refusals(refusals, seen);
    int code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    tell_back(back, told[0], code);
    return code;
}

/* --- making the walls --- */

static void write_map(const char *path, const char *text) {
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0 || write(file, text, strlen(text)) != (ssize_t)strlen(text)) refuse("map", path);
    close(file);
}

static int make(int argc, char **argv) {
    char text[64];
    unsigned user = geteuid(), group = getegid();
    int at = 2;
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS)) refuse("namespace", "make");
    write_map("/proc/self/setgroups", "deny");
    snprintf(text, sizeof text, "%u %u 1", user, user);
    write_map("/proc/self/uid_map", text);
    snprintf(text, sizeof text, "%u %u 1", group, group);
    write_map("/proc/self/gid_map", text);
    if (mount("none", "/", NULL, MS_REC | MS_SLAVE, NULL)) refuse("mount", "/");
    for (; at + 2 < argc && strcmp(argv[at], "--"); at += 3) {
        char options[16384];
        int length = snprintf(options, sizeof options, "lowerdir=%s,upperdir=%s,workdir=%s,userxattr", argv[at], argv[at + 1], argv[at + 2]);
        if (length >= (int)sizeof options) { errno = ENAMETOOLONG; refuse("copy", argv[at]); }
        if (mount("overlay", argv[at], "overlay", MS_NOSUID | MS_NODEV, options)) refuse("copy", argv[at]);
    }
    if (at >= argc - 1) { errno = EINVAL; refuse("words", "missing"); }
    execv(argv[at + 1], argv + at + 1);
    refuse("program", argv[at + 1]);
    return REFUSED;
}

/* --- covering places --- */

static void cover(const char *source, const char *path, int *gone) {
    *gone = mount(source, path, NULL, MS_BIND | MS_REC, NULL);
    /* one that is gone, or that nobody inside can reach, shows nothing */
    if (*gone && errno != ENOENT && errno != EACCES) refuse("cover", path);
}

static void limit(const char *path, unsigned long how) {
    struct statvfs state;
    unsigned long kept = how;
    if (statvfs(path, &state)) refuse("fix", path);
    if (state.f_flag & ST_NOSUID) kept |= MS_NOSUID;
    if (state.f_flag & ST_NODEV) kept |= MS_NODEV;
    if (state.f_flag & ST_NOEXEC) kept |= MS_NOEXEC;
    if (state.f_flag & ST_NOATIME) kept |= MS_NOATIME;
    if (state.f_flag & ST_RELATIME) kept |= MS_RELATIME;
    if (mount(NULL, path, NULL, MS_BIND | MS_REMOUNT | kept, NULL)) refuse("fix", path);
}

static int mask(const char *pid, const char *start) {
    struct stat state;
    int gone;
    size_t room = 1 << 24;
    call_text = malloc(room);
    ssize_t got;
    while (call_text && (got = read(0, call_text + call_length, room - 1 - call_length)) > 0) call_length += (size_t)got;
    if (!call_text || got < 0 || call_length >= room - 1) refuse("words", "read");
    holder = atol(pid);
    holder_start = strtoull(start, NULL, 10);
    enter();
    while (call_at < call_length) {
        const char *order = word(), *path = word();
        if (!strcmp(order, "empty")) {
            if (lstat(path, &state)) continue;
            cover(S_ISDIR(state.st_mode) ? "/run/remit/nothing" : "/run/remit/empty", path, &gone);
        } else if (!strcmp(order, "copy")) cover(word(), path, &gone);
        else if (!strcmp(order, "pin")) cover(path, path, &gone);
        else if (!strcmp(order, "fixed")) { cover(path, path, &gone); if (!gone) limit(path, MS_RDONLY); }
        else if (!strcmp(order, "nolinks")) limit(path, NO_LINKS);
        else { errno = EINVAL; refuse("order", order); }
    }
    return 0;
}

/* --- the first process inside --- */

static int alone(void) {
    DIR *folder = opendir("/proc");
    struct dirent *entry;
    int found = 0;
    if (!folder) return 0;
    while ((entry = readdir(folder)))
        if (entry->d_name[0] > '0' && entry->d_name[0] <= '9') found++;
    closedir(folder);
    return found == 1;
}

/* Lives as long as the guard holds the other end of its standard input, and until the last command inside has ended. */
static int hold(int channel) {
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    signal(SIGPIPE, SIG_IGN);
    hand_out_listener(PROXY_PORT, channel);
    if (syscall(CLOSE_RANGE, 1, ~0U, 0)) refuse("descriptors", "close");
    struct pollfd guard = {0, POLLIN, 0};
    for (int gone = 0;;) {
        if (gone) poll(NULL, 0, 500);
        else if (poll(&guard, 1, 1000) > 0) gone = 1;
        while (waitpid(-1, NULL, WNOHANG) > 0) continue;
        if (gone && alone()) return 0;
    }
}

/* --- a connection --- */

/* Hand on what is there; 0 at the end. */
static int relayed(int from, int to) {
    char piece[65536];
    ssize_t got = read(from, piece, sizeof piece);
    for (ssize_t at = 0, put; at < got; at += put)
        if ((put = write(to, piece + at, (size_t)(got - at))) < 0) return 0;
    return got > 0;
}

static int through_proxy(const char *host, const char *port) {
    struct sockaddr_in proxy = {.sin_family = AF_INET, .sin_port = htons(PROXY_PORT), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    char head[4096];
    int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), size = 0;
    if (server < 0 || connect(server, (struct sockaddr *)&proxy, sizeof proxy)) refuse("proxy", "connect");
    if (dprintf(server, "CONNECT %s:%s HTTP/1.1\r\nHost: %s:%s\r\n\r\n", host, port, host, port) < 0) refuse("proxy", "ask");
    while (size < 4 || memcmp(head + size - 4, "\r\n\r\n", 4))
        if (size == sizeof head || read(server, head + size, 1) != 1) stop("the egress proxy gives no answer");
        else size++;
    if (size < 12 || memcmp(head + 9, "200", 3)) stop("the egress proxy does not connect");
    struct pollfd ends[] = {{0, POLLIN, 0}, {server, POLLIN, 0}};
    while (poll(ends, 2, -1) > 0 || errno == EINTR) {
        if (ends[1].revents && !relayed(server, 1)) return 0;
        if (ends[0].revents && !relayed(0, server)) { shutdown(server, SHUT_WR); ends[0].fd = -1; }
    }
    return 1;
}

int main(int argc, char **argv) {
    if (argc == 4 && !strcmp(argv[1], "connect")) return through_proxy(argv[2], argv[3]);
    if (argc > 2 && !strcmp(argv[1], "make")) return make(argc, argv);
    if (argc == 3 && !strcmp(argv[1], "hold")) return hold(atoi(argv[2]));
    if (argc == 4 && !strcmp(argv[1], "mask")) return mask(argv[2], argv[3]);
    if (argc != 3) { errno = EINVAL; refuse("command", "missing"); }
    return run(argv[1], argv[2]);
}
