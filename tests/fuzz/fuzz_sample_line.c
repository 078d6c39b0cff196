/* fuzz_sample_line.c - a line that `tacos learn` is given; the first byte says where its label is.
 */
#include "fuzz.h"

#include "sample_line.h"

#include <math.h>

enum { N_INPUTS = 3, N_OUTPUTS = 4 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
    float intensity[N_INPUTS] = {0};
    SampleFormat format = {N_INPUTS, N_OUTPUTS, LABEL_FIRST, 255};
    Sample sample = {.intensity = intensity};
    char why[SAMPLE_WHY_SIZE] = "";
    if (n == 0)
        return 0;
    format.label = (LabelPlace)(bytes[0] % (LABEL_NONE + 1));
    char *line = text_of(bytes + 1, n - 1);
    if (sample_read(&format, line, &sample, why) == 0) {
        HOLDS(sample.label >= NO_LABEL && sample.label < N_OUTPUTS);
        for (size_t i = 0; i < N_INPUTS; i++)
            HOLDS(intensity[i] >= 0 && intensity[i] <= 1);
    } else {
        check_said(why, sizeof why);
    }
    free(line);
    return 0;
}
