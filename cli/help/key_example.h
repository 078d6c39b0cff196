/* key_example.h - a command line that tries a key or a model, and works. */
#ifndef CLI_EXAMPLE_H
#define CLI_EXAMPLE_H

#include "tacos.h"

enum { EXAMPLE_SIZE = 512 };

/* Each writes "tacos run demo --set ..." into out and returns it. */
char *example_of_key(char out[EXAMPLE_SIZE], const tacos_key_info *key);
char *example_of_model(char out[EXAMPLE_SIZE], const char *model);

#endif
