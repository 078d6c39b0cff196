/* elementary.h - sine, logarithm and powers of two with the same bits everywhere: those of libm
 * differ from one machine to the next. */
#ifndef BASE_ELEMENTARY_H
#define BASE_ELEMENTARY_H

/* The sine and cosine of an angle in full turns. The error is below 2^-51. */
double sine_of_turns(double turns);
double cosine_of_turns(double turns);

/* The logarithm of a positive, normal number. The relative error is below 2^-50, the absolute one
 * near 1 below 2^-52. */
double log2_exact(double value);

/* 2^x for x up to 1000; 0 below -1000 and for NaN. The relative error is below 2^-50. */
double exp2_exact(double x);

#endif
