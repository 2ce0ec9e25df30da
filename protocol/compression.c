// POST /v1/compress: the request and the report.
#include "compression.h"

#include <stddef.h>

#include "base/json_write.h"
#include "limits.h"
#include "problem.h"
#include "request_internal.h"
#include "url_text.h"

#define CODEC_NAME(id, name) #name,
static const char *const codecs[] = {MOTION_CODECS(CODEC_NAME) NULL};

const char *const compression_metric_names[] = {
	[COMPRESSION_SHELL] = "shell", [COMPRESSION_SKIN] = "skin", NULL};

static const char *const unskinned_names[] = {
	[COMPRESSION_UNSKINNED_SHELL] = "shell", [COMPRESSION_UNSKINNED_FREE] = "free", NULL};

#define POSE_RATE 30
#define AT(field) offsetof(struct compression_request, field)

static const struct member share_rows[] = {
	{"share", MEMBER_NUMBER, .offset = AT(tolerance), .above_min = true, .most = 1,
		.required = true, .help = "of the diagonal of the rig's box at rest"},
};

const struct member_table tolerance_members = MEMBER_TABLE("tolerance", share_rows);

static const struct member members[] = {
	{"clips", MEMBER_ANY, .offset = AT(clips)},
	{"duration", MEMBER_NUMBER, .offset = AT(duration_s), .source_offset = AT(duration_source),
		.most = LIMIT_CLIP_DURATION_S, .standard = -1, .parameter = "duration",
		.unit = "seconds", .help = "of a pose; default its longest clip"},
	{"rate", MEMBER_NUMBER, .offset = AT(rate), .source_offset = AT(rate_source),
		.above_min = true, .most = LIMIT_CLIP_RATE, .parameter = "rate",
		.unit = "samples a second", .help = "default each clip's own; of a pose 30"},
	{"tolerance", MEMBER_ANY, .offset = AT(tolerance_value), .members = &tolerance_members},
	{"shell", MEMBER_NUMBER, .offset = AT(shell_m), .above_min = true,
		.most = LIMIT_DISTANCE_MAX, .parameter = "shell", .unit = "metres",
		.help = "distance from joints at which the error is measured"},
	{"metric", MEMBER_CHOICE, .offset = AT(metric), .source_offset = AT(metric_source),
		.choices = compression_metric_names, .parameter = "metric",
		.help = "where the error is measured: about joints, or at the vertices"},
	{"unskinned", MEMBER_CHOICE, .offset = AT(unskinned), .source_offset = AT(unskinned_source),
		.choices = unskinned_names, .parameter = "unskinned",
		.help = "with --metric skin: joints that no vertex follows keep to their shells, "
			"or are free"},
	{"codec", MEMBER_CHOICE, .offset = AT(codec), .choices = codecs, .parameter = "codec",
		.help = "how channels are stored"},
	{"segment", MEMBER_INTEGER, .offset = AT(segment_samples), .most = LIMIT_SEGMENT_SAMPLES,
		.standard = COMPRESSION_SEGMENT_SAMPLES, .parameter = "segment", .unit = "samples",
		.help = "decoded together: a power of two, or 0 for all"},
	{"names", MEMBER_BOOL, .offset = AT(names), .standard = 1, .parameter = "names",
		.text = TEXT_BOOL, .help = "whether the file has the clips' names"},
	{"self_contained", MEMBER_BOOL, .offset = AT(self_contained), .parameter = "self-contained",
		.text = TEXT_BOOL, .help = "whether the file has the skeleton"},
};

const struct member_table compression_request_members = MEMBER_TABLE(NULL, members);

const char *compression_codec_name(enum motion_codec codec) {
	return codecs[codec];
}

const char *compression_media_type(enum motion_codec codec) {
	return codec == CODEC_KEYS ? "model/gltf-binary" : COMPRESSED_TYPE;
}

bool compression_read_tolerance(
	const struct value *value, double *tolerance, bool *is_share, struct error *err) {
	struct compression_request read = {0};
	*is_share = value->kind == VALUE_OBJECT;
	if (*is_share) {
		const bool ok = value_read_table(value, &tolerance_members, &read, err);
		*tolerance = read.tolerance;
		return ok;
	}
	*tolerance = value->number;
	return (value->kind == VALUE_NUMBER && value->number > 0 &&
		       value->number <= LIMIT_DISTANCE_MAX) ||
		value_error(value, err, ERROR_INVALID_VALUE,
			"\"tolerance\" must be more than 0 and up to %g metres, or "
			"{\"share\": number}",
			LIMIT_DISTANCE_MAX);
}

static bool read_tolerance(struct compression_request *request, struct error *err) {
	const struct value *value = request->tolerance_value;
	request->tolerance = COMPRESSION_TOLERANCE_M;
	return !value ||
		compression_read_tolerance(value, &request->tolerance, &request->is_share, err);
}

static bool check_clips(const struct value *clips, struct error *err) {
	return !clips || (clips->kind == VALUE_LIST && clips->count > 0) ||
		value_error(clips, err, ERROR_INVALID_VALUE,
			"\"clips\" must be a list of at least one clip");
}

static bool check_pose(const struct compression_request *request, struct error *err) {
	if (request->is_pose && request->clips) {
		return value_error(request->clips, err, ERROR_INVALID_VALUE,
			"\"clips\" does not go with \"pose\", which is compressed itself");
	}
	return request->is_pose || !request->duration_source ||
		value_error(request->duration_source, err, ERROR_INVALID_VALUE,
			"\"duration\" is for \"pose\": clips have their own");
}

static bool read_skin(
	const struct value *body, struct compression_request *request, struct error *err) {
	request->skinning_source = value_member(body, "skinning");
	if (request->metric != COMPRESSION_SKIN && request->unskinned_source) {
		return value_error(request->unskinned_source, err, ERROR_INVALID_VALUE,
			"\"unskinned\" is for \"metric\": \"skin\": else all joints keep to their "
			"shells");
	}
	return request_read_skinning(request->skinning_source, &request->skinning, err);
}

/* A GLB has names and nodes, and no segments; its error is that at the shell. */
static bool check_codec(
	const struct value *body, const struct compression_request *request, struct error *err) {
	static const char *const idle[] = {
		"segment", "names", "self_contained", "metric", "skinning", "unskinned"};
	for (size_t i = 0; request->codec == CODEC_KEYS && i < sizeof idle / sizeof *idle; i++) {
		const struct value *value = value_member(body, idle[i]);
		if (value) {
			return value_error(value, err, ERROR_INVALID_VALUE,
				"\"%s\" is for .pclip files: the codec \"keys\" makes a GLB, "
				"with names and the skeleton, by the shell",
				idle[i]);
		}
	}
	return true;
}

bool compression_check_segment(int samples, const struct value *source, struct error *err) {
	return (samples != 1 && (samples & (samples - 1)) == 0) ||
		value_error(source, err, ERROR_INVALID_VALUE,
			"\"segment\" is %d, must be 0 or a power of two from 2 to %d samples",
			samples, LIMIT_SEGMENT_SAMPLES);
}

bool compression_read(
	const struct value *body, struct compression_request *out, struct error *err) {
	*out = (struct compression_request){0};
	const struct member_reading readings[] = {{&subject_members, &out->subject},
		{&compression_request_members, out}, {&skinning_member, NULL}};
	if (!value_read_tables(body, readings, sizeof readings / sizeof *readings, err)) {
		return false;
	}
	out->is_pose = value_member(body, "pose");
	if (out->is_pose && !out->rate_source) {
		out->rate = POSE_RATE;
	}
	return read_tolerance(out, err) && check_clips(out->clips, err) && check_pose(out, err) &&
		read_skin(body, out, err) && check_codec(body, out, err) &&
		compression_check_segment(
			out->segment_samples, value_member(body, "segment"), err) &&
		request_read_subject(body, &out->subject, err);
}

/* --- The report --- */

static void write_error(
	struct json_writer *json, const char *key, const struct compression_error *error) {
	json_write_key(json, key);
	json_write_begin_object(json);
	json_write_member_double(json, "max", error->max_m);
	json_write_member_double(json, "p99", error->p99_m);
	json_write_member_double(json, "rms", error->rms_m);
	json_write_member_double(json, "max_at_samples", error->max_at_samples_m);
	if (error->vertex >= 0) {
		json_write_member_integer(json, "vertex", error->vertex);
	}
	if (error->joint) {
		json_write_member_string(json, "joint", error->joint);
	}
	json_write_member_double(json, "time", error->time_s);
	if (error->unskinned_m > 0) {
		json_write_member_double(json, "unskinned", error->unskinned_m);
	}
	json_write_end_object(json);
}

static void write_clip(struct json_writer *json, const struct compression_report *report,
	const struct compression_clip *clip) {
	const bool at_skin = report->metric == COMPRESSION_SKIN;
	json_write_begin_object(json);
	json_write_member_string(json, "name", clip->name);
	json_write_member_integer(json, "bytes", (int64_t)clip->bytes);
	json_write_member_integer(json, "raw_bytes", (int64_t)clip->raw_bytes);
	json_write_member_integer(json, "samples", clip->samples);
	if (report->codec == CODEC_KEYS) {
		json_write_member_integer(json, "keys", clip->keys);
		json_write_member_bool(json, "left", clip->is_left);
	}
	json_write_member_double(json, "rate", clip->rate);
	json_write_member_double(json, "duration", clip->duration_s);
	json_write_member_double(json, "tolerance", clip->tolerance_m);
	write_error(json, "error", &clip->error);
	if (report->has_others) {
		write_error(json, at_skin ? "shell_error" : "skin_error", &clip->other);
	}
	json_write_end_object(json);
}

void compression_write_report(const struct compression_report *report, struct buffer *out) {
	struct json_writer json = {.out = out};
	size_t raw = 0;
	for (size_t i = 0; i < report->count; i++) {
		raw += report->clips[i].raw_bytes;
	}
	json_write_begin_object(&json);
	json_write_member_string(&json, "rig", report->rig);
	json_write_member_string(&json, "codec", compression_codec_name(report->codec));
	json_write_member_string(&json, "metric", compression_metric_names[report->metric]);
	json_write_member_double(&json, "shell", report->shell_m);
	if (report->codec != CODEC_KEYS) {
		json_write_member_integer(&json, "segment", report->segment_samples);
	}
	json_write_member_integer(&json, "bytes", (int64_t)report->file_bytes);
	json_write_member_integer(&json, "raw_bytes", (int64_t)raw);
	json_write_key(&json, "clips");
	json_write_begin_list(&json);
	for (size_t i = 0; i < report->count; i++) {
		write_clip(&json, report, &report->clips[i]);
	}
	json_write_end_list(&json);
	json_write_end_object(&json);
}

/* --- Events --- */

static struct json_writer begin_event(const char *name, struct buffer *out) {
	struct json_writer json = {.out = out};
	json_write_begin_object(&json);
	json_write_member_string(&json, "event", name);
	return json;
}

static void end_event(struct json_writer *json) {
	json_write_end_object(json);
	buffer_append(json->out, "\n", 1);
}

void compression_event_start(const char *rig, size_t clips, struct buffer *out) {
	struct json_writer json = begin_event("start", out);
	json_write_member_string(&json, "rig", rig);
	json_write_member_integer(&json, "clips", (int64_t)clips);
	end_event(&json);
}

void compression_event_clip(
	const char *clip, size_t done, size_t of, double seconds, struct buffer *out) {
	struct json_writer json = begin_event("clip", out);
	json_write_member_string(&json, "clip", clip);
	json_write_member_integer(&json, "done", (int64_t)done);
	json_write_member_integer(&json, "of", (int64_t)of);
	json_write_member_double(&json, "ms", seconds * 1000);
	end_event(&json);
}

void compression_event_end(
	const struct compression_report *report, const struct buffer *file, struct buffer *out) {
	struct json_writer json = begin_event("end", out);
	json_write_key(&json, "report");
	compression_write_report(report, out);
	json.separate = true;
	json_write_member_string(&json, "type", compression_media_type(report->codec));
	json_write_key(&json, "file");
	buffer_append(out, "\"", 1);
	text_put_base64(out, file->data, file->size);
	buffer_append(out, "\"", 1);
	end_event(&json);
}

void compression_event_failed(const struct error *error, struct buffer *out) {
	struct json_writer json = begin_event("failed", out);
	json_write_key(&json, "problem");
	problem_write(error, false, out);
	end_event(&json);
}
