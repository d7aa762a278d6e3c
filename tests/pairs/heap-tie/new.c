#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct task {
    int prio;
    char name;
};

static struct task heap[64];
static int count;

static void swap(int i, int j)
{
    struct task t = heap[i];

    heap[i] = heap[j];
    heap[j] = t;
}

static void add(int prio, char name)
{
    int i = count++;

    heap[i].prio = prio;
    heap[i].name = name;
    while (i > 0 && heap[(i - 1) / 2].prio > heap[i].prio) {
        swap(i, (i - 1) / 2);
        i = (i - 1) / 2;
    }
}

static char take(void)
{
    char name = heap[0].name;
    int i = 0, child;

    heap[0] = heap[--count];
    for (;;) {
        child = 2 * i + 1;
        if (child >= count)
            break;
        if (child + 1 < count && heap[child + 1].prio <= heap[child].prio)
            child++;
        if (heap[i].prio <= heap[child].prio)
            break;
        swap(i, child);
        i = child;
    }
    return name;
}

/* Each argument is a letter and a priority, such as b12. */
int main(int argc, char **argv)
{
    int i;

    for (i = 1; i < argc && i < 64; i++) {
        if (argv[i][0] == '\0' || argv[i][1] == '\0') {
            fprintf(stderr, "bad task\n");
            return 1;
        }
        add(atoi(argv[i] + 1), argv[i][0]);
    }
    while (count > 0)
        putchar(take());
    putchar('\n');
    return 0;
}
