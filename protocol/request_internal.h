/* What requests for results have in common. */
#pragma once

#include "request.h"

/* Fills in what "pose" and "poses" (NULL when absent) say. */
bool request_read_poses(const struct value *pose, const struct value *poses,
	struct subject *subject, struct error *err);

/* How to skin: a method's id or an object. value may be NULL: all defaults. */
bool request_read_skinning(
	const struct value *value, struct skinning_settings *out, struct error *err);
