#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    setlocale(LC_CTYPE, "");
    puts(MB_CUR_MAX > 100 ? "wide" : "narrow");
    return 0;
}
