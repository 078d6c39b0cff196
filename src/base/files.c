/* files.c - atomic replacement (write beside, flush, rename), locks by flock(2), folders, texts. */
#define _DEFAULT_SOURCE /* flock, realpath */
#include "base/posix.h"

#include "base/files.h"

#include "base/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* How many may write one file at the same time; the last one to finish wins. */
enum { WRITERS_MAX = 16 };
static const char TEMPORARY[] = ".tmp-";

static tacos_status too_long(const char *path, tacos_error *err) {
    return failure(err, TACOS_RANGE, "the path %.100s... is too long", path);
}

tacos_status path_join(char out[OUTPUT_PATH_MAX], const char *folder, const char *name,
                       const char *ending, tacos_error *err) {
    int n = snprintf(out, OUTPUT_PATH_MAX, "%s/%s%s", folder, name, ending);
    return n >= 0 && n < OUTPUT_PATH_MAX ? TACOS_OK : too_long(folder, err);
}

tacos_status output_resolve(const char *path, char out[OUTPUT_PATH_MAX], tacos_error *err) {
    struct stat info;
    if (strlen(path) >= OUTPUT_PATH_MAX)
        return too_long(path, err);
    if (lstat(path, &info) == 0 && S_ISLNK(info.st_mode)) {
        char *target = realpath(path, NULL);
        bool fits = target && strlen(target) < OUTPUT_PATH_MAX;
        if (fits)
            strcpy(out, target);
        free(target);
        if (fits)
            return TACOS_OK;
    }
    strcpy(out, path);
    return TACOS_OK;
}

/* ---- temporary files ---- */

static bool is_same_file(const struct stat *a, const struct stat *b) {
    return a->st_ino == b->st_ino && a->st_dev == b->st_dev;
}

/* Whether the open file still has this name. */
static bool is_named(int fd, const char *path) {
    struct stat ours, theirs;
    return fstat(fd, &ours) == 0 && S_ISREG(ours.st_mode) && lstat(path, &theirs) == 0 &&
           is_same_file(&ours, &theirs);
}

void output_remove_stale(const char *temporary) {
    int fd = open(temporary, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return;
    if (flock(fd, LOCK_EX | LOCK_NB) == 0 && is_named(fd, temporary))
        (void)unlink(temporary);
    (void)close(fd);
}

size_t output_temporary_stem(const char *name) {
    size_t n = strlen(name), digits = 0, mark = sizeof TEMPORARY - 1;
    while (digits < n && name[n - 1 - digits] >= '0' && name[n - 1 - digits] <= '9')
        digits++;
    if (digits == 0 || n <= digits + mark ||
        strncmp(name + n - digits - mark, TEMPORARY, mark) != 0)
        return 0;
    return n - digits - mark;
}

/* Create and lock it; -1 with errno, which is EEXIST if another process was faster. Where files
 * cannot be locked, it is used without, and leftovers stay. */
static int make_temporary(const char *path) {
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        return -1;
    bool locked = flock(fd, LOCK_EX | LOCK_NB) == 0;
    if (locked ? is_named(fd, path) : errno != EWOULDBLOCK)
        return fd;
    (void)close(fd);
    errno = EEXIST;
    return -1;
}

/* Take the first free name; remove all others that nobody is writing. */
static int take_temporary(Output *output) {
    int taken = -1, reason = EEXIST;
    for (int k = 1; k <= WRITERS_MAX; k++) {
        char name[OUTPUT_PATH_MAX + 16];
        (void)snprintf(name, sizeof name, "%s%s%d", output->path, TEMPORARY, k);
        output_remove_stale(name);
        if (taken >= 0 || reason != EEXIST)
            continue;
        taken = make_temporary(name);
        reason = errno;
        if (taken >= 0)
            strcpy(output->temporary, name);
    }
    errno = reason;
    return taken;
}

/* A device or a pipe is never replaced. */
static int open_device(Output *output) {
    output->temporary[0] = '\0';
    return open(output->path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
}

static tacos_status fail_open(const Output *output, tacos_error *err) {
    if (errno == EEXIST)
        return failure(err, TACOS_BUSY,
                       "%.300s is being written by others; if not, remove the files "
                       "%.100s%s1 to %d beside it",
                       output->path, output->path, TEMPORARY, WRITERS_MAX);
    return failure_errno(err, "cannot write %s", output->path);
}

tacos_status output_open(Output *output, const char *path, tacos_error *err) {
    struct stat info;
    output->file = NULL;
    TRY(output_resolve(path, output->path, err));
    if (strlen(output->path) + sizeof TEMPORARY + 4 > sizeof output->temporary)
        return too_long(path, err);
    bool there = stat(output->path, &info) == 0;
    errno = EISDIR;
    if (there && S_ISDIR(info.st_mode))
        return fail_open(output, err);
    int fd = there && !S_ISREG(info.st_mode) ? open_device(output) : take_temporary(output);
    if (fd < 0)
        return fail_open(output, err);
    output->file = fdopen(fd, "wb");
    if (output->file)
        return TACOS_OK;
    tacos_status status = fail_open(output, err);
    if (output->temporary[0])
        (void)unlink(output->temporary);
    (void)close(fd);
    return status;
}

/* Best effort: some file systems cannot flush a folder, and the file itself is safe. */
static void flush_folder(const char *path) {
    char copy[OUTPUT_PATH_MAX];
    strcpy(copy, path);
    int folder = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return;
    (void)fsync(folder);
    (void)close(folder);
}

/* Renamed before it is closed, since closing unlocks it. Once it is flushed, closing cannot lose
 * anything. */
static int put_in_place(const Output *output) {
    return fsync(fileno(output->file)) != 0 || rename(output->temporary, output->path) != 0;
}

tacos_status output_commit(Output *output, tacos_error *err) {
    FILE *file = output->file;
    bool beside = output->temporary[0];
    bool bad = ferror(file) || fflush(file) != 0 || (beside && put_in_place(output));
    int reason = errno;
    if (bad && beside)
        (void)unlink(output->temporary);
    output->file = NULL;
    if (fclose(file) != 0 && !bad && !beside) {
        bad = true;
        reason = errno;
    }
    errno = reason;
    if (bad)
        return failure_errno(err, "cannot write %s", output->path);
    if (beside)
        flush_folder(output->path);
    return TACOS_OK;
}

void output_abandon(Output *output) {
    if (!output->file)
        return;
    if (output->temporary[0])
        (void)unlink(output->temporary);
    (void)fclose(output->file);
    output->file = NULL;
}

tacos_status tacos_file_write(const char *path, const void *bytes, size_t n, tacos_error *err) {
    Output output;
    TRY(output_open(&output, path, err));
    (void)fwrite(bytes, 1, n, output.file); /* commit reports failure */
    return output_commit(&output, err);
}

/* ---- folders ---- */

tacos_status output_make_folder(const char *path, tacos_error *err) {
    char part[OUTPUT_PATH_MAX];
    struct stat info;
    if (path[0] == '\0' || strlen(path) >= sizeof part)
        return failure(err, TACOS_INVALID, "'%.100s' is not a valid path for a folder", path);
    strcpy(part, path);
    for (char *end = part + 1;; end++) {
        if (*end && *end != '/')
            continue;
        char separator = *end;
        *end = '\0';
        /* Checked first: creating an existing folder can fail with other errors than EEXIST. */
        if (stat(part, &info) != 0 && mkdir(part, 0777) != 0 && errno != EEXIST)
            return failure_errno(err, "cannot make the folder %s", part);
        if (stat(part, &info) == 0 && !S_ISDIR(info.st_mode))
            return failure(err, TACOS_IO, "cannot make the folder %s: %s is not a folder", path,
                           part);
        if (separator == '\0')
            return TACOS_OK;
        *end = separator;
    }
}

tacos_status output_new_folder(const char *path, tacos_error *err) {
    char copy[OUTPUT_PATH_MAX];
    if (path[0] == '\0' || strlen(path) >= sizeof copy)
        return failure(err, TACOS_INVALID, "'%.100s' is not a valid path for a folder", path);
    strcpy(copy, path);
    TRY(output_make_folder(dirname(copy), err));
    if (mkdir(path, 0777) == 0)
        return TACOS_OK;
    struct stat info;
    int reason = errno;
    if (reason == EEXIST && stat(path, &info) == 0 && !S_ISDIR(info.st_mode))
        return failure(err, TACOS_IO, "cannot make the folder %s: it is not a folder", path);
    if (reason == EEXIST)
        return failure(err, TACOS_EXISTS, "%s exists", path);
    errno = reason;
    return failure_errno(err, "cannot make the folder %s", path);
}

/* Check n bytes and a terminator that were read as text, and drop the byte order mark. */
static tacos_status take_text(const char *path, char *text, size_t n, tacos_error *err) {
    size_t mark = bom_length(text), zero = strlen(text), line = 1;
    if (bom_is_utf16(text))
        return failure(err, TACOS_FORMAT, "%s is UTF-16 text; expected UTF-8", path);
    for (const char *at = text; zero < n && at < text + zero; at++)
        line += *at == '\n';
    if (zero < n)
        return failure(err, TACOS_FORMAT, "%s:%zu: this is not text: it holds a zero byte", path,
                       line);
    for (size_t i = 0; mark > 0 && i + mark <= n; i++)
        text[i] = text[i + mark];
    return TACOS_OK;
}

tacos_status input_read_text(const char *path, size_t limit, char **out, tacos_error *err) {
    FILE *file = fopen(path, "rbe");
    char *text = file ? malloc(limit + 2) : NULL;
    if (!file)
        return failure_errno(err, "cannot read %s", path);
    if (!text) {
        (void)fclose(file);
        return failure(err, TACOS_MEMORY, "no memory to read %s", path);
    }
    size_t n = fread(text, 1, limit + 1, file);
    int bad = ferror(file), reason = errno;
    (void)fclose(file);
    text[n] = '\0';
    tacos_status status = TACOS_OK;
    errno = reason;
    if (bad)
        status = failure_errno(err, "cannot read %s", path);
    else if (n > limit)
        status = failure(err, TACOS_FORMAT, "%s is larger than %zu bytes", path, limit);
    else
        status = take_text(path, text, n, err);
    if (status == TACOS_OK)
        *out = text;
    else
        free(text);
    return status;
}

/* ---- locks ---- */

enum { HOLDER_SIZE = 128 };

static tacos_status fail_held(int fd, const char *what, tacos_error *err) {
    char holder[HOLDER_SIZE] = "";
    ssize_t n = pread(fd, holder, sizeof holder - 1, 0);
    holder[n > 0 ? (size_t)n : 0] = '\0';
    holder[strcspn(holder, "\n")] = '\0';
    return failure(err, TACOS_BUSY, "%.300s is in use by %s", what,
                   holder[0] ? holder : "another process");
}

static void sign(int fd) {
    char host[64] = "", text[HOLDER_SIZE];
    (void)gethostname(host, sizeof host - 1);
    int n = snprintf(text, sizeof text, "process %ld on %s\n", (long)getpid(), host);
    if (ftruncate(fd, 0) != 0 || pwrite(fd, text, (size_t)n, 0) != n)
        return; /* the lock works without a name, too */
}

/* The last holder may have removed the file between our open and our lock. */
static bool still_exists(int fd, const char *path) {
    struct stat ours, theirs;
    return fstat(fd, &ours) == 0 && stat(path, &theirs) == 0 && is_same_file(&ours, &theirs);
}

/* A file that another user left behind can be locked without being writable. */
static int open_lock(const char *path) {
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    return fd < 0 && errno == EACCES ? open(path, O_RDONLY | O_CLOEXEC) : fd;
}

static tacos_status find_path(LockFile *lock, const char *path, tacos_error *err) {
    static const char ending[] = "-lock";
    TRY(output_resolve(path, lock->path, err));
    if (strlen(lock->path) + sizeof ending > sizeof lock->path)
        return too_long(path, err);
    strcat(lock->path, ending);
    return TACOS_OK;
}

tacos_status lockfile_take(LockFile *lock, const char *path, tacos_error *err) {
    lock->fd = -1;
    TRY(find_path(lock, path, err));
    for (;;) {
        int fd = open_lock(lock->path);
        if (fd < 0)
            return failure_errno(err, "cannot write %s", lock->path);
        if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
            tacos_status status = errno == EWOULDBLOCK
                                      ? fail_held(fd, path, err)
                                      : failure_errno(err, "cannot lock %s", lock->path);
            (void)close(fd);
            return status;
        }
        if (still_exists(fd, lock->path)) {
            sign(fd);
            lock->fd = fd;
            return TACOS_OK;
        }
        (void)close(fd);
    }
}

void lockfile_release(LockFile *lock) {
    if (lock->fd < 0)
        return;
    (void)unlink(lock->path);
    (void)close(lock->fd);
    lock->fd = -1;
}

/* ---- tacos_lock ---- */

struct tacos_lock {
    LockFile file;
};

tacos_status tacos_lock_take(tacos_lock **out, const char *path, tacos_error *err) {
    *out = NULL;
    if (!path || !*path)
        return failure(err, TACOS_INVALID, "no file was named to lock");
    tacos_lock *lock = malloc(sizeof *lock);
    if (!lock)
        return failure(err, TACOS_MEMORY, "no memory to lock %s", path);
    tacos_status status = lockfile_take(&lock->file, path, err);
    if (status == TACOS_OK)
        *out = lock;
    else
        free(lock);
    return status;
}

void tacos_lock_release(tacos_lock *lock) {
    if (!lock)
        return;
    lockfile_release(&lock->file);
    free(lock);
}
