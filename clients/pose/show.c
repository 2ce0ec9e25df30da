// Pictures in terminals that can show them.
#include "show.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "files.h"
#include "show_ways.h"

#define PNGS "image/png image/apng"

static const struct {
	const char *name;
	const char *takes; // media types
	bool (*write)(const struct buffer *picture, struct buffer *out);
} ways[] = {
	{"kitty", PNGS, show_kitty},
	{"iterm2", PNGS " image/jpeg image/gif image/webp", show_iterm2},
	{"sixel", PNGS " image/jpeg image/gif", show_sixel},
};

#define WAY_COUNT (sizeof ways / sizeof *ways)

static size_t find(const char *name) {
	size_t i = 0;
	while (i < WAY_COUNT && strcmp(ways[i].name, name) != 0) {
		i++;
	}
	return i;
}

bool show_check(const char *way, const char *media_type) {
	const bool is_auto = strcmp(way, "auto") == 0;
	if (!is_auto && find(way) == WAY_COUNT) {
		fprintf(stderr, "pose: --show is auto, kitty, iterm2 or sixel, not \"%s\"\n", way);
		return false;
	}
	for (size_t i = 0; i < WAY_COUNT; i++) {
		// No media type is a part of another.
		if ((is_auto || i == find(way)) && strstr(ways[i].takes, media_type)) {
			return true;
		}
	}
	fprintf(stderr, "pose: --show %s takes no %s\n", way, media_type);
	return false;
}

/* NULL where there is none, which is said. */
static const char *choose(const char *way) {
	if (strcmp(way, "auto") != 0) {
		return way;
	}
	const char *detected = show_detect();
	if (!detected) {
		fprintf(stderr,
			"pose: this terminal does not say that it shows pictures; name the way: "
			"--show kitty, iterm2 or sixel\n");
	}
	return detected;
}

bool show_picture(const char *way, const struct buffer *picture) {
	struct buffer text = {0};
	const char *chosen = choose(way);
	bool fine = chosen && ways[find(chosen)].write(picture, &text);
	if (fine) {
		buffer_append(&text, "\n", 1);
		fine = fwrite(text.data, 1, text.size, stdout) == text.size && fflush(stdout) == 0;
	}
	buffer_finish(&text);
	return fine;
}
