/* The exponential function without the C library's, whose last bit depends on the machine. */
#pragma once

/* exp(-x) for x >= 0, to a few units of the last place; 0 from 700 on. The same bits on every
 * machine. */
double decay_exp(double x);
