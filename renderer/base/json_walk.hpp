/* The walk over a JSON document's tokens, in their order, by simdjson: once for all trees that are
 * made of one. A tree's maker derives from json_walk, and is told of everything that there is:
 *
 *   expect(from, depth)    a value within so many lists and objects, before it is read
 *   begin(depth)           the start of a list or an object; returns its mark
 *   name(raw, mark)        a member's name; returns what add() gets
 *   add(name, value)       an item of the innermost list (without a name) or object
 *   end_list(mark), end_object(mark)   return the value
 *   null(), boolean(b), number(d), string(raw)   likewise
 *
 * Mistakes in the text leave it as simdjson::simdjson_error, or as what these throw. */
#pragma once

#include <charconv>
#include <cstring>
#include <string_view>
#include <utility>

#include <simdjson.h>

extern "C" {
#include "base/arena.h"
}

/* Digits of a number that simdjson 3.0 always reads rightly. Of more behind a leading "0." it drops
 * the uppermost: its parse_double() looks for the overflow in the zeros and not in the digits. */
constexpr size_t JSON_NUMBER_SHORT = 19;

template <typename maker, typename tree> class json_walk {
public:
	json_walk(const simdjson::ondemand::parser &parser_, struct arena *arena_)
	    : arena(arena_), parser(parser_) {
	}

	tree read_object(simdjson::ondemand::object object, size_t depth) {
		const size_t mark = self().begin(depth);
		for (auto next : object) {
			// Without moving the field out: that costs a third of the whole walk.
			if (next.error()) {
				throw simdjson::simdjson_error(next.error());
			}
			simdjson::ondemand::field &&field = std::move(next).value_unsafe();
			const auto name = self().name(field.key(), mark);
			self().add(name, read(field.value(), depth));
		}
		return self().end_object(mark);
	}

	/* A value within so many lists and objects. */
	tree read(simdjson::ondemand::value &from, size_t depth) {
		self().expect(from, depth);
		switch (from.type()) {
		case simdjson::ondemand::json_type::object:
			return read_object(from.get_object(), depth + 1);
		case simdjson::ondemand::json_type::array:
			return read_list(from.get_array(), depth + 1);
		case simdjson::ondemand::json_type::string:
			return self().string(from.get_raw_json_string());
		case simdjson::ondemand::json_type::number:
			return self().number(read_number(from));
		case simdjson::ondemand::json_type::boolean:
			return self().boolean(from.get_bool());
		case simdjson::ondemand::json_type::null:
			break;
		}
		if (!from.is_null()) {
			throw simdjson::simdjson_error(simdjson::N_ATOM_ERROR);
		}
		return self().null();
	}

protected:
	struct arena *arena;

	/* The bytes between a string's quotes up to its first escape; all of it where *whole. The
	 * library has made sure by now that the string ends. */
	static std::string_view plain_part(simdjson::ondemand::raw_json_string raw, bool *whole) {
		const size_t size = strcspn(raw.raw(), "\"\\");
		*whole = raw.raw()[size] == '"';
		return {raw.raw(), size};
	}

	/* A string's text without escapes in the arena, behind which there is room for as many
	 * bytes as in the document. The error is one of escapes. */
	simdjson::error_code unescape(
		simdjson::ondemand::raw_json_string raw, char **copy, size_t *size) {
		const char *end = raw.raw();
		while (*end != '"') {
			end += *end == '\\' ? 2 : 1;
		}
		// The library may write so much behind what it needs.
		const size_t room =
			static_cast<size_t>(end - raw.raw()) + simdjson::SIMDJSON_PADDING;
		*copy = static_cast<char *>(arena_alloc(arena, room, 1));
		uint8_t *next = reinterpret_cast<uint8_t *>(*copy);
		std::string_view text;
		const auto error = parser.unescape(raw, next).get(text);
		*size = text.size();
		return error;
	}

private:
	maker &self() {
		return static_cast<maker &>(*this);
	}

	tree read_list(simdjson::ondemand::array list, size_t depth) {
		const size_t mark = self().begin(depth);
		for (auto element : list) {
			self().add(nullptr, read(element.value(), depth));
		}
		return self().end_list(mark);
	}

	static double read_number(simdjson::ondemand::value &from) {
		const std::string_view token = from.raw_json_token();
		const double read = from.get_double();
		if (token.size() > JSON_NUMBER_SHORT) {
			double number;
			const auto end =
				std::from_chars(token.data(), token.data() + token.size(), number);
			return end.ec == std::errc() ? number : read;
		}
		return read;
	}

	const simdjson::ondemand::parser &parser;
};
