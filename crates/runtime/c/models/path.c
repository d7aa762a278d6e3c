// Functions that take a path and neither open a file nor ask about it.
//
// Decision: the bytes of a path are pinned, because the kernel gets them as they are. What removes,
// renames or makes a file decides itself from then on whether that exists.
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <unistd.h>
#include <utime.h>

#include "file.h"

#define OPERATION(value) PLX_PINNED(value, PLX_PIN_OPERATION)

// ---- Names that come and go ----------------------------------------------------------------------

// A path that the kernel gets, whatever is there.
static const char *handed(int directory, const char *path) {
    path = plx_pin_string(path);
    plx_file_handed(directory, path);
    return path;
}

// Whether the file is there when it is to be removed or renamed is a choice like in open.
static void choose(int directory, const char *path) {
    if (plx_tracing() && path) plx_file_choice(plx_file_named(directory, path));
}

static int moved(int result, int directory, const char *path) {
    if (result == 0 && plx_tracing()) plx_file_moved(directory, path);
    return result;
}

int plx_model_unlinkat(int directory, const char *path, int flags) {
    directory = PLX_PIN_DESCRIPTOR(directory);
    path = plx_pin_string(path);
    choose(directory, path);
    struct plx_named named = plx_file_named(directory, path);
    int result = unlinkat(directory, path, OPERATION(flags));
    if (result == 0 && named.file) named.file->moved = named.file->removed = 1;
    return result;
}

int plx_model_unlink(const char *path) {
    return plx_model_unlinkat(AT_FDCWD, path, 0);
}

int plx_model_rmdir(const char *path) {
    return rmdir(handed(AT_FDCWD, path));
}

int plx_model_remove(const char *path) {
    struct stat status;
    path = plx_pin_string(path);
    int error = errno;
    int directory = path && lstat(path, &status) == 0 && S_ISDIR(status.st_mode);
    errno = error;
    return directory ? plx_model_rmdir(path) : plx_model_unlink(path);
}

int plx_model_renameat2(int from_directory, const char *from, int to_directory, const char *to,
                        unsigned flags) {
    from_directory = PLX_PIN_DESCRIPTOR(from_directory);
    to_directory = PLX_PIN_DESCRIPTOR(to_directory);
    from = plx_pin_string(from);
    to = plx_pin_string(to);
    choose(from_directory, from);
    struct plx_named named = plx_file_named(from_directory, from);
    int result = renameat2(from_directory, from, to_directory, to, OPERATION(flags));
    if (result != 0) return result;
    if (named.file) named.file->moved = 1;
    return moved(result, to_directory, to);
}

int plx_model_renameat(int from_directory, const char *from, int to_directory, const char *to) {
    return plx_model_renameat2(from_directory, from, to_directory, to, 0);
}

int plx_model_rename(const char *from, const char *to) {
    return plx_model_renameat2(AT_FDCWD, from, AT_FDCWD, to, 0);
}

int plx_model_linkat(int from_directory, const char *from, int to_directory, const char *to,
                     int flags) {
    from_directory = PLX_PIN_DESCRIPTOR(from_directory);
    to_directory = PLX_PIN_DESCRIPTOR(to_directory);
    from = plx_pin_string(from);
    to = plx_pin_string(to);
    choose(from_directory, from);
    return moved(linkat(from_directory, from, to_directory, to, OPERATION(flags)), to_directory, to);
}

int plx_model_link(const char *from, const char *to) {
    return plx_model_linkat(AT_FDCWD, from, AT_FDCWD, to, 0);
}

int plx_model_symlinkat(const char *target, int directory, const char *path) {
    directory = PLX_PIN_DESCRIPTOR(directory);
    target = plx_pin_string(target);
    path = plx_pin_string(path);
    return moved(symlinkat(target, directory, path), directory, path);
}

int plx_model_symlink(const char *target, const char *path) {
    return plx_model_symlinkat(target, AT_FDCWD, path);
}

int plx_model_truncate(const char *path, off_t length) {
    path = plx_pin_string(path);
    choose(AT_FDCWD, path);
    int result = truncate(path, OPERATION(length));
    if (result != 0 || !plx_tracing()) return result;
    struct plx_named named = plx_file_named(AT_FDCWD, path);
    if (named.file) named.file->rewritten = 1;
    return result;
}
PLX_ALIAS(truncate64, truncate);

// ---- Temporary files -----------------------------------------------------------------------------

static int made(char *template, int descriptor) {
    if (!plx_tracing()) return descriptor;
    plx_clear(template, strlen(template));
    struct plx_named named = plx_file_named(AT_FDCWD, template);
    plx_file_opened(named, descriptor, 1);
    return descriptor;
}

int plx_model_mkostemps(char *template, int suffix, int flags) {
    plx_pin_string(template);
    return made(template, mkostemps(template, OPERATION(suffix), OPERATION(flags)));
}
PLX_ALIAS(mkostemps64, mkostemps);

int plx_model_mkstemps(char *template, int suffix) {
    return plx_model_mkostemps(template, suffix, 0);
}
PLX_ALIAS(mkstemps64, mkstemps);

int plx_model_mkostemp(char *template, int flags) {
    return plx_model_mkostemps(template, 0, flags);
}
PLX_ALIAS(mkostemp64, mkostemp);

int plx_model_mkstemp(char *template) {
    return plx_model_mkostemps(template, 0, 0);
}
PLX_ALIAS(mkstemp64, mkstemp);

char *plx_model_mkdtemp(char *template) {
    plx_pin_string(template);
    char *result = mkdtemp(template);
    if (plx_tracing()) plx_clear(template, strlen(template));
    return result;
}

// ---- Paths that are only handed on ---------------------------------------------------------------

int plx_model_mkdir(const char *path, mode_t mode) {
    return mkdir(handed(AT_FDCWD, path), OPERATION(mode));
}

int plx_model_mkdirat(int directory, const char *path, mode_t mode) {
    directory = PLX_PIN_DESCRIPTOR(directory);
    return mkdirat(directory, handed(directory, path), OPERATION(mode));
}

int plx_model_mkfifo(const char *path, mode_t mode) {
    return mkfifo(handed(AT_FDCWD, path), OPERATION(mode));
}

int plx_model_chdir(const char *path) {
    if (plx_tracing()) plx_files_start();
    return chdir(handed(AT_FDCWD, path));
}

int plx_model_chroot(const char *path) {
    return chroot(handed(AT_FDCWD, path));
}

int plx_model_chmod(const char *path, mode_t mode) {
    return chmod(handed(AT_FDCWD, path), OPERATION(mode));
}

int plx_model_fchmodat(int directory, const char *path, mode_t mode, int flags) {
    directory = PLX_PIN_DESCRIPTOR(directory);
    return fchmodat(directory, handed(directory, path), OPERATION(mode),
                    OPERATION(flags));
}

int plx_model_chown(const char *path, uid_t user, gid_t group) {
    return chown(handed(AT_FDCWD, path), OPERATION(user), OPERATION(group));
}

int plx_model_lchown(const char *path, uid_t user, gid_t group) {
    return lchown(handed(AT_FDCWD, path), OPERATION(user), OPERATION(group));
}

int plx_model_utime(const char *path, const struct utimbuf *times) {
    return utime(handed(AT_FDCWD, path), times);
}

int plx_model_utimes(const char *path, const struct timeval times[2]) {
    return utimes(handed(AT_FDCWD, path), times);
}

int plx_model_utimensat(int directory, const char *path, const struct timespec times[2], int flags) {
    directory = PLX_PIN_DESCRIPTOR(directory);
    return utimensat(directory, handed(directory, path), times, OPERATION(flags));
}

long plx_model_pathconf(const char *path, int name) {
    return pathconf(handed(AT_FDCWD, path), OPERATION(name));
}

DIR *plx_model_opendir(const char *path) {
    return opendir(handed(AT_FDCWD, path));
}

// ---- Paths that come back ------------------------------------------------------------------------

ssize_t plx_model_readlinkat(int directory, const char *path, char *to, size_t room) {
    to = PLX_PIN_POINTER(to);
    ssize_t length = readlinkat(PLX_PIN_DESCRIPTOR(directory), plx_pin_string(path), to,
                                PLX_PIN_LENGTH(room));
    if (length > 0 && plx_tracing()) plx_clear(to, (size_t)length);
    return length;
}

ssize_t plx_model_readlink(const char *path, char *to, size_t room) {
    return plx_model_readlinkat(AT_FDCWD, path, to, room);
}

ssize_t plx_model___readlink_chk(const char *path, char *to, size_t length, size_t room) {
    if (length > room) __chk_fail();
    return plx_model_readlink(path, to, length);
}

ssize_t plx_model___readlinkat_chk(int directory, const char *path, char *to, size_t length,
                                   size_t room) {
    if (length > room) __chk_fail();
    return plx_model_readlinkat(directory, path, to, length);
}

// An object that the library made, or the caller's place.
static char *returned(char *text) {
    if (text && plx_tracing()) plx_clear(text, strlen(text) + 1);
    return text;
}

char *plx_model_realpath(const char *path, char *to) {
    path = plx_pin_string(path);
    choose(AT_FDCWD, path);
    return returned(realpath(path, PLX_PIN_POINTER(to)));
}

char *plx_model___realpath_chk(const char *path, char *to, size_t room) {
    if (room < PATH_MAX) __chk_fail();
    return plx_model_realpath(path, to);
}

char *plx_model_canonicalize_file_name(const char *path) {
    return plx_model_realpath(path, NULL);
}

char *plx_model_getcwd(char *to, size_t room) {
    return returned(getcwd(PLX_PIN_POINTER(to), PLX_PIN_LENGTH(room)));
}

char *plx_model___getcwd_chk(char *to, size_t length, size_t room) {
    if (length > room) __chk_fail();
    return plx_model_getcwd(to, length);
}

char *plx_model_get_current_dir_name(void) {
    return returned(get_current_dir_name());
}

// ---- File systems --------------------------------------------------------------------------------

int plx_model_statvfs(const char *path, struct statvfs *status) {
    int result = statvfs(handed(AT_FDCWD, path), status);
    if (result == 0 && plx_tracing()) plx_clear(status, sizeof *status);
    return result;
}
PLX_ALIAS(statvfs64, statvfs);
