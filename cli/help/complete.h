/* complete.h - what may stand where the cursor is; the shells ask. */
#ifndef CLI_COMPLETE_H
#define CLI_COMPLETE_H

/* `words` are those after `tacos`, the last being the one that is typed, which may be empty. Prints
 * a line "WORD<tab>what it is" for each that fits, where a WORD that ends with '=' wants more; and
 * ":files" or ":folders" where the shell should offer those. */
void complete(int n, char **words);

#endif
