// Names and shapes of the vertices' attributes.
#include "attribute.h"

#include <assert.h>

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
