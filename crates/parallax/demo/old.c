/* pick: prints the fields of each line that a list such as 1,3-5 names. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct range { long low, high; };

static struct range ranges[16];
static int count;

static void fail(const char *message)
{
    fprintf(stderr, "pick: %s\n", message);
    exit(1);
}

static void parse(char *list)
{
    for (char *item = strtok(list, ","); item; item = strtok(NULL, ",")) {
        char *dash = strchr(item, '-');
        struct range *range = &ranges[count++];
        if (count == 16)
            fail("too many ranges");
        range->low = strtol(item, NULL, 10);
        range->high = dash ? strtol(dash + 1, NULL, 10) : range->low;
        if (range->low < 1)
            fail("fields are numbered from 1");
        if (range->high < range->low)
            fail("a range must not decrease");
    }
}

static int wanted(long field)
{
    for (int i = 0; i < count; i++)
        if (ranges[i].low <= field && field <= ranges[i].high)
            return 1;
    return 0;
}

int main(int argc, char **argv)
{
    char line[256];
    if (argc != 2)
        fail("a list of fields is wanted");
    parse(argv[1]);
    while (fgets(line, sizeof line, stdin)) {
        long field = 0;
        const char *gap = "";
        line[strcspn(line, "\n")] = 0;
        for (char *word = strtok(line, " "); word; word = strtok(NULL, " "))
            if (wanted(++field)) {
                printf("%s%s", gap, word);
                gap = " ";
            }
        putchar('\n');
    }
    return 0;
}
