/* ini: reads an INI file and answers questions about it.
 *
 *   ini get SECTION KEY [FILE]    ini sections [FILE]
 *   ini keys SECTION [FILE]       ini check [FILE]
 *
 * FILE is stdin by default. `${section.key}` in a value stands for the value of that key.
 *
 * Exit status: 0 good, 1 no such thing, 2 wrong usage, 3 syntax error, 4 failed check. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ENTRIES = 32, MAX_SECTIONS = 8, MAX_LINE = 160, MAX_EXPAND = 4 };
enum { NOT_FOUND = 1, USAGE = 2, SYNTAX = 3, CHECK = 4 };

struct entry {
    int section;
    char key[32];
    char value[MAX_LINE];
};

static char sections[MAX_SECTIONS][32];
static int section_count = 1; /* section 0 has no name */
static struct entry entries[MAX_ENTRIES];
static int entry_count, line, errors;

static void die(int status, const char *what)
{
    fprintf(stderr, "ini: %s\n", what);
    exit(status);
}

/* All syntax errors of a file are reported; the caller gives up the line. */
static int syntax(const char *what)
{
    fprintf(stderr, "ini: line %d: %s\n", line, what);
    errors++;
    return -1;
}

static char *trim(char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    size_t n = strlen(text);
    while (n > 0 && isspace((unsigned char)text[n - 1]))
        n--;
    text[n] = '\0';
    return text;
}

static int find_section(const char *name)
{
    for (int i = 0; i < section_count; i++)
        if (strcmp(sections[i], name) == 0)
            return i;
    return -1;
}

static struct entry *find_entry(int section, const char *key)
{
    for (int i = 0; i < entry_count; i++)
        if (entries[i].section == section && strcmp(entries[i].key, key) == 0)
            return &entries[i];
    return NULL;
}

static int open_section(char *text)
{
    char *close = strchr(text, ']');
    if (close == NULL)
        return syntax("']' is missing");
    if (*trim(close + 1) != '\0')
        return syntax("text after ']'");
    *close = '\0';
    char *name = trim(text + 1);
    if (*name == '\0')
        return syntax("section without a name");
    if (strlen(name) >= sizeof sections[0])
        return syntax("section name is too long");
    int found = find_section(name);
    if (found >= 0)
        return found;
    if (section_count == MAX_SECTIONS)
        return syntax("too many sections");
    strcpy(sections[section_count], name);
    return section_count++;
}

/* Takes off quotes and resolves the escapes inside them; an unquoted value ends at " ;". */
static int unquote(char *value)
{
    if (*value != '"') {
        char *comment = strstr(value, " ;");
        if (comment != NULL) {
            *comment = '\0';
            trim(value);
        }
        return 0;
    }
    char *to = value;
    char *from = value + 1;
    for (; *from != '"'; from++) {
        if (*from == '\0')
            return syntax("quote is not closed");
        if (*from == '\\') {
            switch (*++from) {
            case 'n':
                *to++ = '\n';
                break;
            case 't':
                *to++ = '\t';
                break;
            case '\\':
            case '"':
                *to++ = *from;
                break;
            default:
                return syntax("unknown escape");
            }
        } else {
            *to++ = *from;
        }
    }
    if (from[1] != '\0' && from[1] != ' ')
        return syntax("text after a quote");
    *to = '\0';
    return 0;
}

static int read_entry(int section, char *text)
{
    char *equals = strpbrk(text, "=:");
    if (equals == NULL)
        return syntax("'=' is missing");
    int append = equals > text && equals[-1] == '+';
    if (append)
        equals[-1] = '\0';
    *equals = '\0';
    char *key = trim(text), *value = trim(equals + 1);
    if (*key == '\0')
        return syntax("key is empty");
    if (strlen(key) >= sizeof entries[0].key)
        return syntax("key is too long");
    if (unquote(value) < 0)
        return -1;
    struct entry *entry = find_entry(section, key);
    if (entry == NULL) {
        if (entry_count == MAX_ENTRIES)
            return syntax("too many keys");
        entry = &entries[entry_count++];
        entry->section = section;
        strcpy(entry->key, key);
    } else if (append) {
        if (strlen(entry->value) + strlen(value) >= MAX_LINE)
            return syntax("value is too long");
        strcat(entry->value, value);
        return 0;
    }
    strcpy(entry->value, value);
    return 0;
}

static void read_file(FILE *file)
{
    static char buffer[MAX_LINE];
    int section = 0;
    while (fgets(buffer, sizeof buffer, file) != NULL) {
        line++;
        if (strlen(buffer) == sizeof buffer - 1) {
            syntax("line is too long");
            break;
        }
        char *text = trim(buffer);
        switch (*text) {
        case '\0':
        case '#':
        case ';':
            break;
        case '[':
            section = open_section(text);
            break;
        default:
            read_entry(section, text);
        }
    }
    if (errors > 0)
        exit(SYNTAX);
}

static void print_value(const char *value, int level)
{
    if (level > MAX_EXPAND)
        die(CHECK, "references run in a circle");
    while (*value != '\0') {
        const char *close = strncmp(value, "${", 2) == 0 ? strchr(value, '}') : NULL;
        if (close == NULL) {
            putchar(*value++);
            continue;
        }
        char name[MAX_LINE];
        snprintf(name, sizeof name, "%.*s", (int)(close - value) - 2, value + 2);
        char *dot = strchr(name, '.');
        const struct entry *entry = NULL;
        if (dot != NULL) {
            *dot = '\0';
            entry = find_entry(find_section(name), dot + 1);
        }
        if (entry == NULL)
            die(NOT_FOUND, "reference to nothing");
        print_value(entry->value, level + 1);
        value = close + 1;
    }
}

static const char *lookup(const char *section, const char *key)
{
    const struct entry *entry = find_entry(find_section(section), key);
    return entry == NULL ? NULL : entry->value;
}

/* The settings of a server must be complete and agree with each other. */
static int check(void)
{
    const char *port = lookup("server", "port"), *tls = lookup("server", "tls");
    const char *mode = lookup("server", "mode");
    int status = 0;
    if (port == NULL || atoi(port) < 1 || atoi(port) > 65535) {
        puts("server.port is missing or out of range");
        status = CHECK;
    }
    if (tls != NULL && strcmp(tls, "on") == 0) {
        if (port != NULL && strcmp(port, "80") == 0) {
            puts("port 80 with tls");
            status = CHECK;
        }
        if (lookup("server", "certificate") == NULL) {
            puts("tls without a certificate");
            status = CHECK;
        }
    } else if (tls != NULL && strcmp(tls, "off") != 0) {
        puts("server.tls is on or off");
        status = CHECK;
    }
    if (mode != NULL && strcmp(mode, "maintenance") == 0)
        puts("note: maintenance mode");
    if (entry_count >= 8)
        puts("note: a large file");
    if (status == 0)
        puts("good");
    return status;
}

static FILE *open_input(const char *path)
{
    if (path == NULL)
        return stdin;
    FILE *file = fopen(path, "r");
    if (file == NULL)
        die(NOT_FOUND, "cannot open the file");
    return file;
}

int main(int argc, char **argv)
{
    const char *command = argc > 1 ? argv[1] : "";
    if (strcmp(command, "get") == 0 && (argc == 4 || argc == 5)) {
        read_file(open_input(argv[4]));
        const char *value = lookup(argv[2], argv[3]);
        if (value == NULL)
            die(NOT_FOUND, "no such key");
        print_value(value, 0);
        putchar('\n');
    } else if (strcmp(command, "keys") == 0 && (argc == 3 || argc == 4)) {
        read_file(open_input(argv[3]));
        int section = find_section(argv[2]);
        if (section < 0)
            die(NOT_FOUND, "no such section");
        for (int i = 0; i < entry_count; i++)
            if (entries[i].section == section)
                puts(entries[i].key);
    } else if (strcmp(command, "sections") == 0 && argc <= 3) {
        read_file(open_input(argv[2]));
        for (int i = 1; i < section_count; i++)
            puts(sections[i]);
    } else if (strcmp(command, "check") == 0 && argc <= 3) {
        read_file(open_input(argv[2]));
        return check();
    } else {
        fputs("usage: ini get SECTION KEY [FILE] | keys SECTION [FILE] | sections [FILE] |"
              " check [FILE]\n",
              stderr);
        return USAGE;
    }
    return 0;
}
