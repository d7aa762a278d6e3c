#include <stdio.h>
#include <string.h>

static int is_prefix(const char *prefix, const char *word)
{
    return strncmp(prefix, word, strlen(prefix)) == 0;
}

static const char *const verbs[] = { "status", "start", "stop", "reload" };

/* Takes a verb or an unambiguous beginning of one. */
int main(int argc, char **argv)
{
    int i, hits = 0, hit = -1;

    if (argc < 2 || argv[1][0] == '\0') {
        printf("no verb\n");
        return 1;
    }
    for (i = 0; i < 4; i++) {
        if (is_prefix(argv[1], verbs[i])) {
            hits++;
            hit = i;
        }
    }
    if (hits == 1)
        printf("%s\n", verbs[hit]);
    else
        printf("%s\n", "unclear");
    return hits != 1;
}
