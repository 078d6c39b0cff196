/* paragraph.h - prose that is as wide as the terminal. */
#ifndef CLI_PARAGRAPH_H
#define CLI_PARAGRAPH_H

#include <stdio.h>

/* Columns for prose: those of the terminal, but no more than a hundred. */
int paragraph_width(FILE *out);

/* Print paragraphs, which have a blank line between them; other ends of lines are blanks. The first
 * line begins at `column`, where the cursor is, the others are indented to it. Ends the line. */
void paragraph_print(FILE *out, const char *text, int column);

/* The same for the last column of a list; but where there is no terminal it is one line, easy to
 * read for programs. */
void paragraph_last(FILE *out, const char *text, int column);

#endif
