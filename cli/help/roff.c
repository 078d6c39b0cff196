/* roff.c - what troff would take for its own is escaped. */
#include "help/roff.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { LINE_BYTES = 70 };

/* One character; how many bytes it took. */
static size_t put(char c) {
    static const struct {
        char c;
        const char *name;
    } special[] = {{'\\', "\\e"},  {'-', "\\-"},   {'\'', "\\(aq"},
                   {'`', "\\(ga"}, {'^', "\\(ha"}, {'~', "\\(ti"}};
    for (size_t i = 0; i < sizeof special / sizeof *special; i++)
        if (special[i].c == c) {
            fputs(special[i].name, stdout);
            return strlen(special[i].name);
        }
    putchar(c);
    return 1;
}

/* ---- prose ---- */

typedef struct Writer {
    size_t n;    /* bytes in this line */
    int bold;    /* between backquotes */
    int at_stop; /* the last word ended a sentence */
} Writer;

static void put_word(Writer *writer, const char *word, size_t n) {
    if (writer->n > 0 && (writer->at_stop || writer->n + 1 + n > LINE_BYTES)) {
        putchar('\n');
        writer->n = 0;
    } else if (writer->n > 0) {
        putchar(' ');
        writer->n++;
    }
    if (writer->n == 0 && word[0] == '.')
        fputs("\\&", stdout); /* not a request */
    for (size_t i = 0; i < n; i++) {
        if (word[i] == '`') {
            writer->bold = !writer->bold;
            fputs(writer->bold ? "\\fB" : "\\fR", stdout);
            writer->n += 3;
        } else {
            writer->n += put(word[i]);
        }
    }
    writer->at_stop = word[n - 1] == '.';
}

void roff_text(const char *text) {
    Writer writer = {0};
    while (*text) {
        size_t gap = strspn(text, " \n"), n = strcspn(text + gap, " \n");
        if (gap > 1 && text[0] == '\n' && text[1] == '\n') {
            fputs("\n.PP", stdout);
            writer.at_stop = 1;
        }
        text += gap;
        if (n == 0)
            break;
        put_word(&writer, text, n);
        text += n;
    }
    putchar('\n');
}

/* ---- usage ---- */

static int is_name(char c) {
    return isalnum((unsigned char)c) || c == '-' || c == '_';
}

/* "KEY" is to be filled in; "--set" and "show" are typed. */
static int is_typed(const char *word, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (islower((unsigned char)word[i]))
            return 1;
    return 0;
}

void roff_usage(const char *text) {
    while (*text && *text != '\n') {
        size_t n = 0;
        while (is_name(text[n]))
            n++;
        if (n == 0) {
            (void)put(*text++);
            continue;
        }
        fputs(is_typed(text, n) ? "\\fB" : "\\fI", stdout);
        for (size_t i = 0; i < n; i++)
            (void)put(text[i]);
        fputs("\\fR", stdout);
        text += n;
    }
    putchar('\n');
}

void roff_heading(const char *macro, const char *text) {
    printf("%s %c", macro, toupper((unsigned char)text[0]));
    for (text++; *text; text++)
        (void)put(*text);
    putchar('\n');
}

void roff_entry(const char *usage) {
    puts(".TP");
    roff_usage(usage);
}

void roff_line(const char *text) {
    puts(".PP\n.nf\n.RS");
    if (*text == '.')
        fputs("\\&", stdout);
    for (; *text; text++)
        (void)put(*text);
    puts("\n.RE\n.fi");
}
