#include <stdio.h>
#include <string.h>

int main(int argc, char **argv, char **envp)
{
    int found = 0;
    for (; *envp; envp++)
        found |= strncmp(*envp, "PROMISE=", 8) == 0;
    puts(found > argc ? "stop" : "go");
    return 0;
}
