/* urlq: takes URLs apart and decodes query strings.
 *
 *   urlq parse URL...          the parts of each
 *   urlq query STRING [KEY]    all parameters, or the values of one
 *   urlq decode TEXT...        percent-decoding      urlq encode TEXT...   the other way
 *
 * Exit status: 0 good, 1 malformed, 2 wrong usage, 3 no such key. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MALFORMED = 1, USAGE = 2, NO_KEY = 3 };
enum { MAX_TEXT = 256, MAX_PARAMS = 8 };

struct url {
    char scheme[16], user[32], host[40], path[MAX_TEXT], query[MAX_TEXT], fragment[MAX_TEXT];
    int port; /* -1 if there is none */
    int secure;
};

static const struct {
    const char *name;
    int port, secure;
} schemes[] = {
    {"http", 80, 0}, {"https", 443, 1}, {"ftp", 21, 0}, {"gopher", 70, 0}, {"websockets", 443, 1},
};

static int hex_digit(int c)
{
    if (isdigit(c))
        return c - '0';
    if (isxdigit(c))
        return tolower(c) - 'a' + 10;
    return -1;
}

/* NULL, or what is wrong. In forms '+' is a blank. */
static const char *decode(const char *from, size_t n, int form, char *to)
{
    for (size_t i = 0; i < n; i++) {
        int c = (unsigned char)from[i];
        if (c == '%') {
            if (n - i < 3)
                return "escape is cut off";
            int high = hex_digit((unsigned char)from[i + 1]);
            int low = hex_digit((unsigned char)from[i + 2]);
            if (high < 0 || low < 0)
                return "escape has no hex digits";
            c = high * 16 + low;
            if (c == 0)
                return "NUL byte";
            i += 2;
        } else if (c == '+' && form) {
            c = ' ';
        } else if (c <= ' ' || c == 0x7f) {
            return "control character or blank";
        }
        *to++ = (char)c;
    }
    *to = '\0';
    return NULL;
}

static void print_encoded(const char *text)
{
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        if (isalnum(c) || strchr("-._~", c) != NULL)
            putchar(c);
        else
            printf("%%%02X", c);
    }
    putchar('\n');
}

static const char *parse_host(const char *text, size_t n, char *host)
{
    int dots = 0, label = 0, all_digits = 1;
    if (n == 0)
        return "host is empty";
    if (n >= sizeof((struct url *)0)->host)
        return "host is too long";
    for (size_t i = 0; i < n; i++) {
        int c = (unsigned char)text[i];
        if (c == '.') {
            if (label == 0)
                return "empty label in the host";
            dots++;
            label = 0;
            continue;
        }
        if (!isalnum(c) && (c != '-' || label == 0))
            return "bad character in the host";
        if (!isdigit(c))
            all_digits = 0;
        label++;
    }
    if (text[n - 1] == '-')
        return "host ends with '-'";
    memcpy(host, text, n);
    host[n] = '\0';
    if (all_digits) {
        unsigned a, b, c, d;
        if (dots != 3 || sscanf(host, "%u.%u.%u.%u", &a, &b, &c, &d) != 4)
            return "not an IPv4 address";
        if (a > 255 || b > 255 || c > 255 || d > 255)
            return "IPv4 address is out of range";
    }
    return NULL;
}

static const char *parse_authority(const char *text, size_t n, struct url *url)
{
    const char *end = text + n, *at = memchr(text, '@', n);
    if (at != NULL) {
        size_t length = (size_t)(at - text);
        if (length == 0 || length >= sizeof url->user)
            return "bad user";
        const char *wrong = decode(text, length, 0, url->user);
        if (wrong != NULL)
            return wrong;
        text = at + 1;
    }
    const char *colon = memchr(text, ':', (size_t)(end - text));
    if (colon != NULL) {
        url->port = 0;
        if (colon + 1 == end)
            return "port is empty";
        for (const char *p = colon + 1; p < end; p++) {
            if (!isdigit((unsigned char)*p))
                return "port is not a number";
            url->port = url->port * 10 + *p - '0';
            if (url->port > 65535)
                return "port is out of range";
        }
        if (url->port == 0)
            return "port is zero";
        end = colon;
    }
    return parse_host(text, (size_t)(end - text), url->host);
}

static const char *parse_url(const char *text, struct url *url)
{
    const char *wrong;
    memset(url, 0, sizeof *url);
    url->port = -1;
    const char *colon = strstr(text, "://");
    if (colon == NULL || colon == text || colon - text >= (long)sizeof url->scheme)
        return "no scheme";
    for (int i = 0; i < colon - text; i++)
        url->scheme[i] = (char)tolower((unsigned char)text[i]);
    text = colon + 3;
    size_t n = strcspn(text, "/?#");
    wrong = parse_authority(text, n, url);
    if (wrong != NULL)
        return wrong;
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        if (strcmp(schemes[i].name, url->scheme) == 0) {
            url->secure = schemes[i].secure;
            if (url->port == -1)
                url->port = schemes[i].port;
        }
    }
    text += n;
    n = strcspn(text, "?#");
    wrong = decode(text, n, 0, url->path);
    if (wrong != NULL)
        return wrong;
    text += n;
    if (*text == '?') {
        n = strcspn(++text, "#");
        memcpy(url->query, text, n);
        text += n;
    }
    if (*text == '#')
        return decode(text + 1, strlen(text + 1), 0, url->fragment);
    return NULL;
}

static int cmd_parse(const char *text)
{
    struct url url;
    const char *wrong = parse_url(text, &url);
    if (wrong != NULL) {
        printf("%s: %s\n", text, wrong);
        return MALFORMED;
    }
    printf("scheme %s%s\nhost %s\n", url.scheme, url.secure ? " (secure)" : "", url.host);
    if (url.port != -1)
        printf("port %d\n", url.port);
    if (url.user[0] != '\0')
        printf("user %s\n", url.user);
    if (strstr(url.path, "/../") != NULL)
        puts("the path climbs up");
    printf("path %s\n", url.path[0] == '\0' ? "/" : url.path);
    if (url.query[0] != '\0')
        printf("query %s\n", url.query);
    if (url.fragment[0] != '\0')
        printf("fragment %s\n", url.fragment);
    return 0;
}

static int cmd_query(const char *text, const char *wanted)
{
    int found = 0, count = 0;
    for (;;) {
        char key[MAX_TEXT], value[MAX_TEXT];
        size_t n = strcspn(text, "&;"), k = strcspn(text, "=&;");
        if (n > 0) {
            if (++count > MAX_PARAMS) {
                fputs("urlq: too many parameters\n", stderr);
                return MALFORMED;
            }
            const char *wrong = decode(text, k, 1, key);
            *value = '\0';
            if (wrong == NULL && k < n)
                wrong = decode(text + k + 1, n - k - 1, 1, value);
            if (wrong == NULL && k == 0)
                wrong = "parameter without a name";
            if (wrong != NULL) {
                fprintf(stderr, "urlq: parameter %d: %s\n", count, wrong);
                return MALFORMED;
            }
            if (wanted == NULL)
                printf("%s = %s\n", key, value);
            else if (strcmp(key, wanted) == 0)
                printf("%d: %s\n", ++found, value);
        }
        if (text[n] == '\0')
            break;
        text += n + 1;
    }
    return wanted != NULL && found == 0 ? NO_KEY : 0;
}

static int cmd_decode(const char *text)
{
    char out[MAX_TEXT];
    const char *wrong = decode(text, strlen(text), 1, out);
    if (wrong != NULL) {
        printf("%s: %s\n", text, wrong);
        return MALFORMED;
    }
    puts(out);
    return 0;
}

int main(int argc, char **argv)
{
    int status = 0;
    if (argc < 3) {
        fputs("usage: urlq parse URL... | query STRING [KEY] | decode TEXT... | encode TEXT...\n",
              stderr);
        return USAGE;
    }
    for (int i = 1; i < argc; i++) {
        if (strlen(argv[i]) >= MAX_TEXT / 4) {
            fprintf(stderr, "urlq: argument %d is too long\n", i);
            return USAGE;
        }
    }
    const char *command = argv[1];
    if (strcmp(command, "query") == 0 && argc <= 4)
        return cmd_query(argv[2], argv[3]);
    for (int i = 2; i < argc; i++) {
        if (strcmp(command, "parse") == 0) {
            status |= cmd_parse(argv[i]);
        } else if (strcmp(command, "decode") == 0) {
            status |= cmd_decode(argv[i]);
        } else if (strcmp(command, "encode") == 0) {
            print_encoded(argv[i]);
        } else {
            fprintf(stderr, "urlq: unknown command '%s'\n", command);
            return USAGE;
        }
    }
    return status;
}
