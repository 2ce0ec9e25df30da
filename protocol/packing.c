// In how few bytes vertices are wanted: a tree of values -> plain structs, and Posed-Layout.
#include "packing.h"

#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define BITS_MIN 10
#define BITS_MAX 16

/* Of compressed ones, as gltfpack has it: for a figure of 2 m a step is an eighth of a millimetre.
 */
#define BITS_COMPRESSED 14

static const char *const codecs[] = {"meshopt", NULL};
static const char *const deltas[] = {"none", "previous", NULL};
static const char *const orders[] = {"file", "strip", NULL};

#define AT(field) offsetof(struct packing_settings, field)

static const struct member members[] = {
	{"bits", MEMBER_INTEGER, .offset = AT(bits), .least = BITS_MIN, .most = BITS_MAX,
		.help = "used of each packed coordinate"},
	{.name = "compression", .type = MEMBER_UNREAD},
};

const struct member_table packing_members = MEMBER_TABLE(NULL, members);

/* The spelling of a compression. */
struct compression {
	int codec, delta, order;
};

static const struct member compression_rows[] = {
	{"codec", MEMBER_CHOICE, .offset = offsetof(struct compression, codec), .choices = codecs,
		.required = true},
	{"delta", MEMBER_CHOICE, .offset = offsetof(struct compression, delta), .choices = deltas,
		.standard = -1},
	{"order", MEMBER_CHOICE, .offset = offsetof(struct compression, order), .choices = orders,
		.standard = -1},
};

const struct member_table compression_members = MEMBER_TABLE("compression", compression_rows);

static bool is_named(const struct value *attribute, const char *name) {
	return attribute->kind == VALUE_STRING && strcmp(attribute->string, name) == 0;
}

bool packing_is_wanted(const struct value *attributes) {
	for (size_t i = 0; attributes && attributes->kind == VALUE_LIST && i < attributes->count;
		i++) {
		if (is_named(&attributes->items[i], PACKED_POSITIONS) ||
			is_named(&attributes->items[i], PACKED_NORMALS)) {
			return true;
		}
	}
	return false;
}

static bool read_attributes(
	const struct value *list, struct packing_settings *out, struct error *err) {
	for (size_t i = 0; i < list->count; i++) {
		const struct value *item = &list->items[i];
		bool *which = is_named(item, PACKED_POSITIONS) ? &out->positions
			: is_named(item, PACKED_NORMALS)       ? &out->normals
							       : NULL;
		if (!which) {
			return value_error(item, err, ERROR_INVALID_VALUE,
				"beside packed attributes there can be none but " PACKED_POSITIONS
				" and " PACKED_NORMALS "; ask for others by themselves");
		}
		if (*which) {
			return value_error(item, err, ERROR_INVALID_VALUE,
				"attribute \"%s\" is asked for twice", item->string);
		}
		*which = true;
	}
	return true;
}

static bool read_object(
	const struct value *object, struct packing_settings *out, struct error *err) {
	struct compression compression;
	const struct member_reading reading = {&compression_members, &compression};
	if (!value_read_tables(object, &reading, 1, err)) {
		return false;
	}
	out->deltas = compression.delta >= 0 ? compression.delta == 1 : out->deltas;
	out->reordered = compression.order >= 0 ? compression.order == 1 : out->reordered;
	return true;
}

static bool read_compression(const struct value *value, bool many_frames,
	struct packing_settings *out, struct error *err) {
	// One frame is what it is without another, and a table of the order costs more than it
	// saves.
	*out = (struct packing_settings){.positions = out->positions,
		.normals = out->normals,
		.bits = BITS_COMPRESSED,
		.compressed = true,
		.deltas = many_frames,
		.reordered = many_frames};
	return is_named(value, "meshopt") || value->kind == VALUE_OBJECT
		? value->kind == VALUE_STRING || read_object(value, out, err)
		: value_error(value, err, ERROR_INVALID_VALUE,
			  "\"compression\" must be \"meshopt\" or an object of codec, delta, "
			  "order");
}

bool packing_read(const struct value *request, bool many_frames, struct packing_settings *out,
	struct error *err) {
	const struct value *attributes = value_member(request, "attributes");
	const struct value *bits = value_member(request, "bits");
	const struct value *compression = value_member(request, "compression");
	const struct value *option = compression ? compression : bits;
	const int bits_given = out->bits;
	*out = (struct packing_settings){0};
	if (!packing_is_wanted(attributes)) {
		return !option ||
			value_error(option, err, ERROR_INVALID_VALUE,
				"\"%s\" is for packed attributes: " PACKED_POSITIONS
				" and " PACKED_NORMALS,
				option->key);
	}
	out->bits = BITS_MAX;
	if (!read_attributes(attributes, out, err) ||
		(compression && !read_compression(compression, many_frames, out, err))) {
		return false;
	}
	if (bits && !out->positions) {
		return value_error(bits, err, ERROR_INVALID_VALUE,
			"\"bits\" is for " PACKED_POSITIONS ", which is not asked for");
	}
	out->bits = bits ? bits_given : out->bits;
	return true;
}

void packing_layout(
	const struct packing_settings *settings, size_t stride, char *text, size_t size) {
	char bits[16] = "";
	if (settings->positions) {
		snprintf(bits, sizeof bits, ";bits=%d", settings->bits);
	}
	snprintf(text, size, "%s%s%s;stride=%zu%s%s%s%s",
		settings->positions ? PACKED_POSITIONS : "",
		settings->positions && settings->normals ? "," : "",
		settings->normals ? PACKED_NORMALS : "", stride, bits,
		settings->compressed ? ";compression=meshopt" : "",
		settings->deltas ? ";delta=previous" : "",
		settings->reordered ? ";order=strip" : "");
}

/* --- Attributes --- */

static const struct {
	enum attribute_bits bit;
	const char *name;
	size_t width;
} rows[ATTRIBUTE_COUNT] = {
	{ATTRIBUTE_POSITION, "position", 3},
	{ATTRIBUTE_NORMAL, "normal", 3},
	{ATTRIBUTE_TANGENT, "tangent", 4},
};

static size_t row_of(enum attribute_bits attribute) {
	size_t i = 0;
	while (rows[i].bit != attribute) {
		i++;
		assert(i < ATTRIBUTE_COUNT);
	}
	return i;
}

enum attribute_bits attribute_at(size_t i) {
	return rows[i].bit;
}

const char *attribute_name(enum attribute_bits attribute) {
	return rows[row_of(attribute)].name;
}

size_t attribute_width(enum attribute_bits attribute) {
	return rows[row_of(attribute)].width;
}
