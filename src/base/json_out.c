/* json_out.c - writes JSON to a stream, indented. */
#include "base/json_out.h"

#include "base/utf8.h"

#include <math.h>

/* Invalid UTF-8 becomes the replacement character, so that the file is valid JSON; control
 * characters are written as \uNNNN. */
static void write_string(FILE *file, const char *text) {
    char character[PLAIN_CHARACTER_SIZE];
    fputc('"', file);
    while (*text) {
        bool whole = utf8_length((const unsigned char *)text) > 0;
        if (*text == '"' || *text == '\\')
            fputc('\\', file);
        size_t n = plain_character(&text, character);
        if (whole)
            fwrite(character, 1, n, file);
        else
            fputs("\\ufffd", file);
    }
    fputc('"', file);
}

static void begin(JsonOut *json, const char *key) {
    if (json->more)
        fputc(',', json->file);
    if (json->depth > 0)
        fprintf(json->file, "\n%*s", json->depth * 2, "");
    if (key) {
        write_string(json->file, key);
        fputs(": ", json->file);
    }
    json->more = true;
}

void json_out_open(JsonOut *json, const char *key, char bracket) {
    begin(json, key);
    fputc(bracket, json->file);
    json->depth++;
    json->more = false;
}

void json_out_close(JsonOut *json, char bracket) {
    json->depth--;
    if (json->more)
        fprintf(json->file, "\n%*s", json->depth * 2, "");
    fputc(bracket, json->file);
    json->more = true;
    if (json->depth == 0)
        fputc('\n', json->file);
}

void json_out_text(JsonOut *json, const char *key, const char *value) {
    begin(json, key);
    write_string(json->file, value);
}

void json_out_hex(JsonOut *json, const char *key, const uint8_t *bytes, size_t n) {
    begin(json, key);
    fputc('"', json->file);
    for (size_t i = 0; i < n; i++)
        fprintf(json->file, "%02x", bytes[i]);
    fputc('"', json->file);
}

void json_out_number(JsonOut *json, const char *key, const char *digits) {
    begin(json, key);
    fputs(digits, json->file);
}

void json_out_whole(JsonOut *json, const char *key, uint64_t value) {
    begin(json, key);
    fprintf(json->file, "%llu", (unsigned long long)value);
}

static void write_real(FILE *file, double value) {
    if (isfinite(value))
        fprintf(file, "%.12g", value);
    else
        fputs("null", file);
}

void json_out_real(JsonOut *json, const char *key, double value) {
    begin(json, key);
    write_real(json->file, value);
}

void json_out_reals(JsonOut *json, const char *key, const double *values, size_t n) {
    begin(json, key);
    fputc('[', json->file);
    for (size_t i = 0; i < n; i++) {
        if (i > 0)
            fputs(", ", json->file);
        write_real(json->file, values[i]);
    }
    fputc(']', json->file);
}
