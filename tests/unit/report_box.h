/* report_box.h - small runs to make reports of, and a look at what comes out. */
#ifndef TESTS_REPORT_BOX_H
#define TESTS_REPORT_BOX_H

#include "tacos_report.h"

#include "folder.h"

#include <jansson.h>

/* Set "key=value" texts, ended by NULL; a NULL list is none. */
static inline tacos_status set_keys(tacos_experiment *experiment, const char *const *keys,
                                    tacos_error *err) {
    tacos_status status = TACOS_OK;
    for (size_t i = 0; status == TACOS_OK && keys && keys[i]; i++) {
        char key[64];
        size_t n = strcspn(keys[i], "=");
        assert_true(n < sizeof key);
        memcpy(key, keys[i], n);
        key[n] = '\0';
        status = tacos_experiment_set(experiment, key, keys[i] + n + 1, err);
    }
    return status;
}

/* Run the demo, small, into a folder; or say why that cannot be. `keys`: more "key=value". `data`:
 * where data sets are, or NULL. */
static inline tacos_status try_run_into(const char *folder, size_t n_seeds, const char *const *keys,
                                        const char *data, tacos_error *err) {
    static const char *const small[] = {"samples_per_task=12", "test_samples_per_task=8",
                                        "hidden=24", "steps=60", NULL};
    static const uint32_t seeds[] = {1, 2, 3, 4, 5};
    tacos_experiment *experiment;
    tacos_results *results = NULL;
    assert_int_equal(tacos_experiment_open(&experiment, "demo", err), TACOS_OK);
    assert_int_equal(set_keys(experiment, small, err), TACOS_OK);
    tacos_status status = set_keys(experiment, keys, err);
    tacos_run_options options = {
        .data_dir = data, .out_dir = folder, .seeds = seeds, .n_seeds = n_seeds, .n_jobs = 1};
    if (status == TACOS_OK)
        status = tacos_experiment_run(experiment, &options, &results, err);
    tacos_results_free(results);
    tacos_experiment_free(experiment);
    return status;
}

static inline void run_into(const char *folder, size_t n_seeds, const char *const *keys) {
    tacos_error err = {0};
    if (try_run_into(folder, n_seeds, keys, NULL, &err) != TACOS_OK)
        fail_msg("%s", err.text);
}

#define KEYS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* A path within a test's folder; valid until the fourth call after it. */
static inline const char *within(const Folder *folder, const char *name) {
    static char paths[4][256];
    static size_t turn;
    char *path = paths[turn++ % 4];
    int n = snprintf(path, sizeof paths[0], "%s/%s", folder->path, name);
    assert_true(n > 0 && (size_t)n < sizeof paths[0]);
    return path;
}

/* results.json of a folder, to be changed and written back. */
static inline json_t *open_results(const char *folder) {
    char path[320];
    json_error_t error;
    (void)snprintf(path, sizeof path, "%s/results.json", folder);
    json_t *root = json_load_file(path, 0, &error);
    assert_non_null(root);
    return root;
}

static inline void write_results(json_t *root, const char *folder) {
    char path[320];
    (void)snprintf(path, sizeof path, "%s/results.json", folder);
    assert_int_equal(json_dump_file(root, path, JSON_INDENT(1)), 0);
    json_decref(root);
}

/* The page of a folder; free it. */
static inline char *page_of(const char *folder, const char *out) {
    tacos_error err;
    size_t n;
    assert_succeeds(tacos_report_write(&folder, 1, out, &err));
    return read_bytes(out, &n);
}

static inline void assert_holds(const char *page, const char *words) {
    if (!strstr(page, words))
        fail_msg("'%s' is not in the page", words);
}

static inline void assert_lacks(const char *page, const char *words) {
    if (strstr(page, words))
        fail_msg("'%s' is in the page", words);
}

/* Every element of a piece of XML is closed, in order, and its attributes are in quotes. */
static inline void assert_well_formed(const char *xml, const char *end) {
    char open[64][32];
    size_t depth = 0;
    while (xml < end && (xml = memchr(xml, '<', (size_t)(end - xml)))) {
        char name[32] = "";
        bool closing = xml[1] == '/';
        xml += 1 + closing;
        size_t n = strspn(xml, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789");
        assert_in_range(n, 1, sizeof name - 1);
        memcpy(name, xml, n);
        for (xml += n; *xml && *xml != '>' && *xml != '/';) {
            xml += strcspn(xml, "\"<>/");
            assert_int_not_equal(*xml, '<');
            if (*xml == '"') { /* a value */
                xml += 1 + strcspn(xml + 1, "\"<>");
                assert_int_equal(*xml, '"');
                xml++;
            }
        }
        if (closing) {
            assert_in_range(depth, 1, 64);
            assert_string_equal(open[--depth], name);
        } else if (*xml != '/') {
            assert_in_range(depth, 0, 63);
            strcpy(open[depth++], name);
        }
    }
    assert_int_equal(depth, 0);
}

/* All drawings of a page; returns how many there are. */
static inline size_t assert_drawings(const char *page) {
    size_t n = 0;
    for (const char *at = page; (at = strstr(at, "<svg id=\"figure-")); n++) {
        const char *end = strstr(at, "</svg>");
        assert_non_null(end);
        end += strlen("</svg>");
        assert_well_formed(at, end);
        for (const char *word = at; word < end; word++) /* no place that is no number */
            assert_false(strncmp(word, "=\"nan", 5) == 0 || strncmp(word, "=\"-nan", 6) == 0 ||
                         strncmp(word, "=\"inf", 5) == 0);
        at = end;
    }
    return n;
}

#endif
