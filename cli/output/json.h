/* json.h - prints, reads and builds JSON documents. If memory runs out a value is NULL, which no
 * object or array accepts, so only the outermost value needs a check. */
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include <jansson.h>

/* Print a document and a line end; flags are those of json_dumps. What a terminal would obey is
 * written as \uNNNN, which JSON reads as the same character: a pipe gets what a terminal gets.
 * EXIT_OK, or EXIT_FAILED after an error message. */
int json_print(const json_t *root, size_t flags);

/* Read a file, which may start with a byte order mark; flags are those of json_loadf. NULL after an
 * error message. */
json_t *json_read(const char *path, size_t flags);

/* The document, or NULL if building it failed. */
json_t *json_unless(int failed, json_t *document);

/* The value of a key, as in result files: a number if the key is numeric, else text. */
json_t *json_key_value(const char *key, const char *text);

/* Any text: bytes that are not UTF-8, as paths may have, become '?'. */
json_t *json_text(const char *text);

/* Is the value of this key a single number? Then *whole tells whether it is an integer. */
int key_is_number(const char *key, int *whole);

#endif
