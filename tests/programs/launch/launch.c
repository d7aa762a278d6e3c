/* launch: checks the options of a job launcher and prints the plan it would run.
 *
 * Exit status: 0 a plan was printed, 1 options conflict, 2 wrong usage, 3 bad token. */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_CONFLICT = 1, EXIT_USAGE = 2, EXIT_TOKEN = 3 };
enum { MAX_TAGS = 3, MAX_VERBOSE = 3, TOKEN_LEN = 8 };
enum mode { MODE_UNSET, MODE_SERIAL, MODE_PARALLEL, MODE_DISTRIBUTED };
enum { OPT_RETRIES = 256, OPT_DELAY, OPT_TAG, OPT_DRY_RUN, OPT_TOKEN };

struct plan {
    long jobs, timeout, retries, delay, nice;
    unsigned long memory;
    const char *priority;
    const char *output;
    const char *tags[MAX_TAGS];
    int tag_count;
    enum mode mode;
    int quiet, verbose, append, dry_run;
    const char *token;
};

static const struct option long_options[] = {
    {"jobs", required_argument, NULL, 'j'},
    {"memory", required_argument, NULL, 'm'},
    {"timeout", required_argument, NULL, 't'},
    {"priority", required_argument, NULL, 'p'},
    {"nice", required_argument, NULL, 'n'},
    {"mode", required_argument, NULL, 'M'},
    {"output", required_argument, NULL, 'o'},
    {"append", no_argument, NULL, 'a'},
    {"quiet", no_argument, NULL, 'q'},
    {"verbose", optional_argument, NULL, 'v'},
    {"retries", required_argument, NULL, OPT_RETRIES},
    {"delay", required_argument, NULL, OPT_DELAY},
    {"tag", required_argument, NULL, OPT_TAG},
    {"dry-run", no_argument, NULL, OPT_DRY_RUN},
    {"token", required_argument, NULL, OPT_TOKEN},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, 'V'},
    {NULL, 0, NULL, 0},
};

static const char *const priorities[] = {"low", "normal", "high", "realtime"};

static void usage(FILE *to)
{
    fputs("usage: launch [-aqv] [-j JOBS] [-m SIZE] [-t SECONDS] [-p PRIORITY]\n"
          "              [-n NICE] [-M MODE] [-o FILE] [--retries N] [--delay N]\n"
          "              [--tag KEY=VALUE]... [--token TOKEN] [--dry-run] COMMAND [ARG]...\n",
          to);
}

/* Complaints are collected, so that one run reports all of them; the worst status counts. */
static int worst;

static void complain(int status, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    fputs("launch: ", stderr);
    vfprintf(stderr, format, ap);
    fputc('\n', stderr);
    va_end(ap);
    if (status > worst)
        worst = status;
}

static long number(const char *text, const char *what, long low, long high)
{
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (end == text || *end != '\0')
        complain(EXIT_USAGE, "%s: '%s' is not a number", what, text);
    else if (errno == ERANGE || value < low || value > high)
        complain(EXIT_USAGE, "%s must be between %ld and %ld", what, low, high);
    else
        return value;
    return low;
}

/* A size in KiB: plain digits are bytes, the suffixes K, M and G multiply. */
static unsigned long size_in_kib(const char *text)
{
    unsigned long value = 0;
    const char *p = text;
    while (isdigit((unsigned char)*p)) {
        value = value * 10 + (unsigned long)(*p++ - '0');
        if (value > 1000000000UL) {
            complain(EXIT_USAGE, "memory size is too large");
            return 0;
        }
    }
    if (p == text) {
        complain(EXIT_USAGE, "memory size must start with a digit");
        return 0;
    }
    switch (*p) {
    case '\0':
        return value / 1024;
    case 'k':
    case 'K':
        break;
    case 'm':
    case 'M':
        value *= 1024;
        break;
    case 'g':
    case 'G':
        value *= 1024UL * 1024;
        break;
    default:
        complain(EXIT_USAGE, "unknown size suffix '%c'", *p);
        return 0;
    }
    if (p[1] != '\0')
        complain(EXIT_USAGE, "garbage after the size suffix");
    return value;
}

static const char *priority(const char *text)
{
    for (size_t i = 0; i < sizeof priorities / sizeof *priorities; i++)
        if (strcmp(text, priorities[i]) == 0)
            return priorities[i];
    complain(EXIT_USAGE, "unknown priority '%s'", text);
    return priorities[0];
}

static enum mode mode(const char *text)
{
    if (strcmp(text, "serial") == 0)
        return MODE_SERIAL;
    if (strcmp(text, "parallel") == 0)
        return MODE_PARALLEL;
    if (strcmp(text, "distributed") == 0)
        return MODE_DISTRIBUTED;
    complain(EXIT_USAGE, "unknown mode '%s'", text);
    return MODE_UNSET;
}

static void add_tag(struct plan *plan, const char *text)
{
    const char *equals = strchr(text, '=');
    if (equals == NULL || equals == text) {
        complain(EXIT_USAGE, "a tag is KEY=VALUE");
        return;
    }
    for (int i = 0; i < plan->tag_count; i++)
        if (strncmp(plan->tags[i], text, (size_t)(equals - text) + 1) == 0)
            complain(EXIT_CONFLICT, "tag given twice: %s", text);
    if (plan->tag_count == MAX_TAGS)
        complain(EXIT_USAGE, "more than %d tags", MAX_TAGS);
    else
        plan->tags[plan->tag_count++] = text;
}

/* Eight characters: seven hex digits and a check digit, the sum of the others modulo 16. */
static int token_is_good(const char *token)
{
    unsigned sum = 0, digit = 0;
    if (strlen(token) != TOKEN_LEN)
        return 0;
    for (int i = 0; i < TOKEN_LEN; i++) {
        if (!isxdigit((unsigned char)token[i]))
            return 0;
        digit = isdigit((unsigned char)token[i]) ? (unsigned)(token[i] - '0')
                                                 : (unsigned)(tolower(token[i]) - 'a' + 10);
        if (i < TOKEN_LEN - 1)
            sum += digit;
    }
    return sum != 0 && sum % 16 == digit;
}

static void check(const struct plan *plan)
{
    if (plan->quiet && plan->verbose)
        complain(EXIT_CONFLICT, "--quiet and --verbose exclude each other");
    if (plan->append && plan->output == NULL)
        complain(EXIT_CONFLICT, "--append needs --output");
    if (plan->mode == MODE_SERIAL && plan->jobs > 1)
        complain(EXIT_CONFLICT, "serial mode runs one job");
    if (plan->delay > 0 && plan->retries == 0)
        complain(EXIT_CONFLICT, "--delay needs --retries");
    if (strcmp(plan->priority, "realtime") == 0) {
        if (plan->timeout == 0)
            complain(EXIT_CONFLICT, "realtime jobs need a timeout");
        if (plan->nice != 0)
            complain(EXIT_CONFLICT, "realtime jobs have no nice value");
    }
    if (plan->memory > 0 && plan->memory * (unsigned long)plan->jobs > 64UL * 1024 * 1024)
        complain(EXIT_CONFLICT, "%ld jobs exceed the memory of the machine", plan->jobs);
    if (plan->timeout > 0 && plan->retries * plan->delay >= plan->timeout)
        complain(EXIT_CONFLICT, "the retries outlast the timeout");
    if (plan->mode == MODE_DISTRIBUTED && plan->token == NULL)
        complain(EXIT_TOKEN, "distributed mode needs a token");
    if (plan->token != NULL && !token_is_good(plan->token))
        complain(EXIT_TOKEN, "the token is not valid");
}

static void print_plan(const struct plan *plan, char **command)
{
    static const char *const mode_names[] = {"default", "serial", "parallel", "distributed"};
    if (!plan->quiet) {
        printf("mode %s, %ld job%s\n", mode_names[plan->mode], plan->jobs,
               plan->jobs == 1 ? "" : "s");
        printf("priority %s, nice %ld\n", plan->priority, plan->nice);
    }
    if (plan->memory > 0)
        printf("memory %lu KiB\n", plan->memory);
    if (plan->verbose >= 2)
        printf("timeout %ld, retries %ld, delay %ld\n", plan->timeout, plan->retries,
               plan->delay);
    if (plan->output != NULL)
        printf("%s %s\n", plan->append ? "append to" : "write", plan->output);
    for (int i = 0; i < plan->tag_count; i++)
        printf("tag %s\n", plan->tags[i]);
    fputs(plan->dry_run ? "would run" : "run", stdout);
    for (; *command != NULL; command++)
        printf(strpbrk(*command, " \t'") != NULL ? " \"%s\"" : " %s", *command);
    putchar('\n');
}

int main(int argc, char **argv)
{
    struct plan plan = {.jobs = 1, .priority = "normal"};
    int c;

    while ((c = getopt_long(argc, argv, "+j:m:t:p:n:M:o:aqv::hV", long_options, NULL)) != -1) {
        switch (c) {
        case 'j':
            plan.jobs = number(optarg, "jobs", 1, 64);
            break;
        case 'm':
            plan.memory = size_in_kib(optarg);
            break;
        case 't':
            plan.timeout = number(optarg, "timeout", 1, 86400);
            break;
        case 'p':
            plan.priority = priority(optarg);
            break;
        case 'n':
            plan.nice = number(optarg, "nice", -20, 19);
            break;
        case 'M':
            plan.mode = mode(optarg);
            break;
        case 'o':
            plan.output = optarg;
            break;
        case 'a':
            plan.append = 1;
            break;
        case 'q':
            plan.quiet = 1;
            break;
        case 'v':
            plan.verbose = optarg != NULL ? (int)number(optarg, "verbose", 0, MAX_VERBOSE)
                                          : plan.verbose + 1;
            break;
        case OPT_RETRIES:
            plan.retries = number(optarg, "retries", 0, 10);
            break;
        case OPT_DELAY:
            plan.delay = number(optarg, "delay", 0, 3600);
            break;
        case OPT_TAG:
            add_tag(&plan, optarg);
            break;
        case OPT_DRY_RUN:
            plan.dry_run = 1;
            break;
        case OPT_TOKEN:
            plan.token = optarg;
            break;
        case 'h':
            usage(stdout);
            return 0;
        case 'V':
            puts("launch 2.1");
            return 0;
        default:
            usage(stderr);
            return EXIT_USAGE;
        }
    }
    if (optind == argc) {
        usage(stderr);
        return EXIT_USAGE;
    }
    check(&plan);
    if (worst != 0)
        return worst;
    print_plan(&plan, argv + optind);
    return 0;
}
