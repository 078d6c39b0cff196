/* complete.c - walk through the words as the program would. */
#include "help/complete.h"

#include "cli.h"
#include "terminal/print.h"

#include <stdio.h>
#include <string.h>

/* Where the walk is. */
typedef struct Place {
    const Command *command;       /* NULL: not named yet */
    const Subcommand *subcommand; /* NULL: none, or not named yet */
    int n_words;                  /* that are no options, the command not counted */
    const Option *wants;          /* the option whose value comes next, or NULL */
    int only_words;               /* after "--" */
    int lost;                     /* there is no such command */
} Place;

static const Option *options_of(const Place *place) {
    if (!place->command)
        return NULL;
    if (place->subcommand && place->subcommand->options)
        return place->subcommand->options;
    return place->command->options;
}

static WordKind word_of(const Place *place) {
    if (!place->command)
        return WORD_COMMAND;
    return place->subcommand ? place->subcommand->word : place->command->word;
}

/* ---- the walk ---- */

static const Subcommand *find_subcommand(const Command *command, const char *word) {
    for (const Subcommand *s = command->subcommands; s && s->name; s++)
        if (strcmp(s->name, word) == 0)
            return s;
    return NULL;
}

static void pass_word(Place *place, const char *word) {
    if (!place->command) {
        place->command = cli_command(word);
        place->lost = !place->command;
    } else {
        if (place->n_words == 0)
            place->subcommand = find_subcommand(place->command, word);
        place->n_words++;
    }
}

static void pass_option(Place *place, const char *word) {
    if (strcmp(word, "--") == 0)
        place->only_words = 1;
    if (strncmp(word, "--", 2) != 0 || strchr(word, '='))
        return;
    const Option *option = option_find(options_of(place), word + 2);
    place->wants = option && option->argument ? option : NULL;
}

static void pass(Place *place, const char *word) {
    if (place->wants)
        place->wants = NULL; /* this was its value */
    else if (word[0] == '-' && word[1] && !place->only_words)
        pass_option(place, word);
    else
        pass_word(place, word);
}

/* ---- what fits ---- */

/* `lead` stands before the name. */
static void offer(const char *lead, const char *name, const char *typed, const char *about) {
    char word[256];
    (void)snprintf(word, sizeof word, "%s%s", lead, name);
    if (strncmp(word, typed, strlen(typed)) == 0)
        print("%s\t%s\n", word, about);
}

static void offer_words(WordKind kind, const char *lead, const char *typed);

/* KEY=VALUE: keys that may be set, and after '=' what the key may be. */
static void offer_setting(const char *lead, const char *typed) {
    tacos_key_info key;
    for (size_t i = 0; tacos_key(i, &key); i++) {
        char before[128];
        (void)snprintf(before, sizeof before, "%s%s=", lead, key.name);
        if (key.derived)
            continue;
        if (strncmp(typed, before, strlen(before)) != 0) {
            offer(before, "", typed, key.doc);
        } else if (strcmp(key.name, "model") == 0) {
            offer_words(WORD_MODEL, before, typed);
        } else if (strcmp(key.name, "dataset") == 0) {
            offer_words(WORD_DATASET, before, typed);
        } else {
            char *rest = NULL;
            for (char *c = strtok_r(key.choices, ", ", &rest); c; c = strtok_r(NULL, ", ", &rest))
                offer(before, c, typed, "");
        }
    }
}

static void offer_words(WordKind kind, const char *lead, const char *typed) {
    Word word;
    if (kind == WORD_SETTING)
        offer_setting(lead, typed);
    for (size_t i = 0; word_get(kind, i, &word); i++)
        offer(lead, word.name, typed, word.about);
    if (word_is_file(kind))
        puts(":files");
    if (kind == WORD_FOLDER || kind == WORD_FIGURE)
        puts(":folders");
}

static void offer_table(const Option *table, const char *typed) {
    for (const Option *o = table; o && o->name; o++)
        offer("--", o->name, typed, o->text);
}

static void offer_options(const Place *place, const char *typed) {
    offer_table(options_of(place), typed);
    offer_table(options_common, typed);
    if (!place->command)
        offer("--", "version", typed, "print the version");
}

/* "--seed=" and what follows: 1 if it is an option with a value. */
static int offer_value(const Place *place, const char *typed) {
    char name[64], lead[80];
    size_t n = strcspn(typed, "=");
    if (strncmp(typed, "--", 2) != 0 || typed[n] != '=' || n - 2 >= sizeof name)
        return 0;
    (void)snprintf(name, sizeof name, "%.*s", (int)(n - 2), typed + 2);
    (void)snprintf(lead, sizeof lead, "--%s=", name);
    const Option *option = option_find(options_of(place), name);
    if (option && option->argument)
        offer_words(option->word, lead, typed);
    return 1;
}

void complete(int n, char **words) {
    Place place = {0};
    for (int i = 0; i + 1 < n; i++)
        pass(&place, words[i]);
    const char *typed = n > 0 ? words[n - 1] : "";
    if (place.lost)
        return;
    if (place.wants) {
        offer_words(place.wants->word, "", typed);
    } else if (typed[0] == '-' && !place.only_words) {
        if (!offer_value(&place, typed))
            offer_options(&place, typed);
    } else {
        for (const Subcommand *s = place.command ? place.command->subcommands : NULL;
             s && s->name && place.n_words == 0; s++)
            offer("", s->name, typed, s->about);
        offer_words(word_of(&place), "", typed);
    }
}
