/* style.h - the few colours there are, by what they say; nothing where nobody would see them.
 *
 * Colours are for stdout and stderr on a terminal. --color=always and --color=never decide before
 * the environment does; there NO_COLOR means never and CLICOLOR_FORCE always. Files never have any.
 */
#ifndef CLI_STYLE_H
#define CLI_STYLE_H

#include <stdio.h>

typedef enum Style {
    STYLE_PLAIN,
    STYLE_HEADING, /* heads of tables, sections of a help text */
    STYLE_GOOD,    /* the best value; a match */
    STYLE_OTHER,   /* a number that does not match */
    STYLE_ERROR,
    STYLE_FAINT, /* not here, not yet */
} Style;

/* "auto", "always" or "never": 0; anything else: -1. */
int style_choose(const char *when);

/* Between the two, text is in this style. */
void style_begin(FILE *out, Style style);
void style_end(FILE *out, Style style);

void style_print(FILE *out, Style style, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
