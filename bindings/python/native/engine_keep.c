/* engine_keep.c - a learner as a file and as bytes. */
#include "native.h"

static tacos_status save(void *learner, const char *path, tacos_error *err) {
    return tacos_learner_save(learner, path, err);
}

static tacos_status save_to(void *learner, tacos_write *write, void *user, tacos_error *err) {
    return tacos_learner_save_to(learner, write, user, err);
}

static tacos_status load(void **out, const char *path, tacos_error *err) {
    tacos_learner *learner = NULL;
    tacos_status status = tacos_learner_load(&learner, path, NULL, err);
    *out = learner;
    return status;
}

static tacos_status load_from(void **out, tacos_read *read, void *user, tacos_error *err) {
    tacos_learner *learner = NULL;
    tacos_status status = tacos_learner_load_from(&learner, read, user, NULL, err);
    *out = learner;
    return status;
}

static void release(void *learner) {
    tacos_learner_free(learner);
}

static const Keeper keeper = {save, load, save_to, load_from, release};

PyObject *engine_save(PyObject *self, PyObject *path) {
    Engine *engine = (Engine *)self;
    if (!engine_enter(engine))
        return NULL;
    PyObject *result = keep_save(&keeper, engine->learner, path);
    engine_leave(engine);
    return result;
}

PyObject *engine_save_bytes(PyObject *self, PyObject *nothing) {
    Engine *engine = (Engine *)self;
    (void)nothing;
    if (!engine_enter(engine))
        return NULL;
    PyObject *bytes = keep_save_bytes(&keeper, engine->learner);
    engine_leave(engine);
    return bytes;
}

PyObject *engine_load(PyObject *type, PyObject *path) {
    tacos_learner *learner = keep_load(&keeper, path);
    return learner ? engine_around((PyTypeObject *)type, learner) : NULL;
}

PyObject *engine_load_bytes(PyObject *type, PyObject *bytes) {
    tacos_learner *learner = keep_load_bytes(&keeper, bytes);
    return learner ? engine_around((PyTypeObject *)type, learner) : NULL;
}
