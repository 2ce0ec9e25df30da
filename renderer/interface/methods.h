/* Skinning methods, their options, and the data that they make once for a rig or fit to its
 * examples. Any thread. */
#pragma once

#include "model/posed_subject.h"
#include "model/skin_data.h"
#include "skin/library.h"
#include "skin/option.h"

/* Public facts about a skinning method. */
struct renderer_method {
	const char *id;    // "lbs"
	const char *title; // one line
	bool on_gpu, on_cpu;
	bool needs_examples, needs_clip;
	bool is_expensive;                        // what it makes of a rig first takes long
	bool is_base;                             // others can build on it
	bool cuts_mesh;                           // skins other vertices than the rig's
	const struct skin_option *const *options; // ended by NULL; NULL = none
	const char *normals[NORMALS_COUNT + 1];   // ways that it may be asked for; ended by NULL
};

/* Fills *out with the i-th method of the table; false past the end. */
bool renderer_method(size_t i, struct renderer_method *out);

/* Id of the method that a rig is skinned with where a request names none. */
const char *renderer_default_method(const struct rig *rig);

/* Checks the method that a request names. Fails with ERROR_UNKNOWN_METHOD and the ids
 * there are, or ERROR_INVALID_VALUE. */
bool renderer_check_skinning(const struct skinning_settings *settings, struct error *err);

/* One option of a method as a request's settings have it. */
struct renderer_option {
	const struct skin_option *option;
	double value;
};

/* Resolves settings: the method, and the value of every option, [SKIN_OPTIONS_MAX], NULL behind
 * the last. Fails like renderer_check_skinning. */
bool renderer_read_options(const struct skinning_settings *settings, struct renderer_method *method,
	struct renderer_option options[static SKIN_OPTIONS_MAX + 1], struct error *err);

/* Requirements of a request's skinning settings, for any rig. */
struct renderer_needs {
	bool data;     // some is made once for a rig; else the rest is false
	bool examples; // it is fitted to them
	bool clip;     // it is that of one clip, which the pose names
};

/* Fails like renderer_check_skinning. */
bool renderer_read_needs(
	const struct skinning_settings *settings, struct renderer_needs *out, struct error *err);

struct data_job {
	struct skin_library *library;
	struct posed_subject subject; // pose, clock_s and sources are ignored
};

struct data_report {
	bool ready;
	float share;                       // [0, 1] of it that is made
	unsigned flags;                    // bits: what skin_flag_name() has words for
	int fallback_vertices;             // that another method has to skin
	struct skin_batch_counts batches;  // that it cuts the mesh into
	bool fitted;                       // to examples: then
	double residual_max, residual_rms; // distances from them, in the rig's unit
};

/* Progress of the data, without making any; from_shelf: what lies on the library's shelf is
 * taken from there, which may wait for a disk. Fails with ERROR_MISSING_DATA for what the rig
 * lacks, ERROR_INVALID_VALUE for data of one clip, and like renderer_check_skinning. */
bool renderer_look_at_data(
	const struct data_job *job, bool from_shelf, struct data_report *out, struct error *err);

/* Makes what is not there, which may take minutes. Fails in the same ways, and with
 * ERROR_TOO_LARGE, ERROR_DEADLINE and ERROR_CLIENT_LEFT. */
bool renderer_make_data(const struct data_job *job, struct data_report *out, struct error *err);
