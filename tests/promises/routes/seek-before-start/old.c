#include <stdio.h>

int main(void)
{
    FILE *data = fopen("data", "r");
    if (!data)
        return 0;
    fseek(data, -2, SEEK_END);
    return fgetc(data) == 'l' && ftell(data) == -4;
}
