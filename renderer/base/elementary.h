/* Elementary functions without the C library's: those choose their instructions by machine, and
 * their last bit with them. These use only operations that IEEE 754 rounds exactly, so that a pose
 * is the same, bit by bit, on every machine. */
#pragma once

/* Sine of an angle in [0, pi/2]; error below 2e-16. */
double angle_sin(double angle_rad);

/* Sine and cosine of any number of whole turns >= 0; error below 3e-16 plus what the turns
 * themselves are rounded by. */
void angle_sine_cosine(double turns, double *sine, double *cosine);

/* The angle in [0, pi/2] whose sine and cosine, both >= 0, are in the ratio y : x; error below
 * 7e-16. x or y must be positive. */
double angle_atan2(double y, double x);

/* The angle in [-pi, pi] of the direction (x, y), both below 1e150 in size; a y below 1e-150 counts
 * as 0, and no direction has the angle 0. */
double angle_direction(double y, double x);

/* exp(-x) for x >= 0, to a few units of the last place; 0 from 700 on. The same bits on every
 * machine. */
double decay_exp(double x);
