#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    if (!stream)
        return 1;
    fprintf(stream, "%c", getchar() & 127);
    fclose(stream);
    if (text[0] == 'q')
        return 4;
    puts(text[0] == 'x' ? "stop" : "go");
    free(text);
    return 0;
}
