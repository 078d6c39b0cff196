/* params.c - the keys of rival methods. */
#include "rivals/params.h"

static const char *const optimizers[] = {"sgd", "adam", "adagrad", NULL};
static const char *const features[] = {"pixels", "relu", "spikes", NULL};
static const char *const metrics[] = {"euclid", "cosine", NULL};

#define AT(field) offsetof(RivalParams, field)
#define BIG       1e12

/* name, type, field, min, max, unit, symbol, default, description, choices */
static const Key keys[] = {
    {"optimizer", KEY_CHOICE, AT(optimizer), 0, 0, "", "", "adam",
     "how a rival's gradient becomes a step", optimizers},
    {"optimizer_rate", KEY_REAL, AT(optimizer_rate), 0, 100, "", "", "0.001",
     "learning rate of a rival", NULL},
    {"batch", KEY_COUNT, AT(batch), 1, 65536, "", "", "128", "batch size of a rival", NULL},
    {"epochs", KEY_COUNT, AT(epochs), 1, 10000, "", "", "1",
     "passes of a rival over the samples of a task", NULL},
    {"iterations", KEY_COUNT, AT(iterations), 0, BIG, "", "", "0",
     "batches of a task that a rival learns, in place of epochs; 0 for epochs", NULL},
    {"pad_to", KEY_COUNT, AT(pad_to), 0, 4096, "pixels", "", "0",
     "pad images with black to this size for rivals; 0 for none", NULL},
    {"pixel_mean", KEY_REAL, AT(pixel_mean), -BIG, BIG, "", "", "0",
     "mean subtracted from pixels in [0,1] (rivals)", NULL},
    {"pixel_sd", KEY_REAL, AT(pixel_sd), 1e-9, BIG, "", "", "1",
     "standard deviation by which pixels are then divided (rivals)", NULL},
    {"strength", KEY_REAL, AT(strength), 0, BIG, "", "c", "1",
     "weight of the penalty in l2, ewc, online-ewc, si and mas", NULL},
    {"gamma", KEY_REAL, AT(gamma), 0, 1, "", "gamma", "1",
     "what online-ewc keeps of the importance from earlier tasks", NULL},
    {"damping", KEY_REAL, AT(damping), 1e-12, BIG, "", "xi", "0.1",
     "keeps the importance of si finite", NULL},
    {"temperature", KEY_REAL, AT(temperature), 1e-3, 1e3, "", "T", "2",
     "softmax temperature of lwf's distillation", NULL},
    {"sigma_init", KEY_REAL, AT(sigma_init), 1e-9, 1e3, "", "sigma", "0.02",
     "uncertainty of a weight of bgd before learning", NULL},
    {"draws", KEY_COUNT, AT(draws), 1, 10000, "", "K", "10",
     "networks drawn per batch (bgd) or per prediction (ss)", NULL},
    {"keep_init", KEY_REAL, AT(keep_init), 1e-3, 1, "", "p", "0.25",
     "initial and minimum probability that a synapse of ss transmits", NULL},
    {"keep_freeze", KEY_REAL, AT(keep_freeze), 0, 1, "", "p_freeze", "0.9353",
     "probability of transmission above which it no longer changes (ss)", NULL},
    {"keep_up", KEY_REAL, AT(keep_up), 0, 1, "", "p_up", "0.052",
     "increase of that probability where the gradient is large (ss)", NULL},
    {"keep_down", KEY_REAL, AT(keep_down), 0, 1, "", "p_down", "0.0516",
     "decrease of that probability elsewhere (ss)", NULL},
    {"keep_gradient", KEY_REAL, AT(keep_gradient), 0, BIG, "", "", "0.001",
     "smallest gradient that counts as large (ss)", NULL},
    {"features", KEY_CHOICE, AT(features), 0, 0, "", "", "pixels",
     "what rls and slda read: pixels, frozen random ReLU units, or spike counts of a frozen random "
     "layer",
     features},
    {"ridge", KEY_REAL, AT(ridge), 1e-9, BIG, "", "lambda", "10", "regularisation of rls", NULL},
    {"shrinkage", KEY_REAL, AT(shrinkage), 1e-12, 1, "", "epsilon", "0.0001",
     "part of the identity in the covariance of slda and randumb", NULL},
    {"rbf_gamma", KEY_REAL, AT(rbf_gamma), 1e-12, BIG, "", "gamma", "0.0134",
     "how fast the kernel of randumb falls with the squared distance of inputs", NULL},
    {"memory_kb", KEY_REAL, AT(memory_kb), 0.001, 1e8, "kB", "", "667",
     "memory for the samples that knn keeps", NULL},
    {"neighbours", KEY_COUNT, AT(neighbours), 1, 1000, "", "k", "1",
     "nearest samples that vote in knn", NULL},
    {"metric", KEY_CHOICE, AT(metric), 0, 0, "", "", "euclid",
     "distance between samples in knn: Euclidean, or one minus the cosine of their angle", metrics},
    {"fly_density", KEY_REAL, AT(fly_density), 0, 1, "", "", "0.041",
     "fraction of the inputs that a Kenyon cell of fly reads, at least one", NULL},
    {"fly_active", KEY_REAL, AT(fly_active), 0, 1, "", "", "0.01",
     "fraction of the Kenyon cells of fly that fire, at least one", NULL},
    {"fly_rate", KEY_REAL, AT(fly_rate), 0, 1, "", "beta", "0.005",
     "how much a weight of fly grows when its cell fires", NULL},
    {"fly_decay", KEY_REAL, AT(fly_decay), 0, 1, "", "alpha", "0",
     "part of its weights that fly's output loses before it learns a sample", NULL},
};

const KeyTable rival_table = {keys, sizeof keys / sizeof *keys};
