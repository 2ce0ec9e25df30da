/* Animation curves of FBX: numbers over time, by keys. */
#pragma once

#include "import/fbx_objects.h"

/* The span from a key to the next one. */
enum fbx_span {
	FBX_SPAN_CONSTANT,      // the key's value
	FBX_SPAN_CONSTANT_NEXT, // the next key's
	FBX_SPAN_LINEAR,
	FBX_SPAN_CUBIC, // a Bezier segment in time and value
};

/* The handles' share of a span's time where a key says nothing else. */
#define FBX_WEIGHT_STANDARD (1.0 / 3)

struct fbx_key {
	double time_s, value;
	enum fbx_span span;
	/* Of the span's two ends: value per second, and the handle's share of the span's time. */
	double slope[2], weight[2];
};

/* The course of a curve before its first key or after its last one, by the letters of the format.
 */
enum fbx_extrapolation {
	FBX_EXTRAPOLATE_CONSTANT = 'C',
	FBX_EXTRAPOLATE_REPEAT = 'R',
	FBX_EXTRAPOLATE_OFFSET = 'A', // repeated, each time from where the last one ended
	FBX_EXTRAPOLATE_MIRROR = 'M',
	FBX_EXTRAPOLATE_SLOPE = 'K',
};

struct fbx_curve {
	int key_count;
	const struct fbx_key *keys; // [key_count] times ascend
	bool is_still;              // it has the value of its keys everywhere
	int *recent;                // the key that the last evaluation was behind
	struct {
		enum fbx_extrapolation mode;
		int64_t count; // of repetitions; negative = no end
	} before, after;
};

/* Reads an AnimationCurve. ticks_per_s is the file's. Keys that are not finite, or before the one
 * before them, are left out. Fails with ERROR_BROKEN_ASSET where its lists do not fit together, or
 * with ERROR_TOO_LARGE. */
bool fbx_curve_read(struct fbx_curve *curve, struct fbx_tree *tree, const struct fbx_object *object,
	double ticks_per_s, struct error *err);

/* Bounds of a curve in a stretch of time: of the sizes of its first and second derivative. */
struct fbx_course {
	double rate, bend;
};

/* The bounds from start_s to end_s, between which the curve has no key. False where they are not
 * known: at steps, with weighted tangents, where it is repeated. */
bool fbx_curve_course(
	const struct fbx_curve *curve, double start_s, double end_s, struct fbx_course *out);

/* The value at a time, by one thread; the fallback for a curve without keys. */
double fbx_curve_at(const struct fbx_curve *curve, double time_s, double fallback);
