/* Stretchable, twistable bones: a joint's own twist and stretch spread along its bone instead of
 * starting at its joint. Each influence has an endpoint weight e, 0 at the bone's start a and
 * before, 1 at its end b and beyond; METHODS A24 gives v' = sum of w [ a' + R K(e) (e s + v - a) ],
 * K(e) a rotation by e theta about the bone and s the stretch. A pose becomes these as follows:
 *   a, b    bind positions of the joint and the middle of its children's; of a joint without
 *           children b is as far on as its vertices reach (see bones.h)
 *   theta   the twist about the bone that the joint's matrix M has against that of the joint above
 *           it, in the bind pose, before a swing; R is M's rotation without it
 *   lambda  how much M stretches the bone, over how much the matrix above does: the joint's own
 *           scale along its bone. A joint with none above counts against no scale at all
 *   tau     how much farther or nearer than b the children stand, along the bone, as M sees them
 *   a'      M a;  b' = M (a + tau (b - a)), and s = (lambda tau - 1) (b - a) before M's own stretch
 * Since M has the whole twist and stretch, the bracket is M y with what is too much taken back in
 * the bind pose: x = v - a, its part along the bone h = x u (u the bone's direction, L its length),
 * y = a + K((e - 1) theta) x + u [ e L (tau - 1 / lambda) + h (1 / lambda - 1) ]. So scale across
 * the bone and shear stay as M has them, and without twist or stretch of its own, or without a
 * bone, a joint's term is M v as in linear blend skinning.
 *
 * Blended as dual quaternions the bracket is a rigid motion for each influence, after the stretches
 * were blended linearly (METHODS 0.4).
 * Source: Jacobson, Sorkine. Stretchable and Twistable Bones for Skeletal Shape Deformation. ACM
 * TOG 30(6), 2011. */
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/mat.h"
#include "base/vec.h"
#include "half_turn_numbers.glsl"
#include "skin/bones.h"
#include "skin/lanes_angle.h"
#include "skin/method.h"
#include "skin/motion.h"
#include "skin/palette.h"
#include "skin/rigid.h"
#include "skin/stretch.h"

enum { BLEND };
enum { BLEND_LBS, BLEND_DQS };

/* Sections of the data. */
enum {
	SECTION_BONES, // struct bone_words [slot_count]
	SECTION_ENDS,  // [influence_count] endpoint weights
	SECTION_COUNT,
};

/* A bone in the data. */
struct bone_words {
	int32_t parent; // slot of the joint above; -1 = none
	float axis[3];  // unit; 0 = the joint has no bone
	float length;
	float rest; // how much the matrix stretches it in the rest pose, where there is none above
	float zeros[2];
};

/* A palette entry: the matrix, the reach behind it; motion; start and angle; axis and along;
 * stretch (see rigid.h). y above is a + K x + u (e reach + h along). */
#define REACH 12
#define STRETCH 32
#define ENTRY_FLOATS 48

skin_kernel stbs_skin, stbs_skin_avx2;

static const struct field matrix_field = {ENTRY_FLOATS, 0};
static const struct field reach_field = {ENTRY_FLOATS, REACH};
static const struct field real_field = {ENTRY_FLOATS, 16};
static const struct field dual_field = {ENTRY_FLOATS, 20};
static const struct field start_field = {ENTRY_FLOATS, 24};
static const struct field axis_field = {ENTRY_FLOATS, 28};
static const struct field stretch_field = {ENTRY_FLOATS, STRETCH};

/* Sine and cosine of the angle t in [-pi/2, pi/2]. */
struct turn {
	lanes sine, cosine;
};

KERNEL struct turn turn_of(lanes t) {
	const lanes y = t * t;
	return (struct turn){t + t * (y * HALF_TURN_SINE(y)), 1.0f + y * HALF_TURN_COSINE(y)};
}

/* Four numbers of every lane's k-th influence; usual as block_is_usual() has it. */
KERNEL struct lanes4 fetch(const struct block *block, int k, struct field field, bool usual) {
	return usual ? block_gather_usual(block, k, field) : block_gather(block, k, field);
}

/* The change of its vertices by an influence before its joint moves them: a rotation about the
 * bone, and a shift along it. */
struct spread {
	struct lanes3 axis, start;
	struct lanes3 from; // the vertices, seen from the start
	struct turn half;   // of half the angle
	lanes way;
};

KERNEL struct spread spread_of(
	const struct block *block, int k, struct lanes3 v, lanes end, bool usual) {
	const struct lanes4 start = fetch(block, k, start_field, usual);
	const struct lanes4 axis = fetch(block, k, axis_field, usual);
	const lanes reach = fetch(block, k, reach_field, usual).x;
	struct spread s = {.axis = lanes3_of(axis), .start = lanes3_of(start)};
	s.from = lanes3_subtract(v, s.start);
	s.half = turn_of((end - 1.0f) * start.w * 0.5f);
	s.way = end * reach + lanes3_dot(s.axis, s.from) * axis.w;
	return s;
}

/* The change of a direction by the rotation: sin u x d + (1 - cos) u x (u x d). */
KERNEL struct lanes3 spread_turns(const struct spread *s, struct lanes3 d) {
	const lanes twice = 2.0f * s->half.sine;
	const struct lanes3 across = lanes3_cross(s->axis, d);
	return lanes3_add(lanes3_scale(across, twice * s->half.cosine),
		lanes3_scale(lanes3_cross(s->axis, across), twice * s->half.sine));
}

KERNEL struct lanes3 turned(const struct spread *s, struct lanes3 d) {
	return lanes3_add(d, spread_turns(s, d));
}

KERNEL struct lanes3 add_scaled(struct lanes3 a, struct lanes3 b, lanes by) {
	return lanes3_add(a, lanes3_scale(b, by));
}

/* Adds an influence's share to sum. */
KERNEL void add_influence(const struct block *block, int k, const struct surface *rest,
	lanes weight, lanes end, bool usual, struct surface *sum) {
	const struct spread s = spread_of(block, k, rest->position, end, usual);
	const struct lanes_matrix m =
		block_columns_of(fetch(block, k, (struct field){ENTRY_FLOATS, 0}, usual),
			fetch(block, k, (struct field){ENTRY_FLOATS, 4}, usual),
			fetch(block, k, (struct field){ENTRY_FLOATS, 8}, usual));
	const struct lanes3 change = add_scaled(spread_turns(&s, s.from), s.axis, s.way);
	const struct lanes3 y = lanes3_add(rest->position, change);
	sum->position = add_scaled(sum->position, lanes_map_point(&m, y), weight);
	const struct lanes3 normal = lanes_map_direction(&m, turned(&s, rest->normal));
	sum->normal = add_scaled(sum->normal, normal, weight);
	if (block_has_tangents(block)) {
		const struct lanes3 tangent = lanes_map_direction(&m, turned(&s, rest->tangent));
		sum->tangent = add_scaled(sum->tangent, tangent, weight);
	}
}

/* Four endpoint weights of every lane of a usual block. */
KERNEL struct lanes4 ends_usual(const struct block *block) {
	return lanes_load4(
		skin_data_read_floats(block->job->data, SECTION_ENDS) + block->job_influence, 4);
}

KERNEL lanes ends_of(const struct block *block, int k) {
	return block_influence_row1(
		block, k, skin_data_read_floats(block->job->data, SECTION_ENDS), 1);
}

KERNEL void blend_matrices(
	const struct block *block, const struct surface *rest, struct surface *sum) {
	if (block_is_usual(block)) {
		const struct lanes4 w = block_weights_usual(block), e = ends_usual(block);
		add_influence(block, 0, rest, w.x, e.x, true, sum);
		add_influence(block, 1, rest, w.y, e.y, true, sum);
		add_influence(block, 2, rest, w.z, e.z, true, sum);
		add_influence(block, 3, rest, w.w, e.w, true, sum);
		return;
	}
	for (int k = 0; k < block->influence_count; k++) {
		add_influence(
			block, k, rest, block_weights(block, k), ends_of(block, k), false, sum);
	}
}

/* Summed normals made unit where some have vanished or are beyond what float32 squares. */
KERNEL struct lanes3 unit_rarely(const struct block *block, struct lanes3 sum, struct lanes3 rest) {
	const struct lanes_matrix blended = block_blend_matrices(block, matrix_field, NULL);
	const struct lanes_matrix pivot = block_matrix_of(block, 0, matrix_field);
	const lane_mask ok = normal_unit_rarely(&blended, &sum);
	normal_of_pivot(&pivot, &rest);
	return lanes3_select(ok, sum, rest);
}

KERNEL void skin_linear(const struct block *block) {
	const struct surface rest = surface_of(block);
	struct surface sum = {.handedness = rest.handedness};
	blend_matrices(block, &rest, &sum);
	const lanes square = lanes3_dot(sum.normal, sum.normal);
	const lanes size = normal_palette_size_square(block);
	if (__builtin_expect(lanes_all(square > normal_floor(NORMALS_SAME, size)), true)) {
		sum.normal = lanes3_scale(sum.normal, 1.0f / lanes_sqrt(square));
	} else {
		sum.normal = unit_rarely(block, sum.normal, rest.normal);
	}
	surface_put(block, &sum);
}

/* An influence's bracket as a motion: a screw about the bone, then the joint's. */
KERNEL struct motion bracket_of(
	const struct block *block, int k, struct lanes3 v, lanes end, bool usual) {
	const struct spread s = spread_of(block, k, v, end, usual);
	const struct lanes4 real = fetch(block, k, real_field, usual);
	const struct lanes4 dual = fetch(block, k, dual_field, usual);
	const struct lanes3 r = lanes3_scale(s.axis, s.half.sine);
	const struct lanes3 d =
		add_scaled(lanes3_cross(s.start, r), s.axis, 0.5f * s.way * s.half.cosine);
	const struct lanes4 turn = {r.x, r.y, r.z, s.half.cosine};
	const struct lanes4 move = {d.x, d.y, d.z, -0.5f * s.way * s.half.sine};
	const lanes one = {0};
	return (struct motion){.real = angle_multiply(real, turn),
		.dual = lanes4_add_scaled(
			angle_multiply(real, move), angle_multiply(dual, turn), one + 1.0f)};
}

/* Adds a bracket with the sign that brings it nearer to the pivot's. */
KERNEL void add_bracket(
	const struct motion *pivot, struct motion bracket, lanes weight, struct motion *sum) {
	const lanes signed_weight =
		lanes_negate_where(lanes4_dot(bracket.real, pivot->real) < 0, weight);
	*sum = motion_add(*sum, bracket, signed_weight);
}

KERNEL struct motion scaled(struct motion m, lanes by) {
	return (struct motion){.real = lanes4_scale(m.real, by), .dual = lanes4_scale(m.dual, by)};
}

KERNEL struct motion blend_brackets(const struct block *block, struct lanes3 v) {
	struct motion sum, pivot;
	if (block_is_usual(block)) {
		const struct lanes4 w = block_weights_usual(block), e = ends_usual(block);
		pivot = bracket_of(block, 0, v, e.x, true);
		sum = scaled(pivot, w.x);
		add_bracket(&pivot, bracket_of(block, 1, v, e.y, true), w.y, &sum);
		add_bracket(&pivot, bracket_of(block, 2, v, e.z, true), w.z, &sum);
		add_bracket(&pivot, bracket_of(block, 3, v, e.w, true), w.w, &sum);
	} else {
		pivot = bracket_of(block, 0, v, ends_of(block, 0), false);
		sum = scaled(pivot, block_weights(block, 0));
		for (int k = 1; k < block->influence_count; k++) {
			add_bracket(&pivot, bracket_of(block, k, v, ends_of(block, k), false),
				block_weights(block, k), &sum);
		}
	}
	const lane_mask ok = lanes4_dot(sum.real, sum.real) > MOTION_LEAST_SQUARE;
	return (struct motion){.real = lanes4_select(ok, sum.real, pivot.real),
		.dual = lanes4_select(ok, sum.dual, pivot.dual)};
}

KERNEL void skin_rigid(const struct block *block, bool stretched) {
	struct surface s = surface_of(block);
	const struct motion motion = blend_brackets(block, s.position);
	const struct lanes_matrix m = motion_matrix(motion);
	if (stretched) {
		stretch_surface(block, stretch_field, &s);
	}
	surface_move(&m, &s);
	surface_put(block, &s);
}

LANES_TARGET void LANES_NAME(stbs_skin)(
	const struct skin_job *job, const struct primitive *primitive) {
	const bool rigid = (int)job->options->values[BLEND] == BLEND_DQS;
	const bool stretched = is_stretched(job, primitive, stretch_field);
	BLOCK_FOREACH(block, job, primitive, ENTRY_FLOATS) {
		if (rigid) {
			skin_rigid(block, stretched);
		} else {
			skin_linear(block);
		}
	}
}

#ifndef LANES_AVX2
static const struct skin_option blend_option = {
	.name = "blend",
	.title =
		"how what the joints make of a vertex is blended: linearly, or as dual quaternions",
	.kind = SKIN_OPTION_CHOICE,
	.choices = (const char *const[]){[BLEND_LBS] = "lbs", [BLEND_DQS] = "dqs", NULL},
	.standard = BLEND_LBS,
};

static const struct skin_option *const options[] = {[BLEND] = &blend_option, NULL};

/* Rounding errors would become denormal numbers, with which CPUs are a hundred times slower. */
static float rounded(double number) {
	return fabs(number) < 1e-9 ? 0 : (float)number;
}

/* Bones shorter than this share of how far from the origin they lie are none. */
#define LEAST_LENGTH 1e-6

static double length_under(const double *m, const double axis[static 3]) {
	double mapped[3];
	mat_map_direction(m, axis, mapped);
	return vec3_length(mapped);
}

/* The factor by which a slot's matrix stretches an axis in the rest pose. */
static double rest_stretch(const struct rig *rig, int slot, const double axis[static 3]) {
	double m[12];
	memcpy(m, rig->slots[slot].inverse_bind, sizeof m);
	for (int i = rig->slots[slot].joint; i >= 0; i = rig->joints[i].parent) {
		const struct transform *rest = &rig->joints[i].rest;
		double local[12];
		mat_from_transform(rest->translation, rest->rotation, rest->scale, local);
		mat_multiply(local, m, m);
	}
	return length_under(m, axis);
}

static struct bone_words words_of(const struct rig *rig, int slot, const struct bone *bone) {
	struct bone_words words = {.parent = bone->parent};
	double along[3];
	vec3_sub(bone->to, bone->from, along);
	const double length = vec3_length(along);
	const double distance = vec3_length(bone->from) + vec3_length(bone->to);
	if (length > LEAST_LENGTH * distance && vec3_normalize(along)) {
		words.length = (float)length;
		words.rest = (float)rest_stretch(rig, slot, along);
		for (int i = 0; i < 3; i++) {
			words.axis[i] = rounded(along[i]);
		}
	}
	return words;
}

static void write_ends(const struct rig *rig, const struct primitive *primitive,
	const struct bone *bones, const struct bone_words *words, float *ends) {
	const size_t count = (size_t)primitive->influence_count;
	for (size_t i = 0; i < (size_t)primitive->vertex_count * count; i++) {
		const size_t influence = primitive->first_influence + i;
		const int slot = primitive->first_slot + rig->influence_slots[influence];
		const float *v = rig->positions + ((size_t)primitive->first_vertex + i / count) * 3;
		double along = 0;
		for (int k = 0; k < 3; k++) {
			along += ((double)v[k] - bones[slot].from[k]) * (double)words[slot].axis[k];
		}
		const double length = (double)words[slot].length;
		ends[influence] = length > 0 ? (float)fmin(fmax(along / length, 0), 1) : 0;
	}
}

static struct skin_data *derive(const struct derive_job *job, struct error *err) {
	const struct rig *rig = job->rig;
	const size_t slots = (size_t)rig->slot_count;
	const size_t lengths[SECTION_COUNT] = {
		[SECTION_BONES] = slots * sizeof(struct bone_words) / sizeof(uint32_t),
		[SECTION_ENDS] = rig->influence_count,
	};
	struct skin_data *data = skin_data_create(lengths, SECTION_COUNT, err);
	if (!data) {
		return NULL;
	}
	struct arena *arena = arena_create();
	struct bone *bones = arena_alloc(arena, slots, sizeof *bones);
	struct bone_words *words = (void *)skin_data_words(data, SECTION_BONES);
	bones_find(rig, arena, bones);
	for (size_t i = 0; i < slots; i++) {
		words[i] = words_of(rig, (int)i, &bones[i]);
	}
	for (int i = 0; i < rig->primitive_count; i++) {
		write_ends(rig, &rig->primitives[i], bones, words,
			skin_data_floats(data, SECTION_ENDS));
	}
	arena_destroy(arena);
	return data;
}

static const struct skin_recipe recipe = {.name = "stbs", .version = 1, .derive = derive};

/* The motion of a joint along its bone. */
struct along {
	double twist_rad; // theta
	double own;       // lambda
	double children;  // tau
};

/* The positions of a joint's children through its matrix, against those at bind time. */
struct standing {
	double sum[3];
	int count;
};

static const struct along nothing = {0, 1, 1};

/* The angle of a twist about the axis, in (-pi, pi]. */
static double angle_of(const double twist[static 4], const double axis[static 3]) {
	const double sine = vec3_dot(twist, axis), cosine = twist[3];
	const double angle = 2 * angle_atan2(fabs(sine), fabs(cosine));
	return sine * cosine < 0 ? -angle : angle;
}

static double twist_of(const double relative[static 12], const double axis[static 3]) {
	double rotation[4], stretch[9], swing[4], twist[4];
	mat_polar(relative, rotation, stretch);
	turns_swing_twist(rotation, axis, swing, twist);
	return angle_of(twist, axis);
}

/* Beyond a thousandth and a thousand times nothing can be taken back. */
static bool is_moderate(double factor) {
	return 1e-3 < fabs(factor) && fabs(factor) < 1e3;
}

static struct along along_of(const struct prepare_job *job, int slot, const struct bone_words *bone,
	const struct standing *standing) {
	const double axis[3] = {
		(double)bone->axis[0], (double)bone->axis[1], (double)bone->axis[2]};
	double relative[12] = MAT_IDENTITY;
	struct along along = nothing;
	if (!(bone->length > 0) ||
		(bone->parent >= 0 && !mat_invert(job->matrices[bone->parent], relative))) {
		return nothing;
	}
	mat_multiply(relative, job->matrices[slot], relative);
	along.own = length_under(relative, axis) / (bone->parent < 0 ? (double)bone->rest : 1);
	along.twist_rad = bone->parent < 0 ? 0 : twist_of(relative, axis);
	if (standing->count > 0) {
		along.children = 1 +
			vec3_dot(standing->sum, axis) / (standing->count * (double)bone->length);
	}
	return is_moderate(along.own) && fabs(along.children) < 1e3 ? along : nothing;
}

/* Fills standings, [slot_count], from the joints whose parents have an inverse. */
static void find_standings(
	const struct prepare_job *job, const struct bone_words *bones, struct standing *standings) {
	for (int i = 0; i < job->rig->slot_count; i++) {
		const int above = bones[i].parent;
		double inverse[12], bind[3], posed[3];
		if (above < 0 || !mat_invert(job->matrices[above], inverse)) {
			continue;
		}
		rigid_bind_position(&job->rig->slots[i], bind);
		mat_map_point(job->matrices[i], bind, posed);
		mat_map_point(inverse, posed, posed);
		for (int k = 0; k < 3; k++) {
			standings[above].sum[k] += posed[k] - bind[k];
		}
		standings[above].count++;
	}
}

/* The way along the bone: before the joint's stretch where that is in its matrix, else after it. */
static void write_bone(const struct prepare_job *job, int slot, const struct bone_words *bone,
	struct along along, bool rigid, float *entry) {
	const double axis[3] = {
		(double)bone->axis[0], (double)bone->axis[1], (double)bone->axis[2]};
	const double unit = rigid ? length_under(job->matrices[slot], axis) : 1;
	const double back = 1 / along.own;
	double start[3];
	rigid_bind_position(&job->rig->slots[slot], start);
	entry[reach_field.offset] =
		(float)(unit * (double)bone->length) * rounded(along.children - back);
	for (int i = 0; i < 3; i++) {
		entry[start_field.offset + i] = (float)start[i];
		entry[axis_field.offset + i] = bone->axis[i];
	}
	entry[start_field.offset + 3] = rounded(along.twist_rad);
	entry[axis_field.offset + 3] = (float)unit * rounded(back - 1);
}

static bool prepare(const struct prepare_job *job, float *palette, struct error *err) {
	const size_t count = (size_t)job->rig->slot_count;
	const bool rigid = (int)job->options->values[BLEND] == BLEND_DQS;
	const struct bone_words *bones =
		(const void *)skin_data_read_words(job->data, SECTION_BONES);
	struct standing *standings = arena_alloc(job->arena, count, sizeof *standings);
	const struct rigid_joint *joints = rigid ? rigid_joints(job, err) : NULL;
	find_standings(job, bones, standings);
	if (rigid && !joints) {
		return false;
	}
	for (size_t i = 0; i < count; i++) {
		float *entry = palette + i * ENTRY_FLOATS;
		const struct along along = along_of(job, (int)i, &bones[i], &standings[i]);
		palette_write_matrix(job->matrices[i], entry);
		write_bone(job, (int)i, &bones[i], along, rigid, entry);
		if (rigid) {
			rigid_write_motion(&joints[i], entry + real_field.offset);
			rigid_write_stretch(&joints[i], entry + STRETCH);
		}
	}
	return true;
}

const struct skinning_method stbs_method = {
	.id = "stbs",
	.title = "stretchable, twistable bones: a joint's twist and stretch spread along its bone",
	.options = options,
	.normals = 1 << NORMALS_SAME,
	.recipe = &recipe,
	.kernel =
		{
			.shader = "stbs.comp",
			.entry_floats = ENTRY_FLOATS,
			.stretch_at = STRETCH,
			.prepare = prepare,
			.skin = stbs_skin,
			.skin_avx2 = stbs_skin_avx2,
		},
};
#endif
