/* silence.c - a network that does not answer forgets nothing: that must not pass for a result. */
#include "output/silence.h"

#include "cli.h"
#include "terminal/paragraph.h"

#include <stdio.h>

void silence_warn(double percent) {
    cli_error("warning: silent network: no output spiked on %.1f%% of the test samples, so its "
              "accuracy, BWT and forgetting say little about what it learned",
              percent);
    paragraph_print(stderr,
                    "More spikes reach the outputs with larger first weights (init_w), a smaller "
                    "threshold_output or threshold_hidden, a larger r_output, or more active units "
                    "of an expansion (expansion_active). `tacos help MODEL` shows settings with "
                    "which a model works.",
                    0);
}

void silence_footnote(const char *mark, size_t n) {
    char text[256];
    if (n == 0)
        return;
    (void)snprintf(text, sizeof text,
                   "%s silent: no output spiked on more than %.0f%% of the test samples, so the "
                   "accuracy, BWT and forgetting of such a network say little; it is never marked "
                   "as the best.",
                   mark, TACOS_SILENT_PERCENT);
    paragraph_print(stdout, text, 0);
}
