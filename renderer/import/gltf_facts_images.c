// Notes of a lenient import on images: sizes, and bytes on the GPU.
#include <stdint.h>
#include <string.h>

#include "import/data_uri.h"
#include "import/gltf_facts_notes.h"

#define KTX2_MAGIC "\xabKTX 20\xbb\r\n\x1a\n"
#define KTX2_HEADER_BYTES 48
#define DDS_HEADER_BYTES 148

/* Vulkan's formats of blocks of 4 x 4 pixels in 8 bytes; others that have blocks take 16. */
#define VK_BC1_FIRST 131
#define VK_BC1_LAST 134
#define VK_BC4_FIRST 139
#define VK_BC4_LAST 140
#define VK_ETC2_RGB_FIRST 147
#define VK_ETC2_RGB_LAST 150
#define VK_EAC_R_FIRST 153
#define VK_EAC_R_LAST 154
#define VK_BLOCKS_FIRST 131
#define VK_BLOCKS_LAST 184

/* KTX2's supercompression that ends as blocks of 8 bytes. */
#define KTX2_BASIS_LZ 1

/* The picture of a compressed texture. */
struct picture {
	uint32_t width, height;
	unsigned block_bytes; // of 4 x 4 pixels
};

static uint32_t read_u32(const unsigned char *bytes, size_t at) {
	return (uint32_t)bytes[at] | (uint32_t)bytes[at + 1] << 8 | (uint32_t)bytes[at + 2] << 16 |
		(uint32_t)bytes[at + 3] << 24;
}

static bool is_between(uint32_t value, uint32_t first, uint32_t last) {
	return value >= first && value <= last;
}

static unsigned ktx2_block_bytes(uint32_t format, uint32_t supercompression) {
	if (supercompression == KTX2_BASIS_LZ || is_between(format, VK_BC1_FIRST, VK_BC1_LAST) ||
		is_between(format, VK_BC4_FIRST, VK_BC4_LAST) ||
		is_between(format, VK_ETC2_RGB_FIRST, VK_ETC2_RGB_LAST) ||
		is_between(format, VK_EAC_R_FIRST, VK_EAC_R_LAST)) {
		return 8;
	}
	// Format 0 is UASTC, which becomes blocks of 16 bytes everywhere.
	return format == 0 || is_between(format, VK_BLOCKS_FIRST, VK_BLOCKS_LAST) ? 16 : 64;
}

static bool read_ktx2(const unsigned char *bytes, size_t size, struct picture *picture) {
	if (size < KTX2_HEADER_BYTES || memcmp(bytes, KTX2_MAGIC, 12) != 0) {
		return false;
	}
	*picture = (struct picture){read_u32(bytes, 20), read_u32(bytes, 24),
		ktx2_block_bytes(read_u32(bytes, 12), read_u32(bytes, 44))};
	return true;
}

/* DXT1, BC4 and their kind have blocks of 8 bytes; without a known code there are no blocks. */
static unsigned dds_block_bytes(const unsigned char *bytes, size_t size) {
	const uint32_t dxgi = size >= DDS_HEADER_BYTES ? read_u32(bytes, 128) : 0;
	const char *code = (const char *)bytes + 84;
	if (memcmp(code, "DX10", 4) == 0) {
		return is_between(dxgi, 70, 72) || is_between(dxgi, 79, 81)    ? 8
			: is_between(dxgi, 73, 84) || is_between(dxgi, 94, 99) ? 16
									       : 64;
	}
	return memcmp(code, "DXT1", 4) == 0 || memcmp(code, "ATI1", 4) == 0 ||
			memcmp(code, "BC4", 3) == 0
		? 8
		: code[0] != '\0' ? 16
				  : 64;
}

/* No GPU takes more pixels on a side. */
#define SIDE_MAX (1u << 20)

static bool is_sane(const struct picture *picture) {
	return is_between(picture->width, 1, SIDE_MAX) && is_between(picture->height, 1, SIDE_MAX);
}

static bool read_dds(const unsigned char *bytes, size_t size, struct picture *picture) {
	if (size < 128 || memcmp(bytes, "DDS ", 4) != 0) {
		return false;
	}
	*picture = (struct picture){
		read_u32(bytes, 16), read_u32(bytes, 12), dds_block_bytes(bytes, size)};
	return true;
}

/* Marks an image of the file; true for the first time. */
static bool is_new(struct gltf *gltf, int index) {
	struct gltf_facts *facts = gltf->facts;
	if (!facts->seen) {
		const struct gltf_item images = gltf_member(&gltf->root, "images");
		facts->seen = arena_alloc(gltf->arena, gltf_list_size(&images), sizeof(bool));
	}
	const bool seen = facts->seen[index];
	facts->seen[index] = true;
	return !seen;
}

static void add(struct gltf *gltf, int index, const struct picture *picture) {
	struct gltf_facts *facts = gltf->facts;
	const uint64_t blocks =
		((uint64_t)picture->width + 3) / 4 * (((uint64_t)picture->height + 3) / 4);
	const uint64_t pixels = (uint64_t)picture->width * picture->height;
	// Mip levels add a third.
	const double level = picture->block_bytes == 64 ? 4.0 * (double)pixels
							: (double)blocks * picture->block_bytes;
	*(struct image_facts *)gltf_facts_add(facts, &facts->images) = (struct image_facts){
		.image = index,
		.width = (int)picture->width,
		.height = (int)picture->height,
		.gpu_bytes = (uint64_t)(level * 4 / 3),
	};
}

void gltf_facts_add_image(struct gltf *gltf, int index, const struct image *image) {
	if (!is_new(gltf, index)) {
		return;
	}
	const struct picture picture = {(uint32_t)image->width, (uint32_t)image->height, 64};
	add(gltf, index, &picture);
}

/* The bytes of an image; false where there are none. */
static bool find_bytes(struct gltf *gltf, int index, struct gltf_bytes *bytes) {
	const struct gltf_item images = gltf_member(&gltf->root, "images");
	const struct gltf_item image = gltf_element(&images, (size_t)index);
	const char *uri = NULL;
	int view = -1;
	if (!gltf_index(&image, "bufferView", gltf->view_count, &view, NULL) ||
		!gltf_string(&image, "uri", &uri, NULL)) {
		return false;
	}
	if (view >= 0) {
		*bytes = gltf->views[view];
		return true;
	}
	return uri && gltf_uri_read(gltf, &image, uri, bytes, NULL);
}

void gltf_facts_add_compressed(
	struct gltf *gltf, const struct gltf_item *texture, int image_count) {
	static const char *const names[] = {"KHR_texture_basisu", "MSFT_texture_dds"};
	const struct gltf_item extensions = gltf_member(texture, "extensions");
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		const struct gltf_item extension = gltf_member(&extensions, names[i]);
		struct gltf_bytes bytes = {0};
		struct picture picture;
		int source = -1;
		if (!extension.json ||
			!gltf_index(&extension, "source", image_count, &source, NULL) ||
			source < 0 || !find_bytes(gltf, source, &bytes)) {
			continue;
		}
		if ((read_ktx2(bytes.data, bytes.size, &picture) ||
			    read_dds(bytes.data, bytes.size, &picture)) &&
			is_sane(&picture) && is_new(gltf, source)) {
			add(gltf, source, &picture);
		}
	}
}
