/* gz.h - files that may be gzipped. */
#ifndef DATA_FORMATS_GZ_H
#define DATA_FORMATS_GZ_H

#include "base/bytes.h"
#include "base/files.h"

/* A file that may be gzipped, unpacked; what it is is not checked. */
struct gzFile_s; /* of zlib */
tacos_status gz_open(struct gzFile_s **out, const char *path, tacos_error *err);

/* The same, or PATH.gz if there is no PATH; `found` gets the name of the one opened. */
tacos_status gz_open_either(struct gzFile_s **out, const char *path, char found[OUTPUT_PATH_MAX],
                            tacos_error *err);
ByteSource gz_source(struct gzFile_s *gz, const char *path);
void gz_close(struct gzFile_s *gz);

#endif
