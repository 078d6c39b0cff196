/* keys.h - one table of named values drives parsing, checking, help, docs and result files.
 *
 * A table describes the fields of a plain struct; functions here set a field from text, write it
 * as text that parses to the same value, and report invalid values. */
#ifndef BASE_KEYS_H
#define BASE_KEYS_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum KeyType {
    KEY_REAL,   /* double */
    KEY_BOUND,  /* double; infinity, written "none", is no bound */
    KEY_COUNT,  /* size_t */
    KEY_CHOICE, /* int: index into choices */
    KEY_REALS,  /* Reals: one value for all, or one each */
    KEY_COUNTS, /* Counts */
    KEY_TEXT,   /* char[KEY_TEXT_SIZE] */
} KeyType;

enum { KEY_LIST_MAX = 17, KEY_TEXT_SIZE = 1024, KEY_VALUE_SIZE = 1100 };

typedef struct Reals {
    size_t n;
    double value[KEY_LIST_MAX];
} Reals;

typedef struct Counts {
    size_t n; /* may be 0, written "none" */
    size_t value[KEY_LIST_MAX];
} Counts;

typedef struct Key {
    const char *name;
    KeyType type;
    size_t offset; /* of the field in its struct */
    double min, max;
    const char *unit, *symbol, *default_value, *doc;
    const char *const *choices; /* NULL-terminated, KEY_CHOICE only */
} Key;

typedef struct KeyTable {
    const Key *keys;
    size_t n;
} KeyTable;

extern const char *const key_type_names[];

const Key *keys_find(KeyTable table, const char *name);

/* Every field to its default. */
void keys_defaults(KeyTable table, void *fields);

tacos_status key_set(const Key *key, void *fields, const char *value, tacos_error *err);

/* Text that key_set reads back to the same value. buf holds KEY_VALUE_SIZE. */
void key_get(const Key *key, const void *fields, char *buf);

/* All fields as "key = value" lines, which mean the same to a program with other defaults. Returns
 * their length, which is below `size`: what does not fit is left out. */
size_t keys_write(KeyTable table, const void *fields, char *text, size_t size);

/* Whether two structs have equal values of a key, or of every key of a table. */
bool key_equal(const Key *key, const void *a, const void *b);
bool keys_equal(KeyTable table, const void *a, const void *b);

/* "a, b, c" */
void key_choices(const Key *key, char *buf, size_t size);

/* "unknown key", with the nearest known one of the tables that `skip` (NULL: none) lets through. */
tacos_status keys_fail_unknown(const KeyTable *const *tables, size_t n_tables,
                               bool (*skip)(const char *name), const char *name, tacos_error *err);

/* Copy text to a caller's buffer; if it does not fit, the buffer gets "". */
tacos_status text_give(const char *text, char *buf, size_t size, tacos_error *err);

/* Call set(user, key, value) for each "key = value" line of a text. '#' starts a comment, blank
 * lines are skipped. Errors are reported with name and line number. */
typedef tacos_status KeySetter(void *user, const char *key, const char *value, tacos_error *err);
tacos_status keys_parse(const char *text, const char *name, KeySetter *set, void *user,
                        tacos_error *err);

/* The same for a text that may have lines "[name]": section(user, name) is called for each. `line`
 * follows the line that is being read. */
enum { KEY_SECTION_SIZE = 101 };
typedef tacos_status KeySection(void *user, const char *name, tacos_error *err);
tacos_status keys_parse_sections(const char *text, const char *name, KeySetter *set,
                                 KeySection *section, void *user, size_t *line, tacos_error *err);

/* Report an error again, with the line that it is about. */
tacos_status keys_fail_line(const char *name, size_t line, const tacos_error *inner,
                            tacos_error *err);

#endif
