#include <stdio.h>

int main(void)
{
    FILE *note = fopen("notes/mine", "w");
    if (note)
        remove("notes/mine");
    return note != NULL;
}
