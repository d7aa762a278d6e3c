// Getting ready before the program's first instruction: the maps of labels and the shared memory.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core.h"

__thread int plx_active;
__thread struct plx_call plx_call;
__thread struct plx_return plx_return;
struct plx_node *plx_nodes;
__thread const uint8_t *volatile plx_model_caller;

// Ends of the coverage array: so that it fills whole pages that nothing else is on.
__attribute__((section("plx_sites"), aligned(4096), used)) static uint8_t pad[8192];

void plx_fail(const char *why) {
    static const char start[] = "parallax: cannot trace this program: ";
    (void)!write(2, start, sizeof start - 1);
    (void)!write(2, why, strlen(why));
    (void)!write(2, "\n", 1);
    _exit(125);
}

static void map_labels(uintptr_t start, uintptr_t end) {
    void *wanted = (void *)start;
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    if (mmap(wanted, end - start, PROT_READ | PROT_WRITE, flags, -1, 0) != wanted)
        plx_fail("its addresses are not where they were expected");
    madvise(wanted, end - start, MADV_NOHUGEPAGE);
}

static void map_window(uintptr_t first, uintptr_t last) {
    const void *start = (const void *)first, *end = (const void *)(last - 16);
    map_labels((uintptr_t)shadow_of(start), (uintptr_t)shadow_of(end) + 64);
    map_labels((uintptr_t)shadow_of(start) + WRITERS, (uintptr_t)shadow_of(end) + WRITERS + 64);
    map_labels((uintptr_t)heap_mark_of(start), (uintptr_t)heap_mark_of(end) + 4);
    map_labels(first >> 8, last >> 8);
}

void plx_memory_mapped(const void *start, size_t length) {
    if (length == 0 || has_shadow(start)) return;
    const uintptr_t page = 4096;
    uintptr_t first = ((uintptr_t)start >> 8) & ~(page - 1);
    uintptr_t end = ((((uintptr_t)start + length - 1) >> 8) | (page - 1)) + 1;
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, error = errno;
    if (mmap((void *)first, end - first, PROT_READ, flags, -1, 0) == MAP_FAILED && errno == EEXIST)
        for (; first < end; first += page) mmap((void *)first, page, PROT_READ, flags, -1, 0);
    errno = error;
}

// Maps the memory for the trace, if there is any.
static int map_trace(void) {
    struct stat status;
    struct plx_header *header = HEADER;
    if (fstat(PLX_TRACE_FD, &status) != 0) return 0;
    int flags = MAP_SHARED | MAP_FIXED_NOREPLACE;
    if (mmap(header, status.st_size, PROT_READ | PROT_WRITE, flags, PLX_TRACE_FD, 0) != header)
        plx_fail("the shared memory cannot be mapped");
    if (header->magic != PLX_MAGIC || header->version != PLX_VERSION ||
        header->layout.total > (uint64_t)status.st_size)
        plx_fail("it was made by another version of Parallax");
    size_t sites = (__stop_plx_sites - __start_plx_sites) & ~(size_t)4095;
    if (sites > header->layout.sites_room) plx_fail("it has more code than was announced");
    if (mmap((void *)__start_plx_sites, sites, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
             PLX_TRACE_FD, header->layout.sites) == MAP_FAILED)
        plx_fail("coverage cannot be mapped");
    close(PLX_TRACE_FD);
    plx_nodes = (struct plx_node *)((char *)header + header->layout.nodes);
    return 1;
}

static void start(void) {
    (void)pad;
    map_window(PROGRAM_FIRST, PROGRAM_LAST);
    map_window(SYSTEM_FIRST, SYSTEM_LAST);
    extern void plx_map_tables(void) HIDDEN;
    plx_map_tables();
    if (!map_trace()) return;
    plx_serve();
    plx_active = !HEADER->quiet;
    HEADER->attached = 1;
    plx_watch_system_calls();
}

__attribute__((section(".preinit_array"), used)) static void (*const before_all)(void) = start;

int plx_tracing(void) { return plx_active; }

void plx_stop_tracing(uint16_t counter) {
    if (plx_nodes) __atomic_fetch_add(&HEADER->counters[counter], 1, __ATOMIC_RELAXED);
    plx_active = 0;
    // What is written without a look at whether the trace goes on looks here.
    plx_nodes_ready = 0;
}

size_t plx_argument_room(void) { return HEADER->argument_room; }
uint32_t plx_arguments_room(void) { return HEADER->arguments_room; }
