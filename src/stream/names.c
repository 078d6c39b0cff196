/* names.c - see names.h. */
#include "base/posix.h"

#include "stream/names.h"

#include "base/array.h"

void names_free(Names *names) {
    for (size_t k = 0; k < names->n; k++)
        free(names->name[k]);
    free(names->name);
    *names = (Names){0};
}

long names_find(const Names *names, const char *name) {
    for (size_t k = 0; k < names->n; k++)
        if (strcmp(names->name[k], name) == 0)
            return (long)k;
    return NO_NAME;
}

/* Room for one more of `length` bytes; NULL without memory. */
static char *make_room(Names *names, size_t length) {
    if (!array_grow(&names->name, &names->room, names->n + 1, sizeof *names->name))
        return NULL;
    return calloc(1, length + 1);
}

tacos_status names_add(Names *names, const char *name, tacos_error *err) {
    size_t length = strlen(name);
    if (length > NAME_LONGEST)
        return failure(err, TACOS_RANGE, "'%.40s...' is too long for a name: at most %d bytes",
                       name, NAME_LONGEST);
    char *copy = make_room(names, length);
    if (!copy)
        return failure(err, TACOS_MEMORY, "no memory for the name '%.40s'", name);
    memcpy(copy, name, length + 1);
    names->name[names->n++] = copy;
    return TACOS_OK;
}

void names_keep(Names *names, size_t n) {
    while (names->n > n)
        free(names->name[--names->n]);
}

size_t names_bytes(const Names *names) {
    size_t sum = 4;
    for (size_t k = 0; k < names->n; k++)
        sum += 2 + strlen(names->name[k]);
    return sum;
}

static bool read_name(Names *names, Pack *pack) {
    size_t length = (size_t)pack_whole(pack, 0, 2);
    if (pack->failed || length > NAME_LONGEST)
        return false;
    char *name = make_room(names, length);
    pack->no_memory = !name;
    if (!name)
        return false;
    names->name[names->n++] = name;
    pack_bytes(pack, name, length);
    return !pack->failed && strlen(name) == length;
}

bool names_move(Names *names, size_t most, Pack *pack) {
    size_t n = (size_t)pack_whole(pack, names->n, 4);
    if (n > most)
        return false;
    for (size_t k = 0; pack->writing && k < n; k++) {
        size_t length = strlen(names->name[k]);
        (void)pack_whole(pack, length, 2);
        pack_bytes(pack, names->name[k], length);
    }
    while (!pack->writing && names->n < n)
        if (!read_name(names, pack))
            return false;
    return !pack->failed;
}
