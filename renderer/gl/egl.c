// Finding a display and making a context.
#include "gl/egl.h"

#include <dlfcn.h>
#include <epoxy/egl.h>
#include <epoxy/gl.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/memory.h"

#define DEVICES_MAX 32
#define CANDIDATES_MAX (DEVICES_MAX + 2)

enum status_source { STATUS_UNKNOWN, STATUS_KHR, STATUS_EXT, STATUS_CORE };

struct egl {
	EGLDisplay display;
	EGLContext context;
	bool software;
	bool lost;
	enum status_source status; // whom to ask whether it was lost
};

/* A display that might serve, best ranks first. */
struct candidate {
	enum { RANK_CUDA, RANK_DRM, RANK_SOFTWARE, RANK_UNKNOWN } rank;
	EGLenum platform;
	void *native;
	const char *name;
};

/* Whether a name stands in a list of names separated by spaces. */
static bool has_extension(const char *list, const char *name) {
	const size_t length = strlen(name);
	for (const char *at = list; at && (at = strstr(at, name)); at += length) {
		const bool starts = at == list || at[-1] == ' ';
		if (starts && (at[length] == ' ' || at[length] == '\0')) {
			return true;
		}
	}
	return false;
}

/* libepoxy ends the process where a library is missing, so look first. */
static bool libraries_present(struct error *err) {
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

static size_t list_devices(const char *client, struct candidate *out) {
	if (!has_extension(client, "EGL_EXT_platform_device") ||
		!has_extension(client, "EGL_EXT_device_enumeration")) {
		return 0;
	}
	EGLDeviceEXT devices[DEVICES_MAX];
	EGLint count = 0;
	if (!eglQueryDevicesEXT(DEVICES_MAX, devices, &count)) {
		return 0;
	}
	for (EGLint i = 0; i < count; i++) {
		const char *extensions = eglQueryDeviceStringEXT(devices[i], EGL_EXTENSIONS);
		struct candidate found = {RANK_DRM, EGL_PLATFORM_DEVICE_EXT, devices[i], "device"};
		if (has_extension(extensions, "EGL_NV_device_cuda")) {
			found.rank = RANK_CUDA;
		} else if (has_extension(extensions, "EGL_MESA_device_software")) {
			found.rank = RANK_SOFTWARE;
		}
		out[i] = found;
	}
	return (size_t)count;
}

static int by_rank(const void *a, const void *b) {
	const struct candidate *left = a, *right = b;
	return (int)left->rank - (int)right->rank;
}

static size_t list_candidates(struct candidate *out) {
	const char *client = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
	size_t count = list_devices(client, out);
	qsort(out, count, sizeof *out, by_rank);
	if (has_extension(client, "EGL_MESA_platform_surfaceless")) {
		out[count++] = (struct candidate){RANK_UNKNOWN, EGL_PLATFORM_SURFACELESS_MESA,
			EGL_DEFAULT_DISPLAY, "surfaceless"};
	}
	out[count++] = (struct candidate){RANK_UNKNOWN, EGL_NONE, EGL_DEFAULT_DISPLAY, "default"};
	return count;
}

static EGLDisplay open_display(const struct candidate *candidate) {
	EGLDisplay display = candidate->platform == EGL_NONE
		? eglGetDisplay(EGL_DEFAULT_DISPLAY)
		: eglGetPlatformDisplayEXT(candidate->platform, candidate->native, NULL);
	if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL)) {
		return EGL_NO_DISPLAY;
	}
	const char *extensions = eglQueryString(display, EGL_EXTENSIONS);
	if (!has_extension(extensions, "EGL_KHR_surfaceless_context") ||
		!has_extension(extensions, "EGL_KHR_no_config_context")) {
		return EGL_NO_DISPLAY;
	}
	return display;
}

/* robust: a reset of the driver is to lose the context, and to be told, instead of going on with
 * whatever the driver makes of it. */
static EGLContext create_context_of(EGLDisplay display, EGLint minor, bool robust) {
	const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, minor,
		robust ? EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_EXT : EGL_NONE,
		EGL_LOSE_CONTEXT_ON_RESET_EXT, EGL_NONE};
	return eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
}

static EGLContext create_context(EGLDisplay display) {
	static const EGLint minors[] = {2, 1};
	const char *extensions = eglQueryString(display, EGL_EXTENSIONS);
	const bool robust = has_extension(extensions, "EGL_EXT_create_context_robustness");
	EGLContext context = EGL_NO_CONTEXT;
	for (size_t i = 0; context == EGL_NO_CONTEXT && i < sizeof minors / sizeof *minors; i++) {
		if (robust) {
			context = create_context_of(display, minors[i], true);
		}
		if (context == EGL_NO_CONTEXT) {
			context = create_context_of(display, minors[i], false);
		}
	}
	return context;
}

/* Whom to ask whether the current context was lost. */
static enum status_source find_status(void) {
	return epoxy_has_gl_extension("GL_KHR_robustness")    ? STATUS_KHR
		: epoxy_has_gl_extension("GL_EXT_robustness") ? STATUS_EXT
		: epoxy_gl_version() >= 32                    ? STATUS_CORE
							      : STATUS_UNKNOWN;
}

/* Whether the driver whose context is current says that it draws on the CPU: the surfaceless and
 * default platforms have no device to ask. */
static bool renderer_is_software(void) {
	const char *renderer = (const char *)glGetString(GL_RENDERER);
	static const char *const names[] = {"llvmpipe", "softpipe", "SwiftShader"};
	for (size_t i = 0; renderer && i < sizeof names / sizeof *names; i++) {
		if (strstr(renderer, names[i])) {
			return true;
		}
	}
	return false;
}

static bool try_candidate(
	const struct candidate *candidate, const struct egl_wish *wish, struct egl *egl) {
	if ((candidate->rank <= RANK_DRM && !wish->allow_gpu) ||
		(candidate->rank == RANK_SOFTWARE && !wish->allow_software)) {
		return false;
	}
	egl->display = open_display(candidate);
	if (egl->display == EGL_NO_DISPLAY) {
		return false;
	}
	egl->context = create_context(egl->display);
	if (egl->context == EGL_NO_CONTEXT ||
		!eglMakeCurrent(egl->display, EGL_NO_SURFACE, EGL_NO_SURFACE, egl->context)) {
		log_line(LOG_DEBUG, "EGL %s: error 0x%x", candidate->name, eglGetError());
	} else {
		egl->software = renderer_is_software();
		if (egl->software ? wish->allow_software : wish->allow_gpu) {
			return true;
		}
		eglMakeCurrent(egl->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
	}
	if (egl->context != EGL_NO_CONTEXT) {
		eglDestroyContext(egl->display, egl->context);
	}
	return false;
}

/* Tries the candidates in their order, skipping the first ones that serve: contexts with another
 * display number then take another display of the same kind (software or not), if there is one. */
static bool find(const struct egl_wish *wish, int skip, struct egl *egl) {
	struct candidate candidates[CANDIDATES_MAX];
	const size_t count = list_candidates(candidates);
	for (size_t i = 0; i < count; i++) {
		if (!try_candidate(&candidates[i], wish, egl)) {
			continue;
		}
		if (skip == 0 || !egl->software) {
			log_line(LOG_DEBUG, "EGL %s serves display %d", candidates[i].name,
				wish->display);
			return true;
		}
		skip--;
		eglMakeCurrent(egl->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
		eglDestroyContext(egl->display, egl->context);
	}
	return false;
}

struct egl *egl_create(const struct egl_wish *wish, struct error *err) {
	if (!libraries_present(err)) {
		return NULL;
	}
	eglBindAPI(EGL_OPENGL_ES_API);
	struct egl *egl = xcalloc(1, sizeof *egl);
	if (find(wish, wish->display % 2, egl) || find(wish, 0, egl)) {
		egl->status = find_status();
		return egl;
	}
	free(egl);
	error_set(err, ERROR_NO_RENDERER,
		"no %s driver gives an OpenGL ES 3.1 context through EGL (devices, surfaceless and "
		"default platform tried)",
		!wish->allow_software      ? "GPU"
			: !wish->allow_gpu ? "software"
					   : "graphics");
	return NULL;
}

void egl_destroy(struct egl *egl) {
	if (!egl) {
		return;
	}
	eglMakeCurrent(egl->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
	eglDestroyContext(egl->display, egl->context);
	eglReleaseThread();
	free(egl);
}

static GLenum reset_status(const struct egl *egl) {
	switch (egl->status) {
	case STATUS_KHR:
		return glGetGraphicsResetStatusKHR();
	case STATUS_EXT:
		return glGetGraphicsResetStatusEXT();
	case STATUS_CORE:
		return glGetGraphicsResetStatus();
	case STATUS_UNKNOWN:
		break;
	}
	return GL_NO_ERROR;
}

bool egl_is_lost(struct egl *egl) {
	// Once the reset is over the driver says so, and the context stays lost.
	egl->lost = egl->lost || reset_status(egl) != GL_NO_ERROR;
	return egl->lost;
}

bool egl_is_software(const struct egl *egl) {
	return egl->software;
}

bool egl_is_current(const struct egl *egl) {
	return eglGetCurrentContext() == egl->context;
}
