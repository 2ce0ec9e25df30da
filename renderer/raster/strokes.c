// Strokes as triangles on the screen.
#include "raster/strokes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Pairs of corners around a stroke's outline: half a turn around each end; or straight ends. */
#define PAIRS_ROUND 9
#define PAIRS_STRAIGHT 2
#define CORNERS_MAX (2 * PAIRS_ROUND)

/* Pixels of the thinnest line that is seen everywhere on its way, with several samples and with
 * one. */
#define MIN_RADIUS 0.35F
#define MIN_RADIUS_OF_ONE 0.5F

/* The least distance of a stroke from the eye, relative to that of its farther end. */
#define NEAREST 1e-3F

/* Pixels from the picture's corner that ends may be away, and the greatest radius: together less
 * than RASTER_GUARD, and further out than any picture is large. */
#define FARTHEST 12000.0F
#define MAX_RADIUS 3000.0F

/* Cosines and sines from a quarter turn back to a quarter turn ahead. */
static const float ROUND[PAIRS_ROUND][2] = {
	{0, -1},
	{0.382683432F, -0.923879533F},
	{0.707106781F, -0.707106781F},
	{0.923879533F, -0.382683432F},
	{1, 0},
	{0.923879533F, 0.382683432F},
	{0.707106781F, 0.707106781F},
	{0.382683432F, 0.923879533F},
	{0, 1},
};
static const float STRAIGHT[PAIRS_STRAIGHT][2] = {{0, -1}, {0, 1}};

/* An end on the screen. */
struct end {
	float x, y, radius; // pixels
	float depth;        // [-1, 1] and beyond, lifted
	float bare;         // the same without the lift
};

struct outline {
	int pairs;
	const float (*arc)[2]; // [pairs]
};

static void to_clip(const float m[static 16], const float p[static 3], float clip[static 4]) {
	for (int i = 0; i < 4; i++) {
		clip[i] = (m[i] * p[0] + m[4 + i] * p[1]) + (m[8 + i] * p[2] + m[12 + i]);
	}
}

static float row_length(const float m[static 16], int row, float less, int other) {
	float sum = 0;
	for (int k = 0; k < 3; k++) {
		const float x = m[4 * k + row] - less * m[4 * k + other];
		sum += x * x;
	}
	return sqrtf(sum);
}

/* The end at a place in clip space, so many pixels' worth nearer to the eye. */
static struct end end_at(
	const struct strokes_job *job, const float clip[static 4], float radius, float lift) {
	const float *m = job->view_projection;
	const float half_x = (float)job->width / 2, half_y = (float)job->height / 2;
	const float depth = clip[2] / clip[3];
	const float pixels_per_unit = row_length(m, 1, 0, 1) * half_y / clip[3];
	const float depth_per_unit = row_length(m, 2, depth, 3) / clip[3];
	return (struct end){
		.x = (clip[0] / clip[3] + 1) * half_x,
		.y = (clip[1] / clip[3] + 1) * half_y,
		.radius = radius,
		.depth = depth - lift * depth_per_unit / pixels_per_unit,
		.bare = depth,
	};
}

static struct end mix(const struct end *a, const struct end *b, float t) {
	return (struct end){
		.x = a->x + t * (b->x - a->x),
		.y = a->y + t * (b->y - a->y),
		.radius = a->radius + t * (b->radius - a->radius),
		.depth = a->depth + t * (b->depth - a->depth),
		.bare = a->bare + t * (b->bare - a->bare),
	};
}

/* Cuts off what lies beyond a limit; sign tells which. False if nothing is left. */
static bool cut(struct end ends[static 2], bool along_y, float sign) {
	float inside[2];
	for (int i = 0; i < 2; i++) {
		inside[i] = FARTHEST - sign * (along_y ? ends[i].y : ends[i].x);
	}
	if (!(inside[0] >= 0) && !(inside[1] >= 0)) {
		return false;
	}
	for (int i = 0; i < 2; i++) {
		if (!(inside[i] >= 0)) {
			const int other = 1 - i;
			const float t = inside[other] / (inside[other] - inside[i]);
			ends[i] = mix(&ends[other], &ends[i], t);
		}
	}
	return true;
}

/* Depth is clamped later, whatever it is. */
static bool is_finite(const struct end *end) {
	return isfinite(end->x) && isfinite(end->y) && isfinite(end->radius);
}

/* Projects both ends, of which what is behind the eye is cut off before. */
static bool project(
	const struct strokes_job *job, const struct stroke *stroke, struct end ends[static 2]) {
	const float least = job->samples > 1 ? MIN_RADIUS : MIN_RADIUS_OF_ONE;
	float clip[2][4];
	to_clip(job->view_projection, stroke->start, clip[0]);
	to_clip(job->view_projection, stroke->end, clip[1]);
	float radii[2] = {fmaxf(stroke->start_radius * (float)job->unit, least),
		fmaxf(stroke->end_radius * (float)job->unit, least)};
	const float farther = clip[0][3] > clip[1][3] ? clip[0][3] : clip[1][3];
	const float ahead[2] = {clip[0][3] - NEAREST * farther, clip[1][3] - NEAREST * farther};
	if (!(ahead[0] > 0) && !(ahead[1] > 0)) {
		return false;
	}
	for (int i = 0; i < 2; i++) {
		const int other = 1 - i;
		if (ahead[i] < 0) {
			const float t = ahead[i] / (ahead[i] - ahead[other]);
			for (int k = 0; k < 4; k++) {
				clip[i][k] += t * (clip[other][k] - clip[i][k]);
			}
			radii[i] += t * (radii[other] - radii[i]);
		}
	}
	for (int i = 0; i < 2; i++) {
		ends[i] = end_at(job, clip[i], fminf(radii[i], MAX_RADIUS), stroke->lift);
	}
	return cut(ends, false, 1) && cut(ends, false, -1) && cut(ends, true, 1) &&
		cut(ends, true, -1) && is_finite(&ends[0]) && is_finite(&ends[1]);
}

static int32_t snapped(float pixels) {
	return (int32_t)floorf(pixels * RASTER_PIXEL + 0.5F);
}

/* Adds a stroke's triangles. */
static size_t add_stroke(const struct strokes_job *job, const struct outline *outline,
	const struct stroke *stroke, struct raster_flat_triangle *out) {
	struct end ends[2];
	if (!project(job, stroke, ends)) {
		return 0;
	}
	const float along[2] = {ends[1].x - ends[0].x, ends[1].y - ends[0].y};
	const float size = sqrtf(along[0] * along[0] + along[1] * along[1]);
	const float axis[2] = {
		size > 1e-6F ? along[0] / size : 1, size > 1e-6F ? along[1] / size : 0};
	int32_t x[CORNERS_MAX], y[CORNERS_MAX];
	float depth[CORNERS_MAX];
	for (int i = 0; i < 2 * outline->pairs; i++) {
		const bool at_end = i % 2 == 0;
		const struct end *end = &ends[at_end];
		const float radius = end->radius, *arc = outline->arc[i / 2];
		const float ahead = at_end ? arc[0] : -arc[0];
		// Round ends go on into the depth as the stroke does, so that strokes in one line
		// have their rims behind all of them.
		const float slope = (ends[1].bare - ends[0].bare) / fmaxf(size, radius);
		const float z = end->depth + slope * ahead * radius;
		x[i] = snapped(end->x + (ahead * axis[0] - arc[1] * axis[1]) * radius);
		y[i] = snapped(end->y + (ahead * axis[1] + arc[1] * axis[0]) * radius);
		depth[i] = (z < -1 ? -1 : z < 1 ? z : 1) * 0.5F + 0.5F;
	}
	const int count = 2 * outline->pairs - 2;
	for (int i = 0; i < count; i++) {
		for (int k = 0; k < 3; k++) {
			out[i].x[k] = x[i + k];
			out[i].y[k] = y[i + k];
			out[i].depth[k] = depth[i + k];
		}
		for (int k = 0; k < 4; k++) {
			out[i].color[k] = stroke->color[k] * (float)job->opacity;
		}
	}
	return (size_t)count;
}

bool raster_strokes(struct raster *raster, const struct strokes_job *job,
	const struct stroke *strokes, size_t count, bool round, struct error *err) {
	const struct outline outline = {
		round ? PAIRS_ROUND : PAIRS_STRAIGHT, round ? ROUND : STRAIGHT};
	const size_t each = 2 * (size_t)outline.pairs - 2;
	struct raster_flat_triangle *triangles =
		try_calloc(count * each + 1, sizeof *triangles, "lines", err);
	if (!triangles) {
		return false;
	}
	struct raster_flats flats = {
		.triangles = triangles,
		.behind = job->where == STROKES_BEHIND,
	};
	for (size_t i = 0; i < count; i++) {
		flats.count += add_stroke(job, &outline, &strokes[i], triangles + flats.count);
	}
	const bool ok = flats.count == 0 || raster_flat(raster, &flats, err);
	free(triangles);
	return ok;
}

/* Draws strokes that are alike. Those that would be too thin to be seen are fainter in its place.
 */
static bool draw_alike(struct raster *raster, const struct strokes_job *job, struct stroke *strokes,
	size_t count, const struct stroke_style *style, struct error *err) {
	const double least = job->samples > 1 ? MIN_RADIUS : MIN_RADIUS_OF_ONE;
	struct strokes_job scaled = *job;
	scaled.opacity *= fmin(job->unit * style->radius / least, 1);
	for (size_t i = 0; i < count; i++) {
		strokes[i].start_radius = strokes[i].end_radius = (float)style->radius;
		strokes[i].lift = (float)style->lift;
		for (int k = 0; k < 4; k++) {
			strokes[i].color[k] = (float)style->color[k];
		}
	}
	return raster_strokes(raster, &scaled, strokes, count, false, err);
}

bool raster_edges(struct raster *raster, const struct strokes_job *job, const float *positions,
	const uint32_t (*edges)[2], size_t count, const struct stroke_style *style,
	struct error *err) {
	struct stroke *strokes = try_calloc(count + 1, sizeof *strokes, "edges", err);
	if (!strokes) {
		return false;
	}
	for (size_t i = 0; i < count; i++) {
		memcpy(strokes[i].start, positions + (size_t)edges[i][0] * 3,
			sizeof strokes->start);
		memcpy(strokes[i].end, positions + (size_t)edges[i][1] * 3, sizeof strokes->end);
	}
	const bool ok = draw_alike(raster, job, strokes, count, style, err);
	free(strokes);
	return ok;
}

bool raster_normals(struct raster *raster, const struct strokes_job *job, const float *positions,
	const float *normals, size_t count, double length, const struct stroke_style *style,
	struct error *err) {
	struct stroke *strokes = try_calloc(count + 1, sizeof *strokes, "normals", err);
	if (!strokes) {
		return false;
	}
	for (size_t i = 0; i < count; i++) {
		for (size_t k = 0; k < 3; k++) {
			const float place = positions[i * 3 + k];
			strokes[i].start[k] = place;
			strokes[i].end[k] = place + (float)length * normals[i * 3 + k];
		}
	}
	const bool ok = draw_alike(raster, job, strokes, count, style, err);
	free(strokes);
	return ok;
}
