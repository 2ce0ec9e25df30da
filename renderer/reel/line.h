/* A thread that packs frames in their order while others are drawn. */
#pragma once

#include <pthread.h>

#include "reel/reel.h"

/* Hands that draw at once. */
#define REEL_HANDS_MAX 4

/* Each hand draws one frame, and one is packed. */
#define REEL_LINE_SLOTS (REEL_HANDS_MAX + 1)

struct reel_line {
	const struct reel *reel;
	struct buffer *out; // the thread's until the end
	pthread_t thread;
	pthread_mutex_t mutex; // guards what follows
	pthread_cond_t changed;
	struct reel_slot {
		unsigned char *rgba; // pixels; owned; NULL = was not needed so far
		bool drawn;          // and is to be packed
	} slots[REEL_LINE_SLOTS];
	size_t hands;         // at most REEL_HANDS_MAX
	size_t taken, packed; // frames so far
	size_t failed_at;     // the first frame that will not be there; SIZE_MAX = none
	struct error err;     // why not
	size_t bytes;         // of out
	bool ending;
	double encode_s; // that the thread took
};

/* Starts the thread, which appends to out, for one hand. False with ERROR_OVERLOADED; then there is
 * nothing to end. */
bool reel_line_begin(
	struct reel_line *line, const struct reel *reel, struct buffer *out, struct error *err);

/* One more hand, or one fewer. False when there are as many as there can be. */
bool reel_line_join(struct reel_line *line);
void reel_line_leave(struct reel_line *line);

/* Pixels for the next frame, when there is room: the places of frames in the line follow from the
 * order of these calls, and are 0 and up. NULL when one has failed. */
unsigned char *reel_line_take(struct reel_line *line);

/* Hands a frame over; or with *err says that there is none, so that the line ends before it. */
void reel_line_give(struct reel_line *line, size_t place, const struct error *err);

/* Bytes of out so far. */
size_t reel_line_bytes(struct reel_line *line);

/* Waits until all is packed, and ends the thread; all hands but the first have left. *packed is how
 * many frames there are. False with what the first that is not there failed with. */
bool reel_line_end(struct reel_line *line, size_t *packed, struct error *err);
