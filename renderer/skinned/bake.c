// Baking clips into vertices.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "pose/sample/sampler.h"
#include "skin/displacement.h"
#include "skin/palette.h"
#include "skin/plan.h"

/* Keys nearer to one another than this share of their distance are one. */
#define SAME_KEY 1e-6

struct bake {
	const struct rig *rig;
	const struct clip *clip;
	struct skin_plan plan; // of the base; one reference to its data
	double *times;         // [count]; owned
	size_t count;
	size_t stride;  // floats of a key
	float *morphed; // [stride]; owned
	float *spare;   // [6 * vertex_count], for displaced vertices; owned
};

static bool refuse_size(double keys, double bytes, struct error *err) {
	return error_set(err, ERROR_TOO_LARGE,
		"the clip baked into %.0f keys of vertices takes %.0f MiB, %zu are allowed; a "
		"lower "
		"\"rate\" takes less",
		keys, ceil(bytes / (1 << 20)), KEYFRAMES_BYTES_MAX >> 20);
}

/* True when so many keys fit. */
static bool check_size(const struct bake *bake, double keys, struct error *err) {
	const double bytes = keys * ((double)bake->stride * sizeof(float) + sizeof *bake->times);
	return bytes <= (double)KEYFRAMES_BYTES_MAX || refuse_size(keys, bytes, err);
}

static bool add_even_times(struct bake *bake, double rate, struct error *err) {
	const double duration_s = bake->clip->duration_s;
	const double steps = floor(duration_s * rate * (1 + SAME_KEY));
	if (!check_size(bake, steps + 2, err)) {
		return false;
	}
	bake->times = xcalloc((size_t)steps + 2, sizeof *bake->times);
	for (size_t i = 0; i <= (size_t)steps; i++) {
		bake->times[bake->count++] = fmin((double)i / rate, duration_s);
	}
	if (duration_s - bake->times[bake->count - 1] > SAME_KEY / rate) {
		bake->times[bake->count++] = duration_s;
	}
	return true;
}

static int ascending(const void *a, const void *b) {
	const double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static bool add_key_times(struct bake *bake, struct error *err) {
	const struct clip *clip = bake->clip;
	size_t all = 2;
	for (int i = 0; i < clip->channel_count; i++) {
		all += (size_t)clip->channels[i].key_count;
	}
	bake->times = try_calloc(all, sizeof *bake->times, "a baked clip", err);
	if (!bake->times) {
		return false;
	}
	size_t count = 1; // the start is the first
	bake->times[count++] = clip->duration_s;
	for (int i = 0; i < clip->channel_count; i++) {
		for (int k = 0; k < clip->channels[i].key_count; k++) {
			const double time_s = (double)clip->channels[i].times[k];
			bake->times[count++] = fmin(fmax(time_s, 0), clip->duration_s);
		}
	}
	qsort(bake->times, count, sizeof *bake->times, ascending);
	for (size_t i = 0; i < count; i++) {
		if (i == 0 || bake->times[i] > bake->times[bake->count - 1]) {
			bake->times[bake->count++] = bake->times[i];
		}
	}
	return check_size(bake, (double)bake->count, err);
}

/* The base and its data. */
static bool make_plan(const struct derive_job *job, struct bake *bake, struct error *err) {
	const struct skinning_method *base =
		skin_method((size_t)job->options->values[KEYFRAMES_BASE]);
	const struct skin_recipe *recipe = base->recipe;
	struct skin_part part = {.method = base, .options = skin_options_standard(base->options)};
	if (recipe && (recipe->needs_examples || recipe->needs_clip || recipe->makes_rig)) {
		return error_set(err, ERROR_INVALID_VALUE,
			"a clip is baked with a \"base\" that needs no examples or clip of its own "
			"and makes no mesh of its own, and %s does",
			base->id);
	}
	if (recipe && (!recipe->is_needed || recipe->is_needed(&part.options))) {
		const struct skin_params params = {
			.recipe = recipe,
			.list = base->options,
			.options = &part.options,
			.rig = job->rig,
			.clip = -1,
		};
		part.data = skin_library_get(job->library, &params, job->stop, err);
		if (!part.data) {
			return false;
		}
	}
	bake->plan =
		(struct skin_plan){.rig = job->rig, .requested = part, .base = part, .clip = -1};
	return true;
}

static const float *morph(struct bake *bake, const struct pose *pose) {
	const struct rig *rig = bake->rig;
	const size_t count = (size_t)rig->vertex_count;
	if (!morph_is_active(rig, pose->weights)) {
		return NULL;
	}
	morph_apply(rig, pose->weights, bake->morphed, bake->morphed + count * 3,
		rig->tangents ? bake->morphed + count * 6 : NULL);
	return bake->morphed;
}

static void run(struct bake *bake, const struct pose *pose, const struct skin_palette *palette,
	float *out) {
	const struct rig *rig = bake->rig;
	const size_t count = (size_t)rig->vertex_count;
	const float *streams = morph(bake, pose);
	const struct skin_job job = {
		.positions = streams ? streams : rig->positions,
		.normals = streams ? streams + count * 3 : rig->normals,
		.tangents = !rig->tangents ? NULL
			: streams          ? streams + count * 6
					   : rig->tangents,
		.out_positions = out,
		.out_normals = out + count * 3,
		.out_tangents = rig->tangents ? out + count * 6 : NULL,
	};
	skin_plan_run(&bake->plan, palette, &job, bake->spare, false);
}

static bool bake_key(struct bake *bake, double time_s, float *out, struct error *err) {
	const struct rig *rig = bake->rig;
	struct arena *arena = arena_create();
	struct pose pose = pose_rest(rig, arena);
	double(*world)[12] = arena_alloc(arena, (size_t)rig->joint_count, sizeof *world);
	double(*matrices)[12] = arena_alloc(arena, (size_t)rig->slot_count, sizeof *matrices);
	clip_sample(rig, bake->clip, time_s, &pose);
	pose_to_moving(rig, &pose, world);
	palette_build(rig, (const double(*)[12])world, matrices);
	const struct prepare_job job = {
		.rig = rig,
		.matrices = (const double(*)[12])matrices,
		.world = (const double(*)[12])world,
		.local = pose.local,
		.arena = arena,
	};
	struct skin_palette palette;
	const bool ok = skin_plan_prepare(&bake->plan, &job, &palette, err);
	if (ok) {
		run(bake, &pose, &palette, out);
	}
	arena_destroy(arena);
	return ok;
}

static struct skin_data *bake_keys(
	const struct derive_job *job, struct bake *bake, struct error *err) {
	const size_t lengths[KEYFRAMES_SECTIONS] = {
		[KEYFRAMES_TIMES] = bake->count * sizeof *bake->times / sizeof(uint32_t),
		[KEYFRAMES_STREAMS] = bake->count * bake->stride,
	};
	struct skin_data *data = skin_data_create(lengths, KEYFRAMES_SECTIONS, err);
	if (!data) {
		return NULL;
	}
	memcpy(skin_data_words(data, KEYFRAMES_TIMES), bake->times,
		bake->count * sizeof *bake->times);
	for (size_t i = 0; i < bake->count; i++) {
		float *out = skin_data_floats(data, KEYFRAMES_STREAMS) + i * bake->stride;
		if (!stop_check(job->stop, err) || !bake_key(bake, bake->times[i], out, err)) {
			skin_data_release(data);
			return NULL;
		}
		atomic_store(&job->progress->share, (float)(i + 1) / (float)bake->count);
	}
	return data;
}

static struct skin_data *derive(const struct derive_job *job, struct error *err) {
	const struct rig *rig = job->rig;
	const double rate = job->options->values[KEYFRAMES_RATE];
	const size_t vertices = (size_t)rig->vertex_count;
	struct bake bake = {
		.rig = rig,
		.clip = &rig->clips[job->clip],
		.stride = vertices * (rig->tangents ? 10 : 6),
	};
	struct skin_data *data = NULL;
	if ((rate > 0 ? add_even_times(&bake, rate, err) : add_key_times(&bake, err)) &&
		make_plan(job, &bake, err)) {
		bake.morphed = xcalloc(bake.stride + 1, sizeof *bake.morphed);
		bake.spare = xcalloc(vertices * 6 + 1, sizeof *bake.spare);
		data = bake_keys(job, &bake, err);
	}
	skin_data_release(bake.plan.base.data);
	free(bake.times);
	free(bake.morphed);
	free(bake.spare);
	return data;
}

const struct skin_recipe keyframes_recipe = {
	.name = "vertex_keyframe",
	.version = 1,
	.needs_clip = true,
	.derive = derive,
};
