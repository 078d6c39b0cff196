/* json.h - writing JSON. Objects one member a line; arrays of numbers on one line. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct Json {
    FILE *file;
    int depth;
    bool more; /* something stands before in this object or array */
} Json;

/* key is NULL inside arrays and at the top. */
void json_open(Json *json, const char *key, char bracket); /* '{' or '[' */
void json_close(Json *json, char bracket);                 /* '}' or ']' */
void json_text(Json *json, const char *key, const char *value);
void json_whole(Json *json, const char *key, uint64_t value);
void json_real(Json *json, const char *key, double value); /* null where not finite */
void json_reals(Json *json, const char *key, const double *values, size_t n);

#endif
