// The light of a picture: what was asked for, and the lights of files where their poses have them.
#include "picture/look.h"

#include <math.h>

#include "base/vec.h"
#include "pose/pose.h"
#include "state/state.h"

/* The light from all around turns about the world's height with the viewer, so that its key comes
 * from over the left shoulder whatever the yaw. */
static void set_turn(const struct camera *camera, float turn[static 9]) {
	double right[3] = {camera->right[0], 0, camera->right[2]};
	if (vec3_dot(right, right) < 1e-6) {
		// A camera that lies on its side: its top or bottom takes the right's place.
		right[0] = camera->up[0];
		right[2] = camera->up[2];
	}
	vec3_normalize(right);
	const double rows[3][3] = {{right[0], 0, right[2]}, {0, 1, 0}, {-right[2], 0, right[0]}};
	for (int row = 0; row < 3; row++) {
		for (int column = 0; column < 3; column++) {
			turn[column * 3 + row] = (float)rows[row][column];
		}
	}
}

void look_begin(
	const struct picture_settings *picture, const struct camera *camera, struct draw_job *job) {
	const struct look_settings *look = &picture->look;
	job->plain = picture->shading.mode == SHADING_PLAIN;
	job->look = (struct shaded_look){
		.environment = look->environment,
		.tone_mapping = look->tone_mapping,
		.exposure = (float)exp2(look->exposure),
	};
	set_turn(camera, job->look.turn);
}

const struct world_light *look_lights(const struct picture_settings *picture,
	const struct prepared *prepared, struct arena *arena, int *count) {
	const struct rig *rig = prepared->rig;
	*count = picture->look.no_lights ? 0 : rig->light_count;
	if (*count == 0) {
		return NULL;
	}
	double(*world)[12] = arena_alloc(arena, (size_t)rig->joint_count, sizeof *world);
	struct world_light *lights = arena_alloc(arena, (size_t)*count, sizeof *lights);
	pose_to_world(rig, &prepared->pose, world);
	for (int i = 0; i < *count; i++) {
		const double *m = world[rig->lights[i].joint];
		lights[i].light = &rig->lights[i];
		for (int k = 0; k < 3; k++) {
			lights[i].place[k] = m[k * 4 + 3];
			lights[i].direction[k] = -m[k * 4 + 2];
		}
		vec3_normalize(lights[i].direction);
	}
	return lights;
}

static void turned(const float turn[static 9], const double v[static 3], float out[static 4]) {
	for (int row = 0; row < 3; row++) {
		double sum = 0;
		for (int k = 0; k < 3; k++) {
			sum += (double)turn[k * 3 + row] * v[k];
		}
		out[row] = (float)sum;
	}
}

/* A light in the shaders' terms: the cone of KHR_lights_punctual as a cosine's factor and term. */
static struct shaded_light seen_light(const struct draw_job *job, const struct world_light *lit) {
	const struct light *light = lit->light;
	struct shaded_light out = {.color = {0, 0, 0, 1}};
	double place[3];
	const bool far = light->kind == LIGHT_DIRECTIONAL;
	for (int k = 0; k < 3; k++) {
		place[k] = far ? -lit->direction[k]
			       : lit->place[k] - (double)(job->eye[k] * job->eye[3]);
		out.color[k] = light->color[k] * light->intensity;
	}
	turned(job->look.turn, place, out.place);
	turned(job->look.turn, lit->direction, out.direction);
	out.place[3] = far ? 0 : 1;
	if (light->kind == LIGHT_SPOT) {
		const double outer = cos((double)light->outer_rad);
		const double scale = 1 / fmax(cos((double)light->inner_rad) - outer, 1e-3);
		out.direction[3] = (float)scale;
		out.color[3] = (float)(-outer * scale);
	}
	if (!far && light->range > 0) {
		out.range[0] = powf(light->range, -4);
	}
	return out;
}

bool look_add_lights(struct renderer *renderer, const struct world_light *lights, int count,
	struct draw_job *job, struct error *err) {
	if (count > SHADED_LIGHTS_MAX) {
		return error_at(err, ERROR_TOO_LARGE, "/lights",
			"%d lights shine in this picture, at most %d can; \"lights\": false puts "
			"them out",
			count, SHADED_LIGHTS_MAX);
	}
	for (int i = 0; i < count; i++) {
		renderer->lights[i] = seen_light(job, &lights[i]);
	}
	job->look.lights = renderer->lights;
	job->look.light_count = count;
	return true;
}
