// Motions of Doom 3. Source: id Tech 4's MD5 version 10, as its exporters write it.
#include "import/md5.h"

#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "import/limits.h"
#include "model/rig.h"

/* Bytes of a text that are looked at for what it is. */
#define LOOKED_AT 4096

/* Of a joint in a frame: translation, rotation and time. */
#define KEY_BYTES 32.0

enum { TRANSLATION_FLAGS = 7, ROTATION_FLAGS = 56, FLAG_COUNT = 6 };

/* --- The file --- */

static bool read_joint(struct md5_reader *reader, const struct md5_anim *anim, size_t index,
	struct md5_joint *joint) {
	double parent, flags, start;
	md5_next(reader);
	joint->name = arena_strndup(reader->arena, reader->token, strlen(reader->token));
	if (!utf8_is_valid(joint->name, strlen(joint->name))) {
		return md5_refuse(reader, "is no name in UTF-8");
	}
	if (!md5_read_count(reader, -1, (double)index - 1, &parent) ||
		!md5_read_count(reader, 0, (1 << FLAG_COUNT) - 1, &flags) ||
		!md5_read_count(reader, 0, (double)anim->component_count, &start)) {
		return false;
	}
	joint->parent = (int)parent;
	joint->flags = (unsigned)flags;
	joint->start = (size_t)start;
	const size_t needed = (size_t)__builtin_popcount(joint->flags);
	return joint->start + needed <= anim->component_count ||
		md5_refuse(reader, "the joint has more components than a frame");
}

static bool read_hierarchy(struct md5_reader *reader, struct md5_anim *anim) {
	if (!md5_expect(reader, "{")) {
		return false;
	}
	for (size_t i = 0; i < anim->joint_count; i++) {
		if (!read_joint(reader, anim, i, &anim->joints[i])) {
			return false;
		}
	}
	return md5_expect(reader, "}");
}

static bool read_base(struct md5_reader *reader, struct md5_anim *anim) {
	if (!md5_expect(reader, "{")) {
		return false;
	}
	for (size_t i = 0; i < anim->joint_count; i++) {
		struct md5_place *base = &anim->joints[i].base;
		if (!md5_read_vector(reader, base->translation) ||
			!md5_read_vector(reader, base->rotation)) {
			return false;
		}
	}
	return md5_expect(reader, "}");
}

static bool read_frame(struct md5_reader *reader, struct md5_anim *anim) {
	double index, value;
	if (!md5_read_count(reader, 0, (double)anim->frame_count - 1, &index) ||
		!md5_expect(reader, "{")) {
		return false;
	}
	float *frame = (float *)&anim->frames[(size_t)index * anim->component_count];
	for (size_t i = 0; i < anim->component_count; i++) {
		if (!md5_read_number(reader, &value)) {
			return false;
		}
		frame[i] = (float)value;
	}
	return md5_expect(reader, "}");
}

static bool skip_block(struct md5_reader *reader) {
	if (!md5_expect(reader, "{")) {
		return false;
	}
	while (md5_next(reader)) {
		if (strcmp(reader->token, "}") == 0) {
			return true;
		}
	}
	return md5_refuse(reader, "a block without an end");
}

/* Each joint and each component of a frame takes bytes of the file, which holds back the counts. */
static bool read_counts(struct md5_reader *reader, struct md5_anim *anim, size_t size) {
	double joints, frames, components;
	if (!md5_expect(reader, "numFrames") || !md5_read_count(reader, 1, (double)size, &frames) ||
		!md5_expect(reader, "numJoints") ||
		!md5_read_count(reader, 1, (double)size / 8, &joints) ||
		!md5_expect(reader, "frameRate") || !md5_read_number(reader, &anim->frame_rate) ||
		!md5_expect(reader, "numAnimatedComponents") ||
		!md5_read_count(reader, 0, (double)size / frames, &components)) {
		return false;
	}
	// Keys of all joints in all frames, which may share components.
	if (joints * frames * KEY_BYTES > (double)claim_allowed(size)) {
		return error_set(reader->err, ERROR_TOO_LARGE, "MD5: %g joints in %g frames",
			joints, frames);
	}
	anim->joint_count = (size_t)joints;
	anim->frame_count = (size_t)frames;
	anim->component_count = (size_t)components;
	anim->joints = arena_alloc(reader->arena, anim->joint_count, sizeof *anim->joints);
	anim->frames = arena_alloc(
		reader->arena, anim->frame_count * anim->component_count + 1, sizeof *anim->frames);
	return anim->frame_rate > 0 || md5_refuse(reader, "frameRate must be above 0");
}

static bool read_sections(struct md5_reader *reader, struct md5_anim *anim) {
	bool hierarchy = false, base = false, good = true;
	size_t frames = 0;
	while (good && md5_next(reader)) {
		if (strcmp(reader->token, "hierarchy") == 0) {
			good = read_hierarchy(reader, anim);
			hierarchy = true;
		} else if (strcmp(reader->token, "bounds") == 0) {
			good = skip_block(reader);
		} else if (strcmp(reader->token, "baseframe") == 0) {
			good = read_base(reader, anim);
			base = true;
		} else if (strcmp(reader->token, "frame") == 0) {
			good = read_frame(reader, anim);
			frames++;
		} else {
			good = md5_refuse(reader, "no section of a motion");
		}
	}
	return good &&
		((hierarchy && base && frames == anim->frame_count) ||
			error_set(reader->err, ERROR_BROKEN_ASSET,
				"MD5: has %zu of %zu frames, and must have a hierarchy and a base "
				"frame",
				frames, anim->frame_count));
}

bool md5_anim_read(const unsigned char *bytes, size_t size, struct arena *arena,
	struct md5_anim *out, struct error *err) {
	struct md5_reader reader = {.at = (const char *)bytes,
		.end = (const char *)bytes + size,
		.arena = arena,
		.err = err};
	return md5_read_head(&reader) && read_counts(&reader, out, size) &&
		read_sections(&reader, out);
}

/* --- Channels --- */

static void place_at(const struct md5_anim *anim, const struct md5_joint *joint, size_t frame,
	struct md5_place *out) {
	const float *value = &anim->frames[frame * anim->component_count + joint->start];
	*out = joint->base;
	for (int i = 0; i < FLAG_COUNT; i++) {
		if (joint->flags & 1u << i) {
			*(i < 3 ? &out->translation[i] : &out->rotation[i - 3]) = (double)*value++;
		}
	}
	md5_complete_rotation(out->rotation);
}

static bool is_constant(const struct channel *channel) {
	const size_t bytes = (size_t)channel->width * sizeof(float);
	for (int i = 1; i < channel->key_count; i++) {
		if (memcmp(channel->values, &channel->values[i * channel->width], bytes) != 0) {
			return false;
		}
	}
	return true;
}

static bool is_rest(const struct channel *channel, const struct transform *rest) {
	const bool moves = channel->path == CHANNEL_TRANSLATION;
	const float *own = moves ? rest->translation : rest->rotation;
	return memcmp(channel->values, own, (size_t)channel->width * sizeof *own) == 0;
}

/* Adds a channel, unless it is the rest all the time. */
static void add_channel(const struct md5_anim *anim, const struct md5_joint *joint, int target,
	enum channel_path path, const float *times, const struct transform *rest,
	struct arena *arena, struct scene_clip *out) {
	const bool moves = path == CHANNEL_TRANSLATION;
	const int width = moves ? 3 : 4;
	const unsigned flags = joint->flags & (moves ? TRANSLATION_FLAGS : ROTATION_FLAGS);
	const size_t count = flags ? anim->frame_count : 1;
	float *values = arena_alloc(arena, count * (size_t)width, sizeof *values);
	for (size_t f = 0; f < count; f++) {
		struct md5_place place;
		place_at(anim, joint, f, &place);
		const double *from = moves ? place.translation : place.rotation;
		for (int i = 0; i < width; i++) {
			values[f * (size_t)width + (size_t)i] = (float)from[i];
		}
	}
	struct channel channel = {
		.joint = target,
		.path = path,
		.interpolation = INTERPOLATION_LINEAR,
		.key_count = (int)count,
		.width = width,
		.times = times,
		.values = values,
	};
	channel.key_count = is_constant(&channel) ? 1 : channel.key_count;
	if (channel.key_count > 1 || !is_rest(&channel, rest)) {
		((struct channel *)out->channels)[out->channel_count++] = channel;
	}
}

void md5_anim_channels(const struct md5_anim *anim, const int *joint_of,
	const struct scene_joint *joints, struct arena *arena, struct scene_clip *out) {
	float *times = arena_alloc(arena, anim->frame_count, sizeof *times);
	for (size_t i = 0; i < anim->frame_count; i++) {
		times[i] = (float)((double)i / anim->frame_rate);
	}
	out->channel_count = 0;
	out->channels = arena_alloc(arena, 2 * anim->joint_count, sizeof *out->channels);
	for (size_t i = 0; i < anim->joint_count; i++) {
		const int target = joint_of[i];
		for (int path = CHANNEL_TRANSLATION; target >= 0 && path <= CHANNEL_ROTATION;
			path++) {
			add_channel(anim, &anim->joints[i], target, (enum channel_path)path, times,
				&joints[target].rest, arena, out);
		}
	}
}

/* --- A motion alone --- */

bool md5_anim_probe(const unsigned char *bytes, size_t size) {
	const size_t length = size < LOOKED_AT ? size : LOOKED_AT;
	return size > 10 && memcmp(bytes, "MD5Version", 10) == 0 &&
		memmem(bytes, length, "numFrames", 9) && memmem(bytes, length, "numJoints", 9);
}

static void make_joints(const struct md5_anim *anim, struct scene *scene, int *joint_of) {
	struct scene_joint *joints = arena_alloc(scene->arena, anim->joint_count, sizeof *joints);
	for (size_t i = 0; i < anim->joint_count; i++) {
		struct md5_place place = anim->joints[i].base;
		md5_complete_rotation(place.rotation);
		joints[i] = (struct scene_joint){
			anim->joints[i].name, anim->joints[i].parent, TRANSFORM_IDENTITY};
		for (int k = 0; k < 3; k++) {
			joints[i].rest.translation[k] = (float)place.translation[k];
		}
		for (int k = 0; k < 4; k++) {
			joints[i].rest.rotation[k] = (float)place.rotation[k];
		}
		joint_of[i] = (int)i;
	}
	scene->joints = joints;
	scene->joint_count = (int)anim->joint_count;
}

static bool build(const unsigned char *bytes, size_t size, struct scene *scene, struct rig *rig,
	struct error *err) {
	struct md5_anim anim;
	struct scene_clip *clip = arena_alloc(scene->arena, 1, sizeof *clip);
	if (!md5_anim_read(bytes, size, scene->arena, &anim, err)) {
		return false;
	}
	int *joint_of = arena_alloc(scene->arena, anim.joint_count, sizeof *joint_of);
	make_joints(&anim, scene, joint_of);
	md5_anim_channels(&anim, joint_of, scene->joints, scene->arena, clip);
	scene->clips = clip;
	scene->clip_count = 1;
	return scene_build(scene, rig, err);
}

struct rig *md5_anim_import(
	const unsigned char *bytes, size_t size, struct asset_facts **facts, struct error *err) {
	struct arena *arena = arena_create();
	struct scene scene = {.arena = arena, .bytes_left = claim_allowed(size)};
	struct rig *rig = rig_create();
	bool made = build(bytes, size, &scene, rig, err);
	if (made && facts) {
		*facts = scene_facts(&scene, rig, size, err);
		made = *facts;
	}
	arena_destroy(arena);
	if (!made) {
		rig_release(rig);
		return NULL;
	}
	return rig;
}
