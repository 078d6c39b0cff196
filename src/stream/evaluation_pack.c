/* evaluation_pack.c - an evaluation as bytes; docs/checkpoint.md describes them.
 *
 * What follows from other parts is not written: totals from the confusion matrix, those of the
 * window from its samples. The matrix is in the order in which it grows, so memory for labels is
 * taken only as their counts are read. */
#include "stream/evaluation.h"

#include "base/pack_file.h"

#include <math.h>
#include <string.h>

enum { EVALUATION_VERSION = 1 };
static const char MAGIC[8] = {'T', 'A', 'C', 'O', 'S', 'E', 'V', 'L'};

/* Seven bits a byte, the lowest first; the highest bit: there are more. */
static uint64_t move_short(Pack *pack, uint64_t value) {
    uint64_t out = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        uint64_t byte = value >> shift & 0x7f;
        if (shift < 63 && value >> (shift + 7) > 0)
            byte |= 0x80;
        byte = pack_whole(pack, byte, 1);
        out |= (byte & 0x7f) << shift;
        if (byte < 0x80)
            break;
    }
    return out;
}

/* ---- counts ---- */

/* More samples than anything can add. */
#define SAMPLES_MAX ((uint64_t)1 << 60)

/* What a cell says about the totals of all samples; false if there are too many. */
static bool take_cell(Evaluation *e, size_t label, size_t answer_1) {
    uint64_t n = *evaluation_cell(e, label, answer_1);
    if (n >= SAMPLES_MAX || e->all.n + n >= SAMPLES_MAX)
        return false;
    e->all.n += n;
    e->all.labels[label] += n;
    if (answer_1 > 0)
        e->all.answers[answer_1 - 1] += n;
    else
        e->all.unanswered += n;
    if (answer_1 == label + 1)
        e->all.right += n;
    return true;
}

static bool move_cell(Evaluation *e, Pack *pack, size_t label, size_t answer_1) {
    uint64_t *cell = evaluation_cell(e, label, answer_1);
    *cell = move_short(pack, *cell);
    return pack->writing || take_cell(e, label, answer_1);
}

/* What the k-th label adds: its row up to the diagonal, and its column above. */
static bool move_label(Evaluation *e, Pack *pack, size_t k) {
    bool good = move_cell(e, pack, k, 0) && move_cell(e, pack, k, k + 1);
    for (size_t j = 0; j < k && good; j++)
        good = move_cell(e, pack, k, j + 1) && move_cell(e, pack, j, k + 1);
    return good;
}

/* Counts that do not follow from the matrix. */
static bool move_counts(Evaluation *e, Pack *pack) {
    Tally *all = &e->all;
    all->repeated = pack_whole(pack, all->repeated, 8);
    all->majority = pack_whole(pack, all->majority, 8);
    all->rejected = pack_whole(pack, all->rejected, 8);
    e->rejected_right = pack_whole(pack, e->rejected_right, 8);
    if (pack->writing)
        return true;
    if (all->repeated > all->n || all->majority > all->n || all->rejected > all->unanswered ||
        e->rejected_right > all->rejected)
        return false;
    all->unanswered -= all->rejected; /* together they are the first column */
    for (size_t k = 0; k < e->n_labels; k++)
        if (all->labels[k] > all->labels[e->most_frequent])
            e->most_frequent = k;
    return true;
}

static tacos_status move_matrix(Evaluation *e, Pack *pack, size_t n_labels, bool *good,
                                tacos_error *err) {
    *good = n_labels <= e->options.max_labels;
    for (size_t k = 0; k < n_labels && *good && !pack->failed; k++) {
        if (!pack->writing)
            TRY(evaluation_make_room(e, k + 1, err));
        *good = move_label(e, pack, k);
    }
    *good = *good && !pack->failed && move_counts(e, pack) && pack_checksum(pack);
    return TACOS_OK;
}

/* ---- window ---- */

static bool move_sample(const Evaluation *e, Pack *pack, Judged *sample) {
    uint64_t label = move_short(pack, sample->label), answer = move_short(pack, sample->answer);
    sample->flags = (uint8_t)pack_whole(pack, sample->flags, 1);
    if (pack->failed || label >= e->n_labels || answer > e->n_labels ||
        sample->flags > JUDGED_FLAGS || (sample->flags & JUDGED_REJECTED && answer > 0))
        return false;
    sample->label = (uint16_t)label;
    sample->answer = (uint16_t)answer;
    return true;
}

/* The window is a part of all samples. */
static bool window_holds(const Evaluation *e) {
    const Tally *all = &e->all, *recent = &e->recent;
    bool good = recent->right <= all->right && recent->rejected <= all->rejected &&
                recent->unanswered <= all->unanswered && recent->repeated <= all->repeated &&
                recent->majority <= all->majority;
    for (size_t k = 0; k < e->n_labels; k++)
        good = good && recent->labels[k] <= all->labels[k] && recent->answers[k] <= all->answers[k];
    return good;
}

static bool move_window(Evaluation *e, Pack *pack) {
    uint64_t room = e->options.window, n = e->all.n < room ? e->all.n : room;
    for (uint64_t k = e->all.n - n; k < e->all.n; k++) {
        Judged *sample = &e->window[k % room];
        if (!move_sample(e, pack, sample))
            return false;
        if (!pack->writing)
            tally_add(&e->recent, sample, false);
    }
    return window_holds(e) && pack_checksum(pack);
}

/* ---- drift and time series ---- */

static bool move_drift(Evaluation *e, Pack *pack) {
    enum { KEPT = TACOS_EVALUATION_ALARMS };
    bool good = adwin_move(&e->adwin, pack) && e->adwin.n_added == e->all.n;
    e->n_alarms = pack_whole(pack, e->n_alarms, 8);
    uint64_t n = e->n_alarms < KEPT ? e->n_alarms : KEPT, last = 0;
    for (uint64_t k = e->n_alarms - n; k < e->n_alarms && good; k++) {
        uint64_t *at = &e->alarms[k % KEPT];
        *at = pack_whole(pack, *at, 8);
        good = *at > last && *at <= e->all.n;
        last = *at;
    }
    return good && e->n_alarms <= e->all.n && pack_checksum(pack);
}

static bool move_row(Pack *pack, tacos_evaluation_row *row) {
    bool good = true;
    for (size_t k = 0; k < ROW_COLUMNS; k++) {
        const RowColumn *column = &evaluation_columns[k];
        if (column->whole) {
            *row_whole(row, column) = pack_whole(pack, *row_whole(row, column), 8);
            continue;
        }
        double number = pack_real(pack, *row_number(row, column));
        *row_number(row, column) = isnan(number) ? NAN : number;
        good = good && !isinf(number);
    }
    return good;
}

static bool move_series(Evaluation *e, Pack *pack) {
    uint64_t last = 0;
    e->stride = pack_whole(pack, e->stride, 8);
    e->n_rows = (size_t)pack_whole(pack, e->n_rows, 2);
    bool good =
        e->stride > 0 && (e->stride & (e->stride - 1)) == 0 && e->n_rows <= TACOS_EVALUATION_ROWS;
    for (size_t k = 0; good && k < e->n_rows; k++) {
        good = move_row(pack, &e->rows[k]) && e->rows[k].samples > last;
        last = e->rows[k].samples;
    }
    return good && move_row(pack, &e->latest) && e->latest.samples >= last &&
           e->latest.samples <= e->all.n && pack_checksum(pack);
}

/* ---- all ---- */

typedef struct Header {
    uint32_t version;
    tacos_evaluation_options options;
    size_t n_labels;
    double delta;
} Header;

static bool move_header(Pack *pack, Header *header) {
    char magic[sizeof MAGIC];
    memcpy(magic, MAGIC, sizeof magic);
    pack_bytes(pack, magic, sizeof magic);
    header->version = (uint32_t)pack_whole(pack, header->version, 4);
    header->options.window = (size_t)pack_whole(pack, header->options.window, 4);
    header->options.max_labels = (size_t)pack_whole(pack, header->options.max_labels, 4);
    header->options.report_every = (size_t)pack_whole(pack, header->options.report_every, 8);
    header->n_labels = (size_t)pack_whole(pack, header->n_labels, 4);
    header->delta = pack_real(pack, header->delta);
    return memcmp(magic, MAGIC, sizeof magic) == 0;
}

static tacos_status check_header(Pack *pack, const Header *header, bool ours, const char *name,
                                 tacos_error *err) {
    const tacos_evaluation_options *options = &header->options;
    if (!ours)
        return failure(err, TACOS_FORMAT, "%s holds no evaluation", name);
    if (!pack->failed && header->version > EVALUATION_VERSION)
        return failure(err, TACOS_VERSION,
                       "%s: evaluation of version %u; this program reads up to %d", name,
                       header->version, EVALUATION_VERSION);
    if (!pack_checksum(pack) || header->version == 0 || options->window == 0 ||
        options->max_labels == 0 || options->report_every == 0 ||
        !(header->delta >= ADWIN_DELTA_LEAST && header->delta < 1))
        return failure(err, TACOS_FORMAT, "%s is damaged: the header of the evaluation is wrong",
                       name);
    return TACOS_OK;
}

static bool move_rest(Evaluation *e, Pack *pack) {
    return move_window(e, pack) && move_drift(e, pack) && move_series(e, pack);
}

/* Writing changes nothing: every number is replaced by itself. */
bool evaluation_pack(const Evaluation *e, Pack *pack) {
    Evaluation *same = (Evaluation *)e;
    Header header = {EVALUATION_VERSION, e->options, e->n_labels, e->adwin.delta};
    bool good;
    (void)move_header(pack, &header);
    (void)pack_checksum(pack);
    return move_matrix(same, pack, e->n_labels, &good, NULL) == TACOS_OK && good &&
           move_rest(same, pack);
}

tacos_status evaluation_unpack(Evaluation **out, Pack *pack, const char *name, tacos_error *err) {
    Header header = {0};
    Evaluation *e;
    bool good, ours = move_header(pack, &header);
    *out = NULL;
    TRY(check_header(pack, &header, ours, name, err));
    TRY(tacos_evaluation_new(&e, &header.options, err));
    e->adwin.delta = header.delta;
    tacos_status status = move_matrix(e, pack, header.n_labels, &good, err);
    if (status == TACOS_OK && !(good && move_rest(e, pack)))
        status = failure(err, TACOS_FORMAT, "%s is damaged: its evaluation is incomplete or wrong",
                         name);
    if (status == TACOS_OK)
        *out = e;
    else
        tacos_evaluation_free(e);
    return status;
}

/* ---- through a caller's functions ---- */

tacos_status tacos_evaluation_save_to(const tacos_evaluation *evaluation, tacos_write *write,
                                      void *user, tacos_error *err) {
    PackCalls calls = {.write = write, .user = user};
    Pack pack = pack_write_calls(&calls);
    if (!evaluation_pack(evaluation, &pack))
        return failure(err, TACOS_IO, "cannot save an evaluation: writing failed");
    return TACOS_OK;
}

tacos_status tacos_evaluation_load_from(tacos_evaluation **out, tacos_read *read, void *user,
                                        tacos_error *err) {
    PackCalls calls = {.read = read, .user = user};
    Pack pack = pack_read_calls(&calls);
    return evaluation_unpack(out, &pack, "what was read", err);
}
