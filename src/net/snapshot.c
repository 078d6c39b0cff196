/* snapshot.c - a learner as a file.
 *
 * Version 1, everything little-endian:
 *   8 bytes   "TACOSNET"
 *   u32       version
 *   u32       seed
 *   u64       samples learned
 *   u32       length of the configuration text
 *   text      the configuration, "key = value" lines
 *   u32       CRC-32 of all before
 * then for every layer, inputs' side first, the sections w, w_ref, m_steps, B that its model has:
 *   values    [n_pre][n_post] (B: [n_outputs][n_post]), float32 or u16
 *   u32       CRC-32 of the section
 * The sizes follow from the configuration, so a file of another length is wrong, and is found to be
 * wrong before memory is asked for. */
#include "net/learner.h"

#include "base/crc.h"
#include "base/output.h"

#include <stdlib.h>
#include <string.h>

enum { SNAPSHOT_VERSION = 1, CONFIG_MAX = 64 * 1024 };
static const char MAGIC[8] = {'T', 'A', 'C', 'O', 'S', 'N', 'E', 'T'};

/* ---- a stream with a running checksum: writing, reading, or (without a file) only summing ---- */

typedef struct Stream {
    FILE *file;
    bool writing, short_read;
    uint32_t crc;    /* of the section so far */
    uint32_t digest; /* of the checksums of all sections so far */
} Stream;

static void move_bytes(Stream *stream, void *bytes, size_t n) {
    if (stream->writing && stream->file)
        (void)fwrite(bytes, 1, n, stream->file); /* ferror is asked at the end */
    else if (!stream->writing && fread(bytes, 1, n, stream->file) != n)
        stream->short_read = true;
    stream->crc = crc_add(stream->crc, bytes, n);
}

/* One unsigned number of n bytes, out or in. */
static uint64_t move_number(Stream *stream, uint64_t value, size_t n) {
    unsigned char bytes[8] = {0};
    for (size_t k = 0; k < n; k++)
        bytes[k] = (unsigned char)(value >> (8 * k));
    move_bytes(stream, bytes, n);
    value = 0;
    for (size_t k = 0; k < n; k++)
        value |= (uint64_t)bytes[k] << (8 * k);
    return value;
}

/* The checksum of what went before; false if it does not hold. Starts the next section. */
static bool move_checksum(Stream *stream) {
    uint32_t mine = stream->crc;
    uint32_t theirs = (uint32_t)move_number(stream, mine, 4);
    stream->digest = (stream->digest << 1 | stream->digest >> 31) ^ mine;
    stream->crc = 0;
    return mine == theirs;
}

static bool move_floats(Stream *stream, float *values, size_t n_rows, size_t n, size_t stride) {
    for (size_t k = 0; k < n_rows; k++)
        for (size_t i = 0; i < n; i++) {
            uint32_t bits;
            memcpy(&bits, &values[k * stride + i], sizeof bits);
            bits = (uint32_t)move_number(stream, bits, 4);
            memcpy(&values[k * stride + i], &bits, sizeof bits);
        }
    return move_checksum(stream);
}

static bool move_steps(Stream *stream, uint16_t *values, size_t n_rows, size_t n, size_t stride) {
    for (size_t k = 0; k < n_rows; k++)
        for (size_t i = 0; i < n; i++)
            values[k * stride + i] = (uint16_t)move_number(stream, values[k * stride + i], 2);
    return move_checksum(stream);
}

/* All sections of a network; the same walk writes and reads. */
static bool move_network(Stream *stream, const Network *net) {
    bool good = true;
    for (size_t l = 0; l < net->n_layers && good; l++) {
        const Layer *y = &net->layers[l];
        good = move_floats(stream, y->w, y->n_pre, y->n_post, y->stride);
        if (good && y->w_ref)
            good = move_floats(stream, y->w_ref, y->n_pre, y->n_post, y->stride);
        if (good && y->m_steps)
            good = move_steps(stream, y->m_steps, y->n_pre, y->n_post, y->stride);
        if (good && y->feedback)
            good = move_floats(stream, y->feedback, net->params.n_outputs, y->n_post, y->stride);
    }
    return good && !stream->short_read;
}

static uint64_t section_bytes(const Params *params) {
    const Model *model = params_model(params);
    size_t n_pre = params->n_inputs;
    uint64_t sum = 0;
    for (size_t l = 0; l <= params->hidden.n; l++) {
        bool output = l == params->hidden.n;
        uint64_t n_post = output ? params->n_outputs : params->hidden.value[l];
        uint64_t n = (uint64_t)n_pre * n_post;
        sum += n * 4 + 4;
        sum += model->consolidation ? n * 4 + 4 : 0;
        sum += model->metaplasticity == M_DYNAMIC ? n * 2 + 4 : 0;
        sum += output ? 0 : params->n_outputs * n_post * 4 + 4;
        n_pre = (size_t)n_post;
    }
    return sum;
}

/* ---- save ---- */

static void write_config(const Params *params, char *text) {
    size_t used = 0;
    for (size_t k = 0; k < params_table.n; k++) {
        char value[KEY_VALUE_SIZE];
        key_get(&params_table.keys[k], params, value);
        used += (size_t)snprintf(text + used, CONFIG_MAX - used, "%s = %s\n",
                                 params_table.keys[k].name, value);
    }
}

tacos_status learner_write(Learner *learner, FILE *file, tacos_error *err) {
    const Network *net = &learner->net;
    Stream stream = {.file = file, .writing = true};
    char magic[sizeof MAGIC], *text = malloc(CONFIG_MAX);
    if (!text)
        return failure(err, TACOS_MEMORY, "no memory to save a learner");
    write_config(&net->params, text);
    memcpy(magic, MAGIC, sizeof magic);
    learner_settle(learner);
    move_bytes(&stream, magic, sizeof magic);
    move_number(&stream, SNAPSHOT_VERSION, 4);
    move_number(&stream, net->seed, 4);
    move_number(&stream, net->n_learned, 8);
    move_number(&stream, strlen(text), 4);
    move_bytes(&stream, text, strlen(text));
    (void)move_checksum(&stream);
    (void)move_network(&stream, net);
    free(text);
    return TACOS_OK;
}

tacos_status learner_save(Learner *learner, const char *path, tacos_error *err) {
    Output output;
    TRY(output_open(&output, path, err));
    tacos_status status = learner_write(learner, output.file, err);
    if (status == TACOS_OK)
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

static tacos_status set_param(void *user, const char *key, const char *value, tacos_error *err) {
    const Key *known = keys_find(params_table, key);
    if (!known)
        return failure(err, TACOS_FORMAT, "unknown key %s", key);
    return key_set(known, user, value, err);
}

static tacos_status read_header(Stream *stream, const char *path, Header *header,
                                tacos_error *err) {
    char magic[sizeof MAGIC] = {0}, *text;
    move_bytes(stream, magic, sizeof magic);
    uint32_t version = (uint32_t)move_number(stream, 0, 4);
    if (memcmp(magic, MAGIC, sizeof magic) != 0)
        return failure(err, TACOS_FORMAT, "%s is not a saved learner", path);
    if (!stream->short_read && version > SNAPSHOT_VERSION)
        return failure(err, TACOS_VERSION, "%s has format version %u; this program reads up to %d",
                       path, version, SNAPSHOT_VERSION);
    header->seed = (uint32_t)move_number(stream, 0, 4);
    header->n_learned = move_number(stream, 0, 8);
    size_t n = (size_t)move_number(stream, 0, 4);
    if (stream->short_read || version == 0 || n >= CONFIG_MAX)
        return failure(err, TACOS_FORMAT, "%s is damaged: its header is not complete", path);
    text = calloc(1, n + 1);
    if (!text)
        return failure(err, TACOS_MEMORY, "no memory to read %s", path);
    move_bytes(stream, text, n);
    bool good = move_checksum(stream) && !stream->short_read;
    tacos_status status = TACOS_OK;
    params_defaults(&header->params);
    if (!good)
        status = failure(err, TACOS_CHECKSUM, "%s is damaged: the checksum of its header is wrong",
                         path);
    else
        status = keys_parse(text, path, set_param, &header->params, err);
    free(text);
    return status == TACOS_OK ? params_check(&header->params, err) : status;
}

static tacos_status check_length(Stream *stream, const char *path, const Params *params,
                                 tacos_error *err) {
    long here = ftell(stream->file), end = -1;
    if (here >= 0 && fseek(stream->file, 0, SEEK_END) == 0)
        end = ftell(stream->file);
    if (here < 0 || end < 0 || fseek(stream->file, here, SEEK_SET) != 0)
        return failure_errno(err, "cannot read %s", path);
    uint64_t wanted = (uint64_t)here + section_bytes(params);
    if ((uint64_t)end != wanted)
        return failure(err, TACOS_FORMAT, "%s is damaged: it has %ld bytes instead of %llu", path,
                       end, (unsigned long long)wanted);
    return TACOS_OK;
}

static tacos_status load(Stream *stream, Learner **out, const char *path,
                         const tacos_allocator *allocator, tacos_error *err) {
    Header header;
    Learner *learner;
    TRY(read_header(stream, path, &header, err));
    TRY(check_length(stream, path, &header.params, err));
    TRY(learner_new(&learner, &header.params, header.seed, allocator, err));
    if (!move_network(stream, &learner->net)) {
        learner_free(learner);
        return failure(err, TACOS_CHECKSUM, "%s is damaged: the checksum of its weights is wrong",
                       path);
    }
    learner->net.n_learned = header.n_learned;
    scratch_start(&learner->scratch, &learner->net);
    *out = learner;
    return TACOS_OK;
}

tacos_status learner_load(Learner **out, const char *path, const tacos_allocator *allocator,
                          tacos_error *err) {
    Stream stream = {.file = fopen(path, "rbe")};
    if (!stream.file)
        return failure_errno(err, "cannot read %s", path);
    tacos_status status = load(&stream, out, path, allocator, err);
    (void)fclose(stream.file);
    return status;
}

uint32_t learner_digest(Learner *learner) {
    Stream stream = {.writing = true};
    learner_settle(learner);
    (void)move_network(&stream, &learner->net);
    return stream.digest;
}
