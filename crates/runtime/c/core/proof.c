// What only proof builds do. Their functions are as the front end left them, and a proof has to show
// of each path that nothing undefined can happen on it, that nothing depends on memory that was never
// written, and that no data comes or goes by a route without a model.
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core.h"

int plx_in_proof(void) { return &plx_proof != 0; }

// The run shows it, or an input that takes the same path may.
PLX_COLD void plx_obligation_cold(const uint8_t *site, plx_label label, int holds, uint32_t kind) {
    label = live(label);
    if (holds) plx_emit(PLX_EVENT_OBLIGATION, (uint8_t)kind, 1, slot_at(site), 0, 0);
    else if (label) plx_emit(PLX_EVENT_OBLIGATION, (uint8_t)kind, 0, slot_at(site), label, 0);
}

PLX_COLD void plx_note_cold(const uint8_t *site, uint16_t counter, const char *name) {
    plx_count_at(counter, slot_at(site), name);
}

PLX_COLD void plx_returned_cold(const uint8_t *site, const char *name, const void *address) {
    const size_t looked_at = 64;
    if (!plx_is_clean(address, looked_at)) plx_count_at(PLX_COUNTER_ROUTE, slot_at(site), name);
}

// How each byte of memory was accessed last, as far as that was as something other than bytes. The table is
// a hash without collisions within 64 MiB; one further away stands against a proof and never for one.
#define TYPE_ROOM ((uintptr_t)1 << 26)
static uint8_t *types;

static uint8_t *type_of(const char *at) {
    uintptr_t address = (uintptr_t)at;
    return &types[(address + (address >> 26) * 0x9e3779b1) & (TYPE_ROOM - 1)];
}

void plx_forget_types(const void *at, size_t size) {
    const char *start = at;
    if (!types) return;
    for (size_t i = 0; i < size && i < TYPE_ROOM; i++) *type_of(start + i) = 0;
}

// Whether memory was accessed last as something that an optimiser holds for something else. `row` says which
// kinds of access an access of the kind `own` may meet.
_Bool plx_is_retyped(const void *start, const uint8_t *row, uint64_t own, uint64_t size) {
    if (!plx_active || !has_shadow(start)) return 0;
    if (!types) {
        int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
        void *table = mmap(0, TYPE_ROOM, PROT_READ | PROT_WRITE, flags, -1, 0);
        if (table == MAP_FAILED) return 1;
        types = table;
    }
    _Bool differs = 0;
    for (uint64_t i = 0; i < size; i++) {
        uint8_t *type = type_of((const char *)start + i);
        differs |= !row[*type];
        *type = (uint8_t)own;
    }
    return differs;
}

// Fresh memory of the program, and what the world says: whatever it holds, a proof must not depend on it.
void plx_unwritten(const void *start, size_t size) {
    if (size == 0 || !has_shadow(start)) return;
    plx_forget_types(start, size);
    if (!plx_active) {
        plx_clear(start, size);
        return;
    }
    plx_label *shadow = shadow_of(start);
    for (size_t i = 0; i < size; i += 8) {
        plx_label label = plx_make_node(PLX_OP_UNWRITTEN, 64, 0, 0, HEADER->nodes, 0, 0);
        for (size_t j = i; j < size && j < i + 8; j++)
            shadow[j] = label ? label + ((plx_label)(j - i) << PLX_LABEL_BYTE_SHIFT) : 0;
    }
    plx_touch(start, size);
}

plx_label plx_unknown(void) {
    if (!plx_in_proof() || !plx_active) return 0;
    return plx_make_node(PLX_OP_UNWRITTEN, 64, 0, 0, HEADER->nodes, 0, 0);
}

// A pointer that was stored: what reads it as a pointer has it as it is, and what reads it as a number
// depends on where objects are.
plx_label plx_pointer_label(plx_label label) {
    if (!plx_active) return 0;
    return plx_make_node(PLX_OP_UNWRITTEN, 64, 0, PLX_POINTER, HEADER->nodes, label, 0);
}

// Whether a label stands for an address that was computed from a known one.
int plx_is_computed_address(plx_label label) {
    uint8_t op = node_of(label)->op;
    return label >> PLX_LABEL_BYTE_SHIFT == 0 && (op == PLX_OP_ADD || op == PLX_OP_ELEMENT);
}

// A pointer that was read from a table, or from memory that one of several stores may have written, can
// be to any of several objects. Which one it is has to be known, for its accesses to be held against
// the bounds of this one.
static plx_label settled(plx_label label, const void *address, uint32_t size, const uint8_t *site) {
    if (size != sizeof(void *) || node_of(label)->op == PLX_OP_UNWRITTEN || plx_is_computed_address(label))
        return label;
    uint64_t value;
    memcpy(&value, address, sizeof value);
    plx_pin_at(slot_at(site), label, value, 64, PLX_PIN_ADDRESS);
    return live(label);
}

PLX_COLD plx_label plx_load_pointer_cold(const void *address, plx_label label, uint32_t size,
                                         const uint8_t *site) {
    label = plx_load_cold(address, label, size, site);
    if (!label || label >> PLX_LABEL_BYTE_SHIFT) return label;
    struct plx_node *node = node_of(label);
    if (node->op == PLX_OP_UNWRITTEN && node->extra == PLX_POINTER) return live(node->b);
    if (!plx_in_proof()) return label;
    if (node->op == PLX_OP_LOAD) node->extra = PLX_POINTER;
    return settled(label, address, size, site);
}

// ---- System calls --------------------------------------------------------------------------------
// The net below the list of functions: a call that is not in this list ends the run, and is named.

#if defined(__x86_64__)
#define NAMED(name) {SYS_##name, #name}
static const struct { int number; const char *name; } refused[] = {
    NAMED(pipe), NAMED(pipe2), NAMED(socket), NAMED(socketpair), NAMED(connect), NAMED(eventfd),
    NAMED(eventfd2), NAMED(shmget), NAMED(shmat), NAMED(msgget), NAMED(semget), NAMED(sendfile),
    NAMED(splice), NAMED(tee), NAMED(vmsplice), NAMED(copy_file_range), NAMED(clone), NAMED(clone3),
    NAMED(fork), NAMED(vfork), NAMED(execve), NAMED(execveat), NAMED(wait4), NAMED(waitid),
    NAMED(process_vm_readv), NAMED(process_vm_writev), NAMED(ptrace), NAMED(memfd_create),
    NAMED(timerfd_create), NAMED(signalfd4), NAMED(io_uring_setup), NAMED(io_setup), NAMED(mq_open),
    NAMED(getdents64), NAMED(kill), NAMED(tkill), NAMED(rt_sigqueueinfo), NAMED(timer_create),
    NAMED(setitimer), NAMED(alarm), NAMED(prctl), NAMED(poll), NAMED(ppoll), NAMED(select),
    NAMED(pselect6), NAMED(epoll_create1), NAMED(inotify_init1), NAMED(getxattr), NAMED(setxattr),
    NAMED(fgetxattr), NAMED(fsetxattr), NAMED(preadv2), NAMED(pwritev2), NAMED(recvfrom),
    NAMED(sendto), NAMED(recvmsg), NAMED(sendmsg),
};

// What the C library and the models do without a word, and what is accounted for by the functions
// that make these calls.
static const int allowed[] = {
    SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_pread64, SYS_pwrite64, SYS_open, SYS_openat,
    SYS_close, SYS_stat, SYS_fstat, SYS_lstat, SYS_newfstatat, SYS_statx, SYS_lseek, SYS_mmap,
    SYS_munmap, SYS_mremap, SYS_mprotect, SYS_brk, SYS_madvise, SYS_rt_sigaction,
    SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack, SYS_ioctl, SYS_access, SYS_faccessat,
    SYS_faccessat2, SYS_getcwd, SYS_chdir, SYS_fchdir, SYS_exit, SYS_exit_group, SYS_readlink,
    SYS_readlinkat, SYS_fcntl, SYS_dup, SYS_dup2, SYS_dup3, SYS_ftruncate, SYS_truncate, SYS_unlink,
    SYS_unlinkat, SYS_rename, SYS_renameat, SYS_renameat2, SYS_mkdir, SYS_mkdirat, SYS_rmdir,
    SYS_chmod, SYS_fchmod, SYS_fchmodat, SYS_link, SYS_linkat, SYS_symlink, SYS_symlinkat,
    SYS_fsync, SYS_fdatasync, SYS_sync, SYS_fadvise64, SYS_fallocate, SYS_umask, SYS_getrandom,
    SYS_futex, SYS_set_robust_list, SYS_get_robust_list, SYS_rseq, SYS_set_tid_address,
    SYS_arch_prctl, SYS_prlimit64, SYS_getrlimit, SYS_setrlimit, SYS_uname, SYS_sysinfo,
    SYS_getrusage, SYS_times, SYS_getpid, SYS_getppid, SYS_gettid, SYS_getpgrp, SYS_getpgid,
    SYS_getsid, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid, SYS_getgroups, SYS_getresuid,
    SYS_getresgid, SYS_tgkill, SYS_clock_gettime, SYS_clock_getres, SYS_gettimeofday, SYS_time,
    SYS_nanosleep, SYS_clock_nanosleep, SYS_sched_yield, SYS_sched_getaffinity, SYS_restart_syscall,
    SYS_utimensat, SYS_statfs, SYS_fstatfs,
};

static void refuse(int signal, siginfo_t *info, void *context) {
    (void)signal;
    (void)context;
    const char *name = "a system call";
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (refused[i].number == info->si_syscall) name = refused[i].name;
    plx_count_at(PLX_COUNTER_ROUTE, slot_of(plx_model_caller), name);
    _exit(125);
}

#define ALLOWED (sizeof allowed / sizeof *allowed)

void plx_watch_system_calls(void) {
    if (!plx_in_proof() || !plx_active) return;
    struct sock_filter filter[ALLOWED + 6] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 0, ALLOWED + 2),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, ALLOWED, 0),
    };
    for (size_t i = 0; i < ALLOWED; i++)
        filter[4 + i] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)allowed[i],
                                                     (uint8_t)(ALLOWED - i), 0);
    filter[4 + ALLOWED] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP);
    filter[5 + ALLOWED] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog program = {ALLOWED + 6, filter};
    struct sigaction action = {.sa_sigaction = refuse, .sa_flags = SA_SIGINFO | SA_NODEFER};
    sigaction(SIGSYS, &action, NULL);
    int filtered = syscall(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
                   syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
    // Without the net a proof has a hole, and says so.
    if (!filtered) plx_count_at(PLX_COUNTER_ROUTE, 0, "system calls, which cannot be watched here");
}
#else
void plx_watch_system_calls(void) {
    if (plx_in_proof() && plx_active)
        plx_count_at(PLX_COUNTER_ROUTE, 0, "system calls, which cannot be watched here");
}
#endif
