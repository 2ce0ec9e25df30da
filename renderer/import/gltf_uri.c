// URIs in a document -> bytes.
#include "import/gltf_uri.h"
#include "base/utf8.h"

#include "import/data_uri.h"

static bool read_data(struct gltf *gltf, const struct gltf_item *item, const char *uri,
	struct gltf_bytes *bytes, struct error *err) {
	struct error why = {0};
	const char *flaw = NULL;
	bytes->data = data_uri_decode(uri, gltf->arena, &bytes->size, &flaw, &why);
	if (flaw) {
		gltf_breach(gltf, GLTF_INVALID_URI, item, "%s", flaw);
	}
	return bytes->data || gltf_broken(item, err, "%s", why.text);
}

bool gltf_uri_read(struct gltf *gltf, const struct gltf_item *item, const char *uri,
	struct gltf_bytes *bytes, struct error *err) {
	if (data_uri_is(uri)) {
		return read_data(gltf, item, uri, bytes, err);
	}
	const struct gltf_files *files = gltf->source->files;
	struct error why = {0};
	char quoted[UTF8_QUOTED_BYTES];
	utf8_quote(uri, quoted, sizeof quoted);
	if (!files) {
		return gltf_broken(item, err,
			"external file %s cannot be had; send a GLB, data URIs, or all files in "
			"a ZIP or a form",
			quoted);
	}
	bytes->data = files->read(files->context, uri, &bytes->size, &why);
	char place[GLTF_PLACE_BYTES];
	gltf_place(item, place);
	return bytes->data ||
		error_set(err, why.code, "%s: external file %s: %s", place, quoted, why.text);
}
