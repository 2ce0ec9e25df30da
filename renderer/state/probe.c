// Probes EGL and its displays: each is used up to a drawn picture.
#include <dlfcn.h>
#include <string.h>

#include "base/clock.h"
#include "base/lanes.h"
#include "base/utf8.h"
#include "interface/probe.h"
#include "state/context.h"
#include "state/state.h"

static void copy_text(char *out, size_t room, const char *text) {
	const size_t length = strnlen(text, room - 1);
	memcpy(out, text, length);
	out[length] = '\0';
	utf8_trim(out);
}

int renderer_cpu_lanes(void) {
	return LANES_CPU_HAS_AVX2() ? 8 : 4;
}

void renderer_probe_egl(struct renderer_egl *out) {
	*out = (struct renderer_egl){0};
	struct error err = {0};
	struct back_end_display displays[BACK_END_DISPLAYS_MAX];
	const size_t count = gl_back_end.list_displays(displays, &err);
	if (count == 0) {
		copy_text(out->missing, sizeof out->missing, err.text);
		return;
	}
	out->dispatched = dlopen("libGLdispatch.so.0", RTLD_LAZY | RTLD_NOLOAD) != NULL;
	out->display_count = (int)count;
	for (size_t i = 0; i < count; i++) {
		out->device_count += displays[i].device;
	}
}

/* Fills in the properties of a context. */
static void describe(const struct renderer *renderer, struct renderer_display *out) {
	const struct renderer_info *info = renderer_info(renderer);
	copy_text(out->vendor, sizeof out->vendor, info->vendor);
	copy_text(out->renderer, sizeof out->renderer, info->renderer);
	copy_text(out->version, sizeof out->version, info->version);
	struct back_end_info found;
	renderer->back_end->kind->describe(renderer->back_end, &found);
	out->software = found.software;
	out->robust = found.robust;
	out->max_size = found.max_size;
	out->max_samples = found.max_samples;
	out->max_texture = found.max_texture;
	out->storage_mib = found.storage_mib;
	out->compute_invocations = found.compute_invocations;
}

/* only: as in struct back_end_params. */
static void probe(enum renderer_choice choice, int only, struct renderer_display *out) {
	const struct renderer_options options = {.choice = choice};
	struct renderer *renderer = renderer_begin(&options);
	renderer->only = only;
	struct error err = {0};
	double mark = clock_now_s();
	bool ok = context_start(renderer, &err);
	out->context_s = clock_lap_s(&mark);
	if (renderer->back_end) {
		describe(renderer, out);
		ok = renderer_warm_up(renderer, &err);
		out->picture_s = clock_lap_s(&mark);
	}
	if (!ok) {
		copy_text(out->failure, sizeof out->failure, err.text);
	}
	renderer_destroy(renderer);
}

void renderer_probe_display(int i, struct renderer_display *out) {
	*out = (struct renderer_display){0};
	struct error err = {0};
	struct back_end_display displays[BACK_END_DISPLAYS_MAX];
	if ((size_t)i >= gl_back_end.list_displays(displays, &err)) {
		copy_text(out->failure, sizeof out->failure, err.text);
		return;
	}
	copy_text(out->name, sizeof out->name, displays[i].name);
	copy_text(out->file, sizeof out->file, displays[i].file);
	probe(RENDERER_AUTO, i + 1, out);
}

void renderer_probe_choice(enum renderer_choice choice, struct renderer_display *out) {
	*out = (struct renderer_display){0};
	probe(choice, 0, out);
}
