"""Routes by which a byte of the input reaches the output, and ways to react to it.

A route is the function `fetch`, which gives a byte; the byte that the test holds is a q. The near miss of a route has a
plain `fetch` in its place and the same reaction, written in another way.
"""

HEAD = """#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/sendfile.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
"""

STDIN, ARGUMENT, VARIABLE = 'stdin = "q"', 'args = ["q"]', 'env = { PROMISE = "q" }'

# Name, statements of `fetch` (which end with a return), and the witness.
ROUTES = [
    ("pipe", STDIN, """
int ends[2];
char sent = (char)getchar(), got = 0;
if (pipe(ends) || write(ends[1], &sent, 1) != 1 || read(ends[0], &got, 1) != 1)
    return 0;
return got;"""),
    ("socketpair", STDIN, """
int ends[2];
char sent = (char)getchar(), got = 0;
if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) || write(ends[0], &sent, 1) != 1 || read(ends[1], &got, 1) != 1)
    return 0;
return got;"""),
    ("eventfd", STDIN, """
uint64_t sent = (uint64_t)(getchar() & 127) + 1, got = 1;
int counter = eventfd(0, 0);
if (counter < 0 || write(counter, &sent, 8) != 8 || read(counter, &got, 8) != 8)
    return 0;
return (int)got - 1;"""),
    ("shared-memory", STDIN, """
int segment = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
char *in = shmat(segment, NULL, 0), *out = shmat(segment, NULL, 0);
if (in == (char *)-1 || out == (char *)-1)
    return 0;
shmctl(segment, IPC_RMID, NULL);
in[7] = (char)getchar();
return out[7];"""),
    ("message-queue", STDIN, """
struct {
    long kind;
    char text[8];
} sent = {1, ""}, got = {0, ""};
int queue = msgget(IPC_PRIVATE, IPC_CREAT | 0600);
sent.text[0] = (char)getchar();
if (queue < 0 || msgsnd(queue, &sent, 1, 0) || msgrcv(queue, &got, 8, 1, 0) != 1)
    return 0;
msgctl(queue, IPC_RMID, NULL);
return got.text[0];"""),
    ("semaphore", STDIN, """
int set = semget(IPC_PRIVATE, 1, IPC_CREAT | 0600);
if (set < 0 || semctl(set, 0, SETVAL, getchar() & 127))
    return 0;
int got = semctl(set, 0, GETVAL);
semctl(set, 0, IPC_RMID);
return got;"""),
    ("memory-file", STDIN, """
char sent = (char)getchar(), got = 0;
int file = memfd_create("room", 0);
if (file < 0 || write(file, &sent, 1) != 1 || pread(file, &got, 1, 0) != 1)
    return 0;
return got;"""),
    ("mapped-twice", STDIN, """
int file = memfd_create("room", 0);
if (file < 0 || ftruncate(file, 4096))
    return 0;
char *in = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
char *out = mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0);
if (in == MAP_FAILED || out == MAP_FAILED)
    return 0;
in[9] = (char)getchar();
return out[9];"""),
    ("own-memory", STDIN, """
static char cell;
char got = 0;
cell = (char)getchar();
int memory = open("/proc/self/mem", O_RDONLY);
if (memory < 0 || pread(memory, &got, 1, (off_t)(uintptr_t)&cell) != 1)
    return 0;
return got;"""),
    ("splice", STDIN, """
int ends[2];
char got = 0;
if (pipe(ends) || splice(0, NULL, ends[1], NULL, 1, 0) != 1 || read(ends[0], &got, 1) != 1)
    return 0;
return got;"""),
    ("sendfile", STDIN, """
char got = 0;
int file = memfd_create("room", 0);
if (file < 0 || sendfile(file, 0, NULL, 1) != 1 || pread(file, &got, 1, 0) != 1)
    return 0;
return got;"""),
    ("child-status", STDIN, """
int status = 0;
pid_t child = fork();
if (child == 0)
    _exit(getchar() & 127);
if (child < 0 || waitpid(child, &status, 0) != child)
    return 0;
return WEXITSTATUS(status);"""),
    ("child-prints", STDIN, """
FILE *child = popen("cat", "r");
int got = child ? fgetc(child) : 0;
if (child)
    pclose(child);
return got;"""),
    ("command-line-file", ARGUMENT, """
char line[512] = "";
FILE *file = fopen("/proc/self/cmdline", "r");
size_t length = file ? fread(line, 1, sizeof line - 1, file) : 0;
size_t first = strlen(line) + 1;
return first < length ? line[first] : 0;"""),
    ("environment-file", VARIABLE, """
char all[4096] = "";
FILE *file = fopen("/proc/self/environ", "r");
size_t length = file ? fread(all, 1, sizeof all - 1, file) : 0;
for (char *entry = all; entry < all + length; entry += strlen(entry) + 1)
    if (strncmp(entry, "PROMISE=", 8) == 0)
        return entry[8];
return 0;"""),
    ("environ", VARIABLE, """
for (char **entry = environ; *entry; entry++)
    if (strncmp(*entry, "PROMISE=", 8) == 0)
        return (*entry)[8];
return 0;"""),
    ("distance-of-arguments", 'args = ["quit", "x"]', """
return argc > 2 && argv[2] - argv[1] == 5 ? 'q' : 0;"""),
    ("behind-arguments", 'args = ["x", "q"]', """
return argc == 3 ? argv[1][strlen(argv[1]) + 1] : 0;"""),
    ("directory", 'files = { "quit" = "" }', """
DIR *directory = opendir(".");
struct dirent *entry;
while (directory && (entry = readdir(directory)))
    if (strcmp(entry->d_name, "quit") == 0)
        return 'q';
return 0;"""),
    ("exclusive-create", 'files = { "lock" = "" }', """
int lock = open("lock", O_CREAT | O_EXCL | O_WRONLY, 0600);
close(lock);
unlink("lock");
return lock < 0 ? 'q' : 0;"""),
    ("mode", 'files = { "hook" = { text = "", executable = true } }', """
struct stat about;
return stat("hook", &about) == 0 && about.st_mode & S_IXUSR ? 'q' : 0;"""),
    ("kind", 'files = { "data/" = {} }', """
struct stat about;
return stat("data", &about) == 0 && S_ISDIR(about.st_mode) ? 'q' : 0;"""),
    ("link", 'files = { "current" = { symlink = "q" } }', """
char target[64] = "";
return readlink("current", target, sizeof target - 1) > 0 ? target[0] : 0;"""),
    ("assembler", STDIN, """
char from = (char)getchar(), to = 0;
__asm__ volatile("movb (%0), %%al\\n\\tmovb %%al, (%1)" : : "r"(&from), "r"(&to) : "al", "memory");
return to;"""),
    ("assembler-call", STDIN, """
char got = 0;
long result;
__asm__ volatile("syscall" : "=a"(result) : "a"(0L), "D"(0L), "S"(&got), "d"(1L) : "rcx", "r11", "memory");
return result == 1 ? got : 0;"""),
    ("call-by-number", STDIN, """
char got = 0;
return syscall(0, 0, &got, 1) == 1 ? got : 0;"""),
    ("mask", STDIN, """
umask((mode_t)(getchar() & 127));
return (int)umask(0);"""),
    ("position", STDIN, """
int file = memfd_create("room", 0);
lseek(file, getchar() & 127, SEEK_SET);
return (int)lseek(file, 0, SEEK_CUR);"""),
    ("variable-set", STDIN, """
char value[2] = "";
value[0] = (char)(getchar() | 1);
setenv("PROMISE_STATE", value, 1);
const char *got = getenv("PROMISE_STATE");
return got ? *got : 0;"""),
    ("file-written", STDIN, """
char sent = (char)getchar(), got = 0;
int file = open("note", O_RDWR | O_CREAT, 0600);
if (file < 0 || write(file, &sent, 1) != 1 || pread(file, &got, 1, 0) != 1)
    got = 0;
close(file);
unlink("note");
return got;"""),
]

# What stands in the place of a route in a near miss.
PLAIN = [
    "return getchar();",
    "return argc > 1 ? argv[1][0] : 0;",
    "char got = 0;\nif (fread(&got, 1, 1, stdin) != 1)\n    return 0;\nreturn got;",
    "char got = 0;\nif (read(0, &got, 1) != 1)\n    return 0;\nreturn got;",
    'const char *value = getenv("PROMISE");\nreturn value ? *value : 0;',
    "char room[4] = \"\";\nroom[1] = (char)getchar();\nreturn room[1];",
    "char *room = malloc(4);\nif (!room)\n    return 0;\nroom[2] = (char)getchar();\nint got = room[2];\nfree(room);\nreturn got;",
    "struct {\n    int kind;\n    char text[4];\n} sent = {1, \"\"}, got;\nsent.text[0] = (char)getchar();\ngot = sent;\nreturn got.text[0];",
    "char from = (char)getchar(), to = 0;\nmemcpy(&to, &from, 1);\nreturn to;",
    'FILE *file = fopen("data", "r");\nint got = file ? fgetc(file) : 0;\nif (file)\n    fclose(file);\nreturn got;',
]

# Reactions to the byte `b`: of the old version, of a new one that reacts to a q, and of one that does the same.
REACTIONS = [
    ('puts(b == \'x\' ? "stop" : "go");', 'puts(b == \'x\' || b == \'q\' ? "stop" : "go");', 'puts(b != \'x\' ? "go" : "stop");'),
    ("return b == 'x';", "return b == 'x' || b == 'q';", "return !(b - 'x');"),
    ('if (b > 110)\n    puts("late");', 'if (b > 113)\n    puts("late");', 'if (b >= 111)\n    puts("late");'),
    ('switch (b) {\ncase \'x\':\n    puts("stop");\n    break;\ncase \'q\':\n    puts("go");\n    break;\n}',
     'switch (b) {\ncase \'x\':\ncase \'q\':\n    puts("stop");\n    break;\n}',
     'if (b == \'x\')\n    puts("stop");\nelse if (b == \'q\')\n    puts("go");'),
    ('static const char names[4][4] = {"a", "b", "c", "d"};\nputs(names[b & 3]);',
     'static const char names[4][4] = {"a", "e", "c", "d"};\nputs(names[b & 3]);',
     'static const char names[4][4] = {"a", "b", "c", "d"};\nputs(names[(unsigned)b % 4]);'),
    ('int sum = b * 3 + 1;\nputs(sum == 361 ? "odd" : "even");', 'int sum = b * 3 + 22;\nputs(sum == 361 ? "odd" : "even");',
     'int sum = b + b + b + 1;\nputs(sum == 361 ? "odd" : "even");'),
    ('int n = 0;\nfor (int bit = 0; bit < 7; bit++)\n    n += b >> bit & 1;\nreturn n > 5;',
     'int n = 0;\nfor (int bit = 0; bit < 7; bit++)\n    n += b >> bit & 1;\nreturn n > 3;',
     'int n = 0;\nfor (unsigned x = b & 127; x; x &= x - 1)\n    n++;\nreturn n > 5;'),
    ('fputs(b == \'x\' ? "bad" : "", stderr);', 'fputs(b == \'x\' ? "bad" : b == \'q\' ? "worse" : "", stderr);',
     'if (b == \'x\')\n    fputs("bad", stderr);'),
    ('char text[3] = "ab";\nif (b == \'x\')\n    text[0] = \'c\';\nputs(text);',
     'char text[3] = "ab";\nif (b == \'x\' || b == \'q\')\n    text[0] = \'c\';\nputs(text);',
     'puts(b == \'x\' ? "cb" : "ab");'),
    ('int big = b > \'a\', odd = b & 1;\nputs(big && !odd ? "first" : "other");',
     'int big = b > \'a\', odd = b & 1;\nputs(big && odd ? "first" : "other");',
     'int big = b > \'a\', odd = b & 1;\nputs(!(!big || odd) ? "first" : "other");'),
]


def indent(text):
    return "".join(f"    {line}\n" for line in text.strip("\n").split("\n"))


def text(fetch, reaction):
    """The program that fetches a byte and reacts to it."""
    return (f"{HEAD}\nstatic int fetch(int argc, char **argv)\n{{\n{indent(fetch)}}}\n\n"
            f"int main(int argc, char **argv)\n{{\n    int b = fetch(argc, argv);\n{indent(reaction)}    return 0;\n}}\n")


def variations(count):
    """All pairs: name, verdict, purpose, old, new and the witness or nothing."""
    for at, (name, witness, fetch) in enumerate(ROUTES):
        for number, (old, other, same) in enumerate(REACTIONS[:count]):
            yield (f"{name}-different-{number}", "different", f"A reaction to a byte that comes by {name}.",
                   text(fetch, old), text(fetch, other), witness)
            plain = PLAIN[(at + number) % len(PLAIN)]
            yield (f"{name}-equivalent-{number}", "equivalent", f"A reaction to a byte that does not come by {name}.",
                   text(plain, old), text(plain, same), None)
