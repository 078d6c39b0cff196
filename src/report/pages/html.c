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

void html_config(Text *out, const RunFolder *runs) {
    static const char *const heads[] = {"key",     "value",      "unit", "symbol",
                                        "default", "what it is", NULL};
    html_table_begin(out, "wide config", "Every key of the configuration", heads);
    for (size_t i = 0; i < runs->n_config; i++) {
        const ConfigValue *config = &runs->config[i];
        tacos_key_info key = {
            .unit = "", .symbol = "", .default_value = "", .doc = "a key unknown to this version"};
        bool known = runs_find_key(config->key, &key);
        bool derived = known && key.derived;
        bool same = known && (derived || strcmp(key.default_value, config->value) == 0);
        html_row_begin(out, same ? "dim" : NULL);
        html_row_head(out, config->key);
        html_cell_code(out, config->value);
        html_cell(out, key.unit);
        html_cell(out, key.symbol);
        html_cell_code(out, derived ? "derived" : key.default_value);
        html_cell(out, key.doc);
        html_row_end(out);
    }
    html_table_end(out);
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

void html_command(Text *out, const RunFolder *runs) {
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
    text_add(out, "<div class=\"card wide\"><h3>Run it again</h3>\n");
    add_code(out, "command", text_bytes(&command));
    if (file.n > 0) {
        text_add(out, "<p>where the file contains</p>\n");
        add_code(out, "conf", text_bytes(&file));
    }
    if (!runs->known)
        text_add(out,
                 "<p>It was made by another version: some of its keys are unknown here.</p>\n");
    text_add(out, "</div>\n");
    out->failed |= command.failed || file.failed;
    text_free(&command);
    text_free(&file);
    tacos_experiment_free(base);
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
