#include <stdio.h>

int main(void)
{
    char letter[2] = "";
    return scanf("%1[a-c-e]", letter);
}
