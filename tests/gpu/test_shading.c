// The light that surfaces give back, checked against glTF's formulas (2.0, Appendix B) integrated
// here, and what the screen shows of it against the published curves.
#include <stdio.h>
#include <string.h>

#include "../unit/check.h"
#include "base/srgb.h"
#include "context.h"
#include "image/encode.h"

#define SIZE 16
#define PI 3.14159265358979323846

/* A square in the plane z = 0, facing +Z, with a material; `more` goes into its node, `world`
 * beside the nodes. */
static struct rig *square(
	const char *material, const char *more, const char *nodes, const char *extensions) {
	char text[3000];
	const int length = snprintf(text, sizeof text,
		"{\"asset\":{\"version\":\"2.0\"},%s\"scenes\":[{\"nodes\":[0%s]}],"
		"\"nodes\":[{\"mesh\":0%s}%s],\"meshes\":[{\"primitives\":[{\"attributes\":"
		"{\"POSITION\":0},\"indices\":1,\"material\":0}]}],\"materials\":[%s],"
		"\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,"
		"\"type\":\"VEC3\",\"min\":[-1,-1,0],\"max\":[1,1,0]},{\"bufferView\":1,"
		"\"componentType\":5121,\"count\":6,\"type\":\"SCALAR\"}],"
		"\"bufferViews\":[{\"buffer\":0,\"byteLength\":48},"
		"{\"buffer\":0,\"byteOffset\":48,\"byteLength\":6}],"
		"\"buffers\":[{\"byteLength\":54,\"uri\":\"data:application/octet-stream;base64,"
		"AACAvwAAgL8AAAAAAACAPwAAgL8AAAAAAACAPwAAgD8AAAAAAACAvwAAgD8AAAAAAAECAAID\"}]}",
		extensions, *nodes ? ",1" : "", more, nodes, material);
	assert_true(length < (int)sizeof text);
	struct error err = {0};
	struct rig *rig = renderer_import(text, (size_t)length, &err);
	if (!rig) {
		fail_msg("%s", err.text);
	}
	return rig;
}

/* The middle pixel of a picture of it by parallel lines of sight along -Z. */
static void draw_middle(const struct rig *rig, const struct look_settings *look, enum shading mode,
	unsigned char out[static 4]) {
	const struct frame_job
		job =
			{
				.subject = {.rig = rig},
				.picture =
					{
						.width = SIZE,
						.height = SIZE,
						.samples = 1,
						.camera = {.kind = CAMERA_MATRICES,
							.view = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0,
								0, 0, 0, 1},
							.projection = {2, 0, 0, 0, 0, 2, 0,
								0, 0, 0, -0.1, 0, 0, 0, 0, 1}},
						.shading = {.mode = mode},
						.look = *look,
						.format = picture_format_named("rgba"),
					},
			};
	struct buffer rgba = {0};
	struct skinning_report report;
	struct error err = {0};
	if (!renderer_frame(gpu_test_renderer(), &job, &rgba, &report, &err)) {
		fail_msg("%s", err.text);
	}
	memcpy(out, rgba.data + (SIZE / 2 * SIZE + SIZE / 2) * 4, 4);
	buffer_finish(&rgba);
}

/* The light there, of its green. */
static double light_of(const struct rig *rig, const struct look_settings *look) {
	unsigned char pixel[4];
	draw_middle(rig, look, SHADING_MATERIAL, pixel);
	return srgb_to_linear(pixel[1] / 255.0);
}

/* Half of a byte's step, as light: what a pixel can tell about it. */
static double step_at(double light) {
	const double byte = srgb_from_linear(light) * 255;
	return (srgb_to_linear(fmin(byte + 1, 255) / 255) -
		       srgb_to_linear(fmax(byte - 1, 0) / 255)) /
		2;
}

static void unlit_colours_come_out_to_the_byte(void **state) {
	(void)state;
	static const enum tone_mapping tones[] = {TONE_NEUTRAL, TONE_ACES, TONE_LINEAR};
	for (int byte = 0; byte < 256; byte += 5) {
		char material[300];
		const double light = srgb_to_linear(byte / 255.0);
		snprintf(material, sizeof material,
			"{\"pbrMetallicRoughness\":{\"baseColorFactor\":[%.9g,%.9g,%.9g,1]},"
			"\"extensions\":{\"KHR_materials_unlit\":{}}}",
			light, light, light);
		struct rig *rig = square(material, "", "", "");
		const struct look_settings look = {
			.tone_mapping = tones[byte % 3], .exposure = byte % 4};
		unsigned char pixel[4];
		draw_middle(rig, &look, SHADING_MATERIAL, pixel);
		assert_int_equal(pixel[0], byte);
		assert_int_equal(pixel[2], byte);
		rig_release(rig);
	}
}

/* Khronos PBR Neutral Tone Mapper, as its specification writes it. */
static void tone_neutral(double c[static 3]) {
	const double start = 0.8 - 0.04, desaturation = 0.15;
	const double x = fmin(c[0], fmin(c[1], c[2]));
	const double offset = x < 0.08 ? x - 6.25 * x * x : 0.04;
	for (int i = 0; i < 3; i++) {
		c[i] -= offset;
	}
	const double peak = fmax(c[0], fmax(c[1], c[2]));
	if (peak < start) {
		return;
	}
	const double d = 1 - start, fresh = 1 - d * d / (peak + d - start);
	const double g = 1 - 1 / (desaturation * (peak - fresh) + 1);
	for (int i = 0; i < 3; i++) {
		c[i] = c[i] * fresh / peak * (1 - g) + fresh * g;
	}
}

/* Stephen Hill's fit, with three.js' factor before it. */
static void tone_aces(double c[static 3]) {
	static const double in[3][3] = {{0.59719, 0.35458, 0.04823}, {0.07600, 0.90834, 0.01566},
		{0.02840, 0.13383, 0.83777}};
	static const double out[3][3] = {{1.60475, -0.53108, -0.07367},
		{-0.10208, 1.10813, -0.00605}, {-0.00327, -0.07276, 1.07602}};
	double v[3] = {0};
	for (int i = 0; i < 3; i++) {
		for (int k = 0; k < 3; k++) {
			v[i] += in[i][k] * c[k] / 0.6;
		}
		v[i] = (v[i] * (v[i] + 0.0245786) - 0.000090537) /
			(v[i] * (0.983729 * v[i] + 0.4329510) + 0.238081);
	}
	for (int i = 0; i < 3; i++) {
		c[i] = out[i][0] * v[0] + out[i][1] * v[1] + out[i][2] * v[2];
	}
}

static void tone_linear(double c[static 3]) {
	(void)c;
}

static void screens_show_light_by_the_published_curves(void **state) {
	(void)state;
	static void (*const curves[])(double[static 3]) = {[TONE_NEUTRAL] = tone_neutral,
		[TONE_ACES] = tone_aces,
		[TONE_LINEAR] = tone_linear};
	static const double colors[][3] = {{0.02, 0.05, 0.01}, {0.18, 0.18, 0.18}, {0.5, 0.3, 0.7},
		{0.78, 0.79, 0.77}, {1, 0.5, 0.25}, {1, 1, 1}};
	for (size_t i = 0; i < sizeof colors / sizeof *colors * 9; i++) {
		const double *color = colors[i / 9];
		const enum tone_mapping tone = (enum tone_mapping)(i % 3);
		const double stops = (double)(i / 3 % 3) * 1.5 - 1;
		char material[400];
		snprintf(material, sizeof material,
			"{\"pbrMetallicRoughness\":{\"baseColorFactor\":[0,0,0,1]},"
			"\"emissiveFactor\":[%g,%g,%g]}",
			color[0], color[1], color[2]);
		struct rig *rig = square(material, "", "", "");
		const struct look_settings look = {
			.environment = ENVIRONMENT_NONE, .tone_mapping = tone, .exposure = stops};
		unsigned char pixel[4];
		draw_middle(rig, &look, SHADING_MATERIAL, pixel);
		double expected[3];
		for (int k = 0; k < 3; k++) {
			expected[k] = color[k] * exp2(stops);
		}
		curves[tone](expected);
		for (int k = 0; k < 3; k++) {
			// One step: the shader's curve of sRGB is within 5e-5, and rounds.
			assert_near(pixel[k], 255 * srgb_from_linear(fmin(fmax(expected[k], 0), 1)),
				0.6);
		}
		rig_release(rig);
	}
}

/* glTF's functions for one pair of directions around +Z. */
static double facets(
	const double l[static 3], const double v[static 3], double roughness, double *eye_half) {
	const double h[3] = {l[0] + v[0], l[1] + v[1], l[2] + v[2]};
	const double length = sqrt(h[0] * h[0] + h[1] * h[1] + h[2] * h[2]);
	const double square = pow(roughness, 4), nh = h[2] / length;
	*eye_half = (v[0] * h[0] + v[1] * h[1] + v[2] * h[2]) / length;
	const double d = square / (PI * pow(nh * nh * (square - 1) + 1, 2));
	return d * 0.5 /
		(l[2] * sqrt(v[2] * v[2] * (1 - square) + square) +
			v[2] * sqrt(l[2] * l[2] * (1 - square) + square));
}

/* What facets send to the eye after one bounce under light 1 from everywhere; front is the
 * reflection from the front. */
static double one_bounce(double front, double roughness, double cosine) {
	enum { RINGS = 1500, TURNS = 600 };
	const double v[3] = {sqrt(1 - cosine * cosine), 0, cosine};
	double sum = 0;
	for (int i = 0; i < RINGS; i++) {
		// Rings of one height take the same solid angle.
		const double z = (i + 0.5) / RINGS, r = sqrt(1 - z * z);
		for (int k = 0; k < TURNS; k++) {
			const double turn = (k + 0.5) * PI / TURNS; // the other half is its mirror
			const double l[3] = {r * cos(turn), r * sin(turn), z};
			double eye_half;
			const double lobe = facets(l, v, roughness, &eye_half);
			sum += (front + (1 - front) * pow(1 - eye_half, 5)) * lobe * z;
		}
	}
	return sum * 2 * PI / RINGS / TURNS;
}

/* All that a surface sends to the eye under light 1 from everywhere: base is the colour of what
 * comes out again where it is no metal. Facets add further bounces by Fdez-Aguera 2019. */
static double furnace(double base, double front, double roughness, double cosine) {
	const double lost = 1 - one_bounce(1, roughness, cosine);
	const double once = one_bounce(front, roughness, cosine), mean = front + (1 - front) / 21;
	const double back = once + once * mean * lost / (1 - mean * lost);
	return back + (1 - back) * base;
}

/* The last three are white: they give back all light. */
static void surfaces_under_even_light_give_back_what_they_should(void **state) {
	(void)state;
	static const struct {
		double base, metallic, roughness, turn_deg;
	} rows[] = {
		{0.8, 1, 0.3, 0},
		{0.8, 1, 0.6, 30},
		{0.6, 1, 1, 0},
		{0.3, 1, 1, 60},
		{0.5, 1, 0.5, 75},
		{0.5, 0, 0.5, 60},
		{0.8, 0, 1, 30},
		{0, 0, 0.3, 80},
		{1, 1, 1, 60},
		{1, 1, 0.3, 0},
		{1, 0, 0.5, 0},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const double turn = rows[i].turn_deg * PI / 180;
		char material[300], node[100];
		snprintf(material, sizeof material,
			"{\"pbrMetallicRoughness\":{\"baseColorFactor\":[%g,%g,%g,1],"
			"\"metallicFactor\":%g,\"roughnessFactor\":%g}}",
			rows[i].base, rows[i].base, rows[i].base, rows[i].metallic,
			rows[i].roughness);
		snprintf(node, sizeof node, ",\"rotation\":[0,%.9f,0,%.9f]", sin(turn / 2),
			cos(turn / 2));
		struct rig *rig = square(material, node, "", "");
		// A stop less, so that nothing is cut off at white.
		const struct look_settings look = {.environment = ENVIRONMENT_NEUTRAL,
			.tone_mapping = TONE_LINEAR,
			.exposure = -1};
		const double light = 2 * light_of(rig, &look);
		const bool metal = rows[i].metallic > 0;
		const double expected = furnace(metal ? 0 : rows[i].base,
			metal ? rows[i].base : 0.04, rows[i].roughness, cos(turn));
		// A table of 32 by 32 entries of 256 samples each.
		assert_near(light, expected, 0.004 + 2 * step_at(light / 2));
		if (rows[i].base == 1) {
			assert_near(light, 1, 2 * step_at(light / 2));
		}
		rig_release(rig);
	}
}

#define LIGHTS \
	"\"extensionsUsed\":[\"KHR_lights_punctual\"],\"extensions\":{" \
	"\"KHR_lights_punctual\":{\"lights\":[%s]}},"

static void lights_of_the_file_shine_as_gltf_says(void **state) {
	(void)state;
	// Above the middle of the square, 2 away, or from 45 degrees beside.
	static const struct {
		const char *light, *place;
		double strength, cosine; // as it arrives in the middle
	} rows[] = {
		{"{\"type\":\"directional\",\"intensity\":2}", "", 2, 1},
		{"{\"type\":\"directional\",\"intensity\":2}",
			",\"rotation\":[0,0.3826834324,0,0.9238795325]", 2, 0.70710678},
		{"{\"type\":\"point\",\"intensity\":6}", ",\"translation\":[0,0,2]", 1.5, 1},
		{"{\"type\":\"point\",\"intensity\":6,\"range\":4}", ",\"translation\":[0,0,2]",
			1.5 * (1 - 1.0 / 16), 1},
		{"{\"type\":\"point\",\"intensity\":6,\"range\":1.9}", ",\"translation\":[0,0,2]",
			0, 1},
		{"{\"type\":\"spot\",\"intensity\":6}", ",\"translation\":[0,0,2]", 1.5, 1},
		// Its edge lies at the middle: half a cone beside it.
		{"{\"type\":\"spot\",\"intensity\":6,\"spot\":{\"outerConeAngle\":0.7}}",
			",\"translation\":[0,0,2],\"rotation\":[0,0.3826834324,0,0.9238795325]", 0,
			1},
	};
	const double base = 0.5, roughness = 0.6;
	// Of what facets reflect to one another: Turquin 2019, equation 16.
	const double often = 1 / one_bounce(1, roughness, 1) - 1;
	for (size_t i = 0; i < 2 * (sizeof rows / sizeof *rows); i++) {
		const bool metal = i % 2;
		char extensions[400], nodes[300], material[200];
		snprintf(extensions, sizeof extensions, LIGHTS, rows[i / 2].light);
		snprintf(nodes, sizeof nodes,
			",{\"extensions\":{\"KHR_lights_punctual\":{\"light\":0}}%s}",
			rows[i / 2].place);
		snprintf(material, sizeof material,
			"{\"pbrMetallicRoughness\":{\"baseColorFactor\":[0.5,0.5,0.5,1],"
			"\"metallicFactor\":%d,\"roughnessFactor\":0.6}}",
			metal);
		struct rig *rig = square(material, "", nodes, extensions);
		struct look_settings look = {
			.environment = ENVIRONMENT_NONE, .tone_mapping = TONE_LINEAR};
		const double light = light_of(rig, &look), cosine = rows[i / 2].cosine;
		const double l[3] = {sqrt(1 - cosine * cosine), 0, cosine}, v[3] = {0, 0, 1};
		double eye_half;
		const double lobe = facets(l, v, roughness, &eye_half);
		const double front = metal ? base : 0.04;
		const double fresnel = front + (1 - front) * pow(1 - eye_half, 5);
		const double expected = rows[i / 2].strength * cosine *
			(fresnel * lobe * (1 + front * often) +
				(metal ? 0 : (1 - fresnel) * base / PI));
		// A pixel's middle lies beside the square's.
		assert_near(light, expected, 0.004 + step_at(light));
		look.no_lights = true;
		assert_near(light_of(rig, &look), 0, 0);
		rig_release(rig);
	}
}

/* Under a light from the right and one from above: normals that a texture bends to the right or up,
 * by 45 degrees, face one of them and are aslant to the other. 1 x 1 PNGs. */
static void normal_maps_bend_to_the_side_that_gltf_says(void **state) {
	(void)state;
	static const char *const maps[2] = {
		"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mO41XALAARsAjUuHifuAAAAAE"
		"lFTkSuQmCC",
		"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mNouHULAAQSAjV9oLlAAAAAAE"
		"lFTkSuQmCC",
	};
	static const char *const lights[2] = {
		"[0,0.3826834324,0,0.9238795325]", "[-0.3826834324,0,0,0.9238795325]"};
	for (int i = 0; i < 4; i++) {
		char text[3000];
		const int length = snprintf(text, sizeof text,
			"{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":["
			"\"KHR_lights_punctual\"],\"extensions\":{\"KHR_lights_punctual\":{"
			"\"lights\":[{\"type\":\"directional\",\"intensity\":2}]}},"
			"\"scenes\":[{\"nodes\":[0,1]}],\"nodes\":[{\"mesh\":0},{\"rotation\":%s,"
			"\"extensions\":{\"KHR_lights_punctual\":{\"light\":0}}}],"
			"\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,"
			"\"TEXCOORD_0\":1},\"indices\":2,\"material\":0}]}],"
			"\"materials\":[{\"normalTexture\":{\"index\":0},"
			"\"pbrMetallicRoughness\":{\"metallicFactor\":0}}],"
			"\"textures\":[{\"source\":0}],"
			"\"images\":[{\"uri\":\"data:image/png;base64,%s\"}],"
			"\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,"
			"\"type\":\"VEC3\",\"min\":[-1,-1,0],\"max\":[1,1,0]},"
			"{\"bufferView\":1,\"componentType\":5126,\"count\":4,"
			"\"type\":\"VEC2\"},{\"bufferView\":2,\"componentType\":5121,"
			"\"count\":6,\"type\":\"SCALAR\"}],\"bufferViews\":["
			"{\"buffer\":0,\"byteLength\":48},{\"buffer\":0,\"byteOffset\":48,"
			"\"byteLength\":32},{\"buffer\":0,\"byteOffset\":80,\"byteLength\":6}],"
			"\"buffers\":[{\"byteLength\":86,\"uri\":"
			"\"data:application/"
			"octet-stream;base64,"
			"AACAvwAAgL8AAAAAAACAPwAAgL8AAAAAAACAPwAAgD8AAAAAAACAvwAAgD8AAAAAAAAAAAAAgD"
			"8AAIA/AACAPwAAgD8AAAAAAAAAAAAAAAAAAQIAAgM=\"}]}",
			lights[i / 2], maps[i % 2]);
		assert_true(length < (int)sizeof text);
		struct error err = {0};
		struct rig *rig = renderer_import(text, (size_t)length, &err);
		if (!rig) {
			fail_msg("%s", err.text);
		}
		const struct look_settings look = {
			.environment = ENVIRONMENT_NONE, .tone_mapping = TONE_LINEAR};
		// Evenly back is 2 / pi of the cosine, which is 1 or a half; facets add to it.
		const double light = light_of(rig, &look), facing = i / 2 == i % 2 ? 1 : 0.5;
		assert_near(light, facing * 2 * 0.96 / PI, 0.05);
		rig_release(rig);
	}
}

int main(void) {
	gpu_test_renderer();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unlit_colours_come_out_to_the_byte),
		cmocka_unit_test(screens_show_light_by_the_published_curves),
		cmocka_unit_test(surfaces_under_even_light_give_back_what_they_should),
		cmocka_unit_test(normal_maps_bend_to_the_side_that_gltf_says),
		cmocka_unit_test(lights_of_the_file_shine_as_gltf_says),
	};
	const int failed = cmocka_run_group_tests(tests, NULL, NULL);
	gpu_test_finish();
	return failed;
}
