/* learn_shared.c - `tacos learn` by several processes: the first deals the samples in blocks, in
 * turns; each process learns its share with a learner of its own; in the end they are merged.
 *
 * So the result depends on the samples and on the number of processes, and on nothing else. */
#include "commands/learn.h"

#include "cluster.h"
#include "system/process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BLOCK = 64,             /* samples that a process gets at a time, ... */
    BLOCK_INPUTS = 1 << 20, /* ... fewer if they have more inputs than this together */
    AHEAD = 3,              /* blocks that it may have and not yet have learned */
};

/* ---- messages to members ---- */

typedef enum What {
    LEARN_WITH,    /* a saved learner follows; answered with a tacos_error */
    LEARN_SAMPLES, /* intensities of n samples follow; answered with n bytes: predicted correctly?
                    */
    GIVE_BACK,     /* answered with the saved learner */
} What;

typedef struct Order {
    uint32_t what, n, blind;
    uint32_t labels[BLOCK];
} Order;

/* ---- a learner as bytes ---- */

static int put(void *user, const void *bytes, size_t n) {
    return fwrite(bytes, 1, n, user) == n ? 0 : -1;
}

typedef struct Bytes {
    const char *at;
    size_t left;
} Bytes;

static int take(void *user, void *bytes, size_t n) {
    Bytes *from = user;
    if (n > from->left)
        return -1;
    memcpy(bytes, from->at, n);
    from->at += n;
    from->left -= n;
    return 0;
}

static tacos_status no_memory(tacos_error *err) {
    *err = (tacos_error){TACOS_MEMORY, "no memory to share a learner"};
    return err->status;
}

/* A learner, behind an order if that is not NULL, into *bytes, to be freed. */
static tacos_status pack(tacos_learner *learner, const Order *order, char **bytes, size_t *n,
                         tacos_error *err) {
    *bytes = NULL;
    FILE *file = open_memstream(bytes, n);
    if (!file)
        return no_memory(err);
    tacos_status status = TACOS_OK;
    if (order && put(file, order, sizeof *order) != 0)
        status = no_memory(err);
    if (status == TACOS_OK)
        status = tacos_learner_save_to(learner, put, file, err);
    if (fclose(file) != 0 && status == TACOS_OK)
        status = no_memory(err);
    return status;
}

static tacos_status unpack(tacos_learner **out, const void *bytes, size_t n, tacos_error *err) {
    Bytes from = {bytes, n};
    return tacos_learner_load_from(out, take, &from, NULL, err);
}

/* ---- a member ---- */

typedef struct Member {
    tacos_learner *learner;
} Member;

static int reply(const void *bytes, size_t n) {
    tacos_error err = {0};
    return cluster_send(0, bytes, n, &err) == TACOS_OK ? EXIT_OK : cli_fail(&err);
}

static int begin_member(Member *member, const void *bytes, size_t n) {
    tacos_error said;
    memset(&said, 0, sizeof said);
    (void)unpack(&member->learner, bytes, n, &said);
    return reply(&said, sizeof said);
}

static int learn_block(tacos_learner *learner, const Order *order, const float *intensity,
                       uint8_t right[BLOCK]) {
    size_t n_inputs = tacos_learner_shape(learner).n_inputs;
    int code = EXIT_OK;
    for (size_t k = 0; k < order->n && code == EXIT_OK; k++) {
        int was_right;
        code = learn_sample(learner, intensity + k * n_inputs, n_inputs, order->labels[k],
                            order->blind != 0, &was_right);
        right[k] = (uint8_t)was_right;
    }
    return code;
}

static int give_back(Member *member) {
    char *bytes;
    size_t n;
    tacos_error err = {0};
    tacos_status status = pack(member->learner, NULL, &bytes, &n, &err);
    int code = status == TACOS_OK ? reply(bytes, n) : cli_fail(&err);
    free(bytes);
    return code;
}

static int obey(Member *member, const void *bytes, size_t n) {
    const Order *order = bytes;
    uint8_t right[BLOCK];
    if (order->what == LEARN_WITH)
        return begin_member(member, order + 1, n - sizeof *order);
    if (order->what == GIVE_BACK)
        return give_back(member);
    int code = learn_block(member->learner, order, (const float *)(order + 1), right);
    return code == EXIT_OK ? reply(right, order->n) : code;
}

int learn_member(void) {
    Member member = {NULL};
    tacos_error err = {0};
    int code = EXIT_OK;
    for (size_t n = 1; code == EXIT_OK && n > 0;) {
        const void *bytes;
        if (cluster_receive(0, &bytes, &n, &err) != TACOS_OK)
            code = cli_fail(&err);
        else if (n > 0)
            code = obey(&member, bytes, n);
    }
    tacos_learner_free(member.learner);
    return code;
}

/* ---- the first process ---- */

typedef struct Shared {
    Learning *learning;
    size_t size;        /* processes */
    tacos_learner *own; /* what this process learns with */
    size_t n_inputs, block_samples;
    Order *block;            /* being filled; the intensities are behind it */
    uint64_t dealt, counted; /* blocks */
    struct {
        uint32_t n;
        uint8_t right[BLOCK]; /* of this process's own blocks */
    } * ring;                 /* [AHEAD * size] blocks dealt and not yet counted */
} Shared;

int learn_shared_check(const LearnArgs *args, const tacos_learner *learner) {
    char model[64] = "";
    (void)tacos_learner_get(learner, "model", model, sizeof model, NULL);
    if (strcmp(model, "columns") != 0)
        return cli_usage("learn",
                         "only a learner of model columns can be shared by several "
                         "processes; this one has model %s",
                         model);
    if (args->save_every > 0)
        return cli_usage("learn", "--save-every does not apply to several processes, which save "
                                  "at the end and on a signal");
    return EXIT_OK;
}

/* A learner with the keys and the seed of another that has learned nothing. */
static tacos_status make_like(const tacos_learner *learner, tacos_learner **out, tacos_error *err) {
    char value[2048];
    tacos_config *config;
    tacos_status status = tacos_config_new(&config, err);
    if (status != TACOS_OK)
        return status;
    const char *key;
    for (size_t i = 0; status == TACOS_OK && (key = tacos_config_key(i)); i++) {
        status = tacos_learner_get(learner, key, value, sizeof value, err);
        if (status == TACOS_OK)
            status = tacos_config_set(config, key, value, err);
    }
    if (status == TACOS_OK)
        status = tacos_learner_new(out, config, tacos_learner_seed(learner), NULL, err);
    tacos_config_free(config);
    return status;
}

/* Every member gets a learner, and says whether it could make it. */
static tacos_status send_learner(const Shared *shared, tacos_error *err) {
    char *bytes;
    size_t n;
    tacos_status status = pack(shared->own, &(Order){.what = LEARN_WITH}, &bytes, &n, err);
    for (size_t to = 1; to < shared->size && status == TACOS_OK; to++)
        status = cluster_send(to, bytes, n, err);
    free(bytes);
    for (size_t from = 1; from < shared->size && status == TACOS_OK; from++) {
        const void *said;
        status = cluster_receive(from, &said, &n, err);
        if (status == TACOS_OK && ((const tacos_error *)said)->status != TACOS_OK) {
            *err = *(const tacos_error *)said;
            status = err->status;
        }
    }
    return status;
}

static tacos_status open_shared(Shared *shared, tacos_error *err) {
    shared->size = cluster_size();
    shared->n_inputs = shared->learning->reader.format.n_inputs;
    size_t fit = BLOCK_INPUTS / shared->n_inputs;
    shared->block_samples = fit > BLOCK ? BLOCK : fit > 0 ? fit : 1;
    shared->block =
        calloc(1, sizeof(Order) + shared->block_samples * shared->n_inputs * sizeof(float));
    shared->ring = calloc(AHEAD * shared->size, sizeof *shared->ring);
    if (!shared->block || !shared->ring)
        return no_memory(err);
    shared->block->what = LEARN_SAMPLES;
    shared->block->blind = (uint32_t)shared->learning->args->blind;
    tacos_status status = make_like(shared->learning->learner, &shared->own, err);
    return status == TACOS_OK ? send_learner(shared, err) : status;
}

static void close_shared(Shared *shared) {
    tacos_learner_free(shared->own);
    free(shared->block);
    free(shared->ring);
}

/* ---- dealing ---- */

/* The answers to the oldest block that is not yet counted. */
static int count_block(Shared *shared) {
    size_t from = shared->counted % shared->size, slot = shared->counted % (AHEAD * shared->size);
    const void *right = shared->ring[slot].right;
    size_t n;
    tacos_error err = {0};
    if (from > 0 && cluster_receive(from, &right, &n, &err) != TACOS_OK)
        return cli_fail(&err);
    for (size_t k = 0; k < shared->ring[slot].n; k++)
        learn_count(shared->learning, ((const uint8_t *)right)[k]);
    shared->counted++;
    return EXIT_OK;
}

/* The block goes to the process whose turn it is. */
static int deal_block(Shared *shared) {
    Order *block = shared->block;
    size_t to = shared->dealt % shared->size, slot = shared->dealt % (AHEAD * shared->size);
    tacos_error err = {0};
    int code = EXIT_OK;
    if (shared->dealt - shared->counted == AHEAD * shared->size)
        code = count_block(shared);
    if (code != EXIT_OK)
        return code;
    shared->ring[slot].n = block->n;
    if (to == 0)
        code =
            learn_block(shared->own, block, (const float *)(block + 1), shared->ring[slot].right);
    else if (cluster_send(to, block, sizeof *block + block->n * shared->n_inputs * sizeof(float),
                          &err) != TACOS_OK)
        code = cli_fail(&err);
    shared->dealt++;
    block->n = 0;
    return code;
}

static int deal_sample(Shared *shared) {
    const Sample *sample = &shared->learning->reader.sample;
    Order *block = shared->block;
    float *intensities = (float *)(block + 1);
    memcpy(intensities + block->n * shared->n_inputs, sample->intensity,
           shared->n_inputs * sizeof(float));
    block->labels[block->n++] = (uint32_t)sample->label;
    return block->n == shared->block_samples ? deal_block(shared) : EXIT_OK;
}

static int deal_all(Shared *shared, ReadResult *kind) {
    int code = EXIT_OK;
    do {
        *kind =
            interrupt_signal() ? READ_STOPPED : sample_reader_next(&shared->learning->reader, 1);
        if (*kind == READ_SAMPLE)
            code = deal_sample(shared);
    } while (*kind == READ_SAMPLE && code == EXIT_OK);
    if (code == EXIT_OK && shared->block->n > 0)
        code = deal_block(shared);
    while (code == EXIT_OK && shared->counted < shared->dealt)
        code = count_block(shared);
    return code;
}

/* ---- merging ---- */

/* parts[0] is what MODEL was, parts[1] this process's, then those of the members. */
static tacos_status gather(Shared *shared, tacos_learner **parts, tacos_error *err) {
    tacos_status status = TACOS_OK;
    const Order order = {.what = GIVE_BACK};
    parts[0] = shared->learning->learner;
    parts[1] = shared->own;
    shared->learning->learner = shared->own = NULL;
    for (size_t to = 1; to < shared->size && status == TACOS_OK; to++)
        status = cluster_send(to, &order, sizeof order, err);
    for (size_t from = 1; from < shared->size && status == TACOS_OK; from++) {
        const void *bytes;
        size_t n;
        status = cluster_receive(from, &bytes, &n, err);
        if (status == TACOS_OK)
            status = unpack(&parts[1 + from], bytes, n, err);
    }
    return status;
}

/* Those that have learned something, merged; *out is parts[0] if none has. */
static tacos_status merge_parts(tacos_learner **parts, size_t n, tacos_learner **out,
                                tacos_error *err) {
    size_t taught = 0;
    for (size_t k = 0; k < n; k++)
        if (tacos_learner_learned(parts[k]) > 0) {
            tacos_learner *part = parts[k];
            parts[k] = parts[taught];
            parts[taught++] = part;
        }
    if (taught > 1)
        return tacos_learner_merge(out, (const tacos_learner *const *)parts, taught, NULL, NULL,
                                   err);
    *out = parts[0];
    parts[0] = NULL;
    return TACOS_OK;
}

static int merge(Shared *shared) {
    size_t n = shared->size + 1;
    tacos_error err = {0};
    tacos_learner **parts =
        calloc(n, sizeof(tacos_learner *)); /* NOLINT(bugprone-sizeof-expression) */
    if (!parts)
        return cli_no_memory("what was learned");
    tacos_status status = gather(shared, parts, &err);
    if (status == TACOS_OK)
        status = merge_parts(parts, n, &shared->learning->learner, &err);
    for (size_t k = 0; k < n; k++)
        tacos_learner_free(parts[k]);
    free(parts);
    return status == TACOS_OK ? EXIT_OK : cli_fail(&err);
}

int learn_shared(Learning *learning, ReadResult *kind) {
    Shared shared = {.learning = learning};
    tacos_error err = {0};
    *kind = READ_END;
    int code = open_shared(&shared, &err) == TACOS_OK ? EXIT_OK : cli_fail(&err);
    if (code == EXIT_OK)
        code = deal_all(&shared, kind);
    if (code == EXIT_OK)
        code = merge(&shared);
    close_shared(&shared);
    return code;
}
