#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *append(char *to, const char *from)
{
    size_t n = strlen(from);
    memcpy(to, from, n);
    return to + n;
}

static size_t room_for(int argc, char **argv)
{
    size_t room = 1, gap = strlen(argv[1]);
    for (int i = 2; i < argc; i++)
        room += strlen(argv[i]) + gap;
    return room;
}

int main(int argc, char **argv)
{
    if (argc <= 1) {
        puts("usage: join SEPARATOR WORD...");
        return 2;
    }
    char *data = malloc(room_for(argc, argv));
    if (data == NULL)
        exit(9);
    char *end = data;
    int joined = 0;

    for (char **arg = argv + 2; *arg; arg++) {
        if (**arg) {
            if (joined++)
                end = append(end, argv[1]);
            end = append(end, *arg);
        }
    }
    *end = '\0';
    puts(data);
    printf("%d words, %zu bytes\n", joined, (size_t)(end - data));
    free(data);
    return 0;
}
