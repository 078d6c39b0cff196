/* exact.h - floating point with the same bits everywhere, whatever flags the compiler is given.
 *
 * That requires that compilers neither fuse a multiplication and an addition where the source does
 * not, nor reorder them. They fuse by default unless given -ffp-contract=off, or (gcc) a strict
 * -std; this header says the same in the source. */
#ifndef BASE_EXACT_H
#define BASE_EXACT_H

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__) ||           \
    defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__)
#error "tacos promises the same bits everywhere: compile it without -ffast-math and its parts"
#endif

#if defined(__CUDACC__)
/* nvcc needs -fmad=false. */
#elif defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#else
#error "tacos is written for gcc and clang"
#endif

#endif
