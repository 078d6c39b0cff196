/* sample_line.h - one sample a line: numbers with commas between them, or a JSON object. */
#ifndef CLI_SAMPLE_LINE_H
#define CLI_SAMPLE_LINE_H

#include <stddef.h>

/* Where the label is among the numbers of a line. JSON has it by name. */
typedef enum LabelPlace { LABEL_FIRST, LABEL_LAST, LABEL_NONE } LabelPlace;

typedef struct SampleFormat {
    size_t n_inputs, n_outputs;
    LabelPlace label;
    double scale; /* what stands for 1 */
} SampleFormat;

enum { NO_LABEL = -1 };

typedef struct Sample {
    float *intensity; /* [n_inputs], the caller's; 0 to 1 */
    long label;       /* 0 to n_outputs - 1, or NO_LABEL */
} Sample;

enum { SAMPLE_WHY_SIZE = 256 };

/* {"x": [...], "y": 1} (y may be missing), or numbers. 0, or -1 with a sentence in `why`. The line
 * is used up. */
int sample_read(const SampleFormat *format, char *line, Sample *out, char why[SAMPLE_WHY_SIZE]);

/* How many columns a line names: a word in each field, so that it can be no sample. 0 if a field is
 * a number, or is nothing, or is no word. */
size_t sample_names(const char *line);

/* Numbers that a line of them has, with the label. */
size_t sample_columns(const SampleFormat *format);

/* The longest line that makes sense for so many inputs. */
size_t sample_longest(size_t n_inputs);

#endif
