#include <stdio.h>

int main(void)
{
    int c = getchar();
    FILE *log = fopen("log", "w");
    if (log)
        fclose(log);
    puts(c == 'x' ? "stop" : "go");
    return 0;
}
