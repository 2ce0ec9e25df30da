// Off-screen framebuffers.
#include "gl/target.h"

#include <epoxy/gl.h>
#include <stdlib.h>

#include "base/memory.h"
#include "gl/check.h"

struct target {
	int width, height, samples;
	GLuint draw, resolve;        // framebuffers; resolve is 0 without multisampling
	GLuint color, depth, single; // renderbuffers; single is resolve's colour
};

static GLuint storage_create(GLenum format, const struct target *target, int samples) {
	GLuint buffer;
	glGenRenderbuffers(1, &buffer);
	glBindRenderbuffer(GL_RENDERBUFFER, buffer);
	glRenderbufferStorageMultisample(
		GL_RENDERBUFFER, samples > 1 ? samples : 0, format, target->width, target->height);
	glBindRenderbuffer(GL_RENDERBUFFER, 0);
	return buffer;
}

static GLuint framebuffer_create(GLuint color, GLuint depth) {
	GLuint framebuffer;
	glGenFramebuffers(1, &framebuffer);
	glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
	glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color);
	glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth);
	return framebuffer;
}

static bool is_complete(const struct target *target, struct error *err) {
	const GLenum status = glCheckFramebufferStatus(GL_FRAMEBUFFER);
	if (status == GL_FRAMEBUFFER_COMPLETE) {
		return true;
	}
	return error_set(err, ERROR_INTERNAL, "a framebuffer of %d x %d, %d samples: status 0x%x",
		target->width, target->height, target->samples, status);
}

struct target *target_create(int width, int height, int samples, struct error *err) {
	struct target *target = xcalloc(1, sizeof *target);
	target->width = width;
	target->height = height;
	target->samples = samples;
	target->color = storage_create(GL_SRGB8_ALPHA8, target, samples);
	target->depth = storage_create(GL_DEPTH_COMPONENT24, target, samples);
	target->draw = framebuffer_create(target->color, target->depth);
	if (!gl_check("making a framebuffer", err) || !is_complete(target, err)) {
		goto fail;
	}
	if (samples > 1) {
		target->single = storage_create(GL_SRGB8_ALPHA8, target, 1);
		target->resolve = framebuffer_create(target->single, 0);
		if (!gl_check("making a framebuffer", err) || !is_complete(target, err)) {
			goto fail;
		}
	}
	return target;
fail:
	target_destroy(target);
	return NULL;
}

void target_destroy(struct target *target) {
	if (!target) {
		return;
	}
	const GLuint framebuffers[] = {target->draw, target->resolve};
	const GLuint renderbuffers[] = {target->color, target->depth, target->single};
	glDeleteFramebuffers(2, framebuffers);
	glDeleteRenderbuffers(3, renderbuffers);
	free(target);
}

bool target_matches(const struct target *target, int width, int height, int samples) {
	return target->width == width && target->height == height && target->samples == samples;
}

void target_begin(const struct target *target, const float color[static 4]) {
	glBindFramebuffer(GL_FRAMEBUFFER, target->draw);
	glViewport(0, 0, target->width, target->height);
	glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
	glDepthMask(GL_TRUE);
	glDisable(GL_SCISSOR_TEST);
	glClearColor(color[0], color[1], color[2], color[3]);
	glClearDepthf(1);
	glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
}

bool target_read(const struct target *target, unsigned char *rgba, struct error *err) {
	// Depth is not wanted any more: tilers and llvmpipe need not keep it.
	const GLenum depth = GL_DEPTH_ATTACHMENT;
	glBindFramebuffer(GL_FRAMEBUFFER, target->draw);
	glInvalidateFramebuffer(GL_FRAMEBUFFER, 1, &depth);
	if (target->resolve) {
		glBindFramebuffer(GL_READ_FRAMEBUFFER, target->draw);
		glBindFramebuffer(GL_DRAW_FRAMEBUFFER, target->resolve);
		glBlitFramebuffer(0, 0, target->width, target->height, 0, 0, target->width,
			target->height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
		glBindFramebuffer(GL_FRAMEBUFFER, target->resolve);
	}
	glPixelStorei(GL_PACK_ALIGNMENT, 4);
	glReadPixels(0, 0, target->width, target->height, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
	return gl_check("reading a picture", err);
}

int target_max_samples(void) {
	GLint samples = 1;
	glGetIntegerv(GL_MAX_SAMPLES, &samples);
	return samples > 1 ? samples : 1;
}

int target_max_size(void) {
	GLint storage = 0, viewport[2] = {0, 0};
	glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &storage);
	glGetIntegerv(GL_MAX_VIEWPORT_DIMS, viewport);
	const GLint least = viewport[0] < viewport[1] ? viewport[0] : viewport[1];
	return storage < least ? storage : least;
}
