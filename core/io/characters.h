// Character classes of text formats. Only the readers in this folder include it.
#pragma once

#include <algorithm>
#include <string_view>

namespace flipscope::io {

inline bool is_decimal_digit(char c) { return c >= '0' && c <= '9'; }
/// A letter of a name; includes every byte of a non-ASCII letter.
inline bool is_name_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}
inline bool is_name_char(char c) { return is_name_letter(c) || is_decimal_digit(c); }
/// White space, including line ends and the record separator of GeoJSON text sequences.
inline bool is_white(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\x1e'; }

inline void skip_white(std::string_view& text) {
    while (!text.empty() && is_white(text.front())) text.remove_prefix(1);
}

template <size_t N>
bool is_among(std::string_view word, const std::string_view (&known)[N]) {
    return std::find(std::begin(known), std::end(known), word) != std::end(known);
}

}  // namespace flipscope::io
