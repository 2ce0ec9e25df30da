/* Sequences of pictures. */
#pragma once

#include "image/sequence.h"
#include "interface/pictures.h"

struct sequence_job {
	struct frame_job frame;    // what all frames share; its pose and clock_s are ignored
	const struct value *poses; // [pose_count] expressions; NULL = one, the rest pose
	size_t pose_count;         // at least 1
	bool many;                 // each pose is one frame, at its own time
	struct frames_settings frames;
	const struct sequence_format *format;
	size_t passes;       // times that all frames are drawn; 0 = endless
	size_t max_frames;   // limit of their number
	uint64_t max_pixels; // limit for all frames together
	size_t max_bytes;    // limit of a file that is built in memory
	double max_rate;     // limit of frames a second, where their own times would be faster
};

/* A sequence in progress. Its creator owns it; between calls it may move to another thread and
 * another renderer. */
struct sequence;

/* Plans the frames and one camera for all of them. Evaluates every pose, and skins it if the camera
 * fits poses, so that errors in any of them show here. What the job borrows must outlive the
 * sequence. NULL with the errors of renderer_vertices; with ERROR_TOO_LARGE; with
 * ERROR_INVALID_VALUE if there is no length to take frames from, if a turntable has a fixed camera,
 * and for what the format cannot store. */
struct sequence *renderer_sequence_create(
	struct renderer *renderer, const struct sequence_job *job, struct error *err);
void renderer_sequence_destroy(struct sequence *sequence); // takes NULL; any thread

/* Any thread. */
struct sequence_facts {
	size_t count;           // frames of one pass
	uint64_t pixels;        // of all of these
	double rate;            // frames a second, or the mean
	const double *begins_s; // [count + 1] as in sequence_settings; owned by the sequence
	size_t columns, rows;   // of a sheet
};

struct sequence_facts renderer_sequence_facts(const struct sequence *sequence);

/* Seconds from the beginning until a frame is shown. Frames of the passes are numbered on: the
 * first of the second pass is frame `count`. Any thread. */
double renderer_sequence_begin_s(const struct sequence *sequence, size_t frame);

/* Sets the text that a sheet contains (sequence_settings.map), borrowed for the life of the
 * sequence. To be called before the first frame is drawn. */
void renderer_sequence_set_map(struct sequence *sequence, const char *map);

/* Idle threads, each with a renderer of the same kind, for work that several can share. */
struct sequence_help {
	void *context;
	/* Has idle threads call work(task, renderer), which returns false when that renderer's
	 * context was lost. Cheap; may be called repeatedly. */
	void (*ask)(void *context, bool (*work)(void *task, struct renderer *renderer), void *task);
	/* True if others want the helping threads. Any thread. */
	bool (*is_wanted)(void *context);
	/* Waits until all have returned; no thread starts after that. */
	void (*end)(void *context);
};

/* Limits of one piece of a sequence; 0 = none. It ends with the first limit that is reached, after
 * at least one frame. */
struct sequence_piece {
	size_t bytes, frames;
	double seconds;
	const struct sequence_help *help; // threads that may draw frames of it; NULL = none
};

/* Draws the next frames and appends their encoded bytes as far as they can be sent already. *done
 * is set with the last frame. A thread of its own encodes frames while others are drawn. *report
 * has the summed times and the skinned vertices, *frames the number of frames. The bytes do not
 * depend on the threads. Fails like renderer_vertices and like the format; frames drawn before the
 * context was lost remain, and another call continues after them. */
bool renderer_sequence_draw(struct renderer *renderer, struct sequence *sequence,
	const struct sequence_piece *piece, struct buffer *out, size_t *frames, bool *done,
	struct skinning_report *report, struct error *err);

/* Skips frames that are late, but never the last one. */
void renderer_sequence_skip(struct sequence *sequence, size_t frames);
