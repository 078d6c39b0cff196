/* checkpoint.c - the file of an incomplete run: its identity, its progress and its student. */
#include "lab/student.h"

#include "base/files.h"

#include <errno.h>
#include <string.h>

enum { CHECKPOINT_VERSION = 2 };
static const char MAGIC[8] = {'T', 'A', 'C', 'O', 'S', 'R', 'U', 'N'};

/* ---- identity ---- */

typedef struct Owner {
    char magic[sizeof MAGIC];
    uint32_t version, checksum, seed, n_tasks;
    char digest[SHA256_HEX_SIZE];
} Owner;

static Owner owner_of(const Session *session) {
    Owner owner = {
        .version = CHECKPOINT_VERSION,
        .checksum = session->split->data->checksum,
        .seed = session->seed,
        .n_tasks = (uint32_t)session->state.n_tasks,
    };
    memcpy(owner.magic, MAGIC, sizeof MAGIC);
    experiment_digest(session->settled, owner.digest);
    return owner;
}

static void move_owner(Pack *pack, Owner *owner) {
    pack_bytes(pack, owner->magic, sizeof owner->magic);
    owner->version = (uint32_t)pack_whole(pack, owner->version, 4);
    pack_bytes(pack, owner->digest, SHA256_HEX_SIZE - 1);
    owner->checksum = (uint32_t)pack_whole(pack, owner->checksum, 4);
    owner->seed = (uint32_t)pack_whole(pack, owner->seed, 4);
    owner->n_tasks = (uint32_t)pack_whole(pack, owner->n_tasks, 4);
}

static bool same_owner(const Owner *a, const Owner *b) {
    return a->checksum == b->checksum && a->seed == b->seed && a->n_tasks == b->n_tasks &&
           memcmp(a->digest, b->digest, SHA256_HEX_SIZE - 1) == 0;
}

/* ---- progress ---- */

/* Version 1 has no counts of answers: they are then not kept. */
static bool move_state(Pack *pack, RunState *state, uint32_t version) {
    size_t n = state->n_tasks;
    state->n_rows = (size_t)pack_whole(pack, state->n_rows, 8);
    state->n_learned = (size_t)pack_whole(pack, state->n_learned, 8);
    state->train_seconds = pack_real(pack, state->train_seconds);
    state->test_seconds = pack_real(pack, state->test_seconds);
    pack_reals(pack, state->b, n);
    pack_reals(pack, state->R, n * n);
    for (size_t k = 0; k < n; k++)
        state->bytes_held[k] = (size_t)pack_whole(pack, state->bytes_held[k], 8);
    if (version == 1)
        confusion_free(&state->confusion);
    else if (state->n_rows <= n + 1) /* else it is damaged */
        confusion_move(&state->confusion, pack, state->n_rows);
    curve_move(&state->curve, pack);
    return pack_checksum(pack);
}

/* ---- writing ---- */

tacos_status checkpoint_write(const Session *session, tacos_error *err) {
    const Student *student = &session->student;
    RunState state = session->state;
    Owner owner = owner_of(session);
    Output output;
    state.train_seconds += session_learning_seconds(session);
    TRY(output_open(&output, session->how->checkpoint, err));
    Pack pack = pack_write_file(output.file);
    move_owner(&pack, &owner);
    (void)(pack_checksum(&pack) && move_state(&pack, &state, CHECKPOINT_VERSION) &&
           student->move(student->self, &pack));
    return output_commit(&output, err); /* reports write errors too */
}

/* ---- reading ---- */

static tacos_status damaged(const char *path, tacos_error *err) {
    return failure(err, TACOS_CHECKSUM, "%s is damaged; delete it to start the run over", path);
}

/* The last row is that of the task before the one being learned. */
static bool fits_rows(const Session *session, const RunState *state) {
    const size_t *end = session->stream.end, row = state->n_rows - 1;
    return state->n_learned <= end[row] && (row == 0 || state->n_learned >= end[row - 1]);
}

static tacos_status read_all(Session *session, Pack *pack, tacos_error *err) {
    const char *path = session->how->checkpoint;
    Owner mine = owner_of(session), theirs = mine;
    move_owner(pack, &theirs);
    if (memcmp(theirs.magic, MAGIC, sizeof MAGIC) != 0)
        return failure(err, TACOS_FORMAT, "%s is not a checkpoint of a run", path);
    if (!pack->failed && theirs.version > CHECKPOINT_VERSION)
        return failure(err, TACOS_VERSION, "%s has format version %u; this program reads up to %d",
                       path, theirs.version, CHECKPOINT_VERSION);
    if (!pack_checksum(pack) || theirs.version == 0)
        return damaged(path, err);
    if (!same_owner(&mine, &theirs))
        return TACOS_OK;
    RunState *state = &session->state;
    bool good = move_state(pack, state, theirs.version) && state->n_rows > 0 &&
                state->n_rows <= state->n_tasks && fits_rows(session, state) &&
                session->student.move(session->student.self, pack);
    return good ? TACOS_OK : damaged(path, err);
}

tacos_status checkpoint_read(Session *session, tacos_error *err) {
    FILE *file = fopen(session->how->checkpoint, "rbe");
    if (!file && errno == ENOENT)
        return TACOS_OK;
    if (!file)
        return failure_errno(err, "cannot read %s", session->how->checkpoint);
    Pack pack = pack_read_file(file);
    tacos_status status = read_all(session, &pack, err);
    (void)fclose(file);
    return status;
}
