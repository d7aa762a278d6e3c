#include <setjmp.h>
#include <stdio.h>

static jmp_buf again;

int main(void)
{
    int got = setjmp(again);
    if (got == 0)
        longjmp(again, (getchar() & 255) | 1);
    if (got == 'q')
        return 4;
    puts(got == 'y' ? "stop" : "go");
    return 0;
}
