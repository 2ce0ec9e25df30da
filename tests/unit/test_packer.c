// Packed vertices, read back by the formulas of docs/vertices.md and by meshoptimizer's decoder.
#include <float.h>
#include <meshoptimizer.h>
#include <stdlib.h>
#include <string.h>

#include "base/lanes.h"
#include "base/memory.h"
#include "check.h"
#include "export/packer.h"
#include "export/quantise.h"
#include "export/surface.h"
#include "rigs.h"

#define VERTICES 700 // more than two blocks, and no whole number of lanes
#define FRAMES 4
#define NORMAL_LIMIT_DEG 0.95

/* In every direction, and where the octahedron has its corners, edges and folds. */
static void make_normals(float (*normals)[3], unsigned *seed) {
	size_t count = 0;
	for (int i = 0; i < 125; i++) {
		const double axes[3] = {i % 5 - 2, i / 5 % 5 - 2, i / 25 - 2};
		const double length =
			sqrt(axes[0] * axes[0] + axes[1] * axes[1] + axes[2] * axes[2]);
		for (int k = 0; length > 0 && k < 3; k++) {
			normals[count][k] = (float)(axes[k] / length);
		}
		count += length > 0;
	}
	for (; count < VERTICES; count++) {
		double axes[3], square = 0;
		for (int k = 0; k < 3; k++) {
			axes[k] = random_number(seed);
			square += axes[k] * axes[k];
		}
		for (int k = 0; k < 3; k++) {
			normals[count][k] = (float)(axes[k] / sqrt(square));
		}
	}
}

/* Far from the origin, and others on the faces of the box. */
static void make_positions(float (*positions)[3], unsigned *seed) {
	static const float around[3] = {70, -3, 0.4f};
	for (size_t v = 0; v < VERTICES; v++) {
		for (size_t k = 0; k < 3; k++) {
			const float off = (float)random_number(seed);
			positions[v][k] = around[k] + (v % 50 == 0 ? copysignf(1, off) : off);
		}
	}
}

struct frame {
	float positions[VERTICES][3], normals[VERTICES][3];
};

static struct frame *make_frames(void) {
	struct frame *frames = xcalloc(FRAMES, sizeof *frames);
	unsigned seed = 5;
	for (size_t i = 0; i < FRAMES; i++) {
		make_positions(frames[i].positions, &seed);
		make_normals(frames[i].normals, &seed);
	}
	return frames;
}

/* Any permutation. */
static uint32_t *make_order(void) {
	uint32_t *order = xcalloc(VERTICES, sizeof *order);
	for (uint32_t i = 0; i < VERTICES; i++) {
		order[i] = i * 311 % VERTICES;
	}
	return order;
}

static struct packer *make_packer(
	const struct packing_settings *settings, const struct frame *frames, uint32_t *take_order) {
	struct bounds bounds = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
	for (size_t i = 0; i < FRAMES; i++) {
		packer_measure(frames[i].positions[0], VERTICES, &bounds);
	}
	struct packer *packer = packer_create(settings, VERTICES, take_order, NULL);
	assert_non_null(packer);
	assert_true(packer_set_box(packer, &bounds, NULL));
	return packer;
}

/* Appends all frames, each as 8 or 4 bytes a vertex in the codec's order. */
static void append_frames(const struct packing_settings *settings, const struct frame *frames,
	uint32_t *take_order, struct buffer *out) {
	struct packer *packer = make_packer(settings, frames, take_order);
	const size_t bytes = VERTICES * packer_stride(settings);
	for (size_t i = 0; i < FRAMES; i++) {
		struct buffer coded = {0};
		packer_add_frame(packer, settings->positions ? frames[i].positions[0] : NULL,
			settings->normals ? frames[i].normals[0] : NULL, &coded);
		if (settings->compressed) {
			assert_int_equal(
				meshopt_decodeVertexBuffer(buffer_reserve(out, bytes), VERTICES,
					packer_stride(settings), coded.data, coded.size),
				0);
			out->size += bytes;
		} else {
			buffer_append(out, coded.data, coded.size);
		}
		buffer_finish(&coded);
	}
	packer_destroy(packer);
}

static void refuses_what_float32_does_not_reach(void **state) {
	(void)state;
	const struct packing_settings settings = {.positions = true, .bits = 16};
	const struct bounds bounds = {{-2e38, 0, 0}, {2e38, 1, 1}};
	struct packer *packer = packer_create(&settings, VERTICES, NULL, NULL);
	struct error err = {0};
	assert_false(packer_set_box(packer, &bounds, &err));
	assert_int_equal(err.code, ERROR_INVALID_VALUE);
	packer_destroy(packer);
}

/* The angle between a normal and the two bytes of a vertex. */
static double angle_deg(const int8_t bytes[static 2], const float normal[static 3]) {
	const double a = fmax(bytes[0] / 127.0, -1), b = fmax(bytes[1] / 127.0, -1);
	const double z = 1 - fabs(a) - fabs(b);
	const double x = z < 0 ? (1 - fabs(b)) * copysign(1, a) : a;
	const double y = z < 0 ? (1 - fabs(a)) * copysign(1, b) : b;
	const double cross[3] = {y * (double)normal[2] - z * (double)normal[1],
		z * (double)normal[0] - x * (double)normal[2],
		x * (double)normal[1] - y * (double)normal[0]};
	const double sine = sqrt(cross[0] * cross[0] + cross[1] * cross[1] + cross[2] * cross[2]);
	const double cosine = x * (double)normal[0] + y * (double)normal[1] + z * (double)normal[2];
	return atan2(sine, cosine) * 180 / 3.14159265358979323846;
}

static void is_within_half_a_step_and_a_degree(void **state) {
	(void)state;
	struct frame *frames = make_frames();
	for (int bits = 10; bits <= 16; bits++) {
		const struct packing_settings settings = {
			.positions = true, .normals = true, .bits = bits};
		struct packer *packer = make_packer(&settings, frames, NULL);
		float box[6];
		packer_box(packer, box);
		struct buffer out = {0};
		packer_add_frame(packer, frames->positions[0], frames->normals[0], &out);
		for (size_t v = 0; v < VERTICES; v++) {
			uint16_t steps[3];
			int8_t bytes[2];
			memcpy(steps, out.data + v * 8, sizeof steps);
			memcpy(bytes, out.data + v * 8 + 6, sizeof bytes);
			for (size_t k = 0; k < 3; k++) {
				const double min = (double)box[k], side = (double)box[k + 3] - min;
				assert_near(min + steps[k] / 65535.0 * side,
					(double)frames->positions[v][k],
					side / 65535 / 2 * 1.000001);
				assert_true(steps[k] < 1 << bits);
			}
			assert_true(angle_deg(bytes, frames->normals[v]) < NORMAL_LIMIT_DEG);
		}
		buffer_finish(&out);
		packer_destroy(packer);
	}
	free(frames);
}

static void no_direction_is_plus_z(void **state) {
	(void)state;
	const struct quantise_box box = {{0}, {0}};
	static const float none[3] = {0, -0.0f, 0};
	static const int8_t zeros[2] = {0, 0};
	packed_vertex vertex = UINT64_MAX;
	quantise_vertices(&box, NULL, none, 1, &vertex);
	assert_int_equal(vertex, 0);
	assert_near(angle_deg(zeros, (const float[3]){0, 0, 1}), 0, 0);
}

static void lanes_have_the_same_bits_and_stay_within(void **state) {
	(void)state;
	if (!LANES_CPU_HAS_AVX2()) {
		skip();
	}
	struct frame *frames = make_frames();
	const struct quantise_box box = {{69, -4, -0.6}, {32767.5, 32767.5, 32767.5}};
	const float *positions[3] = {frames->positions[0], frames->positions[0], NULL};
	const float *normals[3] = {frames->normals[0], NULL, frames->normals[0]};
	for (size_t way = 0; way < 3; way++) {
		packed_vertex whole[VERTICES];
		quantise_vertices(&box, positions[way], normals[way], VERTICES, whole);
		for (size_t count = 0; count <= VERTICES; count += count < 40 ? 1 : 55) {
			packed_vertex four[VERTICES + 1], eight[VERTICES + 1];
			four[count] = eight[count] = 77;
			quantise_vertices(&box, positions[way], normals[way], count, four);
			quantise_vertices_avx2(&box, positions[way], normals[way], count, eight);
			assert_memory_equal(four, whole, count * sizeof *whole);
			assert_memory_equal(eight, whole, count * sizeof *whole);
			assert_true(four[count] == 77 && eight[count] == 77);
		}
	}
	free(frames);
}

static void expect_box(const float (*positions)[3], size_t count, measure_function *measure) {
	struct bounds bounds = {{70, 0, 2}, {70, -2, 1}}; // something, and nothing
	struct bounds expected = bounds;
	measure(positions[0], count, &bounds);
	for (size_t v = 0; v < count; v++) {
		for (size_t k = 0; k < 3; k++) {
			expected.min[k] = fmin(expected.min[k], (double)positions[v][k]);
			expected.max[k] = fmax(expected.max[k], (double)positions[v][k]);
		}
	}
	assert_memory_equal(&bounds, &expected, sizeof bounds);
}

static void measures_every_number(void **state) {
	(void)state;
	struct frame *frames = make_frames();
	for (size_t count = 0; count <= 40; count++) {
		expect_box(frames->positions, count, measure_positions);
		if (LANES_CPU_HAS_AVX2()) {
			expect_box(frames->positions, count, measure_positions_avx2);
		}
	}
	free(frames);
}

static void zeros_have_no_sign(void **state) {
	(void)state;
	static const float positions[2][3] = {{-0.0f, 0, -0.0f}, {0, -0.0f, -0.0f}};
	static const struct bounds expected = {{0}, {0}};
	struct bounds bounds = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
	packer_measure(positions[0], 2, &bounds);
	assert_memory_equal(&bounds, &expected, sizeof bounds);
}

/* Adds the frame before, number by number, and puts each vertex where it is in the file. */
static void restore(unsigned char *frame, const unsigned char *before, size_t stride,
	const uint32_t *order, unsigned char *out) {
	for (size_t i = 0; i < VERTICES; i++) {
		unsigned char *vertex = frame + i * stride;
		const unsigned char *last = before + i * stride;
		for (size_t k = 0; before && stride == 8 && k < 6; k += 2) {
			uint16_t now, was;
			memcpy(&now, vertex + k, sizeof now);
			memcpy(&was, last + k, sizeof was);
			now = (uint16_t)(now + was);
			memcpy(vertex + k, &now, sizeof now);
		}
		for (size_t k = stride == 8 ? 6 : 0; before && k < stride; k++) {
			vertex[k] = (unsigned char)(vertex[k] + last[k]);
		}
		memcpy(out + (order ? order[i] : i) * stride, vertex, stride);
	}
}

static void every_way_holds_the_same_numbers(void **state) {
	(void)state;
	struct frame *frames = make_frames();
	uint32_t *order = make_order();
	for (int way = 0; way < 12; way++) {
		struct packing_settings settings = {
			.positions = way % 3 != 1, .normals = way % 3 != 2, .bits = 13};
		struct buffer plain = {0}, coded = {0};
		append_frames(&settings, frames, NULL, &plain);
		settings.compressed = true;
		settings.deltas = way / 3 % 2 > 0;
		settings.reordered = way / 6 > 0;
		append_frames(&settings, frames, settings.reordered ? make_order() : NULL, &coded);
		assert_int_equal(coded.size, plain.size);
		const size_t stride = packer_stride(&settings), bytes = VERTICES * stride;
		for (size_t i = 0; i < FRAMES; i++) {
			unsigned char restored[VERTICES * 8];
			unsigned char *frame = coded.data + i * bytes;
			restore(frame, settings.deltas && i > 0 ? frame - bytes : NULL, stride,
				settings.reordered ? order : NULL, restored);
			assert_memory_equal(restored, plain.data + i * bytes, bytes);
		}
		buffer_finish(&plain);
		buffer_finish(&coded);
	}
	free(order);
	free(frames);
}

static void a_new_box_begins_anew(void **state) {
	(void)state;
	struct frame *frames = make_frames();
	const struct packing_settings settings = {
		.positions = true, .normals = true, .bits = 14, .compressed = true, .deltas = true};
	struct packer *packer = make_packer(&settings, frames, NULL);
	struct buffer first = {0}, again = {0};
	assert_true(packer_is_key_next(packer));
	packer_add_frame(packer, frames->positions[0], frames->normals[0], &first);
	assert_false(packer_is_key_next(packer));
	packer_add_frame(packer, frames[1].positions[0], frames[1].normals[0], &again);
	again.size = 0;
	float box[6];
	packer_box(packer, box);
	const struct bounds bounds = {{(double)box[0], (double)box[1], (double)box[2]},
		{(double)box[0] + 2, (double)box[1] + 2, (double)box[2] + 2}};
	assert_true(packer_set_box(packer, &bounds, NULL));
	assert_true(packer_is_key_next(packer));
	packer_add_frame(packer, frames->positions[0], frames->normals[0], &again);
	assert_int_equal(again.size, first.size);
	assert_memory_equal(again.data, first.data, first.size);
	buffer_finish(&first);
	buffer_finish(&again);
	packer_destroy(packer);
	free(frames);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_what_float32_does_not_reach),
		cmocka_unit_test(is_within_half_a_step_and_a_degree),
		cmocka_unit_test(no_direction_is_plus_z),
		cmocka_unit_test(lanes_have_the_same_bits_and_stay_within),
		cmocka_unit_test(measures_every_number),
		cmocka_unit_test(zeros_have_no_sign),
		cmocka_unit_test(every_way_holds_the_same_numbers),
		cmocka_unit_test(a_new_box_begins_anew),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
