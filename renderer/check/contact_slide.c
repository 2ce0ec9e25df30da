// contact/slide: planted feet that move over the ground.
#include <math.h>
#include <string.h>

#include "check/percentile.h"
#include "check/rules.h"
#include "check/surface.h"

/* Shares of the figure's length, and such a second. */
#define FLOOR_NEAR 0.05 // that the clip's floor may be off the ground
#define LOW 0.012       // above the floor
#define TREADMILL_SPEED 0.08
#define SWING_SPEED 0.35 // of feet that are not planted

#define FLOOR_SHARE 0.05 // percentile of the lowest heights
#define CONTACT_S 0.13
#define CONTACT_INTERVALS 4
#define TREADMILL_INTERVALS 6
#define TREADMILL_HIP 0.25   // share of the speed that the hip may go at
#define TREADMILL_SPREAD 0.5 // share of it that an interval may be off
#define TREADMILL_SHARE 0.6  // of the intervals that are not
#define TREADMILL_ALONG 0.8  // of those that go its way, in loops

/* Clips that are no loops shift their feet by intent. */
#define NO_LOOP_FACTOR 3

/* Positions kept of a clip at most, and vertices of a foot in any case: of feet with more, the
 * lowest ones at rest. */
#define POSITIONS_MAX 2000000
#define FOOT_VERTICES_MIN 64

struct foot {
	int joint;
	int count;
	const int *vertices;   // [count] of the rig
	float (*positions)[3]; // [room * count] sample by sample
};

struct state {
	const struct check_asset *asset;
	const struct check_clip *clip;
	struct arena *arena;
	struct foot *feet; // [asset->foot_count]
	int longest;       // vertices of the greatest foot
	int room, count;   // samples
	double *times_s;   // [count]
	int *samples;      // [count] of the clip
	double *lowest;    // [count] height of the lowest vertex
	double first_hip[3], last_hip[3];
};

/* --- Samples --- */

/* The lowest vertices at rest, as many as there is room for. */
static void choose_vertices(
	const struct state *state, const struct check_foot *from, int most, struct foot *foot) {
	*foot = (struct foot){from->joint, from->count, from->vertices, NULL};
	if (from->count <= most) {
		return;
	}
	const double(*rest)[3] = state->asset->rest_vertices;
	double *heights = arena_alloc(state->arena, (size_t)from->count, sizeof *heights);
	int *chosen = arena_alloc(state->arena, (size_t)most, sizeof *chosen);
	for (int i = 0; i < from->count; i++) {
		heights[i] = rest[from->vertices[i]][1];
	}
	const double highest = check_select(heights, from->count, most - 1);
	foot->count = 0;
	for (int i = 0; i < from->count && foot->count < most; i++) {
		if (rest[from->vertices[i]][1] <= highest) {
			chosen[foot->count++] = from->vertices[i];
		}
	}
	foot->vertices = chosen;
}

static void *begin(
	const struct check_asset *asset, const struct check_clip *clip, struct arena *arena) {
	struct state *state = arena_alloc(arena, 1, sizeof *state);
	const int room = clip->count / clip->surface_stride + 1;
	*state = (struct state){asset, clip, arena, .room = room};
	state->feet = arena_alloc(arena, (size_t)asset->foot_count, sizeof *state->feet);
	state->times_s = arena_alloc(arena, (size_t)room, sizeof *state->times_s);
	state->samples = arena_alloc(arena, (size_t)room, sizeof *state->samples);
	state->lowest = arena_alloc(arena, (size_t)room, sizeof *state->lowest);
	for (int i = 0; i < asset->foot_count; i++) {
		struct foot *foot = &state->feet[i];
		const int share = POSITIONS_MAX / room / asset->foot_count;
		choose_vertices(state, &asset->feet[i],
			share > FOOT_VERTICES_MIN ? share : FOOT_VERTICES_MIN, foot);
		foot->positions = arena_alloc(
			arena, (size_t)room * (size_t)foot->count, sizeof *foot->positions);
		state->longest = foot->count > state->longest ? foot->count : state->longest;
	}
	return state;
}

static void surface(
	void *context, const struct check_surface_sample *sample, struct check_sink *sink) {
	struct state *state = context;
	(void)sink;
	if (state->count == state->room) {
		return;
	}
	const int at = state->count++;
	state->times_s[at] = sample->at.time_s;
	state->samples[at] = sample->at.sample;
	state->lowest[at] = check_lowest(state->asset->surface, sample->positions);
	for (int i = 0; i < state->asset->foot_count; i++) {
		struct foot *foot = &state->feet[i];
		float(*out)[3] = foot->positions + (size_t)at * (size_t)foot->count;
		for (int k = 0; k < foot->count; k++) {
			memcpy(out[k], sample->positions + (size_t)foot->vertices[k] * 3,
				sizeof *out);
		}
	}
	for (int k = 0; k < 3 && state->asset->hip >= 0; k++) {
		state->last_hip[k] = sample->at.world[state->asset->hip][k * 4 + 3];
		state->first_hip[k] = at == 0 ? state->last_hip[k] : state->first_hip[k];
	}
}

/* --- Contacts --- */

/* A velocity over the ground: x, z. */
struct velocity {
	double x, z;
};

/* Intervals first to end of a foot in contact; interval f is from sample f to f + 1. */
struct contact {
	int foot, first, end;
};

/* The work at the end. */
struct work {
	const struct state *state;
	double low;                  // height below which a vertex is low
	struct velocity *velocities; // [longest] of low vertices
	int *vertices;               // [longest] theirs, of the foot
	double *numbers;             // [the greatest count there is]
	struct contact *contacts;    // [contact_count]
	int contact_count;
	struct velocity treadmill; // zero = the clip walks over the ground
};

static double speed(struct velocity v) {
	return sqrt(v.x * v.x + v.z * v.z);
}

static struct velocity minus(struct velocity a, struct velocity b) {
	return (struct velocity){a.x - b.x, a.z - b.z};
}

/* Lists the velocities of vertices that are low at both ends of an interval. */
static int list_low(const struct work *work, const struct foot *foot, int interval) {
	const struct state *state = work->state;
	const float(*a)[3] =
		(const float(*)[3])foot->positions + (size_t)interval * (size_t)foot->count;
	const float(*b)[3] = a + foot->count;
	const double step = state->times_s[interval + 1] - state->times_s[interval];
	int count = 0;
	for (int i = 0; i < foot->count && step > 0; i++) {
		if ((double)a[i][1] <= work->low && (double)b[i][1] <= work->low) {
			work->velocities[count] =
				(struct velocity){((double)b[i][0] - (double)a[i][0]) / step,
					((double)b[i][2] - (double)a[i][2]) / step};
			work->vertices[count++] = i;
		}
	}
	return count;
}

/* Runs of intervals in contact that are long enough, without their first and last ones. */
static void find_contacts(struct work *work, int foot) {
	const struct state *state = work->state;
	const double rate = state->clip->rate / state->clip->surface_stride;
	const double least = fmax(CONTACT_INTERVALS, CONTACT_S * rate);
	int first = 0;
	for (int f = 0; f < state->count; f++) {
		if (f + 1 < state->count && list_low(work, &state->feet[foot], f) > 0) {
			continue;
		}
		if (f - first >= least) {
			work->contacts[work->contact_count++] =
				(struct contact){foot, first + 1, f - 1};
		}
		first = f + 1;
	}
}

static double median(double *values, int count) {
	return check_percentile(values, count, 0.5);
}

/* The median of the velocities that list_low() has listed, by component. */
static struct velocity median_low(const struct work *work, int count) {
	struct velocity out;
	for (int i = 0; i < count; i++) {
		work->numbers[i] = work->velocities[i].x;
	}
	out.x = median(work->numbers, count);
	for (int i = 0; i < count; i++) {
		work->numbers[i] = work->velocities[i].z;
	}
	out.z = median(work->numbers, count);
	return out;
}

static bool goes_along(struct velocity v, struct velocity common) {
	return v.x * common.x + v.z * common.z > 0;
}

/* The velocity that planted feet have in common where the clip walks in place: most of them are
 * near it, or at least, in a loop, go its way. */
static struct velocity find_treadmill(struct work *work) {
	const struct state *state = work->state;
	const double length = state->asset->length;
	int count = 0, near = 0, along = 0, room = 0;
	for (int i = 0; i < work->contact_count; i++) {
		room += work->contacts[i].end - work->contacts[i].first;
	}
	struct velocity *all = arena_alloc(state->arena, (size_t)room, sizeof *all);
	for (int i = 0; i < work->contact_count; i++) {
		const struct contact *contact = &work->contacts[i];
		for (int f = contact->first; f < contact->end; f++) {
			all[count++] =
				median_low(work, list_low(work, &state->feet[contact->foot], f));
		}
	}
	if (count < TREADMILL_INTERVALS) {
		return (struct velocity){0};
	}
	double *numbers = arena_alloc(state->arena, (size_t)count, sizeof *numbers);
	struct velocity common;
	for (int i = 0; i < count; i++) {
		numbers[i] = all[i].x;
	}
	common.x = median(numbers, count);
	for (int i = 0; i < count; i++) {
		numbers[i] = all[i].z;
	}
	common.z = median(numbers, count);
	for (int i = 0; i < count; i++) {
		near += speed(minus(all[i], common)) <= TREADMILL_SPREAD * speed(common);
		along += goes_along(all[i], common);
	}
	const double seconds = state->times_s[state->count - 1] - state->times_s[0];
	const struct velocity hip = {(state->last_hip[0] - state->first_hip[0]) / seconds,
		(state->last_hip[2] - state->first_hip[2]) / seconds};
	const bool shared = near > TREADMILL_SHARE * count ||
		(state->clip->loop && along > TREADMILL_ALONG * count);
	const bool in_place = shared && speed(common) > TREADMILL_SPEED * length &&
		speed(hip) < TREADMILL_HIP * speed(common);
	return in_place ? common : (struct velocity){0};
}

/* --- Slides --- */

/* The slide of one contact. */
struct slide {
	double length; // asset's unit; NAN = the foot swings
	int from, to;  // samples of the path's points that are farthest apart
	double *path;  // [2 * (intervals + 1)] x, z
	uint32_t vertices[CHECK_ELEMENTS_MAX];
	size_t count;
};

static void add_vertex(struct slide *slide, uint32_t vertex) {
	for (size_t i = 0; i < slide->count; i++) {
		if (slide->vertices[i] == vertex) {
			return;
		}
	}
	if (slide->count < CHECK_ELEMENTS_MAX) {
		slide->vertices[slide->count++] = vertex;
	}
}

/* The low vertex that moves least stands for the foot: of one that rolls, some point rests. */
static struct velocity residual_of(
	const struct work *work, const struct foot *foot, int interval, struct slide *slide) {
	const int count = list_low(work, foot, interval);
	int best = 0;
	for (int i = 1; i < count; i++) {
		if (speed(minus(work->velocities[i], work->treadmill)) <
			speed(minus(work->velocities[best], work->treadmill))) {
			best = i;
		}
	}
	add_vertex(slide, (uint32_t)foot->vertices[work->vertices[best]]);
	return minus(work->velocities[best], work->treadmill);
}

/* The two points of the path that are farthest apart. */
static void measure_path(struct slide *slide, int first, int count) {
	for (int a = 0; a < count; a++) {
		for (int b = a + 1; b < count; b++) {
			const double x = slide->path[b * 2] - slide->path[a * 2];
			const double z = slide->path[b * 2 + 1] - slide->path[a * 2 + 1];
			const double apart = sqrt(x * x + z * z);
			if (apart > slide->length) {
				slide->length = apart;
				slide->from = first + a;
				slide->to = first + b;
			}
		}
	}
}

static struct slide slide_of(struct work *work, const struct contact *contact) {
	const struct state *state = work->state;
	const int count = contact->end - contact->first;
	struct slide slide = {.from = contact->first, .to = contact->first};
	slide.path = arena_alloc(state->arena, 2 * (size_t)(count + 1), sizeof *slide.path);
	double *speeds = arena_alloc(state->arena, (size_t)count, sizeof *speeds);
	for (int i = 0; i < count; i++) {
		const int f = contact->first + i;
		const double step = state->times_s[f + 1] - state->times_s[f];
		const struct velocity residual =
			residual_of(work, &state->feet[contact->foot], f, &slide);
		speeds[i] = speed(residual);
		slide.path[(i + 1) * 2] = slide.path[i * 2] + residual.x * step;
		slide.path[(i + 1) * 2 + 1] = slide.path[i * 2 + 1] + residual.z * step;
	}
	if (median(speeds, count) >= SWING_SPEED * state->asset->length) {
		slide.length = NAN;
	} else {
		measure_path(&slide, contact->first, count + 1);
	}
	return slide;
}

/* The way along the path over the samples of a contact. */
static struct check_curve curve_of(
	const struct work *work, const struct contact *contact, const struct slide *slide) {
	const struct state *state = work->state;
	const int count = contact->end - contact->first + 1, from = slide->from - contact->first;
	double *values = arena_alloc(state->arena, (size_t)count, sizeof *values);
	for (int i = 0; i < count; i++) {
		const double x = slide->path[i * 2] - slide->path[from * 2];
		const double z = slide->path[i * 2 + 1] - slide->path[from * 2 + 1];
		values[i] = sqrt(x * x + z * z) / state->asset->length;
	}
	return (struct check_curve){state->times_s + contact->first, values, (size_t)count};
}

/* The worst contact of all; the others count in the sum. */
static void emit_slides(struct work *work, struct check_sink *sink) {
	const struct state *state = work->state;
	const double length = state->asset->length;
	struct slide worst = {.length = -1};
	const struct contact *where = NULL;
	double sum = 0, planted_s = 0;
	for (int i = 0; i < work->contact_count; i++) {
		const struct contact *contact = &work->contacts[i];
		const struct slide slide = slide_of(work, contact);
		if (isnan(slide.length)) {
			continue;
		}
		sum += slide.length;
		planted_s += state->times_s[contact->end] - state->times_s[contact->first];
		if (slide.length > worst.length) {
			worst = slide;
			where = contact;
		}
	}
	struct check_value value = check_value(0);
	if (where) {
		value = check_value_at(state->clip, worst.length / length,
			state->feet[where->foot].joint, state->samples[worst.to]);
		value.vertices = worst.vertices;
		value.vertex_count = worst.count;
		value.curve = curve_of(work, where, &worst);
		check_value_param(&value, "start", state->times_s[worst.from]);
		check_value_param(&value, "end", state->times_s[worst.to]);
	}
	value.limits_factor = state->clip->loop ? 1 : NO_LOOP_FACTOR;
	check_value_param(&value, "sum", sum / length);
	check_value_param(&value, "planted", planted_s);
	check_value_param(&value, "treadmill", speed(work->treadmill) / length);
	check_emit(sink, &check_rule_contact_slide, &value);
}

static void look_at_feet(struct state *state, double floor, struct check_sink *sink) {
	const size_t feet = (size_t)state->asset->foot_count, longest = (size_t)state->longest;
	struct work work = {.state = state, .low = floor + LOW * state->asset->length};
	work.velocities = arena_alloc(state->arena, longest, sizeof *work.velocities);
	work.vertices = arena_alloc(state->arena, longest, sizeof *work.vertices);
	work.numbers = arena_alloc(state->arena, longest, sizeof *work.numbers);
	work.contacts = arena_alloc(state->arena,
		feet * (size_t)(state->count / CONTACT_INTERVALS + 1), sizeof *work.contacts);
	for (int i = 0; i < state->asset->foot_count; i++) {
		find_contacts(&work, i);
	}
	work.treadmill = find_treadmill(&work);
	check_tell_treadmill(sink, speed(work.treadmill) / state->asset->length);
	emit_slides(&work, sink);
}

static void end(void *context, struct check_sink *sink) {
	struct state *state = context;
	const struct check_asset *asset = state->asset;
	double *heights = arena_alloc(state->arena, (size_t)state->count, sizeof *heights);
	memcpy(heights, state->lowest, (size_t)state->count * sizeof *heights);
	const double floor = check_percentile(heights, state->count, FLOOR_SHARE);
	if (asset->foot_count == 0) {
		check_skip(sink, &check_rule_contact_slide, "%s",
			asset->rests_on_body ? "the figure rests on its body, and has no feet"
					     : "no part touches the ground at rest");
	} else if (!(fabs(floor - asset->ground) <= FLOOR_NEAR * asset->length)) {
		check_skip(sink, &check_rule_contact_slide,
			"the clip's lowest points are away from the ground");
	} else {
		look_at_feet(state, floor, sink);
	}
}

static const struct check_pass pass = {
	.needs = CHECK_NEEDS_SKIN | CHECK_NEEDS_GROUND,
	.begin = begin,
	.surface = surface,
	.end = end,
};

const struct check_rule check_rule_contact_slide = {
	.info =
		{
			.id = "contact/slide",
			.unit = "L",
			.catches = "planted feet that slide over the ground",
			.definition =
				"A foot is a group of vertices that is near the ground at "
				"rest; it is "
				"planted while some vertex of it stays within 0.012 of the "
				"clip's floor "
				"(the 5th percentile of its lowest points) for at least 0.13 "
				"s and 4 "
				"samples, without the first and last of these. In each "
				"interval the low "
				"vertex that moves least stands for the foot. A figure that rests "
				"on its body, as snakes do, has no feet. If the clip "
				"walks in place, "
				"the common speed of the planted feet is taken away first. "
				"The value is the "
				"largest distance between two points of a planted foot's "
				"path, as a share "
				"of the figure's length. Clips that are not loops have "
				"limits three times "
				"as wide, since they shift their feet by intent.",
			.effect = "The figure skates: its feet glide while they should carry it.",
			.fix = "Pin {joint} from {start:3} to {end:3} s of {clip}.",
			.blender = "Key the foot's IK target in one place for the time of the "
				   "contact, and "
				   "let the hips move over it.",
			.maya = "Key the foot's IK control in one place for the time of the "
				"contact "
				"(HumanIK: pin it), and let the hips move over it.",
			.message = "{joint} slides by {value:%} of the figure's length while it is "
				   "planted, "
				   "from {start:3} to {end:3} s of {clip}",
			.example = "RightFoot slides by 12 % of the figure's length while it is "
				   "planted, from 2.000 to 3.933 s of Idle",
			.cost = CHECK_COST_VERTICES,
			.by_clip = true,
			.limits = {INFINITY, 0.04, 0.12},
		},
	.pass = &pass,
};
