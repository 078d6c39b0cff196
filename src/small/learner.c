/* learner.c - a learner in the caller's memory. */

struct tacos {
    ColumnsSetup setup;
    uint64_t n_learned;
    Columns columns;
    ColumnsScratch scratch;
};

void tacos_defaults(tacos_setup *setup) {
    setup_defaults(setup);
}

/* ---- memory ---- */

/* The whole layout; see Arena for why it runs twice. */
static tacos *carve(Arena *arena, tacos *draft) {
    tacos *learner;
    ARENA_TAKE(arena, learner, 1);
    columns_carve(&draft->columns, arena);
    columns_scratch_carve(&draft->scratch, &draft->columns, arena);
    return learner;
}

/* The bytes that a learner takes; 0 if there is none. */
static size_t measure(tacos *draft, const ColumnsSetup *setup) {
    Arena arena = {0, 0, 0};
    memset(draft, 0, sizeof *draft);
    draft->setup = *setup;
    if (!setup_shape(&draft->columns, setup))
        return 0;
    (void)carve(&arena, draft);
    return arena.overflow ? 0 : arena.used;
}

static size_t bytes_of(const ColumnsSetup *setup) {
    tacos draft;
    return measure(&draft, setup);
}

size_t tacos_bytes(const tacos_setup *setup) {
    ColumnsSetup least = *setup;
    if (least.units == 0)
        least.units = 1;
    return bytes_of(&least);
}

/* The most units that fit, by halving. */
static uint32_t most_units(const ColumnsSetup *setup, size_t bytes) {
    ColumnsSetup s = *setup;
    uint32_t fits = 0, below = SETUP_UNITS_MAX + 1;
    while (below - fits > 1) {
        s.units = fits + (below - fits) / 2;
        size_t wanted = bytes_of(&s);
        if (wanted > 0 && wanted <= bytes)
            fits = s.units;
        else
            below = s.units;
    }
    return fits;
}

/* A learner of a setup that says how many units, which has learned nothing. */
static int make(tacos **out, void *memory, size_t bytes, const ColumnsSetup *setup) {
    tacos draft;
    Arena arena = {(char *)memory, 0, 0};
    size_t wanted = measure(&draft, setup);
    if (wanted == 0)
        return TACOS_SETUP;
    if (!memory || wanted > bytes || (uintptr_t)memory % ARENA_ALIGN != 0)
        return TACOS_ROOM;
    tacos *learner = carve(&arena, &draft);
    *learner = draft;
    columns_start(&learner->columns, setup->seed, &kernel_small);
    *out = learner;
    return TACOS_GOOD;
}

int tacos_start(tacos **out, void *memory, size_t bytes, const tacos_setup *setup) {
    ColumnsSetup s = *setup;
    *out = NULL;
    if (tacos_bytes(setup) == 0)
        return TACOS_SETUP;
    if (s.units == 0)
        s.units = most_units(setup, bytes);
    return s.units == 0 ? TACOS_ROOM : make(out, memory, bytes, &s);
}

/* ---- samples ---- */

static void see(tacos *learner, const uint8_t *input) {
    for (size_t k = 0; k < learner->columns.geometry.n_inputs; k++)
        learner->scratch.input[k] = input[k];
}

int tacos_learn(tacos *learner, const uint8_t *input, uint32_t target) {
    if (target >= learner->setup.outputs)
        return TACOS_TARGET;
    see(learner, input);
    columns_learn(&learner->columns, &learner->scratch, learner->n_learned++, target);
    return TACOS_GOOD;
}

/* The mean match of the places that see something, from 0 to 1000. */
static uint32_t mean_match(const tacos *learner) {
    const Columns *c = &learner->columns;
    const ColumnsScratch *s = &learner->scratch;
    uint64_t sum = 0;
    uint32_t n = 0;
    for (size_t p = 0; p < c->geometry.n_places; p++) {
        if (s->is_silent[p])
            continue;
        n++;
        if (c->place_units[p] > 0 && s->win[p].match > 0)
            sum += (uint32_t)s->win[p].match;
    }
    uint64_t mean = n > 0 ? (sum / n * 1000) >> 30 : 0;
    return mean < 1000 ? (uint32_t)mean : 1000;
}

tacos_answer tacos_predict(tacos *learner, const uint8_t *input) {
    const Columns *c = &learner->columns;
    tacos_answer answer = {-1, -1, 0, 0};
    see(learner, input);
    answer.output = columns_predict(c, &learner->scratch);
    const int32_t *score = learner->scratch.score;
    for (uint32_t k = 0; k < learner->setup.outputs; k++)
        if (c->totals[k] > 0 && (int32_t)k != answer.output &&
            (answer.second < 0 || score[k] > score[answer.second]))
            answer.second = (int32_t)k;
    if (answer.second >= 0)
        answer.margin = (uint32_t)((int64_t)score[answer.output] - score[answer.second]);
    answer.match = mean_match(learner);
    return answer;
}

/* ---- what it is ---- */

const tacos_setup *tacos_setup_of(const tacos *learner) {
    return &learner->setup;
}

uint64_t tacos_learned(const tacos *learner) {
    return learner->n_learned;
}

uint32_t tacos_units_used(const tacos *learner) {
    return (uint32_t)learner->columns.n_units;
}

/* ---- as bytes ---- */

/* The code that writes a state also reads one, and so takes it as something to be changed. */
static Columns *columns_of(const tacos *learner) {
    return (Columns *)(uintptr_t)&learner->columns;
}

uint32_t tacos_digest(const tacos *learner) {
    Pack pack = {true, NULL, NULL, false, false, 0, 0};
    (void)columns_move(columns_of(learner), &pack);
    return pack.digest;
}

uint32_t tacos_block_bytes(const tacos *learner) {
    return (uint32_t)block_bytes(&learner->columns);
}

typedef struct Writing {
    tacos_writer *write;
    void *user;
} Writing;

static bool write_out(void *user, void *bytes, size_t n) {
    const Writing *writing = (const Writing *)user;
    return writing->write(writing->user, bytes, n) == 0;
}

int tacos_save(const tacos *learner, tacos_writer *write, void *user) {
    Writing writing = {write, user};
    Pack pack = {true, write_out, &writing, false, false, 0, 0};
    BlockHeader header = {learner->setup, tacos_block_bytes(learner), learner->n_learned};
    (void)block_move_header(&pack, &header);
    (void)block_move_columns(&pack, columns_of(learner));
    return pack.failed ? TACOS_FLASH : TACOS_GOOD;
}

/* ---- restore ---- */

typedef struct Reading {
    const unsigned char *at;
    size_t left;
} Reading;

static bool read_in(void *user, void *bytes, size_t n) {
    Reading *reading = (Reading *)user;
    if (n > reading->left)
        return false;
    memcpy(bytes, reading->at, n);
    reading->at += n;
    reading->left -= n;
    return true;
}

static Pack read_from(Reading *reading) {
    Pack pack = {false, read_in, reading, false, false, 0, 0};
    return pack;
}

static int read_header(Pack *pack, BlockHeader *header) {
    BlockFault fault = block_move_header(pack, header);
    return fault == BLOCK_GOOD ? TACOS_GOOD : fault == BLOCK_NEWER ? TACOS_NEWER : TACOS_BLOCK;
}

size_t tacos_restore_bytes(const void *block, size_t n_bytes) {
    Reading reading = {(const unsigned char *)block, n_bytes};
    Pack pack = read_from(&reading);
    BlockHeader header;
    return read_header(&pack, &header) == TACOS_GOOD ? bytes_of(&header.setup) : 0;
}

int tacos_restore(tacos **out, void *memory, size_t bytes, const void *block, size_t n_bytes) {
    Reading reading = {(const unsigned char *)block, n_bytes};
    Pack pack = read_from(&reading);
    BlockHeader header;
    tacos *learner;
    *out = NULL;
    int status = read_header(&pack, &header);
    if (status == TACOS_GOOD)
        status = make(&learner, memory, bytes, &header.setup);
    if (status != TACOS_GOOD)
        return status == TACOS_SETUP ? TACOS_BLOCK : status;
    if (header.n_bytes != tacos_block_bytes(learner) ||
        !block_move_columns(&pack, &learner->columns))
        return TACOS_BLOCK;
    learner->n_learned = header.n_learned;
    *out = learner;
    return TACOS_GOOD;
}
