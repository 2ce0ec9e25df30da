/* Matrices of nodes -> translation, rotation and scale. */
#pragma once

#include "model/rig.h"

/* Relative to the greatest column; a matrix that is farther from a transform has shear. Exporters
 * print few digits. */
#define DECOMPOSE_SHEAR_TOLERANCE 1e-3

/* Splits an affine map into translation, rotation and scale; a reflection goes into the x scale.
 * Returns how much of it that cannot express, relative to its greatest column. */
double decompose(const double m[static 12], struct transform *out);
