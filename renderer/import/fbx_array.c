// The arrays of an FBX file.
#include "import/fbx_tree.h"

#include <isa-l/igzip_lib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"

/* Of deflate's encodings none is denser. */
#define DEFLATE_RATIO_MAX 1032

size_t fbx_element_bytes(enum fbx_element element) {
	static const size_t bytes[] = {
		[FBX_INT8] = 1,
		[FBX_INT32] = 4,
		[FBX_INT64] = 8,
		[FBX_FLOAT32] = 4,
		[FBX_FLOAT64] = 8,
		[FBX_DECIMAL] = 2,
	};
	return bytes[element];
}

static int64_t to_integer(double x) {
	return x > -9.2e18 && x < 9.2e18 ? (int64_t)x : 0;
}

static int32_t to_int32(int64_t x) {
	return x < INT32_MIN || x > UINT32_MAX ? 0 : (int32_t)(uint32_t)x;
}

/* Stores a number that the file has as an integer, or else as a real. */
static void store(bool is_integer, int64_t integer, double real, enum fbx_element as, void *out) {
	const int64_t whole = is_integer ? integer : to_integer(real);
	const double number = is_integer ? (double)integer : real;
	const int32_t low = to_int32(whole);
	const float single = (float)number;
	switch (as) {
	case FBX_INT64:
		memcpy(out, &whole, sizeof whole);
		break;
	case FBX_INT32:
		memcpy(out, &low, sizeof low);
		break;
	case FBX_FLOAT32:
		memcpy(out, &single, sizeof single);
		break;
	case FBX_FLOAT64:
	case FBX_INT8:
	case FBX_DECIMAL:
		memcpy(out, &number, sizeof number);
		break;
	}
}

void fbx_element_store(const struct fbx_value *value, enum fbx_element as, void *out) {
	if (value->kind == FBX_REAL) {
		store(false, 0, value->real, as, out);
	} else {
		store(true, value->kind == FBX_INTEGER ? value->integer : 0, 0, as, out);
	}
}

/* --- Binary --- */

static void reverse(unsigned char *bytes, size_t count, size_t width) {
	for (unsigned char *end = bytes + count * width; bytes < end; bytes += width) {
		for (size_t i = 0; i < width / 2; i++) {
			const unsigned char swapped = bytes[i];
			bytes[i] = bytes[width - 1 - i];
			bytes[width - 1 - i] = swapped;
		}
	}
}

static void convert_one(
	const unsigned char *from, enum fbx_element element, enum fbx_element as, void *out) {
	int32_t i32;
	int64_t i64;
	float f32;
	double f64;
	switch (element) {
	case FBX_INT8:
		store(true, *from, 0, as, out);
		break;
	case FBX_INT32:
		memcpy(&i32, from, sizeof i32);
		store(true, i32, 0, as, out);
		break;
	case FBX_INT64:
		memcpy(&i64, from, sizeof i64);
		store(true, i64, 0, as, out);
		break;
	case FBX_FLOAT32:
		memcpy(&f32, from, sizeof f32);
		store(false, 0, (double)f32, as, out);
		break;
	case FBX_FLOAT64:
	case FBX_DECIMAL:
		memcpy(&f64, from, sizeof f64);
		store(false, 0, f64, as, out);
		break;
	}
}

/* Elements that are what is wanted stay as they are: a float's bits may be those of something else,
 * which the way through a double would not leave alone. */
static void convert(const unsigned char *from, size_t count, enum fbx_element element,
	enum fbx_element as, unsigned char *out) {
	const size_t width = fbx_element_bytes(element), step = fbx_element_bytes(as);
	if (element == as) {
		memcpy(out, from, count * width);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		convert_one(from + i * width, element, as, out + i * step);
	}
}

static bool inflate(const struct fbx_value *value, const char *name, unsigned char *out,
	size_t size, struct error *err) {
	struct inflate_state state;
	isal_inflate_init(&state);
	state.crc_flag = ISAL_ZLIB;
	state.next_in = (unsigned char *)value->bytes;
	state.avail_in = (uint32_t)value->size;
	state.next_out = out;
	state.avail_out = (uint32_t)size;
	const int result = isal_inflate(&state);
	if (result != ISAL_DECOMP_OK || state.avail_out > 0) {
		return error_set(err, ERROR_BROKEN_ASSET,
			"%s: its %zu compressed bytes do not give the %zu that it has", name,
			value->size, size);
	}
	return true;
}

static bool decode_deflated(const struct fbx_tree *tree, const char *name,
	const struct fbx_value *value, enum fbx_element as, unsigned char *out, struct error *err) {
	const size_t width = fbx_element_bytes(value->array.element);
	const size_t size = value->array.count * width;
	if (size / DEFLATE_RATIO_MAX > value->size) {
		return error_set(err, ERROR_BROKEN_ASSET,
			"%s: %zu compressed bytes cannot hold %zu", name, value->size, size);
	}
	unsigned char *plain = try_calloc(size + 1, 1, name, err);
	const bool inflated = plain && inflate(value, name, plain, size, err);
	if (inflated) {
		if (tree->big_endian) {
			reverse(plain, value->array.count, width);
		}
		convert(plain, value->array.count, value->array.element, as, out);
	}
	free(plain);
	return inflated;
}

static void decode_raw(const struct fbx_tree *tree, const struct fbx_value *value,
	enum fbx_element as, unsigned char *out) {
	const enum fbx_element element = value->array.element;
	const size_t width = fbx_element_bytes(element), step = fbx_element_bytes(as);
	if (!tree->big_endian) {
		convert((const unsigned char *)value->bytes, value->array.count, element, as, out);
		return;
	}
	for (size_t i = 0; i < value->array.count; i++) {
		unsigned char turned[8];
		memcpy(turned, value->bytes + i * width, width);
		reverse(turned, 1, width);
		convert(turned, 1, element, as, out + i * step);
	}
}

/* --- ASCII --- */

/* An integer as such, since times do not fit into a double; anything else as a decimal. What is no
 * number (1.#QNAN) is none. */
static void store_decimal(const char *text, const char *end, enum fbx_element as, void *out) {
	int64_t integer = 0;
	const char *digit = text + (text < end && (*text == '-' || *text == '+'));
	const char *start = digit;
	bool fits = digit < end;
	for (; digit < end && *digit >= '0' && *digit <= '9' && fits; digit++) {
		fits = digit - start < 18;
		integer = integer * 10 + (*digit - '0');
	}
	double real = NAN;
	if (!fits || digit < end) {
		if (number_read_decimal(text, end, &real) != end) {
			real = NAN;
		}
		store(false, 0, real, as, out);
		return;
	}
	store(true, *text == '-' ? -integer : integer, 0, as, out);
}

static bool is_space(char c) {
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool decode_decimals(const struct fbx_value *value, const char *name, enum fbx_element as,
	unsigned char *out, struct error *err) {
	const char *text = value->bytes, *const end = text + value->size;
	const size_t step = fbx_element_bytes(as);
	for (size_t i = 0; i < value->array.count; i++) {
		while (text < end && is_space(*text)) {
			text++;
		}
		if (text == end) {
			return error_set(err, ERROR_BROKEN_ASSET, "%s: has %zu numbers of %u", name,
				i, value->array.count);
		}
		const char *comma = memchr(text, ',', (size_t)(end - text));
		const char *stop = comma ? comma : end;
		while (stop > text && is_space(stop[-1])) {
			stop--;
		}
		store_decimal(text, stop, as, out + i * step);
		text = comma ? comma + 1 : end;
	}
	return true;
}

bool fbx_array_decode(const struct fbx_tree *tree, const char *name, const struct fbx_value *value,
	enum fbx_element as, void *out, struct error *err) {
	if (value->array.element == FBX_DECIMAL) {
		return decode_decimals(value, name, as, out, err);
	}
	if (value->array.deflated) {
		return decode_deflated(tree, name, value, as, out, err);
	}
	decode_raw(tree, value, as, out);
	return true;
}
