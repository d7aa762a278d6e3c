#include <locale.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    const char *name = setlocale(LC_ALL, "");
    puts(name && strstr(name, "UTF-8") ? "wide" : "narrow");
    return 0;
}
