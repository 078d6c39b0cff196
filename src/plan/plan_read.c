/* plan_read.c - parses a plan file: the plan's keys, the experiment's, and the sections. */
#include "base/array.h"
#include "base/files.h"
#include "base/decimal.h"
#include "plan/section.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SECTIONS_MAX = 1000 };

#define AT(field) offsetof(PlanParams, field)

enum { EXPERIMENT, SEEDS, SAMPLING, CONFIGURATIONS, SAMPLING_SEED, HALVING, RUNGS, N_KEYS };

static const Key keys[N_KEYS] = {
    [EXPERIMENT] = {"experiment", KEY_TEXT, AT(experiment), 0, 0, "", "", "",
                    "what is varied: a built-in experiment, or a .conf file beside the plan", NULL},
    [SEEDS] = {"seeds", KEY_TEXT, AT(seeds), 0, 0, "", "", "1",
               "of each configuration: 5 is 1 to 5; or a list, like 1,3,7-9", NULL},
    [SAMPLING] = {"sampling", KEY_CHOICE, AT(sampling), 0, 0, "", "", "grid",
                  "grid takes all combinations of levels, the others points between the ends",
                  sampling_names},
    [CONFIGURATIONS] = {"configurations", KEY_COUNT, AT(n_configs), 1, 1e9, "", "", "1",
                        "points of a section, where sampling is not grid", NULL},
    [SAMPLING_SEED] = {"sampling_seed", KEY_COUNT, AT(sampling_seed), 0, UINT32_MAX, "", "", "1",
                       "another seed gives other points", NULL},
    [HALVING] = {"halving", KEY_COUNT, AT(halving), 0, 1000, "", "", "0",
                 "keep the best one of so many configurations at each rung; 0 keeps all", NULL},
    [RUNGS] = {"rungs", KEY_COUNTS, AT(rungs), 1, TASKS_MAX, "", "", "none",
               "after how many tasks to halve; none for 2, 4, 8 ... below the number of tasks",
               NULL},
};

const KeyTable plan_table = {keys, N_KEYS};

/* State of the parser. */
typedef struct Reader {
    Plan *plan;
    size_t line;        /* current */
    size_t own[N_KEYS]; /* the line of each plan key; 0: not given */
    Experiment scratch; /* to try values on */
} Reader;

/* ---- seeds ---- */

static int compare_seeds(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

tacos_status plan_sort_seeds(Plan *plan, tacos_error *err) {
    qsort(plan->seeds, plan->n_seeds, sizeof *plan->seeds, compare_seeds);
    for (size_t i = 1; i < plan->n_seeds; i++)
        if (plan->seeds[i] == plan->seeds[i - 1])
            return failure(err, TACOS_INVALID, "seed %u is given twice", plan->seeds[i]);
    return TACOS_OK;
}

static tacos_status read_seed(const char **at, uint32_t *out, tacos_error *err) {
    char *end;
    *at += strspn(*at, " \t");
    if (**at < '0' || **at > '9')
        return failure(err, TACOS_INVALID,
                       "seeds are whole numbers, like 5, 1-5 or 1,3,7-9; expected one %s%.20s",
                       **at ? "before " : "at the end", *at);
    unsigned long long value = strtoull(*at, &end, 10);
    if (value > UINT32_MAX)
        return failure(err, TACOS_RANGE, "seed %.30s is above %u", *at, UINT32_MAX);
    *at = end + strspn(end, " \t");
    *out = (uint32_t)value;
    return TACOS_OK;
}

static tacos_status add_seeds(Plan *plan, uint32_t low, uint32_t high, tacos_error *err) {
    if (low > high)
        return failure(err, TACOS_RANGE, "seeds: the range %u-%u is empty", low, high);
    if (plan->n_seeds + (high - low) >= TACOS_SEEDS_MAX)
        return failure(err, TACOS_RANGE, "seeds: at most %d are allowed", TACOS_SEEDS_MAX);
    for (uint64_t seed = low; seed <= high; seed++)
        plan->seeds[plan->n_seeds++] = (uint32_t)seed;
    return TACOS_OK;
}

/* "5" for 1 to 5, "1-5" or "1,3,7-9". */
static tacos_status read_seeds(Plan *plan, const char *text, tacos_error *err) {
    bool list = strpbrk(text, ",-") != NULL;
    plan->seeds = calloc(TACOS_SEEDS_MAX, sizeof *plan->seeds);
    if (!plan->seeds)
        return failure(err, TACOS_MEMORY, "no memory for seeds");
    for (const char *at = text;;) {
        uint32_t low = 0;
        TRY(read_seed(&at, &low, err));
        uint32_t high = low;
        if (*at == '-') {
            at++;
            TRY(read_seed(&at, &high, err));
        }
        TRY(add_seeds(plan, list ? low : 1, high, err));
        if (*at == '\0')
            return plan_sort_seeds(plan, err);
        if (*at++ != ',')
            return failure(err, TACOS_INVALID, "seeds: expected a comma before '%.20s'", at - 1);
    }
}

/* ---- lines ---- */

/* A key that an experiment file may set, or NULL. */
static const Key *find_key(const char *name) {
    ExperimentKey found;
    return experiment_key(name, &found) ? found.key : NULL;
}

/* Why there is no such key; suggests the nearest one of the first n_tables tables. */
static tacos_status fail_key(Reader *reader, const char *name, size_t n_tables, tacos_error *err) {
    const KeyTable *tables[EXPERIMENT_TABLES + 1];
    for (size_t t = 0; t < EXPERIMENT_TABLES; t++)
        tables[t] = experiment_tables[t];
    tables[EXPERIMENT_TABLES] = &plan_table;
    if (experiment_derives(name))
        return tacos_experiment_set(&reader->scratch, name, "", err);
    return keys_fail_unknown(tables, n_tables, experiment_derives, name, err);
}

static tacos_status check_times(Reader *reader, const PlanLine *line, tacos_error *err) {
    for (size_t i = 0; i < line->pattern.n; i++) {
        const Piece *piece = &line->pattern.pieces[i];
        if (piece->kind != PIECE_TIMES)
            continue;
        const Key *source = find_key(piece->text);
        if (!source)
            return fail_key(reader, piece->text, EXPERIMENT_TABLES, err);
        if (source == line->key)
            return failure(err, TACOS_INVALID, "%s cannot be a multiple of itself", source->name);
        if (source->type != KEY_REAL && source->type != KEY_COUNT)
            return failure(err, TACOS_INVALID,
                           "%s: times(%s, %s) is not possible: %s is not a number", line->key->name,
                           REAL(piece->low), source->name, source->name);
    }
    return TACOS_OK;
}

static tacos_status fail_twice(const char *name, size_t line, tacos_error *err) {
    return failure(err, TACOS_INVALID, "%s is set twice, first in line %zu", name, line);
}

static tacos_status add_line(Reader *reader, const char *name, const char *value,
                             tacos_error *err) {
    Plan *plan = reader->plan;
    PlanSection *section = plan->n_sections ? &plan->sections[plan->n_sections - 1] : NULL;
    size_t *n = section ? &section->n_lines : &plan->n_common;
    const Key *key = find_key(name);
    if (!key)
        return fail_key(reader, name, EXPERIMENT_TABLES + 1, err);
    if (!array_grow(&plan->lines, &plan->lines_room, plan->n_lines + 1, sizeof *plan->lines))
        return failure(err, TACOS_MEMORY, "no memory for the plan");
    PlanLine *line = &plan->lines[plan->n_lines];
    const PlanLine *before = line_find(line - *n, *n, key);
    if (before)
        return fail_twice(name, before->number, err);
    *line = (PlanLine){.number = reader->line, .key = key};
    TRY(pattern_parse(&line->pattern, name, value, err));
    plan->n_lines++;
    ++*n;
    if (line_varies(line))
        return check_times(reader, line, err);
    return tacos_experiment_set(&reader->scratch, name, value, err);
}

static tacos_status check_own(const Plan *plan, size_t k, tacos_error *err) {
    const Counts *rungs = &plan->params.rungs;
    if (k == HALVING && plan->params.halving == 1)
        return failure(
            err, TACOS_INVALID,
            "halving = 1 would keep every configuration: use 0 for that; 2 or more keeps "
            "the best one of so many");
    for (size_t i = 1; k == RUNGS && i < rungs->n; i++)
        if (rungs->value[i - 1] >= rungs->value[i])
            return failure(err, TACOS_INVALID, "rungs must ascend: %zu comes before %zu",
                           rungs->value[i - 1], rungs->value[i]);
    return TACOS_OK;
}

static tacos_status set_own(Reader *reader, const Key *key, const char *value, tacos_error *err) {
    Plan *plan = reader->plan;
    size_t k = (size_t)(key - keys);
    if (plan->n_sections > 0)
        return failure(err, TACOS_INVALID,
                       "%s is for the whole plan: it must come before the first section",
                       key->name);
    if (reader->own[k])
        return fail_twice(key->name, reader->own[k], err);
    reader->own[k] = reader->line;
    TRY(key_set(key, &plan->params, value, err));
    return k == SEEDS ? read_seeds(plan, value, err) : check_own(plan, k, err);
}

static tacos_status set_line(void *user, const char *name, const char *value, tacos_error *err) {
    const Key *own = keys_find(plan_table, name);
    return own ? set_own(user, own, value, err) : add_line(user, name, value, err);
}

static tacos_status add_section(void *user, const char *name, tacos_error *err) {
    Plan *plan = ((Reader *)user)->plan;
    for (size_t s = 0; s < plan->n_sections; s++)
        if (strcmp(plan->sections[s].start.name, name) == 0)
            return failure(err, TACOS_INVALID, "duplicate section [%s]", name);
    if (plan->n_sections == SECTIONS_MAX)
        return failure(err, TACOS_RANGE, "at most %d sections are allowed", SECTIONS_MAX);
    if (!array_grow(&plan->sections, &plan->sections_room, plan->n_sections + 1,
                    sizeof *plan->sections))
        return failure(err, TACOS_MEMORY, "no memory for the plan");
    PlanSection *section = &plan->sections[plan->n_sections++];
    memset(section, 0, sizeof *section);
    section->first_line = plan->n_lines;
    (void)snprintf(section->start.name, sizeof section->start.name, "%s", name);
    return TACOS_OK;
}

/* ---- the whole ---- */

/* An error in how lines combine, reported at the line of one of the plan's keys. */
static tacos_status fail_own(const Reader *reader, size_t k, const char *sentence,
                             tacos_error *err) {
    tacos_error inner;
    (void)failure(&inner, TACOS_INVALID, "%s", sentence);
    return keys_fail_line(reader->plan->source, reader->own[k], &inner, err);
}

static tacos_status check_together(const Reader *reader, tacos_error *err) {
    const PlanParams *params = &reader->plan->params;
    bool grid = params->sampling == SAMPLING_GRID, counted = reader->own[CONFIGURATIONS] > 0;
    if (!reader->own[EXPERIMENT])
        return failure(err, TACOS_INVALID,
                       "%.200s: a line 'experiment = NAME' must say what is varied",
                       reader->plan->source);
    if (grid && counted)
        return fail_own(reader, CONFIGURATIONS,
                        "configurations is not for a grid, which has all combinations of its "
                        "levels: leave it out, or set sampling",
                        err);
    if (!grid && !counted)
        return fail_own(reader, SAMPLING,
                        "a line 'configurations = N' must say how many points to take", err);
    if (params->rungs.n > 0 && params->halving == 0)
        return fail_own(reader, RUNGS, "rungs are for halving, which is not set", err);
    return TACOS_OK;
}

/* Paths in a plan are relative to the plan's folder. */
static tacos_status open_base(const Reader *reader, Experiment **out, tacos_error *err) {
    const Plan *plan = reader->plan;
    const char *name = plan->params.experiment, *slash = strrchr(plan->source, '/');
    bool beside = builtin_is_path(name) && name[0] != '/' && slash;
    char path[OUTPUT_PATH_MAX];
    tacos_error inner;
    int n = snprintf(path, sizeof path, "%.*s%s", beside ? (int)(slash + 1 - plan->source) : 0,
                     plan->source, name);
    if (n < 0 || (size_t)n >= sizeof path)
        return fail_own(reader, EXPERIMENT, "the path of the experiment is too long", err);
    if (tacos_experiment_open(out, path, &inner) != TACOS_OK)
        return keys_fail_line(plan->source, reader->own[EXPERIMENT], &inner, err);
    return TACOS_OK;
}

static tacos_status fail_rung(const Reader *reader, size_t n_tasks, tacos_error *err) {
    const Counts *rungs = &reader->plan->params.rungs;
    char sentence[128];
    (void)snprintf(sentence, sizeof sentence,
                   "the last rung, %zu, must be below the number of tasks, %zu",
                   rungs->value[rungs->n - 1], n_tasks);
    return fail_own(reader, RUNGS, sentence, err);
}

/* Check a configuration against the conditions of halving. */
static tacos_status check_config(const void *user, const Experiment *config, tacos_error *err) {
    const Reader *reader = user;
    const Counts *rungs = &reader->plan->params.rungs;
    Tasks tasks;
    if (reader->plan->params.halving == 0)
        return TACOS_OK;
    if (config->params.validation == 0)
        return fail_own(reader, HALVING,
                        "halving must not use the test images: it needs validation above 0, "
                        "like 0.1",
                        err);
    TRY(experiment_tasks(config, &tasks, err));
    if (tasks.random)
        return fail_own(reader, HALVING,
                        "halving runs the first of the tasks that are listed; random ones are not",
                        err);
    if (rungs->n > 0 && rungs->value[rungs->n - 1] >= tasks.n)
        return fail_rung(reader, tasks.n, err);
    return TACOS_OK;
}

static tacos_status lay_out(Reader *reader, const Experiment *base, tacos_error *err) {
    Plan *plan = reader->plan;
    Experiment config;
    if (plan->n_sections == 0)
        TRY(add_section(reader, base->name, err));
    for (size_t s = 0; s < plan->n_sections; s++) {
        PlanSection *section = &plan->sections[s];
        TRY(section_lay_out(section, plan, base, (uint32_t)s, err));
        TRY(section_check(section, plan, check_config, reader, err));
        plan->n_configs += section->n_configs;
    }
    TRY(plan_check_runs(plan, plan->n_seeds, err));
    TRY(plan_config(plan, 0, &config, err));
    return plan_config(plan, plan->n_configs - 1, &config, err);
}

tacos_status plan_read(Plan *plan, const char *text, tacos_error *err) {
    Reader reader = {.plan = plan};
    Experiment *base = NULL;
    keys_defaults(plan_table, &plan->params);
    TRY(keys_parse_sections(text, plan->source, set_line, add_section, &reader, &reader.line, err));
    TRY(check_together(&reader, err));
    if (!plan->seeds)
        TRY(read_seeds(plan, plan->params.seeds, err));
    TRY(open_base(&reader, &base, err));
    tacos_status status = lay_out(&reader, base, err);
    free(base);
    return status;
}
