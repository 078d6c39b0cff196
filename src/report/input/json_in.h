/* json_in.h - checked access to the members of a JSON file, with an error message for each. */
#ifndef REPORT_JSON_IN_H
#define REPORT_JSON_IN_H

#include "base/status.h"

#include <jansson.h>

/* Read a file that holds an object. */
tacos_status json_in_file(json_t **out, const char *path, tacos_error *err);

/* An object or array in a file, with its name for errors. */
typedef struct JsonPlace {
    const char *path; /* of the file */
    const char *what; /* "a run" */
    const json_t *at;
} JsonPlace;

tacos_status json_in_text(JsonPlace place, const char *name, const char **out, tacos_error *err);

/* From min to max. */
tacos_status json_in_real(JsonPlace place, const char *name, double min, double max, double *out,
                          tacos_error *err);

/* From 0 to max. */
tacos_status json_in_whole(JsonPlace place, const char *name, uint64_t max, uint64_t *out,
                           tacos_error *err);

/* An object or array inside; it keeps the names of the outer one. */
tacos_status json_in_object(JsonPlace place, const char *name, JsonPlace *out, tacos_error *err);
tacos_status json_in_array(JsonPlace place, const char *name, JsonPlace *out, tacos_error *err);

/* Exactly n percentages. */
tacos_status json_in_percents(JsonPlace place, const json_t *array, const char *name, size_t n,
                              double *out, tacos_error *err);

/* Whether it holds `what`, by the name in "schema", in a version from 1 to `most`. */
tacos_status json_in_schema(JsonPlace top, const char *name, const char *what, int most,
                            tacos_error *err);

#endif
