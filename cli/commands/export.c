/* export.c - `tacos export` and `tacos import`: the weights of a learner as a safetensors file, or
 * a columns learner as the state of a microcontroller, and back. */
#include "cli.h"

#include "commands/safetensors.h"
#include "commands/small.h"
#include "system/files.h"
#include "tacos_stream.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A layer's arrays, by name: layer0.w and so on. */
typedef enum Part { PART_W, PART_W_REF, PART_M, PARTS } Part;

static const struct {
    const char *name;
    TensorType type;
} parts[PARTS] = {
    [PART_W] = {"w", TENSOR_F32},
    [PART_W_REF] = {"w_ref", TENSOR_F32},
    [PART_M] = {"m_steps", TENSOR_U16},
};

static void tensor_name(size_t layer, Part part, char name[32]) {
    (void)snprintf(name, 32, "layer%zu.%s", layer, parts[part].name);
}

static int fail_import(const char *path, const char *why) {
    cli_error("cannot import %s: %s", path, why);
    return EXIT_FAILED;
}

/* ---- export ---- */

static const void *values_of(const tacos_layer_view *view, Part part) {
    const void *const all[PARTS] = {view->w, view->w_ref, view->m_steps};
    return all[part];
}

/* Rows without their padding. 0, or -1 without memory. */
static int add_part(TensorFile *file, size_t layer, const tacos_layer_view *view, Part part) {
    const char *from = values_of(view, part);
    size_t size = parts[part].type == TENSOR_F32 ? sizeof(float) : sizeof(uint16_t);
    size_t columns = view->n_post, stride = view->stride;
    if (!from)
        return 0;
    char *to = malloc(view->n_pre * columns * size);
    if (!to)
        return -1;
    for (size_t j = 0; j < view->n_pre; j++)
        memcpy(to + j * columns * size, from + j * stride * size, columns * size);
    Tensor *tensor = &file->tensors[file->n++];
    *tensor =
        (Tensor){.type = parts[part].type, .rows = view->n_pre, .columns = columns, .values = to};
    tensor_name(layer, part, tensor->name);
    return 0;
}

static json_t *about(const tacos_learner *learner) {
    json_t *texts = json_pack("{s:s}", "format", "tacos-learner-1");
    char value[512];
    tacos_key_info key;
    (void)snprintf(value, sizeof value, "%u", tacos_learner_seed(learner));
    (void)json_object_set_new(texts, "seed", json_string(value));
    (void)snprintf(value, sizeof value, "%llu", (unsigned long long)tacos_learner_learned(learner));
    (void)json_object_set_new(texts, "samples_learned", json_string(value));
    for (size_t i = 0; tacos_key(i, &key); i++)
        if (tacos_key_of_learner(&key) &&
            tacos_learner_get(learner, key.name, value, sizeof value, NULL) == TACOS_OK)
            (void)json_object_set_new(texts, key.name, json_string(value));
    return texts;
}

static int export_learner(tacos_learner *learner, const char *path) {
    tacos_error err = {0};
    TensorFile *file = calloc(1, sizeof *file);
    size_t n_layers = tacos_learner_shape(learner).n_layers;
    int wrong = !file;
    for (size_t l = 0; l < n_layers && !wrong; l++) {
        tacos_layer_view view;
        wrong = tacos_learner_layer(learner, l, &view, NULL) != TACOS_OK;
        for (int part = 0; part < PARTS && !wrong; part++)
            wrong = add_part(file, l, &view, (Part)part);
    }
    if (wrong) {
        (void)whole_file_no_memory(path, &err);
    } else {
        file->about = about(learner);
        wrong = tensors_write(file, path, &err) != TACOS_OK;
    }
    if (file)
        tensors_free(file);
    free(file);
    return wrong ? cli_fail(&err) : EXIT_OK;
}

/* Columns have no weights: a file without any would be imported as a learner that knows nothing. */
static int check_layers(const tacos_learner *learner, const char *path) {
    if (tacos_learner_shape(learner).n_layers > 0)
        return EXIT_OK;
    cli_error("%s: a learner of this model has no weights to export or import; its file can be "
              "copied, and --small exports it for a microcontroller",
              path);
    return EXIT_FAILED;
}

typedef struct ExportArgs {
    int small;
} ExportArgs;

static const Option export_options[] = {
    FLAG_OPTION("small", offsetof(ExportArgs, small),
                "the state of a learner of model columns, for a microcontroller"),
    OPTION_END,
};

static int cmd_export(int argc, char **argv) {
    ExportArgs args = {0};
    tacos_learner *learner;
    tacos_error err = {0};
    int code = EXIT_OK;
    if (!options_read(&command_export, export_options, &args, argc, argv, &code))
        return code;
    if (tacos_classifier_is_file(argv[optind])) {
        cli_error("%s is a classifier, whose labels and scales a file of weights cannot hold; its "
                  "file can be copied",
                  argv[optind]);
        return EXIT_FAILED;
    }
    if (tacos_learner_load(&learner, argv[optind], NULL, &err) != TACOS_OK)
        return cli_fail(&err);
    if (args.small)
        code = small_export(learner, argv[optind + 1]);
    else
        code = check_layers(learner, argv[optind]);
    if (code == EXIT_OK && !args.small)
        code = export_learner(learner, argv[optind + 1]);
    tacos_learner_free(learner);
    return code;
}

/* ---- import ---- */

static const char *text_of(const TensorFile *file, const char *name) {
    return json_string_value(json_object_get(file->about, name));
}

/* Files that have a time constant in place of w_ref_rate know one matrix of feedback and one m_max,
 * like saved learners of version 1. */
static tacos_status set_as_before(const TensorFile *file, tacos_config *config, tacos_error *err) {
    const char *tau = text_of(file, "tau_cons_ms"), *steps = text_of(file, "steps"),
               *dt = text_of(file, "dt_ms"), *m_max = text_of(file, "m_max");
    char rate[32];
    if (!tau || !steps || !dt || !m_max)
        return TACOS_OK;
    (void)snprintf(rate, sizeof rate, "%.17g",
                   fmin(strtod(steps, NULL) * strtod(dt, NULL) / strtod(tau, NULL), 1));
    tacos_status status = tacos_config_set(config, "w_ref_rate", rate, err);
    if (status == TACOS_OK)
        status = tacos_config_set(config, "m_max_output", m_max, err);
    return status == TACOS_OK ? tacos_config_set(config, "feedback", "shared", err) : status;
}

/* Files of version 0.1.0 may be of models that this version no longer has. */
static int check_removed(const TensorFile *file, const char *path) {
    const char *key;
    json_t *value;
    json_object_foreach(file->about, key, value) {
        char why[160];
        const char *text = json_string_value(value);
        if (!text || tacos_setting_removed(key, text) != TACOS_REMOVED_NEEDED)
            continue;
        (void)snprintf(
            why, sizeof why,
            "it has %s = %.40s, which this version no longer has; version 0.1.0 reads it", key,
            text);
        return fail_import(path, why);
    }
    return EXIT_OK;
}

static int config_of(const TensorFile *file, tacos_config *config, uint32_t *seed,
                     const char *path) {
    const char *format = text_of(file, "format"), *number = text_of(file, "seed");
    tacos_key_info key;
    tacos_error err = {0};
    if (!format || strcmp(format, "tacos-learner-1") != 0 || !number)
        return fail_import(path, "its metadata are not from `tacos export`");
    if (check_removed(file, path) != EXIT_OK)
        return EXIT_FAILED;
    *seed = (uint32_t)strtoul(number, NULL, 10);
    if (set_as_before(file, config, &err) != TACOS_OK)
        return fail_import(path, err.text);
    for (size_t i = 0; tacos_key(i, &key); i++) {
        const char *value = text_of(file, key.name);
        if (value && tacos_key_of_learner(&key) &&
            tacos_config_set(config, key.name, value, &err) != TACOS_OK)
            return fail_import(path, err.text);
    }
    return EXIT_OK;
}

static int give_layer(const TensorFile *file, tacos_learner *learner, size_t l, const char *path) {
    tacos_layer_view view;
    tacos_error err = {0};
    const void *values[PARTS] = {NULL};
    if (tacos_learner_layer(learner, l, &view, &err) != TACOS_OK)
        return cli_fail(&err);
    for (int part = 0; part < PARTS; part++) {
        char name[32], why[96];
        tensor_name(l, (Part)part, name);
        const Tensor *tensor = tensors_find(file, name);
        if (!tensor && !values_of(&view, (Part)part))
            continue;
        (void)snprintf(why, sizeof why, "expected an array %s, %s, %zu by %zu", name,
                       parts[part].type == TENSOR_F32 ? "F32" : "U16", view.n_pre, view.n_post);
        if (!tensor || tensor->type != parts[part].type || tensor->rows != view.n_pre ||
            tensor->columns != view.n_post)
            return fail_import(path, why);
        values[part] = tensor->values;
    }
    tacos_layer_values all = {values[PART_W], values[PART_W_REF], values[PART_M]};
    if (tacos_learner_set_layer(learner, l, &all, &err) != TACOS_OK)
        return fail_import(path, err.text);
    return EXIT_OK;
}

static int import_learner(const TensorFile *file, const char *path, const char *to) {
    tacos_config *config = NULL;
    tacos_learner *learner = NULL;
    tacos_error err = {0};
    uint32_t seed = 0;
    if (tacos_config_new(&config, &err) != TACOS_OK)
        return cli_fail(&err);
    int code = config_of(file, config, &seed, path);
    if (code == EXIT_OK && tacos_learner_new(&learner, config, seed, NULL, &err) != TACOS_OK)
        code = fail_import(path, err.text);
    if (code == EXIT_OK)
        code = check_layers(learner, path);
    for (size_t l = 0; code == EXIT_OK && l < tacos_learner_shape(learner).n_layers; l++)
        code = give_layer(file, learner, l, path);
    if (code == EXIT_OK && tacos_learner_save(learner, to, &err) != TACOS_OK)
        code = cli_fail(&err);
    tacos_learner_free(learner);
    tacos_config_free(config);
    return code;
}

static int import_file(const char *path, const char *to) {
    char why[WHY_SIZE];
    if (small_is(path))
        return small_import(path, to);
    TensorFile *file = calloc(1, sizeof *file);
    if (!file)
        return fail_import(path, "no memory");
    int code = tensors_read(file, path, why) == 0 ? import_learner(file, path, to)
                                                  : fail_import(path, why);
    tensors_free(file);
    free(file);
    return code;
}

static int cmd_import(int argc, char **argv) {
    tacos_lock *lock;
    tacos_error err = {0};
    int code = EXIT_OK;
    if (!options_read(&command_import, NULL, NULL, argc, argv, &code))
        return code;
    const char *from = argv[optind], *to = argv[optind + 1];
    if (tacos_lock_take(&lock, to, &err) != TACOS_OK)
        return cli_fail(&err);
    if (access(to, F_OK) == 0) {
        cli_error("%s exists", to);
        code = EXIT_FAILED;
    } else {
        code = import_file(from, to);
    }
    tacos_lock_release(lock);
    return code;
}

static const Example export_examples[] = {
    {"tacos export model.tacos weights.safetensors", "for numpy, PyTorch or JAX"},
    {"tacos export --small columns.tacos state.bin", "for a microcontroller"},
    {NULL, NULL},
};

const Command command_export = {
    .name = "export",
    .group = GROUP_LEARNER,
    .run = cmd_export,
    .about = "write a learner's weights for other programs",
    .arguments = {2, 2, "MODEL and FILE"},
    .synopsis = "[--small] MODEL FILE",
    .text =
        "Writes FILE in the safetensors format: for each layer of synapses `layerN.w` and, if the "
        "model has them, `layerN.w_ref` and `layerN.m_steps` (m is m_steps times delta_m of the "
        "layer, but not above its m_max), each with one row per presynaptic neuron. "
        "The metadata are the seed and all keys of the learner. Learners of the model columns have no weights.\n\n"
        "With --small FILE is the whole state of a learner, as one block of bytes that a microcontroller reads "
        "from its flash and continues from, bit for bit.",
    .argument = NAME_FILE,
    .options = export_options,
    .examples = export_examples,
};

static const Example import_examples[] = {
    {"tacos import weights.safetensors model.tacos", "back to a learner"},
    {"tacos import state.bin device.tacos", "what a microcontroller has learned"},
    {NULL, NULL},
};

const Command command_import = {
    .name = "import",
    .group = GROUP_LEARNER,
    .run = cmd_import,
    .about = "create a learner from exported weights",
    .arguments = {2, 2, "FILE and MODEL"},
    .synopsis = "FILE MODEL",
    .text =
        "Reads a file written by `tacos export`, whose weights another program may have changed, "
        "and saves it as MODEL, which must not exist. The feedback weights are drawn again from "
        "the seed, so they are the same; the number of samples learned starts at 0.\n\n"
        "A file of `tacos export --small`, or the state that a microcontroller saved, becomes a learner "
        "with all that it has learned.",
    .argument = NAME_FILE,
    .examples = import_examples,
};
