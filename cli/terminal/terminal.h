/* terminal.h - what the other end can show: how wide it is, and which letters it knows. */
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

#endif
