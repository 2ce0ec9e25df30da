// A number of many digits, which simdjson 3.0 reads wrongly.
#pragma once

#include <charconv>
#include <string_view>

/* Digits that the library always reads rightly. Of more behind a leading "0." it drops the
 * uppermost: its parse_double() looks for the overflow in the zeros and not in the digits. */
constexpr size_t JSON_NUMBER_SHORT = 19;

/* The number that a token of sound JSON stands for, white space behind it or not; read is what the
 * library made of it. */
inline double json_number(std::string_view token, double read) {
	if (token.size() > JSON_NUMBER_SHORT) {
		double number;
		const auto end = std::from_chars(token.data(), token.data() + token.size(), number);
		return end.ec == std::errc() ? number : read;
	}
	return read;
}
