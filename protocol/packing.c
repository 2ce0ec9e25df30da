// In how few bytes vertices are wanted: a tree of values -> plain structs, and Posed-Layout.
#include "packing.h"

#include <stdio.h>
#include <string.h>

#define POSITIONS "position:u16x3"
#define NORMALS "normal:oct8x2"

#define BITS_LEAST 10
#define BITS_MOST 16

/* Of compressed ones, as gltfpack has it: for a figure of 2 m a step is an eighth of a millimetre.
 */
#define BITS_COMPRESSED 14

void packing_begin(struct packing_members *packing, struct member *members) {
	*packing = (struct packing_members){0};
	members[0] = (struct member){.name = "bits",
		.type = MEMBER_INTEGER,
		.out = &packing->bits,
		.least = BITS_LEAST,
		.most = BITS_MOST,
		.place = &packing->bits_place};
	members[1] = (struct member){
		.name = "compression", .type = MEMBER_ANY, .out = &packing->compression};
}

static bool is_named(const struct value *attribute, const char *name) {
	return attribute->kind == VALUE_STRING && strcmp(attribute->string, name) == 0;
}

bool packing_is_wanted(const struct value *attributes) {
	for (size_t i = 0; attributes && attributes->kind == VALUE_LIST && i < attributes->count;
		i++) {
		if (is_named(&attributes->items[i], POSITIONS) ||
			is_named(&attributes->items[i], NORMALS)) {
			return true;
		}
	}
	return false;
}

static bool read_attributes(
	const struct value *list, struct packing_settings *out, struct error *err) {
	for (size_t i = 0; i < list->count; i++) {
		const struct value *item = &list->items[i];
		bool *which = is_named(item, POSITIONS) ? &out->positions
			: is_named(item, NORMALS)       ? &out->normals
							: NULL;
		if (!which) {
			return value_error(item, err, ERROR_INVALID_VALUE,
				"beside packed attributes there can be none but " POSITIONS
				" and " NORMALS "; ask for others by themselves");
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
	static const char *const codecs[] = {"meshopt", NULL};
	static const char *const deltas[] = {"none", "previous", NULL};
	static const char *const orders[] = {"file", "strip", NULL};
	int codec, delta = out->deltas, order = out->reordered;
	const struct member members[] = {
		{.name = "codec",
			.type = MEMBER_CHOICE,
			.out = &codec,
			.choices = codecs,
			.required = true},
		{.name = "delta", .type = MEMBER_CHOICE, .out = &delta, .choices = deltas},
		{.name = "order", .type = MEMBER_CHOICE, .out = &order, .choices = orders},
	};
	if (!value_read_members(object, members, sizeof members / sizeof *members, err)) {
		return false;
	}
	out->deltas = delta;
	out->reordered = order;
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

bool packing_end(const struct packing_members *packing, const struct value *attributes,
	bool many_frames, struct packing_settings *out, struct error *err) {
	*out = (struct packing_settings){0};
	const struct value *option =
		packing->compression ? packing->compression : packing->bits_place;
	if (!packing_is_wanted(attributes)) {
		return !option ||
			value_error(option, err, ERROR_INVALID_VALUE,
				"\"%s\" is for packed attributes: " POSITIONS " and " NORMALS,
				option->key);
	}
	out->bits = BITS_MOST;
	if (!read_attributes(attributes, out, err) ||
		(packing->compression &&
			!read_compression(packing->compression, many_frames, out, err))) {
		return false;
	}
	if (packing->bits_place && !out->positions) {
		return value_error(packing->bits_place, err, ERROR_INVALID_VALUE,
			"\"bits\" is for " POSITIONS ", which is not asked for");
	}
	out->bits = packing->bits ? packing->bits : out->bits;
	return true;
}

void packing_layout(
	const struct packing_settings *settings, size_t stride, char *text, size_t size) {
	char bits[16] = "";
	if (settings->positions) {
		snprintf(bits, sizeof bits, ";bits=%d", settings->bits);
	}
	snprintf(text, size, "%s%s%s;stride=%zu%s%s%s%s", settings->positions ? POSITIONS : "",
		settings->positions && settings->normals ? "," : "",
		settings->normals ? NORMALS : "", stride, bits,
		settings->compressed ? ";compression=meshopt" : "",
		settings->deltas ? ";delta=previous" : "",
		settings->reordered ? ";order=strip" : "");
}
