// The unit and the up axis of an asset.
#include "asset_query.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"
#include "request_internal.h"

/* Metres of a unit: from a micrometre to a thousand kilometres. */
#define LEAST 1e-6
#define MOST 1e6

const char *const asset_up_names[] = {"x", "y", "z", NULL};

static const struct member members[] = {
	{"units", MEMBER_STRING, .offset = offsetof(struct asset_query, units),
		.parameter = "units"},
	{"up", MEMBER_CHOICE, .offset = offsetof(struct asset_query, up), .choices = asset_up_names,
		.standard = -1, .parameter = "up"},
};

const struct member_table asset_query_members = MEMBER_TABLE(NULL, members);

bool asset_units_read(const char *text, double *unit_m, struct error *err) {
	static const struct {
		const char *name;
		double unit_m;
	} units[] = {{"m", 1}, {"cm", 0.01}, {"mm", 0.001}, {"in", 0.0254}, {"ft", 0.3048}};
	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		if (strcmp(units[i].name, text) == 0) {
			*unit_m = units[i].unit_m;
			return true;
		}
	}
	const char *end = text + strlen(text);
	if (number_read_decimal(text, end, unit_m) == end && *unit_m >= LEAST && *unit_m <= MOST) {
		return true;
	}
	char quoted[UTF8_QUOTED_BYTES];
	utf8_quote(text, quoted, sizeof quoted);
	return error_set(err, ERROR_INVALID_VALUE,
		"\"units\" is %s, must be m, cm, mm, in, ft, or metres from %g to %g", quoted,
		LEAST, MOST);
}

bool asset_space_read(const char *units, int up, struct asset_space *out, struct error *err) {
	*out = (struct asset_space){.up = up >= 0 ? asset_up_names[up][0] : 0};
	return !units || asset_units_read(units, &out->unit_m, err);
}

bool asset_query_read(struct arena *arena, const struct query_parameter *parameters, size_t count,
	struct asset_space *out, struct error *err) {
	struct asset_query query = {.units = NULL, .up = -1};
	return query_read(arena, &asset_query_members, parameters, count, &query, err) &&
		asset_space_read(query.units, query.up, out, err);
}
