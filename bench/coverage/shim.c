// Preloaded under AFL++: arguments and standard input are taken from the one file that it gives.
// Arguments end with a zero byte each, the list of them with one more; what follows is the input.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MOST_BYTES 65536
#define MOST_ARGUMENTS 16

typedef int (*entry)(int, char **, char **);
static entry program;

static int with_arguments(int count, char **arguments, char **environment) {
    static char bytes[MOST_BYTES + 2];
    static char *made[MOST_ARGUMENTS + 2];
    size_t length = 0, at = 0;
    ssize_t got;
    (void)count;
    while (length < MOST_BYTES && (got = read(0, bytes + length, MOST_BYTES - length)) > 0)
        length += (size_t)got;
    int made_count = 0;
    made[made_count++] = arguments[0];
    while (at < length && bytes[at] && made_count <= MOST_ARGUMENTS) {
        made[made_count++] = bytes + at;
        at += strlen(bytes + at) + 1;
    }
    if (at < length) at++;
    int input = memfd_create("input", 0);
    if (at < length && write(input, bytes + at, length - at) < 0) abort();
    lseek(input, 0, SEEK_SET);
    dup2(input, 0);
    close(input);
    return program(made_count, made, environment);
}

// By now the fork server has not started; when the program's main is called it has.
int __libc_start_main(entry main, int count, char **arguments, void (*start)(void),
                      void (*end)(void), void (*loader_end)(void), void *stack) {
    typedef int (*starter)(entry, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);
    starter real = (starter)dlsym(RTLD_NEXT, "__libc_start_main");
    program = main;
    return real(with_arguments, count, arguments, start, end, loader_end, stack);
}
