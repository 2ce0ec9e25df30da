// Nearest names: which ones are chosen, in which order, and that long ones do no harm.
#include "base/nearest.h"

#include <string.h>

#include "check.h"

/* Offers names (ended by NULL) and compares what is written. */
static void expect(const char *requested, const char *const *names, const char *wanted) {
	struct nearest nearest = {.unknown = requested};
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

/* The same for names of motions. */
static void expect_motion(const char *requested, const char *const *names, const char *wanted) {
	struct nearest nearest = {.unknown = requested};
	for (int i = 0; names[i]; i++) {
		nearest_offer_motion(&nearest, names[i]);
	}
	char text[160];
	nearest_write(&nearest, text, sizeof text);
	if (strcmp(text, wanted) != 0) {
		fail_msg("\"%s\": \"%s\", wanted \"%s\"", requested, text, wanted);
	}
}

static void motions_are_near_by_their_words(void **state) {
	(void)state;
	// Names as three makers of rigs give them.
	const char *const knight[] = {"1H_Melee_Attack_Chop", "2H_Melee_Idle", "Block", "Death_A",
		"Death_A_Pose", "Death_B", "Dodge_Forward", "Hit_A", "Idle", "Jump_Full_Long",
		"Running_A", "Running_B", "Running_Strafe_Left", "Sit_Chair_Down", "Talk",
		"Unarmed_Idle", "Walking_A", "Walking_B", "Walking_Backwards", "Walking_C", NULL};
	expect_motion("walk", knight, "Walking_A, Walking_B, Walking_C");
	expect_motion("Walk2", knight, "Walking_A, Walking_B, Walking_C");
	expect_motion("run", knight, "Running_A, Running_B, Running_Strafe_Left");
	expect_motion("jog", knight, "Running_A, Running_B, Running_Strafe_Left");
	expect_motion("runBackwards", knight, "Running_A, Running_B, Walking_Backwards");
	expect_motion("die", knight, "Death_A, Death_B, Death_A_Pose");
	expect_motion("IDLE_LOOP", knight, "Idle, 2H_Melee_Idle, Unarmed_Idle");
	expect_motion("Tlak", knight, "Talk");
	expect_motion("Walking_D", knight, "Walking_A, Walking_B, Walking_C");
	const char *const robot[] = {"Robot_Dance", "Robot_Idle", "Robot_Running", "Robot_Sitting",
		"Robot_Standing", "Robot_Walking", "Robot_WalkJump", NULL};
	expect_motion("idle", robot, "Robot_Idle, Robot_Standing");
	expect_motion("walk", robot, "Robot_Walking, Robot_WalkJump");
	expect_motion("sit", robot, "Robot_Sitting");
	expect_motion("dancing", robot, "Robot_Dance");
	const char *const others[] = {"idle_root.001", "run_root.001", "dash_root.001", "Idle_Loop",
		"mixamo.com|Layer0", "HTTPIdle", "", "_", NULL};
	expect_motion("idle", others, "HTTPIdle, Idle_Loop, idle_root.001");
	expect_motion("sprint", others, "run_root.001");
	expect_motion("fly", others, ", _, HTTPIdle");
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
	struct nearest nearest = {.unknown = name};
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
		cmocka_unit_test(motions_are_near_by_their_words),
		cmocka_unit_test(swaps_count_once_and_case_does_not),
		cmocka_unit_test(long_names_are_cut_where_a_character_ends),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
