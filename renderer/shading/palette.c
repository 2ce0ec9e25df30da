// Colours that tell joints apart: hues in two rings of lightness, handed out by who is next to
// whom.
#include "shading/palette.h"

#include <math.h>

#include "image/oklab.h"

#define HUES 11
#define COLORS (2 * HUES)

static struct oklab color_at(int i) {
	const bool dark = i % 2;
	const double hue = 2 * M_PI * (i / 2 + (dark ? 0.5 : 0)) / HUES;
	const double chroma = dark ? 0.11 : 0.13;
	return (struct oklab){dark ? 0.5 : 0.76, chroma * cos(hue), chroma * sin(hue)};
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

/* How far a colour is from the nearest of a family's, those that are used there; at most APART. */
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

/* The colour that is farthest from those of the family, and of equals the one that the fewest
 * joints have, used_in_all. parent -1 = there is none. */
static int choose(const struct table *table, const int used[static COLORS],
	const int used_in_all[static COLORS], int parent) {
	int best = 0;
	double farthest = -1;
	for (int i = 0; i < COLORS; i++) {
		const double far = distance_to_family(table, used, parent, i);
		if (far > farthest || (far == farthest && used_in_all[i] < used_in_all[best])) {
			best = i;
			farthest = far;
		}
	}
	return best;
}

void palette_fill(const struct rig *rig, struct arena *arena, unsigned char (*colors)[3]) {
	struct table *table = arena_alloc(arena, 1, sizeof *table);
	fill_table(table);
	const size_t count = (size_t)rig->joint_count;
	int *chosen = arena_alloc(arena, count, sizeof *chosen);
	// Of each joint's children; those of no joint are the last row's.
	int used_in_all[COLORS] = {0};
	int(*used)[COLORS] = arena_alloc(arena, count + 1, sizeof *used);
	for (size_t i = 0; i < count; i++) {
		const int parent = rig->joints[i].parent;
		int *family = used[parent >= 0 ? (size_t)parent : count];
		chosen[i] = choose(table, family, used_in_all, parent >= 0 ? chosen[parent] : -1);
		family[chosen[i]]++;
		used_in_all[chosen[i]]++;
		const struct oklab color = color_at(chosen[i]);
		oklab_to_srgb(&color, colors[i]);
	}
}
