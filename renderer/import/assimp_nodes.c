// Assimp's nodes -> joints, parents before children.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mat.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "import/assimp_import.h"
#include "import/decompose.h"
#include "import/limits.h"

/* A node that waits for its turn. */
struct waiting {
	const struct aiNode *node;
	int parent; // joint
};

float assimp_number(double x) {
	return isfinite(x) && fabs(x) < 1e30 ? (float)x + 0.0f : 0; // -0 becomes 0
}

const char *assimp_text(struct arena *arena, const struct aiString *from) {
	const size_t most = sizeof from->data;
	char *copy = arena_strndup(arena, from->data, strnlen(from->data, most));
	const size_t length = strlen(copy);
	for (size_t i = 0; i < length;) {
		const size_t bytes = utf8_character_bytes(&copy[i], length - i);
		if (bytes == 0) {
			copy[i] = '?';
		}
		i += bytes ? bytes : 1;
	}
	return copy;
}

/* By a stack of its own, since trees may be deep. */
static size_t count_nodes(const struct aiNode *root) {
	size_t room = 64, depth = 1, count = 0;
	const struct aiNode **stack = xcalloc(room, sizeof *stack);
	stack[0] = root;
	while (depth > 0) {
		const struct aiNode *node = stack[--depth];
		count++;
		while (depth + node->mNumChildren > room) {
			room *= 2;
			stack = xrealloc(stack, room, sizeof *stack);
		}
		for (unsigned i = 0; i < node->mNumChildren; i++) {
			stack[depth++] = node->mChildren[i];
		}
	}
	free(stack);
	return count;
}

/* The scale of the root, which is the file's unit, goes into all lengths below it. */
static void take_unit(struct assimp_import *import, double m[static 12]) {
	const double determinant = mat_determinant(m);
	const double unit = cbrt(determinant);
	if (!import->format->has_unit || !(unit > 1e-9 && unit < 1e9)) {
		return;
	}
	import->unit = unit;
	for (int i = 0; i < 12; i++) {
		m[i] /= i % 4 < 3 ? unit : 1;
	}
}

static bool read_matrix(struct assimp_import *import, const struct aiNode *node, bool is_root,
	double m[static 12], struct error *err) {
	const float *from = &node->mTransformation.a1;
	for (int i = 0; i < 12; i++) {
		m[i] = (double)from[i];
		if (!isfinite(m[i])) {
			return error_set(err, ERROR_BROKEN_ASSET,
				"%s: the matrix of a node has a number that is not finite",
				import->format->name);
		}
	}
	if (is_root) {
		take_unit(import, m);
	} else {
		for (int i = 3; i < 12; i += 4) {
			m[i] *= import->unit;
		}
	}
	return true;
}

static bool add_joint(struct assimp_import *import, const struct waiting *from, int joint,
	struct scene_joint *out, struct error *err) {
	struct assimp_node *node = &import->nodes[joint];
	node->node = from->node;
	if (!read_matrix(import, from->node, joint == 0, node->rest, err)) {
		return false;
	}
	out->name = assimp_text(import->arena, &from->node->mName);
	out->parent = from->parent;
	if (decompose(node->rest, &out->rest) > DECOMPOSE_SHEAR_TOLERANCE) {
		char quoted[UTF8_QUOTED_BYTES];
		utf8_quote(out->name, quoted, sizeof quoted);
		rig_warn(import->rig, "node %s: has shear, which a joint cannot have; left out",
			quoted);
	}
	return true;
}

static int by_name(const void *a, const void *b) {
	const struct assimp_name *x = a, *y = b;
	const int order = strcmp(x->name, y->name);
	return order ? order : x->joint - y->joint;
}

int assimp_find_joint(const struct assimp_import *import, const char *name) {
	int low = 0, high = import->scene.joint_count;
	while (low < high) {
		const int middle = low + (high - low) / 2;
		if (strcmp(import->names[middle].name, name) < 0) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	const bool found =
		low < import->scene.joint_count && strcmp(import->names[low].name, name) == 0;
	return found ? import->names[low].joint : -1;
}

static void sort_names(struct assimp_import *import) {
	const size_t count = (size_t)import->scene.joint_count;
	import->names = arena_alloc(import->arena, count, sizeof *import->names);
	for (size_t i = 0; i < count; i++) {
		import->names[i] = (struct assimp_name){import->nodes[i].node->mName.data, (int)i};
	}
	qsort(import->names, count, sizeof *import->names, by_name);
}

bool assimp_make_joints(struct assimp_import *import, struct error *err) {
	const size_t count = count_nodes(import->from->mRootNode);
	if (count > INT32_MAX / 2 ||
		!claim_bytes(
			&import->scene.bytes_left, count * sizeof *import->nodes, "nodes", err)) {
		return error_set(err, ERROR_TOO_LARGE, "%zu nodes", count);
	}
	struct scene_joint *joints = arena_alloc(import->arena, count, sizeof *joints);
	struct waiting *stack = arena_alloc(import->arena, count, sizeof *stack);
	size_t depth = 1;
	import->nodes = arena_alloc(import->arena, count, sizeof *import->nodes);
	import->scene.joints = joints;
	stack[0] = (struct waiting){import->from->mRootNode, -1};
	while (depth > 0) {
		const struct waiting next = stack[--depth];
		const int joint = import->scene.joint_count++;
		if (!add_joint(import, &next, joint, &joints[joint], err)) {
			return false;
		}
		for (unsigned i = next.node->mNumChildren; i > 0; i--) {
			stack[depth++] = (struct waiting){next.node->mChildren[i - 1], joint};
		}
	}
	sort_names(import);
	return true;
}
