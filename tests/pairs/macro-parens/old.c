#include <stdio.h>
#include <stdlib.h>

#define ROUND_UP(n) (((n) + 7) / 8 * 8)
#define HALF(n) ((n) / 2)

struct frame {
    int width, height, border;
};

int main(int argc, char **argv)
{
    struct frame f = { 16, 16, 0 };
    int area;

    if (argc > 1)
        f.width = atoi(argv[1]);
    if (argc > 2)
        f.height = atoi(argv[2]);
    if (argc > 3)
        f.border = atoi(argv[3]);
    if (f.width < 1 || f.width > 999 || f.height < 1 || f.height > 999)
        return 1;
    if (f.border < 0 || f.border > 20)
        return 1;
    area = ROUND_UP(f.width) * HALF(f.height);
    if (f.border > 3)
        area += HALF(f.border + f.width);
    if (area > 20000)
        area = 20000;
    printf("%d\n", area);
    return 0;
}
