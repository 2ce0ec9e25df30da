// JSON that is sound -> a tree of plain values. No exception leaves json_read_quickly.
#include <new>
#include <vector>

#include "base/json_walk.hpp"

extern "C" {
#include "base/memory.h"
#include "json_text.h"
#include "limits.h"
}

namespace ondemand = simdjson::ondemand;

namespace {

/* Members of an object whose names are held against one another one by one. */
constexpr size_t MEMBERS_MAX = 64;

/* Input that this reader leaves to the other one. */
struct unfit {};

class reader : public json_walk<reader, struct value> {
public:
	reader(const ondemand::parser &parser_, struct arena *arena_) : json_walk(parser_, arena_) {
		waiting.reserve(MEMBERS_MAX);
	}

	/* Tells the items of a value, which stays where it is, who their parent is. */
	static void adopt(struct value &parent) {
		struct value *items = const_cast<struct value *>(parent.items);
		for (size_t i = 0; i < parent.count; i++) {
			items[i].parent = &parent;
		}
	}

private:
	friend json_walk;

	void expect(ondemand::value &, size_t) {
		if (++count > LIMIT_JSON_VALUES) {
			throw unfit{};
		}
	}

	size_t begin(size_t depth) const {
		if (depth > LIMIT_JSON_DEPTH) {
			throw unfit{};
		}
		return waiting.size();
	}

	const char *name(ondemand::raw_json_string raw, size_t first) {
		const char *key = read_string(raw);
		expect_new(first, key);
		return key;
	}

	static struct value null() {
		return {};
	}

	static struct value boolean(bool yes) {
		struct value value = {};
		value.kind = VALUE_BOOL;
		value.boolean = yes;
		return value;
	}

	static struct value number(double number) {
		struct value value = {};
		value.kind = VALUE_NUMBER;
		value.number = number;
		return value;
	}

	struct value string(ondemand::raw_json_string raw) {
		struct value value = {};
		value.kind = VALUE_STRING;
		value.string = read_string(raw);
		return value;
	}

	const char *read_string(ondemand::raw_json_string raw) {
		bool whole;
		const std::string_view part = plain_part(raw, &whole);
		if (whole) {
			return arena_strndup(arena, part.data(), part.size());
		}
		char *copy;
		size_t size;
		if (unescape(raw, &copy, &size) || memchr(copy, '\0', size)) {
			throw unfit{};
		}
		copy[size] = '\0';
		return copy;
	}

	void add(const char *key, const struct value &value) {
		waiting.push_back(value);
		waiting.back().key = key;
	}

	struct value end_list(size_t first) {
		return collect(VALUE_LIST, first);
	}

	struct value end_object(size_t first) {
		return collect(VALUE_OBJECT, first);
	}

	void expect_new(size_t first, const char *key) {
		if (waiting.size() - first == MEMBERS_MAX) {
			throw unfit{};
		}
		for (size_t i = first; i < waiting.size(); i++) {
			if (strcmp(waiting[i].key, key) == 0) {
				throw unfit{};
			}
		}
	}

	/* Moves the values that wait from first on to the arena, as the items of a new one. Where
	 * that will lie is known one level up: it is there that its items get their parent. */
	struct value collect(enum value_kind kind, size_t first) {
		struct value out = {};
		out.kind = kind;
		out.count = waiting.size() - first;
		struct value *items =
			static_cast<struct value *>(arena_alloc(arena, out.count, sizeof *items));
		for (size_t i = 0; i < out.count; i++) {
			items[i] = waiting[first + i];
			items[i].index = i;
			adopt(items[i]);
		}
		waiting.resize(first);
		out.items = items;
		return out;
	}

	size_t count = 0;                  // of values so far
	std::vector<struct value> waiting; // of lists and objects that are not at their end
};

} // namespace

const struct value *json_read_quickly(struct arena *arena, const void *text, size_t size) {
	const size_t room = size + simdjson::SIMDJSON_PADDING;
	char *padded = static_cast<char *>(arena_alloc(arena, room, 1));
	if (size > 0) {
		memcpy(padded, text, size);
	}
	struct value *root = static_cast<struct value *>(arena_alloc(arena, 1, sizeof *root));
	try {
		ondemand::parser parser;
		ondemand::document document = parser.iterate(padded, size, room);
		ondemand::value value = document.get_value();
		*root = reader(parser, arena).read(value, 0);
		reader::adopt(*root);
		const char *rest = nullptr;
		const bool whole = document.current_location().get(rest) == simdjson::OUT_OF_BOUNDS;
		return whole ? root : nullptr;
	} catch (const simdjson::simdjson_error &) {
		return nullptr;
	} catch (const std::bad_alloc &) {
		memory_release_reserve();
		return nullptr;
	} catch (const unfit &) {
		return nullptr;
	}
}
