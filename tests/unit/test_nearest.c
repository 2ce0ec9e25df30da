// Nearest names: which ones are chosen, in which order, and that long ones do no harm.
#include "base/nearest.h"

#include <string.h>

#include "check.h"

/* Offers names (ended by NULL) and compares what is written. */
static void expect(const char *asked, const char *const *names, const char *wanted) {
	struct nearest nearest = {.asked = asked};
	for (int i = 0; names[i]; i++) {
		nearest_offer(&nearest, names[i]);
	}
	char text[64];
	nearest_write(&nearest, text, sizeof text);
	assert_string_equal(text, wanted);
}

static void nothing_offered_writes_nothing(void **state) {
	(void)state;
	const char *const none[] = {NULL};
	expect("Head", none, "");
}

static void nearest_come_first_and_equals_in_order(void **state) {
	(void)state;
	const char *const clips[] = {"Idle", "Run", "Wave", "Walk", NULL};
	expect("Wlak", clips, "Walk, Wave, Idle");
	expect("walk", clips, "Walk, Wave, Idle");
	const char *const joints[] = {"Hips", "Spine", "Neck", "Head", "Hand_L", "Hand_R", NULL};
	expect("Hed", joints, "Head, Hips, Neck");
	expect("Hand", joints, "Head, Hand_L, Hand_R");
	const char *const few[] = {"b", "a", NULL};
	expect("", few, "b, a");
}

static void swaps_count_once_and_case_does_not(void **state) {
	(void)state;
	const char *const names[] = {"bd", "abdc", "ABCD", NULL};
	expect("abcd", names, "ABCD, abdc, bd");
}

static void long_names_are_cut_where_a_character_ends(void **state) {
	(void)state;
	char name[2000];
	memset(name, 'x', sizeof name);
	name[sizeof name - 1] = '\0';
	memcpy(name + 62, "\xc3\xa9", 2);
	struct nearest nearest = {.asked = name};
	nearest_offer(&nearest, name);
	nearest_offer(&nearest, "x");
	char text[64];
	nearest_write(&nearest, text, sizeof text);
	assert_int_equal(strlen(text), 62);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_offered_writes_nothing),
		cmocka_unit_test(nearest_come_first_and_equals_in_order),
		cmocka_unit_test(swaps_count_once_and_case_does_not),
		cmocka_unit_test(long_names_are_cut_where_a_character_ends),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
