/* Percentiles without sorting. */
#pragma once

/* The value of a rank, 0 = the lowest. Changes the order of values, [count]; none is NAN. */
double check_select(double *values, int count, int rank);

/* The value at a share in [0, 1] of the way through the values in ascending order, interpolated
 * between neighbours. Changes their order; count >= 1. */
double check_percentile(double *values, int count, double share);
