/* What the processes of one command write, observed by the kernel: each call that would change a file waits until the old state of that
 * file is kept. A process of its own answers; it lives as long as a process of the command does.
 *
 * It keeps, in the folder of the call, one record for each path below the places that are observed:
 *   PATH KIND MODE MTIME INODE WHAT   each ended by NUL; KIND is absent, file (WHAT: the name of the copy), folder, link (WHAT: its target),
 *                                     or other (WHAT: why it is not kept)
 * What git keeps is recorded in the same way, with three differences. What is added there is not recorded. Each file that git puts in
 * place by a rename, and each that it removes, leaves a record more: KIND is wrote (WHAT: its content if it is as short as a ref; empty if it
 * was removed). Objects and packs never change, so they get a second name in the folder for links, which costs no copy; KIND is objects
 * (PATH: the folder of objects; WHAT: the folder with the second names, in which `:` stands for `/`).
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
static int outside[MOST_PLACES];  /* the same places as they are mounted outside: a second name can only be made in the same mount */
static size_t observed;
static int keeping_in = -1, journal = -1, links_in = -1;
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

/* The place that is observed and in which a path lies; -1 if there is none. */
static int place_of(const char *path) {
    for (size_t one = 0; one < observed; one++) {
        size_t length = strlen(places[one]);
        if (!strncmp(path, places[one], length) && (path[length] == '/' || !path[length])) return (int)one;
    }
    return -1;
}

static int has_part(const char *path, const char *part) {
    char whole[PATH_MAX + 2];
    return snprintf(whole, sizeof whole, "%s/", path) < (int)sizeof whole && strstr(whole, part) != NULL;
}

static int is_observed(const char *path) {
    return place_of(path) >= 0 && !has_part(path, "/.hg/") && !has_part(path, "/.jj/") && !has_part(path, "/.svn/");
}

static int ends_with(const char *text, const char *end) {
    size_t length = strlen(text), shorter = strlen(end);
    return length >= shorter && !strcmp(text + length - shorter, end);
}

static int copied(int source, int folder, const char *name) {
    char block[1 << 16];
    ssize_t got = 0;
    int target = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (target < 0) return errno == EEXIST;
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

/* --- objects of repositories --- */

/* How much of a path is a folder of objects in a repository of git; 0 if it lies in none. */
static size_t objects_folder(const char *path) {
    static char *repositories[MOST_PLACES];  /* bare ones; a command may remove what shows it before it removes the objects */
    static size_t found;
    char root[PATH_MAX], head[PATH_MAX + 8];
    const char *at = NULL, *next = path;
    while ((next = strstr(next, "/objects/"))) at = next++;
    if (!at) return 0;
    snprintf(root, sizeof root, "%.*s", (int)(at - path), path);
    size_t length = strlen(root) + strlen("/objects");
    if (has_part(root, "/.git/")) return length;
    for (size_t one = 0; one < found; one++)
        if (!strcmp(repositories[one], root)) return length;
    snprintf(head, sizeof head, "%s/HEAD", root);
    if (found == MOST_PLACES || faccessat(AT_FDCWD, head, F_OK, AT_SYMLINK_NOFOLLOW)) return 0;
    repositories[found] = strdup(root);
    return repositories[found++] ? length : 0;
}

/* The folder for second names of objects that lie in a folder. */
static int links_of(const char *objects) {
    static struct { char *objects; int folder; } known[MOST_PLACES];
    static size_t found;
    char name[32];
    for (size_t one = 0; one < found; one++)
        if (!strcmp(known[one].objects, objects)) return known[one].folder;
    snprintf(name, sizeof name, "objects-%zu", found);
    if (found == MOST_PLACES || mkdirat(links_in, name, 0700)) return -1;
    known[found].objects = strdup(objects);
    known[found].folder = openat(links_in, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    record(objects, "objects", NULL, name);
    return known[found].objects ? known[found++].folder : -1;
}

/* Give a file a second name, if it is the same file outside. */
static int linked(const char *path, const struct stat *state, int folder, const char *name) {
    struct open_how how = {.flags = O_PATH | O_DIRECTORY | O_CLOEXEC, .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS};
    char above[PATH_MAX];
    struct stat other;
    int place = place_of(path);
    if (place < 0 || outside[place] < 0) return 0;
    const char *rest = path + strlen(places[place]), *last = strrchr(path, '/') + 1;
    while (*rest == '/') rest++;
    snprintf(above, sizeof above, "./%.*s", last > rest ? (int)(last - rest) : 0, rest);
    int inside = (int)syscall(SYS_openat2, outside[place], above, &how, sizeof how);
    int same = inside >= 0 && !fstatat(inside, last, &other, AT_SYMLINK_NOFOLLOW) && other.st_dev == state->st_dev && other.st_ino == state->st_ino;
    int done = same && (!linkat(inside, last, folder, name, 0) || errno == EEXIST);
    if (inside >= 0) close(inside);
    return done;
}

/* Keep an object or a pack. One that is written in place, or has other names by which it can be, is copied. */
static void keep_object(int folder, const char *path, size_t length, const char *name, const struct stat *state, int goes) {
    char flat[PATH_MAX], objects[PATH_MAX];
    const char *rest = path + length + 1;
    int loose = strspn(rest, "0123456789abcdef") == 2 && rest[2] == '/' && strncmp(rest + 3, "tmp_", 4);
    if (!S_ISREG(state->st_mode) || (!loose && strncmp(rest, "pack/pack-", 10))) return;
    snprintf(objects, sizeof objects, "%.*s", (int)length, path);
    snprintf(flat, sizeof flat, "%s", rest);
    for (char *at = flat; *at; at++) if (*at == '/') *at = ':';
    int links = links_of(objects);
    if (goes && (state->st_nlink == 1 || state->st_size > FILE_BYTES) && linked(path, state, links, flat)) return;
    int source = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    int whole = source >= 0 && state->st_size <= FILE_BYTES && copied(source, links, flat);
    if (source >= 0) close(source);
    if (!whole && is_new(path)) record(path, "other", state, "it cannot be read, or is larger than what is kept");
}

/* What git put in place, or removed: whoever undoes the call must know what the call left, and not what others left there since. */
static void note_written(int folder, const char *name, const char *path) {
    struct stat state;
    char text[256] = "";
    if (journal < 0 || !is_observed(path) || !strncmp(path, "/proc/", 6)) return;
    if (!name) { record(path, "wrote", NULL, ""); return; }
    if (fstatat(folder, name, &state, AT_SYMLINK_NOFOLLOW) || !S_ISREG(state.st_mode)) return;
    int source = state.st_size < (off_t)sizeof text ? openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) : -1;
    ssize_t got = source >= 0 ? read(source, text, sizeof text - 1) : 0;
    text[got > 0 ? got : 0] = 0;
    if (source >= 0) close(source);
    record(path, "wrote", &state, text);
}

static void keep_below(int folder, const char *path, const char *moved);

/* Keep what lies at a name of an open folder, whose real path is known; all that is below it too, if it is moved or goes. */
static void keep(int folder, const char *path, const char *name, int deep, int goes, const char *moved) {
    struct stat state;
    char what[PATH_MAX];
    int absent = fstatat(folder, name, &state, AT_SYMLINK_NOFOLLOW);
    if (!absent && deep && S_ISDIR(state.st_mode)) {
        int inner = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (inner >= 0) keep_below(inner, path, moved);
    }
    size_t objects = is_observed(path) ? objects_folder(path) : 0;
    if (objects && strcmp(path + objects, "/info/alternates")) {
        if (journal >= 0 && !absent && !is_fixed(folder, name)) keep_object(folder, path, objects, name, &state, goes);
        return;
    }
    if (has_part(path, "/.git/")) {
        if (ends_with(path, ".lock")) return;
        if (absent && kept_paths < MOST_PATHS && is_new(path)) kept_paths++;  /* the call's own from now on */
        if (absent) return;
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
        snprintf(what, sizeof what, "%zu", kept_paths);
        int whole = source >= 0 && copied(source, keeping_in, what);
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
        keep(dirfd(names), inner, one->d_name, 1, 1, moved ? target : NULL);
        if (moved) keep(AT_FDCWD, target, target, 0, 0, NULL);
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

enum { FOLLOW = 1, DEEP = 2, GOES = 4 };

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
    case SYS_unlinkat: out[0] = (struct named){(int32_t)args[0], args[1], GOES}; return 1;
    case SYS_symlinkat: out[0] = (struct named){(int32_t)args[1], args[2], 0}; return 1;
    case SYS_linkat: out[0] = (struct named){(int32_t)args[2], args[3], 0}; return 1;
    case SYS_fchmodat: case SYS_fchmodat2: case SYS_fchownat: out[0] = (struct named){(int32_t)args[0], args[1], FOLLOW}; return 1;
    case SYS_truncate: out[0] = (struct named){AT_FDCWD, args[0], FOLLOW}; return 1;
    case SYS_renameat2:
#ifdef SYS_renameat
    case SYS_renameat:
#endif
        out[0] = (struct named){(int32_t)args[0], args[1], DEEP | GOES};
        out[1] = (struct named){(int32_t)args[2], args[3], DEEP | GOES};
        return 2;
#ifdef SYS_open
    case SYS_open: out[0] = (struct named){AT_FDCWD, args[0], args[1] & O_NOFOLLOW ? 0 : FOLLOW}; return 1;
    case SYS_creat: case SYS_chmod: case SYS_chown: out[0] = (struct named){AT_FDCWD, args[0], FOLLOW}; return 1;
    case SYS_rmdir: case SYS_unlink: out[0] = (struct named){AT_FDCWD, args[0], GOES}; return 1;
    case SYS_mkdir: case SYS_mknod: case SYS_lchown: out[0] = (struct named){AT_FDCWD, args[0], 0}; return 1;
    case SYS_symlink: case SYS_link: out[0] = (struct named){AT_FDCWD, args[1], 0}; return 1;
    case SYS_rename:
        out[0] = (struct named){AT_FDCWD, args[0], DEEP | GOES};
        out[1] = (struct named){AT_FDCWD, args[1], DEEP | GOES};
        return 2;
#endif
    default: return 0;
    }
}

static int is_of_git(const char *path) {
    return (has_part(path, "/.git/") || has_part(path, "/refs/")) && !ends_with(path, ".lock") && !objects_folder(path);
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
    int moves = count == 2 && folders[0] >= 0 && folders[1] >= 0;
    for (int one = 0; waits && one < count; one++)
        if (folders[one] >= 0) keep(folders[one], real[one], names[one], named[one].how & DEEP, named[one].how & GOES, moves ? real[!one] : NULL);
    if (waits && moves && (ends_with(real[0], ".lock") || ends_with(real[1], "/packed-refs"))) note_written(folders[0], names[0], real[1]);
    if (waits && count == 1 && folders[0] >= 0 && named[0].how & GOES && is_of_git(real[0])) note_written(-1, NULL, real[0]);
    for (int one = 0; one < count; one++)
        if (folders[one] >= 0) close(folders[one]);
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
