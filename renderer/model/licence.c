// Uses of avatars, and whether the licence in a VRM file allows them.
#include "model/licence.h"

#include <string.h>

#include "base/line_file.h"
#include "base/utf8.h"
#include "base/value.h"
#include "model/avatar.h"
#include "model/rig.h"

enum use {
	USE_ANY_USER,
	USE_VIOLENT,
	USE_SEXUAL,
	USE_COMMERCIAL,
	USE_CORPORATE,
	USE_POLITICAL,
	USE_ANTISOCIAL,
	USE_UNCREDITED,
	USE_REDISTRIBUTION,
	USE_MODIFICATION,
	USE_COUNT
};

const char *const licence_use_names[] = {
	[USE_ANY_USER] = "any-user",
	[USE_VIOLENT] = "violent",
	[USE_SEXUAL] = "sexual",
	[USE_COMMERCIAL] = "commercial",
	[USE_CORPORATE] = "corporate",
	[USE_POLITICAL] = "political",
	[USE_ANTISOCIAL] = "antisocial",
	[USE_UNCREDITED] = "uncredited",
	[USE_REDISTRIBUTION] = "redistribution",
	[USE_MODIFICATION] = "modification",
	[USE_COUNT] = NULL,
};

#define ALLOWING_MAX 7

/* A member of `meta` that a use depends on. */
struct term {
	enum use use;
	bool is_0x;
	enum licence_part part;             // LICENCE_PICTURES: pictures and files
	const char *key;                    // of the file
	const char *standard;               // its value where the file lacks it
	const char *allowing[ALLOWING_MAX]; // the values that allow the use
};

#define SHOWN LICENCE_PICTURES
#define FILES LICENCE_FILES

/* Creative Commons' licences of VRM 0.x: NC excludes commerce, ND changes. */
static const struct term terms[] = {
	{USE_ANY_USER, false, SHOWN, "avatarPermission", "onlyAuthor", {"everyone"}},
	{USE_VIOLENT, false, SHOWN, "allowExcessivelyViolentUsage", "false", {"true"}},
	{USE_SEXUAL, false, SHOWN, "allowExcessivelySexualUsage", "false", {"true"}},
	{USE_COMMERCIAL, false, SHOWN, "commercialUsage", "personalNonProfit",
		{"personalProfit", "corporation"}},
	{USE_CORPORATE, false, SHOWN, "commercialUsage", "personalNonProfit", {"corporation"}},
	{USE_POLITICAL, false, SHOWN, "allowPoliticalOrReligiousUsage", "false", {"true"}},
	{USE_ANTISOCIAL, false, SHOWN, "allowAntisocialOrHateUsage", "false", {"true"}},
	{USE_UNCREDITED, false, SHOWN, "creditNotation", "required", {"unnecessary"}},
	{USE_REDISTRIBUTION, false, FILES, "allowRedistribution", "false", {"true"}},
	{USE_MODIFICATION, false, FILES, "modification", "prohibited",
		{"allowModification", "allowModificationRedistribution"}},
	{USE_ANY_USER, true, SHOWN, "allowedUserName", "OnlyAuthor", {"Everyone"}},
	{USE_VIOLENT, true, SHOWN, "violentUssageName", "Disallow", {"Allow"}},
	{USE_SEXUAL, true, SHOWN, "sexualUssageName", "Disallow", {"Allow"}},
	{USE_COMMERCIAL, true, SHOWN, "commercialUssageName", "Disallow", {"Allow"}},
	{USE_COMMERCIAL, true, FILES, "licenseName", "Redistribution_Prohibited",
		{"Redistribution_Prohibited", "CC0", "CC_BY", "CC_BY_SA", "CC_BY_ND"}},
	{USE_CORPORATE, true, SHOWN, "commercialUssageName", "Disallow", {"Allow"}},
	{USE_UNCREDITED, true, FILES, "licenseName", "Redistribution_Prohibited", {"CC0"}},
	{USE_REDISTRIBUTION, true, FILES, "licenseName", "Redistribution_Prohibited",
		{"CC0", "CC_BY", "CC_BY_NC", "CC_BY_SA", "CC_BY_NC_SA", "CC_BY_ND", "CC_BY_NC_ND"}},
	{USE_MODIFICATION, true, FILES, "licenseName", "Redistribution_Prohibited",
		{"CC0", "CC_BY", "CC_BY_NC", "CC_BY_SA", "CC_BY_NC_SA"}},
};

/* --- Names --- */

static bool refuse(struct span name, struct error *err) {
	char quoted[UTF8_QUOTED_BYTES], known[LICENCE_USES_BYTES];
	span_quote(name, quoted);
	value_list_names(licence_use_names, known, sizeof known);
	return error_set(err, ERROR_INVALID_VALUE, "no use %s; known are: %s", quoted, known);
}

static bool add(struct span name, unsigned *uses, struct error *err) {
	unsigned i = 0;
	while (licence_use_names[i] && !span_is(name, licence_use_names[i])) {
		i++;
	}
	if (!licence_use_names[i]) {
		return refuse(name, err);
	}
	if (*uses & 1u << i) {
		return error_set(err, ERROR_INVALID_VALUE, "the use %s is given twice",
			licence_use_names[i]);
	}
	*uses |= 1u << i;
	return true;
}

bool licence_read_uses(const char *text, size_t length, unsigned *uses, struct error *err) {
	const char *const end = text + length;
	*uses = 0;
	if (span_is((struct span){text, length}, "none")) {
		return true;
	}
	for (;;) {
		const char *comma = memchr(text, ',', (size_t)(end - text));
		const char *stop = comma ? comma : end;
		if (!add((struct span){text, (size_t)(stop - text)}, uses, err)) {
			return false;
		}
		if (!comma) {
			return true;
		}
		text = comma + 1;
	}
}

/* --- Terms --- */

static const char *value_of(const struct avatar_fact *fact) {
	return fact->kind == AVATAR_TRUTH ? (fact->number != 0 ? "true" : "false") : fact->text;
}

static bool allows(const struct term *term, const char *value) {
	for (size_t i = 0; i < ALLOWING_MAX && term->allowing[i]; i++) {
		if (strcmp(term->allowing[i], value) == 0) {
			return true;
		}
	}
	return false;
}

static bool forbid(const struct term *term, const struct avatar_fact *fact, struct error *err) {
	const char *allowing[ALLOWING_MAX + 1] = {0};
	char names[LICENCE_USES_BYTES], value[UTF8_QUOTED_BYTES];
	memcpy(allowing, term->allowing, sizeof term->allowing);
	value_list_names(allowing, names, sizeof names);
	utf8_quote(fact ? value_of(fact) : term->standard, value, sizeof value);
	return error_set(err, ERROR_LICENCE,
		"the avatar's licence does not allow the use %s%s: %s is %s%s, and only these do: "
		"%s",
		licence_use_names[term->use], term->part == FILES ? " of files" : "", term->key,
		fact ? "" : "not given, which means ", value, names);
}

bool licence_check(
	const struct rig *rig, unsigned uses, enum licence_part part, struct error *err) {
	const struct avatar *avatar = rig->avatar;
	if (!avatar || avatar->is_motion) {
		return true;
	}
	for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) {
		const struct term *term = &terms[i];
		if (!(uses & 1u << term->use) || term->is_0x != avatar->is_0x ||
			term->part > part) {
			continue;
		}
		const struct avatar_fact *fact = avatar_find_fact(avatar, term->key);
		if (!allows(term, fact ? value_of(fact) : term->standard)) {
			return forbid(term, fact, err);
		}
	}
	return true;
}
