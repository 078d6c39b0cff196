/* adwin.c - adds bits to the window, merges its buckets, and looks for a change. */
#include "stream/adwin.h"

#include "base/exact.h"

#include <string.h>

void adwin_start(Adwin *adwin, double delta) {
    *adwin = (Adwin){.delta = delta};
}

/* ---- buckets ---- */

/* Remove the oldest `n` buckets of a row. */
static void remove_buckets(Adwin *adwin, size_t row, uint8_t n) {
    uint64_t *sum = adwin->sum[row];
    adwin->n_buckets[row] = (uint8_t)(adwin->n_buckets[row] - n);
    memmove(sum, sum + n, adwin->n_buckets[row] * sizeof *sum);
}

/* Add a bucket to a row; if it is full, its two oldest become one of twice the size first. */
static void add_bucket(Adwin *adwin, size_t row, uint64_t sum) {
    for (; row < ADWIN_ROWS; row++) {
        uint64_t *sums = adwin->sum[row], both = sums[0] + sums[1];
        bool full = adwin->n_buckets[row] == ADWIN_BUCKETS;
        if (full)
            remove_buckets(adwin, row, 2);
        sums[adwin->n_buckets[row]++] = sum;
        if (!full)
            return;
        sum = both;
    }
}

static size_t top_row(const Adwin *adwin) {
    size_t row = ADWIN_ROWS;
    while (row > 0 && adwin->n_buckets[row - 1] == 0)
        row--;
    return row > 0 ? row - 1 : 0;
}

static void drop_oldest(Adwin *adwin) {
    size_t row = top_row(adwin);
    adwin->n -= (uint64_t)1 << row;
    adwin->ones -= adwin->sum[row][0];
    remove_buckets(adwin, row, 1);
}

/* ---- changes ---- */

double adwin_ln(double x) {
    static const double LN_2 = 0.69314718055994530942, ROOT_2 = 1.4142135623730950488;
    double exponent = 0, sum = 0;
    while (x > ROOT_2) {
        x *= 0.5;
        exponent++;
    }
    /* ln x = 2 artanh y, and |y| < 0.172, so that 13 terms are enough. */
    double y = (x - 1) / (x + 1);
    for (int k = 25; k > 0; k -= 2)
        sum = sum * y * y + 1.0 / k;
    return exponent * LN_2 + 2 * y * sum;
}

/* The bound of the paper with delta' = delta / ln n: parts whose means differ by more than
 * sqrt(2/m var ln(2/delta')) + 2/(3m) ln(2/delta'), 1/m = 1/n0 + 1/n1, are not of one rate. */
typedef struct Bound {
    double variance, ln; /* of the window; ln(2/delta') */
} Bound;

static Bound bound_of(const Adwin *adwin) {
    double n = (double)adwin->n, mean = (double)adwin->ones / n;
    return (Bound){mean * (1 - mean), adwin_ln(2 * adwin_ln(n) / adwin->delta)};
}

/* Without a square root: what is left of the difference is compared in squares. */
static bool exceeds(const Bound *bound, double difference, double n0, double n1) {
    double per_m = 1 / n0 + 1 / n1;
    double left = (difference < 0 ? -difference : difference) - 2.0 / 3 * per_m * bound->ln;
    return left > 0 && left * left > 2 * per_m * bound->variance * bound->ln;
}

/* Compare the parts before and after each border between buckets, from the oldest on. */
static AdwinChange find_change(const Adwin *adwin) {
    uint64_t n0 = 0, ones0 = 0;
    Bound bound = bound_of(adwin);
    for (size_t row = top_row(adwin) + 1; row-- > 0;)
        for (size_t k = 0; k < adwin->n_buckets[row]; k++) {
            n0 += (uint64_t)1 << row;
            ones0 += adwin->sum[row][k];
            if (adwin->n - n0 < ADWIN_LEAST)
                return ADWIN_SAME;
            double before = (double)n0, after = (double)(adwin->n - n0);
            double difference = (double)(adwin->ones - ones0) / after - (double)ones0 / before;
            if (n0 >= ADWIN_LEAST && exceeds(&bound, difference, before, after))
                return difference > 0 ? ADWIN_ROSE : ADWIN_FELL;
        }
    return ADWIN_SAME;
}

AdwinChange adwin_add(Adwin *adwin, bool one) {
    AdwinChange first = ADWIN_SAME;
    add_bucket(adwin, 0, one);
    adwin->n++;
    adwin->ones += one;
    adwin->n_added++;
    if (adwin->n_added % ADWIN_EVERY != 0)
        return ADWIN_SAME;
    while (adwin->n >= 2 * ADWIN_LEAST) {
        AdwinChange change = find_change(adwin);
        if (change == ADWIN_SAME)
            break;
        if (first == ADWIN_SAME)
            first = change;
        drop_oldest(adwin);
    }
    return first;
}

/* ---- saved ---- */

/* Read buckets are of the right size by their place; sums that are too large are refused. */
static bool move_row(Adwin *adwin, Pack *pack, size_t row) {
    bool good;
    adwin->n_buckets[row] = (uint8_t)pack_whole(pack, adwin->n_buckets[row], 1);
    good = adwin->n_buckets[row] <= ADWIN_BUCKETS;
    for (size_t k = 0; good && k < adwin->n_buckets[row]; k++) {
        uint64_t sum = pack_whole(pack, adwin->sum[row][k], 8);
        adwin->sum[row][k] = sum;
        good = sum <= (uint64_t)1 << row;
        if (!pack->writing) {
            adwin->n += (uint64_t)1 << row;
            adwin->ones += sum;
        }
    }
    return good;
}

bool adwin_move(Adwin *adwin, Pack *pack) {
    bool good = true;
    if (!pack->writing)
        adwin_start(adwin, adwin->delta);
    size_t n_rows = (size_t)pack_whole(pack, top_row(adwin) + 1, 1);
    adwin->n_added = pack_whole(pack, adwin->n_added, 8);
    if (n_rows > ADWIN_ROWS)
        return false;
    for (size_t row = 0; row < n_rows && good; row++)
        good = move_row(adwin, pack, row);
    return good && !pack->failed && adwin->n <= adwin->n_added;
}
