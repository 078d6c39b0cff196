/* posix.h - requests the POSIX interfaces under any -std. Include it first. */
#ifndef BASE_POSIX_H
#define BASE_POSIX_H

#undef _GNU_SOURCE /* whose strerror_r is another one */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#endif
