// What the facts about graphics mean, and what to do.
#include "doctor/doctor_graphics.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "doctor/doctor_note.h"
#include "doctor/doctor_nvidia.h"

#define INSTALL_EGL \
	"apt-get install libegl1 libgles2 libgl1-mesa-dri (Debian, Ubuntu); the last one draws " \
	"without a GPU, too."
#define INSTALL_MESA "apt-get install libegl-mesa0 libgl1-mesa-dri (Debian, Ubuntu)."

/* Nothing can be drawn, which matters only if something is to be. */
static enum finding_level missing_level(const struct doctor *doctor) {
	return doctor->config->renderer == RENDERER_NONE ? FINDING_WARN : FINDING_FAIL;
}

static bool judge_libraries(struct doctor *doctor, const struct graphics_facts *facts) {
	if (*facts->crash) {
		doctor_note(doctor, missing_level(doctor), "libraries",
			"A driver that libEGL loads is broken: take its package out or install it "
			"anew; __EGL_VENDOR_LIBRARY_FILENAMES names the driver files to use.",
			"loading libEGL %s", facts->crash);
		return false;
	}
	if (*facts->survey.missing) {
		doctor_note(doctor, missing_level(doctor), "libraries", INSTALL_EGL, "%s",
			facts->survey.missing);
		return false;
	}
	doctor_note(doctor, FINDING_OK, "libraries", NULL, "libEGL and libGLESv2 are there%s",
		facts->survey.dispatched ? ", libglvnd's" : "");
	return true;
}

/* An environment variable that leads drivers astray is the first suspect. */
static const char *vendor_advice(void) {
	return getenv("__EGL_VENDOR_LIBRARY_FILENAMES")
		? "Unset __EGL_VENDOR_LIBRARY_FILENAMES, or name a driver's file with it."
		: getenv("__EGL_VENDOR_LIBRARY_DIRS")
		? "Unset __EGL_VENDOR_LIBRARY_DIRS, or name a folder of drivers' files with it."
		: INSTALL_MESA;
}

static void judge_vendors(struct doctor *doctor, const struct vendor_facts *vendors) {
	int usable = 0;
	for (int i = 0; i < vendors->count; i++) {
		const struct vendor_file *file = &vendors->files[i];
		if (*file->failure) {
			doctor_note(doctor, FINDING_WARN, "driver file",
				doctor_text(doctor,
					"Install the package that %s belongs to, or "
					"take %s away.",
					*file->library ? file->library : "it", file->path),
				"%s: %s", file->path, file->failure);
		} else {
			doctor_note(doctor, FINDING_OK, "driver file", NULL, "%s names %s",
				file->path, file->library);
			usable++;
		}
	}
	if (usable == 0) {
		doctor_note(doctor, missing_level(doctor), "driver file", vendor_advice(),
			"libEGL finds no driver: no *.json in %s names one that can be loaded",
			vendors->places);
	}
}

static int is_mesa_driver(const struct dirent *entry) {
	const size_t length = strlen(entry->d_name);
	return length > 7 && strcmp(entry->d_name + length - 7, "_dri.so") == 0;
}

/* Settings that make drivers do what nobody expects. */
static void judge_environment(struct doctor *doctor) {
	const char *path = getenv("LIBGL_DRIVERS_PATH");
	struct dirent **entries = NULL;
	const int count = path ? scandir(path, &entries, is_mesa_driver, NULL) : 1;
	for (int i = 0; path && i < count; i++) {
		free(entries[i]);
	}
	free(entries);
	if (count <= 0) {
		doctor_note(doctor, FINDING_WARN, "environment", "Unset LIBGL_DRIVERS_PATH.",
			"LIBGL_DRIVERS_PATH is %s, where Mesa finds none of its drivers (*_dri.so)",
			path);
	}
	const char *width = getenv("LP_NATIVE_VECTOR_WIDTH");
	if (width && strcmp(width, "512") == 0) {
		doctor_note(doctor, FINDING_WARN, "environment", "Unset LP_NATIVE_VECTOR_WIDTH.",
			"LP_NATIVE_VECTOR_WIDTH=512 crashes llvmpipe");
	}
	const char *software = getenv("LIBGL_ALWAYS_SOFTWARE");
	if (software && strcmp(software, "0") != 0 && strcmp(software, "false") != 0) {
		doctor_note(doctor, FINDING_WARN, "environment",
			"Unset LIBGL_ALWAYS_SOFTWARE where a GPU is to draw.",
			"LIBGL_ALWAYS_SOFTWARE=%s keeps Mesa from using a GPU", software);
	}
}

/* How a way ended, in the words of whoever knows best. */
static const char *way_failure(struct doctor *doctor, const struct way_facts *facts) {
	return doctor_text(doctor, "%s%s%s%s%s", facts->crash,
		*facts->crash && *facts->way.failure ? ", " : "", facts->way.failure,
		*facts->words ? "; the driver says: " : "", facts->words);
}

static bool works(const struct way_facts *facts) {
	return !*facts->crash && !*facts->way.failure;
}

/* A way before the i-th that came to the same driver, or NULL. */
static const struct renderer_way *twin(const struct graphics_facts *facts, int i) {
	const struct renderer_way *way = &facts->ways[i].way;
	for (int k = 0; k < i; k++) {
		const struct renderer_way *other = &facts->ways[k].way;
		if (works(&facts->ways[k]) && strcmp(other->renderer, way->renderer) == 0 &&
			strcmp(other->version, way->version) == 0) {
			return other;
		}
	}
	return NULL;
}

static void judge_working_way(struct doctor *doctor, const struct renderer_way *way) {
	doctor_note(doctor, FINDING_OK, way->name, NULL,
		"%s%s%s, %s (%s), draws on the %s; pictures to %d x %d with %d samples, textures "
		"to %d, vertex buffers to %d MiB, work groups to %d; %s; context after %.0f ms, "
		"everything drawn once %.0f ms later",
		way->file, *way->file ? ": " : "", way->renderer, way->version, way->vendor,
		way->software ? "CPU" : "GPU", way->max_size, way->max_size, way->max_samples,
		way->max_texture, way->storage_mib, way->compute_invocations,
		way->robust ? "says when its context is lost"
			    : "does not say when its context is lost",
		way->context_s * 1e3, way->picture_s * 1e3);
}

/* A device that is not usable is one too few; the platforms are other doors to the same drivers. */
static void judge_way(
	struct doctor *doctor, const struct graphics_facts *facts, int i, bool other_works) {
	const struct way_facts *way = &facts->ways[i];
	// Without a name the process did not get that far.
	const char *name = *way->way.name ? way->way.name : "a way to a driver";
	const struct renderer_way *same = twin(facts, i);
	if (works(way) && same && i >= facts->survey.device_count) {
		doctor_note(doctor, FINDING_OK, name, NULL, "comes to the same driver as %s",
			same->name);
	} else if (works(way)) {
		judge_working_way(doctor, &way->way);
	} else if (other_works && i >= facts->survey.device_count && !*way->crash) {
		doctor_note(doctor, FINDING_OK, name, NULL, "is not to be had, and not needed: %s",
			way_failure(doctor, way));
	} else {
		doctor_note(doctor, FINDING_WARN, name,
			i < facts->survey.device_count
				? "Mesa's drivers come with apt-get install libgl1-mesa-dri; on "
				  "others see the findings above."
				: NULL,
			"%s", way_failure(doctor, way));
	}
}

static void judge_ways(struct doctor *doctor, const struct graphics_facts *facts) {
	if (facts->survey.device_count == 0) {
		doctor_note(doctor, FINDING_WARN, "devices", vendor_advice(),
			"EGL lists no device at all, not even one that is software");
	}
	bool any = false;
	for (int i = 0; i < facts->way_count; i++) {
		any |= works(&facts->ways[i]);
	}
	for (int i = 0; i < facts->way_count; i++) {
		judge_way(doctor, facts, i, any);
	}
}

static const char *choice_name(enum renderer_choice choice) {
	static const char *const names[] = {
		[RENDERER_AUTO] = "auto",
		[RENDERER_GPU] = "gpu",
		[RENDERER_SOFTWARE] = "software",
		[RENDERER_NONE] = "none",
	};
	return names[choice];
}

static void judge_choice(struct doctor *doctor, const struct graphics_facts *facts) {
	const enum renderer_choice choice = doctor->config->renderer;
	const struct way_facts *chosen = &facts->choice;
	const char *name = choice_name(choice);
	if (choice == RENDERER_NONE) {
		doctor_note(doctor, FINDING_OK, "renderer", NULL,
			"--renderer none: poses and vertices on the CPU, no pictures");
	} else if (!works(chosen)) {
		doctor_note(doctor, FINDING_FAIL, "renderer",
			"See the findings above; --renderer none serves poses and vertices without "
			"any driver.",
			"--renderer %s: %s%s", name, chosen->crash, chosen->way.failure);
	} else if (choice == RENDERER_AUTO && chosen->way.software) {
		doctor_note(doctor, FINDING_WARN, "renderer",
			doctor_has_gpu(&facts->gpu)
				? "See the findings above on why the GPU is not used; --renderer "
				  "gpu refuses to start without it."
				: "Fine for small pictures; --renderer software says that this is "
				  "meant.",
			"--renderer auto draws on the CPU with %s%s", chosen->way.renderer,
			doctor_has_gpu(&facts->gpu) ? ", though there is a GPU" : "");
	} else {
		doctor_note(doctor, FINDING_OK, "renderer", NULL,
			"--renderer %s draws on the %s with %s", name,
			chosen->way.software ? "CPU" : "GPU", chosen->way.renderer);
	}
}

void doctor_judge_graphics(struct doctor *doctor, const struct graphics_facts *facts) {
	doctor_judge_nvidia(doctor, facts);
	doctor_judge_render_nodes(doctor, &facts->gpu);
	if (judge_libraries(doctor, facts)) {
		if (facts->survey.dispatched) {
			judge_vendors(doctor, &facts->vendors);
		}
		judge_environment(doctor);
		judge_ways(doctor, facts);
	}
	judge_choice(doctor, facts);
}
