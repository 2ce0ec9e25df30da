/* Pictures one after another. */
#pragma once

#include "image/sequence.h"
#include "interface/pictures.h"

struct reel_job {
	struct frame_job frame;    // what all have in common; its pose and clock_s are ignored
	const struct value *poses; // [pose_count] expressions; NULL = one, the rest pose
	size_t pose_count;         // at least 1
	bool many;                 // each pose is a frame, at the moment that it names
	struct frames_settings frames;
	const struct sequence_format *format;
	size_t passes;        // how often all are drawn; 0 = without end
	size_t most_frames;   // that there may be
	uint64_t most_pixels; // of all of them
	size_t most_bytes;    // of a file that is made in memory as a whole
	double most_rate;     // frames a second, where their own times would be faster
};

/* A sequence under way. It belongs to its maker, and may go from thread to thread, and so from
 * renderer to renderer, between calls. */
struct reel;

/* Decides which frames there are and on one camera for all, for which every pose is evaluated, and
 * skinned where the camera fits poses: what is wrong with any of them is found here. What the job
 * borrows must live as long as the reel. Fails like renderer_vertices, with the place: with
 * ERROR_TOO_LARGE, and with ERROR_INVALID_VALUE where there is no length to take frames from, where
 * a camera that stands still is to go round, and for what the format cannot store. NULL then. */
struct reel *renderer_reel_create(
	struct renderer *renderer, const struct reel_job *job, struct error *err);
void renderer_reel_destroy(struct reel *reel); // takes NULL; any thread

/* Facts about a sequence. Any thread. */
struct reel_facts {
	size_t count;           // frames of one pass
	uint64_t pixels;        // of all of these
	double rate;            // frames a second that they are shown at, or the mean
	const double *begins_s; // [count + 1] as in sequence_settings; the reel's
	size_t columns, rows;   // of a sheet of them
};

struct reel_facts renderer_reel_facts(const struct reel *reel);

/* Seconds from the beginning until a frame is shown, where the passes follow one another: the first
 * of the second pass is the frame of that number. Any thread. */
double renderer_reel_begin_s(const struct reel *reel, size_t frame);

/* Has a sheet carry a text (sequence_settings.map), borrowed as long as the reel lives. Before the
 * first frame is drawn. */
void renderer_reel_set_map(struct reel *reel, const char *map);

/* Threads that have nothing to do, each with a renderer of the same kind, for work that several can
 * share. */
struct reel_help {
	void *context;
	/* Has threads that are free call work(task, renderer), which returns false when that
	 * renderer's context was lost. Takes next to no time, and may be asked again and again. */
	void (*ask)(void *context, bool (*work)(void *task, struct renderer *renderer), void *task);
	/* True if others want the threads that help. Any thread. */
	bool (*is_wanted)(void *context);
	/* Waits until all have returned; none comes after that. */
	void (*end)(void *context);
};

/* Limits of one piece of a sequence; 0 = as much as there is. It ends with the first of
 * these that is reached, and makes a frame at least. */
struct reel_piece {
	size_t bytes, frames;
	double seconds;
	const struct reel_help *help; // who else may draw frames of it; NULL = nobody
};

/* Draws the next frames and appends what they come to, as far as it may be sent already. *done when
 * the last is there. Frames are packed by a thread of their own while others are drawn; *report has
 * the times of all together, the vertices that were skinned, and frames is how many there are. They
 * are the same whoever draws them. Fails like renderer_vertices and as the format does; what was
 * drawn before the context was lost is there, and another call goes on behind it. */
bool renderer_reel_draw(struct renderer *renderer, struct reel *reel,
	const struct reel_piece *piece, struct buffer *out, size_t *frames, bool *done,
	struct skinning_report *report, struct error *err);

/* Leaves out frames, for who falls behind the clock; not beyond the last one. */
void renderer_reel_skip(struct reel *reel, size_t frames);
