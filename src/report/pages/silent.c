/* silent.c - see silent.h. Older results do not have the number; then nothing is said. */
#include "report/pages/silent.h"

static double percent_of(const RunFolder *runs) {
    tacos_summary silent = runs_metric(runs, "silent", runs->n_tasks, 0);
    return silent.n > 0 ? silent.mean : 0;
}

bool silent_is(const RunFolder *runs) {
    return percent_of(runs) > TACOS_SILENT_PERCENT;
}

void silent_banner(Text *out, const RunFolder *runs) {
    if (silent_is(runs))
        text_format(out,
                    "<p class=\"warning\">A silent network: no output spiked on %.1f%% of the test "
                    "samples, so its accuracy, backward transfer and forgetting say little about "
                    "what it learned.</p>",
                    percent_of(runs));
}

void silent_banners(Text *out, const RunFolder *runs, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (silent_is(&runs[i])) {
            text_add(out, "<p class=\"warning\">");
            text_escape(out, runs[i].folder);
            text_format(out,
                        " is a silent network: no output spiked on %.1f%% of the test samples. Its "
                        "numbers say little, and none of them is marked as the best.</p>",
                        percent_of(&runs[i]));
        }
}
