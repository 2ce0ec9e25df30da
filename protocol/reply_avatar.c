// The avatar in a rig's description as JSON.
#include "reply_avatar.h"

/* A text, or null. */
static void write_text(struct json_writer *json, const char *name, const char *text) {
	json_write_key(json, name);
	if (text) {
		json_write_string(json, text);
	} else {
		json_write_null(json);
	}
}

static void write_humanoid(struct json_writer *json, const struct avatar_description *avatar) {
	json_write_key(json, "humanoid");
	json_write_begin_object(json);
	json_write_member_string(json, "version", avatar->version);
	json_write_member_string(json, "front", avatar->front);
	json_write_key(json, "bones");
	json_write_begin_object(json);
	for (size_t i = 0; i < avatar->bone_count; i++) {
		json_write_member_string(json, avatar->bones[i].name, avatar->bones[i].joint);
	}
	json_write_end_object(json);
	json_write_end_object(json);
}

static void write_expression(
	struct json_writer *json, const struct expression_description *expression) {
	json_write_begin_object(json);
	json_write_member_string(json, "name", expression->name);
	write_text(json, "preset", expression->preset);
	json_write_member_bool(json, "binary", expression->binary);
	json_write_key(json, "overrides");
	json_write_begin_object(json);
	json_write_member_string(json, "blink", expression->blink);
	json_write_member_string(json, "look_at", expression->look_at);
	json_write_member_string(json, "mouth", expression->mouth);
	json_write_end_object(json);
	json_write_end_object(json);
}

static void write_look_at(struct json_writer *json, const struct look_at_description *look) {
	json_write_key(json, "look_at");
	if (!look) {
		json_write_null(json);
		return;
	}
	json_write_begin_object(json);
	json_write_member_string(json, "by", look->by);
	json_write_member_doubles(json, "offset", look->offset, 3);
	json_write_key(json, "ranges");
	json_write_begin_object(json);
	for (int i = 0; i < 4; i++) {
		json_write_key(json, look->ranges[i].name);
		json_write_begin_object(json);
		json_write_member_double(json, "input_max", look->ranges[i].input_max_deg);
		json_write_member_double(json, "output", look->ranges[i].output);
		json_write_end_object(json);
	}
	json_write_end_object(json);
	json_write_end_object(json);
}

static void write_constraint(
	struct json_writer *json, const struct constraint_description *constraint) {
	json_write_begin_object(json);
	json_write_member_string(json, "kind", constraint->kind);
	json_write_member_string(json, "joint", constraint->joint);
	json_write_member_string(json, "source", constraint->source);
	if (constraint->axis) {
		json_write_member_doubles(json, "axis", constraint->axis, 3);
	}
	json_write_member_double(json, "weight", constraint->weight);
	json_write_end_object(json);
}

static void write_spring(struct json_writer *json, const struct spring_description *spring) {
	json_write_begin_object(json);
	json_write_member_string(json, "name", spring->name);
	write_text(json, "center", spring->center);
	json_write_member_strings(json, "joints", spring->joints, spring->joint_count);
	json_write_member_integer(json, "colliders", (int64_t)spring->collider_count);
	json_write_end_object(json);
}

static void write_fact(struct json_writer *json, const struct fact_description *fact) {
	if (fact->is_list) {
		json_write_member_strings(json, fact->key, fact->texts, fact->text_count);
	} else if (fact->texts) {
		json_write_member_string(json, fact->key, fact->texts[0]);
	} else if (fact->is_truth) {
		json_write_member_bool(json, fact->key, fact->number != 0);
	} else {
		json_write_member_double(json, fact->key, fact->number);
	}
}

static void write_lists(struct json_writer *json, const struct avatar_description *avatar) {
	json_write_key(json, "constraints");
	json_write_begin_list(json);
	for (size_t i = 0; i < avatar->constraint_count; i++) {
		write_constraint(json, &avatar->constraints[i]);
	}
	json_write_end_list(json);
	json_write_key(json, "springs");
	json_write_begin_list(json);
	for (size_t i = 0; i < avatar->spring_count; i++) {
		write_spring(json, &avatar->springs[i]);
	}
	json_write_end_list(json);
	json_write_key(json, "meta");
	json_write_begin_object(json);
	for (size_t i = 0; i < avatar->fact_count; i++) {
		write_fact(json, &avatar->facts[i]);
	}
	json_write_end_object(json);
}

void reply_write_avatar(struct json_writer *json, const struct avatar_description *avatar) {
	write_humanoid(json, avatar);
	json_write_key(json, "expressions");
	json_write_begin_list(json);
	for (size_t i = 0; i < avatar->expression_count; i++) {
		write_expression(json, &avatar->expressions[i]);
	}
	json_write_end_list(json);
	write_look_at(json, avatar->look_at);
	write_lists(json, avatar);
	write_text(json, "thumbnail", avatar->thumbnail);
}
