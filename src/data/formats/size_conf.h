/* size_conf.h - the file size.conf of a user's data set, beside its train part: what the samples
 * themselves do not say. */
#ifndef DATA_FORMATS_SIZE_CONF_H
#define DATA_FORMATS_SIZE_CONF_H

#include "base/status.h"

#include <stddef.h>

typedef struct SizeConf {
    size_t height, width, channels; /* of a sample; 0: not given */
    double scale; /* of CSV files: the value that is as bright as can be; 0: not given */
} SizeConf;

/* SET/size.conf; all is 0 if there is none. */
tacos_status size_conf_read(SizeConf *out, const char *set, tacos_error *err);

#endif
