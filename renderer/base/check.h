/* Results of checks as plain data: what the renderer's checks find, the protocol writes and reads,
 * and clients judge. Strings and arrays are borrowed from whoever made the result. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The weight of a finding. */
enum check_level {
	CHECK_OK, // below all thresholds
	CHECK_NOTE,
	CHECK_WARNING,
	CHECK_ERROR,
	CHECK_LEVEL_COUNT,
};

/* "ok", "note", "warning", "error". */
extern const char *const check_level_names[CHECK_LEVEL_COUNT + 1];

/* A value at or above one of these has that level; INFINITY = never. */
struct check_limits {
	double note, warning, error;
};

#define CHECK_LIMITS_OFF \
	{ INFINITY, INFINITY, INFINITY }

/* The level of a value. NAN counts as above all limits. */
enum check_level check_level_of(const struct check_limits *limits, double value);

/* The profiles that are built in, from the most tolerant on. */
enum check_profile_id {
	CHECK_PROFILE_WEB,
	CHECK_PROFILE_MOBILE,
	CHECK_PROFILE_GAME, // the default
	CHECK_PROFILE_VRM,
	CHECK_PROFILE_CINEMATIC,
	CHECK_PROFILE_STRICT,
	CHECK_PROFILE_COUNT,
};

/* Work that a rule takes: a look-up, per joint and sample, per vertex and sample, or within a
 * budget of its own. */
enum check_cost { CHECK_COST_TABLE, CHECK_COST_JOINTS, CHECK_COST_VERTICES, CHECK_COST_BUDGETED };

/* All that people and programs are told about a rule. Texts are plain English without markup;
 * those for people are whole sentences. */
struct check_rule_info {
	const char *id;      // "motion/pop": group and name; never changes its meaning
	const char *unit;    // of values: "L" (figure lengths), "degrees", "vertices", "share" ...
	const char *catches; // "one frame out of line, there and back"
	const char *definition; // how the value is measured
	const char *effect;     // what a player of the asset sees
	const char
		*fix; // for reports, a template (see check/message.h): "smooth the key at {time} s"
	const char *blender, *maya; // how to mend it there
	const char *message;        // template of a finding's sentence
	/* That sentence for a fault in a demo rig (tests/checks); NULL = it is reported and never
	 * judged. */
	const char *example;
	const char *khronos; // code of Khronos' validator for the same fault; NULL = it has none
	enum check_cost cost;
	bool by_clip;               // one value per clip; else one per rig
	bool below;                 // speaks at or below its limits instead
	struct check_limits limits; // of the profile "game"; the others' are in check_profiles.c
	int since;                  // version of rules files from which on it is on; 0 = 1
};

/* A number that a message names. */
struct check_param {
	const char *name;
	double value;
};

#define CHECK_PARAMS_MAX 8

/* The better of two versions of an asset. */
enum check_better { CHECK_BETTER_NEITHER, CHECK_BETTER_BEFORE, CHECK_BETTER_AFTER };

/* "neither", "before", "after". */
extern const char *const check_better_names[];

/* A value of one rule, and where it was found. */
struct check_measurement {
	int rule;                 // index into the report's rules
	int clip;                 // index into the file's clips; -1 = of the whole rig
	double value;             // in the rule's unit
	double absolute;          // the same in the asset's unit where the unit is L; else NAN
	double time_s;            // in the clip; NAN = at no one time
	int sample;               // of the clip; -1 = none
	const char *joint;        // name; NULL = none
	int joint_index;          // the node's index in the file; -1 = none
	const char *material;     // name; NULL = none
	const uint32_t *vertices; // [vertex_count] of the rig, at most CHECK_ELEMENTS_MAX
	size_t vertex_count;
	const uint32_t *triangles; // [triangle_count] of the rig (index / 3)
	size_t triangle_count;
	struct check_param params[CHECK_PARAMS_MAX];
	size_t param_count;
	const char *text;    // words of messages, such as names; NULL = none
	const char *pointer; // JSON pointer into the file: "/animations/1/channels/14"; NULL = none
	bool has_before;
	double before;            // the value in the earlier version
	enum check_better better; // by its findings
};

/* Vertices or triangles listed with one finding. */
#define CHECK_ELEMENTS_MAX 50

/* Relation of a finding to a baseline: the report of an earlier run. */
enum check_state {
	CHECK_STATE_NONE, // there is no baseline
	CHECK_STATE_NEW,
	CHECK_STATE_UNCHANGED,
	CHECK_STATE_UPDATED, // known, and worse
	CHECK_STATE_ABSENT,  // known, and gone
	CHECK_STATE_COUNT,
};

extern const char *const check_state_names[CHECK_STATE_COUNT + 1];

/* Hexadecimal digits of a fingerprint, and a NUL. */
#define CHECK_FINGERPRINT_BYTES 17

/* The camera of a finding's pictures: degrees, and distances in the asset's unit. */
struct check_camera {
	double target[3], yaw_deg, pitch_deg, distance;
};

/* A picture of a finding. */
struct check_picture {
	const char *label; // "before", "at", "after"
	const char *type;  // "image/png"
	const void *bytes; // [size]
	size_t size;
};

#define CHECK_PICTURES_MAX 4

/* The measured signal of a finding over the samples around it. */
struct check_curve {
	const double *times_s, *values; // [count]
	size_t count;
};

/* A measurement at or above a threshold. */
struct check_finding {
	struct check_measurement at;
	enum check_level level;
	double threshold;    // of the level
	double error_limit;  // the error's; INFINITY = there is none
	const char *message; // a sentence
	const char *fix;     // what to do, an imperative sentence
	int count;           // findings of the same fingerprint, of which this is the worst
	char fingerprint[CHECK_FINGERPRINT_BYTES];
	enum check_state state;
	const char *suppressed; // the reason; NULL = it is not
	bool has_camera;
	struct check_camera camera;
	struct check_picture pictures[CHECK_PICTURES_MAX];
	size_t picture_count;
	struct check_curve curve; // count 0 = none
};

/* Findings of one rule and clip that are listed at most. */
#define CHECK_FINDINGS_MAX 50

/* A rule that could not be applied. */
struct check_skip {
	int rule, clip; // clip -1 = to the whole rig
	const char *reason;
};

/* Findings beyond CHECK_FINDINGS_MAX. */
struct check_more {
	int rule, clip;
	size_t count;
};

struct check_summary {
	size_t files, errors, warnings, notes, suppressed, fresh; // fresh: new and updated
	enum check_level worst;                                   // that counts
};

/* Both versions of an asset, by the findings that either can have alone. */
struct check_versions {
	struct check_summary before, after;
	enum check_better better;
};

struct check_clip_facts {
	const char *name;
	double rate; // native, per second
	bool irregular;
	int samples;
	double start_s, duration_s;
	bool loop, likely_loop, airborne, still;
	double treadmill;    // speed that a loop walks in place at, L/s; NAN = not measured
	double surface_step; // samples between two that the surface was looked at
	double seconds;      // that its checks took
};

/* One asset. */
struct check_file {
	const char *path;    // as given
	const char *content; // "sha256:..."
	double length;       // the figure's, in the asset's unit
	const struct check_clip_facts *clips;
	size_t clip_count;
	const struct check_finding *findings; // by level (errors first), rule, clip, time
	size_t finding_count;
	const struct check_measurement *measurements; // by rule, clip
	size_t measurement_count;
	const struct check_skip *skipped;
	size_t skip_count;
	const struct check_more *more;
	size_t more_count;
	const char *const *not_covered; // extensions of glTF
	size_t not_covered_count;
	const char *refused; // why the asset cannot be read; NULL = it was read
	/* [suppression_count] of the profile: 1 = it has matched a finding; NULL = there are none.
	 */
	const unsigned char *suppressions_used;
	bool has_versions; // it was compared with an earlier one
	struct check_versions versions;
	bool has_bounds; // over all clips
	double bounds_min[3], bounds_max[3];
	double seconds;
};

struct check_profile;

/* A whole run. */
struct check_report {
	const char *build; // "posed 0.1.0 (...)"
	const char *profile;
	const char *digest; // of the resolved profile: "sha256:..."
	const char *skinning;
	/* The profile itself, for limits and their origins; NULL = they are left out. */
	const struct check_profile *resolved;
	bool with_timing;
	const struct check_rule_info *const *rules; // [rule_count]
	size_t rule_count;
	const struct check_file *files;
	size_t file_count;
	bool has_baseline;
	const char *const *remarks; // sentences about the run: a void suppression, another digest
	size_t remark_count;
};

/* Adds a finding to a summary, but for its files. */
void check_summary_add(struct check_summary *summary, const struct check_finding *finding);

/* Counts findings of files; suppressed and unchanged ones count for nothing but themselves. */
struct check_summary check_summarise(const struct check_file *files, size_t count);
