// A renderer with a context for the tests of this folder.
#include "context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct renderer *renderer;

struct renderer *gpu_test_renderer(void) {
	if (!renderer) {
		const struct renderer_options options = {.choice = RENDERER_AUTO};
		struct error err = {0};
		renderer = renderer_create(&options, &err);
		if (!renderer || strcmp(renderer_info(renderer)->device, "none") == 0) {
			printf("no driver: %s\n", err.text);
			exit(EXIT_NO_DEVICE);
		}
	}
	return renderer;
}

void gpu_test_finish(void) {
	renderer_destroy(renderer);
	renderer = NULL;
}
