/* What hostile programs do, one command each. They print what they should not have been able to do,
 * and aim at decoys that the test has made, so that they do no harm if the sandbox fails. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static char path[8192];

static const char *in(const char *directory, const char *name)
{
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return path;
}

/* Prints what has succeeded. */
static void try(const char *what, long result)
{
    if (result >= 0)
        printf("%s\n", what), fflush(stdout);
}

static void write_outside(const char *decoy)
{
    char other[8192];
    try("open for writing", open(in(decoy, "file"), O_WRONLY));
    try("open for appending", open(in(decoy, "file"), O_WRONLY | O_APPEND));
    try("open and truncate", open(in(decoy, "file"), O_RDONLY | O_TRUNC));
    try("truncate", truncate(in(decoy, "file"), 0));
    try("create", open(in(decoy, "new"), O_WRONLY | O_CREAT, 0644));
    try("mkdir", mkdir(in(decoy, "new"), 0755));
    try("mkfifo", mkfifo(in(decoy, "new"), 0644));
    try("symlink", symlink("x", in(decoy, "new")));
    try("unlink", unlink(in(decoy, "file")));
    try("rmdir", rmdir(in(decoy, "empty")));
    snprintf(other, sizeof other, "%s/other", decoy);
    try("rename", rename(in(decoy, "file"), other));
    try("move in", rename(in(decoy, "file"), "here"));
    try("link", link(in(decoy, "file"), other));
    try("hard link in", link(in(decoy, "file"), "here"));
    if (symlink(in(decoy, "file"), "way-out") == 0)
        try("write through a link", open("way-out", O_WRONLY));
    snprintf(other, sizeof other, "/proc/%d/root%s/new", getppid(), decoy);
    try("create by way of the parent's root", open(other, O_WRONLY | O_CREAT, 0644));
}

static void touch_outside(const char *decoy)
{
    struct timeval times[2] = {{1, 0}, {1, 0}};
    try("chmod", chmod(in(decoy, "file"), 0));
    try("chmod directory", chmod(decoy, 0));
    try("utimes", utimes(in(decoy, "file"), times));
    try("chown", chown(in(decoy, "file"), getuid(), getgid()));
    try("setxattr", syscall(SYS_setxattr, in(decoy, "file"), "user.x", "y", 1, 0));
}

/* Removes all that it can reach below a directory; the test passes its decoy and `.` only. */
static void remove_all(const char *directory)
{
    DIR *dir = opendir(directory);
    struct dirent *entry;
    char inner[8192];
    while (dir && (entry = readdir(dir))) {
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
            continue;
        snprintf(inner, sizeof inner, "%s/%s", directory, entry->d_name);
        if (unlink(inner) && errno == EISDIR)
            remove_all(inner);
    }
    if (dir)
        closedir(dir);
    rmdir(directory);
}

static void connect_out(int port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    int pair[2];
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    try("socket", fd);
    try("connect", connect(fd, (struct sockaddr *)&address, sizeof address));
    try("unix socket", socket(AF_UNIX, SOCK_STREAM, 0));
    try("netlink socket", socket(AF_NETLINK, SOCK_RAW, 0));
    try("datagram pair", socketpair(AF_UNIX, SOCK_DGRAM, 0, pair));
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
        puts("no stream pair");
}

static void system_calls(void)
{
    int x32 = 0x40000000;
    try("unshare", unshare(CLONE_NEWUSER));
    try("unshare mounts", unshare(CLONE_NEWNS));
    try("clone", syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0) == 0 ? (_exit(0), 0) : -(errno != 0));
    try("mount", mount("x", ".", "tmpfs", 0, ""));
    try("remount", mount("x", "/", "", MS_REMOUNT | MS_BIND, ""));
    try("umount", umount2("/proc", MNT_DETACH));
    try("chroot", chroot("."));
    try("ptrace", ptrace(PTRACE_SEIZE, getppid(), 0, 0));
    try("memory of the parent", open(in("/proc/1", "mem"), O_RDWR));
    try("bpf", syscall(SYS_bpf, 0, 0, 0));
    try("userfaultfd", syscall(SYS_userfaultfd, 0));
    try("io_uring", syscall(SYS_io_uring_setup, 1, 0));
    try("keyctl", syscall(SYS_keyctl, 0, -3, 1));
    try("sethostname", sethostname("x", 1));
    try("sysctl", open("/proc/sys/kernel/hostname", O_WRONLY));
    try("settimeofday", settimeofday(&(struct timeval){1, 0}, NULL));
    try("x32", syscall(x32 + 39));
}

static void signals(int decoy)
{
    try("kill the parent", kill(getppid(), SIGKILL));
    try("kill the decoy", kill(decoy, SIGKILL));
    try("queue a signal", sigqueue(decoy, SIGKILL, (union sigval){0}));
    /* Ignored by default; the decoy asks for it. */
    kill(-1, SIGURG);
    puts("alive");
}

static void fill_memory(size_t chunk, int flags, size_t stride)
{
    for (;;) {
        char *memory = mmap(NULL, chunk, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED)
            puts("refused"), exit(0);
        for (size_t i = 0; i < chunk; i += stride)
            memory[i] = 1;
    }
}

static void *fill(size_t size)
{
    volatile char *memory = malloc(size);
    for (size_t i = 0; i < size; i += 512)
        memory[i] = 1;
    return (void *)memory;
}

static void fill_memory_by_children(void)
{
    for (int i = 0; i < 10; i++)
        if (fork() == 0) {
            fill(20 << 20);
            for (;;)
                pause();
        }
    for (;;)
        pause();
}

/* Not too much: what a parent and its children share must count once. */
static void share_memory(void)
{
    fill(60 << 20);
    for (int i = 0; i < 10; i++)
        if (fork() == 0)
            usleep(150000), _exit(0);
    while (wait(NULL) > 0)
        ;
}

static void fill_disk(int many)
{
    static char block[1 << 16];
    signal(SIGXFSZ, SIG_IGN);
    for (int i = 0;; i++) {
        char name[32];
        snprintf(name, sizeof name, "f%d", many ? i : 0);
        int fd = open(name, O_WRONLY | O_CREAT | O_APPEND, 0644);
        if (fd < 0 || write(fd, block, sizeof block) < (ssize_t)sizeof block)
            break;
        close(fd);
    }
    puts("full");
}

static void many_names(void)
{
    char name[32];
    for (int i = 0; sprintf(name, "n%d", i) && close(creat(name, 0644)) == 0; i++)
        ;
}

static void stay_behind(const char *program, const char *marker)
{
    if (fork() == 0) {
        setsid();
        if (fork() == 0)
            execl(program, program, "stubborn", marker, NULL);
        _exit(0);
    }
    wait(NULL);
    usleep(50000);
}

static void stubborn(void)
{
    for (int i = 1; i < 65; i++)
        signal(i, SIG_IGN);
    for (;;)
        sleep(100);
}

static void count_processes(void)
{
    int count = 1;
    while (fork() != -1)
        if (getpid() == getpgrp())
            count++;
        else
            for (;;)
                pause();
    printf("%d\n", count);
}

static void odd_directories(void)
{
    mkdir("closed", 0755);
    close(open("closed/file", O_CREAT | O_WRONLY, 0));
    mkdir("closed/inner", 0);
    chmod("closed", 0);
    mkfifo("fifo", 0);
    mkdir("deep", 0755);
    if (chdir("deep"))
        perror("deep");
    for (int i = 1; i < 1000; i++)
        if (mkdir("d", 0755) || chdir("d"))
            perror("d");
    chmod(".", 0);
}

static void leave_traces(void)
{
    try("shared memory was there", shmget(1234, 0, 0));
    try("semaphore file was there", open("/dev/shm/trace", O_RDONLY));
    try("file was there", open("trace", O_RDONLY));
    shmget(1234, 4096, IPC_CREAT | 0600);
    open("/dev/shm/trace", O_WRONLY | O_CREAT, 0644);
    open("trace", O_WRONLY | O_CREAT, 0644);
}

int main(int argc, char **argv)
{
    const char *command = argc > 1 ? argv[1] : "", *arg = argc > 2 ? argv[2] : "";
    if (!strcmp(command, "write-outside"))
        write_outside(arg);
    else if (!strcmp(command, "touch-outside"))
        touch_outside(arg);
    else if (!strcmp(command, "remove"))
        remove_all(arg), remove_all(getenv("HOME"));
    else if (!strcmp(command, "connect"))
        connect_out(atoi(arg));
    else if (!strcmp(command, "system-calls"))
        system_calls();
    else if (!strcmp(command, "signals"))
        signals(atoi(arg));
    else if (!strcmp(command, "memory"))
        fill_memory(1 << 20, MAP_PRIVATE, 1);
    else if (!strcmp(command, "memory-sparse"))
        fill_memory((size_t)64 << 30, MAP_PRIVATE, 64 << 10);
    else if (!strcmp(command, "memory-shared"))
        fill_memory(1 << 20, MAP_SHARED, 4096);
    else if (!strcmp(command, "memory-children"))
        fill_memory_by_children();
    else if (!strcmp(command, "share-memory"))
        share_memory();
    else if (!strcmp(command, "disk"))
        fill_disk(!strcmp(arg, "many"));
    else if (!strcmp(command, "names"))
        many_names();
    else if (!strcmp(command, "print"))
        for (;;)
            fputs("and on and on ", strcmp(arg, "stderr") ? stdout : stderr);
    else if (!strcmp(command, "stubborn"))
        stubborn();
    else if (!strcmp(command, "spin"))
        for (;;)
            ;
    else if (!strcmp(command, "stay-behind"))
        stay_behind(argv[3], arg);
    else if (!strcmp(command, "count-processes"))
        count_processes();
    else if (!strcmp(command, "fork-bomb"))
        for (;;)
            if (fork() == 0)
                setsid();
            else
                sched_yield();
    else if (!strcmp(command, "directories"))
        odd_directories();
    else if (!strcmp(command, "close"))
        close(0), close(1), close(2), creat("file", 0644), exit(creat("other", 0644));
    else if (!strcmp(command, "traces"))
        leave_traces();
    return 0;
}
