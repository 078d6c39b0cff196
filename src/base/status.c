/* status.c - the version, and error texts. */
#include "base/posix.h"

#include "base/status.h"

#include "base/utf8.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *tacos_version(void) {
    return TACOS_VERSION_STRING;
}

size_t tacos_text_plain(const char *text, char *buf, size_t size) {
    return plain_text(text, buf, size);
}

const char *tacos_status_text(tacos_status status) {
    static const char *const texts[] = {
#define TEXT(name, text) [TACOS_##name] = (text),
        TACOS_STATUS_MAP(TEXT)
#undef TEXT
    };
    size_t n = sizeof texts / sizeof *texts;
    return (size_t)status < n ? texts[status] : "unknown status";
}

/* Small C libraries (newlib-nano) do not know %zu; there a size_t is an unsigned long. */
static const char *known_format(const char *format, char *room, size_t size) {
#if defined(_NEWLIB_VERSION) && __SIZEOF_SIZE_T__ == __SIZEOF_LONG__
    size_t n = 0;
    for (size_t k = 0; format[k] && n + 1 < size; k++)
        room[n++] = k > 0 && format[k - 1] == '%' && format[k] == 'z' ? 'l' : format[k];
    room[n] = '\0';
    return room;
#else
    (void)room, (void)size;
    return format;
#endif
}

/* Messages contain names and values from files, so control characters are escaped. */
static void explain(tacos_error *err, tacos_status status, const char *format, va_list args) {
    char text[sizeof err->text], room[sizeof err->text];
    if (!err)
        return;
    err->status = status;
    if (vsnprintf(text, sizeof text, known_format(format, room, sizeof room), args) < 0)
        text[0] = '\0';
    (void)plain_text(text, err->text, sizeof err->text);
}

void status_explain(tacos_error *err, tacos_status status, const char *format, ...) {
    va_list args;
    va_start(args, format);
    explain(err, status, format, args);
    va_end(args);
}

tacos_status failure_errno(tacos_error *err, const char *format, ...) {
    int number = errno;
    tacos_status status = number == ENOENT   ? TACOS_MISSING
                          : number == ENOMEM ? TACOS_MEMORY
                                             : TACOS_IO;
    char what[128];
    va_list args;
    va_start(args, format);
    explain(err, status, format, args);
    va_end(args);
    if (err && strerror_r(number, what, sizeof what) == 0) {
        size_t used = strlen(err->text);
        (void)snprintf(err->text + used, sizeof err->text - used, ": %s", what);
    }
    return status;
}
