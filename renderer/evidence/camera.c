// The place that a finding is seen best from: a depth test on the CPU, in double precision.
#include "evidence/camera.h"

#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/vec.h"

/* Pixels of the depth buffer's side. */
#define SIDE 128

#define YAWS 8

/* Boxes that fill the height, and shares of the figure that do so at least. */
#define BOXES 3
#define LEAST_SHARE 0.25

/* The depth that a vertex may have behind the surface that is seen at its pixel, in pixels. */
#define BIAS 2

/* A view with parallel lines of sight, so that what is behind the eye hides, too: an eye within the
 * figure shows nothing. */
struct view {
	double right[3], back[3]; // its axes; up is +Y
	double target[3];
	double pixel;        // size of one at the target
	double (*points)[3]; // [vertex_count] pixels, and place along back
	int (*triangles)[3]; // [triangle_count] that may hide the subject, from whatever side
	int triangle_count;
	/* Only pixels with a point of the subject are looked at, and they lie in this box. */
	bool wanted[SIDE][SIDE];
	int across[2], down[2];
	double nearest[SIDE][SIDE]; // place along back of the surface; -INFINITY = nothing
};

static void project(struct view *view, const float position[static 3], double out[static 3]) {
	const double from[3] = {position[0] - view->target[0], position[1] - view->target[1],
		position[2] - view->target[2]};
	out[0] = 0.5 * SIDE + vec3_dot(from, view->right) / view->pixel;
	out[1] = 0.5 * SIDE - from[1] / view->pixel;
	out[2] = vec3_dot(from, view->back);
}

static double least_of(double a, double b, double c) {
	const double d = a < b ? a : b;
	return d < c ? d : c;
}

static double greatest_of(double a, double b, double c) {
	const double d = a > b ? a : b;
	return d > c ? d : c;
}

/* The pixels of some whose centres lie from least to most; false where there are none. Most
 * triangles are smaller than a pixel, or elsewhere, and end here. */
static bool find_range(const int pixels[static 2], double least, double most, int range[static 2]) {
	const double first = least - 0.5, last = most - 0.5;
	if (!(last >= pixels[0] && first <= pixels[1])) {
		return false;
	}
	range[0] = first > pixels[0] ? (int)first + ((int)first < first) : pixels[0];
	range[1] = last < pixels[1] ? (int)last : pixels[1];
	return range[0] <= range[1];
}

/* Twice the area of a triangle on the screen. */
static double area_of(const double a[static 2], const double b[static 2], double x, double y) {
	return (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
}

/* The rows of a triangle that the subject is in. */
static bool find_rows(const struct view *view, const int corners[static 3], int rows[static 2]) {
	const double a = view->points[corners[0]][1], b = view->points[corners[1]][1];
	const double c = view->points[corners[2]][1];
	return find_range(view->down, least_of(a, b, c), greatest_of(a, b, c), rows);
}

static void fill_triangle(struct view *view, const int corners[static 3]) {
	const double *a = view->points[corners[0]], *b = view->points[corners[1]];
	const double *c = view->points[corners[2]];
	int across[2], down[2];
	if (!find_range(view->across, least_of(a[0], b[0], c[0]), greatest_of(a[0], b[0], c[0]),
		    across) ||
		!find_rows(view, corners, down)) {
		return;
	}
	const double area = area_of(a, b, c[0], c[1]);
	if (area == 0 || !isfinite(area)) {
		return;
	}
	for (int y = down[0]; y <= down[1]; y++) {
		for (int x = across[0]; x <= across[1]; x++) {
			if (!view->wanted[y][x]) {
				continue;
			}
			const double u = area_of(b, c, x + 0.5, y + 0.5) / area;
			const double v = area_of(c, a, x + 0.5, y + 0.5) / area;
			const double near = u * a[2] + v * b[2] + (1 - u - v) * c[2];
			if (u >= 0 && v >= 0 && u + v <= 1 && near > view->nearest[y][x]) {
				view->nearest[y][x] = near;
			}
		}
	}
}

/* The vertices that a view shows, and how deep the others lie behind the surface, all together. */
struct sight {
	int seen;
	double depth;
};

static bool is_on_screen(const double point[static 3]) {
	return point[0] >= 0 && point[0] < SIDE && point[1] >= 0 && point[1] < SIDE;
}

static void look_at(const struct view *view, const double point[static 3], struct sight *sight) {
	if (!is_on_screen(point)) {
		return;
	}
	const double depth = view->nearest[(int)point[1]][(int)point[0]] - point[2];
	if (depth > BIAS * view->pixel) {
		sight->depth += depth;
	} else {
		sight->seen++;
	}
}

static void add_pixel(int pixels[static 2], int pixel) {
	pixels[0] = pixel < pixels[0] ? pixel : pixels[0];
	pixels[1] = pixel > pixels[1] ? pixel : pixels[1];
}

/* Finds the pixels that the subject has. */
static void find_wanted(struct view *view, const struct evidence_scene *scene) {
	memset(view->wanted, 0, sizeof view->wanted);
	view->across[0] = view->down[0] = SIDE;
	view->across[1] = view->down[1] = -1;
	for (int i = 0; i < scene->subject_count; i++) {
		const double *point = view->points[scene->subject[i]];
		if (is_on_screen(point)) {
			const int x = (int)point[0], y = (int)point[1];
			view->wanted[y][x] = true;
			view->nearest[y][x] = -INFINITY;
			add_pixel(view->across, x);
			add_pixel(view->down, y);
		}
	}
}

static void turn(struct view *view, int yaw) {
	double sine, cosine;
	angle_sine_cosine((double)yaw / YAWS, &sine, &cosine);
	const double right[3] = {cosine, 0, -sine}, back[3] = {sine, 0, cosine};
	memcpy(view->right, right, sizeof right);
	memcpy(view->back, back, sizeof back);
}

static void project_all(struct view *view, const struct evidence_scene *scene) {
	for (int v = 0; v < scene->asset->rig->vertex_count; v++) {
		project(view, &scene->positions[3 * (size_t)v], view->points[v]);
	}
}

static struct sight look(struct view *view, const struct evidence_scene *scene) {
	struct sight sight = {0};
	project_all(view, scene);
	find_wanted(view, scene);
	for (int i = 0; i < view->triangle_count; i++) {
		fill_triangle(view, view->triangles[i]);
	}
	for (int i = 0; i < scene->subject_count; i++) {
		look_at(view, view->points[scene->subject[i]], &sight);
	}
	return sight;
}

/* The rows that the subject is in, which are the same from all sides. */
static void find_down(struct view *view, const struct evidence_scene *scene) {
	turn(view, 0);
	project_all(view, scene);
	view->down[0] = SIDE;
	view->down[1] = -1;
	for (int i = 0; i < scene->subject_count; i++) {
		const double y = view->points[scene->subject[i]][1];
		if (y >= 0 && y < SIDE) {
			add_pixel(view->down, (int)y);
		}
	}
}

/* Lists the triangles in those rows. */
static void list_triangles(
	struct view *view, const struct evidence_scene *scene, struct arena *arena) {
	const struct rig *rig = scene->asset->rig;
	size_t room = 1;
	int rows[2];
	for (int i = 0; i < rig->primitive_count; i++) {
		room += (size_t)rig->primitives[i].index_count / 3;
	}
	view->triangles = arena_alloc(arena, room, sizeof *view->triangles);
	find_down(view, scene);
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *p = &rig->primitives[i];
		const uint32_t *indices = &rig->indices[p->first_index];
		const int count = p->topology == TOPOLOGY_TRIANGLES ? p->index_count / 3 : 0;
		for (int k = 0; k < count * 3; k += 3) {
			int *corners = view->triangles[view->triangle_count];
			for (int c = 0; c < 3; c++) {
				corners[c] = p->first_vertex + (int)indices[k + c];
			}
			view->triangle_count += find_rows(view, corners, rows);
		}
	}
}

static void find_box(const struct evidence_scene *scene, double middle[static 3], double *longest) {
	double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
	*longest = 0;
	memcpy(middle, scene->place, 3 * sizeof *middle);
	for (int i = 0; i < scene->subject_count; i++) {
		const float *at = &scene->positions[3 * (size_t)scene->subject[i]];
		for (int k = 0; k < 3; k++) {
			low[k] = fmin(low[k], at[k]);
			high[k] = fmax(high[k], at[k]);
		}
	}
	for (int k = 0; k < 3 && scene->subject_count > 0; k++) {
		middle[k] = 0.5 * (low[k] + high[k]);
		*longest = fmax(*longest, high[k] - low[k]);
	}
}

/* The side that shows most; of equals the one with less before the others. */
static double choose_yaw(struct view *view, const struct evidence_scene *scene) {
	int best = 0;
	struct sight most = {.seen = -1};
	for (int i = 0; i < YAWS; i++) {
		turn(view, i);
		const struct sight sight = look(view, scene);
		if (sight.seen > most.seen ||
			(sight.seen == most.seen && sight.depth < most.depth)) {
			best = i;
			most = sight;
		}
	}
	return best * (360.0 / YAWS);
}

struct check_camera evidence_camera(const struct evidence_scene *scene) {
	struct arena *arena = arena_create();
	struct view *view = arena_alloc(arena, 1, sizeof *view);
	double longest, sine, cosine;
	find_box(scene, view->target, &longest);
	angle_sine_cosine(EVIDENCE_FOV_DEG / 720.0, &sine, &cosine);
	const double least = fmax(BOXES * longest, LEAST_SHARE * scene->asset->length);
	const double height = least > 0 ? least : 1;
	view->pixel = height / SIDE;
	view->points =
		arena_alloc(arena, (size_t)scene->asset->rig->vertex_count, sizeof *view->points);
	list_triangles(view, scene, arena);
	struct check_camera camera = {
		.distance = height / 2 * cosine / sine,
		.yaw_deg = choose_yaw(view, scene),
	};
	memcpy(camera.target, view->target, sizeof camera.target);
	arena_destroy(arena);
	return camera;
}
