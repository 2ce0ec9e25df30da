// Percentiles without sorting.
#include "check/percentile.h"

#include <math.h>
#include <stdint.h>

static void swap(double *a, double *b) {
	const double kept = *a;
	*a = *b;
	*b = kept;
}

/* Splits values[low..high] by one of them; returns the bounds of those that equal it. */
static void split(double *values, double pivot, int *low, int *high) {
	int below = *low, above = *high;
	for (int i = below; i <= above;) {
		if (values[i] < pivot) {
			swap(&values[i++], &values[below++]);
		} else if (values[i] > pivot) {
			swap(&values[i], &values[above--]);
		} else {
			i++;
		}
	}
	*low = below;
	*high = above;
}

double check_select(double *values, int count, int rank) {
	// Random pivots, always the same: no order of values is slow.
	uint32_t random = 1;
	for (int low = 0, high = count - 1; low < high;) {
		random = random * 1664525u + 1013904223u;
		const int at = low + (int)((uint64_t)random * (uint64_t)(high - low + 1) >> 32);
		int first = low, last = high;
		split(values, values[at], &first, &last);
		if (rank < first) {
			high = first - 1;
		} else if (rank > last) {
			low = last + 1;
		} else {
			return values[rank];
		}
	}
	return values[rank];
}

double check_percentile(double *values, int count, double share) {
	const double at = share * (count - 1);
	const int below = (int)at;
	const double low = check_select(values, count, below);
	if (below + 1 >= count) {
		return low;
	}
	// Those behind are no lower.
	double next = values[below + 1];
	for (int i = below + 2; i < count; i++) {
		next = fmin(next, values[i]);
	}
	return low + (at - below) * (next - low);
}
