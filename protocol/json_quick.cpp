// JSON that is sound -> a tree of plain values, by simdjson. No exception leaves json_read_quickly.
#include <cstring>
#include <new>
#include <string_view>
#include <vector>

#include <simdjson.h>

#include "base/json_number.hpp"

extern "C" {
#include "base/memory.h"
#include "json_quick.h"
#include "limits.h"
}

namespace ondemand = simdjson::ondemand;

namespace {

/* Members of an object whose names are held against one another one by one. */
constexpr size_t MEMBERS_MAX = 64;

/* Input that this reader leaves to the other one. */
struct unfit {};

class reader {
public:
	explicit reader(struct arena *lasting) : arena(lasting) {
		waiting.reserve(MEMBERS_MAX);
	}

	struct value read(ondemand::value from, int depth) {
		struct value value = {};
		if (++count > LIMIT_JSON_VALUES) {
			throw unfit{};
		}
		switch (from.type()) {
		case ondemand::json_type::object:
			value.kind = VALUE_OBJECT;
			read_object(from.get_object(), depth, value);
			break;
		case ondemand::json_type::array:
			value.kind = VALUE_LIST;
			read_list(from.get_array(), depth, value);
			break;
		case ondemand::json_type::string:
			value.kind = VALUE_STRING;
			value.string = copy(from.get_string());
			break;
		case ondemand::json_type::number:
			value.kind = VALUE_NUMBER;
			value.number = read_number(from);
			break;
		case ondemand::json_type::boolean:
			value.kind = VALUE_BOOL;
			value.boolean = from.get_bool();
			break;
		case ondemand::json_type::null:
			if (!from.is_null()) {
				throw unfit{};
			}
			break;
		}
		return value;
	}

private:
	static double read_number(ondemand::value &from) {
		const std::string_view token = from.raw_json_token();
		return json_number(token, from.get_double());
	}

	const char *copy(std::string_view text) {
		if (memchr(text.data(), '\0', text.size())) {
			throw unfit{};
		}
		return arena_strndup(arena, text.data(), text.size());
	}

	void read_list(ondemand::array list, int depth, struct value &out) {
		const size_t first = waiting.size();
		enter(depth);
		for (auto element : list) {
			const struct value item = read(element.value(), depth + 1);
			waiting.push_back(item);
		}
		collect(first, out);
	}

	void read_object(ondemand::object object, int depth, struct value &out) {
		const size_t first = waiting.size();
		enter(depth);
		for (auto next : object) {
			const char *key = copy(next.unescaped_key());
			expect_new(first, key);
			struct value item = read(next.value(), depth + 1);
			item.key = key;
			waiting.push_back(item);
		}
		collect(first, out);
	}

	static void enter(int depth) {
		if (depth == LIMIT_JSON_DEPTH) {
			throw unfit{};
		}
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

	/* Moves the values that wait from first on to the arena, as the items of out. Where out
	 * will lie is known one level up: it is there that its items get their parent. */
	void collect(size_t first, struct value &out) {
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
	}

public:
	/* Tells the items of a value, which stays where it is, who their parent is. */
	static void adopt(struct value &parent) {
		struct value *items = const_cast<struct value *>(parent.items);
		for (size_t i = 0; i < parent.count; i++) {
			items[i].parent = &parent;
		}
	}

private:
	struct arena *arena;
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
		*root = reader(arena).read(document.get_value(), 0);
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
