// Pictures, textures and materials.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <png.h>
#include <webp/encode.h>
#include <webp/mux.h>

#include "base/delayed.h"
#include "check.h"
#include "gltf_builder.h"
#include "import/image.h"
#include "shared_files.h"

/* --- Making pictures --- */

static void append_png(png_structp png, png_bytep bytes, size_t count) {
	buffer_append(png_get_io_ptr(png), bytes, count);
}

/* A PNG of the given colour type and depth; rows are packed as PNG wants them. */
static struct buffer make_png(
	int width, int height, int depth, int type, int interlace, unsigned char *const *rows) {
	struct buffer buffer = {0};
	png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
	png_infop info = png_create_info_struct(png);
	static const png_color palette[] = {{10, 20, 30}, {40, 50, 60}};
	static const png_byte alpha[] = {255, 128};
	png_set_write_fn(png, &buffer, append_png, NULL);
	png_set_IHDR(
		png, info, (png_uint_32)width, (png_uint_32)height, depth, type, interlace, 0, 0);
	if (type == PNG_COLOR_TYPE_PALETTE) {
		png_set_PLTE(png, info, palette, 2);
		png_set_tRNS(png, info, alpha, 2, NULL);
	}
	png_write_info(png, info);
	png_write_image(png, (png_bytepp)(uintptr_t)rows);
	png_write_end(png, info);
	png_destroy_write_struct(&png, &info);
	return buffer;
}

static struct buffer make_jpeg(int width, int height, int components) {
	struct jpeg_compress_struct jpeg;
	struct jpeg_error_mgr errors;
	unsigned char *bytes = NULL, *row = malloc((size_t)width * 4);
	unsigned long size = 0;
	struct buffer buffer = {0};
	memset(row, 200, (size_t)width * 4);
	jpeg.err = jpeg_std_error(&errors);
	jpeg_create_compress(&jpeg);
	jpeg_mem_dest(&jpeg, &bytes, &size);
	jpeg.image_width = (JDIMENSION)width;
	jpeg.image_height = (JDIMENSION)height;
	jpeg.input_components = components;
	jpeg.in_color_space = components == 1 ? JCS_GRAYSCALE
		: components == 3             ? JCS_RGB
					      : JCS_CMYK;
	jpeg_set_defaults(&jpeg);
	jpeg_start_compress(&jpeg, TRUE);
	for (int y = 0; y < height; y++) {
		jpeg_write_scanlines(&jpeg, &row, 1);
	}
	jpeg_finish_compress(&jpeg);
	jpeg_destroy_compress(&jpeg);
	buffer_append(&buffer, bytes, size);
	free(bytes);
	free(row);
	return buffer;
}

/* Lossless, so that every pixel comes back. */
static struct buffer make_webp(int width, int height, const unsigned char *rgba) {
	struct buffer buffer = {0};
	uint8_t *bytes = NULL;
	const size_t size = WebPEncodeLosslessRGBA(rgba, width, height, width * 4, &bytes);
	buffer_append(&buffer, bytes, size);
	WebPFree(bytes);
	return buffer;
}

/* An animation of one frame. */
static struct buffer make_animated_webp(void) {
	static const unsigned char rgba[16] = {9, 9, 9, 255};
	struct buffer still = make_webp(2, 2, rgba), buffer = {0};
	WebPMux *mux = WebPMuxNew();
	const WebPMuxFrameInfo frame = {
		.bitstream = {still.data, still.size}, .duration = 1, .id = WEBP_CHUNK_ANMF};
	const WebPMuxAnimParams params = {0};
	WebPData data = {0};
	assert_int_equal(WebPMuxPushFrame(mux, &frame, 1), WEBP_MUX_OK);
	assert_int_equal(WebPMuxPushFrame(mux, &frame, 1), WEBP_MUX_OK);
	assert_int_equal(WebPMuxSetAnimationParams(mux, &params), WEBP_MUX_OK);
	assert_int_equal(WebPMuxAssemble(mux, &data), WEBP_MUX_OK);
	buffer_append(&buffer, data.bytes, data.size);
	WebPDataClear(&data);
	WebPMuxDelete(mux);
	buffer_finish(&still);
	return buffer;
}

/* --- Decoding --- */

static void expect_picture_refusal(
	const void *bytes, size_t size, size_t max_bytes, const char *text) {
	struct image image;
	struct error err = {0};
	if (image_decode(bytes, size, max_bytes, &image, &err) || !strstr(err.text, text)) {
		fail_msg("\"%s\", expected \"%s\"", err.text, text);
	}
	assert_null(image.rgba);
}

static void refuses_broken_pictures(void **state) {
	(void)state;
	unsigned char row[8] = {1, 2, 3, 4, 5, 6};
	unsigned char *rows[] = {row, row};
	struct buffer png = make_png(2, 2, 8, PNG_COLOR_TYPE_RGB, 0, rows);
	expect_picture_refusal("", 0, 1000, "neither a PNG, a JPEG, a WebP nor a KTX 2");
	expect_picture_refusal(
		"RIFF....WEBP", 12, 1000, "neither a PNG, a JPEG, a WebP nor a KTX 2");
	expect_picture_refusal(png.data, png.size, 15, "2 x 2 pixels; up to 65535 a side");
	expect_picture_refusal(png.data, 40, 1000, "PNG: the data is cut off");
	png.data[png.size - 20]++;
	expect_picture_refusal(png.data, png.size, 1000, "PNG: ");
	buffer_finish(&png);
	expect_picture_refusal("\xff\xd8\xff\xe0", 4, 1000, "JPEG: ");
	struct buffer cmyk = make_jpeg(8, 8, 4);
	expect_picture_refusal(cmyk.data, cmyk.size, 1000, "JPEG: Unsupported color conversion");
	buffer_finish(&cmyk);
}

/* A head that claims 30000 x 30000 pixels is refused before they are allocated. */
static void refuses_a_bomb_by_its_head(void **state) {
	(void)state;
	unsigned char row[1] = {0};
	unsigned char *rows[] = {row};
	struct buffer png = make_png(1, 1, 1, PNG_COLOR_TYPE_GRAY, 0, rows);
	static const unsigned char head[] = {
		0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30, 1, 0, 0, 0, 0, 0x4e, 0x5c, 0xc5, 0x17};
	memcpy(png.data + 16, head, sizeof head); // size, kind and their CRC
	expect_picture_refusal(png.data, png.size, SIZE_MAX, "30000 x 30000 pixels; up to");
	buffer_finish(&png);
}

static void refuses_broken_webps(void **state) {
	(void)state;
	static const unsigned char rgba[64 * 64 * 4] = {1, 2, 3, 4};
	struct buffer webp = make_webp(64, 64, rgba), animated = make_animated_webp();
	expect_picture_refusal(webp.data, webp.size, 64 * 64 * 4 - 1, "64 x 64 pixels; up to");
	for (size_t cut = 15; cut < webp.size; cut++) {
		unsigned char *part = malloc(cut);
		memcpy(part, webp.data, cut);
		expect_picture_refusal(part, cut, 1 << 20, "WebP: ");
		free(part);
	}
	expect_picture_refusal(
		animated.data, animated.size, 1 << 20, "WebP: animated, must be a still");
	// The head alone says 16384 x 16384, which is more pixels than are accepted.
	static const unsigned char head[] = {0x2f, 0xff, 0xff, 0xff, 0x0f};
	memcpy(webp.data + 20, head, sizeof head);
	expect_picture_refusal(webp.data, webp.size, SIZE_MAX, "16384 x 16384 pixels; up to");
	buffer_finish(&webp);
	buffer_finish(&animated);
}

static void check_pixels(struct buffer *picture, int width, int height, const unsigned char *rgba) {
	struct image image;
	struct error err = {0};
	if (!image_decode(picture->data, picture->size, 1 << 20, &image, &err)) {
		fail_msg("%s", err.text);
	}
	assert_int_equal(image.width, width);
	assert_int_equal(image.height, height);
	assert_memory_equal(image.rgba, rgba, (size_t)(width * height * 4));
	free(image.rgba);
	buffer_finish(picture);
}

static void decodes_every_kind_of_png(void **state) {
	(void)state;
	static const struct {
		int type, depth;
		unsigned char row[16], rgba[8];
	} kinds[] = {
		{PNG_COLOR_TYPE_GRAY, 1, {0x40}, {0, 0, 0, 255, 255, 255, 255, 255}},
		{PNG_COLOR_TYPE_GRAY, 4, {0x1f}, {17, 17, 17, 255, 255, 255, 255, 255}},
		{PNG_COLOR_TYPE_GRAY, 16, {7, 7, 9, 9}, {7, 7, 7, 255, 9, 9, 9, 255}},
		{PNG_COLOR_TYPE_GRAY_ALPHA, 8, {7, 8, 9, 10}, {7, 7, 7, 8, 9, 9, 9, 10}},
		{PNG_COLOR_TYPE_PALETTE, 1, {0x40}, {10, 20, 30, 255, 40, 50, 60, 128}},
		{PNG_COLOR_TYPE_RGB, 8, {1, 2, 3, 4, 5, 6}, {1, 2, 3, 255, 4, 5, 6, 255}},
		{PNG_COLOR_TYPE_RGB, 16, {1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6},
			{1, 2, 3, 255, 4, 5, 6, 255}},
		{PNG_COLOR_TYPE_RGB_ALPHA, 8, {1, 2, 3, 4, 5, 6, 7, 8}, {1, 2, 3, 4, 5, 6, 7, 8}},
		{PNG_COLOR_TYPE_RGB_ALPHA, 16, {1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8},
			{1, 2, 3, 4, 5, 6, 7, 8}},
	};
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		for (int interlace = 0; interlace < 2; interlace++) {
			unsigned char row[16], expected[16];
			unsigned char *rows[] = {row, row};
			memcpy(row, kinds[i].row, sizeof row);
			memcpy(expected, kinds[i].rgba, 8);
			memcpy(expected + 8, kinds[i].rgba, 8);
			struct buffer png =
				make_png(2, 2, kinds[i].depth, kinds[i].type, interlace, rows);
			check_pixels(&png, 2, 2, expected);
		}
	}
}

static void decodes_webp_with_straight_alpha(void **state) {
	(void)state;
	static const unsigned char rgba[] = {
		255, 0, 0, 128, 1, 2, 3, 255, 7, 8, 9, 1, 4, 5, 6, 254};
	struct buffer webp = make_webp(2, 2, rgba);
	check_pixels(&webp, 2, 2, rgba);
}

static void decodes_grey_and_colour_jpegs(void **state) {
	(void)state;
	for (int components = 1; components <= 3; components += 2) {
		unsigned char expected[3 * 2 * 4];
		for (int i = 0; i < 24; i++) {
			expected[i] = i % 4 == 3 ? 255 : 200;
		}
		struct buffer jpeg = make_jpeg(3, 2, components);
		check_pixels(&jpeg, 3, 2, expected);
	}
}

/* --- Textures and materials --- */

/* A PNG of one red pixel as buffer view 0. */
static struct gltf_builder with_picture(void) {
	struct gltf_builder b = {0};
	unsigned char row[] = {255, 0, 0, 255};
	unsigned char *rows[] = {row};
	struct buffer png = make_png(1, 1, 8, PNG_COLOR_TYPE_RGB_ALPHA, 0, rows);
	add_view(&b, png.data, png.size);
	buffer_finish(&png);
	return b;
}

#define TEXTURED(material) "{\"pbrMetallicRoughness\": {" material "}}"

static void refuses_materials_without_sense(void **state) {
	(void)state;
	static const struct {
		const char *members, *text;
	} rows[] = {
		{"\"materials\": [{\"alphaMode\": \"GLASS\"}]",
			"materials[0]: alphaMode is \"GLASS\", must be one of: OPAQUE, MASK, "
			"BLEND"},
		{"\"materials\": [{\"doubleSided\": 1}]",
			"materials[0].doubleSided: is a number, must be true or false"},
		{"\"materials\": [" TEXTURED("\"baseColorFactor\": [1, 1, 1]") "]",
			"materials[0].pbrMetallicRoughness.baseColorFactor: has 3 numbers, must "
			"have 4"},
		{"\"materials\": [" TEXTURED("\"baseColorFactor\": [1, 1, 2, 1]") "]",
			"materials[0].pbrMetallicRoughness: baseColorFactor has 2, must be from 0 "
			"to 1"},
		{"\"materials\": [" TEXTURED("\"baseColorTexture\": {\"index\": 0}") "]",
			"baseColorTexture.index: is 0, but there are only 0"},
		{"\"materials\": [" TEXTURED("\"baseColorTexture\": {}") "]",
			"baseColorTexture: has no index"},
		{"\"textures\": [{\"source\": 3}], \"materials\": [" TEXTURED(
			 "\"baseColorTexture\": {\"index\": 0}") "]",
			"textures[0].source: is 3, but there are only 0"},
		{"\"samplers\": [{\"wrapS\": 1}], \"textures\": [{\"sampler\": 0}], \"materials\": "
		 "[" TEXTURED("\"baseColorTexture\": {\"index\": 0}") "]",
			"samplers[0].wrapS: is 1, which glTF does not know"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct gltf_builder b = {0};
		expect_built_refusal(&b, rows[i].members, ERROR_BROKEN_ASSET, rows[i].text);
	}
}

static void reads_a_material(void **state) {
	(void)state;
	struct gltf_builder b = with_picture();
	struct rig *rig = import_sound(&b,
		"\"images\": [{\"bufferView\": 0, \"mimeType\": \"image/png\"}], \"samplers\": "
		"[{\"wrapS\": "
		"33071, \"wrapT\": 33648, \"magFilter\": 9728, \"minFilter\": 9729}], "
		"\"textures\": "
		"[{\"source\": 0, \"sampler\": 0}, {\"source\": 0}, {\"source\": 0}], "
		"\"materials\": "
		"[{\"name\": \"Skin\", \"alphaMode\": \"MASK\", \"alphaCutoff\": 0.25, "
		"\"doubleSided\": "
		"true, \"pbrMetallicRoughness\": {\"baseColorFactor\": [0.5, 0.25, 1, 0], "
		"\"metallicFactor\": 0.5, \"roughnessFactor\": 0.75, "
		"\"baseColorTexture\": {\"index\": 0}}}, {}, " TEXTURED(
			"\"baseColorTexture\": {\"index\": 2}, \"metallicRoughnessTexture\": "
			"{\"index\": 0}") "]");
	assert_int_equal(rig->image_count, 1); // decoded once for both textures
	assert_int_equal(rig->texture_count, 2);
	assert_int_equal(rig->material_count, 3);
	const struct material *skin = &rig->materials[0], *plain = &rig->materials[1];
	assert_string_equal(skin->name, "Skin");
	assert_int_equal(skin->alpha_mode, ALPHA_MASK);
	assert_true(skin->alpha_cutoff == 0.25f && skin->double_sided);
	assert_true(skin->base_color[1] == 0.25f && skin->base_color[3] == 0);
	assert_int_equal(skin->textures[TEXTURE_BASE_COLOR].texture, 0);
	assert_string_equal(plain->name, "");
	assert_true(plain->alpha_cutoff == 0.5f && plain->base_color[2] == 1);
	assert_int_equal(plain->textures[TEXTURE_BASE_COLOR].texture, -1);
	assert_int_equal(rig->materials[2].textures[TEXTURE_BASE_COLOR].texture, 1);
	const struct texture *first = &rig->textures[0], *second = &rig->textures[1];
	assert_int_equal(first->wrap_u, WRAP_CLAMP);
	assert_int_equal(first->wrap_v, WRAP_MIRROR);
	assert_true(first->nearest && first->no_mipmaps);
	assert_int_equal(second->wrap_u, WRAP_REPEAT);
	assert_false(second->nearest || second->no_mipmaps);
	assert_int_equal(rig->images[0].rgba[0], 255);
	assert_true(skin->metallic == 0.5f && skin->roughness == 0.75f);
	assert_true(plain->metallic == 1 && plain->roughness == 1);
	assert_true(rig->materials[2].metallic == 1);
	assert_int_equal(rig->materials[2].textures[TEXTURE_METALLIC_ROUGHNESS].texture, 0);
	rig_release(rig);
}

static void keeps_the_picture_as_it_came(void **state) {
	(void)state;
	struct gltf_builder b = with_picture();
	const size_t size = b.bin.size;
	unsigned char *picture = malloc(size);
	memcpy(picture, b.bin.data, size);
	struct rig *rig = import_sound(&b,
		"\"images\": [{\"bufferView\": 0}], \"textures\": [{\"source\": 0}], "
		"\"materials\": [" TEXTURED("\"baseColorTexture\": {\"index\": 0}") "]");
	assert_int_equal(rig->images[0].kind, IMAGE_PNG);
	assert_int_equal(rig->images[0].encoded_bytes, size);
	assert_memory_equal(rig->images[0].encoded, picture, size);
	free(picture);
	rig_release(rig);
}

static void a_lost_picture_costs_only_itself(void **state) {
	(void)state;
	static const struct {
		const char *image, *warning;
	} rows[] = {
		{"{\"uri\": \"a.png\"}",
			"images[0]: external file \"a.png\" cannot be had; send a GLB, data URIs"},
		{"{\"uri\": \"data:image/png;base64,AAAA\"}",
			"images[0]: neither a PNG, a JPEG, a WebP nor a KTX 2"},
		{"{\"uri\": \"data:image/png;base64,*\"}", "images[0]: data URI: not valid base64"},
		{"{\"bufferView\": 9}", "images[0].bufferView: is 9, but there are only 0"},
		{"{}", "images[0]: has neither bufferView nor uri"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct gltf_builder b = {0};
		char members[512];
		snprintf(members, sizeof members,
			"\"images\": [%s], \"textures\": [{\"source\": 0}, {\"source\": 0}], "
			"\"materials\": "
			"[" TEXTURED("\"baseColorTexture\": {\"index\": 0}") "," TEXTURED(
				"\"baseColorTexture\": {\"index\": 1}") "]",
			rows[i].image);
		struct rig *rig = import_sound(&b, members);
		assert_int_equal(count_warnings(rig), 1);
		assert_true(has_warning(rig, rows[i].warning));
		assert_int_equal(rig->texture_count, 0);
		assert_int_equal(rig->materials[1].textures[TEXTURE_BASE_COLOR].texture, -1);
		rig_release(rig);
	}
}

static void prefers_the_webp_of_a_texture(void **state) {
	(void)state;
	static const unsigned char rgba[] = {10, 20, 30, 40};
	struct gltf_builder b = with_picture();
	struct buffer webp = make_webp(1, 1, rgba);
	add_view(&b, webp.data, webp.size);
	buffer_finish(&webp);
	struct rig *rig = import_sound(&b,
		"\"extensionsRequired\": [\"EXT_texture_webp\"], \"images\": [{\"bufferView\": 0}, "
		"{\"bufferView\": 1, \"mimeType\": \"image/webp\"}], \"textures\": [{\"source\": "
		"0, \"extensions\": {\"EXT_texture_webp\": {\"source\": 1}}}], \"materials\": "
		"[" TEXTURED("\"baseColorTexture\": {\"index\": 0}") "]");
	assert_int_equal(rig->image_count, 1);
	assert_memory_equal(rig->images[0].rgba, rgba, 4);
	rig_release(rig);
	struct gltf_builder wrong = with_picture();
	expect_built_refusal(&wrong,
		"\"images\": [{\"bufferView\": 0}], \"textures\": [{\"extensions\": "
		"{\"EXT_texture_webp\": {\"source\": 1}}}], \"materials\": "
		"[" TEXTURED("\"baseColorTexture\": {\"index\": 0}") "]",
		ERROR_BROKEN_ASSET,
		"textures[0].extensions.EXT_texture_webp.source: is 1, but there are only 1");
}

/* The picture is 48 x 40, the PNG that it stands before 1 x 1. */
static void prefers_the_ktx2_of_a_texture(void **state) {
	(void)state;
	struct gltf_builder b = with_picture();
	struct buffer ktx2 = own_file("tests/fuzz/seeds/fuzz_texture/etc1s.ktx2");
	add_view(&b, ktx2.data, ktx2.size);
	buffer_finish(&ktx2);
	struct rig *rig = import_sound(&b,
		"\"extensionsRequired\": [\"KHR_texture_basisu\"], \"images\": [{\"bufferView\": "
		"0}, {\"bufferView\": 1, \"mimeType\": \"image/ktx2\"}], \"textures\": "
		"[{\"source\": 0, \"extensions\": {\"KHR_texture_basisu\": {\"source\": 1}}}], "
		"\"materials\": [" TEXTURED("\"baseColorTexture\": {\"index\": 0}") "]");
	assert_int_equal(count_warnings(rig), 0);
	assert_int_equal(rig->image_count, 1);
	assert_int_equal(rig->images[0].width, 48);
	assert_int_equal(rig->images[0].height, 40);
	rig_release(rig);
}

static void takes_the_texture_coordinates_of_the_base_colour(void **state) {
	(void)state;
	struct gltf_builder b = with_picture();
	static const float positions[3] = {0}, zero[2] = {0}, one[2] = {1, 1};
	add_data(&b, "VEC3", F32, 1, positions, sizeof positions);
	add_data(&b, "VEC2", F32, 1, zero, sizeof zero);
	add_data(&b, "VEC2", F32, 1, one, sizeof one);
	struct rig *rig = import_sound(&b,
		"\"images\": [{\"bufferView\": 0}], \"textures\": [{\"source\": "
		"0}], \"materials\": "
		"[" TEXTURED("\"baseColorTexture\": {\"index\": 0, \"texCoord\": "
			     "1}") "], \"nodes\": "
				   "[{\"mesh\": 0}], \"meshes\": [{\"primitives\": "
				   "[{\"mode\": 0, \"material\": 0, "
				   "\"attributes\": {\"POSITION\": 0, "
				   "\"TEXCOORD_0\": 1, \"TEXCOORD_1\": 2}}]}]");
	assert_true(rig->texcoords[0][0] == 1);
	rig_release(rig);
}

/* The codecs of renderer/ are also what pictures are made with here. */
static int load_codecs(void **state) {
	(void)state;
	const bool loaded = delayed_load(&delayed_jpeg, NULL) &&
		delayed_load(&delayed_webp, NULL) && delayed_load(&delayed_webpmux, NULL);
	return loaded ? 0 : -1;
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_broken_pictures),
		cmocka_unit_test(refuses_a_bomb_by_its_head),
		cmocka_unit_test(refuses_broken_webps),
		cmocka_unit_test(decodes_every_kind_of_png),
		cmocka_unit_test(decodes_webp_with_straight_alpha),
		cmocka_unit_test(decodes_grey_and_colour_jpegs),
		cmocka_unit_test(refuses_materials_without_sense),
		cmocka_unit_test(reads_a_material),
		cmocka_unit_test(keeps_the_picture_as_it_came),
		cmocka_unit_test(a_lost_picture_costs_only_itself),
		cmocka_unit_test(prefers_the_webp_of_a_texture),
		cmocka_unit_test(prefers_the_ktx2_of_a_texture),
		cmocka_unit_test(takes_the_texture_coordinates_of_the_base_colour),
	};
	return cmocka_run_group_tests(tests, load_codecs, NULL);
}
