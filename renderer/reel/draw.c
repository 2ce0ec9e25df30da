// A piece of a sequence: several may draw at it, and its frames are packed while others are drawn.
#include "base/clock.h"
#include "reel/reel.h"
#include "state/context.h"

/* A piece under way. */
struct piece_work {
	struct reel *reel;
	const struct reel_piece *piece;
	struct reel_line line;
	double until_s;
	pthread_mutex_t order; // guards what follows: frames are taken, and their poses prepared,
			       // one after another
	size_t taken;
	struct skinning_report *report;
};

static size_t frames_in_all(const struct reel *reel) {
	const size_t passes = reel->job.passes, count = reel->settings.count;
	return passes > 0 && count <= SIZE_MAX / passes ? count * passes : SIZE_MAX;
}

static bool is_enough(struct piece_work *work) {
	const struct reel_piece *piece = work->piece;
	const size_t taken = work->taken;
	return work->reel->next >= frames_in_all(work->reel) ||
		(taken > 0 &&
			((piece->frames > 0 && taken >= piece->frames) ||
				(piece->seconds > 0 && clock_now_s() >= work->until_s) ||
				(piece->bytes > 0 &&
					reel_line_bytes(&work->line) >= piece->bytes)));
}

/* A frame that a hand has taken. */
struct taken {
	size_t place; // in the line
	size_t frame; // of the sequence
	unsigned char *rgba;
};

/* Takes the next frame and prepares its pose; false when there is none. Under the order. */
static bool take(struct piece_work *work, struct reel_hand *hand, struct taken *taken, bool *fine,
	struct error *err) {
	struct reel *reel = work->reel;
	if (is_enough(work) || !(taken->rgba = reel_line_take(&work->line))) {
		return false;
	}
	taken->place = work->taken++;
	taken->frame = reel->next++ % reel->settings.count;
	*fine = reel_hand_prepare(hand, taken->frame, err);
	return true;
}

static bool draw_next(struct piece_work *work, struct reel_hand *hand) {
	struct taken taken;
	struct error err = {0};
	bool fine = false;
	pthread_mutex_lock(&work->order);
	const bool there = take(work, hand, &taken, &fine, &err);
	pthread_mutex_unlock(&work->order);
	if (!there) {
		return false;
	}
	// Before the frame is given: what a lost context has drawn is no picture.
	fine = context_settle(
		hand->renderer, fine && reel_hand_draw(hand, taken.frame, taken.rgba, &err), &err);
	reel_line_give(&work->line, taken.place, fine ? NULL : &err);
	return fine;
}

static void add_report(struct piece_work *work, const struct reel_hand *hand) {
	struct skinning_report *sum = work->report;
	const struct skinning_report *own = &hand->report;
	pthread_mutex_lock(&work->order);
	if (own->method && !sum->method) {
		*sum = *own;
	} else if (own->method) {
		sum->flags |= own->flags;
		sum->vertices += own->vertices;
		sum->times.pose_s += own->times.pose_s;
		sum->times.skin_s += own->times.skin_s;
		sum->times.draw_s += own->times.draw_s;
		sum->times.read_s += own->times.read_s;
	}
	pthread_mutex_unlock(&work->order);
}

/* What a thread does that helps. False when its context was lost. */
static bool help_out(void *task, struct renderer *renderer) {
	struct piece_work *work = task;
	const struct reel_help *help = work->piece->help;
	if (!reel_line_join(&work->line)) {
		return true;
	}
	struct reel_hand hand = reel_hand_begin(renderer, work->reel);
	while (!renderer_is_lost(renderer) && !help->is_wanted(help->context) &&
		draw_next(work, &hand)) {
	}
	add_report(work, &hand);
	reel_hand_end(&hand);
	reel_line_leave(&work->line);
	return !renderer_is_lost(renderer);
}

/* Draws until it is enough, with whoever helps. */
static void draw_all(struct piece_work *work, struct reel_hand *hand) {
	const struct reel_help *help = work->piece->help;
	while (draw_next(work, hand)) {
		if (help) {
			help->ask(help->context, help_out, work);
		}
	}
	if (help) {
		help->end(help->context);
	}
	add_report(work, hand);
}

static bool draw_piece(struct piece_work *work, struct renderer *renderer, struct buffer *out,
	size_t *frames, struct error *err) {
	struct reel *reel = work->reel;
	const size_t first = reel->next;
	if (!reel_line_begin(&work->line, reel, out, err)) {
		return false;
	}
	struct reel_hand hand = reel_hand_begin(renderer, reel);
	pthread_mutex_init(&work->order, NULL);
	draw_all(work, &hand);
	pthread_mutex_destroy(&work->order);
	reel_hand_end(&hand);
	const bool fine = reel_line_end(&work->line, frames, err);
	work->report->times.encode_s += work->line.encode_s;
	// What was drawn behind a frame that failed is drawn once more, should it go on.
	reel->next = first + *frames;
	return fine;
}

bool renderer_reel_draw(struct renderer *renderer, struct reel *reel,
	const struct reel_piece *piece, struct buffer *out, size_t *frames, bool *done,
	struct skinning_report *report, struct error *err) {
	struct piece_work work = {
		.reel = reel,
		.piece = piece,
		.until_s = clock_now_s() + piece->seconds,
		.report = report,
	};
	*report = (struct skinning_report){0};
	*frames = 0;
	if (!reel->sequence) {
		reel->sequence = reel->job.format->open(&reel->settings, out, err);
	}
	bool fine = reel->sequence && context_check(renderer, err) &&
		draw_piece(&work, renderer, out, frames, err);
	*done = reel->next >= frames_in_all(reel);
	if (fine && *done) {
		fine = reel->job.format->end(reel->sequence, out, err);
	}
	return fine;
}

void renderer_reel_skip(struct reel *reel, size_t frames) {
	const size_t left = frames_in_all(reel) - reel->next;
	reel->next += frames < left ? frames : left - 1;
}
