// The eye and the light of a picture.
#include "raster/scene.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "raster/mesh.h"

struct raster_skies {
	pthread_mutex_t lock;
	struct raster_sky *made[ENVIRONMENT_NONE]; // NULL = not asked for so far
	float reflection[TABLES_REFLECTION_SIZE][TABLES_REFLECTION_SIZE][4];
};

/* A number of 16 bits that is positive and finite. */
static float half_value(uint16_t bits) {
	const uint32_t wide = ((uint32_t)bits + (112U << 10)) << 13;
	float value;
	memcpy(&value, &wide, sizeof value);
	return bits < 1024 ? (float)bits * 0x1p-24F : value;
}

/* Three numbers each. */
static void to_floats(const uint16_t *from, size_t count, float (*to)[4]) {
	for (size_t i = 0; i < count; i++) {
		for (size_t k = 0; k < 3; k++) {
			to[i][k] = half_value(from[i * 3 + k]);
		}
	}
}

struct raster_skies *raster_skies_create(void) {
	struct raster_skies *skies = xcalloc(1, sizeof *skies);
	pthread_mutex_init(&skies->lock, NULL);
	to_floats(tables_reflection[0][0], TABLES_REFLECTION_SIZE * TABLES_REFLECTION_SIZE,
		skies->reflection[0]);
	return skies;
}

void raster_skies_destroy(struct raster_skies *skies) {
	if (!skies) {
		return;
	}
	for (int i = 0; i < ENVIRONMENT_NONE; i++) {
		free(skies->made[i]);
	}
	pthread_mutex_destroy(&skies->lock);
	free(skies);
}

static void take_key(struct raster_sky *sky) {
	const uint16_t *from = tables_key[0][0];
	float(*to)[4] = sky->light[0];
	for (size_t i = 0; i < TABLES_LIGHT_LAYERS * SCENE_LIGHT_TEXELS; i++) {
		to[i][3] = half_value(from[i]);
	}
	memcpy(sky->key_irradiance, tables_key_irradiance, sizeof sky->key_irradiance);
}

static struct raster_sky *make_sky(enum environment environment) {
	struct raster_sky *sky = xcalloc(1, sizeof *sky);
	to_floats(tables_light[environment][0][0][0], TABLES_LIGHT_LAYERS * SCENE_LIGHT_TEXELS,
		sky->light[0]);
	memcpy(sky->irradiance, tables_irradiance[environment], sizeof sky->irradiance);
	if (environment == ENVIRONMENT_STUDIO) {
		take_key(sky);
	}
	return sky;
}

const struct raster_sky *raster_skies_get(
	struct raster_skies *skies, enum environment environment) {
	if (environment >= ENVIRONMENT_NONE) {
		return NULL;
	}
	pthread_mutex_lock(&skies->lock);
	if (!skies->made[environment]) {
		skies->made[environment] = make_sky(environment);
	}
	const struct raster_sky *sky = skies->made[environment];
	pthread_mutex_unlock(&skies->lock);
	return sky;
}

const float (
	*raster_skies_reflection(const struct raster_skies *skies))[TABLES_REFLECTION_SIZE][4] {
	return skies->reflection;
}

static void to_row(const float m[static 16], int row, double out[static 3]) {
	for (int k = 0; k < 3; k++) {
		out[k] = (double)m[k * 4 + row];
	}
}

/* Rows X, Y and W of the matrix say where a point p is seen: X.p = a W.p and Y.p = b W.p but for
 * constants. Along a line of sight both change alike, so that it runs along (X - aW) x (Y - bW). */
static void find_sight(const struct raster_view *view, double sight[static 3][3]) {
	double x[3], y[3], w[3], xy[3], xw[3], wy[3];
	to_row(view->view_projection, 0, x);
	to_row(view->view_projection, 1, y);
	to_row(view->view_projection, 3, w);
	vec3_cross(x, y, xy);
	vec3_cross(x, w, xw);
	vec3_cross(w, y, wy);
	const double right = 2.0 / RASTER_PIXEL / view->width,
		     down = 2.0 / RASTER_PIXEL / view->height;
	for (int k = 0; k < 3; k++) {
		sight[0][k] = xy[k] + xw[k] + wy[k];
		sight[1][k] = -right * wy[k];
		sight[2][k] = -down * xw[k];
	}
	// Away from the eye w grows.
	const double side = vec3_dot(w, xy) > 0 ? -1 : 1, size = vec3_length(xy);
	for (int k = 0; k < 9; k++) {
		sight[k / 3][k % 3] *= size > 0 ? side / size : 0;
	}
}

static void set_sight(const double sight[static 3][3], struct raster_sight *out) {
	for (int k = 0; k < 3; k++) {
		out->corner[k] = (float)sight[0][k];
		out->right[k] = (float)sight[1][k];
		out->down[k] = (float)sight[2][k];
	}
}

static void turn_sight(
	const float turn[static 9], const double sight[static 3][3], double out[static 3][3]) {
	for (int i = 0; i < 3; i++) {
		for (int row = 0; row < 3; row++) {
			out[i][row] = 0;
			for (int k = 0; k < 3; k++) {
				out[i][row] += (double)turn[k * 3 + row] * sight[i][k];
			}
		}
	}
}

/* As if nothing lay behind. */
static float nothing[1][4];
static const struct raster_behind nothing_behind = {
	.width = 1, .height = 1, .levels = 1, .texels = {nothing}};

void raster_scene_begin(struct raster_scene *scene, const struct raster_view *view,
	const struct shaded_look *look, struct raster_skies *skies) {
	double sight[3][3] = {{(double)view->eye[0], (double)view->eye[1], (double)view->eye[2]}};
	double turned[3][3];
	if (view->eye[3] != 0) {
		find_sight(view, sight);
	}
	turn_sight(look->turn, sight, turned);
	*scene = (struct raster_scene){
		.exposure = look->exposure,
		.tone_mapping = look->tone_mapping,
		.sky = raster_skies_get(skies, look->environment),
		.reflection = raster_skies_reflection(skies),
		.lights = look->lights,
		.light_count = look->light_count,
	};
	set_sight(sight, &scene->world);
	set_sight(turned, &scene->sight);
	memcpy(scene->turn, look->turn, sizeof scene->turn);
	memcpy(scene->eye, view->eye, sizeof scene->eye);
	memcpy(scene->view_projection, view->view_projection, sizeof scene->view_projection);
	scene->behind = &nothing_behind;
	for (int k = 0; k < 3; k++) {
		scene->origin[k] = view->eye[3] * view->eye[k];
		scene->key_direction[k] = view->key_direction[k];
	}
}
