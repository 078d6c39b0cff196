/* key_text.h - a key of a configuration in words, for help and the manual. */
#ifndef CLI_KEY_TEXT_H
#define CLI_KEY_TEXT_H

#include "tacos.h"

enum { KEY_TEXT_SIZE = 256 };

/* Each writes into out and returns it. */
char *key_default(char out[KEY_TEXT_SIZE], const tacos_key_info *key); /* "50 ms" */
char *key_range(char out[KEY_TEXT_SIZE], const tacos_key_info *key);   /* "1 to 1000 ms" */
char *key_example(char out[KEY_TEXT_SIZE], const tacos_key_info *key); /* "m_max=12.5" */

/* "a whole number" */
const char *key_type(const tacos_key_info *key);

/* Whose key it is. */
const char *key_owner(const tacos_key_info *key);

#endif
