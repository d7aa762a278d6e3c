#include <stdio.h>
#include <string.h>

#define LONGEST 15

static const char *const keywords[] = {
    "break", "case", "do", "double", "else", "for", "if", "int", "return", "while",
};
#define COUNT (sizeof keywords / sizeof keywords[0])

static unsigned long seen[COUNT];

static int is_word(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static int look_up(const char *word)
{
    for (size_t i = 0; i < COUNT; i++)
        if (strcmp(keywords[i], word) == 0)
            return (int)i;
    return -1;
}

int main(void)
{
    char word[LONGEST + 1];
    size_t n = 0;
    unsigned long others = 0;
    int c;

    do {
        c = getchar();
        if (is_word(c)) {
            if (n < LONGEST)
                word[n] = (char)c;
            if (n <= LONGEST)
                n++;
            continue;
        }
        if (n == 0)
            continue;
        int which = -1;
        if (n <= LONGEST) {
            word[n] = '\0';
            which = look_up(word);
        }
        if (which >= 0)
            seen[which]++;
        else
            others++;
        n = 0;
    } while (c != EOF);

    for (size_t i = 0; i < COUNT; i++)
        if (seen[i])
            printf("%-8s %lu\n", keywords[i], seen[i]);
    printf("others   %lu\n", others);
    return 0;
}
