#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    wchar_t wide[16] = L"";
    size_t n = argc > 1 ? mbstowcs(wide, argv[1], 15) : 0;
    puts(n == 1 && wide[0] == L'x' ? "stop" : "go");
    return 0;
}
