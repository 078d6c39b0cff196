/* roff.h - text for man(1): escaped, in lines of a sentence or less. */
#ifndef CLI_ROFF_H
#define CLI_ROFF_H

/* Paragraphs on stdout, with a blank line between them in the text; `...` becomes bold. Begins at a
 * new line and ends it. */
void roff_text(const char *text);

/* One line: options and words are bold, what is to be filled in (CAPITALS) is italic. */
void roff_usage(const char *text);

/* A heading: .SH or .SS. */
void roff_heading(const char *macro, const char *text);

/* The beginning of an entry of a list, as roff_usage writes it. */
void roff_entry(const char *usage);

/* A line to type, as it is. */
void roff_line(const char *text);

#endif
