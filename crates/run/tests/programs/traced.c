/* What traced programs do with their trace, one command each. The trace is the same for all that
 * write one: two nodes, three events, a file as an input, a blob with labels. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "abi.h"

#define SHADOW ((void *)0x200000000000)
#define SHADOW_SIZE ((size_t)12 << 40)

static unsigned char *memory;
static struct plx_header *header;

/* As the runtime does it, at an address of its choice and closing the descriptor. */
static void attach(void)
{
    struct plx_header copy;
    if (pread(PLX_TRACE_FD, &copy, sizeof copy, 0) != sizeof copy)
        perror("read"), exit(90);
    if (copy.magic != PLX_MAGIC || copy.version != PLX_VERSION)
        fputs("not ours\n", stderr), exit(91);
    void *place = (void *)0x100000000000;
    memory = mmap(place, copy.layout.total, PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_FIXED_NOREPLACE, PLX_TRACE_FD, 0);
    if (memory != place)
        perror("map"), exit(92);
    close(PLX_TRACE_FD);
    header = (struct plx_header *)memory;
    header->attached = 1;
}

static void node(struct plx_node node)
{
    ((struct plx_node *)(memory + header->layout.nodes))[header->nodes] = node;
    header->nodes++;
}

static void event(struct plx_event event)
{
    ((struct plx_event *)(memory + header->layout.events))[header->events] = event;
    header->events++;
}

static uint32_t blob(const char *text, plx_label label)
{
    uint32_t id = header->blobs / 16, length = strlen(text), padded = (length + 15) / 16 * 16;
    struct plx_blob *blob = (void *)(memory + header->layout.blobs + header->blobs);
    *blob = (struct plx_blob){.address = 0x1234567890, .length = length, .labelled = label != 0};
    memcpy(blob + 1, text, length);
    plx_label *labels = (void *)((unsigned char *)(blob + 1) + padded);
    for (uint32_t i = 0; label && i < length; i++)
        labels[i] = label;
    header->blobs += 16 + padded + (label ? (length * 4 + 15) / 16 * 16 : 0);
    return id;
}

static void write_trace(void)
{
    memory[header->layout.sites + 7] = 1;
    struct plx_input file = {.kind = PLX_INPUT_FILE, .name = blob("in.txt", 0)};
    ((struct plx_input *)(memory + header->layout.inputs))[header->inputs] = file;
    header->inputs++;
    node((struct plx_node){.op = PLX_OP_INPUT, .width = 8});
    node((struct plx_node){.op = PLX_OP_EQ, .width = 8, .flags = PLX_RIGHT_CONSTANT, .a = 1, .b = 65});
    event((struct plx_event){.kind = PLX_EVENT_BRANCH, .flag = 1, .site = 7, .label = 2, .other = 9});
    event((struct plx_event){.kind = PLX_EVENT_SWITCH, .site = 8, .label = 1});
    event((struct plx_event){.kind = PLX_EVENT_VALUE, .label = 65});
    event((struct plx_event){.kind = PLX_EVENT_OUTPUT, .extra = 1, .site = 10, .other = blob("hello", 1)});
    header->counters[PLX_COUNTER_UNMODELLED] += 3;
}

/* Whether an earlier run has left something. */
static int is_fresh(void)
{
    int covered = 0;
    for (uint64_t i = 0; i < header->layout.sites_room; i++)
        covered |= memory[header->layout.sites + i];
    return !covered && header->nodes == 1 && !header->events && !header->inputs &&
           header->blobs == 16 && !header->counters[PLX_COUNTER_UNMODELLED];
}

static void fill_the_disk(void)
{
    static char block[1 << 16];
    signal(SIGXFSZ, SIG_IGN);
    int fd = open("file", O_WRONLY | O_CREAT, 0644);
    while (write(fd, block, sizeof block) > 0)
        ;
}

/* The parent's part of the trace is written by a grandchild, which stays. */
static void write_in_a_child(void)
{
    int ends[2];
    char byte;
    if (pipe(ends) != 0)
        exit(93);
    if (fork() == 0) {
        if (fork() == 0) {
            write_trace();
            close(ends[1]);
            pause();
        }
        _exit(0);
    }
    close(ends[1]);
    read(ends[0], &byte, 1);
    wait(NULL);
}

static void list_descriptors(void)
{
    for (int fd = 0; fd < 4096; fd++)
        if (fcntl(fd, F_GETFD) >= 0)
            printf("%d ", fd);
}

static void scribble(unsigned seed)
{
    uint64_t total = header->layout.total, state = seed * 2654435761u + 1;
    uint64_t starts[] = {0, header->layout.sites, header->layout.inputs, header->layout.nodes,
                         header->layout.events, header->layout.blobs};
    for (int i = 0; i < 6; i++)
        for (uint64_t at = starts[i]; at < total && at < starts[i] + 65536; at += 8) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            /* Small numbers and ones, too: they lead further than noise. */
            uint64_t kinds[] = {state, state >> 60, ~(uint64_t)0, state >> 32 & 0x0000000f0000000f};
            memcpy(memory + at, &kinds[state >> 40 & 3], 8);
        }
}

/* Prints what should be impossible. */
static void change_the_size(void)
{
    signal(SIGXFSZ, SIG_IGN);
    if (ftruncate(PLX_TRACE_FD, 0) == 0)
        puts("shrunk");
    if (ftruncate(PLX_TRACE_FD, (off_t)1 << 40) == 0)
        puts("grown");
    if (fcntl(PLX_TRACE_FD, F_ADD_SEALS, F_SEAL_WRITE) == 0)
        puts("sealed");
    fallocate(PLX_TRACE_FD, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, (off_t)1 << 40);
}

/* Directly mapped shadow, of which some pages are used. */
static void map_a_shadow(void)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    char *shadow = mmap(SHADOW, SHADOW_SIZE, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (shadow != SHADOW)
        perror("shadow"), exit(94);
    madvise(shadow, SHADOW_SIZE, MADV_DONTDUMP);
    if (madvise(shadow, SHADOW_SIZE, MADV_NOHUGEPAGE) != 0)
        perror("madvise");
    for (size_t at = 0; at < SHADOW_SIZE; at += SHADOW_SIZE / 64)
        shadow[at] = 1;
    puts("mapped");
}

static void write_much(void)
{
    uint64_t count = ((uint64_t)200 << 20) / sizeof(struct plx_node);
    for (uint64_t i = 1; i < count; i++)
        node((struct plx_node){.op = PLX_OP_NE, .width = 8, .a = 1});
    usleep(200000);
}

/* Memory of its own, disguised as that of the trace. */
static void hide_memory(void)
{
    struct plx_header copy;
    if (pread(PLX_TRACE_FD, &copy, sizeof copy, 0) != sizeof copy)
        exit(95);
    char *own = mmap(NULL, copy.layout.total, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_NORESERVE, PLX_TRACE_FD, 0);
    for (uint64_t at = 0; own != MAP_FAILED && at < copy.layout.total; at += 4096)
        own[at] = 1;
    usleep(500000);
}

int main(int argc, char **argv)
{
    const char *command = argc > 1 ? argv[1] : "";
    int argument = argc > 2 ? atoi(argv[2]) : 0;
    if (strcmp(command, "nothing") == 0)
        return 0;
    if (strcmp(command, "descriptors") == 0)
        return list_descriptors(), 0;
    if (strcmp(command, "size") == 0)
        return change_the_size(), 0;
    if (strcmp(command, "hide") == 0)
        return hide_memory(), 0;
    attach();
    if (strcmp(command, "fresh") == 0)
        return is_fresh() ? 0 : 1;
    if (strcmp(command, "shadow") == 0)
        map_a_shadow();
    if (strcmp(command, "scribble") == 0)
        return scribble(argument), 0;
    if (strcmp(command, "much") == 0)
        return write_much(), 0;
    if (strcmp(command, "hidden-much") == 0)
        return prctl(PR_SET_DUMPABLE, 0), write_much(), 0;
    if (strcmp(command, "child") == 0)
        return write_in_a_child(), 0;
    if (strcmp(command, "disk") == 0)
        fill_the_disk();
    write_trace();
    if (strcmp(command, "cut") == 0)
        event((struct plx_event){.kind = PLX_EVENT_PIN, .extra = PLX_PIN_SIZE, .label = 1});
    if (strcmp(command, "_exit") == 0)
        _exit(3);
    if (strcmp(command, "abort") == 0)
        abort();
    if (strcmp(command, "kill") == 0)
        raise(SIGKILL);
    while (strcmp(command, "spin") == 0)
        ;
    return 0;
}
