/* print.c - printf with escaped %s, and prose wrapped to the width of the terminal. */
#include "terminal/print.h"

#include "tacos.h"
#include "terminal/terminal.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { SPEC_SIZE = 32, SHORT_TEXT = 1024 };

/* One conversion, such as "%-*.3f". */
typedef struct Spec {
    char text[SPEC_SIZE]; /* with numbers in place of stars, without length and letter */
    size_t n;
    int left, width;
    int precision; /* -1: none */
    const struct Length *length;
    char letter;
} Spec;

typedef struct Args {
    va_list list;
} Args;

/* ---- lengths ---- */

static long long take_longest(Args *args) {
    return va_arg(args->list, long long);
}

static long long take_long(Args *args) {
    return va_arg(args->list, long);
}

static long long take_size(Args *args) {
    return (long long)va_arg(args->list, size_t);
}

static long long take_int(Args *args) {
    return va_arg(args->list, int);
}

static const struct Length {
    const char *name;
    long long (*take)(Args *args);
} lengths[] = {{"ll", take_longest}, {"l", take_long}, {"z", take_size}, {"", take_int}};

/* ---- texts ---- */

static void put_blanks(FILE *out, int n) {
    fprintf(out, "%*s", n > 0 ? n : 0, "");
}

/* In its width, as printf does, but for counting columns. */
static void put_wide(FILE *out, const Spec *spec, const char *text) {
    int blanks = spec->width - terminal_columns(text);
    put_blanks(out, spec->left ? 0 : blanks);
    fputs(text, out);
    put_blanks(out, spec->left ? blanks : 0);
}

/* Without memory for a long text, as much of it as fits. */
static void put_plain(FILE *out, const Spec *spec, const char *text) {
    char room[SHORT_TEXT], *plain = room;
    size_t n = tacos_text_plain(text, room, sizeof room);
    if (n >= sizeof room && (plain = malloc(n + 1)))
        (void)tacos_text_plain(text, plain, n + 1);
    put_wide(out, spec, plain ? plain : room);
    if (plain != room)
        free(plain);
}

static void put_text(FILE *out, const Spec *spec, const char *text) {
    if (spec->precision < 0) {
        put_plain(out, spec, text);
        return;
    }
    char *part = strndup(text, (size_t)spec->precision);
    put_plain(out, spec, part ? part : "");
    free(part);
}

/* ---- conversions ---- */

static void add_part(Spec *spec, const char *part, size_t n) {
    assert(spec->n + n + sizeof "llu" <= SPEC_SIZE && "a conversion is short");
    memcpy(spec->text + spec->n, part, n);
    spec->n += n;
    spec->text[spec->n] = '\0';
}

/* A number or a star at *at. */
static int read_number(Spec *spec, const char **at, Args *args) {
    char digits[16];
    size_t n = strspn(*at, "0123456789");
    int number = (int)strtol(n > 0 ? *at : "0", NULL, 10);
    if (**at == '*') {
        number = va_arg(args->list, int);
        n = 1;
    }
    *at += n;
    (void)snprintf(digits, sizeof digits, "%d", number);
    if (n > 0)
        add_part(spec, digits, strlen(digits));
    return number;
}

/* Parse the conversion at *at and advance past it. */
static Spec read_spec(const char **at, Args *args) {
    Spec spec = {.precision = -1};
    add_part(&spec, *at, 1 + strspn(*at + 1, "-+ #0"));
    *at += spec.n;
    spec.left = strchr(spec.text, '-') != NULL;
    spec.width = read_number(&spec, at, args);
    if (spec.width < 0) {
        spec.left = 1;
        spec.width = -spec.width;
    }
    if (**at == '.') {
        add_part(&spec, (*at)++, 1);
        spec.precision = read_number(&spec, at, args);
    }
    spec.length = lengths;
    while (strncmp(*at, spec.length->name, strlen(spec.length->name)) != 0)
        spec.length++;
    *at += strlen(spec.length->name);
    spec.letter = *(*at)++;
    return spec;
}

/* Whole numbers are printed as long long; the other half of a short one is its sign's, or 0. */
static void put_whole(FILE *out, const Spec *spec, Args *args) {
    char format[SPEC_SIZE + 4];
    int is_signed = spec->letter == 'd' || spec->letter == 'i';
    long long value = spec->length->take(args);
    if (!is_signed && !*spec->length->name)
        value &= UINT_MAX;
    (void)snprintf(format, sizeof format, "%sll%c", spec->text, spec->letter);
    fprintf(out, format, value);
}

static void put_real(FILE *out, const Spec *spec, Args *args) {
    char format[SPEC_SIZE + 4];
    (void)snprintf(format, sizeof format, "%s%c", spec->text, spec->letter);
    fprintf(out, format, va_arg(args->list, double));
}

static void put(FILE *out, const Spec *spec, Args *args) {
    if (spec->letter == '%')
        fputc('%', out);
    else if (spec->letter == 's')
        put_text(out, spec, va_arg(args->list, const char *));
    else if (spec->letter == 'c')
        fputc(va_arg(args->list, int), out);
    else if (strchr("fge", spec->letter))
        put_real(out, spec, args);
    else if (strchr("diux", spec->letter))
        put_whole(out, spec, args);
    else
        assert(0 && "a conversion that print does not know");
}

void print_va(FILE *out, const char *format, va_list list) {
    Args args;
    va_copy(args.list, list);
    for (const char *at = format; *at;) {
        size_t n = strcspn(at, "%");
        (void)fwrite(at, 1, n, out);
        at += n;
        if (*at) {
            Spec spec = read_spec(&at, &args);
            put(out, &spec, &args);
        }
    }
    va_end(args.list);
}

void print(const char *format, ...) {
    va_list args;
    va_start(args, format);
    print_va(stdout, format, args);
    va_end(args);
}

void print_to(FILE *out, const char *format, ...) {
    va_list args;
    va_start(args, format);
    print_va(out, format, args);
    va_end(args);
}

/* ---- data ---- */

static void put_lines(const char *text, size_t n) {
    for (const char *end = text + n; text < end;) {
        size_t line = strcspn(text, "\n"), left = (size_t)(end - text);
        line = line < left ? line : left;
        print("%.*s", (int)line, text);
        text += line;
        if (text < end)
            putchar(*text++);
    }
}

void print_lines(const char *text) {
    put_lines(text, strlen(text));
}

void print_data(const char *text, size_t n) {
    if (terminal_is(stdout))
        put_lines(text, n);
    else
        (void)fwrite(text, 1, n, stdout);
}

enum { WIDTH_MAX = 100, ROOM_MIN = 20 };

int paragraph_width(FILE *out) {
    int width = terminal_width(out);
    return width > WIDTH_MAX ? WIDTH_MAX : width;
}

/* A new line, with as many blanks as the text is indented by. */
static int new_line(FILE *out, int column) {
    print_to(out, "\n%*s", column, "");
    return column;
}

void paragraph_print(FILE *out, const char *text, int column) {
    int width = paragraph_width(out), at = column;
    if (width < column + ROOM_MIN) /* too narrow for a column of words: let the terminal do it */
        width = column + WIDTH_MAX;
    while (*text) {
        size_t gap = strspn(text, " \n"), n = strcspn(text + gap, " \n");
        int new_paragraph = gap > 1 && text[0] == '\n' && text[1] == '\n';
        text += gap;
        if (n == 0)
            break;
        if (new_paragraph) {
            fputc('\n', out);
            at = new_line(out, column);
        } else if (at > column && at + 1 + (int)n > width) {
            at = new_line(out, column);
        } else if (at > column) {
            fputc(' ', out);
            at++;
        }
        print_to(out, "%.*s", (int)n, text);
        at += (int)n;
        text += n;
    }
    fputc('\n', out);
}

void paragraph_last(FILE *out, const char *text, int column) {
    if (terminal_is(out))
        paragraph_print(out, text, column);
    else
        print_to(out, "%s\n", text);
}
