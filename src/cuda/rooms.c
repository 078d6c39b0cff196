/* rooms.c - divides the shared memory of a block: what is always needed, then as many rows of
 * synapses as fit. */
#include "cuda/rooms.h"

#include "cuda/gpu.h"

#include <assert.h>

enum { ROOM_ALIGN = 16, RING_LINES = 8, RING_WIDTH = 256, STAGE_ROWS = 28, EVENTS_MAX = 16384 };

/* Room for n items; returns where. */
static uint32_t take(uint32_t *used, size_t n, size_t item_bytes) {
    uint32_t at = *used;
    *used += (uint32_t)((n * item_bytes + ROOM_ALIGN - 1) / ROOM_ALIGN * ROOM_ALIGN);
    return at;
}

static uint32_t words(size_t n) {
    return (uint32_t)((n + WARP - 1) / WARP);
}

/* ---- learning ---- */

/* Lines of the histories: fewer of wide layers, but two at least. */
static uint32_t ring_lines(const Params *params) {
    size_t widest = 0;
    uint32_t lines = RING_LINES;
    for (size_t l = 0; l < params->hidden.n; l++)
        widest = params->hidden.value[l] > widest ? params->hidden.value[l] : widest;
    while (lines > 2 && lines * widest > RING_LINES * RING_WIDTH)
        lines /= 2;
    return lines;
}

static void take_hidden(HiddenRoom *h, size_t n, uint32_t ring, uint32_t *used) {
    uint32_t *const floats[] = {&h->i, &h->v, &h->u, &h->x, &h->hold, &h->n_spikes, &h->n_moved};
    for (size_t k = 0; k < sizeof floats / sizeof *floats; k++)
        *floats[k] = take(used, n, sizeof(float));
    h->bits = take(used, words(n), sizeof(uint32_t));
    h->last = take(used, n, sizeof(uint8_t));
    h->list = take(used, n, sizeof(Entry));
    h->drive = take(used, ring * n, sizeof(float));
    h->count = take(used, ring * n, sizeof(float));
}

static void take_fixed(LearnRoom *room, uint32_t *used) {
    size_t n = room->n_inputs, T = room->n_steps, n_out = room->n_outputs;
    size_t widest = room->width[0] > room->width[1] ? room->width[0] : room->width[1];
    room->net = take(used, 1, sizeof(GpuNetwork));
    room->variables = take(used, 1, sizeof(Variables));
    room->at = take(used, 2 * T + 1, sizeof(uint32_t));
    room->row_of = take(used, n, sizeof(uint16_t));
    room->last = take(used, n, sizeof(uint8_t));
    room->ready = take(used, n, sizeof(uint8_t));
    room->list = take(used, n, sizeof(Entry));
    room->labels = take(used, T, sizeof(uint8_t));
    room->out_drive = take(used, (T + 2) * n_out, sizeof(float));
    room->out_count = take(used, (T + 2) * n_out, sizeof(float));
    room->out_ref = take(used, widest * n_out, sizeof(float));
    room->out_staged = take(used, widest * n_out, sizeof(float));
    for (size_t l = 0; l + 1 < room->n_layers; l++)
        take_hidden(&room->hidden[l], room->width[l], room->ring, used);
}

/* What the rows may take after what is fixed, divided between the layers. */
static void take_rows(LearnRoom *room, bool plastic, size_t bytes, uint32_t *used) {
    size_t synapse = sizeof(float) + (plastic ? sizeof(float) + sizeof(uint16_t) : 0);
    size_t n_hidden = room->n_layers - 1, stage = STAGE_ROWS * room->width[0] * sizeof(float);
    if (*used + 2 * stage < bytes) {
        room->stage_rows = STAGE_ROWS;
        room->stage = take(used, 1, stage);
    }
    for (size_t l = 0; l < n_hidden; l++) {
        size_t n_pre = l == 0 ? room->n_inputs : room->width[l - 1], n = room->width[l];
        size_t share = (bytes - *used) / (n_hidden - l), margin = 3 * ROOM_ALIGN;
        size_t rows = share > margin ? (share - margin) / (n * synapse) : 0;
        room->near[l] = (uint32_t)(rows < n_pre ? rows : n_pre);
        room->rows_v[l] = take(used, room->near[l] * n, sizeof(float));
        if (!plastic)
            continue;
        room->rows_f[l] = take(used, room->near[l] * n, sizeof(float));
        room->rows_code[l] = take(used, room->near[l] * n, sizeof(uint16_t));
    }
}

/* While a sample begins; returns what is needed at least. */
static uint32_t take_begin(LearnRoom *room, size_t bytes, uint32_t used) {
    size_t n = room->n_inputs, row = room->width[0] * sizeof(float);
    room->words = take(&used, room->input_words, sizeof(uint32_t));
    room->active = take(&used, n, sizeof(uint16_t));
    room->slot = take(&used, n, sizeof(uint16_t));
    room->n_of = take(&used, n, sizeof(uint16_t));
    room->mask = take(&used, (size_t)room->n_steps * room->input_words, sizeof(uint32_t));
    uint32_t least = used;
    assert(row > 0);
    if (least > bytes)
        return least;
    size_t half = (bytes - used) / 2 / ROOM_ALIGN * ROOM_ALIGN / sizeof(uint16_t);
    room->n_events = (uint32_t)(half < EVENTS_MAX ? half : EVENTS_MAX);
    room->events = take(&used, room->n_events, sizeof(uint16_t));
    size_t rows = (bytes - used) / row;
    room->n_refs = (uint32_t)(rows < n ? rows : n);
    room->refs = used;
    return least;
}

bool learn_room(LearnRoom *out, const Params *params, bool plastic, size_t bytes) {
    LearnRoom room = {
        .n_layers = (uint32_t)params->hidden.n + 1,
        .n_inputs = (uint32_t)params->n_inputs,
        .n_outputs = (uint32_t)params->n_outputs,
        .n_steps = (uint32_t)params->n_steps,
        .input_words = words(params->n_inputs),
        .ring = ring_lines(params),
    };
    uint32_t used = 0;
    for (size_t l = 0; l < params->hidden.n && l < GPU_HIDDEN_MAX; l++)
        room.width[l] = (uint32_t)params->hidden.value[l];
    take_fixed(&room, &used);
    uint32_t least = take_begin(&room, bytes, used);
    if (least <= bytes)
        take_rows(&room, plastic, bytes, &used);
    room.total = least > bytes ? least : (uint32_t)bytes;
    *out = room;
    return least <= bytes;
}

/* ---- predicting ---- */

bool score_room(ScoreRoom *out, const Params *params, size_t bytes) {
    size_t n = params->n_inputs, T = params->n_steps, n_first = params->hidden.value[0];
    size_t widest = n_first;
    uint32_t used = 0;
    for (size_t l = 1; l < params->hidden.n; l++)
        widest = params->hidden.value[l] > widest ? params->hidden.value[l] : widest;
    ScoreRoom room = {
        .n_layers = (uint32_t)params->hidden.n + 1,
        .n_inputs = (uint32_t)n,
        .n_outputs = (uint32_t)params->n_outputs,
        .n_steps = (uint32_t)T,
        .input_words = words(n),
        .bit_words = words(widest),
    };
    room.net = take(&used, 1, sizeof(GpuNetwork));
    room.variables = take(&used, 1, sizeof(ScoreVariables));
    room.at = take(&used, 2 * T + 1, sizeof(uint32_t));
    room.words = take(&used, room.input_words, sizeof(uint32_t));
    room.active = take(&used, n, sizeof(uint16_t));
    room.mask = take(&used, T * room.input_words, sizeof(uint32_t));
    for (size_t k = 0; k < 2; k++)
        room.bits[k] = take(&used, T * room.bit_words, sizeof(uint32_t));
    room.out_input = take(&used, T * params->n_outputs, sizeof(float));
    room.events = used;
    bool fits = used <= bytes;
    if (fits) {
        size_t left = bytes - used, events = left / 4 < 26624 ? left / 4 : 26624;
        room.n_events = (uint32_t)(events / sizeof(uint16_t));
        (void)take(&used, room.n_events, sizeof(uint16_t));
        left = bytes > used ? bytes - used : 0;
        size_t rows = left / (n_first * sizeof(float));
        room.near = (uint32_t)(rows < n ? rows : n);
        room.rows = used;
    }
    room.total = fits ? (uint32_t)bytes : used;
    *out = room;
    return fits;
}
