// The weights of the samples of a blend space.
#include "pose/blend/space.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

const char *const space_mode_names[SPACE_MODE_COUNT + 1] = {
	[SPACE_TRIANGLES] = "triangles",
	[SPACE_GRADIENT_BAND] = "gradient_band",
};

static double dot(const double a[static 2], const double b[static 2]) {
	return a[0] * b[0] + a[1] * b[1];
}

static void subtract(const double a[static 2], const double b[static 2], double out[static 2]) {
	out[0] = a[0] - b[0];
	out[1] = a[1] - b[1];
}

static double cross(const double a[static 2], const double b[static 2], const double c[static 2]) {
	return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/* True when a comes before b by the first coordinate, then the second. */
static bool is_before(const double a[static 2], const double b[static 2]) {
	return a[0] < b[0] || (a[0] == b[0] && a[1] < b[1]);
}

/* All samples are on one line. */
static void weigh_on_line(
	const double (*at)[2], int count, const double point[static 2], double *weights) {
	int first = 0, last = 0;
	for (int i = 1; i < count; i++) {
		first = is_before(at[i], at[first]) ? i : first;
		last = is_before(at[last], at[i]) ? i : last;
	}
	double line[2], from[2];
	subtract(at[last], at[first], line);
	subtract(point, at[first], from);
	const double along = dot(from, line);
	// The nearest samples on both sides; beyond an end it is on both.
	int below = first, above = last;
	double low = 0, high = dot(line, line);
	for (int i = 0; i < count; i++) {
		subtract(at[i], at[first], from);
		const double here = dot(from, line);
		if (here <= along && here >= low) {
			below = i, low = here;
		}
		if (here >= along && here <= high) {
			above = i, high = here;
		}
	}
	const double share = high > low ? fmax(0, fmin((along - low) / (high - low), 1)) : 0;
	weights[above] = share;
	weights[below] = 1 - share;
}

/* The nearest point of the hull. */
static void weigh_on_hull(const double (*at)[2], const struct space_mesh *mesh,
	const double point[static 2], double *weights) {
	double nearest = INFINITY, nearest_share = 0;
	int found = 0;
	for (int i = 0; i < mesh->edge_count; i++) {
		const double *a = at[mesh->edges[i][0]], *b = at[mesh->edges[i][1]];
		double edge[2], from[2];
		subtract(b, a, edge);
		subtract(point, a, from);
		const double share = fmax(0, fmin(dot(from, edge) / dot(edge, edge), 1));
		const double away[2] = {from[0] - share * edge[0], from[1] - share * edge[1]};
		if (dot(away, away) < nearest) {
			nearest = dot(away, away);
			nearest_share = share;
			found = i;
		}
	}
	weights[mesh->edges[found][0]] = 1 - nearest_share;
	weights[mesh->edges[found][1]] = nearest_share;
}

/* A point's barycentric coordinates; returns the least of them. */
static double find_coordinates(
	const double (*at)[2], const short *triangle, const double point[static 2], double out[3]) {
	const double *a = at[triangle[0]], *b = at[triangle[1]], *c = at[triangle[2]];
	const double area = cross(a, b, c);
	out[0] = cross(point, b, c) / area;
	out[1] = cross(a, point, c) / area;
	out[2] = cross(a, b, point) / area;
	return fmin(out[0], fmin(out[1], out[2]));
}

static void weigh_in_triangles(const double (*at)[2], const struct space_mesh *mesh,
	const double point[static 2], double *weights) {
	double best[3] = {0}, least = -INFINITY;
	const short *triangle = mesh->triangles[0];
	for (int i = 0; i < mesh->triangle_count; i++) {
		double coordinates[3];
		const double here = find_coordinates(at, mesh->triangles[i], point, coordinates);
		if (here > least) {
			least = here;
			triangle = mesh->triangles[i];
			memcpy(best, coordinates, sizeof best);
		}
	}
	// Less is a rounding on an edge between two triangles.
	if (!(least >= -1e-12)) {
		weigh_on_hull(at, mesh, point, weights);
		return;
	}
	double sum = 0;
	for (int k = 0; k < 3; k++) {
		best[k] = fmax(best[k], 0);
		sum += best[k];
	}
	for (int k = 0; k < 3; k++) {
		weights[triangle[k]] = best[k] / sum;
	}
}

static void weigh_by_bands(
	const double (*at)[2], int count, const double point[static 2], double *weights) {
	double sum = 0;
	for (int i = 0; i < count; i++) {
		double from[2], way[2];
		subtract(point, at[i], from);
		weights[i] = 1;
		for (int j = 0; j < count; j++) {
			subtract(at[j], at[i], way);
			const double band = j == i ? 1 : 1 - dot(from, way) / dot(way, way);
			weights[i] = fmax(0, fmin(weights[i], band));
		}
		sum += weights[i];
	}
	// The nearest sample's is a half at least.
	for (int i = 0; i < count; i++) {
		weights[i] /= sum;
	}
}

void space_weights(const double (*at)[2], int count, const struct space_mesh *mesh,
	enum space_mode mode, const double point[static 2], double *weights) {
	memset(weights, 0, (size_t)count * sizeof *weights);
	if (mode == SPACE_GRADIENT_BAND) {
		weigh_by_bands(at, count, point, weights);
	} else if (mesh->triangle_count > 0) {
		weigh_in_triangles(at, mesh, point, weights);
	} else {
		weigh_on_line(at, count, point, weights);
	}
}
