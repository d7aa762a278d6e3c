// Functions of which no expression describes the result: dates, patterns, names of the system.
//
// Decision: what they read is pinned, so that the path condition says what their results rest on,
// and what they write is cleared. That is honest and cheap; a program that spends its time in one of
// them deserves a model of its own.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fnmatch.h>
#include <glob.h>
#include <grp.h>
#include <iconv.h>
#include <locale.h>
#include <netdb.h>
#include <pwd.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "file.h"

#define OPERATION(value) PLX_PINNED(value, PLX_PIN_OPERATION)

// ---- Dates ---------------------------------------------------------------------------------------

#define PIN_OBJECT(pointer) plx_pin_memory(pointer, sizeof *(pointer))

static struct tm *written(struct tm *date) {
    if (date) plx_clear(date, sizeof *date);
    return date;
}

struct tm *plx_model_localtime(const time_t *moment) {
    PIN_OBJECT(moment);
    return written(localtime(moment));
}

struct tm *plx_model_gmtime(const time_t *moment) {
    PIN_OBJECT(moment);
    return written(gmtime(moment));
}

struct tm *plx_model_localtime_r(const time_t *moment, struct tm *date) {
    PIN_OBJECT(moment);
    return written(localtime_r(moment, date));
}

struct tm *plx_model_gmtime_r(const time_t *moment, struct tm *date) {
    PIN_OBJECT(moment);
    return written(gmtime_r(moment, date));
}

char *plx_model_ctime(const time_t *moment) {
    PIN_OBJECT(moment);
    return ctime(moment);
}

char *plx_model_ctime_r(const time_t *moment, char *to) {
    PIN_OBJECT(moment);
    char *text = ctime_r(moment, to);
    if (text) plx_clear(to, strlen(to) + 1);
    return text;
}

char *plx_model_asctime(const struct tm *date) {
    PIN_OBJECT(date);
    char *text = asctime(date);
    if (text) plx_clear(text, strlen(text) + 1);
    return text;
}

char *plx_model_asctime_r(const struct tm *date, char *to) {
    PIN_OBJECT(date);
    char *text = asctime_r(date, to);
    if (text) plx_clear(to, strlen(to) + 1);
    return text;
}

time_t plx_model_mktime(struct tm *date) {
    PIN_OBJECT(date);
    time_t moment = mktime(date);
    written(date);
    return moment;
}
PLX_ALIAS(timelocal, mktime);

time_t plx_model_timegm(struct tm *date) {
    PIN_OBJECT(date);
    time_t moment = timegm(date);
    written(date);
    return moment;
}

size_t plx_model_strftime(char *to, size_t room, const char *format, const struct tm *date) {
    format = plx_pin_string(format);
    PIN_OBJECT(date);
    size_t length = strftime(to, PLX_PIN_LENGTH(room), format, date);
    if (length > 0) plx_clear(to, length + 1);
    return length;
}

char *plx_model_strptime(const char *text, const char *format, struct tm *date) {
    text = plx_pin_string(text);
    char *end = strptime(text, plx_pin_string(format), date);
    written(date);
    return end;
}

// ---- Patterns ------------------------------------------------------------------------------------

int plx_model_regcomp(regex_t *compiled, const char *pattern, int flags) {
    int result = regcomp(compiled, plx_pin_string(pattern), OPERATION(flags));
    plx_clear(compiled, sizeof *compiled);
    return result;
}

int plx_model_regexec(const regex_t *compiled, const char *text, size_t count, regmatch_t *matches,
                      int flags) {
    count = PLX_PIN_LENGTH(count);
    flags = OPERATION(flags);
    if (flags & REG_STARTEND) {
        PIN_OBJECT(matches);
        plx_pin_memory(text, (size_t)matches->rm_eo);
    } else {
        text = plx_pin_string(text);
    }
    int result = regexec(compiled, text, count, matches, flags);
    if (matches) plx_clear(matches, count * sizeof *matches);
    return result;
}

size_t plx_model_regerror(int code, const regex_t *compiled, char *to, size_t room) {
    room = PLX_PIN_LENGTH(room);
    size_t length = regerror(OPERATION(code), compiled, to, room);
    if (to) plx_clear(to, length < room ? length : room);
    return length;
}

// GNU's own, of which regcomp and regexec are a shell.
const char *plx_model_re_compile_pattern(const char *pattern, size_t length,
                                         struct re_pattern_buffer *compiled) {
    length = PLX_PIN_LENGTH(length);
    plx_pin_memory(pattern, length);
    const char *error = re_compile_pattern(pattern, length, compiled);
    plx_clear(compiled, sizeof *compiled);
    return error;
}

// The registers are the library's objects.
static void clear_registers(struct re_registers *registers) {
    if (!registers) return;
    plx_clear(registers, sizeof *registers);
    if (registers->start) plx_clear(registers->start, registers->num_regs * sizeof(regoff_t));
    if (registers->end) plx_clear(registers->end, registers->num_regs * sizeof(regoff_t));
}

regoff_t plx_model_re_search(struct re_pattern_buffer *compiled, const char *text, regoff_t length,
                             regoff_t start, regoff_t range, struct re_registers *registers) {
    length = PLX_PIN_LENGTH(length);
    start = OPERATION(start);
    range = OPERATION(range);
    if (length > 0) plx_pin_memory(text, (size_t)length);
    regoff_t result = re_search(compiled, text, length, start, range, registers);
    clear_registers(registers);
    return result;
}

regoff_t plx_model_re_match(struct re_pattern_buffer *compiled, const char *text, regoff_t length,
                            regoff_t start, struct re_registers *registers) {
    length = PLX_PIN_LENGTH(length);
    start = OPERATION(start);
    if (length > 0) plx_pin_memory(text, (size_t)length);
    regoff_t result = re_match(compiled, text, length, start, registers);
    clear_registers(registers);
    return result;
}

int plx_model_fnmatch(const char *pattern, const char *text, int flags) {
    return fnmatch(plx_pin_string(pattern), plx_pin_string(text), OPERATION(flags));
}

int plx_model_glob(const char *pattern, int flags, int (*failed)(const char *, int), glob_t *found) {
    int result = glob(plx_pin_string(pattern), OPERATION(flags), failed, found);
    plx_clear(found, sizeof *found);
    return result;
}
PLX_ALIAS(glob64, glob);

int plx_model_rpmatch(const char *text) { return rpmatch(plx_pin_string(text)); }

long plx_model_a64l(const char *text) { return a64l(plx_pin_string(text)); }

// ---- Locales -------------------------------------------------------------------------------------

// Only that of C is known: any other is up to the environment and to the files of the system.
char *plx_model_setlocale(int category, const char *name) {
    category = OPERATION(category);
    name = plx_pin_string(name);
    if (plx_in_proof() && name && strcmp(name, "C") != 0 && strcmp(name, "POSIX") != 0)
        plx_count(PLX_COUNTER_ROUTE, "setlocale");
    return setlocale(category, name);
}

// ---- Character sets ------------------------------------------------------------------------------

size_t plx_model_iconv(iconv_t set, char **from, size_t *from_left, char **to, size_t *to_left) {
    if (!from || !*from) return iconv(set, from, from_left, to, to_left);
    char *start = *from, *written_at = *to;
    plx_pin_memory(from_left, sizeof *from_left);
    plx_pin_memory(to_left, sizeof *to_left);
    plx_pin_memory(start, *from_left);
    size_t result = iconv(set, from, from_left, to, to_left);
    plx_clear(written_at, (size_t)(*to - written_at));
    return result;
}

// ---- Names of users and hosts --------------------------------------------------------------------

struct passwd *plx_model_getpwnam(const char *name) { return getpwnam(plx_pin_string(name)); }

struct group *plx_model_getgrnam(const char *name) { return getgrnam(plx_pin_string(name)); }

int plx_model_getpwnam_r(const char *name, struct passwd *entry, char *room, size_t length,
                         struct passwd **found) {
    length = PLX_PIN_LENGTH(length);
    int result = getpwnam_r(plx_pin_string(name), entry, room, length, found);
    plx_clear(entry, sizeof *entry);
    plx_clear(room, length);
    plx_clear(found, sizeof *found);
    return result;
}

int plx_model_getgrnam_r(const char *name, struct group *entry, char *room, size_t length,
                         struct group **found) {
    length = PLX_PIN_LENGTH(length);
    int result = getgrnam_r(plx_pin_string(name), entry, room, length, found);
    plx_clear(entry, sizeof *entry);
    plx_clear(room, length);
    plx_clear(found, sizeof *found);
    return result;
}

struct hostent *plx_model_gethostbyname(const char *name) {
    return gethostbyname(plx_pin_string(name));
}

in_addr_t plx_model_inet_addr(const char *text) { return inet_addr(plx_pin_string(text)); }

int plx_model_inet_aton(const char *text, struct in_addr *address) {
    int result = inet_aton(plx_pin_string(text), address);
    plx_clear(address, sizeof *address);
    return result;
}

int plx_model_inet_pton(int family, const char *text, void *address) {
    family = OPERATION(family);
    int result = inet_pton(family, plx_pin_string(text), address);
    if (result == 1) plx_clear(address, family == AF_INET6 ? 16 : 4);
    return result;
}
