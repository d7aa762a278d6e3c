#include <stdio.h>
#include <sys/stat.h>

int main(void)
{
    FILE *note = fopen("note", "w");
    if (!note)
        return 1;
    fclose(note);
    return 0;
}
