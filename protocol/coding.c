// The members of a picture request that say how much a file may lose.
#include "coding.h"

void coding_begin(struct coding_members *found, struct picture_settings *out,
	struct member members[static CODING_MEMBERS]) {
	*found = (struct coding_members){.lossless = true};
	members[0] = (struct member){
		.name = "quality",
		.type = MEMBER_INTEGER,
		.out = &out->quality,
		.least = 1,
		.most = 100,
	};
	members[1] =
		(struct member){.name = "lossless", .type = MEMBER_BOOL, .out = &found->lossless};
}

void coding_end(const struct coding_members *found, struct picture_settings *out) {
	out->lossy = !found->lossless;
}
