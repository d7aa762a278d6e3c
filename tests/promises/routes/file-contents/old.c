#include <stdio.h>

int main(void)
{
    FILE *file = fopen("data", "r");
    int c = file ? fgetc(file) : EOF;
    puts(c == 'x' ? "stop" : "go");
    return 0;
}
