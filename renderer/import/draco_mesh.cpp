// Draco's decoder behind a C interface.
#include "import/draco_mesh.h"

#include <draco/compression/mesh/mesh_edgebreaker_decoder.h>
#include <draco/compression/mesh/mesh_sequential_decoder.h>
#include <draco/core/varint_decoding.h>

#include <memory>
#include <new>

struct draco_mesh {
	draco::Mesh mesh;
};

namespace {

/* The only bitstream that glTF takes. */
const uint16_t BITSTREAM = DRACO_BITSTREAM_VERSION(2, 2);

/* Memory that decoding takes besides the result, measured on its tables: corners, their opposites
 * and vertices for each face, and once more for each attribute with seams of its own. */
const size_t BYTES_PER_FACE = 128;
const size_t BYTES_PER_FACE_AND_SEAMS = 24;

/* The sizes claimed by the header of a mesh. */
struct claim {
	uint32_t faces, points;
	uint8_t seams; // attributes with connectivity of their own
};

/* The counts in the order in which the two methods write them. */
bool read_claim(const draco::MeshEdgebreakerDecoder *, draco::DecoderBuffer *head, claim *c) {
	return draco::DecodeVarint(&c->points, head) && draco::DecodeVarint(&c->faces, head) &&
		head->Decode(&c->seams);
}

bool read_claim(const draco::MeshSequentialDecoder *, draco::DecoderBuffer *head, claim *c) {
	c->seams = 0;
	return draco::DecodeVarint(&c->faces, head) && draco::DecodeVarint(&c->points, head);
}

/* One of Draco's decoders that looks at what is claimed before it takes memory for it: connectivity
 * at the first step, attributes at the second. */
template <class Decoder> class Guarded : public Decoder {
public:
	Guarded(const draco_limits *limits_, error *err_) : limits(limits_), err(err_) {
	}

protected:
	bool DecodeGeometryData() override {
		return check_geometry() && Decoder::DecodeGeometryData();
	}

	bool DecodeAllAttributes() override {
		return check_attributes() && Decoder::DecodeAllAttributes();
	}

private:
	bool check_geometry() {
		if (this->bitstream_version() != BITSTREAM) {
			return error_set(err, ERROR_UNSUPPORTED_ASSET,
				"Draco bitstream %d.%d, must be 2.2",
				this->bitstream_version() >> 8, this->bitstream_version() & 0xff);
		}
		draco::DecoderBuffer head;
		head.Init(this->buffer()->data_head(),
			static_cast<size_t>(this->buffer()->remaining_size()), BITSTREAM);
		claim c;
		if (!read_claim(this, &head, &c)) {
			return error_set(err, ERROR_BROKEN_ASSET, "Draco: the head is cut off");
		}
		if (c.faces > limits->faces || c.points > limits->points) {
			return error_set(err, ERROR_BROKEN_ASSET,
				"Draco: %u triangles of %u points, but the accessors have %zu of "
				"%zu",
				c.faces, c.points, limits->faces, limits->points);
		}
		return check_bytes(c.faces * (BYTES_PER_FACE + c.seams * BYTES_PER_FACE_AND_SEAMS));
	}

	bool check_attributes() {
		const draco::PointCloud *cloud = this->point_cloud();
		size_t bytes = 0; // of one point: numbers, the same as integers, and an index
		for (int i = 0; i < cloud->num_attributes(); i++) {
			const draco::PointAttribute *attribute = cloud->attribute(i);
			const size_t size = static_cast<size_t>(attribute->byte_stride());
			bytes += size + attribute->num_components() * sizeof(int32_t) +
				sizeof(uint32_t);
		}
		return check_bytes(bytes * cloud->num_points());
	}

	bool check_bytes(size_t bytes) {
		return bytes <= limits->bytes ||
			error_set(err, ERROR_TOO_LARGE,
				"Draco: decoding takes about %zu bytes, but a file of this size "
				"may only fill %zu more",
				bytes, limits->bytes);
	}

	const draco_limits *limits;
	error *err;
};

template <class Decoder>
bool decode(
	draco::DecoderBuffer *buffer, const draco_limits *limits, draco::Mesh *mesh, error *err) {
	Guarded<Decoder> decoder(limits, err);
	const draco::DecoderOptions options;
	const draco::Status status = decoder.Decode(options, buffer, mesh);
	return status.ok() ||
		error_set(err, ERROR_BROKEN_ASSET, "Draco: %.200s", status.error_msg());
}

bool decode_any(
	draco::DecoderBuffer *buffer, const draco_limits *limits, draco::Mesh *mesh, error *err) {
	draco::DracoHeader header;
	draco::DecoderBuffer head(*buffer);
	const draco::Status status = draco::PointCloudDecoder::DecodeHeader(&head, &header);
	if (!status.ok()) {
		return error_set(err, ERROR_BROKEN_ASSET, "Draco: %.200s", status.error_msg());
	}
	if (header.encoder_type != draco::TRIANGULAR_MESH) {
		return error_set(err, ERROR_BROKEN_ASSET, "Draco: holds no triangle mesh");
	}
	return header.encoder_method == draco::MESH_EDGEBREAKER_ENCODING
		? decode<draco::MeshEdgebreakerDecoder>(buffer, limits, mesh, err)
		: decode<draco::MeshSequentialDecoder>(buffer, limits, mesh, err);
}

/* Draco leaves it to its caller to find a stream wrong that names points it does not have. */
bool check_corners(const draco::Mesh &mesh, error *err) {
	for (draco::FaceIndex i(0); i < mesh.num_faces(); ++i) {
		for (const draco::PointIndex &corner : mesh.face(i)) {
			if (corner.value() >= mesh.num_points()) {
				return error_set(err, ERROR_BROKEN_ASSET,
					"Draco: triangle %u has a corner %u, but there are only %u",
					i.value(), corner.value(), mesh.num_points());
			}
		}
	}
	return true;
}

template <typename Number>
bool read_numbers(const draco::Mesh &mesh, const draco::PointAttribute &attribute, size_t width,
	void *to, error *err) {
	Number *out = static_cast<Number *>(to);
	for (draco::PointIndex i(0); i < mesh.num_points(); ++i) {
		const draco::AttributeValueIndex value = attribute.mapped_index(i);
		if (value.value() >= attribute.size() ||
			!attribute.ConvertValue<Number>(value, static_cast<int8_t>(width), out)) {
			return error_set(err, ERROR_BROKEN_ASSET,
				"Draco: attribute %u of point %u does not fit the accessor's "
				"componentType",
				attribute.unique_id(), i.value());
		}
		out += width;
	}
	return true;
}

bool read_attribute(const draco::Mesh &mesh, const draco_attribute *wanted, void *out, error *err) {
	const draco::PointAttribute *attribute = mesh.GetAttributeByUniqueId(wanted->id);
	if (!attribute) {
		return error_set(
			err, ERROR_BROKEN_ASSET, "Draco: there is no attribute %u", wanted->id);
	}
	const size_t width = wanted->components;
	if (static_cast<size_t>(attribute->num_components()) != width) {
		return error_set(err, ERROR_BROKEN_ASSET,
			"Draco: attribute %u has %d numbers, the accessor's type %zu", wanted->id,
			attribute->num_components(), width);
	}
	switch (wanted->component) {
	case 5120:
		return read_numbers<int8_t>(mesh, *attribute, width, out, err);
	case 5121:
		return read_numbers<uint8_t>(mesh, *attribute, width, out, err);
	case 5122:
		return read_numbers<int16_t>(mesh, *attribute, width, out, err);
	case 5123:
		return read_numbers<uint16_t>(mesh, *attribute, width, out, err);
	case 5125:
		return read_numbers<uint32_t>(mesh, *attribute, width, out, err);
	default:
		return read_numbers<float>(mesh, *attribute, width, out, err);
	}
}

} // namespace

draco_mesh *draco_mesh_decode(
	const unsigned char *bytes, size_t size, const draco_limits *limits, error *err) {
	try {
		draco::DecoderBuffer buffer;
		buffer.Init(reinterpret_cast<const char *>(bytes), size);
		std::unique_ptr<draco_mesh> mesh(new draco_mesh);
		const bool sound = decode_any(&buffer, limits, &mesh->mesh, err) &&
			check_corners(mesh->mesh, err);
		return sound ? mesh.release() : nullptr;
	} catch (const std::bad_alloc &) {
		error_set(err, ERROR_TOO_LARGE, "Draco: out of memory");
	} catch (...) {
		error_set(err, ERROR_BROKEN_ASSET, "Draco: cannot decode this");
	}
	return nullptr;
}

void draco_mesh_destroy(draco_mesh *mesh) {
	delete mesh;
}

size_t draco_mesh_faces(const draco_mesh *mesh) {
	return mesh->mesh.num_faces();
}

size_t draco_mesh_points(const draco_mesh *mesh) {
	return mesh->mesh.num_points();
}

void draco_mesh_indices(const draco_mesh *mesh, uint32_t *out) {
	for (draco::FaceIndex i(0); i < mesh->mesh.num_faces(); ++i) {
		for (const draco::PointIndex &corner : mesh->mesh.face(i)) {
			*out++ = corner.value();
		}
	}
}

bool draco_mesh_read(
	const draco_mesh *mesh, const draco_attribute *attribute, void *out, error *err) {
	try {
		return read_attribute(mesh->mesh, attribute, out, err);
	} catch (...) {
		return error_set(
			err, ERROR_BROKEN_ASSET, "Draco: cannot read attribute %u", attribute->id);
	}
}
