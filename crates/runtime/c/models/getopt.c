// Models of getopt, getopt_long and getopt_long_only.
//
// Decision: they are rewritten, not called, because options are what a search has to find out about
// a program. A long option is compared with each name as a whole: one condition for each, and one
// offer to the search with the whole name. `argc` may be symbolic: that there is a further argument
// is a condition of the path, but `optind` always stays a number. The variables are the library's,
// and messages are its words.
#define _GNU_SOURCE
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "string_parts.h"

enum order {
    PERMUTE,         // arguments that are no options go to the end
    STOP_AT_FIRST,   // the first one ends the options
    RETURN_IN_ORDER, // they are returned as arguments of option 1
};

// What is kept from one call to the next.
static struct {
    int started;
    enum order order;
    char *next; // in an argument of short options, the next of them
    // The arguments passed over so far, which lie together.
    int first_passed, last_passed;
    int wrong; // the option of the last error: what `optopt` is set to again by each call
} state;

// What one call works with.
struct call {
    int argc;
    char **argv;
    const char *letters;
    const struct option *names;
    int *name_index;
    int only_names; // whether a single '-' introduces a long option too
    int complains;
};

static void print_pieces(const char *const *pieces, size_t count) {
    for (size_t at = 0; at < count; at++) {
        fprintf(stderr, "%s", pieces[at]);
        plx_output_bytes(2, pieces[at], strlen(pieces[at]));
        plx_file_channel(2, stderr);
    }
}

// Prints on stderr, behind the program's name.
static void complain(const struct call *call, const char *one, const char *two, const char *three,
                     const char *four) {
    const char *pieces[] = {call->argv[0], ": ", one, two, three, four};
    if (call->complains) {
        print_pieces(pieces, 6);
    }
}

static void complain_letter(const struct call *call, const char *what, char letter) {
    char text[2] = {letter, '\0'};
    complain(call, what, " -- '", text, "'\n");
}

// Swaps two neighbouring stretches of arguments.
static void turn(char **start, char **end) {
    while (start < end) {
        char *passing = *start;
        *start++ = *--end;
        *end = passing;
    }
}

static void move_passed_behind(char **argv) {
    char **first = argv + state.first_passed, **middle = argv + state.last_passed;
    char **end = argv + optind;
    turn(first, middle);
    turn(middle, end);
    turn(first, end);
    state.first_passed += optind - state.last_passed;
    state.last_passed = optind;
}

static void start(const char *letters, int posix) {
    optind = optind ? optind : 1;
    state.first_passed = state.last_passed = optind;
    state.next = NULL;
    int asks = *letters != '-' && *letters != '+' && !posix;
    if (asks && plx_in_proof() && plx_tracing()) plx_count(PLX_COUNTER_WORLD, "POSIXLY_CORRECT");
    state.order = *letters == '-'                        ? RETURN_IN_ORDER
                  : *letters == '+'                      ? STOP_AT_FIRST
                  : posix || getenv("POSIXLY_CORRECT") ? STOP_AT_FIRST
                                                         : PERMUTE;
    state.started = 1;
}

static int is_option(const char *argument) { return argument[0] == '-' && argument[1] != '\0'; }

static int missing(const struct call *call) { return *call->letters == ':' ? ':' : '?'; }

// Long options.

// The name in an argument, up to '=' or its end.
struct typed {
    const char *prefix;
    char *name;
    size_t length;
    int has_value;
};

static struct typed typed_name(const char *prefix, char *name) {
    size_t length = 0;
    while (!((name[length] == '=') | (name[length] == '\0'))) {
        length++;
    }
    return (struct typed){prefix, name, length, name[length] != '\0'};
}

// Whether the option's name starts with what was typed.
static int starts_with(const struct option *option, const struct typed *typed) {
    const char *name = option->name;
    size_t length = strlen(name);
    int same = length >= typed->length && plx_same_bytes(name, typed->name, typed->length, 0);
    if (!plx_is_clean(typed->name, typed->length + 1)) {
        // Where no value is allowed, the wanted text is the option without the value.
        int is_too_much = typed->has_value && option->has_arg == no_argument;
        size_t typed_length = is_too_much ? strlen(typed->name) : typed->length;
        size_t end = is_too_much || !typed->has_value;
        plx_compare(typed->name, typed_length + end, name, length + end,
                    same && length == typed->length && !is_too_much, 0);
    }
    return same;
}

static int means_the_same(const struct call *call, const struct option *one,
                          const struct option *other) {
    return !call->only_names && one->has_arg == other->has_arg && one->flag == other->flag &&
           one->val == other->val;
}

// The options that an abbreviation may mean, by number, in the order of the table.
struct matches {
    int exact;     // or -1
    int first;     // or -1
    int ambiguous; // whether others mean something else
};

static struct matches match(const struct call *call, const struct typed *typed, char *candidates) {
    struct matches matches = {-1, -1, 0};
    for (int at = 0; call->names[at].name; at++) {
        if (!starts_with(&call->names[at], typed)) {
            continue;
        }
        if (call->names[at].name[typed->length] == '\0') {
            matches.exact = at;
            return matches;
        }
        if (matches.first < 0) {
            matches.first = at;
        } else if (!means_the_same(call, &call->names[matches.first], &call->names[at])) {
            matches.ambiguous = 1;
            candidates[at] = candidates[matches.first] = 1;
        }
    }
    return matches;
}

static void complain_ambiguous(const struct call *call, const struct typed *typed,
                               const char *candidates) {
    complain(call, "option '", typed->prefix, typed->name, "' is ambiguous; possibilities:");
    for (int at = 0; call->complains && call->names[at].name; at++) {
        const char *pieces[] = {" '", typed->prefix, call->names[at].name, "'"};
        if (candidates[at]) {
            print_pieces(pieces, 4);
        }
    }
    const char *end = "\n";
    print_pieces(&end, (size_t)call->complains);
}

static int take_option(const struct call *call, const struct typed *typed, int number) {
    const struct option *option = &call->names[number];
    optind++;
    state.next = NULL;
    if (typed->has_value && option->has_arg == no_argument) {
        complain(call, "option '", typed->prefix, option->name, "' doesn't allow an argument\n");
        state.wrong = option->val;
        return '?';
    }
    if (typed->has_value) {
        optarg = typed->name + typed->length + 1;
    } else if (option->has_arg == required_argument) {
        if (optind >= call->argc) {
            complain(call, "option '", typed->prefix, option->name, "' requires an argument\n");
            state.wrong = option->val;
            return missing(call);
        }
        optarg = call->argv[optind++];
    }
    if (call->name_index) {
        *call->name_index = number;
    }
    if (option->flag) {
        *option->flag = option->val;
        return 0;
    }
    return option->val;
}

static int unknown_name(const struct call *call, const struct typed *typed) {
    complain(call, "unrecognized option '", typed->prefix, typed->name, "'\n");
    state.next = NULL;
    optind++;
    state.wrong = 0;
    return '?';
}

// -1 if it may be meant as short options.
static int long_option(const struct call *call, const char *prefix, char *name) {
    struct typed typed = typed_name(prefix, name);
    size_t count = 0;
    while (call->names[count].name) {
        count++;
    }
    char candidates[count + 1];
    memset(candidates, 0, count + 1);
    struct matches matches = match(call, &typed, candidates);
    if (matches.exact >= 0) {
        return take_option(call, &typed, matches.exact);
    }
    if (matches.ambiguous) {
        complain_ambiguous(call, &typed, candidates);
        state.next = name + strlen(name);
        optind++;
        state.wrong = 0;
        return '?';
    }
    if (matches.first >= 0) {
        return take_option(call, &typed, matches.first);
    }
    if (call->only_names && call->argv[optind][1] != '-' &&
        plx_model_strchr(call->letters, *name)) {
        return -1;
    }
    return unknown_name(call, &typed);
}

// Short options.

// "W;" among the letters: `-W name` is the same as `--name`.
static int option_w(const struct call *call) {
    char *name = state.next;
    if (*name == '\0') {
        if (optind >= call->argc) {
            complain_letter(call, "option requires an argument", 'W');
            state.wrong = 'W';
            return missing(call);
        }
        name = call->argv[optind];
    }
    struct call names = *call;
    names.only_names = 0;
    state.next = name;
    return long_option(&names, "-W ", name);
}

static int letter_with_argument(const struct call *call, char letter, int optional) {
    int result = letter;
    if (*state.next != '\0') {
        optarg = state.next;
        optind++;
    } else if (!optional) {
        if (optind >= call->argc) {
            complain_letter(call, "option requires an argument", letter);
            state.wrong = letter;
            result = missing(call);
        } else {
            optarg = call->argv[optind++];
        }
    }
    state.next = NULL;
    return result;
}

static int short_option(const struct call *call) {
    char letter = *state.next++;
    const char *known = plx_model_strchr(call->letters, letter);
    if (*state.next == '\0') {
        optind++;
    }
    if (!known || letter == ':' || letter == ';') {
        complain_letter(call, "invalid option", letter);
        state.wrong = letter;
        return '?';
    }
    if (known[0] == 'W' && known[1] == ';' && call->names) {
        return option_w(call);
    }
    if (known[1] == ':') {
        return letter_with_argument(call, *known, known[2] == ':');
    }
    return *known;
}

// Arguments.

// Behind "--" there are no options. What was passed over and what follows are one stretch then.
static void end_options(const struct call *call) {
    optind++;
    if (state.first_passed != state.last_passed && state.last_passed != optind) {
        move_passed_behind(call->argv);
    } else if (state.first_passed == state.last_passed) {
        state.first_passed = optind;
    }
    state.last_passed = (int)plx_with_label((unsigned)call->argc, 0);
    optind = state.first_passed;
}

static void forget_what_lies_ahead(void) {
    if (state.last_passed > optind) {
        state.last_passed = optind;
    }
    if (state.first_passed > optind) {
        state.first_passed = optind;
    }
}

static void keep_passed_together(char **argv) {
    if (state.first_passed != state.last_passed && state.last_passed != optind) {
        move_passed_behind(argv);
    } else if (state.last_passed != optind) {
        state.first_passed = optind;
    }
}

// The next argument is looked for: 0 if it is an option, else what getopt returns.
static int next_argument(const struct call *call) {
    int ended, option;
    forget_what_lies_ahead();
    if (state.order == PERMUTE) {
        keep_passed_together(call->argv);
    }
    for (;; optind++) {
        ended = optind >= call->argc;
        option = !ended && is_option(call->argv[optind]);
        if (ended || option || state.order != PERMUTE) {
            break;
        }
    }
    if (state.order == PERMUTE) {
        state.last_passed = optind;
    }
    if (option && call->argv[optind][1] == '-' && call->argv[optind][2] == '\0') {
        end_options(call);
        return -1;
    }
    if (ended && state.first_passed != state.last_passed) {
        optind = state.first_passed;
    }
    if (ended || (!option && state.order == STOP_AT_FIRST)) {
        return -1;
    }
    if (!option) {
        optarg = call->argv[optind++];
        return 1;
    }
    return 0;
}

// An option is there, at its start.
static int next_option(const struct call *call) {
    char *argument = call->argv[optind];
    if (call->names) {
        if (argument[1] == '-') {
            state.next = argument + 2;
            return long_option(call, "--", argument + 2);
        }
        if (call->only_names &&
            (argument[2] != '\0' || !plx_model_strchr(call->letters, argument[1]))) {
            state.next = argument + 1;
            int result = long_option(call, "-", argument + 1);
            if (result != -1) {
                return result;
            }
        }
    }
    state.next = argument + 1;
    return short_option(call);
}

static int step(const struct call *call) {
    if (state.next && *state.next != '\0') {
        return short_option(call);
    }
    int result = next_argument(call);
    return result ? result : next_option(call);
}

static int run(struct call *call, int posix) {
    int result = -1;
    if (call->argc >= 1) {
        optarg = NULL;
        if (optind == 0 || !state.started) {
            start(call->letters, posix);
        }
        if (*call->letters == '-' || *call->letters == '+') {
            call->letters++;
        }
        call->complains = opterr && *call->letters != ':';
        result = step(call);
    }
    optopt = state.wrong;
    return result;
}

int plx_model_getopt(int argc, char *const *argv, const char *letters) {
    struct call call = {.argc = argc, .argv = (char **)argv, .letters = letters};
    return run(&call, 0);
}

int plx_model___posix_getopt(int argc, char *const *argv, const char *letters) {
    struct call call = {.argc = argc, .argv = (char **)argv, .letters = letters};
    return run(&call, 1);
}

int plx_model_getopt_long(int argc, char *const *argv, const char *letters,
                          const struct option *names, int *name_index) {
    struct call call = {argc, (char **)argv, letters, names, name_index, 0, 0};
    return run(&call, 0);
}

int plx_model_getopt_long_only(int argc, char *const *argv, const char *letters,
                               const struct option *names, int *name_index) {
    struct call call = {argc, (char **)argv, letters, names, name_index, 1, 0};
    return run(&call, 0);
}
