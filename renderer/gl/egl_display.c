// Finding displays and opening them.
#include "gl/egl.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

bool egl_has_extension(const char *list, const char *name) {
	const size_t length = strlen(name);
	for (const char *at = list; at && (at = strstr(at, name)); at += length) {
		const bool starts = at == list || at[-1] == ' ';
		if (starts && (at[length] == ' ' || at[length] == '\0')) {
			return true;
		}
	}
	return false;
}

static const char *error_word(EGLint code) {
	switch (code) {
	case EGL_SUCCESS:
		return "no error";
	case EGL_NOT_INITIALIZED:
		return "EGL_NOT_INITIALIZED";
	case EGL_BAD_ACCESS:
		return "EGL_BAD_ACCESS";
	case EGL_BAD_ALLOC:
		return "EGL_BAD_ALLOC";
	case EGL_BAD_ATTRIBUTE:
		return "EGL_BAD_ATTRIBUTE";
	case EGL_BAD_CONFIG:
		return "EGL_BAD_CONFIG";
	case EGL_BAD_DISPLAY:
		return "EGL_BAD_DISPLAY";
	case EGL_BAD_MATCH:
		return "EGL_BAD_MATCH";
	case EGL_BAD_PARAMETER:
		return "EGL_BAD_PARAMETER";
	default:
		return "an error";
	}
}

bool egl_fail(const char *call, struct error *err) {
	const EGLint code = eglGetError();
	return error_set(
		err, ERROR_NO_RENDERER, "%s: %s (0x%x)", call, error_word(code), (unsigned)code);
}

bool egl_load(struct error *err) {
	// libepoxy ends the process where a library is missing, so look first.
	static const char *const names[] = {"libEGL.so.1", "libGLESv2.so.2"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		// Never closed: the driver stays loaded for the life of the process anyway.
		if (!dlopen(names[i], RTLD_LAZY | RTLD_GLOBAL)) {
			return error_set(
				err, ERROR_NO_RENDERER, "cannot load %s: %s", names[i], dlerror());
		}
	}
	return true;
}

static struct egl_candidate describe_device(EGLDeviceEXT device, int number) {
	struct egl_candidate found = {
		.rank = EGL_RANK_DRM, .platform = EGL_PLATFORM_DEVICE_EXT, .native = device};
	snprintf(found.name, sizeof found.name, "device %d", number);
	const char *extensions = eglQueryDeviceStringEXT(device, EGL_EXTENSIONS);
	if (egl_has_extension(extensions, "EGL_NV_device_cuda")) {
		found.rank = EGL_RANK_CUDA;
	} else if (egl_has_extension(extensions, "EGL_MESA_device_software")) {
		found.rank = EGL_RANK_SOFTWARE;
	}
	if (egl_has_extension(extensions, "EGL_EXT_device_drm")) {
		const char *file = eglQueryDeviceStringEXT(device, EGL_DRM_DEVICE_FILE_EXT);
		snprintf(found.file, sizeof found.file, "%s", file ? file : "");
	}
	return found;
}

/* The best ranks first, those of a rank in EGL's order. */
static size_t list_devices(const char *client, struct egl_candidate *out) {
	EGLDeviceEXT devices[EGL_DEVICES_MAX];
	EGLint count = 0;
	if (!egl_has_extension(client, "EGL_EXT_platform_device") ||
		!egl_has_extension(client, "EGL_EXT_device_enumeration") ||
		!egl_has_extension(client, "EGL_EXT_device_query") ||
		!eglQueryDevicesEXT(EGL_DEVICES_MAX, devices, &count)) {
		return 0;
	}
	size_t found = 0;
	for (enum egl_rank rank = EGL_RANK_CUDA; rank <= EGL_RANK_SOFTWARE; rank++) {
		for (EGLint i = 0; i < count; i++) {
			const struct egl_candidate candidate = describe_device(devices[i], i);
			if (candidate.rank == rank) {
				out[found++] = candidate;
			}
		}
	}
	return found;
}

size_t egl_list_candidates(struct egl_candidate *out) {
	const char *client = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
	size_t count = list_devices(client, out);
	if (egl_has_extension(client, "EGL_MESA_platform_surfaceless")) {
		out[count++] = (struct egl_candidate){.rank = EGL_RANK_UNKNOWN,
			.platform = EGL_PLATFORM_SURFACELESS_MESA,
			.name = "surfaceless"};
	}
	out[count++] = (struct egl_candidate){
		.rank = EGL_RANK_UNKNOWN, .platform = EGL_NONE, .name = "default"};
	return count;
}

EGLDisplay egl_open_display(const struct egl_candidate *candidate, struct error *err) {
	EGLDisplay display = candidate->platform == EGL_NONE
		? eglGetDisplay(EGL_DEFAULT_DISPLAY)
		: eglGetPlatformDisplayEXT(candidate->platform, candidate->native, NULL);
	if (display == EGL_NO_DISPLAY) {
		egl_fail("no display", err);
		return EGL_NO_DISPLAY;
	}
	if (!eglInitialize(display, NULL, NULL)) {
		egl_fail("eglInitialize", err);
		return EGL_NO_DISPLAY;
	}
	static const char *const needed[] = {
		"EGL_KHR_surfaceless_context", "EGL_KHR_no_config_context"};
	const char *extensions = eglQueryString(display, EGL_EXTENSIONS);
	for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
		if (!egl_has_extension(extensions, needed[i])) {
			error_set(err, ERROR_NO_RENDERER, "the driver lacks %s", needed[i]);
			return EGL_NO_DISPLAY;
		}
	}
	return display;
}
