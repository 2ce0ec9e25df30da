// Samples of a clip whose poses differ the most.
#include "check/pose_choice.h"

#include <math.h>

#include "pose/sample/sampler.h"

/* Samples that are chosen from: so many times as many as are wanted. */
#define FACTOR 4

struct candidates {
	const struct check_asset *asset;
	int count;
	int *samples;                       // [count] of the clip
	const struct check_posture **poses; // [count]
	double *distances;                  // [count] from the nearest one chosen
};

static struct candidates find_candidates(const struct check_asset *asset,
	const struct check_clip *clip, int most, struct arena *scratch) {
	const int all = (clip->count - 1) / clip->surface_stride + 1;
	const int stride = (all + most - 1) / most;
	struct candidates out = {
		.asset = asset,
		.samples = arena_alloc(scratch, (size_t)most, sizeof *out.samples),
		.poses = arena_alloc(scratch, (size_t)most, sizeof *out.poses),
		.distances = arena_alloc(scratch, (size_t)most, sizeof *out.distances),
	};
	struct pose pose = pose_rest(asset->rig, scratch);
	for (int i = 0; i < all; i += stride) {
		const int at = out.count++;
		out.samples[at] = i * clip->surface_stride;
		out.distances[at] = INFINITY;
		pose_set_rest(asset->rig, 0, &pose);
		clip_sample(asset->rig, clip->clip, check_clip_time(clip, out.samples[at]), &pose);
		out.poses[at] = check_posture_make(asset, &pose, scratch);
	}
	return out;
}

static void choose(const struct candidates *candidates, int chosen) {
	for (int i = 0; i < candidates->count; i++) {
		candidates->distances[i] = fmin(candidates->distances[i],
			check_posture_distance(candidates->asset, candidates->poses[chosen],
				candidates->poses[i], candidates->distances[i], NULL));
	}
}

const bool *check_choose_samples(const struct check_asset *asset, const struct check_clip *clip,
	int most, int *count, struct arena *arena) {
	struct arena *scratch = arena_create();
	bool *flags = arena_alloc(arena, (size_t)clip->count, sizeof *flags);
	const struct candidates candidates = find_candidates(asset, clip, FACTOR * most, scratch);
	int next = 0;
	for (*count = 0; *count < most && candidates.distances[next] > 0; ++*count) {
		flags[candidates.samples[next]] = true;
		choose(&candidates, next);
		for (int i = 0; i < candidates.count; i++) {
			next = candidates.distances[i] > candidates.distances[next] ? i : next;
		}
	}
	arena_destroy(scratch);
	return flags;
}
