// The stacks of FBX -> clips, whose keys interpolation goes through as the curves do.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mat.h"
#include "base/vec.h"
#include "import/fbx_bend.h"
#include "import/fbx_import.h"
#include "import/fbx_sampler.h"

/* Of the diagonal of all points: the shares that a joint's translation, and its rotation at the end
 * of what hangs on it, may be off by; chains of joints add up. */
#define TRANSLATION_SHARE 4e-6
#define ROTATION_SHARE 6e-6
#define SCALE_TOLERANCE 4e-6
#define WEIGHT_TOLERANCE 3e-5

/* Curves that may bend are looked at this often, and turns after so many degrees. */
#define LOOKS_PER_S 60
#define TURN_DEGREES 20

/* Of a stretch: more would only be noise. */
#define PIECES_MAX 4096

/* The object of a sampler: a node's transform, or the morph weights of a mesh. */
struct subject {
	const struct fbx_import *import;
	const struct fbx_stack *stack;
	const struct fbx_node_binding *bindings;
	int node;
	const struct fbx_mesh *mesh;            // NULL = the node's transform
	const struct fbx_binding *channels;     // of the mesh's blend
	int curve_count, curve_room, evaluated; // evaluated: with curves that never move
	const struct fbx_curve **curves;        // all that it depends on, but for those
	double tolerances[10];
};

/* --- What a subject depends on --- */

static void add_curve(struct subject *subject, const struct fbx_curve *curve) {
	if (subject->curve_count == subject->curve_room) {
		subject->curve_room = 2 * subject->curve_room + 16;
		const struct fbx_curve **curves = arena_alloc(
			subject->import->tree.arena, (size_t)subject->curve_room, sizeof *curves);
		if (subject->curve_count > 0) {
			memcpy(curves, subject->curves,
				(size_t)subject->curve_count * sizeof *curves);
		}
		subject->curves = curves;
	}
	subject->curves[subject->curve_count++] = curve;
}

static void add_driven(struct subject *subject, const struct fbx_driven *driven) {
	for (int i = 0; driven && i < 3; i++) {
		subject->evaluated += driven->curves[i] != NULL;
		if (driven->curves[i] && !driven->curves[i]->is_still) {
			add_curve(subject, driven->curves[i]);
		}
	}
}

/* Adds what a property is bound to; true if it is to anything. */
static bool add_binding(struct subject *subject, const struct fbx_binding *binding) {
	for (int i = 0; i < binding->count; i++) {
		add_driven(subject, binding->bound[i].driven);
		add_driven(subject, binding->bound[i].layer->weight_curve);
	}
	return binding->count > 0;
}

/* Curves whose keys are looked at for one node: more than any figure has above a joint. Those
 * beyond count, too, at the times of the others. */
#define CURVES_MAX 1024

/* Curves that are evaluated in the time that counts as one evaluation. */
#define CURVES_PER_COST 64

static bool add_node(struct subject *subject) {
	const struct fbx_nodes *nodes = &subject->import->nodes;
	const struct fbx_node *node = &nodes->nodes[subject->node];
	const struct fbx_node_binding *own = &subject->bindings[subject->node];
	bool found = add_binding(subject, &own->translation);
	found |= add_binding(subject, &own->rotation);
	found |= add_binding(subject, &own->scaling);
	if (node->inherit != FBX_INHERIT_ALL) {
		for (int i = node->parent; i >= 0 && subject->evaluated < CURVES_MAX;
			i = nodes->nodes[i].scale_from) {
			found |= add_binding(subject, &subject->bindings[i].scaling);
		}
	}
	return found;
}

static bool add_channels(struct subject *subject) {
	const struct fbx_blend *blend = &subject->mesh->blend;
	struct fbx_binding *bindings = arena_alloc(
		subject->import->tree.arena, (size_t)blend->channel_count, sizeof *bindings);
	bool found = false;
	subject->channels = bindings;
	for (int i = 0; i < blend->channel_count; i++) {
		bindings[i] = fbx_bind(subject->stack, blend->channels[i].object,
			blend->channels[i].property, subject->import->tree.arena);
		found |= add_binding(subject, &bindings[i]);
	}
	return found;
}

/* --- Sampling --- */

static void node_at(const void *context, double time_s, double *values) {
	const struct subject *subject = context;
	struct fbx_transform transform;
	fbx_joint_at(subject->import, subject->node, subject->bindings, time_s, &transform);
	memcpy(values, transform.translation, sizeof transform.translation);
	memcpy(values + 3, transform.rotation, sizeof transform.rotation);
	memcpy(values + 7, transform.scale, sizeof transform.scale);
}

static void weights_at(const void *context, double time_s, double *values) {
	const struct subject *subject = context;
	for (int i = 0; i < subject->mesh->blend.channel_count; i++) {
		const struct fbx_channel *channel = &subject->mesh->blend.channels[i];
		double percent[3] = {channel->rest_percent};
		fbx_numbers_at(&subject->channels[i], time_s, percent);
		fbx_channel_weights(channel, percent[0], values);
		values += channel->shape_count;
	}
}

/* The last key that is not after a time; NULL before the first one. */
static const struct fbx_key *key_before(const struct fbx_curve *curve, double time_s) {
	int low = 0, high = curve->key_count;
	while (low < high) {
		const int middle = (low + high) / 2;
		if (curve->keys[middle].time_s <= time_s) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low > 0 ? &curve->keys[low - 1] : NULL;
}

static void look_at_curve(
	const struct fbx_curve *curve, double middle_s, struct fbx_stretch *stretch) {
	const struct fbx_key *key = key_before(curve, middle_s);
	const bool before = !key, after = key && key + 1 == curve->keys + curve->key_count;
	if (curve->key_count < 2) {
		return;
	}
	if (before || after) {
		const enum fbx_extrapolation mode = before ? curve->before.mode : curve->after.mode;
		stretch->smooth |= mode != FBX_EXTRAPOLATE_CONSTANT;
		stretch->steps |= mode == FBX_EXTRAPOLATE_REPEAT;
		return;
	}
	stretch->smooth |= key->span == FBX_SPAN_CUBIC;
	stretch->steps |= key->span == FBX_SPAN_CONSTANT || key->span == FBX_SPAN_CONSTANT_NEXT;
}

/* The most that any angle changes in a stretch. */
static double find_turn(const struct subject *subject, double start_s, double end_s) {
	const struct fbx_binding *rotation =
		subject->mesh ? NULL : &subject->bindings[subject->node].rotation;
	double most = 0;
	for (int i = 0; rotation && i < 3 * rotation->count; i++) {
		const struct fbx_curve *curve = rotation->bound[i / 3].driven->curves[i % 3];
		if (curve) {
			most = fmax(most,
				fabs(fbx_curve_at(curve, end_s, 0) -
					fbx_curve_at(curve, start_s, 0)));
		}
	}
	return most;
}

static int to_pieces(double pieces) {
	return pieces > 1 ? (int)fmin(ceil(pieces), PIECES_MAX) : 1;
}

/* The pieces by how far the subject bends; false where that is not known. */
static bool find_pieces(
	const struct subject *subject, double start_s, double end_s, double *pieces) {
	const double *tolerances = subject->tolerances, length_s = end_s - start_s;
	struct fbx_bend bend;
	if (subject->mesh) {
		const bool known = fbx_blend_bend(
			&subject->mesh->blend, subject->channels, start_s, end_s, &bend);
		*pieces = known ? fbx_bend_pieces(bend.scale, length_s, WEIGHT_TOLERANCE) : 0;
		return known;
	}
	if (!fbx_node_bend(
		    subject->import, subject->node, subject->bindings, start_s, end_s, &bend)) {
		return false;
	}
	*pieces = fmax(fmax(fbx_bend_pieces(bend.translation, length_s, tolerances[0]),
			       fbx_bend_pieces(bend.rotation, length_s, tolerances[3])),
		fmax(fbx_bend_pieces(bend.scale, length_s, tolerances[7]),
			bend.turn_rad * (180 / M_PI) / TURN_DEGREES));
	return true;
}

static struct fbx_stretch stretch_of(const void *context, double start_s, double end_s) {
	const struct subject *subject = context;
	struct fbx_stretch stretch = {.pieces = 1};
	double known_pieces;
	if (find_pieces(subject, start_s, end_s, &known_pieces)) {
		return (struct fbx_stretch){.pieces = to_pieces(known_pieces), .known = true};
	}
	for (int i = 0; i < subject->curve_count; i++) {
		look_at_curve(subject->curves[i], (start_s + end_s) / 2, &stretch);
	}
	double pieces = find_turn(subject, start_s, end_s) / TURN_DEGREES;
	if (stretch.smooth) {
		pieces = fmax(pieces, (end_s - start_s) * LOOKS_PER_S);
	}
	stretch.pieces = to_pieces(pieces);
	return stretch;
}

static int compare_times(const void *a, const void *b) {
	return (*(const double *)a > *(const double *)b) -
		(*(const double *)a < *(const double *)b);
}

/* True when a curve has its keys at the times of the one before it, as most do. */
static bool has_same_times(const struct fbx_curve *curve, const struct fbx_curve *before) {
	int i = 0;
	while (i < curve->key_count && i < before->key_count &&
		curve->keys[i].time_s == before->keys[i].time_s) {
		i++;
	}
	return i == curve->key_count && i == before->key_count;
}

/* The times of all keys within the stack, its ends among them; returns how many. */
static int list_times(const struct subject *subject, double **times) {
	const struct fbx_stack *stack = subject->stack;
	size_t room = 2;
	for (int i = 0; i < subject->curve_count; i++) {
		room += (size_t)subject->curves[i]->key_count;
	}
	*times = arena_alloc(subject->import->tree.arena, room, sizeof **times);
	int count = 0, used = 1;
	(*times)[count++] = stack->start_s;
	(*times)[count++] = stack->end_s;
	for (int i = 0; i < subject->curve_count; i++) {
		if (i > 0 && has_same_times(subject->curves[i], subject->curves[i - 1])) {
			continue;
		}
		for (int k = 0; k < subject->curves[i]->key_count; k++) {
			const double time_s = subject->curves[i]->keys[k].time_s;
			if (time_s > stack->start_s && time_s < stack->end_s) {
				(*times)[count++] = time_s;
			}
		}
	}
	qsort(*times, (size_t)count, sizeof **times, compare_times);
	for (int i = 1; i < count; i++) {
		if ((*times)[i] > (*times)[used - 1]) {
			(*times)[used++] = (*times)[i];
		}
	}
	return used;
}

/* --- Channels --- */

/* The clip that is made. */
struct making {
	struct fbx_import *import;
	const struct fbx_stack *stack;
	const struct fbx_node_binding *bindings;
	struct channel *channels;
	int count, room;
};

/* Times of float32, ascending: of two that fall together the first is the next one down. */
static int to_times(
	const struct fbx_samples *samples, double start_s, int *kept, int count, float *times) {
	int used = 0;
	for (int i = 0; i < count; i++) {
		const float time_s = (float)(samples->times[kept[i]] - start_s);
		if (used > 0 && time_s <= times[used - 1]) {
			const float lower = nextafterf(time_s, -INFINITY);
			if (used > 1 && times[used - 2] >= lower) {
				kept[used - 1] = kept[i]; // there is no room between
				continue;
			}
			if (lower < 0) {
				kept[used - 1] = kept[i];
				continue;
			}
			times[used - 1] = lower;
		}
		times[used] = time_s;
		kept[used++] = kept[i];
	}
	return used;
}

static struct channel *add_channel(struct making *making) {
	if (making->count == making->room) {
		making->room = 2 * making->room + 64;
		struct channel *channels = arena_alloc(
			making->import->tree.arena, (size_t)making->room, sizeof *channels);
		if (making->count > 0) {
			memcpy(channels, making->channels,
				(size_t)making->count * sizeof *channels);
		}
		making->channels = channels;
	}
	return &making->channels[making->count++];
}

static void put_values(const struct fbx_samples *samples, const struct fbx_part *part,
	const int *kept, int count, float *values) {
	for (int i = 0; i < count; i++) {
		const double *from = &samples->values[(size_t)kept[i] * (size_t)samples->width +
			(size_t)part->at];
		float *to = &values[(size_t)i * (size_t)part->width];
		double sign = 1;
		if (part->rotation && i > 0) {
			double along = 0;
			for (int k = 0; k < 4; k++) {
				along += from[k] * (double)to[k - 4];
			}
			sign = along < 0 ? -1 : 1;
		}
		for (int k = 0; k < part->width; k++) {
			to[k] = (float)(sign * from[k]);
		}
	}
}

/* True when a channel would only say what holds at rest. */
static bool is_rest(const float *values, const float *rest, int width) {
	return memcmp(values, rest, (size_t)width * sizeof *values) == 0;
}

static void make_channel(struct making *making, const struct fbx_samples *samples,
	const struct fbx_part *part, int joint, enum channel_path path, const float *rest) {
	struct arena *arena = making->import->tree.arena;
	int *kept = arena_alloc(arena, (size_t)samples->count, sizeof *kept);
	int count = fbx_reduce(samples, part, kept);
	float *times = arena_alloc(arena, (size_t)count, sizeof *times);
	count = to_times(samples, making->stack->start_s, kept, count, times);
	float *values = arena_alloc(arena, (size_t)count * (size_t)part->width, sizeof *values);
	put_values(samples, part, kept, count, values);
	if (count == 1 && rest && is_rest(values, rest, part->width)) {
		return;
	}
	*add_channel(making) = (struct channel){
		.joint = joint,
		.path = path,
		.interpolation = INTERPOLATION_LINEAR,
		.key_count = count,
		.width = part->width,
		.times = times,
		.values = values,
	};
}

static struct subject make_subject(const struct making *making, int node) {
	return (struct subject){.import = making->import,
		.stack = making->stack,
		.bindings = making->bindings,
		.node = node};
}

static struct fbx_samples sample(
	const struct making *making, const struct subject *subject, struct fbx_sampler *sampler) {
	struct fbx_samples samples = {.arena = subject->import->tree.arena};
	double *times;
	const int count = list_times(subject, &times);
	sampler->context = subject;
	sampler->left = &making->import->samples_left;
	sampler->more_cost = subject->evaluated / CURVES_PER_COST;
	sampler->stretch = stretch_of;
	fbx_sample(sampler, times, count, &samples);
	return samples;
}

/* By node: how far what hangs on it reaches, in metres at rest, and the scale above it. */
struct reach {
	double *arm, *scale;
};

static void make_node_channels(struct making *making, int node, const struct reach *reach) {
	const struct fbx_import *import = making->import;
	struct subject subject = make_subject(making, node);
	if (!add_node(&subject)) {
		return;
	}
	const double share = import->diagonal / reach->scale[node];
	for (int i = 0; i < 3; i++) {
		subject.tolerances[i] = TRANSLATION_SHARE * share;
		subject.tolerances[7 + i] = SCALE_TOLERANCE;
	}
	subject.tolerances[3] = ROTATION_SHARE * import->diagonal / reach->arm[node];
	struct fbx_sampler sampler = {
		.at = node_at, .width = 10, .rotation_at = 3, .tolerances = subject.tolerances};
	const struct fbx_samples samples = sample(making, &subject, &sampler);
	const struct scene_joint *joints = import->scene.joints;
	const int frame = import->frames[node], joint = import->joints[node];
	const struct fbx_part translation = {0, 3, false, subject.tolerances[0] / 2};
	const struct fbx_part rotation = {3, 4, true, subject.tolerances[3] / 2};
	const struct fbx_part scale = {7, 3, false, SCALE_TOLERANCE / 2};
	make_channel(making, &samples, &translation, frame, CHANNEL_TRANSLATION,
		joints[frame].rest.translation);
	make_channel(
		making, &samples, &rotation, frame, CHANNEL_ROTATION, joints[frame].rest.rotation);
	make_channel(making, &samples, &scale, joint, CHANNEL_SCALE, joints[joint].rest.scale);
}

static void make_weight_channel(struct making *making, const struct fbx_mesh *mesh) {
	struct fbx_import *import = making->import;
	const int joint = import->joints[mesh->node], width = mesh->blend.shape_count;
	struct subject subject = make_subject(making, mesh->node);
	subject.mesh = mesh;
	if (!add_channels(&subject)) {
		return;
	}
	double *tolerances = arena_alloc(import->tree.arena, (size_t)width, sizeof *tolerances);
	for (int i = 0; i < width; i++) {
		tolerances[i] = WEIGHT_TOLERANCE;
	}
	struct fbx_sampler sampler = {
		.at = weights_at, .width = width, .rotation_at = -1, .tolerances = tolerances};
	const struct fbx_samples samples = sample(making, &subject, &sampler);
	const struct fbx_part part = {0, width, false, WEIGHT_TOLERANCE / 2};
	make_channel(
		making, &samples, &part, joint, CHANNEL_WEIGHTS, import->scene.rest_weights[joint]);
}

/* --- Reach --- */

static double column_length(const double m[static 12], int column) {
	return sqrt(m[column] * m[column] + m[column + 4] * m[column + 4] +
		m[column + 8] * m[column + 8]);
}

/* A joint reaches to the farthest node below it, and what is drawn around that. */
static struct reach find_reach(struct fbx_import *import) {
	const struct fbx_nodes *nodes = &import->nodes;
	const size_t count = (size_t)nodes->count;
	struct reach reach = {arena_alloc(import->tree.arena, count, sizeof(double)),
		arena_alloc(import->tree.arena, count, sizeof(double))};
	for (int i = 0; i < nodes->count; i++) {
		const int parent = nodes->nodes[i].parent;
		reach.scale[i] = 1;
		for (int k = 0; parent >= 0 && k < 3; k++) {
			reach.scale[i] =
				fmax(reach.scale[i], column_length(import->world[parent], k));
		}
	}
	// Children come behind their parents.
	for (int i = nodes->count; i-- > 0;) {
		const int parent = nodes->nodes[i].parent;
		reach.arm[i] = fmax(reach.arm[i], import->diagonal / 4);
		if (parent >= 0) {
			double way[3];
			for (int k = 0; k < 3; k++) {
				way[k] = import->world[i][k * 4 + 3] -
					import->world[parent][k * 4 + 3];
			}
			reach.arm[parent] =
				fmax(reach.arm[parent], reach.arm[i] + vec3_length(way));
		}
	}
	return reach;
}

void fbx_make_clips(struct fbx_import *import) {
	const struct reach reach = find_reach(import);
	const int count = import->animation.stack_count;
	struct scene_clip *clips = arena_alloc(import->tree.arena, (size_t)count, sizeof *clips);
	for (int i = 0; i < count; i++) {
		const struct fbx_stack *stack = &import->animation.stacks[i];
		struct making making = {.import = import, .stack = stack};
		making.bindings =
			fbx_bind_nodes(stack, &import->objects, &import->nodes, import->tree.arena);
		for (int node = 0; node < import->nodes.count; node++) {
			make_node_channels(&making, node, &reach);
		}
		for (int mesh = 0; mesh < import->mesh_count; mesh++) {
			make_weight_channel(&making, &import->meshes[mesh]);
		}
		clips[i] = (struct scene_clip){making.stack->name, making.count, making.channels};
	}
	if (import->samples_left <= 0) {
		rig_warn(import->rig,
			"animations: their curves bend more often than is followed in a file of "
			"this size; clips are right at its keys, and straight between some");
	}
	import->scene.clips = clips;
	import->scene.clip_count = count;
}
