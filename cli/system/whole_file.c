/* whole_file.c - printed into memory, then written at once. */
#include "system/whole_file.h"

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

tacos_status whole_file_copy(FILE *from, const char *path, tacos_error *err) {
    char buffer[4096];
    WholeFile file;
    size_t n;
    tacos_status status = whole_file_open(&file, path, err);
    if (status != TACOS_OK)
        return status;
    rewind(from);
    while ((n = fread(buffer, 1, sizeof buffer, from)) > 0)
        (void)fwrite(buffer, 1, n, file.out);
    return whole_file_close(&file, path, err);
}

FILE *nameless_file(const char *text) {
    FILE *file = tmpfile();
    if (file && fputs(text, file) >= 0 && fflush(file) == 0 && fseek(file, 0, SEEK_SET) == 0)
        return file;
    if (file)
        (void)fclose(file);
    return NULL;
}
