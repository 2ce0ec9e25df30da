/* The codec "bspline": each moving track is a B-spline over the samples, whose control points are
 * integers; any sample is evaluated from degree + 1 of them. Internal to the decoder. Sources: de
 * Boor, A Practical Guide to Splines, Springer 1978; Šebor's thesis on skeletal animation. */
#pragma once

#include "pclip_file.h"
#include "pclip_model.h"

enum { PCLIP_DEGREES = 4 }; // 0 to 3

/* The spline of one moving track. */
struct pclip_spline {
	uint8_t degree;
	bool periodic; // the last sample is the first one again
	bool uniform;  // knots are at equal distances, and not in the file
	uint8_t width; // axes that move
	int channel;   // the first of them
	int knot_count, point_count;
	uint32_t *knots; // [knot_count] between the ends, ascending samples; uniform: NULL
	int32_t *points; // [point_count][width]
};

/* All splines of a clip. */
struct pclip_splines {
	struct pclip_spline *list;
	int count, sample_count;
};

/* The control points of a spline with its degree and number of knots. */
int pclip_count_points(const struct pclip_spline *spline);

/* Codes a spline. Recording takes all of it, reading fills in all but width and channel.
 *
 * channels, states  [width] of the track
 * before            knots of the spline before; becomes its own
 * numbers           when reading: room for knots and control points, from what was taken so far
 * room              likewise: how many numbers are left
 * False for damage. */
bool pclip_code_spline(struct pclip_coder *coder, struct pclip_spline *spline, int sample_count,
	const struct pclip_channel *channels, struct pclip_state *states, int *before,
	int32_t *numbers, size_t room);

/* Reads all splines of a clip.
 *
 * list     room for one of each moving track
 * numbers  room for parts->point_count and parts->knot_count
 * False for damage. */
bool pclip_open_splines(const struct pclip_parts *parts, struct pclip_coder *coder,
	const struct pclip_channel *channels, int channel_count, struct pclip_state *states,
	struct pclip_spline *list, int32_t *numbers, struct pclip_splines *out);

/* All channels' numbers at a sample, in steps. */
void pclip_sample_splines(const struct pclip_splines *splines, int sample, double *numbers);
