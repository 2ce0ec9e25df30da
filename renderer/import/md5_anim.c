// Motions of Doom 3. Source: id Tech 4's MD5 version 10, as its exporters write it.
#include "import/md5_anim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "import/limits.h"
#include "model/rig.h"

/* Bytes of a text that are looked at for what it is. */
#define LOOKED_AT 4096

/* Letters of a token that are kept; names are shorter. */
#define TOKEN_BYTES 256

enum { TRANSLATION_FLAGS = 7, ROTATION_FLAGS = 56, FLAG_COUNT = 6 };

struct reader {
	const char *at, *end;
	char token[TOKEN_BYTES];
	struct arena *arena;
	struct error *err;
};

/* --- Tokens --- */

static bool refuse(struct reader *reader, const char *why) {
	char quoted[UTF8_QUOTED_BYTES];
	utf8_quote(reader->token, quoted, sizeof quoted);
	return error_set(reader->err, ERROR_BROKEN_ASSET, "MD5: at %s: %s", quoted, why);
}

static bool is_space(char c) {
	return c == ' ' || (c >= '\t' && c <= '\r') || c == '\0';
}

static void skip_space(struct reader *reader) {
	while (reader->at < reader->end) {
		const bool comment =
			reader->end - reader->at > 1 && memcmp(reader->at, "//", 2) == 0;
		if (comment) {
			while (reader->at < reader->end && *reader->at != '\n') {
				reader->at++;
			}
		} else if (is_space(*reader->at)) {
			reader->at++;
		} else {
			return;
		}
	}
}

/* The next word, bracket or text between quotation marks, cut where it is too long; false at the
 * end. */
static bool next(struct reader *reader) {
	skip_space(reader);
	size_t used = 0;
	reader->token[0] = '\0';
	if (reader->at == reader->end) {
		return false;
	}
	const bool quoted = *reader->at == '"', bracket = strchr("(){}", *reader->at);
	reader->at += quoted;
	while (reader->at < reader->end) {
		const char c = *reader->at;
		if (quoted ? c == '"' || c == '\n'
			   : is_space(c) || (used > 0 && strchr("(){}", c))) {
			break;
		}
		reader->at++;
		reader->token[used] = c;
		used += used < TOKEN_BYTES - 1;
		if (bracket) {
			break;
		}
	}
	reader->at += quoted && reader->at < reader->end;
	reader->token[used] = '\0';
	return true;
}

static bool expect(struct reader *reader, const char *word) {
	return (next(reader) && strcmp(reader->token, word) == 0) ||
		error_set(reader->err, ERROR_BROKEN_ASSET, "MD5: \"%s\" expected", word);
}

static bool read_number(struct reader *reader, double *out) {
	char *end;
	next(reader);
	*out = strtod(reader->token, &end);
	return (end != reader->token && *end == '\0' && isfinite(*out) && fabs(*out) < 1e30) ||
		refuse(reader, "a number expected");
}

static bool read_count(struct reader *reader, double least, double most, double *out) {
	return read_number(reader, out) &&
		((*out >= least && *out <= most && *out == floor(*out)) ||
			refuse(reader, "is no such number, or more than the file has room for"));
}

static bool read_vector(struct reader *reader, double out[static 3]) {
	return expect(reader, "(") && read_number(reader, &out[0]) &&
		read_number(reader, &out[1]) && read_number(reader, &out[2]) && expect(reader, ")");
}

/* --- The file --- */

/* The format keeps x y z of a unit quaternion whose w is negative. */
static void complete_rotation(double q[static 4]) {
	const double rest = 1 - q[0] * q[0] - q[1] * q[1] - q[2] * q[2];
	q[3] = rest > 0 ? -sqrt(rest) : 0;
	const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
	for (int i = 0; i < 4; i++) {
		q[i] /= length;
	}
}

static bool read_joint(
	struct reader *reader, const struct md5_anim *anim, size_t index, struct md5_joint *joint) {
	double parent, flags, start;
	next(reader);
	joint->name = arena_strndup(reader->arena, reader->token, strlen(reader->token));
	if (!utf8_is_valid(joint->name, strlen(joint->name))) {
		return refuse(reader, "is no name in UTF-8");
	}
	if (!read_count(reader, -1, (double)index - 1, &parent) ||
		!read_count(reader, 0, (1 << FLAG_COUNT) - 1, &flags) ||
		!read_count(reader, 0, (double)anim->component_count, &start)) {
		return false;
	}
	joint->parent = (int)parent;
	joint->flags = (unsigned)flags;
	joint->start = (size_t)start;
	const size_t needed = (size_t)__builtin_popcount(joint->flags);
	return joint->start + needed <= anim->component_count ||
		refuse(reader, "the joint has more components than a frame");
}

static bool read_hierarchy(struct reader *reader, struct md5_anim *anim) {
	if (!expect(reader, "{")) {
		return false;
	}
	for (size_t i = 0; i < anim->joint_count; i++) {
		if (!read_joint(reader, anim, i, &anim->joints[i])) {
			return false;
		}
	}
	return expect(reader, "}");
}

static bool read_base(struct reader *reader, struct md5_anim *anim) {
	if (!expect(reader, "{")) {
		return false;
	}
	for (size_t i = 0; i < anim->joint_count; i++) {
		struct md5_place *base = &anim->joints[i].base;
		if (!read_vector(reader, base->translation) ||
			!read_vector(reader, base->rotation)) {
			return false;
		}
	}
	return expect(reader, "}");
}

static bool read_frame(struct reader *reader, struct md5_anim *anim) {
	double index, value;
	if (!read_count(reader, 0, (double)anim->frame_count - 1, &index) || !expect(reader, "{")) {
		return false;
	}
	float *frame = (float *)&anim->frames[(size_t)index * anim->component_count];
	for (size_t i = 0; i < anim->component_count; i++) {
		if (!read_number(reader, &value)) {
			return false;
		}
		frame[i] = (float)value;
	}
	return expect(reader, "}");
}

static bool skip_block(struct reader *reader) {
	if (!expect(reader, "{")) {
		return false;
	}
	while (next(reader)) {
		if (strcmp(reader->token, "}") == 0) {
			return true;
		}
	}
	return refuse(reader, "a block without an end");
}

/* Each joint and each component of a frame takes bytes of the file, which holds back the counts. */
static bool read_counts(struct reader *reader, struct md5_anim *anim, size_t size) {
	double joints, frames, components;
	if (!expect(reader, "numFrames") || !read_count(reader, 1, (double)size, &frames) ||
		!expect(reader, "numJoints") || !read_count(reader, 1, (double)size / 8, &joints) ||
		!expect(reader, "frameRate") || !read_number(reader, &anim->frame_rate) ||
		!expect(reader, "numAnimatedComponents") ||
		!read_count(reader, 0, (double)size / frames, &components)) {
		return false;
	}
	anim->joint_count = (size_t)joints;
	anim->frame_count = (size_t)frames;
	anim->component_count = (size_t)components;
	anim->joints = arena_alloc(reader->arena, anim->joint_count, sizeof *anim->joints);
	anim->frames = arena_alloc(
		reader->arena, anim->frame_count * anim->component_count + 1, sizeof *anim->frames);
	return anim->frame_rate > 0 || refuse(reader, "frameRate must be above 0");
}

static bool read_sections(struct reader *reader, struct md5_anim *anim) {
	bool hierarchy = false, base = false, good = true;
	size_t frames = 0;
	while (good && next(reader)) {
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
			good = refuse(reader, "no section of a motion");
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
	struct reader reader = {.at = (const char *)bytes,
		.end = (const char *)bytes + size,
		.arena = arena,
		.err = err};
	double version;
	if (!expect(&reader, "MD5Version") || !read_number(&reader, &version)) {
		return false;
	}
	if (version != 10) {
		return refuse(&reader, "only version 10 is read");
	}
	if (!expect(&reader, "commandline")) {
		return false;
	}
	next(&reader); // whatever made it
	return read_counts(&reader, out, size) && read_sections(&reader, out);
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
	complete_rotation(out->rotation);
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
		complete_rotation(place.rotation);
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
