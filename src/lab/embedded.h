/* embedded.h - the files of experiments/ inside the program. */
#ifndef LAB_EMBEDDED_H
#define LAB_EMBEDDED_H

typedef struct EmbeddedFile {
    const char *name; /* "split-mnist.conf", "plans/trade-off.conf"; NULL ends the table */
    const char *text;
} EmbeddedFile;

extern const EmbeddedFile embedded_files[];

#endif
