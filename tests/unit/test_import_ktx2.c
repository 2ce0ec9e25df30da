// KTX 2 with Basis Universal's textures: pixels by the specifications' arithmetic, and refusals.
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/delayed.h"
#include "check.h"
#include "import/image.h"
#include "shared_files.h"

#define SEEDS "tests/fuzz/seeds/fuzz_texture/"

enum { ETC1S = 163, UASTC = 166 };

static void put_u16(struct buffer *out, unsigned value) {
	const unsigned char bytes[] = {(unsigned char)value, (unsigned char)(value >> 8)};
	buffer_append(out, bytes, sizeof bytes);
}

static void put_u32(struct buffer *out, uint32_t value) {
	put_u16(out, value & 0xffff);
	put_u16(out, value >> 16);
}

/* A file of one level of 4 x 4 pixels; channel is of the one sample. The header has 80 bytes, the
 * level's entry 24, the descriptor 44. */
static struct buffer make_ktx2(int model, int scheme, int channel, const struct buffer *global,
	const void *level, size_t level_size) {
	const uint32_t format_at = 104, global_at = 152;
	const size_t global_size = global ? global->size : 0;
	const uint32_t level_at = (uint32_t)(global_at + global_size);
	const uint32_t header[] = {0, 1, 4, 4, 0, 0, 1, 1, (uint32_t)scheme, format_at, 44, 0, 0,
		global_size ? global_at : 0, 0, (uint32_t)global_size, 0, level_at, 0,
		(uint32_t)level_size, 0, scheme == 1 ? 0 : 16, 0,
		// The descriptor: one block of one sample; BT.709, sRGB; blocks of 4 x 4.
		44, 0, 2 | 40 << 16, (uint32_t)model | 1 << 8 | 2 << 16, 3 | 3 << 8, 16, 0,
		(uint32_t)(127 << 16 | channel << 24), 0, 0, UINT32_MAX, 0};
	struct buffer out = {0};
	buffer_append(&out, "\xabKTX 20\xbb\r\n\x1a\n", 12);
	for (size_t i = 0; i < sizeof header / sizeof header[0]; i++) {
		put_u32(&out, header[i]);
	}
	if (global) {
		buffer_append(&out, global->data, global->size);
	}
	buffer_append(&out, level, level_size);
	return out;
}

static struct buffer make_uastc(const unsigned char block[static 16]) {
	return make_ktx2(UASTC, 0, 3, NULL, block, 16);
}

static void expect_pixels(struct buffer *file, unsigned char expected[static 16][4]) {
	struct image image;
	struct error err = {0};
	if (!image_decode(file->data, file->size, SIZE_MAX, &image, &err)) {
		fail_msg("%s", err.text);
	}
	assert_int_equal(image.width, 4);
	assert_int_equal(image.height, 4);
	assert_memory_equal(image.rgba, expected, 64);
	free(image.rgba);
	buffer_finish(file);
}

static void expect_refusal_of(const void *bytes, size_t size, const char *text) {
	struct image image;
	struct error err = {0};
	if (image_decode(bytes, size, SIZE_MAX, &image, &err) || !strstr(err.text, text)) {
		fail_msg("\"%s\", expected \"%s\"", err.text, text);
	}
	assert_null(image.rgba);
}

/* --- Bits, lowest first --- */

struct bits {
	struct buffer out;
	int filled; // bits of the last byte
};

static void put(struct bits *bits, unsigned value, int count) {
	for (int i = 0; i < count; i++) {
		if (bits->filled % 8 == 0) {
			buffer_append(&bits->out, "", 1);
		}
		bits->out.data[bits->out.size - 1] |=
			(unsigned char)((i < 32 ? value >> i & 1 : 0) << (bits->filled++ % 8));
	}
}

/* A Huffman table of one symbol, whose code is one 0. The lengths 0 and 1 have codes of one bit. */
static void put_table(struct bits *bits, unsigned symbol) {
	put(bits, symbol + 1, 14);
	put(bits, 19, 5);
	for (int i = 0; i < 19; i++) {
		put(bits, i == 4 || i == 18, 3); // places of 0 and 1 in the order of lengths
	}
	for (unsigned i = 0; i < symbol; i++) {
		put(bits, 0, 1);
	}
	put(bits, 1, 1);
}

/* --- ETC1S --- */

struct parts {
	struct bits endpoints, selectors, tables, slice;
};

/* One endpoint, whose channels are 16 + 3 of 31 and whose modifiers are those of row 2; and one
 * selector, whose rows have all four of them from the lowest on. */
static struct parts make_parts(void) {
	struct parts parts = {0};
	for (int i = 0; i < 3; i++) {
		put_table(&parts.endpoints, 3);
	}
	put_table(&parts.endpoints, 2);
	put(&parts.endpoints, 0, 1);
	put(&parts.endpoints, 0, 4);
	put(&parts.selectors, 4, 3);
	for (int i = 0; i < 4; i++) {
		put(&parts.selectors, 0xe4, 8);
	}
	put_table(&parts.tables, 255); // all of four blocks have an endpoint of their own
	put_table(&parts.tables, 0);
	put_table(&parts.tables, 0);
	put(&parts.tables, 0, 14); // no runs
	put(&parts.tables, 1, 13);
	put(&parts.slice, 0, 3);
	return parts;
}

static struct buffer make_etc1s(struct parts *parts, unsigned flags) {
	struct buffer global = {0};
	put_u16(&global, 1);
	put_u16(&global, 1);
	put_u32(&global, (uint32_t)parts->endpoints.out.size);
	put_u32(&global, (uint32_t)parts->selectors.out.size);
	put_u32(&global, (uint32_t)parts->tables.out.size);
	put_u32(&global, 0);
	const uint32_t image[] = {flags, 0, (uint32_t)parts->slice.out.size, 0, 0};
	for (int i = 0; i < 5; i++) {
		put_u32(&global, image[i]);
	}
	buffer_append(&global, parts->endpoints.out.data, parts->endpoints.out.size);
	buffer_append(&global, parts->selectors.out.data, parts->selectors.out.size);
	buffer_append(&global, parts->tables.out.data, parts->tables.out.size);
	struct buffer file =
		make_ktx2(ETC1S, 1, 0, &global, parts->slice.out.data, parts->slice.out.size);
	buffer_finish(&global);
	buffer_finish(&parts->endpoints.out);
	buffer_finish(&parts->selectors.out);
	buffer_finish(&parts->tables.out);
	buffer_finish(&parts->slice.out);
	return file;
}

/* 19 of 31 is 10011 100 of 255, which is 156; row 2 of the modifiers is -29 -9 9 29. */
static void decodes_an_etc1s_block(void **state) {
	(void)state;
	static const unsigned char levels[] = {127, 147, 165, 185};
	unsigned char expected[16][4];
	for (int i = 0; i < 16; i++) {
		memset(expected[i], levels[i % 4], 3);
		expected[i][3] = 255;
	}
	struct parts parts = make_parts();
	struct buffer file = make_etc1s(&parts, 0);
	expect_pixels(&file, expected);
}

static void expect_etc1s_refusal(struct parts *parts, unsigned flags, const char *text) {
	struct buffer file = make_etc1s(parts, flags);
	expect_refusal_of(file.data, file.size, text);
	buffer_finish(&file);
}

static void refuses_broken_etc1s(void **state) {
	(void)state;
	struct parts parts = make_parts();
	expect_etc1s_refusal(&parts, 2, "KTX 2: the image is a frame of a video");
	parts = make_parts();
	parts.selectors.out.data[0] |= 1;
	expect_etc1s_refusal(&parts, 0, "BasisLZ data for selectors has reserved bits");
	parts = make_parts();
	parts.slice.out.data[0] = 1; // a code that its table of one symbol does not have
	expect_etc1s_refusal(&parts, 0, "for an image has a code that is not in its table");
	parts = make_parts();
	parts.slice.out.data[0] = 4;
	expect_etc1s_refusal(&parts, 0, "for an image has a code that is not in its table");
	parts = make_parts();
	parts.tables.out.size--;
	expect_etc1s_refusal(&parts, 0, "BasisLZ data for tables is cut off");
	// Predicted by a block to the left, which the first one does not have.
	parts = make_parts();
	buffer_finish(&parts.tables.out);
	parts.tables = (struct bits){0};
	for (int i = 0; i < 3; i++) {
		put_table(&parts.tables, 0);
	}
	put(&parts.tables, 0, 14);
	put(&parts.tables, 1, 13);
	expect_etc1s_refusal(&parts, 0, "predicts a block by one outside of the image");
}

/* --- UASTC --- */

static void decodes_a_block_of_one_color(void **state) {
	(void)state;
	struct bits bits = {0};
	put(&bits, 0x17, 5);
	for (unsigned k = 0; k < 4; k++) {
		put(&bits, 10 + 70 * k, 8);
	}
	put(&bits, 0, 91);
	unsigned char expected[16][4];
	for (int i = 0; i < 16; i++) {
		memcpy(expected[i], (unsigned char[]){10, 80, 150, 220}, 4);
	}
	struct buffer file = make_uastc(bits.out.data);
	buffer_finish(&bits.out);
	expect_pixels(&file, expected);
}

/* Mode 18: endpoints of 5 bits, weights of 5, of which the first has only 4. */
static void decodes_an_interpolated_block(void **state) {
	(void)state;
	struct bits bits = {0};
	put(&bits, 9, 4);
	put(&bits, 0, 15);
	static const unsigned ends[3][2] = {{0, 31}, {31, 0}, {8, 9}};
	for (int k = 0; k < 3; k++) {
		put(&bits, ends[k][0], 5);
		put(&bits, ends[k][1], 5);
	}
	unsigned char expected[16][4];
	for (unsigned i = 0; i < 16; i++) {
		put(&bits, 2 * i, i == 0 ? 4 : 5);
		const unsigned six = 2 * i << 1 | 2 * i >> 4, weight = six > 32 ? six + 1 : six;
		for (int k = 0; k < 3; k++) {
			const unsigned low = ends[k][0] << 3 | ends[k][0] >> 2;
			const unsigned high = ends[k][1] << 3 | ends[k][1] >> 2;
			const unsigned sum = 257 * low * (64 - weight) + 257 * high * weight + 32;
			expected[i][k] = (unsigned char)(sum / 64 / 256);
		}
		expected[i][3] = 255;
	}
	struct buffer file = make_uastc(bits.out.data);
	buffer_finish(&bits.out);
	expect_pixels(&file, expected);
}

static void refuses_reserved_modes_and_patterns(void **state) {
	(void)state;
	// Mode 19; mode 7 with pattern 19 of 18, mode 3 with 11 of 10.
	const unsigned char blocks[3][16] = {{0x45}, {7, 0, 0x30, 1}, {3, 0, 0xb0}};
	for (int i = 0; i < 3; i++) {
		struct buffer file = make_uastc(blocks[i]);
		expect_refusal_of(file.data, file.size,
			"KTX 2: UASTC block 0 is of a reserved mode or pattern");
		buffer_finish(&file);
	}
}

/* --- The file around them --- */

static void refuses_what_the_extension_does_not_allow(void **state) {
	(void)state;
	static const struct {
		size_t at;
		unsigned char value;
		const char *text;
	} rows[] = {
		{12, 43, "KTX 2: of Vulkan's format 43, must be Basis Universal's ETC1S or UASTC"},
		{20, 0, "0 x 4 pixels; up to"},
		{24, 5,
			"KTX 2: the image has 16 bytes, and 16 when it is decompressed; must be "
			"32"},
		{22, 9, "589828 x 4 pixels; up to"},
		{28, 1, "KTX 2: depth 1, 0 layers, 1 faces; must be one picture"},
		{32, 1, "KTX 2: depth 0, 1 layers, 1 faces; must be one picture"},
		{36, 6, "KTX 2: depth 0, 0 layers, 6 faces; must be one picture"},
		{40, 5, "KTX 2: the data is cut off"},
		{40, 99, "KTX 2: more levels than an image can have"},
		{44, 1, "KTX 2: colour model 166 with supercompression 1; must be ETC1S"},
		{44, 3, "KTX 2: colour model 166 with supercompression 3; must be ETC1S"},
		{44, 2, "KTX 2: Zstandard: "},
		{48, 200, "KTX 2: the data is cut off"},
		{52, 20, "KTX 2: has no basic data format descriptor"},
		{80, 153, "KTX 2: the data is cut off"},
		{87, 255, "KTX 2: the data is cut off"},
		{95, 255, "KTX 2: the data is cut off"},
		{96, 15, "KTX 2: the image has 16 bytes, and 15 when it is decompressed"},
		{108, 2, "KTX 2: has no basic data format descriptor"},
		{114, 200, "KTX 2: the data format descriptor is cut off"},
		{116, 1, "KTX 2: colour model 1 with supercompression 0; must be ETC1S"},
		{119, 1, "KTX 2: colours are multiplied by alpha"},
		{135, 2, "KTX 2: channels that are neither RGB, RGBA, red, nor red and green"},
	};
	const unsigned char block[16] = {0x17};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct buffer file = make_uastc(block);
		file.data[rows[i].at] = rows[i].value;
		expect_refusal_of(file.data, file.size, rows[i].text);
		buffer_finish(&file);
	}
}

/* The keys and values of a file: one pair behind its block. */
static struct buffer with_pair(const char *pair, size_t size) {
	const unsigned char block[16] = {0x17};
	struct buffer file = make_uastc(block);
	const uint32_t at = (uint32_t)file.size, bytes = (uint32_t)size + 4;
	memcpy(file.data + 56, &at, 4);
	memcpy(file.data + 60, &bytes, 4);
	put_u32(&file, (uint32_t)size);
	buffer_append(&file, pair, size);
	return file;
}

static void holds_orientation_and_swizzle_to_the_extension(void **state) {
	(void)state;
	static const struct {
		const char *pair, *text; // NULL: accepted
		size_t size;
	} rows[] = {
		{"KTXorientation\0rd", NULL, 18},
		{"KTXorientation\0ru", "KTX 2: KTXorientation must be rd", 18},
		{"KTXorientation\0", "KTX 2: KTXorientation must be rd", 15},
		{"KTXswizzle\0rgba", NULL, 16},
		{"KTXswizzle\0bgra", "KTX 2: KTXswizzle must be rgba", 16},
		{"KTXwriter", "KTX 2: a key does not end", 9},
		{"other\0", NULL, 6},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct buffer file = with_pair(rows[i].pair, rows[i].size);
		unsigned char black[16][4] = {0};
		if (rows[i].text) {
			expect_refusal_of(file.data, file.size, rows[i].text);
			buffer_finish(&file);
		} else {
			expect_pixels(&file, black);
		}
	}
	struct buffer file = with_pair("other\0", 6);
	file.data[file.size - 10] = 7;
	expect_refusal_of(file.data, file.size, "KTX 2: a key and its value are cut off");
	buffer_finish(&file);
}

/* Level 0 comes last: each shorter file lacks a part of it. */
static void refuses_every_part_of_a_file(void **state) {
	(void)state;
	static const char *const names[] = {
		"etc1s", "etc1s-alpha", "etc1s-red", "etc1s-red-green", "uastc", "uastc-zstandard"};
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		char path[100];
		snprintf(path, sizeof path, SEEDS "%s.ktx2", names[i]);
		struct buffer file = own_file(path);
		for (size_t cut = 12; cut < file.size; cut++) {
			unsigned char *part = malloc(cut); // so that sanitizers see what is beyond
			memcpy(part, file.data, cut);
			expect_refusal_of(part, cut, "KTX 2: ");
			free(part);
		}
		struct image image;
		assert_true(image_decode(file.data, file.size, SIZE_MAX, &image, NULL));
		free(image.rgba);
		buffer_finish(&file);
	}
}

static int load_zstd(void **state) {
	(void)state;
	return delayed_load(&delayed_zstd, NULL) ? 0 : -1;
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_what_the_extension_does_not_allow),
		cmocka_unit_test(holds_orientation_and_swizzle_to_the_extension),
		cmocka_unit_test(refuses_every_part_of_a_file),
		cmocka_unit_test(refuses_broken_etc1s),
		cmocka_unit_test(refuses_reserved_modes_and_patterns),
		cmocka_unit_test(decodes_an_etc1s_block),
		cmocka_unit_test(decodes_a_block_of_one_color),
		cmocka_unit_test(decodes_an_interpolated_block),
	};
	return cmocka_run_group_tests(tests, load_zstd, NULL);
}
