// Sequences read back by programs that are not ours, frame by frame.
#include "image/sequence.h"

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "check.h"

/* The script's exit status without a decoder. */
#define MISSING 77

/* What is put into a file, and what must come out. */
struct film {
	struct sequence_settings settings;
	unsigned char *rgba; // [count][height][width][4]
};

static size_t frame_bytes(const struct sequence_settings *settings) {
	return (size_t)settings->width * (size_t)settings->height * 4;
}

static unsigned char noise(unsigned *state) {
	*state = *state * 1664525u + 1013904223u;
	return (unsigned char)(*state >> 24);
}

/* A picture that moves: slopes of colour on the left, noise with all alphas on the right, and
 * nothing at all in the lowest rows. */
static struct film film_make(struct sequence_settings settings) {
	struct film film = {settings, xcalloc(frame_bytes(&settings), settings.count)};
	unsigned char *pixel = film.rgba;
	unsigned state = 7;
	for (size_t i = 0; i < settings.count; i++) {
		for (int y = 0; y < settings.height; y++) {
			for (int x = 0; x < settings.width; x++, pixel += 4) {
				const bool left = x * 2 <= settings.width;
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

/* What the script says of a sequence, line by line; free() it. */
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

/* How near to its source each frame must be. */
struct bound {
	int greatest;  // difference of a colour's number
	double psnr;   // dB, at least
	int alpha;     // difference
	double lag_ms; // that its time may be off
};

/* Writes and reads a film. Returns the times it is played, -1 = not told. */
static int hold(
	const char *name, const struct sequence_settings *settings, const struct bound *bound) {
	const struct film film = film_make(*settings);
	struct buffer file = write_film(sequence_format_named(name), &film);
	char *said = read_back(name, &film, &file);
	char *line = said;
	for (size_t i = 0; i < settings->count; i++) {
		int greatest, alpha, used;
		double psnr, milliseconds;
		if (sscanf(line, "%d %lf %d %lf\n%n", &greatest, &psnr, &alpha, &milliseconds,
			    &used) < 4) {
			fail_msg("%s: frame %zu: %s", name, i, line);
		}
		if (greatest > bound->greatest || psnr < bound->psnr || alpha > bound->alpha ||
			fabs(milliseconds - 1000 / settings->fps) > bound->lag_ms) {
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
	free(film.rgba);
	return loops;
}

static const struct bound exact = {0, 999, 0, 0.001};

static void apng_is_what_went_in(void **state) {
	(void)state;
	static const struct sequence_settings films[] = {
		{.width = 1, .height = 1, .count = 2, .fps = 1, .loops = 3},
		{.width = 67, .height = 41, .count = 7, .fps = 24},
		{.width = 64, .height = 64, .count = 3, .fps = 30000.0 / 1001, .loops = 1},
		{.width = 4096, .height = 2, .count = 2, .fps = 1000},
	};
	for (size_t i = 0; i < sizeof films / sizeof *films; i++) {
		assert_int_equal(hold("apng", &films[i], &exact), films[i].loops);
	}
}

static void readers_without_animations_see_the_first_frame_of_apng(void **state) {
	(void)state;
	const struct film film = film_make(
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
	free(film.rgba);
}

static void the_same_frames_give_the_same_bytes(void **state) {
	(void)state;
	const struct film film = film_make((struct sequence_settings){
		.width = 32, .height = 20, .count = 4, .fps = 12, .has_background = true});
	for (size_t i = 0; sequence_format(i); i++) {
		struct buffer first = write_film(sequence_format(i), &film);
		struct buffer second = write_film(sequence_format(i), &film);
		assert_int_equal(first.size, second.size);
		assert_memory_equal(first.data, second.data, first.size);
		buffer_finish(&first);
		buffer_finish(&second);
	}
	free(film.rgba);
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

static void delays_of_any_rate_are_near(void **state) {
	(void)state;
	unsigned noises = 3;
	for (int i = 0; i < 100000; i++) {
		const unsigned number =
			noise(&noises) * 65536u + noise(&noises) * 256u + noise(&noises);
		const double fps = SEQUENCE_FPS_LEAST *
			pow(SEQUENCE_FPS_MOST / SEQUENCE_FPS_LEAST, number / 16777216.0);
		const struct sequence_delay delay = sequence_delay(fps);
		assert_in_range(delay.numerator, 1, 65535);
		assert_in_range(delay.denominator, 1, 65535);
		assert_near(delay.numerator * fps / delay.denominator, 1, 1e-3);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(apng_is_what_went_in),
		cmocka_unit_test(readers_without_animations_see_the_first_frame_of_apng),
		cmocka_unit_test(the_same_frames_give_the_same_bytes),
		cmocka_unit_test(delays_are_the_fractions_that_were_meant),
		cmocka_unit_test(delays_of_any_rate_are_near),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
