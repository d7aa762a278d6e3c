#include <stdio.h>
#include <string.h>

static void print_backwards(const char *s)
{
    while (*s == ' ')
        s++;
    if (*s == '\0')
        return;
    size_t n = strcspn(s, " ");
    print_backwards(s + n);
    printf("%.*s\n", (int)n, s);
}

static unsigned digit_sum(unsigned n)
{
    return n < 10 ? n : n % 10 + digit_sum(n / 10);
}

static unsigned root(unsigned n)
{
    return n < 10 ? n : root(digit_sum(n));
}

static int deepest(const char *s, int depth)
{
    if (*s == '\0')
        return depth;
    int next = depth;
    if (*s == '(')
        next = depth + 1;
    else if (*s == ')' && depth > 0)
        next = depth - 1;
    int below = deepest(s + 1, next);
    return below > depth ? below : depth;
}

int main(void)
{
    char line[512];
    if (!fgets(line, sizeof line, stdin)) {
        puts("nothing");
        return 1;
    }
    line[strcspn(line, "\n")] = '\0';
    print_backwards(line);

    unsigned total = 0;
    for (const char *p = line; *p; p++)
        total += (unsigned char)*p;
    printf("root %u\n", root(total));
    printf("depth %d\n", deepest(line, 0));
    return 0;
}
