// Clips and the nodes that they drive -> a glTF document.
#include "export/clip.h"

#include <stdlib.h>

#include "base/memory.h"
#include "export/glb.h"
#include "export/nodes.h"

struct exporter {
	const struct rig *rig;
	struct glb glb;
	int point;                 // accessor of one vertex at the origin; -1 = none so far
	struct export_node *nodes; // [joint_count] with meshes of one point; owned
};

static void add_point(struct exporter *exporter) {
	static const float origin[3] = {0};
	const struct glb_accessor accessor = {
		.view = glb_add_view(
			&exporter->glb, origin, sizeof origin, sizeof origin, GLB_VERTICES),
		.component = GLB_F32,
		.type = "VEC3",
		.count = 1,
		.min = origin,
		.max = origin,
	};
	exporter->point = glb_add_accessor(&exporter->glb, &accessor);
}

static void write_position(struct exporter *exporter, struct json_writer *json) {
	json_write_begin_object(json);
	json_write_member_integer(json, "POSITION", exporter->point);
	json_write_end_object(json);
}

static void add_mesh(struct exporter *exporter, int joint) {
	if (exporter->nodes[joint].mesh >= 0) {
		return;
	}
	if (exporter->point < 0) {
		add_point(exporter);
	}
	struct json_writer *json = glb_begin(&exporter->glb, GLB_MESHES);
	exporter->nodes[joint].mesh = exporter->glb.lists[GLB_MESHES].count - 1;
	exporter->nodes[joint].morphs = exporter->rig->joints[joint].weight_count > 0;
	json_write_key(json, "primitives");
	json_write_begin_list(json);
	json_write_begin_object(json);
	json_write_key(json, "attributes");
	write_position(exporter, json);
	json_write_member_integer(json, "mode", 0);
	json_write_key(json, "targets");
	json_write_begin_list(json);
	for (int i = 0; i < exporter->rig->joints[joint].weight_count; i++) {
		write_position(exporter, json);
	}
	json_write_end_list(json);
	json_write_end_object(json);
	json_write_end_list(json);
	json_write_end_object(json);
}

static void add_meshes(struct exporter *exporter, const struct clip *clip) {
	for (int i = 0; i < clip->channel_count; i++) {
		if (clip->channels[i].path == CHANNEL_WEIGHTS) {
			add_mesh(exporter, clip->channels[i].joint);
		}
	}
}

bool export_clips(const struct rig *rig, const struct clip *clips, int count, const char *generator,
	size_t max_bytes, struct buffer *out, struct error *err) {
	struct exporter exporter = {.rig = rig, .point = -1};
	float **numbers = xcalloc((size_t)count, sizeof *numbers);
	bool written = true;
	exporter.nodes = xcalloc((size_t)rig->joint_count, sizeof *exporter.nodes);
	nodes_init(rig, exporter.nodes);
	for (int i = 0; i < count; i++) {
		add_meshes(&exporter, &clips[i]);
	}
	nodes_add(&exporter.glb, rig, exporter.nodes, rig->joint_count);
	for (int i = 0; i < count && written; i++) {
		written = keys_add(&exporter.glb, &clips[i], &numbers[i], err);
	}
	written = written && glb_write(&exporter.glb, generator, max_bytes, out, err);
	glb_finish(&exporter.glb);
	for (int i = 0; i < count; i++) {
		free(numbers[i]);
	}
	free(numbers);
	free(exporter.nodes);
	return written;
}
