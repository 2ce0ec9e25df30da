// The tables of each request's members.
#include "members.h"

static const struct member_table *const tables[REQUEST_COUNT][REQUEST_TABLES_MAX + 1] = {
	[REQUEST_POSE] = {&subject_members, &poses_member, &pose_members, &skinning_member,
		&clip_pose_members, &skinning_members},
	[REQUEST_VERTICES] = {&subject_members, &poses_member, &attributes_member, &skinning_member,
		&packing_members, &clip_pose_members, &skinning_members, &compression_members},
	[REQUEST_FRAME] = {&subject_members, &clip_pose_members, &picture_members, &view_member,
		&variant_member, &overlays_member, &camera_members, &skinning_member,
		&skinning_members, &shading_members},
	[REQUEST_FRAMES] = {&subject_members, &poses_member, &clip_pose_members, &picture_members,
		&view_member, &variant_member, &overlays_member, &camera_members, &skinning_member,
		&skinning_members, &shading_members, &times_members, &frames_members,
		&turntable_members},
	[REQUEST_COMPARE] = {&subject_members, &compare_members, &clip_pose_members,
		&picture_members, &camera_members, &shading_members},
	[REQUEST_CROWD] = {&crowd_members, &skinning_member, &plain_attributes_member,
		&picture_members, &view_member, &skinning_members, &camera_members,
		&shading_members},
	[REQUEST_STREAM] = {&subject_members, &attributes_member, &skinning_member, &stream_members,
		&packing_members, &clip_pose_members, &skinning_members, &compression_members},
	[REQUEST_BAKE] = {&subject_members, &skinning_member, &bake_members, &motion_members,
		&clip_pose_members, &skinning_members},
	[REQUEST_MOTION] = {&clip_pose_members, &motion_members},
	[REQUEST_TRANSITIONS] = {&subject_members, &transitions_members, &clip_pose_members},
	[REQUEST_CLIP] = {&clip_members, &clip_pose_members},
	[REQUEST_COMPRESSION] = {&subject_members, &compression_request_members, &skinning_member,
		&skinning_members, &tolerance_members, &clip_pose_members},
};

const struct member_table *const *request_tables(enum request_kind kind) {
	return tables[kind];
}

enum member_text member_text(const struct member *member) {
	if (member->text != TEXT_BY_TYPE) {
		return member->text;
	}
	switch (member->type) {
	case MEMBER_NUMBER:
		return TEXT_NUMBER;
	case MEMBER_INTEGER:
		return TEXT_WHOLE;
	case MEMBER_BOOL:
		return TEXT_BOOL;
	case MEMBER_VECTOR:
		return TEXT_NUMBERS;
	case MEMBER_STRING:
	case MEMBER_CHOICE:
	case MEMBER_ANY:
	case MEMBER_UNREAD:
		break;
	}
	return TEXT_PLAIN;
}
