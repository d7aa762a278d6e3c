/* schema: checks a key=value configuration on stdin against a schema file.
 *
 *   schema [-s] SCHEMA < CONFIG
 *
 * A line of the schema is   NAME TYPE [required] [MIN:MAX] [needs=NAME]
 * with TYPE one of integer, number, boolean, string, percentage, enumeration:a|b|c.
 * MIN:MAX is the range of a number or of the length of a string. -s allows no unknown keys.
 *
 * Exit status: 0 valid, 1 violations, 2 wrong usage, 3 bad schema. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VIOLATIONS = 1, USAGE = 2, BAD_SCHEMA = 3 };
enum { MAX_RULES = 12, MAX_NAME = 24, MAX_LINE = 128 };
enum type { INTEGER, NUMBER, BOOLEAN, STRING, PERCENTAGE, ENUMERATION, TYPES };

struct rule {
    char name[MAX_NAME + 1];
    enum type type;
    char choices[MAX_LINE];
    int required, ranged;
    double low, high;
    char needs[MAX_NAME + 1];
    int seen;
};

static const char *const type_names[TYPES] = {"integer", "number",     "boolean",
                                              "string",  "percentage", "enumeration"};

static struct rule rules[MAX_RULES];
static int rule_count, violations, schema_errors, line;

static void bad_schema(const char *what)
{
    fprintf(stderr, "schema: line %d: %s\n", line, what);
    schema_errors++;
}

static void violation(const char *key, const char *what)
{
    printf("%s: %s\n", key, what);
    violations++;
}

static struct rule *find(const char *name)
{
    for (int i = 0; i < rule_count; i++)
        if (strcmp(rules[i].name, name) == 0)
            return &rules[i];
    return NULL;
}

static int is_name(const char *text)
{
    size_t n = strlen(text);
    if (n == 0 || n > MAX_NAME || !isalpha((unsigned char)*text))
        return 0;
    for (; *text != '\0'; text++)
        if (!isalnum((unsigned char)*text) && *text != '_' && *text != '.')
            return 0;
    return 1;
}

static int parse_type(const char *text, struct rule *rule)
{
    size_t n = strcspn(text, ":");
    for (int i = 0; i < TYPES; i++) {
        if (strlen(type_names[i]) != n || strncmp(type_names[i], text, n) != 0)
            continue;
        rule->type = (enum type)i;
        if (text[n] == ':')
            strcpy(rule->choices, text + n + 1);
        return (i == ENUMERATION) == (rule->choices[0] != '\0');
    }
    return 0;
}

static int parse_range(const char *text, struct rule *rule)
{
    char *end;
    rule->low = strtod(text, &end);
    if (end == text || *end != ':')
        return 0;
    text = end + 1;
    rule->high = strtod(text, &end);
    rule->ranged = 1;
    return end != text && *end == '\0' && rule->low <= rule->high;
}

static void parse_rule(char *text)
{
    char *word = strtok(text, " \t\n");
    if (word == NULL || *word == '#')
        return;
    if (rule_count == MAX_RULES) {
        bad_schema("too many rules");
        return;
    }
    if (!is_name(word) || find(word) != NULL) {
        bad_schema("bad or repeated name");
        return;
    }
    struct rule *rule = &rules[rule_count++];
    strcpy(rule->name, word);
    word = strtok(NULL, " \t\n");
    if (word == NULL || !parse_type(word, rule)) {
        bad_schema("type expected");
        return;
    }
    while ((word = strtok(NULL, " \t\n")) != NULL) {
        if (strcmp(word, "required") == 0) {
            rule->required = 1;
        } else if (strncmp(word, "needs=", 6) == 0 && is_name(word + 6)) {
            strcpy(rule->needs, word + 6);
        } else if (!parse_range(word, rule)) {
            bad_schema("unknown attribute");
        } else if (rule->type == BOOLEAN || rule->type == ENUMERATION) {
            bad_schema("this type has no range");
        }
    }
}

static void check_schema(void)
{
    for (int i = 0; i < rule_count; i++) {
        if (rules[i].needs[0] == '\0')
            continue;
        const struct rule *other = find(rules[i].needs);
        if (other == NULL || other == &rules[i]) {
            fprintf(stderr, "schema: %s needs an unknown key\n", rules[i].name);
            schema_errors++;
        }
    }
}

static const char *in_range(const struct rule *rule, double value)
{
    if (!rule->ranged)
        return NULL;
    if (value < rule->low)
        return "too small";
    if (value > rule->high)
        return "too large";
    return NULL;
}

static const char *check_choice(const struct rule *rule, const char *value)
{
    const char *p = rule->choices;
    size_t n = strlen(value);
    for (;;) {
        size_t k = strcspn(p, "|");
        if (k == n && strncmp(p, value, n) == 0)
            return NULL;
        if (p[k] == '\0')
            return "not one of the choices";
        p += k + 1;
    }
}

/* NULL, or what is wrong with the value. */
static const char *check_value(const struct rule *rule, const char *value)
{
    char *end;
    double number;
    switch (rule->type) {
    case INTEGER: {
        long n = strtol(value, &end, 10);
        if (end == value || *end != '\0')
            return "not an integer";
        return in_range(rule, (double)n);
    }
    case NUMBER:
        number = strtod(value, &end);
        if (end == value || *end != '\0')
            return "not a number";
        if (number != number || number - number != 0)
            return "not a finite number";
        return in_range(rule, number);
    case BOOLEAN:
        if (strcmp(value, "true") != 0 && strcmp(value, "false") != 0)
            return "neither true nor false";
        return NULL;
    case PERCENTAGE:
        number = strtod(value, &end);
        if (end == value || strcmp(end, "%") != 0)
            return "not a percentage";
        if (number < 0 || number > 100)
            return "not between 0% and 100%";
        return in_range(rule, number);
    case ENUMERATION:
        return check_choice(rule, value);
    default:
        return in_range(rule, (double)strlen(value));
    }
}

static char *trim(char *text)
{
    text += strspn(text, " \t");
    size_t n = strlen(text);
    while (n > 0 && isspace((unsigned char)text[n - 1]))
        n--;
    text[n] = '\0';
    return text;
}

static void check_line(char *text, int strict)
{
    text = trim(text);
    if (*text == '\0' || *text == '#')
        return;
    char *equals = strchr(text, '=');
    if (equals == NULL) {
        violation(text, "'=' is missing");
        return;
    }
    *equals = '\0';
    char *key = trim(text), *value = trim(equals + 1);
    struct rule *rule = find(key);
    if (rule == NULL) {
        if (strict)
            violation(key, "unknown key");
        return;
    }
    if (rule->seen++ > 0) {
        violation(key, "given twice");
        return;
    }
    const char *wrong = check_value(rule, value);
    if (wrong != NULL)
        violation(key, wrong);
}

static void check_presence(void)
{
    int given = 0;
    for (int i = 0; i < rule_count; i++) {
        if (rules[i].seen) {
            given++;
            if (rules[i].needs[0] != '\0' && !find(rules[i].needs)->seen)
                violation(rules[i].name, "another key is needed");
        } else if (rules[i].required) {
            violation(rules[i].name, "missing");
        }
    }
    if (given > 0 && given == rule_count)
        puts("complete");
}

int main(int argc, char **argv)
{
    static char text[MAX_LINE];
    int strict = argc > 1 && strcmp(argv[1], "-s") == 0;
    if (argc != 2 + strict) {
        fputs("usage: schema [-s] SCHEMA < CONFIG\n", stderr);
        return USAGE;
    }
    FILE *file = fopen(argv[1 + strict], "r");
    if (file == NULL) {
        fprintf(stderr, "schema: cannot open %s\n", argv[1 + strict]);
        return USAGE;
    }
    while (fgets(text, sizeof text, file) != NULL) {
        line++;
        parse_rule(text);
    }
    fclose(file);
    check_schema();
    if (schema_errors > 0)
        return BAD_SCHEMA;
    while (fgets(text, sizeof text, stdin) != NULL)
        check_line(text, strict);
    check_presence();
    if (violations > 0) {
        printf("%d violation%s\n", violations, violations == 1 ? "" : "s");
        return VIOLATIONS;
    }
    return 0;
}
