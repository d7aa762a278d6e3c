#include <stdio.h>

int main(void)
{
    int c = getchar();
    FILE *log = fopen("log", "w");
    if (log)
        fclose(log);
    puts(c != 'x' ? "go" : "stop");
    return 0;
}
