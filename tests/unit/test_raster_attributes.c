// Attributes of fragments against the same in doubles, and what is seen of a floor against the rays
// that hit it. Four lanes against eight, and fragments in another order.
#include "raster/attributes.h"

#include <math.h>
#include <string.h>

#include "base/lanes.h"
#include "check.h"
#include "raster_meshes.h"
#include "rigs.h"

#define ALL_WANTS 63U

static struct raster_attributes got, other;
static struct raster_fragments fragments, turned;

/* Digits that products of places lose: long thin triangles lose more. */
static double error_of(int i) {
	const struct raster_corner *c = &fragments.mesh->corners[fragments.triangle[i] * 3];
	double longest = 0, area = 0;
	for (int k = 0; k < 3; k++) {
		const struct raster_corner *p = &c[k], *q = &c[(k + 1) % 3];
		const double x = p->x - fragments.x[i], y = p->y - fragments.y[i];
		longest = fmax(longest, x * x + y * y);
		area += (double)p->x * q->y - (double)q->x * p->y;
	}
	return 3e-7 * (4 + longest / fabs(area));
}

struct stream {
	const float *values;
	int width, used;
	float (*of)[RASTER_QUEUE], (*right)[RASTER_QUEUE], (*down)[RASTER_QUEUE];
};

/* A change is what differs between neighbours, in attributes a pixel; a triangle of few pixels has
 * great ones. */
static void check_stream(const struct stream *stream, int i) {
	const struct exact_weights exact = exact_weights_at(&fragments, i);
	const double error = error_of(i);
	double steepest = 0;
	for (int k = 0; k < 3; k++) {
		steepest = fmax(steepest, fmax(fabs(exact.right[k]), fabs(exact.down[k])));
	}
	for (int k = 0; k < stream->used; k++) {
		assert_near((double)stream->of[k][i],
			exact_mix(&fragments, i, exact.of, stream->values, stream->width, k),
			error * 2);
		if (stream->right) {
			assert_near((double)stream->right[k][i],
				exact_mix(&fragments, i, exact.right, stream->values, stream->width,
					k),
				error * 8 * steepest);
			assert_near((double)stream->down[k][i],
				exact_mix(&fragments, i, exact.down, stream->values, stream->width,
					k),
				error * 8 * steepest);
		}
	}
}

static void check_mixed(const struct test_mesh *mesh, int i) {
	struct raster_places *first = &got.places[0], *second = &got.places[1];
	float(*const places[])[RASTER_QUEUE] = {&first->u, &first->u_right, &first->u_down,
		&second->u, &second->u_right, &second->u_down};
	// u and v follow each other, as do their changes.
	const struct stream streams[] = {
		{mesh->normals, 3, 3, got.normal, NULL, NULL},
		{mesh->texcoords[0], 2, 2, places[0], places[1], places[2]},
		{mesh->texcoords[1], 2, 2, places[3], places[4], places[5]},
		{mesh->colors, 4, 4, got.color, got.color_right, got.color_down},
		{mesh->positions, 3, 3, got.position, got.position_right, got.position_down},
	};
	for (size_t s = 0; s < sizeof streams / sizeof *streams; s++) {
		check_stream(&streams[s], i);
	}
}

static void check_tangents(const struct test_mesh *mesh, int i) {
	const struct exact_weights exact = exact_weights_at(&fragments, i);
	double tangent[3] = {0}, bitangent[3] = {0};
	for (int corner = 0; corner < 3; corner++) {
		const size_t vertex = fragments.triangle[i] * 3 + (size_t)corner;
		const float *t = mesh->tangents + vertex * 4, *n = mesh->normals + vertex * 3;
		double across[3], length = 0;
		for (int k = 0; k < 3; k++) {
			const int p = (k + 1) % 3, q = (k + 2) % 3;
			across[k] = (double)n[p] * (double)t[q] - (double)n[q] * (double)t[p];
			length += across[k] * across[k];
		}
		for (int k = 0; k < 3; k++) {
			tangent[k] += exact.of[corner] * (double)t[k];
			bitangent[k] += exact.of[corner] * across[k] / sqrt(length) * (double)t[3];
		}
	}
	for (int k = 0; k < 3; k++) {
		assert_near((double)got.tangent[k][i], tangent[k], error_of(i) * 2);
		assert_near((double)got.bitangent[k][i], bitangent[k], 1e-4);
	}
}

static void check_order(void) {
	if (LANES_CPU_HAS_AVX2()) {
		memset(&other, 0, sizeof other);
		attributes_mix_avx2(&fragments, ALL_WANTS, &other);
		assert_memory_equal(&got, &other, sizeof got);
	}
	if (LANES_CPU_HAS_AVX512()) {
		memset(&other, 0, sizeof other);
		attributes_mix_avx512(&fragments, ALL_WANTS, &other);
		assert_memory_equal(&got, &other, sizeof got);
	}
	fragments_turn(&fragments, &turned);
	attributes_mix(&turned, ALL_WANTS, &other);
	const size_t arrays =
		(sizeof got - offsetof(struct raster_attributes, weights)) / sizeof *got.weights;
	const float(*a)[RASTER_QUEUE] = got.weights, (*b)[RASTER_QUEUE] = other.weights;
	for (size_t array = 0; array < arrays; array++) {
		for (int i = 0; i < fragments.count; i++) {
			const int at = fragment_turned(i, fragments.count);
			assert_memory_equal(&a[array][i], &b[array][at], sizeof(float));
		}
	}
}

static void agree_with_doubles(void **state) {
	(void)state;
	unsigned seed = 2;
	for (int round = 0; round < 40; round++) {
		struct test_mesh mesh = {0};
		const double eye[3] = {0.5, 1, 4}, target[3] = {0, 0, 0};
		view_look(&mesh.view, eye, target, round % 4 ? 0.8 : 0, 300, 200);
		mesh_random(&mesh, &seed, 20, round % 3 ? 0.3 : 1.5);
		const int count = round % 5 == 4 ? 13 : RASTER_QUEUE;
		fragments_random(&mesh, &seed, count, &fragments);
		memset(&got, 0, sizeof got);
		attributes_mix(&fragments, ALL_WANTS, &got);
		assert_int_equal(got.count, (count + 7) / 8 * 8);
		for (int i = 0; i < count; i++) {
			check_mixed(&mesh, i);
			check_tangents(&mesh, i);
			const bool back = mesh.triangles[fragments.triangle[i]].back;
			assert_near((double)got.front[i], back ? -1 : 1, 0);
		}
		check_order();
		mesh_finish(&mesh);
	}
}

/* The point of the floor y = 0 on the ray through a place on the picture, in doubles. */
static void hit_floor(const struct raster_view *view, const double eye[static 3],
	const double target[static 3], double angle, double x, double y, double out[static 2]) {
	double back[3], length = 0;
	for (int k = 0; k < 3; k++) {
		back[k] = eye[k] - target[k];
		length += back[k] * back[k];
	}
	for (int k = 0; k < 3; k++) {
		back[k] /= sqrt(length);
	}
	const double flat = hypot(back[0], back[2]);
	const double right[3] = {back[2] / flat, 0, -back[0] / flat};
	const double up[3] = {-back[0] * back[1] / flat, flat, -back[2] * back[1] / flat};
	const double size = tan(angle / 2), aspect = (double)view->width / view->height;
	const double across = (x / view->width * 2 - 1) * size * aspect;
	const double high = (1 - y / view->height * 2) * size;
	double ray[3];
	for (int k = 0; k < 3; k++) {
		ray[k] = across * right[k] + high * up[k] - back[k];
	}
	const double t = -eye[1] / ray[1];
	out[0] = eye[0] + t * ray[0];
	out[1] = eye[2] + t * ray[2];
}

static void floor_is_where_rays_hit_it(void **state) {
	(void)state;
	const double eye[3] = {1, 2, 5}, target[3] = {0.2, 0, 0}, angle = 0.7;
	struct test_mesh mesh = {0};
	view_look(&mesh.view, eye, target, angle, 256, 256);
	mesh_create(&mesh, 2);
	static const float floor[6][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, -1}, {1, 1}, {-1, 1}};
	for (size_t i = 0; i < 6; i++) {
		mesh.positions[i * 3] = floor[i][0];
		mesh.positions[i * 3 + 2] = floor[i][1];
		mesh.texcoords[0][i * 2] = floor[i][0] * 0.5F + 0.5F;
		mesh.texcoords[0][i * 2 + 1] = floor[i][1] * 0.5F + 0.5F;
	}
	mesh_project(&mesh);
	unsigned seed = 8;
	for (int round = 0; round < 50; round++) {
		fragments_random(&mesh, &seed, RASTER_QUEUE, &fragments);
		attributes_mix(&fragments, 0, &got);
		for (int i = 0; i < RASTER_QUEUE; i++) {
			const double x = fragments.x[i] / 256.0, y = fragments.y[i] / 256.0;
			double hit[2], before[2], behind[2], size = 1024, right, down;
			hit_floor(&mesh.view, eye, target, angle, x, y, hit);
			assert_near((double)got.places[0].u[i], hit[0] / 2 + 0.5, 1.0 / 512);
			assert_near((double)got.places[0].v[i], hit[1] / 2 + 0.5, 1.0 / 512);
			hit_floor(&mesh.view, eye, target, angle, x - 0.5, y, before);
			hit_floor(&mesh.view, eye, target, angle, x + 0.5, y, behind);
			right = hypot(behind[0] - before[0], behind[1] - before[1]) / 2 * size;
			hit_floor(&mesh.view, eye, target, angle, x, y - 0.5, before);
			hit_floor(&mesh.view, eye, target, angle, x, y + 0.5, behind);
			down = hypot(behind[0] - before[0], behind[1] - before[1]) / 2 * size;
			const struct raster_places *p = &got.places[0];
			const double got_right =
				hypot((double)p->u_right[i], (double)p->v_right[i]);
			const double got_down = hypot((double)p->u_down[i], (double)p->v_down[i]);
			assert_near(log2(fmax(got_right, got_down) * size), log2(fmax(right, down)),
				0.1);
		}
	}
	mesh_finish(&mesh);
}

static void missing_attributes_have_values(void **state) {
	(void)state;
	unsigned seed = 9;
	struct test_mesh mesh = {0};
	const double eye[3] = {0, 0, 4}, target[3] = {0, 0, 0};
	view_look(&mesh.view, eye, target, 0.8, 64, 64);
	mesh_random(&mesh, &seed, 5, 0.8);
	mesh.mesh.texcoords[1] = mesh.mesh.colors = mesh.mesh.positions = mesh.mesh.tangents = NULL;
	fragments_random(&mesh, &seed, 8, &fragments);
	attributes_mix(&fragments, ALL_WANTS, &got);
	for (int i = 0; i < 8; i++) {
		assert_near((double)got.color[3][i], 1, 0);
		assert_near((double)got.color_right[3][i], 0, 0);
		assert_near((double)got.position[2][i], 0, 0);
		assert_near((double)got.tangent[0][i], 0, 0);
		assert_near((double)got.places[1].u[i], 0, 0);
		assert_near((double)got.places[1].u_down[i], 0, 0);
	}
	mesh_finish(&mesh);
}

/* Corners in one point and on one line: no number is none. */
static void triangles_without_area_give_numbers(void **state) {
	(void)state;
	struct test_mesh mesh = {0};
	mesh_create(&mesh, 3);
	static const int32_t places[9][2] = {{100, 100}, {100, 100}, {100, 100}, {0, 0},
		{1 << 22, 1 << 21}, {1 << 21, 1 << 20}, {-(1 << 22), -(1 << 22)},
		{1 << 22, (1 << 22) - 1}, {0, 0}};
	for (int i = 0; i < 9; i++) {
		mesh.corners[i] = (struct raster_corner){
			.x = places[i][0], .y = places[i][1], .inverse_w = 1, .u = 1};
	}
	fragments = (struct raster_fragments){.mesh = &mesh.mesh, .count = 3};
	fragments.triangle[1] = 1;
	fragments.triangle[2] = 2;
	attributes_mix(&fragments, 0, &got);
	for (int i = 0; i < 3; i++) {
		assert_true(got.places[0].u[i] >= 0 && got.places[0].u[i] <= 3);
	}
	mesh_finish(&mesh);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(agree_with_doubles),
		cmocka_unit_test(floor_is_where_rays_hit_it),
		cmocka_unit_test(missing_attributes_have_values),
		cmocka_unit_test(triangles_without_area_give_numbers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
