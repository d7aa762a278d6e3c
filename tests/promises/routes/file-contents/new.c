#include <stdio.h>

int main(void)
{
    FILE *file = fopen("data", "r");
    int c = file ? fgetc(file) : EOF;
    switch (c) {
    case 'x':
        puts("stop");
        break;
    default:
        puts("go");
    }
    return 0;
}
