/* POST /v1/compress: its request into a plain struct, and the report as JSON. Strings and values
 * are borrowed from the request's tree. */
#pragma once

#include "base/buffer.h"
#include "base/settings.h"
#include "request.h"

#define COMPRESSED_TYPE "application/vnd.posed.pclip"

/* Metres where a request says nothing: below what can be seen of a figure of a human's size. */
#define COMPRESSION_TOLERANCE_M 1e-4

/* Samples that are decoded together, where a request says nothing. */
#define COMPRESSION_SEGMENT_SAMPLES 64

/* "best". */
const char *compression_codec_name(enum motion_codec codec);

/* The places where a tolerance holds; and with the skin those of joints that no vertex follows. */
enum compression_metric { COMPRESSION_SHELL, COMPRESSION_SKIN };
enum compression_unskinned { COMPRESSION_UNSKINNED_SHELL, COMPRESSION_UNSKINNED_FREE };

/* "shell", "skin", ended by NULL. */
extern const char *const compression_metric_names[];

struct compression_request {
	struct subject subject;    // of one pose; its expression is given or clips are meant
	bool is_pose;              // "pose" was given
	const struct value *clips; // list of at least one; NULL = all
	double duration_s;         // of the pose; < 0: as long as its longest clip
	double rate;               // samples a second; 0 = not said
	double tolerance;          // > 0: metres, or a share of the rig's diagonal
	bool is_share;
	double shell_m; // 0 = not said
	enum motion_codec codec;
	int segment_samples; // 0 = all together, or a power of two
	enum compression_metric metric;
	struct skinning_settings skinning; // of the skin, whose error is reported
	enum compression_unskinned unskinned;
	const struct value *metric_source, *skinning_source, *unskinned_source; // NULL = not given
	bool names, self_contained;
	/* NULL = not given. */
	const struct value *tolerance_value, *duration_source, *rate_source;
};

/* The members that only it has, and those of "tolerance". */
extern const struct member_table compression_request_members, tolerance_members;

/* Reads the body. Fails like request_read_pose. */
bool compression_read(const struct value *body, struct compression_request *out, struct error *err);

/* "application/vnd.posed.pclip", or of keys "model/gltf-binary". */
const char *compression_media_type(enum motion_codec codec);

/* Reads a member "tolerance": metres, or {"share": number}. */
bool compression_read_tolerance(
	const struct value *value, double *tolerance, bool *is_share, struct error *err);

/* Refuses samples that cannot be decoded together: no power of two, and not 0. */
bool compression_check_segment(int samples, const struct value *source, struct error *err);

/* --- The answer --- */

/* An error as of interface/compressed_clips.h; distances in metres. */
struct compression_error {
	double max_m, p99_m, rms_m, max_at_samples_m;
	const char *joint; // NULL = the rig has none
	int vertex;        // -1 = it is at the shell
	double time_s, unskinned_m;
};

/* A clip in the file. */
struct compression_clip {
	const char *name;
	size_t bytes, raw_bytes;
	int samples;
	int keys; // these two of a GLB, whose codec is CODEC_KEYS
	bool is_left;
	double rate, duration_s, tolerance_m;
	struct compression_error error; // at what the tolerance is for
	struct compression_error other; // at the other one, where it is measured
};

struct compression_report {
	const char *rig;
	enum motion_codec codec;
	enum compression_metric metric;
	bool has_others;
	const struct compression_clip *clips; // [count]
	size_t count;
	double shell_m;
	int segment_samples; // of a .pclip
	size_t file_bytes;
};

/* All numbers are finite. */
void compression_write_report(const struct compression_report *report, struct buffer *out);

/* --- Events while it is under way, each a line of JSON --- */

void compression_event_start(const char *rig, size_t clips, struct buffer *out);

/* The clip is done, as the done-th of so many. */
void compression_event_clip(
	const char *clip, size_t done, size_t of, double seconds, struct buffer *out);

/* The last: the report, and the file. */
void compression_event_end(
	const struct compression_report *report, const struct buffer *file, struct buffer *out);

/* The last in its place: the error as the client may read it. */
void compression_event_failed(const struct error *error, struct buffer *out);
