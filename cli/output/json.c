/* json.c - prints JSON through print.h, and reads untrusted JSON files. */
#include "output/json.h"

#include "base/utf8.h"
#include "cli.h"
#include "terminal/print.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int json_print(const json_t *root, size_t flags) {
    char *text = json_dumps(root, flags);
    if (!text)
        return cli_no_memory("the JSON output");
    print_lines(text);
    putchar('\n');
    free(text);
    return EXIT_OK;
}

json_t *json_read(const char *path, size_t flags) {
    json_error_t error;
    FILE *file = fopen(path, "r");
    if (!file) {
        cli_error("cannot read %s: %s", path, strerror(errno));
        return NULL;
    }
    bom_skip(file);
    json_t *root = json_loadf(file, flags, &error);
    (void)fclose(file);
    if (!root)
        cli_error("%s: line %d: %s", path, error.line, error.text);
    return root;
}

json_t *json_unless(int failed, json_t *document) {
    if (!failed)
        return document;
    json_decref(document);
    return NULL;
}

json_t *json_text(const char *text) {
    json_t *value = json_string(text);
    char *plain = value ? NULL : strdup(text);
    if (!plain)
        return value;
    for (char *c = plain; *c; c++)
        if ((unsigned char)*c >= 0x80)
            *c = '?';
    value = json_string(plain);
    free(plain);
    return value;
}

int key_is_number(const char *key, int *whole) {
    tacos_key_info info;
    if (strchr(key, '[')) { /* one of a list of numbers */
        *whole = 0;
        return 1;
    }
    for (size_t i = 0; tacos_key(i, &info); i++)
        if (strcmp(info.name, key) == 0) {
            *whole = strcmp(info.type, "count") == 0;
            return *whole || strcmp(info.type, "real") == 0;
        }
    return 0;
}

json_t *json_key_value(const char *key, const char *text) {
    char *end;
    int whole;
    if (!key_is_number(key, &whole))
        return json_text(text);
    double value = strtod(text, &end);
    if (end == text || *end)
        return json_text(text);
    return whole ? json_integer((json_int_t)value) : json_real(value);
}
