// A rig's textures on the GPU: one that is both a colour and numbers is there twice, and the
// smaller versions of each are means of what it stands for.
#include <stdlib.h>
#include <string.h>

#include "../unit/check.h"
#include "../unit/rigs.h"
#include "base/memory.h"
#include "context.h"
#include "gl/gpu_rig.h"
#include "state/context.h"

/* A rig with a texture of 2 x 2 pixels, half black and half white, for a material to use. */
static struct rig *textured_rig(void) {
	static const unsigned char pixels[] = {
		0, 0, 0, 0, 255, 255, 255, 200, 0, 0, 0, 0, 255, 255, 255, 200};
	struct rig *rig = rig_cyl2();
	rig->image_count = rig->texture_count = rig->material_count = 1;
	rig->images = rig_storage(rig, 1, sizeof *rig->images, "", NULL);
	rig->images[0] = (struct image){.width = 2, .height = 2, .rgba = xcalloc(4, 4)};
	memcpy(rig->images[0].rgba, pixels, sizeof pixels);
	rig->textures = rig_storage(rig, 1, sizeof *rig->textures, "", NULL);
	rig->materials = rig_storage(rig, 1, sizeof *rig->materials, "", NULL);
	rig->materials[0] = material_default;
	return rig;
}

static struct gpu_rig *upload(const struct rig *rig) {
	struct error err = {0};
	size_t bytes;
	gpu_test_renderer();
	struct gpu_rig *gpu = gpu_rig_create(rig, &bytes, &err);
	if (!gpu) {
		fail_msg("%s", err.text);
	}
	return gpu;
}

/* The one pixel of a texture's smallest level, as its bytes are stored. */
static void read_smallest(GLuint texture, unsigned char pixel[static 4]) {
	GLuint framebuffer;
	glGenFramebuffers(1, &framebuffer);
	glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 1);
	assert_int_equal(glCheckFramebufferStatus(GL_FRAMEBUFFER), GL_FRAMEBUFFER_COMPLETE);
	glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
	glBindFramebuffer(GL_FRAMEBUFFER, 0);
	glDeleteFramebuffers(1, &framebuffer);
}

static GLint format_of(GLuint texture) {
	GLint format = 0;
	glBindTexture(GL_TEXTURE_2D, texture);
	glGetTexLevelParameteriv(GL_TEXTURE_2D, 0, GL_TEXTURE_INTERNAL_FORMAT, &format);
	glBindTexture(GL_TEXTURE_2D, 0);
	return format;
}

static void each_use_has_its_colour_space(void **state) {
	(void)state;
	// glTF 2.0, 3.9, and the extensions: what is a colour is sRGB.
	static const enum texture_use colors[] = {
		TEXTURE_BASE_COLOR, TEXTURE_EMISSIVE, TEXTURE_SPECULAR_COLOR, TEXTURE_SHEEN_COLOR};
	static const enum texture_use numbers[] = {TEXTURE_METALLIC_ROUGHNESS, TEXTURE_NORMAL,
		TEXTURE_OCCLUSION, TEXTURE_CLEARCOAT, TEXTURE_CLEARCOAT_ROUGHNESS,
		TEXTURE_CLEARCOAT_NORMAL, TEXTURE_TRANSMISSION, TEXTURE_ANISOTROPY,
		TEXTURE_IRIDESCENCE, TEXTURE_IRIDESCENCE_THICKNESS, TEXTURE_THICKNESS};
	struct rig *rig = textured_rig();
	for (int use = 0; use < TEXTURE_USE_COUNT; use++) {
		rig->materials[0].textures[use].texture = 0;
	}
	struct gpu_rig *gpu = upload(rig);
	unsigned char pixel[4];
	for (size_t i = 0; i < sizeof colors / sizeof *colors; i++) {
		const GLuint texture = gpu_rig_texture(gpu, &rig->materials[0], colors[i]);
		assert_int_equal(format_of(texture), GL_SRGB8_ALPHA8);
		read_smallest(texture, pixel);
		assert_memory_equal(pixel, ((unsigned char[]){188, 188, 188, 100}), 4);
	}
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		const GLuint texture = gpu_rig_texture(gpu, &rig->materials[0], numbers[i]);
		assert_int_equal(format_of(texture), GL_RGBA8);
		read_smallest(texture, pixel);
		assert_memory_equal(pixel, ((unsigned char[]){128, 128, 128, 100}), 4);
	}
	gpu_rig_destroy(gpu);
	rig_release(rig);
}

static void only_what_is_used_is_uploaded(void **state) {
	(void)state;
	struct rig *rig = textured_rig();
	struct gpu_rig *gpu = upload(rig);
	const size_t bare = gpu->drawn.bytes;
	assert_int_equal(gpu_rig_texture(gpu, &rig->materials[0], TEXTURE_NORMAL), 0);
	gpu_rig_destroy(gpu);
	rig->materials[0].textures[TEXTURE_NORMAL].texture = 0;
	rig->materials[0].textures[TEXTURE_OCCLUSION].texture = 0;
	gpu = upload(rig);
	assert_int_equal(gpu->drawn.bytes - bare, 16 + 4); // 2 x 2 and 1 x 1 pixels, once
	assert_int_equal(gpu_rig_texture(gpu, &rig->materials[0], TEXTURE_NORMAL),
		gpu_rig_texture(gpu, &rig->materials[0], TEXTURE_OCCLUSION));
	gpu_rig_destroy(gpu);
	rig_release(rig);
}

static int finish(void **state) {
	(void)state;
	gpu_test_finish();
	return 0;
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_use_has_its_colour_space),
		cmocka_unit_test(only_what_is_used_is_uploaded),
	};
	return cmocka_run_group_tests(tests, NULL, finish);
}
