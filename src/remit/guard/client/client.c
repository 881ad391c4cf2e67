/* What the hook of a host runs, compiled: remit-guard HOST EVENT [SECONDS [STATE]]
 *
 * It does what hook.py does, in the same steps and with the same limits; hook.py says why. Every way out but a whole
 * answer is one line on standard error and exit status 2. REMIT_PYTHON, REMIT_DAEMON and REMIT_VERSION are set by build.py. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pwd.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LARGEST (16u * 1024 * 1024)
#define LINE 320
#define PROTOCOL "remit1"

#define AGAIN "; `remit guard stop` ends the daemon, and the next call starts another"
static const char *const KEPT[] = {"HOME", "PATH", "USER", "LOGNAME", "LANG", "LC_ALL", "TZ"};
static char folder[PATH_MAX], socket_path[PATH_MAX];

struct text {
    char *data;
    size_t size;
};

/* The way out when there is no answer. Safe in a handler of signals. */
static _Noreturn void deny(const char *reason)
{
    char line[PATH_MAX + 256];
    size_t size = 0, room = sizeof line - 1;
    for (const char *from = "remit: denied: "; *from; from++)
        line[size++] = *from;
    for (; *reason && size < room; reason++)
        line[size++] = *reason;
    line[size++] = '\n';
    if (write(2, line, size) < 0)
        _exit(2);
    _exit(2);
}

static _Noreturn void deny_errno(const char *what)
{
    char reason[PATH_MAX + 128];
    snprintf(reason, sizeof reason, "%s: %s", what, strerror(errno));
    deny(reason);
}

/* (1) A signal must not end us with a status that hosts take for a broken hook. */
static void on_signal(int number)
{
    deny(number == SIGALRM ? "no answer in time" AGAIN : "stopped by a signal");
}

static void join(char *into, const char *first, const char *second)
{
    if (snprintf(into, PATH_MAX, "%s%s", first, second) >= PATH_MAX)
        deny("the state folder has too long a path");
}

/* The home folder that the machine has for the user: where `~` stands for STATE, the environment does not count. */
static void go_home(void)
{
    const struct passwd *user = getpwuid(geteuid());
    if (!user || !user->pw_dir || *user->pw_dir != '/' || setenv("HOME", user->pw_dir, 1) < 0)
        deny("the machine has no home folder for this user");
    unsetenv("XDG_STATE_HOME");
    unsetenv("REMIT_STATE");
}

static void find_folder(const char *named)
{
    if (named && !strcmp(named, "~")) {
        go_home();
        named = NULL;
    }
    const char *base = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    if (!named || !*named)
        named = getenv("REMIT_STATE");
    if (named && *named)
        join(folder, named, "");
    else if (base && *base == '/')
        join(folder, base, "/remit");
    else if (home && *home == '/')
        join(folder, home, "/.local/state/remit");
    if (*folder != '/')
        deny("the state folder is not absolute");
    join(socket_path, folder, "/guard.sock");
}

/* (2) (3) A folder or socket is what it should be, and nobody else can use it. False if there is none. */
static bool check(const char *path, mode_t kind)
{
    struct stat state;
    if (lstat(path, &state) < 0) {
        if (errno == ENOENT)
            return false;
        deny_errno(path);
    }
    if ((state.st_mode & S_IFMT) != kind || state.st_uid != geteuid() || (state.st_mode & 077)) {
        char reason[PATH_MAX + 128];
        snprintf(reason, sizeof reason, "%s is not ours alone: `chmod go-rwx` it, or move it away if it is not yours", path);
        deny(reason);
    }
    return true;
}

/* A connection to our own daemon; -1 if it is down. */
static int connect_daemon(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    struct ucred listener = {0};
    socklen_t length = sizeof listener;
    if (!check(folder, S_IFDIR) || !check(socket_path, S_IFSOCK))
        return -1;
    if (strlen(socket_path) >= sizeof address.sun_path)
        deny("the state folder has too long a path");
    memcpy(address.sun_path, socket_path, strlen(socket_path) + 1);
    int link = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (link < 0)
        deny_errno("socket");
    if (connect(link, (struct sockaddr *)&address, sizeof address) < 0) {
        if (errno != ENOENT && errno != ECONNREFUSED)
            deny_errno("connect");
        close(link);
        return -1;
    }
    if (getsockopt(link, SOL_SOCKET, SO_PEERCRED, &listener, &length) < 0 || length != sizeof listener)
        deny_errno("peer");
    if (listener.uid != geteuid())
        deny("another user listens at the socket: move it away, and look who put it there");
    return link;
}

/* The daemon's side of the fork: it outlives us and holds nothing of ours. */
static _Noreturn void become_daemon(int end)
{
    char errors_path[PATH_MAX + 16];
    static char kept[sizeof KEPT / sizeof *KEPT][4096];
    char *environment[sizeof KEPT / sizeof *KEPT + 1] = {0};
    size_t count = 0;
    snprintf(errors_path, sizeof errors_path, "%s/guard.err", folder);
    if (chdir("/") < 0)
        _exit(2);
    int errors = open(errors_path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0600);
    int nothing = open("/dev/null", O_RDONLY);
    if (errors < 0 || nothing < 0 || dup2(nothing, 0) < 0 || dup2(end, 1) < 0 || dup2(errors, 2) < 0)
        _exit(2);
    for (int handle = 3; handle < 4096; handle++)
        close(handle);
    for (size_t i = 0; i < sizeof KEPT / sizeof *KEPT; i++) {
        const char *value = getenv(KEPT[i]);
        if (value && snprintf(kept[count], sizeof kept[count], "%s=%s", KEPT[i], value) < (int)sizeof kept[count]) {
            environment[count] = kept[count];
            count++;
        }
    }
    char *const arguments[] = {REMIT_PYTHON, "-I", REMIT_DAEMON, folder, NULL};
    execve(REMIT_PYTHON, arguments, environment);
    _exit(2);
}

/* Start a daemon, and wait until it listens. */
static void launch(void)
{
    int ends[2];
    char ready = 0;
    if (pipe(ends) < 0)
        deny_errno("pipe");
    pid_t child = fork();
    if (child < 0)
        deny_errno("fork");
    if (child == 0) {
        setsid();
        pid_t second = fork();
        if (second != 0)
            _exit(second < 0 ? 2 : 0);
        become_daemon(ends[1]);
    }
    close(ends[1]);
    if (waitpid(child, NULL, 0) < 0)
        deny_errno("waitpid");
    if (read(ends[0], &ready, 1) != 1 || ready != '+') {
        char reason[PATH_MAX + 128];
        snprintf(reason, sizeof reason, "the daemon does not start; see %s/guard.err", folder);
        deny(reason);
    }
    close(ends[0]);
}

static void make_folder(void)
{
    char made[PATH_MAX];
    if (check(folder, S_IFDIR))
        return;
    for (size_t i = 1; folder[i - 1]; i++)
        if (folder[i] == '/' || !folder[i]) {
            memcpy(made, folder, i);
            made[i] = 0;
            if (mkdir(made, 0700) < 0 && errno != EEXIST)
                deny_errno(made);
        }
}

/* (4) A connection to a daemon that one of all waiting clients starts. */
static int started(void)
{
    char path[PATH_MAX + 16];
    const struct timespec moment = {.tv_nsec = 20 * 1000 * 1000};
    bool ours = false;
    make_folder();
    snprintf(path, sizeof path, "%s/start.lock", folder);
    int lock = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (lock < 0)
        deny_errno(path);
    for (;;) {
        int link = connect_daemon();
        if (link >= 0) {
            close(lock);
            return link;
        }
        if (ours)
            launch();
        else if (flock(lock, LOCK_EX | LOCK_NB) == 0)
            ours = true;
        else if (errno == EWOULDBLOCK)
            nanosleep(&moment, NULL);
        else
            deny_errno(path);
    }
}

/* What a file or socket gives until its end. */
static struct text read_all(int handle, size_t most)
{
    size_t room = 65536;
    struct text text = {malloc(room), 0};
    for (;;) {
        if (!text.data)
            deny("there is no memory");
        ssize_t got = read(handle, text.data + text.size, room - text.size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            deny_errno("read");
        if (got == 0)
            return text;
        text.size += (size_t)got;
        if (text.size > most)
            deny("a text is too large: hand over less than 16 MB at once");
        if (text.size == room) {
            room *= 2;
            text.data = realloc(text.data, room);
        }
    }
}

static bool write_all(int handle, const char *data, size_t size)
{
    while (size) {
        ssize_t done = write(handle, data, size);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        data += done;
        size -= (size_t)done;
    }
    return true;
}

/* All that the daemon answers. */
static struct text ask(int link, const char *line, struct text text)
{
    bool sent = write_all(link, line, strlen(line)) && write_all(link, text.data, text.size);
    if (!sent && errno != EPIPE && errno != ECONNRESET) /* it may have answered before it read everything */
        deny_errno("write");
    return read_all(link, 2 * LARGEST + LINE);
}

/* (5) A length, in the only way to write it, and what follows it. */
static const char *read_size(const char *from, char end, size_t *size)
{
    const char *at = from;
    for (*size = 0; *at >= '0' && *at <= '9' && at - from < 8; at++)
        *size = *size * 10 + (size_t)(*at - '0');
    if (at == from || (*from == '0' && at - from > 1) || *at != end || *size > LARGEST)
        deny("the answer is not of the protocol" AGAIN);
    return at + 1;
}

/* (5) Print a whole answer, and exit as it says. */
static _Noreturn void finish(struct text answer)
{
    char line[LINE + 1] = {0};
    size_t out, err, head = strlen(PROTOCOL " ");
    memcpy(line, answer.data, answer.size < LINE ? answer.size : LINE);
    if (!answer.size)
        deny("the daemon gave no answer" AGAIN);
    if (strncmp(line, PROTOCOL " ", head) || (line[head] != '0' && line[head] != '2') || line[head + 1] != ' ')
        deny("the answer is not of the protocol" AGAIN);
    const char *rest = read_size(read_size(line + head + 2, ' ', &out), '\n', &err);
    size_t start = (size_t)(rest - line);
    if (answer.size - start != out + err)
        deny("the answer is cut short" AGAIN);
    if (!write_all(1, answer.data + start, out) || !write_all(2, answer.data + start + out, err))
        deny_errno("write");
    _exit(line[head] - '0');
}

static bool is_name(const char *word)
{
    const char *letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
    size_t size = strlen(word);
    return size && size <= 64 && strspn(word, letters) == size && !strchr("._-", *word);
}

static void set_deadline(const char *text)
{
    char *end = NULL;
    double seconds = text ? strtod(text, &end) : 20;
    if ((text && (end == text || *end)) || !(seconds > 0 && seconds <= 3600))
        deny("run it as remit-guard HOST EVENT [SECONDS [STATE]]");
    struct itimerval timer = {.it_value = {.tv_sec = (time_t)seconds}};
    timer.it_value.tv_usec = (suseconds_t)((seconds - (double)timer.it_value.tv_sec) * 1e6);
    if (!timer.it_value.tv_sec && !timer.it_value.tv_usec)
        timer.it_value.tv_usec = 1;
    if (setitimer(ITIMER_REAL, &timer, NULL) < 0)
        deny_errno("setitimer");
}

/* Where the host is in a trace, if it says so in the one form that the daemon takes. It names a trace, and decides nothing. */
static const char *parent(void)
{
    const char *told = getenv("TRACEPARENT");
    if (!told || strlen(told) != 55 || strncmp(told, "00-", 3))
        return NULL;
    for (size_t i = 3; i < 55; i++)
        if (i == 35 || i == 52 ? told[i] != '-' : !strchr("0123456789abcdef", told[i]))
            return NULL;
    return told;
}

int main(int argc, char **argv)
{
    static const int signals[] = {SIGALRM, SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGXCPU, SIGSEGV, SIGABRT};
    struct sigaction action = {.sa_handler = on_signal};
    char line[LINE];
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, NULL);
    sigset_t none; /* a host may have blocked them, and the deadline is one of them */
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    if (argc < 3 || argc > 5)
        deny("run it as remit-guard HOST EVENT [SECONDS [STATE]]");
    if (!is_name(argv[1]) || !is_name(argv[2]))
        deny("a host or event has a strange name");
    set_deadline(argc > 3 ? argv[3] : NULL);
    find_folder(argc > 4 ? argv[4] : NULL);
    struct text text = read_all(0, LARGEST);
    const char *trace = parent();
    snprintf(line, sizeof line, PROTOCOL " %s %s %zu " REMIT_VERSION "%s%s\n", argv[1], argv[2], text.size,
             trace ? " " : "", trace ? trace : "");
    int link = connect_daemon();
    struct text answer = ask(link >= 0 ? link : started(), line, text);
    if (answer.size > 15 && !memcmp(answer.data, PROTOCOL " version ", 15)) /* it is another version, and makes way */
        answer = ask(started(), line, text);
    finish(answer);
}
