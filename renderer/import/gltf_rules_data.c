// Rules about the numbers that accessors hold, and about their bounds and offsets. Source:
// glTF 2.0, 3.6.2 and 3.7.2; tolerances as in Khronos' validator.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "import/gltf_accessor.h"
#include "import/gltf_document.h"
#include "import/gltf_rule_steps.h"

#define UNIT_TOLERANCE 0.00674          // of normals and tangents: what bytes can hold
#define UNIT_ROTATION_TOLERANCE 0.00769 // likewise

/* Numbers that are looked at, besides four for each byte of the file: many accessors may lie on the
 * same bytes. */
#define NUMBERS_FREE ((size_t)32 << 20)

struct check {
	struct gltf *gltf;
	struct gltf_item item; // the accessor
	int index;
	const struct gltf_accessor *accessor;
	size_t width, count; // numbers of an element, elements
	float *numbers;      // [count][width]
};

/* --- Where it lies --- */

static void check_offset(struct gltf *gltf, const struct gltf_item *object, int view, size_t offset,
	const struct gltf_layout *layout, size_t number) {
	const size_t start = gltf->views[view].offset + offset;
	if (offset % number != 0) {
		gltf_breach(gltf, GLTF_ACCESSOR_OFFSET_ALIGNMENT, object,
			"byteOffset is %zu, no multiple of the %zu bytes of a number", offset,
			number);
	}
	if (start % number != 0) {
		gltf_breach(gltf, GLTF_ACCESSOR_TOTAL_OFFSET_ALIGNMENT, object,
			"begins at byte %zu of its buffer, no multiple of the %zu bytes of a "
			"number",
			start, number);
	}
	if (layout->columns > 1 && start % 4 != 0) {
		gltf_breach(gltf, GLTF_ACCESSOR_MATRIX_ALIGNMENT, object,
			"begins at byte %zu of its buffer, no multiple of 4", start);
	}
}

/* The same of a part of a sparse accessor. */
static void check_sparse_offset(const struct check *check, const struct gltf_item *sparse,
	const char *name, const struct gltf_layout *layout, size_t number) {
	const struct gltf_item part = gltf_member(sparse, name);
	int view = -1;
	size_t offset = 0;
	gltf_index(&part, "bufferView", check->gltf->view_count, &view, NULL);
	gltf_size(&part, "byteOffset", &offset, NULL);
	check_offset(check->gltf, &part, view, offset, layout, number);
}

static void check_place(const struct check *check) {
	struct gltf *gltf = check->gltf;
	const struct gltf_accessor *accessor = check->accessor;
	const struct gltf_layout layout = gltf_accessor_layout(accessor->type, accessor->component);
	const size_t number = gltf_accessor_layout(GLTF_SCALAR, accessor->component).size;
	if (accessor->view >= 0) {
		check_offset(gltf, &check->item, accessor->view, accessor->offset, &layout, number);
	}
	if (accessor->sparse_count > 0) {
		const struct gltf_item sparse = gltf_member(&check->item, "sparse");
		const struct gltf_layout index =
			gltf_accessor_layout(GLTF_SCALAR, accessor->sparse_component);
		check_sparse_offset(check, &sparse, "indices", &index, index.size);
		check_sparse_offset(check, &sparse, "values", &layout, number);
	}
	if (accessor->normalized &&
		(accessor->component == GLTF_FLOAT || accessor->component == GLTF_UNSIGNED_INT)) {
		const struct gltf_item normalized = gltf_member(&check->item, "normalized");
		gltf_breach(gltf, GLTF_ACCESSOR_NORMALIZED_INVALID, &normalized,
			"is true of what cannot be normalized");
	}
}

static void check_sparse_indices(const struct check *check) {
	const struct gltf_accessor *accessor = check->accessor;
	uint32_t before = 0;
	const size_t size = gltf_accessor_layout(GLTF_SCALAR, accessor->sparse_component).size;
	for (size_t i = 0; i < accessor->sparse_count; i++) {
		uint32_t index = 0;
		memcpy(&index, accessor->sparse_indices + i * size, size); // little-endian
		if (i > 0 && index <= before) {
			gltf_breach(check->gltf, GLTF_ACCESSOR_SPARSE_INDICES_NON_INCREASING,
				&check->item, "has sparse index %u behind %u", index, before);
			return;
		}
		before = index;
	}
}

/* --- Bounds --- */

/* One of the lists, as the component type holds it; false where it cannot be compared. */
static bool read_bound(const struct check *check, const char *name, double bound[static 16]) {
	static const double ends[][2] = {
		[GLTF_BYTE] = {INT8_MIN, INT8_MAX},
		[GLTF_UNSIGNED_BYTE] = {0, UINT8_MAX},
		[GLTF_SHORT] = {INT16_MIN, INT16_MAX},
		[GLTF_UNSIGNED_SHORT] = {0, UINT16_MAX},
		[GLTF_UNSIGNED_INT] = {0, UINT32_MAX},
		[GLTF_FLOAT] = {-INFINITY, INFINITY},
	};
	const struct gltf_item list = gltf_member(&check->item, name);
	const enum gltf_component component = check->accessor->component;
	if (!list.json || list.json->kind != JSON_KIND_LIST) {
		return false;
	}
	if (list.json->count != check->width) {
		gltf_breach(check->gltf, GLTF_ARRAY_LENGTH_NOT_IN_LIST, &list,
			"has %u numbers for elements of %zu", list.json->count, check->width);
		return false;
	}
	for (size_t i = 0; i < check->width; i++) {
		const struct json_value *value = &list.json->of.elements[i];
		if (value->kind != JSON_KIND_NUMBER) {
			return false;
		}
		bound[i] = (double)(float)value->of.number;
		if (component != GLTF_FLOAT && value->of.number != floor(value->of.number)) {
			const struct gltf_item element = gltf_element(&list, i);
			gltf_breach(check->gltf, GLTF_ARRAY_TYPE_MISMATCH, &element,
				"is %g, where elements are whole numbers", value->of.number);
			return false;
		}
		if (value->of.number < ends[component][0] ||
			value->of.number > ends[component][1]) {
			gltf_breach(check->gltf, GLTF_INVALID_GL_VALUE, &list,
				"has %g, which no element can be", value->of.number);
			return false;
		}
	}
	return true;
}

/* Both bounds against the numbers as they are stored. */
static void check_bounds(const struct check *check) {
	static const struct {
		const char *name, *beyond;
		enum gltf_rule mismatch, out;
		float sign;
	} ends[] = {
		{"min", "less", GLTF_ACCESSOR_MIN_MISMATCH, GLTF_ACCESSOR_ELEMENT_OUT_OF_MIN_BOUND,
			-1},
		{"max", "greater", GLTF_ACCESSOR_MAX_MISMATCH,
			GLTF_ACCESSOR_ELEMENT_OUT_OF_MAX_BOUND, 1},
	};
	for (size_t e = 0; e < 2; e++) {
		double bound[16];
		if (!read_bound(check, ends[e].name, bound)) {
			continue;
		}
		const struct gltf_item list = gltf_member(&check->item, ends[e].name);
		for (size_t k = 0; k < check->width; k++) {
			float most = -INFINITY;
			for (size_t i = k; i < check->count * check->width; i += check->width) {
				const float number = ends[e].sign * check->numbers[i];
				most = number > most ? number : most;
			}
			const double found = (double)(ends[e].sign * most);
			if (found == bound[k]) {
				continue;
			}
			const struct gltf_item element = gltf_element(&list, k);
			gltf_breach(check->gltf, ends[e].mismatch, &element,
				"is %.9g, but it is %.9g of what is there", bound[k], found);
			if ((double)ends[e].sign * (found - bound[k]) > 0) {
				gltf_breach(check->gltf, ends[e].out, &element,
					"is %.9g, and %.9g is %s", bound[k], found, ends[e].beyond);
			}
		}
	}
}

/* --- Numbers --- */

static void check_finite(const struct check *check) {
	size_t count = 0;
	for (size_t i = 0; i < check->count * check->width; i++) {
		count += !isfinite(check->numbers[i]);
	}
	if (count > 0) {
		gltf_breach(check->gltf, GLTF_ACCESSOR_INVALID_FLOAT, &check->item,
			"has %zu numbers that are not finite", count);
	}
}

/* Vectors of length 1, every step-th from the first one on; width may have more numbers than they.
 */
static void check_unit(const struct check *check, size_t first, size_t step, size_t length,
	double tolerance, enum gltf_rule rule, const char *what) {
	size_t count = 0;
	double worst = 1;
	for (size_t i = first; i < check->count; i += step) {
		double square = 0;
		for (size_t k = 0; k < length; k++) {
			const double number = (double)check->numbers[i * check->width + k];
			square += number * number;
		}
		const double size = sqrt(square);
		if (!(fabs(size - 1) <= tolerance)) {
			worst = count++ == 0 ? size : worst;
		}
	}
	if (count > 0) {
		gltf_breach(check->gltf, rule, &check->item,
			"has %zu %s that are not of length 1 (the first is %.6g); made so", count,
			what, worst);
	}
}

static void check_signs(const struct check *check) {
	size_t count = 0;
	for (size_t i = 0; i < check->count; i++) {
		count += fabsf(check->numbers[i * check->width + 3]) != 1;
	}
	if (count > 0) {
		gltf_breach(check->gltf, GLTF_ACCESSOR_INVALID_SIGN, &check->item,
			"has %zu tangents whose fourth number is neither 1 nor -1; made so", count);
	}
}

static void check_colors(const struct check *check) {
	size_t count = 0;
	for (size_t i = 0; i < check->count * check->width; i++) {
		count += !(check->numbers[i] >= 0 && check->numbers[i] <= 1);
	}
	if (count > 0) {
		gltf_breach(check->gltf, GLTF_ACCESSOR_NON_CLAMPED, &check->item,
			"has %zu numbers of colours that are not from 0 to 1; made so", count);
	}
}

static void check_times(const struct check *check) {
	size_t negative = 0, equal = 0;
	for (size_t i = 0; i < check->count * check->width; i++) {
		negative += check->numbers[i] < 0;
		equal += i > 0 && !(check->numbers[i] > check->numbers[i - 1]);
	}
	if (negative > 0) {
		gltf_breach(check->gltf, GLTF_ACCESSOR_ANIMATION_INPUT_NEGATIVE, &check->item,
			"has %zu key times below 0; clips begin at 0", negative);
	}
	if (equal > 0) {
		gltf_breach(check->gltf, GLTF_ACCESSOR_ANIMATION_INPUT_NON_INCREASING, &check->item,
			"KEY_DUP on %zu key times (the last key of a time wins)", equal);
	}
}

static void check_last_rows(const struct check *check) {
	size_t count = 0;
	for (size_t i = 0; i < check->count * check->width; i++) {
		count += i % 4 == 3 && check->numbers[i] != (i % 16 == 15);
	}
	if (count > 0) {
		gltf_breach(check->gltf, GLTF_ACCESSOR_INVALID_IBM, &check->item,
			"has last rows other than 0 0 0 1; taken as that");
	}
}

static void check_numbers(const struct check *check, unsigned uses) {
	if (uses & GLTF_USE_NORMALS && check->width == 3) {
		check_unit(
			check, 0, 1, 3, UNIT_TOLERANCE, GLTF_ACCESSOR_VECTOR3_NON_UNIT, "normals");
	}
	if (uses & GLTF_USE_TANGENTS && check->width == 4) {
		check_unit(
			check, 0, 1, 3, UNIT_TOLERANCE, GLTF_ACCESSOR_VECTOR3_NON_UNIT, "tangents");
		check_signs(check);
	}
	if (uses & GLTF_USE_COLORS) {
		check_colors(check);
	}
	if (uses & GLTF_USE_TIMES) {
		check_times(check);
	}
	const enum gltf_rule rotation =
		GLTF_ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION;
	if (uses & GLTF_USE_ROTATIONS && check->width == 4) {
		check_unit(check, 0, 1, 4, UNIT_ROTATION_TOLERANCE, rotation, "rotations");
	}
	if (uses & GLTF_USE_CUBIC_ROTATIONS && check->width == 4) {
		check_unit(check, 1, 3, 4, UNIT_ROTATION_TOLERANCE, rotation, "rotations");
	}
	if (uses & GLTF_USE_BINDS && check->width == 16) {
		check_last_rows(check);
	}
}

/* Reads the numbers, as they are stored and as they are meant, and looks at both. */
static void check_accessor(struct check *check, unsigned uses) {
	struct gltf_accessor *accessor = &check->gltf->accessors[check->index];
	const bool normalized = accessor->normalized;
	accessor->normalized = false;
	const bool read = gltf_accessor_floats(check->gltf, check->index, check->numbers, NULL);
	accessor->normalized = normalized;
	if (!read) {
		return; // a sparse index of an accessor that nobody uses is out of range
	}
	if (accessor->component == GLTF_FLOAT) {
		check_finite(check);
	}
	check_bounds(check);
	if (accessor->component == GLTF_FLOAT || uses == 0 ||
		gltf_accessor_floats(check->gltf, check->index, check->numbers, NULL)) {
		check_numbers(check, uses);
	}
}

/* True where an accessor's numbers are to be looked at. */
static bool is_looked_at(const struct check *check, unsigned uses) {
	const struct gltf_accessor *accessor = check->accessor;
	if (accessor->decoded_from || accessor->is_decoded ||
		(!accessor->data && accessor->sparse_count == 0)) {
		return false; // compressed with loss, or all zero
	}
	return uses != 0 || accessor->component == GLTF_FLOAT ||
		gltf_member(&check->item, "min").json || gltf_member(&check->item, "max").json;
}

void gltf_check_data(struct gltf *gltf, const unsigned char *uses) {
	const struct gltf_item list = gltf_member(&gltf->root, "accessors");
	size_t left = NUMBERS_FREE + 4 * gltf->source->file_size;
	for (int i = 0; i < gltf->accessor_count; i++) {
		const struct gltf_accessor *accessor = &gltf->accessors[i];
		struct check check = {
			.gltf = gltf,
			.item = gltf_element(&list, (size_t)i),
			.index = i,
			.accessor = accessor,
			.width = gltf_accessor_width(accessor),
			.count = accessor->count,
		};
		check_place(&check);
		if (!is_looked_at(&check, uses[i]) || check.count > left / check.width) {
			continue;
		}
		left -= check.count * check.width;
		check_sparse_indices(&check);
		check.numbers =
			try_calloc(check.count, check.width * sizeof(float), "numbers", NULL);
		if (check.numbers) {
			check_accessor(&check, uses[i]);
			free(check.numbers);
		}
	}
}
