// Rotations of many joints at once: loops without branches, that compilers make vectors of.
#include "pclip_rotations.h"

#include <math.h>

#include "pclip_wide.h"

/* Above these the functions of the library take over: squares of half an angle, here up to 181
 * degrees, and one minus the cosine between quaternions, here 51 degrees of rotation. */
#define HALF_SQUARED_MAX 2.5
#define APART_MAX 0.1

/* cos(sqrt(s)) and sin(sqrt(s)) / (2 sqrt(s)) for s from 0 to HALF_SQUARED_MAX, within 2e-16:
 * polynomials through the functions' values at Chebyshev's nodes. */
PCLIP_INLINE double cosine(double s) {
	const double high = -2.7557316239382295e-07 +
		s *
			(2.0876554070578946e-09 +
				s * (-1.146269567962633e-11 + s * 4.6067631054803294e-14));
	return 1.0 +
		s *
		(-0.4999999999999997 +
			s *
				(0.04166666666666362 +
					s *
						(-0.001388888888876354 +
							s * (2.4801587275784903e-05 + s * high))));
}

PCLIP_INLINE double half_sine(double s) {
	const double high = 1.3778658234551836e-06 +
		s *
			(-1.2525936465920624e-08 +
				s * (8.02394119969477e-11 + s * -3.685422952224134e-13));
	return 0.49999999999999994 +
		s *
		(-0.08333333333333008 +
			s * (0.004166666666639316 + s * (-9.920634911877726e-05 + s * high)));
}

/* The i-th base times a quaternion. */
PCLIP_INLINE void multiply(const double *restrict bases, int count, int i, double x, double y,
	double z, double w, double *restrict out) {
	const double a = bases[i], b = bases[count + i], c = bases[2 * count + i],
		     d = bases[3 * count + i];
	out[i] = d * x + a * w + b * z - c * y;
	out[count + i] = d * y + b * w + c * x - a * z;
	out[2 * count + i] = d * z + c * w + a * y - b * x;
	out[3 * count + i] = d * w - a * x - b * y - c * z;
}

PCLIP_INLINE double half_squared(const double *vectors, int count, int i) {
	const double x = vectors[i], y = vectors[count + i], z = vectors[2 * count + i];
	return (x * x + y * y + z * z) / 4;
}

PCLIP_INLINE void turn(const double *restrict vectors, const double *restrict bases, int count,
	double *restrict out) {
	for (int i = 0; i < count; i++) {
		const double s = half_squared(vectors, count, i), by = half_sine(s);
		multiply(bases, count, i, vectors[i] * by, vectors[count + i] * by,
			vectors[2 * count + i] * by, cosine(s), out);
	}
	for (int i = 0; i < count; i++) {
		const double s = half_squared(vectors, count, i);
		if (!(s <= HALF_SQUARED_MAX)) {
			const double half = sqrt(s), by = sin(half) / (2 * half);
			multiply(bases, count, i, vectors[i] * by, vectors[count + i] * by,
				vectors[2 * count + i] * by, cos(half), out);
		}
	}
}

#ifdef PCLIP_AVX2
PCLIP_AVX2 static void turn_avx2(const double *restrict vectors, const double *restrict bases,
	int count, double *restrict out) {
	turn(vectors, bases, count, out);
}
#endif

void pclip_turn(const double *restrict vectors, const double *restrict bases, int count,
	double *restrict out) {
#ifdef PCLIP_AVX2
	if (PCLIP_HAS_AVX2()) {
		turn_avx2(vectors, bases, count, out);
		return;
	}
#endif
	turn(vectors, bases, count, out);
}

enum { TERMS = 10 };

/* The series of sin(share * angle) / sin(angle) in cos(angle) - 1.
 * Source: Eberly, A Fast and Accurate Algorithm for Computing SLERP, JGT 15 (2011). */
PCLIP_INLINE void fill_series(double share, double terms[TERMS]) {
	terms[0] = share;
	for (int i = 1; i < TERMS; i++) {
		terms[i] = terms[i - 1] *
			(share * share / (i * (2 * i + 1)) - (double)i / (2 * i + 1));
	}
}

PCLIP_INLINE double sum_series(const double terms[TERMS], double x) {
	double sum = terms[TERMS - 1];
	for (int i = TERMS - 2; i >= 0; i--) {
		sum = sum * x + terms[i];
	}
	return sum;
}

PCLIP_INLINE double cosine_between(const double *a, const double *b, int count, int i) {
	return a[i] * b[i] + a[count + i] * b[count + i] + a[2 * count + i] * b[2 * count + i] +
		a[3 * count + i] * b[3 * count + i];
}

static void slerp_far(const double *restrict a, const double *restrict b, double share, int count,
	int i, float *restrict out) {
	const double dot = cosine_between(a, b, count, i), angle = acos(fabs(dot));
	const double from = sin((1 - share) * angle) / sin(angle),
		     to = copysign(sin(share * angle) / sin(angle), dot);
	for (int k = 0; k < 4; k++) {
		out[k * count + i] = (float)(from * a[k * count + i] + to * b[k * count + i]);
	}
}

PCLIP_INLINE void slerp(const double *restrict a, const double *restrict b, double share, int count,
	float *restrict out) {
	double from_terms[TERMS], to_terms[TERMS];
	fill_series(1 - share, from_terms);
	fill_series(share, to_terms);
	for (int i = 0; i < count; i++) {
		const double dot = cosine_between(a, b, count, i), x = fabs(dot) - 1;
		const double from = sum_series(from_terms, x), to = sum_series(to_terms, x),
			     sign = dot < 0 ? -to : to;
		out[i] = (float)(from * a[i] + sign * b[i]);
		out[count + i] = (float)(from * a[count + i] + sign * b[count + i]);
		out[2 * count + i] = (float)(from * a[2 * count + i] + sign * b[2 * count + i]);
		out[3 * count + i] = (float)(from * a[3 * count + i] + sign * b[3 * count + i]);
	}
	for (int i = 0; i < count; i++) {
		if (1 - fabs(cosine_between(a, b, count, i)) > APART_MAX) {
			slerp_far(a, b, share, count, i, out);
		}
	}
}

#ifdef PCLIP_AVX2
PCLIP_AVX2 static void slerp_avx2(const double *restrict a, const double *restrict b, double share,
	int count, float *restrict out) {
	slerp(a, b, share, count, out);
}
#endif

void pclip_slerp(const double *restrict a, const double *restrict b, double share, int count,
	float *restrict out) {
#ifdef PCLIP_AVX2
	if (PCLIP_HAS_AVX2()) {
		slerp_avx2(a, b, share, count, out);
		return;
	}
#endif
	slerp(a, b, share, count, out);
}
