// One version of an asset on its way through its check.
#include "check_version.h"

static bool load(
	struct check_version *version, const struct check_input *input, struct arena *arena) {
	if (input->has_bytes) {
		version->asset.bytes = input->bytes;
		return true;
	}
	return asset_load(input->path, arena, &version->asset);
}

/* The rig with the clips that are stored beside its file. NULL with renderer_add_clips()'s errors.
 */
static struct rig *add_stored_clips(
	struct rig *take_rig, const struct check_input *input, struct error *err) {
	if (!take_rig || input->clip_count == 0) {
		return take_rig;
	}
	struct rig *rig = renderer_add_clips(take_rig, input->clips, input->clip_count, err);
	rig_release(take_rig);
	return rig;
}

void check_version_begin(struct check_version *version, const struct check_input *input,
	const struct check_job *job, struct reader *reader, struct arena *arena) {
	struct error *err = &version->asset.err;
	*version = (struct check_version){.job = *job};
	if (load(version, input, arena)) {
		const struct buffer *bytes = &version->asset.bytes;
		version->content = asset_content(arena, bytes);
		struct rig *rig = reader_import_lenient(reader, bytes, &version->facts, err);
		version->rig = add_stored_clips(rig, input, err);
	}
	if (!input->has_bytes) {
		buffer_finish(&version->asset.bytes);
	}
	version->job.rig = version->rig;
	version->job.facts = version->facts;
	version->run = version->rig ? renderer_check_begin(&version->job, arena, err) : NULL;
}

size_t check_version_steps(const struct check_version *version) {
	return version->run ? renderer_check_steps(version->run) : 0;
}

struct check_file check_version_finish(const struct check_version *version, struct arena *arena) {
	struct check_file file;
	if (version->asset.err.code == ERROR_NONE) {
		renderer_check_finish(version->run, &file);
	} else {
		renderer_check_refused(&version->job, &version->asset.err, arena, &file);
	}
	file.content = version->content;
	return file;
}

void check_version_release(struct check_version *version) {
	rig_release(version->rig);
	asset_facts_destroy(version->facts);
}
