#include <errno.h>
#include <stdio.h>

int main(void)
{
    FILE *note = fopen("notes/mine", "r");
    return !note && errno == ENOTDIR;
}
