// Reading objects by tables of members: what is refused, with which words and at which place.
#include <string.h>

#include "base/utf8.h"
#include "base/value.h"
#include "check.h"

/* {"camera": {"yaw": 30, "mode": "fast", "eye": [1, 2, 3]}} with links to parents. */
struct tree {
	struct value root, camera, members[3], numbers[3];
};

static void build(struct tree *tree) {
	*tree = (struct tree){0};
	for (int i = 0; i < 3; i++) {
		tree->numbers[i] = (struct value){.kind = VALUE_NUMBER,
			.number = i + 1,
			.index = (size_t)i,
			.parent = &tree->members[2]};
	}
	tree->members[0] = (struct value){.kind = VALUE_NUMBER, .number = 30, .key = "yaw"};
	tree->members[1] = (struct value){.kind = VALUE_STRING, .string = "fast", .key = "mode"};
	tree->members[2] = (struct value){
		.kind = VALUE_LIST, .count = 3, .items = tree->numbers, .key = "eye"};
	for (int i = 0; i < 3; i++) {
		tree->members[i].parent = &tree->camera;
	}
	tree->camera = (struct value){.kind = VALUE_OBJECT,
		.count = 3,
		.items = tree->members,
		.key = "camera",
		.parent = &tree->root};
	tree->root = (struct value){.kind = VALUE_OBJECT, .count = 1, .items = &tree->camera};
}

static const char *const modes[] = {"slow", "fast", NULL};

struct result {
	double yaw, eye[3];
	int mode;
};

static bool read(const struct tree *tree, struct result *out, struct error *err) {
	const struct member members[] = {
		{"yaw", MEMBER_NUMBER, &out->yaw, .least = -180, .most = 180},
		{"mode", MEMBER_CHOICE, &out->mode, .choices = modes},
		{"eye", MEMBER_VECTOR, out->eye, .count = 3, .required = true},
	};
	return value_read_members(&tree->camera, members, 3, err);
}

static void assert_refused(
	const struct tree *tree, enum error_code code, const char *pointer, const char *words) {
	struct result out;
	struct error err = {0};
	assert_false(read(tree, &out, &err));
	assert_int_equal(err.code, code);
	assert_true(err.has_pointer);
	assert_string_equal(err.pointer, pointer);
	if (!strstr(err.text, words)) {
		fail_msg("\"%s\" lacks \"%s\"", err.text, words);
	}
}

static void refuses_what_is_no_object(void **state) {
	(void)state;
	struct tree tree;
	build(&tree);
	tree.camera.kind = VALUE_LIST;
	assert_refused(&tree, ERROR_INVALID_VALUE, "/camera", "must be an object");
}

static void refuses_unknown_member_with_the_known_ones(void **state) {
	(void)state;
	struct tree tree;
	build(&tree);
	tree.members[0].key = "yw";
	assert_refused(&tree, ERROR_UNKNOWN_MEMBER, "/camera/yw", "yaw, mode, eye");
}

static void refuses_wrong_type_range_choice_and_length(void **state) {
	(void)state;
	struct tree tree;
	build(&tree);
	tree.members[0].kind = VALUE_BOOL;
	assert_refused(&tree, ERROR_INVALID_VALUE, "/camera/yaw", "is a boolean");
	build(&tree);
	tree.members[0].number = 181;
	assert_refused(&tree, ERROR_INVALID_VALUE, "/camera/yaw", "from -180 to 180");
	build(&tree);
	tree.members[1].string = "quick";
	assert_refused(&tree, ERROR_INVALID_VALUE, "/camera/mode", "slow, fast");
	build(&tree);
	tree.members[2].count = 2;
	assert_refused(&tree, ERROR_INVALID_VALUE, "/camera/eye", "3 numbers");
	build(&tree);
	tree.numbers[1].kind = VALUE_NULL;
	assert_refused(&tree, ERROR_INVALID_VALUE, "/camera/eye/1", "item 1 is null");
}

static void reads_booleans_and_nothing_like_them(void **state) {
	(void)state;
	struct tree tree;
	build(&tree);
	bool flag = false;
	const struct member members[] = {{"yaw", MEMBER_BOOL, &flag, .required = true}};
	struct error err = {0};
	assert_false(value_read_known_members(&tree.camera, members, 1, &err));
	assert_string_equal(err.text, "\"yaw\" is a number, must be true or false");
	tree.members[0] = (struct value){
		.kind = VALUE_BOOL, .boolean = true, .key = "yaw", .parent = &tree.camera};
	assert_true(value_read_known_members(&tree.camera, members, 1, &err));
	assert_true(flag);
}

static void refuses_missing_member(void **state) {
	(void)state;
	struct tree tree;
	build(&tree);
	tree.camera.count = 2;
	assert_refused(&tree, ERROR_INVALID_VALUE, "/camera", "\"eye\" is missing");
}

static void reads_what_is_there(void **state) {
	(void)state;
	struct tree tree;
	struct result out;
	build(&tree);
	assert_true(read(&tree, &out, NULL));
	assert_true(out.yaw == 30 && out.mode == 1 && out.eye[0] == 1 && out.eye[2] == 3);
}

static void pointers_escape_tilde_and_slash(void **state) {
	(void)state;
	struct tree tree;
	char pointer[64];
	build(&tree);
	tree.members[2].key = "a/b~c";
	value_pointer(&tree.numbers[2], pointer, sizeof pointer);
	assert_string_equal(pointer, "/camera/a~1b~0c/2"); // RFC 6901
}

static void long_texts_are_cut_at_whole_characters(void **state) {
	(void)state;
	char quoted[12];
	utf8_quote("abc", quoted, sizeof quoted);
	assert_string_equal(quoted, "\"abc\"");
	utf8_quote("abcdef\xc3\xa4\xc3\xa4\xc3\xa4", quoted, sizeof quoted);
	assert_string_equal(quoted, "\"abcdef...\"");
	struct error err = {0};
	char text[2000];
	memset(text, 'x', sizeof text);
	for (size_t i = 0; i + 1 < sizeof text; i += 2) {
		memcpy(text + i, "\xc3\xa4", 2);
	}
	text[sizeof text - 1] = '\0';
	error_set(&err, ERROR_INTERNAL, "%s", text);
	assert_int_equal(strlen(err.text) % 2, 0);
}

static void what_is_nowhere_has_no_place(void **state) {
	(void)state;
	struct error err = {0};
	assert_false(value_error(NULL, &err, ERROR_INVALID_VALUE, "%d are missing", 3));
	assert_int_equal(err.code, ERROR_INVALID_VALUE);
	assert_false(err.has_pointer);
	assert_string_equal(err.text, "3 are missing");
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_what_is_no_object),
		cmocka_unit_test(refuses_unknown_member_with_the_known_ones),
		cmocka_unit_test(refuses_wrong_type_range_choice_and_length),
		cmocka_unit_test(reads_booleans_and_nothing_like_them),
		cmocka_unit_test(refuses_missing_member),
		cmocka_unit_test(reads_what_is_there),
		cmocka_unit_test(pointers_escape_tilde_and_slash),
		cmocka_unit_test(what_is_nowhere_has_no_place),
		cmocka_unit_test(long_texts_are_cut_at_whole_characters),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
