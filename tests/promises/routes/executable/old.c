#include <stdio.h>
#include <unistd.h>

int main(void)
{
    int hook = access("hook", X_OK) == 0;
    puts(hook > 1 ? "hook" : "none");
    return 0;
}
