/* terminal.h - what the terminal can show: its width, character set and colours. */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stddef.h>
#include <stdio.h>

enum { TERMINAL_WIDTH = 80, BAR_SIZE = 400 };

/* Once, before anything is printed: take the letters of the user's locale, but not its numbers. */
void terminal_begin(void);

int terminal_is(FILE *stream);

/* Columns; 80 where it is no terminal, so that files do not depend on who made them. */
int terminal_width(FILE *stream);

/* Columns that a text takes, where every letter takes one. */
int terminal_columns(const char *text);

/* A bar of so many columns, filled from the left: blocks of an eighth where the locale is UTF-8,
 * else '#'. What is not filled is blank. Returns out. */
char *terminal_bar(char out[BAR_SIZE], double fraction, int columns);

/* ---- colours ---- */

typedef enum Style {
    STYLE_PLAIN,
    STYLE_HEADING, /* heads of tables, sections of a help text */
    STYLE_GOOD,    /* the best value; a match */
    STYLE_OTHER,   /* a number that does not match */
    STYLE_ERROR,
    STYLE_FAINT, /* not here, not yet */
    STYLE_HEAT,  /* and the HEAT_LEVELS - 1 after it: little to much, as the ground of a number */
} Style;

enum { HEAT_LEVELS = 8 };

/* For so many percent; STYLE_PLAIN if it is not a number. */
Style style_heat(double percent);

/* "auto", "always" or "never": 0; anything else: -1. */
int style_choose(const char *when);

/* Between the two, text is in this style. */
void style_begin(FILE *out, Style style);
void style_end(FILE *out, Style style);

void style_print(FILE *out, Style style, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
