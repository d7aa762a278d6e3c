// Being forked for each run. Starting a program, with its loader and the maps of labels, takes longer
// than most runs: so a lab that makes many hands down a socket, and this process stays where nothing
// of the program has run yet and makes a child of the lab's for each run it is asked for.
//
// Whatever is of a run is made by the child: its session, directory and streams. System calls are made
// without the C library, whose names the program may have for itself.
#include <errno.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core.h"

#ifndef PR_GET_TID_ADDRESS
#define PR_GET_TID_ADDRESS 40
#endif

// Where the arguments of a child are: the lowest of the system's addresses, which it gives out from the
// top. They have labels, as everything that instrumented code reads.
#define ARGUMENTS ((char *)SYSTEM_FIRST)

static int served_argc;
static char **served_argv;

void plx_served_arguments(int *argc, char ***argv) {
    if (!served_argv) return;
    served_argv[0] = (*argv)[0];
    *argc = served_argc;
    *argv = served_argv;
}

// What the C library registers with the kernel for each thread, and a child has to register anew.
static struct {
    int *thread_id;
    void *robust_list;
    size_t robust_size;
} registered;

static int find_registered(void) {
    return syscall(SYS_prctl, PR_GET_TID_ADDRESS, &registered.thread_id, 0, 0, 0) == 0 && registered.thread_id &&
           syscall(SYS_get_robust_list, 0, &registered.robust_list, &registered.robust_size) == 0;
}

// The child's parent is the lab, as if that had started it.
static int fork_sibling(void) {
    long flags = CLONE_PARENT | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID | SIGCHLD;
#if defined(__x86_64__)
    return (int)syscall(SYS_clone, flags, 0, 0, registered.thread_id, 0);
#else
    return (int)syscall(SYS_clone, flags, 0, 0, 0, registered.thread_id);
#endif
}

static int receive_all(char *bytes, size_t length) {
    while (length > 0) {
        ssize_t count = syscall(SYS_read, PLX_SERVE_FD, bytes, length);
        if (count <= 0) return 0;
        bytes += count;
        length -= (size_t)count;
    }
    return 1;
}

// A request with the three streams of its run.
static int receive(struct plx_serve *request, int streams[3]) {
    union {
        struct cmsghdr head;
        char bytes[CMSG_SPACE(3 * sizeof(int))];
    } control;
    struct iovec part = {request, sizeof *request};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control,
                             .msg_controllen = sizeof control};
    ssize_t count = syscall(SYS_recvmsg, PLX_SERVE_FD, &message, MSG_WAITALL);
    if (count != (ssize_t)sizeof *request) return 0;
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    for (int i = 0; i < 3; i++) streams[i] = -1;
    if (head && head->cmsg_type == SCM_RIGHTS && head->cmsg_len == CMSG_LEN(3 * sizeof(int)))
        memcpy(streams, CMSG_DATA(head), 3 * sizeof(int));
    return 1;
}

static void close_streams(const int streams[3]) {
    for (int i = 0; i < 3; i++)
        if (streams[i] > 2) syscall(SYS_close, streams[i]);
}

// The bytes of a request are the directory and the arguments, each with its NUL.
static int take_arguments(const struct plx_serve *request) {
    size_t strings = (request->bytes + 15) & ~(size_t)15;
    if (strings + (request->arguments + 1) * sizeof(char *) > PLX_SERVE_ROOM) return 0;
    if (!receive_all(ARGUMENTS, request->bytes)) return 0;
    served_argc = (int)request->arguments;
    served_argv = (char **)(ARGUMENTS + strings);
    char *string = ARGUMENTS;
    for (uint32_t i = 0; i < request->arguments; i++) {
        while (*string++) {}
        served_argv[i] = string;
    }
    served_argv[served_argc] = 0;
    return 1;
}

static void answer(int32_t number) {
    if (syscall(SYS_write, PLX_SERVE_FD, &number, sizeof number) != sizeof number) _exit(0);
}

static void become_subject(const int streams[3]) {
    syscall(SYS_set_robust_list, registered.robust_list, registered.robust_size);
    int ready = syscall(SYS_setsid) > 0 && syscall(SYS_chdir, ARGUMENTS) == 0;
    for (int i = 0; i < 3; i++) ready = ready && syscall(SYS_dup3, streams[i], i, 0) == i;
    close_streams(streams);
    // By the child, so that nothing of the program has run if there is no answer.
    answer(ready ? (int32_t)syscall(SYS_getpid) : -EIO);
    if (!ready) _exit(0);
    syscall(SYS_close, PLX_SERVE_FD);
}

void plx_serve(void) {
    // Without the socket this is an ordinary run.
    if (syscall(SYS_sendto, PLX_SERVE_FD, "", 0, MSG_NOSIGNAL, 0, 0) < 0) return;
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    void *arguments = mmap(ARGUMENTS, PLX_SERVE_ROOM, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (arguments != ARGUMENTS || !find_registered()) _exit(0);
    answer(0);
    for (;;) {
        struct plx_serve request;
        int streams[3];
        if (!receive(&request, streams)) _exit(0);
        if (request.command == PLX_SERVE_END_OTHERS) {
            // Kills all but this process and the first of the lab; ESRCH means that none is left.
            answer(syscall(SYS_kill, -1, SIGKILL) != 0 && errno == ESRCH);
            continue;
        }
        if (!take_arguments(&request)) _exit(0);
        int child = fork_sibling();
        if (child == 0) {
            become_subject(streams);
            return;
        }
        int error = errno;
        close_streams(streams);
        if (child < 0) answer(-error);
    }
}
