/* notes.h - what the user is to be told, each thing once. */
#ifndef CUDA_NOTES_H
#define CUDA_NOTES_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { NOTES_MAX = 16, NOTE_SIZE = 768 };

typedef struct Notes {
    size_t n, n_told;
    char text[NOTES_MAX][NOTE_SIZE]; /* those after the last are lost */
} Notes;

__attribute__((format(printf, 2, 3))) static inline void notes_add(Notes *notes, const char *format,
                                                                   ...) {
    va_list args;
    if (notes->n == NOTES_MAX)
        return;
    va_start(args, format);
    (void)vsnprintf(notes->text[notes->n], NOTE_SIZE, format, args);
    va_end(args);
    for (size_t i = 0; i < notes->n; i++)
        if (strcmp(notes->text[i], notes->text[notes->n]) == 0)
            return;
    notes->n++;
}

/* One that has not been told, or NULL. */
static inline const char *notes_next(Notes *notes) {
    return notes->n_told < notes->n ? notes->text[notes->n_told++] : NULL;
}

#endif
