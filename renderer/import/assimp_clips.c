// Assimp's animations -> clips.
#include <math.h>
#include <string.h>

#include "base/quat.h"
#include "base/utf8.h"
#include "import/assimp_import.h"

/* For what says nothing of its rate, Assimp's convention. */
#define TICKS_PER_SECOND_STANDARD 25.0

/* The keys of one animation while they become channels. */
struct making {
	struct assimp_import *import;
	double seconds; // per tick
	int channel_count;
	struct channel *channels;
	size_t dropped;  // keys
	size_t nameless; // tracks of nodes that are not there
};

/* The next key of a channel, if its time comes behind those before. */
static bool add_key(
	struct making *making, struct channel *channel, double time, const double *value) {
	float *times = (float *)channel->times, *values = (float *)channel->values;
	const double time_s = time * making->seconds;
	const int at = channel->key_count;
	bool good = isfinite(time_s) && fabs(time_s) < 1e9 &&
		(at == 0 || (float)time_s > times[at - 1]);
	for (int i = 0; good && i < channel->width; i++) {
		good = isfinite(value[i]) && fabs(value[i]) < 1e30;
	}
	if (!good) {
		making->dropped++;
		return false;
	}
	times[at] = (float)time_s;
	for (int i = 0; i < channel->width; i++) {
		values[at * channel->width + i] = (float)value[i];
	}
	channel->key_count++;
	return true;
}

static struct channel *start_channel(
	struct making *making, int joint, enum channel_path path, int width, size_t count) {
	struct arena *arena = making->import->arena;
	struct channel *channel = &making->channels[making->channel_count];
	*channel = (struct channel){
		.joint = joint,
		.path = path,
		.interpolation = INTERPOLATION_LINEAR,
		.width = width,
		.times = arena_alloc(arena, count, sizeof(float)),
		.values = arena_alloc(arena, count, (size_t)width * sizeof(float)),
	};
	return channel;
}

/* A single key that is the rest is what Assimp gives to what is not animated. */
static void end_channel(struct making *making, const struct channel *channel) {
	const struct transform *rest = &making->import->scene.joints[channel->joint].rest;
	const float *own = channel->path == CHANNEL_TRANSLATION ? rest->translation
		: channel->path == CHANNEL_ROTATION             ? rest->rotation
								: rest->scale;
	bool is_rest = channel->key_count == 1 && channel->path != CHANNEL_WEIGHTS;
	for (int i = 0; is_rest && i < channel->width; i++) {
		is_rest = fabsf(channel->values[i] - own[i]) <= 1e-6f * fmaxf(fabsf(own[i]), 1);
	}
	making->channel_count += channel->key_count > 0 && !is_rest;
}

static void add_vectors(struct making *making, int joint, enum channel_path path,
	const struct aiVectorKey *keys, unsigned count) {
	const struct assimp_import *import = making->import;
	struct channel *channel = start_channel(making, joint, path, 3, count);
	const bool is_place = path == CHANNEL_TRANSLATION;
	// The root's own scale is the unit, which its keys do not have.
	const double unit = is_place && joint > 0 ? import->unit : 1;
	for (unsigned i = 0; i < count; i++) {
		double value[3] = {(double)keys[i].mValue.x * unit, (double)keys[i].mValue.y * unit,
			(double)keys[i].mValue.z * unit};
		if (is_place && import->format->correct_key) {
			import->format->correct_key(import->nodes[joint].rest, value);
		}
		add_key(making, channel, keys[i].mTime, value);
	}
	end_channel(making, channel);
}

static void add_rotations(
	struct making *making, int joint, const struct aiQuatKey *keys, unsigned count) {
	struct channel *channel = start_channel(making, joint, CHANNEL_ROTATION, 4, count);
	for (unsigned i = 0; i < count; i++) {
		const struct aiQuaternion *q = &keys[i].mValue;
		double value[4] = {(double)q->x, (double)q->y, (double)q->z, (double)q->w};
		quat_normalize(value);
		add_key(making, channel, keys[i].mTime, value);
	}
	end_channel(making, channel);
}

static void add_track(struct making *making, const struct aiNodeAnim *track) {
	const int joint = assimp_find_joint(making->import, track->mNodeName.data);
	if (joint < 0) {
		making->nameless++;
		return;
	}
	add_vectors(
		making, joint, CHANNEL_TRANSLATION, track->mPositionKeys, track->mNumPositionKeys);
	add_rotations(making, joint, track->mRotationKeys, track->mNumRotationKeys);
	add_vectors(making, joint, CHANNEL_SCALE, track->mScalingKeys, track->mNumScalingKeys);
}

/* Weights of the targets of a node's meshes; -1 = none has a node of this name and targets. */
static int find_morphs(const struct assimp_import *import, const char *name, int *width) {
	const int joint = assimp_find_joint(import, name);
	for (int i = 0; i < import->scene.mesh_count; i++) {
		const struct scene_mesh *mesh = &import->scene.meshes[i];
		const char *own = import->from->mMeshes[mesh->mesh]->mName.data;
		if (mesh->target_count > 0 && (mesh->joint == joint || strcmp(own, name) == 0)) {
			*width = mesh->target_count;
			return mesh->joint;
		}
	}
	return -1;
}

static void add_weights(struct making *making, const struct aiMeshMorphAnim *track) {
	int width = 0;
	const int joint = find_morphs(making->import, track->mName.data, &width);
	if (joint < 0) {
		making->nameless++;
		return;
	}
	struct channel *channel =
		start_channel(making, joint, CHANNEL_WEIGHTS, width, track->mNumKeys);
	double *values = arena_alloc(making->import->arena, (size_t)width, sizeof *values);
	for (unsigned k = 0; k < track->mNumKeys; k++) {
		const struct aiMeshMorphKey *key = &track->mKeys[k];
		memset(values, 0, (size_t)width * sizeof *values);
		for (unsigned i = 0; i < key->mNumValuesAndWeights; i++) {
			if (key->mValues[i] < (unsigned)width) {
				values[key->mValues[i]] = key->mWeights[i];
			}
		}
		add_key(making, channel, key->mTime, values);
	}
	end_channel(making, channel);
}

static void warn(const struct making *making, const char *name) {
	char quoted[UTF8_QUOTED_BYTES];
	utf8_quote(name, quoted, sizeof quoted);
	if (making->dropped > 0) {
		rig_warn(making->import->rig,
			"clip %s: %zu keys are left out, which are not finite or not behind the "
			"key before",
			quoted, making->dropped);
	}
	if (making->nameless > 0) {
		rig_warn(making->import->rig,
			"clip %s: %zu tracks are left out, whose nodes are not there", quoted,
			making->nameless);
	}
}

static void read_clip(
	struct assimp_import *import, const struct aiAnimation *from, struct scene_clip *out) {
	const double rate = from->mTicksPerSecond;
	struct making making = {
		.import = import,
		.seconds = 1 / (isfinite(rate) && rate > 0 ? rate : TICKS_PER_SECOND_STANDARD),
		.channels = arena_alloc(import->arena,
			3 * (size_t)from->mNumChannels + from->mNumMorphMeshChannels + 1,
			sizeof *making.channels),
	};
	for (unsigned i = 0; i < from->mNumChannels; i++) {
		add_track(&making, from->mChannels[i]);
	}
	for (unsigned i = 0; i < from->mNumMorphMeshChannels; i++) {
		add_weights(&making, from->mMorphMeshChannels[i]);
	}
	out->name = assimp_text(import->arena, &from->mName);
	out->channel_count = making.channel_count;
	out->channels = making.channels;
	warn(&making, out->name);
}

/* Assimp passes on whatever a BVH calls the time of a frame. */
static bool check_rate(
	const struct assimp_import *import, const struct aiAnimation *from, struct error *err) {
	const double rate = from->mTicksPerSecond;
	return !import->format->has_rate || (isfinite(rate) && rate > 0) ||
		error_set(err, ERROR_BROKEN_ASSET, "%s: the time of a frame must be above 0 s",
			import->format->name);
}

bool assimp_make_clips(struct assimp_import *import, struct error *err) {
	const size_t count = import->from->mNumAnimations;
	struct scene_clip *clips = arena_alloc(import->arena, count, sizeof *clips);
	import->scene.clips = clips;
	for (size_t i = 0; i < count; i++) {
		const struct aiAnimation *clip = import->from->mAnimations[i];
		if (!check_rate(import, clip, err)) {
			return false;
		}
		read_clip(import, clip, &clips[import->scene.clip_count++]);
	}
	return true;
}
