/* Internals of picture sequences, shared by the files of this folder. */
#pragma once

#include <pthread.h>

#include "image/sequence.h"
#include "interface/sequences.h"
#include "picture/frame.h"
#include "pose/run.h"
#include "skinned/placement.h"
#include "skinned/prepare.h"

struct figure;
struct prepared;

/* Points that a sequence's camera fits: those of struct camera_extremes, or the corners of a
 * box. */
#define SEQUENCE_POINTS_MAX 20

/* A pose at a time: skinned once, drawn from any number of views. */
struct pose_sample {
	const struct value *pose; // NULL = rest
	double time_s;            // by its clock
};

struct sequence {
	struct sequence_job job;
	struct arena *arena;

	/* The plan: every sample from the first view of the camera, then from the next. */
	struct pose_sample *samples; // [sample_count] in the arena
	size_t sample_count;
	size_t view_count;        // positions of the camera
	double rate;              // frames a second, or the mean
	const double *begins_s;   // as in sequence_settings, in the arena; NULL = evenly
	const char *rate_pointer; // JSON pointer to the member that sets the rate, in the arena;
				  // NULL = none

	/* The camera, without its yaw. */
	struct camera_settings camera;
	double first_yaw_deg;                  // of a turntable
	float points[SEQUENCE_POINTS_MAX * 3]; // enclosed by near and far
	size_t point_count;
	struct footing footing; // of all samples

	/* The progress of a sequence. */
	struct sequence_settings settings;
	void *file;          // of job.format; NULL = not begun
	size_t next;         // frame to be drawn
	size_t sample;       // prepared last; SIZE_MAX = none
	struct arena *notes; // of the run and the memory
	struct pose_run run; // of the samples prepared so far
	struct skin_memory memory;
};

/* Fills in the plan. False with ERROR_INVALID_VALUE, ERROR_TOO_LARGE or the errors of evaluating a
 * pose. */
bool sequence_plan(struct sequence *sequence, struct error *err);

/* Fills in the camera, for which it evaluates all samples. Fails like renderer_vertices. */
bool sequence_fit_camera(struct renderer *renderer, struct sequence *sequence, struct error *err);

/* The camera of a frame whose sample was prepared and skinned. */
bool sequence_camera(struct renderer *renderer, const struct sequence *sequence, size_t frame,
	const struct prepared *prepared, const struct figure *figure, struct camera *out,
	struct error *err);

/* Prepares a sample, with the state of the one before it. The caller skins it, then calls
 * prepared_finish(). */
bool sequence_prepare(struct renderer *renderer, struct sequence *sequence, size_t sample,
	struct arena *arena, struct prepared *out, struct error *err);

struct sequence_worker {
	struct renderer *renderer;
	struct sequence *sequence;
	struct arena *arena;           // of the figure
	struct skinning_report report; // of all its frames; method NULL = none drawn
	double mark;                   // the clock at the end of the last step
	size_t sample;                 // the prepared one; SIZE_MAX = none
	bool skinned;                  // the figure is of this sample
	struct frame_job frame;        // of that sample
	struct prepared prepared;
	struct figure figure;
};

struct sequence_worker sequence_worker_begin(struct renderer *renderer, struct sequence *sequence);
void sequence_worker_end(struct sequence_worker *worker);

/* Prepares a frame's sample, unless it was the last one. One worker at a time, in the order of the
 * frames: a pose may depend on the ones before. Fails like renderer_vertices. */
bool sequence_worker_prepare(struct sequence_worker *worker, size_t frame, struct error *err);

/* Draws a frame whose sample was prepared into rgba; workers may draw at the same time. Fails like
 * renderer_frame. */
bool sequence_worker_draw(
	struct sequence_worker *worker, size_t frame, unsigned char *rgba, struct error *err);

/* Workers that draw at the same time. */
#define SEQUENCE_WORKERS_MAX 4

/* Each worker draws one frame, and one is being encoded. */
#define ENCODE_QUEUE_SLOTS (SEQUENCE_WORKERS_MAX + 1)

struct encode_queue {
	const struct sequence *sequence;
	struct buffer *out; // used by the thread alone until the end
	pthread_t thread;
	pthread_mutex_t mutex; // guards the members below
	pthread_cond_t changed;
	struct encode_slot {
		unsigned char *rgba; // pixels; owned; NULL = not allocated yet
		bool drawn;          // waits to be encoded
	} slots[ENCODE_QUEUE_SLOTS];
	size_t workers;       // at most SEQUENCE_WORKERS_MAX
	size_t taken, packed; // frames so far
	size_t failed_at;     // the first frame that failed; SIZE_MAX = none
	struct error err;     // its error
	size_t bytes;         // of out
	bool ending;
	double encode_s; // time spent by the thread
};

/* Starts the thread, which appends to out, for one worker. On failure, with ERROR_OVERLOADED, there
 * is nothing to end. */
bool encode_queue_begin(struct encode_queue *queue, const struct sequence *sequence,
	struct buffer *out, struct error *err);

/* Adds or removes a worker. False if there are SEQUENCE_WORKERS_MAX already. */
bool encode_queue_join(struct encode_queue *queue);
void encode_queue_leave(struct encode_queue *queue);

/* Waits for a free slot and returns its pixels. The calls number the frames of the queue from 0.
 * NULL when a frame has failed. */
unsigned char *encode_queue_take(struct encode_queue *queue);

/* Hands over a drawn frame, or with *err one that failed, before which the queue ends. */
void encode_queue_give(struct encode_queue *queue, size_t index, const struct error *err);

/* Bytes of out so far. */
size_t encode_queue_bytes(struct encode_queue *queue);

/* Waits until everything is encoded, and ends the thread; all workers but the first have left.
 * *packed is the number of frames that were. False with the error of the first frame that
 * failed. */
bool encode_queue_end(struct encode_queue *queue, size_t *packed, struct error *err);
