/* What requests for results have in common. */
#pragma once

#include "request.h"

/* Fills in what "pose" and "poses" (NULL when absent) say. */
bool request_read_poses(const struct value *pose, const struct value *poses,
	struct subject *subject, struct error *err);

/* How to skin: a method's id or an object. value may be NULL: all defaults. */
bool request_read_skinning(
	const struct value *value, struct skinning_settings *out, struct error *err);

/* The attributes that a list names, at least so many of them; without a list (NULL) positions. */
bool request_read_attributes(const struct value *list, size_t least,
	enum attribute_bits attributes[static ATTRIBUTE_COUNT], size_t *count, struct error *err);
