/* columns.c - the model `columns`, written to be read: every value of every unit in plain loops,
 * without the library.
 *
 *   cc -O2 columns.c -lm -o columns && ./columns
 *
 * Steps have the numbers of docs/columns.md; steps 1 and 2 are in columns_sense.h. The program
 * learns five tasks of two digits each, one after the other, and prints how many digits of each
 * task it recognizes after each.
 *
 * What is learned and answered is whole numbers: the tests include this file and compare every bit
 * with the engine. NOTE is a macro for their sake alone; they count what happened. */
#include "columns_sense.h"

#ifndef NOTE
#define NOTE(event) ((void)0)
#endif

/* ---- 3 and 4: compete, and look around ---- */

/* The unit of a place that matches best, the first one on a tie. */
static int best_unit(const ReferenceColumns *r, int place, const int *x, int64_t *best) {
    int winner = NOBODY;
    for (int u = 0; u < r->n_units; u++) {
        int64_t dot = 0, length2 = 0, inverse = 0;
        int shift;
        if (r->units[u].place != place)
            continue;
        for (int k = 0; k < r->window; k++) {
            dot += x[k] * r->units[u].t[k];
            length2 += r->units[u].t[k] * r->units[u].t[k];
        }
        if (length2 > 0) {
            int64_t root = root_mantissa((uint64_t)(length2 * r->rule.norm2), &shift);
            inverse = ((int64_t)1 << (30 + shift)) / root;
        }
        if (winner == NOBODY || dot * inverse > *best) {
            winner = u;
            *best = dot * inverse;
        }
    }
    return winner;
}

static void look(ReferenceColumns *r, const int *counts, int is_first) {
    static int x[WINDOW];
    see_map(r, counts);
    for (int p = 0; p < r->n_places; p++) {
        ReferencePlace *place = &r->places[p];
        int sees = see_patch(r, place->at, x);
        int64_t match = 0;
        if (is_first) {
            place->is_silent = !sees;
            place->winner = NOBODY;
            memcpy(place->first, x, sizeof x);
            memcpy(place->x, x, sizeof x);
        }
        int unit = sees && !place->is_silent ? best_unit(r, p, x, &match) : NOBODY;
        if (unit == NOBODY)
            continue;
        match -= is_first ? 0 : r->rule.look_cost;
        if (!is_first && match <= place->match)
            continue;
        if (!is_first)
            NOTE(MOVED_LOOK_WON);
        place->winner = unit;
        place->match = match;
        memcpy(place->x, x, sizeof x);
    }
}

/* Darkness comes in where the input moves away. */
static void move_input(const ReferenceRule *rule, const int *counts, int dx, int dy, int *out) {
    for (int i = 0; i < rule->height * rule->width * rule->channels; i++) {
        int x = i / rule->channels % rule->width + dx, y = i / rule->channels / rule->width + dy;
        int inside = x >= 0 && x < rule->width && y >= 0 && y < rule->height;
        out[i] = inside ? counts[i + (dy * rule->width + dx) * rule->channels] : 0;
    }
}

static void look_around(ReferenceColumns *r, const int *counts) {
    static const int moves[8][2] = {{1, 0}, {-1, 0}, {0, 1},  {0, -1},
                                    {1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
    static int seen[INPUTS], moved[INPUTS];
    memcpy(seen, counts,
           sizeof *seen * (size_t)(r->rule.height * r->rule.width * r->rule.channels));
    if (r->rule.smooth)
        smooth(&r->rule, counts, seen);
    look(r, seen, 1);
    for (int k = 0; k + 1 < r->rule.looks; k++) {
        if (moves[k][1] != 0 && r->rule.height == 1)
            continue; /* a signal has no up and down */
        move_input(&r->rule, seen, moves[k][0], moves[k][1], moved);
        look(r, moved, 0);
    }
}

/* ---- 5: read out ---- */

/* The output with the largest score among those seen before, the lowest on a tie. */
static int likeliest(const ReferenceColumns *r, int except) {
    int best = NOBODY;
    for (int c = 0; c < r->rule.n_outputs; c++)
        if (r->totals[c] > 0 && c != except && (best == NOBODY || r->score[c] > r->score[best]))
            best = c;
    return best;
}

static int has_a_vote(const ReferencePlace *place) {
    return place->is_silent || place->winner != NOBODY;
}

/* Steps 2 to 5; counts are what step 1 gives. The answer, or NOBODY before the first sample. */
static int reference_answer(ReferenceColumns *r, const int *counts) {
    look_around(r, counts);
    for (int c = 0; c < r->rule.n_outputs; c++) {
        uint64_t n_c = r->totals[c] < INT32_MAX / 2 ? 2 * (uint64_t)r->totals[c] : INT32_MAX;
        r->score[c] = 0;
        for (int p = 0; p < r->n_places; p++) {
            ReferencePlace *place = &r->places[p];
            if (!has_a_vote(place))
                continue;
            uint64_t n =
                place->silent[c] < INT32_MAX ? 2 * (uint64_t)place->silent[c] + 1 : UINT32_MAX;
            if (!place->is_silent)
                n = 2 * (uint64_t)number_of(r->units[place->winner].counts[c]) + 1;
            place->z[c] = log256(n) - log256(n_c + (uint64_t)(r->n_units / r->n_places) + 1);
            r->score[c] += place->trust * place->z[c] >> 16;
        }
    }
    return likeliest(r, NOBODY);
}

/* ---- 6 to 12: learn ---- */

/* 6: places that spoke for the target gain trust, those that spoke for the other one lose it. */
static void move_trust(ReferenceColumns *r, int target) {
    int other = likeliest(r, target);
    if (other == NOBODY || r->totals[target] <= 200)
        return;
    for (int p = 0; p < r->n_places; p++) {
        ReferencePlace *place = &r->places[p];
        if (place->is_silent || place->winner == NOBODY)
            continue;
        place->trust += ((place->z[target] - place->z[other]) * r->rule.trust_rate + 32768) >> 16;
        place->trust = place->trust > TRUST_1 / 20 ? place->trust : TRUST_1 / 20;
        place->trust = place->trust < TRUST_1 * 16 ? place->trust : TRUST_1 * 16;
        NOTE(TRUSTED);
    }
}

/* 9: once memory is full theta falls where a unit is wanted, and rises slowly where none is. */
static void move_theta(const ReferenceRule *rule, ReferencePlace *place, int is_unlike) {
    place->theta += is_unlike ? -rule->down : rule->up;
    place->theta = place->theta < rule->theta ? place->theta : rule->theta;
    place->theta = place->theta > 0 ? place->theta : 0;
    if (place->theta < rule->theta)
        NOTE(THETA_FELL);
}

/* The k-th unit of a place; NOBODY if it has not so many. */
static int unit_of(const ReferenceColumns *r, int place, int k) {
    for (int u = 0; u < r->n_units; u++)
        if (r->units[u].place == place && k-- == 0)
            return u;
    return NOBODY;
}

/* In a vector what is little grows with the samples: a quarter of the mean of the place. */
static int is_used_little(const ReferenceColumns *r, int n_units, int unit) {
    int64_t uses = number_of(r->units[unit].uses), samples = 0;
    for (int c = 0; c < r->rule.n_outputs; c++)
        samples += r->totals[c];
    return uses <= r->rule.recycle_uses || (r->rule.vector && 4 * uses * n_units <= samples);
}

/* 10: the least used of a few, if it is used little; the first one on a tie. */
static int recycle(const ReferenceColumns *r, int place, int winner, uint32_t *draws) {
    int n = 0, best = NOBODY;
    while (unit_of(r, place, n) != NOBODY)
        n++;
    for (int k = 0; k < r->rule.recycle && n > 8; k++) {
        int unit = unit_of(r, place, (int)(next_draw(draws) * (uint64_t)n >> 32));
        if (unit != winner && (best == NOBODY || r->units[unit].uses < r->units[best].uses))
            best = unit;
    }
    if (best == NOBODY || !is_used_little(r, n, best))
        return NOBODY;
    NOTE(RECYCLED);
    return best;
}

/* 11: an eighth of the winner's counts, but at most kappa in all, rounded at random. */
static void inherit(const ReferenceColumns *r, const uint8_t *from, uint8_t *counts,
                    uint32_t *draws) {
    int64_t sum = 0;
    for (int c = 0; c < r->rule.n_outputs; c++)
        sum += number_of(from[c]);
    int64_t most = 32 * sum < r->rule.inherit ? 32 * sum : r->rule.inherit; /* times 256 */
    for (int c = 0; c < r->rule.n_outputs && sum > 0 && r->rule.inherit > 0; c++) {
        int64_t part = number_of(from[c]) * most / sum;
        counts[c] = nearest_code(part / 256 + ((int64_t)(next_draw(draws) >> 24) < part % 256));
        NOTE(INHERITED);
    }
}

/* 12: the template becomes the mean of what it wins. */
static void settle(const ReferenceRule *rule, int n, const int *x, ReferenceUnit *unit,
                   uint32_t *draws) {
    int64_t uses = number_of(unit->uses), rate = uses < 65535 ? 65536 / (1 + uses) : 1;
    for (int k = 0; k < n && rule->settle != NEVER; k++) {
        int64_t part = rule->settle == NEAREST ? 32768 : (int64_t)(next_draw(draws) >> 16);
        unit->t[k] += (int)(((x[k] - unit->t[k]) * rate + part) >> 16);
    }
    NOTE(SETTLED);
}

static void learn_place(ReferenceColumns *r, int p, int target, int is_wrong) {
    ReferencePlace *place = &r->places[p];
    uint32_t draws[4];
    int winner = place->winner, unit = NOBODY;
    random_numbers(r->seed, DRAWS_OF_PLACE, r->n_learned, (uint32_t)p, draws);
    /* 8: is anything like it? Less is, after an error. */
    int64_t theta_e = MATCH_1 - ((MATCH_1 - place->theta) * r->rule.error_gap >> 16);
    int is_unlike = winner == NOBODY || place->match < (is_wrong ? theta_e : place->theta);
    int is_full = r->n_units == r->rule.n_units;
    if (is_full)
        move_theta(&r->rule, place, is_unlike);
    if (is_unlike && !is_full)
        unit = r->n_units++;
    else if (is_unlike && winner != NOBODY)
        unit = recycle(r, p, winner, &draws[1]);
    if (unit != NOBODY) {
        ReferenceUnit *fresh = &r->units[unit];
        memset(fresh, 0, sizeof *fresh);
        fresh->place = p;
        fresh->uses = 1;
        memcpy(fresh->t, place->first, sizeof fresh->t);
        if (winner != NOBODY)
            inherit(r, r->units[winner].counts, fresh->counts, &draws[2]);
        add_event(&fresh->counts[target], &draws[3]);
        NOTE(RECRUITED);
    } else if (winner != NOBODY) {
        add_event(&r->units[winner].uses, &draws[2]);
        add_event(&r->units[winner].counts[target], &draws[3]);
        settle(&r->rule, r->window, is_unlike ? place->first : place->x, &r->units[winner],
               &draws[0]);
    }
}

/* All steps but the first. */
static void reference_learn(ReferenceColumns *r, const int *counts, int target) {
    int is_wrong = reference_answer(r, counts) != target;
    if (is_wrong)
        move_trust(r, target);
    r->totals[target] += r->totals[target] < UINT32_MAX; /* 7 */
    for (int p = 0; p < r->n_places; p++) {
        uint32_t *silent = &r->places[p].silent[target];
        if (r->places[p].is_silent)
            *silent += *silent < UINT32_MAX;
        else
            learn_place(r, p, target, is_wrong);
    }
    r->n_learned++;
}

#ifndef COLUMNS_WITHOUT_MAIN
enum { SIDE = 16, TASKS = 5, SAMPLES = 300, TEST_SAMPLES = 100 };

/* What the defaults of all keys come to for such images and 700 units. */
/* clang-format off */
static const ReferenceRule rule = {
    .height = SIDE, .width = SIDE, .channels = 1, .edges = 1,
    .cells_high = 7, .cells_wide = 7, .window_high = 3, .window_wide = 3, .stride = 2,
    .n_units = 700, .n_outputs = 2 * TASKS, .norm2 = 127 * 127 * 72 / 49, .silence = 9816,
    .theta = (int64_t)(0.865 * MATCH_1), .error_gap = 65536 / 2,
    .down = (int64_t)(0.0005 * MATCH_1), .up = (int64_t)(0.0005 / 9 * MATCH_1),
    .look_cost = (int64_t)(0.01 * MATCH_1), .inherit = 2 * 256, .trust_rate = 3489,
    .settle = STOCHASTIC, .recycle = 8, .recycle_uses = 3, .looks = 1,
};
/* clang-format on */

/* Five columns and seven rows each. */
static const char *const digits[2 * TASKS] = {
    ".###.#...##...##...##...##...#.###.", "..#...##..#.#....#....#....#..#####",
    ".###.#...#....#...#...#...#...#####", ".###.#...#....#..##.....##...#.###.",
    "...#...##..#.#.#..#.#####...#....#.", "######....####.....#....##...#.###.",
    "..##..#...#....####.#...##...#.###.", "#####....#...#...#...#....#....#...",
    ".###.#...##...#.###.#...##...#.###.", ".###.#...##...#.####....#...#..##..",
};

/* 0 to n - 1 */
static int draw_under(int n) {
    static uint32_t state = 1;
    return (int)(next_draw(&state) * (uint64_t)n >> 32);
}

/* A digit with thin or thick strokes, bright or dark, shifted and slanted, on a noisy ground. */
static void draw_digit(int digit, int *counts) {
    int left = 1 + draw_under(4), top = draw_under(4), slant = draw_under(4) - 2;
    int thick = 1 + draw_under(2), ink = 100 + draw_under(128);
    for (int i = 0; i < SIDE * SIDE; i++)
        counts[i] = draw_under(8) ? 0 : draw_under(100);
    for (int i = 0; i < 35; i++) {
        int y = top + i / 5 * 13 / 7, x = left + i % 5 * 2 + slant * (3 - i / 5) / 3;
        for (int k = 0; k <= 2 * thick + 1 && digits[digit][i] == '#'; k++)
            if (x + k / 2 >= 0 && x + k / 2 < SIDE && y + k % 2 < SIDE)
                counts[(y + k % 2) * SIDE + x + k / 2] = ink;
    }
}

static int percent_right(ReferenceColumns *columns, int task) {
    static int counts[INPUTS];
    int n_right = 0;
    for (int k = 0; k < TEST_SAMPLES; k++) {
        draw_digit(2 * task + k % 2, counts);
        n_right += reference_answer(columns, counts) == 2 * task + k % 2;
    }
    return 100 * n_right / TEST_SAMPLES;
}

int main(void) {
    static ReferenceColumns columns;
    static int counts[INPUTS];
    reference_start(&columns, &rule, 1);
    printf("%% correct in tasks 1 to %d, and their mean, after each task\n", TASKS);
    for (int task = 0; task < TASKS; task++) {
        int sum = 0;
        for (int k = 0; k < SAMPLES; k++) {
            int target = 2 * task + draw_under(2);
            draw_digit(target, counts);
            reference_learn(&columns, counts, target);
        }
        for (int seen = 0; seen <= task; seen++) {
            int percent = percent_right(&columns, seen);
            sum += percent;
            printf("%6d", percent);
        }
        printf("%*s%8.1f\n", 6 * (TASKS - 1 - task), "", (double)sum / (task + 1));
    }
    return 0;
}

#endif
