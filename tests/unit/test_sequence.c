// Sequences read back by programs that are not ours, frame by frame.
#include "image/sequence.h"

#include <malloc.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "check.h"
#include "sheet.h"

/* The script's exit status without a decoder. */
#define MISSING 77

/* The input of a file, and the expected output. */
struct film {
	struct sequence_settings settings;
	unsigned char *rgba; // [count][height][width][4]
	struct buffer map;   // of a sheet
};

static size_t frame_bytes(const struct sequence_settings *settings) {
	return (size_t)settings->width * (size_t)settings->height * 4;
}

static unsigned char noise(unsigned *state) {
	*state = *state * 1664525u + 1013904223u;
	return (unsigned char)(*state >> 24);
}

/* A picture that moves: slopes of colour on the left, noise with all alphas on the right but where
 * something may be lost, and nothing at all in the lowest rows. */
static struct film film_draw(struct sequence_settings settings) {
	struct film film = {settings, xcalloc(frame_bytes(&settings), settings.count), {0}};
	unsigned char *pixel = film.rgba;
	unsigned state = 7;
	for (size_t i = 0; i < settings.count; i++) {
		for (int y = 0; y < settings.height; y++) {
			for (int x = 0; x < settings.width; x++, pixel += 4) {
				const bool left = settings.lossy || x * 2 <= settings.width;
				pixel[0] =
					left ? (unsigned char)(x * 5 + (int)i * 9) : noise(&state);
				pixel[1] = left ? (unsigned char)(y * 3) : noise(&state);
				pixel[2] = left ? (unsigned char)(255 - x - y) : noise(&state);
				pixel[3] = left || settings.has_background ? 255 : noise(&state);
				if (!settings.has_background && y > settings.height * 3 / 4) {
					memset(pixel, 0, 4);
				}
			}
		}
	}
	return film;
}

static struct film film_make(struct sequence_settings settings) {
	struct film film = film_draw(settings);
	const struct sheet_layout layout = sequence_sheet_layout(&settings);
	const struct sheet_map map = {layout.columns, layout.rows, settings.count, settings.width,
		settings.height, 1 / settings.fps, settings.begins_s};
	sheet_write_map(&map, &film.map);
	buffer_append(&film.map, "", 1);
	film.settings.map = (const char *)film.map.data;
	return film;
}

static void film_finish(struct film *film) {
	free(film->rgba);
	buffer_finish(&film->map);
}

static struct buffer write_film(const struct sequence_format *format, const struct film *film) {
	struct error err = {0};
	struct buffer out = {0};
	const struct sequence_settings *settings = &film->settings;
	if (!sequence_check(format, settings, &err)) {
		fail_msg("%s", err.text);
	}
	void *sequence = format->open(settings, &out, &err);
	assert_non_null(sequence);
	for (size_t i = 0; i < settings->count; i++) {
		struct buffer packed = {0};
		const unsigned char *rgba = film->rgba + i * frame_bytes(settings);
		assert_true(format->pack(settings, rgba, &packed, &err));
		assert_true(format->add(sequence, &packed, &out, &err));
		buffer_finish(&packed);
	}
	assert_true(format->end(sequence, &out, &err));
	format->close(sequence);
	return out;
}

/* The path of a new file of these bytes; free() it. */
static char *file_of(const void *bytes, size_t size) {
	char path[] = "/tmp/posed_sequence_XXXXXX";
	const int file = mkstemp(path);
	assert_true(file >= 0);
	assert_int_equal(write(file, bytes, size), (ssize_t)size);
	close(file);
	return xstrndup(path, strlen(path));
}

/* The script's description of a sequence, line by line; free() it. */
static char *read_back(const char *name, const struct film *film, const struct buffer *file) {
	const struct sequence_settings *settings = &film->settings;
	char *path = file_of(file->data, file->size);
	char *pixels = file_of(film->rgba, frame_bytes(settings) * settings->count);
	char command[512];
	snprintf(command, sizeof command,
		"/usr/bin/python3 tests/unit/read_sequence.py %s %s %s %d %d 2>&1", name, path,
		pixels, settings->width, settings->height);
	FILE *stream = popen(command, "r");
	assert_non_null(stream);
	char *said = xcalloc(1, 65536);
	fread(said, 1, 65535, stream);
	const int status = WEXITSTATUS(pclose(stream));
	unlink(path);
	unlink(pixels);
	free(path);
	free(pixels);
	if (status == MISSING) {
		free(said);
		print_message("SKIPPED: nothing here reads %s\n", name);
		skip();
	}
	if (status != 0) {
		fail_msg("%s of %d x %d: %s", name, settings->width, settings->height, said);
	}
	return said;
}

/* The allowed deviation of each frame from its source. */
struct bound {
	int greatest;  // difference of a colour's number
	double psnr;   // dB, at least
	int alpha;     // difference
	double lag_ms; // that its time may be off
};

/* Writes and reads a film. Returns the times it is played, -1 = not told. */
static int hold_film(const char *name, const struct film *film, const struct bound *bound) {
	const struct sequence_settings *settings = &film->settings;
	struct buffer file = write_film(sequence_format_named(name), film);
	char *said = read_back(name, film, &file);
	char *line = said;
	for (size_t i = 0; i < settings->count; i++) {
		const double shown_s =
			sequence_begin_s(settings, i + 1) - sequence_begin_s(settings, i);
		int greatest, alpha, used;
		double psnr, milliseconds;
		if (sscanf(line, "%d %lf %d %lf\n%n", &greatest, &psnr, &alpha, &milliseconds,
			    &used) < 4) {
			fail_msg("%s: frame %zu: %s", name, i, line);
		}
		if (greatest > bound->greatest || psnr < bound->psnr || alpha > bound->alpha ||
			fabs(milliseconds - 1000 * shown_s) > bound->lag_ms) {
			fail_msg("%s of %d x %d, frame %zu: greatest %d, %g dB, alpha %d, %g ms",
				name, settings->width, settings->height, i, greatest, psnr, alpha,
				milliseconds);
		}
		line += used;
	}
	int loops = -1;
	sscanf(line, "loops %d", &loops);
	free(said);
	buffer_finish(&file);
	return loops;
}

static int hold(
	const char *name, const struct sequence_settings *settings, const struct bound *bound) {
	struct film film = film_make(*settings);
	const int loops = hold_film(name, &film, bound);
	film_finish(&film);
	return loops;
}

static const struct bound exact = {0, 999, 0, 0.001};

static const double uneven[] = {0, 0.1, 0.5, 0.54, 1.04};

static const struct sequence_settings films[] = {
	{.width = 1, .height = 1, .count = 1, .fps = 1, .loops = 3},
	{.width = 67, .height = 41, .count = 7, .fps = 24},
	{.width = 64, .height = 64, .count = 3, .fps = 30000.0 / 1001, .loops = 1, .columns = 2},
	{.width = 4096, .height = 2, .count = 2, .fps = 50, .columns = 1, .has_background = true},
	{.width = 66, .height = 42, .count = 4, .fps = 4 / 1.04, .begins_s = uneven},
};

#define FILM_COUNT (sizeof films / sizeof *films)

static void apng_is_what_went_in(void **state) {
	(void)state;
	const struct sequence_settings fast = {.width = 8, .height = 8, .count = 2, .fps = 1000};
	for (size_t i = 0; i < FILM_COUNT; i++) {
		const int loops = hold("apng", &films[i], &exact);
		assert_true(loops == films[i].loops || films[i].count == 1);
	}
	hold("apng", &fast, &exact);
}

/* Times are whole milliseconds; a single frame has none, for libwebpmux makes it a still. */
static void webp_is_what_went_in(void **state) {
	(void)state;
	for (size_t i = 0; i < FILM_COUNT; i++) {
		const struct bound bound = {0, 999, 0, films[i].count == 1 ? 1e9 : 1};
		const int loops = hold("webp", &films[i], &bound);
		assert_true(loops == films[i].loops || films[i].count == 1);
	}
}

static void a_webp_has_no_more_bytes_than_it_may(void **state) {
	(void)state;
	struct sequence_settings settings = films[1];
	struct film film = film_draw(settings);
	struct buffer out = {0}, packed = {0};
	struct error err = {0};
	assert_true(sequence_webp.pack(&settings, film.rgba, &packed, &err));
	settings.max_bytes = 2 * packed.size;
	void *sequence = sequence_webp.open(&settings, &out, &err);
	assert_true(sequence_webp.add(sequence, &packed, &out, &err));
	assert_true(sequence_webp.add(sequence, &packed, &out, &err));
	assert_false(sequence_webp.add(sequence, &packed, &out, &err));
	assert_int_equal(err.code, ERROR_TOO_LARGE);
	sequence_webp.close(sequence);
	buffer_finish(&packed);
	buffer_finish(&out);
	film_finish(&film);
}

/* Colours are whole in one of four pixels, but alphas are exact. */
static void lossy_webp_is_near(void **state) {
	(void)state;
	const struct bound bound = {255, 25, 0, 1};
	for (size_t i = 1; i < FILM_COUNT; i++) {
		struct sequence_settings settings = films[i];
		settings.lossy = true;
		hold("webp", &settings, &bound);
	}
}

/* Half of the film is noise, which 255 colours show badly, and worse where they are mixed. Times
 * are hundredths of a second. */
static void gif_is_near_where_there_is_something(void **state) {
	(void)state;
	static const struct bound bounds[] = {{100, 24, 128, 10}, {80, 25, 128, 10}};
	for (size_t i = 0; i < 2 * FILM_COUNT; i++) {
		struct sequence_settings settings = films[i / 2];
		settings.plain_colors = i % 2 == 1;
		const int loops = hold("gif", &settings, &bounds[i % 2]);
		// A file that is played once has no loop count; otherwise it is the number of
		// repetitions after the first time.
		const int expected = settings.loops ? settings.loops - 1 : 0;
		assert_int_equal(loops, settings.loops == 1 ? -1 : expected);
	}
}

static void a_gif_of_few_colours_is_exact(void **state) {
	(void)state;
	static const struct bound bound = {0, 999, 0, 10};
	static const unsigned char colors[][4] = {
		{0, 0, 0, 0}, {0, 0, 0, 255}, {255, 255, 255, 255}, {244, 242, 238, 255}};
	struct sequence_settings settings = {.width = 20, .height = 10, .count = 3, .fps = 25};
	struct film film = film_make(settings);
	for (size_t i = 0; i < frame_bytes(&settings) * settings.count; i += 4) {
		memcpy(film.rgba + i, colors[i / 4 % 7 % 4], 4);
	}
	hold_film("gif", &film, &bound);
	film_finish(&film);
}

static void a_gif_is_no_faster_than_it_would_be_shown(void **state) {
	(void)state;
	struct sequence_settings settings = {
		.width = 4, .height = 4, .count = 2, .fps = 51, .rate_pointer = "/times/fps"};
	struct error err = {0};
	assert_false(sequence_check(&sequence_gif, &settings, &err));
	assert_int_equal(err.code, ERROR_INVALID_VALUE);
	assert_string_equal(err.pointer, "/times/fps");
	settings.fps = 35 / (double)0.7f; // which is a little more than 50
	assert_true(sequence_check(&sequence_gif, &settings, &err));
	settings.fps = 2 / 0.5;
	settings.begins_s = (const double[]){0, 0.01, 0.5};
	assert_false(sequence_check(&sequence_gif, &settings, &err));
	settings.begins_s = NULL;
	settings.fps = 1 / 656.0;
	assert_false(sequence_check(&sequence_gif, &settings, &err));
}

static void a_sheet_is_what_went_in(void **state) {
	(void)state;
	for (size_t i = 0; i < FILM_COUNT; i++) {
		hold("sheet", &films[i], &exact);
	}
}

static void a_sheet_that_no_texture_can_be_is_refused(void **state) {
	(void)state;
	struct sequence_settings settings = {
		.width = 4096, .height = 4096, .count = 17, .fps = 1, .columns = 5};
	struct error err = {0};
	assert_false(sequence_check(&sequence_sheet, &settings, &err));
	assert_string_equal(err.pointer, "/columns");
	settings.columns = 0;
	err = (struct error){0};
	assert_false(sequence_check(&sequence_sheet, &settings, &err));
	assert_int_equal(err.code, ERROR_TOO_LARGE);
	settings.count = 16;
	assert_true(sequence_check(&sequence_sheet, &settings, &err));
}

static void sheets_are_about_square(void **state) {
	(void)state;
	static const struct {
		size_t count;
		int width, height, columns;
		size_t expected_columns, expected_rows;
	} rows[] = {
		{36, 256, 256, 0, 6, 6},
		{1, 9, 9, 0, 1, 1},
		{5, 10, 10, 0, 3, 2},
		{8, 100, 200, 0, 4, 2},
		{7, 10, 10, 100, 7, 1},
		{7, 10, 10, 2, 2, 4},
		{3, 4096, 1, 0, 1, 3},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct sheet_layout layout =
			sequence_sheet_layout(&(struct sequence_settings){.width = rows[i].width,
				.height = rows[i].height,
				.count = rows[i].count,
				.columns = rows[i].columns});
		assert_int_equal(layout.columns, rows[i].expected_columns);
		assert_int_equal(layout.rows, rows[i].expected_rows);
	}
}

static const struct bound untimed = {0, 999, 0, 1e9};

static void a_tar_is_what_went_in(void **state) {
	(void)state;
	for (size_t i = 0; i < FILM_COUNT; i++) {
		hold("tar", &films[i], &untimed);
	}
}

static void a_lossy_tar_has_jpegs(void **state) {
	(void)state;
	const struct bound bound = {30, 36, 0, 1e9};
	struct sequence_settings settings = films[1];
	struct error err = {0};
	settings.lossy = true;
	settings.quality = 95;
	assert_false(sequence_check(&sequence_tar, &settings, &err));
	assert_string_equal(err.pointer, "/background");
	settings.has_background = true;
	hold("tar", &settings, &bound);
}

/* Needs what FFmpeg may lack; then it must say so. */
static bool can_make(const char *name) {
	const struct sequence_settings settings = {
		.width = 2, .height = 2, .count = 1, .fps = 1, .has_background = true};
	struct error err = {0};
	if (sequence_check(sequence_format_named(name), &settings, &err)) {
		return true;
	}
	assert_int_equal(err.code, ERROR_NOT_ACCEPTABLE);
	assert_non_null(strstr(err.text, "FFmpeg"));
	print_message("SKIPPED: %s\n", err.text);
	return false;
}

static void mp4_is_near(void **state) {
	(void)state;
	// Sharp edges between strong colours have half their resolution.
	const struct bound bound = {200, 25, 0, 0.01};
	static const struct sequence_settings sizes[] = {
		{.width = 2, .height = 2, .count = 2, .fps = 1},
		{.width = 66, .height = 42, .count = 60, .fps = 24},
		{.width = 64, .height = 64, .count = 3, .fps = 30000.0 / 1001},
		{.width = 4096, .height = 64, .count = 2, .fps = 50},
		{.width = 66, .height = 42, .count = 4, .fps = 4 / 1.04, .begins_s = uneven},
	};
	if (!can_make("mp4")) {
		skip();
	}
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct sequence_settings settings = sizes[i];
		settings.lossy = settings.has_background = true;
		settings.quality = 100;
		hold("mp4", &settings, &bound);
	}
}

static void mp4_refuses_what_it_cannot_store(void **state) {
	(void)state;
	struct sequence_settings settings = {
		.width = 7, .height = 8, .count = 1, .fps = 1, .has_background = true};
	struct error err = {0};
	if (!can_make("mp4")) {
		skip();
	}
	assert_false(sequence_check(&sequence_mp4, &settings, &err));
	assert_string_equal(err.pointer, "/width");
	settings.width = 8;
	settings.height = 9;
	err = (struct error){0};
	assert_false(sequence_check(&sequence_mp4, &settings, &err));
	assert_string_equal(err.pointer, "/height");
	settings.height = 8;
	settings.has_background = false;
	err = (struct error){0};
	assert_false(sequence_check(&sequence_mp4, &settings, &err));
	assert_string_equal(err.pointer, "/background");
}

static void webm_is_near_alpha_and_all(void **state) {
	(void)state;
	if (!can_make("webm")) {
		skip();
	}
	for (size_t i = 0; i < FILM_COUNT; i++) {
		// A single frame has no rate, and a moment is a whole number of milliseconds.
		const double lag_ms = films[i].count == 1 ? 1e9 : films[i].begins_s ? 1 : 0.01;
		const struct bound bound = {200, 25, 12, lag_ms};
		struct sequence_settings settings = films[i];
		settings.lossy = true;
		settings.quality = 100;
		hold("webm", &settings, &bound);
	}
}

static void readers_without_animations_see_the_first_frame_of_apng(void **state) {
	(void)state;
	struct film film = film_make(
		(struct sequence_settings){.width = 50, .height = 30, .count = 3, .fps = 10});
	struct buffer file = write_film(&sequence_apng, &film);
	png_image image = {.version = PNG_IMAGE_VERSION};
	assert_true(png_image_begin_read_from_memory(&image, file.data, file.size));
	image.format = PNG_FORMAT_RGBA;
	unsigned char *read = xcalloc(1, PNG_IMAGE_SIZE(image));
	assert_true(png_image_finish_read(&image, NULL, read, 0, NULL));
	assert_memory_equal(read, film.rgba, frame_bytes(&film.settings));
	free(read);
	buffer_finish(&file);
	film_finish(&film);
}

static void the_same_frames_give_the_same_bytes(void **state) {
	(void)state;
	struct film film = film_make((struct sequence_settings){
		.width = 32, .height = 20, .count = 4, .fps = 12, .has_background = true});
	for (size_t i = 0; sequence_format(i); i++) {
		struct error err = {0};
		if (!sequence_check(sequence_format(i), &film.settings, &err)) {
			assert_int_equal(err.code, ERROR_NOT_ACCEPTABLE);
			continue;
		}
		struct buffer first = write_film(sequence_format(i), &film);
		struct buffer second = write_film(sequence_format(i), &film);
		assert_int_equal(first.size, second.size);
		assert_memory_equal(first.data, second.data, first.size);
		buffer_finish(&first);
		buffer_finish(&second);
	}
	film_finish(&film);
}

static void delays_are_the_fractions_that_were_meant(void **state) {
	(void)state;
	static const struct {
		double fps;
		unsigned numerator, denominator;
	} rows[] = {
		{24, 1, 24},
		{30000.0 / 1001, 1001, 30000},
		{23.976, 125, 2997},
		{1, 1, 1},
		{0.5, 2, 1},
		{0.01, 100, 1},
		{1000, 1, 1000},
		{12.5, 2, 25},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct sequence_delay delay = sequence_delay(rows[i].fps);
		if (delay.numerator != rows[i].numerator ||
			delay.denominator != rows[i].denominator) {
			fail_msg("%g: %u / %u", rows[i].fps, delay.numerator, delay.denominator);
		}
	}
}

/* Opens a file of two frames, adds one, and closes it there. */
static void abandon(const struct sequence_format *format, const struct film *film) {
	struct error err = {0};
	struct buffer out = {0}, packed = {0};
	void *sequence = format->open(&film->settings, &out, &err);
	assert_non_null(sequence);
	assert_true(format->pack(&film->settings, film->rgba, &packed, &err));
	assert_true(format->add(sequence, &packed, &out, &err));
	buffer_finish(&packed);
	buffer_finish(&out);
	format->close(sequence);
}

/* As when a client disconnects. The least that could stay each time is 32 bytes; the allocator's
 * own cache grows a little. AddressSanitizer counts by itself. */
static void abandoned_files_leave_nothing(void **state) {
	(void)state;
	const size_t times = 300;
	struct film film = film_make((struct sequence_settings){
		.width = 16, .height = 16, .count = 2, .fps = 10, .has_background = true});
	for (size_t i = 0; sequence_format(i); i++) {
		if (!sequence_check(sequence_format(i), &film.settings, NULL)) {
			continue; // FFmpeg may not be here
		}
		abandon(sequence_format(i), &film);
		const size_t before = mallinfo2().uordblks;
		for (size_t k = 0; k < times; k++) {
			abandon(sequence_format(i), &film);
		}
		const size_t after = mallinfo2().uordblks;
		if (after > before + 16 * times) {
			fail_msg("%s: %zu bytes became %zu", sequence_format(i)->name, before,
				after);
		}
	}
	film_finish(&film);
}

static void delays_of_any_rate_are_near(void **state) {
	(void)state;
	unsigned noises = 3;
	for (int i = 0; i < 100000; i++) {
		const unsigned number =
			noise(&noises) * 65536u + noise(&noises) * 256u + noise(&noises);
		const double fps = SEQUENCE_FPS_MIN *
			pow(SEQUENCE_FPS_MAX / SEQUENCE_FPS_MIN, number / 16777216.0);
		const struct sequence_delay delay = sequence_delay(fps);
		assert_in_range(delay.numerator, 1, 65535);
		assert_in_range(delay.denominator, 1, 65535);
		assert_near(delay.numerator * fps / delay.denominator, 1, 1e-3);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(apng_is_what_went_in),
		cmocka_unit_test(webp_is_what_went_in),
		cmocka_unit_test(a_webp_has_no_more_bytes_than_it_may),
		cmocka_unit_test(lossy_webp_is_near),
		cmocka_unit_test(gif_is_near_where_there_is_something),
		cmocka_unit_test(a_gif_of_few_colours_is_exact),
		cmocka_unit_test(a_gif_is_no_faster_than_it_would_be_shown),
		cmocka_unit_test(a_sheet_is_what_went_in),
		cmocka_unit_test(a_sheet_that_no_texture_can_be_is_refused),
		cmocka_unit_test(sheets_are_about_square),
		cmocka_unit_test(a_tar_is_what_went_in),
		cmocka_unit_test(a_lossy_tar_has_jpegs),
		cmocka_unit_test(mp4_is_near),
		cmocka_unit_test(mp4_refuses_what_it_cannot_store),
		cmocka_unit_test(webm_is_near_alpha_and_all),
		cmocka_unit_test(readers_without_animations_see_the_first_frame_of_apng),
		cmocka_unit_test(the_same_frames_give_the_same_bytes),
		cmocka_unit_test(delays_are_the_fractions_that_were_meant),
		cmocka_unit_test(delays_of_any_rate_are_near),
		cmocka_unit_test(abandoned_files_leave_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
