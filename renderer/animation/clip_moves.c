// A clip of one rig on another: with its keys, or retargeted and baked.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "animation/face.h"
#include "animation/same_skeleton.h"
#include "base/utf8.h"
#include "interface/clips.h"
#include "model/clip_pack.h"
#include "pose/motion/bake_clip.h"
#include "pose/motion/key_times.h"
#include "pose/pose.h"
#include "pose/retarget/retarget.h"

/* Notes once that a joint was left out; its channels mostly follow each other. */
static void drop(struct moved_clip *moved, const char *name) {
	for (size_t i = 0; i < moved->dropped_count; i++) {
		if (moved->dropped[i] == name) {
			return;
		}
	}
	moved->dropped[moved->dropped_count++] = name;
}

/* --- Unchanged keys --- */

static bool refuse_all(const struct rig *to, const struct moved_clip *moved, struct error *err) {
	if (moved->dropped_count == 0) {
		return error_set(err, ERROR_INVALID_VALUE, "the clip drives no joint");
	}
	char name[160];
	utf8_quote(moved->dropped[0], name, sizeof name);
	return error_set(err, ERROR_INVALID_VALUE,
		"none of the %zu joints that the clip drives, such as %s, is one of the rig's %d",
		moved->dropped_count, name, to->joint_count);
}

/* Lists the joints that channels drive. */
static void tell_names(const struct rig *to, struct arena *arena, struct moved_clip *out) {
	bool *driven = arena_alloc(arena, (size_t)to->joint_count, sizeof *driven);
	struct moved_pair *pairs =
		arena_alloc(arena, (size_t)out->clip.channel_count, sizeof *pairs);
	for (int i = 0; i < out->clip.channel_count; i++) {
		driven[out->clip.channels[i].joint] = true;
	}
	for (int i = 0; i < to->joint_count; i++) {
		if (driven[i]) {
			const char *name = to->joints[i].name;
			pairs[out->pair_count++] = (struct moved_pair){name, name, "name", 1};
		}
	}
	out->pairs = pairs;
}

/* Bits of the channels that a clip drives, of each joint, [joint_count]. */
static unsigned char *mark_paths(const struct move_job *job, struct arena *arena) {
	unsigned char *paths = arena_alloc(arena, (size_t)job->from->joint_count, 1);
	for (int i = 0; i < job->clip->channel_count; i++) {
		const struct channel *channel = &job->clip->channels[i];
		paths[channel->joint] |= (unsigned char)(1 << channel->path);
	}
	return paths;
}

static void hold(const struct move_job *job, int theirs, int ours, enum channel_path path,
	struct clip *clip) {
	static const float start[1] = {0};
	const struct transform *rest = &job->from->joints[theirs].rest;
	const struct transform *own = &job->to->joints[ours].rest;
	const bool turns = path == CHANNEL_ROTATION;
	const float *value = turns ? rest->rotation : rest->translation;
	const int width = turns ? 4 : 3;
	if (memcmp(value, turns ? own->rotation : own->translation,
		    (size_t)width * sizeof *value) == 0) {
		return;
	}
	clip->channels[clip->channel_count++] = (struct channel){
		.joint = ours,
		.path = path,
		.interpolation = INTERPOLATION_LINEAR,
		.key_count = 1,
		.width = width,
		.times = start,
		.values = value,
	};
}

/* Adds a key for what the clip does not drive of joints that it drives, or that lie below such,
 * where that rests otherwise in the file: it is as it rests there all the time. */
static void hold_rest(const struct move_job *job, struct arena *arena, struct clip *clip) {
	const int *namesakes = find_namesakes(job->from, job->to, arena);
	const unsigned char *paths = mark_paths(job, arena);
	bool *below = arena_alloc(arena, (size_t)job->from->joint_count, sizeof *below);
	for (int i = 0; i < job->from->joint_count; i++) {
		const int parent = job->from->joints[i].parent;
		below[i] = parent >= 0 && (below[parent] || paths[parent] & DRIVEN_TRANSFORM);
		if (namesakes[i] < 0) {
			continue;
		}
		if (below[i] && !(paths[i] & 1 << CHANNEL_TRANSLATION)) {
			hold(job, i, namesakes[i], CHANNEL_TRANSLATION, clip);
		}
		if (below[i] && !(paths[i] & 1 << CHANNEL_ROTATION)) {
			hold(job, i, namesakes[i], CHANNEL_ROTATION, clip);
		}
	}
}

static bool move_keys(const struct move_job *job, struct arena *arena, struct moved_clip *out,
	struct error *err) {
	const struct clip *clip = job->clip;
	const size_t count = (size_t)clip->channel_count;
	const size_t most = count + 2 * (size_t)job->from->joint_count;
	*out = (struct moved_clip){
		.clip.channels = arena_alloc(arena, most, sizeof *out->clip.channels),
		.dropped = arena_alloc(arena, count, sizeof *out->dropped),
		.confidence = 1,
		.scale = 1,
	};
	int last = -1, joint = -1;
	for (size_t i = 0; i < count; i++) {
		struct channel channel = clip->channels[i];
		const char *name = job->from->joints[channel.joint].name;
		if (channel.joint != last) {
			last = channel.joint;
			joint = rig_find_joint(job->to, name);
		}
		const bool fits = joint >= 0 &&
			(channel.path != CHANNEL_WEIGHTS ||
				job->to->joints[joint].weight_count == channel.width);
		if (fits) {
			channel.joint = joint;
			out->clip.channels[out->clip.channel_count++] = channel;
		} else {
			drop(out, name);
		}
	}
	if (!job->by_names && out->clip.channel_count > 0) {
		hold_rest(job, arena, &out->clip);
	}
	clip_sum_up(&out->clip);
	tell_names(job->to, arena, out);
	return out->clip.channel_count > 0 || refuse_all(job->to, out, err);
}

/* --- Retargeted --- */

static void put_member(struct value *member, const struct value *from, const char *key,
	const struct value *outer) {
	*member = *from;
	member->key = key;
	member->parent = outer;
}

/* {"retarget": {"clip": position}, "rig": name, "map": ..., "scale": ...} */
static const struct value *retarget_expression(
	struct arena *arena, const struct move_job *job, const char *name) {
	struct value *values = arena_alloc(arena, 6, sizeof *values);
	struct value *outer = &values[0], *members = &values[1], *inner = &values[5];
	*inner = (struct value){.kind = VALUE_NUMBER,
		.number = (double)(job->clip - job->from->clips),
		.parent = &members[0],
		.key = "clip"};
	members[0] = (struct value){.kind = VALUE_OBJECT,
		.count = 1,
		.items = inner,
		.parent = outer,
		.key = "retarget"};
	members[1] =
		(struct value){.kind = VALUE_STRING, .string = name, .parent = outer, .key = "rig"};
	size_t count = 2;
	if (job->map) {
		put_member(&members[count++], job->map, "map", outer);
	}
	if (job->scale) {
		put_member(&members[count++], job->scale, "scale", outer);
	}
	*outer = (struct value){.kind = VALUE_OBJECT, .count = count, .items = members};
	return outer;
}

static const char *match_name(const struct joint_map *map, int joint) {
	return joint_match_name(map->match[joint]);
}

/* True for a node of a VRM animation that stands for an expression or the gaze, on an avatar: there
 * are other warnings about these. */
static bool is_face(const struct move_job *job, int joint) {
	const struct avatar *avatar = job->from->avatar;
	if (!joint_map_is_played(job->to, job->from) && !joint_map_is_of_face(job->to, job->from)) {
		return false;
	}
	bool face = avatar->has_look_at && avatar->look_at.joint == joint;
	for (int i = 0; i < avatar->expression_count; i++) {
		face = face || avatar->expressions[i].joint == joint;
	}
	return face;
}

/* Notes the pairs, and the joints on both sides that have no partner. */
static void tell_map(const struct move_job *job, const struct joint_map *map, struct arena *arena,
	struct moved_clip *out) {
	const size_t count = (size_t)job->to->joint_count;
	bool *skinned = arena_alloc(arena, count, sizeof *skinned);
	struct moved_pair *pairs = arena_alloc(arena, (size_t)map->bound, sizeof *pairs);
	out->resting = arena_alloc(arena, count, sizeof *out->resting);
	out->dropped = arena_alloc(arena, (size_t)job->clip->channel_count, sizeof *out->dropped);
	skeleton_mark_skinned(job->to, skinned);
	for (size_t i = 0; i < count; i++) {
		const char *name = job->to->joints[i].name;
		if (map->partner[i] >= 0) {
			pairs[out->pair_count++] =
				(struct moved_pair){name, job->from->joints[map->partner[i]].name,
					match_name(map, (int)i), map->confidence[i]};
		} else if (skinned[i]) {
			out->resting[out->resting_count++] = name;
		}
	}
	for (int i = 0; i < job->clip->channel_count; i++) {
		const int joint = job->clip->channels[i].joint;
		if (map->follower[joint] < 0 && !is_face(job, joint)) {
			drop(out, job->from->joints[joint].name);
		}
	}
	out->pairs = pairs;
	out->confidence = map->whole;
}

#define WARNINGS_MAX (3 + FACE_WARNINGS)

/* Most names in a warning. */
#define NAMES_MAX 20

static void warn_of_bones(
	const struct joint_map *map, struct arena *arena, struct moved_clip *out) {
	const int *theirs = map->theirs->avatar->bones;
	const char *names = NULL;
	for (int i = 0; i < AVATAR_BONE_COUNT; i++) {
		if (theirs[i] >= 0 && map->follower[theirs[i]] < 0) {
			names = utf8_list_quoted(arena, names, avatar_bone_names[i]);
		}
	}
	if (names) {
		out->warnings[out->warning_count++] = arena_printf(arena,
			"the avatar lacks bones of the file, whose turns go to those below: %s",
			names);
	}
}

/* Marks the joints that a clip drives. */
static bool *mark_driven(const struct move_job *job, struct arena *arena) {
	bool *driven = arena_alloc(arena, (size_t)job->from->joint_count, sizeof *driven);
	for (int i = 0; i < job->clip->channel_count; i++) {
		driven[job->clip->channels[i].joint] = true;
	}
	return driven;
}

static void warn_of_face(const struct move_job *job, struct arena *arena, struct moved_clip *out) {
	const struct avatar *avatar = job->from->avatar;
	const bool *driven = mark_driven(job, arena);
	const char *names = NULL;
	int count = 0;
	for (int i = 0; i < avatar->expression_count; i++) {
		if (driven[avatar->expressions[i].joint] && count++ < NAMES_MAX) {
			names = utf8_list_quoted(arena, names, avatar->expressions[i].name);
		}
	}
	if (names) {
		out->warnings[out->warning_count++] =
			arena_printf(arena, "only avatars of VRM have expressions; left out: %s%s",
				names, count > NAMES_MAX ? " and more" : "");
	}
	if (avatar->has_look_at && driven[avatar->look_at.joint]) {
		out->warnings[out->warning_count++] = arena_printf(
			arena, "only avatars of VRM have a gaze; left out: \"lookAt\"");
	}
}

/* The frames of what is baked at the clip's own keys; the face has no others, whatever the rate. */
static void add_face(const struct move_job *job, struct arena *arena, struct moved_clip *out) {
	struct face_job face = {.from = job->from, .clip = job->clip, .to = job->to};
	if (job->clip->duration_s * KEY_TIMES_RATE <= (double)job->max_frames) {
		face.times = key_times(job->clip, arena, &face.count);
		face_add(&face, arena, &out->clip, out->warnings, &out->warning_count);
	}
}

static double number_of(const struct value *value) {
	return value && value->kind == VALUE_NUMBER                             ? value->number
		: value && value->kind == VALUE_STRING && *value->string == 'n' ? 1
										: 0;
}

/* Finds once more what the operation has found. */
static void tell(const struct move_job *job, const struct value *expression, struct arena *arena,
	struct moved_clip *out) {
	const struct value *given = value_member(expression, "map");
	struct joint_map map;
	struct retarget retarget;
	struct error err = {0};
	struct retarget_settings settings = {.scale = number_of(job->scale)};
	if (!given && joint_map_is_played(job->to, job->from)) {
		joint_map_bones(job->to, job->from, arena, &map);
		settings.align = RETARGET_ALIGN_AVATAR;
	} else if (!given || given->kind != VALUE_OBJECT ||
		!joint_map_read(given, job->to, job->from, arena, &map, &err)) {
		joint_map_find(JOINT_MAP_AUTO, job->to, job->from, arena, &map);
	}
	tell_map(job, &map, arena, out);
	out->warnings = arena_alloc(arena, WARNINGS_MAX, sizeof *out->warnings);
	if (settings.align == RETARGET_ALIGN_AVATAR) {
		warn_of_bones(&map, arena, out);
		add_face(job, arena, out);
	} else if (job->from->avatar && job->from->avatar->is_motion) {
		warn_of_face(job, arena, out);
	}
	retarget_make(&map, &settings, arena, &retarget);
	out->scale = retarget.scale;
	out->is_retargeted = true;
}

/* The expression is ours: of its places only those tell anything that are of what the caller gave.
 * Always false. */
static bool pass(const struct error *why, struct error *err) {
	struct error placed = *why;
	const bool of_map = strncmp(why->pointer, "/map", 4) == 0;
	const bool of_scale = strcmp(why->pointer, "/scale") == 0;
	if (why->has_pointer && (of_map || of_scale)) {
		return error_pass_at(err, of_map ? "/map" : "/scale", why);
	}
	placed.has_pointer = false;
	return error_pass(err, &placed);
}

static bool retarget(const struct move_job *job, struct arena *arena, struct moved_clip *out,
	struct error *err) {
	static const char name[] = "the file";
	const struct pose_source source = {name, job->from};
	const struct pose_sources sources = {&source, 1};
	struct bake_job baking = {
		.subject = {.rig = job->to,
			.pose = retarget_expression(arena, job, name),
			.sources = &sources,
			.stop = job->stop},
		.duration_s = job->clip->duration_s,
		.rate = job->rate > 0 ? job->rate : KEY_TIMES_RATE,
		.max_frames = job->max_frames,
	};
	struct error why = {0};
	if (!(job->rate > 0) && job->clip->duration_s * KEY_TIMES_RATE <= (double)job->max_frames) {
		baking.times = key_times(job->clip, arena, &baking.time_count);
	}
	*out = (struct moved_clip){0};
	if (!bake_clip(&baking, arena, &out->clip, &why)) {
		return pass(&why, err);
	}
	tell(job, baking.subject.pose, arena, out);
	return true;
}

/* --- The face alone --- */

static bool move_face(const struct move_job *job, struct arena *arena, struct moved_clip *out,
	struct error *err) {
	const size_t count = (size_t)job->clip->channel_count;
	*out = (struct moved_clip){
		.dropped = arena_alloc(arena, count, sizeof *out->dropped),
		.warnings = arena_alloc(arena, WARNINGS_MAX, sizeof *out->warnings),
		.confidence = 1,
		.scale = 1,
		.is_retargeted = true,
	};
	for (size_t i = 0; i < count; i++) {
		if (!is_face(job, job->clip->channels[i].joint)) {
			drop(out, job->from->joints[job->clip->channels[i].joint].name);
		}
	}
	add_face(job, arena, out);
	return out->clip.channel_count > 0 ||
		error_set(err, ERROR_INVALID_VALUE, "the clip drives nothing of the avatar%s%s",
			out->warning_count > 0 ? ": " : "",
			out->warning_count > 0 ? out->warnings[0] : "");
}

bool renderer_move_clip(const struct move_job *job, struct arena *arena, struct moved_clip *out,
	struct error *err) {
	if (!job->by_names && !job->map && joint_map_is_of_face(job->to, job->from)) {
		return move_face(job, arena, out, err);
	}
	const bool free = !job->map && !job->scale && !(job->rate > 0);
	const bool keys = job->by_names ||
		(free && !joint_map_is_played(job->to, job->from) &&
			same_skeleton(job->from, job->clip, job->to, arena));
	return keys ? move_keys(job, arena, out, err) : retarget(job, arena, out, err);
}
