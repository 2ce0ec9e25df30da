// One piece of a sequence: several workers draw frames while one thread encodes them.
#include "base/clock.h"
#include "sequence/sequence_render.h"
#include "state/context.h"

/* The state of a piece. */
struct piece_work {
	struct sequence *sequence;
	const struct sequence_piece *piece;
	struct encode_queue queue;
	double until_s;
	pthread_mutex_t order; // guards the members below: frames are taken and their poses
			       // prepared one after another
	size_t taken;
	struct skinning_report *report;
};

static size_t frames_in_all(const struct sequence *sequence) {
	const size_t passes = sequence->job.passes, count = sequence->settings.count;
	return passes > 0 && count <= SIZE_MAX / passes ? count * passes : SIZE_MAX;
}

static bool is_enough(struct piece_work *work) {
	const struct sequence_piece *piece = work->piece;
	const size_t taken = work->taken;
	return work->sequence->next >= frames_in_all(work->sequence) ||
		(taken > 0 &&
			((piece->frames > 0 && taken >= piece->frames) ||
				(piece->seconds > 0 && clock_now_s() >= work->until_s) ||
				(piece->bytes > 0 &&
					encode_queue_bytes(&work->queue) >= piece->bytes)));
}

/* A frame that a worker has taken. */
struct taken {
	size_t index; // in the queue
	size_t frame; // of the sequence
	unsigned char *rgba;
};

/* Takes the next frame and prepares its pose; false when there is none. With work->order held. */
static bool take(struct piece_work *work, struct sequence_worker *worker, struct taken *taken,
	bool *ok, struct error *err) {
	struct sequence *sequence = work->sequence;
	if (is_enough(work) || !(taken->rgba = encode_queue_take(&work->queue))) {
		return false;
	}
	taken->index = work->taken++;
	taken->frame = sequence->next++ % sequence->settings.count;
	*ok = sequence_worker_prepare(worker, taken->frame, err);
	return true;
}

static bool draw_next(struct piece_work *work, struct sequence_worker *worker) {
	struct taken taken;
	struct error err = {0};
	bool ok = false;
	pthread_mutex_lock(&work->order);
	const bool there = take(work, worker, &taken, &ok, &err);
	pthread_mutex_unlock(&work->order);
	if (!there) {
		return false;
	}
	// Checked before the frame is handed over: a lost context leaves no valid picture.
	ok = context_settle(worker->renderer,
		ok && sequence_worker_draw(worker, taken.frame, taken.rgba, &err), &err);
	encode_queue_give(&work->queue, taken.index, ok ? NULL : &err);
	return ok;
}

static void add_report(struct piece_work *work, const struct sequence_worker *worker) {
	struct skinning_report *sum = work->report;
	const struct skinning_report *own = &worker->report;
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

/* Runs on a helper thread. False when its context was lost. */
static bool help_out(void *task, struct renderer *renderer) {
	struct piece_work *work = task;
	const struct sequence_help *help = work->piece->help;
	if (!encode_queue_join(&work->queue)) {
		return true;
	}
	struct sequence_worker worker = sequence_worker_begin(renderer, work->sequence);
	while (!renderer_is_lost(renderer) && !help->is_wanted(help->context) &&
		draw_next(work, &worker)) {
	}
	add_report(work, &worker);
	sequence_worker_end(&worker);
	encode_queue_leave(&work->queue);
	return !renderer_is_lost(renderer);
}

/* Draws until the piece is complete, with all threads that help. */
static void draw_all(struct piece_work *work, struct sequence_worker *worker) {
	const struct sequence_help *help = work->piece->help;
	while (draw_next(work, worker)) {
		if (help) {
			help->ask(help->context, help_out, work);
		}
	}
	if (help) {
		help->end(help->context);
	}
	add_report(work, worker);
}

static bool draw_piece(struct piece_work *work, struct renderer *renderer, struct buffer *out,
	size_t *frames, struct error *err) {
	struct sequence *sequence = work->sequence;
	const size_t first = sequence->next;
	if (!encode_queue_begin(&work->queue, sequence, out, err)) {
		return false;
	}
	struct sequence_worker worker = sequence_worker_begin(renderer, sequence);
	pthread_mutex_init(&work->order, NULL);
	draw_all(work, &worker);
	pthread_mutex_destroy(&work->order);
	sequence_worker_end(&worker);
	const bool ok = encode_queue_end(&work->queue, frames, err);
	work->report->times.encode_s += work->queue.encode_s;
	// Frames drawn after one that failed are drawn again if the sequence continues.
	sequence->next = first + *frames;
	return ok;
}

bool renderer_sequence_draw(struct renderer *renderer, struct sequence *sequence,
	const struct sequence_piece *piece, struct buffer *out, size_t *frames, bool *done,
	struct skinning_report *report, struct error *err) {
	struct piece_work work = {
		.sequence = sequence,
		.piece = piece,
		.until_s = clock_now_s() + piece->seconds,
		.report = report,
	};
	*report = (struct skinning_report){0};
	*frames = 0;
	if (!sequence->file) {
		sequence->file = sequence->job.format->open(&sequence->settings, out, err);
	}
	bool ok = sequence->file && context_check(renderer, err) &&
		draw_piece(&work, renderer, out, frames, err);
	*done = sequence->next >= frames_in_all(sequence);
	if (ok && *done) {
		ok = sequence->job.format->end(sequence->file, out, err);
	}
	return ok;
}

void renderer_sequence_skip(struct sequence *sequence, size_t frames) {
	const size_t left = frames_in_all(sequence) - sequence->next;
	sequence->next += frames < left ? frames : left - 1;
}
