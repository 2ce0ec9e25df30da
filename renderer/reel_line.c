// A thread that packs the frames of a sequence while others are drawn.
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "reel_internal.h"

static unsigned char *slot_at(const struct reel_line *line, size_t frame) {
	return line->slots[frame % REEL_LINE_SLOTS];
}

static bool pack(struct reel_line *line, const unsigned char *rgba) {
	const struct reel *reel = line->reel;
	const struct sequence_format *format = reel->job.format;
	struct buffer packed = {0};
	const bool fine = format->pack(&reel->settings, rgba, &packed, &line->err) &&
		format->add(reel->sequence, &packed, line->out, &line->err);
	buffer_finish(&packed);
	return fine;
}

/* Waits for a frame; false when there will be none. With the mutex. */
static bool wait_for_frame(struct reel_line *line) {
	while (line->packed == line->drawn && !line->ending) {
		pthread_cond_wait(&line->changed, &line->mutex);
	}
	return line->packed < line->drawn;
}

static void *work(void *context) {
	struct reel_line *line = context;
	pthread_mutex_lock(&line->mutex);
	while (!line->failed && wait_for_frame(line)) {
		const unsigned char *rgba = slot_at(line, line->packed);
		pthread_mutex_unlock(&line->mutex);
		double mark = clock_now_s();
		const bool fine = pack(line, rgba);
		pthread_mutex_lock(&line->mutex);
		line->encode_s += clock_lap_s(&mark);
		line->bytes = line->out->size;
		line->packed++;
		line->failed = !fine;
		pthread_cond_signal(&line->changed);
	}
	pthread_mutex_unlock(&line->mutex);
	return NULL;
}

static void finish(struct reel_line *line) {
	for (int i = 0; i < REEL_LINE_SLOTS; i++) {
		free(line->slots[i]);
	}
	pthread_cond_destroy(&line->changed);
	pthread_mutex_destroy(&line->mutex);
}

bool reel_line_begin(
	struct reel_line *line, const struct reel *reel, struct buffer *out, struct error *err) {
	*line = (struct reel_line){.reel = reel, .out = out, .bytes = out->size};
	pthread_mutex_init(&line->mutex, NULL);
	pthread_cond_init(&line->changed, NULL);
	for (int i = 0; i < REEL_LINE_SLOTS; i++) {
		line->slots[i] = picture_memory(&reel->job.frame.picture);
	}
	const int failure = pthread_create(&line->thread, NULL, work, line);
	if (failure) {
		finish(line);
		return error_set(err, ERROR_OVERLOADED, "no thread to pack the frames: %s",
			strerror(failure));
	}
	return true;
}

unsigned char *reel_line_take(struct reel_line *line) {
	pthread_mutex_lock(&line->mutex);
	while (!line->failed && line->drawn - line->packed == REEL_LINE_SLOTS) {
		pthread_cond_wait(&line->changed, &line->mutex);
	}
	unsigned char *rgba = line->failed ? NULL : slot_at(line, line->drawn);
	pthread_mutex_unlock(&line->mutex);
	return rgba;
}

void reel_line_give(struct reel_line *line) {
	pthread_mutex_lock(&line->mutex);
	line->drawn++;
	pthread_cond_signal(&line->changed);
	pthread_mutex_unlock(&line->mutex);
}

size_t reel_line_bytes(struct reel_line *line) {
	pthread_mutex_lock(&line->mutex);
	const size_t bytes = line->bytes;
	pthread_mutex_unlock(&line->mutex);
	return bytes;
}

bool reel_line_end(struct reel_line *line, struct error *err) {
	pthread_mutex_lock(&line->mutex);
	line->ending = true;
	pthread_cond_signal(&line->changed);
	pthread_mutex_unlock(&line->mutex);
	pthread_join(line->thread, NULL);
	if (line->failed) {
		error_set(err, line->err.code, "%s", line->err.text);
	}
	finish(line);
	return !line->failed;
}
