#include <stdio.h>

int main(void)
{
    int c = getchar();
    FILE *file = fopen("note", "w+");
    if (!file || fputc(c, file) == EOF)
        return 1;
    rewind(file);
    int got = fgetc(file);
    fclose(file);
    remove("note");
    puts(got == 'x' ? "stop" : "go");
    return 0;
}
