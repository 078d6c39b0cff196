/* interrupt.c - note a signal, pass it on to a child. */
#include "system/interrupt.h"

#include <errno.h>
#include <stdio.h>

/* The two things that a signal handler may touch. */
static volatile sig_atomic_t caught_signal;
static volatile sig_atomic_t running_child;

static const int guarded[INTERRUPT_SIGNALS] = {SIGINT, SIGTERM, SIGHUP};

static void on_signal(int number) {
    int before = errno;
    caught_signal = number;
    /* A terminal interrupts the child too, but a plain kill reaches only us. */
    if (running_child > 0)
        (void)kill((pid_t)running_child, SIGTERM);
    errno = before;
}

void interrupt_begin(Interrupt *guard) {
    struct sigaction action = {0};
    caught_signal = 0;
    action.sa_handler = on_signal;
    action.sa_flags = (int)SA_RESETHAND;
    (void)sigemptyset(&action.sa_mask);
    for (int i = 0; i < INTERRUPT_SIGNALS; i++) {
        (void)sigaction(guarded[i], NULL, &guard->before[i]);
        if (guard->before[i].sa_handler != SIG_IGN)
            (void)sigaction(guarded[i], &action, NULL);
    }
}

int interrupt_signal(void) {
    return caught_signal;
}

void interrupt_child(pid_t child) {
    running_child = (sig_atomic_t)child;
    if (child > 0 && caught_signal) /* it came while the child was being started */
        (void)kill(child, SIGTERM);
}

void interrupt_end(const Interrupt *guard) {
    for (int i = 0; i < INTERRUPT_SIGNALS; i++)
        (void)sigaction(guarded[i], &guard->before[i], NULL);
    if (!caught_signal)
        return;
    (void)fflush(NULL);
    (void)raise(caught_signal);
}
