// A rig as the rasteriser has it.
#include "raster/cpu_rig.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct cpu_rig *cpu_rig_create(const struct rig *rig, size_t *bytes, struct error *err) {
	const size_t floats = gpu_rig_stream_floats(rig);
	struct cpu_rig *cpu = xcalloc(1, sizeof *cpu);
	*bytes = floats * sizeof(float);
	cpu->drawn = (struct drawn_rig){.id = rig->id,
		.bytes = *bytes,
		.copies = 1,
		.reach = rig_reach(rig->positions, rig->vertex_count)};
	cpu->texture_count = rig->texture_count;
	for (int encoded = 0; encoded < 2; encoded++) {
		cpu->textures[encoded] =
			xcalloc((size_t)rig->texture_count + 1, sizeof *cpu->textures[encoded]);
	}
	cpu->streams = try_calloc(floats + 1, sizeof(float), "a rig's vertices", err);
	if (!cpu->streams) {
		cpu_rig_destroy(cpu);
		return NULL;
	}
	return cpu;
}

void cpu_rig_destroy(struct cpu_rig *cpu) {
	if (!cpu) {
		return;
	}
	for (int encoded = 0; encoded < 2; encoded++) {
		for (int i = 0; i < cpu->texture_count; i++) {
			raster_texture_destroy(cpu->textures[encoded][i]);
		}
		free(cpu->textures[encoded]);
	}
	free(cpu->edges);
	free(cpu->streams);
	free(cpu);
}

void cpu_streams_put(float *streams, const struct rig *rig, const float *positions,
	const float *normals, const float *tangents) {
	const size_t count = (size_t)rig->vertex_count;
	memcpy(streams, positions, count * 3 * sizeof *streams);
	memcpy(streams + count * 3, normals, count * 3 * sizeof *streams);
	if (tangents) {
		memcpy(streams + count * 6, tangents, count * 4 * sizeof *streams);
	}
}

bool cpu_rig_textures(struct cpu_rig *cpu, const struct rig *rig, const struct material *material,
	unsigned maps, const struct raster_texture *out[static TEXTURE_USE_COUNT],
	struct error *err) {
	for (int use = 0; use < TEXTURE_USE_COUNT; use++) {
		const int i = material->textures[use].texture;
		const bool encoded = material_textures[use].encoded;
		out[use] = NULL;
		if (i < 0 || !(maps & 1U << use)) {
			continue;
		}
		struct raster_texture **there = &cpu->textures[encoded][i];
		if (!*there) {
			const struct texture *texture = &rig->textures[i];
			*there = raster_texture_create(
				&rig->images[texture->image], texture, encoded, err);
			if (!*there) {
				return false;
			}
			cpu->drawn.bytes += (*there)->bytes;
		}
		out[use] = *there;
	}
	return true;
}
