/* fields.h - a record cut into fields, and what a field holds. */
#ifndef DATA_FORMATS_FIELDS_H
#define DATA_FORMATS_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

/* Fields of a record, cut in place. */
typedef struct Fields {
    char **at; /* [n] terminated texts without quotes, and without blanks around them */
    size_t n, room;
} Fields;

typedef enum FieldsError {
    FIELDS_OK,
    FIELDS_BEHIND_QUOTE, /* something follows a closing quote */
    FIELDS_TOO_MANY,
    FIELDS_NO_MEMORY,
} FieldsError;

enum { FIELDS_MAX = 1 << 20 };

/* `text` is terminated and must last as long as the fields. */
FieldsError fields_cut(Fields *fields, char *text, char separator);
void fields_free(Fields *fields);

/* The separator of a record: tab if it has one outside quotes, else semicolon, else comma. */
char fields_separator(const char *text, size_t n);

typedef enum FieldKind { FIELD_MISSING, FIELD_NUMBER, FIELD_TEXT } FieldKind;

/* What a field holds. Missing: nothing, `?`, or NA, N/A, nan or null in any case. A number is
 * decimal and finite, `-1.5e3`; with `comma` its decimal point may also be a comma. The same bits
 * whatever the program's locale; *number is NAN unless it is a number. */
FieldKind field_read(const char *text, bool comma, double *number);

#endif
