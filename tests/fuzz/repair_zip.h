/* repair_zip.h - the sums of a zip file's entries made right, where they are stored and not
 * deflated, so that what is in them is read at all. */
#ifndef FUZZ_REPAIR_ZIP_H
#define FUZZ_REPAIR_ZIP_H

#include "base/pack.h"
#include "fuzz.h"

enum { ZIP_LOCAL = 30, ZIP_CENTRAL = 46, ZIP_END = 22 };

/* Two or four bytes, the lowest first. */
static inline size_t zip_get(const uint8_t *b, size_t n) {
    size_t value = 0;
    for (size_t k = n; k > 0; k--)
        value = value << 8 | b[k - 1];
    return value;
}

static inline void zip_put_sum(uint8_t *b, uint32_t sum) {
    for (size_t k = 0; k < 4; k++)
        b[k] = (uint8_t)(sum >> (8 * k));
}

/* One entry of the directory, and the local header that it tells of. */
static inline void repair_zip_entry(uint8_t *zip, size_t n, uint8_t *central) {
    size_t method = zip_get(central + 10, 2), size = zip_get(central + 20, 4);
    size_t at = zip_get(central + 42, 4);
    if (method != 0 || at > n || n - at < ZIP_LOCAL)
        return;
    uint8_t *local = zip + at;
    size_t start = at + ZIP_LOCAL + zip_get(local + 26, 2) + zip_get(local + 28, 2);
    if (start > n || size > n - start)
        return;
    uint32_t sum = crc_add(0, zip + start, size);
    zip_put_sum(local + 14, sum);
    zip_put_sum(central + 16, sum);
}

static inline void repair_zip(uint8_t *zip, size_t n) {
    if (n < ZIP_END || memcmp(zip + n - ZIP_END, "PK\5\6", 4) != 0)
        return;
    size_t at = zip_get(zip + n - ZIP_END + 16, 4);
    while (at <= n && n - at >= ZIP_CENTRAL && memcmp(zip + at, "PK\1\2", 4) == 0) {
        uint8_t *central = zip + at;
        at += ZIP_CENTRAL + zip_get(central + 28, 2) + zip_get(central + 30, 2) +
              zip_get(central + 32, 2);
        repair_zip_entry(zip, n, central);
    }
}

#endif
