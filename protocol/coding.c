// The members of a picture request that say how much a file may lose.
#include "coding.h"

void coding_begin(struct coding_members *found, struct picture_settings *out,
	struct member members[static CODING_MEMBERS]) {
	*found = (struct coding_members){0};
	members[0] = (struct member){
		.name = "quality",
		.type = MEMBER_INTEGER,
		.out = &out->quality,
		.least = 1,
		.most = 100,
		.place = &found->quality_place,
	};
	members[1] = (struct member){
		.name = "lossless",
		.type = MEMBER_BOOL,
		.out = &found->lossless,
		.place = &found->lossless_place,
	};
}

bool coding_end(
	const struct coding_members *found, struct picture_settings *out, struct error *err) {
	const bool said = found->lossless_place != NULL;
	out->lossy = said ? !found->lossless : found->quality_place != NULL;
	return !found->quality_place || out->lossy ||
		value_error(found->quality_place, err, ERROR_INVALID_VALUE,
			"\"quality\" is of files that lose something, and \"lossless\" is true");
}
