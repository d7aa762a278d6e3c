#include <stdio.h>

int main(void)
{
    char word[8] = "", rest = 0;
    int count = scanf("%7[abc]%c", word, &rest);
    puts(count == 2 && rest == 'x' ? "stop" : "go");
    return 0;
}
