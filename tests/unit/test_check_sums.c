// Sums over edges and triangles: the bits of the formulas, with each kind of instructions.
#include "base/lanes.h"
#include "check.h"
#include "check/surface_sums.h"
#include "rigs.h"

#define VERTICES 37
#define TRIANGLES 23

typedef void edge_kernel(const check_point *points, const int (*ends)[2], int count, double *out);
typedef void volume_kernel(const check_point *points, const double *origin, const int (*corners)[3],
	int count, double *out);
typedef void side_kernel(const check_point *points, const float *normals, const int (*corners)[3],
	int count, double *out);
edge_kernel sum_edges, sum_edges_avx2;
volume_kernel sum_volumes, sum_volumes_avx2;
side_kernel sum_sides, sum_sides_avx2;

struct mesh {
	float positions[VERTICES * 3], normals[VERTICES * 3 + 1];
	check_point points[VERTICES];
	int corners[TRIANGLES][3], ends[TRIANGLES][2];
};

static void fill(struct mesh *mesh) {
	unsigned seed = 7;
	for (int i = 0; i < VERTICES * 3; i++) {
		mesh->positions[i] = (float)(random_number(&seed) * 3);
		mesh->normals[i] = (float)random_number(&seed);
	}
	// Behind the last normal may be anything.
	mesh->normals[VERTICES * 3] = NAN;
	for (int i = 0; i < TRIANGLES; i++) {
		for (int k = 0; k < 3; k++) {
			mesh->corners[i][k] = (i * 5 + k * 7 + i * k) % VERTICES;
		}
		mesh->ends[i][0] = mesh->corners[i][0];
		mesh->ends[i][1] = VERTICES - 1 - i;
	}
	mesh->corners[TRIANGLES - 1][2] = VERTICES - 1;
	check_sums_points(mesh->positions, VERTICES, mesh->points);
}

static double at(const struct mesh *mesh, int vertex, int k) {
	return (double)mesh->positions[vertex * 3 + k];
}

static double edge_of(const struct mesh *mesh, int i) {
	const int a = mesh->ends[i][0], b = mesh->ends[i][1];
	const double x = at(mesh, a, 0) - at(mesh, b, 0), y = at(mesh, a, 1) - at(mesh, b, 1);
	const double z = at(mesh, a, 2) - at(mesh, b, 2);
	return x * x + y * y + z * z;
}

static double product(const double a[3], const double b[3], const double c[3]) {
	return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
		a[2] * (b[0] * c[1] - b[1] * c[0]);
}

static double volume_of(const struct mesh *mesh, const double origin[3], int i) {
	double v[3][3];
	for (int k = 0; k < 9; k++) {
		v[k / 3][k % 3] = at(mesh, mesh->corners[i][k / 3], k % 3) - origin[k % 3];
	}
	return product(v[0], v[1], v[2]);
}

static double side_of(const struct mesh *mesh, int i) {
	const int *corners = mesh->corners[i];
	double u[3], v[3], n[3];
	for (int k = 0; k < 3; k++) {
		u[k] = at(mesh, corners[1], k) - at(mesh, corners[0], k);
		v[k] = at(mesh, corners[2], k) - at(mesh, corners[0], k);
		n[k] = (double)mesh->normals[corners[0] * 3 + k] +
			(double)mesh->normals[corners[1] * 3 + k] +
			(double)mesh->normals[corners[2] * 3 + k];
	}
	return product(n, u, v);
}

/* Each count up to that of all: the last four may be any of them. */
static void hold(
	const struct mesh *mesh, edge_kernel *edges, volume_kernel *volumes, side_kernel *sides) {
	const double origin[3] = {0.1, -0.2, 0.3};
	for (int count = 0; count <= TRIANGLES; count++) {
		double out[3][TRIANGLES + 1];
		for (int i = 0; i < 3; i++) {
			out[i][count] = -1;
		}
		const int(*corners)[3] = (const int(*)[3])mesh->corners;
		edges(mesh->points, (const int(*)[2])mesh->ends, count, out[0]);
		volumes(mesh->points, origin, corners, count, out[1]);
		sides(mesh->points, mesh->normals, corners, count, out[2]);
		for (int i = 0; i < count; i++) {
			assert_near(out[0][i], edge_of(mesh, i), 0);
			assert_near(out[1][i], volume_of(mesh, origin, i), 0);
			assert_near(out[2][i], side_of(mesh, i), 0);
		}
		for (int i = 0; i < 3; i++) {
			assert_near(out[i][count], -1, 0);
		}
	}
}

static void sums_have_the_bits_of_formulas(void **state) {
	(void)state;
	struct mesh mesh;
	fill(&mesh);
	hold(&mesh, sum_edges, sum_volumes, sum_sides);
	if (LANES_CPU_HAS_AVX2()) {
		hold(&mesh, sum_edges_avx2, sum_volumes_avx2, sum_sides_avx2);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_have_the_bits_of_formulas),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
