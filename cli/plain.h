/* plain.h - what a file or a line says goes into sentences; a terminal must not obey it. */
#ifndef CLI_PLAIN_H
#define CLI_PLAIN_H

static inline void make_plain(char *text) {
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == 127)
            *text = '?';
}

#endif
