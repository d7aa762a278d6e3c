// The end of the program, and other processes and threads.
//
// Decision: only the first thread of the first process is traced. A child and a further thread run
// the same instrumented code with tracing off. vfork is fork: its child would share the trace.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <unistd.h>

#include "stream.h"

#define END_EXIT 0
#define END_AT_ONCE 1
#define END_REPLACED 2

// ---- The end -------------------------------------------------------------------------------------

void plx_model_exit(int status) {
    if (plx_tracing()) {
        plx_streams_settle();
        plx_end(END_EXIT, plx_label_of((uint32_t)status), PLX_INT_WITHOUT_LABEL(status));
    }
    exit(PLX_INT_WITHOUT_LABEL(status));
}

// Without flushing what is in buffers.
static void end_at_once(plx_label label, int status) {
    if (!plx_tracing()) return;
    plx_streams_lost(-1);
    plx_end(END_AT_ONCE, label, status);
}

void plx_model__exit(int status) {
    end_at_once(plx_label_of((uint32_t)status), PLX_INT_WITHOUT_LABEL(status));
    _exit(PLX_INT_WITHOUT_LABEL(status));
}
PLX_ALIAS(_Exit, _exit);

void plx_model_quick_exit(int status) {
    end_at_once(plx_label_of((uint32_t)status), PLX_INT_WITHOUT_LABEL(status));
    quick_exit(PLX_INT_WITHOUT_LABEL(status));
}

// The status that a shell gives to SIGABRT.
static void end_by_abort(void) {
    end_at_once(0, 128 + 6);
}

void plx_model_abort(void) {
    end_by_abort();
    abort();
}

extern void __assert_fail(const char *assertion, const char *file, unsigned line,
                          const char *function) __attribute__((noreturn));

void plx_model___assert_fail(const char *assertion, const char *file, unsigned line,
                             const char *function) {
    char text[1024];
    if (plx_tracing()) {
        int length = snprintf(text, sizeof text, "%s%s%s:%u: %s%sAssertion `%s' failed.\n",
                              program_invocation_short_name,
                              program_invocation_short_name[0] ? ": " : "", file, line,
                              function ? function : "", function ? ": " : "", assertion);
        if (length > 0)
            plx_output_bytes(2, text, (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
    }
    end_by_abort();
    __assert_fail(assertion, file, line, function);
}

// ---- Another program in its place ----------------------------------------------------------------

// A file that cannot be executed leaves the program as it is.
static void end_by(const char *path, int searched) {
    if (!plx_tracing()) return;
    plx_pin_string(path);
    int error = errno;
    if (searched || access(path, X_OK) == 0) plx_end(END_REPLACED, 0, 0);
    errno = error;
}

int plx_model_execve(const char *path, char *const argv[], char *const envp[]) {
    end_by(path, 0);
    return execve(path, argv, envp);
}

int plx_model_execv(const char *path, char *const argv[]) {
    end_by(path, 0);
    return execv(path, argv);
}

int plx_model_execvp(const char *file, char *const argv[]) {
    end_by(file, !strchr(file, '/'));
    return execvp(file, argv);
}

int plx_model_execvpe(const char *file, char *const argv[], char *const envp[]) {
    end_by(file, !strchr(file, '/'));
    return execvpe(file, argv, envp);
}

int plx_model_fexecve(int descriptor, char *const argv[], char *const envp[]) {
    descriptor = PLX_PIN_DESCRIPTOR(descriptor);
    if (plx_tracing()) plx_end(END_REPLACED, 0, 0);
    return fexecve(descriptor, argv, envp);
}

// How many arguments there are, the null pointer included.
static size_t count_arguments(va_list list) {
    size_t count = 1;
    do count++;
    while (va_arg(list, char *));
    return count;
}

#define COLLECT(argv, first, list)                                                                 \
    va_list list, look;                                                                            \
    va_start(list, first);                                                                         \
    va_copy(look, list);                                                                           \
    size_t count = count_arguments(look);                                                          \
    va_end(look);                                                                                  \
    char *argv[count];                                                                             \
    argv[0] = (char *)first;                                                                       \
    for (size_t i = 1; i < count; i++) argv[i] = va_arg(list, char *)

int plx_model_execl(const char *path, const char *first, ...) {
    COLLECT(argv, first, list);
    va_end(list);
    return plx_model_execv(path, argv);
}

int plx_model_execlp(const char *file, const char *first, ...) {
    COLLECT(argv, first, list);
    va_end(list);
    return plx_model_execvp(file, argv);
}

int plx_model_execle(const char *path, const char *first, ...) {
    COLLECT(argv, first, list);
    char *const *envp = va_arg(list, char *const *);
    va_end(list);
    return plx_model_execve(path, argv, envp);
}

// ---- Children ------------------------------------------------------------------------------------

pid_t plx_model_fork(void) {
    pid_t child = fork();
    if (child == 0) plx_stop_tracing(PLX_COUNTER_FORK);
    return child;
}
PLX_ALIAS(vfork, fork);
PLX_ALIAS(__fork, fork);

static void pin_command(const char *command, const char *function) {
    if (!plx_tracing() || !command || plx_is_clean(command, strlen(command) + 1)) return;
    plx_count(PLX_COUNTER_UNMODELLED, function);
    plx_pin_string(command);
}

int plx_model_system(const char *command) {
    pin_command(command, "system");
    return system(command);
}

FILE *plx_model_popen(const char *command, const char *type) {
    pin_command(command, "popen");
    return popen(command, type);
}

// ---- Threads -------------------------------------------------------------------------------------

struct beginning {
    union {
        void *(*pointer)(void *);
        int (*number)(void *);
    } routine;
    void *argument;
};

static void *pointer_thread(void *given) {
    plx_stop_tracing(PLX_COUNTER_THREAD);
    struct beginning beginning = *(struct beginning *)given;
    free(given);
    return beginning.routine.pointer(beginning.argument);
}

static int number_thread(void *given) {
    plx_stop_tracing(PLX_COUNTER_THREAD);
    struct beginning beginning = *(struct beginning *)given;
    free(given);
    return beginning.routine.number(beginning.argument);
}

int plx_model_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                             void *(*routine)(void *), void *argument) {
    struct beginning *beginning = malloc(sizeof *beginning);
    if (!beginning) return EAGAIN;
    beginning->routine.pointer = PLX_PINNED(routine, PLX_PIN_TARGET);
    beginning->argument = PLX_PINNED(argument, PLX_PIN_ARGUMENT);
    int result = pthread_create(thread, attributes, pointer_thread, beginning);
    if (result != 0) free(beginning);
    if (result == 0) plx_clear(thread, sizeof *thread);
    return result;
}

int plx_model_thrd_create(thrd_t *thread, thrd_start_t routine, void *argument) {
    struct beginning *beginning = malloc(sizeof *beginning);
    if (!beginning) return thrd_nomem;
    beginning->routine.number = PLX_PINNED(routine, PLX_PIN_TARGET);
    beginning->argument = PLX_PINNED(argument, PLX_PIN_ARGUMENT);
    int result = thrd_create(thread, number_thread, beginning);
    if (result != thrd_success) free(beginning);
    if (result == thrd_success) plx_clear(thread, sizeof *thread);
    return result;
}
