// Off-screen framebuffers.
#include "gl/target.h"

#include <epoxy/gl.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/srgb.h"
#include "bindings.glsl"
#include "gl/egl.h"
#include "gl/program.h"

struct resolver {
	GLuint program, program4; // for any number of samples, and for four
	GLuint vertex_array;      // of nothing: the triangle comes from gl_VertexID
};

struct target {
	int width, height, samples;
	bool plain;
	GLenum format;        // of colours
	GLuint draw, resolve; // framebuffers; resolve is 0 without multisampling
	GLuint sampled;       // texture of many samples, draw's colour; 0 without multisampling
	GLuint single, depth; // renderbuffers; single is resolve's colour, or draw's
	GLint sampled_count;  // samples that the driver really takes, at least as many as asked
};

struct resolver *resolver_create(struct error *err) {
	static const char *const any[] = {"resolve.vert", "resolve.frag"};
	static const char *const four[] = {"resolve.vert", "resolve4.frag"};
	struct resolver *resolver = xcalloc(1, sizeof *resolver);
	resolver->program = program_create(any, 2, NULL, err);
	resolver->program4 = resolver->program ? program_create(four, 2, NULL, err) : 0;
	if (!resolver->program4) {
		resolver_destroy(resolver);
		return NULL;
	}
	glGenVertexArrays(1, &resolver->vertex_array);
	return resolver;
}

void resolver_destroy(struct resolver *resolver) {
	if (!resolver) {
		return;
	}
	glDeleteVertexArrays(1, &resolver->vertex_array);
	glDeleteProgram(resolver->program4);
	glDeleteProgram(resolver->program);
	free(resolver);
}

static GLuint storage_create(GLenum format, const struct target *target, int samples) {
	GLuint buffer;
	glGenRenderbuffers(1, &buffer);
	glBindRenderbuffer(GL_RENDERBUFFER, buffer);
	glRenderbufferStorageMultisample(
		GL_RENDERBUFFER, samples > 1 ? samples : 0, format, target->width, target->height);
	glBindRenderbuffer(GL_RENDERBUFFER, 0);
	return buffer;
}

static void create_sampled(struct target *target) {
	const GLenum kind = GL_TEXTURE_2D_MULTISAMPLE;
	glGenTextures(1, &target->sampled);
	glBindTexture(kind, target->sampled);
	glTexStorage2DMultisample(
		kind, target->samples, target->format, target->width, target->height, GL_TRUE);
	glGetTexLevelParameteriv(kind, 0, GL_TEXTURE_SAMPLES, &target->sampled_count);
	glBindTexture(kind, 0);
}

static void create_framebuffers(struct target *target) {
	const GLenum kind = GL_FRAMEBUFFER, color = GL_COLOR_ATTACHMENT0;
	glGenFramebuffers(1, &target->draw);
	glBindFramebuffer(kind, target->draw);
	glFramebufferRenderbuffer(kind, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, target->depth);
	if (target->sampled) {
		glFramebufferTexture2D(kind, color, GL_TEXTURE_2D_MULTISAMPLE, target->sampled, 0);
		glGenFramebuffers(1, &target->resolve);
		glBindFramebuffer(kind, target->resolve);
	}
	glFramebufferRenderbuffer(kind, color, GL_RENDERBUFFER, target->single);
}

static bool is_complete(const struct target *target, GLuint framebuffer, struct error *err) {
	glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
	const GLenum status = glCheckFramebufferStatus(GL_FRAMEBUFFER);
	if (status == GL_FRAMEBUFFER_COMPLETE) {
		return true;
	}
	return error_set(err, ERROR_INTERNAL, "a framebuffer of %d x %d, %d samples: status 0x%x",
		target->width, target->height, target->samples, status);
}

struct target *target_create(const struct target_kind *kind, struct error *err) {
	struct target *target = xcalloc(1, sizeof *target);
	target->width = kind->width;
	target->height = kind->height;
	target->samples = kind->samples;
	target->plain = kind->plain;
	target->format = kind->plain ? GL_RGBA8 : GL_SRGB8_ALPHA8;
	if (kind->samples > 1) {
		create_sampled(target);
	}
	// All attachments need the same number of samples.
	target->depth = storage_create(GL_DEPTH_COMPONENT24, target, target->sampled_count);
	target->single = storage_create(target->format, target, 1);
	create_framebuffers(target);
	if (!gl_check("making a framebuffer", err) || !is_complete(target, target->draw, err) ||
		(target->resolve && !is_complete(target, target->resolve, err))) {
		target_destroy(target);
		return NULL;
	}
	return target;
}

void target_destroy(struct target *target) {
	if (!target) {
		return;
	}
	const GLuint framebuffers[] = {target->draw, target->resolve};
	const GLuint renderbuffers[] = {target->depth, target->single};
	glDeleteFramebuffers(2, framebuffers);
	glDeleteRenderbuffers(2, renderbuffers);
	glDeleteTextures(1, &target->sampled);
	free(target);
}

bool target_matches(const struct target *target, const struct target_kind *kind) {
	return target->width == kind->width && target->height == kind->height &&
		target->samples == kind->samples && target->plain == kind->plain;
}

bool target_can_stop_encoding(void) {
	return epoxy_has_gl_extension("GL_EXT_sRGB_write_control");
}

void target_stop_encoding(void) {
	glDisable(GL_FRAMEBUFFER_SRGB_EXT);
}

void target_start_encoding(void) {
	glEnable(GL_FRAMEBUFFER_SRGB_EXT);
}

static void clear_encoded(const float color[static 4]) {
	float encoded[3];
	for (int i = 0; i < 3; i++) {
		encoded[i] = (float)srgb_from_linear(color[i]);
	}
	target_stop_encoding();
	glClearColor(encoded[0], encoded[1], encoded[2], color[3]);
	glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
	target_start_encoding();
}

void target_begin(const struct target *target, const float color[static 4], bool encode_stopped) {
	glBindFramebuffer(GL_FRAMEBUFFER, target->draw);
	glViewport(0, 0, target->width, target->height);
	glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
	glDepthMask(GL_TRUE);
	glDisable(GL_SCISSOR_TEST);
	glClearDepthf(1);
	glDisable(GL_DITHER);
	if (encode_stopped && !target->plain) {
		clear_encoded(color);
	} else {
		glClearColor(color[0], color[1], color[2], color[3]);
		glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
	}
}

static void use_resolver(const struct resolver *resolver, GLint samples) {
	if (samples == 4) {
		glUseProgram(resolver->program4);
		return;
	}
	glUseProgram(resolver->program);
	glUniform1i(UNIFORM_SAMPLES, samples);
}

/* Leaves the framebuffer with the means of the samples bound. */
static void resolve(const struct target *target, const struct resolver *resolver,
	const float color[static 4], const struct area *drawn) {
	glBindFramebuffer(GL_FRAMEBUFFER, target->resolve);
	glClearColor(color[0], color[1], color[2], color[3]);
	glClear(GL_COLOR_BUFFER_BIT);
	glEnable(GL_SCISSOR_TEST);
	glScissor(drawn->x, drawn->y, drawn->width, drawn->height);
	use_resolver(resolver, target->sampled_count);
	glActiveTexture(GL_TEXTURE0 + TEXTURE_UNIT_SAMPLES);
	glBindTexture(GL_TEXTURE_2D_MULTISAMPLE, target->sampled);
	glBindVertexArray(resolver->vertex_array);
	glDrawArrays(GL_TRIANGLES, 0, 3);
	glDisable(GL_SCISSOR_TEST);
	glBindVertexArray(0);
	glBindTexture(GL_TEXTURE_2D_MULTISAMPLE, 0);
	glUseProgram(0);
}

bool target_read(const struct target *target, const struct resolver *resolver,
	const float color[static 4], const struct area *drawn, unsigned char *rgba,
	struct error *err) {
	// Depth is not wanted any more: tilers and llvmpipe need not keep it.
	const GLenum depth = GL_DEPTH_ATTACHMENT;
	glBindFramebuffer(GL_FRAMEBUFFER, target->draw);
	glInvalidateFramebuffer(GL_FRAMEBUFFER, 1, &depth);
	if (target->resolve) {
		resolve(target, resolver, color, drawn);
	}
	glPixelStorei(GL_PACK_ALIGNMENT, 4);
	glReadPixels(0, 0, target->width, target->height, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
	return gl_check("reading a picture", err);
}

int target_max_samples(void) {
	GLint color = 1, depth = 1;
	glGetIntegerv(GL_MAX_COLOR_TEXTURE_SAMPLES, &color);
	glGetIntegerv(GL_MAX_SAMPLES, &depth);
	const GLint least = color < depth ? color : depth;
	return least > 1 ? least : 1;
}

int target_max_size(void) {
	GLint storage = 0, viewport[2] = {0, 0};
	glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &storage);
	glGetIntegerv(GL_MAX_VIEWPORT_DIMS, viewport);
	const GLint least = viewport[0] < viewport[1] ? viewport[0] : viewport[1];
	return storage < least ? storage : least;
}
