/* style.c - when to colour, and the codes. */
#include "terminal/style.h"

#include "terminal/print.h"
#include "terminal/terminal.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const char *const codes[] = {
    [STYLE_HEADING] = "1",  [STYLE_GOOD] = "32", [STYLE_OTHER] = "33",
    [STYLE_ERROR] = "1;31", [STYLE_FAINT] = "2",
};

typedef enum When { WHEN_AUTO, WHEN_ALWAYS, WHEN_NEVER } When;

/* What --color said. */
static When wanted = WHEN_AUTO;

int style_choose(const char *when) {
    static const char *const names[] = {"auto", "always", "never"};
    for (int i = 0; i < 3; i++)
        if (strcmp(names[i], when) == 0) {
            wanted = (When)i;
            return 0;
        }
    return -1;
}

static int is_set(const char *name) {
    const char *value = getenv(name);
    return value && *value;
}

static int is_on(FILE *out) {
    const char *force = getenv("CLICOLOR_FORCE"), *terminal = getenv("TERM");
    if (out != stdout && out != stderr)
        return 0;
    if (wanted != WHEN_AUTO)
        return wanted == WHEN_ALWAYS;
    if (is_set("NO_COLOR"))
        return 0;
    if (force && *force && strcmp(force, "0") != 0)
        return 1;
    return terminal_is(out) && terminal && *terminal && strcmp(terminal, "dumb") != 0;
}

void style_begin(FILE *out, Style style) {
    if (style != STYLE_PLAIN && is_on(out))
        fprintf(out, "\033[%sm", codes[style]);
}

void style_end(FILE *out, Style style) {
    if (style != STYLE_PLAIN && is_on(out))
        fputs("\033[m", out);
}

void style_print(FILE *out, Style style, const char *format, ...) {
    va_list args;
    va_start(args, format);
    style_begin(out, style);
    print_va(out, format, args);
    style_end(out, style);
    va_end(args);
}
