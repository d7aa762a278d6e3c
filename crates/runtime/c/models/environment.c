// Environment variables.
//
// Decision: whether a variable is set is a choice of the search, and so is each byte of its value:
// the first getenv moves the value to a buffer with room behind it, labelled throughout like an
// argument, and the program gets that buffer from then on. A variable that the program sets itself,
// and those that the sandbox always sets, are what they are.
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "file.h"

#define VARIABLES_ROOM 128
#define NAMES_ROOM 8192

struct variable {
    const char *name;
    char *value;    // the buffer, or null if it is not set
    uint8_t own;    // the program has set it
};

static struct variable variables[VARIABLES_ROOM];
static unsigned variables_count;
static char names[NAMES_ROOM];
static size_t names_used;
static uint8_t all_own;

static int is_fixed(const char *name) {
    static const char *const fixed[] = {"PATH", "LC_ALL", "LANG", "TZ",
                                        "HOME", "TMPDIR", "PWD",  "LD_LIBRARY_PATH"};
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        if (strcmp(name, fixed[i]) == 0) return 1;
    return 0;
}

static struct variable *find_variable(const char *name, size_t length) {
    for (unsigned i = 0; i < variables_count; i++)
        if (strncmp(variables[i].name, name, length) == 0 && !variables[i].name[length])
            return &variables[i];
    return NULL;
}

static struct variable *new_variable(const char *name, size_t length) {
    if (variables_count == VARIABLES_ROOM || length >= NAMES_ROOM - names_used) return NULL;
    struct variable *variable = &variables[variables_count++];
    char *kept = memcpy(names + names_used, name, length);
    names_used += length + 1;
    variable->name = kept;
    return variable;
}

// A buffer of its own for the value of an input.
static char *growing_value(const char *value, uint32_t input) {
    size_t length = strlen(value), room = plx_argument_room();
    if (length > room) room += length;
    char *buffer = mmap(NULL, room + 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (buffer == MAP_FAILED) return NULL;
    if (plx_in_proof()) plx_object_born(buffer, room + 1);
    memcpy(buffer, value, length);
    plx_label_input(buffer, room, input, 0);
    return buffer;
}

static char *first_value(const char *name, char *value) {
    uint32_t input = plx_input(PLX_INPUT_ENVIRONMENT, 0, name);
    if (input == plx_no_input) return value;
    struct variable *variable = new_variable(name, strlen(name));
    if (!variable) return value;
    uint64_t exists = plx_with_label(value != NULL, plx_input_exists(input));
    if (!plx_is_before(0, exists)) return NULL;
    variable->value = growing_value(value, input);
    return variable->value ? variable->value : value;
}

static int is_name(const char *name) {
    return *name && !strchr(name, '=');
}

char *plx_model_getenv(const char *name) {
    if (!plx_tracing()) return getenv(name);
    name = plx_pin_string(name);
    char *value = getenv(name);
    // A test may set it, and the search does not.
    if (is_fixed(name) && !all_own && plx_in_proof()) plx_count(PLX_COUNTER_ROUTE, name);
    if (all_own || !is_name(name) || is_fixed(name)) return value;
    struct variable *variable = find_variable(name, strlen(name));
    if (!variable) return first_value(name, value);
    return variable->own ? value : variable->value;
}
PLX_ALIAS(secure_getenv, getenv);
PLX_ALIAS(__secure_getenv, getenv);

// ---- Changes -------------------------------------------------------------------------------------

static void now_own(const char *name, size_t length) {
    struct variable *variable = find_variable(name, length);
    if (!variable) variable = new_variable(name, length);
    if (variable) variable->own = 1;
}

int plx_model_setenv(const char *name, const char *value, int overwrite) {
    if (!plx_tracing()) return setenv(name, value, overwrite);
    name = plx_pin_string(name);
    overwrite = PLX_PINNED(overwrite, PLX_PIN_OPERATION);
    if (!overwrite && plx_model_getenv(name)) return 0;
    // The library keeps one string for values that are the same.
    if (plx_in_proof()) plx_pin_memory(value, strlen(value) + 1);
    int result = setenv(name, value, overwrite);
    if (result != 0) return result;
    now_own(name, strlen(name));
    plx_copy_labels(getenv(name), value, strlen(value) + 1);
    return result;
}

int plx_model_unsetenv(const char *name) {
    if (!plx_tracing()) return unsetenv(name);
    name = plx_pin_string(name);
    int result = unsetenv(name);
    if (result == 0) now_own(name, strlen(name));
    return result;
}

// The string itself becomes part of the environment and keeps its labels.
int plx_model_putenv(char *text) {
    if (!plx_tracing()) return putenv(text);
    size_t length = strcspn(text, "=");
    plx_pin_memory(text, length + 1);
    int result = putenv(text);
    if (result == 0) now_own(text, length);
    return result;
}

int plx_model_clearenv(void) {
    all_own = 1;
    return clearenv();
}
