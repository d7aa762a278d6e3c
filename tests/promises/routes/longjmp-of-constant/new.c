#include <setjmp.h>
#include <stdio.h>

static jmp_buf again;

int main(void)
{
    int c = getchar();
    int got = setjmp(again);
    if (got == 0 && c == 'x')
        longjmp(again, 2);
    puts(got == 2 ? "stop" : "go");
    return 0;
}
