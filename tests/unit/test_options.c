// Options of skinning methods: what a request may say, and how it is refused.
#include <string.h>

#include "base/arena.h"
#include "check.h"
#include "json_value.h"
#include "skin/plan.h"
#include "skinned.h"

static void refuse(
	const char *skinning, enum error_code code, const char *pointer, const char *piece) {
	struct arena *arena = arena_create();
	const struct skinning_settings settings = settings_of(arena, skinning);
	struct error err = {0};
	assert_false(skin_plan_check(NULL, &settings, &err));
	expect_error(&err, code, pointer, piece);
	arena_destroy(arena);
}

static void accept(const char *skinning) {
	struct arena *arena = arena_create();
	const struct skinning_settings settings = settings_of(arena, skinning);
	struct error err = {0};
	if (!skin_plan_check(NULL, &settings, &err)) {
		fail_msg("%s: %s", skinning, err.text);
	}
	arena_destroy(arena);
}

static void known_options_are_taken(void **state) {
	(void)state;
	accept("'dqs'");
	accept("{'method': 'dqs', 'device': 'cpu', 'sign': 'hierarchy', 'scale': 'ignore'}");
	accept("{'method': 'dqs', 'rigid_from': 'chain', 'normals': 'same'}");
}

static void others_are_refused_with_their_place(void **state) {
	(void)state;
	refuse("{'method': 'lbs', 'sign': 'pivot'}", ERROR_UNKNOWN_MEMBER, "/sign", "lbs");
	refuse("{'method': 'dqs', 'sing': 'pivot'}", ERROR_UNKNOWN_MEMBER, "/sing",
		"sign, scale, rigid_from");
	refuse("{'method': 'dqs', 'sign': 'pivots'}", ERROR_INVALID_VALUE, "/sign",
		"pivot, hierarchy");
	refuse("{'method': 'dqs', 'sign': 1}", ERROR_INVALID_VALUE, "/sign", "pivot, hierarchy");
	refuse("{'method': 'lbs_dqs_mix', 'normals': 'exact'}", ERROR_INVALID_VALUE, "/normals",
		"same, cof");
}

static void each_list_has_names_of_its_own(void **state) {
	(void)state;
	for (size_t i = 0; skin_method(i); i++) {
		const struct skin_option *const *list = skin_method(i)->options;
		for (int a = 0; list && list[a]; a++) {
			assert_true(a < SKIN_OPTIONS_MAX);
			for (int b = 0; b < a; b++) {
				assert_string_not_equal(list[a]->name, list[b]->name);
			}
		}
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_options_are_taken),
		cmocka_unit_test(others_are_refused_with_their_place),
		cmocka_unit_test(each_list_has_names_of_its_own),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
