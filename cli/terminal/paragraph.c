/* paragraph.c - word by word. */
#include "terminal/paragraph.h"

#include "terminal/print.h"
#include "terminal/terminal.h"

#include <string.h>

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
