/* parts.c - reads how each part was made, and opens its runs. */
#include "paper/report/parts.h"

#include "base/files.h"
#include "report/input/json_in.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { SCHEMA_VERSION = 1 };

static const char FUNCTION[] = "function";

/* ---- files ---- */

static bool is_in(const char *folder, const char *name) {
    char path[OUTPUT_PATH_MAX];
    return path_join(path, folder, name, ".json", NULL) == TACOS_OK && access(path, F_OK) == 0;
}

bool parts_are_in(const char *folder) {
    tacos_paper_part part;
    for (size_t i = 0; tacos_paper_part_get(i, &part); i++)
        if (is_in(folder, part.name))
            return true;
    return is_in(folder, FUNCTION);
}

static tacos_status check_schema(JsonPlace top, tacos_error *err) {
    const char *schema = json_string_value(json_object_get(top.at, "schema"));
    uint64_t version = 0;
    if (!schema || strcmp(schema, "tacos-reproduction") != 0)
        return failure(err, TACOS_FORMAT, "%s was not written by `tacos reproduce`", top.path);
    TRY(json_in_whole(top, "schema_version", INT32_MAX, &version, err));
    if (version != SCHEMA_VERSION)
        return failure(err, TACOS_VERSION, "%s has schema version %llu; supported is %d", top.path,
                       (unsigned long long)version, SCHEMA_VERSION);
    return TACOS_OK;
}

/* Apply the settings of the file to the part's plan. */
static tacos_status set_up(tacos_plan *plan, JsonPlace top, bool quick, tacos_error *err) {
    uint64_t seeds = 0;
    JsonPlace set;
    const char *key, *text;
    json_t *value;
    if (quick)
        tacos_plan_set_quick(plan);
    TRY(json_in_whole(top, "seeds", TACOS_SEEDS_MAX, &seeds, err));
    if (seeds > 0)
        TRY(tacos_plan_set_seeds(plan, (uint32_t)seeds, err));
    TRY(json_in_object(top, "set", &set, err));
    json_object_foreach((json_t *)set.at, key, value) {
        TRY(json_in_text(set, key, &text, err));
        TRY(tacos_plan_set(plan, key, text, err));
    }
    return TACOS_OK;
}

static tacos_status open_numbers(Parts *parts, const tacos_paper_part *of, JsonPlace top,
                                 tacos_error *err) {
    char path[OUTPUT_PATH_MAX];
    const char *store;
    tacos_plan *plan;
    Part *part = &parts->parts[parts->n];
    const json_t *quick = json_object_get(top.at, "quick");
    if (!json_is_boolean(quick))
        return failure(err, TACOS_FORMAT, "%s is damaged: 'quick' is not true or false", top.path);
    parts->quick |= json_is_true(quick);
    TRY(json_in_text(top, "store", &store, err));
    TRY(path_join(path, parts->folder, store, "", err));
    *part = (Part){.of = *of};
    TRY(tacos_plan_open(&plan, of->plan, err));
    tacos_status status = set_up(plan, top, json_is_true(quick), err);
    if (status == TACOS_OK)
        status = tacos_reproduction_open(&part->numbers, of->name, plan, path, err);
    tacos_plan_free(plan);
    parts->n += status == TACOS_OK;
    return status;
}

static tacos_status open_part(Parts *parts, const tacos_paper_part *of, tacos_error *err) {
    char path[OUTPUT_PATH_MAX];
    json_t *root;
    if (!is_in(parts->folder, of->name))
        return TACOS_OK;
    TRY(path_join(path, parts->folder, of->name, ".json", err));
    TRY(json_in_file(&root, path, err));
    JsonPlace top = {path, "the file", root};
    tacos_status status = check_schema(top, err);
    if (status == TACOS_OK)
        status = open_numbers(parts, of, top, err);
    json_decref(root);
    return status;
}

tacos_status parts_open(Parts *out, const char *folder, tacos_error *err) {
    tacos_paper_part part;
    tacos_status status = TACOS_OK;
    *out = (Parts){.folder = folder, .function = is_in(folder, FUNCTION)};
    for (size_t i = 0; status == TACOS_OK && tacos_paper_part_get(i, &part) && out->n < PARTS_MAX;
         i++)
        status = open_part(out, &part, err);
    if (status != TACOS_OK)
        parts_free(out);
    return status;
}

void parts_free(Parts *parts) {
    for (size_t i = 0; i < parts->n; i++) {
        tacos_reproduction_free(parts->parts[i].numbers);
        part_table_free(parts->parts[i].table);
    }
    *parts = (Parts){0};
}

tacos_status parts_missing(const Parts *parts, const char *name, tacos_error *err) {
    return failure(err, TACOS_MISSING, "%s has no %s.json; `tacos reproduce %s --out %s` makes it",
                   parts->folder, name, name, parts->folder);
}

tacos_status parts_find(const Parts *parts, const char *name, const Part **out, tacos_error *err) {
    for (size_t i = 0; i < parts->n; i++)
        if (strcmp(parts->parts[i].of.name, name) == 0) {
            *out = &parts->parts[i];
            return TACOS_OK;
        }
    return parts_missing(parts, name, err);
}

/* ---- cells ---- */

const tacos_cell *part_number(const Part *part, size_t i) {
    return part->numbers ? tacos_reproduction_cell(part->numbers, i)
                         : part_table_cell(part->table, i);
}

const tacos_cell *part_cell(const Part *part, const char *section, const char *metric,
                            int after_task, size_t layer_or_class) {
    const tacos_cell *cell, *found = NULL;
    for (size_t i = 0; (cell = part_number(part, i)); i++) {
        if (strcmp(cell->section, section) != 0 || strcmp(cell->metric, metric) != 0 ||
            cell->part != layer_or_class)
            continue;
        if (after_task == LAST_TASK ? !found || cell->after_task > found->after_task
                                    : cell->after_task == (size_t)after_task)
            found = cell;
    }
    return found;
}

tacos_summary cell_summary(const tacos_cell *cell) {
    return cell && cell->here.n > 0 ? cell->here : (tacos_summary){0, NAN, 0};
}

/* ---- sections ---- */

const char *const section_datasets[DATASETS] = {"mnist", "fashion"};

static void add_section(Sections *sections, const char *name) {
    for (size_t i = 0; i < sections->n; i++)
        if (strcmp(sections->names[i], name) == 0)
            return;
    if (sections->n < SECTIONS_MAX)
        sections->names[sections->n++] = name;
}

Sections sections_of_cells(const Part *part) {
    Sections out = {0};
    const tacos_cell *cell;
    for (size_t i = 0; (cell = part_number(part, i)); i++)
        add_section(&out, cell->section);
    return out;
}

Sections sections_of_runs(const Part *part) {
    Sections out = {0};
    const char *section;
    for (size_t i = 0; part->numbers && tacos_reproduction_run(part->numbers, i, &section); i++)
        add_section(&out, section);
    return out;
}

static bool begins(const char *name, const char *with) {
    return strncmp(name, with, strlen(with)) == 0;
}

static unsigned section_colour(const Sections *sections, size_t i) {
    unsigned fixed = 0, other = 0;
    if (strcmp(sections->names[i], "snn") == 0)
        return PALETTE_SIZE - 1;
    for (size_t k = 0; k < i; k++) {
        fixed += begins(sections->names[k], "fixed");
        other += !begins(sections->names[k], "fixed") && strcmp(sections->names[k], "snn") != 0;
    }
    return begins(sections->names[i], "fixed") ? PALETTE_SIZE + fixed % PALETTE_SIZE
                                               : other % (PALETTE_SIZE - 1);
}

void sections_add_keys(Figure *figure, const Sections *sections, LegendMark mark) {
    for (size_t i = 0; i < sections->n; i++)
        (void)figure_key(figure, mark, section_colour(sections, i), sections->names[i]);
}

/* The section's name without its data set. */
static void model_of(const char *section, char out[64]) {
    size_t n = strlen(section);
    for (size_t d = 0; d < DATASETS; d++) {
        size_t k = strlen(section_datasets[d]);
        if (n > k + 1 && section[n - k - 1] == ' ' &&
            strcmp(section + n - k, section_datasets[d]) == 0) {
            (void)snprintf(out, 64, "%.*s", (int)(n - k - 1), section);
            return;
        }
    }
    (void)snprintf(out, 64, "%s", section);
}

void sections_models(const Sections *sections, Models *out) {
    char name[64];
    out->n = 0;
    for (size_t i = 0; i < sections->n; i++) {
        size_t k = 0;
        model_of(sections->names[i], name);
        while (k < out->n && strcmp(out->names[k], name) != 0)
            k++;
        if (k == out->n)
            strcpy(out->names[out->n++], name);
    }
}
