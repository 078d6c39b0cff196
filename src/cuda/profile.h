/* profile.h - cycles that learning spends in each of its parts, if compiled with -DGPU_PROFILE. */
#ifndef CUDA_PROFILE_H
#define CUDA_PROFILE_H

/* name, what is done */
#define PROFILE_MAP(X)                                                                             \
    X(draw, "draw the input spikes")                                                               \
    X(known, "wake: rest, sum w_ref of all steps")                                                 \
    X(wake, "wake: state of the rows")                                                             \
    X(pay, "rows that spike pay what they owe")                                                    \
    X(fire, "sums, hidden neurons")                                                                \
    X(later, "second hidden layer")                                                                \
    X(outputs, "synapses of the outputs")                                                          \
    X(errors, "outputs and error neurons")                                                         \
    X(feel, "error compartments")                                                                  \
    X(sleep, "rows sleep")                                                                         \
    X(settle, "rows that slept catch up")

#define PROFILE_NAME(name, text) PROFILE_##name,
enum { PROFILE_MAP(PROFILE_NAME) PROFILE_PARTS };
#undef PROFILE_NAME

#ifdef GPU_PROFILE
/* The part since the last one was `name`; after a barrier. */
#define PROFILE(b, name)                                                                           \
    FIRST_THREAD {                                                                                 \
        int64_t now_ = clock64();                                                                  \
        (b)->net->cycles[PROFILE_##name] += (uint64_t)(now_ - (b)->net->mark);                     \
        (b)->net->mark = now_;                                                                     \
    }
#else
#define PROFILE(b, name) ((void)0)
#endif

#endif
