/* student.h - the interface between the protocol and a model, spiking or rival: learn part of the
 * stream, answer on a task. */
#ifndef LAB_STUDENT_H
#define LAB_STUDENT_H

#include "base/pack_file.h"
#include "lab/confusion.h"
#include "lab/curve.h"
#include "lab/protocol.h"
#include "lab/stream.h"

/* Samples of a task to be scored. A peek, at a point of a curve, leaves no trace: it counts neither
 * in the run's counters nor in its progress. */
typedef struct Exam {
    size_t task;
    const TaskSamples *samples;
    bool is_peek;
} Exam;

/* The result of scoring them. */
typedef struct Answers {
    size_t n, right;
    size_t silent; /* no compared output spiked; a rival always answers */
} Answers;

typedef struct Student {
    void *self;
    /* Learn as many samples of the stream as task k has. */
    tacos_status (*learn)(void *self, size_t k, tacos_error *err);
    tacos_status (*score)(void *self, const Exam *exam, Answers *out, tacos_error *err);
    /* Called after task k is learned and scored. */
    void (*look_back)(void *self, size_t k);
    tacos_learner_stats (*stats)(const void *self);
    /* Called once, at the end: set the digest and the measures. */
    void (*finish)(void *self, tacos_run *run);
    /* Save the model; NULL: not supported. */
    tacos_status (*save)(void *self, SavedModel *out, tacos_error *err);
    /* Write or read its state between two samples; false on failure. NULL: it cannot be resumed. */
    bool (*move)(void *self, Pack *pack);
    void (*close)(void *self);
} Student;

/* The progress of a run. */
typedef struct RunState {
    size_t n_tasks;
    size_t n_rows;      /* complete rows of b and R together */
    size_t n_learned;   /* samples of the stream */
    double *b;          /* [n_tasks] */
    double *R;          /* [n_tasks][n_tasks] */
    size_t *bytes_held; /* [n_tasks] after each task */
    Confusion confusion;
    Curve curve;
    double silent; /* percent of all tasks' samples, when last scored */
    double train_seconds, test_seconds;
} RunState;

/* The run of one seed, as its student sees it. */
typedef struct Session {
    const TaskSplit *split;
    const Experiment *settled;
    uint32_t seed;
    const ProtocolOptions *how;
    Stream stream;
    Student student;
    RunState state;
    double learning_since;  /* when it began; 0 while not learning */
    uint64_t since_written; /* samples since the last checkpoint */
    uint64_t reported;      /* samples */
    uint64_t unreported;
    double last_report; /* when */
} Session;

/* Report n more samples, immediately if `last`. False if the run should stop. */
bool session_report(Session *session, uint64_t n, bool last);
tacos_status session_interrupted(tacos_error *err);

/* Call after a part of task k is learned, when done of its n samples are: adds a point to the curve
 * if the last `part` of them has passed one. */
tacos_status session_curve(Session *session, size_t k, size_t part, size_t done, size_t n,
                           tacos_error *err);

/* Call after each learned sample of the stream: adds a point to the curve and writes a checkpoint
 * when they are due. */
tacos_status session_learned(Session *session, tacos_error *err);
double session_learning_seconds(const Session *session);

/* The position in the stream's part of the task being learned, and its size. */
size_t session_task_done(const Session *session, size_t *n);

tacos_status student_spiking(Student *out, Session *session, tacos_error *err);
tacos_status student_columns(Student *out, Session *session, tacos_error *err);
tacos_status student_rival(Student *out, Session *session, tacos_error *err);

/* Add up counters. */
void student_add_tally(tacos_counters *sum, const tacos_counters *tally);

/* A learner as the bytes of its file. */
tacos_status student_save(tacos_learner *learner, SavedModel *out, tacos_error *err);

/* ---- checkpoint.c: an incomplete run as a file, to be resumed ----
 * docs/checkpoint.md describes the format. */

/* Write the session's state to how->checkpoint, replacing it. */
tacos_status checkpoint_write(const Session *session, tacos_error *err);

/* Resume a new session from how->checkpoint. A missing file, or one of another configuration,
 * changes nothing; a damaged one, or one of a newer version, is an error. */
tacos_status checkpoint_read(Session *session, tacos_error *err);

#endif
