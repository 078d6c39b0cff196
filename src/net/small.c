/* small.c - a learner as the block of bytes that a microcontroller keeps, and back; that of columns
 * is the block of src/columns/block.c, that of a spiking network is in plan.c. docs/small.md
 * describes both. */
#include "base/decimal.h"
#include "base/pack_file.h"
#include "columns/block.h"
#include "net/plan.h"

#include <string.h>

/* ---- keys and the fields of a setup ---- */

/* Keys with a fraction, which a device has as a whole number of millionths or thousandths. */
#define FRACTION(field, parts)                                                                     \
    { "column_" #field, offsetof(ColumnsParams, field), offsetof(ColumnsSetup, field), parts }
static const struct {
    const char *name;
    size_t key, field;
    double parts;
} fractions[] = {FRACTION(match, 1e6),    FRACTION(match_error, 1e6), FRACTION(match_step, 1e6),
                 FRACTION(inherit, 1e3),  FRACTION(trust, 1e6),       FRACTION(contrast, 1e6),
                 FRACTION(look_cost, 1e6)};

enum { FRACTIONS = sizeof fractions / sizeof *fractions };

static tacos_status take_fractions(const ColumnsParams *p, ColumnsSetup *out, tacos_error *err) {
    for (size_t k = 0; k < FRACTIONS; k++) {
        double value;
        memcpy(&value, (const char *)p + fractions[k].key, sizeof value);
        uint32_t parts = (uint32_t)(value * fractions[k].parts + 0.5);
        if ((double)parts / fractions[k].parts != value)
            return failure(err, TACOS_INVALID, "a device cannot have %s = %s: only multiples of %s",
                           fractions[k].name, REAL(value), REAL(1 / fractions[k].parts));
        memcpy((char *)out + fractions[k].field, &parts, sizeof parts);
    }
    return TACOS_OK;
}

static void give_fractions(const ColumnsSetup *setup, ColumnsParams *out) {
    for (size_t k = 0; k < FRACTIONS; k++) {
        uint32_t parts;
        memcpy(&parts, (const char *)setup + fractions[k].field, sizeof parts);
        double value = (double)parts / fractions[k].parts;
        memcpy((char *)out + fractions[k].key, &value, sizeof value);
    }
}

/* The whole numbers, and the shape; a device has few inputs, so those that do not fit are found
 * afterwards. */
static void take_numbers(const Learner *learner, ColumnsSetup *out) {
    const ColumnsParams *p = &learner->net.params.columns;
    const Geometry *g = &learner->columns.geometry;
    out->height = p->shape.n > 0 ? (uint32_t)g->height : 0;
    out->width = (uint32_t)g->width;
    out->channels = (uint32_t)g->channels;
    out->outputs = (uint32_t)learner->columns.n_outputs;
    out->units = (uint32_t)learner->columns.most_units;
    out->seed = learner->net.seed;
    out->features = (uint32_t)p->features;
    out->cells = (uint32_t)p->cells;
    out->window = (uint32_t)p->window;
    out->stride = (uint32_t)p->stride;
    out->places = (uint32_t)p->places;
    out->settle = (uint32_t)p->settle;
    out->recycle = (uint32_t)p->recycle;
    out->recycle_uses = p->recycle_uses < UINT32_MAX ? (uint32_t)p->recycle_uses : UINT32_MAX;
    out->looks = (uint32_t)p->looks;
}

static void give_numbers(const ColumnsSetup *s, Params *out) {
    ColumnsParams *p = &out->columns;
    out->model = columns_model;
    out->n_inputs = (size_t)(s->height > 0 ? s->height : 1) * s->width * s->channels;
    out->n_outputs = s->outputs;
    if (s->height > 0) {
        p->shape.n = s->channels > 1 ? 3 : 2;
        p->shape.value[0] = s->height;
        p->shape.value[1] = s->width;
        p->shape.value[2] = s->channels;
    }
    p->n_units = s->units;
    p->features = (int)s->features;
    p->cells = s->cells;
    p->window = s->window;
    p->stride = s->stride;
    p->places = s->places;
    p->settle = (int)s->settle;
    p->recycle = s->recycle;
    p->recycle_uses = s->recycle_uses;
    p->looks = s->looks;
}

static bool same_constants(const Columns *a, const Columns *b) {
    const Geometry *g = &a->geometry, *h = &b->geometry;
    return g->n_inputs == h->n_inputs && g->n_places == h->n_places && g->n_values == h->n_values &&
           a->most_units == b->most_units && a->n_outputs == b->n_outputs &&
           columns_same_rule(&a->rule, &b->rule);
}

/* ---- out ---- */

/* The setup of a learner, if a device could continue from it bit for bit. */
static tacos_status take_setup(const Learner *learner, ColumnsSetup *out, tacos_error *err) {
    const Columns *c = &learner->columns;
    Columns device = {0};
    if (c->n_steps > 0)
        return failure(err, TACOS_INVALID,
                       "a device sees values: column_input = spikes is not possible there");
    setup_defaults(out);
    take_numbers(learner, out);
    TRY(take_fractions(&learner->net.params.columns, out, err));
    if (c->geometry.n_inputs > SETUP_INPUTS_MAX || c->most_units > SETUP_UNITS_MAX ||
        c->n_outputs > SETUP_INPUTS_MAX)
        return failure(err, TACOS_RANGE,
                       "too large for a device: %zu inputs, %zu units, %zu outputs; each may be at "
                       "most %d",
                       c->geometry.n_inputs, c->most_units, c->n_outputs, SETUP_UNITS_MAX);
    if (!setup_shape(&device, out) || !same_constants(c, &device))
        return failure(err, TACOS_INVALID,
                       "a device would compute other constants; another column_contrast may help");
    return TACOS_OK;
}

tacos_status tacos_learner_save_small(tacos_learner *learner, tacos_write *write, void *user,
                                      tacos_error *err) {
    PackCalls calls = {.write = write, .user = user};
    Pack pack = pack_write_calls(&calls);
    BlockHeader header = {.n_learned = learner->net.n_learned};
    if (!learner_is_columns(learner))
        return plan_save(learner, write, user, err);
    TRY(take_setup(learner, &header.setup, err));
    if (block_bytes(&learner->columns) > UINT32_MAX)
        return failure(err, TACOS_RANGE, "too large for a device: %llu bytes",
                       (unsigned long long)block_bytes(&learner->columns));
    header.n_bytes = (uint32_t)block_bytes(&learner->columns);
    (void)block_move_header(&pack, &header);
    (void)block_move_columns(&pack, &learner->columns);
    return pack.failed ? failure(err, TACOS_IO, "cannot save a learner: writing failed") : TACOS_OK;
}

/* ---- back ---- */

typedef struct Source {
    const unsigned char *at;
    size_t left;
} Source;

static bool take(void *user, void *bytes, size_t n) {
    Source *source = user;
    if (n > source->left)
        return false;
    memcpy(bytes, source->at, n);
    source->at += n;
    source->left -= n;
    return true;
}

/* The length follows from the setup, and is checked before memory is allocated. */
static tacos_status read_header(Pack *pack, size_t n_bytes, BlockHeader *header, Columns *device,
                                tacos_error *err) {
    static const struct {
        tacos_status status;
        const char *text;
    } faults[] = {
        [BLOCK_NOT_ONE] = {TACOS_FORMAT, "not a state of a device"},
        [BLOCK_NEWER] = {TACOS_VERSION, "a state of a newer version"},
        [BLOCK_DAMAGED] = {TACOS_CHECKSUM, "a damaged state: the checksum of its header is wrong"}};
    BlockFault fault = block_move_header(pack, header);
    if (fault != BLOCK_GOOD)
        return failure(err, faults[fault].status, "%s", faults[fault].text);
    if (!setup_shape(device, &header->setup))
        return failure(err, TACOS_FORMAT, "a damaged state: there is no such learner");
    if (header->n_bytes != n_bytes || block_bytes(device) != n_bytes)
        return failure(err, TACOS_FORMAT, "a damaged state: it has %zu bytes instead of %llu",
                       n_bytes, (unsigned long long)block_bytes(device));
    return TACOS_OK;
}

tacos_status tacos_learner_load_small(tacos_learner **out, const void *block, size_t n_bytes,
                                      const tacos_allocator *allocator, tacos_error *err) {
    Source source = {block, n_bytes};
    Pack pack = {.move = take, .user = &source};
    BlockHeader header;
    Columns device = {0};
    Params params;
    Learner *learner;
    *out = NULL;
    if (plan_is(block, n_bytes))
        return plan_load(out, block, n_bytes, allocator, err);
    TRY(read_header(&pack, n_bytes, &header, &device, err));
    params_defaults(&params);
    give_numbers(&header.setup, &params);
    give_fractions(&header.setup, &params.columns);
    TRY(learner_new(&learner, &params, header.setup.seed, allocator, err));
    tacos_status status = TACOS_OK;
    if (!same_constants(&learner->columns, &device))
        status = failure(err, TACOS_INVALID,
                         "this machine computes other constants than the device; the cause is its "
                         "contrast");
    else if (!block_move_columns(&pack, &learner->columns))
        status = failure(err, TACOS_CHECKSUM, "a damaged state: a checksum is wrong");
    if (status != TACOS_OK) {
        tacos_learner_free(learner);
        return status;
    }
    learner->net.n_learned = header.n_learned;
    *out = learner;
    return TACOS_OK;
}
