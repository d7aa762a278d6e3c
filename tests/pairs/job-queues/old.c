#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEVELS 3

struct job {
    int id;
    int level;
    struct job *next;
};

struct queue {
    struct job *first, *last;
    int length;
};

static struct queue ready[LEVELS];
static struct queue blocked;
static struct job *running;
static int next_id = 1;

static void put_back(struct queue *q, struct job *j)
{
    j->next = NULL;
    if (q->first == NULL)
        q->first = j;
    else
        q->last->next = j;
    q->last = j;
    q->length++;
}

static void put_front(struct queue *q, struct job *j)
{
    j->next = q->first;
    q->first = j;
    if (q->last == NULL)
        q->last = j;
    q->length++;
}

static struct job *take(struct queue *q, int ratio)
{
    struct job *j = q->first, *prev = NULL;
    int steps = q->length * ratio / 100;

    if (j == NULL)
        return NULL;
    while (steps-- > 0 && j->next != NULL) {
        prev = j;
        j = j->next;
    }
    if (prev == NULL)
        q->first = j->next;
    else
        prev->next = j->next;
    if (q->last == j)
        q->last = prev;
    q->length--;
    return j;
}

static void dispatch(void)
{
    int l;

    for (l = LEVELS - 1; running == NULL && l >= 0; l--)
        running = take(&ready[l], 0);
    if (running != NULL)
        printf("run %d\n", running->id);
    else
        printf("idle\n");
}

static void new_job(int level)
{
    struct job *j = malloc(sizeof *j);

    if (j == NULL)
        exit(3);
    j->id = next_id++;
    j->level = level;
    put_back(&ready[level], j);
}

static void promote(int level, int ratio)
{
    struct job *j = take(&ready[level], ratio);

    if (j == NULL) {
        printf("none at %d\n", level);
        return;
    }
    if (level + 1 < LEVELS)
        j->level = level + 1;
    put_back(&ready[j->level], j);
}

static void finish(void)
{
    if (running == NULL)
        return;
    printf("end %d\n", running->id);
    free(running);
    running = NULL;
}

static void wake(void)
{
    struct job *j = take(&blocked, 0);

    if (j == NULL)
        printf("nobody sleeps\n");
    else
        put_front(&ready[j->level], j);
}

int main(void)
{
    char line[64];
    int a, b;

    while (fgets(line, sizeof line, stdin) != NULL) {
        if (sscanf(line, "new %d", &a) == 1 && a >= 0 && a < LEVELS) {
            new_job(a);
        } else if (sscanf(line, "up %d %d", &a, &b) == 2 && a >= 0 && a < LEVELS
                   && b >= 0 && b <= 100) {
            promote(a, b);
        } else if (strncmp(line, "block", 5) == 0) {
            if (running != NULL)
                put_back(&blocked, running);
            running = NULL;
        } else if (strncmp(line, "wake", 4) == 0) {
            wake();
        } else if (strncmp(line, "end", 3) == 0) {
            finish();
        } else if (strncmp(line, "go", 2) == 0) {
            dispatch();
        } else {
            printf("eh?\n");
        }
    }
    return 0;
}
