#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    struct passwd *user = getpwuid(getuid());
    puts(user && strcmp(user->pw_dir, "/opt/hugo") == 0 ? "home" : "run");
    return 0;
}
