// Materials as expressions change them, against base + sum (target - base) * weight.
#include "draw/expressed.h"

#include <string.h>

#include "check.h"

/* Two materials, of which only the first is MToon's, and three expressions. */
struct made {
	struct rig rig;
	struct avatar avatar;
	struct material materials[2];
	struct avatar_expression expressions[3];
	struct avatar_tint tints[4];
	struct avatar_shift shifts[2];
	struct arena *arena;
};

static void made_begin(struct made *made) {
	memset(made, 0, sizeof *made);
	made->arena = arena_create();
	made->materials[0] = made->materials[1] = material_default;
	made->materials[0].mtoon = true;
	made->materials[0].base_color[0] = 0.5F;
	made->materials[0].toon.rim_color[1] = 0.25F;
	made->materials[0].textures[TEXTURE_BASE_COLOR].offset[0] = 0.5F;
	made->tints[0] = (struct avatar_tint){0, AVATAR_COLOR_BASE, {1, 0, 0.5F, 0.25F}};
	made->tints[1] = (struct avatar_tint){0, AVATAR_COLOR_RIM, {0, 1, 0, 1}};
	made->tints[2] = (struct avatar_tint){1, AVATAR_COLOR_RIM, {1, 1, 1, 1}};
	made->tints[3] = (struct avatar_tint){0, AVATAR_COLOR_BASE, {0, 1, 1, 1}};
	made->shifts[0] = (struct avatar_shift){0, {2, 1}, {0.25F, -0.5F}};
	made->shifts[1] = (struct avatar_shift){0, {1, 3}, {0.5F, 0}};
	made->expressions[0] = (struct avatar_expression){.name = "happy",
		.tint_count = 3,
		.tints = made->tints,
		.shift_count = 1,
		.shifts = made->shifts};
	made->expressions[1] = (struct avatar_expression){.name = "sad",
		.tint_count = 1,
		.tints = made->tints + 3,
		.shift_count = 1,
		.shifts = made->shifts + 1};
	made->expressions[2] = (struct avatar_expression){.name = "aa"};
	made->avatar = (struct avatar){.expression_count = 3, .expressions = made->expressions};
	made->rig = (struct rig){
		.avatar = &made->avatar, .material_count = 2, .materials = made->materials};
}

static void nothing_changes_without_weights(void **state) {
	(void)state;
	struct made made;
	made_begin(&made);
	const float none[3] = {0}, other[3] = {0, 0, 1};
	assert_null(materials_with_expressions(&made.rig, none, made.arena));
	assert_null(materials_with_expressions(&made.rig, other, made.arena));
	assert_null(materials_with_expressions(&made.rig, NULL, made.arena));
	assert_ptr_equal(rig_with_expressions(&made.rig, none, made.arena), &made.rig);
	made.rig.avatar = NULL;
	assert_null(materials_with_expressions(&made.rig, other, made.arena));
	arena_destroy(made.arena);
}

static void colors_move_by_their_distance(void **state) {
	(void)state;
	struct made made;
	made_begin(&made);
	const float weights[3] = {0.5F, 0.25F, 1};
	const struct rig *rig = rig_with_expressions(&made.rig, weights, made.arena);
	const struct material *m = &rig->materials[0];
	// 0.5 + (1 - 0.5) * 0.5 + (0 - 0.5) * 0.25, and so on.
	assert_near((double)m->base_color[0], 0.625, 1e-6);
	assert_near((double)m->base_color[1], 0.5, 1e-6);
	assert_near((double)m->base_color[2], 0.75, 1e-6);
	assert_near((double)m->base_color[3], 0.625, 1e-6);
	assert_near((double)m->toon.rim_color[1], 0.625, 1e-6);
	// Without MToon there is no rim.
	assert_memory_equal(&rig->materials[1], &made.materials[1], sizeof made.materials[1]);
	assert_true(made.materials[0].base_color[0] == 0.5F);
	arena_destroy(made.arena);
}

static void transforms_move_all_textures_but_the_sphere_s(void **state) {
	(void)state;
	struct made made;
	made_begin(&made);
	const float weights[3] = {0.5F, 0.25F, 0};
	const struct material *m = materials_with_expressions(&made.rig, weights, made.arena);
	const struct texture_slot *base = &m->textures[TEXTURE_BASE_COLOR];
	assert_near((double)base->scale[0], 1.5, 1e-6);
	assert_near((double)base->scale[1], 1.5, 1e-6);
	assert_near((double)base->offset[0], 0.375, 1e-6);
	assert_near((double)base->offset[1], -0.25, 1e-6);
	assert_near((double)m->textures[TEXTURE_RIM_MULTIPLY].offset[0], 0.25, 1e-6);
	assert_false(texture_slot_transforms(&m->textures[TEXTURE_MATCAP]));
	arena_destroy(made.arena);
}

/* Sums beyond a factor's range end there. */
static void colors_stay_in_their_ranges(void **state) {
	(void)state;
	struct made made;
	made_begin(&made);
	const float weights[3] = {1, 1, 0};
	const struct material *m = materials_with_expressions(&made.rig, weights, made.arena);
	assert_near((double)m->base_color[0], 0.5, 1e-6);
	assert_near((double)m->base_color[1], 0, 1e-6);
	made.tints[0].target[1] = -3;
	m = materials_with_expressions(&made.rig, weights, made.arena);
	assert_true(m->base_color[1] == 0);
	arena_destroy(made.arena);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_changes_without_weights),
		cmocka_unit_test(colors_move_by_their_distance),
		cmocka_unit_test(transforms_move_all_textures_but_the_sphere_s),
		cmocka_unit_test(colors_stay_in_their_ranges),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
