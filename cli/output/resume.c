/* resume.c - prints the command line that resumes what was interrupted. */
#include "output/resume.h"

#include "terminal/print.h"

#include <stdio.h>
#include <string.h>

static int is_safe(const char *word) {
    static const char safe[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789%+,-./:=@_";
    return *word && word[strspn(word, safe)] == '\0';
}

/* As a shell reads it: a quote inside is '\''. */
static void print_word(const char *word) {
    fputc(' ', stderr);
    if (is_safe(word)) {
        print_to(stderr, "%s", word);
        return;
    }
    fputc('\'', stderr);
    for (;; word++) {
        int n = (int)strcspn(word, "'");
        print_to(stderr, "%.*s", n, word);
        word += n;
        if (!*word)
            break;
        fputs("'\\''", stderr);
    }
    fputc('\'', stderr);
}

/* Words that this option takes at argv[i]: 0 if it is another one; "--set A=B" has two. */
static int words_of(const Resume *resume, int i, const char *name) {
    const Option *option = option_find(cli_command(resume->command)->options, name);
    const char *word = resume->argv[i];
    size_t n = strlen(name);
    if (strncmp(word, "--", 2) != 0 || strncmp(word + 2, name, n) != 0)
        return 0;
    if (word[2 + n] == '=')
        return 1;
    return word[2 + n] == '\0' ? 1 + (option && option->argument) : 0;
}

static int left_out(const Resume *resume, int i) {
    int n = 0;
    for (const char *const *name = resume->without; name && *name && n == 0; name++)
        n = words_of(resume, i, *name);
    return n;
}

void resume_print(const Resume *resume) {
    int n_options = optind < resume->argc ? optind : resume->argc;
    print_to(stderr, "`tacos %s", resume->command);
    for (int i = n_options; i < resume->argc; i++)
        print_word(resume->argv[i]);
    for (int i = 1, n; i<n_options; i += n> 0 ? n : 1) {
        n = left_out(resume, i);
        if (n == 0)
            print_word(resume->argv[i]);
    }
    if (resume->with)
        print_to(stderr, " --%s", resume->with);
    if (resume->out) {
        fputs(" --out", stderr);
        print_word(resume->out);
    }
    fputs("` resumes\n", stderr);
}
