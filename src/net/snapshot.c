/* snapshot.c - saves and loads a learner; docs/checkpoint.md describes every byte.
 *
 * All sizes follow from the configuration, so a file of the wrong length is refused before memory
 * is allocated. */
#include "net/snapshot.h"

#include "base/array.h"
#include "base/files.h"
#include "columns/pack.h"
#include "net/removed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SNAPSHOT_VERSION = 2, CONFIG_MAX = 64 * 1024 };
static const char MAGIC[8] = {'T', 'A', 'C', 'O', 'S', 'N', 'E', 'T'};

enum { SECTIONS_MAX = 5 }; /* of a layer */

/* The layout of the file behind its header: the sections of layer l, or those after all layers if l
 * is n_layers. The parameters alone decide which exist, so it is known without the arrays. */
static size_t list_sections(Network *net, size_t l, Section *list) {
    const Params *p = &net->params;
    const Model *model = params_model(p);
    size_t n = 0;
    if (l < net->n_layers) {
        const Layer *y = &net->layers[l];
        size_t pre = y->n_pre, post = y->n_post, stride = y->stride;
        list[n++] = (Section){y->w, 4, pre, post, stride, true};
        if (model->consolidation)
            list[n++] = (Section){y->w_ref, 4, pre, post, stride, true};
        if (model->metaplasticity == M_DYNAMIC)
            list[n++] = (Section){y->m_steps, 2, pre, post, stride, true};
        if (l + 1 < net->n_layers)
            list[n++] = (Section){y->feedback, 4, params_feedback_rows(p), post, stride, true};
    }
    return n + future_sections(net, l, list + n);
}

static bool move_section(Pack *pack, const Section *s) {
    uint64_t *wholes = s->values;
    if (s->number_bytes == 2)
        pack_u16s(pack, s->values, s->n_rows, s->n, s->stride);
    else if (s->number_bytes == 4)
        pack_floats(pack, s->values, s->n_rows, s->n, s->stride);
    else
        for (size_t k = 0; k < s->n_rows * s->n; k++)
            wholes[k] = pack_whole(pack, wholes[k], 8);
    return !s->ends || pack_checksum(pack);
}

static bool move_network(Pack *pack, Network *net) {
    bool good = true;
    for (size_t l = 0; l <= net->n_layers; l++) {
        Section list[SECTIONS_MAX];
        size_t n = list_sections(net, l, list);
        for (size_t k = 0; k < n && good; k++)
            good = move_section(pack, &list[k]);
    }
    return good && (pack->writing || future_holds(net));
}

/* All that was learned. */
static bool move_learned(Pack *pack, Learner *learner) {
    return learner_is_columns(learner) ? columns_move(&learner->columns, pack)
                                       : move_network(pack, &learner->net);
}

/* After reading. */
static void restart(Learner *learner) {
    if (!learner_is_columns(learner))
        scratch_start(&learner->scratch, &learner->net);
}

static uint64_t section_bytes(const Params *params) {
    Network net;
    uint64_t sum = 0;
    if (params_is_columns(params)) {
        Columns columns;
        return params_columns(params, &columns, NULL) == TACOS_OK ? columns_packed_bytes(&columns)
                                                                  : 0;
    }
    network_shape(&net, params, 0, NULL);
    for (size_t l = 0; l <= net.n_layers; l++) {
        Section list[SECTIONS_MAX];
        size_t n = list_sections(&net, l, list);
        for (size_t k = 0; k < n; k++)
            sum += (uint64_t)list[k].n_rows * list[k].n * list[k].number_bytes +
                   (list[k].ends ? sizeof(uint32_t) : 0);
    }
    return sum;
}

/* ---- save ---- */

tacos_status learner_write(Learner *learner, Pack *pack, tacos_error *err) {
    Network *net = &learner->net;
    char magic[sizeof MAGIC], *text = malloc(CONFIG_MAX);
    if (!text)
        return failure(err, TACOS_MEMORY, "no memory to save a learner");
    size_t n_text = keys_write(params_table, &net->params, text, CONFIG_MAX);
    memcpy(magic, MAGIC, sizeof magic);
    learner_settle(learner);
    pack_bytes(pack, magic, sizeof magic);
    (void)pack_whole(pack, SNAPSHOT_VERSION, 4);
    (void)pack_whole(pack, net->seed, 4);
    (void)pack_whole(pack, net->n_learned, 8);
    (void)pack_whole(pack, n_text, 4);
    pack_bytes(pack, text, n_text);
    (void)pack_checksum(pack);
    (void)move_learned(pack, learner);
    free(text);
    return pack->failed ? failure(err, TACOS_IO, "cannot save a learner: writing failed")
                        : TACOS_OK;
}

tacos_status tacos_learner_save(tacos_learner *learner, const char *path, tacos_error *err) {
    Output output;
    TRY(output_open(&output, path, err));
    Pack pack = pack_write_file(output.file);
    tacos_status status = learner_write(learner, &pack, err);
    if (status == TACOS_OK || pack.failed) /* commit reports why */
        return output_commit(&output, err);
    output_abandon(&output);
    return status;
}

/* ---- load ---- */

typedef struct Header {
    uint32_t seed;
    uint64_t n_learned;
    Params params;
} Header;

/* What a header says. */
typedef struct Config {
    Params *params;
    char removed[KEY_VALUE_SIZE]; /* "counting", "expansion = 100": what the network needs and this
                                     version lacks; "" if nothing */
} Config;

static tacos_status set_param(void *user, const char *key, const char *value, tacos_error *err) {
    Config *config = user;
    const Key *known = keys_find(params_table, key);
    Removed removed = removed_setting(key, value);
    if (removed == REMOVED_NEEDED && !config->removed[0])
        (void)snprintf(config->removed, sizeof config->removed, known ? "%s %.40s" : "%s = %.40s",
                       key, value);
    if (removed != REMOVED_NOT)
        return TACOS_OK;
    if (!known)
        return failure(err, TACOS_FORMAT, "unknown key %s", key);
    return key_set(known, config->params, value, err);
}

/* Files of version 1 know one reading of the paper, one m_max for all synapses, and a time constant
 * instead of w_ref_rate. The centre of the initial weights' range, which they may contain, is no
 * longer needed once weights exist; replaced neurons do without it. */
static void defaults_1(Params *params) {
    params->feedback = FEEDBACK_SHARED;
    params->target_fp = TARGET_FP_CLEARED;
}

static tacos_status set_param_1(void *user, const char *key, const char *value, tacos_error *err) {
    Params *params = ((Config *)user)->params;
    if (strcmp(key, "init_w_mean") == 0)
        return TACOS_OK;
    if (strcmp(key, "tau_cons_ms") == 0) {
        double tau_ms = 0;
        Key known = {.name = key, .type = KEY_REAL, .min = 1, .max = 1e9, .unit = "ms"};
        TRY(key_set(&known, &tau_ms, value, err));
        params->w_ref_rate = fmin((double)params->n_steps * params->dt_ms / tau_ms, 1);
        return TACOS_OK;
    }
    TRY(set_param(user, key, value, err));
    if (strcmp(key, "m_max") == 0)
        params->m_max_output = params->m_max;
    return TACOS_OK;
}

static tacos_status read_config(Pack *pack, const char *name, uint32_t version, size_t n,
                                Params *out, tacos_error *err) {
    char *text = calloc(1, n + 1);
    Config config = {.params = out};
    if (!text)
        return failure(err, TACOS_MEMORY, "no memory to read %s", name);
    pack_bytes(pack, text, n);
    tacos_status status = TACOS_OK;
    params_defaults(out);
    if (version == 1)
        defaults_1(out);
    if (!pack_checksum(pack))
        status = failure(err, TACOS_CHECKSUM, "%s is damaged: the checksum of its header is wrong",
                         name);
    else
        status = keys_parse(text, name, version == 1 ? set_param_1 : set_param, &config, err);
    free(text);
    if (status == TACOS_OK && config.removed[0])
        return failure(err, TACOS_UNKNOWN,
                       "%.300s was saved with %s, which this version no longer has; version 0.1.0 "
                       "reads it",
                       name, config.removed);
    return status == TACOS_OK ? params_check(out, err) : status;
}

static tacos_status read_header(Pack *pack, const char *name, Header *header, tacos_error *err) {
    char magic[sizeof MAGIC] = {0};
    pack_bytes(pack, magic, sizeof magic);
    uint32_t version = (uint32_t)pack_whole(pack, 0, 4);
    if (memcmp(magic, MAGIC, sizeof magic) != 0)
        return failure(err, TACOS_FORMAT, "%s is not a saved learner", name);
    if (!pack->failed && version > SNAPSHOT_VERSION)
        return failure(err, TACOS_VERSION, "%s has format version %u; this program reads up to %d",
                       name, version, SNAPSHOT_VERSION);
    header->seed = (uint32_t)pack_whole(pack, 0, 4);
    header->n_learned = pack_whole(pack, 0, 8);
    size_t n = (size_t)pack_whole(pack, 0, 4);
    if (pack->failed || version == 0 || n >= CONFIG_MAX)
        return failure(err, TACOS_FORMAT, "%s is damaged: its header is incomplete", name);
    return read_config(pack, name, version, n, &header->params, err);
}

/* The header determines the length of a file; checked before memory is allocated. */
static tacos_status check_length(FILE *file, const char *path, const Params *params,
                                 tacos_error *err) {
    long here = ftell(file), end = -1;
    if (here >= 0 && fseek(file, 0, SEEK_END) == 0)
        end = ftell(file);
    if (here < 0 || end < 0 || fseek(file, here, SEEK_SET) != 0)
        return failure_errno(err, "cannot read %s", path);
    uint64_t wanted = (uint64_t)here + section_bytes(params);
    if ((uint64_t)end != wanted)
        return failure(err, TACOS_FORMAT, "%s is damaged: it has %ld bytes instead of %llu", path,
                       end, (unsigned long long)wanted);
    return TACOS_OK;
}

/* What follows the header. */
static tacos_status read_sections(Learner **out, Pack *pack, const Header *header, const char *name,
                                  const tacos_allocator *allocator, tacos_error *err) {
    Learner *learner;
    TRY(learner_new(&learner, &header->params, header->seed, allocator, err));
    if (!move_learned(pack, learner)) {
        tacos_learner_free(learner);
        return failure(err, TACOS_CHECKSUM, "%s is damaged: the checksum of its weights is wrong",
                       name);
    }
    learner->net.n_learned = header->n_learned;
    restart(learner);
    *out = learner;
    return TACOS_OK;
}

static tacos_status read_learner(Learner **out, Pack *pack, FILE *file, const char *name,
                                 const tacos_allocator *allocator, tacos_error *err) {
    Header header;
    TRY(read_header(pack, name, &header, err));
    if (file)
        TRY(check_length(file, name, &header.params, err));
    return read_sections(out, pack, &header, name, allocator, err);
}

/* Bytes in memory as a source. */
typedef struct Source {
    const unsigned char *bytes;
    size_t n, taken;
} Source;

static bool take_bytes(void *user, void *bytes, size_t n) {
    Source *from = user;
    if (n > from->n - from->taken)
        return false;
    memcpy(bytes, from->bytes + from->taken, n);
    from->taken += n;
    return true;
}

typedef struct Gathered {
    unsigned char *bytes;
    size_t n, room;
} Gathered;

/* The next n bytes; memory is taken as they come. */
static bool gather(Gathered *to, Pack *pack, uint64_t n) {
    enum { CHUNK = 64 * 1024 };
    while (to->n < n) {
        size_t here = n - to->n < CHUNK ? (size_t)(n - to->n) : CHUNK;
        if (!array_grow(&to->bytes, &to->room, to->n + here, 1))
            return false;
        pack_bytes(pack, to->bytes + to->n, here);
        if (pack->failed)
            return false;
        to->n += here;
    }
    return true;
}

tacos_status learner_read(Learner **out, const Params *wanted, Pack *pack, const char *name,
                          tacos_error *err) {
    Header header;
    Gathered gathered = {0};
    TRY(read_header(pack, name, &header, err));
    if (!keys_equal(params_table, &header.params, wanted))
        return failure(err, TACOS_CHECKSUM, "%s is damaged: its contents do not fit together",
                       name);
    tacos_status status;
    if (gather(&gathered, pack, section_bytes(wanted))) {
        Source from = {.bytes = gathered.bytes, .n = gathered.n};
        Pack inner = {.move = take_bytes, .user = &from};
        status = read_sections(out, &inner, &header, name, NULL, err);
    } else if (pack->failed)
        status = failure(err, TACOS_FORMAT, "%s is damaged: it is incomplete", name);
    else
        status = failure(err, TACOS_MEMORY, "no memory to read %s", name);
    free(gathered.bytes);
    return status;
}

tacos_status learner_read_bytes(Learner **out, const void *bytes, size_t n, const char *name,
                                const tacos_allocator *allocator, tacos_error *err) {
    Header header;
    Source from = {.bytes = bytes, .n = n};
    Pack pack = {.move = take_bytes, .user = &from};
    TRY(read_header(&pack, name, &header, err));
    if (n - from.taken != section_bytes(&header.params))
        return failure(err, TACOS_FORMAT, "%s is damaged: it is incomplete or too long", name);
    return read_sections(out, &pack, &header, name, allocator, err);
}

tacos_status tacos_learner_load(tacos_learner **out, const char *path,
                                const tacos_allocator *allocator, tacos_error *err) {
    *out = NULL;
    FILE *file = fopen(path, "rbe");
    if (!file)
        return failure_errno(err, "cannot read %s", path);
    Pack pack = pack_read_file(file);
    tacos_status status = read_learner(out, &pack, file, path, allocator, err);
    (void)fclose(file);
    return status;
}

/* ---- through a caller's functions ---- */

tacos_status tacos_learner_save_to(tacos_learner *learner, tacos_write *write, void *user,
                                   tacos_error *err) {
    PackCalls calls = {.write = write, .user = user};
    Pack pack = pack_write_calls(&calls);
    return learner_write(learner, &pack, err);
}

tacos_status tacos_learner_load_from(tacos_learner **out, tacos_read *read, void *user,
                                     const tacos_allocator *allocator, tacos_error *err) {
    PackCalls calls = {.read = read, .user = user};
    Pack pack = pack_read_calls(&calls);
    *out = NULL;
    return read_learner(out, &pack, NULL, "what was read", allocator, err);
}

uint32_t tacos_learner_digest(tacos_learner *learner) {
    Pack pack = {.writing = true};
    learner_settle(learner);
    (void)move_learned(&pack, learner);
    return pack.digest;
}

/* ---- in the middle of a run ---- */

static void move_counters(Pack *pack, tacos_counters *c) {
    uint64_t *const counts[] = {
        &c->samples,       &c->input_spikes,  &c->hidden_spikes,
        &c->output_spikes, &c->error_spikes,  &c->synaptic_events,
        &c->error_updates, &c->decay_updates, &c->macs,
    };
    for (size_t k = 0; k < sizeof counts / sizeof(uint64_t *); k++)
        *counts[k] = pack_whole(pack, *counts[k], 8);
}

bool learner_move(Learner *learner, Pack *pack) {
    Network *net = &learner->net;
    learner_settle(learner);
    net->n_learned = pack_whole(pack, net->n_learned, 8);
    move_counters(pack, &learner->learning);
    move_counters(pack, &learner->predicting);
    if (!pack_checksum(pack) || !move_learned(pack, learner))
        return false;
    if (!pack->writing)
        restart(learner);
    return true;
}
