/* terminal.c - width, character set and colours, from the system and the environment. */
#include "terminal/terminal.h"

#include "terminal/print.h"

#include <langinfo.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { BAR_COLUMNS_MAX = (BAR_SIZE - 1) / 3 }; /* a block is three bytes */

void terminal_begin(void) {
    (void)setlocale(LC_CTYPE, "");
}

int terminal_is(FILE *stream) {
    return isatty(fileno(stream));
}

int terminal_width(FILE *stream) {
    struct winsize size = {0};
    if (!terminal_is(stream) || ioctl(fileno(stream), TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return TERMINAL_WIDTH;
    return size.ws_col;
}

static int is_utf8(void) {
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

int terminal_columns(const char *text) {
    int n = 0;
    if (!is_utf8())
        return (int)strlen(text);
    for (; *text; text++)
        n += ((unsigned char)*text & 0xc0) != 0x80; /* a letter's first byte */
    return n;
}

/* Something is more than nothing: a bar that stands for anything shows at least its first part. */
static long parts_of(double fraction, int columns, int parts) {
    long all = (long)columns * parts, n = (long)(fraction * (double)all + 0.5);
    if (n == 0 && fraction > 0)
        n = 1;
    return n > all ? all : n;
}

char *terminal_bar(char out[BAR_SIZE], double fraction, int columns) {
    static const char *const eighths[] = {"█", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    const int parts = is_utf8() ? 8 : 1;
    char *at = out;
    columns = columns > BAR_COLUMNS_MAX ? BAR_COLUMNS_MAX : columns;
    long n = parts_of(fraction, columns, parts);
    for (long k = 0; k < columns; k++) {
        long here = n - k * parts; /* parts of this column that are filled */
        const char *block = here <= 0 ? " " : parts == 1 ? "#" : eighths[here >= 8 ? 0 : here];
        size_t size = strlen(block);
        memcpy(at, block, size);
        at += size;
    }
    *at = '\0';
    return out;
}

static const char *const codes[] = {
    [STYLE_HEADING] = "1",  [STYLE_GOOD] = "32", [STYLE_OTHER] = "33",
    [STYLE_ERROR] = "1;31", [STYLE_FAINT] = "2",
};

/* Grounds of the palette of 256 colours, from dark to bright, and letters to be read on them. */
static const char *const heat[HEAT_LEVELS] = {
    "48;5;236;38;5;252", "48;5;17;38;5;231", "48;5;24;38;5;231", "48;5;30;38;5;16",
    "48;5;36;38;5;16",   "48;5;72;38;5;16",  "48;5;114;38;5;16", "48;5;186;38;5;16",
};

Style style_heat(double percent) {
    if (!isfinite(percent))
        return STYLE_PLAIN;
    int level = (int)(fmin(fmax(percent, 0), 100) / 100 * HEAT_LEVELS);
    return (Style)(STYLE_HEAT + (level < HEAT_LEVELS ? level : HEAT_LEVELS - 1));
}

static const char *code_of(Style style) {
    return style < STYLE_HEAT ? codes[style] : heat[style - STYLE_HEAT];
}

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
        fprintf(out, "\033[%sm", code_of(style));
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
