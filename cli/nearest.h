/* nearest.h - what somebody probably meant to type. */
#ifndef CLI_NEAREST_H
#define CLI_NEAREST_H

/* The name most like `word` among `names` (ended by NULL), or NULL if none is near. */
const char *cli_nearest(const char *word, const char *const *names);

#endif
