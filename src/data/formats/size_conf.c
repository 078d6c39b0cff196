/* size_conf.c - reads size.conf. */
#include "data/formats/size_conf.h"

#include "base/files.h"
#include "base/keys.h"
#include "data/dataset.h"
#include "base/bytes.h"

#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { TEXT_MAX = 4096, SIDE_MAX = 4096 };

#define AT(field) offsetof(SizeConf, field)
static const Key size_keys[] = {
    {"height", KEY_COUNT, AT(height), 1, SIDE_MAX, "pixels", "", "28", "rows", NULL},
    {"width", KEY_COUNT, AT(width), 1, SIDE_MAX, "pixels", "", "28", "columns", NULL},
    {"channels", KEY_COUNT, AT(channels), 1, COLOURS, "", "", "3", "1: grey, 3: colour", NULL},
    {"scale", KEY_REAL, AT(scale), 1e-9, 1e9, "", "", "255", "the largest value of a CSV file",
     NULL},
};
static const KeyTable size_table = {size_keys, sizeof size_keys / sizeof *size_keys};

static tacos_status set_size(void *user, const char *name, const char *value, tacos_error *err) {
    const KeyTable *const tables[] = {&size_table};
    const Key *key = keys_find(size_table, name);
    return key ? key_set(key, user, value, err) : keys_fail_unknown(tables, 1, NULL, name, err);
}

static tacos_status check(const SizeConf *conf, const char *path, tacos_error *err) {
    bool one = conf->height > 0 || conf->width > 0, both = conf->height > 0 && conf->width > 0;
    bool other = conf->channels > 0 || conf->scale > 0;
    if (one ? !both : !other)
        return failure(err, TACOS_FORMAT, "%.300s must have both height and width", path);
    if (conf->channels > 1 && conf->channels != COLOURS)
        return failure(err, TACOS_FORMAT, "%.300s: channels must be 1 (grey) or %d (colour)", path,
                       COLOURS);
    return TACOS_OK;
}

tacos_status size_conf_read(SizeConf *out, const char *set, tacos_error *err) {
    char path[OUTPUT_PATH_MAX];
    struct stat info;
    char *text = NULL;
    *out = (SizeConf){0};
    TRY(path_join(path, set, "size.conf", "", err));
    if (lstat(path, &info) != 0)
        return TACOS_OK;
    TRY(file_check(path, err));
    TRY(input_read_text(path, TEXT_MAX, &text, err));
    tacos_status status = keys_parse(text, path, set_size, out, err);
    free(text);
    return status == TACOS_OK ? check(out, path, err) : status;
}
