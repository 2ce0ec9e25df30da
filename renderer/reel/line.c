// A thread that packs the frames of a sequence in their order while others are drawn.
#include "reel/line.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "picture/picture.h"

static struct reel_slot *slot_at(struct reel_line *line, size_t place) {
	return &line->slots[place % REEL_LINE_SLOTS];
}

static bool pack(struct reel_line *line, const unsigned char *rgba, struct error *err) {
	const struct reel *reel = line->reel;
	const struct sequence_format *format = reel->job.format;
	struct buffer packed = {0};
	const bool fine = format->pack(&reel->settings, rgba, &packed, err) &&
		format->add(reel->sequence, &packed, line->out, err);
	buffer_finish(&packed);
	return fine;
}

/* Of several that failed the first in the sequence tells. With the mutex. */
static void fail(struct reel_line *line, size_t place, const struct error *err) {
	if (place < line->failed_at) {
		line->failed_at = place;
		line->err = *err;
	}
}

/* Waits for the next frame; false when there will be none. With the mutex. */
static bool wait_for_frame(struct reel_line *line) {
	struct reel_slot *slot = slot_at(line, line->packed);
	while (!slot->drawn && !line->ending && line->packed < line->failed_at) {
		pthread_cond_wait(&line->changed, &line->mutex);
	}
	return slot->drawn && line->packed < line->failed_at;
}

static void *work(void *context) {
	struct reel_line *line = context;
	pthread_mutex_lock(&line->mutex);
	while (wait_for_frame(line)) {
		struct reel_slot *slot = slot_at(line, line->packed);
		struct error err = {0};
		pthread_mutex_unlock(&line->mutex);
		double mark = clock_now_s();
		const bool fine = pack(line, slot->rgba, &err);
		pthread_mutex_lock(&line->mutex);
		line->encode_s += clock_lap_s(&mark);
		line->bytes = line->out->size;
		slot->drawn = false;
		if (fine) {
			line->packed++;
		} else {
			fail(line, line->packed, &err);
		}
		pthread_cond_broadcast(&line->changed);
	}
	pthread_mutex_unlock(&line->mutex);
	return NULL;
}

static void finish(struct reel_line *line) {
	for (int i = 0; i < REEL_LINE_SLOTS; i++) {
		free(line->slots[i].rgba);
	}
	pthread_cond_destroy(&line->changed);
	pthread_mutex_destroy(&line->mutex);
}

bool reel_line_begin(
	struct reel_line *line, const struct reel *reel, struct buffer *out, struct error *err) {
	*line = (struct reel_line){
		.reel = reel, .out = out, .bytes = out->size, .hands = 1, .failed_at = SIZE_MAX};
	pthread_mutex_init(&line->mutex, NULL);
	pthread_cond_init(&line->changed, NULL);
	const int failure = pthread_create(&line->thread, NULL, work, line);
	if (failure) {
		finish(line);
		return error_set(err, ERROR_OVERLOADED, "no thread to pack the frames: %s",
			strerror(failure));
	}
	return true;
}

bool reel_line_join(struct reel_line *line) {
	pthread_mutex_lock(&line->mutex);
	const bool joins = line->hands < REEL_HANDS_MAX;
	line->hands += joins;
	pthread_mutex_unlock(&line->mutex);
	return joins;
}

void reel_line_leave(struct reel_line *line) {
	pthread_mutex_lock(&line->mutex);
	line->hands--;
	pthread_mutex_unlock(&line->mutex);
}

unsigned char *reel_line_take(struct reel_line *line) {
	pthread_mutex_lock(&line->mutex);
	// Each hand has a frame, and one more is packed.
	while (line->failed_at == SIZE_MAX && line->taken - line->packed > line->hands) {
		pthread_cond_wait(&line->changed, &line->mutex);
	}
	struct reel_slot *slot = line->failed_at == SIZE_MAX ? slot_at(line, line->taken++) : NULL;
	pthread_mutex_unlock(&line->mutex);
	if (slot && !slot->rgba) {
		slot->rgba = picture_memory(&line->reel->job.frame.picture);
	}
	return slot ? slot->rgba : NULL;
}

void reel_line_give(struct reel_line *line, size_t place, const struct error *err) {
	pthread_mutex_lock(&line->mutex);
	if (err) {
		fail(line, place, err);
	}
	slot_at(line, place)->drawn = !err;
	pthread_cond_broadcast(&line->changed);
	pthread_mutex_unlock(&line->mutex);
}

size_t reel_line_bytes(struct reel_line *line) {
	pthread_mutex_lock(&line->mutex);
	const size_t bytes = line->bytes;
	pthread_mutex_unlock(&line->mutex);
	return bytes;
}

bool reel_line_end(struct reel_line *line, size_t *packed, struct error *err) {
	pthread_mutex_lock(&line->mutex);
	line->ending = true;
	pthread_cond_broadcast(&line->changed);
	pthread_mutex_unlock(&line->mutex);
	pthread_join(line->thread, NULL);
	const bool fine = line->failed_at == SIZE_MAX;
	if (!fine && err) {
		*err = line->err;
	}
	*packed = line->packed;
	finish(line);
	return fine;
}
