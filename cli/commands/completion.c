/* completion.c - `tacos completion`: what a shell must be told to complete our words.
 *
 * The scripts know nothing but how to ask: `tacos completion --words -- WORD...` answers from the
 * tables of the program (complete.c), so that they are never out of date. */
#include "cli.h"

#include "help/complete.h"

#include <stdio.h>
#include <string.h>

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
    "    for line in \"${(@f)$($tacos completion --words -- \"${(@)words[2,CURRENT-1]}\" \"$PREFIX\" "
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

typedef struct CompletionArgs {
    int words;
} CompletionArgs;

static const Option table[] = {
    {"words", OPTION_FLAG, WORD_ANY, offsetof(CompletionArgs, words), 0, 0, NULL,
     "what the scripts ask with: what the last of the words may be"},
    OPTION_END,
};

static int print_script(const char *shell) {
    Word near;
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
        if (strcmp(shells[i].name, shell) == 0) {
            fputs(shells[i].script, stdout);
            return EXIT_OK;
        }
    if (word_nearest(WORD_SHELL, shell, &near))
        return cli_usage("completion", "no shell '%s'; the nearest is '%s'", shell, near.name);
    return cli_usage("completion", "no shell '%s'; there are bash, zsh and fish", shell);
}

static int cmd_completion(int argc, char **argv) {
    CompletionArgs args = {0};
    int code = EXIT_OK;
    if (!options_read(&command_completion, table, &args, argc, argv, &code))
        return code;
    if (args.words) {
        complete(argc - optind, argv + optind);
        return EXIT_OK;
    }
    if (optind + 1 != argc)
        return cli_usage("completion", "which shell? bash, zsh or fish");
    return print_script(argv[optind]);
}

static const Example examples[] = {
    {". <(tacos completion bash)", "now; in ~/.bashrc: always"},
    {". <(tacos completion zsh)", "likewise, in ~/.zshrc after compinit"},
    {"tacos completion fish > ~/.config/fish/completions/tacos.fish", "always, from now on"},
    {NULL, NULL},
};

const Command command_completion = {
    .name = "completion",
    .group = GROUP_SELF,
    .run = cmd_completion,
    .about = "print what makes a shell complete our words",
    .synopsis = "bash | zsh | fish\n"
                "--words -- WORD...",
    .text =
        "Commands, options, keys and their values, models, experiments, plans, parts, data sets "
        "and files are completed. The script asks the program, so it need not be made anew when "
        "that changes.",
    .word = WORD_SHELL,
    .options = table,
    .examples = examples,
};
