/* beyond.c - what a learner does between samples, beyond the paper: m falls, neurons begin anew,
 * what was seen is rehearsed. It knows the samples and labels it has seen, and no more. */
#include "net/network.h"

bool tend_wanted(const Params *params) {
    return params_grow(params) && (params->tau_release_ms > 0 || params->release_error_hz > 0 ||
                                   params->neurogenesis_m > 0 || params->rehearsal_every > 0);
}

/* All is done at samples whose numbers are multiples of a key: what a learner does next follows
 * from how many it has learned, also after it was saved and loaded. */
void tend(Network *net, Scratch *scratch, size_t target, tacos_counters *tally) {
    const Params *p = &net->params;
    if (params_release_errors(p))
        release_watch(net, scratch);
    if (params_rehearse(p))
        rehearsal_remember(net, scratch, target);
    if (net->n_learned % p->tend_every == 0) {
        network_settle(net, scratch);
        release_tend(net, scratch);
        neurogenesis_tend(net, scratch);
    }
    if (params_rehearse(p) && net->n_learned % p->rehearsal_every == 0)
        rehearsal_run(net, scratch, tally);
}
