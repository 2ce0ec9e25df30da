// Joints over all samples of a clip: transforms, steps, excursions and chords.
#include "check/tracks.h"

#include <math.h>

#include "base/quat.h"
#include "base/vec.h"

struct check_tracks {
	struct check_track track;
	struct check_transform *local;
	double *step_r, *step_t, *excursion_r, *excursion_t, *chord_r, *chord_t;
	double (*deviation)[3];
};

struct check_tracks *check_tracks_create(
	const struct check_asset *asset, const struct check_clip *clip, struct arena *arena) {
	const size_t count = (size_t)clip->count;
	struct check_tracks *tracks = arena_alloc(arena, 1, sizeof *tracks);
	double *numbers = arena_alloc(arena, count * 6, sizeof *numbers);
	*tracks = (struct check_tracks){
		.local = arena_alloc(arena, count, sizeof *tracks->local),
		.step_r = numbers,
		.step_t = numbers + count,
		.excursion_r = numbers + 2 * count,
		.excursion_t = numbers + 3 * count,
		.chord_r = numbers + 4 * count,
		.chord_t = numbers + 5 * count,
		.deviation = arena_alloc(arena, count, sizeof *tracks->deviation),
	};
	tracks->track = (struct check_track){
		.asset = asset,
		.clip = clip,
		.count = clip->count,
		.local = tracks->local,
		.step_r = tracks->step_r,
		.step_t = tracks->step_t,
		.excursion_r = tracks->excursion_r,
		.excursion_t = tracks->excursion_t,
		.chord_r = tracks->chord_r,
		.chord_t = tracks->chord_t,
		.deviation = (const double(*)[3])tracks->deviation,
	};
	return tracks;
}

/* The lengths that a rotation, a translation and a change of scale are worth; 0 for STEP channels.
 */
struct worth {
	double rotation, translation, scale;
};

static struct worth worth_of(const struct check_track *track) {
	const unsigned stepped = track->clip->stepped[track->joint];
	return (struct worth){
		.rotation = stepped & 1u << CHANNEL_ROTATION ? 0 : track->reach,
		.translation = stepped & 1u << CHANNEL_TRANSLATION ? 0 : track->scale,
		.scale = stepped & 1u << CHANNEL_SCALE ? 0 : track->reach,
	};
}

/* Length of a way and of a change of scale together. */
static double move(
	const struct worth *worth, const double way[static 3], const double change[static 3]) {
	const double scale = fmax(fmax(fabs(change[0]), fabs(change[1])), fabs(change[2]));
	return vec3_length(way) * worth->translation + scale * worth->scale;
}

static double move_between(const struct worth *worth, const struct check_transform *a,
	const struct check_transform *b) {
	double way[3], change[3];
	vec3_sub(b->t, a->t, way);
	vec3_sub(b->s, a->s, change);
	return move(worth, way, change);
}

/* The distance of a sample from the middle of its neighbours. */
static double move_from_middle(const struct worth *worth, const struct check_transform *at) {
	double way[3], change[3];
	for (int i = 0; i < 3; i++) {
		way[i] = at->t[i] - 0.5 * (at[-1].t[i] + at[1].t[i]);
		change[i] = at->s[i] - 0.5 * (at[-1].s[i] + at[1].s[i]);
	}
	return move(worth, way, change);
}

static void fill_inner(struct check_tracks *tracks, const struct worth *worth, int f) {
	const struct check_transform *at = &tracks->local[f];
	double middle[4], log[3];
	quat_slerp(at[-1].q, at[1].q, 0.5, middle);
	check_log(middle, at->q, log);
	vec3_scale(log, worth->rotation, tracks->deviation[f]);
	tracks->excursion_r[f] = check_chord(middle, at->q) * worth->rotation;
	tracks->excursion_t[f] = move_from_middle(worth, at);
	tracks->chord_r[f] = 0.5 * check_chord(at[-1].q, at[1].q) * worth->rotation;
	tracks->chord_t[f] = 0.5 * move_between(worth, &at[-1], &at[1]);
}

const struct check_track *check_tracks_joint(struct check_tracks *tracks, int joint) {
	struct check_track *track = &tracks->track;
	track->joint = joint;
	track->reach = track->asset->reach[joint];
	track->scale = track->asset->translation_scale[joint];
	const struct worth worth = worth_of(track);
	for (int f = 0; f < track->count; f++) {
		check_clip_sample(track->asset, track->clip, joint, check_clip_time(track->clip, f),
			&tracks->local[f]);
	}
	for (int f = 0; f + 1 < track->count; f++) {
		const struct check_transform *at = &tracks->local[f];
		tracks->step_r[f] = check_chord(at[0].q, at[1].q) * worth.rotation;
		tracks->step_t[f] = move_between(&worth, &at[0], &at[1]);
	}
	for (int f = 1; f + 1 < track->count; f++) {
		fill_inner(tracks, &worth, f);
	}
	return track;
}
