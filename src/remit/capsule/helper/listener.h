/* A socket that listens inside of namespaces and is handed out of them. Who includes this has `refuse`. */

static int send_descriptor(int channel, int sent) {
    char byte = 'L', room[CMSG_SPACE(sizeof sent)];
    struct iovec one = {&byte, 1};
    memset(room, 0, sizeof room);
    struct msghdr message = {.msg_iov = &one, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room};
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof sent);
    memcpy(CMSG_DATA(head), &sent, sizeof sent);
    return sendmsg(channel, &message, MSG_NOSIGNAL) == 1;
}

static void hand_out_listener(uint16_t port, int channel) {
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = htons(port)};
    int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (server < 0 || bind(server, (struct sockaddr *)&place, sizeof place) || listen(server, 64)) refuse("egress", "listen");
    if (!send_descriptor(channel, server)) refuse("egress", "hand out");
    close(server);
}
