// Triangles in a tree of boxes.
#include "against/surface_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

#define LEAF_MAX 4

/* Nodes that wait to be looked at: the tree halves its triangles. */
#define STACK_MAX 64

struct corner_set {
	double corners[3][3]; // NaN = the triangle is nowhere
	double middle[3];     // where the tree was made
	uint32_t vertices[3];
};

struct tree_node {
	double low[3], high[3];
	int first, count; // of triangles; count 0 = it has two children
	int children;     // the first one, the other is behind it; both lie behind this node
};

struct surface_tree {
	struct corner_set *triangles; // [triangle_count]
	int triangle_count;
	struct tree_node *nodes; // [node_count]; the first one is the root
	int node_count;
};

/* In place of fmin() and fmax(), which compilers call. A NaN for a changes nothing. */
static inline double least_of(double a, double b) {
	return a < b ? a : b;
}

static inline double greatest_of(double a, double b) {
	return a > b ? a : b;
}

static void read_vertices(struct surface_tree *tree, const struct rig *rig) {
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *p = &rig->primitives[i];
		for (int k = 0; p->topology == TOPOLOGY_TRIANGLES && k + 2 < p->index_count;
			k += 3) {
			struct corner_set *triangle = &tree->triangles[tree->triangle_count++];
			for (int c = 0; c < 3; c++) {
				triangle->vertices[c] = (uint32_t)p->first_vertex +
					rig->indices[p->first_index + k + c];
			}
		}
	}
}

static void place(struct corner_set *triangle, const float *positions) {
	bool finite = true;
	for (int c = 0; c < 9; c++) {
		const double at = positions[3 * (size_t)triangle->vertices[c / 3] + c % 3];
		triangle->corners[c / 3][c % 3] = at;
		finite &= isfinite(at);
	}
	for (int c = 0; !finite && c < 9; c++) {
		triangle->corners[c / 3][c % 3] = NAN;
	}
}

/* Sets the middle; those that are nowhere have one anyhow. */
static void find_middle(struct corner_set *triangle) {
	for (int k = 0; k < 3; k++) {
		const double(*c)[3] = triangle->corners;
		const double middle = (c[0][k] + c[1][k] + c[2][k]) / 3;
		triangle->middle[k] = isfinite(middle) ? middle : 0;
	}
}

static void clear(struct tree_node *node) {
	for (int k = 0; k < 3; k++) {
		node->low[k] = INFINITY;
		node->high[k] = -INFINITY;
	}
}

static void bound(const struct surface_tree *tree, struct tree_node *node) {
	clear(node);
	for (int i = node->first; i < node->first + node->count; i++) {
		for (int c = 0; c < 9; c++) {
			const double at = tree->triangles[i].corners[c / 3][c % 3];
			node->low[c % 3] = least_of(at, node->low[c % 3]);
			node->high[c % 3] = greatest_of(at, node->high[c % 3]);
		}
	}
}

static void bound_children(const struct surface_tree *tree, struct tree_node *node) {
	clear(node);
	for (int i = node->children; i < node->children + 2; i++) {
		for (int k = 0; k < 3; k++) {
			node->low[k] = least_of(tree->nodes[i].low[k], node->low[k]);
			node->high[k] = greatest_of(tree->nodes[i].high[k], node->high[k]);
		}
	}
}

static int compare_along(const void *first, const void *second, void *context) {
	const int axis = *(const int *)context;
	const struct corner_set *a = first, *b = second;
	return (a->middle[axis] > b->middle[axis]) - (a->middle[axis] < b->middle[axis]);
}

static void split(struct surface_tree *tree, int index) {
	struct tree_node *node = &tree->nodes[index];
	bound(tree, node);
	if (node->count <= LEAF_MAX) {
		return;
	}
	int axis = 0;
	for (int k = 1; k < 3; k++) {
		axis = node->high[k] - node->low[k] > node->high[axis] - node->low[axis] ? k : axis;
	}
	qsort_r(&tree->triangles[node->first], (size_t)node->count, sizeof *tree->triangles,
		compare_along, &axis);
	const int half = node->count / 2, left = tree->node_count;
	tree->node_count += 2;
	tree->nodes[left] = (struct tree_node){.first = node->first, .count = half};
	tree->nodes[left + 1] =
		(struct tree_node){.first = node->first + half, .count = node->count - half};
	node->count = 0;
	node->children = left;
	split(tree, left);
	split(tree, left + 1);
}

struct surface_tree *surface_tree_create(
	const struct rig *rig, const float *positions, struct arena *arena) {
	struct surface_tree *tree = arena_alloc(arena, 1, sizeof *tree);
	const size_t room = (size_t)rig->index_count / 3 + 1;
	tree->triangles = arena_alloc(arena, room, sizeof *tree->triangles);
	tree->nodes = arena_alloc(arena, 2 * room, sizeof *tree->nodes);
	read_vertices(tree, rig);
	if (tree->triangle_count == 0) {
		return NULL;
	}
	for (int i = 0; i < tree->triangle_count; i++) {
		place(&tree->triangles[i], positions);
		find_middle(&tree->triangles[i]);
	}
	tree->node_count = 1;
	tree->nodes[0].count = tree->triangle_count;
	split(tree, 0);
	return tree;
}

void surface_tree_move(struct surface_tree *tree, const float *positions) {
	for (int i = 0; i < tree->triangle_count; i++) {
		place(&tree->triangles[i], positions);
	}
	for (int i = tree->node_count - 1; i >= 0; i--) {
		struct tree_node *node = &tree->nodes[i];
		if (node->count > 0) {
			bound(tree, node);
		} else {
			bound_children(tree, node);
		}
	}
}

static double box_square(const struct tree_node *node, const double point[static 3]) {
	double sum = 0;
	for (int k = 0; k < 3; k++) {
		const double out = greatest_of(
			greatest_of(node->low[k] - point[k], point[k] - node->high[k]), 0);
		sum += out * out;
	}
	return sum;
}

static double edge_square(
	const double a[static 3], const double b[static 3], const double point[static 3]) {
	double along[3], from[3], nearest[3];
	vec3_sub(b, a, along);
	vec3_sub(point, a, from);
	const double square = vec3_dot(along, along);
	const double share =
		square > 0 ? least_of(greatest_of(vec3_dot(from, along) / square, 0), 1) : 0;
	for (int k = 0; k < 3; k++) {
		nearest[k] = from[k] - share * along[k];
	}
	return vec3_dot(nearest, nearest);
}

/* Over its inside where the foot of the point is there, else over its edges. */
static double triangle_square(const struct corner_set *triangle, const double point[static 3]) {
	const double(*c)[3] = triangle->corners;
	double u[3], v[3], normal[3], from[3], side[3];
	vec3_sub(c[1], c[0], u);
	vec3_sub(c[2], c[0], v);
	vec3_cross(u, v, normal);
	const double area = vec3_dot(normal, normal);
	bool inside = area > 0;
	double least = INFINITY;
	for (int i = 0; i < 3; i++) {
		vec3_sub(c[(i + 1) % 3], c[i], u);
		vec3_sub(point, c[i], from);
		vec3_cross(u, from, side);
		inside &= vec3_dot(side, normal) > 0;
		least = least_of(edge_square(c[i], c[(i + 1) % 3], point), least);
	}
	if (inside) {
		vec3_sub(point, c[0], from);
		const double height = vec3_dot(from, normal);
		least = least_of(height * height / area, least);
	}
	return least;
}

/* A node, and the square of a point's distance from its box. */
struct step {
	const struct tree_node *node;
	double square;
};

static struct step step_to(const struct tree_node *node, const double point[static 3]) {
	return (struct step){node, box_square(node, point)};
}

double surface_tree_distance(const struct surface_tree *tree, const double point[static 3]) {
	struct step stack[STACK_MAX];
	int depth = 0;
	double least = INFINITY;
	stack[depth++] = step_to(&tree->nodes[0], point);
	while (depth > 0) {
		const struct step step = stack[--depth];
		if (step.square >= least) {
			continue;
		}
		const struct tree_node *node = step.node;
		for (int i = node->first; i < node->first + node->count; i++) {
			least = least_of(triangle_square(&tree->triangles[i], point), least);
		}
		if (node->count == 0) {
			const struct step left = step_to(&tree->nodes[node->children], point);
			const struct step right = step_to(&tree->nodes[node->children + 1], point);
			const bool first = left.square <= right.square;
			stack[depth++] = first ? right : left;
			stack[depth++] = first ? left : right;
		}
	}
	return sqrt(least);
}
