/* nearest.h - what somebody probably meant to type. */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

/* The name most like `word` among `names` (ended by NULL), or NULL if none is near. */
const char *nearest(const char *word, const char *const *names);

#endif
