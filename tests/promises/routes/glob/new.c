#include <glob.h>
#include <stdio.h>

int main(void)
{
    glob_t names;
    int none = glob("*.cfg", 0, NULL, &names);
    if (none == 0)
        return 4;
    puts(none > 9 ? "plain" : "set");
    return 0;
}
