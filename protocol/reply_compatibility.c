// The compatibility of two rigs, as JSON.
#include "reply.h"

static void write_name(struct json_writer *json, const char *key, const char *name) {
	json_write_key(json, key);
	if (name) {
		json_write_string(json, name);
	} else {
		json_write_null(json);
	}
}

static void write_height(struct json_writer *json, const char *key, double height) {
	json_write_key(json, key);
	if (height > 0) {
		json_write_double(json, height);
	} else {
		json_write_null(json);
	}
}

static void write_names(
	struct json_writer *json, const char *key, const char *const *names, size_t count) {
	json_write_key(json, key);
	json_write_begin_list(json);
	for (size_t i = 0; i < count; i++) {
		json_write_string(json, names[i]);
	}
	json_write_end_list(json);
}

static void write_pair(struct json_writer *json, const struct pair_description *pair) {
	json_write_begin_object(json);
	json_write_member_string(json, "ours", pair->ours);
	json_write_member_string(json, "theirs", pair->theirs);
	json_write_member_string(json, "how", pair->how);
	write_name(json, "role", pair->role);
	json_write_member_double(json, "turn", pair->turn_deg);
	json_write_member_double(json, "confidence", pair->confidence);
	json_write_end_object(json);
}

static void write_role(struct json_writer *json, const struct role_description *role) {
	json_write_begin_object(json);
	json_write_member_string(json, "role", role->name);
	write_name(json, "ours", role->ours);
	write_name(json, "theirs", role->theirs);
	json_write_end_object(json);
}

static void write_clip(struct json_writer *json, const struct clip_use_description *clip) {
	json_write_begin_object(json);
	json_write_member_string(json, "name", clip->name);
	json_write_member_bool(json, "usable", clip->bound + clip->folded > 0);
	json_write_member_integer(json, "bound", clip->bound);
	json_write_member_integer(json, "folded", clip->folded);
	json_write_member_integer(json, "dropped", clip->dropped);
	json_write_end_object(json);
}

void reply_write_compatibility(const struct compatibility_description *found, struct buffer *out) {
	struct json_writer json = {.out = out};
	json_write_begin_object(&json);
	json_write_member_string(&json, "rig", found->rig);
	json_write_member_string(&json, "with", found->with);
	json_write_member_double(&json, "confidence", found->confidence);
	json_write_member_double(&json, "share", found->share);
	json_write_member_double(&json, "scale", found->scale);
	json_write_key(&json, "hip_height");
	json_write_begin_object(&json);
	write_height(&json, "ours", found->our_height);
	write_height(&json, "theirs", found->their_height);
	json_write_end_object(&json);
	json_write_key(&json, "pairs");
	json_write_begin_list(&json);
	for (size_t i = 0; i < found->pair_count; i++) {
		write_pair(&json, &found->pairs[i]);
	}
	json_write_end_list(&json);
	write_names(&json, "ours_alone", found->ours_alone, found->ours_alone_count);
	write_names(&json, "theirs_alone", found->theirs_alone, found->theirs_alone_count);
	json_write_key(&json, "humanoid");
	json_write_begin_list(&json);
	for (size_t i = 0; i < found->role_count; i++) {
		write_role(&json, &found->roles[i]);
	}
	json_write_end_list(&json);
	json_write_key(&json, "clips");
	json_write_begin_list(&json);
	for (size_t i = 0; i < found->clip_count; i++) {
		write_clip(&json, &found->clips[i]);
	}
	json_write_end_list(&json);
	json_write_end_object(&json);
}
