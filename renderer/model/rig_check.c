// Holds a filled rig against everything that posing, skinning and drawing rely on.
#include "model/rig.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>

#include "model/avatar_check.h"

/* Weights and quaternions are normalised in double and rounded to float by whoever fills a rig;
 * this is for that rounding, summed over many influences. */
#define UNIT_TOLERANCE 1e-4

__attribute__((format(printf, 4, 5))) static bool broken(
	struct error *err, const char *list, long long index, const char *format, ...);

static bool broken(struct error *err, const char *list, long long index, const char *format, ...) {
	char text[256];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	return error_set(err, ERROR_BROKEN_ASSET, "rig %s[%lld]: %s", list, index, text);
}

static bool inside(int index, int count) {
	return index >= 0 && index < count;
}

/* True when count items from first on lie within total. */
static bool range_inside(long long first, long long count, long long total) {
	return first >= 0 && count >= 0 && first <= total && count <= total - first;
}

/* Position of the first number that is not finite; count if all are. */
static size_t find_infinite(const float *numbers, size_t count) {
	for (size_t i = 0; i < count; i++) {
		if (!isfinite(numbers[i])) {
			return i;
		}
	}
	return count;
}

static bool check_finite(
	const float *numbers, size_t count, int width, const char *list, struct error *err) {
	const size_t found = find_infinite(numbers, count * (size_t)width);
	return found == count * (size_t)width ||
		broken(err, list, (long long)found / width, "%g is not finite",
			(double)numbers[found]);
}

static bool is_unit(const float q[static 4]) {
	double square = 0;
	for (int i = 0; i < 4; i++) {
		square += (double)q[i] * q[i];
	}
	return fabs(square - 1) < UNIT_TOLERANCE;
}

static bool check_joint(const struct rig *rig, int i, struct error *err) {
	const struct joint *joint = &rig->joints[i];
	if (!joint->name || joint->name[0] == '\0') {
		return broken(err, "joints", i, "has no name");
	}
	if (joint->parent < -1 || joint->parent >= i) {
		return broken(err, "joints", i, "parent %d is not before it", joint->parent);
	}
	if (find_infinite(joint->rest.translation, 3) < 3 ||
		find_infinite(joint->rest.scale, 3) < 3 || !is_unit(joint->rest.rotation)) {
		return broken(
			err, "joints", i, "rest transform is not finite with a unit rotation");
	}
	if (!range_inside(joint->first_weight, joint->weight_count, rig->weight_count)) {
		return broken(err, "joints", i, "weights %d to %lld of %d", joint->first_weight,
			(long long)joint->first_weight + joint->weight_count, rig->weight_count);
	}
	return true;
}

static bool check_slot(const struct rig *rig, int i, struct error *err) {
	const struct palette_slot *slot = &rig->slots[i];
	if (!inside(slot->joint, rig->joint_count)) {
		return broken(err, "slots", i, "joint %d of %d", slot->joint, rig->joint_count);
	}
	for (int k = 0; k < 12; k++) {
		if (!isfinite(slot->inverse_bind[k])) {
			return broken(err, "slots", i, "inverse bind matrix is not finite");
		}
	}
	return true;
}

/* One vertex: sorted, within the slots, unused ones at the pivot, sum 1. */
static bool influences_sound(
	const struct primitive *p, const uint16_t *slots, const float *weights) {
	double sum = 0;
	for (int k = 0; k < p->influence_count; k++) {
		const float least = 0, most = k ? weights[k - 1] : 1 + (float)UNIT_TOLERANCE;
		if (!(weights[k] >= least && weights[k] <= most) || slots[k] >= p->slot_count ||
			(weights[k] == 0 && slots[k] != slots[0])) {
			return false;
		}
		sum += (double)weights[k];
	}
	return fabs(sum - 1) < UNIT_TOLERANCE;
}

static bool check_influences(const struct rig *rig, int i, struct error *err) {
	const struct primitive *p = &rig->primitives[i];
	const size_t count = (size_t)p->influence_count;
	for (size_t v = 0; v < (size_t)p->vertex_count; v++) {
		const size_t at = p->first_influence + v * count;
		if (!influences_sound(p, &rig->influence_slots[at], &rig->influence_weights[at])) {
			return broken(err, "primitives", i,
				"influences of vertex %zu are not sorted, in range "
				"and of sum 1",
				v);
		}
	}
	return true;
}

static bool check_indices(const struct rig *rig, int i, struct error *err) {
	const struct primitive *p = &rig->primitives[i];
	for (int k = 0; k < p->index_count; k++) {
		const uint32_t index = rig->indices[p->first_index + k];
		if (index >= (uint32_t)p->vertex_count) {
			return broken(err, "primitives", i, "index %d is %u of %d vertices", k,
				index, p->vertex_count);
		}
	}
	return true;
}

static bool check_targets(const struct rig *rig, int i, struct error *err) {
	const struct primitive *p = &rig->primitives[i];
	if (p->target_count != 0 && p->target_count != rig->joints[p->joint].weight_count) {
		return broken(err, "primitives", i, "%d morph targets for %d weights",
			p->target_count, rig->joints[p->joint].weight_count);
	}
	for (int t = 0; t < p->target_count; t++) {
		const struct morph_target *target = &p->targets[t];
		const float *const arrays[] = {
			target->positions, target->normals, target->tangents};
		for (int a = 0; a < 3; a++) {
			if (arrays[a] &&
				!check_finite(arrays[a], (size_t)p->vertex_count, 3, "morph deltas",
					err)) {
				return false;
			}
		}
	}
	return true;
}

static bool check_ranges(const struct rig *rig, int i, struct error *err) {
	const struct primitive *p = &rig->primitives[i];
	if (p->topology > TOPOLOGY_POINTS) {
		return broken(err, "primitives", i, "topology %d", (int)p->topology);
	}
	const int corners = p->topology == TOPOLOGY_TRIANGLES ? 3
		: p->topology == TOPOLOGY_LINES               ? 2
							      : 1;
	if (!inside(p->joint, rig->joint_count) ||
		(p->material != -1 && !inside(p->material, rig->material_count))) {
		return broken(err, "primitives", i, "joint %d or material %d is not in the rig",
			p->joint, p->material);
	}
	if (!range_inside(p->first_vertex, p->vertex_count, rig->vertex_count) ||
		!range_inside(p->first_index, p->index_count, rig->index_count) ||
		p->index_count % corners != 0) {
		return broken(err, "primitives", i, "vertices or indices are not in the rig");
	}
	for (int k = 0; p->variant_materials && k < rig->variant_count; k++) {
		const int material = p->variant_materials[k];
		if (material != -1 && !inside(material, rig->material_count)) {
			return broken(err, "primitives", i,
				"material %d of a variant is not in the rig", material);
		}
	}
	if (p->slot_count < 1 || !range_inside(p->first_slot, p->slot_count, rig->slot_count)) {
		return broken(err, "primitives", i, "slots are not in the rig");
	}
	const bool shaped =
		p->influence_count == 1 || (p->influence_count > 0 && p->influence_count % 4 == 0);
	const size_t room = rig->influence_count - p->first_influence;
	if (!shaped || p->first_influence > rig->influence_count ||
		room / (size_t)p->influence_count < (size_t)p->vertex_count) {
		return broken(err, "primitives", i, "influences are not in the rig");
	}
	return true;
}

/* Vertices are numbered over all primitives without gaps. */
static bool check_primitive(const struct rig *rig, int i, struct error *err) {
	const struct primitive *before = i ? &rig->primitives[i - 1] : NULL;
	const int first = before ? before->first_vertex + before->vertex_count : 0;
	if (rig->primitives[i].first_vertex != first) {
		return broken(err, "primitives", i, "starts at vertex %d, not %d",
			rig->primitives[i].first_vertex, first);
	}
	return check_ranges(rig, i, err) && check_influences(rig, i, err) &&
		check_indices(rig, i, err) && check_targets(rig, i, err);
}

static bool check_texcoords(const struct rig *rig, size_t count, struct error *err) {
	for (int set = 0; set < TEXCOORD_SETS; set++) {
		if (rig->texcoords[set] &&
			!check_finite(rig->texcoords[set], count, 2, "texcoords", err)) {
			return false;
		}
	}
	return true;
}

static bool check_vertices(const struct rig *rig, struct error *err) {
	const size_t count = (size_t)rig->vertex_count;
	if (count > 0 && (!rig->positions || !rig->normals)) {
		return error_set(
			err, ERROR_BROKEN_ASSET, "rig has vertices without positions or normals");
	}
	return check_finite(rig->positions, count, 3, "positions", err) &&
		check_finite(rig->normals, count, 3, "normals", err) &&
		(!rig->tangents || check_finite(rig->tangents, count, 4, "tangents", err)) &&
		check_texcoords(rig, count, err) &&
		(!rig->colors || check_finite(rig->colors, count, 4, "colors", err)) &&
		(!rig->dqs_mix || check_finite(rig->dqs_mix, count, 1, "dqs_mix", err));
}

static bool check_factors(const struct material *material, int i, struct error *err) {
	for (int f = 0; f < material_factor_count; f++) {
		const struct material_factor *factor = &material_factors[f];
		const float *values = material_factor_of(material, factor);
		for (int k = 0; k < factor->count; k++) {
			if (!(values[k] >= factor->least && values[k] <= factor->most)) {
				return broken(err, "materials", i, "%s has %g", factor->name,
					(double)values[k]);
			}
		}
	}
	return true;
}

static bool check_slots(const struct rig *rig, int i, struct error *err) {
	for (int use = 0; use < TEXTURE_USE_COUNT; use++) {
		const struct texture_slot *slot = &rig->materials[i].textures[use];
		if (slot->texture != -1 && !inside(slot->texture, rig->texture_count)) {
			return broken(err, "materials", i, "%s: texture %d of %d",
				material_textures[use].name, slot->texture, rig->texture_count);
		}
		if (!inside(slot->texcoords, TEXCOORD_SETS)) {
			return broken(err, "materials", i, "%s: texture coordinates %d",
				material_textures[use].name, slot->texcoords);
		}
		if (find_infinite(slot->offset, 2) < 2 || find_infinite(slot->scale, 2) < 2 ||
			!isfinite(slot->rotation_rad)) {
			return broken(err, "materials", i, "%s: transform is not finite",
				material_textures[use].name);
		}
	}
	return true;
}

static bool check_material(const struct rig *rig, int i, struct error *err) {
	const struct material *m = &rig->materials[i];
	if (m->alpha_mode > ALPHA_BLEND) {
		return broken(err, "materials", i, "alpha mode %d", (int)m->alpha_mode);
	}
	if (m->outline_mode >= OUTLINE_MODE_COUNT ||
		m->render_queue_offset < -RENDER_QUEUE_OFFSET_MAX ||
		m->render_queue_offset > RENDER_QUEUE_OFFSET_MAX) {
		return broken(err, "materials", i, "outline mode %d, render queue offset %d",
			(int)m->outline_mode, m->render_queue_offset);
	}
	if (!isfinite(m->alpha_cutoff)) {
		return broken(err, "materials", i, "alpha cutoff is not finite");
	}
	return check_factors(m, i, err) && check_slots(rig, i, err);
}

static bool check_surface(const struct rig *rig, struct error *err) {
	for (int i = 0; i < rig->material_count; i++) {
		if (!check_material(rig, i, err)) {
			return false;
		}
	}
	for (int i = 0; i < rig->texture_count; i++) {
		const struct texture *texture = &rig->textures[i];
		if (!inside(texture->image, rig->image_count)) {
			return broken(err, "textures", i, "image %d of %d", texture->image,
				rig->image_count);
		}
		if (texture->wrap_u > WRAP_MIRROR || texture->wrap_v > WRAP_MIRROR) {
			return broken(err, "textures", i, "wraps by %d and %d",
				(int)texture->wrap_u, (int)texture->wrap_v);
		}
	}
	for (int i = 0; i < rig->image_count; i++) {
		const struct image *image = &rig->images[i];
		if (image->width < 1 || image->height < 1 || !image->rgba) {
			return broken(err, "images", i, "has no pixels");
		}
		if (image->kind > IMAGE_JPEG) {
			return broken(err, "images", i, "is of kind %d", (int)image->kind);
		}
		if ((image->kind != IMAGE_PIXELS) != (image->encoded && image->encoded_bytes > 0)) {
			return broken(err, "images", i, "has a file of no kind, or none of a kind");
		}
	}
	return true;
}

static bool in_range(float value, double least, double most) {
	return (double)value >= least && (double)value <= most;
}

static bool check_light(const struct rig *rig, int i, struct error *err) {
	const struct light *light = &rig->lights[i];
	if (!inside(light->joint, rig->joint_count) || light->kind > LIGHT_SPOT) {
		return broken(err, "lights", i, "joint %d of %d or kind %d", light->joint,
			rig->joint_count, (int)light->kind);
	}
	for (int k = 0; k < 3; k++) {
		if (!in_range(light->color[k], 0, 1)) {
			return broken(err, "lights", i, "colour has %g", (double)light->color[k]);
		}
	}
	const bool cone = in_range(light->inner_rad, 0, M_PI / 2) &&
		in_range(light->outer_rad, 0, (double)(float)M_PI / 2) &&
		light->inner_rad < light->outer_rad;
	if (!in_range(light->intensity, 0, FLT_MAX) || !in_range(light->range, 0, FLT_MAX) ||
		(light->kind == LIGHT_SPOT && !cone)) {
		return broken(err, "lights", i, "intensity %g, range %g, or its cone",
			(double)light->intensity, (double)light->range);
	}
	return true;
}

static bool check_camera(const struct rig *rig, int i, struct error *err) {
	const struct file_camera *c = &rig->cameras[i];
	if (!inside(c->joint, rig->joint_count)) {
		return broken(err, "cameras", i, "joint %d of %d", c->joint, rig->joint_count);
	}
	const bool depth = in_range(c->near, c->orthographic ? 0 : FLT_MIN, FLT_MAX) &&
		((!c->orthographic && c->far == 0) || (c->far > c->near && isfinite(c->far)));
	const bool frame = c->orthographic
		? in_range(c->xmag, FLT_MIN, FLT_MAX) && in_range(c->ymag, FLT_MIN, FLT_MAX)
		: c->yfov_rad > 0 && (double)c->yfov_rad < M_PI && in_range(c->aspect, 0, FLT_MAX);
	return (depth && frame) || broken(err, "cameras", i, "shows nothing");
}

static int path_width(const struct rig *rig, const struct channel *channel) {
	switch (channel->path) {
	case CHANNEL_TRANSLATION:
	case CHANNEL_SCALE:
		return 3;
	case CHANNEL_ROTATION:
		return 4;
	case CHANNEL_WEIGHTS:
		return rig->joints[channel->joint].weight_count;
	}
	return 0;
}

static bool times_ascend(const struct channel *channel, double duration_s) {
	for (int k = 0; k < channel->key_count; k++) {
		const float t = channel->times[k];
		if (!isfinite(t) || (k && t < channel->times[k - 1]) || (double)t > duration_s) {
			return false;
		}
	}
	return true;
}

/* Sampling takes unit keys for granted but of a spline, whose result it makes unit. */
static bool check_rotations(
	const struct clip *clip, const struct channel *channel, int i, struct error *err) {
	if (channel->path != CHANNEL_ROTATION ||
		channel->interpolation == INTERPOLATION_CUBIC_SPLINE) {
		return true;
	}
	for (int key = 0; key < channel->key_count; key++) {
		if (!is_unit(channel->values + (size_t)key * 4)) {
			return broken(err, "clips", clip->index,
				"key %d of channel %d is no unit rotation", key, i);
		}
	}
	return true;
}

static bool check_channel(
	const struct rig *rig, const struct clip *clip, int i, struct error *err) {
	const struct channel *channel = &clip->channels[i];
	if (!inside(channel->joint, rig->joint_count) || channel->key_count < 1) {
		return broken(err, "clips", clip->index, "channel %d drives joint %d with %d keys",
			i, channel->joint, channel->key_count);
	}
	if (channel->width < 1 || channel->width != path_width(rig, channel)) {
		return broken(err, "clips", clip->index, "channel %d has %d numbers per value", i,
			channel->width);
	}
	if (channel->interpolation > INTERPOLATION_CUBIC_SPLINE) {
		return broken(err, "clips", clip->index, "channel %d interpolates by %d", i,
			(int)channel->interpolation);
	}
	const bool cubic = channel->interpolation == INTERPOLATION_CUBIC_SPLINE;
	const size_t values = (size_t)channel->key_count * (cubic ? 3 : 1);
	if (!times_ascend(channel, clip->duration_s)) {
		return broken(err, "clips", clip->index,
			"times of channel %d do not ascend to its end", i);
	}
	return check_finite(channel->values, values, channel->width, "clip values", err) &&
		check_rotations(clip, channel, i, err);
}

bool rig_check_clip(const struct rig *rig, const struct clip *clip, struct error *err) {
	if (!isfinite(clip->duration_s) || clip->duration_s < 0) {
		return broken(err, "clips", clip->index, "lasts %g s", clip->duration_s);
	}
	for (int k = 0; k < clip->channel_count; k++) {
		if (!check_channel(rig, clip, k, err)) {
			return false;
		}
	}
	return true;
}

static bool check_clip(const struct rig *rig, int i, struct error *err) {
	const struct clip *clip = &rig->clips[i];
	if (!clip->name || clip->name[0] == '\0') {
		return broken(err, "clips", i, "has no name");
	}
	return rig_check_clip(rig, clip, err);
}

bool rig_check(const struct rig *rig, struct error *err) {
	const struct {
		bool (*check)(const struct rig *rig, int i, struct error *err);
		int count;
	} lists[] = {
		{check_joint, rig->joint_count},
		{check_slot, rig->slot_count},
		{check_primitive, rig->primitive_count},
		{check_clip, rig->clip_count},
		{check_light, rig->light_count},
		{check_camera, rig->camera_count},
	};
	for (size_t list = 0; list < sizeof lists / sizeof lists[0]; list++) {
		for (int i = 0; i < lists[list].count; i++) {
			if (!lists[list].check(rig, i, err)) {
				return false;
			}
		}
	}
	if (rig->weight_count > 0 &&
		!check_finite(
			rig->rest_weights, (size_t)rig->weight_count, 1, "rest_weights", err)) {
		return false;
	}
	return check_vertices(rig, err) && check_surface(rig, err) &&
		(!rig->avatar || avatar_check(rig, err));
}
