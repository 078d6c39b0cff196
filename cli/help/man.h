/* man.h - pages of the manual, from the tables that help is made from. */
#ifndef CLI_MAN_H
#define CLI_MAN_H

/* Print the names of all pages, "tacos-run.1". */
void man_list(void);

/* Print a page for man(1). 0 if there is none of this name. */
int man_print(const char *page);

#endif
