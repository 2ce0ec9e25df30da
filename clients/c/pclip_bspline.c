// Tracks as B-splines.
#include "pclip_bspline.h"

#include "pclip_coder.h"

enum {
	PERIODIC = 4, // of a spline's shape, above its degree
	UNIFORM = 8,
	GAPS = 4, // tables of distances between knots, by the length of the one before
	MULTIPLICITY_MAX = 4,
};

int pclip_count_points(const struct pclip_spline *spline) {
	return spline->knot_count + (spline->periodic ? 1 : spline->degree + 1);
}

static bool code_shape(
	struct pclip_coder *coder, struct pclip_spline *spline, int sample_count, int *before) {
	int shape = spline->degree | (spline->periodic ? PERIODIC : 0) |
		(spline->uniform ? UNIFORM : 0);
	shape = pclip_code_symbol(coder, TABLE_SHAPE, shape);
	spline->degree = shape & 3;
	spline->periodic = shape & PERIODIC;
	spline->uniform = shape & UNIFORM;
	const int more = pclip_code_signed(coder, TABLE_KNOTS, spline->knot_count - *before);
	spline->knot_count = *before + more;
	spline->point_count = pclip_count_points(spline);
	*before = spline->knot_count;
	return !coder->failed && spline->knot_count >= 0 &&
		spline->knot_count <= MULTIPLICITY_MAX * sample_count;
}

/* Knots by their distances, at samples after the first; the last is none but at degree 0. */
static bool code_knots(
	struct pclip_coder *coder, struct pclip_spline *spline, uint32_t sample_count) {
	const uint32_t end = sample_count - (spline->degree > 0);
	uint32_t at = 0;
	int length = 2;
	for (int i = 0; i < spline->knot_count; i++) {
		const uint32_t wanted = coder->record ? spline->knots[i] - at : 0;
		const uint32_t gap = (uint32_t)pclip_code_size(
			coder, TABLE_GAP + (length < GAPS ? length : GAPS - 1), (int32_t)wanted);
		at += gap;
		if (coder->failed || at == 0 || at >= end) {
			return false;
		}
		spline->knots[i] = at;
		length = pclip_bit_length(gap);
	}
	return true;
}

static bool code_points(struct pclip_coder *coder, const struct pclip_spline *spline,
	const struct pclip_channel *channels, struct pclip_state *states) {
	int32_t *point = spline->points;
	for (int i = 0; i < spline->point_count; i++, point += spline->width) {
		if (!pclip_code_sample(coder, channels, spline->width, states,
			    coder->record ? point : NULL, i)) {
			return false;
		}
		for (int axis = 0; axis < spline->width; axis++) {
			point[axis] = states[axis].value;
		}
	}
	return true;
}

bool pclip_code_spline(struct pclip_coder *coder, struct pclip_spline *spline, int sample_count,
	const struct pclip_channel *channels, struct pclip_state *states, int *before,
	int32_t *numbers, size_t room) {
	if (!code_shape(coder, spline, sample_count, before)) {
		return false;
	}
	if (!coder->record) {
		const size_t knots = spline->uniform ? 0 : (size_t)spline->knot_count;
		if (knots + (size_t)spline->point_count * spline->width > room) {
			return false;
		}
		spline->knots = (uint32_t *)numbers;
		spline->points = numbers + knots;
	}
	return (spline->uniform || code_knots(coder, spline, (uint32_t)sample_count)) &&
		code_points(coder, spline, channels, states);
}

bool pclip_open_splines(const struct pclip_parts *parts, struct pclip_coder *coder,
	const struct pclip_channel *channels, int channel_count, struct pclip_state *states,
	struct pclip_spline *list, int32_t *numbers, struct pclip_splines *out) {
	size_t room = parts->spline_numbers;
	int before = 0;
	*out = (struct pclip_splines){.list = list, .sample_count = parts->info.sample_count};
	if (channel_count == 0) {
		return true;
	}
	pclip_start_reading(coder, parts->segments.at, parts->segments.end);
	for (int i = 0; i < channel_count; i += list[out->count++].width) {
		struct pclip_spline *spline = &list[out->count];
		if (room == 0) {
			return false;
		}
		*spline = (struct pclip_spline){.channel = i};
		while (i + spline->width < channel_count &&
			channels[i + spline->width].track == channels[i].track) {
			spline->width++;
		}
		if (!pclip_code_spline(coder, spline, parts->info.sample_count, &channels[i],
			    &states[i], &before, numbers, room)) {
			return false;
		}
		const size_t taken = (size_t)(spline->point_count * spline->width) +
			(spline->uniform ? 0 : (size_t)spline->knot_count);
		numbers += taken;
		room -= taken;
	}
	return room == 0 && pclip_ended(coder);
}

/* The i-th knot from the start on; before it are those of the end, and the other way round. */
static double knot_at(const struct pclip_spline *spline, int i, int last) {
	const int count = spline->knot_count;
	double turns = 0;
	if (spline->periodic) {
		const int period = count + 1, over = ((i % period) + period) % period;
		turns = (double)((i - over) / period);
		i = over;
	}
	const double at = i <= 0  ? 0
		: i > count       ? last
		: spline->uniform ? (double)i * last / (count + 1)
				  : (double)spline->knots[i - 1];
	return at + turns * last;
}

/* The number of knots up to a sample. */
static int knots_before(const struct pclip_spline *spline, int sample, int last) {
	int low = 0, high = spline->knot_count;
	while (low < high) {
		const int middle = (low + high) / 2;
		if (knot_at(spline, middle + 1, last) <= sample) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low;
}

/* De Boor's algorithm. */
static void evaluate(const struct pclip_spline *spline, int sample, int sample_count, double *out) {
	const int degree = spline->degree, width = spline->width, last = sample_count - 1;
	const int u = spline->periodic && sample == last ? 0 : sample;
	const int span = knots_before(spline, u, last);
	double d[PCLIP_DEGREES][3];
	for (int i = 0; i <= degree; i++) {
		const int point = (span + i) % spline->point_count;
		for (int axis = 0; axis < width; axis++) {
			d[i][axis] = spline->points[point * width + axis];
		}
	}
	for (int k = 1; k <= degree; k++) {
		for (int i = degree; i >= k; i--) {
			const double from = knot_at(spline, span + i - degree, last);
			const double to = knot_at(spline, span + i + 1 - k, last);
			const double share = to > from ? (u - from) / (to - from) : 0;
			for (int axis = 0; axis < width; axis++) {
				d[i][axis] = d[i - 1][axis] + share * (d[i][axis] - d[i - 1][axis]);
			}
		}
	}
	for (int axis = 0; axis < width; axis++) {
		out[axis] = d[degree][axis];
	}
}

void pclip_sample_splines(const struct pclip_splines *splines, int sample, double *numbers) {
	for (int i = 0; i < splines->count; i++) {
		const struct pclip_spline *spline = &splines->list[i];
		evaluate(spline, sample, splines->sample_count, numbers + spline->channel);
	}
}
