#include <stdio.h>

int main(void)
{
    char letter[2] = "";
    int count = scanf("%1[a-c-e]", letter);
    return count == 1 && letter[0] == 'd';
}
