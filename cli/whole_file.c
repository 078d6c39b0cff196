/* whole_file.c - printed into memory, then written at once. */
#include "whole_file.h"

#include <stdlib.h>

tacos_status whole_file_no_memory(const char *path, tacos_error *err) {
    err->status = TACOS_MEMORY;
    (void)snprintf(err->text, sizeof err->text, "no memory to write %s", path);
    return TACOS_MEMORY;
}

tacos_status whole_file_open(WholeFile *file, const char *path, tacos_error *err) {
    *file = (WholeFile){0};
    file->out = open_memstream(&file->bytes, &file->n);
    return file->out ? TACOS_OK : whole_file_no_memory(path, err);
}

tacos_status whole_file_close(WholeFile *file, const char *path, tacos_error *err) {
    int bad = ferror(file->out);
    bad |= fclose(file->out);
    tacos_status status =
        bad ? whole_file_no_memory(path, err) : tacos_file_write(path, file->bytes, file->n, err);
    free(file->bytes);
    return status;
}
