/* tasks.c - parses groups of classes into a stream of tasks, and selects each task's samples. */
#include "data/tasks.h"

#include "base/rng.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool has_class(const Task *task, size_t class_index, size_t *at) {
    for (*at = 0; *at < task->n_classes; (*at)++)
        if (task->classes[*at] == class_index)
            return true;
    return false;
}

/* A class as it is written: n bytes, without the quotes. */
typedef struct Word {
    const char *at;
    size_t n;
    bool named;
} Word;

static bool is_number(const char *at, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (at[i] < '0' || at[i] > '9')
            return false;
    return n > 0;
}

static tacos_status take_quoted(const char **at, const char *text, Word *out, tacos_error *err) {
    size_t n = strcspn(*at + 1, "\"");
    if (n == 0 || (*at)[1 + n] == '\0')
        return failure(err, TACOS_INVALID,
                       "tasks = %.100s: a name between double quotes is not ended, or empty", text);
    *out = (Word){*at + 1, n, true};
    *at += n + 2;
    return TACOS_OK;
}

/* *at moves behind it, and behind blanks. */
static tacos_status take_word(const char **at, const char *text, Word *out, tacos_error *err) {
    bool quoted = **at == '"';
    if (quoted) {
        TRY(take_quoted(at, text, out, err));
    } else {
        size_t n = strcspn(*at, "-,\"");
        *out = (Word){.at = *at, .n = n};
        *at += n;
        while (out->n > 0 && out->at[out->n - 1] == ' ')
            out->n--;
        out->named = !is_number(out->at, out->n);
    }
    *at += strspn(*at, " ");
    if (out->n == 0)
        return failure(err, TACOS_INVALID,
                       "tasks = %.100s: a class is missing before '%.20s'; classes are numbers or "
                       "names, like 0-1,2-3 or cat-dog",
                       text, *at);
    if (!quoted && out->named && out->at[0] >= '0' && out->at[0] <= '9')
        return failure(err, TACOS_INVALID,
                       "tasks = %.100s: '%.*s' is neither a number nor a name; commas are between "
                       "tasks, dashes between classes, and a name that begins with a digit is "
                       "between double quotes",
                       text, out->n < 60 ? (int)out->n : 60, out->at);
    return TACOS_OK;
}

static bool same_word(const Word *a, const Word *b) {
    return a->named && b->named && a->n == b->n && memcmp(a->at, b->at, a->n) == 0;
}

/* The names in a text, each once. */
typedef struct Words {
    size_t n;
    Word at[TASKS_MAX * TASK_CLASSES_MAX];
} Words;

static size_t words_find(Words *words, const Word *word) {
    size_t i = 0;
    while (i < words->n && !same_word(&words->at[i], word))
        i++;
    if (i == words->n)
        words->at[words->n++] = *word;
    return i;
}

/* A name gets a number that stands in for it. */
static tacos_status parse_class(const char **at, const char *text, Words *words, uint16_t *out,
                                tacos_error *err) {
    Word word;
    TRY(take_word(at, text, &word, err));
    if (word.named) {
        *out = (uint16_t)(CLASSES_MAX - 1 - words_find(words, &word));
        return TACOS_OK;
    }
    unsigned long value = word.n < 8 ? strtoul(word.at, NULL, 10) : CLASSES_MAX;
    if (value >= CLASSES_MAX)
        return failure(err, TACOS_RANGE, "tasks = %.100s: class %.*s is above %d", text,
                       word.n < 20 ? (int)word.n : 20, word.at, CLASSES_MAX - 1);
    *out = (uint16_t)value;
    return TACOS_OK;
}

static tacos_status parse_task(const char **at, const char *text, Words *words, Task *task,
                               tacos_error *err) {
    for (;;) {
        uint16_t class_index = 0;
        size_t k;
        const char *from = *at;
        TRY(parse_class(at, text, words, &class_index, err));
        if (has_class(task, class_index, &k))
            return failure(err, TACOS_INVALID,
                           "tasks = %.100s: class %.*s occurs twice in one task", text,
                           (int)strcspn(from, "-, "), from);
        if (task->n_classes == TASK_CLASSES_MAX)
            return failure(err, TACOS_RANGE, "tasks = %.100s: a task has at most %d classes", text,
                           TASK_CLASSES_MAX);
        task->outputs[task->n_classes] = (uint16_t)task->n_classes;
        task->classes[task->n_classes++] = class_index;
        if (**at != '-')
            return TACOS_OK;
        (*at)++;
        *at += strspn(*at, " ");
    }
}

/* A number after the character `before`; *at then is behind it. */
static bool read_number(const char **at, char before, unsigned long *out) {
    char *end;
    if (**at != before)
        return false;
    *out = strtoul(*at + 1, &end, 10);
    bool found = end > *at + 1;
    *at = end;
    return found;
}

static tacos_status parse_random(Tasks *out, const char *text, tacos_error *err) {
    const char *at = text + strlen("random");
    unsigned long n = 0, each = 0, draw = 1;
    if (!read_number(&at, ':', &n) || !read_number(&at, 'x', &each) ||
        (*at && strcmp(at, TASKS_BY_SEED) != 0 &&
         (!read_number(&at, ':', &draw) || *at || draw > UINT32_MAX)))
        return failure(err, TACOS_INVALID,
                       "tasks = %.100s: expected random:50x5, for 50 tasks of 5 classes", text);
    if (n < 1 || n > TASKS_MAX || each < 1 || each > TASK_CLASSES_MAX)
        return failure(err, TACOS_RANGE, "tasks = %.100s: 1 to %d tasks of 1 to %d classes", text,
                       TASKS_MAX, TASK_CLASSES_MAX);
    *out = (Tasks){.n = n, .n_outputs = each, .random = true, .draw = (uint32_t)draw};
    for (size_t t = 0; t < n; t++) {
        out->task[t].n_classes = each;
        for (size_t k = 0; k < each; k++)
            out->task[t].outputs[k] = (uint16_t)k;
    }
    return TACOS_OK;
}

tacos_status tasks_parse(Tasks *out, const char *text, tacos_error *err) {
    const char *at = text;
    Words words = {.n = 0};
    *out = (Tasks){0};
    if (strncmp(text, "random", 6) == 0)
        return parse_random(out, text, err);
    for (;;) {
        if (out->n == TASKS_MAX)
            return failure(err, TACOS_RANGE, "tasks: at most %d tasks are possible", TASKS_MAX);
        Task *task = &out->task[out->n++];
        at += strspn(at, " ");
        TRY(parse_task(&at, text, &words, task, err));
        if (task->n_classes > out->n_outputs)
            out->n_outputs = task->n_classes;
        at += strspn(at, " ");
        out->n_named = words.n;
        if (*at == '\0')
            return TACOS_OK;
        if (*at++ != ',')
            return failure(err, TACOS_INVALID, "tasks = %.100s: expected a comma before '%.20s'",
                           text, at - 1);
    }
}

/* ---- names as numbers ---- */

enum { NEAREST_MAX = 3 };

/* The names that are nearest to a word, as a list: "'cat', 'cow'". */
static void list_nearest(const char *word, const ClassNames *names, char *out, size_t size) {
    const char **left = malloc((names->n + 1) * sizeof *left);
    size_t n = names->n, used = 0;
    out[0] = '\0';
    for (size_t i = 0; left && i < n; i++)
        left[i] = names->at[i];
    for (size_t k = 0; left && k < NEAREST_MAX && n > 0; k++) {
        left[n] = NULL;
        const char *near = tacos_nearest(word, left);
        if (!near)
            break;
        used += (size_t)snprintf(out + used, size - used, "%s'%.60s'", k > 0 ? ", " : "", near);
        for (size_t i = 0; i < n; i++)
            if (left[i] == near)
                left[i--] = left[--n];
    }
    free(left);
}

static tacos_status find_name(const Word *word, const ClassNames *names, size_t *out,
                              tacos_error *err) {
    char name[64], near[NEAREST_MAX * 64 + 8];
    for (*out = 0; *out < names->n; ++*out)
        if (strlen(names->at[*out]) == word->n && memcmp(names->at[*out], word->at, word->n) == 0)
            return TACOS_OK;
    (void)snprintf(name, sizeof name, "%.*s", word->n < 60 ? (int)word->n : 60, word->at);
    if (names->n == 0)
        return failure(err, TACOS_INVALID,
                       "tasks: '%s' is a name, but the classes of this data set are numbers", name);
    list_nearest(name, names, near, sizeof near);
    if (near[0])
        return failure(err, TACOS_INVALID, "tasks: no class is named '%s'; the nearest: %s", name,
                       near);
    return failure(err, TACOS_INVALID,
                   "tasks: no class is named '%s'; `tacos data show` lists the names", name);
}

tacos_status tasks_number(const char *text, const ClassNames *names, char *out, size_t size,
                          tacos_error *err) {
    const char *at = text + strspn(text, " ");
    size_t used = 0, number = 0;
    while (*at) {
        Word word;
        TRY(take_word(&at, text, &word, err));
        if (word.named)
            TRY(find_name(&word, names, &number, err));
        else
            number = strtoul(word.at, NULL, 10);
        used += (size_t)snprintf(out + used, size - used, "%zu", number);
        if (*at && used + 1 < size)
            out[used++] = *at++;
        if (used + 8 >= size)
            return failure(err, TACOS_RANGE, "tasks = %.100s: the list is too long", text);
        at += strspn(at, " ");
    }
    out[used] = '\0';
    return TACOS_OK;
}

/* Behind n tasks; commas between quotes do not count. */
void tasks_cut(char *text, size_t n) {
    bool quoted = false;
    for (; *text && n > 0; text++) {
        quoted ^= *text == '"';
        if (*text == ',' && !quoted && --n == 0)
            break;
    }
    *text = '\0';
}

/* The first of the classes in a random order: a task takes the next ones. */
static tacos_status draw_classes(Tasks *tasks, size_t n_classes, tacos_error *err) {
    uint16_t order[CLASSES_MAX];
    size_t n_wanted = tasks->n * tasks->n_outputs;
    if (n_wanted > n_classes)
        return failure(err, TACOS_RANGE,
                       "%zu tasks of %zu classes need more than the data set's %zu classes",
                       tasks->n, tasks->n_outputs, n_classes);
    for (size_t i = 0; i < n_classes; i++)
        order[i] = (uint16_t)i;
    for (size_t i = 0; i < n_wanted; i++) {
        uint32_t word = rng_block(tasks->draw, RNG_CLASSES, 0, (uint32_t)(i / 4), 0).word[i % 4];
        size_t k = i + (size_t)(((uint64_t)word * (n_classes - i)) >> 32);
        uint16_t other = order[i];
        order[i] = order[k];
        order[k] = other;
        tasks->task[i / tasks->n_outputs].classes[i % tasks->n_outputs] = order[i];
    }
    tasks->random = false;
    return TACOS_OK;
}

tacos_status tasks_settle(Tasks *tasks, size_t n_classes, tacos_error *err) {
    if (tasks->random)
        return draw_classes(tasks, n_classes, err);
    for (size_t t = 0; t < tasks->n; t++)
        for (size_t k = 0; k < tasks->task[t].n_classes; k++)
            if (tasks->task[t].classes[k] >= n_classes)
                return failure(err, TACOS_RANGE,
                               "task %zu has class %u, but the data set's classes are 0 to %zu",
                               t + 1, tasks->task[t].classes[k], n_classes - 1);
    return TACOS_OK;
}

void tasks_split_head(Tasks *tasks) {
    uint16_t output[CLASSES_MAX]; /* of each class, or ... */
    const uint16_t none = UINT16_MAX;
    for (size_t c = 0; c < CLASSES_MAX; c++)
        output[c] = none;
    tasks->n_outputs = 0;
    for (size_t t = 0; t < tasks->n; t++)
        for (size_t k = 0; k < tasks->task[t].n_classes; k++) {
            uint16_t *own = &output[tasks->task[t].classes[k]];
            if (*own == none)
                *own = (uint16_t)tasks->n_outputs++;
            tasks->task[t].outputs[k] = *own;
        }
}

static void thin_out(TaskSamples *samples, size_t limit) {
    for (size_t i = 0; i < limit; i++) {
        size_t k = (size_t)((uint64_t)i * samples->n / limit);
        samples->image[i] = samples->image[k];
        samples->target[i] = samples->target[k];
    }
    samples->n = limit;
}

/* Free the memory that a small task of a large data set does not need. */
static void fit(TaskSamples *samples) {
    uint32_t *image = realloc(samples->image, samples->n * sizeof *image);
    uint16_t *target = realloc(samples->target, samples->n * sizeof *target);
    samples->image = image ? image : samples->image;
    samples->target = target ? target : samples->target;
}

/* Is the k-th image of a class (from 0) in this part? */
static bool is_in(TaskPart part, size_t k) {
    double held_before = floor((double)k * part.fraction);
    bool held = floor((double)(k + 1) * part.fraction) > held_before;
    return held == part.held_out;
}

tacos_status task_samples(TaskSamples *out, const Images *images, const Tasks *tasks, size_t t,
                          TaskPart part, tacos_error *err) {
    const Task *task = &tasks->task[t];
    size_t seen[TASK_CLASSES_MAX] = {0};
    TaskSamples found = {0};
    found.image = malloc(images->n * sizeof *found.image + 1);
    found.target = malloc(images->n * sizeof *found.target + 1);
    if (!found.image || !found.target) {
        task_samples_free(&found);
        return failure(err, TACOS_MEMORY, "no memory for the samples of task %zu", t + 1);
    }
    for (size_t i = 0; i < images->n; i++) {
        size_t k;
        if (!has_class(task, images->labels[i], &k) || !is_in(part, seen[k]++))
            continue;
        found.image[found.n] = (uint32_t)i;
        found.target[found.n++] = task->outputs[k];
    }
    if (found.n == 0) {
        task_samples_free(&found);
        return failure(err, TACOS_INVALID, "task %zu is empty: no image%s has one of its classes",
                       t + 1, part.held_out ? " that is held out" : "");
    }
    if (part.limit > 0 && part.limit < found.n)
        thin_out(&found, part.limit);
    fit(&found);
    *out = found;
    return TACOS_OK;
}

tacos_status task_samples_shuffled(TaskSamples *out, const Images *images, const Tasks *tasks,
                                   size_t t, TaskPart part, uint32_t seed, tacos_error *err) {
    size_t limit = part.limit;
    part.limit = 0; /* of the shuffled ones, the first */
    TRY(task_samples(out, images, tasks, t, part, err));
    for (size_t i = out->n - 1; i > 0; i--) {
        size_t k = rng_partner(seed, RNG_ORDER, t, i);
        uint32_t image = out->image[i];
        uint16_t target = out->target[i];
        out->image[i] = out->image[k];
        out->target[i] = out->target[k];
        out->image[k] = image;
        out->target[k] = target;
    }
    if (limit > 0 && limit < out->n)
        out->n = limit;
    return TACOS_OK;
}

void task_samples_free(TaskSamples *samples) {
    free(samples->image);
    free(samples->target);
    *samples = (TaskSamples){0};
}
