// A small text tool that is given things in every way a recorder has to see: arguments, files, standard
// input read in several manners, an environment variable, children, and signals.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *prefix = "";
static int upper;

static int copy(FILE *in, const char *name) {
    int c, at_start = 1;
    while ((c = getc(in)) != EOF) {
        if (at_start) fputs(prefix, stdout);
        at_start = c == '\n';
        putchar(upper && c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
    }
    if (ferror(in)) {
        fprintf(stderr, "tool: %s: %s\n", name, strerror(errno));
        return 1;
    }
    return 0;
}

static int copy_file(const char *name) {
    FILE *in = fopen(name, "r");
    if (!in) {
        fprintf(stderr, "tool: %s: %s\n", name, strerror(errno));
        return 1;
    }
    int status = copy(in, name);
    fclose(in);
    return status;
}

// Reads byte by byte and leaves the rest for the next reader.
static int copy_lines(int count) {
    char c;
    while (count > 0 && read(0, &c, 1) == 1) {
        putchar(c);
        if (c == '\n') count--;
    }
    return 0;
}

static int copy_in_child(const char *name) {
    int status;
    fflush(stdout);
    if (fork() == 0) exit(copy_file(name));
    wait(&status);
    return WEXITSTATUS(status);
}

static int run(char *const *command) {
    int status;
    if (fork() == 0) { execv(command[0], command); _exit(127); }
    wait(&status);
    return WEXITSTATUS(status);
}

// Writes a file under another name, renames it, and reads it back: its own work, not an input.
static int through_scratch_file(const char *name) {
    FILE *out = fopen("scratch.tmp", "w");
    if (!out) return 1;
    fputs("scratch\n", out);
    fclose(out);
    if (rename("scratch.tmp", name) != 0) return 1;
    return copy_file(name);
}

static int copy_after_poll(void) {
    struct pollfd wait_for = {0, POLLIN, 0};
    poll(&wait_for, 1, -1);
    return copy(stdin, "-");
}

static int print_size(const char *name) {
    struct stat found;
    if (stat(name, &found) != 0) return 1;
    printf("%lld\n", (long long)found.st_size);
    return 0;
}

static int append(const char *name) {
    int fd = open(name, O_WRONLY | O_APPEND | O_CREAT, 0666);
    return fd < 0 || write(fd, "more\n", 5) != 5;
}

static int leave_child_behind(const char *name) {
    fflush(stdout);
    if (fork() == 0) {
        usleep(200 * 1000);
        if (!freopen("late.tmp", "w", stdout)) _exit(1);
        copy_file(name);
        fclose(stdout);
        _exit(rename("late.tmp", "late.txt"));
    }
    return 0;
}

static void on_alarm(int number) { (void)number; }

static int read_until_alarm(void) {
    struct sigaction action = {.sa_handler = on_alarm};
    struct itimerval timer = {{0, 0}, {0, 50 * 1000}};
    char c;
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &timer, NULL);
    puts(read(0, &c, 1) < 0 && errno == EINTR ? "interrupted" : "not interrupted");
    return 0;
}

int main(int argc, char **argv) {
    int option, status = 0;
    if (getenv("TOOL_PREFIX")) prefix = getenv("TOOL_PREFIX");
    while ((option = getopt(argc, argv, "+uVwipan:c:t:d:s:r:m:e:lx")) != -1) {
        switch (option) {
        case 'u': upper = 1; break;
        case 'V': printf("%s 1.0\n", argv[0]); return 0;
        case 'w': puts("waiting"); fflush(stdout); pause(); return 0;
        case 'i': printf("%d\n", (int)getpid()); return 0;
        case 'p': return copy_after_poll();
        case 'a': return read_until_alarm();
        case 'n': return copy_lines(atoi(optarg));
        case 'c': return copy_in_child(optarg);
        case 't': return through_scratch_file(optarg);
        case 'd': return leave_child_behind(optarg);
        case 's': return print_size(optarg);
        case 'r': return unlink(optarg);
        case 'm': return rename(optarg, argv[optind]) || copy_file(argv[optind]);
        case 'e': return append(optarg);
        case 'l': return append("log.txt");
        case 'x': return run(argv + optind);
        default: return 2;
        }
    }
    if (optind == argc) return copy(stdin, "-");
    for (; optind < argc; optind++) status |= copy_file(argv[optind]);
    return status;
}
