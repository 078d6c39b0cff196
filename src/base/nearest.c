/* nearest.c - tacos_nearest: the nearest name by edit distance; letters added, dropped, changed, or
 * two swapped. */
#include "tacos.h"

#include <stddef.h>
#include <string.h>

enum { MAX_LENGTH = 40, FAR = MAX_LENGTH + 1 };

static size_t min_of(size_t a, size_t b) {
    return a < b ? a : b;
}

/* Three rows of the usual table are enough: a swap looks two rows back. */
static size_t distance(const char *a, const char *b) {
    size_t rows[3][MAX_LENGTH + 1];
    size_t n_a = strlen(a), n_b = strlen(b);
    if (n_a > MAX_LENGTH || n_b > MAX_LENGTH)
        return FAR;
    for (size_t j = 0; j <= n_b; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= n_a; i++) {
        size_t *row = rows[i % 3], *above = rows[(i + 2) % 3], *two_above = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= n_b; j++) {
            row[j] = min_of(above[j], row[j - 1]) + 1;
            row[j] = min_of(row[j], above[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = min_of(row[j], two_above[j - 2] + 1);
        }
    }
    return rows[n_a % 3][n_b];
}

/* "omni" is meant for "omniglot", and "fashion-mnist" for "fashion". */
static int one_begins_other(const char *a, const char *b) {
    size_t n = min_of(strlen(a), strlen(b));
    return n >= 3 && strncmp(a, b, n) == 0;
}

/* Are all letters of the word in the name, in order? Then some were only left out. */
static int leaves_out(const char *word, const char *name) {
    for (; *word && *name; name++)
        word += *word == *name;
    return !*word;
}

const char *tacos_nearest(const char *word, const char *const *names) {
    const char *best = NULL;
    size_t best_distance = FAR;
    for (; *names; names++) {
        size_t d = one_begins_other(word, *names) ? 1 : distance(word, *names);
        /* "sed" is as far from "set" as from "seed", but a letter left out is more likely. */
        int nearer = d < best_distance || (best && d == best_distance && leaves_out(word, *names) &&
                                           !leaves_out(word, best));
        /* A third of the letters may be wrong; more is another word. */
        if (nearer && d <= (strlen(*names) + 2) / 3) {
            best = *names;
            best_distance = d;
        }
    }
    return best;
}
