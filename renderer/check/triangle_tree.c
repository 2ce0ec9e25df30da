// Trees of boxes around triangles whose vertices move.
#include "check/triangle_tree.h"

#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "check/percentile.h"

#define LEAF_MAX 4

/* Parameters of crossings are inside by more than this. */
#define INSIDE 1e-6

/* Greater than what a distance to a box is rounded by. */
#define ROUNDING 1e-12

/* The first child lies behind its parent. */
struct node {
	float low[3], high[3];
	int first, count;               // triangles in the order; count 0 = it has children
	int first_vertex, vertex_count; // of theirs, each once
	int second;                     // the other child
};

/* All but positions and the nodes' boxes is shared by copies. */
struct check_tree {
	const float *positions;
	int *order;        // [count] of triangles
	int (*corners)[3]; // [count] in that order
	int *vertices;     // of the leaves
	struct node *nodes;
	int node_count;
};

/* place is that in the order. */
static const float *corner(const struct check_tree *tree, int place, int k) {
	return tree->positions + (size_t)tree->corners[place][k] * 3;
}

/* --- Making --- */

struct maker {
	struct check_tree *tree;
	const int (*corners)[3]; // [count]
	int vertex_count;        // so far
	double (*middles)[3];    // [count] of triangles, times 3
	double *keys;            // [count]
	int *sorted;             // [count]
};

static int longest_axis(const struct maker *maker, int first, int count) {
	double low[3] = {INFINITY, INFINITY, INFINITY};
	double high[3] = {-INFINITY, -INFINITY, -INFINITY};
	for (int i = first; i < first + count; i++) {
		for (int k = 0; k < 3; k++) {
			const double at = maker->middles[maker->tree->order[i]][k];
			low[k] = at < low[k] ? at : low[k];
			high[k] = at > high[k] ? at : high[k];
		}
	}
	int axis = 0;
	for (int k = 1; k < 3; k++) {
		axis = high[k] - low[k] > high[axis] - low[axis] ? k : axis;
	}
	return axis;
}

/* Puts those below the median first, then those that equal it, then those above; in their order. */
static void split(struct maker *maker, int first, int count) {
	const int axis = longest_axis(maker, first, count);
	int *order = maker->tree->order + first;
	for (int i = 0; i < count; i++) {
		maker->keys[i] = maker->middles[order[i]][axis];
	}
	const double median = check_select(maker->keys, count, count / 2);
	int filled = 0;
	for (int side = -1; side <= 1; side++) {
		for (int i = 0; i < count; i++) {
			const double key = maker->middles[order[i]][axis];
			if ((key > median) - (key < median) == side) {
				maker->sorted[filled++] = order[i];
			}
		}
	}
	memcpy(order, maker->sorted, (size_t)count * sizeof *order);
}

static void make_leaf(struct maker *maker, struct node *node, int first, int count) {
	struct check_tree *tree = maker->tree;
	node->first = first;
	node->count = count;
	node->first_vertex = maker->vertex_count;
	for (int i = first; i < first + count; i++) {
		memcpy(tree->corners[i], maker->corners[tree->order[i]], sizeof *tree->corners);
		for (int k = 0; k < 3; k++) {
			int at = node->first_vertex;
			while (at < maker->vertex_count &&
				tree->vertices[at] != tree->corners[i][k]) {
				at++;
			}
			tree->vertices[at] = tree->corners[i][k];
			maker->vertex_count += at == maker->vertex_count;
		}
	}
	node->vertex_count = maker->vertex_count - node->first_vertex;
}

/* The depth is that of halving the triangles again and again. */
static void make_nodes(struct maker *maker, int first, int count) {
	struct node *node = &maker->tree->nodes[maker->tree->node_count++];
	if (count <= LEAF_MAX) {
		make_leaf(maker, node, first, count);
		return;
	}
	split(maker, first, count);
	make_nodes(maker, first, count / 2);
	node->second = maker->tree->node_count;
	make_nodes(maker, first + count / 2, count - count / 2);
}

struct check_tree *check_tree_create(
	const int (*corners)[3], int count, const float *positions, struct arena *arena) {
	struct arena *scratch = arena_create();
	struct check_tree *tree = arena_alloc(arena, 1, sizeof *tree);
	tree->order = arena_alloc(arena, (size_t)count, sizeof *tree->order);
	tree->corners = arena_alloc(arena, (size_t)count, sizeof *tree->corners);
	tree->vertices = arena_alloc(arena, 3 * (size_t)count, sizeof *tree->vertices);
	tree->nodes = arena_alloc(arena, (size_t)count + 1, sizeof *tree->nodes);
	struct maker maker = {
		.tree = tree,
		.corners = corners,
		.middles = arena_alloc(scratch, (size_t)count, sizeof *maker.middles),
		.keys = arena_alloc(scratch, (size_t)count, sizeof *maker.keys),
		.sorted = arena_alloc(scratch, (size_t)count, sizeof *maker.sorted),
	};
	for (int i = 0; i < count; i++) {
		tree->order[i] = i;
		for (int k = 0; k < 9; k++) {
			const size_t vertex = (size_t)corners[i][k / 3];
			maker.middles[i][k % 3] += (double)positions[vertex * 3 + (size_t)k % 3];
		}
	}
	make_nodes(&maker, 0, count);
	arena_destroy(scratch);
	check_tree_fit(tree, positions);
	return tree;
}

struct check_tree *check_tree_copy(const struct check_tree *tree, struct arena *arena) {
	const size_t nodes = (size_t)tree->node_count;
	struct check_tree *copy = arena_alloc(arena, 1, sizeof *copy);
	*copy = *tree;
	copy->nodes = arena_alloc(arena, nodes, sizeof *copy->nodes);
	memcpy(copy->nodes, tree->nodes, nodes * sizeof *copy->nodes);
	return copy;
}

static void fit_leaf(const struct check_tree *tree, struct node *node) {
	const int *vertices = tree->vertices + node->first_vertex;
	float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
	for (int i = 0; i < node->vertex_count; i++) {
		const float *at = tree->positions + (size_t)vertices[i] * 3;
		for (int k = 0; k < 3; k++) {
			low[k] = at[k] < low[k] ? at[k] : low[k];
			high[k] = at[k] > high[k] ? at[k] : high[k];
		}
	}
	memcpy(node->low, low, sizeof low);
	memcpy(node->high, high, sizeof high);
}

void check_tree_fit(struct check_tree *tree, const float *positions) {
	tree->positions = positions;
	for (int i = tree->node_count - 1; i >= 0; i--) {
		struct node *node = &tree->nodes[i];
		if (node->count > 0) {
			fit_leaf(tree, node);
			continue;
		}
		const struct node *a = node + 1, *b = &tree->nodes[node->second];
		for (int k = 0; k < 3; k++) {
			node->low[k] = a->low[k] < b->low[k] ? a->low[k] : b->low[k];
			node->high[k] = a->high[k] > b->high[k] ? a->high[k] : b->high[k];
		}
	}
}

/* --- Pairs --- */

struct pairing {
	const struct check_tree *a, *b;
	check_tree_pair *pair;
	void *context;
	long *budget;
};

static bool touch(const struct node *a, const struct node *b) {
	bool touch = true;
	for (int k = 0; k < 3; k++) {
		touch &= a->low[k] <= b->high[k] && b->low[k] <= a->high[k];
	}
	return touch;
}

static double extent(const struct node *node) {
	double square = 0;
	for (int k = 0; k < 3; k++) {
		const double size = (double)node->high[k] - (double)node->low[k];
		square += size * size;
	}
	return square;
}

/* The larger node is taken apart first. */
static bool pair_nodes(const struct pairing *pairing, int at, int bt) {
	const struct node *a = &pairing->a->nodes[at], *b = &pairing->b->nodes[bt];
	if (--*pairing->budget < 0) {
		return false;
	}
	if (!touch(a, b)) {
		return true;
	}
	if (a->count > 0 && b->count > 0) {
		for (int i = 0; i < a->count * b->count; i++) {
			pairing->pair(pairing->a->order[a->first + i / b->count],
				pairing->b->order[b->first + i % b->count], pairing->context);
		}
		return true;
	}
	if (b->count > 0 || (a->count == 0 && extent(a) >= extent(b))) {
		return pair_nodes(pairing, at + 1, bt) && pair_nodes(pairing, a->second, bt);
	}
	return pair_nodes(pairing, at, bt + 1) && pair_nodes(pairing, at, b->second);
}

bool check_tree_pairs(const struct check_tree *a, const struct check_tree *b, check_tree_pair *pair,
	void *context, long *budget) {
	const struct pairing pairing = {a, b, pair, context, budget};
	return pair_nodes(&pairing, 0, 0);
}

/* The point where a line from a point meets a triangle: *t along the way, and the triangle's own
 * parameters. Source: Moeller, Trumbore, Fast, minimum storage ray/triangle intersection, Journal
 * of Graphics Tools 2 (1997). */
static bool meets(const double from[static 3], const double way[static 3],
	const double triangle[static 3][3], double margin, double *t) {
	double first[3], second[3], across[3], away[3], turned[3];
	vec3_sub(triangle[1], triangle[0], first);
	vec3_sub(triangle[2], triangle[0], second);
	vec3_cross(way, second, across);
	const double determinant = vec3_dot(first, across);
	if (determinant == 0) {
		return false;
	}
	vec3_sub(from, triangle[0], away);
	const double u = vec3_dot(away, across) / determinant;
	// v adds to it.
	if (!(u > margin && u < 1 - margin)) {
		return false;
	}
	vec3_cross(away, first, turned);
	const double v = vec3_dot(way, turned) / determinant;
	*t = vec3_dot(second, turned) / determinant;
	return v > margin && u + v < 1 - margin;
}

static bool edges_cross(const double a[static 3][3], const double b[static 3][3]) {
	for (int k = 0; k < 3; k++) {
		double way[3], t;
		vec3_sub(a[(k + 1) % 3], a[k], way);
		if (meets(a[k], way, b, INSIDE, &t) && t > INSIDE && t < 1 - INSIDE) {
			return true;
		}
	}
	return false;
}

/* True when all corners of b are on one side of the plane of a. */
static bool is_beside(const double a[static 3][3], const double b[static 3][3]) {
	double first[3], second[3], normal[3];
	vec3_sub(a[1], a[0], first);
	vec3_sub(a[2], a[0], second);
	vec3_cross(first, second, normal);
	int above = 0, below = 0;
	for (int k = 0; k < 3; k++) {
		double away[3];
		vec3_sub(b[k], a[0], away);
		const double side = vec3_dot(away, normal);
		above += side > 0;
		below += side < 0;
	}
	return above == 3 || below == 3;
}

bool check_triangles_cross(const double a[static 3][3], const double b[static 3][3]) {
	return !is_beside(a, b) && !is_beside(b, a) && (edges_cross(a, b) || edges_cross(b, a));
}

/* --- Points --- */

static void load(const struct check_tree *tree, int place, double out[static 3][3]) {
	for (int i = 0; i < 9; i++) {
		out[i / 3][i % 3] = (double)corner(tree, place, i / 3)[i % 3];
	}
}

/* inverse is 1 / way, where that is not 0. */
static bool ray_meets_box(const struct node *node, const double from[static 3],
	const double way[static 3], const double inverse[static 3]) {
	double near = 0, far = INFINITY;
	for (int k = 0; k < 3; k++) {
		const double low = (double)node->low[k] - from[k];
		const double high = (double)node->high[k] - from[k];
		if (way[k] == 0) {
			far = low > 0 || high < 0 ? -1 : far;
			continue;
		}
		const double a = low * inverse[k], b = high * inverse[k];
		const double enter = a < b ? a : b, leave = a < b ? b : a;
		near = enter > near ? enter : near;
		far = leave < far ? leave : far;
	}
	return near <= far;
}

static int count_crossings(const struct check_tree *tree, int at, const double from[static 3],
	const double way[static 3], const double inverse[static 3]) {
	const struct node *node = &tree->nodes[at];
	if (!ray_meets_box(node, from, way, inverse)) {
		return 0;
	}
	if (node->count == 0) {
		return count_crossings(tree, at + 1, from, way, inverse) +
			count_crossings(tree, node->second, from, way, inverse);
	}
	int count = 0;
	for (int i = 0; i < node->count; i++) {
		double triangle[3][3], t;
		load(tree, node->first + i, triangle);
		count += meets(from, way, (const double(*)[3])triangle, 0, &t) && t > 0;
	}
	return count;
}

int check_tree_crossings(
	const struct check_tree *tree, const double from[static 3], const double way[static 3]) {
	const double inverse[3] = {1 / way[0], 1 / way[1], 1 / way[2]};
	return count_crossings(tree, 0, from, way, inverse);
}

/* The nearest point of the segment from a to b. */
static double segment_distance(
	const double at[static 3], const double a[static 3], const double b[static 3]) {
	double way[3], away[3];
	vec3_sub(b, a, way);
	vec3_sub(at, a, away);
	const double square = vec3_dot(way, way);
	const double t = square > 0 ? fmin(fmax(vec3_dot(away, way) / square, 0), 1) : 0;
	for (int k = 0; k < 3; k++) {
		away[k] -= t * way[k];
	}
	return vec3_length(away);
}

static double triangle_distance(const double at[static 3], const double triangle[static 3][3]) {
	double first[3], second[3], normal[3], t;
	vec3_sub(triangle[1], triangle[0], first);
	vec3_sub(triangle[2], triangle[0], second);
	vec3_cross(first, second, normal);
	if (vec3_normalize(normal) && meets(at, normal, triangle, 0, &t)) {
		return fabs(t);
	}
	double least = INFINITY;
	for (int k = 0; k < 3; k++) {
		least = fmin(least, segment_distance(at, triangle[k], triangle[(k + 1) % 3]));
	}
	return least;
}

static double box_distance(const struct node *node, const double at[static 3]) {
	double square = 0;
	for (int k = 0; k < 3; k++) {
		const double below = (double)node->low[k] - at[k];
		const double above = at[k] - (double)node->high[k];
		const double apart = below > 0 ? below : above > 0 ? above : 0;
		square += apart * apart;
	}
	return sqrt(square);
}

/* away is the distance of the node's box. The nearer child comes first: it leaves less of the other
 * to be looked at. */
static double find_distance(const struct check_tree *tree, int at, const double point[static 3],
	double away, double most) {
	const struct node *node = &tree->nodes[at];
	// A box may seem farther than what it holds by what is rounded.
	if (!(away * (1 - ROUNDING) < most)) {
		return most;
	}
	if (node->count == 0) {
		const int children[] = {at + 1, node->second};
		const double ways[] = {box_distance(&tree->nodes[children[0]], point),
			box_distance(&tree->nodes[children[1]], point)};
		const int nearer = ways[1] < ways[0];
		most = find_distance(tree, children[nearer], point, ways[nearer], most);
		return find_distance(tree, children[!nearer], point, ways[!nearer], most);
	}
	for (int i = 0; i < node->count; i++) {
		double triangle[3][3];
		load(tree, node->first + i, triangle);
		const double distance = triangle_distance(point, (const double(*)[3])triangle);
		most = distance < most ? distance : most;
	}
	return most;
}

double check_tree_distance(const struct check_tree *tree, const double at[static 3], double most) {
	return find_distance(tree, 0, at, box_distance(tree->nodes, at), most);
}

bool check_tree_holds(const struct check_tree *tree, const double at[static 3]) {
	return box_distance(tree->nodes, at) == 0;
}
