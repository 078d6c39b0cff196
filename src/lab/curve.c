/* curve.c - which samples are asked within tasks, and what came out. */
#include "lab/curve.h"

#include <math.h>
#include <stdlib.h>

/* An even selection: scored samples are in the order of classes. */
static tacos_status choose(TaskSamples *out, const TaskSamples *from, tacos_error *err) {
    size_t n = from->n < CURVE_SAMPLES ? from->n : CURVE_SAMPLES;
    out->image = calloc(n + 1, sizeof *out->image);
    out->target = calloc(n + 1, sizeof *out->target);
    if (!out->image || !out->target)
        return failure(err, TACOS_MEMORY, "no memory for the samples of a curve");
    for (; out->n < n; out->n++) {
        size_t at = (2 * out->n + 1) * from->n / (2 * n);
        out->image[out->n] = from->image[at];
        out->target[out->n] = from->target[at];
    }
    return TACOS_OK;
}

tacos_status curve_make(Curve *out, const TaskSplit *split, tacos_error *err) {
    size_t n_tasks = split->tasks.n, n_points = split->params.curve_points;
    size_t n = n_tasks * n_points * CURVES;
    *out = (Curve){.n_tasks = n_tasks, .n_points = n_points};
    if (n_points == 0)
        return TACOS_OK;
    out->samples = calloc(n_tasks, sizeof *out->samples);
    out->percents = calloc(n, sizeof *out->percents);
    if (!out->samples || !out->percents)
        return failure(err, TACOS_MEMORY, "no memory for a curve of %zu points", n);
    for (size_t i = 0; i < n; i++)
        out->percents[i] = NAN;
    for (size_t t = 0; t < n_tasks; t++)
        TRY(choose(&out->samples[t], &split->test[t], err));
    return TACOS_OK;
}

void curve_free(Curve *curve) {
    for (size_t t = 0; curve->samples && t < curve->n_tasks; t++)
        task_samples_free(&curve->samples[t]);
    free(curve->samples);
    free(curve->percents);
    *curve = (Curve){0};
}

size_t curve_next(const Curve *curve, size_t done, size_t n) {
    if (curve->n_points == 0 || done >= n)
        return SIZE_MAX;
    uint64_t next = curve_points(curve, done, n) + 1;
    return (size_t)((next * n + curve->n_points - 1) / curve->n_points) - done;
}

void curve_move(const Curve *curve, Pack *pack) {
    if (curve->n_points > 0)
        pack_reals(pack, curve->percents, curve->n_tasks * curve->n_points * CURVES);
}

/* In the order of a store. */
tacos_status curve_give(const Curve *curve, tacos_run *run, tacos_error *err) {
    static const tacos_measure_kind kinds[] = {
        [CURVE_NEWEST] = TACOS_MEASURE_curve, [CURVE_FIRST] = TACOS_MEASURE_curve_first};
    size_t n = run->n_measures, room = n + curve->n_tasks * curve->n_points * CURVES;
    if (room == n)
        return TACOS_OK;
    tacos_measure *measures = realloc((void *)run->measures, room * sizeof *measures);
    if (!measures)
        return failure(err, TACOS_MEMORY, "no memory for the results of a run");
    run->measures = measures;
    for (size_t t = 0; t < curve->n_tasks; t++)
        for (CurveOf of = 0; of < CURVES; of++)
            for (size_t p = 0; p < curve->n_points; p++) {
                double percent = *curve_at(curve, t, p, of);
                if (isfinite(percent))
                    measures[n++] =
                        (tacos_measure){kinds[of], (uint32_t)t + 1, (uint32_t)p, percent};
            }
    run->n_measures = n;
    return TACOS_OK;
}
