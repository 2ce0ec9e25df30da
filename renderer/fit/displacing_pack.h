/* The spaces of a fitted model as numbers in a row, for a method's data. */
#pragma once

#include <stddef.h>

#include "fit/displacing.h"

/* How many doubles displacing_pack writes. */
size_t displacing_pack_count(const struct displacing_model *model);

/* Writes all but the targets. */
void displacing_pack(const struct displacing_model *model, double *out);

/* The coefficients that the numbers stand for. */
int displacing_packed_coefficients(const double *packed);

/* A model without targets, whose arrays are in the numbers or in the arena: for
 * displacing_evaluate while both are there, and not to be destroyed. The numbers are trusted. */
struct displacing_model displacing_unpack(const double *packed, struct arena *arena);
