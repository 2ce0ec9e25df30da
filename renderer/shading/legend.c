// Legends: a strip below the picture that says what its colours mean.
#include "shading/legend.h"

#include <math.h>

#include "image/canvas.h"
#include "image/gif_dither.h"

static const struct layout *layout_of(const struct legend *legend) {
	return legend->says.caption ? &legend->scale : &legend->list.layout;
}

bool legend_begin(const struct rig *known, const struct picture_settings *picture,
	const struct stop *stop, struct arena *arena, struct legend *out,
	struct picture_settings *cell, struct error *err) {
	const struct shading_job job = {
		.known = known, .settings = &picture->shading, .stop = stop, .arena = arena};
	struct shading_legend *says = &out->says;
	*out = (struct legend){0};
	if (!shading_mode(picture->shading.mode)->explain(&job, says, err) ||
		!(says->caption ? layout_heat(picture, &out->scale, err)
				: layout_list(
					  picture, says->colors, says->count, &out->list, err))) {
		return false;
	}
	const struct place drawn = layout_drawn(layout_of(out), 0);
	*cell = *picture;
	cell->width = drawn.width;
	cell->height = drawn.height;
	cell->shading.legend = false;
	return true;
}

void legend_end(const struct legend *legend, const struct picture_settings *picture,
	const unsigned char *cell, unsigned char *rgba) {
	const struct shading_legend *says = &legend->says;
	struct canvas canvas = {picture->width, picture->height, rgba};
	canvas_copy(&canvas, layout_drawn(layout_of(legend), 0), cell);
	if (says->caption) {
		const struct heat_legend heat = {.end = 1, .caption = says->caption};
		layout_write_heat(&legend->scale, picture, &heat, &canvas);
	} else {
		layout_write_list(&legend->list, picture, says->colors, says->count, &canvas);
	}
}

const char *joint_label(const struct joint *joint, struct arena *arena) {
	return joint->name[0] && text_has_letters(joint->name)
		? joint->name
		: arena_printf(arena, "#%d", joint->index);
}

#define HUES 11
#define COLORS (2 * HUES)

static struct oklab color_at(int i) {
	const bool dark = i % 2;
	const double hue = 2 * M_PI * (i / 2 + (dark ? 0.5 : 0)) / HUES;
	const double chroma = dark ? 0.11 : 0.13;
	return (struct oklab){dark ? 0.5 : 0.76, chroma * cos(hue), chroma * sin(hue)};
}

/* The distance of variants from their colour: in lightness, to either side, and in the share of
 * chroma. */
#define VARIED_LIGHTNESS 0.13
#define VARIED_CHROMA 0.6

/* A colour as it is given out for the so-manieth time: 0 is itself, and all others lie evenly
 * around it. Source: Roberts, The Unreasonable Effectiveness of Quasirandom Sequences, 2018 (R2).
 */
static struct oklab variant(int i, int times) {
	struct oklab color = color_at(i);
	double whole;
	const double across = modf(0.5 + times * 0.7548776662466927, &whole) - 0.5;
	const double share = 1 - VARIED_CHROMA * modf(times * 0.5698402909980532, &whole);
	color.l += 2 * VARIED_LIGHTNESS * across;
	color.a *= share;
	color.b *= share;
	return color;
}

/* From one colour of a sequence to the next: to the other ring, and to another side of it. */
#define SEQUENCE_STEP 9

void palette_color(int i, unsigned char rgb[static 3]) {
	const struct oklab color = variant(i * SEQUENCE_STEP % COLORS, i / COLORS);
	oklab_to_srgb(&color, rgb);
}

static double distance(int i, int k) {
	const struct oklab a = color_at(i), b = color_at(k);
	return sqrt(
		(a.l - b.l) * (a.l - b.l) + (a.a - b.a) * (a.a - b.a) + (a.b - b.b) * (a.b - b.b));
}

/* Distances between all colours. */
struct table {
	double apart[COLORS][COLORS];
};

static void fill_table(struct table *table) {
	for (int i = 0; i < COLORS; i++) {
		for (int k = 0; k < COLORS; k++) {
			table->apart[i][k] = distance(i, k);
		}
	}
}

/* As far apart as two neighbours' colours are to be: the eye tells them apart at a glance. */
#define APART 0.16

/* The distance of a colour from the nearest of a family's, those that are used there; at most
 * APART. */
static double distance_to_family(
	const struct table *table, const int used[static COLORS], int parent, int color) {
	double least = parent >= 0 ? fmin(table->apart[color][parent], APART) : APART;
	for (int k = 0; k < COLORS; k++) {
		if (used[k] > 0) {
			least = fmin(least, table->apart[color][k]);
		}
	}
	return least;
}

/* The distance of a colour from the nearest of those given out in this round; 2 = none is. */
static double distance_to_round(const struct table *table, const int used_in_all[static COLORS],
	int least_used, int color) {
	double least = 2;
	for (int k = 0; k < COLORS; k++) {
		if (used_in_all[k] > least_used) {
			least = fmin(least, table->apart[color][k]);
		}
	}
	return least;
}

/* Of the colours that the fewest joints have, used_in_all, that which is farthest from those of the
 * family, and of equals from the others given out in this round. parent -1 = there is none. */
static int choose(const struct table *table, const int used[static COLORS],
	const int used_in_all[static COLORS], int parent) {
	int least_used = used_in_all[0], best = -1;
	for (int i = 1; i < COLORS; i++) {
		least_used = used_in_all[i] < least_used ? used_in_all[i] : least_used;
	}
	double farthest = -1, farthest_in_round = -1;
	for (int i = 0; i < COLORS; i++) {
		const double far = distance_to_family(table, used, parent, i);
		const double in_round = distance_to_round(table, used_in_all, least_used, i);
		if (used_in_all[i] == least_used &&
			(far > farthest || (far == farthest && in_round > farthest_in_round))) {
			best = i;
			farthest = far;
			farthest_in_round = in_round;
		}
	}
	return best;
}

/* The colours handed out, and their owners. */
struct palette {
	const struct rig *rig;
	struct table table;
	int *chosen;         // [joint_count] -1 = has none so far
	int (*used)[COLORS]; // [joint_count + 1] by each joint's family below it; the last: by
			     // none's
	int used_in_all[COLORS];
	unsigned char *taken; // [2^24 / 8] bits of the bytes that joints have
	unsigned char (*colors)[3];
};

/* The nearest above that has a colour; -1 = none. */
static int find_parent(const struct palette *palette, int joint) {
	int parent = palette->rig->joints[joint].parent;
	while (parent >= 0 && palette->chosen[parent] < 0) {
		parent = palette->rig->joints[parent].parent;
	}
	return parent;
}

/* Moves bytes on to the nearest ones above that no joint has, and takes them. */
static void take_bytes(struct palette *palette, unsigned char rgb[static 3]) {
	unsigned number = (unsigned)rgb[0] << 16 | (unsigned)rgb[1] << 8 | rgb[2];
	while (palette->taken[number / 8] & 1 << number % 8) {
		number = (number + 1) & 0xffffff;
	}
	palette->taken[number / 8] |= (unsigned char)(1 << number % 8);
	rgb[0] = (unsigned char)(number >> 16);
	rgb[1] = (unsigned char)(number >> 8);
	rgb[2] = (unsigned char)number;
}

static void give_color(struct palette *palette, int joint) {
	const int parent = find_parent(palette, joint);
	int *family = palette->used[parent >= 0 ? parent : palette->rig->joint_count];
	const int color = choose(&palette->table, family, palette->used_in_all,
		parent >= 0 ? palette->chosen[parent] : -1);
	const struct oklab varied = variant(color, palette->used_in_all[color]);
	palette->chosen[joint] = color;
	family[color]++;
	palette->used_in_all[color]++;
	oklab_to_srgb(&varied, palette->colors[joint]);
	take_bytes(palette, palette->colors[joint]);
}

void palette_fill(const struct rig *rig, const double *weights, struct arena *arena,
	unsigned char (*colors)[3]) {
	const size_t count = (size_t)rig->joint_count;
	struct palette *palette = arena_alloc(arena, 1, sizeof *palette);
	*palette = (struct palette){
		.rig = rig,
		.chosen = arena_alloc(arena, count, sizeof *palette->chosen),
		.used = arena_alloc(arena, count + 1, sizeof *palette->used),
		.taken = arena_alloc(arena, 1 << 21, 1),
		.colors = colors,
	};
	fill_table(&palette->table);
	for (size_t i = 0; i < count; i++) {
		palette->chosen[i] = -1;
	}
	for (int moving = 1; moving >= 0; moving--) {
		for (int i = 0; i < rig->joint_count; i++) {
			if ((weights[i] > 0) == moving) {
				give_color(palette, i);
			}
		}
	}
}
