// The options that several skinning methods share.
#include "skin/options.h"

#include <stddef.h>

static const char *const signs[] = {[SKIN_SIGN_PIVOT] = "pivot",
	[SKIN_SIGN_HIERARCHY] = "hierarchy",
	[SKIN_SIGN_TEMPORAL] = "temporal",
	NULL};
static const char *const scales[] = {[SKIN_SCALE_TWO_PHASE] = "two_phase",
	[SKIN_SCALE_IGNORE] = "ignore",
	[SKIN_SCALE_ERROR] = "error",
	NULL};
static const char *const sources[] = {
	[SKIN_RIGID_FROM_POLAR] = "polar", [SKIN_RIGID_FROM_CHAIN] = "chain", NULL};
static const char *const fallbacks[] = {
	[SKIN_FALLBACK_SBS] = "sbs", [SKIN_FALLBACK_ERROR] = "error", NULL};

static const char sign_title[] =
	"which of a rotation's two quaternions is blended: the nearer to the vertex' strongest "
	"joint's, to the parent joint's, or to that of the frame before in the same answer";

const struct skin_option skin_option_sign = {
	.name = "sign",
	.title = sign_title,
	.kind = SKIN_OPTION_CHOICE,
	.choices = signs,
	.standard = SKIN_SIGN_PIVOT,
};

const struct skin_option skin_option_sign_hierarchy = {
	.name = "sign",
	.title = sign_title,
	.kind = SKIN_OPTION_CHOICE,
	.choices = signs,
	.standard = SKIN_SIGN_HIERARCHY,
};

const struct skin_option skin_option_scale = {
	.name = "scale",
	.title = "joints that scale or shear: blended in a phase of their own, ignored, or "
		 "refused",
	.kind = SKIN_OPTION_CHOICE,
	.choices = scales,
	.standard = SKIN_SCALE_TWO_PHASE,
};

const struct skin_option skin_option_rigid_from = {
	.name = "rigid_from",
	.title = "a joint's rotation: from its matrix, or from the local rotations of its chain",
	.kind = SKIN_OPTION_CHOICE,
	.choices = sources,
	.standard = SKIN_RIGID_FROM_POLAR,
};

const struct skin_option skin_option_fallback = {
	.name = "fallback",
	.title = "vertices whose joints do not meet in one point: skinned by sbs, or refused",
	.kind = SKIN_OPTION_CHOICE,
	.choices = fallbacks,
	.standard = SKIN_FALLBACK_SBS,
};

const struct skin_option skin_option_base = {
	.name = "base",
	.title = "the method that this one builds on",
	.kind = SKIN_OPTION_BASE,
	.standard = 0,
	.derives = true,
};
