/* student.h - who goes through a protocol: learns the parts of a stream, and answers on tasks. */
#ifndef LAB_STUDENT_H
#define LAB_STUDENT_H

#include "lab/protocol.h"
#include "lab/stream.h"

/* One seed's run, as its student sees it. */
typedef struct Session {
    const Stage *stage;
    const Experiment *settled;
    uint32_t seed;
    const ProtocolOptions *how;
    Stream stream;
    uint64_t unreported; /* samples */
    double last_report;  /* when */
} Session;

/* n more samples are done; told at once if it is the last for now. False if the run should stop. */
bool session_report(Session *session, uint64_t n, bool last);
tacos_status session_interrupted(tacos_error *err);

typedef struct Student {
    void *self;
    /* As many samples of the stream as task k has. */
    tacos_status (*learn)(void *self, size_t k, tacos_error *err);
    /* Percent right on what is scored of task t. */
    tacos_status (*score)(void *self, size_t t, double *percent, tacos_error *err);
    /* After task k is learned and scored. */
    void (*look_back)(void *self, size_t k);
    tacos_learner_stats (*stats)(const void *self);
    /* Once, at the end: the digest and the measures. */
    void (*finish)(void *self, tacos_run *run);
    /* What was learned; NULL for who has nothing to leave. */
    tacos_status (*save)(void *self, SavedModel *out, tacos_error *err);
    void (*close)(void *self);
} Student;

/* A kind of student takes its place in a session. */
tacos_status student_spiking(Student *out, Session *session, tacos_error *err);
tacos_status student_rival(Student *out, Session *session, tacos_error *err);

#endif
