/* lock.c - one thread at a time uses a learner or a classifier, since learning releases the GIL. */
#include "native.h"

bool lock_make(Lock *lock) {
    *lock = (Lock){.lock = PyThread_allocate_lock()};
    return lock->lock != NULL;
}

void lock_free(Lock *lock) {
    if (lock->lock)
        PyThread_free_lock(lock->lock);
}

/* Ctrl-C interrupts the wait. */
static bool wait_for(PyThread_type_lock lock) {
    enum { WAIT_US = 50000 };
    PyLockStatus status = PyThread_acquire_lock_timed(lock, 0, 0);
    while (status != PY_LOCK_ACQUIRED) {
        PyThreadState *thread = PyEval_SaveThread();
        status = PyThread_acquire_lock_timed(lock, WAIT_US, 0);
        PyEval_RestoreThread(thread);
        if (status != PY_LOCK_ACQUIRED && PyErr_CheckSignals() < 0)
            return false;
    }
    return true;
}

bool lock_enter(Lock *lock, const char *what) {
    unsigned long me = PyThread_get_thread_ident();
    if (lock->taken && lock->owner == me) {
        PyErr_Format(PyExc_RuntimeError,
                     "the %s is at work below this very call, which a signal handler made", what);
        return false;
    }
    if (!wait_for(lock->lock))
        return false;
    lock->taken = true;
    lock->owner = me;
    return true;
}

void lock_leave(Lock *lock) {
    lock->taken = false;
    PyThread_release_lock(lock->lock);
}
