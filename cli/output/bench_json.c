/* bench_json.c - the cases of `tacos bench` as JSON: written, and read back with every member
 * checked. */
#include "output/bench.h"

#include "cli.h"
#include "output/json.h"

#include <stdio.h>
#include <string.h>

void bench_input(const tacos_bench_case *result, char *out, size_t size) {
    (void)snprintf(out, size, "%s%s", result->dataset, result->look_alike ? " look-alikes" : "");
}

int bench_trained(const tacos_bench_case *result) {
    return result->n_threads == result->n_train_threads;
}

/* ---- out ---- */

static int put_time(json_t *object, const char *what, const tacos_bench_time *time) {
    const struct {
        const char *name;
        json_t *value;
    } members[] = {
        {"us_per_sample", json_real(time->us_per_sample)},
        {"us_fastest", json_real(time->fastest_us)},
        {"us_spread", json_real(time->spread_us)},
        {"batches", json_integer((json_int_t)time->n_batches)},
        {"samples", json_integer((json_int_t)time->n_samples)},
    };
    int bad = 0;
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        char key[48];
        (void)snprintf(key, sizeof key, "%s_%s", what, members[i].name);
        bad |= json_object_set_new(object, key, members[i].value);
    }
    return bad;
}

static int put_ratios(json_t *object, const tacos_bench_case *r, const BenchSaved *saved) {
    const BenchSavedCase *then = saved ? bench_saved_find(saved, r->name, r->n_threads) : NULL;
    if (!then)
        return 0;
    return json_object_set_new(object, "train_ratio",
                               json_real(r->train.us_per_sample / then->train_us)) |
           json_object_set_new(object, "test_ratio",
                               json_real(r->test.us_per_sample / then->test_us));
}

json_t *bench_json(const tacos_bench_case *r, const BenchSaved *saved) {
    char input[32];
    bench_input(r, input, sizeof input);
    json_t *object =
        json_pack("{s:s, s:s, s:s, s:s, s:I, s:I}", "name", r->name, "version", tacos_version(),
                  "kernel", r->kernel, "input", input, "threads", (json_int_t)r->n_threads,
                  "train_threads", (json_int_t)r->n_train_threads);
    json_t *peaks = json_object();
    int bad = put_time(object, "train", &r->train) | put_time(object, "test", &r->test);
#define REAL(key, value) bad |= json_object_set_new(object, key, json_real(value))
    REAL("ns_per_event", r->ns_per_event);
    REAL("events_per_sample", r->events);
    REAL("operations_per_sample", r->operations);
    REAL("bytes_per_sample", r->bytes);
    REAL("working_set_bytes", r->working_set_bytes);
    REAL("roofline_us_per_sample", r->roofline_us);
    REAL("roofline_fraction", r->roofline_fraction);
#undef REAL
    bad |= json_object_set_new(object, "roofline_bound",
                               json_string(r->memory_bound ? "memory" : "compute"));
#define PEAK(member, text) bad |= json_object_set_new(peaks, #member, json_real(r->peaks.member));
    TACOS_BENCH_PEAK_MAP(PEAK)
#undef PEAK
    bad |= json_object_set_new(object, "peaks", peaks);
    bad |= put_ratios(object, r, saved);
    return json_unless(bad, object);
}

/* ---- in ---- */

static int read_text(const json_t *value, char *out, size_t size) {
    const char *text = json_string_value(value);
    if (!text || !*text || strlen(text) >= size)
        return -1;
    strcpy(out, text);
    return 0;
}

static int read_count(const json_t *value, size_t *out) {
    *out = (size_t)json_integer_value(value);
    return json_integer_value(value) > 0 ? 0 : -1;
}

/* Times and rates: above 0. */
static int read_rate(const json_t *value, double *out) {
    *out = json_number_value(value);
    return *out > 0 ? 0 : -1;
}

/* The name of the first member that is missing or invalid, or NULL. */
static const char *read_case(const json_t *object, BenchSavedCase *out) {
    const json_t *peaks = json_object_get(object, "peaks");
    const struct {
        const char *name;
        double *rate;
    } rates[] = {
        {"train_us_per_sample", &out->train_us},
        {"test_us_per_sample", &out->test_us},
        {"train_us_fastest", &out->train_fastest_us},
        {"test_us_fastest", &out->test_fastest_us},
    };
    if (read_text(json_object_get(object, "name"), out->name, sizeof out->name) != 0)
        return "name";
    if (read_text(json_object_get(object, "kernel"), out->kernel, sizeof out->kernel) != 0)
        return "kernel";
    if (read_text(json_object_get(object, "input"), out->input, sizeof out->input) != 0)
        return "input";
    if (read_count(json_object_get(object, "threads"), &out->n_threads) != 0)
        return "threads";
    if (read_count(json_object_get(object, "train_threads"), &out->n_train_threads) != 0)
        return "train_threads";
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        if (read_rate(json_object_get(object, rates[i].name), rates[i].rate) != 0)
            return rates[i].name;
#define PEAK(member, text)                                                                         \
    if (read_rate(json_object_get(peaks, #member), &out->peaks.member) != 0)                       \
        return "peaks." #member;
    TACOS_BENCH_PEAK_MAP(PEAK)
#undef PEAK
    return NULL;
}

/* ---- the file ---- */

static int read_cases(BenchSaved *out, const json_t *root, const char *path) {
    if (!json_is_array(root) || json_array_size(root) == 0 ||
        json_array_size(root) > BENCH_SAVED_MAX) {
        cli_error("%s is not the output of tacos bench --json", path);
        return -1;
    }
    for (size_t i = 0; i < json_array_size(root); i++) {
        BenchSavedCase *saved = &out->cases[i];
        const char *wrong = read_case(json_array_get(root, i), saved);
        if (wrong) {
            cli_error("%s: case %zu: '%s' is missing or invalid", path, i + 1, wrong);
            return -1;
        }
        if (bench_saved_find(out, saved->name, saved->n_threads)) {
            cli_error("%s contains the case %s with %zu thread(s) twice", path, saved->name,
                      saved->n_threads);
            return -1;
        }
        out->n++;
    }
    return 0;
}

int bench_saved_read(BenchSaved *out, const char *path) {
    json_t *root = json_read(path, JSON_REJECT_DUPLICATES);
    out->n = 0;
    if (!root)
        return -1;
    int status = read_cases(out, root, path);
    json_decref(root);
    return status;
}

const BenchSavedCase *bench_saved_find(const BenchSaved *saved, const char *name,
                                       size_t n_threads) {
    for (size_t i = 0; i < saved->n; i++)
        if (saved->cases[i].n_threads == n_threads && strcmp(saved->cases[i].name, name) == 0)
            return &saved->cases[i];
    return NULL;
}
