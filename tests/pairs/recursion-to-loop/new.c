#include <stdio.h>
#include <string.h>

static void print_backwards(const char *s)
{
    const char *end = s + strlen(s);
    while (end != s) {
        if (end[-1] == ' ') {
            end--;
            continue;
        }
        const char *start = end;
        while (start != s && start[-1] != ' ')
            start--;
        printf("%.*s\n", (int)(end - start), start);
        end = start;
    }
}

static unsigned root(unsigned n)
{
    while (n >= 10) {
        unsigned sum = 0;
        for (; n != 0; n /= 10)
            sum += n % 10;
        n = sum;
    }
    return n;
}

static int deepest(const char *s)
{
    int depth = 0, most = 0;
    for (; *s; s++) {
        switch (*s) {
        case '(':
            if (++depth > most)
                most = depth;
            break;
        case ')':
            if (depth)
                depth--;
            break;
        }
    }
    return most;
}

int main(void)
{
    char line[512];
    if (fgets(line, sizeof line, stdin) == NULL) {
        puts("nothing");
        return 1;
    }
    size_t n = 0;
    unsigned total = 0;
    while (line[n] != '\0' && line[n] != '\n')
        total += (unsigned char)line[n++];
    line[n] = '\0';

    print_backwards(line);
    printf("root %u\n", root(total));
    printf("depth %d\n", deepest(line));
    return 0;
}
