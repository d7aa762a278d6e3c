#include <stdio.h>
#include <wchar.h>

int main(void)
{
    wint_t got = getwchar();
    if (got == L'q')
        return 4;
    wprintf(got == L'x' ? L"stop\n" : L"go\n");
    return 0;
}
