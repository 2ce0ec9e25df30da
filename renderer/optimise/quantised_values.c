// Vertices' numbers as integers, and the matrices that undo the cube.
#include <math.h>
#include <string.h>

#include "optimise/quantised.h"

#define BYTE_MAX 127
#define SHORT_MAX 32767
#define UNSIGNED_BYTE_MAX 255
#define UNSIGNED_SHORT_MAX 65535
#define ALIGNMENT 4u
#define MATRIX_NUMBERS 16
#define TOO_MANY_LAYOUTS "the vertices have too many layouts"

double quantised_read_weights(const struct quantising *quantising, const struct weight_sets *sets,
	size_t i, double *weights) {
	double sum = 0;
	for (int n = 0; n < sets->count * WEIGHTS_IN_SET; n++) {
		const int accessor = sets->accessors[n / WEIGHTS_IN_SET];
		weights[n] = (double)elements_float(&quantising->parts,
			&quantising->accessors[accessor].from, i, n % WEIGHTS_IN_SET);
		sum += weights[n];
	}
	return sum;
}

static int round_to(double x, int max) {
	const double scaled = x * max;
	return scaled >= max ? max : scaled <= -max ? -max : (int)lrint(scaled);
}

static void put(int value, size_t bytes, unsigned char **to) {
	const uint16_t bits = (uint16_t)value;
	*(*to)++ = (unsigned char)(bits & 255);
	if (bytes > 1) {
		*(*to)++ = (unsigned char)(bits >> 8);
	}
}

/* A vertex's influences. */
struct shares {
	int count;
	double weights[WEIGHT_SETS_MAX * WEIGHTS_IN_SET];
	int joints[WEIGHT_SETS_MAX * WEIGHTS_IN_SET];
	int whole[WEIGHT_SETS_MAX * WEIGHTS_IN_SET]; // the weights as integers
};

/* Integers in proportion to weights, of an exact sum: those that lose most by rounding down get one
 * more. */
static void share_out(struct shares *shares, double sum, int total) {
	double rest[WEIGHT_SETS_MAX * WEIGHTS_IN_SET];
	int left = sum > 0 ? total : 0;
	for (int i = 0; i < shares->count; i++) {
		const double exact = sum > 0 ? shares->weights[i] / sum * total : 0;
		shares->whole[i] = (int)floor(exact);
		rest[i] = exact - shares->whole[i];
		left -= shares->whole[i];
	}
	for (; left > 0; left--) {
		int most = 0;
		for (int i = 1; i < shares->count; i++) {
			most = rest[i] > rest[most] ? i : most;
		}
		shares->whole[most]++;
		rest[most] = -1;
	}
}

/* The joint of the greatest weight, of equal ones the first, is that still: methods take it for the
 * vertex' own. */
static void keep_first(struct shares *shares) {
	const double *weights = shares->weights;
	const int *joints = shares->joints;
	int *whole = shares->whole, first = 0;
	for (int i = 1; i < shares->count; i++) {
		const bool is_before = joints[i] < joints[first];
		first = weights[i] > weights[first] || (!(weights[i] < weights[first]) && is_before)
			? i
			: first;
	}
	for (int i = 0; i < shares->count; i++) {
		const bool is_before = joints[i] < joints[first];
		if (whole[i] > 0 && i != first &&
			(whole[i] > whole[first] || (whole[i] == whole[first] && is_before))) {
			whole[i]--;
			whole[first]++;
		}
	}
}

static int joint_of(
	const struct quantising *quantising, const struct elements *from, size_t vertex, int k) {
	const unsigned char *at = quantising->parts.bin + from->at + vertex * from->stride;
	return from->component == COMPONENT_UNSIGNED_BYTE ? at[k] : at[2 * k] | at[2 * k + 1] << 8;
}

static struct shares share_weights(
	const struct quantising *quantising, const struct weight_sets *sets, size_t vertex) {
	struct shares shares = {.count = sets->count * WEIGHTS_IN_SET};
	const double sum = quantised_read_weights(quantising, sets, vertex, shares.weights);
	share_out(&shares, sum, sets->is_wide ? UNSIGNED_SHORT_MAX : UNSIGNED_BYTE_MAX);
	for (int n = 0; n < shares.count; n++) {
		const int at = sets->joints[n / WEIGHTS_IN_SET];
		const struct quantised_accessor *joints =
			at < 0 ? NULL : &quantising->accessors[at];
		const bool is_known = joints && joints->is_plain &&
			joints->from.width == WEIGHTS_IN_SET && vertex < joints->from.count &&
			(joints->from.component == COMPONENT_UNSIGNED_BYTE ||
				joints->from.component == COMPONENT_UNSIGNED_SHORT);
		shares.joints[n] = is_known
			? joint_of(quantising, &joints->from, vertex, n % WEIGHTS_IN_SET)
			: n;
	}
	keep_first(&shares);
	return shares;
}

/* Of one vertex those that an accessor holds. */
static void put_weights(const struct quantising *quantising, int index, size_t vertex, size_t bytes,
	unsigned char **to) {
	const struct weight_sets *sets = quantising->accessors[index].weights;
	const struct shares shares = share_weights(quantising, sets, vertex);
	for (int n = 0; n < sets->count; n++) {
		for (int k = 0; k < WEIGHTS_IN_SET && sets->accessors[n] == index; k++) {
			put(shares.whole[n * WEIGHTS_IN_SET + k], bytes, to);
		}
	}
}

/* A joint without weight is 0. */
static void put_joints(const struct quantising *quantising, int index, size_t vertex, size_t bytes,
	unsigned char **to) {
	const struct quantised_accessor *accessor = &quantising->accessors[index];
	const struct weight_sets *sets = accessor->weights;
	const bool has_weights = quantised_has_weights(quantising, accessor);
	struct shares shares = {.count = 0};
	int set = 0;
	if (has_weights) {
		shares = share_weights(quantising, sets, vertex);
	}
	while (has_weights && sets->joints[set] != index) {
		set++;
	}
	for (int k = 0; k < WEIGHTS_IN_SET; k++) {
		const bool is_used = !has_weights || shares.whole[set * WEIGHTS_IN_SET + k] > 0;
		put(is_used ? joint_of(quantising, &accessor->from, vertex, k) : 0, bytes, to);
	}
}

/* Positions within the cube, or deltas of its size. */
static void put_cube(const struct quantised_group *group, const float p[static 3],
	struct quantised_accessor *accessor, bool is_first, unsigned char **to) {
	for (int k = 0; k < 3; k++) {
		const double from = accessor->form == FORM_CUBE ? (double)group->centre[k] : 0;
		const int value = round_to(((double)p[k] - from) / (double)group->scale, SHORT_MAX);
		accessor->min[k] = is_first || value < accessor->min[k] ? value : accessor->min[k];
		accessor->max[k] = is_first || value > accessor->max[k] ? value : accessor->max[k];
		put(value, 2, to);
	}
}

/* A direction, and what stands behind it. */
static void put_unit(const float *v, int width, size_t bytes, unsigned char **to) {
	const double x = (double)v[0], y = (double)v[1], z = (double)v[2];
	const double length = sqrt(x * x + y * y + z * z);
	const int max = bytes == 1 ? BYTE_MAX : SHORT_MAX;
	for (int k = 0; k < width; k++) {
		const double divisor = k == 3 ? 1 : length > 0 ? length : 1;
		put(round_to((double)v[k] / divisor, max), bytes, to);
	}
}

void quantised_apply_cube(
	const struct quantised_group *group, const double from[static 16], double to[static 16]) {
	const double scale = (double)group->scale;
	double out[MATRIX_NUMBERS];
	for (int row = 0; row < 4; row++) {
		out[12 + row] = from[12 + row];
		for (int column = 0; column < 3; column++) {
			out[4 * column + row] = from[4 * column + row] * scale;
			out[12 + row] += from[4 * column + row] * (double)group->centre[column];
		}
	}
	memcpy(to, out, sizeof out);
}

static void put_matrix(const struct quantised_group *group, const float *from, unsigned char **to) {
	double matrix[MATRIX_NUMBERS];
	for (int k = 0; k < MATRIX_NUMBERS; k++) {
		matrix[k] = (double)from[k];
	}
	quantised_apply_cube(group, matrix, matrix);
	for (int k = 0; k < MATRIX_NUMBERS; k++, *to += sizeof(float)) {
		const float number = (float)matrix[k];
		memcpy(*to, &number, sizeof number);
	}
}

/* Bytes of one number of a form, and what the document calls it. */
static size_t number_bytes(
	const struct quantising *quantising, const struct quantised_accessor *accessor) {
	switch (accessor->form) {
	case FORM_SIGNED:
	case FORM_UNIT:
		return quantising->job->normal_bits == 8 ? 1 : 2;
	case FORM_WEIGHTS:
		return accessor->weights->is_wide ? 2 : 1;
	case FORM_JOINTS:
		return quantised_are_small_joints(&quantising->parts, &accessor->from) ? 1 : 2;
	case FORM_MATRICES:
		return sizeof(float);
	case FORM_CUBE:
	case FORM_DELTA:
	case FORM_TEXCOORD:
	case FORM_STAYS:
	case FORM_MOVED:
		break;
	}
	return 2;
}

static int component_of(const struct quantised_accessor *accessor, size_t bytes) {
	const bool is_unsigned = accessor->form == FORM_TEXCOORD ||
		accessor->form == FORM_WEIGHTS || accessor->form == FORM_JOINTS;
	return accessor->form == FORM_MOVED       ? accessor->from.component
		: accessor->form == FORM_MATRICES ? COMPONENT_FLOAT
		: bytes == 1 && is_unsigned       ? COMPONENT_UNSIGNED_BYTE
		: bytes == 1                      ? COMPONENT_BYTE
		: is_unsigned                     ? COMPONENT_UNSIGNED_SHORT
						  : COMPONENT_SHORT;
}

static void put_element(
	struct quantising *quantising, int index, size_t i, size_t bytes, unsigned char *to) {
	struct quantised_accessor *accessor = &quantising->accessors[index];
	const struct elements *from = &accessor->from;
	const unsigned char *at = quantising->parts.bin + from->at + i * from->stride;
	const struct quantised_group *group =
		accessor->group < 0 ? NULL : &quantising->groups[accessor->group];
	float v[MATRIX_NUMBERS] = {0};
	if (from->component == COMPONENT_FLOAT) {
		memcpy(v, at, from->size);
	}
	switch (accessor->form) {
	case FORM_STAYS:
		break;
	case FORM_MOVED:
		memcpy(to, at, from->size);
		break;
	case FORM_CUBE:
	case FORM_DELTA:
		put_cube(group, v, accessor, i == 0, &to);
		break;
	case FORM_SIGNED:
		for (int k = 0; k < 3; k++) {
			put(round_to((double)v[k], bytes == 1 ? BYTE_MAX : SHORT_MAX), bytes, &to);
		}
		break;
	case FORM_UNIT:
		put_unit(v, from->width, bytes, &to);
		break;
	case FORM_TEXCOORD:
		for (int k = 0; k < 2; k++) {
			put(round_to((double)v[k], UNSIGNED_SHORT_MAX), bytes, &to);
		}
		break;
	case FORM_WEIGHTS:
		put_weights(quantising, index, i, bytes, &to);
		break;
	case FORM_JOINTS:
		put_joints(quantising, index, i, bytes, &to);
		break;
	case FORM_MATRICES:
		put_matrix(group, v, &to);
		break;
	}
}

/* --- Streams --- */

static int find_stream(struct quantising *quantising, const struct quantised_stream *like) {
	for (int i = 0; i < quantising->stream_count; i++) {
		const struct quantised_stream *stream = &quantising->streams[i];
		if (stream->form == like->form && stream->role == like->role &&
			stream->stride == like->stride) {
			return i;
		}
	}
	if (quantising->stream_count == STREAMS_MAX) {
		return -1;
	}
	quantising->streams[quantising->stream_count] = *like;
	return quantising->stream_count++;
}

static bool is_same_source(const struct quantised_accessor *a, const struct quantised_accessor *b) {
	return a->form == b->form && a->roles == b->roles && a->group == b->group &&
		a->weights == b->weights && a->from.at == b->from.at &&
		a->from.stride == b->from.stride && a->from.count == b->from.count &&
		a->from.component == b->from.component && a->from.width == b->from.width;
}

static bool fill(struct quantising *quantising, int index, struct error *err) {
	struct quantised_accessor *accessor = &quantising->accessors[index];
	const size_t bytes = number_bytes(quantising, accessor);
	const unsigned role = accessor->form == FORM_MATRICES ? ROLE_OTHER : accessor->movable;
	const size_t size = accessor->form == FORM_MOVED ? accessor->from.size
							 : bytes * (size_t)accessor->from.width;
	const size_t stride =
		role == ROLE_ATTRIBUTE ? (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT : size;
	const struct quantised_stream like = {
		.form = accessor->form, .role = role, .stride = stride};
	accessor->stream = find_stream(quantising, &like);
	if (accessor->stream < 0) {
		return error_set(err, ERROR_TOO_LARGE, TOO_MANY_LAYOUTS);
	}
	struct buffer *out = &quantising->streams[accessor->stream].bytes;
	if (!buffer_try_reserve(out, accessor->from.count * stride, "the vertices", err)) {
		return false;
	}
	accessor->component = component_of(accessor, bytes);
	accessor->at = out->size;
	memset(out->data + out->size, 0, accessor->from.count * stride);
	for (size_t i = 0; i < accessor->from.count; i++) {
		put_element(quantising, index, i, bytes, out->data + out->size + i * stride);
	}
	out->size += accessor->from.count * stride;
	return true;
}

/* The matrices of a skin that has none, which are identities. */
static bool fill_missing(struct quantising *quantising, struct error *err) {
	const struct quantised_stream like = {.form = FORM_MATRICES,
		.role = ROLE_OTHER,
		.stride = MATRIX_NUMBERS * sizeof(float)};
	const float identity[MATRIX_NUMBERS] = {[0] = 1, [5] = 1, [10] = 1, [15] = 1};
	for (int i = 0; i < quantising->skin_count; i++) {
		struct quantised_skin *skin = &quantising->skins[i];
		const struct quantised_group *group = &quantising->groups[skin->group];
		if (skin->matrices >= 0 || !skin->is_used || group->left) {
			continue;
		}
		skin->stream = find_stream(quantising, &like);
		if (skin->stream < 0) {
			return error_set(err, ERROR_TOO_LARGE, TOO_MANY_LAYOUTS);
		}
		struct buffer *out = &quantising->streams[skin->stream].bytes;
		skin->at = out->size;
		for (int k = 0; k < skin->joint_count; k++) {
			unsigned char *to = buffer_reserve(out, like.stride);
			put_matrix(group, identity, &to);
			out->size += like.stride;
		}
	}
	return true;
}

bool quantised_fill(struct quantising *quantising, struct error *err) {
	const struct parts *parts = &quantising->parts;
	int *last = arena_alloc(quantising->arena, (size_t)parts->view_count + 1, sizeof *last);
	int *before =
		arena_alloc(quantising->arena, (size_t)parts->accessor_count + 1, sizeof *before);
	for (int i = 0; i < parts->accessor_count; i++) {
		struct quantised_accessor *accessor = &quantising->accessors[i];
		const int view = parts->accessors[i].view;
		if (accessor->form == FORM_STAYS) {
			continue;
		}
		int same = last[view] - 1; // one that has the same bytes
		while (same >= 0 && !is_same_source(accessor, &quantising->accessors[same])) {
			same = before[same] - 1;
		}
		before[i] = last[view];
		last[view] = i + 1;
		if (same >= 0) {
			accessor->stream = quantising->accessors[same].stream;
			accessor->at = quantising->accessors[same].at;
			accessor->component = quantising->accessors[same].component;
			memcpy(accessor->min, quantising->accessors[same].min,
				sizeof accessor->min);
			memcpy(accessor->max, quantising->accessors[same].max,
				sizeof accessor->max);
		} else if (!fill(quantising, i, err)) {
			return false;
		}
	}
	return fill_missing(quantising, err);
}
