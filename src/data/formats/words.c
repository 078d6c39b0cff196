/* words.c - a hash table of texts with open addressing, at most half full. */
#include "base/posix.h"

#include "data/formats/words.h"

#include "base/array.h"

void words_free(Words *words) {
    for (size_t i = 0; i < words->n; i++)
        free(words->text[i]);
    free(words->text);
    free(words->slots);
    *words = (Words){0};
}

/* FNV-1a */
static size_t hash(const char *text) {
    uint64_t h = 0xcbf29ce484222325;
    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * 0x100000001b3;
    return (size_t)(h ^ h >> 32);
}

/* The slot of a text, or the free one where it belongs. */
static size_t find_slot(const Words *words, const char *text) {
    size_t at = hash(text) & (words->n_slots - 1);
    while (words->slots[at] && strcmp(words->text[words->slots[at] - 1], text) != 0)
        at = (at + 1) & (words->n_slots - 1);
    return at;
}

size_t words_find(const Words *words, const char *text) {
    uint32_t number = words->n_slots ? words->slots[find_slot(words, text)] : 0;
    return number ? number - 1 : WORDS_NONE;
}

static bool make_room(Words *words) {
    if (!array_grow(&words->text, &words->room, words->n + 1, sizeof *words->text))
        return false;
    if (2 * (words->n + 1) <= words->n_slots)
        return true;
    size_t n_slots = words->n_slots ? 2 * words->n_slots : 16;
    uint32_t *slots = calloc(n_slots, sizeof *slots);
    if (!slots)
        return false;
    free(words->slots);
    words->slots = slots;
    words->n_slots = n_slots;
    for (size_t i = 0; i < words->n; i++)
        slots[find_slot(words, words->text[i])] = (uint32_t)i + 1;
    return true;
}

tacos_status words_add(Words *words, const char *text, size_t most, size_t *out, tacos_error *err) {
    *out = words_find(words, text);
    if (*out != WORDS_NONE)
        return TACOS_OK;
    if (words->n >= most)
        return failure(err, TACOS_RANGE, "there are more than %zu different words", most);
    char *copy = strdup(text);
    if (!copy || !make_room(words)) {
        free(copy);
        return failure(err, TACOS_MEMORY, "no memory for %zu words", words->n + 1);
    }
    words->slots[find_slot(words, copy)] = (uint32_t)words->n + 1;
    *out = words->n;
    words->text[words->n++] = copy;
    return TACOS_OK;
}
