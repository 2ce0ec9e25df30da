// Making a context on the best display that serves.
#include "gl/egl.h"

#include <epoxy/gl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/memory.h"

enum status_source { STATUS_UNKNOWN, STATUS_KHR, STATUS_EXT, STATUS_CORE };

struct egl {
	EGLDisplay display;
	EGLContext context;
	bool software;
	bool robust, lost;
	enum status_source status; // whom to ask whether it was lost
};

/* robust: a reset of the driver is to lose the context, and to be told, instead of going on with
 * whatever the driver makes of it. */
static EGLContext create_context_of(EGLDisplay display, EGLint minor, bool robust) {
	const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, minor,
		robust ? EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_EXT : EGL_NONE,
		EGL_LOSE_CONTEXT_ON_RESET_EXT, EGL_NONE};
	return eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
}

static void create_context(struct egl *egl) {
	static const EGLint minors[] = {2, 1};
	const char *extensions = eglQueryString(egl->display, EGL_EXTENSIONS);
	const bool offered = egl_has_extension(extensions, "EGL_EXT_create_context_robustness");
	for (size_t i = 0; !egl->context && i < sizeof minors / sizeof *minors; i++) {
		egl->context =
			offered ? create_context_of(egl->display, minors[i], true) : EGL_NO_CONTEXT;
		egl->robust = egl->context != EGL_NO_CONTEXT;
		if (!egl->robust) {
			egl->context = create_context_of(egl->display, minors[i], false);
		}
	}
}

/* Whom to ask whether the current context was lost. */
static enum status_source find_status(void) {
	return epoxy_has_gl_extension("GL_KHR_robustness")    ? STATUS_KHR
		: epoxy_has_gl_extension("GL_EXT_robustness") ? STATUS_EXT
		: epoxy_gl_version() >= 32                    ? STATUS_CORE
							      : STATUS_UNKNOWN;
}

/* True when the driver whose context is current says that it draws on the CPU: the surfaceless and
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

static bool make_current(struct egl *egl, struct error *err) {
	create_context(egl);
	if (egl->context == EGL_NO_CONTEXT) {
		return egl_fail("no OpenGL ES 3.1 context: eglCreateContext", err);
	}
	return eglMakeCurrent(egl->display, EGL_NO_SURFACE, EGL_NO_SURFACE, egl->context) ||
		egl_fail("eglMakeCurrent", err);
}

static void release(struct egl *egl) {
	if (egl->context != EGL_NO_CONTEXT) {
		eglMakeCurrent(egl->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
		eglDestroyContext(egl->display, egl->context);
		egl->context = EGL_NO_CONTEXT;
	}
}

/* True when a driver of this kind is wanted. */
static bool check_kind(bool software, const struct back_end_params *params, struct error *err) {
	return (software ? params->allow_software : params->allow_gpu) ||
		error_set(err, ERROR_NO_RENDERER, "draws on the %s, which is not wanted",
			software ? "CPU" : "GPU");
}

static bool try_candidate(const struct egl_candidate *candidate,
	const struct back_end_params *params, struct egl *egl, struct error *err) {
	if (candidate->rank != EGL_RANK_UNKNOWN &&
		!check_kind(candidate->rank == EGL_RANK_SOFTWARE, params, err)) {
		return false;
	}
	egl->display = egl_open_display(candidate, err);
	if (egl->display == EGL_NO_DISPLAY) {
		return false;
	}
	bool ok = make_current(egl, err);
	if (ok) {
		egl->software = renderer_is_software();
		ok = check_kind(egl->software, params, err);
	}
	if (!ok) {
		release(egl);
	}
	return ok;
}

/* Adds to a list of what failed, as far as there is room. name NULL: there is but one. */
static void note_failure(const char *name, const char *text, char *tried, size_t room) {
	const size_t used = strlen(tried);
	snprintf(tried + used, room - used, "%s%s%s%s", used ? "; " : "", name ? name : "",
		name ? ": " : "", text);
}

/* Tries the candidates in their order, skipping the first ones that serve: contexts with another
 * display number then take another display of the same kind (software or not), if there is one. */
static bool find(
	const struct back_end_params *params, int skip, struct egl *egl, char *tried, size_t room) {
	struct egl_candidate candidates[EGL_CANDIDATES_MAX];
	const size_t count = egl_list_candidates(candidates);
	*tried = '\0';
	for (size_t i = 0; i < count; i++) {
		struct error why = {0};
		if (params->only != 0 && (size_t)params->only != i + 1) {
			continue;
		}
		if (!try_candidate(&candidates[i], params, egl, &why)) {
			// A GPU that is passed over is worth a word; all else is usual.
			const bool gpu = candidates[i].rank <= EGL_RANK_DRM && params->allow_gpu;
			log_line(gpu ? LOG_WARNING : LOG_DEBUG, "EGL %s: %s", candidates[i].name,
				why.text);
			note_failure(
				params->only ? NULL : candidates[i].name, why.text, tried, room);
			continue;
		}
		if (skip == 0 || !egl->software) {
			log_line(LOG_DEBUG, "EGL %s serves display %d", candidates[i].name,
				params->display);
			return true;
		}
		skip--;
		release(egl);
	}
	return false;
}

struct egl *egl_create(const struct back_end_params *params, struct error *err) {
	if (!egl_load(err)) {
		return NULL;
	}
	eglBindAPI(EGL_OPENGL_ES_API);
	struct egl *egl = xcalloc(1, sizeof *egl);
	char tried[600];
	if (find(params, params->display % 2, egl, tried, sizeof tried) ||
		find(params, 0, egl, tried, sizeof tried)) {
		egl->status = find_status();
		return egl;
	}
	free(egl);
	if (params->only) {
		error_set(err, ERROR_NO_RENDERER, "%s", tried);
		return NULL;
	}
	error_set(err, ERROR_NO_RENDERER, "no %s driver gives an OpenGL ES 3.1 context: %s",
		!params->allow_software      ? "GPU"
			: !params->allow_gpu ? "software"
					     : "graphics",
		tried);
	return NULL;
}

void egl_destroy(struct egl *egl) {
	if (!egl) {
		return;
	}
	release(egl);
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

bool egl_is_robust(const struct egl *egl) {
	return egl->robust && egl->status != STATUS_UNKNOWN;
}

bool egl_is_current(const struct egl *egl) {
	return eglGetCurrentContext() == egl->context;
}

static const char *error_word(GLenum code) {
	switch (code) {
	case GL_INVALID_ENUM:
		return "GL_INVALID_ENUM";
	case GL_INVALID_VALUE:
		return "GL_INVALID_VALUE";
	case GL_INVALID_OPERATION:
		return "GL_INVALID_OPERATION";
	case GL_INVALID_FRAMEBUFFER_OPERATION:
		return "GL_INVALID_FRAMEBUFFER_OPERATION";
	default:
		return "an unknown error";
	}
}

bool gl_check(const char *what, struct error *err) {
	GLenum first = GL_NO_ERROR;
	// A lost context answers GL_CONTEXT_LOST for ever: look a few times only.
	for (int i = 0; i < 8; i++) {
		const GLenum code = glGetError();
		if (code == GL_NO_ERROR) {
			break;
		}
		first = first == GL_NO_ERROR ? code : first;
	}
	if (first == GL_NO_ERROR) {
		return true;
	}
	if (first == GL_CONTEXT_LOST) {
		return error_set(err, ERROR_CONTEXT_LOST, "%s: the driver was reset", what);
	}
	if (first == GL_OUT_OF_MEMORY) {
		return error_set(err, ERROR_TOO_LARGE, "%s: the driver is out of memory", what);
	}
	return error_set(err, ERROR_INTERNAL, "%s: the driver reports %s", what, error_word(first));
}

void gl_limits_get(struct gl_limits *out) {
	GLint64 storage_bytes = 0;
	*out = (struct gl_limits){0};
	glGetIntegerv(GL_MAX_TEXTURE_SIZE, &out->texture_size);
	glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &storage_bytes);
	glGetIntegerv(GL_MAX_COMPUTE_WORK_GROUP_INVOCATIONS, &out->compute_invocations);
	glGetIntegerv(GL_MAX_COMPUTE_SHADER_STORAGE_BLOCKS, &out->compute_blocks);
	glGetIntegerv(GL_MAX_VERTEX_SHADER_STORAGE_BLOCKS, &out->vertex_blocks);
	out->storage_mib = (int)(storage_bytes >> 20);
}
