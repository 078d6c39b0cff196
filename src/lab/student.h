/* student.h - the interface between the protocol and a model, spiking or rival: learn a part of the
 * stream, answer on a task. */
#ifndef LAB_STUDENT_H
#define LAB_STUDENT_H

#include "base/pack.h"
#include "lab/protocol.h"
#include "lab/stream.h"

/* The result of scoring the samples of a task. */
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
    /* What was learned; NULL: it cannot be saved. */
    tacos_status (*save)(void *self, SavedModel *out, tacos_error *err);
    /* Write or read its state between two samples; false on failure. NULL: it cannot be resumed. */
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

/* Report n more samples, at once if `last`. False if the run should stop. */
bool session_report(Session *session, uint64_t n, bool last);
tacos_status session_interrupted(tacos_error *err);

/* The next sample of the stream has been learned: a checkpoint, if it is time. */
tacos_status session_learned(Session *session, tacos_error *err);
double session_learning_seconds(const Session *session);

/* The two kinds of student. */
tacos_status student_spiking(Student *out, Session *session, tacos_error *err);
tacos_status student_rival(Student *out, Session *session, tacos_error *err);

/* ---- checkpoint.c: a run that is not complete, as a file, so that it can be resumed ----
 * docs/checkpoint.md describes the format. */

/* Write the state of a session to how->checkpoint, in place of what was there. */
tacos_status checkpoint_write(const Session *session, tacos_error *err);

/* Resume a session that has just begun from how->checkpoint. A missing file, or that of another
 * configuration, changes nothing; a damaged one, or that of a newer version, is an error. */
tacos_status checkpoint_read(Session *session, tacos_error *err);

#endif
