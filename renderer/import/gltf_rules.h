/* Rules of the specification that a document breaks and that posed reads all the same, under the
 * names that Khronos' validator has for them. Each rule is one warning, however often it is broken:
 * the first place is named, the others are counted. */
#pragma once

#include <stddef.h>

#include "import/gltf_json.h"

struct gltf;

#define GLTF_RULES(rule) \
	rule(ANIMATION_CHANNEL_TARGET_NODE_WEIGHTS_NO_MORPHS) rule(ANIMATION_DUPLICATE_TARGETS) \
		rule(GLB_EXTRA_DATA) rule(INVALID_URI)

enum gltf_rule {
#define GLTF_RULE_ENUM(name) GLTF_##name,
	GLTF_RULES(GLTF_RULE_ENUM)
#undef GLTF_RULE_ENUM
		GLTF_RULE_COUNT
};

/* What has been broken so far; zero it before use. Texts lie in the import's arena. */
struct gltf_breaches {
	struct {
		size_t count;
		const char *first; // place, name and what is wrong there; NULL = never broken
	} of[GLTF_RULE_COUNT];
};

/* Notes that a rule is broken at an item, or at a place in words, and how: in what follows the
 * place and the rule's name, with what posed makes of it. */
__attribute__((format(printf, 4, 5))) void gltf_breach(struct gltf *gltf, enum gltf_rule rule,
	const struct gltf_item *item, const char *format, ...);
__attribute__((format(printf, 4, 5))) void gltf_breach_at(
	struct gltf *gltf, enum gltf_rule rule, const char *place, const char *format, ...);

/* Adds the warnings to the rig. */
void gltf_warn_of_breaches(struct gltf *gltf);
