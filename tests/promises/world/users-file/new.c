#include <stdio.h>

int main(void)
{
    char line[1024];
    FILE *users = fopen("/etc/passwd", "r");
    int found = 0;
    while (users && fgets(line, sizeof line, users))
        if (line[0] == 'h' && line[1] == 'u' && line[2] == 'g' && line[3] == 'o' && line[4] == ':')
            found = 1;
    puts(found ? "hello hugo" : "run");
    return 0;
}
