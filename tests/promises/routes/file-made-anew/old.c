#include <stdio.h>

int main(void)
{
    FILE *note = fopen("note", "w");
    if (!note)
        return 1;
    fputs("text", note);
    fclose(note);
    return 0;
}
