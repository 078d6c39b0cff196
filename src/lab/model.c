/* model.c - the spiking variants first, in the order of net/params.h. */
#include "lab/model.h"

#include "net/params.h"
#include "rivals/rival.h"

#include <assert.h>

#define NAME(name, metaplasticity, consolidation, rule, about) name,
static const char *const names[] = {
    MODEL_MAP(NAME) "naive",
    "joint",
    "l2",
    "ewc",
    "online-ewc",
    "si",
    "mas",
    "lwf",
    "bgd",
    "ss",
    "rls",
    NULL,
};

static const Key keys[] = {
    {"model", KEY_CHOICE, 0, 0, 0, "", "", "tacos",
     "which mechanisms the synapses have (fixed is m = m_max from the start), or a rival method",
     names},
};

const KeyTable model_table = {keys, 1};

size_t model_count(void) {
    return sizeof names / sizeof *names - 1;
}

const char *model_name(int model) {
    return names[model];
}

const char *model_about(int model) {
    return model_is_rival(model) ? rival_info(model_method(model))->about : models[model].about;
}

bool model_is_rival(int model) {
    return rival_find(names[model]) >= 0;
}

size_t model_method(int model) {
    int method = rival_find(names[model]);
    assert(method >= 0);
    return (size_t)method;
}

int model_spiking(int model) {
    enum { SNN = 1 };
    return model_is_rival(model) ? SNN : model;
}
