/* merge.c - tacos_learner_merge: checks that learners may be merged, and what the result is. */
#include "columns/merge.h"

#include "base/decimal.h"
#include "net/learner.h"

#include <stdlib.h>

/* The keys that need not be the same. */
static bool is_size(const Key *key) {
    return key->offset == offsetof(Params, columns.memory_kb) ||
           key->offset == offsetof(Params, columns.n_units);
}

static tacos_status check_key(const Key *key, const Params *first, const Params *other, size_t k,
                              tacos_error *err) {
    char a[KEY_VALUE_SIZE], b[KEY_VALUE_SIZE];
    if (is_size(key) || key_equal(key, first, other))
        return TACOS_OK;
    key_get(key, first, a);
    key_get(key, other, b);
    return failure(err, TACOS_INVALID,
                   "learners that differ cannot be merged: the first has %s = %.150s, learner %zu "
                   "has %.150s",
                   key->name, a, k + 1, b);
}

static tacos_status check(const Learner *const *learners, size_t n, tacos_error *err) {
    if (n < 2)
        return failure(err, TACOS_INVALID, "merging takes at least two learners");
    for (size_t k = 0; k < n; k++)
        if (!learner_is_columns(learners[k]))
            return failure(err, TACOS_INVALID,
                           "only learners of model columns can be merged; learner %zu has model %s",
                           k + 1, params_model(&learners[k]->net.params)->name);
    for (size_t k = 1; k < n; k++) {
        for (size_t i = 0; i < params_table.n; i++)
            TRY(check_key(&params_table.keys[i], &learners[0]->net.params, &learners[k]->net.params,
                          k, err));
        if (learners[k]->net.seed != learners[0]->net.seed)
            return failure(err, TACOS_INVALID,
                           "learners that differ cannot be merged: the first has seed %u, learner "
                           "%zu has %u",
                           learners[0]->net.seed, k + 1, learners[k]->net.seed);
    }
    return TACOS_OK;
}

static tacos_status check_range(const char *name, double value, tacos_error *err) {
    const Key *key = keys_find(params_table, name);
    if (value >= key->min && value <= key->max)
        return TACOS_OK;
    return failure(err, TACOS_RANGE, "%s = %s is out of range: it must be from %s to %s", name,
                   REAL(value), REAL(key->min), REAL(key->max));
}

/* Without a size, that of the largest; if they are not all the same, as a number of units. */
static tacos_status choose_size(Params *params, const Learner *const *learners, size_t n,
                                const tacos_merge_options *options, tacos_error *err) {
    ColumnsParams *p = &params->columns;
    const ColumnsParams first = *p;
    size_t most = 0;
    bool same = true;
    for (size_t k = 0; k < n; k++) {
        const ColumnsParams *q = &learners[k]->net.params.columns;
        size_t units = learners[k]->columns.most_units;
        same = same && q->memory_kb == first.memory_kb && q->n_units == first.n_units;
        most = units > most ? units : most;
        p->memory_kb = q->memory_kb > p->memory_kb ? q->memory_kb : p->memory_kb;
    }
    if (options->n_units > 0) {
        p->n_units = options->n_units;
        return check_range("column_units", (double)p->n_units, err);
    }
    if (options->memory_kb != 0) {
        p->n_units = 0;
        p->memory_kb = options->memory_kb;
        return check_range("column_memory_kb", p->memory_kb, err);
    }
    if (!same)
        p->n_units = most;
    return TACOS_OK;
}

static tacos_status merge_into(Learner *out, const Learner *const *learners, size_t n, double match,
                               tacos_error *err) {
    ColumnsPart *parts = malloc(n * sizeof *parts);
    if (!parts)
        return failure(err, TACOS_MEMORY, "no memory to merge %zu learners", n);
    out->net.n_learned = 0;
    for (size_t k = 0; k < n; k++) {
        parts[k] = (ColumnsPart){&learners[k]->columns, learners[k]->net.n_learned};
        out->net.n_learned += parts[k].n_learned;
    }
    int32_t alike = match > 0 ? (int32_t)(match * MATCH_ONE) : merge_default_match(&out->columns);
    tacos_status status = columns_merge(&out->columns, parts, n, alike, err);
    free(parts);
    return status;
}

tacos_status tacos_learner_merge(tacos_learner **out, const tacos_learner *const *learners,
                                 size_t n, const tacos_merge_options *options,
                                 const tacos_allocator *allocator, tacos_error *err) {
    const tacos_merge_options none = {0}, *how = options ? options : &none;
    Learner *learner;
    *out = NULL;
    if (!(how->match >= 0 && how->match <= 1))
        return failure(err, TACOS_RANGE, "match = %s is out of range: it must be from 0 to 1",
                       REAL(how->match));
    TRY(check(learners, n, err));
    Params params = learners[0]->net.params;
    TRY(choose_size(&params, learners, n, how, err));
    TRY(learner_new(&learner, &params, learners[0]->net.seed, allocator, err));
    tacos_status status = merge_into(learner, learners, n, how->match, err);
    if (status != TACOS_OK) {
        tacos_learner_free(learner);
        return status;
    }
    *out = learner;
    return TACOS_OK;
}
