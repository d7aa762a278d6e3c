// Options: every result, variable and message of a walk over random command lines.
#define _GNU_SOURCE
#include <getopt.h>

#include "check.h"

#define MODEL(name) extern __typeof__(name) plx_model_##name
MODEL(getopt_long); MODEL(getopt_long_only);
extern int plx_model_getopt(int, char *const *, const char *);
extern int plx_model___posix_getopt(int, char *const *, const char *);
extern int __posix_getopt(int, char *const *, const char *);

static int flag;
static const struct option names[] = {
    {"all", no_argument, NULL, 'a'},         {"almost", no_argument, NULL, 'A'},
    {"almost-all", no_argument, NULL, 'A'},  {"block-size", required_argument, NULL, 'b'},
    {"color", optional_argument, NULL, 300}, {"colour", optional_argument, NULL, 300},
    {"flag", no_argument, &flag, 42},        {"flags", required_argument, &flag, 43},
    {"x", no_argument, NULL, 'x'},           {"all-of-it", no_argument, NULL, 'Z'},
    {NULL, 0, NULL, 0}};

enum which { PLAIN, POSIX, LONG, LONG_ONLY, KINDS };

static int call_real(enum which which, int argc, char **argv, const char *letters, int *index) {
    switch (which) {
    case PLAIN:
        return getopt(argc, argv, letters);
    case POSIX:
        return __posix_getopt(argc, argv, letters);
    case LONG:
        return getopt_long(argc, argv, letters, names, index);
    default:
        return getopt_long_only(argc, argv, letters, names, index);
    }
}

static int call_model(enum which which, int argc, char **argv, const char *letters, int *index) {
    switch (which) {
    case PLAIN:
        return plx_model_getopt(argc, argv, letters);
    case POSIX:
        return plx_model___posix_getopt(argc, argv, letters);
    case LONG:
        return plx_model_getopt_long(argc, argv, letters, names, index);
    default:
        return plx_model_getopt_long_only(argc, argv, letters, names, index);
    }
}

// A walk, as a text that says everything that a program could see. It starts anew at 0; at 1 it
// starts again with the order that it had.
static void walk(int is_model, enum which which, int argc, char **argv, const char *letters,
                 int start, FILE *out) {
    FILE *real_stderr = stderr;
    stderr = out;
    optind = start;
    optopt = 99;
    flag = 0;
    for (int step = 0; step < 40; step++) {
        int index = -1;
        int result = (is_model ? call_model : call_real)(which, argc, argv, letters, &index);
        fprintf(out, "%d index %d flag %d optind %d optopt %d optarg %s\n", result, index, flag,
                optind, optopt, optarg ? optarg : "none");
        if (result == -1) {
            break;
        }
    }
    for (int at = 0; at < argc; at++) {
        fprintf(out, "%s|", argv[at]);
    }
    stderr = real_stderr;
}

#define MOST 9

static void check_line(enum which which, int argc, char *const *argv, const char *letters,
                       int again) {
    char *texts[2];
    size_t lengths[2];
    for (int is_model = 0; is_model < 2; is_model++) {
        char *copy[MOST + 1] = {NULL};
        memcpy(copy, argv, (size_t)argc * sizeof *copy);
        FILE *out = open_memstream(&texts[is_model], &lengths[is_model]);
        walk(is_model, which, argc, copy, letters, 0, out);
        if (again) {
            walk(is_model, which, argc, copy, letters, 1, out);
        }
        fclose(out);
    }
    if (strcmp(texts[0], texts[1])) {
        printf("letters '%s', function %d, again %d:", letters, which, again);
        for (int at = 0; at < argc; at++) {
            printf(" '%s'", argv[at]);
        }
        CHECK(0, "\nexpected:\n%s\nactual:\n%s", texts[0], texts[1]);
    }
    free(texts[0]);
    free(texts[1]);
}

void check(void) {
    static const char *const letters[] = {"ab:c::x", "+ab:c::x", "-ab:c::x", ":ab:c::x", "+:ab:c",
                                          "-:ab:", "", "abW;x:", "W;", ":W;a", "ab:\xe9x", "a-b:"};
    static const char *const pieces[] = {
        "-a", "-b", "-bvalue", "-c", "-cvalue", "-x", "-ab", "-abvalue", "-acx", "-z", "-:", "-;",
        "-", "--", "---", "file", "other", "", "--all", "--al", "--a", "--alm", "--almost",
        "--block", "--block-size=4", "--block-size", "--b=", "--color", "--color=red", "--col",
        "--colo=", "--x", "--x=1", "--flag", "--flags", "--fla", "--flags=3", "--unknown",
        "--unknown=5", "-all", "-al", "-block-size", "-block=3", "-unknown", "-flag", "-W",
        "-Wall", "-Wunknown", "-Wblock=2", "-a\xe9", "-\xe9", "--=", "--=x", "-aW", "-xy",
        "-color=x", "-co", "--all-of-it=1"};
    for (int round = 0; round < 20000; round++) {
        char *argv[MOST] = {"program"};
        int argc = (int)below(MOST);
        for (int at = 1; at < argc; at++) {
            argv[at] = guarded_text(at - 1, PICK(pieces));
        }
        if (below(50) == 0) {
            setenv("POSIXLY_CORRECT", "1", 1);
        } else {
            unsetenv("POSIXLY_CORRECT");
        }
        opterr = below(5) != 0;
        check_line((enum which)below(KINDS), argc, argv, PICK(letters), below(10) == 0);
    }
    opterr = 1;
}
