/* What the processes of one command write, observed by the kernel: each call that would change a file waits until the old state of that
 * file is kept. A process of its own answers; it lives as long as a process of the command does.
 *
 * It keeps, in the folder of the call, one record for each path below the places that are observed:
 *   PATH KIND MODE MTIME INODE WHAT   each ended by NUL; KIND is absent, file (WHAT: the name of the copy), folder, link (WHAT: its target),
 *                                     or other (WHAT: why it is not kept)
 * The kernel goes on with the call whatever happens here: this is no wall. A program that changes the words of a call while the kernel
 * waits hides a write; nothing but the list for `remit undo` hangs on that.
 */
#ifndef SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
#define SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV (1UL << 5)
#endif
#ifndef SECCOMP_USER_NOTIF_FLAG_CONTINUE
#define SECCOMP_USER_NOTIF_FLAG_CONTINUE (1UL << 0)
#endif
#ifndef SYS_openat2
#define SYS_openat2 437
#endif
#ifndef SYS_fchmodat2
#define SYS_fchmodat2 452
#endif

enum { MOST_PATHS = 20000, MOST_PLACES = 64, FILE_BYTES = 64 << 20, ALL_BYTES = 128 << 20, SLOTS = 1 << 16 };

static const char *places[MOST_PLACES];
static size_t observed;
static int keeping_in = -1, journal = -1;
static size_t kept_paths, kept_bytes;
static char *known[SLOTS];

static void record(const char *path, const char *kind, const struct stat *state, const char *what) {
    char line[3 * PATH_MAX];
    int length = snprintf(line, sizeof line, "%s%c%s%c%o%c%lld%c%llu:%llu%c%s%c", path, 0, kind, 0, state ? state->st_mode & 07777 : 0, 0,
        state ? (long long)state->st_mtim.tv_sec * 1000000000LL + state->st_mtim.tv_nsec : 0LL, 0,
        state ? (unsigned long long)state->st_dev : 0ULL, state ? (unsigned long long)state->st_ino : 0ULL, 0, what, 0);
    if (length > 0 && length < (int)sizeof line && write(journal, line, (size_t)length) != length) journal = -1;
}

/* Whether a path is met for the first time. */
static int is_new(const char *path) {
    size_t hash = 1469598103934665603ULL;
    for (const char *at = path; *at; at++) hash = (hash ^ (unsigned char)*at) * 1099511628211ULL;
    for (size_t slot = hash % SLOTS;; slot = (slot + 1) % SLOTS) {
        if (!known[slot]) {
            known[slot] = strdup(path);
            return known[slot] != NULL;
        }
        if (!strcmp(known[slot], path)) return 0;
    }
}

/* Whether a path lies below a place that is observed, and in no repository. */
static int is_observed(const char *path) {
    static const char *own[] = {"/.git/", "/.hg/", "/.jj/", "/.svn/", NULL};
    char whole[PATH_MAX + 2];
    size_t one = 0;
    for (; one < observed; one++) {
        size_t length = strlen(places[one]);
        if (!strncmp(path, places[one], length) && (path[length] == '/' || !path[length])) break;
    }
    if (one == observed || snprintf(whole, sizeof whole, "%s/", path) >= (int)sizeof whole) return 0;
    for (const char **name = own; *name; name++)
        if (strstr(whole, *name)) return 0;
    return 1;
}

static int copied(int source, char *name, size_t room) {
    static unsigned number;
    char block[1 << 16];
    ssize_t got = 0;
    snprintf(name, room, "%u", ++number);
    int target = openat(keeping_in, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (target < 0) return 0;
    size_t before = kept_bytes;
    while (kept_bytes - before <= FILE_BYTES && kept_bytes <= ALL_BYTES && (got = read(source, block, sizeof block)) > 0) {
        kept_bytes += (size_t)got;
        if (write(target, block, (size_t)got) != got) { got = -1; break; }
    }
    close(target);
    return got == 0;
}

/* Whether a place cannot be changed: what covers a secret lies on it, and is not what a person has there. */
static int is_fixed(int folder, const char *name) {
    struct statvfs system;
    int found = openat(folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    int fixed = found >= 0 && !fstatvfs(found, &system) && system.f_flag & ST_RDONLY;
    if (found >= 0) close(found);
    return fixed;
}

static void keep_below(int folder, const char *path, const char *moved);

/* Keep what lies at a name of an open folder, whose real path is known; all that is below it too, if it is moved or goes. */
static void keep(int folder, const char *path, const char *name, int deep, const char *moved) {
    struct stat state;
    char what[PATH_MAX];
    int absent = fstatat(folder, name, &state, AT_SYMLINK_NOFOLLOW);
    if (!absent && deep && S_ISDIR(state.st_mode)) {
        int inner = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (inner >= 0) keep_below(inner, path, moved);
    }
    if (journal < 0 || !is_observed(path) || kept_paths > MOST_PATHS || (!absent && is_fixed(folder, name)) || !is_new(path)) return;
    if (++kept_paths > MOST_PATHS) { record(path, "other", NULL, "the call changes more files than are kept"); return; }
    if (absent) record(path, "absent", NULL, "");
    else if (S_ISDIR(state.st_mode)) record(path, "folder", &state, "");
    else if (S_ISLNK(state.st_mode)) {
        ssize_t got = readlinkat(folder, name, what, sizeof what - 1);
        what[got < 0 ? 0 : got] = 0;
        record(path, got < 0 ? "other" : "link", &state, got < 0 ? "it cannot be read" : what);
    } else if (S_ISREG(state.st_mode)) {
        int source = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        int whole = source >= 0 && copied(source, what, sizeof what);
        if (source >= 0) close(source);
        record(path, whole ? "file" : "other", &state, whole ? what : "it cannot be read, or is larger than what is kept");
    } else record(path, "other", &state, "it is neither a file, a folder nor a link");
}

static void keep_below(int folder, const char *path, const char *moved) {
    char inner[PATH_MAX], target[PATH_MAX];
    DIR *names = fdopendir(folder);
    struct dirent *one;
    while (names && kept_paths <= MOST_PATHS && (one = readdir(names))) {
        if (!strcmp(one->d_name, ".") || !strcmp(one->d_name, "..")) continue;
        if (snprintf(inner, sizeof inner, "%s/%s", path, one->d_name) >= (int)sizeof inner) continue;
        if (moved && snprintf(target, sizeof target, "%s/%s", moved, one->d_name) >= (int)sizeof target) continue;
        keep(dirfd(names), inner, one->d_name, 1, moved ? target : NULL);
        if (moved) keep(AT_FDCWD, target, target, 0, NULL);
    }
    if (names) closedir(names);
    else close(folder);
}

/* --- what a call is about --- */

static int words_of = -1;  /* the memory of the process that waits */

static int text_at(uint64_t where, char *out, size_t room) {
    size_t got = 0;
    while (got < room) {
        size_t piece = 4096 - (where + got) % 4096;  /* not past a page: the next one may not be there */
        ssize_t one = pread(words_of, out + got, piece < room - got ? piece : room - got, (off_t)(where + got));
        if (one <= 0) return 0;
        if (memchr(out + got, 0, (size_t)one)) return 1;
        got += (size_t)one;
    }
    return 0;
}

static int base_of(pid_t pid, int32_t folder) {
    char link[64];
    if (folder == AT_FDCWD) snprintf(link, sizeof link, "/proc/%d/cwd", (int)pid);
    else snprintf(link, sizeof link, "/proc/%d/fd/%d", (int)pid, folder);
    return open(link, O_PATH | O_CLOEXEC);
}

static int real_path(int handle, char *out) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", handle);
    ssize_t got = readlink(link, out, PATH_MAX - 1);
    out[got < 0 ? 0 : got] = 0;
    return got > 0 && out[0] == '/';
}

/* The real path that a call names, and the open folder in which its last name lies; -1 if nothing can be said. */
static int located(pid_t pid, int32_t folder, const char *text, int follow, char *real, char **name) {
    char path[PATH_MAX], link[PATH_MAX];
    int base = base_of(pid, folder);
    snprintf(path, sizeof path, "%s", text);
    for (int hops = 0; base >= 0 && hops < 16; hops++) {
        size_t end = strlen(path);
        while (end > 1 && path[end - 1] == '/') path[--end] = 0;
        char *slash = strrchr(path, '/');
        const char *last = slash ? slash + 1 : path;
        if (!*last || !strcmp(last, ".") || !strcmp(last, "..")) break;
        char above[PATH_MAX];
        snprintf(above, sizeof above, "%.*s", slash ? (slash == path ? 1 : (int)(slash - path)) : 1, slash ? path : ".");
        int inside = openat(base, above, O_PATH | O_DIRECTORY | O_CLOEXEC);
        close(base);
        base = -1;
        if (inside < 0 || !real_path(inside, real)) { if (inside >= 0) close(inside); return -1; }
        ssize_t got = follow ? readlinkat(inside, last, link, sizeof link - 1) : -1;
        if (got > 0) {  /* what is written is what the link leads to */
            link[got] = 0;
            memcpy(path, link, (size_t)got + 1);
            base = inside;
            continue;
        }
        size_t length = strlen(real);
        if (snprintf(real + length, PATH_MAX - length, "%s%s", length > 1 ? "/" : "", last) >= (int)(PATH_MAX - length)) { close(inside); return -1; }
        *name = strrchr(real, '/') + 1;
        return inside;
    }
    if (base >= 0) close(base);
    return -1;
}

enum { FOLLOW = 1, DEEP = 2 };

struct named { int32_t folder; uint64_t path; int how; };

/* Which paths a call changes. */
static int named_by(const struct seccomp_data *call, struct named *out) {
    const __u64 *args = call->args;
    uint64_t how = 0;
    switch (call->nr) {
    case SYS_openat: out[0] = (struct named){(int32_t)args[0], args[1], args[2] & O_NOFOLLOW ? 0 : FOLLOW}; return 1;
    case SYS_openat2:
        if (pread(words_of, &how, sizeof how, (off_t)args[2]) != sizeof how || !(how & (O_ACCMODE | O_CREAT | O_TRUNC))) return 0;
        out[0] = (struct named){(int32_t)args[0], args[1], how & O_NOFOLLOW ? 0 : FOLLOW}; return 1;
    case SYS_mkdirat: case SYS_mknodat: out[0] = (struct named){(int32_t)args[0], args[1], 0}; return 1;
    case SYS_unlinkat: out[0] = (struct named){(int32_t)args[0], args[1], 0}; return 1;
    case SYS_symlinkat: out[0] = (struct named){(int32_t)args[1], args[2], 0}; return 1;
    case SYS_linkat: out[0] = (struct named){(int32_t)args[2], args[3], 0}; return 1;
    case SYS_fchmodat: case SYS_fchmodat2: case SYS_fchownat: out[0] = (struct named){(int32_t)args[0], args[1], FOLLOW}; return 1;
    case SYS_truncate: out[0] = (struct named){AT_FDCWD, args[0], FOLLOW}; return 1;
    case SYS_renameat2:
#ifdef SYS_renameat
    case SYS_renameat:
#endif
        out[0] = (struct named){(int32_t)args[0], args[1], DEEP};
        out[1] = (struct named){(int32_t)args[2], args[3], DEEP};
        return 2;
#ifdef SYS_open
    case SYS_open: out[0] = (struct named){AT_FDCWD, args[0], args[1] & O_NOFOLLOW ? 0 : FOLLOW}; return 1;
    case SYS_creat: case SYS_chmod: case SYS_chown: out[0] = (struct named){AT_FDCWD, args[0], FOLLOW}; return 1;
    case SYS_mkdir: case SYS_rmdir: case SYS_unlink: case SYS_mknod: case SYS_lchown: out[0] = (struct named){AT_FDCWD, args[0], 0}; return 1;
    case SYS_symlink: case SYS_link: out[0] = (struct named){AT_FDCWD, args[1], 0}; return 1;
    case SYS_rename:
        out[0] = (struct named){AT_FDCWD, args[0], DEEP};
        out[1] = (struct named){AT_FDCWD, args[1], DEEP};
        return 2;
#endif
    default: return 0;
    }
}

static void keep_named(int listener, const struct seccomp_notif *asked) {
    char text[PATH_MAX], real[2][PATH_MAX], *names[2], memory[64];
    struct named named[2];
    int folders[2] = {-1, -1};
    snprintf(memory, sizeof memory, "/proc/%d/mem", (int)asked->pid);
    words_of = open(memory, O_RDONLY | O_CLOEXEC);
    if (words_of < 0) return;
    int count = named_by(&asked->data, named);
    for (int one = 0; one < count; one++)
        if (text_at(named[one].path, text, sizeof text))
            folders[one] = located((pid_t)asked->pid, named[one].folder, text, named[one].how & FOLLOW, real[one], &names[one]);
    close(words_of);
    int waits = !ioctl(listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &asked->id);  /* else the number may be another process's by now */
    for (int one = 0; one < count; one++) {
        if (folders[one] < 0) continue;
        if (waits) keep(folders[one], real[one], names[one], named[one].how & DEEP, count == 2 && folders[!one] >= 0 ? real[!one] : NULL);
        close(folders[one]);
    }
}

/* --- the process that answers --- */

static void observe(int listener) {
    struct pollfd waiting = {listener, POLLIN, 0};
    struct seccomp_notif asked;
    struct seccomp_notif_resp answer;
    for (;;) {
        if (poll(&waiting, 1, -1) < 0 && errno != EINTR) _exit(0);
        if (waiting.revents & POLLHUP) _exit(0);  /* no process of the command is left */
        if (!(waiting.revents & POLLIN)) continue;
        memset(&asked, 0, sizeof asked);
        if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &asked)) continue;  /* who waited is gone */
        if (journal >= 0) keep_named(listener, &asked);
        memset(&answer, 0, sizeof answer);
        answer.id = asked.id;
        answer.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
        ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
    }
}

#define CALL(number) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##number, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF)
#define OPENS(number, argument) \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##number, 0, 4), \
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[argument])), \
    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_ACCMODE | O_CREAT | O_TRUNC, 0, 1), \
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF), \
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

/* Let calls that change files wait; the descriptor on which they are told of, or -1 where the kernel cannot do that. Programs of another
 * kind than the machine's are ended by the filter of calls. */
static int observed_calls(void) {
    static struct sock_filter steps[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        OPENS(openat, 2),
#ifdef SYS_open
        OPENS(open, 1),
        CALL(creat), CALL(chmod), CALL(chown), CALL(lchown), CALL(mkdir), CALL(rmdir), CALL(unlink), CALL(mknod), CALL(symlink), CALL(link),
        CALL(rename),
#endif
#ifdef SYS_renameat
        CALL(renameat),
#endif
        CALL(openat2), CALL(mkdirat), CALL(mknodat), CALL(unlinkat), CALL(symlinkat), CALL(linkat), CALL(renameat2), CALL(fchmodat),
        CALL(fchmodat2), CALL(fchownat), CALL(truncate),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof steps / sizeof *steps, steps};
    unsigned long flags = SECCOMP_FILTER_FLAG_NEW_LISTENER;
    int found = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV, &program);
    return found >= 0 ? found : (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
}
