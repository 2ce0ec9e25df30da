// Rules of the specification that a document breaks: counted, and told of once each.
#include "import/gltf_rules.h"

#include <stdarg.h>
#include <stdio.h>

#include "import/gltf_document.h"

static const char *const names[] = {
#define GLTF_RULE_NAME(name) [GLTF_##name] = #name,
	GLTF_RULES(GLTF_RULE_NAME)
#undef GLTF_RULE_NAME
};

__attribute__((format(printf, 4, 0))) static void note(struct gltf *gltf, enum gltf_rule rule,
	const char *place, const char *format, va_list arguments) {
	char text[300];
	vsnprintf(text, sizeof text, format, arguments);
	gltf->breaches.of[rule].first =
		arena_printf(gltf->arena, "%s: %s: %s", place, names[rule], text);
}

void gltf_breach(struct gltf *gltf, enum gltf_rule rule, const struct gltf_item *item,
	const char *format, ...) {
	if (gltf->breaches.of[rule].count++ > 0) {
		return;
	}
	char place[GLTF_PLACE_BYTES];
	gltf_place(item, place);
	va_list arguments;
	va_start(arguments, format);
	note(gltf, rule, place, format, arguments);
	va_end(arguments);
}

void gltf_breach_at(
	struct gltf *gltf, enum gltf_rule rule, const char *place, const char *format, ...) {
	if (gltf->breaches.of[rule].count++ > 0) {
		return;
	}
	va_list arguments;
	va_start(arguments, format);
	note(gltf, rule, place, format, arguments);
	va_end(arguments);
}

void gltf_warn_of_breaches(struct gltf *gltf) {
	for (int rule = 0; rule < GLTF_RULE_COUNT; rule++) {
		const size_t count = gltf->breaches.of[rule].count;
		const char *first = gltf->breaches.of[rule].first;
		if (count == 1) {
			rig_warn_besides(gltf->rig, "%s", first);
		} else if (count > 1) {
			rig_warn_besides(
				gltf->rig, "%s (and in %zu more places)", first, count - 1);
		}
	}
}
