/* What runs in a capsule before the command, and becomes it: init ORDERS COMMAND…
 *
 * ORDERS is a descriptor that holds words, each ended by NUL, as `remit/capsule/landlock.py` writes them:
 *   ruleset FILES PORTS SCOPES   begin a Landlock ruleset that handles these rights (hexadecimal)
 *   file RIGHTS PATH             rights below a path
 *   port RIGHTS NUMBER           rights on a TCP port
 *   apply                        apply the ruleset; nothing takes it back
 *   limit RESOURCE AMOUNT        a limit, soft and hard
 *   listen PORT CHANNEL          listen on loopback and hand the listening socket out through a descriptor
 * It fails closed: whatever goes wrong, the command does not start, and the status is 125.
 * The numbers of calls and structures are written out, because headers of a system may be older than its kernel.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { REFUSED = 125, NOT_STARTABLE = 126, NOT_FOUND = 127 };
enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446, CLOSE_RANGE = 436 };
enum { PATH_BENEATH = 1, NET_PORT = 2 };

struct ruleset { uint64_t files, ports, scopes; };
struct path_rule { uint64_t rights; int32_t folder; } __attribute__((packed));
struct port_rule { uint64_t rights, port; };

static char orders[1 << 20];
static size_t length, at;
static int ruleset = -1;

static void refuse(const char *what, const char *about) {
    fprintf(stderr, "remit: the capsule cannot be closed (%s %s: %s), so nothing was run\n", what, about, strerror(errno));
    _exit(REFUSED);
}

static const char *word(void) {
    if (at >= length) { errno = EINVAL; refuse("orders", "end early"); }
    const char *found = orders + at;
    at += strlen(found) + 1;
    return found;
}

static uint64_t number(int base) {
    const char *text = word();
    char *end;
    errno = 0;
    unsigned long long found = strtoull(text, &end, base);
    if (errno || *end || end == text) { errno = EINVAL; refuse("number", text); }
    return found;
}

static void read_orders(int source) {
    ssize_t got;
    while ((got = read(source, orders + length, sizeof orders - 1 - length)) > 0)
        length += (size_t)got;
    if (got < 0 || length == sizeof orders - 1 || (length && orders[length - 1])) refuse("orders", "cannot be read");
}

static void begin_ruleset(void) {
    struct ruleset asked;
    asked.files = number(16);  /* one after the other: an initialiser has no order */
    asked.ports = number(16);
    asked.scopes = number(16);
    /* a kernel that knows no ports or scopes refuses the longer structure, even if nothing stands in it */
    size_t size = asked.scopes ? 24 : asked.ports ? 16 : 8;
    ruleset = (int)syscall(CREATE_RULESET, &asked, size, 0);
    if (ruleset < 0) refuse("Landlock", "ruleset");
}

static void allow_file(void) {
    struct path_rule rule = {number(16), -1};
    const char *path = word();
    rule.folder = open(path, O_PATH | O_CLOEXEC);
    if (rule.folder < 0 || syscall(ADD_RULE, ruleset, PATH_BENEATH, &rule, 0)) refuse("Landlock", path);
    close(rule.folder);
}

static void allow_port(void) {
    struct port_rule rule;
    rule.rights = number(16);
    rule.port = number(10);
    if (syscall(ADD_RULE, ruleset, NET_PORT, &rule, 0)) refuse("Landlock", "port");
}

static void apply_ruleset(void) {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) refuse("privileges", "are kept");
    if (syscall(RESTRICT_SELF, ruleset, 0)) refuse("Landlock", "apply");
    close(ruleset);
}

static void set_limit(void) {
    int resource = (int)number(10);
    rlim_t amount = (rlim_t)number(10);
    struct rlimit had, both = {amount, amount};
    if (getrlimit(resource, &had)) refuse("limit", "unknown");
    if (had.rlim_max < amount) both.rlim_cur = both.rlim_max = had.rlim_max;
    if (setrlimit(resource, &both)) refuse("limit", "set");
}

#include "listener.h"

int main(int argc, char **argv) {
    if (argc < 3) { errno = EINVAL; refuse("command", "missing"); }
    read_orders(atoi(argv[1]));
    while (at < length) {
        const char *order = word();
        if (!strcmp(order, "ruleset")) begin_ruleset();
        else if (!strcmp(order, "file")) allow_file();
        else if (!strcmp(order, "port")) allow_port();
        else if (!strcmp(order, "apply")) apply_ruleset();
        else if (!strcmp(order, "limit")) set_limit();
        else if (!strcmp(order, "listen")) {
            uint16_t port = (uint16_t)number(10);
            hand_out_listener(port, (int)number(10));
        }
        else { errno = EINVAL; refuse("order", order); }
    }
    if (syscall(CLOSE_RANGE, 3, ~0U, 0)) refuse("descriptors", "close");
    execvp(argv[2], argv + 2);
    int status = errno == ENOENT ? NOT_FOUND : NOT_STARTABLE;
    fprintf(stderr, "remit: `%s` cannot be started in the capsule: %s\n", argv[2], strerror(errno));
    return status;
}
