/* block.c - a columns learner as one block of bytes, as a device keeps it. */
#include "columns/block.h"

#include "columns/pack.h"

#include <string.h>

static const char BLOCK_MAGIC[8] = {'T', 'A', 'C', 'O', 'S', 'M', 'C', 'U'};

uint64_t block_bytes(const Columns *columns) {
    return BLOCK_HEADER + columns_packed_bytes(columns);
}

static void move_field(Pack *pack, uint32_t *value) {
    *value = (uint32_t)pack_whole(pack, *value, sizeof *value);
}

static void move_setup(Pack *pack, ColumnsSetup *s) {
    uint32_t *const fields[SETUP_FIELDS] = {
        &s->height,      &s->width,      &s->channels, &s->outputs,  &s->units,   &s->seed,
        &s->features,    &s->cells,      &s->window,   &s->stride,   &s->places,  &s->match,
        &s->match_error, &s->match_step, &s->settle,   &s->inherit,  &s->recycle, &s->recycle_uses,
        &s->trust,       &s->contrast,   &s->looks,    &s->look_cost};
    for (size_t k = 0; k < SETUP_FIELDS; k++)
        move_field(pack, fields[k]);
}

BlockFault block_move_header(Pack *pack, BlockHeader *header) {
    char magic[sizeof BLOCK_MAGIC];
    uint32_t version = BLOCK_VERSION;
    memcpy(magic, BLOCK_MAGIC, sizeof magic);
    pack_bytes(pack, magic, sizeof magic);
    for (size_t k = 0; k < sizeof magic; k++)
        if (magic[k] != BLOCK_MAGIC[k])
            return BLOCK_NOT_ONE;
    move_field(pack, &version);
    if (!pack->failed && version > BLOCK_VERSION)
        return BLOCK_NEWER;
    move_field(pack, &header->n_bytes);
    move_setup(pack, &header->setup);
    header->n_learned = pack_whole(pack, header->n_learned, sizeof header->n_learned);
    return pack_checksum(pack) && version == BLOCK_VERSION ? BLOCK_GOOD : BLOCK_DAMAGED;
}

bool block_move_columns(Pack *pack, Columns *columns) {
    return columns_move(columns, pack);
}
