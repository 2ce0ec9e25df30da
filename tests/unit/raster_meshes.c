#include "raster_meshes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "rigs.h"

static void multiply(const double a[static 16], const double b[static 16], float out[static 16]) {
	for (int i = 0; i < 16; i++) {
		double sum = 0;
		for (int k = 0; k < 4; k++) {
			sum += a[k * 4 + i % 4] * b[i / 4 * 4 + k];
		}
		out[i] = (float)sum;
	}
}

void view_look(struct raster_view *view, const double eye[static 3], const double target[static 3],
	double angle_rad, int width, int height) {
	double back[3], right[3], up[3];
	const double world_up[3] = {0, 1, 0};
	vec3_sub(eye, target, back);
	const double distance = vec3_length(back);
	vec3_normalize(back);
	vec3_cross(world_up, back, right);
	vec3_normalize(right);
	vec3_cross(back, right, up);
	double look[16] = {0}, projection[16] = {0};
	for (int k = 0; k < 3; k++) {
		look[k * 4] = right[k];
		look[k * 4 + 1] = up[k];
		look[k * 4 + 2] = back[k];
	}
	look[12] = -vec3_dot(right, eye);
	look[13] = -vec3_dot(up, eye);
	look[14] = -vec3_dot(back, eye);
	look[15] = 1;
	const double aspect = (double)width / height, near = distance / 50, far = distance * 50;
	const double scale = angle_rad > 0 ? 1 / tan(angle_rad / 2) : 1;
	projection[0] = scale / aspect;
	projection[5] = -scale;
	projection[10] = angle_rad > 0 ? (far + near) / (near - far) : 2 / (near - far);
	projection[14] =
		angle_rad > 0 ? 2 * far * near / (near - far) : (far + near) / (near - far);
	projection[11] = angle_rad > 0 ? -1 : 0;
	projection[15] = angle_rad > 0 ? 0 : 1;
	multiply(projection, look, view->view_projection);
	view->width = width;
	view->height = height;
	view->eye[3] = angle_rad > 0 ? 1 : 0;
	for (int k = 0; k < 3; k++) {
		view->eye[k] = (float)(angle_rad > 0 ? eye[k] : back[k]);
		view->key_direction[k] = (float)(0.6 * right[k] + 0.8 * up[k]);
	}
}

void mesh_create(struct test_mesh *mesh, size_t triangle_count) {
	const size_t count = triangle_count * 3;
	*mesh = (struct test_mesh){.view = mesh->view, .triangle_count = triangle_count};
	mesh->corners = xcalloc(count, sizeof *mesh->corners);
	mesh->triangles = xcalloc(triangle_count, sizeof *mesh->triangles);
	mesh->positions = xcalloc(count, 3 * sizeof(float));
	mesh->normals = xcalloc(count, 3 * sizeof(float));
	mesh->tangents = xcalloc(count, 4 * sizeof(float));
	mesh->colors = xcalloc(count, 4 * sizeof(float));
	for (int set = 0; set < TEXCOORD_SETS; set++) {
		mesh->texcoords[set] = xcalloc(count, 2 * sizeof(float));
		mesh->mesh.texcoords[set] = mesh->texcoords[set];
	}
	for (size_t i = 0; i < count; i++) {
		mesh->triangles[i / 3].corners[i % 3] = (uint32_t)i;
		mesh->triangles[i / 3].provoking = (uint32_t)(i / 3 * 3 + 2);
		mesh->triangles[i / 3].id = (uint32_t)(i / 3);
	}
	mesh->mesh.mirrored = &mesh->mirrored;
	mesh->mesh.vertex_count = count;
	mesh->mesh.corners = mesh->corners;
	mesh->mesh.positions = mesh->positions;
	mesh->mesh.tangents = mesh->tangents;
	mesh->mesh.colors = mesh->colors;
	mesh->mesh.triangles = mesh->triangles;
	mesh->mesh.triangle_count = triangle_count;
}

void mesh_finish(struct test_mesh *mesh) {
	free(mesh->corners);
	free(mesh->triangles);
	free(mesh->positions);
	free(mesh->normals);
	free(mesh->tangents);
	free(mesh->colors);
	free(mesh->texcoords[0]);
	free(mesh->texcoords[1]);
}

static void set_unit(unsigned *seed, float *out) {
	double v[3];
	do {
		for (int k = 0; k < 3; k++) {
			v[k] = random_number(seed);
		}
	} while (vec3_dot(v, v) < 0.01);
	vec3_normalize(v);
	for (int k = 0; k < 3; k++) {
		out[k] = (float)v[k];
	}
}

void mesh_random(struct test_mesh *mesh, unsigned *seed, size_t triangle_count, double size) {
	mesh_create(mesh, triangle_count);
	for (size_t i = 0; i < triangle_count * 3; i++) {
		float around[3];
		set_unit(seed, mesh->normals + i * 3);
		set_unit(seed, mesh->tangents + i * 4);
		mesh->tangents[i * 4 + 3] = random_number(seed) < 0 ? -1 : 1;
		set_unit(seed, around);
		for (size_t k = 0; k < 3; k++) {
			// The first corner of three is the middle of the others.
			const float start = i % 3 ? mesh->positions[i / 3 * 9 + k] : 0;
			mesh->positions[i * 3 + k] = i % 3 ? start + around[k] * (float)size
							   : (float)(0.6 * random_number(seed));
		}
		for (size_t k = 0; k < 4; k++) {
			mesh->texcoords[k / 2][i * 2 + k % 2] = (float)random_number(seed);
			mesh->colors[i * 4 + k] = (float)(0.5 + 0.5 * random_number(seed));
		}
		mesh->triangles[i / 3].back = i / 3 % 3 == 1;
	}
	mesh_project(mesh);
}

void mesh_project(struct test_mesh *mesh) {
	const float *m = mesh->view.view_projection;
	for (size_t i = 0; i < mesh->triangle_count * 3; i++) {
		double clip[4];
		for (int row = 0; row < 4; row++) {
			clip[row] = (double)m[12 + row];
			for (int k = 0; k < 3; k++) {
				clip[row] += (double)m[k * 4 + row] *
					(double)mesh->positions[i * 3 + (size_t)k];
			}
		}
		struct raster_corner *corner = &mesh->corners[i];
		corner->x = (int32_t)floor((clip[0] / clip[3] + 1) * mesh->view.width * 128 + 0.5);
		corner->y = (int32_t)floor((clip[1] / clip[3] + 1) * mesh->view.height * 128 + 0.5);
		corner->inverse_w = (float)(1 / clip[3]);
		corner->u = mesh->texcoords[0][i * 2];
		corner->v = mesh->texcoords[0][i * 2 + 1];
		memcpy(corner->normal, mesh->normals + i * 3, sizeof corner->normal);
	}
}

static int64_t area_of(const struct raster_corner *a, const struct raster_corner *b,
	const struct raster_corner *c) {
	return (int64_t)(b->x - a->x) * (c->y - a->y) - (int64_t)(c->x - a->x) * (b->y - a->y);
}

void fragments_random(
	const struct test_mesh *mesh, unsigned *seed, int count, struct raster_fragments *out) {
	*out = (struct raster_fragments){.mesh = &mesh->mesh, .count = count};
	for (int i = 0; i < RASTER_QUEUE; i++) {
		if (i >= count) {
			out->triangle[i] = out->triangle[count - 1];
			out->x[i] = out->x[count - 1];
			out->y[i] = out->y[count - 1];
			continue;
		}
		const struct raster_corner *c;
		do {
			const double place = 0.5 + 0.499 * random_number(seed);
			out->triangle[i] = (uint32_t)(place * (double)mesh->triangle_count);
			c = &mesh->corners[out->triangle[i] * 3];
			// Runs of one triangle, as in pictures.
			if (i % 16 > 4) {
				out->triangle[i] = out->triangle[i - 1];
				c = &mesh->corners[out->triangle[i] * 3];
			}
		} while (llabs(area_of(&c[0], &c[1], &c[2])) < 65536);
		double shares[3] = {0}, sum = 0;
		for (int k = 0; k < 3; k++) {
			shares[k] = 1.01 + random_number(seed);
			sum += shares[k];
		}
		out->x[i] =
			(int32_t)((shares[0] * c[0].x + shares[1] * c[1].x + shares[2] * c[2].x) /
				sum);
		out->y[i] =
			(int32_t)((shares[0] * c[0].y + shares[1] * c[1].y + shares[2] * c[2].y) /
				sum);
	}
}

int fragment_turned(int i, int count) {
	return (count - 1 - i + 3) % count;
}

void fragments_turn(const struct raster_fragments *from, struct raster_fragments *out) {
	*out = *from;
	for (int i = 0; i < from->count; i++) {
		const int at = fragment_turned(i, from->count);
		out->triangle[at] = from->triangle[i];
		out->x[at] = from->x[i];
		out->y[at] = from->y[i];
	}
}

/* Shares of the corners in a triangle's area on the screen, each times its 1/w, of their sum. */
static void weights_at(const struct raster_corner *const corners[static 3], double x, double y,
	double out[static 3]) {
	double sum = 0;
	for (int k = 0; k < 3; k++) {
		const struct raster_corner *p = corners[(k + 1) % 3], *q = corners[(k + 2) % 3];
		out[k] = ((p->x - x) * (q->y - y) - (q->x - x) * (p->y - y)) *
			(double)corners[k]->inverse_w;
		sum += out[k];
	}
	for (int k = 0; k < 3; k++) {
		out[k] /= sum;
	}
}

struct exact_weights exact_weights_at(const struct raster_fragments *fragments, int i) {
	const struct raster_mesh *mesh = fragments->mesh;
	const struct raster_triangle *triangle = &mesh->triangles[fragments->triangle[i]];
	const struct raster_corner *corners[3];
	for (int k = 0; k < 3; k++) {
		corners[k] = &mesh->corners[triangle->corners[k]];
	}
	const double x = fragments->x[i], y = fragments->y[i], step = 0.25;
	struct exact_weights out;
	double before[3], behind[3];
	weights_at(corners, x, y, out.of);
	weights_at(corners, x - step, y, before);
	weights_at(corners, x + step, y, behind);
	for (int k = 0; k < 3; k++) {
		out.right[k] = (behind[k] - before[k]) * RASTER_PIXEL / (2 * step);
	}
	weights_at(corners, x, y - step, before);
	weights_at(corners, x, y + step, behind);
	for (int k = 0; k < 3; k++) {
		out.down[k] = (behind[k] - before[k]) * RASTER_PIXEL / (2 * step);
	}
	return out;
}

double exact_mix(const struct raster_fragments *fragments, int i, const double weights[static 3],
	const float *values, int width, int k) {
	const struct raster_triangle *triangle =
		&fragments->mesh->triangles[fragments->triangle[i]];
	double sum = 0;
	for (int corner = 0; corner < 3; corner++) {
		sum += weights[corner] *
			(double)values[triangle->corners[corner] * (size_t)width + (size_t)k];
	}
	return sum;
}

void exact_normal(const struct test_mesh *mesh, const struct raster_fragments *fragments, int i,
	double out[static 3]) {
	const struct exact_weights w = exact_weights_at(fragments, i);
	for (int k = 0; k < 3; k++) {
		out[k] = exact_mix(fragments, i, w.of, mesh->normals, 3, k);
	}
	vec3_normalize(out);
}

void exact_eye(const double eye[static 3], const double target[static 3], double angle_rad,
	const struct raster_view *view, const struct raster_fragments *fragments, int i,
	double out[static 3]) {
	double back[3], right[3], up[3];
	const double world_up[3] = {0, 1, 0};
	vec3_sub(eye, target, back);
	vec3_normalize(back);
	vec3_cross(world_up, back, right);
	vec3_normalize(right);
	vec3_cross(back, right, up);
	const double size = angle_rad > 0 ? tan(angle_rad / 2) : 0;
	const double aspect = (double)view->width / view->height;
	const double x = (fragments->x[i] / 128.0 / view->width - 1) * size * aspect;
	const double y = (1 - fragments->y[i] / 128.0 / view->height) * size;
	for (int k = 0; k < 3; k++) {
		out[k] = back[k] - x * right[k] - y * up[k];
	}
	vec3_normalize(out);
}

bool fragment_is_thin(const struct raster_fragments *fragments, int i) {
	const struct raster_corner *c = &fragments->mesh->corners[fragments->triangle[i] * 3];
	double longest = 0, area = 0;
	for (int k = 0; k < 3; k++) {
		const struct raster_corner *p = &c[k], *q = &c[(k + 1) % 3];
		longest = fmax(longest, hypot(p->x - q->x, p->y - q->y));
		area += (double)p->x * q->y - (double)q->x * p->y;
	}
	return longest * longest > 8 * fabs(area);
}
