/* match.h - the best unit of a place. A kernel includes it, more than once if it has several ways,
 * with two macros defined: MATCH_BEST, the name of the function to be made, and MATCH_BLOCK,
 *
 *   static bool MATCH_BLOCK(const Matching *m, size_t block, int32_t best, int32_t *matches)
 *
 * which says whether a match of the block is above `best`, and if so fills matches[KERNEL_UNITS].
 */

static Match MATCH_BEST(const Matching *m) {
    Match best = {INT32_MIN, UINT32_MAX};
    for (size_t first = 0; first < m->n; first += KERNEL_UNITS) {
        int32_t matches[KERNEL_UNITS];
        size_t here = m->n - first < KERNEL_UNITS ? m->n - first : KERNEL_UNITS;
        if (!MATCH_BLOCK(m, m->blocks[first / KERNEL_UNITS], best.match, matches))
            continue;
        for (size_t i = 0; i < here; i++)
            if (matches[i] > best.match) {
                best.match = matches[i];
                best.unit = (uint32_t)(first + i);
            }
    }
    return best;
}

#undef MATCH_BEST
#undef MATCH_BLOCK
