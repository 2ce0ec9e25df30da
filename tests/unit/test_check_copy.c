// Copies of results of checks: all that they point to is their own.
#include "base/check_copy.h"

#include <string.h>

#include "check.h"

/* Results in one block, whose pointers lead into the block, so that it can be spoilt as a whole. */
struct block {
	char path[8], content[8], clip[8], joint[8], material[8], text[8], pointer[8], message[8],
		fix[8], reason[8], param[8], label[8], type[8], extension[8];
	uint32_t vertices[2], triangles[2];
	double times_s[2], values[2];
	unsigned char picture[4], used[3];
	const char *not_covered[1];
	struct check_clip_facts clips[1];
	struct check_finding findings[1];
	struct check_measurement measurements[1];
	struct check_skip skipped[1];
	struct check_more more[1];
};

static void name(char text[static 8], char letter) {
	memset(text, letter, 7);
	text[7] = '\0';
}

static struct check_measurement measure(struct block *block) {
	return (struct check_measurement){
		.rule = 3,
		.value = 0.5,
		.joint = block->joint,
		.material = block->material,
		.vertices = block->vertices,
		.vertex_count = 2,
		.triangles = block->triangles,
		.triangle_count = 2,
		.params = {{block->param, 7}},
		.param_count = 1,
		.text = block->text,
		.pointer = block->pointer,
	};
}

static void fill(struct block *block) {
	char *const names[] = {block->path, block->content, block->clip, block->joint,
		block->material, block->text, block->pointer, block->message, block->fix,
		block->reason, block->param, block->label, block->type, block->extension};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		name(names[i], (char)('a' + i));
	}
	for (uint32_t i = 0; i < 2; i++) {
		block->vertices[i] = 10 + i;
		block->triangles[i] = 20 + i;
		block->times_s[i] = 30 + i;
		block->values[i] = 40 + i;
	}
	memcpy(block->picture, "\211PNG", 4);
	block->used[2] = 1;
	block->not_covered[0] = block->extension;
	block->clips[0] = (struct check_clip_facts){.name = block->clip, .samples = 9};
	block->findings[0] = (struct check_finding){
		.at = measure(block),
		.message = block->message,
		.fix = block->fix,
		.suppressed = block->reason,
		.pictures = {{block->label, block->type, block->picture, 4}},
		.picture_count = 1,
		.curve = {block->times_s, block->values, 2},
	};
	block->measurements[0] = measure(block);
	block->skipped[0] = (struct check_skip){1, -1, block->reason};
	block->more[0] = (struct check_more){1, 0, 77};
}

static struct check_file file_of(const struct block *block) {
	return (struct check_file){
		.path = block->path,
		.content = block->content,
		.refused = block->reason,
		.clips = block->clips,
		.clip_count = 1,
		.findings = block->findings,
		.finding_count = 1,
		.measurements = block->measurements,
		.measurement_count = 1,
		.skipped = block->skipped,
		.skip_count = 1,
		.more = block->more,
		.more_count = 1,
		.not_covered = block->not_covered,
		.not_covered_count = 1,
		.suppressions_used = block->used,
	};
}

static void expect_measurement(const struct check_measurement *at) {
	assert_int_equal(at->rule, 3);
	assert_string_equal(at->joint, "ddddddd");
	assert_string_equal(at->material, "eeeeeee");
	assert_string_equal(at->text, "fffffff");
	assert_string_equal(at->pointer, "ggggggg");
	assert_string_equal(at->params[0].name, "kkkkkkk");
	assert_int_equal(at->vertices[1], 11);
	assert_int_equal(at->triangles[1], 21);
}

static void expect_finding(const struct check_finding *finding) {
	expect_measurement(&finding->at);
	assert_string_equal(finding->message, "hhhhhhh");
	assert_string_equal(finding->fix, "iiiiiii");
	assert_string_equal(finding->suppressed, "jjjjjjj");
	assert_string_equal(finding->pictures[0].label, "lllllll");
	assert_string_equal(finding->pictures[0].type, "mmmmmmm");
	assert_memory_equal(finding->pictures[0].bytes, "\211PNG", 4);
	assert_true(finding->curve.times_s[1] == 31 && finding->curve.values[1] == 41);
}

static void copies_need_nothing_of_the_original(void **state) {
	(void)state;
	struct arena *arena = arena_create();
	struct block block = {.used = {0}};
	fill(&block);
	const struct check_file original = file_of(&block);
	const struct check_file own = check_copy_file(&original, 3, arena);
	memset(&block, 'x', sizeof block);
	assert_string_equal(own.path, "aaaaaaa");
	assert_string_equal(own.content, "bbbbbbb");
	assert_string_equal(own.refused, "jjjjjjj");
	assert_string_equal(own.clips[0].name, "ccccccc");
	assert_int_equal(own.clips[0].samples, 9);
	expect_finding(&own.findings[0]);
	expect_measurement(&own.measurements[0]);
	assert_string_equal(own.skipped[0].reason, "jjjjjjj");
	assert_int_equal(own.more[0].count, 77);
	assert_string_equal(own.not_covered[0], "nnnnnnn");
	assert_int_equal(own.suppressions_used[2], 1);
	arena_destroy(arena);
}

static void nothing_is_copied_as_nothing(void **state) {
	(void)state;
	struct arena *arena = arena_create();
	const struct check_file none = {.path = "a.glb"};
	const struct check_file own = check_copy_file(&none, 0, arena);
	assert_null(own.content);
	assert_null(own.refused);
	assert_null(own.suppressions_used);
	assert_int_equal(own.finding_count + own.measurement_count + own.clip_count, 0);
	arena_destroy(arena);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(copies_need_nothing_of_the_original),
		cmocka_unit_test(nothing_is_copied_as_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
