/* POST /v1/compare: its request into a plain struct, and what was found as JSON. Strings and values
 * are borrowed from the request's tree. */
#pragma once

#include "base/arena.h"
#include "base/buffer.h"
#include "limits.h"
#include "reply.h"
#include "request.h"

struct compare_request {
	struct subject subject;                          // of one pose
	struct skinning_settings methods[LIMIT_METHODS]; // [method_count] at least 2
	const struct value *places[LIMIT_METHODS]; // [method_count] as the request spells them
	size_t method_count;
	int worst; // vertices to list of each pair
	struct picture_settings picture;
	enum comparison_view view;
	double scale; // distance at which the colours end; 0 = the greatest found
};

/* The members that only it has. */
extern const struct member_table compare_members;

/* Reads the body. Fails like request_read_frame. */
bool request_read_compare(const struct value *body, struct compare_request *out, struct error *err);

/* Refuses a heat map of more than two methods. Fails with ERROR_INVALID_VALUE. */
bool compare_check_view(const struct compare_request *request, struct error *err);

/* The label of a method as a request spells it, "ddm variant=v1 lambda=3": its id, or the
 * default's where it names none, and its other members but a device left open. In the arena. */
const char *compare_label(struct arena *arena, const struct value *method, const char *default_id);

/* --- The answer --- */

struct method_comparison {
	const char *method, *device, *label;
	const char *const *flags;           // the method's remarks on its data; ended by NULL
	int fallback_vertices;              // that another method had to skin
	struct batches_description batches; // that it cuts the mesh into
	double volume, rest_volume;
	bool closed;
};

struct joint_share {
	const char *name;
	int index; // in the file
	float weight;
};

struct vertex_comparison {
	int vertex;
	double distance;
	const float *a, *b;               // [3] each
	const struct joint_share *joints; // [joint_count]
	size_t joint_count;
};

struct pair_comparison {
	size_t a, b; // positions in methods
	double max, mean, rms;
	const struct vertex_comparison *worst; // [worst_count]
	size_t worst_count;
};

struct comparison_description {
	int vertices;
	double diagonal;                         // 0 = nothing is relative to it
	const struct method_comparison *methods; // [method_count]
	size_t method_count;
	const struct pair_comparison *pairs; // [pair_count]
	size_t pair_count;
};

/* All numbers are finite. What would be divided by 0 is null. */
void reply_write_comparison(const struct comparison_description *comparison, struct buffer *out);
