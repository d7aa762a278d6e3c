#include <stdio.h>

struct row {
    int width;
    int rest;
};

static void lay_out(struct row *row, int columns)
{
    row->width = 80;
    if (columns > 0)
        row->rest = 80 % columns;
}

int main(void)
{
    struct row row;
    lay_out(&row, getchar() - 'a');
    printf("%d\n", row.width);
    return 0;
}
