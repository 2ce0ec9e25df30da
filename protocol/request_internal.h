/* What requests for results have in common. */
#pragma once

#include "request.h"

/* The row of the member that names a rig: *rig is its text, *place where that stands. */
static inline struct member request_rig_member(const char **rig, const struct value **place) {
	return (struct member){
		.name = "rig", .type = MEMBER_STRING, .out = rig, .required = true, .place = place};
}

/* Fills in what "pose" and "poses" (NULL when absent) say. */
bool request_read_poses(const struct value *pose, const struct value *poses,
	struct subject *subject, struct error *err);

/* How to skin: a method's id or an object. value may be NULL: all defaults. */
bool request_read_skinning(
	const struct value *value, struct skinning_settings *out, struct error *err);

/* The attributes that a list names, at least so many of them; without a list (NULL) positions. */
bool request_read_attributes(const struct value *list, size_t least,
	enum attribute_bits attributes[static ATTRIBUTE_COUNT], size_t *count, struct error *err);
