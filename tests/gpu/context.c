// A renderer with a context for the tests of this folder.
#include "context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct renderer *renderer;

static struct renderer *create(struct error *err) {
	const char *wanted = getenv("POSED_TEST_RENDERER");
	const struct renderer_options cpu = {.choice = RENDERER_CPU};
	const struct renderer_options gpu = {.choice = RENDERER_GPU};
	const struct renderer_options software = {.choice = RENDERER_SOFTWARE};
	if (wanted && strcmp(wanted, "cpu") == 0) {
		return renderer_create(&cpu, err);
	}
	struct error no_gpu = {0};
	struct renderer *found = renderer_create(&gpu, &no_gpu);
	return found ? found : renderer_create(&software, err);
}

struct renderer *gpu_test_renderer(void) {
	if (!renderer) {
		struct error err = {0};
		renderer = create(&err);
		if (!renderer) {
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
