/* flash.c - states in two slots of flash, of which one is always complete.
 *
 * A slot is a block, padded with ones, and then a last piece: the number of the save, counted up,
 * and its CRC-32. The last piece is written when the block is complete; if power fails before, the
 * slot has none, or one that does not match, or a block that does not match its own checksums. */

typedef struct SlotWriter {
    const tacos_flash *flash;
    int slot;
    size_t at;      /* pieces written, in bytes */
    size_t pending; /* bytes of the next one */
    unsigned char piece[TACOS_PIECE];
} SlotWriter;

/* The block in whole pieces. */
static size_t slot_block(const tacos *learner) {
    return (tacos_block_bytes(learner) + TACOS_PIECE - 1) / TACOS_PIECE * TACOS_PIECE;
}

size_t tacos_slot_bytes(const tacos *learner) {
    return slot_block(learner) + TACOS_PIECE;
}

/* ---- writing ---- */

static bool write_piece(SlotWriter *w) {
    memset(w->piece + w->pending, 0xff, TACOS_PIECE - w->pending);
    bool good = w->flash->write(w->flash->user, w->slot, w->at, w->piece) == 0;
    w->at += TACOS_PIECE;
    w->pending = 0;
    return good;
}

static int write_slot(void *user, const void *bytes, size_t n) {
    SlotWriter *w = (SlotWriter *)user;
    const unsigned char *from = (const unsigned char *)bytes;
    for (size_t k = 0; k < n; k++) {
        w->piece[w->pending++] = from[k];
        if (w->pending == TACOS_PIECE && !write_piece(w))
            return -1;
    }
    return 0;
}

/* ---- which slot ---- */

/* The length of the block in a slot, if the header is good and the last piece belongs to it; and
 * the number of the save. */
static size_t slot_holds(const tacos_flash *flash, int slot, uint32_t *number) {
    const unsigned char *at = (const unsigned char *)flash->slot[slot];
    Reading reading = {at, flash->bytes};
    Pack pack = read_from(&reading);
    BlockHeader header;
    if (read_header(&pack, &header) != TACOS_GOOD)
        return 0;
    size_t block = header.n_bytes;
    size_t end = block / TACOS_PIECE * TACOS_PIECE + (block % TACOS_PIECE > 0 ? TACOS_PIECE : 0);
    if (block > flash->bytes || end > flash->bytes || flash->bytes - end < TACOS_PIECE)
        return 0;
    uint32_t crc = (uint32_t)little_endian_get(at + end + 4, 4);
    *number = (uint32_t)little_endian_get(at + end, 4);
    return crc_add(0, at + end, 4) == crc ? block : 0;
}

static bool section_is_whole(const unsigned char *section, size_t n_bytes) {
    return crc_add(0, section, n_bytes - 4) ==
           (uint32_t)little_endian_get(section + n_bytes - 4, 4);
}

/* Whether the checksums of a block are right, without a learner to read it into. */
static bool block_is_whole(const unsigned char *block, size_t n_bytes) {
    Reading reading = {block, n_bytes};
    Pack pack = read_from(&reading);
    BlockHeader header;
    Columns columns;
    if (read_header(&pack, &header) != TACOS_GOOD || !setup_shape(&columns, &header.setup) ||
        n_bytes != block_bytes(&columns))
        return false;
    size_t places = (size_t)columns_packed_places(&columns);
    const unsigned char *rest = block + BLOCK_HEADER + places;
    return section_is_whole(block + BLOCK_HEADER, places) &&
           section_is_whole(rest, n_bytes - BLOCK_HEADER - places);
}

/* The slot with the newest state that is complete, or -1. */
static int newest_slot(const tacos_flash *flash, uint32_t *number) {
    int newest = -1;
    *number = 0;
    for (int slot = 0; slot < 2; slot++) {
        uint32_t here = 0;
        size_t n = slot_holds(flash, slot, &here);
        if (n == 0 || !block_is_whole((const unsigned char *)flash->slot[slot], n))
            continue;
        if (newest < 0 || (int32_t)(here - *number) > 0) { /* it may begin again at 0 */
            newest = slot;
            *number = here;
        }
    }
    return newest;
}

/* ---- keep and recall ---- */

int tacos_keep(const tacos *learner, const tacos_flash *flash) {
    uint32_t number = 0;
    unsigned char last[8];
    int newest = newest_slot(flash, &number);
    SlotWriter w;
    memset(&w, 0, sizeof w);
    w.flash = flash;
    w.slot = newest == 0 ? 1 : 0;
    if (flash->bytes < tacos_slot_bytes(learner) || flash->erase(flash->user, w.slot) != 0)
        return TACOS_FLASH;
    if (tacos_save(learner, write_slot, &w) != TACOS_GOOD || (w.pending > 0 && !write_piece(&w)))
        return TACOS_FLASH;
    little_endian_put(last, number + 1, 4);
    little_endian_put(last + 4, crc_add(0, last, 4), 4);
    return write_slot(&w, last, sizeof last) == 0 && write_piece(&w) ? TACOS_GOOD : TACOS_FLASH;
}

int tacos_recall(tacos **out, void *memory, size_t bytes, const tacos_flash *flash) {
    uint32_t number;
    int slot = newest_slot(flash, &number);
    *out = NULL;
    return slot < 0 ? TACOS_NOTHING
                    : tacos_restore(out, memory, bytes, flash->slot[slot], flash->bytes);
}
