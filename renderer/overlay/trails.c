// The paths of joints through the world, with dots at equal moments and the present one marked.
#include <string.h>

#include "base/vec.h"
#include "overlay/overlay.h"
#include "pose/humanoid/humanoid.h"
#include "shading/legend.h"
#include "state/state.h"

/* Poses from one dot to the next, where the times are a span. */
#define STEPS 8

/* Joints that are followed at most where none are named: those that move farthest. */
#define MOST 12

/* The share of a clip that is followed: at its very end a looping clip is back at its start. */
#define ALMOST (1 - 1e-6)

#define RADIUS 1.0
#define RIM 0.9
#define DOT_RADIUS 2.1
#define NOW_RADIUS 4.2
#define NOW_RIM 1.4

/* The depth offsets of dots before their line and of rims behind them, in pixels. */
#define DOT_LIFT 3
#define NOW_LIFT 6
#define RIM_DEPTH 1

static const unsigned char RIM_COLOR[3] = {0x14, 0x18, 0x22};
static const unsigned char NOW_COLOR[3] = {0xff, 0xff, 0xff};

/* Colours that are told apart by those who do not see them all, too.
 * Source: Okabe, Ito, Color Universal Design, 2008. */
static const unsigned char COLORS[][3] = {{0xe6, 0x9f, 0x00}, {0x56, 0xb4, 0xe9},
	{0x00, 0x9e, 0x73}, {0xcc, 0x79, 0xa7}, {0xf0, 0xe4, 0x42}, {0xd5, 0x5e, 0x00},
	{0x00, 0x72, 0xb2}};

#define COLOR_COUNT (sizeof COLORS / sizeof *COLORS)

struct trails {
	int *joints;                // [joint_count] positions in rig->joints
	unsigned char (*colors)[3]; // [joint_count]
	size_t joint_count;
	double *times; // [time_count] by the clock
	size_t time_count;
	size_t steps;        // every so many-th time has a dot
	double (*places)[3]; // [joint_count][time_count + 1]; the last is the present
};

static double *place_of(const struct trails *trails, size_t joint, size_t time) {
	return trails->places[joint * (trails->time_count + 1) + time];
}

static bool read_joints(struct overlays *overlays, struct trails *trails, struct error *err) {
	const struct value *list = overlays->settings->trails.joints;
	const bool *named = overlay_joints(overlays, list, err);
	for (int i = 0; named && i < overlays->job->subject.rig->joint_count; i++) {
		if (named[i]) {
			trails->joints[trails->joint_count++] = i;
		}
	}
	return named != NULL;
}

/* Head, hands and feet. */
static void take_limbs(const struct humanoid *humanoid, struct trails *trails) {
	static const enum humanoid_role ends[] = {HUMANOID_HEAD, HUMANOID_LEFT_HAND,
		HUMANOID_RIGHT_HAND, HUMANOID_LEFT_FOOT, HUMANOID_RIGHT_FOOT};
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		if (humanoid->joints[ends[i]] >= 0) {
			trails->joints[trails->joint_count++] = humanoid->joints[ends[i]];
		}
	}
}

/* Joints that move vertices and have none such below them. */
static void take_leaves(struct overlays *overlays, struct trails *trails) {
	const struct rig *rig = overlays->job->subject.rig;
	const bool *moving = overlay_joints(overlays, NULL, NULL);
	bool *inner = arena_alloc(overlays->arena, (size_t)rig->joint_count, sizeof *inner);
	for (int i = rig->joint_count - 1; i >= 0; i--) {
		if ((moving[i] || inner[i]) && rig->joints[i].parent >= 0) {
			inner[rig->joints[i].parent] = true;
		}
		if (moving[i] && !inner[i]) {
			trails->joints[trails->joint_count++] = i;
		}
	}
}

static bool choose_joints(struct overlays *overlays, struct trails *trails, struct error *err) {
	const struct rig *rig = overlays->job->subject.rig;
	struct humanoid humanoid;
	trails->joints =
		arena_alloc(overlays->arena, (size_t)rig->joint_count, sizeof *trails->joints);
	if (overlays->settings->trails.joints) {
		return read_joints(overlays, trails, err);
	}
	humanoid_find(rig, overlays->arena, &humanoid);
	if (humanoid_is_whole(&humanoid)) {
		take_limbs(&humanoid, trails);
	} else {
		take_leaves(overlays, trails);
	}
	return true;
}

/* From the settings' span, or that of the clip. */
static bool find_span(struct overlays *overlays, double span_s[static 2], struct error *err) {
	const struct trails_settings *settings = &overlays->settings->trails;
	struct moments_length length;
	if (settings->has_span) {
		span_s[0] = settings->start_s;
		span_s[1] = settings->end_s;
		return true;
	}
	if (!moments_length(&overlays->moments, &length, err)) {
		return false;
	}
	span_s[0] = length.start_s;
	span_s[1] = length.start_s + length.length_s * ALMOST;
	return length.length_s > 0 ||
		value_error(overlay_source(overlays, "trails"), err, ERROR_INVALID_VALUE,
			"the pose samples no clip that trails could be drawn over; say \"times\"");
}

static bool choose_times(struct overlays *overlays, struct trails *trails, struct error *err) {
	const struct trails_settings *settings = &overlays->settings->trails;
	const struct value *list = settings->times;
	double span_s[2] = {0, 0};
	if (!list && !find_span(overlays, span_s, err)) {
		return false;
	}
	trails->steps = list ? 1 : STEPS;
	trails->time_count = list ? list->count : ((size_t)settings->count - 1) * STEPS + 1;
	trails->times = arena_alloc(overlays->arena, trails->time_count, sizeof *trails->times);
	for (size_t i = 0; i < trails->time_count; i++) {
		const double share = (double)i / (double)(trails->time_count - 1);
		trails->times[i] =
			list ? list->items[i].number : span_s[0] + share * (span_s[1] - span_s[0]);
	}
	return true;
}

/* Writes down where the joints are at a time. */
static void note(const struct trails *trails, const double (*world)[12], size_t time) {
	for (size_t i = 0; i < trails->joint_count; i++) {
		for (int k = 0; k < 3; k++) {
			place_of(trails, i, time)[k] = world[trails->joints[i]][4 * k + 3];
		}
	}
}

/* Follows the joints through all times, and where they are now. */
static bool follow(struct overlays *overlays, struct trails *trails, struct error *err) {
	const size_t joints = (size_t)overlays->job->subject.rig->joint_count;
	double(*world)[12] = arena_alloc(overlays->arena, joints, sizeof *world);
	trails->places = arena_alloc(overlays->arena,
		trails->joint_count * (trails->time_count + 1) + 1, sizeof *trails->places);
	for (size_t t = 0; t < trails->time_count; t++) {
		if (!moments_world(&overlays->moments, trails->times[t], world, err)) {
			return false;
		}
		note(trails, (const double(*)[12])world, t);
	}
	if (!overlay_find_world(overlays, err)) {
		return false;
	}
	note(trails, (const double(*)[12])overlays->world, trails->time_count);
	return true;
}

static double way_of(const struct trails *trails, size_t joint) {
	double sum = 0;
	for (size_t t = 1; t < trails->time_count; t++) {
		double step[3];
		vec3_sub(place_of(trails, joint, t), place_of(trails, joint, t - 1), step);
		sum += vec3_length(step);
	}
	return sum;
}

/* Leaves out joints, that which moves least first. */
static void keep_farthest(struct trails *trails) {
	const size_t row = trails->time_count + 1;
	while (trails->joint_count > MOST) {
		size_t least = 0;
		for (size_t i = 1; i < trails->joint_count; i++) {
			least = way_of(trails, i) < way_of(trails, least) ? i : least;
		}
		trails->joint_count--;
		memmove(trails->places[least * row], trails->places[(least + 1) * row],
			(trails->joint_count - least) * row * sizeof *trails->places);
		memmove(&trails->joints[least], &trails->joints[least + 1],
			(trails->joint_count - least) * sizeof *trails->joints);
	}
}

/* Each trail another: of few those that all see, of more those that tell joints apart. */
static void choose_colors(struct overlays *overlays, struct trails *trails) {
	const struct rig *rig = overlays->job->subject.rig;
	const size_t count = (size_t)rig->joint_count;
	trails->colors =
		arena_alloc(overlays->arena, trails->joint_count + 1, sizeof *trails->colors);
	if (trails->joint_count <= COLOR_COUNT) {
		memcpy(trails->colors, COLORS, trails->joint_count * sizeof *COLORS);
		return;
	}
	double *followed = arena_alloc(overlays->arena, count, sizeof *followed);
	unsigned char(*palette)[3] = arena_alloc(overlays->arena, count, sizeof *palette);
	for (size_t i = 0; i < trails->joint_count; i++) {
		followed[trails->joints[i]] = 1;
	}
	palette_fill(rig, followed, overlays->arena, palette);
	for (size_t i = 0; i < trails->joint_count; i++) {
		memcpy(trails->colors[i], palette[trails->joints[i]], sizeof *palette);
	}
}

static bool begin(struct overlays *overlays, struct error *err) {
	struct trails *trails = arena_alloc(overlays->arena, 1, sizeof *trails);
	overlays->trails = trails;
	if (!choose_joints(overlays, trails, err) || !choose_times(overlays, trails, err) ||
		!follow(overlays, trails, err)) {
		return false;
	}
	if (!overlays->settings->trails.joints) {
		keep_farthest(trails);
	}
	choose_colors(overlays, trails);
	return true;
}

/* The strokes of trails: rims below all else, so that a path that comes back is not lost in them.
 */
struct trail_strokes {
	struct strokes rims, lines;
};

/* A stroke between two places; one place is a dot. */
static struct stroke stroke_between(const double from[static 3], const double to[static 3],
	double radius, double lift, const unsigned char color[static 3]) {
	struct stroke stroke = {
		.start_radius = (float)radius, .end_radius = (float)radius, .lift = (float)lift};
	for (int k = 0; k < 3; k++) {
		stroke.start[k] = (float)from[k];
		stroke.end[k] = (float)to[k];
	}
	overlay_color(color, 1, stroke.color);
	return stroke;
}

static void add_dot(const double place[static 3], double radius, double rim, double lift,
	const unsigned char color[static 3], struct strokes *strokes) {
	const struct stroke around =
		stroke_between(place, place, radius + rim, lift - RIM_DEPTH, RIM_COLOR);
	const struct stroke dot = stroke_between(place, place, radius, lift, color);
	strokes_add(strokes, &around);
	strokes_add(strokes, &dot);
}

static void add_trail(
	const struct overlays *overlays, size_t joint, struct trail_strokes *strokes) {
	const struct trails *trails = overlays->trails;
	const unsigned char *color = trails->colors[joint];
	const double unit = overlays->unit;
	for (size_t t = 1; t < trails->time_count; t++) {
		const double *from = place_of(trails, joint, t - 1);
		const double *to = place_of(trails, joint, t);
		const struct stroke rim =
			stroke_between(from, to, (RADIUS + RIM) * unit, 0, RIM_COLOR);
		const struct stroke line = stroke_between(from, to, RADIUS * unit, 0, color);
		strokes_add(&strokes->rims, &rim);
		strokes_add(&strokes->lines, &line);
	}
	for (size_t t = 0; t < trails->time_count; t += trails->steps) {
		add_dot(place_of(trails, joint, t), DOT_RADIUS * unit, RIM * unit, DOT_LIFT, color,
			&strokes->lines);
	}
	add_dot(place_of(trails, joint, trails->time_count), NOW_RADIUS * unit, NOW_RIM * unit,
		NOW_LIFT, NOW_COLOR, &strokes->lines);
}

static bool draw(struct overlays *overlays, struct error *err) {
	struct back_end *back_end = overlays->renderer->back_end;
	struct trail_strokes strokes = {{.arena = overlays->arena}, {.arena = overlays->arena}};
	for (size_t i = 0; i < overlays->trails->joint_count; i++) {
		add_trail(overlays, i, &strokes);
	}
	if (!strokes_draw(overlays, &overlays->lines, &strokes.rims, err)) {
		return false;
	}
	back_end->kind->start_on_top(back_end);
	return strokes_draw(overlays, &overlays->lines, &strokes.lines, err);
}

const struct overlay_kind overlay_trails = {.begin = begin, .draw = draw, .layer = LAYER_ON_TOP};
