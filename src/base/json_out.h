/* json_out.h - writes JSON: one member per line, arrays of numbers on one line. */
#ifndef BASE_JSON_OUT_H
#define BASE_JSON_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct JsonOut {
    FILE *file;
    int depth;
    bool more; /* not the first in this object or array */
} JsonOut;

/* key is NULL inside arrays and at the top. */
void json_out_open(JsonOut *json, const char *key, char bracket); /* '{' or '[' */
void json_out_close(JsonOut *json, char bracket);                 /* '}' or ']' */
void json_out_text(JsonOut *json, const char *key, const char *value);
void json_out_hex(JsonOut *json, const char *key, const uint8_t *bytes, size_t n);
void json_out_number(JsonOut *json, const char *key, const char *digits); /* already a number */
void json_out_whole(JsonOut *json, const char *key, uint64_t value);
void json_out_real(JsonOut *json, const char *key, double value); /* null where not finite */
void json_out_reals(JsonOut *json, const char *key, const double *values, size_t n);

#endif
