// Linear blend skinning with AVX2: one vertex at a time, two matrix columns to a register.
#include "skin/lbs_internal.h"

#include <assert.h>
#include <immintrin.h>

#include "skin/normal.h"

#define AVX2 __attribute__((target("avx2"), always_inline)) static inline

/* Columns 0 and 1 of a matrix in low, 2 and 3 in high. */
struct columns {
	__m256 low, high;
};

AVX2 struct columns blend(
	const float *palette, const uint16_t *slots, const float *weights, int count) {
	const float *entry = palette + (size_t)slots[0] * LBS_ENTRY_FLOATS;
	__m256 weight = _mm256_broadcast_ss(weights);
	struct columns m = {
		_mm256_mul_ps(weight, _mm256_load_ps(entry)),
		_mm256_mul_ps(weight, _mm256_load_ps(entry + 8)),
	};
	for (int k = 1; k < count; k++) {
		entry = palette + (size_t)slots[k] * LBS_ENTRY_FLOATS;
		weight = _mm256_broadcast_ss(weights + k);
		m.low = _mm256_add_ps(m.low, _mm256_mul_ps(weight, _mm256_load_ps(entry)));
		m.high = _mm256_add_ps(m.high, _mm256_mul_ps(weight, _mm256_load_ps(entry + 8)));
	}
	return m;
}

/* low in both halves of the low lane, high in the high lane. */
AVX2 __m256 pair(const float *low, const float *high) {
	return _mm256_blend_ps(_mm256_broadcast_ss(low), _mm256_broadcast_ss(high), 0xf0);
}

AVX2 __m128 map_point(struct columns m, const float *v) {
	static const float one = 1.0f;
	const __m256 both = _mm256_add_ps(
		_mm256_mul_ps(m.low, pair(&v[0], &v[1])), _mm256_mul_ps(m.high, pair(&v[2], &one)));
	return _mm_add_ps(_mm256_castps256_ps128(both), _mm256_extractf128_ps(both, 1));
}

/* x y z w -> y z x w in each lane. */
AVX2 __m256 rotate(__m256 a) {
	return _mm256_permute_ps(a, _MM_SHUFFLE(3, 0, 2, 1));
}

/* normal_cofactor: both cross products at once, u x a2 in the low lane, a0 x a1 in the high one. */
AVX2 __m128 map_normal(struct columns m, const float *n) {
	const __m256 scaled = _mm256_mul_ps(m.low, pair(&n[1], &n[0]));
	const __m128 u =
		_mm_sub_ps(_mm256_extractf128_ps(scaled, 1), _mm256_castps256_ps128(scaled));
	const __m256 left =
		_mm256_insertf128_ps(_mm256_castps128_ps256(u), _mm256_castps256_ps128(m.low), 1);
	const __m256 right = _mm256_blend_ps(m.high, m.low, 0xf0);
	// l x r = rotate(l * rotate(r) - rotate(l) * r): the last rotation waits for the sum.
	const __m256 crosses = _mm256_sub_ps(
		_mm256_mul_ps(left, rotate(right)), _mm256_mul_ps(rotate(left), right));
	const __m128 sum = _mm_add_ps(_mm256_castps256_ps128(crosses),
		_mm_mul_ps(_mm_broadcast_ss(&n[2]), _mm256_extractf128_ps(crosses, 1)));
	return _mm_permute_ps(sum, _MM_SHUFFLE(3, 0, 2, 1));
}

/* Normalises four normals and stores them packed, 4 bytes past the last. Returns false, with
 * nothing stored, when one of them has vanished. */
AVX2 bool store_units(__m128 n[static 4], float *out) {
	__m128 x = n[0], y = n[1], z = n[2], w = n[3];
	_MM_TRANSPOSE4_PS(x, y, z, w);
	const __m128 square =
		_mm_add_ps(_mm_add_ps(_mm_mul_ps(x, x), _mm_mul_ps(y, y)), _mm_mul_ps(z, z));
	const __m128 fine = _mm_cmpgt_ps(square, _mm_set1_ps(NORMAL_LEAST_SQUARE));
	if (_mm_movemask_ps(fine) != 0xf) {
		return false;
	}
	const __m128 scale = _mm_div_ps(_mm_set1_ps(1.0f), _mm_sqrt_ps(square));
	_mm_storeu_ps(out, _mm_mul_ps(n[0], _mm_permute_ps(scale, 0x00)));
	_mm_storeu_ps(out + 3, _mm_mul_ps(n[1], _mm_permute_ps(scale, 0x55)));
	_mm_storeu_ps(out + 6, _mm_mul_ps(n[2], _mm_permute_ps(scale, 0xaa)));
	_mm_storeu_ps(out + 9, _mm_mul_ps(n[3], _mm_permute_ps(scale, 0xff)));
	return true;
}

/* count is primitive->influence_count, a constant where it is inlined with one. */
AVX2 void skin(const struct skin_job *job, const struct primitive *primitive, int count) {
	const float *palette = job->palette + (size_t)primitive->first_slot * LBS_ENTRY_FLOATS;
	const size_t first = (size_t)primitive->first_vertex * 3;
	const float *positions = job->positions + first, *normals = job->normals + first;
	float *out_positions = job->out_positions + first, *out_normals = job->out_normals + first;
	const uint16_t *slots = job->rig->influence_slots + primitive->first_influence;
	const float *weights = job->rig->influence_weights + primitive->first_influence;
	int vertex = 0;
	// Stores are 16 bytes wide for 12: the last four vertices, whose neighbour may belong to
	// someone else, are left to plain C.
	for (; vertex + 4 < primitive->vertex_count; vertex += 4) {
		__m128 mapped[4];
		for (int i = 0; i < 4; i++) {
			const size_t at = (size_t)(vertex + i) * 3;
			const size_t influence = (size_t)(vertex + i) * (size_t)count;
			const struct columns m =
				blend(palette, slots + influence, weights + influence, count);
			_mm_storeu_ps(out_positions + at, map_point(m, positions + at));
			mapped[i] = map_normal(m, normals + at);
		}
		if (!store_units(mapped, out_normals + (size_t)vertex * 3)) {
			for (int i = 0; i < 4; i++) {
				lbs_skin_vertex(job, primitive, vertex + i);
			}
		}
	}
	for (; vertex < primitive->vertex_count; vertex++) {
		lbs_skin_vertex(job, primitive, vertex);
	}
}

__attribute__((target("avx2"))) void lbs_skin_avx2(
	const struct skin_job *job, const struct primitive *primitive) {
	assert(primitive->influence_count % 4 == 0 && !job->out_tangents);
	if (primitive->influence_count == 4) {
		skin(job, primitive, 4);
	} else {
		skin(job, primitive, primitive->influence_count);
	}
}
