/* The query of a request that stores an asset: the unit and the up axis that it is in. */
#pragma once

#include "base/arena.h"
#include "base/asset_space.h"
#include "base/error.h"
#include "query.h"

struct asset_query {
	const char *units; // NULL = as the file says
	int up;            // position in asset_up_names; < 0 = as the file says
};

extern const struct member_table asset_query_members;

/* "x", "y", "z"; ended by NULL. */
extern const char *const asset_up_names[];

/* Reads the metres of a unit: "m", "cm", "mm", "in", "ft", or a number of them. Fails with
 * ERROR_INVALID_VALUE. */
bool asset_units_read(const char *text, double *unit_m, struct error *err);

/* The space of both members; those that are not given stay as the file says. Fails like
 * asset_units_read. */
bool asset_space_read(const char *units, int up, struct asset_space *out, struct error *err);

/* Reads PUT /v1/rigs/{rig}. Fails like query_read. */
bool asset_query_read(struct arena *arena, const struct query_parameter *parameters, size_t count,
	struct asset_space *out, struct error *err);
