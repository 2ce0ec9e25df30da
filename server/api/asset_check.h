/* A check of assets, for a request or for a task that outlives one: reads them, takes the steps of
 * their checks turn by turn, draws pictures of what was found, and writes the report. All that it
 * needs lies in memory of its own, but for a body that it only borrows. One thread at a time takes
 * a turn; idle threads of the CPU's pool help it. */
#pragma once

#include "base/stop.h"
#include "checks/check_request.h"
#include "checks/report.h"
#include "http/request_context.h"

struct asset_check;

/* Reads the request's JSON, and holds its rigs. NULL with the errors of context_json(),
 * request_read_check() and store_hold(), and the place. */
struct asset_check *asset_check_of_json(struct request_context *context, struct error *err);

/* A check of the rig in the path, by the query. */
struct asset_check *asset_check_of_rig(struct request_context *context, struct error *err);

/* A check of the asset that is the body, by the query: the body is borrowed until
 * asset_check_keep_body(). */
struct asset_check *asset_check_of_body(struct request_context *context, struct error *err);

void asset_check_destroy(struct asset_check *work); // takes NULL

/* The contents that are checked, and what else the result depends on besides the request itself;
 * NULL where no two results are the same. Borrowed. */
const char *asset_check_contents(const struct asset_check *work);

/* Makes the body the work's own. Not on the loop's thread. False with asset_body_take()'s errors
 * and ERROR_OVERLOADED. */
bool asset_check_keep_body(
	struct asset_check *work, struct request_context *context, struct error *err);

/* A turn. */
struct check_turn {
	const struct stop *stop;   // the same in all turns
	struct renderer *renderer; // of a thread that renders; NULL = this is another
	double seconds;            // after which no further step is begun; 0 = no limit
	struct buffer *events;     // gets the events as lines of JSON; NULL = nobody wants them
};

/* The pool of the next turn: that for rendering where pictures are wanted of what was found, else
 * the CPU's. */
enum executor asset_check_executor(const struct asset_check *work);

/* Takes a turn: reads an asset, takes at least one step, or draws at least one picture. It ends
 * where the next one is for another pool. *done with the last one. False with the errors of the
 * stop, of the store and of reading assets but where the asset is at fault, which is a finding;
 * and with ERROR_CONTEXT_LOST, after which the turn may be taken again. */
bool asset_check_turn(
	struct asset_check *work, const struct check_turn *turn, bool *done, struct error *err);

/* The clips that have been checked, and how many there are as far as is known. Any thread. */
struct check_progress {
	size_t done, of;
};

struct check_progress asset_check_progress(const struct asset_check *work);

/* Says that cameras of findings are not needed: no report is written that shows them. */
void asset_check_leave_out_cameras(struct asset_check *work);

/* Appends the report, once all is done. */
void asset_check_write(const struct asset_check *work, const struct check_report_format *format,
	struct buffer *out);

/* Seconds that reading assets took, drawing, and all else. */
struct check_times {
	double load_s, draw_s, check_s;
};

struct check_times asset_check_times(const struct asset_check *work);
