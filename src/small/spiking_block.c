/* spiking_block.c - a spiking network of a block, and back. */

/* ---- as bytes ---- */

static void move_floats(Pack *pack, float *values, size_t n) {
    for (size_t k = 0; k < n; k++)
        values[k] = lane_float((uint32_t)pack_whole(pack, lane_bits(values[k]), 4));
}

/* What a saved learner has after its keys; false if a checksum is wrong. */
static bool move_spiking(Pack *pack, const tacos_spiking *s) {
    bool good = true;
    for (uint32_t l = 0; l < s->block.plan.n_layers && good; l++) {
        SpikingLayer *y = &s->layers[l];
        size_t n = (size_t)y->n_pre * y->n_post;
        move_floats(pack, y->w, n);
        good = pack_checksum(pack);
        if (y->w_ref) {
            move_floats(pack, y->w_ref, n);
            good = pack_checksum(pack) && good;
        }
        if (y->m_steps) {
            for (size_t k = 0; k < n; k++)
                y->m_steps[k] = (uint16_t)pack_whole(pack, y->m_steps[k], 2);
            good = pack_checksum(pack) && good;
        }
        if (y->feedback) {
            move_floats(pack, y->feedback, (size_t)s->block.plan.feedback_rows * y->n_post);
            good = pack_checksum(pack) && good;
        }
    }
    return good;
}

uint32_t tacos_spiking_digest(const tacos_spiking *s) {
    Pack pack = {true, NULL, NULL, false, false, 0, 0};
    (void)move_spiking(&pack, s);
    return pack.digest;
}

/* Bytes of the caller's; writing does not change them. */
static void pack_constant(Pack *pack, const unsigned char *bytes, size_t n) {
    pack_bytes(pack, (void *)(uintptr_t)bytes, n);
}

int tacos_spiking_save(const tacos_spiking *s, tacos_writer *write, void *user) {
    Writing writing = {write, user};
    Pack pack = {true, write_out, &writing, false, false, 0, 0};
    const unsigned char *learner = s->block.bytes + s->block.plan.plan_bytes;
    pack_constant(&pack, s->block.bytes, s->block.plan.plan_bytes);
    pack.crc = 0;
    pack_constant(&pack, learner, 16);
    (void)pack_whole(&pack, s->n_learned, 8);
    pack_constant(&pack, learner + 24, 4 + (size_t)little_endian_get(learner + 24, 4));
    (void)pack_checksum(&pack);
    (void)move_spiking(&pack, s);
    return pack.failed ? TACOS_FLASH : TACOS_GOOD;
}

uint32_t tacos_spiking_block_bytes(const tacos_spiking *s) {
    return s->block.plan.n_bytes;
}

/* The parts of a block, if its plan is whole. */
static int open_block(SpikingBlock *b, const void *block, size_t n_bytes) {
    const PlanHeader *plan = &b->plan;
    b->bytes = (const unsigned char *)block;
    if (n_bytes < sizeof *plan || (uintptr_t)block % 4 != 0)
        return TACOS_BLOCK;
    memcpy(&b->plan, block, sizeof *plan);
    if (plan->magic[0] != PLAN_MAGIC_0 || plan->magic[1] != PLAN_MAGIC_1)
        return TACOS_BLOCK;
    if (plan->version > PLAN_VERSION)
        return TACOS_NEWER;
    if (plan->n_bytes != n_bytes || plan->plan_bytes > n_bytes ||
        n_bytes - plan->plan_bytes < LEARNER_HEADER || plan->plan_bytes < sizeof *plan ||
        plan->n_layers > PLAN_LAYERS_MAX || plan->n_steps > PLAN_STEPS_MAX ||
        plan->n_sums > PLAN_STEPS_MAX + 1 ||
        plan->plan_bytes != plan_bytes(plan->n_layers, plan->n_steps, plan->n_sums) ||
        crc_add(0, b->bytes, plan->plan_bytes - 4) !=
            little_endian_get(b->bytes + plan->plan_bytes - 4, 4))
        return TACOS_BLOCK;
    b->limit = (const PlanWord *)(const void *)(b->bytes + sizeof *plan);
    b->layers = b->bytes + sizeof *plan + 4 * PLAN_VALUES;
    b->trace = (const PlanFloat *)(const void *)(b->layers + plan->n_layers * sizeof(PlanLayer));
    b->sums = b->trace + plan->n_steps;
    return TACOS_GOOD;
}

size_t tacos_spiking_bytes(const void *block, size_t block_bytes) {
    SpikingBlock b;
    Arena arena = {0, 0, 0};
    tacos_spiking *none;
    if (open_block(&b, block, block_bytes) != TACOS_GOOD)
        return 0;
    (void)carve_spiking(&arena, &b, &none);
    return arena.overflow ? 0 : arena.used;
}

/* The saved learner behind a plan. */
static int read_spiking(tacos_spiking *s) {
    const unsigned char *bytes = s->block.bytes + s->block.plan.plan_bytes;
    size_t n_bytes = s->block.plan.n_bytes - s->block.plan.plan_bytes;
    size_t n = LEARNER_HEADER + (size_t)little_endian_get(bytes + 24, 4);
    if (n < LEARNER_HEADER || n > n_bytes - 4 ||
        crc_add(0, bytes, n) != little_endian_get(bytes + n, 4))
        return TACOS_BLOCK;
    Reading reading = {bytes + n + 4, n_bytes - n - 4};
    Pack pack = read_from(&reading);
    s->seed = (uint32_t)little_endian_get(bytes + 12, 4);
    s->n_learned = little_endian_get(bytes + 16, 8);
    return move_spiking(&pack, s) && reading.left == 0 ? TACOS_GOOD : TACOS_BLOCK;
}

int tacos_spiking_start(tacos_spiking **out, void *memory, size_t bytes, const void *block,
                        size_t block_bytes) {
    SpikingBlock b;
    Arena arena = {(char *)memory, 0, 0};
    tacos_spiking *s;
    size_t wanted = tacos_spiking_bytes(block, block_bytes);
    *out = NULL;
    int status = open_block(&b, block, block_bytes);
    if (status != TACOS_GOOD)
        return status;
    if (!memory || wanted == 0 || wanted > bytes || (uintptr_t)memory % ARENA_ALIGN != 0)
        return TACOS_ROOM;
    memset(memory, 0, sizeof *s);
    size_t model_bytes = carve_spiking(&arena, &b, &s);
    s->block = b;
    s->model_bytes = model_bytes;
    status = read_spiking(s);
    if (status == TACOS_GOOD)
        *out = s;
    return status;
}

uint64_t tacos_spiking_learned(const tacos_spiking *s) {
    return s->n_learned;
}

size_t tacos_spiking_model_bytes(const tacos_spiking *s) {
    return s->model_bytes;
}
