// The layout of what skinning shaders read.
#include "draw/skin_steps.h"

#include <string.h>

size_t gpu_rig_stream_floats(const struct rig *rig) {
	return (size_t)rig->vertex_count * (rig->tangents ? 10 : 6);
}

size_t gpu_rig_weights_word(const struct rig *rig) {
	return (rig->influence_count * sizeof *rig->influence_slots + 3) / 4;
}

size_t gpu_rig_influence_words(const struct rig *rig) {
	return gpu_rig_weights_word(rig) + rig->influence_count;
}

/* Floats of the slots' entries of one copy. */
size_t gpu_skin_entry_floats(const struct rig *rig, const struct gpu_skin_step *step) {
	return (size_t)step->entry_floats * (size_t)rig->slot_count;
}

static void copy_sections(const struct skin_data *data, uint32_t out[static SKIN_SECTIONS_MAX]) {
	if (data) {
		memcpy(out, data->sections, sizeof data->sections);
	}
}

struct gpu_skin_uniforms gpu_skin_uniforms(
	const struct rig *rig, int copies, bool tangents, const struct gpu_skin_step *step) {
	const uint32_t streams = (uint32_t)gpu_rig_stream_floats(rig);
	struct gpu_skin_uniforms uniforms = {
		.streams = {(uint32_t)rig->vertex_count, tangents ? 1 : 0},
		.pass = (uint32_t)step->pass,
		.extra = (uint32_t)((size_t)copies * gpu_skin_entry_floats(rig, step) / 4),
		.copy = {(uint32_t)rig->slot_count, (uint32_t)step->extra_floats / 4,
			step->from_displaced ? streams : 0, streams},
	};
	copy_sections(step->data, uniforms.sections);
	copy_sections(step->normals_data, uniforms.normals_sections);
	return uniforms;
}
