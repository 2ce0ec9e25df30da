// The placement of a figure in the world.
#include "base/placement_members.h"

#include <math.h>
#include <string.h>

#include "base/mat.h"
#include "base/quat.h"

/* Reads so many numbers that fit float32. */
static bool read_numbers(const struct value *source, const char *form, size_t count, double *out,
	struct error *err) {
	bool good = source->kind == VALUE_LIST && source->count == count;
	for (size_t i = 0; good && i < count; i++) {
		good = source->items[i].kind == VALUE_NUMBER &&
			isfinite((float)source->items[i].number);
		out[i] = source->items[i].number;
	}
	return good ||
		value_error(source, err, ERROR_INVALID_VALUE,
			"\"%s\" must be %s, of numbers that fit float32", source->key, form);
}

static bool read_rotation(const struct value *source, double q[static 4], struct error *err) {
	return read_numbers(source, "a quaternion [x, y, z, w]", 4, q, err) &&
		quat_normalize_any(source, q, err);
}

static bool read_scale(const struct value *source, double scale[static 3], struct error *err) {
	if (source->kind == VALUE_NUMBER && isfinite((float)source->number)) {
		scale[0] = scale[1] = scale[2] = source->number;
		return true;
	}
	return read_numbers(source, "a number or a list [x, y, z]", 3, scale, err);
}

/* Sixteen numbers in columns, the last row 0 0 0 1. */
static bool read_transform(const struct value *source, double rows[static 12], struct error *err) {
	static const double last[4] = {0, 0, 0, 1};
	double columns[16];
	if (!read_numbers(source, "16 numbers, column by column", 16, columns, err)) {
		return false;
	}
	for (int column = 0; column < 4; column++) {
		if (columns[column * 4 + 3] != last[column]) {
			return value_error(source, err, ERROR_INVALID_VALUE,
				"\"transform\" is not affine: its last row, numbers 4, 8, 12 and "
				"16, must be 0, 0, 0 and 1");
		}
		for (int row = 0; row < 3; row++) {
			rows[row * 4 + column] = columns[column * 4 + row];
		}
	}
	return true;
}

static const struct value *first_part(const struct placement_members *found) {
	return found->translation ? found->translation
		: found->rotation ? found->rotation
				  : found->scale;
}

static bool read_parts(
	const struct placement_members *found, double rows[static 12], struct error *err) {
	double translation[3] = {0}, rotation[4] = {0, 0, 0, 1}, scale[3] = {1, 1, 1};
	if ((found->translation &&
		    !read_numbers(found->translation, "a list [x, y, z]", 3, translation, err)) ||
		(found->rotation && !read_rotation(found->rotation, rotation, err)) ||
		(found->scale && !read_scale(found->scale, scale, err))) {
		return false;
	}
	float narrow[10];
	for (int i = 0; i < 4; i++) {
		narrow[3 + i] = (float)rotation[i];
		if (i < 3) {
			narrow[i] = (float)translation[i];
			narrow[7 + i] = (float)scale[i];
		}
	}
	mat_from_transform(narrow, narrow + 3, narrow + 7, rows);
	return true;
}

bool placement_read(
	const struct placement_members *found, double rows[static 12], struct error *err) {
	if (!found->transform) {
		return read_parts(found, rows, err);
	}
	const struct value *part = first_part(found);
	if (part) {
		return value_error(part, err, ERROR_INVALID_VALUE,
			"both \"%s\" and \"transform\" are given, must be one of them", part->key);
	}
	return read_transform(found->transform, rows, err);
}
