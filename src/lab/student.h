/* student.h - who goes through a protocol: learns the parts of a stream, and answers on tasks. */
#ifndef LAB_STUDENT_H
#define LAB_STUDENT_H

#include "base/pack.h"
#include "lab/protocol.h"
#include "lab/stream.h"

/* What came of the samples of a task that are scored. */
typedef struct Answers {
    size_t n, right;
    size_t silent; /* none of the outputs that are compared spiked; a rival always answers */
} Answers;

typedef struct Student {
    void *self;
    /* As many samples of the stream as task k has. */
    tacos_status (*learn)(void *self, size_t k, tacos_error *err);
    /* On what is scored of task t. */
    tacos_status (*score)(void *self, size_t t, Answers *out, tacos_error *err);
    /* After task k is learned and scored. */
    void (*look_back)(void *self, size_t k);
    tacos_learner_stats (*stats)(const void *self);
    /* Once, at the end: the digest and the measures. */
    void (*finish)(void *self, tacos_run *run);
    /* What was learned; NULL for who has nothing to leave. */
    tacos_status (*save)(void *self, SavedModel *out, tacos_error *err);
    /* All that it is between two samples, out or in; false if that failed. NULL: it begins anew. */
    bool (*move)(void *self, Pack *pack);
    void (*close)(void *self);
} Student;

/* How far a run is. */
typedef struct RunState {
    size_t n_tasks;
    size_t n_rows;      /* of b and R together that are complete */
    size_t n_learned;   /* samples of the stream */
    double *b;          /* [n_tasks] */
    double *R;          /* [n_tasks][n_tasks] */
    size_t *bytes_held; /* [n_tasks] after each */
    double silent;      /* percent of the samples of all tasks, when they were scored last */
    double train_seconds, test_seconds;
} RunState;

/* One seed's run, as its student sees it. */
typedef struct Session {
    const TaskSplit *split;
    const Experiment *settled;
    uint32_t seed;
    const ProtocolOptions *how;
    Stream stream;
    Student student;
    RunState state;
    double learning_since;  /* when it began, 0 while it does not learn */
    uint64_t since_written; /* samples since the last checkpoint */
    uint64_t reported;      /* samples */
    uint64_t unreported;
    double last_report; /* when */
} Session;

/* n more samples are done; told at once if it is the last for now. False if the run should stop. */
bool session_report(Session *session, uint64_t n, bool last);
tacos_status session_interrupted(tacos_error *err);

/* The next sample of the stream has been learned: a checkpoint, if it is time. */
tacos_status session_learned(Session *session, tacos_error *err);
double session_learning_seconds(const Session *session);

/* A kind of student takes its place in a session. */
tacos_status student_spiking(Student *out, Session *session, tacos_error *err);
tacos_status student_rival(Student *out, Session *session, tacos_error *err);

/* ---- checkpoint.c: a run that is not complete, as a file, so that it can be resumed ----
 * docs/checkpoint.md describes the format. */

/* Write the state of a session to how->checkpoint, in place of what was there. */
tacos_status checkpoint_write(const Session *session, tacos_error *err);

/* Bring a session that has just begun to where how->checkpoint left it. A file that is not there,
 * or that is another configuration's, leaves it as it is; a damaged one or a newer program's is an
 * error. */
tacos_status checkpoint_read(Session *session, tacos_error *err);

#endif
