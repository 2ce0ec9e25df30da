// JSON text -> the compact tree of an asset. No exception leaves json_parse.
#include <algorithm>
#include <new>
#include <vector>

#include "base/json_walk.hpp"

extern "C" {
#include "base/utf8.h"
#include "import/json_parse.h"
#include "import/limits.h"
}

namespace ondemand = simdjson::ondemand;

namespace {

/* The error of a refused document, and its position in the text. */
struct refusal {
	enum error_code code;
	const char *at; // NULL = nowhere in particular
	const char *why;
};

[[noreturn]] void refuse(const char *at, const char *why) {
	throw refusal{ERROR_BROKEN_ASSET, at, why};
}

/* An odd number with bits all over: products carry every bit of their factor up. */
constexpr uint64_t MIXER = UINT64_C(0x9e3779b97f4a7c15);

/* A place for the last thing of each hash: a cache and no more. */
template <typename thing> class cache {
public:
	thing &at(uint64_t hash) {
		return places[hash * MIXER >> (64 - BITS)];
	}

private:
	static constexpr int BITS = 9;
	thing places[1 << BITS] = {};
};

/* The next 8 bytes of the text; there is room for that behind every string. */
uint64_t load(const char *text) {
	uint64_t bytes;
	memcpy(&bytes, text, sizeof bytes);
	return bytes;
}

/* Copies of strings; short ones such as keys and names of types share one, for they return by the
 * thousand. */
class string_copies {
public:
	explicit string_copies(struct arena *lasting) : arena(lasting) {
	}

	const char *make(const char *text, size_t length) {
		if (length > LENGTH_MAX) {
			return arena_strndup(arena, text, length);
		}
		const uint64_t taken = length < 8 ? ~(~UINT64_C(0) << 8 * length) : ~UINT64_C(0);
		const uint64_t first = load(text) & taken;
		const uint64_t last = load(text + (length > 8 ? length - 8 : 0)) & taken;
		copy &known = copies.at(first ^ last * 3 ^ length);
		if (known.first != first || known.last != last || known.length != length ||
			!known.text) {
			known = {first, last, length, arena_strndup(arena, text, length)};
		}
		return known.text;
	}

private:
	/* So that the first and the last 8 bytes are all. */
	static constexpr size_t LENGTH_MAX = 16;
	struct copy {
		uint64_t first, last;
		size_t length;
		const char *text; // NULL = nothing yet
	};

	struct arena *arena;
	cache<copy> copies;
};

/* A value with the name that it has in its object. */
struct member {
	const char *name;
	json_value value;
};

/* The names of objects, one list for all objects that have the same. */
class name_lists {
public:
	explicit name_lists(struct arena *lasting) : arena(lasting) {
	}

	const char *const *make(const member *members, size_t count) {
		uint64_t hash = count;
		for (size_t i = 0; i < count; i++) {
			hash = (hash ^ reinterpret_cast<uintptr_t>(members[i].name)) * MIXER;
		}
		list &known = lists.at(hash);
		if (known.count != count || !same(known.names, members, count)) {
			known = {copy(members, count), count};
		}
		return known.names;
	}

private:
	struct list {
		const char *const *names;
		size_t count;
	};

	static bool same(const char *const *names, const member *members, size_t count) {
		size_t i = 0;
		while (i < count && names[i] == members[i].name) {
			i++;
		}
		return i == count;
	}

	const char *const *copy(const member *members, size_t count) {
		const char **names =
			static_cast<const char **>(arena_alloc(arena, count, sizeof *names));
		for (size_t i = 0; i < count; i++) {
			names[i] = members[i].name;
		}
		return names;
	}

	struct arena *arena;
	cache<list> lists;
};

/* Lists and objects are gathered in the open ones and moved to the arena at their ends, when it is
 * known how long they are. */
class reader : public json_walk<reader, json_value> {
public:
	reader(const ondemand::parser &parser_, struct arena *arena_)
	    : json_walk(parser_, arena_), strings(arena_), names(arena_) {
	}

	size_t replaced_count() const {
		return replaced;
	}

private:
	friend json_walk;

	void expect(ondemand::value &from, size_t depth) {
		if (++value_count > IMPORT_JSON_VALUES_MAX) {
			throw refusal{ERROR_TOO_LARGE, from.current_location(),
				"more values than are accepted"};
		}
		if (depth == IMPORT_JSON_DEPTH_MAX) {
			refuse(from.current_location(), "nested deeper than is accepted");
		}
	}

	size_t begin(size_t) const {
		return open.size();
	}

	const char *name(ondemand::raw_json_string raw, size_t) {
		uint32_t length;
		return read_string(raw, &length);
	}

	static json_value null() {
		return {};
	}

	static json_value boolean(bool yes) {
		return {yes ? JSON_KIND_TRUE : JSON_KIND_FALSE, 0, {}};
	}

	static json_value number(double number) {
		json_value value = {JSON_KIND_NUMBER, 0, {}};
		value.of.number = number;
		return value;
	}

	json_value string(ondemand::raw_json_string raw) {
		json_value value = {JSON_KIND_STRING, 0, {}};
		value.of.string = read_string(raw, &value.count);
		return value;
	}

	const char *read_string(ondemand::raw_json_string raw, uint32_t *length) {
		bool whole;
		const std::string_view part = plain_part(raw, &whole);
		if (!whole) {
			return read_escaped(raw, length);
		}
		*length = static_cast<uint32_t>(part.size());
		return strings.make(part.data(), part.size());
	}

	const char *read_escaped(ondemand::raw_json_string raw, uint32_t *length) {
		char *copy;
		size_t size;
		if (const auto error = unescape(raw, &copy, &size)) {
			refuse(raw.raw(), simdjson::error_message(error));
		}
		size = replace_nul(copy, size);
		copy[size] = '\0';
		*length = static_cast<uint32_t>(size);
		return copy;
	}

	/* Writes U+FFFD for each NUL, from the last byte on. It is shorter than the \u0000 that it
	 * stands for, so that there is room. Returns the new size. */
	size_t replace_nul(char *text, size_t size) {
		const size_t count = static_cast<size_t>(std::count(text, text + size, '\0'));
		char *to = text + size + 2 * count;
		for (const char *from = text + size; to != from;) {
			if (*--from == '\0') {
				to -= 3;
				memcpy(to, "\xef\xbf\xbd", 3);
			} else {
				*--to = *from;
			}
		}
		replaced += count;
		return size + 2 * count;
	}

	void add(const char *name, const json_value &value) {
		open.emplace_back();
		open.back().name = name;
		open.back().value = value;
	}

	/* Makes an object of the open values from first on. */
	json_value end_object(size_t first) {
		const size_t count = open.size() - first;
		member *members = open.data() + first;
		if (count > JSON_UNSORTED_MAX) {
			std::stable_sort(
				members, members + count, [](const member &a, const member &b) {
					return strcmp(a.name, b.name) < 0;
				});
		}
		json_object *object = static_cast<json_object *>(
			arena_alloc(arena, sizeof *object + count * sizeof object->values[0], 1));
		object->names = names.make(members, count);
		json_value value = {JSON_KIND_OBJECT, static_cast<uint32_t>(count), {}};
		value.of.members = object;
		move_values(first, object->values);
		return value;
	}

	/* Makes a list of them. */
	json_value end_list(size_t first) {
		const size_t count = open.size() - first;
		json_value *elements =
			static_cast<json_value *>(arena_alloc(arena, count, sizeof *elements));
		json_value value = {JSON_KIND_LIST, static_cast<uint32_t>(count), {}};
		value.of.elements = elements;
		move_values(first, elements);
		return value;
	}

	void move_values(size_t first, json_value *to) {
		for (size_t i = first; i < open.size(); i++) {
			*to++ = open[i].value;
		}
		open.resize(first);
	}

	string_copies strings;
	name_lists names;
	size_t value_count = 0;
	size_t replaced = 0;      // NULs in strings
	std::vector<member> open; // of the lists and objects that are not yet at their end
};

/* The first byte that opens a string without end, or that a string must not hold as it is; for what
 * the library refuses before it knows a place. */
const char *find_broken_string(const char *text, const char *end) {
	const char *opened = nullptr;
	for (const char *c = text; c < end; c++) {
		if (*c == '"') {
			opened = opened ? nullptr : c;
		} else if (opened && *c == '\\') {
			c++;
		} else if (opened && static_cast<unsigned char>(*c) < 0x20) {
			return c;
		}
	}
	return opened;
}

const char *find_broken_character(const char *text, const char *end) {
	size_t length = 1;
	while (text < end && length > 0) {
		length = utf8_character_bytes(text, static_cast<size_t>(end - text));
		text += length;
	}
	return text;
}

/* The position at which tokenizing failed; the start if it is unknown. */
const char *find_place(std::string_view text, simdjson::error_code error) {
	const char *end = text.data() + text.size();
	if (error == simdjson::UTF8_ERROR) {
		return find_broken_character(text.data(), end);
	}
	if (error == simdjson::UNCLOSED_STRING || error == simdjson::UNESCAPED_CHARS) {
		return find_broken_string(text.data(), end);
	}
	return text.data();
}

/* The position at which the walk over the tokens stopped. */
const char *find_place(std::string_view text, ondemand::document &document) {
	const char *at = nullptr;
	return document.current_location().get(at) ? text.data() + text.size() : at;
}

/* Reads the one object that a document is. room bytes from its start on may be read. */
json_value read_document(
	std::string_view text, size_t room, struct arena *arena, size_t *replaced) {
	ondemand::parser parser;
	ondemand::document document;
	if (const auto error = parser.iterate(text, room).get(document)) {
		refuse(find_place(text, error), simdjson::error_message(error));
	}
	try {
		if (document.type() != ondemand::json_type::object) {
			refuse(text.data(), "must be an object");
		}
		reader walk(parser, arena);
		const json_value root = walk.read_object(document.get_object(), 1);
		const char *rest = nullptr;
		if (document.current_location().get(rest) != simdjson::OUT_OF_BOUNDS) {
			refuse(rest, "something follows the document");
		}
		*replaced = walk.replaced_count();
		return root;
	} catch (const simdjson::simdjson_error &problem) {
		refuse(find_place(text, document), problem.what());
	}
}

/* Lines and columns (in bytes) count from 1. */
void report(std::string_view text, const refusal &why, struct error *err) {
	size_t line = 1, column = 1;
	for (const char *c = text.data(); c < why.at; c++) {
		line += *c == '\n';
		column = *c == '\n' ? 1 : column + 1;
	}
	error_set(err, why.code, "document: line %zu, column %zu: %s", line, column, why.why);
}

const json_value *parse(std::string_view text, size_t room, struct arena *arena, size_t *replaced,
	struct error *err) {
	try {
		json_value *root = static_cast<json_value *>(arena_alloc(arena, 1, sizeof *root));
		*root = read_document(text, room, arena, replaced);
		return root;
	} catch (const refusal &why) {
		report(text, why, err);
	}
	return nullptr;
}

} // namespace

const struct json_value *json_parse(
	const struct json_text *text, struct arena *arena, size_t *replaced, struct error *err) {
	size_t unused;
	replaced = replaced ? replaced : &unused;
	try {
		if (text->room >= text->size + simdjson::SIMDJSON_PADDING) {
			return parse({text->bytes, text->size}, text->room, arena, replaced, err);
		}
		std::vector<char> copy(text->size + simdjson::SIMDJSON_PADDING);
		std::copy_n(text->bytes, text->size, copy.begin());
		return parse({copy.data(), text->size}, copy.size(), arena, replaced, err);
	} catch (const std::bad_alloc &) {
		error_set(err, ERROR_TOO_LARGE, "document: no memory for %zu bytes", text->size);
	}
	return nullptr;
}
