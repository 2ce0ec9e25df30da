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
	bool names, self_contained;
	const struct value *tolerance_value, *duration_source, *rate_source; // NULL = not given
};

/* The members that only it has, and those of "tolerance". */
extern const struct member_table compression_request_members, tolerance_members;

/* Reads the body. Fails like request_read_pose. */
bool compression_read(const struct value *body, struct compression_request *out, struct error *err);

/* Refuses samples that cannot be decoded together: no power of two, and not 0. */
bool compression_check_segment(int samples, const struct value *source, struct error *err);

/* --- The answer --- */

/* A clip in the file; distances in metres. */
struct compression_clip {
	const char *name;
	size_t bytes, raw_bytes;
	int samples;
	double rate, duration_s, tolerance_m;
	double max_m, p99_m, rms_m, max_at_samples_m;
	const char *joint; // NULL = the rig has none
	double time_s;
};

struct compression_report {
	const char *rig, *codec;
	const struct compression_clip *clips; // [count]
	size_t count;
	double shell_m;
	int segment_samples;
	size_t file_bytes;
};

/* All numbers are finite. */
void compression_write_report(const struct compression_report *report, struct buffer *out);
