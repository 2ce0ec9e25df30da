/* The target of a picture: colour (sRGB with alpha) and depth, multisampled, and what it is
 * resolved into. For the thread whose context is current. */
#pragma once

#include "draw/back_end.h"

struct target;
struct resolver;

/* Resolves samples: a shader of ours, which drivers have ready in a quarter of the time that
 * their own multisample blit takes when it is first used. NULL with ERROR_INTERNAL. */
struct resolver *resolver_create(struct error *err);
void resolver_destroy(struct resolver *resolver); // takes NULL

/* A target of a kind. NULL with ERROR_TOO_LARGE or ERROR_INTERNAL. */
struct target *target_create(const struct target_kind *kind, struct error *err);
void target_destroy(struct target *target); // takes NULL

/* True when it is of just this kind. */
bool target_matches(const struct target *target, const struct target_kind *kind);

/* True when this driver can write numbers into a target as they are, which are sRGB already, and
 * does so between these two. Only if it can may they be called. */
bool target_can_stop_encoding(void);
void target_stop_encoding(void);
void target_start_encoding(void);

/* Makes it the framebuffer that is drawn to, sets the viewport and clears colour and depth.
 * color is linear and premultiplied by its alpha, for a plain target the numbers themselves.
 * encode_stopped: whether drawing starts with the
 * target's encoding stopped; drivers may pass over all pixels when it changes between the clearing
 * and the first drawing. */
void target_begin(const struct target *target, const float color[static 4], bool encode_stopped);

/* Resolves the samples and reads width * height * 4 bytes: sRGB premultiplied in linear light, the
 * row of clip-space y = -1 first. color is what target_begin was given; only in drawn there may be
 * anything else. */
bool target_read(const struct target *target, const struct resolver *resolver,
	const float color[static 4], const struct area *drawn, unsigned char *rgba,
	struct error *err);

/* The driver's greatest number of samples for such a target; at least 1. */
int target_max_samples(void);

/* The driver's greatest width and height of such a target. */
int target_max_size(void);
