// Animation curves of FBX. The slopes of keys that are not the user's are found anew, as the
// programs do that write such files: those that are stored are not kept up.
#include "import/fbx_curve.h"

#include <math.h>
#include <string.h>

/* KeyAttrFlags. */
enum {
	FLAG_CONSTANT = 0x2,
	FLAG_CUBIC = 0x8,
	FLAG_NEXT = 0x100, // with FLAG_CONSTANT
	FLAG_TCB = 0x200,
	FLAG_USER = 0x400,
	FLAG_CLAMP = 0x1000,
	FLAG_TIME_INDEPENDENT = 0x2000,
	FLAG_NO_OVERSHOOT = 0x4000,
	FLAG_WEIGHTED_RIGHT = 0x1000000,
	FLAG_WEIGHTED_NEXT_LEFT = 0x2000000,
};

#define WEIGHT_UNIT 1e-4

/* Of automatic slopes: a bias of less is none, and one of more adds to the slope. */
#define BIAS_MIN 1e-4
#define BIAS_ADDS 5
#define BIAS_ADDED 40

/* Values that count as the same for FLAG_CLAMP. */
#define CLAMP_DISTANCE 1e-3

/* --- Slopes --- */

/* The numbers of a key: slope to the right, the next one's to the left, and weights; or tension,
 * continuity and bias; or biases. */
struct attributes {
	int64_t flags;
	uint32_t bits[4];
};

/* Around one key. */
struct surroundings {
	const struct fbx_key *previous, *key, *next; // NULL = there is none, or not at another time
	double weight_left, weight_right;
	int64_t flags;
};

static double as_float(uint32_t bits) {
	float number;
	memcpy(&number, &bits, sizeof number);
	return isfinite(number) ? (double)number : 0;
}

static double slope_between(const struct fbx_key *a, const struct fbx_key *b) {
	return (b->value - a->value) / (b->time_s - a->time_s);
}

static double bias_added(double bias, double towards) {
	const double over = fabs(bias) / 100 - BIAS_ADDS;
	return over > 0 ? copysign(over * over * BIAS_ADDED, towards) : 0;
}

/* The mean of the slope across both neighbours and that of the one-sided ones, each weighted by the
 * other side's time; a bias draws it to one of the sides. */
static double biased_slope(const struct surroundings *s, double slope, double bias) {
	const double left = slope_between(s->previous, s->key);
	const double right = slope_between(s->key, s->next);
	const double share =
		(s->key->time_s - s->previous->time_s) / (s->next->time_s - s->previous->time_s);
	slope = (slope + left * (1 - share) + right * share) / 2;
	const double drawn = fabs(bias) / 100;
	if (drawn <= BIAS_MIN) {
		return slope;
	}
	const double target = bias > 0 ? right : left, way = target - slope;
	return slope * (1 - drawn) + target * drawn +
		bias_added(bias, fabs(way) > 1e-5 ? way : bias);
}

/* So that the handles end within the values of both neighbours. */
static double hold_slope(const struct surroundings *s, double slope) {
	const double sign = slope >= 0 ? 1 : -1;
	const double reach[2] = {
		s->weight_left * (s->key->time_s - s->previous->time_s),
		s->weight_right * (s->next->time_s - s->key->time_s),
	};
	const double rise[2] = {sign * (s->key->value - s->previous->value),
		sign * (s->next->value - s->key->value)};
	double size = fabs(slope);
	for (int i = 0; i < 2; i++) {
		const double most = reach[i] > 0 && rise[i] > 0 ? rise[i] / reach[i] : 0;
		size = fmin(size, most);
	}
	return sign * size;
}

static bool is_level(const struct fbx_key *a, const struct fbx_key *b) {
	return fabs(a->value - b->value) <= CLAMP_DISTANCE;
}

static double slope_within(const struct surroundings *s, double bias) {
	if ((s->flags & FLAG_CLAMP) &&
		(is_level(s->previous, s->key) || is_level(s->next, s->key))) {
		return 0;
	}
	const double across = slope_between(s->previous, s->next);
	const double slope =
		s->flags & FLAG_TIME_INDEPENDENT ? across : biased_slope(s, across, bias);
	return s->flags & FLAG_NO_OVERSHOOT ? hold_slope(s, slope) : slope;
}

/* Of the first or the last key. */
static double slope_at_end(const struct surroundings *s, double bias) {
	const struct fbx_key *a = s->previous ? s->previous : s->key;
	const struct fbx_key *b = s->previous ? s->key : s->next;
	if ((s->flags & FLAG_NO_OVERSHOOT) || ((s->flags & FLAG_CLAMP) && is_level(a, b))) {
		return 0;
	}
	return slope_between(a, b) +
		(s->flags & FLAG_TIME_INDEPENDENT ? 0 : bias_added(bias, bias));
}

/* Both slopes of a key with automatic ones; they hold the biases, and get the slopes. */
static void find_automatic(const struct surroundings *s, double *left, double *right) {
	if (s->previous && s->next) {
		const bool same = fabs(*left + *right) <= 1e-4;
		const double to_right = slope_within(s, *right);
		*left = same ? to_right : slope_within(s, -*left);
		*right = to_right;
	} else if (s->previous || s->next) {
		*left = *right = slope_at_end(s, s->previous ? -*left : *right);
	} else {
		*left = *right = 0;
	}
}

/* Kochanek and Bartels, Interpolating splines with local tension, continuity, and bias control,
 * SIGGRAPH 1984. */
static void find_tcb(
	const struct surroundings *s, const struct attributes *a, double *left, double *right) {
	const double tension = as_float(a->bits[0]), continuity = as_float(a->bits[1]);
	const double bias = as_float(a->bits[2]);
	const double factor = (s->previous && s->next ? 0.5 : 1) * (1 - tension);
	const double in = s->previous ? slope_between(s->previous, s->key) : 0;
	const double out = s->next ? slope_between(s->key, s->next) : 0;
	*left = factor * ((1 + bias) * (1 - continuity) * in + (1 - bias) * (1 + continuity) * out);
	*right =
		factor * ((1 + bias) * (1 + continuity) * in + (1 - bias) * (1 - continuity) * out);
}

/* --- Spans --- */

/* The state while the spans are made in their order: what a key says of the next one's left. */
struct making {
	struct fbx_key *keys;
	int count;
	double slope_left, weight_left;
};

static struct surroundings around(const struct making *making, int i, const struct attributes *a) {
	const struct fbx_key *key = &making->keys[i];
	const bool before = i > 0 && key[-1].time_s < key->time_s;
	const bool behind = i + 1 < making->count && key->time_s < key[1].time_s;
	const double weight = a->flags & FLAG_WEIGHTED_RIGHT
		? (double)(a->bits[2] & 0xffff) * WEIGHT_UNIT
		: FBX_WEIGHT_STANDARD;
	return (struct surroundings){before ? key - 1 : NULL, key, behind ? key + 1 : NULL,
		making->weight_left, weight, a->flags};
}

static void make_cubic(struct making *making, int i, const struct attributes *a) {
	struct fbx_key *key = &making->keys[i];
	const struct surroundings s = around(making, i, a);
	const bool next_weighted = a->flags & FLAG_WEIGHTED_NEXT_LEFT;
	double right = as_float(a->bits[0]), next_left = as_float(a->bits[1]);
	double next_weight =
		next_weighted ? (double)(a->bits[2] >> 16) * WEIGHT_UNIT : FBX_WEIGHT_STANDARD;
	double left = making->slope_left;
	key->span = FBX_SPAN_CUBIC;
	key->weight[0] = s.weight_right;
	if (a->flags & FLAG_TCB) {
		find_tcb(&s, a, &left, &right);
		next_left = 0;
		next_weight = FBX_WEIGHT_STANDARD;
		key->weight[0] = FBX_WEIGHT_STANDARD;
	} else if (!(a->flags & FLAG_USER)) {
		find_automatic(&s, &left, &right);
	}
	if (i > 0) {
		key[-1].slope[1] = left;
	}
	key->slope[0] = right;
	making->slope_left = next_left;
	making->weight_left = next_weight;
}

static void make_straight(struct making *making, int i, int64_t flags) {
	struct fbx_key *key = &making->keys[i];
	const bool behind = i + 1 < making->count && key->time_s < key[1].time_s;
	const bool constant = flags & FLAG_CONSTANT;
	key->span = !constant       ? FBX_SPAN_LINEAR
		: flags & FLAG_NEXT ? FBX_SPAN_CONSTANT_NEXT
				    : FBX_SPAN_CONSTANT;
	key->weight[0] = FBX_WEIGHT_STANDARD;
	key->slope[0] = constant || !behind ? 0 : slope_between(key, key + 1);
	if (i > 0) {
		key[-1].slope[1] = making->slope_left;
	}
	making->slope_left = key->slope[0];
	making->weight_left = FBX_WEIGHT_STANDARD;
}

static void make_span(struct making *making, int i, const struct attributes *a) {
	if (i > 0) {
		making->keys[i - 1].weight[1] = making->weight_left;
	}
	if (!(a->flags & FLAG_CONSTANT) && (a->flags & FLAG_CUBIC)) {
		make_cubic(making, i, a);
	} else {
		make_straight(making, i, a->flags);
	}
}

/* --- Reading --- */

/* The lists of a curve. */
struct lists {
	const int64_t *times, *flags, *uses;
	const double *values;
	const uint32_t *data;
	size_t key_count, attribute_count;
};

static bool read_lists(struct lists *lists, struct fbx_tree *tree, const struct fbx_object *object,
	struct error *err) {
	size_t values, uses, data;
	const struct fbx_record *record = object->record;
	lists->times = fbx_integers(tree, record, "KeyTime", &lists->key_count, err);
	lists->values = fbx_reals(tree, record, "KeyValueFloat", &values, err);
	lists->flags = fbx_integers(tree, record, "KeyAttrFlags", &lists->attribute_count, err);
	lists->data = fbx_float_bits(tree, record, "KeyAttrDataFloat", &data, err);
	lists->uses = fbx_integers(tree, record, "KeyAttrRefCount", &uses, err);
	if (!lists->times || !lists->values || !lists->flags || !lists->data || !lists->uses) {
		return false;
	}
	if (values != lists->key_count || uses != lists->attribute_count ||
		data / 4 < lists->attribute_count) {
		return error_set(err, ERROR_BROKEN_ASSET,
			"AnimationCurve %lld: %zu times, %zu values, %zu flags, %zu counts and "
			"%zu numbers do not fit together",
			(long long)object->id, lists->key_count, values, lists->attribute_count,
			uses, data);
	}
	return true;
}

/* Sound keys, with the attributes that each has; those beyond the counts have none. */
static int take_keys(const struct lists *lists, double ticks_per_s, struct fbx_key *keys,
	struct attributes *attributes) {
	int used = 0;
	size_t attribute = 0;
	int64_t left = lists->attribute_count > 0 ? lists->uses[0] : 0;
	for (size_t i = 0; i < lists->key_count; i++) {
		while (left <= 0 && attribute + 1 < lists->attribute_count) {
			left = lists->uses[++attribute];
		}
		struct attributes *a = &attributes[used];
		*a = (struct attributes){0};
		if (left-- > 0) {
			a->flags = lists->flags[attribute];
			memcpy(a->bits, &lists->data[attribute * 4], sizeof a->bits);
		}
		const double time_s = (double)lists->times[i] / ticks_per_s;
		if (isfinite(lists->values[i]) && (used == 0 || time_s >= keys[used - 1].time_s)) {
			keys[used++] =
				(struct fbx_key){.time_s = time_s, .value = lists->values[i]};
		}
	}
	return used;
}

static void read_extrapolation(const struct fbx_record *record, const char *name,
	enum fbx_extrapolation *mode, int64_t *count) {
	const struct fbx_record *found = fbx_child(record, name);
	const int64_t letter = fbx_child_integer(found, "Type", FBX_EXTRAPOLATE_CONSTANT);
	*mode = letter > 0 && letter < 128 && strchr("RAMK", (int)letter)
		? (enum fbx_extrapolation)letter
		: FBX_EXTRAPOLATE_CONSTANT;
	*count = fbx_child_integer(found, "Repetition", -1);
}

static bool is_still(const struct fbx_curve *curve) {
	bool still = curve->key_count > 0;
	for (int i = 0; still && i < curve->key_count; i++) {
		const struct fbx_key *key = &curve->keys[i];
		still = key->value == curve->keys->value &&
			(key->span != FBX_SPAN_CUBIC || (key->slope[0] == 0 && key->slope[1] == 0));
	}
	return still;
}

bool fbx_curve_read(struct fbx_curve *curve, struct fbx_tree *tree, const struct fbx_object *object,
	double ticks_per_s, struct error *err) {
	struct lists lists;
	if (!read_lists(&lists, tree, object, err)) {
		return false;
	}
	struct fbx_key *keys = arena_alloc(tree->arena, lists.key_count, sizeof *keys);
	struct attributes *attributes =
		arena_alloc(tree->arena, lists.key_count + 1, sizeof *attributes);
	*curve = (struct fbx_curve){.keys = keys};
	curve->key_count = take_keys(&lists, ticks_per_s, keys, attributes);
	read_extrapolation(
		object->record, "Pre-Extrapolation", &curve->before.mode, &curve->before.count);
	read_extrapolation(
		object->record, "Post-Extrapolation", &curve->after.mode, &curve->after.count);
	struct making making = {keys, curve->key_count, 0, FBX_WEIGHT_STANDARD};
	for (int i = 0; i < curve->key_count; i++) {
		make_span(&making, i, &attributes[i]);
	}
	curve->is_still = is_still(curve);
	curve->recent = arena_alloc(tree->arena, 1, sizeof *curve->recent);
	return true;
}
