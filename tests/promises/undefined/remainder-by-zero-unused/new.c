#include <stdio.h>
#include <stdlib.h>

struct row {
    int width;
    int rest;
};

static void lay_out(struct row *row, int columns)
{
    row->width = 80;
    row->rest = 80 % columns;
}

int main(int argc, char **argv)
{
    struct row row;
    if (argc < 2)
        return 2;
    lay_out(&row, atoi(argv[1]));
    printf("%d\n", row.width);
    return 0;
}
