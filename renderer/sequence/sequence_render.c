// Sequences of pictures: their creation, the workers that draw frames and the queue that encodes
// them.
#include "sequence/sequence_render.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "picture/frame.h"
#include "picture/picture.h"
#include "skinned/prepare.h"
#include "state/context.h"
#include "state/state.h"

/* Forgets the previous samples. */
static void begin_run(struct sequence *sequence) {
	arena_reset(sequence->notes);
	sequence->run = (struct pose_run){
		.arena = sequence->notes,
		.sources = sequence->job.frame.subject.sources,
		.stop = sequence->job.frame.subject.stop,
	};
	sequence->memory = (struct skin_memory){.arena = sequence->notes};
	sequence->sample = SIZE_MAX;
}

bool sequence_prepare(struct renderer *renderer, struct sequence *sequence, size_t sample,
	struct arena *arena, struct prepared *out, struct error *err) {
	const struct pose_sample *one = &sequence->samples[sample];
	const bool goes_on =
		sequence->sample < sample && one->pose == sequence->samples[sequence->sample].pose;
	if (!goes_on) {
		begin_run(sequence);
	}
	sequence->run.joints = 0; // each frame counts by itself
	struct prepare_params params = {
		.subject = sequence->job.frame.subject,
		.run = &sequence->run,
		.memory = &sequence->memory,
	};
	params.subject.pose = one->pose;
	params.subject.clock_s = one->time_s;
	if (!prepare(renderer, &params, arena, out, err)) {
		return false;
	}
	sequence->sample = sample;
	return true;
}

static bool check_format(struct sequence *sequence, struct error *err) {
	const struct picture_settings *picture = &sequence->job.frame.picture;
	const struct sequence_format *format = sequence->job.format;
	const bool lossy = format->is_lossy || (format->lossy_on_request && picture->lossy);
	sequence->settings = (struct sequence_settings){
		.width = picture->width,
		.height = picture->height,
		.count = sequence->sample_count * sequence->view_count,
		.fps = sequence->rate,
		.begins_s = sequence->begins_s,
		.rate_pointer = sequence->rate_pointer,
		.loops = sequence->job.frames.loops,
		.has_background = picture->background[3] == 1,
		.quality = picture->quality,
		.lossy = picture->lossy,
		.grey16 = picture_is_depth(picture) && format->supports_grey16 && !lossy,
		.near = picture->shading.near,
		.far = picture->shading.far,
		.columns = sequence->job.frames.columns,
		.max_bytes = sequence->job.max_bytes,
		.plain_colors = sequence->job.frames.plain_colors,
	};
	return sequence_check(format, &sequence->settings, err) &&
		picture_check_background(picture, err) &&
		(!sequence->settings.grey16 || picture_check_grey(picture, err)) &&
		(!lossy || picture_check_loss(picture, format->media_type, err));
}

void renderer_sequence_destroy(struct sequence *sequence) {
	if (sequence) {
		sequence->job.format->close(sequence->file);
		arena_destroy(sequence->notes);
		arena_destroy(sequence->arena);
		free(sequence);
	}
}

struct sequence_facts renderer_sequence_facts(const struct sequence *sequence) {
	const struct sheet_layout sheet = sequence_sheet_layout(&sequence->settings);
	return (struct sequence_facts){
		.count = sequence->settings.count,
		.pixels = (uint64_t)sequence->settings.count * (uint64_t)sequence->settings.width *
			(uint64_t)sequence->settings.height,
		.rate = sequence->rate,
		.begins_s = sequence->begins_s,
		.columns = sheet.columns,
		.rows = sheet.rows,
	};
}

double renderer_sequence_begin_s(const struct sequence *sequence, size_t frame) {
	const struct sequence_settings *settings = &sequence->settings;
	const double passes = (double)(frame / settings->count);
	return passes * sequence_begin_s(settings, settings->count) +
		sequence_begin_s(settings, frame % settings->count);
}

void renderer_sequence_set_map(struct sequence *sequence, const char *map) {
	sequence->settings.map = map;
}

/* Draws all frames of one pass, and finds the nearest and farthest visible depth. */
static bool find_depth_range(
	struct sequence_worker *worker, double *near, double *far, struct error *err) {
	unsigned char *rgba = picture_memory(&worker->frame.picture);
	bool ok = true;
	for (size_t i = 0; ok && i < worker->sequence->settings.count; i++) {
		ok = sequence_worker_prepare(worker, i, err) &&
			sequence_worker_draw(worker, i, rgba, err);
		const double begin = worker->report.depth_near, end = worker->report.depth_far;
		const bool is_empty = begin == 0 && end == 0;
		*near = is_empty ? *near : fmin(*near, begin);
		*far = is_empty ? *far : fmax(*far, end);
	}
	free(rgba);
	return ok;
}

/* Sets one depth range for all frames, so that a grey is the same distance in each. */
static bool measure_depth(struct renderer *renderer, struct sequence *sequence, struct error *err) {
	struct shading_settings *shading = &sequence->job.frame.picture.shading;
	if (shading->mode != SHADING_DEPTH || (shading->has_near && shading->has_far)) {
		return true;
	}
	struct sequence_worker worker = sequence_worker_begin(renderer, sequence);
	worker.frame.picture.shading.has_near = worker.frame.picture.shading.has_far = false;
	double near = INFINITY, far = -INFINITY;
	begin_run(sequence);
	const bool ok = find_depth_range(&worker, &near, &far, err);
	sequence_worker_end(&worker);
	if (near > far) {
		near = far = 0; // nothing is visible in any frame
	}
	// A requested end stays; the other one gives way.
	if (!shading->has_near) {
		shading->near = shading->has_far ? fmin(near, shading->far) : near;
	}
	if (!shading->has_far) {
		shading->far = fmax(far, shading->near);
	}
	shading->has_near = shading->has_far = true;
	sequence->settings.near = shading->near;
	sequence->settings.far = shading->far;
	return ok;
}

/* Sets one exposure for all frames, by the first. */
static bool measure_exposure(
	struct renderer *renderer, struct sequence *sequence, struct error *err) {
	struct look_settings *look = &sequence->job.frame.picture.look;
	if (!look->auto_exposure) {
		return true;
	}
	struct sequence_worker worker = sequence_worker_begin(renderer, sequence);
	unsigned char *rgba = picture_memory(&worker.frame.picture);
	begin_run(sequence);
	const bool ok = sequence_worker_prepare(&worker, 0, err) &&
		sequence_worker_draw(&worker, 0, rgba, err);
	free(rgba);
	look->exposure = worker.report.has_exposure ? worker.report.exposure : look->exposure;
	look->auto_exposure = false;
	sequence_worker_end(&worker);
	return ok;
}

struct sequence *renderer_sequence_create(
	struct renderer *renderer, const struct sequence_job *job, struct error *err) {
	struct sequence *sequence = xcalloc(1, sizeof *sequence);
	sequence->job = *job;
	camera_face(job->frame.subject.rig, &sequence->job.frame.picture.camera);
	sequence->arena = arena_create();
	sequence->notes = arena_create();
	begin_run(sequence);
	if (context_check(renderer, err) && picture_check(renderer, &job->frame.picture, err) &&
		picture_check_look(&job->frame.picture, job->frame.subject.rig, err) &&
		sequence_plan(sequence, err) && check_format(sequence, err) &&
		context_settle(renderer,
			sequence_fit_camera(renderer, sequence, err) &&
				measure_depth(renderer, sequence, err) &&
				measure_exposure(renderer, sequence, err),
			err)) {
		begin_run(sequence);
		return sequence;
	}
	renderer_sequence_destroy(sequence);
	return NULL;
}

struct sequence_worker sequence_worker_begin(struct renderer *renderer, struct sequence *sequence) {
	return (struct sequence_worker){
		.renderer = renderer,
		.sequence = sequence,
		.arena = arena_create(),
		.sample = SIZE_MAX,
		.frame = sequence->job.frame,
	};
}

static void drop_sample(struct sequence_worker *worker) {
	if (worker->sample != SIZE_MAX) {
		prepared_finish(&worker->prepared);
		worker->sample = SIZE_MAX;
	}
}

void sequence_worker_end(struct sequence_worker *worker) {
	drop_sample(worker);
	arena_destroy(worker->arena);
}

/* Methods and devices are the same for all frames; times add up. */
static void add_report(struct sequence_worker *worker) {
	const struct skinning_report before = worker->report;
	worker->report = prepared_report(&worker->prepared);
	worker->report.flags |= before.flags;
	worker->report.vertices += before.vertices;
	worker->report.times = before.times;
	worker->report.times.pose_s += clock_lap_s(&worker->mark);
}

bool sequence_worker_prepare(struct sequence_worker *worker, size_t frame, struct error *err) {
	const size_t sample = frame % worker->sequence->sample_count;
	worker->mark = clock_now_s();
	// With several samples, each one needs the state of the one before it, whichever worker has
	// that.
	if (worker->sample == sample && worker->sequence->sample_count == 1) {
		return true;
	}
	drop_sample(worker);
	arena_reset(worker->arena);
	if (!sequence_prepare(worker->renderer, worker->sequence, sample, worker->arena,
		    &worker->prepared, err)) {
		return false;
	}
	worker->sample = sample;
	worker->skinned = false;
	worker->frame.subject.pose = worker->sequence->samples[sample].pose;
	worker->frame.subject.clock_s = worker->sequence->samples[sample].time_s;
	add_report(worker);
	return true;
}

/* Skins what was prepared, unless it is skinned already. */
static bool skin(struct sequence_worker *worker, struct error *err) {
	if (worker->skinned) {
		return true;
	}
	const bool ok = frame_skin(worker->renderer, &worker->frame, &worker->prepared,
		worker->arena, &worker->figure, err);
	worker->figure.footing = worker->sequence->footing;
	worker->report.times.skin_s += clock_lap_s(&worker->mark);
	prepared_add_outcome(&worker->prepared, &worker->report);
	if (ok) {
		counters_add_skinned(worker->renderer, worker->report.method,
			worker->prepared.rig->vertex_count);
	}
	worker->skinned = ok;
	return ok;
}

/* Converts the drawn pixels to those that the format stores. */
static void finish_pixels(struct sequence_worker *worker, unsigned char *rgba) {
	const struct picture_settings *picture = &worker->frame.picture;
	if (worker->sequence->settings.grey16) {
		picture_to_grey16(picture, rgba, &worker->report);
	} else {
		picture_to_colors(picture, rgba, &worker->report);
	}
}

bool sequence_worker_draw(
	struct sequence_worker *worker, size_t frame, unsigned char *rgba, struct error *err) {
	struct sequence *sequence = worker->sequence;
	struct camera camera;
	worker->mark = clock_now_s();
	const bool drawn = stop_check(sequence->job.frame.subject.stop, err) && skin(worker, err) &&
		sequence_camera(worker->renderer, sequence, frame, &worker->prepared,
			&worker->figure, &camera, err) &&
		frame_draw(worker->renderer, &worker->frame, &worker->figure, &camera,
			&worker->mark, rgba, &worker->report, err);
	if (drawn) {
		finish_pixels(worker, rgba);
		counters_add(&worker->renderer->counters.frames_drawn, 1);
	}
	return drawn;
}

static struct encode_slot *slot_at(struct encode_queue *queue, size_t index) {
	return &queue->slots[index % ENCODE_QUEUE_SLOTS];
}

static bool pack(struct encode_queue *queue, const unsigned char *rgba, struct error *err) {
	const struct sequence *sequence = queue->sequence;
	const struct sequence_format *format = sequence->job.format;
	struct buffer packed = {0};
	const bool ok = format->pack(&sequence->settings, rgba, &packed, err) &&
		format->add(sequence->file, &packed, queue->out, err);
	buffer_finish(&packed);
	return ok;
}

/* The first failure in the order of the frames is reported. With the mutex. */
static void fail(struct encode_queue *queue, size_t index, const struct error *err) {
	if (index < queue->failed_at) {
		queue->failed_at = index;
		queue->err = *err;
	}
}

/* Waits for the next frame; false when there will be none. With the mutex. */
static bool wait_for_frame(struct encode_queue *queue) {
	struct encode_slot *slot = slot_at(queue, queue->packed);
	while (!slot->drawn && !queue->ending && queue->packed < queue->failed_at) {
		pthread_cond_wait(&queue->changed, &queue->mutex);
	}
	return slot->drawn && queue->packed < queue->failed_at;
}

static void *work(void *context) {
	struct encode_queue *queue = context;
	pthread_mutex_lock(&queue->mutex);
	while (wait_for_frame(queue)) {
		struct encode_slot *slot = slot_at(queue, queue->packed);
		struct error err = {0};
		pthread_mutex_unlock(&queue->mutex);
		double mark = clock_now_s();
		const bool ok = pack(queue, slot->rgba, &err);
		pthread_mutex_lock(&queue->mutex);
		queue->encode_s += clock_lap_s(&mark);
		queue->bytes = queue->out->size;
		slot->drawn = false;
		if (ok) {
			queue->packed++;
		} else {
			fail(queue, queue->packed, &err);
		}
		pthread_cond_broadcast(&queue->changed);
	}
	pthread_mutex_unlock(&queue->mutex);
	return NULL;
}

static void finish(struct encode_queue *queue) {
	for (int i = 0; i < ENCODE_QUEUE_SLOTS; i++) {
		free(queue->slots[i].rgba);
	}
	pthread_cond_destroy(&queue->changed);
	pthread_mutex_destroy(&queue->mutex);
}

bool encode_queue_begin(struct encode_queue *queue, const struct sequence *sequence,
	struct buffer *out, struct error *err) {
	*queue = (struct encode_queue){.sequence = sequence,
		.out = out,
		.bytes = out->size,
		.workers = 1,
		.failed_at = SIZE_MAX};
	pthread_mutex_init(&queue->mutex, NULL);
	pthread_cond_init(&queue->changed, NULL);
	const int failure = pthread_create(&queue->thread, NULL, work, queue);
	if (failure) {
		finish(queue);
		return error_set(err, ERROR_OVERLOADED,
			"cannot start a thread to encode frames: %s", strerror(failure));
	}
	return true;
}

bool encode_queue_join(struct encode_queue *queue) {
	pthread_mutex_lock(&queue->mutex);
	const bool joins = queue->workers < SEQUENCE_WORKERS_MAX;
	queue->workers += joins;
	pthread_mutex_unlock(&queue->mutex);
	return joins;
}

void encode_queue_leave(struct encode_queue *queue) {
	pthread_mutex_lock(&queue->mutex);
	queue->workers--;
	pthread_mutex_unlock(&queue->mutex);
}

unsigned char *encode_queue_take(struct encode_queue *queue) {
	pthread_mutex_lock(&queue->mutex);
	// Each worker has a frame, and one more is being encoded.
	while (queue->failed_at == SIZE_MAX && queue->taken - queue->packed > queue->workers) {
		pthread_cond_wait(&queue->changed, &queue->mutex);
	}
	struct encode_slot *slot =
		queue->failed_at == SIZE_MAX ? slot_at(queue, queue->taken++) : NULL;
	pthread_mutex_unlock(&queue->mutex);
	if (slot && !slot->rgba) {
		slot->rgba = picture_memory(&queue->sequence->job.frame.picture);
	}
	return slot ? slot->rgba : NULL;
}

void encode_queue_give(struct encode_queue *queue, size_t index, const struct error *err) {
	pthread_mutex_lock(&queue->mutex);
	if (err) {
		fail(queue, index, err);
	}
	slot_at(queue, index)->drawn = !err;
	pthread_cond_broadcast(&queue->changed);
	pthread_mutex_unlock(&queue->mutex);
}

size_t encode_queue_bytes(struct encode_queue *queue) {
	pthread_mutex_lock(&queue->mutex);
	const size_t bytes = queue->bytes;
	pthread_mutex_unlock(&queue->mutex);
	return bytes;
}

bool encode_queue_end(struct encode_queue *queue, size_t *packed, struct error *err) {
	pthread_mutex_lock(&queue->mutex);
	queue->ending = true;
	pthread_cond_broadcast(&queue->changed);
	pthread_mutex_unlock(&queue->mutex);
	pthread_join(queue->thread, NULL);
	const bool ok = queue->failed_at == SIZE_MAX;
	if (!ok && err) {
		*err = queue->err;
	}
	*packed = queue->packed;
	finish(queue);
	return ok;
}
