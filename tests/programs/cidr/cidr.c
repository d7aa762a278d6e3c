/* cidr: matches IPv4 addresses and ports against a list of rules.
 *
 *   cidr show ADDRESS[/BITS]...      cidr match ADDRESS[:PORT]... < RULES
 *
 * A rule is   allow|deny|log TARGET [port LIST] [comment]
 * where TARGET is any, ADDRESS, ADDRESS/BITS, ADDRESS-ADDRESS or a name such as loopback,
 * and LIST is numbers, ranges and service names separated by commas. The first rule that
 * matches decides, except that `log` only counts; without one, the address is denied.
 *
 * Exit status: 0 all allowed, 1 some denied, 2 wrong usage, 3 bad address, 4 bad rule. */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { DENIED = 1, USAGE = 2, BAD_ADDRESS = 3, BAD_RULE = 4 };
enum { MAX_RULES = 10, MAX_PORTS = 4, MAX_LINE = 128, ANY_PORT = 0 };
enum action { ALLOW, DENY, LOG, ACTIONS };

struct rule {
    enum action action;
    uint32_t first, last;
    struct {
        int first, last;
    } ports[MAX_PORTS];
    int port_count, hits;
};

static const char *const action_names[ACTIONS] = {"allow", "deny", "log"};

static const struct {
    const char *name;
    uint32_t base;
    int bits;
} networks[] = {
    {"loopback", 0x7f000000, 8},  {"private-a", 0x0a000000, 8},  {"private-b", 0xac100000, 12},
    {"private-c", 0xc0a80000, 16}, {"link-local", 0xa9fe0000, 16}, {"multicast", 0xe0000000, 4},
};
enum { NETWORKS = sizeof networks / sizeof *networks };

static const struct {
    const char *name;
    int port;
} services[] = {{"ssh", 22}, {"smtp", 25}, {"domain", 53}, {"http", 80}, {"https", 443}};
enum { SERVICES = sizeof services / sizeof *services };

static struct rule rules[MAX_RULES];
static int rule_count, rule_errors, line;

static int parse_decimal(const char **p, int most)
{
    int n = 0;
    if (!isdigit((unsigned char)**p))
        return -1;
    /* A leading zero would be octal elsewhere. */
    if (**p == '0' && isdigit((unsigned char)(*p)[1]))
        return -1;
    while (isdigit((unsigned char)**p)) {
        n = n * 10 + *(*p)++ - '0';
        if (n > most)
            return -1;
    }
    return n;
}

static int parse_address(const char **p, uint32_t *address)
{
    *address = 0;
    for (int i = 0; i < 4; i++) {
        if (i > 0 && *(*p)++ != '.')
            return 0;
        int byte = parse_decimal(p, 255);
        if (byte < 0)
            return 0;
        *address = *address << 8 | (uint32_t)byte;
    }
    return 1;
}

static uint32_t mask(int bits)
{
    return bits == 0 ? 0 : UINT32_MAX << (32 - bits);
}

static void format(uint32_t a, char *out, size_t size)
{
    snprintf(out, size, "%u.%u.%u.%u", a >> 24, a >> 16 & 255, a >> 8 & 255, a & 255);
}

static int show(const char *text)
{
    const char *p = text;
    char first[16], last[16];
    uint32_t address;
    int bits = 32;
    if (!parse_address(&p, &address)) {
        printf("%s: bad address\n", text);
        return BAD_ADDRESS;
    }
    if (*p == '/') {
        p++;
        bits = parse_decimal(&p, 32);
    }
    if (bits < 0 || *p != '\0') {
        printf("%s: bad prefix\n", text);
        return BAD_ADDRESS;
    }
    format(address & mask(bits), first, sizeof first);
    format(address | ~mask(bits), last, sizeof last);
    printf("%s to %s", first, last);
    if (bits < 31)
        printf(", %lu hosts", (1UL << (32 - bits)) - 2);
    if (bits < 32 && (address & ~mask(bits)) != 0)
        fputs(", host bits set", stdout);
    for (int i = 0; i < NETWORKS; i++)
        if (bits >= networks[i].bits && (address & mask(networks[i].bits)) == networks[i].base)
            printf(", %s", networks[i].name);
    putchar('\n');
    return 0;
}

static const char *parse_target(const char *text, struct rule *rule)
{
    const char *p = text;
    if (strcmp(text, "any") == 0) {
        rule->last = UINT32_MAX;
        return NULL;
    }
    for (int i = 0; i < NETWORKS; i++) {
        if (strcmp(text, networks[i].name) == 0) {
            rule->first = networks[i].base;
            rule->last = networks[i].base | ~mask(networks[i].bits);
            return NULL;
        }
    }
    if (!parse_address(&p, &rule->first))
        return "bad address";
    rule->last = rule->first;
    if (*p == '/') {
        p++;
        int bits = parse_decimal(&p, 32);
        if (bits < 0)
            return "bad prefix";
        if ((rule->first & ~mask(bits)) != 0)
            return "address has bits behind the prefix";
        rule->last = rule->first | ~mask(bits);
    } else if (*p == '-') {
        p++;
        if (!parse_address(&p, &rule->last))
            return "bad end of a range";
        if (rule->last < rule->first)
            return "range runs backwards";
    }
    return *p == '\0' ? NULL : "garbage after the address";
}

static int parse_port(const char **p)
{
    for (int i = 0; i < SERVICES; i++) {
        size_t n = strlen(services[i].name);
        if (strncmp(*p, services[i].name, n) == 0 && !isalpha((unsigned char)(*p)[n])) {
            *p += n;
            return services[i].port;
        }
    }
    return parse_decimal(p, 65535);
}

static const char *parse_ports(const char *p, struct rule *rule)
{
    for (;; p++) {
        if (rule->port_count == MAX_PORTS)
            return "too many ports";
        int first = parse_port(&p), last = first;
        if (*p == '-') {
            p++;
            last = parse_port(&p);
        }
        if (first < 1 || last < first)
            return "bad port";
        rule->ports[rule->port_count].first = first;
        rule->ports[rule->port_count++].last = last;
        if (*p == '\0')
            return NULL;
        if (*p != ',')
            return "',' expected between ports";
    }
}

static const char *parse_rule(char *text, struct rule *rule)
{
    int action = 0;
    char *word = strtok(text, " \t\n");
    memset(rule, 0, sizeof *rule);
    while (action < ACTIONS && strcmp(word, action_names[action]) != 0)
        action++;
    if (action == ACTIONS)
        return "unknown action";
    rule->action = (enum action)action;
    word = strtok(NULL, " \t\n");
    if (word == NULL)
        return "target expected";
    const char *wrong = parse_target(word, rule);
    if (wrong != NULL)
        return wrong;
    word = strtok(NULL, " \t\n");
    if (word == NULL || *word == '#')
        return NULL;
    if (strcmp(word, "port") != 0)
        return "'port' expected";
    word = strtok(NULL, " \t\n");
    return word != NULL ? parse_ports(word, rule) : "ports expected";
}

static void read_rules(void)
{
    static char text[MAX_LINE];
    while (fgets(text, sizeof text, stdin) != NULL) {
        struct rule rule;
        const char *wrong = "too many rules";
        line++;
        char c = text[strspn(text, " \t\n")];
        if (c == '\0' || c == '#')
            continue;
        if (rule_count < MAX_RULES)
            wrong = parse_rule(text, &rule);
        if (wrong != NULL) {
            fprintf(stderr, "cidr: rule in line %d: %s\n", line, wrong);
            rule_errors++;
        } else {
            rules[rule_count++] = rule;
        }
    }
}

static int port_matches(const struct rule *rule, int port)
{
    for (int i = 0; i < rule->port_count; i++)
        if (port >= rule->ports[i].first && port <= rule->ports[i].last)
            return 1;
    return rule->port_count == 0;
}

static int match(const char *text)
{
    const char *p = text;
    uint32_t address;
    int port = ANY_PORT, good = parse_address(&p, &address);
    if (good && *p == ':') {
        p++;
        port = parse_decimal(&p, 65535);
        good = port > 0;
    }
    if (!good || *p != '\0') {
        printf("%s: bad address\n", text);
        return BAD_ADDRESS;
    }
    for (int i = 0; i < rule_count; i++) {
        struct rule *rule = &rules[i];
        if (address < rule->first || address > rule->last || !port_matches(rule, port))
            continue;
        rule->hits++;
        if (rule->action != LOG) {
            printf("%s: %s by rule %d\n", text, action_names[rule->action], i + 1);
            return rule->action == ALLOW ? 0 : DENIED;
        }
    }
    printf("%s: deny by default\n", text);
    return DENIED;
}

int main(int argc, char **argv)
{
    int worst = 0;
    int matching = argc > 2 && strcmp(argv[1], "match") == 0;
    if (argc < 3 || (!matching && strcmp(argv[1], "show") != 0)) {
        fputs("usage: cidr show ADDRESS[/BITS]... | match ADDRESS[:PORT]... < RULES\n", stderr);
        return USAGE;
    }
    if (matching) {
        read_rules();
        if (rule_errors > 0)
            return BAD_RULE;
    }
    for (int i = 2; i < argc; i++) {
        int status = matching ? match(argv[i]) : show(argv[i]);
        if (status > worst)
            worst = status;
    }
    for (int i = 0; i < rule_count; i++)
        if (rules[i].action == LOG && rules[i].hits >= 3)
            printf("rule %d: %d hits\n", i + 1, rules[i].hits);
    return worst;
}
