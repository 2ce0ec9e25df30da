// The members of a picture that say how it is lit, and what is on the ground.
#include "look.h"

#include <string.h>

#include "limits.h"

void look_members_begin(struct look_members *found, struct look_settings *out,
	struct member members[static LOOK_MEMBERS]) {
	static const char *const environments[] = {
		[ENVIRONMENT_STUDIO] = "studio",
		[ENVIRONMENT_SOFT] = "soft",
		[ENVIRONMENT_NEUTRAL] = "neutral",
		[ENVIRONMENT_NONE] = "none",
		NULL,
	};
	static const char *const tones[] = {
		[TONE_NEUTRAL] = "neutral", [TONE_ACES] = "aces", [TONE_LINEAR] = "linear", NULL};
	const struct member table[LOOK_MEMBERS] = {
		{.name = "environment",
			.type = MEMBER_CHOICE,
			.out = &found->environment,
			.choices = environments},
		{.name = "exposure",
			.type = MEMBER_NUMBER,
			.out = &out->exposure,
			.least = -LIMIT_EXPOSURE_STOPS,
			.most = LIMIT_EXPOSURE_STOPS},
		{.name = "tone_mapping",
			.type = MEMBER_CHOICE,
			.out = &found->tone_mapping,
			.choices = tones},
		{.name = "lights", .type = MEMBER_BOOL, .out = &found->lights},
		{.name = "shadow", .type = MEMBER_BOOL, .out = &out->shadow},
		{.name = "grid", .type = MEMBER_BOOL, .out = &out->grid},
	};
	*out = (struct look_settings){0};
	*found = (struct look_members){.lights = true};
	memcpy(members, table, sizeof table);
}

void look_members_end(const struct look_members *found, struct look_settings *out) {
	out->environment = (enum environment)found->environment;
	out->tone_mapping = (enum tone_mapping)found->tone_mapping;
	out->no_lights = !found->lights;
}
