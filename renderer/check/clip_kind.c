// Kinds of clips, by their names and by where they end.
#include "check/clip_kind.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "pose/sample/sampler.h"

/* Words within names, whatever their case. */
static const char *const looping[] = {"idle", "walk", "run", "move", "loop", "cycle", "trot",
	"gallop", "fly", "flap", "swim", "crawl", "strafe", NULL};
static const char *const not_looping[] = {"_to_", "jump", "start", "end", "stop", "land", "death",
	"attack", "pose", "bite", "hit", "kick", NULL};
static const char *const in_the_air[] = {
	"fly", "flap", "glid", "swim", "jump", "fall", "float", "air", "climb", "spawn", NULL};
static const char *const holding_still[] = {"pose", "rest", "static", "reset", "bind", NULL};

/* A likely loop's seam is below this share of its range, which is above this share of L. */
#define LIKELY_SEAM 0.1
#define LIKELY_RANGE 0.02

/* Samples that the range is taken of. */
#define RANGE_SAMPLES 24

static bool has_word(const char *name, const char *const *words) {
	for (int i = 0; words[i]; i++) {
		if (strcasestr(name, words[i])) {
			return true;
		}
	}
	return false;
}

static bool is_listed(const char *name, check_globs globs) {
	for (int i = 0; globs && globs[i]; i++) {
		if (check_glob(globs[i], name)) {
			return true;
		}
	}
	return false;
}

struct pose check_clip_pose(const struct check_asset *asset, const struct check_clip *clip,
	double time_s, struct arena *arena) {
	struct pose pose = pose_rest(asset->rig, arena);
	clip_sample(asset->rig, clip->clip, time_s, &pose);
	return pose;
}

static struct check_transform to_doubles(const struct transform *from) {
	struct check_transform to;
	for (int i = 0; i < 3; i++) {
		to.t[i] = (double)from->translation[i];
		to.s[i] = (double)from->scale[i];
	}
	for (int i = 0; i < 4; i++) {
		to.q[i] = (double)from->rotation[i];
	}
	return to;
}

struct check_posture *check_posture_make(
	const struct check_asset *asset, const struct pose *pose, struct arena *arena) {
	const size_t joints = (size_t)asset->rig->joint_count;
	struct check_posture *posture = arena_alloc(arena, joints, sizeof *posture);
	for (size_t i = 0; i < joints; i++) {
		if (asset->active[i] && asset->in_root[i]) {
			double world[12];
			pose_joint_world(asset->rig, pose, (int)i, world);
			posture[i].height = world[7];
		} else if (asset->active[i]) {
			posture[i].local = to_doubles(&pose->local[i]);
		}
	}
	return posture;
}

double check_posture_distance(const struct check_asset *asset, const struct check_posture *a,
	const struct check_posture *b, double enough, int *joint) {
	double greatest = 0;
	int at = -1;
	for (int i = 0; i < asset->rig->joint_count && !(greatest >= enough); i++) {
		if (!asset->active[i]) {
			continue;
		}
		const double distance = asset->in_root[i]
			? fabs(a[i].height - b[i].height)
			: check_joint_distance_of(asset, i, &a[i].local, &b[i].local);
		if (distance > greatest || at < 0) {
			greatest = distance;
			at = i;
		}
	}
	if (joint) {
		*joint = at;
	}
	return greatest;
}

double check_pose_distance(
	const struct check_asset *asset, const struct pose *a, const struct pose *b, int *joint) {
	struct arena *scratch = arena_create();
	const struct check_posture *first = check_posture_make(asset, a, scratch);
	const double distance = check_posture_distance(
		asset, first, check_posture_make(asset, b, scratch), INFINITY, joint);
	arena_destroy(scratch);
	return distance;
}

static void measure_loop(const struct check_asset *asset, struct check_clip *clip) {
	struct arena *scratch = arena_create();
	const struct pose first = check_clip_pose(asset, clip, clip->start_s, scratch);
	const struct pose last = check_clip_pose(asset, clip, clip->end_s, scratch);
	struct pose pose = pose_rest(asset->rig, scratch);
	const int stride = clip->count / RANGE_SAMPLES > 1 ? clip->count / RANGE_SAMPLES : 1;
	clip->seam = check_pose_distance(asset, &last, &first, NULL);
	for (int i = 0; i < clip->count && stop_check(asset->stop, NULL); i += stride) {
		pose_set_rest(asset->rig, 0, &pose);
		clip_sample(asset->rig, clip->clip, check_clip_time(clip, i), &pose);
		clip->range = fmax(clip->range, check_pose_distance(asset, &first, &pose, NULL));
	}
	arena_destroy(scratch);
}

void check_find_kind(const struct check_asset *asset, struct check_clip *clip) {
	const struct check_settings *settings = &asset->profile->settings;
	clip->loop = is_listed(clip->name, settings->loops) ||
		(has_word(clip->name, looping) && !has_word(clip->name, not_looping));
	clip->airborne =
		is_listed(clip->name, settings->airborne) || has_word(clip->name, in_the_air);
	clip->meant_still =
		is_listed(clip->name, settings->still) || has_word(clip->name, holding_still);
	clip->still = clip->meant_still || !(clip->end_s > clip->start_s);
	measure_loop(asset, clip);
	clip->likely_loop = !clip->loop && clip->range > LIKELY_RANGE * asset->length &&
		clip->seam < LIKELY_SEAM * clip->range;
}
