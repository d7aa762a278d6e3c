#include <stdio.h>
#include <string.h>

int main(void)
{
    char all[4096] = "";
    FILE *file = fopen("/proc/self/environ", "r");
    size_t length = file ? fread(all, 1, sizeof all - 1, file) : 0;
    int found = 0;
    for (char *entry = all; entry < all + length; entry += strlen(entry) + 1)
        found |= strcmp(entry, "PROMISE=q") == 0;
    puts(found > 0 ? "stop" : "go");
    return 0;
}
