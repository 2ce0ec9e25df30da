// pose convert: an asset of any format as a GLB.
#include "answer.h"
#include "asset.h"
#include "base/log.h"
#include "commands.h"
#include "forms.h"
#include "limits.h"
#include "problem_print.h"
#include "reader.h"
#include "renderer.h"
#include "status.h"
#include "version.h"
#include "warnings.h"

/* Says what importing changed, and what the GLB lacks of what was read. */
static void print_warnings(
	const struct arguments *arguments, const char *path, const struct rig *rig) {
	warnings_print_rig(arguments, path, rig);
	if (rig->light_count > 0) {
		warning_print(arguments, path, "its lights are left out");
	}
	if (rig->camera_count > 0) {
		warning_print(arguments, path, "its cameras are left out");
	}
	if (rig->avatar) {
		warning_print(arguments, path, "what makes it a VRM avatar is left out");
	}
}

static bool convert(const struct arguments *arguments, const char *path, const struct buffer *asset,
	struct buffer *glb, struct error *err) {
	struct rig *rig = reader_import_one(asset, err);
	const struct rig_file_job job = {
		.rig = rig,
		.generator = "posed " POSED_VERSION,
		.max_bytes = LIMIT_REPLY_BYTES,
	};
	const bool ok = rig && licence_check(rig, asset_uses(arguments), LICENCE_FILES, err) &&
		renderer_rig_glb(&job, glb, err);
	if (ok) {
		print_warnings(arguments, path, rig);
	}
	rig_release(rig);
	return ok;
}

int run_convert(const struct command *command, const struct arguments *arguments) {
	(void)command;
	const char *path = arguments->plain[1];
	struct buffer asset = {0}, glb = {0};
	struct error err = {0};
	if (!form_fits(arguments, &form_glb)) {
		return STATUS_USAGE;
	}
	log_configure(LOG_ERROR, LOG_TEXT);
	int status = asset_read(arguments, path, &asset);
	if (status == STATUS_OK) {
		status = convert(arguments, path, &asset, &glb, &err)
			? answer_write(arguments, &glb, form_glb.kind)
			: problem_print_error(arguments, path, &err);
	}
	buffer_finish(&asset);
	buffer_finish(&glb);
	return status;
}
