/* json_in.c - checked access to JSON through jansson. */
#include "report/input/json_in.h"

#include "base/utf8.h"
#include "base/decimal.h"

#include <stdbool.h>
#include <stdio.h>

enum { FILE_BYTES_MAX = 1 << 28 };

static size_t file_size(FILE *file) {
    long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    rewind(file);
    return size < 0 ? 0 : (size_t)size;
}

tacos_status json_in_file(json_t **out, const char *path, tacos_error *err) {
    json_error_t error;
    *out = NULL;
    FILE *file = fopen(path, "rbe");
    if (!file)
        return failure_errno(err, "cannot read %s", path);
    if (file_size(file) > FILE_BYTES_MAX) {
        (void)fclose(file);
        return failure(err, TACOS_FORMAT, "%s is larger than %d bytes", path, FILE_BYTES_MAX);
    }
    bom_skip(file);
    json_t *root = json_loadf(file, 0, &error);
    (void)fclose(file);
    if (!root)
        return failure(err, TACOS_FORMAT, "%s: line %d: %s", path, error.line, error.text);
    if (json_is_object(root)) {
        *out = root;
        return TACOS_OK;
    }
    json_decref(root);
    return failure(err, TACOS_FORMAT, "%s does not hold an object", path);
}

static tacos_status not_so(JsonPlace place, const char *name, const char *wanted,
                           tacos_error *err) {
    return failure(err, TACOS_FORMAT, "%s is damaged: in %s, '%s' is not %s", place.path,
                   place.what, name, wanted);
}

tacos_status json_in_text(JsonPlace place, const char *name, const char **out, tacos_error *err) {
    *out = json_string_value(json_object_get(place.at, name));
    return *out ? TACOS_OK : not_so(place, name, "a text", err);
}

tacos_status json_in_real(JsonPlace place, const char *name, double min, double max, double *out,
                          tacos_error *err) {
    const json_t *value = json_object_get(place.at, name);
    char wanted[96]; /* as long as two numbers can be */
    *out = json_number_value(value);
    if (json_is_number(value) && *out >= min && *out <= max)
        return TACOS_OK;
    (void)snprintf(wanted, sizeof wanted, "a number from %s to %s", REAL(min), REAL(max));
    return not_so(place, name, wanted, err);
}

tacos_status json_in_whole(JsonPlace place, const char *name, uint64_t max, uint64_t *out,
                           tacos_error *err) {
    const json_t *value = json_object_get(place.at, name);
    json_int_t number = json_integer_value(value);
    *out = (uint64_t)number;
    if (json_is_integer(value) && number >= 0 && *out <= max)
        return TACOS_OK;
    char wanted[64];
    (void)snprintf(wanted, sizeof wanted, "a whole number from 0 to %llu", (unsigned long long)max);
    return not_so(place, name, wanted, err);
}

tacos_status json_in_object(JsonPlace place, const char *name, JsonPlace *out, tacos_error *err) {
    *out = (JsonPlace){place.path, place.what, json_object_get(place.at, name)};
    return json_is_object(out->at) ? TACOS_OK : not_so(place, name, "an object", err);
}

tacos_status json_in_array(JsonPlace place, const char *name, JsonPlace *out, tacos_error *err) {
    *out = (JsonPlace){place.path, place.what, json_object_get(place.at, name)};
    return json_is_array(out->at) ? TACOS_OK : not_so(place, name, "an array", err);
}

tacos_status json_in_percents(JsonPlace place, const json_t *array, const char *name, size_t n,
                              double *out, tacos_error *err) {
    char wanted[64];
    bool good = json_is_array(array) && json_array_size(array) == n;
    for (size_t i = 0; good && i < n; i++) {
        const json_t *value = json_array_get(array, i);
        out[i] = json_number_value(value);
        good = json_is_number(value) && out[i] >= 0 && out[i] <= 100;
    }
    (void)snprintf(wanted, sizeof wanted, "%zu numbers from 0 to 100", n);
    return good ? TACOS_OK : not_so(place, name, wanted, err);
}

tacos_status json_in_schema(JsonPlace top, const char *name, const char *what, int most,
                            tacos_error *err) {
    const char *schema = json_string_value(json_object_get(top.at, "schema"));
    uint64_t version = 0;
    if (!schema || strcmp(schema, name) != 0)
        return failure(err, TACOS_FORMAT, "%s does not hold %s", top.path, what);
    TRY(json_in_whole(top, "schema_version", INT32_MAX, &version, err));
    if (version > (uint64_t)most)
        return failure(
            err, TACOS_VERSION,
            "%s was written by a newer program (schema version %llu; this one reads up to %d)",
            top.path, (unsigned long long)version, most);
    if (version < 1)
        return failure(err, TACOS_FORMAT, "%s is damaged: schema version 0", top.path);
    return TACOS_OK;
}
