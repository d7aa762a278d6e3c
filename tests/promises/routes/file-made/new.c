#include <stdio.h>

int main(void)
{
    FILE *note = fopen("note", "w");
    if (!note)
        return 1;
    fprintf(note, "te%s", "xt");
    fclose(note);
    return 0;
}
