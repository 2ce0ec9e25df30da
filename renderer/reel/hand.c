// Frames of a sequence, drawn by one renderer: a still is skinned once for all places that it is
// drawn from one after another.
#include "reel/hand.h"

#include "base/clock.h"
#include "picture/frame.h"
#include "picture/picture.h"
#include "reel/reel.h"
#include "skinned/prepare.h"
#include "state/counters.h"
#include "state/state.h"

struct reel_hand reel_hand_begin(struct renderer *renderer, struct reel *reel) {
	return (struct reel_hand){
		.renderer = renderer,
		.reel = reel,
		.arena = arena_create(),
		.still = SIZE_MAX,
		.frame = reel->job.frame,
	};
}

static void drop_still(struct reel_hand *hand) {
	if (hand->still != SIZE_MAX) {
		prepared_finish(&hand->prepared);
		hand->still = SIZE_MAX;
	}
}

void reel_hand_end(struct reel_hand *hand) {
	drop_still(hand);
	arena_destroy(hand->arena);
}

/* What was used is the same for all; what it took adds up. */
static void add_report(struct reel_hand *hand) {
	const struct skinning_report before = hand->report;
	hand->report = prepared_report(&hand->prepared);
	hand->report.flags |= before.flags;
	hand->report.vertices += before.vertices;
	hand->report.times = before.times;
	hand->report.times.pose_s += clock_lap_s(&hand->mark);
}

bool reel_hand_prepare(struct reel_hand *hand, size_t frame, struct error *err) {
	const size_t still = frame % hand->reel->still_count;
	hand->mark = clock_now_s();
	// Where there are several, each follows the one before it, whichever hand has that.
	if (hand->still == still && hand->reel->still_count == 1) {
		return true;
	}
	drop_still(hand);
	arena_reset(hand->arena);
	if (!reel_prepare(hand->renderer, hand->reel, still, hand->arena, &hand->prepared, err)) {
		return false;
	}
	hand->still = still;
	hand->skinned = false;
	hand->frame.subject.pose = hand->reel->stills[still].pose;
	hand->frame.subject.clock_s = hand->reel->stills[still].time_s;
	add_report(hand);
	return true;
}

/* Skins what was prepared, unless it is skinned already. */
static bool skin(struct reel_hand *hand, struct error *err) {
	if (hand->skinned) {
		return true;
	}
	const bool fine = frame_skin(
		hand->renderer, &hand->frame, &hand->prepared, hand->arena, &hand->figure, err);
	hand->figure.footing = hand->reel->footing;
	hand->report.times.skin_s += clock_lap_s(&hand->mark);
	prepared_add_outcome(&hand->prepared, &hand->report);
	if (fine) {
		counters_add_skinned(
			hand->renderer, hand->report.method, hand->prepared.rig->vertex_count);
	}
	hand->skinned = fine;
	return fine;
}

/* Makes what the format takes of what was drawn. */
static void finish_pixels(struct reel_hand *hand, unsigned char *rgba) {
	const struct picture_settings *picture = &hand->frame.picture;
	if (hand->reel->settings.grey16) {
		picture_to_grey16(picture, rgba, &hand->report);
	} else {
		picture_to_colors(picture, rgba, &hand->report);
	}
}

bool reel_hand_draw(struct reel_hand *hand, size_t frame, unsigned char *rgba, struct error *err) {
	struct reel *reel = hand->reel;
	struct camera camera;
	hand->mark = clock_now_s();
	const bool drawn = stop_check(reel->job.frame.subject.stop, err) && skin(hand, err) &&
		reel_camera(hand->renderer, reel, frame, &hand->prepared, &hand->figure, &camera,
			err) &&
		frame_draw(hand->renderer, &hand->frame, &hand->figure, &camera, &hand->mark, rgba,
			&hand->report, err);
	if (drawn) {
		finish_pixels(hand, rgba);
		counters_add(&hand->renderer->counters.frames_drawn, 1);
	}
	return drawn;
}
