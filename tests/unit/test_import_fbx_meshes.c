// Meshes of FBX, with their skins and shapes: files made here against exact answers.
#include <string.h>

#include "base/mat.h"
#include "check.h"
#include "fbx_builder.h"

#define ROOT 0

/* --- Meshes --- */

static double triangle_area(const struct rig *rig, int first) {
	const float *p = rig->positions;
	const uint32_t *i = &rig->indices[first];
	const double ax = (double)(p[i[1] * 3] - p[i[0] * 3]);
	const double ay = (double)(p[i[1] * 3 + 1] - p[i[0] * 3 + 1]);
	const double bx = (double)(p[i[2] * 3] - p[i[0] * 3]);
	const double by = (double)(p[i[2] * 3 + 1] - p[i[0] * 3 + 1]);
	return (ax * by - ay * bx) / 2;
}

/* An arrow head, whose fan from any but two corners would leave it: its triangles fill it, and none
 * is turned. */
static void polygons_are_filled_once(void **state) {
	(void)state;
	const double points[] = {0, 0, 0, 4, 4, 0, 0, 3, 0, -4, 4, 0, 0, -2, 0};
	for (int start = 0; start < 4; start++) {
		struct fbx_builder b = fbx_begin_metres(FBX_BINARY_7400);
		int64_t corners[4];
		for (int i = 0; i < 4; i++) {
			corners[i] = (start + i) % 4;
		}
		corners[3] = -1 - corners[3];
		fbx_mesh(&b, 5, points, 5, corners, 4);
		fbx_model(&b, 1, "a", "Mesh", NULL);
		fbx_connect(&b, 1, ROOT, NULL);
		fbx_connect(&b, 5, 1, NULL);
		struct rig *rig = fbx_build(&b);
		assert_int_equal(rig->index_count, 6);
		const double first = triangle_area(rig, 0), second = triangle_area(rig, 3);
		assert_true(first > 0 && second > 0);
		assert_near(first + second, 12, 1e-5); // by the shoelace formula
		rig_release(rig);
	}
}

static void mesh_of_a_polygon_in_each_material_becomes_two_pieces(void **state) {
	(void)state;
	const double points[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
	const int64_t corners[] = {0, 1, -3, 0, 2, -4}, materials[] = {1, 0};
	const double uvs[] = {0, 0, 1, 0, 1, 1, 0, 1};
	const int64_t uv_indices[] = {0, 1, 2, 0, 2, 3};
	struct fbx_builder b = fbx_begin_metres(FBX_ASCII);
	fbx_object(&b, "Geometry", 5, "", "Mesh");
	fbx_put_reals(&b, "Vertices", points, 12);
	fbx_put_integers(&b, "PolygonVertexIndex", corners, 6);
	fbx_open(&b, "LayerElementUV");
	fbx_put_integer(&b, 0);
	fbx_open(&b, "MappingInformationType");
	fbx_put_text(&b, "ByPolygonVertex");
	fbx_close(&b);
	fbx_open(&b, "ReferenceInformationType");
	fbx_put_text(&b, "IndexToDirect");
	fbx_close(&b);
	fbx_put_reals(&b, "UV", uvs, 8);
	fbx_put_integers(&b, "UVIndex", uv_indices, 6);
	fbx_close(&b);
	fbx_open(&b, "LayerElementMaterial");
	fbx_put_integer(&b, 0);
	fbx_open(&b, "MappingInformationType");
	fbx_put_text(&b, "ByPolygon");
	fbx_close(&b);
	fbx_put_integers(&b, "Materials", materials, 2);
	fbx_close(&b);
	fbx_close(&b);
	fbx_model(&b, 1, "a", "Mesh", NULL);
	for (int i = 0; i < 2; i++) {
		fbx_object(&b, "Material", 50 + i, i ? "red" : "grey", "");
		fbx_open(&b, "Properties70");
		fbx_property(&b, "DiffuseColor",
			i ? (const double[3]){1, 0, 0} : (const double[3]){0.5, 0.5, 0.5}, 3);
		fbx_close(&b);
		fbx_close(&b);
		fbx_connect(&b, 50 + i, 1, NULL);
	}
	fbx_connect(&b, 1, ROOT, NULL);
	fbx_connect(&b, 5, 1, NULL);
	struct rig *rig = fbx_build(&b);
	assert_int_equal(rig->primitive_count, 2);
	assert_int_equal(rig->vertex_count, 6);
	assert_string_equal(rig->materials[rig->primitives[0].material].name, "grey");
	assert_string_equal(rig->materials[rig->primitives[1].material].name, "red");
	// 0.5 of sRGB is 0.214 of light; the second polygon has the first material.
	assert_near((double)rig->materials[0].base_color[0], 0.21404, 1e-5);
	for (int v = 0; v < 6; v++) {
		// Texture coordinates are counted from the top here.
		assert_near((double)rig->texcoords[0][v * 2], (double)rig->positions[v * 3], 1e-6);
		assert_near((double)rig->texcoords[0][v * 2 + 1],
			1 - (double)rig->positions[v * 3 + 1], 1e-6);
	}
	rig_release(rig);
}

/* --- Skins and shapes --- */

static void put_cluster(struct fbx_builder *b, int64_t id, int64_t bone, const int64_t *points,
	const double *weights, uint32_t count, double bone_x, bool has_matrix) {
	const double bind[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0 - bone_x, 0, 0, 1};
	fbx_object(b, "Deformer", id, "", "Cluster");
	fbx_put_integers(b, "Indexes", points, count);
	fbx_put_reals(b, "Weights", weights, count);
	if (has_matrix) {
		fbx_put_reals(b, "Transform", bind, 16);
	}
	fbx_close(b);
	fbx_connect(b, id, 60, NULL);
	fbx_connect(b, bone, id, NULL);
}

/* Three points: one between two bones, one of the second, one of none. */
static struct rig *skinned_by(enum fbx_spelling spelling, bool has_matrices) {
	const double points[] = {0, 0, 0, 2, 0, 0, 0, 2, 0};
	const int64_t corners[] = {0, 1, -3}, both[] = {0}, second[] = {0, 1};
	struct fbx_builder b = fbx_begin_metres(spelling);
	fbx_mesh(&b, 5, points, 3, corners, 3);
	fbx_model(&b, 1, "mesh", "Mesh", NULL);
	fbx_model(&b, 2, "first", "LimbNode", NULL);
	fbx_model(&b, 3, "second", "LimbNode",
		(const struct fbx_property3[]){{"Lcl Translation", {1, 0, 0}}, {NULL, {0}}});
	fbx_object(&b, "Deformer", 60, "", "Skin");
	fbx_close(&b);
	put_cluster(&b, 61, 2, both, (const double[]){3}, 1, 0, has_matrices);
	put_cluster(&b, 62, 3, second, (const double[]){1, 0.25}, 2, 1, has_matrices);
	fbx_connect(&b, 1, ROOT, NULL);
	fbx_connect(&b, 2, ROOT, NULL);
	fbx_connect(&b, 3, 2, NULL);
	fbx_connect(&b, 5, 1, NULL);
	fbx_connect(&b, 60, 5, NULL);
	return fbx_build(&b);
}

static void weights_are_shares_of_their_sum(void **state) {
	(void)state;
	struct rig *rig = skinned_by(FBX_BINARY_7500, true);
	const struct primitive *p = &rig->primitives[0];
	assert_true(p->skinned);
	assert_int_equal(p->influence_count, 4);
	const char *const joints[] = {"first", "second", "mesh"};
	const double weights[] = {0.75, 1, 1};
	for (int v = 0; v < 3; v++) {
		const int slot = rig->influence_slots[v * 4];
		assert_string_equal(
			rig->joints[rig->slots[p->first_slot + slot].joint].name, joints[v]);
		assert_near((double)rig->influence_weights[v * 4], weights[v], 1e-7);
	}
	assert_near((double)rig->influence_weights[1], 0.25, 1e-7);
	// At rest every vertex is where the file has it.
	for (int v = 0; v < 3; v++) {
		const struct palette_slot *slot =
			&rig->slots[p->first_slot + rig->influence_slots[v * 4]];
		double world[12], point[3];
		fbx_rest_world(rig, slot->joint, world);
		mat_multiply(world, slot->inverse_bind, world);
		for (int i = 0; i < 3; i++) {
			point[i] = (double)rig->positions[v * 3 + i];
		}
		mat_map_point(world, point, point);
		for (int i = 0; i < 3; i++) {
			assert_near(point[i], (double)rig->positions[v * 3 + i], 1e-6);
		}
	}
	rig_release(rig);
}

/* Bones without matrices were bound where they rest, which is where these say they were. */
static void clusters_without_matrices_are_bound_at_rest(void **state) {
	(void)state;
	struct rig *said = skinned_by(FBX_ASCII, true), *found = skinned_by(FBX_ASCII, false);
	assert_int_equal(found->slot_count, said->slot_count);
	for (int i = 0; i < 12 * said->slot_count; i++) {
		assert_near(found->slots[i / 12].inverse_bind[i % 12],
			said->slots[i / 12].inverse_bind[i % 12], 1e-12);
	}
	rig_release(said);
	rig_release(found);
}

static void every_spelling_is_the_same_rig(void **state) {
	(void)state;
	struct rig *first = skinned_by(FBX_ASCII, true);
	for (enum fbx_spelling spelling = 1; spelling < FBX_SPELLING_COUNT; spelling++) {
		struct rig *rig = skinned_by(spelling, true);
		assert_int_equal(rig->vertex_count, first->vertex_count);
		assert_memory_equal(rig->positions, first->positions, 9 * sizeof(float));
		assert_memory_equal(rig->influence_weights, first->influence_weights,
			first->influence_count * sizeof(float));
		assert_memory_equal(rig->slots[0].inverse_bind, first->slots[0].inverse_bind,
			sizeof first->slots[0].inverse_bind);
		rig_release(rig);
	}
	rig_release(first);
}

static void put_shape(struct fbx_builder *b, int64_t id, double x) {
	fbx_object(b, "Geometry", id, "", "Shape");
	fbx_put_integers(b, "Indexes", (const int64_t[]){1}, 1);
	fbx_put_reals(b, "Vertices", (const double[]){x, 0, 0}, 3);
	fbx_close(b);
	fbx_connect(b, id, 71, NULL);
}

/* x of a point whose shape is 1 at 40 per cent and 3 at 100. */
static double shaped(double percent) {
	const double points[] = {0, 0, 0, 0, 1, 0, 0, 0, 1};
	const int64_t corners[] = {0, 1, -3};
	struct fbx_builder b = fbx_begin_metres(FBX_BINARY_7400);
	fbx_mesh(&b, 5, points, 3, corners, 3);
	fbx_model(&b, 1, "mesh", "Mesh", NULL);
	fbx_object(&b, "Deformer", 70, "", "BlendShape");
	fbx_close(&b);
	fbx_object(&b, "Deformer", 71, "", "BlendShapeChannel");
	fbx_open(&b, "Properties70");
	fbx_property(&b, "DeformPercent", &percent, 1);
	fbx_close(&b);
	fbx_put_reals(&b, "FullWeights", (const double[]){40, 100}, 2);
	fbx_close(&b);
	put_shape(&b, 72, 1);
	put_shape(&b, 73, 3);
	fbx_connect(&b, 1, ROOT, NULL);
	fbx_connect(&b, 5, 1, NULL);
	fbx_connect(&b, 70, 5, NULL);
	fbx_connect(&b, 71, 70, NULL);
	struct rig *rig = fbx_build(&b);
	assert_int_equal(rig->weight_count, 2);
	const struct primitive *p = &rig->primitives[0];
	double x = 0;
	for (int t = 0; t < 2; t++) {
		x += (double)rig->rest_weights[t] * (double)p->targets[t].positions[3];
	}
	rig_release(rig);
	return x;
}

static void shapes_in_between_stand_in(void **state) {
	(void)state;
	const double expected[][2] = {
		{0, 0}, {20, 0.5}, {40, 1}, {70, 2}, {100, 3}, {130, 4}, {-40, -1}};
	for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
		assert_near(shaped(expected[i][0]), expected[i][1], 1e-6);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(polygons_are_filled_once),
		cmocka_unit_test(mesh_of_a_polygon_in_each_material_becomes_two_pieces),
		cmocka_unit_test(weights_are_shares_of_their_sum),
		cmocka_unit_test(clusters_without_matrices_are_bound_at_rest),
		cmocka_unit_test(every_spelling_is_the_same_rig),
		cmocka_unit_test(shapes_in_between_stand_in),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
