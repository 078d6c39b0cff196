/* inspect_stream.c - a saved classifier as text and as JSON, which docs/inspect.md describes. */
#include "output/inspect.h"

#include "cli.h"
#include "output/json.h"
#include "terminal/grid.h"
#include "terminal/print.h"

#include <stdio.h>
#include <string.h>

enum { SCHEMA_VERSION = 1, VALUE_SIZE = 1200, SHOWN_CATEGORIES = 6 };

/* ---- text ---- */

static void print_title(tacos_classifier *classifier, const char *path, size_t file_bytes) {
    tacos_classifier_info info = tacos_classifier_info_get(classifier);
    tacos_learner *learner = tacos_classifier_learner(classifier);
    char model[VALUE_SIZE] = "", seed[32] = "";
    (void)tacos_classifier_get(classifier, "model", model, sizeof model, NULL);
    if (learner)
        (void)snprintf(seed, sizeof seed, ", seed %u", tacos_learner_seed(learner));
    style_print(stdout, STYLE_HEADING, "%s", path);
    print(": classifier, model %s%s, %llu samples learned of %llu seen%s\n", model, seed,
          (unsigned long long)info.n_learned, (unsigned long long)info.n_seen,
          info.warming_up ? " (warming up: scales are not yet final)" : "");
    print("%.3f MB in the file, %.3f MB for the model, %.3f MB to work in\n",
          (double)file_bytes / 1e6, (double)info.model_bytes / 1e6,
          (double)info.workspace_bytes / 1e6);
    print("encoder %s: %zu features, %zu inputs", info.encoder, info.n_features, info.n_inputs);
    if (strcmp(info.encoder, "signal") == 0)
        print(", windows of %zu steps", info.width);
    else if (info.height > 0)
        print(", images of %zu x %zu x %zu", info.height, info.width, info.channels);
    putchar('\n');
}

/* "red, green, blue, and 4 more" */
static void category_list(const tacos_classifier *classifier, size_t i, size_t n, char *out,
                          size_t size) {
    size_t used = 0;
    out[0] = '\0';
    for (size_t k = 0; k < n && k < SHOWN_CATEGORIES && used < size; k++)
        used += (size_t)snprintf(out + used, size - used, "%s%.40s", k > 0 ? ", " : "",
                                 tacos_classifier_category(classifier, i, k));
    if (n > SHOWN_CATEGORIES && used < size)
        (void)snprintf(out + used, size - used, ", and %zu more", n - SHOWN_CATEGORIES);
}

static int print_features(const tacos_classifier *classifier) {
    Grid grid = {0};
    tacos_feature_info feature;
    char text[512];
    grid_head(&grid, "feature", 1);
    grid_head(&grid, "kind", 1);
    grid_head(&grid, "0 is", 0);
    grid_head(&grid, "1 is", 0);
    grid_head(&grid, "inputs", 0);
    grid_head(&grid, "categories", 1);
    putchar('\n');
    for (size_t i = 0; tacos_classifier_feature(classifier, i, &feature); i++) {
        int number = strcmp(feature.kind, "number") == 0;
        if (feature.name)
            grid_cell(&grid, "%s", feature.name);
        else
            grid_cell(&grid, "feature %zu", i + 1);
        grid_cell(&grid, "%s", feature.kind);
        if (number) {
            grid_cell(&grid, "%.6g", feature.low);
            grid_cell(&grid, "%.6g", feature.high);
        } else {
            grid_cell(&grid, "-");
            grid_cell(&grid, "-");
        }
        grid_cell(&grid, "%zu", feature.n_inputs);
        category_list(classifier, i, feature.n_categories, text, sizeof text);
        grid_cell(&grid, "%s", text);
    }
    return grid_end(&grid);
}

static int print_labels(const tacos_classifier *classifier) {
    Grid grid = {0};
    size_t n = tacos_classifier_n_labels(classifier);
    grid_head(&grid, "label", 1);
    grid_head(&grid, "samples", 0);
    for (size_t k = 0; k < n; k++) {
        grid_cell(&grid, "%s", tacos_classifier_label(classifier, k));
        grid_cell(&grid, "%llu", (unsigned long long)tacos_classifier_label_samples(classifier, k));
    }
    putchar('\n');
    if (n > 0)
        return grid_end(&grid);
    grid_free(&grid);
    puts("no labels yet");
    return 0;
}

/* A key that is not at its default. */
static size_t add_key(Grid *grid, const tacos_classifier *classifier, const char *name,
                      const char *usual) {
    char value[VALUE_SIZE] = "";
    if (tacos_classifier_get(classifier, name, value, sizeof value, NULL) != TACOS_OK ||
        strcmp(value, usual) == 0)
        return 0;
    grid_cell(grid, "%s", name);
    grid_cell(grid, "%s", value);
    grid_cell(grid, "%s", usual);
    return 1;
}

static int print_keys(const tacos_classifier *classifier) {
    Grid grid = {0};
    tacos_classifier_key_info own;
    tacos_key_info key;
    const tacos_learner *learner = tacos_classifier_learner((tacos_classifier *)classifier);
    size_t n = 0;
    grid_head(&grid, "key", 1);
    grid_head(&grid, "value", 0);
    grid_head(&grid, "default", 0);
    for (size_t i = 0; tacos_classifier_key(i, &own); i++)
        n += add_key(&grid, classifier, own.name, own.default_value);
    for (size_t i = 0; tacos_key(i, &key); i++)
        if (tacos_key_of_learner(&key) && strcmp(key.name, "hidden") != 0 &&
            (!learner || tacos_learner_uses_key(learner, key.name)))
            n += add_key(&grid, classifier, key.name, key.default_value);
    print("\n%s\n",
          n > 0 ? "keys that are not at their defaults" : "all keys are at their defaults");
    if (n > 0)
        return grid_end(&grid);
    grid_free(&grid);
    return 0;
}

int inspect_stream_text(tacos_classifier *classifier, const char *path, size_t file_bytes) {
    print_title(classifier, path, file_bytes);
    int bad = print_keys(classifier);
    if (!bad && tacos_classifier_info_get(classifier).n_features > 0)
        bad = print_features(classifier);
    if (!bad)
        bad = print_labels(classifier);
    return bad ? cli_no_memory("the tables") : EXIT_OK;
}

/* ---- JSON ---- */

static json_t *categories_array(const tacos_classifier *classifier, size_t i, size_t n) {
    json_t *array = json_array();
    int bad = 0;
    for (size_t k = 0; k < n; k++)
        bad |= json_array_append_new(array, json_text(tacos_classifier_category(classifier, i, k)));
    return json_unless(bad, array);
}

static json_t *features_array(const tacos_classifier *classifier) {
    json_t *array = json_array();
    tacos_feature_info f;
    int bad = 0;
    for (size_t i = 0; tacos_classifier_feature(classifier, i, &f); i++) {
        int number = strcmp(f.kind, "number") == 0;
        bad |= json_array_append_new(
            array, json_pack("{s:o, s:s, s:o, s:o, s:I, s:I, s:o}", "name",
                             f.name ? json_text(f.name) : json_null(), "kind", f.kind, "low",
                             number ? json_real(f.low) : json_null(), "high",
                             number ? json_real(f.high) : json_null(), "first_input",
                             (json_int_t)f.first_input, "n_inputs", (json_int_t)f.n_inputs,
                             "categories", categories_array(classifier, i, f.n_categories)));
    }
    return json_unless(bad, array);
}

static json_t *labels_array(const tacos_classifier *classifier) {
    json_t *array = json_array();
    int bad = 0;
    for (size_t k = 0; k < tacos_classifier_n_labels(classifier); k++)
        bad |= json_array_append_new(
            array,
            json_pack("{s:o, s:I}", "label", json_text(tacos_classifier_label(classifier, k)),
                      "samples", (json_int_t)tacos_classifier_label_samples(classifier, k)));
    return json_unless(bad, array);
}

static json_t *config_object(const tacos_classifier *classifier) {
    json_t *config = json_object();
    tacos_classifier_key_info own;
    tacos_key_info key;
    char value[VALUE_SIZE];
    int bad = 0;
    for (size_t i = 0; tacos_classifier_key(i, &own); i++)
        if (tacos_classifier_get(classifier, own.name, value, sizeof value, NULL) == TACOS_OK)
            bad |= json_object_set_new(config, own.name, json_string(value));
    for (size_t i = 0; tacos_key(i, &key); i++)
        if (tacos_key_of_learner(&key) &&
            tacos_classifier_get(classifier, key.name, value, sizeof value, NULL) == TACOS_OK)
            bad |= json_object_set_new(config, key.name, json_key_value(key.name, value));
    return json_unless(bad, config);
}

static json_t *shape_array(const tacos_classifier_info *info) {
    return info->height > 0 ? json_pack("[I, I, I]", (json_int_t)info->height,
                                        (json_int_t)info->width, (json_int_t)info->channels)
                            : json_null();
}

int inspect_stream_json(tacos_classifier *classifier, size_t file_bytes) {
    tacos_classifier_info info = tacos_classifier_info_get(classifier);
    char digest[16];
    (void)snprintf(digest, sizeof digest, "%08x", tacos_classifier_digest(classifier));
    json_t *bytes =
        json_pack("{s:I, s:I, s:I}", "file", (json_int_t)file_bytes, "model",
                  (json_int_t)info.model_bytes, "workspace", (json_int_t)info.workspace_bytes);
    json_t *root =
        json_pack("{s:s, s:i, s:s, s:I, s:I, s:b, s:s, s:s, s:I, s:o, s:o, s:o, s:o, s:o}",
                  "schema", "tacos-inspect-classifier", "schema_version", SCHEMA_VERSION,
                  "program_version", tacos_version(), "samples_seen", (json_int_t)info.n_seen,
                  "samples_learned", (json_int_t)info.n_learned, "warming_up", info.warming_up,
                  "digest", digest, "encoder", info.encoder, "n_inputs", (json_int_t)info.n_inputs,
                  "image", shape_array(&info), "config", config_object(classifier), "bytes", bytes,
                  "features", features_array(classifier), "labels", labels_array(classifier));
    if (!root)
        return cli_no_memory("the JSON output");
    int code = json_print(root, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
    json_decref(root);
    return code;
}
