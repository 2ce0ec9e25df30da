/* Names and shapes of the vertices' attributes. */
#pragma once

#include <stddef.h>

#include "base/settings.h"

#define ATTRIBUTE_COUNT 3

/* The i-th attribute, i < ATTRIBUTE_COUNT. */
enum attribute_bits attribute_at(size_t i);

/* Name, and numbers per vertex. */
const char *attribute_name(enum attribute_bits attribute);
size_t attribute_width(enum attribute_bits attribute);
