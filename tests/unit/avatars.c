// Avatars made in memory.
#include "avatars.h"

#include <string.h>

#include "check.h"

static void *take(struct rig *rig, size_t count, size_t size) {
	void *array = rig_storage(rig, count, size, "a test rig", NULL);
	assert_non_null(array);
	return array;
}

static const char *stored_text(struct rig *rig, const char *text) {
	char *stored = take(rig, strlen(text) + 1, 1);
	strcpy(stored, text);
	return stored;
}

static void add_expressions(struct rig *rig, struct avatar *avatar) {
	struct avatar_expression *e = take(rig, 3, sizeof *e);
	for (int i = 0; i < 3; i++) {
		e[i] = (struct avatar_expression){
			.name = stored_text(rig,
				i == 0           ? "happy"
					: i == 1 ? "blink"
						 : "my own"),
			.preset = i == 0 ? AVATAR_PRESET_happy
				: i == 1 ? AVATAR_PRESET_blink
					 : AVATAR_CUSTOM,
			.binary = i == 1,
			.overrides = {AVATAR_OVERRIDE_NONE, AVATAR_OVERRIDE_BLEND,
				AVATAR_OVERRIDE_BLOCK},
			.morph_count = i,
			.tint_count = 1,
			.shift_count = 1,
			.morphs = take(rig, 2, sizeof *e->morphs),
			.tints = take(rig, 1, sizeof *e->tints),
			.shifts = take(rig, 1, sizeof *e->shifts),
		};
		e[i].morphs[0] = (struct avatar_morph){.weight = 1, .amount = 0.5f};
		e[i].tints[0].color = AVATAR_COLOR_RIM;
		e[i].shifts[0].offset[1] = (float)i;
	}
	avatar->expressions = e;
	avatar->expression_count = 3;
}

static void add_moved_parts(struct rig *rig, struct avatar *avatar) {
	avatar->constraints = take(rig, 2, sizeof *avatar->constraints);
	avatar->constraints[0] = (struct avatar_constraint){
		.kind = AVATAR_ROLL, .joint = 4, .source = 5, .axis = {0, 1, 0}, .weight = 0.5};
	avatar->constraints[1] = (struct avatar_constraint){
		.kind = AVATAR_AIM, .joint = 6, .source = 3, .axis = {0, 0, -1}, .weight = 1};
	avatar->constraint_count = 2;
	avatar->colliders = take(rig, 2, sizeof *avatar->colliders);
	avatar->colliders[0] = (struct avatar_collider){.inside = true, .radius = 0.25};
	avatar->colliders[1] =
		(struct avatar_collider){.kind = AVATAR_PLANE, .joint = 2, .normal = {0, 0, 1}};
	avatar->collider_count = 2;
	avatar->springs = take(rig, 1, sizeof *avatar->springs);
	struct avatar_spring *spring = avatar->springs;
	*spring = (struct avatar_spring){.name = stored_text(rig, "hair"),
		.center = 1,
		.joint_count = 2,
		.joints = take(rig, 2, sizeof *spring->joints),
		.collider_count = 1,
		.colliders = take(rig, 1, sizeof *spring->colliders)};
	for (int k = 0; k < 2; k++) {
		spring->joints[k] = (struct avatar_spring_joint){.joint = k + 7,
			.tail = {0, 0.5, k},
			.stiffness = 1,
			.drag = 0.25,
			.gravity = {0, -1, 0}};
	}
	spring->colliders[0] = 1;
	avatar->spring_count = 1;
}

void rig_add_avatar(struct rig *rig) {
	struct avatar *avatar = take(rig, 1, sizeof *avatar);
	avatar->version = stored_text(rig, "1.0");
	avatar->is_0x = true;
	int next_joint = 0;
	for (int i = 0; i < AVATAR_BONE_COUNT; i++) {
		avatar->bones[i] = avatar_bone_is_required((enum avatar_bone)i) ? next_joint++ : -1;
	}
	add_expressions(rig, avatar);
	add_moved_parts(rig, avatar);
	avatar->has_look_at = true;
	const struct avatar_range range = {90, 10};
	avatar->look_at = (struct avatar_look_at){0, true, {0, 0.5, 0}, range, range, range, range};
	avatar->views = take(rig, (size_t)rig->joint_count, 1);
	avatar->views[3] = AVATAR_VIEW_FIRST;
	avatar->facts = take(rig, 2, sizeof *avatar->facts);
	avatar->facts[0] = (struct avatar_fact){
		stored_text(rig, "authors"), stored_text(rig, "f\xc3\xa9"), AVATAR_TEXT_OF_LIST, 0};
	avatar->facts[1] = (struct avatar_fact){
		stored_text(rig, "modification"), stored_text(rig, ""), AVATAR_TRUTH, 1};
	avatar->fact_count = 2;
	avatar->thumbnail = 1;
	rig->avatar = avatar;
}

static void assert_same_expressions(const struct avatar *a, const struct avatar *b) {
	assert_int_equal(a->expression_count, b->expression_count);
	for (int i = 0; i < a->expression_count; i++) {
		const struct avatar_expression *x = &a->expressions[i], *y = &b->expressions[i];
		assert_string_equal(x->name, y->name);
		assert_memory_equal(&x->preset, &y->preset,
			offsetof(struct avatar_expression, morphs) -
				offsetof(struct avatar_expression, preset));
		assert_memory_equal(
			x->morphs, y->morphs, (size_t)x->morph_count * sizeof *x->morphs);
		assert_memory_equal(x->tints, y->tints, (size_t)x->tint_count * sizeof *x->tints);
		assert_memory_equal(
			x->shifts, y->shifts, (size_t)x->shift_count * sizeof *x->shifts);
	}
}

static void assert_same_springs(const struct avatar *a, const struct avatar *b) {
	assert_int_equal(a->spring_count, b->spring_count);
	for (int i = 0; i < a->spring_count; i++) {
		const struct avatar_spring *x = &a->springs[i], *y = &b->springs[i];
		assert_string_equal(x->name, y->name);
		assert_int_equal(x->center, y->center);
		assert_int_equal(x->joint_count, y->joint_count);
		assert_int_equal(x->collider_count, y->collider_count);
		assert_memory_equal(
			x->joints, y->joints, (size_t)x->joint_count * sizeof *x->joints);
		assert_memory_equal(x->colliders, y->colliders,
			(size_t)x->collider_count * sizeof *x->colliders);
	}
}

void assert_same_avatar(const struct rig *rig, const struct rig *other) {
	const struct avatar *a = rig->avatar, *b = other->avatar;
	assert_int_equal(a->is_0x, b->is_0x);
	assert_string_equal(a->version, b->version);
	assert_memory_equal(a->bones, b->bones, sizeof a->bones);
	assert_same_expressions(a, b);
	assert_int_equal(a->has_look_at, b->has_look_at);
	assert_memory_equal(&a->look_at, &b->look_at, sizeof a->look_at);
	assert_int_equal(a->constraint_count, b->constraint_count);
	assert_memory_equal(a->constraints, b->constraints,
		(size_t)a->constraint_count * sizeof *a->constraints);
	assert_int_equal(a->collider_count, b->collider_count);
	assert_memory_equal(
		a->colliders, b->colliders, (size_t)a->collider_count * sizeof *a->colliders);
	assert_same_springs(a, b);
	assert_memory_equal(a->views, b->views, (size_t)rig->joint_count);
	assert_int_equal(a->fact_count, b->fact_count);
	for (int i = 0; i < a->fact_count; i++) {
		assert_string_equal(a->facts[i].key, b->facts[i].key);
		assert_string_equal(a->facts[i].text, b->facts[i].text);
		assert_int_equal(a->facts[i].kind, b->facts[i].kind);
		assert_true(a->facts[i].number == b->facts[i].number);
	}
	assert_int_equal(a->thumbnail, b->thumbnail);
}
