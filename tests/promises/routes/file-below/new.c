#include <stdio.h>

int main(void)
{
    FILE *note = fopen("notes/mine", "r");
    if (note)
        fclose(note);
    return note ? 1 : 0;
}
