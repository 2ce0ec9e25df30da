// VRM animations: what their importer makes of documents made here, and avatars that play real ones
// against @pixiv/three-vrm-animation, an independent implementation.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "check.h"
#include "gltf_builder.h"
#include "interface/clips.h"
#include "json_value.h"
#include "pose/avatar/expressions.h"
#include "pose/avatar/gaze.h"
#include "pose/operations.h"
#include "pose/sample/sampler.h"
#include "shared_files.h"

/* --- Documents --- */

/* A hip and a spine, both of which move and turn, and nodes for a face. height is the hips'. */
static struct rig *import_motion(const char *height, const char *extension) {
	static const float times[] = {0, 1};
	static const float places[] = {0, 1, 0, 0, 2, 0};
	static const float turns[] = {0, 0, 0, 1, 1, 0, 0, 0};
	struct gltf_builder b = {0};
	char *members = NULL;
	const int time = add_accessor(&b,
		"{\"bufferView\": %d, \"componentType\": 5126, \"count\": 2, \"type\": \"SCALAR\", "
		"\"min\": [0], \"max\": [1]}",
		add_view(&b, times, sizeof times));
	const int place = add_data(&b, "VEC3", F32, 2, places, sizeof places);
	const int turn = add_data(&b, "VEC4", F32, 2, turns, sizeof turns);
	if (asprintf(&members,
		    "\"nodes\": [{\"name\": \"a\", \"children\": [1], \"translation\": [0, %s, "
		    "0]}, {\"name\": \"b\"}, {\"name\": \"c\"}, {\"name\": \"d\"}], "
		    "\"animations\": [{\"samplers\": [{\"input\": %d, \"output\": %d}, {\"input\": "
		    "%d, \"output\": %d}], \"channels\": ["
		    "{\"sampler\": 0, \"target\": {\"node\": 0, \"path\": \"translation\"}}, "
		    "{\"sampler\": 0, \"target\": {\"node\": 1, \"path\": \"translation\"}}, "
		    "{\"sampler\": 1, \"target\": {\"node\": 1, \"path\": \"rotation\"}}, "
		    "{\"sampler\": 0, \"target\": {\"node\": 1, \"path\": \"scale\"}}, "
		    "{\"sampler\": 0, \"target\": {\"node\": 2, \"path\": \"translation\"}}, "
		    "{\"sampler\": 1, \"target\": {\"node\": 3, \"path\": \"rotation\"}}]}], "
		    "\"extensionsUsed\": [\"VRMC_vrm_animation\"], "
		    "\"extensions\": {\"VRMC_vrm_animation\": {%s}}",
		    height, time, place, time, turn, extension) < 0) {
		fail_msg("no memory");
	}
	struct rig *rig = import_sound(&b, members);
	free(members);
	return rig;
}

#define HUMANOID \
	"\"humanoid\": {\"humanBones\": {\"hips\": {\"node\": 0}, \"spine\": {\"node\": 1}}}"

static void nodes_are_bones_expressions_and_gaze(void **state) {
	(void)state;
	struct rig *rig = import_motion("1",
		HUMANOID ", \"expressions\": {\"preset\": {\"aa\": {\"node\": 2}}, \"custom\": "
			 "{\"glow\": {\"node\": 3}}}, \"lookAt\": {\"node\": 3, "
			 "\"offsetFromHeadBone\": [0, 0.1, 0.2]}");
	const struct avatar *avatar = rig->avatar;
	assert_non_null(avatar);
	assert_true(avatar->is_motion);
	assert_int_equal(avatar->bones[AVATAR_BONE_hips], 0);
	assert_int_equal(avatar->bones[AVATAR_BONE_spine], 1);
	assert_int_equal(avatar->bones[AVATAR_BONE_head], -1);
	assert_int_equal(avatar->expression_count, 2);
	assert_string_equal(avatar->expressions[0].name, "aa");
	assert_int_equal(avatar->expressions[0].preset, AVATAR_PRESET_aa);
	assert_int_equal(rig->joints[avatar->expressions[0].joint].index, 2);
	assert_string_equal(avatar->expressions[1].name, "glow");
	assert_int_equal(avatar->expressions[1].preset, AVATAR_CUSTOM);
	assert_true(avatar->has_look_at);
	assert_int_equal(rig->joints[avatar->look_at.joint].index, 3);
	assert_near(avatar->look_at.head_offset[2], 0.2, 1e-7);
	rig_release(rig);
}

static void bones_turn_and_only_hips_move(void **state) {
	(void)state;
	struct rig *rig = import_motion("1", HUMANOID);
	assert_int_equal(rig->clips[0].channel_count, 4);
	for (int i = 0; i < 4; i++) {
		const struct channel *channel = &rig->clips[0].channels[i];
		assert_true(channel->path != CHANNEL_SCALE);
		assert_true(channel->path != CHANNEL_TRANSLATION || channel->joint != 1);
	}
	assert_near(rig->clips[0].duration_s, 1, 0);
	assert_true(has_warning(rig, "2 channels are left out"));
	rig_release(rig);
}

static void hips_on_the_ground_do_not_move(void **state) {
	(void)state;
	struct rig *rig = import_motion("0.0009", HUMANOID);
	assert_non_null(rig->avatar);
	assert_true(has_warning(rig, "no T-pose"));
	assert_true(has_warning(rig, "3 channels are left out"));
	rig_release(rig);
}

/* "humanoid" is optional in VRMC_vrm_animation's schema; hips are required within it. */
static void a_face_needs_no_bones(void **state) {
	(void)state;
	struct rig *rig =
		import_motion("1", "\"expressions\": {\"preset\": {\"aa\": {\"node\": 2}}}");
	assert_non_null(rig->avatar);
	assert_int_equal(rig->avatar->bones[AVATAR_BONE_hips], -1);
	assert_int_equal(rig->avatar->expression_count, 1);
	assert_false(has_warning(rig, "hips"));
	rig_release(rig);
	rig = import_motion("1", "\"humanoid\": {\"humanBones\": {\"spine\": {\"node\": 1}}}");
	assert_null(rig->avatar);
	assert_true(has_warning(rig, "has no hips"));
	rig_release(rig);
}

static void senseless_members_cost_themselves(void **state) {
	(void)state;
	static const struct {
		const char *extension, *warning;
	} rows[] = {
		{"\"humanoid\": {\"humanBones\": {\"hips\": {\"node\": 0}, \"tail\": {\"node\": "
		 "1}}}",
			"tail: is no bone of VRM"},
		{"\"humanoid\": {\"humanBones\": {\"hips\": {\"node\": 0}, \"spine\": {\"node\": "
		 "9}}}",
			"spine.node: is 9, but there are only 4"},
		{"\"humanoid\": {\"humanBones\": {\"hips\": {\"node\": 0}, \"spine\": {}}}",
			"spine: has no node"},
		{"\"humanoid\": {\"humanBones\": {\"hips\": {\"node\": 0}, \"leftEye\": {\"node\": "
		 "1}}}",
			"is an eye"},
		{"\"humanoid\": {\"humanBones\": {\"hips\": {\"node\": 0}, \"spine\": {\"node\": "
		 "0}}}",
			"node of another bone"},
		{HUMANOID ", \"expressions\": {\"preset\": {\"grin\": {\"node\": 2}}}",
			"grin: is no preset of VRM"},
		{HUMANOID ", \"expressions\": 7, \"lookAt\": {\"node\": \"x\"}",
			"lookAt.node: is a string"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct rig *rig = import_motion("1", rows[i].extension);
		assert_non_null(rig->avatar);
		if (!has_warning(rig, rows[i].warning)) {
			fail_msg("no warning \"%s\"", rows[i].warning);
		}
		rig_release(rig);
	}
	struct rig *rig = import_motion("1", "\"humanoid\": []");
	assert_null(rig->avatar);
	assert_true(has_warning(rig, "has no hips"));
	rig_release(rig);
}

/* --- Real files --- */

#define TABLE "tests/unit/vrma_bones.tsv"

/* Of a quaternion, and of a figure's place in metres: three.js keeps keys in float32. */
#define TOLERANCE 1e-5

/* Most bones of a row's avatar at one time. */
#define ROWS_MAX 64

struct row {
	char avatar[128], motion[128], bone[32];
	int version, node;
	double time_s, turn[4], place[3];
};

/* The rows of an avatar, an animation and a time. */
struct group {
	struct row rows[ROWS_MAX];
	int count;
};

static bool read_row(FILE *table, struct row *row) {
	char line[1024];
	do {
		if (!fgets(line, sizeof line, table)) {
			return false;
		}
	} while (line[0] == '#');
	return sscanf(line, "%127s %127s %d %lf %31s %d %lf %lf %lf %lf %lf %lf %lf", row->avatar,
		       row->motion, &row->version, &row->time_s, row->bone, &row->node,
		       &row->turn[0], &row->turn[1], &row->turn[2], &row->turn[3], &row->place[0],
		       &row->place[1], &row->place[2]) == 13;
}

static bool same_group(const struct row *a, const struct row *b) {
	return strcmp(a->avatar, b->avatar) == 0 && strcmp(a->motion, b->motion) == 0 &&
		a->time_s == b->time_s;
}

static int bone_of(const char *name) {
	int bone = 0;
	while (strcmp(avatar_bone_names[bone], name) != 0) {
		bone++;
	}
	return bone;
}

/* True where the avatar lacks no bone of the animation above this one. Such bones' turns go to
 * those below them here, as the specification recommends, and nowhere with three-vrm. */
static bool is_complete(const struct avatar *ours, const struct avatar *theirs, int bone) {
	for (int i = avatar_bone_parent((enum avatar_bone)bone); i >= 0;
		i = avatar_bone_parent((enum avatar_bone)i)) {
		if (theirs->bones[i] >= 0 && ours->bones[i] < 0) {
			return false;
		}
	}
	return true;
}

static int check_pose(const struct rig *rig, const struct rig *motion, const struct group *group,
	const struct pose *pose, struct arena *arena) {
	double(*world)[12] = arena_alloc(arena, (size_t)rig->joint_count, sizeof *world);
	int checked = 0;
	pose_to_world(rig, pose, world);
	for (int i = 0; i < group->count; i++) {
		const struct row *row = &group->rows[i];
		const int bone = bone_of(row->bone), joint = rig->avatar->bones[bone];
		double dot = 0;
		if (!is_complete(rig->avatar, motion->avatar, bone)) {
			continue;
		}
		for (int k = 0; k < 4; k++) {
			dot += (double)pose->local[joint].rotation[k] * row->turn[k];
		}
		for (int k = 0; k < 4; k++) {
			const double turn = (double)pose->local[joint].rotation[k];
			assert_near(dot < 0 ? -turn : turn, row->turn[k], TOLERANCE);
		}
		for (int k = 0; k < 3; k++) {
			assert_near(world[joint][k * 4 + 3], row->place[k], TOLERANCE);
		}
		checked++;
	}
	return checked;
}

/* The clip as it is sampled, and as it is baked on the avatar. */
static int check_motion(const struct rig *rig, const struct rig *motion, const struct group *group,
	struct arena *arena) {
	const struct pose_source source = {"motion", motion};
	const struct pose_sources sources = {&source, 1};
	struct pose_run run = {.arena = arena, .sources = &sources};
	struct pose_context context = pose_context_make(rig, arena, &run);
	struct error err = {0};
	struct pose pose;
	const struct value *expression = json_value(arena,
		arena_printf(arena, "{'retarget': {'clip': 0, 'time': %.9g}, 'rig': 'motion'}",
			group->rows[0].time_s));
	if (!pose_evaluate(&context, expression, &pose, &err)) {
		fail_msg("%s: %s", group->rows[0].avatar, err.text);
	}
	return check_pose(rig, motion, group, &pose, arena);
}

static int check_group(const struct group *group) {
	struct avatar avatar = {.is_0x = group->rows[0].version == 0};
	struct arena *arena = arena_create();
	struct rig *rig = shared_rig(group->rows[0].avatar);
	struct rig *motion = shared_rig(group->rows[0].motion);
	for (int i = 0; i < AVATAR_BONE_COUNT; i++) {
		avatar.bones[i] = -1;
	}
	for (int i = 0; i < group->count; i++) {
		avatar.bones[bone_of(group->rows[i].bone)] =
			rig_find_joint_by_index(rig, group->rows[i].node);
	}
	rig->avatar = &avatar;
	assert_non_null(motion->avatar);
	const int checked = check_motion(rig, motion, group, arena);
	rig_release(motion);
	rig_release(rig);
	arena_destroy(arena);
	return checked;
}

static void avatars_move_as_three_vrm_has_them(void **state) {
	(void)state;
	FILE *table = fopen(TABLE, "r");
	struct group *group = calloc(1, sizeof *group);
	struct row row;
	int checked = 0;
	assert_non_null(table);
	assert_non_null(group);
	for (bool more = read_row(table, &row); more;) {
		group->count = 0;
		do {
			assert_true(group->count < ROWS_MAX);
			group->rows[group->count++] = row;
			more = read_row(table, &row);
		} while (more && same_group(&row, &group->rows[0]));
		checked += check_group(group);
	}
	fclose(table);
	free(group);
	assert_true(checked > 400);
}

/* --- Faces --- */

#define FACES "tests/unit/vrma_faces.tsv"

/* Most morph weights of a row's node, or the four numbers of a rotation. */
#define NUMBERS_MAX 16

struct face_row {
	char avatar[128], motion[128], what[32];
	double time_s, numbers[NUMBERS_MAX];
	int node, count;
};

static bool read_face(FILE *table, struct face_row *row) {
	char line[1024];
	int at = 0;
	do {
		if (!fgets(line, sizeof line, table)) {
			return false;
		}
	} while (line[0] == '#');
	if (sscanf(line, "%127s %127s %lf %31s %d%n", row->avatar, row->motion, &row->time_s,
		    row->what, &row->node, &at) != 5) {
		return false;
	}
	char *text = line + at, *end;
	row->count = 0;
	for (double x = strtod(text, &end); end != text && row->count < NUMBERS_MAX;
		x = strtod(text, &end)) {
		row->numbers[row->count++] = x;
		text = end;
	}
	return row->count > 0;
}

static void check_face(const struct rig *rig, const struct pose *pose, const struct face_row *row) {
	const int joint = rig_find_joint_by_index(rig, row->node);
	const float *turn = pose->local[joint].rotation;
	if (strcmp(row->what, "morphs") == 0) {
		assert_int_equal(rig->joints[joint].weight_count, row->count);
		for (int i = 0; i < row->count; i++) {
			assert_near((double)pose->weights[rig->joints[joint].first_weight + i],
				row->numbers[i], TOLERANCE);
		}
		return;
	}
	double dot = 0;
	for (int k = 0; k < 4; k++) {
		dot += (double)turn[k] * row->numbers[k];
	}
	// Keys have angles, three-vrm rotations: between them the two differ by 0.03 degrees.
	assert_near(fabs(dot), 1, 4e-8);
}

/* What the operation "avatar" does to a face. */
static void show_face(const struct rig *rig, struct arena *arena, struct pose *pose) {
	const int joint = rig_face_joint(rig);
	assert_true(joint >= 0);
	const struct avatar_face face =
		avatar_face_of(rig->avatar, pose->weights + rig->joints[joint].first_weight);
	float *weights =
		arena_alloc(arena, (size_t)rig->avatar->expression_count + 1, sizeof *weights);
	expressions_of_pose(rig, pose, weights);
	if (face.gaze[0] > 0) {
		gaze_apply(rig, &(struct gaze){face.gaze[1], face.gaze[2]}, 1, weights, pose);
	}
	expressions_apply(rig, weights, pose);
}

/* Clips of the animations as they are put, at moments that are no keys. */
static void faces_move_as_three_vrm_has_them(void **state) {
	(void)state;
	FILE *table = fopen(FACES, "r");
	struct face_row row;
	int checked = 0;
	assert_non_null(table);
	while (read_face(table, &row)) {
		struct arena *arena = arena_create();
		struct rig *rig = shared_rig(row.avatar), *motion = shared_rig(row.motion);
		struct error err = {0};
		struct moved_clip moved;
		const struct move_job job = {
			.from = motion, .clip = &motion->clips[0], .to = rig, .max_frames = 10000};
		assert_true(rig_add_face(rig, &err));
		if (rig_face_joint(rig) < 0) {
			print_message("the importer gives avatars no face\n");
			skip();
		}
		if (!renderer_move_clip(&job, arena, &moved, &err)) {
			fail_msg("%s: %s", row.avatar, err.text);
		}
		struct pose pose = pose_rest(rig, arena);
		clip_sample(rig, &moved.clip, row.time_s, &pose);
		show_face(rig, arena, &pose);
		check_face(rig, &pose, &row);
		rig_release(motion);
		rig_release(rig);
		arena_destroy(arena);
		checked++;
	}
	fclose(table);
	assert_true(checked > 20);
}

/* The channel of the face in a moved clip. */
static const struct channel *face_channel(const struct rig *rig, const struct moved_clip *moved) {
	const int joint = rig_face_joint(rig);
	for (int i = 0; i < moved->clip.channel_count; i++) {
		const struct channel *channel = &moved->clip.channels[i];
		if (channel->joint == joint && channel->path == CHANNEL_WEIGHTS) {
			return channel;
		}
	}
	return NULL;
}

/* Without its bones an animation moves the face as with them, and nothing else. */
static void a_face_alone_moves_as_with_a_body(void **state) {
	(void)state;
	struct arena *arena = arena_create();
	struct rig *motion = shared_rig("vrm/derived-avatar/move1.vrma");
	struct rig *rig = shared_rig("vrm/derived-avatar/avatar1.vrm");
	struct error err = {0};
	struct moved_clip whole, face;
	const struct move_job job = {
		.from = motion, .clip = &motion->clips[0], .to = rig, .max_frames = 10000};
	struct avatar boneless = *motion->avatar;
	assert_true(rig_add_face(rig, &err));
	assert_true(renderer_move_clip(&job, arena, &whole, &err));
	for (int i = 0; i < AVATAR_BONE_COUNT; i++) {
		boneless.bones[i] = -1;
	}
	motion->avatar = &boneless;
	assert_true(renderer_move_clip(&job, arena, &face, &err));
	const struct channel *want = face_channel(rig, &whole), *got = face_channel(rig, &face);
	assert_non_null(want);
	assert_int_equal(face.clip.channel_count, 1);
	assert_int_equal(got->key_count, want->key_count);
	assert_int_equal(got->width, want->width);
	assert_memory_equal(got->values, want->values,
		(size_t)want->key_count * (size_t)want->width * sizeof *want->values);
	assert_true(face.dropped_count > 0);
	rig_release(motion);
	rig_release(rig);
	arena_destroy(arena);
}

/* An avatar with none of the animation's expressions has nothing to play. */
static void a_face_that_the_avatar_lacks_is_refused(void **state) {
	(void)state;
	struct arena *arena = arena_create();
	struct rig *motion =
		import_motion("1", "\"expressions\": {\"custom\": {\"of nobody\": {\"node\": 2}}}");
	struct rig *rig = shared_rig("vrm/derived-avatar/avatar1.vrm");
	struct error err = {0};
	struct moved_clip moved;
	const struct move_job job = {
		.from = motion, .clip = &motion->clips[0], .to = rig, .max_frames = 10000};
	assert_false(renderer_move_clip(&job, arena, &moved, &err));
	assert_non_null(strstr(err.text, "of nobody"));
	rig_release(motion);
	rig_release(rig);
	arena_destroy(arena);
}

static void what_a_clip_does_not_carry_is_told(void **state) {
	(void)state;
	struct arena *arena = arena_create();
	struct rig *motion = shared_rig("vrm/derived-avatar/move1.vrma");
	struct rig *rig = shared_rig("vrm/derived-avatar/move1.vrma");
	struct avatar avatar = *rig->avatar;
	avatar.is_motion = false;
	avatar.is_0x = true; // so that nothing is copied
	rig->avatar = &avatar;
	struct moved_clip moved;
	struct error err = {0};
	const struct move_job job = {
		.from = motion, .clip = &motion->clips[0], .to = rig, .max_frames = 10000};
	if (!renderer_move_clip(&job, arena, &moved, &err)) {
		fail_msg("%s", err.text);
	}
	assert_true(moved.is_retargeted);
	assert_near(moved.scale, 1, 1e-7);
	// The avatar is the animation's own rig, whose head has no weights for a face.
	assert_int_equal(moved.warning_count, 1);
	assert_non_null(strstr(moved.warnings[0], "face is left out"));
	avatar.expression_count = 0;
	avatar.has_look_at = false;
	if (!renderer_move_clip(&job, arena, &moved, &err)) {
		fail_msg("%s", err.text);
	}
	assert_int_equal(moved.warning_count, 2);
	assert_non_null(strstr(moved.warnings[0], "\"happy\", \"angry\", \"aa\", \"blink\""));
	assert_non_null(strstr(moved.warnings[1], "lookAt"));
	avatar.bones[AVATAR_BONE_chest] = -1;
	if (!renderer_move_clip(&job, arena, &moved, &err)) {
		fail_msg("%s", err.text);
	}
	assert_int_equal(moved.warning_count, 3);
	assert_non_null(strstr(moved.warnings[0], "\"chest\""));
	assert_string_equal(moved.pairs[0].how, "bone");
	rig_release(motion);
	rig_release(rig);
	arena_destroy(arena);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nodes_are_bones_expressions_and_gaze),
		cmocka_unit_test(bones_turn_and_only_hips_move),
		cmocka_unit_test(hips_on_the_ground_do_not_move),
		cmocka_unit_test(a_face_needs_no_bones),
		cmocka_unit_test(a_face_alone_moves_as_with_a_body),
		cmocka_unit_test(a_face_that_the_avatar_lacks_is_refused),
		cmocka_unit_test(senseless_members_cost_themselves),
		cmocka_unit_test(avatars_move_as_three_vrm_has_them),
		cmocka_unit_test(faces_move_as_three_vrm_has_them),
		cmocka_unit_test(what_a_clip_does_not_carry_is_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
