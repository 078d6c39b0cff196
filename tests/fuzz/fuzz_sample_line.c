/* fuzz_sample_line.c - what `tacos learn` is given, line by line; the first byte says where the
 * labels are. */
#include "cluster.h"
#include "fuzz.h"

#include "input/samples.h"

#include <math.h>

/* Which process.c calls in a program that is interrupted. */
void cluster_leave(void) {}

enum { N_INPUTS = 3, N_OUTPUTS = 4 };

static void use_line(const SampleFormat *format, char *line) {
    float intensity[N_INPUTS] = {0};
    Sample sample = {.intensity = intensity};
    char why[WHY_SIZE] = "";
    size_t names = sample_names(line), n = strlen(line);
    if (sample_read(format, line, &sample, why) == 0) {
        HOLDS(names == 0); /* what names columns can be no sample */
        HOLDS(sample.label >= NO_LABEL && sample.label < N_OUTPUTS);
        for (size_t i = 0; i < N_INPUTS; i++)
            HOLDS(intensity[i] >= 0 && intensity[i] <= 1);
    } else {
        check_said(why, sizeof why);
    }
    HOLDS(names <= n);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
    SampleFormat format = {N_INPUTS, N_OUTPUTS, LABEL_FIRST, 255};
    Lines lines;
    char *line;
    if (n == 0)
        return 0;
    format.label = (LabelPlace)(bytes[0] % (LABEL_NONE + 1));
    FuzzFile file = file_of(bytes + 1, n - 1);
    HOLDS(lseek(file.fd, 0, SEEK_SET) == 0);
    HOLDS(lines_open(&lines, file.fd, sample_longest(N_INPUTS)) == 0);
    for (LineKind kind; (kind = lines_next(&lines, &line)) != LINE_END;) {
        HOLDS(kind == LINE_READ || kind == LINE_TOO_LONG || kind == LINE_ZERO ||
              (kind == LINE_UTF16 && lines.number == 1));
        if (kind == LINE_READ)
            use_line(&format, line);
    }
    lines_close(&lines);
    file_end(&file);
    return 0;
}
