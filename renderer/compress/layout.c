// Tracks at rest, still and moving.
#include "compress/layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mat.h"
#include "base/memory.h"
#include "base/quat.h"
#include "base/vec.h"
#include "pose/pose.h"

#define SHARE_TRACK 0.15    // of the tolerance that a track at rest or still may take
#define SHARE_CHANNEL 0.06  // likewise one axis of a moving track
#define SHARE_UNIT 0.2      // of the tolerance, the unit of still numbers
#define SHARE_WEIGHTS 0.9   // of the tolerance, all morph weights of a joint together
#define SHARE_WITH_SKIN 0.4 // likewise where what joints do is added to it
#define NEAR_REST_RAD 0.5
#define BASE_UNIT 32
#define UNIT_MIN (-60)
#define UNIT_MAX 20
#define STEP_UNIT 32 // steps are 2^(code / 6 - 32)
#define REACH_MIN 1e-9
#define NOTHING (-1) // the reach of a joint without points, at and below it

/* The metres that a change of 1 in a track's numbers moves points by. */
struct gains {
	double *levers[SOURCE_KINDS]; // [joint_count]
};

static double greatest_column(const double m[static 12]) {
	double greatest = 0;
	for (int k = 0; k < 3; k++) {
		const double column[3] = {m[k], m[4 + k], m[8 + k]};
		greatest = fmax(greatest, vec3_length(column));
	}
	return greatest;
}

/* The reach of everything that hangs on a joint, over all samples. */
static void find_levers(const struct layout *layout, const struct gains *gains) {
	const struct source *source = layout->source;
	const int *parents = layout->shell->parents;
	double *reach = xcalloc((size_t)source->joint_count, sizeof *reach);
	for (int sample = 0; sample < source->sample_count && !source_is_stopped(source);
		sample++) {
		const double(*world)[12] = source->world +
			(size_t)sample * SOURCE_MOMENTS * (size_t)source->joint_count;
		for (int i = 0; i < source->joint_count; i++) {
			reach[i] = NOTHING;
		}
		for (int i = source->joint_count - 1; i >= 0; i--) {
			const double own = layout->shell->reach[i];
			if (own >= 0) {
				reach[i] = fmax(reach[i], greatest_column(world[i]) * own);
			}
			if (reach[i] < 0) {
				continue;
			}
			const double above =
				parents[i] < 0 ? 1 : greatest_column(world[parents[i]]);
			double *turn = &gains->levers[SOURCE_ROTATION][i];
			double *move = &gains->levers[SOURCE_TRANSLATION][i];
			*turn = fmax(*turn, reach[i]);
			*move = fmax(*move, above);
			if (parents[i] >= 0) {
				const double offset[3] = {world[i][3] - world[parents[i]][3],
					world[i][7] - world[parents[i]][7],
					world[i][11] - world[parents[i]][11]};
				reach[parents[i]] =
					fmax(reach[parents[i]], vec3_length(offset) + reach[i]);
			}
		}
	}
	free(reach);
}

/* A relative change of scale moves what hangs below by its reach. */
static void find_scale_gains(const struct layout *layout, const struct gains *gains) {
	const struct source *source = layout->source;
	for (int i = 0; i < source->joint_count && !source_is_stopped(source); i++) {
		double least = INFINITY;
		for (int s = 0; s < source->sample_count; s++) {
			const double *scale =
				source->local[(size_t)s * (size_t)source->joint_count + (size_t)i]
					.scale;
			for (int k = 0; k < 3; k++) {
				least = fmin(least, fabs(scale[k]));
			}
		}
		gains->levers[SOURCE_SCALE][i] =
			gains->levers[SOURCE_ROTATION][i] / fmax(least, 1e-3);
	}
}

void layout_find_levers(const struct source *source, const struct error_shell *shell,
	double *const levers[static SOURCE_KINDS]) {
	const struct layout layout = {.source = source, .shell = shell};
	struct gains gains;
	for (int kind = 0; kind < SOURCE_KINDS; kind++) {
		gains.levers[kind] = levers[kind];
	}
	find_levers(&layout, &gains);
	find_scale_gains(&layout, &gains);
}

static void find_base(
	const struct source *source, int joint, struct pclip_track *track, double base[static 4]) {
	double mean[4] = {0}, rest[4];
	for (int s = 0; s < source->sample_count; s++) {
		for (int k = 0; k < 4; k++) {
			mean[k] += source->local[(size_t)s * (size_t)source->joint_count +
						 (size_t)joint]
					   .rotation[k];
		}
	}
	for (int k = 0; k < 4; k++) {
		rest[k] = (double)source->rig->joints[joint].rest.rotation[k];
	}
	quat_normalize(mean);
	quat_normalize(rest);
	memcpy(base, rest, sizeof rest);
	if (2 * acos(fmin(1, fabs(quat_dot(mean, rest)))) > NEAR_REST_RAD) {
		for (int k = 0; k < 4; k++) {
			track->base[k] = (int8_t)lround(mean[k] * BASE_UNIT);
			base[k] = track->base[k];
		}
		quat_normalize(base);
	}
}

/* The rotation vector from a base, the turn that is nearer to the one before. */
static void vector_about(const double base[static 4], const double rotation[static 4],
	const double *before, double out[static 3]) {
	double inverse[4], relative[4];
	quat_conjugate(base, inverse);
	quat_multiply(inverse, rotation, relative);
	quat_to_vector(relative, out);
	const double angle = vec3_length(out);
	if (!before || angle < 1.5) {
		return;
	}
	double other[3], far[3], near[3];
	for (int k = 0; k < 3; k++) {
		other[k] = out[k] * (1 - 2 * M_PI / angle);
	}
	vec3_sub(out, before, far);
	vec3_sub(other, before, near);
	if (vec3_length(near) < vec3_length(far)) {
		memcpy(out, other, sizeof other);
	}
}

/* A track's exact numbers over all samples: [sample_count][3], relative to rest or base. */
static void track_numbers(const struct layout *layout, int joint, int kind, double (*numbers)[3]) {
	const struct source *source = layout->source;
	const struct transform *rest = &source->rig->joints[joint].rest;
	for (int s = 0; s < source->sample_count; s++) {
		const struct source_transform *local =
			&source->local[(size_t)s * (size_t)source->joint_count + (size_t)joint];
		if (kind == SOURCE_ROTATION) {
			vector_about(layout->bases[joint], local->rotation,
				s > 0 ? numbers[s - 1] : NULL, numbers[s]);
			continue;
		}
		for (int k = 0; k < 3; k++) {
			numbers[s][k] = kind == SOURCE_TRANSLATION
				? local->translation[k] - (double)rest->translation[k]
				: local->scale[k] - (double)rest->scale[k];
		}
	}
}

struct range {
	double middle[3], half[3], greatest; // the last: from 0, over all axes
};

static struct range range_of(const double (*numbers)[3], int count, int width) {
	struct range range = {0};
	for (int k = 0; k < width; k++) {
		double min = INFINITY, max = -INFINITY;
		for (int s = 0; s < count; s++) {
			min = fmin(min, numbers[s][k]);
			max = fmax(max, numbers[s][k]);
		}
		range.middle[k] = (min + max) / 2;
		range.half[k] = (max - min) / 2;
	}
	for (int s = 0; s < count; s++) {
		range.greatest = fmax(range.greatest, vec3_length(numbers[s]));
	}
	return range;
}

static void set_still(struct pclip_track *track, int axis, double middle) {
	const double number = round(ldexp(middle, -track->unit));
	track->still[axis] = (int32_t)fmax(-PCLIP_VALUE_MAX, fmin(PCLIP_VALUE_MAX, number));
}

/* Decides on a track. lever: metres for a change of 1; share: of the tolerance that it may take. */
static void classify(const struct range *range, int width, double lever, double tolerance_m,
	bool has_base, struct pclip_track *track) {
	const double allowed = SHARE_TRACK * tolerance_m;
	track->class = PCLIP_MOVING;
	if (!has_base && range->greatest * lever <= allowed) {
		track->class = PCLIP_REST;
		return;
	}
	const double unit = floor(log2(SHARE_UNIT * tolerance_m / lever));
	track->unit = (int8_t)fmax(UNIT_MIN, fmin(UNIT_MAX, unit));
	if (vec3_length(range->half) * lever <= allowed) {
		track->class = PCLIP_STILL;
	}
	for (int axis = 0; axis < width; axis++) {
		if (track->class == PCLIP_MOVING &&
			range->half[axis] * lever > SHARE_CHANNEL * tolerance_m) {
			track->moving |= (uint8_t)(1 << axis);
		} else {
			set_still(track, axis, range->middle[axis]);
		}
	}
	track->class = track->moving ? PCLIP_MOVING : PCLIP_STILL;
}

static void lay_joint(
	struct layout *layout, const struct gains *gains, int joint, double (*numbers)[3]) {
	const struct source *source = layout->source;
	struct pclip_track *tracks = &layout->tracks[SOURCE_KINDS * joint];
	static const int8_t none[4];
	find_base(source, joint, &tracks[SOURCE_ROTATION], layout->bases[joint]);
	for (int kind = 0; kind < SOURCE_KINDS; kind++) {
		track_numbers(layout, joint, kind, numbers);
		const struct range range =
			range_of((const double(*)[3])numbers, source->sample_count, 3);
		classify(&range, 3, fmax(gains->levers[kind][joint], REACH_MIN),
			layout->share * layout->tolerance_m,
			memcmp(tracks[kind].base, none, sizeof none) != 0, &tracks[kind]);
		tracks[kind].hold =
			tracks[kind].moving && source->holds[joint * SOURCE_KINDS + kind];
	}
}

/* The greatest length of vectors, [count][3]. */
static double greatest_length(const float *vectors, int count) {
	double greatest = 0;
	for (int i = 0; i < count; i++) {
		const double vector[3] = {(double)vectors[3 * i], (double)vectors[3 * i + 1],
			(double)vectors[3 * i + 2]};
		greatest = fmax(greatest, vec3_length(vector));
	}
	return greatest;
}

void layout_find_reaches(const struct rig *rig, double *reaches) {
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *primitive = &rig->primitives[i];
		const int first = rig->joints[primitive->joint].first_weight;
		const double *place = rig_place_within_joint(rig, primitive);
		double world[12];
		pose_joint_world(rig, NULL, primitive->joint, world);
		if (place) {
			mat_multiply(world, place, world);
		}
		const double scale = primitive->skinned ? 1 : greatest_column(world);
		for (int k = 0; k < primitive->target_count; k++) {
			const float *positions = primitive->targets[k].positions;
			const double reach = positions
				? scale * greatest_length(positions, primitive->vertex_count)
				: 0;
			reaches[first + k] = fmax(reaches[first + k], reach);
		}
	}
}

static void weight_numbers(const struct source *source, int weight, double (*numbers)[3]) {
	for (int s = 0; s < source->sample_count; s++) {
		numbers[s][0] =
			source->weights[(size_t)s * (size_t)source->weight_count + (size_t)weight];
		numbers[s][1] = numbers[s][2] = 0;
	}
}

/* A weight that the clip does not drive is at rest; others are taken as absolute numbers. */
static void lay_weight(struct layout *layout, int weight, int beside, double (*numbers)[3]) {
	const struct source *source = layout->source;
	struct pclip_track *track = &layout->tracks[SOURCE_KINDS * source->joint_count + weight];
	const double rest = (double)source->rig->rest_weights[weight];
	weight_numbers(source, weight, numbers);
	struct range range = range_of((const double(*)[3])numbers, source->sample_count, 1);
	const double reach = fmax(layout->reaches[weight], layout->shell->radius_m) * beside;
	const double off = fmax(fabs(range.middle[0] + range.half[0] - rest),
		fabs(range.middle[0] - range.half[0] - rest));
	range.greatest = off;
	classify(&range, 1, reach, layout->share * layout->tolerance_m, false, track);
	track->hold = track->moving && source->weight_holds[weight];
	const double share = layout->shell->is_skin ? SHARE_WITH_SKIN : SHARE_WEIGHTS;
	const double step = 2 * share * layout->tolerance_m / reach;
	const double code = floor(6 * (log2(step) + STEP_UNIT));
	track->step[0] = (uint8_t)fmax(0, fmin(255, code));
}

static void lay_weights(struct layout *layout, double (*numbers)[3]) {
	const struct rig *rig = layout->source->rig;
	layout_find_reaches(rig, layout->reaches);
	for (int i = 0; i < rig->joint_count; i++) {
		const struct joint *joint = &rig->joints[i];
		for (int k = 0; k < joint->weight_count; k++) {
			lay_weight(layout, joint->first_weight + k, joint->weight_count, numbers);
		}
	}
}

static bool fill_exact(
	struct layout *layout, struct arena *arena, double (*numbers)[3], struct error *err) {
	const struct source *source = layout->source;
	const size_t count = (size_t)layout->channel_count, joints = (size_t)source->joint_count;
	layout->exact = try_calloc((size_t)source->sample_count * count + 1, sizeof(double),
		"the clip's numbers", err);
	arena_defer(arena, free, layout->exact);
	for (size_t i = 0; layout->exact && i < count && !source_is_stopped(source); i++) {
		const struct pclip_channel *channel = &layout->channels[i];
		const bool repeats = i > 0 && channel[-1].track == channel->track;
		const size_t track = (size_t)channel->track;
		if (!repeats && track < SOURCE_KINDS * joints) {
			track_numbers(layout, channel->track / SOURCE_KINDS,
				channel->track % SOURCE_KINDS, numbers);
		} else if (!repeats) {
			weight_numbers(source, (int)(track - SOURCE_KINDS * joints), numbers);
		}
		for (int s = 0; s < source->sample_count; s++) {
			layout->exact[(size_t)s * count + i] = numbers[s][channel->axis];
		}
	}
	return layout->exact;
}

bool layout_make(const struct source *source, const struct error_shell *shell, double tolerance_m,
	double share, struct arena *arena, struct layout *layout, struct error *err) {
	const size_t joints = (size_t)source->joint_count, weights = (size_t)source->weight_count;
	const size_t tracks = SOURCE_KINDS * joints + weights;
	*layout = (struct layout){.source = source,
		.shell = shell,
		.tolerance_m = tolerance_m,
		.share = share,
		.track_count = (int)tracks,
		.tracks = arena_alloc(arena, tracks + 1, sizeof *layout->tracks),
		.channels = arena_alloc(arena, 9 * joints + weights + 1, sizeof *layout->channels),
		.bases = arena_alloc(arena, joints + 1, sizeof *layout->bases),
		.reaches = arena_alloc(arena, weights + 1, sizeof *layout->reaches)};
	struct gains gains;
	for (int kind = 0; kind < SOURCE_KINDS; kind++) {
		gains.levers[kind] = arena_alloc(arena, joints + 1, sizeof(double));
	}
	double(*numbers)[3] = try_calloc(
		(size_t)source->sample_count, sizeof *numbers, "the clip's numbers", err);
	if (!numbers) {
		return false;
	}
	find_levers(layout, &gains);
	find_scale_gains(layout, &gains);
	for (int i = 0; i < source->joint_count && !source_is_stopped(source); i++) {
		lay_joint(layout, &gains, i, numbers);
	}
	lay_weights(layout, numbers);
	layout->channel_count = pclip_list_channels(
		layout->tracks, layout->track_count, source->joint_count, layout->channels);
	while (layout->joint_channel_count < layout->channel_count &&
		layout->channels[layout->joint_channel_count].track <
			(int)(SOURCE_KINDS * joints)) {
		layout->joint_channel_count++;
	}
	const bool filled =
		fill_exact(layout, arena, numbers, err) && stop_check(source->stop, err);
	free(numbers);
	return filled;
}

/* The numbers of a track's axes; returns where its channels end. */
static int axes_of(
	const struct pclip_track *track, const double *numbers, int channel, double out[static 3]) {
	for (int axis = 0; axis < 3; axis++) {
		const bool moves = track->moving >> axis & 1;
		out[axis] = moves ? numbers[channel] : pclip_still(track, axis);
		channel += moves;
	}
	return channel;
}

void layout_local(
	const struct layout *layout, const double *numbers, struct source_transform *local) {
	int channel = 0;
	for (int i = 0; i < layout->source->joint_count; i++) {
		const struct pclip_track *tracks = &layout->tracks[SOURCE_KINDS * i];
		const struct transform *rest = &layout->source->rig->joints[i].rest;
		double axes[3], by[4];
		channel = axes_of(&tracks[SOURCE_ROTATION], numbers, channel, axes);
		if (tracks[SOURCE_ROTATION].class == PCLIP_REST) {
			for (int k = 0; k < 4; k++) {
				local[i].rotation[k] = (double)rest->rotation[k];
			}
			quat_normalize(local[i].rotation);
		} else {
			quat_from_vector(axes, by);
			quat_multiply(layout->bases[i], by, local[i].rotation);
		}
		channel = axes_of(&tracks[SOURCE_TRANSLATION], numbers, channel, axes);
		for (int k = 0; k < 3; k++) {
			local[i].translation[k] = (double)rest->translation[k] + axes[k];
		}
		channel = axes_of(&tracks[SOURCE_SCALE], numbers, channel, axes);
		for (int k = 0; k < 3; k++) {
			local[i].scale[k] = (double)rest->scale[k] + axes[k];
		}
	}
}
