/* Prints all that it finds, then changes all that it can reach: a run after this one must find the same.
 * Without a word it leaves out what only namespaces give: numbers of processes and files, what others
 * have mounted. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/utsname.h>
#include <unistd.h>

static const char *const own[] = {".", "given", "/tmp", "/dev/shm"};
static const char *const others[] = {"..", "/", "/etc", "/etc/passwd", "/proc/self/exe", "/var/tmp", "/run", "/dev"};
enum { OTHERS = sizeof others / sizeof *others };

static int all, places = 2;

static void show_attributes(const char *path)
{
    char names[256], value[64];
    ssize_t length = syscall(SYS_listxattr, path, names, sizeof names);
    for (ssize_t at = 0; at < length; at += (ssize_t)strlen(names + at) + 1) {
        ssize_t size = syscall(SYS_getxattr, path, names + at, value, sizeof value);
        printf("%s has %s of %zd bytes\n", path, names + at, size);
    }
}

static void show_path(const char *path)
{
    struct stat at;
    if (lstat(path, &at))
        return;
    printf("%s: %o, %ld names, of %d, from %ld", path, at.st_mode, (long)at.st_nlink, at.st_uid == getuid(),
        (long)at.st_mtime);
    if (all)
        printf(", number %ld", (long)at.st_ino);
    puts("");
    show_attributes(path);
}

static void show_directory(const char *path)
{
    char inner[512], target[256];
    struct dirent *entry;
    DIR *directory = opendir(path);
    while (directory && (entry = readdir(directory))) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
        show_path(inner);
        ssize_t length = readlink(inner, target, sizeof target);
        if (length > 0)
            printf("  leads to %.*s\n", (int)length, target);
    }
    if (directory)
        closedir(directory);
}

static void show_file(const char *path)
{
    char text[4096];
    FILE *file = fopen(path, "r");
    while (file && fgets(text, sizeof text, file))
        printf("%s holds %s", path, text);
    if (file)
        fclose(file);
}

static void show_room(const char *path)
{
    struct statvfs room;
    if (!statvfs(path, &room))
        printf("%s has room for %ld blocks and %ld names\n", path, (long)room.f_bavail, (long)room.f_favail);
}

/* Limits, priorities and processors of a process: 0 is this one. */
static void show_process(int pid)
{
    struct rlimit limit;
    cpu_set_t processors;
    for (int resource = 0; resource < RLIM_NLIMITS; resource++)
        if (!prlimit(pid, resource, NULL, &limit))
            printf("%d limit %d: %ld %ld\n", pid, resource, (long)limit.rlim_cur, (long)limit.rlim_max);
    errno = 0;
    printf("%d priority %d", pid, getpriority(PRIO_PROCESS, (unsigned)pid));
    printf(" %d policy %d", errno, sched_getscheduler(pid));
    CPU_ZERO(&processors);
    printf(" io %ld processors %d", syscall(SYS_ioprio_get, 1, pid), sched_getaffinity(pid, sizeof processors, &processors));
    printf(" %d\n", CPU_COUNT(&processors));
}

/* Their numbers tell of those that were there before. */
static void show_ipc(void)
{
    int memory = shmget(IPC_PRIVATE, 4096, 0600), queue = msgget(77, IPC_CREAT | 0600);
    int semaphores = semget(77, 3, IPC_CREAT | 0600), value = semctl(semaphores, 1, GETVAL);
    printf("memory %d, queue %d, semaphores %d at %d\n", memory, queue, semaphores, value);
}

static void show_world(void)
{
    struct utsname name;
    char text[4096];
    mode_t mask = umask(022);
    uname(&name);
    printf("host %s, in %s, mask %o, parent %d\n", name.nodename, getcwd(text, sizeof text), mask, all ? getppid() : 0);
    for (int fd = 0; fd < 64; fd++)
        if (fcntl(fd, F_GETFD) >= 0)
            printf("open %d\n", fd);
    for (int number = 1; number < 65; number++) {
        struct sigaction action;
        if (!sigaction(number, NULL, &action) && action.sa_handler != SIG_DFL)
            printf("signal %d is not as usual\n", number);
    }
}

static void show_locks(void)
{
    for (int i = 0; i < OTHERS; i++) {
        int fd = open(others[i], O_RDONLY);
        if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB))
            printf("%s is locked\n", others[i]);
        struct flock range = {.l_type = F_WRLCK};
        if (fd >= 0 && !fcntl(fd, F_OFD_GETLK, &range) && range.l_type != F_UNLCK)
            printf("%s is locked in part\n", others[i]);
        close(fd);
    }
}

static void show_all(void)
{
    for (int i = 0; i < places; i++)
        show_path(own[i]), show_directory(own[i]);
    show_path("..");
    show_file("given");
    show_world();
    show_process(0);
    if (!all)
        return;
    show_process(1);
    show_process(300);
    show_ipc();
    show_locks();
    show_room(".");
    show_room("/tmp");
    show_file("/proc/self/mounts");
    printf("process %d, and its child is %d\n", getpid(), vfork() ? 0 : (_exit(0), 0));
}

static void change_times_and_modes(const char *path)
{
    struct timeval times[2] = {{1, 0}, {2, 0}};
    syscall(SYS_setxattr, path, "user.left", "xyz", 3, 0);
    syscall(SYS_setxattr, path, "trusted.left", "xyz", 3, 0);
    utimes(path, times);
    chown(path, getuid(), getgid());
    chmod(path, 01700);
}

static void fill(const char *directory)
{
    char path[512], other[512];
    snprintf(path, sizeof path, "%s/left", directory);
    int fd = open(path, O_CREAT | O_RDWR, 0600);
    if (fd >= 0 && write(fd, "left", 4) != 4)
        puts("full");
    snprintf(other, sizeof other, "%s/linked", directory);
    if (link(path, other) == 0)
        symlink(path, strcat(other, "-too"));
    snprintf(path, sizeof path, "%s/fifo", directory);
    mkfifo(path, 0600);
    snprintf(path, sizeof path, "%s/inner", directory);
    mkdir(path, 0);
}

static void store_through_a_mapping(void)
{
    int fd = open("given", O_RDWR);
    char *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (memory != MAP_FAILED)
        memory[0] = memory[0] == 'x' ? 'y' : 'x';
}

static void change_process(int pid)
{
    static const int resources[] = {RLIMIT_NOFILE, RLIMIT_NPROC, RLIMIT_FSIZE, RLIMIT_STACK, RLIMIT_AS, RLIMIT_CORE};
    struct sched_param none = {0};
    cpu_set_t one;
    for (size_t i = 0; i < sizeof resources / sizeof *resources; i++)
        prlimit(pid, resources[i], &(struct rlimit){7, 7}, NULL);
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    sched_setaffinity(pid, sizeof one, &one);
    sched_setscheduler(pid, SCHED_IDLE, &none);
    setpriority(PRIO_PROCESS, (unsigned)pid, 7);
    setpriority(PRIO_PGRP, (unsigned)pid, 7);
    syscall(SYS_ioprio_set, 1, pid, 3 << 13);
    syscall(SYS_ioprio_set, 2, pid, 3 << 13);
}

static void change_processes(void)
{
    change_process(1);
    change_process(300);
    if (!all)
        return;
    setpriority(PRIO_USER, getuid(), 9);
    syscall(SYS_ioprio_set, 3, getuid(), 3 << 13);
    kill(1, SIGSTOP);
    kill(300, SIGKILL);
}

static void change_ipc(void)
{
    struct sembuf up = {1, 3, 0};
    shmctl(shmget(78, 4096, IPC_CREAT | 0600), IPC_RMID, NULL);
    shmat(shmget(79, 1 << 16, IPC_CREAT | 0600), NULL, 0);
    semop(semget(77, 3, IPC_CREAT | 0600), &up, 1);
    msgsnd(msgget(77, IPC_CREAT | 0600), &(struct { long type; char text[4]; }){1, "abc"}, 4, 0);
    syscall(SYS_mq_open, "left", O_CREAT | O_RDWR, 0600, NULL);
}

/* Goes on with it for as long as it is let. */
static void stay_behind(void)
{
    if (!all || fork())
        return;
    setsid();
    for (int number = 1; number < 65; number++)
        signal(number, SIG_IGN);
    for (;;) {
        fill(".");
        fill("/tmp");
        usleep(1000);
    }
}

/* Leaves an open file in the queue of a pair of sockets that nothing holds but that queue: the kernel closes it when
 * it comes to it. */
static void leave_open(int fd)
{
    int sent[3] = {fd};
    char text = 'x', control[CMSG_SPACE(sizeof sent)] = {0};
    struct iovec part = {&text, 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, sent + 1))
        return;
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof sent);
    memcpy(CMSG_DATA(header), sent, sizeof sent);
    sendmsg(sent[1], &message, 0);
    close(sent[1]);
    close(sent[2]);
}

static void change_all(void)
{
    store_through_a_mapping();
    for (int i = 0; i < OTHERS; i++) {
        int fd = open(others[i], O_RDONLY);
        fcntl(fd, F_SETLEASE, F_RDLCK);
        // Without namespaces locks are taken for real, and the runs of other tests would see them.
        if (all) {
            flock(fd, LOCK_EX | LOCK_NB);
            fcntl(fd, F_OFD_SETLK, &(struct flock){.l_type = F_RDLCK});
            fcntl(fd, F_SETLK, &(struct flock){.l_type = F_RDLCK, .l_start = 1});
            if (fd >= 0)
                leave_open(fd);
        }
        change_times_and_modes(others[i]);
        fill(others[i]);
    }
    for (int i = 0; i < places; i++)
        fill(own[i]), change_times_and_modes(own[i]);
    rename("given", "taken");
    rmdir("/dev/shm");
    sethostname("left", 4);
    ftruncate(0, 0);
    umask(0777);
    if (all)
        change_ipc();
    stay_behind();
    change_processes();
    chmod(".", 0);
}

int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 1)
        all = 1, places = sizeof own / sizeof *own;
    show_all();
    fflush(stdout);
    change_all();
    return 0;
}
