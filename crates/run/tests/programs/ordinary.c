/* What ordinary programs do, one command each. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    if (!file || fputs(text, file) < 0 || fclose(file))
        perror(path), exit(99);
}

static void files(void)
{
    write_file("created", "new");
    write_file("changed", "other");
    write_file("same", "same");
    chmod("closed", 0600);
    chmod("tree", 0750);
    unlink("removed");
    mkdir("directory", 0700);
    write_file("directory/inner", "");
    symlink("/nowhere", "link");
    unlink("becomes-link");
    symlink("same", "becomes-link");
    unlink("tree/inner/leaf");
    rmdir("tree/inner");
    write_file("odd\n\xff name", "x");
    mkfifo("fifo", 0600);
    if (rename("moved", "directory/moved"))
        perror("rename");
}

static void show_file(const char *directory, const char *name)
{
    char path[8192], text[100] = "";
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "r");
    if (!file || !fgets(text, sizeof text, file))
        perror(path);
    printf(" %s", text);
}

static void find_itself(char **argv)
{
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length < 0 ? 0 : length] = 0;
    printf("%s", path);
    char *slash = strrchr(path, '/');
    if (slash)
        *slash = 0;
    show_file(path, "beside");
    show_file(path, "../share/above");
    puts("");
    fflush(stdout);
    if (fork() == 0) {
        execlp(argv[0], argv[0], "again", NULL);
        perror(argv[0]), _exit(1);
    }
    wait(NULL);
    execl("/proc/self/exe", argv[0], "again", NULL);
    perror("/proc/self/exe");
}

static void show_addresses(void)
{
    int local;
    void *heap = malloc(10), *big = malloc(1 << 20);
    printf("%p %p %p %p %p\n", (void *)show_addresses, (void *)&local, heap, big, (void *)&printf);
}

static void show_world(void)
{
    char cwd[4096];
    struct utsname name;
    struct stat in, out;
    struct rlimit core;
    sigset_t mask;
    mode_t mode = umask(0);
    uname(&name);
    fstat(0, &in);
    fstat(1, &out);
    sigprocmask(SIG_SETMASK, NULL, &mask);
    getrlimit(RLIMIT_STACK, &core);
    printf("cwd %s\npid %d ppid %d session %d\nhost %s\numask %03o\n", getcwd(cwd, sizeof cwd),
        (int)getpid(), (int)getppid(), (int)getsid(0), name.nodename, (unsigned)mode);
    printf("stdin file %d stdout fifo %d stack %lu sigchld blocked %d\n", S_ISREG(in.st_mode),
        S_ISFIFO(out.st_mode), (unsigned long)core.rlim_cur, sigismember(&mask, SIGCHLD));
    for (int fd = 3; fd < 200; fd++)
        if (fcntl(fd, F_GETFD) != -1)
            printf("descriptor %d is open\n", fd);
    for (int sig = 1; sig < 32; sig++)
        if (sig != SIGKILL && sig != SIGSTOP && signal(sig, SIG_DFL) == SIG_IGN)
            printf("signal %d is ignored\n", sig);
}

int main(int argc, char **argv)
{
    const char *command = argc > 1 ? argv[1] : "";
    if (!strcmp(command, "exit")) {
        return atoi(argv[2]);
    } else if (!strcmp(command, "raise")) {
        printf("unflushed");
        raise(atoi(argv[2]));
    } else if (!strcmp(command, "segfault")) {
        *(volatile int *)8 = 1;
    } else if (!strcmp(command, "abort")) {
        abort();
    } else if (!strcmp(command, "cat")) {
        int c;
        while ((c = getchar()) != EOF)
            putchar(c);
        printf("<%ld>", lseek(0, 0, SEEK_CUR));
    } else if (!strcmp(command, "args")) {
        for (int i = 0; i < argc; i++)
            printf("%s%c", argv[i], 0);
    } else if (!strcmp(command, "env")) {
        for (char **variable = environ; *variable; variable++)
            puts(*variable);
    } else if (!strcmp(command, "files")) {
        files();
    } else if (!strcmp(command, "read-files")) {
        struct stat file, dir;
        if (stat("in/a.txt", &file) || stat("in", &dir))
            perror("stat");
        printf("%o %ld %ld %o %ld mine %d ", file.st_mode, (long)file.st_mtime, (long)file.st_size,
            dir.st_mode, (long)dir.st_mtime, file.st_uid == getuid());
        fflush(stdout);
        return WEXITSTATUS(system("./in/tool; readlink link"));
    } else if (!strcmp(command, "print")) {
        for (long i = 0; i < atol(argv[2]); i++)
            putchar('a' + i % 26);
        fputs("done", stderr);
    } else if (!strcmp(command, "big-file")) {
        truncate("big", 0);
        FILE *file = fopen("big", "w");
        for (long i = 0; i < atol(argv[2]); i++)
            putc('a' + i % 26, file);
        return fclose(file);
    } else if (!strcmp(command, "shared-places")) {
        int fd = shm_open("/shared", O_CREAT | O_EXCL | O_WRONLY, 0600);
        if (fd < 0 || write(fd, "shared", 6) != 6 || mkdir("/tmp/left", 0755))
            perror("shared places");
        write_file("/tmp/left/file", "temporary");
    } else if (!strcmp(command, "temporary")) {
        FILE *file = tmpfile();
        char template[] = "/tmp/ordinary-XXXXXX";
        int fixed = open("/tmp/parallax-ordinary", O_CREAT | O_EXCL | O_WRONLY, 0600);
        if (!file || fputs("x", file) < 0 || mkstemp(template) < 0 || fixed < 0)
            perror("temporary");
    } else if (!strcmp(command, "addresses")) {
        show_addresses();
    } else if (!strcmp(command, "world")) {
        show_world();
    } else if (!strcmp(command, "devices")) {
        FILE *null = fopen("/dev/null", "w"), *out = fopen("/dev/stdout", "w");
        FILE *in = fopen("/dev/stdin", "r");
        if (!null || fputs("x", null) < 0 || fclose(null) || !in || !out)
            perror("device");
        else
            fprintf(out, "fine %c", getc(in)), fclose(out);
    } else if (!strcmp(command, "shell")) {
        return WEXITSTATUS(system("echo a | cat; (sleep 0.01; echo b) & wait; kill -9 $$"));
    } else if (!strcmp(command, "threads")) {
        return system("true") == 0 && system("/bin/sh -c 'exit 3'") != 0 ? 7 : 1;
    } else if (!strcmp(command, "finds-itself")) {
        find_itself(argv);
    } else if (!strcmp(command, "again")) {
        puts("again");
    } else if (!strcmp(command, "execute")) {
        for (int i = 2; i < argc; i++) {
            if (fork() == 0)
                execlp(argv[i], argv[i], (char *)0), _exit(127);
            wait(0);
        }
    } else if (!strcmp(command, "self")) {
        char path[4096];
        ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
        path[length < 0 ? 0 : length] = 0;
        char *base = strrchr(path, '/');
        puts(base ? base : "none");
    }
    return 0;
}
