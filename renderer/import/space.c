// The unit and the up axis that a request says.
#include "import/space.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/quat.h"

#define START "posed-asset"
#define HALF_ROOT 0.70710678118654752440

static bool is_axis(char up) {
	return up == 'x' || up == 'y' || up == 'z';
}

size_t space_write(const struct asset_space *space, char line[static ASSET_SPACE_BYTES]) {
	char number[NUMBER_TEXT_BYTES] = "0";
	if (space->unit_m == 0 && space->up == 0) {
		return 0;
	}
	number[number_write_double(space->unit_m, number)] = '\0';
	return (size_t)snprintf(line, ASSET_SPACE_BYTES, START " units=%s up=%c\n", number,
		space->up ? space->up : '-');
}

size_t space_read(
	const unsigned char *bytes, size_t size, struct asset_space *out, struct error *err) {
	char line[ASSET_SPACE_BYTES], again[ASSET_SPACE_BYTES];
	*out = (struct asset_space){0};
	if (size < sizeof START || memcmp(bytes, START " ", sizeof START) != 0) {
		return 0;
	}
	const size_t most = size < sizeof line ? size : sizeof line - 1;
	const unsigned char *end = memchr(bytes, '\n', most);
	const size_t length = end ? (size_t)(end - bytes) + 1 : 0;
	memcpy(line, bytes, length);
	line[length] = '\0';
	const char *units = strstr(line, " units="), *up = strstr(line, " up=");
	if (units && up) {
		number_read_decimal(units + strlen(" units="), line + length, &out->unit_m);
		out->up = is_axis(up[strlen(" up=")]) ? up[strlen(" up=")] : 0;
	}
	// Each space has one spelling.
	const bool sound = units && up && isfinite(out->unit_m) && out->unit_m >= 0 &&
		space_write(out, again) == length && memcmp(line, again, length) == 0;
	if (!sound) {
		error_set(
			err, ERROR_BROKEN_ASSET, "the line before the asset is not one of posed's");
		return SIZE_MAX;
	}
	return length;
}

const double *space_turn(char up) {
	static const double x[4] = {0, 0, HALF_ROOT, HALF_ROOT}, y[4] = {0, 0, 0, 1},
			    z[4] = {-HALF_ROOT, 0, 0, HALF_ROOT};
	return up == 'x' ? x : up == 'z' ? z : y;
}

/* The rig's own numbers: constant for all who read it. */
static float *own(const float *numbers) {
	return (float *)(uintptr_t)numbers;
}

static void scale(const float *numbers, size_t count, double by) {
	for (size_t i = 0; numbers && i < count; i++) {
		own(numbers)[i] = (float)((double)numbers[i] * by);
	}
}

static void scale_lengths(struct rig *rig, double by) {
	const size_t vertices = (size_t)rig->vertex_count;
	for (int i = 0; i < rig->joint_count; i++) {
		scale(rig->joints[i].rest.translation, 3, by);
	}
	for (int i = 0; i < rig->slot_count; i++) {
		for (int row = 0; row < 3; row++) {
			rig->slots[i].inverse_bind[row * 4 + 3] *= by;
		}
	}
	scale(rig->positions, 3 * vertices, by);
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *primitive = &rig->primitives[i];
		for (int t = 0; t < primitive->target_count; t++) {
			scale(primitive->targets[t].positions, 3 * (size_t)primitive->vertex_count,
				by);
		}
	}
}

static size_t value_count(const struct channel *channel) {
	const size_t parts = channel->interpolation == INTERPOLATION_CUBIC_SPLINE ? 3 : 1;
	return (size_t)channel->key_count * parts;
}

static void turn_vector(const double turn[static 4], const float *vector) {
	double v[3] = {(double)vector[0], (double)vector[1], (double)vector[2]};
	quat_rotate(turn, v, v);
	for (int i = 0; i < 3; i++) {
		own(vector)[i] = (float)v[i];
	}
}

/* Linear in the quaternion, so that it fits the tangents of splines, too. */
static void turn_rotation(const double turn[static 4], const float *rotation) {
	double q[4];
	for (int i = 0; i < 4; i++) {
		q[i] = (double)rotation[i];
	}
	quat_multiply(turn, q, q);
	for (int i = 0; i < 4; i++) {
		own(rotation)[i] = (float)q[i];
	}
}

static void change_channel(const struct rig *rig, const struct channel *channel,
	const double turn[static 4], double by) {
	const size_t count = value_count(channel), width = (size_t)channel->width;
	const bool is_root = rig->joints[channel->joint].parent < 0;
	if (channel->path == CHANNEL_TRANSLATION) {
		scale(channel->values, count * width, by);
	}
	for (size_t i = 0; is_root && i < count; i++) {
		if (channel->path == CHANNEL_TRANSLATION) {
			turn_vector(turn, &channel->values[i * width]);
		} else if (channel->path == CHANNEL_ROTATION) {
			turn_rotation(turn, &channel->values[i * width]);
		}
	}
}

bool space_apply(const struct asset_space *space, struct rig *rig, struct error *err) {
	const double unit_m = rig->space.unit_m;
	if (unit_m == 0) {
		return error_set(err, ERROR_UNSUPPORTED_ASSET,
			"glTF is in metres with y up: it takes no \"units\" and no \"up\"");
	}
	double turn[4] = {0, 0, 0, 1};
	if (space->up) {
		quat_conjugate(rig->space.turn, turn);
		quat_multiply(space_turn(space->up), turn, turn);
	}
	const double by = space->unit_m > 0 ? space->unit_m / unit_m : 1;
	if (by != 1) {
		scale_lengths(rig, by);
	}
	for (int i = 0; space->up && i < rig->joint_count; i++) {
		if (rig->joints[i].parent < 0) {
			turn_vector(turn, rig->joints[i].rest.translation);
			turn_rotation(turn, rig->joints[i].rest.rotation);
		}
	}
	for (int i = 0; i < rig->clip_count; i++) {
		for (int k = 0; k < rig->clips[i].channel_count; k++) {
			change_channel(rig, &rig->clips[i].channels[k], turn, by);
		}
	}
	return true;
}
