#include <stdio.h>
#include <unistd.h>

int main(void)
{
    int hook = access("hook", X_OK) == 0;
    puts(hook > 0 ? "hook" : "none");
    return 0;
}
