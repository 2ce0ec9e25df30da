// An avatar for its rig's description.
#include <string.h>

#include "describe/describe.h"
#include "url_text.h"

static const char *joint_name(const struct rig *rig, int joint) {
	return joint < 0 ? NULL : rig->joints[joint].name;
}

static const struct bone_description *describe_bones(
	const struct rig *rig, struct arena *arena, size_t *count) {
	struct bone_description *out = arena_alloc(arena, AVATAR_BONE_COUNT, sizeof *out);
	for (int i = 0; i < AVATAR_BONE_COUNT; i++) {
		const char *joint = joint_name(rig, rig->avatar->bones[i]);
		if (joint) {
			out[(*count)++] = (struct bone_description){avatar_bone_names[i], joint};
		}
	}
	return out;
}

static const struct expression_description *describe_expressions(
	const struct avatar *avatar, struct arena *arena) {
	static const char *const names[] = {
		[AVATAR_OVERRIDE_NONE] = "none",
		[AVATAR_OVERRIDE_BLOCK] = "block",
		[AVATAR_OVERRIDE_BLEND] = "blend",
	};
	struct expression_description *out =
		arena_alloc(arena, (size_t)avatar->expression_count, sizeof *out);
	for (int i = 0; i < avatar->expression_count; i++) {
		const struct avatar_expression *e = &avatar->expressions[i];
		out[i] = (struct expression_description){
			.name = e->name,
			.preset = e->preset < 0 ? NULL : avatar_preset_names[e->preset],
			.binary = e->binary,
			.blink = names[e->overrides[AVATAR_BLINKS]],
			.look_at = names[e->overrides[AVATAR_LOOKS]],
			.mouth = names[e->overrides[AVATAR_MOUTHS]],
		};
	}
	return out;
}

static struct range_description describe_range(const char *name, const struct avatar_range *range) {
	return (struct range_description){name, range->input_max_deg, range->output};
}

static const struct look_at_description *describe_look_at(
	const struct avatar *avatar, struct arena *arena) {
	const struct avatar_look_at *look = &avatar->look_at;
	if (!avatar->has_look_at) {
		return NULL;
	}
	struct look_at_description *out = arena_alloc(arena, 1, sizeof *out);
	out->by = look->by_expressions ? "expressions" : "bones";
	memcpy(out->offset, look->head_offset, sizeof out->offset);
	out->ranges[0] = describe_range("inner", &look->inner);
	out->ranges[1] = describe_range("outer", &look->outer);
	out->ranges[2] = describe_range("down", &look->down);
	out->ranges[3] = describe_range("up", &look->up);
	return out;
}

static const struct constraint_description *describe_constraints(
	const struct rig *rig, struct arena *arena) {
	static const char *const kinds[] = {
		[AVATAR_ROTATION] = "rotation", [AVATAR_ROLL] = "roll", [AVATAR_AIM] = "aim"};
	const struct avatar *avatar = rig->avatar;
	struct constraint_description *out =
		arena_alloc(arena, (size_t)avatar->constraint_count, sizeof *out);
	for (int i = 0; i < avatar->constraint_count; i++) {
		const struct avatar_constraint *c = &avatar->constraints[i];
		out[i] = (struct constraint_description){
			.kind = kinds[c->kind],
			.joint = joint_name(rig, c->joint),
			.source = joint_name(rig, c->source),
			.axis = c->kind == AVATAR_ROTATION ? NULL : c->axis,
			.weight = c->weight,
		};
	}
	return out;
}

static const struct spring_description *describe_springs(
	const struct rig *rig, struct arena *arena) {
	const struct avatar *avatar = rig->avatar;
	struct spring_description *out =
		arena_alloc(arena, (size_t)avatar->spring_count, sizeof *out);
	for (int i = 0; i < avatar->spring_count; i++) {
		const struct avatar_spring *spring = &avatar->springs[i];
		const size_t count = (size_t)spring->joint_count;
		const char **joints = arena_alloc(arena, count, sizeof *joints);
		for (size_t k = 0; k < count; k++) {
			joints[k] = joint_name(rig, spring->joints[k].joint);
		}
		out[i] = (struct spring_description){
			.name = spring->name,
			.center = joint_name(rig, spring->center),
			.joints = joints,
			.joint_count = count,
			.collider_count = (size_t)spring->collider_count,
		};
	}
	return out;
}

/* Facts of one key that follow one another are one list. */
static const struct fact_description *describe_facts(
	const struct avatar *avatar, struct arena *arena, size_t *count) {
	const size_t most = (size_t)avatar->fact_count;
	struct fact_description *out = arena_alloc(arena, most, sizeof *out);
	const char **texts = arena_alloc(arena, most, sizeof *texts);
	for (size_t i = 0; i < most; i++) {
		const struct avatar_fact *fact = &avatar->facts[i];
		const bool is_list = fact->kind == AVATAR_TEXT_OF_LIST;
		const bool is_text = is_list || fact->kind == AVATAR_TEXT;
		texts[i] = fact->text;
		if (is_list && i > 0 && fact[-1].kind == fact->kind &&
			strcmp(fact[-1].key, fact->key) == 0) {
			out[*count - 1].text_count++;
			continue;
		}
		out[(*count)++] = (struct fact_description){
			.key = fact->key,
			.texts = is_text ? &texts[i] : NULL,
			.text_count = is_text,
			.is_list = is_list,
			.is_truth = fact->kind == AVATAR_TRUTH,
			.number = fact->number,
		};
	}
	return out;
}

void describe_avatar(const struct rig *rig, struct arena *arena, struct rig_description *out) {
	const struct avatar *avatar = rig->avatar;
	if (!avatar) {
		return;
	}
	struct avatar_description *description = arena_alloc(arena, 1, sizeof *description);
	description->version = avatar->version;
	description->front = avatar->is_0x ? "-z" : "+z";
	description->bones = describe_bones(rig, arena, &description->bone_count);
	description->expressions = describe_expressions(avatar, arena);
	description->expression_count = (size_t)avatar->expression_count;
	description->look_at = describe_look_at(avatar, arena);
	description->constraints = describe_constraints(rig, arena);
	description->constraint_count = (size_t)avatar->constraint_count;
	description->springs = describe_springs(rig, arena);
	description->spring_count = (size_t)avatar->spring_count;
	description->thumbnail = avatar->thumbnail >= 0
		? arena_printf(arena, "/v1/rigs/%s/thumbnail", url_encode(arena, out->summary.name))
		: NULL;
	description->facts = describe_facts(avatar, arena, &description->fact_count);
	out->avatar = description;
}
