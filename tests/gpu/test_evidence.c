// Pictures of findings.
#include <stdlib.h>
#include <string.h>

#include "../unit/check.h"
#include "../unit/checked.h"
#include "../unit/rigs.h"
#include "../unit/shared_files.h"
#include "context.h"
#include "interface/evidence.h"

#define SIDE 96

static int rule_of(const char *id) {
	for (size_t i = 0; renderer_check_rule(i); i++) {
		if (strcmp(renderer_check_rule(i)->id, id) == 0) {
			return (int)i;
		}
	}
	fail_msg("there is no rule %s", id);
	return -1;
}

static struct check_finding finding_of(const char *rule, int sample, double time_s) {
	return (struct check_finding){
		.at = {.rule = rule_of(rule),
			.clip = 0,
			.value = 1,
			.time_s = time_s,
			.sample = sample,
			.joint_index = -1},
		.level = CHECK_WARNING,
		.threshold = 1,
	};
}

/* Evidence of one finding, in the arena of what was checked. */
static const struct check_finding *show(const struct checked *checked,
	const struct check_finding *finding, enum check_evidence_pictures pictures) {
	struct check_file file = checked->file;
	file.findings = finding;
	file.finding_count = 1;
	const struct check_evidence_job job = {
		.run = checked->run, .pictures = pictures, .side = SIDE};
	struct error err = {0};
	if (!renderer_check_evidence(gpu_test_renderer(), &job, checked->arena, &file, &err)) {
		fail_msg("%s", err.text);
	}
	return file.findings;
}

static bool are_same(const struct check_picture *a, const struct check_picture *b) {
	return a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

/* The big-endian number at a place of a PNG. */
static unsigned number_at(const struct check_picture *picture, size_t at) {
	const unsigned char *bytes = (const unsigned char *)picture->bytes + at;
	return (unsigned)bytes[0] << 24 | (unsigned)bytes[1] << 16 | (unsigned)bytes[2] << 8 |
		bytes[3];
}

static void expect_png(const struct check_picture *picture, const char *label, unsigned side) {
	static const unsigned char signature[8] = {0x89, 'P', 'N', 'G', 13, 10, 26, 10};
	assert_string_equal(picture->label, label);
	assert_true(picture->size > 64);
	assert_memory_equal(picture->bytes, signature, sizeof signature);
	assert_int_equal(number_at(picture, 16), side);
	assert_int_equal(number_at(picture, 20), side);
}

static void stills_show_the_samples_around(void **state) {
	(void)state;
	struct rig *rig = own_rig("assets/demo/cyl2.glb");
	struct checked checked = checked_rig(rig, CHECK_PROFILE_GAME);
	const struct check_clip_facts *clip = &checked.file.clips[0];
	struct check_finding finding =
		finding_of("motion/pop", 10, clip->start_s + 10 / clip->rate);
	finding.at.joint = rig->joints[1].name;
	const struct check_finding *shown = show(&checked, &finding, EVIDENCE_STILLS);
	static const char *const labels[] = {"before", "at", "after"};
	assert_int_equal(shown->picture_count, 3);
	for (size_t i = 0; i < 3; i++) {
		expect_png(&shown->pictures[i], labels[i], SIDE);
		assert_string_equal(shown->pictures[i].type, "image/png");
		assert_true(i == 0 || !are_same(&shown->pictures[i - 1], &shown->pictures[i]));
	}
	const struct check_finding *again = show(&checked, &finding, EVIDENCE_STILLS);
	assert_true(are_same(&shown->pictures[1], &again->pictures[1]));
	assert_int_equal(show(&checked, &finding, EVIDENCE_CAMERAS)->picture_count, 0);
	// The first sample has none before it.
	finding.at.sample = 0;
	finding.at.time_s = clip->start_s;
	assert_int_equal(show(&checked, &finding, EVIDENCE_STILLS)->picture_count, 2);
	checked_finish(&checked);
	rig_release(rig);
}

/* A picture of one vertex of cyl2 at rest, marked or looked at as a whole. */
static void marks_and_ground_are_drawn(void **state) {
	(void)state;
	struct rig *rig = own_rig("assets/demo/cyl2.glb");
	struct checked checked = checked_rig(rig, CHECK_PROFILE_GAME);
	const uint32_t vertices[] = {20, 21}, triangle = 20;
	struct check_finding finding = finding_of("motion/pop", -1, 0);
	finding.at.vertices = vertices;
	finding.at.vertex_count = 1;
	const struct check_finding *one = show(&checked, &finding, EVIDENCE_STILLS);
	assert_int_equal(one->picture_count, 1);
	finding.at.rule = rule_of("contact/penetration");
	const struct check_finding *ground = show(&checked, &finding, EVIDENCE_STILLS);
	assert_false(are_same(&one->pictures[0], &ground->pictures[0]));
	finding = one[0];
	finding.picture_count = 0;
	finding.has_camera = false;
	finding.at.rule = rule_of("motion/pop");
	finding.at.triangles = &triangle;
	finding.at.triangle_count = 1;
	const struct check_finding *both = show(&checked, &finding, EVIDENCE_STILLS);
	assert_false(are_same(&one->pictures[0], &both->pictures[0]));
	checked_finish(&checked);
	rig_release(rig);
}

static void seams_show_the_first_pose_too(void **state) {
	(void)state;
	struct rig *rig = own_rig("assets/demo/cyl2.glb");
	struct checked checked = checked_rig(rig, CHECK_PROFILE_GAME);
	const struct check_clip_facts *clip = &checked.file.clips[0];
	// The clip ends where it begins, so that there is something to be seen half way.
	const int half = clip->samples / 2;
	struct check_finding finding =
		finding_of("motion/pop", half, clip->start_s + half / clip->rate);
	finding.at.joint = rig->joints[1].name;
	const struct check_finding *plain = show(&checked, &finding, EVIDENCE_STILLS);
	finding.at.rule = rule_of("motion/loop_seam");
	const struct check_finding *seam = show(&checked, &finding, EVIDENCE_STILLS);
	assert_int_equal(plain->picture_count, 3);
	assert_int_equal(seam->picture_count, 3);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(are_same(&plain->pictures[i], &seam->pictures[i]), i != 1);
	}
	checked_finish(&checked);
	rig_release(rig);
}

/* The control chunk of an APNG is the one behind its header. */
static void animations_are_slow(void **state) {
	(void)state;
	struct rig *rig = own_rig("assets/demo/cyl2.glb");
	struct checked checked = checked_rig(rig, CHECK_PROFILE_GAME);
	const struct check_clip_facts *clip = &checked.file.clips[0];
	struct check_finding finding =
		finding_of("motion/pop", 20, clip->start_s + 20 / clip->rate);
	finding.at.joint = rig->joints[1].name;
	const struct check_finding *shown = show(&checked, &finding, EVIDENCE_ANIMATED);
	assert_int_equal(shown->picture_count, 4);
	const struct check_picture *animation = &shown->pictures[3];
	expect_png(animation, "animation", SIDE * 2 / 3);
	assert_string_equal(animation->type, "image/apng");
	const unsigned char *bytes = animation->bytes;
	size_t at = 8;
	unsigned frames = 0, numerator = 0, denominator = 1;
	while (at + 12 <= animation->size) {
		if (memcmp(bytes + at + 4, "acTL", 4) == 0) {
			frames = number_at(animation, at + 8);
		} else if (memcmp(bytes + at + 4, "fcTL", 4) == 0) {
			numerator = number_at(animation, at + 28) >> 16;
			denominator = number_at(animation, at + 28) & 0xffff;
		}
		at += 12 + number_at(animation, at);
	}
	// 0.8 s take four times as long.
	assert_near(frames, 0.8 * clip->rate + 1, 1e-6);
	assert_near((frames - 1.0) * numerator / denominator, 3.2, 1e-3);
	checked_finish(&checked);
	rig_release(rig);
}

static void calls_one_after_another_draw_what_one_draws(void **state) {
	(void)state;
	struct rig *rig = own_rig("assets/demo/cyl2.glb");
	struct checked checked = checked_rig(rig, CHECK_PROFILE_GAME);
	const struct check_finding findings[] = {
		finding_of("motion/pop", 3, 0.1), finding_of("motion/jump", 5, 0.2)};
	struct check_file whole = checked.file;
	whole.findings = findings;
	whole.finding_count = 2;
	struct check_file parts = whole;
	struct evidence_progress progress = {0};
	struct check_evidence_job job = {.run = checked.run, .pictures = EVIDENCE_STILLS};
	struct error err = {0};
	assert_true(
		renderer_check_evidence(gpu_test_renderer(), &job, checked.arena, &whole, &err));
	job.progress = &progress;
	job.seconds = 1e-12;
	for (size_t call = 0; call < 2; call++) {
		assert_false(progress.done);
		assert_true(renderer_check_evidence(
			gpu_test_renderer(), &job, checked.arena, &parts, &err));
		assert_int_equal(progress.next, call + 1);
	}
	assert_true(progress.done);
	for (size_t i = 0; i < 2; i++) {
		const struct check_finding *a = &whole.findings[i], *b = &parts.findings[i];
		assert_memory_equal(&a->camera, &b->camera, sizeof a->camera);
		assert_int_equal(a->picture_count, 3);
		assert_int_equal(b->picture_count, 3);
		for (size_t k = 0; k < 3; k++) {
			assert_int_equal(a->pictures[k].size, b->pictures[k].size);
			assert_memory_equal(
				a->pictures[k].bytes, b->pictures[k].bytes, a->pictures[k].size);
		}
	}
	checked_finish(&checked);
	rig_release(rig);
}

int main(void) {
	gpu_test_renderer();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stills_show_the_samples_around),
		cmocka_unit_test(marks_and_ground_are_drawn),
		cmocka_unit_test(seams_show_the_first_pose_too),
		cmocka_unit_test(animations_are_slow),
		cmocka_unit_test(calls_one_after_another_draw_what_one_draws),
	};
	const int failed = cmocka_run_group_tests(tests, NULL, NULL);
	gpu_test_finish();
	return failed;
}
