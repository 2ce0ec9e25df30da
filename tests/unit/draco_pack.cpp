// Draco's encoder, for tests.
#include "draco_pack.h"

#include <draco/compression/encode.h>

#include <cstdlib>
#include <cstring>

static draco::DataType type_of(int component) {
	switch (component) {
	case 5120:
		return draco::DT_INT8;
	case 5121:
		return draco::DT_UINT8;
	case 5122:
		return draco::DT_INT16;
	case 5123:
		return draco::DT_UINT16;
	case 5125:
		return draco::DT_UINT32;
	default:
		return draco::DT_FLOAT32;
	}
}

static draco::GeometryAttribute::Type kind_of(int kind) {
	static const draco::GeometryAttribute::Type kinds[] = {draco::GeometryAttribute::POSITION,
		draco::GeometryAttribute::NORMAL, draco::GeometryAttribute::COLOR,
		draco::GeometryAttribute::TEX_COORD, draco::GeometryAttribute::GENERIC};
	return kinds[kind];
}

static void add_attribute(draco::Mesh *mesh, const draco_pack_attribute *from) {
	const draco::DataType type = type_of(from->component);
	const int stride = from->components * draco::DataTypeLength(type);
	draco::GeometryAttribute attribute;
	attribute.Init(kind_of(from->kind), nullptr, static_cast<uint8_t>(from->components), type,
		from->normalized != 0, stride, 0);
	const int id = mesh->AddAttribute(attribute, true, mesh->num_points());
	const char *numbers = static_cast<const char *>(from->numbers);
	for (draco::AttributeValueIndex i(0); i < mesh->num_points(); ++i) {
		mesh->attribute(id)->SetAttributeValue(
			i, numbers + static_cast<size_t>(i.value()) * static_cast<size_t>(stride));
	}
}

unsigned char *draco_pack(const draco_pack_job *job, size_t *size) {
	draco::Mesh mesh;
	mesh.set_num_points(static_cast<uint32_t>(job->point_count));
	mesh.SetNumFaces(job->face_count);
	for (size_t i = 0; i < job->face_count; i++) {
		draco::Mesh::Face face;
		for (size_t k = 0; k < 3; k++) {
			face[k] = job->indices[i * 3 + k];
		}
		mesh.SetFace(draco::FaceIndex(static_cast<uint32_t>(i)), face);
	}
	for (size_t i = 0; i < job->attribute_count; i++) {
		add_attribute(&mesh, &job->attributes[i]);
	}
	draco::Encoder encoder;
	encoder.SetEncodingMethod(job->sequential ? draco::MESH_SEQUENTIAL_ENCODING
						  : draco::MESH_EDGEBREAKER_ENCODING);
	draco::EncoderBuffer buffer;
	if (!encoder.EncodeMeshToBuffer(mesh, &buffer).ok()) {
		return nullptr;
	}
	*size = buffer.size();
	unsigned char *bytes = static_cast<unsigned char *>(std::malloc(*size));
	std::memcpy(bytes, buffer.data(), *size);
	return bytes;
}
