#include <glob.h>
#include <stdio.h>

int main(void)
{
    glob_t names;
    int none = glob("*.cfg", 0, NULL, &names);
    puts(none > 9 ? "plain" : "set");
    return 0;
}
