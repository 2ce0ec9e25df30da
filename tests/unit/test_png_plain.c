// Plain PNGs against libpng, which reads the same files once they have a chunk that it alone skips.
#include "import/png_plain.h"

#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "check.h"

static unsigned seed;

static unsigned random_below(unsigned count) {
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % count;
}

/* --- Files --- */

static void put_number(unsigned char *bytes, uint32_t number) {
	for (int i = 0; i < 4; i++) {
		bytes[i] = (unsigned char)(number >> (24 - 8 * i));
	}
}

static void add_chunk(struct buffer *file, const char *type, const void *data, size_t size) {
	unsigned char number[4];
	put_number(number, (uint32_t)size);
	buffer_append(file, number, 4);
	const size_t start = file->size;
	buffer_append(file, type, 4);
	if (size > 0) {
		buffer_append(file, data, size);
	}
	put_number(number, crc32_gzip_refl(0, file->data + start, size + 4));
	buffer_append(file, number, 4);
}

struct picture {
	unsigned width, height, channels;
	const unsigned char *filtered; // rows with their filters' numbers
	size_t filtered_bytes;
	unsigned piece;   // bytes of a chunk of pixels; 0 = all
	unsigned adler;   // added to the checksum
	const char *more; // a chunk before the pixels; NULL = none
};

static struct buffer deflated(const struct picture *picture) {
	struct buffer out = {0};
	const size_t room = picture->filtered_bytes * 2 + 1000;
	buffer_reserve(&out, room);
	struct isal_zstream stream;
	isal_deflate_stateless_init(&stream);
	stream.next_in = (unsigned char *)(uintptr_t)picture->filtered;
	stream.avail_in = (uint32_t)picture->filtered_bytes;
	stream.next_out = out.data;
	stream.avail_out = (uint32_t)room;
	stream.end_of_stream = 1;
	stream.gzip_flag = IGZIP_ZLIB;
	assert_int_equal(isal_deflate_stateless(&stream), COMP_OK);
	out.size = stream.total_out;
	out.data[out.size - 1] = (unsigned char)(out.data[out.size - 1] + picture->adler);
	return out;
}

static struct buffer make_file(const struct picture *picture) {
	struct buffer file = {0};
	unsigned char head[13] = {[8] = 8, [9] = picture->channels == 4 ? 6 : 2};
	put_number(head, picture->width);
	put_number(head + 4, picture->height);
	buffer_append(&file, "\x89PNG\r\n\x1a\n", 8);
	add_chunk(&file, "IHDR", head, sizeof head);
	if (picture->more) {
		add_chunk(&file, picture->more, "\0\0\0\1", 4);
	}
	struct buffer pixels = deflated(picture);
	const size_t piece = picture->piece ? picture->piece : pixels.size;
	for (size_t at = 0; at < pixels.size; at += piece) {
		const size_t left = pixels.size - at;
		add_chunk(&file, "IDAT", pixels.data + at, left < piece ? left : piece);
		if (picture->piece == 1) {
			add_chunk(&file, "IDAT", "", 0);
		}
	}
	add_chunk(&file, "IEND", "", 0);
	buffer_finish(&pixels);
	return file;
}

/* Rows of random filters and numbers: small ones, or of the whole range. */
static unsigned char *random_rows(struct picture *picture, int filter) {
	const size_t stride = 1 + picture->width * picture->channels;
	picture->filtered_bytes = stride * picture->height;
	unsigned char *rows = malloc(picture->filtered_bytes);
	for (size_t i = 0; i < picture->filtered_bytes; i++) {
		rows[i] = (unsigned char)random_below(i % 3 ? 256 : 4);
	}
	for (size_t y = 0; y < picture->height; y++) {
		rows[y * stride] = (unsigned char)(filter < 0 ? (int)random_below(5) : filter);
	}
	picture->filtered = rows;
	return rows;
}

/* --- Comparisons --- */

/* The file as libpng reads it: with a chunk that nobody knows behind its head, if it has one. */
static struct buffer for_libpng(const unsigned char *bytes, size_t size) {
	struct buffer file = {0};
	const size_t head = size < 33 ? size : 33;
	buffer_append(&file, bytes, head);
	if (size >= 33) {
		add_chunk(&file, "vpAg", "", 0);
	}
	if (size > head) {
		buffer_append(&file, bytes + head, size - head);
	}
	return file;
}

/* Both read the same pixels, or refuse with the same words. True if they read. */
static bool agree(const unsigned char *bytes, size_t size) {
	struct buffer other = for_libpng(bytes, size);
	struct error err = {0}, why = {0};
	struct image image, expected;
	const bool read = image_decode(bytes, size, 1 << 24, &image, &err);
	const bool expects = image_decode(other.data, other.size, 1 << 24, &expected, &why);
	if (read != expects || strcmp(err.text, why.text) != 0) {
		fail_msg("%d \"%s\", libpng %d \"%s\"", read, err.text, expects, why.text);
	}
	if (read) {
		assert_int_equal(image.width, expected.width);
		assert_int_equal(image.height, expected.height);
		assert_memory_equal(
			image.rgba, expected.rgba, (size_t)image.width * (size_t)image.height * 4);
	}
	free(image.rgba);
	free(expected.rgba);
	buffer_finish(&other);
	return read;
}

static bool is_plain(const struct buffer *file) {
	const struct image_source source = {file->data, file->size, 1 << 24};
	struct image image = {0};
	const bool plain = png_plain_decode(&source, &image);
	assert_int_equal(plain, image.rgba != NULL);
	free(image.rgba);
	return plain;
}

static void expect_plain(struct picture picture, int filter) {
	unsigned char *rows = random_rows(&picture, filter);
	struct buffer file = make_file(&picture);
	assert_true(is_plain(&file));
	assert_true(agree(file.data, file.size));
	buffer_finish(&file);
	free(rows);
}

static void all_filters_and_shapes_have_libpng_s_pixels(void **state) {
	(void)state;
	for (unsigned channels = 3; channels <= 4; channels++) {
		for (int filter = -1; filter < 5; filter++) {
			for (unsigned width = 1; width < 8; width++) {
				for (unsigned height = 1; height < 5; height++) {
					expect_plain((struct picture){.width = width,
							     .height = height,
							     .channels = channels},
						filter);
				}
			}
			expect_plain(
				(struct picture){.width = 333, .height = 301, .channels = channels},
				filter);
		}
	}
}

static void pixels_may_come_in_pieces(void **state) {
	(void)state;
	static const unsigned pieces[] = {1, 2, 5, 4000, 32768};
	for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
		const unsigned side = pieces[i] < 100 ? 9 : 200;
		expect_plain((struct picture){.width = side,
				     .height = side,
				     .channels = 4,
				     .piece = pieces[i],
				     .more = "gAMA"},
			-1);
	}
}

static struct buffer small_file(unsigned adler, const char *more, unsigned short_by, int filter) {
	struct picture picture = {
		.width = 5, .height = 6, .channels = 3, .piece = 40, .adler = adler, .more = more};
	unsigned char *rows = random_rows(&picture, filter);
	picture.filtered_bytes -= short_by;
	picture.height -= short_by == 0 ? 1 : 0;
	struct buffer file = make_file(&picture);
	free(rows);
	return file;
}

static void what_is_not_plain_is_libpng_s(void **state) {
	(void)state;
	static const struct {
		unsigned adler;
		const char *more;
		unsigned short_by;
		int filter;
		bool read;
	} cases[] = {
		{1, NULL, 0, -1, true},   // more rows than the head says, and another checksum
		{0, NULL, 0, -1, true},   // more rows
		{0, "tRNS", 0, -1, true}, // broken: two of its bytes are too few
		{0, "sPLT", 0, -1, true},
		{0, NULL, 1, -1, false}, // a byte too few
		{0, NULL, 0, 5, false},  // no such filter
		{0, "PLTE", 0, -1, true},
		{0, "BaDc", 0, -1, false},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buffer file = small_file(
			cases[i].adler, cases[i].more, cases[i].short_by, cases[i].filter);
		assert_false(is_plain(&file));
		if (agree(file.data, file.size) != cases[i].read) {
			fail_msg("case %zu", i);
		}
		buffer_finish(&file);
	}
}

static void cut_and_damaged_files_are_what_libpng_makes_of_them(void **state) {
	(void)state;
	struct picture picture = {.width = 5, .height = 6, .channels = 3, .piece = 40};
	unsigned char *rows = random_rows(&picture, -1);
	struct buffer file = make_file(&picture);
	assert_true(is_plain(&file));
	for (size_t cut = 8; cut < file.size; cut++) {
		unsigned char *part =
			malloc(cut); // so that a sanitizer sees what is read behind it
		memcpy(part, file.data, cut);
		agree(part, cut);
		free(part);
	}
	for (size_t i = 8; i < file.size; i++) {
		for (int bit = 0; bit < 8; bit++) {
			file.data[i] ^= (unsigned char)(1 << bit);
			agree(file.data, file.size);
			file.data[i] ^= (unsigned char)(1 << bit);
		}
	}
	buffer_finish(&file);
	free(rows);
}

/* Damage that checksums do not tell: each bit of the stream, in chunks with the right ones. */
static void damaged_streams_are_what_libpng_makes_of_them(void **state) {
	(void)state;
	struct picture picture = {.width = 7, .height = 5, .channels = 4};
	unsigned char *rows = random_rows(&picture, -1);
	struct buffer file = make_file(&picture);
	const size_t start = 33 + 8, end = file.size - 12 - 4;
	for (size_t i = start; i < end; i++) {
		for (int bit = 0; bit < 8; bit++) {
			file.data[i] ^= (unsigned char)(1 << bit);
			put_number(file.data + end,
				crc32_gzip_refl(0, file.data + start - 4, end - start + 4));
			agree(file.data, file.size);
			file.data[i] ^= (unsigned char)(1 << bit);
		}
	}
	buffer_finish(&file);
	free(rows);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_filters_and_shapes_have_libpng_s_pixels),
		cmocka_unit_test(pixels_may_come_in_pieces),
		cmocka_unit_test(what_is_not_plain_is_libpng_s),
		cmocka_unit_test(cut_and_damaged_files_are_what_libpng_makes_of_them),
		cmocka_unit_test(damaged_streams_are_what_libpng_makes_of_them),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
