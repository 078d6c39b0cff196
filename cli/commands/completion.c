/* completion.c - `tacos completion`: shell scripts, and the completions that they ask for.
 *
 * The scripts only know how to ask: `tacos completion --words -- WORD...` answers from the
 * program's tables, so they are never out of date. */
#include "cli.h"
#include "tacos_stream.h"
#include "terminal/print.h"

#include <stdio.h>
#include <string.h>

/* What the words so far mean. */
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

static NameKind argument_of(const Place *place) {
    if (!place->command)
        return NAME_COMMAND;
    return place->subcommand ? place->subcommand->argument : place->command->argument;
}

/* ---- the words before the cursor ---- */

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

/* ---- completions ---- */

/* Print a completion if it starts with what was typed; `lead` comes before the name. */
static void offer(const char *lead, const char *name, const char *typed, const char *about) {
    char word[256];
    (void)snprintf(word, sizeof word, "%s%s", lead, name);
    if (strncmp(word, typed, strlen(typed)) == 0)
        print("%s\t%s\n", word, about);
}

static void offer_names(NameKind kind, const char *lead, const char *typed);

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
            offer_names(NAME_MODEL, before, typed);
        } else if (strcmp(key.name, "dataset") == 0) {
            offer_names(NAME_DATASET, before, typed);
        } else {
            char *rest = NULL;
            for (char *c = strtok_r(key.choices, ", ", &rest); c; c = strtok_r(NULL, ", ", &rest))
                offer(before, c, typed, "");
        }
    }
}

/* The same for keys that only classifiers have, and those of learners. */
static void offer_stream_setting(const char *lead, const char *typed) {
    tacos_classifier_key_info key;
    for (size_t i = 0; tacos_classifier_key(i, &key); i++) {
        char before[128];
        (void)snprintf(before, sizeof before, "%s%s=", lead, key.name);
        offer(before, "", typed, key.about);
    }
    offer_setting(lead, typed);
}

static void offer_names(NameKind kind, const char *lead, const char *typed) {
    Name name;
    if (kind == NAME_SETTING)
        offer_setting(lead, typed);
    if (kind == NAME_STREAM_SETTING)
        offer_stream_setting(lead, typed);
    for (size_t i = 0; name_get(kind, i, &name); i++)
        offer(lead, name.name, typed, name.about);
    if (name_is_file(kind))
        puts(":files");
    if (kind == NAME_FOLDER || kind == NAME_FIGURE)
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
        offer_names(option->value, lead, typed);
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
        offer_names(place.wants->value, "", typed);
    } else if (typed[0] == '-' && !place.only_words) {
        if (!offer_value(&place, typed))
            offer_options(&place, typed);
    } else {
        for (const Subcommand *s = place.command ? place.command->subcommands : NULL;
             s && s->name && place.n_words == 0; s++)
            offer("", s->name, typed, s->about);
        offer_names(argument_of(&place), "", typed);
    }
}

static const char bash[] =
    "# Completion of tacos for bash. In ~/.bashrc: . <(tacos completion bash)\n"
    "_tacos() {\n"
    "    local tacos=${COMP_WORDS[0]/#\\~/$HOME} word glued='' cut='' i\n"
    "    local -a words=()\n"
    "    COMPREPLY=()\n"
    "    # bash takes `model=snn` for three words\n"
    "    for ((i = 1; i <= COMP_CWORD; i++)); do\n"
    "        word=${COMP_WORDS[i]}\n"
    "        if ((${#words[@]})) && [[ $word == '=' || $glued ]]; then\n"
    "            words[-1]+=$word\n"
    "        else\n"
    "            words+=(\"$word\")\n"
    "        fi\n"
    "        glued=''\n"
    "        [[ $word == '=' ]] && glued=1\n"
    "    done\n"
    "    word=${words[-1]}\n"
    "    [[ $word == *=* && $COMP_WORDBREAKS == *=* ]] && cut=${word%\"${word##*=}\"}\n"
    "    while IFS=$'\\t' read -r word _; do\n"
    "        case $word in\n"
    "        :files | :folders)\n"
    "            [[ $word == :files ]] && i=-f || i=-d\n"
    "            word=${words[-1]}\n"
    "            [[ $word == --*=* ]] && word=${word#*=}\n"
    "            while read -r word; do\n"
    "                COMPREPLY+=(\"${word#\"${cut#--*=}\"}\")\n"
    "            done < <(compgen \"$i\" -- \"$word\")\n"
    "            compopt -o filenames 2>/dev/null\n"
    "            ;;\n"
    "        *)\n"
    "            [[ $word == *= ]] && compopt -o nospace 2>/dev/null\n"
    "            COMPREPLY+=(\"${word#\"$cut\"}\")\n"
    "            ;;\n"
    "        esac\n"
    "    done < <(\"$tacos\" completion --words -- \"${words[@]}\" 2>/dev/null)\n"
    "} && complete -F _tacos tacos\n";

static const char zsh[] =
    "#compdef tacos\n"
    "# Completion of tacos for zsh. In ~/.zshrc, after compinit: . <(tacos completion zsh)\n"
    "_tacos() {\n"
    "    local line tacos=${words[1]/#\\~/$HOME}\n"
    "    local -a names keys\n"
    "    for line in \"${(@f)$($tacos completion --words -- \"${(@)words[2,CURRENT-1]}\" "
    "\"$PREFIX\" "
    "2>/dev/null)}\"; do\n"
    "        case $line in\n"
    "        '') ;;\n"
    "        :files | :folders)\n"
    "            [[ $PREFIX == --*=* ]] && compset -P '*='\n"
    "            if [[ $line == :files ]]; then _files; else _files -/; fi\n"
    "            ;;\n"
    "        *=$'\\t'*) keys+=(\"${${line//:/\\\\:}/$'\\t'/:}\") ;;\n"
    "        *) names+=(\"${${line//:/\\\\:}/$'\\t'/:}\") ;;\n"
    "        esac\n"
    "    done\n"
    "    (($#names)) && _describe -t names name names\n"
    "    (($#keys)) && _describe -t keys key keys -S ''\n"
    "}\n"
    "if [[ $funcstack[1] == _tacos ]]; then\n"
    "    _tacos \"$@\"\n"
    "else\n"
    "    compdef _tacos tacos\n"
    "fi\n";

static const char fish[] =
    "# Completion of tacos for fish. tacos completion fish > ~/.config/fish/completions/tacos.fish\n"
    "function __tacos_complete\n"
    "    set -l before (commandline -opc)\n"
    "    set -l typed (commandline -ct)\n"
    "    set -l path (string replace -r -- '^--[a-z-]+=' '' \"$typed\")\n"
    "    for line in ($before[1] completion --words -- $before[2..] \"$typed\" 2>/dev/null)\n"
    "        switch $line\n"
    "            case :files\n"
    "                __fish_complete_path $path\n"
    "            case :folders\n"
    "                __fish_complete_directories $path\n"
    "            case '*'\n"
    "                printf '%s\\n' $line\n"
    "        end\n"
    "    end\n"
    "end\n"
    "complete -c tacos -f -a '(__tacos_complete)'\n";

static const struct {
    const char *name, *script;
} shells[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}};

static const Option table[] = {
    FLAG_OPTION("words", 0, "used by the scripts: list the completions of the last WORD"),
    OPTION_END,
};

static int print_script(const char *shell) {
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
        if (strcmp(shells[i].name, shell) == 0) {
            fputs(shells[i].script, stdout);
            return EXIT_OK;
        }
    return cli_unknown("completion", "unknown shell", NAME_SHELL, shell);
}

static int cmd_completion(int argc, char **argv) {
    int words = 0, code = EXIT_OK;
    if (!options_read(&command_completion, table, &words, argc, argv, &code))
        return code;
    if (words) {
        complete(argc - optind, argv + optind);
        return EXIT_OK;
    }
    if (optind + 1 != argc)
        return cli_usage("completion", "expected a shell: bash, zsh or fish");
    return print_script(argv[optind]);
}

static const Example examples[] = {
    {". <(tacos completion bash)", "for this shell; in ~/.bashrc, for all"},
    {". <(tacos completion zsh)", "the same in zsh; in ~/.zshrc, after compinit"},
    {"tacos completion fish > ~/.config/fish/completions/tacos.fish", "for all new shells"},
    {NULL, NULL},
};

const Command command_completion = {
    .name = "completion",
    .group = GROUP_SELF,
    .run = cmd_completion,
    .about = "print a completion script for a shell",
    .synopsis = "bash | zsh | fish\n"
                "--words -- WORD...",
    .text =
        "Completes commands, options, keys and their values, presets, models, experiments, plans, parts, "
        "data sets and files. The script asks the program, so it stays valid when the program "
        "changes.",
    .argument = NAME_SHELL,
    .options = table,
    .examples = examples,
};
