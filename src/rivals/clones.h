/* clones.h - compiles a loop over all weights for several processors; the loader picks one.
 *
 * Nothing is reordered or contracted, so every clone gives the same bits. Sanitizers do not support
 * loader-selected functions (ifuncs); there, and with other compilers and machines, the loop is
 * compiled once. */
#ifndef RIVALS_CLONES_H
#define RIVALS_CLONES_H

#include <limits.h> /* for __GLIBC__ */

#if defined __x86_64__ && defined __GLIBC__ && defined __GNUC__ && !defined __clang__ &&           \
    defined __OPTIMIZE__ && !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
#define CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define CLONES
#endif

#endif
