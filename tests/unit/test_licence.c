// Uses that the licence of an avatar allows, against the tables of VRM 0.x's and 1.0's schemas;
// each value end to end is in tests/http/test_licences.py.
#include "model/licence.h"

#include <string.h>

#include "check.h"
#include "model/avatar.h"
#include "model/rig.h"

static unsigned uses_of(const char *text) {
	unsigned uses;
	struct error err = {0};
	assert_true(licence_read_uses(text, strlen(text), &uses, &err));
	return uses;
}

static void rejects_unknown_and_repeated_uses(void **state) {
	(void)state;
	static const char *const wrong[] = {"", ",", "trade", "sexual,", ",sexual", "sexual,sexual",
		"Sexual", "sexual, violent", "none,sexual", "sexualx"};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		unsigned uses;
		struct error err = {0};
		assert_false(licence_read_uses(wrong[i], strlen(wrong[i]), &uses, &err));
		assert_int_equal(err.code, ERROR_INVALID_VALUE);
	}
	assert_int_equal(uses_of("none"), 0);
	assert_int_equal(uses_of("violent,any-user"), uses_of("violent") | uses_of("any-user"));
}

static bool allowed(struct avatar avatar, const char *use, enum licence_part part) {
	const struct rig rig = {.avatar = &avatar};
	struct error err = {0};
	const bool ok = licence_check(&rig, uses_of(use), part, &err);
	assert_int_equal(err.code, ok ? ERROR_NONE : ERROR_LICENCE);
	return ok;
}

/* Every use of VRM 1.0 has a default that forbids it. */
static void allows_nothing_by_default(void **state) {
	(void)state;
	for (size_t i = 0; licence_use_names[i]; i++) {
		const struct avatar avatar = {.version = "1.0"};
		assert_false(allowed(avatar, licence_use_names[i], LICENCE_FILES));
		assert_true(allowed(avatar, licence_use_names[i], LICENCE_NOTHING));
	}
}

/* VRM 0.x knows nothing of politics and hatred. */
static void asks_only_what_the_version_says(void **state) {
	(void)state;
	const struct avatar old = {.is_0x = true, .version = "0.0"};
	assert_true(allowed(old, "political,antisocial", LICENCE_FILES));
	assert_false(allowed(old, "commercial", LICENCE_PICTURES));
}

/* Creative Commons' licences by their names' parts: NC = no commerce, ND = no changes. */
static void follows_creative_commons(void **state) {
	(void)state;
	static const char *const names[] = {
		"CC0", "CC_BY", "CC_BY_NC", "CC_BY_SA", "CC_BY_NC_SA", "CC_BY_ND", "CC_BY_NC_ND"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct avatar_fact facts[] = {
			{.key = "licenseName", .text = names[i], .kind = AVATAR_TEXT},
			{.key = "commercialUssageName", .text = "Allow", .kind = AVATAR_TEXT}};
		const struct avatar avatar = {.is_0x = true, .facts = facts, .fact_count = 2};
		const bool no_commerce = strstr(names[i], "NC"),
			   no_changes = strstr(names[i], "ND");
		assert_true(allowed(avatar, "commercial", LICENCE_PICTURES));
		assert_true(allowed(avatar, "redistribution", LICENCE_FILES));
		assert_true(allowed(avatar, "redistribution", LICENCE_PICTURES));
		assert_int_equal(allowed(avatar, "modification", LICENCE_FILES), !no_changes);
		assert_int_equal(allowed(avatar, "commercial", LICENCE_FILES), !no_commerce);
		assert_int_equal(allowed(avatar, "uncredited", LICENCE_FILES), i == 0);
	}
}

static void others_have_no_licence(void **state) {
	(void)state;
	const struct rig rig = {0};
	assert_true(licence_check(&rig, ~0u, LICENCE_FILES, NULL));
	assert_true(allowed((struct avatar){.is_motion = true}, "commercial", LICENCE_FILES));
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rejects_unknown_and_repeated_uses),
		cmocka_unit_test(allows_nothing_by_default),
		cmocka_unit_test(asks_only_what_the_version_says),
		cmocka_unit_test(follows_creative_commons),
		cmocka_unit_test(others_have_no_licence),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
