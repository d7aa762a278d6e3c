// Which files are inputs, and the functions that open or look at one by its name.
//
// Decision: whether a file exists that the program only wants to read is a choice of the search, so
// opening one is a branch. A directory, a device, or a file that the program itself made or removed
// is what it is. A name with labels is pinned: the search changes it by the bytes it comes from.
#define _GNU_SOURCE
#include "file.h"

#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define FILES_ROOM 256
#define NAMES_ROOM 32768

static struct plx_file files[FILES_ROOM];
static unsigned files_count;
static char names[NAMES_ROOM];
static size_t names_used;
static char first_directory[PATH_MAX];
static int started;

// ---- The table -----------------------------------------------------------------------------------

static struct plx_file *new_file(const char *name) {
    if (files_count == FILES_ROOM) return NULL;
    struct plx_file *file = &files[files_count];
    if (name) {
        size_t length = strlen(name) + 1;
        if (length > NAMES_ROOM - names_used) return NULL;
        file->name = memcpy(names + names_used, name, length);
        names_used += length;
    }
    file->input = plx_no_input;
    files_count++;
    return file;
}

static void start_stdin(void) {
    struct stat status;
    if (fstat(0, &status) != 0 || !S_ISREG(status.st_mode)) return;
    struct plx_file *file = new_file(NULL);
    if (!file) return;
    file->device = status.st_dev;
    file->inode = status.st_ino;
}

void plx_files_start(void) {
    if (started || !plx_tracing()) return;
    started = 1;
    int error = errno;
    if (!getcwd(first_directory, sizeof first_directory)) first_directory[0] = '\0';
    start_stdin();
    errno = error;
}

static struct plx_file *file_of_name(const char *name) {
    for (unsigned i = 0; i < files_count; i++)
        if (files[i].name && strcmp(files[i].name, name) == 0) return &files[i];
    return new_file(name);
}

static struct plx_file *file_of_inode(dev_t device, ino_t inode) {
    for (unsigned i = 0; i < files_count; i++)
        if (files[i].inode == inode && files[i].device == device && inode) return &files[i];
    return NULL;
}

static uint32_t input_of(struct plx_file *file) {
    if (!file->asked) {
        file->asked = 1;
        file->input = plx_input(file->name ? PLX_INPUT_FILE : PLX_INPUT_STDIN, 0, file->name);
    }
    return file->input;
}

struct plx_file *plx_file_of_status(const struct stat *status) {
    plx_files_start();
    if (!S_ISREG(status->st_mode)) return NULL;
    struct plx_file *file = file_of_inode(status->st_dev, status->st_ino);
    if (!file) return NULL;
    if (!file->rewritten) return input_of(file) == plx_no_input ? NULL : file;
    plx_count(PLX_COUNTER_REWRITTEN, file->name);
    return NULL;
}

struct plx_file *plx_file_read(int descriptor, uint64_t *size) {
    struct stat status;
    int error = errno;
    struct plx_file *file = fstat(descriptor, &status) == 0 ? plx_file_of_status(&status) : NULL;
    errno = error;
    if (file) *size = (uint64_t)status.st_size;
    return file;
}

void plx_file_written(int descriptor) {
    struct stat status;
    int error = errno;
    plx_files_start();
    if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode)) {
        struct plx_file *file = file_of_inode(status.st_dev, status.st_ino);
        if (!file) file = new_file(NULL);
        if (file) {
            file->device = status.st_dev;
            file->inode = status.st_ino;
            file->rewritten = 1;
        }
    }
    errno = error;
}

uint64_t plx_file_length(const struct plx_file *file, uint64_t size) {
    return plx_with_label(size, plx_input_length(file->input));
}

int plx_is_before(uint64_t at, uint64_t length) {
    if (at < length) return 1;
    return 0;
}

// ---- Names ---------------------------------------------------------------------------------------

void plx_pin_memory(const void *start, size_t length) {
    const unsigned char *bytes = start;
    if (plx_is_clean(start, length)) return;
    for (size_t i = 0; i < length; i++) (void)PLX_PINNED(bytes[i], PLX_PIN_NAME);
}

const char *plx_pin_string(const char *text) {
    text = PLX_PIN_POINTER(text);
    if (text) plx_pin_memory(text, strlen(text) + 1);
    return text;
}

// The directory that a path starts from, without a slash at its end.
static int directory_of(int directory, const char *path, char *out) {
    if (path[0] == '/') {
        out[0] = '\0';
        return 1;
    }
    if (directory == AT_FDCWD) return getcwd(out, PATH_MAX) != NULL;
    char link[40];
    snprintf(link, sizeof link, "/proc/self/fd/%d", directory);
    ssize_t length = readlink(link, out, PATH_MAX - 1);
    if (length <= 0) return 0;
    out[length] = '\0';
    return 1;
}

// Appends one part of a path to the absolute one in `out`.
static int append_part(char *out, const char *part, size_t length) {
    if (length == 0 || (length == 1 && part[0] == '.')) return 1;
    size_t used = strlen(out);
    if (length == 2 && part[0] == '.' && part[1] == '.') {
        char *slash = strrchr(out, '/');
        if (slash) *slash = '\0';
        return 1;
    }
    if (used + length + 2 > PATH_MAX) return 0;
    out[used] = '/';
    memcpy(out + used + 1, part, length);
    out[used + 1 + length] = '\0';
    return 1;
}

// Makes `path` absolute and plain in `out`, which holds the directory that it starts from.
static int append_path(char *out, const char *path) {
    while (*path) {
        size_t length = strcspn(path, "/");
        if (!append_part(out, path, length)) return 0;
        path += length;
        path += strspn(path, "/");
    }
    return 1;
}

// The path from the first directory, or null if it is not below that.
static const char *inner_path(int directory, const char *path, char *room) {
    size_t length = strlen(path);
    if (length == 0 || path[length - 1] == '/' || !first_directory[0]) return NULL;
    if (!directory_of(directory, path, room) || !append_path(room, path)) return NULL;
    size_t outer = strlen(first_directory);
    if (outer == 1) return room[1] ? room + 1 : NULL;
    if (strncmp(room, first_directory, outer) != 0 || room[outer] != '/') return NULL;
    return room + outer + 1;
}

// In a proof a name elsewhere belongs to the environment, unless the kernel answers it with something
// that belongs to the process itself.
static void note_elsewhere(const char *path) {
    if (!plx_in_proof() || !plx_tracing() || !path) return;
    static const char *const constant[] = {"/dev/null", "/dev/zero", "/dev/full"};
    int is_special = strncmp(path, "/proc/", 6) == 0 || strncmp(path, "/dev/", 5) == 0 ||
                     strncmp(path, "/tmp/", 5) == 0 || path[0] != '/';
    for (size_t i = 0; i < sizeof constant / sizeof *constant; i++)
        if (strcmp(path, constant[i]) == 0) is_special = 0;
    plx_count(is_special ? PLX_COUNTER_ROUTE : PLX_COUNTER_WORLD, path);
}

void plx_file_shown(struct plx_named named, int descriptor, const char *path) {
    char link[40], room[PATH_MAX + 1];
    if (!plx_in_proof() || descriptor < 0 || !path) return;
    // The directory that the path starts from may be another one by now.
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, room, PATH_MAX);
    // A file that was there keeps the mode that a test gave it.
    if (length > 0) room[length] = named.exists ? '=' : '+';
    if (length > 0) plx_output_bytes(descriptor, room, (size_t)length + 1);
    if (length <= 0) plx_count(PLX_COUNTER_ROUTE, path);
}

void plx_file_kept(struct plx_named named, const char *path) {
    if (plx_in_proof() && plx_tracing() && (!named.file || !named.file->moved))
        plx_count(PLX_COUNTER_ROUTE, path);
}

void plx_file_handed(int directory, const char *path) {
    if (!plx_in_proof() || !plx_tracing() || !path) return;
    char room[PATH_MAX];
    int error = errno;
    int is_inside = inner_path(directory, path, room) != NULL;
    errno = error;
    if (is_inside)
        plx_count(PLX_COUNTER_ROUTE, path);
    else
        note_elsewhere(path);
}

// ---- Ways to write to a file -----------------------------------------------------------------------

#define CHANNELS_ROOM 64

static struct channel {
    dev_t device;
    ino_t inode; // 0: a free place
    int descriptor;
    const void *stream;
} channels[CHANNELS_ROOM];

static int is_open(const struct channel *channel) {
    struct stat status;
    return fstat(channel->descriptor, &status) == 0 && status.st_dev == channel->device &&
           status.st_ino == channel->inode;
}

// Whether what goes one way may come after what goes the other way later: not if each write was done at
// once until a stream took over.
static int may_overtake(const struct channel *before, const struct channel *now) {
    if (before->stream == now->stream) return before->descriptor != now->descriptor;
    return before->stream || before->descriptor != now->descriptor;
}

static void note_channel(const struct channel *now) {
    struct channel *place = NULL;
    int is_known = 0;
    for (struct channel *it = channels; it < channels + CHANNELS_ROOM; it++) {
        if (it->inode != now->inode || it->device != now->device) {
            if (!place && (!it->inode || !is_open(it))) place = it;
            continue;
        }
        if (may_overtake(it, now) && is_open(it))
            plx_count(PLX_COUNTER_ROUTE, "a file that is written in two ways at once");
        is_known |= it->descriptor == now->descriptor && it->stream == now->stream;
    }
    if (is_known) return;
    if (place)
        *place = *now;
    else
        plx_count(PLX_COUNTER_ROUTE, "more files than are followed");
}

void plx_file_channel(int descriptor, const void *stream) {
    struct stat status;
    if (!plx_in_proof() || !plx_tracing()) return;
    int error = errno;
    if (fstat(descriptor, &status) == 0) {
        struct channel now = {status.st_dev, status.st_ino, descriptor, stream};
        note_channel(&now);
    }
    errno = error;
}

void plx_file_channel_closed(const void *stream) {
    for (unsigned i = 0; i < CHANNELS_ROOM; i++)
        if (stream && channels[i].stream == stream) channels[i].inode = 0;
}

int plx_file_is_written(int descriptor) {
    struct stat status;
    int error = errno;
    struct plx_file *file =
        fstat(descriptor, &status) == 0 ? file_of_inode(status.st_dev, status.st_ino) : NULL;
    errno = error;
    return file && file->rewritten;
}

// Whether there is no such file in a directory that a test may hold or not.
static int is_missing_below(struct plx_named named) {
    return named.file && !named.exists && strchr(named.file->name, '/');
}

void plx_file_made(struct plx_named named, const char *path) {
    if (plx_in_proof() && plx_tracing() && is_missing_below(named)) plx_count(PLX_COUNTER_ROUTE, path);
}

struct plx_named plx_file_named(int directory, const char *path) {
    struct plx_named named = {NULL, 0};
    struct stat status;
    char room[PATH_MAX];
    int error = errno;
    plx_files_start();
    const char *name = path ? inner_path(directory, path, room) : NULL;
    if (!name) note_elsewhere(path);
    if (name) {
        named.exists = fstatat(directory, path, &status, 0) == 0;
        if (named.exists ? S_ISREG(status.st_mode) : errno == ENOENT) named.file = file_of_name(name);
    }
    errno = error;
    // A test may hold a file in the place of the directory: why the file is not there is not known.
    if (plx_in_proof() && is_missing_below(named)) plx_unwritten(&errno, sizeof errno);
    return named;
}

void plx_file_choice(struct plx_named named) {
    if (!named.file || named.file->moved || input_of(named.file) == plx_no_input) return;
    uint64_t exists = plx_with_label(named.exists != 0, plx_input_exists(named.file->input));
    (void)plx_is_before(0, exists);
}

static void note_opened(struct plx_named named, const struct stat *status, int made) {
    struct plx_file *known = file_of_inode(status->st_dev, status->st_ino);
    if (made) named.file->rewritten = named.file->moved = 1;
    if (known && (made || known->removed)) {
        known->inode = 0;
        known = NULL;
    }
    if (known) return;
    named.file->removed = 0;
    named.file->device = status->st_dev;
    named.file->inode = status->st_ino;
}

void plx_file_opened(struct plx_named named, int descriptor, int made) {
    struct stat status;
    int error = errno;
    if (descriptor >= 0 && made && !named.file) plx_file_written(descriptor);
    if (descriptor >= 0 && named.file && fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode))
        note_opened(named, &status, made);
    errno = error;
}

void plx_file_moved(int directory, const char *path) {
    struct plx_named named = plx_file_named(directory, path);
    if (named.file) named.file->moved = 1;
}

// ---- open ----------------------------------------------------------------------------------------

static int open_at(int directory, const char *path, int flags, mode_t mode) {
    directory = PLX_PIN_DESCRIPTOR(directory);
    flags = PLX_PINNED(flags, PLX_PIN_OPERATION);
    mode = PLX_PINNED(mode, PLX_PIN_OPERATION);
    path = plx_pin_string(path);
    struct plx_named named = plx_file_named(directory, path);
    int is_exclusive = (flags & O_CREAT) && (flags & O_EXCL);
    int is_written = (flags & O_ACCMODE) != O_RDONLY;
    if (is_exclusive || ((flags & O_ACCMODE) != O_WRONLY && !(flags & (O_CREAT | O_TRUNC))))
        plx_file_choice(named);
    if (is_written && !is_exclusive && !((flags & O_CREAT) && (flags & O_TRUNC)))
        plx_file_kept(named, path);
    if (flags & O_CREAT) plx_file_made(named, path);
    int descriptor = openat(directory, path, flags, mode);
    int made = (flags & O_TRUNC) || ((flags & O_CREAT) && !named.exists);
    plx_file_opened(named, descriptor, made);
    if (is_written) plx_file_shown(named, descriptor, path);
    return descriptor;
}

#define MODE_OF(flags, last)                                                                       \
    ({                                                                                             \
        mode_t mode = 0;                                                                           \
        if (((flags) & O_CREAT) || ((flags) & O_TMPFILE) == O_TMPFILE) {                           \
            va_list list;                                                                          \
            va_start(list, last);                                                                  \
            mode = va_arg(list, mode_t);                                                           \
            va_end(list);                                                                          \
        }                                                                                          \
        mode;                                                                                      \
    })

int plx_model_open(const char *path, int flags, ...) {
    mode_t mode = MODE_OF(flags, flags);
    if (!plx_tracing()) return open(path, flags, mode);
    return open_at(AT_FDCWD, path, flags, mode);
}
PLX_ALIAS(open64, open);

int plx_model_openat(int directory, const char *path, int flags, ...) {
    mode_t mode = MODE_OF(flags, flags);
    if (!plx_tracing()) return openat(directory, path, flags, mode);
    return open_at(directory, path, flags, mode);
}
PLX_ALIAS(openat64, openat);

int plx_model___open_2(const char *path, int flags) {
    return plx_model_open(path, flags);
}
PLX_ALIAS(__open64_2, __open_2);

int plx_model___openat_2(int directory, const char *path, int flags) {
    return plx_model_openat(directory, path, flags);
}
PLX_ALIAS(__openat64_2, __openat_2);

int plx_model_creat(const char *path, mode_t mode) {
    return plx_model_open(path, O_WRONLY | O_CREAT | O_TRUNC, mode);
}
PLX_ALIAS(creat64, creat);

// ---- stat ----------------------------------------------------------------------------------------

// A proof does not depend on when and where a file was made, nor on the mode that a test gives it.
static void hide_attributes(struct stat *status, const struct plx_file *file) {
    plx_unwritten(&status->st_dev, sizeof status->st_dev);
    plx_unwritten(&status->st_ino, sizeof status->st_ino);
    plx_unwritten(&status->st_atim, sizeof status->st_atim);
    plx_unwritten(&status->st_mtim, sizeof status->st_mtim);
    plx_unwritten(&status->st_ctim, sizeof status->st_ctim);
    if (!file || file->name) plx_unwritten(&status->st_mode, sizeof status->st_mode);
    plx_unwritten(&status->st_blocks, sizeof status->st_blocks);
    if (!file) plx_unwritten(&status->st_size, sizeof status->st_size);
}

static void label_status(struct stat *status) {
    plx_clear(status, sizeof *status);
    int error = errno;
    struct plx_file *file = plx_file_of_status(status);
    if (file) status->st_size = (off_t)plx_file_length(file, (uint64_t)status->st_size);
    if (plx_in_proof()) hide_attributes(status, file);
    errno = error;
}

int plx_model_fstat(int descriptor, struct stat *status) {
    descriptor = PLX_PIN_DESCRIPTOR(descriptor);
    status = PLX_PIN_POINTER(status);
    int result = fstat(descriptor, status);
    if (result == 0 && plx_tracing()) label_status(status);
    return result;
}
PLX_ALIAS(fstat64, fstat);

// The file's inode is known from here on, so that its size has a label before it is opened.
static void notice_status(struct plx_named named, const struct stat *status) {
    if (!named.file || named.file->moved || named.file->inode || !S_ISREG(status->st_mode)) return;
    if (file_of_inode(status->st_dev, status->st_ino)) return;
    named.file->device = status->st_dev;
    named.file->inode = status->st_ino;
}

int plx_model_fstatat(int directory, const char *path, struct stat *status, int flags) {
    if (!plx_tracing()) return fstatat(directory, path, status, flags);
    directory = PLX_PIN_DESCRIPTOR(directory);
    flags = PLX_PINNED(flags, PLX_PIN_OPERATION);
    path = plx_pin_string(path);
    status = PLX_PIN_POINTER(status);
    struct plx_named named = plx_file_named(directory, path);
    plx_file_choice(named);
    int result = fstatat(directory, path, status, flags);
    if (result != 0) return result;
    notice_status(named, status);
    label_status(status);
    return result;
}
PLX_ALIAS(fstatat64, fstatat);

int plx_model_stat(const char *path, struct stat *status) {
    if (!plx_tracing()) return stat(path, status);
    return plx_model_fstatat(AT_FDCWD, path, status, 0);
}
PLX_ALIAS(stat64, stat);

int plx_model_lstat(const char *path, struct stat *status) {
    if (!plx_tracing()) return lstat(path, status);
    return plx_model_fstatat(AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW);
}
PLX_ALIAS(lstat64, lstat);

// What programs built against an older glibc call; the version of the structure is always the one.
int plx_model___fxstat(int version, int descriptor, struct stat *status) {
    (void)version;
    return plx_model_fstat(descriptor, status);
}
PLX_ALIAS(__fxstat64, __fxstat);

int plx_model___xstat(int version, const char *path, struct stat *status) {
    (void)version;
    return plx_model_stat(path, status);
}
PLX_ALIAS(__xstat64, __xstat);

int plx_model___lxstat(int version, const char *path, struct stat *status) {
    (void)version;
    return plx_model_lstat(path, status);
}
PLX_ALIAS(__lxstat64, __lxstat);

int plx_model___fxstatat(int version, int directory, const char *path, struct stat *status,
                         int flags) {
    (void)version;
    return plx_model_fstatat(directory, path, status, flags);
}
PLX_ALIAS(__fxstatat64, __fxstatat);

static void label_extended_status(int directory, const char *path, int flags, struct statx *out) {
    struct stat status;
    int error = errno;
    plx_clear(out, sizeof *out);
    if (fstatat(directory, path, &status, flags & (AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW)) == 0) {
        notice_status(plx_file_named(directory, path), &status);
        struct plx_file *file = plx_file_of_status(&status);
        if (file) out->stx_size = plx_file_length(file, out->stx_size);
    }
    errno = error;
}

int plx_model_statx(int directory, const char *path, int flags, unsigned mask, struct statx *out) {
    if (!plx_tracing()) return statx(directory, path, flags, mask, out);
    directory = PLX_PIN_DESCRIPTOR(directory);
    flags = PLX_PINNED(flags, PLX_PIN_OPERATION);
    mask = PLX_PINNED(mask, PLX_PIN_OPERATION);
    path = plx_pin_string(path);
    out = PLX_PIN_POINTER(out);
    plx_file_choice(plx_file_named(directory, path));
    int result = statx(directory, path, flags, mask, out);
    if (result == 0) label_extended_status(directory, path, flags, out);
    return result;
}

// ---- access --------------------------------------------------------------------------------------

int plx_model_faccessat(int directory, const char *path, int mode, int flags) {
    if (!plx_tracing()) return faccessat(directory, path, mode, flags);
    directory = PLX_PIN_DESCRIPTOR(directory);
    mode = PLX_PINNED(mode, PLX_PIN_OPERATION);
    flags = PLX_PINNED(flags, PLX_PIN_OPERATION);
    path = plx_pin_string(path);
    struct plx_named named = plx_file_named(directory, path);
    if ((mode & ~R_OK) == 0) plx_file_choice(named);
    // Modes are the test's, and no input.
    if (mode != F_OK && plx_in_proof()) plx_count(PLX_COUNTER_ROUTE, "access");
    return faccessat(directory, path, mode, flags);
}

int plx_model_access(const char *path, int mode) {
    if (!plx_tracing()) return access(path, mode);
    return plx_model_faccessat(AT_FDCWD, path, mode, 0);
}

int plx_model_euidaccess(const char *path, int mode) {
    if (!plx_tracing()) return euidaccess(path, mode);
    return plx_model_faccessat(AT_FDCWD, path, mode, AT_EACCESS);
}
PLX_ALIAS(eaccess, euidaccess);
