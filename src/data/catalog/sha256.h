/* sha256.h - the SHA-256 of bytes or of a file, raw or unzipped, as 64 lower-case hex digits. */
#ifndef DATA_CATALOG_SHA256_H
#define DATA_CATALOG_SHA256_H

#include "base/status.h"

enum { SHA256_HEX_SIZE = 65 }; /* 64 digits and the end */

/* Of bytes in memory. */
void sha256_bytes(const void *bytes, size_t n, char hex[SHA256_HEX_SIZE]);

/* Of the bytes of the file itself. */
tacos_status sha256_file(const char *path, char hex[SHA256_HEX_SIZE], tacos_error *err);

/* Of what gzip would unzip from it; a file that is not gzip is taken as it is. */
tacos_status sha256_content(const char *path, char hex[SHA256_HEX_SIZE], tacos_error *err);

/* Of the .wav files in a zip file, whatever folders they are in and however they are packed: in the
 * order of their names, each name with its zero byte, then the size in 8 bytes, the lowest first,
 * then the bytes. */
tacos_status sha256_entries(const char *path, char hex[SHA256_HEX_SIZE], tacos_error *err);

#endif
