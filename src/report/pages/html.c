/* html.c - writes tables, facts and commands of a page. */
#include "report/pages/html.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- tables ---- */

void html_table_begin(Text *out, const char *class, const char *caption, const char *const *heads) {
    text_format(out, "<div class=\"card table %s\" role=\"region\" tabindex=\"0\" aria-label=\"",
                class);
    text_escape(out, caption);
    text_wrap(out, "\"><table class=\"sortable\"><caption>", caption, "</caption><thead><tr>");
    for (; *heads; heads++) {
        bool number = **heads == NUMBERS[0];
        text_format(out, "<th scope=\"col\"%s>", number ? " class=\"n\"" : "");
        text_escape(out, *heads + number);
        text_add(out, "</th>");
    }
    text_add(out, "</tr></thead><tbody>\n");
}

void html_table_end(Text *out) {
    text_add(out, "</tbody></table></div>\n");
}

void html_row_begin(Text *out, const char *class) {
    if (class)
        text_format(out, "<tr class=\"%s\">", class);
    else
        text_add(out, "<tr>");
}

void html_row_end(Text *out) {
    text_add(out, "</tr>\n");
}

void html_row_head(Text *out, const char *words) {
    text_wrap(out, "<th scope=\"row\">", words, "</th>");
}

void html_cell(Text *out, const char *words) {
    text_wrap(out, "<td>", words, "</td>");
}

void html_cell_code(Text *out, const char *words) {
    text_wrap(out, "<td><code>", words, "</code></td>");
}

void html_summary(Text *out, tacos_summary value, int digits) {
    if (value.n == 0) {
        text_add(out, "\xe2\x80\x93");
        return;
    }
    text_format(out, "%.*f", digits, value.mean);
    if (value.n > 1)
        text_format(out, " <span class=\"sd\">\xc2\xb1 %.*f</span>", digits, value.sd);
}

void html_cell_summary(Text *out, tacos_summary value, int digits, bool best) {
    text_format(out, "<td class=\"n%s\"", best ? " best" : "");
    if (value.n > 0)
        text_format(out, " data-v=\"%.10g\"", value.mean);
    text_add(out, ">");
    html_summary(out, value, digits);
    if (best)
        text_add(out, "<span class=\"hidden\"> (best)</span>");
    text_add(out, "</td>");
}

void html_cell_number(Text *out, double value, int digits) {
    html_cell_summary(out, (tacos_summary){isfinite(value) ? 1 : 0, value, 0}, digits, false);
}

void html_fact(Text *out, const char *name, const char *words) {
    text_wrap(out, "<div><dt>", name, "</dt><dd>");
    text_escape(out, words);
    text_add(out, "</dd></div>");
}

/* ---- configuration ---- */

/* A key, also one that this version does not know. */
static tacos_key_info key_of(const ConfigValue *config, bool *known) {
    tacos_key_info key = {
        .unit = "", .symbol = "", .default_value = "", .doc = "a key unknown to this version"};
    *known = runs_find_key(config->key, &key);
    return key;
}

/* Nobody chose it. */
static bool is_default(const ConfigValue *config) {
    bool known;
    tacos_key_info key = key_of(config, &known);
    return known && (key.derived || strcmp(key.default_value, config->value) == 0);
}

static void add_key(Text *out, const ConfigValue *config) {
    bool known;
    tacos_key_info key = key_of(config, &known);
    html_row_begin(out, NULL);
    html_row_head(out, config->key);
    html_cell_code(out, config->value);
    html_cell(out, key.unit);
    html_cell(out, key.symbol);
    html_cell_code(out, known && key.derived ? "derived" : key.default_value);
    html_cell(out, key.doc);
    html_row_end(out);
}

/* The keys at their defaults, or the others; returns how many there are. */
static size_t add_keys(Text *out, const RunFolder *runs, const char *caption, bool defaults) {
    static const char *const heads[] = {"key",     "value",      "unit", "symbol",
                                        "default", "what it is", NULL};
    size_t n = 0;
    html_table_begin(out, "wide config", caption, heads);
    for (size_t i = 0; i < runs->n_config; i++)
        if (is_default(&runs->config[i]) == defaults) {
            add_key(out, &runs->config[i]);
            n++;
        }
    html_table_end(out);
    return n;
}

void html_config(Text *out, const RunFolder *runs) {
    Text rows = {0};
    if (add_keys(&rows, runs, "Keys that are not at their default", false) > 0)
        text_add(out, text_bytes(&rows));
    out->failed |= rows.failed;
    text_free(&rows);
    size_t n = add_keys(&rows, runs, "Keys at their default", true);
    text_format(out, "<details class=\"wide\"><summary>%zu keys at their default</summary>\n", n);
    text_add(out, text_bytes(&rows));
    text_add(out, "</details>\n");
    out->failed |= rows.failed;
    text_free(&rows);
}

static bool is_shared(const RunFolder *runs, size_t n, const ConfigValue *config) {
    for (size_t i = 1; i < n; i++) {
        const char *value = runs_config(&runs[i], config->key);
        if (!value || strcmp(value, config->value) != 0)
            return false;
    }
    return true;
}

void html_chips(Text *out, const RunFolder *runs, size_t n) {
    bool any = false;
    for (size_t i = 0; i < runs[0].n_config; i++) {
        const ConfigValue *config = &runs[0].config[i];
        if (is_default(config) || !is_shared(runs, n, config))
            continue;
        if (!any)
            text_add(out, "<ul class=\"chips\" aria-label=\"Keys that are not at their default\">");
        any = true;
        text_wrap(out, "<li>", config->key, " = ");
        text_wrap(out, "", config->value, "</li>");
    }
    if (any)
        text_add(out, "</ul>");
}

/* ---- running it again ---- */

/* A word of a command line, quoted if necessary. */
static void add_word(Text *out, const char *word) {
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@%+=:,./-";
    if (word[0] && strspn(word, plain) == strlen(word)) {
        text_add(out, word);
        return;
    }
    text_add(out, "'");
    for (; *word; word++)
        text_add_bytes(out, *word == '\'' ? "'\\''" : word, *word == '\'' ? 4 : 1);
    text_add(out, "'");
}

/* The built-in experiment of this name; never a file, whose name may be anything. */
static bool open_builtin(const char *name, tacos_experiment **out) {
    tacos_experiment_info info;
    for (size_t i = 0; tacos_experiment_builtin(i, &info); i++)
        if (strcmp(info.name, name) == 0)
            return tacos_experiment_open(out, name, NULL) == TACOS_OK;
    return false;
}

/* The keys that differ from `base` (NULL: from the defaults), as options or as lines of a file. */
static void add_differences(Text *out, const RunFolder *runs, const tacos_experiment *base,
                            bool as_lines) {
    char theirs[VALUE_SIZE];
    for (size_t i = 0; i < runs->n_config; i++) {
        const ConfigValue *config = &runs->config[i];
        tacos_key_info key;
        if (!runs_find_key(config->key, &key) || key.derived)
            continue;
        if (!base)
            (void)snprintf(theirs, sizeof theirs, "%s", key.default_value);
        else if (tacos_experiment_get(base, config->key, theirs, sizeof theirs, NULL) != TACOS_OK)
            continue;
        if (strcmp(theirs, config->value) == 0)
            continue;
        text_add(out, as_lines ? "" : " --set ");
        Text word = {0};
        text_format(&word, as_lines ? "%s = %s\n" : "%s=%s", config->key, config->value);
        if (as_lines)
            text_add(out, text_bytes(&word));
        else
            add_word(out, text_bytes(&word));
        text_free(&word);
    }
}

static void add_seeds(Text *out, const RunFolder *runs) {
    if (runs->n_wanted > 1 || runs->n_runs > 1)
        text_format(out, " --seeds %zu",
                    runs->n_wanted > runs->n_runs ? runs->n_wanted : runs->n_runs);
    else if (runs->runs[0].seed != 1)
        text_format(out, " --seed %u", runs->runs[0].seed);
}

static void add_code(Text *out, const char *class, const char *words) {
    text_format(out, "<pre class=\"%s\" tabindex=\"0\"><code>", class);
    text_escape(out, words);
    text_add(out, "</code></pre>\n");
}

static void add_command(Text *out, const RunFolder *runs) {
    Text command = {0}, file = {0};
    tacos_experiment *base = NULL;
    text_add(&command, "tacos run ");
    if (open_builtin(runs->name, &base)) {
        add_word(&command, runs->name);
        add_differences(&command, runs, base, false);
    } else {
        Text path = {0};
        text_format(&path, "./%s.conf", runs->name);
        add_word(&command, text_bytes(&path));
        text_free(&path);
        add_differences(&file, runs, NULL, true);
    }
    add_seeds(&command, runs);
    add_code(out, "command", text_bytes(&command));
    if (file.n > 0) {
        text_add(out, "<p>where the file contains</p>\n");
        add_code(out, "conf", text_bytes(&file));
    }
    if (!runs->known)
        text_add(out,
                 "<p>It was made by another version: some of its keys are unknown here.</p>\n");
    out->failed |= command.failed || file.failed;
    text_free(&command);
    text_free(&file);
    tacos_experiment_free(base);
}

void html_commands(Text *out, const RunFolder *runs, size_t n) {
    text_format(out, "<div class=\"card wide\"><h3>Run %s again</h3>\n", n == 1 ? "it" : "them");
    for (size_t i = 0; i < n; i++)
        add_command(out, &runs[i]);
    text_add(out, "</div>\n");
}

/* ---- metrics ---- */

void html_metrics(Text *out) {
    text_add(out, "<div class=\"card wide\"><dl class=\"words\">");
#define METRIC(name, text) html_fact(out, #name, text);
    TACOS_METRIC_MAP(METRIC)
#undef METRIC
    html_fact(out, "MO",
              "memory kept across tasks, relative to the plain network of the same shape");
    text_add(out,
             "</dl><p>All are in percent or percentage points, except MO. The key silence sets "
             "the prediction for a sample on which no output spikes.</p></div>\n");
}
