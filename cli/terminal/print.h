/* print.h - the only way to print text. A %s may come from a file, a name or an argument: it is
 * escaped so that the terminal obeys none of it and it can neither end nor begin a line
 * (tacos_text_plain). The format itself is ours and is not escaped.
 *
 * Only numbers and our own words bypass it, by printf without %s; tools/check-print enforces
 * this. */
#ifndef CLI_PRINT_H
#define CLI_PRINT_H

#include <stdarg.h>
#include <stdio.h>

/* As printf and fprintf, but that a width of %s counts columns. There are d i u x f g e s and %,
 * with l, ll and z, and c for a character of ours. */
void print(const char *format, ...) __attribute__((format(printf, 1, 2)));
void print_to(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
void print_va(FILE *out, const char *format, va_list args);

/* Lines to stdout, each of them shown as a %s is. */
void print_lines(const char *text);

/* Data for programs to read: n bytes of text to stdout. On a terminal they are as print_lines shows
 * them; in a pipe or a file they are as they are. */
void print_data(const char *text, size_t n);

/* ---- prose ---- */

/* Columns for prose: those of the terminal, but no more than a hundred. */
int paragraph_width(FILE *out);

/* Print paragraphs, which have a blank line between them; other ends of lines are blanks. The first
 * line begins at `column`, where the cursor is, the others are indented to it. Ends the line. */
void paragraph_print(FILE *out, const char *text, int column);

/* The same for the last column of a list; but without a terminal it is one line, easy to
 * read for programs. */
void paragraph_last(FILE *out, const char *text, int column);

#endif
