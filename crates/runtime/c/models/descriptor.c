// Reading, writing and mapping by descriptor.
//
// Decision: what a read returns depends on the length of the input, so a read is at most two
// branches: whether there is anything left, and whether there is as much as was asked for. If there
// is less, the result is an expression of the length and loops over it see that. Labels never say
// what is behind the end: to grow an input is to flip one of the branches.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/uio.h>
#include <unistd.h>

#include "file.h"

// The most that Linux moves in one call.
#define MOST_BYTES 0x7ffff000ul

// ---- Reading -------------------------------------------------------------------------------------

// What a read of `wanted` bytes at `at` returns, after the real one has returned `got`.
static ssize_t read_result(struct plx_file *file, uint64_t size, uint64_t at, size_t wanted,
                           ssize_t got) {
    uint64_t left = at < size ? size - at : 0;
    uint64_t concrete = PLX_WITHOUT_LABEL(wanted);
    if (concrete == 0) return (ssize_t)PLX_PIN_LENGTH(wanted);
    if (concrete > MOST_BYTES || (uint64_t)got != (left < concrete ? left : concrete)) return got;
    // A symbolic size may stay so if the read goes to the end of the input: nothing else is
    // known about the position then.
    if (concrete != left) wanted = PLX_PIN_LENGTH(wanted);
    uint64_t length = plx_file_length(file, size);
    if (!plx_is_before(at, length)) return 0;
    if (length >= at + wanted) {
        if (!PLX_IS_CONCRETE(wanted)) file->ended = 1;
        return (ssize_t)wanted;
    }
    file->ended = 1;
    return (ssize_t)(length - at);
}

// Where `descriptor` is in its file, or -1.
static int64_t position(int descriptor) {
    int error = errno;
    int64_t at = lseek(descriptor, 0, SEEK_CUR);
    errno = error;
    return at;
}

static ssize_t read_concrete(int descriptor, void *to, size_t wanted) {
    wanted = PLX_PIN_LENGTH(wanted);
    ssize_t got = read(descriptor, to, wanted);
    if (got > 0) plx_clear(to, (size_t)got);
    return got;
}

ssize_t plx_model_read(int descriptor, void *to, size_t wanted) {
    if (!plx_tracing()) return read(descriptor, to, wanted);
    descriptor = PLX_PIN_DESCRIPTOR(descriptor);
    to = PLX_PIN_POINTER(to);
    uint64_t size;
    struct plx_file *file = plx_file_read(descriptor, &size);
    int64_t at = file ? position(descriptor) : -1;
    if (at < 0) return read_concrete(descriptor, to, wanted);
    ssize_t got = read(descriptor, to, wanted);
    if (got < 0) return got;
    plx_label_input(to, (size_t)got, file->input, (uint64_t)at);
    return read_result(file, size, (uint64_t)at, wanted, got);
}

ssize_t plx_model___read_chk(int descriptor, void *to, size_t wanted, size_t room) {
    if (wanted > room) __chk_fail();
    return plx_model_read(descriptor, to, wanted);
}

ssize_t plx_model_pread(int descriptor, void *to, size_t wanted, off_t at) {
    if (!plx_tracing()) return pread(descriptor, to, wanted, at);
    descriptor = PLX_PIN_DESCRIPTOR(descriptor);
    to = PLX_PIN_POINTER(to);
    at = PLX_PINNED(at, PLX_PIN_OPERATION);
    uint64_t size;
    struct plx_file *file = plx_file_read(descriptor, &size);
    if (!file) wanted = PLX_PIN_LENGTH(wanted);
    ssize_t got = pread(descriptor, to, wanted, at);
    if (got > 0 && !file) plx_clear(to, (size_t)got);
    if (got < 0 || !file) return got;
    plx_label_input(to, (size_t)got, file->input, (uint64_t)at);
    uint8_t ended = file->ended;
    ssize_t result = read_result(file, size, (uint64_t)at, wanted, got);
    file->ended = ended;
    return result;
}
PLX_ALIAS(pread64, pread);

ssize_t plx_model___pread_chk(int descriptor, void *to, size_t wanted, off_t at, size_t room) {
    if (wanted > room) __chk_fail();
    return plx_model_pread(descriptor, to, wanted, at);
}
PLX_ALIAS(__pread64_chk, __pread_chk);

static void label_pieces(const struct iovec *pieces, int count, size_t got, struct plx_file *file,
                         uint64_t at) {
    for (int i = 0; i < count && got > 0; i++) {
        size_t length = pieces[i].iov_len < got ? pieces[i].iov_len : got;
        if (file)
            plx_label_input(pieces[i].iov_base, length, file->input, at);
        else
            plx_clear(pieces[i].iov_base, length);
        at += length;
        got -= length;
    }
}

static size_t length_of_pieces(const struct iovec *pieces, int count) {
    size_t length = 0;
    for (int i = 0; i < count; i++) length += PLX_PIN_LENGTH(pieces[i].iov_len);
    return length;
}

ssize_t plx_model_readv(int descriptor, const struct iovec *pieces, int count) {
    if (!plx_tracing()) return readv(descriptor, pieces, count);
    descriptor = PLX_PIN_DESCRIPTOR(descriptor);
    count = PLX_PINNED(count, PLX_PIN_SIZE);
    uint64_t size;
    struct plx_file *file = plx_file_read(descriptor, &size);
    int64_t at = file ? position(descriptor) : -1;
    ssize_t got = readv(descriptor, pieces, count);
    if (got < 0) return got;
    label_pieces(pieces, count, (size_t)got, at < 0 ? NULL : file, (uint64_t)at);
    if (at < 0) return got;
    return read_result(file, size, (uint64_t)at, length_of_pieces(pieces, count), got);
}

// ---- Positions -----------------------------------------------------------------------------------

// A position counted from the end is the length if it is the end itself; any other depends on a
// length that has to be fixed for it.
static off_t end_position(struct plx_file *file, uint64_t size, off_t offset, off_t result) {
    uint64_t length = plx_file_length(file, size);
    file->ended = offset == 0;
    if (offset == 0 && (uint64_t)result == size) return (off_t)length;
    (void)PLX_PINNED(length, PLX_PIN_OPERATION);
    return result;
}

// A place before the start of a file is none; how far back that is from the end depends on the length.
static void pin_failure(int descriptor, int whence) {
    uint64_t size;
    struct plx_file *file = plx_file_read(descriptor, &size);
    if (file && (whence >= SEEK_END || (whence == SEEK_CUR && file->ended)))
        (void)PLX_PINNED(plx_file_length(file, size), PLX_PIN_OPERATION);
}

off_t plx_model_lseek(int descriptor, off_t offset, int whence) {
    if (!plx_tracing()) return lseek(descriptor, offset, whence);
    descriptor = PLX_PIN_DESCRIPTOR(descriptor);
    whence = PLX_PINNED(whence, PLX_PIN_OPERATION);
    offset = PLX_PINNED(offset, PLX_PIN_OPERATION);
    if (plx_in_proof() && plx_file_is_written(descriptor)) plx_count(PLX_COUNTER_ROUTE, "lseek");
    off_t result = lseek(descriptor, offset, whence);
    if (result < 0 && (offset != 0 || whence > SEEK_END)) pin_failure(descriptor, whence);
    uint64_t size;
    struct plx_file *file = result < 0 ? NULL : plx_file_read(descriptor, &size);
    if (!file && result >= 0 && plx_in_proof())
        return (off_t)(plx_with_label((uint64_t)result, plx_unknown()) & INT64_MAX);
    if (!file) return result;
    if (whence == SEEK_END) return end_position(file, size, offset, result);
    if (whence == SEEK_CUR && file->ended && offset == 0 && (uint64_t)result == size)
        return (off_t)plx_file_length(file, size);
    uint64_t length = plx_file_length(file, size);
    // Where data and holes are.
    if (whence > SEEK_END) (void)PLX_PINNED(length, PLX_PIN_OPERATION);
    if (whence == SEEK_CUR && file->ended && offset != 0) (void)PLX_PINNED(length, PLX_PIN_OPERATION);
    if (whence != SEEK_CUR || offset != 0) file->ended = 0;
    return result;
}
PLX_ALIAS(lseek64, lseek);

// ---- Writing -------------------------------------------------------------------------------------

ssize_t plx_model_write(int descriptor, const void *from, size_t length) {
    if (!plx_tracing()) return write(descriptor, from, length);
    descriptor = PLX_PIN_DESCRIPTOR(descriptor);
    from = PLX_PIN_POINTER(from);
    length = PLX_PIN_LENGTH(length);
    plx_file_written(descriptor);
    plx_file_channel(descriptor, NULL);
    ssize_t written = write(descriptor, from, length);
    if (written > 0) plx_output_bytes(descriptor, from, (size_t)written);
    return written;
}

ssize_t plx_model_pwrite(int descriptor, const void *from, size_t length, off_t at) {
    if (!plx_tracing()) return pwrite(descriptor, from, length, at);
    descriptor = PLX_PIN_DESCRIPTOR(descriptor);
    from = PLX_PIN_POINTER(from);
    length = PLX_PIN_LENGTH(length);
    at = PLX_PINNED(at, PLX_PIN_OPERATION);
    plx_file_written(descriptor);
    plx_file_channel(descriptor, NULL);
    ssize_t written = pwrite(descriptor, from, length, at);
    if (written > 0) plx_output_bytes(descriptor, from, (size_t)written);
    return written;
}
PLX_ALIAS(pwrite64, pwrite);

ssize_t plx_model_writev(int descriptor, const struct iovec *pieces, int count) {
    if (!plx_tracing()) return writev(descriptor, pieces, count);
    descriptor = PLX_PIN_DESCRIPTOR(descriptor);
    count = PLX_PINNED(count, PLX_PIN_SIZE);
    for (int i = 0; i < count; i++) (void)PLX_PIN_LENGTH(pieces[i].iov_len);
    plx_file_written(descriptor);
    plx_file_channel(descriptor, NULL);
    ssize_t written = writev(descriptor, pieces, count);
    size_t left = written > 0 ? (size_t)written : 0;
    for (int i = 0; i < count && left > 0; i++) {
        size_t length = pieces[i].iov_len < left ? pieces[i].iov_len : left;
        plx_output_bytes(descriptor, pieces[i].iov_base, length);
        left -= length;
    }
    return written;
}

int plx_model_ftruncate(int descriptor, off_t length) {
    descriptor = PLX_PIN_DESCRIPTOR(descriptor);
    length = PLX_PINNED(length, PLX_PIN_OPERATION);
    if (plx_tracing()) plx_file_written(descriptor);
    return ftruncate(descriptor, length);
}
PLX_ALIAS(ftruncate64, ftruncate);

// ---- Copying in the kernel -----------------------------------------------------------------------
// It would lose the labels. Programs that copy this way can do without, because file systems and
// kernels may refuse it: so does the model if an input is copied.

static int reads_input(int descriptor) {
    uint64_t size;
    return plx_tracing() && plx_file_read(descriptor, &size) != NULL;
}

ssize_t plx_model_copy_file_range(int from, off64_t *from_at, int to, off64_t *to_at, size_t length,
                                  unsigned flags) {
    from = PLX_PIN_DESCRIPTOR(from);
    to = PLX_PIN_DESCRIPTOR(to);
    length = PLX_PIN_LENGTH(length);
    if (reads_input(from)) {
        errno = EXDEV;
        return -1;
    }
    if (plx_tracing()) plx_file_written(to);
    return copy_file_range(from, from_at, to, to_at, length, flags);
}

ssize_t plx_model_sendfile(int to, int from, off_t *at, size_t length) {
    to = PLX_PIN_DESCRIPTOR(to);
    from = PLX_PIN_DESCRIPTOR(from);
    length = PLX_PIN_LENGTH(length);
    if (reads_input(from)) {
        errno = EINVAL;
        return -1;
    }
    if (plx_tracing()) plx_file_written(to);
    return sendfile(to, from, at, length);
}
PLX_ALIAS(sendfile64, sendfile);

ssize_t plx_model_splice(int from, off64_t *from_at, int to, off64_t *to_at, size_t length,
                         unsigned flags) {
    from = PLX_PIN_DESCRIPTOR(from);
    to = PLX_PIN_DESCRIPTOR(to);
    length = PLX_PIN_LENGTH(length);
    if (reads_input(from)) {
        errno = EINVAL;
        return -1;
    }
    return splice(from, from_at, to, to_at, length, flags);
}

// ---- Mappings ------------------------------------------------------------------------------------

// The bytes of an input in a new mapping of `length` bytes.
static void label_mapping(void *start, size_t length, int descriptor, uint64_t offset) {
    uint64_t size;
    struct plx_file *file = descriptor < 0 ? NULL : plx_file_read(descriptor, &size);
    if (!file || offset >= size) return;
    uint64_t left = size - offset;
    plx_label_input(start, left < length ? left : length, file->input, offset);
}

// A mapping consists of pages, so a symbolic length needs no more than its number of pages pinned.
// The result is a multiple of the page's size; zero is left for the real function to refuse.
static size_t pin_pages(size_t length) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t pages = (length + page - 1) / page;
    return PLX_PIN_LENGTH(pages) * page;
}

void *plx_model_mmap(void *hint, size_t length, int protection, int flags, int descriptor,
                     off_t offset) {
    if (!plx_tracing()) {
        void *start = mmap(hint, length, protection, flags, descriptor, offset);
        if (start != MAP_FAILED) plx_memory_mapped(start, length);
        return start;
    }
    hint = PLX_PIN_POINTER(hint);
    length = pin_pages(length);
    descriptor = PLX_PIN_DESCRIPTOR(descriptor);
    offset = PLX_PINNED(offset, PLX_PIN_OPERATION);
    protection = PLX_PINNED(protection, PLX_PIN_OPERATION);
    flags = PLX_PINNED(flags, PLX_PIN_OPERATION);
    void *start = mmap(hint, length, protection, flags, descriptor, offset);
    if (start == MAP_FAILED) return start;
    plx_memory_mapped(start, length);
    plx_clear(start, length);
    if (!(flags & MAP_ANONYMOUS)) label_mapping(start, length, descriptor, (uint64_t)offset);
    if ((flags & MAP_SHARED) && (protection & PROT_WRITE) && !(flags & MAP_ANONYMOUS)) {
        plx_file_written(descriptor);
        if (plx_in_proof()) plx_count(PLX_COUNTER_ROUTE, "mmap");
    }
    return start;
}
PLX_ALIAS(mmap64, mmap);

int plx_model_munmap(void *start, size_t length) {
    if (!plx_tracing()) return munmap(start, length);
    start = PLX_PIN_POINTER(start);
    length = pin_pages(length);
    int result = munmap(start, length);
    if (result == 0) plx_clear(start, length);
    return result;
}

static void move_labels(void *from, size_t old, void *to, size_t length) {
    size_t common = old < length ? old : length;
    if (to == from) {
        if (old > length) plx_clear((char *)from + length, old - length);
        return;
    }
    plx_copy_labels(to, from, common);
    plx_clear(from, old);
}

void *plx_model_mremap(void *from, size_t old, size_t length, int flags, ...) {
    va_list list;
    va_start(list, flags);
    void *where = flags & MREMAP_FIXED ? va_arg(list, void *) : NULL;
    va_end(list);
    where = PLX_PIN_POINTER(where);
    from = PLX_PIN_POINTER(from);
    old = pin_pages(old);
    length = pin_pages(length);
    void *to = mremap(from, old, length, flags, where);
    if (to != MAP_FAILED) plx_memory_mapped(to, length);
    if (to != MAP_FAILED && plx_tracing()) move_labels(from, old, to, length);
    return to;
}
