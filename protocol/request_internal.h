/* Members that several requests have. */
#pragma once

#include "request.h"

/* "rig" and "pose", read into a struct subject; "poses"; "skinning". */
extern const struct member_table subject_members, poses_member, skinning_member;

/* The members of "skinning" that every method has, read into a struct skinning_settings. */
extern const struct member_table skinning_members;

/* "attributes", packed ones among them or not. */
extern const struct member_table attributes_member, plain_attributes_member;

/* The members of "pose" that samples a clip: names alone, the pose language reads them. */
extern const struct member_table clip_pose_members;

/* The row of the member that names a rig: *rig is its text, *source where that stands. */
static inline struct member request_rig_member(const char **rig, const struct value **source) {
	return (struct member){
		"rig", MEMBER_STRING, .out = rig, .required = true, .source = source};
}

/* Fills in what "rig", "pose" and "poses" of a request say, whose rig's name is there already. */
bool request_read_subject(const struct value *request, struct subject *subject, struct error *err);

/* Reads a method's id or an object. value may be NULL: all defaults. */
bool request_read_skinning(
	const struct value *value, struct skinning_settings *out, struct error *err);

/* The attributes that a list names, at least so many of them; without a list (NULL) positions. */
bool request_read_attributes(const struct value *list, size_t least,
	enum attribute_bits attributes[static ATTRIBUTE_COUNT], size_t *count, struct error *err);
