/* Unit quaternions in few bits: the number of the greatest component, two bits, and the three
 * others at equal distances between -1/sqrt(2) and 1/sqrt(2). METHODS D.2. */
#pragma once

#include <stdint.h>

#define SMALLEST_THREE_BITS_MAX 20 // of a component, so that all fit into 62

/* bits: of each of three components, 2 to the maximum. q and -q are the same. */
uint64_t smallest_three_pack(const double q[static 4], int bits);

/* Unit, with the greatest component above 0. */
void smallest_three_unpack(uint64_t packed, int bits, double q[static 4]);

/* The greatest angle between a rotation and what is left of it, in radians, to first order in the
 * distance of two numbers. */
double smallest_three_bound_rad(int bits);
