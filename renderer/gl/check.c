// One look at the driver's errors.
#include "gl/check.h"

#include <epoxy/gl.h>

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
