// The names of joints, written beside them.
#include <math.h>
#include <stdlib.h>

#include "image/glyphs.h"
#include "overlay/overlay.h"
#include "shading/legend.h"

/* Pixels of letters, and between a marker and its name. */
#define EM 12
#define GAP 3

/* Places that are tried: so many directions, at so many distances. */
#define DIRECTIONS 8
#define RINGS 5

/* The cost of a pixel of a name that covers another name, lies outside of the picture or covers a
 * marker; a pixel of distance from its joint costs 1. */
#define COST_NAME 20
#define COST_OUTSIDE 50
#define COST_MARKER 2

static const unsigned char INK[3] = {0xff, 0xff, 0xff};
static const unsigned char RIM[3] = {0x14, 0x18, 0x22};

struct label {
	const char *text;
	double pixel[2]; // of its joint
	double radius;   // of its joint's marker
	struct place place;
};

struct labels {
	const struct canvas *canvas;
	const struct glyph_set *letters;
	struct label *items; // [count]
	size_t count;
};

static double overlap(const struct place *a, const struct place *b) {
	const int right = a->x + a->width < b->x + b->width ? a->x + a->width : b->x + b->width;
	const int left = a->x > b->x ? a->x : b->x;
	const int bottom =
		a->y + a->height < b->y + b->height ? a->y + a->height : b->y + b->height;
	const int top = a->y > b->y ? a->y : b->y;
	return right > left && bottom > top ? (double)(right - left) * (bottom - top) : 0;
}

static struct place marker_of(const struct label *label) {
	const int radius = (int)ceil(label->radius);
	return (struct place){(int)label->pixel[0] - radius, (int)label->pixel[1] - radius,
		2 * radius + 1, 2 * radius + 1};
}

/* The cost of placing the i-th label here; the labels before it are placed. */
static double cost(const struct labels *labels, size_t i, const struct place *place) {
	const struct place picture = {0, 0, labels->canvas->width, labels->canvas->height};
	const double area = (double)place->width * place->height;
	double sum = COST_OUTSIDE * (area - overlap(place, &picture));
	for (size_t k = 0; k < labels->count; k++) {
		const struct place marker = marker_of(&labels->items[k]);
		sum += COST_MARKER * overlap(place, &marker);
		if (k < i) {
			sum += COST_NAME * overlap(place, &labels->items[k].place);
		}
	}
	return sum;
}

/* The position of a name in a direction from its joint, counted from the right. */
static struct place candidate(const struct labels *labels, size_t i, int ring, int direction) {
	const struct label *label = &labels->items[i];
	const double angle = 2 * 3.14159265358979323846 * direction / DIRECTIONS;
	const double across = cos(angle), down = sin(angle);
	const int width = text_width(labels->letters, label->text);
	const int height = text_height(labels->letters);
	const double far = label->radius + GAP + ring * height * 0.8;
	const double x = label->pixel[0] + across * (far + width / 2.0) - width / 2.0;
	const double y = label->pixel[1] + down * (far + height / 2.0) - height / 2.0;
	return (struct place){(int)lrint(x), (int)lrint(y), width, height};
}

static void place_label(struct labels *labels, size_t i) {
	const int height = text_height(labels->letters);
	double least = INFINITY;
	for (int ring = 0; ring < RINGS; ring++) {
		for (int direction = 0; direction < DIRECTIONS; direction++) {
			const struct place place = candidate(labels, i, ring, direction);
			const double sum = cost(labels, i, &place) + ring * height;
			if (sum < least) {
				least = sum;
				labels->items[i].place = place;
			}
		}
	}
}

static bool is_near(const struct canvas *canvas, const double pixel[static 2]) {
	return pixel[0] >= 0 && pixel[0] < canvas->width && pixel[1] >= 0 &&
		pixel[1] < canvas->height;
}

static void collect(const struct overlays *overlays, struct labels *labels) {
	const struct skeleton *skeleton = overlays->skeleton;
	const struct rig *rig = overlays->job->subject.rig;
	for (int i = 0; i < rig->joint_count; i++) {
		struct label label = {
			.text = joint_label(&rig->joints[i], overlays->arena),
			.radius = skeleton->radii[i],
		};
		double place[3], per_unit;
		for (int k = 0; k < 3; k++) {
			place[k] = overlays->world[i][4 * k + 3];
		}
		if (skeleton->named[i] &&
			overlay_project(overlays, place, label.pixel, &per_unit) &&
			is_near(labels->canvas, label.pixel)) {
			labels->items[labels->count++] = label;
		}
	}
}

static void write_label(
	const struct labels *labels, const struct label *label, struct canvas *canvas) {
	for (int dy = -1; dy <= 1; dy++) {
		for (int dx = -1; dx <= 1; dx++) {
			if (dx != 0 || dy != 0) {
				text_draw(canvas, labels->letters, label->place.x + dx,
					label->place.y + dy, label->text, RIM);
			}
		}
	}
	text_draw(canvas, labels->letters, label->place.x, label->place.y, label->text, INK);
}

void skeleton_write(const struct overlays *overlays, struct canvas *canvas) {
	if (!overlays->skeleton->named) {
		return;
	}
	const size_t joints = (size_t)overlays->job->subject.rig->joint_count;
	struct labels labels = {
		.canvas = canvas,
		.letters = text_letters((int)lrint(EM * overlays->unit)),
		.items = arena_alloc(overlays->arena, joints, sizeof *labels.items),
	};
	collect(overlays, &labels);
	for (size_t i = 0; i < labels.count; i++) {
		place_label(&labels, i);
	}
	for (size_t i = 0; i < labels.count; i++) {
		write_label(&labels, &labels.items[i], canvas);
	}
}
