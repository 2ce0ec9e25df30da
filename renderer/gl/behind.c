// Copies of what lies behind surfaces with transmission.
#include "gl/behind.h"

#include <epoxy/gl.h>
#include <stdlib.h>

#include "base/memory.h"
#include "bindings.glsl"
#include "gl/egl.h"

struct behind {
	struct target_kind kind; // of the copy, not of the picture
	GLuint draw, resolve;    // framebuffers; 0 = not made so far
	GLuint color, depth;     // renderbuffers; color is 0 without multisampling
	GLuint texture;
	bool made;       // the texture has all that was drawn
	GLint before[5]; // framebuffer and viewport
};

struct behind *behind_create(void) {
	return xcalloc(1, sizeof(struct behind));
}

static void release(struct behind *behind) {
	const GLuint framebuffers[] = {behind->draw, behind->resolve};
	const GLuint renderbuffers[] = {behind->color, behind->depth};
	glDeleteFramebuffers(2, framebuffers);
	glDeleteRenderbuffers(2, renderbuffers);
	glDeleteTextures(1, &behind->texture);
	*behind = (struct behind){0};
}

void behind_destroy(struct behind *behind) {
	if (behind) {
		release(behind);
		free(behind);
	}
}

static struct target_kind kind_of(const struct target_kind *picture) {
	struct target_kind kind = *picture;
	while (kind.width > DRAW_COPY_SIDE || kind.height > DRAW_COPY_SIDE) {
		kind.width = kind.width > 1 ? kind.width / 2 : 1;
		kind.height = kind.height > 1 ? kind.height / 2 : 1;
	}
	kind.samples = kind.samples > 1 ? 4 : 1;
	return kind;
}

static GLsizei level_count(const struct target_kind *kind) {
	GLsizei levels = 1;
	for (int side = kind->width > kind->height ? kind->width : kind->height; side > 1;
		side /= 2) {
		levels++;
	}
	return levels;
}

static void create_texture(struct behind *behind) {
	const struct target_kind *kind = &behind->kind;
	const GLenum to = GL_TEXTURE_2D;
	glGenTextures(1, &behind->texture);
	glBindTexture(to, behind->texture);
	glTexStorage2D(to, level_count(kind), GL_RGBA16F, kind->width, kind->height);
	glTexParameteri(to, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_NEAREST);
	glTexParameteri(to, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
	glTexParameteri(to, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
	glTexParameteri(to, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
	glBindTexture(to, 0);
}

static GLuint create_storage(const struct target_kind *kind, GLenum format) {
	GLuint buffer;
	glGenRenderbuffers(1, &buffer);
	glBindRenderbuffer(GL_RENDERBUFFER, buffer);
	glRenderbufferStorageMultisample(GL_RENDERBUFFER, kind->samples > 1 ? kind->samples : 0,
		format, kind->width, kind->height);
	glBindRenderbuffer(GL_RENDERBUFFER, 0);
	return buffer;
}

static bool check(const struct behind *behind, struct error *err) {
	const GLenum status = glCheckFramebufferStatus(GL_FRAMEBUFFER);
	return status == GL_FRAMEBUFFER_COMPLETE ||
		error_set(err, ERROR_INTERNAL,
			"a framebuffer of %d x %d floats of 16 bits, %d samples: status 0x%x",
			behind->kind.width, behind->kind.height, behind->kind.samples, status);
}

static bool create(struct behind *behind, struct error *err) {
	const GLenum kind = GL_FRAMEBUFFER, color = GL_COLOR_ATTACHMENT0;
	create_texture(behind);
	behind->depth = create_storage(&behind->kind, GL_DEPTH_COMPONENT24);
	glGenFramebuffers(1, &behind->resolve);
	glBindFramebuffer(kind, behind->resolve);
	glFramebufferTexture2D(kind, color, GL_TEXTURE_2D, behind->texture, 0);
	if (behind->kind.samples <= 1) {
		glFramebufferRenderbuffer(
			kind, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, behind->depth);
		return check(behind, err);
	}
	behind->color = create_storage(&behind->kind, GL_RGBA16F);
	glGenFramebuffers(1, &behind->draw);
	const bool resolves = check(behind, err);
	glBindFramebuffer(kind, behind->draw);
	glFramebufferRenderbuffer(kind, color, GL_RENDERBUFFER, behind->color);
	glFramebufferRenderbuffer(kind, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, behind->depth);
	return resolves && check(behind, err);
}

bool behind_begin(struct behind *behind, const struct target_kind *kind,
	const float color[static 4], struct error *err) {
	const struct target_kind own = kind_of(kind);
	if (own.width != behind->kind.width || own.height != behind->kind.height ||
		own.samples != behind->kind.samples) {
		release(behind);
		behind->kind = own;
		if (!create(behind, err)) {
			release(behind);
			return false;
		}
	}
	behind_draw_into(behind);
	glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
	glDepthMask(GL_TRUE);
	glDisable(GL_SCISSOR_TEST);
	glClearDepthf(1);
	glClearColor(color[0], color[1], color[2], color[3]);
	glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
	behind_draw_back(behind);
	return gl_check("making a copy of the background", err);
}

void behind_draw_into(struct behind *behind) {
	glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &behind->before[0]);
	glGetIntegerv(GL_VIEWPORT, &behind->before[1]);
	glBindFramebuffer(GL_FRAMEBUFFER, behind->draw ? behind->draw : behind->resolve);
	glViewport(0, 0, behind->kind.width, behind->kind.height);
	behind->made = false;
}

void behind_draw_back(struct behind *behind) {
	const GLint *before = behind->before;
	glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)before[0]);
	glViewport(before[1], before[2], before[3], before[4]);
}

static void make(struct behind *behind) {
	const int width = behind->kind.width, height = behind->kind.height;
	if (behind->draw) {
		behind_draw_into(behind);
		glBindFramebuffer(GL_READ_FRAMEBUFFER, behind->draw);
		glBindFramebuffer(GL_DRAW_FRAMEBUFFER, behind->resolve);
		glBlitFramebuffer(
			0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
		behind_draw_back(behind);
	}
	glGenerateMipmap(GL_TEXTURE_2D);
	behind->made = true;
}

void behind_use(struct behind *behind) {
	glActiveTexture(GL_TEXTURE0 + TEXTURE_UNIT_BEHIND);
	glBindTexture(GL_TEXTURE_2D, behind->texture);
	if (!behind->made) {
		make(behind);
	}
}
