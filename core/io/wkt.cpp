#include "io/wkt.h"

#include <fast_float/fast_float.h>

#include <cmath>

namespace flipscope::io {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

void skip_spaces(std::string_view& text) {
    while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
}

bool took(std::string_view& text, char c) {
    skip_spaces(text);
    if (!text.starts_with(c)) return false;
    text.remove_prefix(1);
    return true;
}

/// Takes `word`, in capitals, with the spaces before it.
bool took_word(std::string_view& text, std::string_view word) {
    skip_spaces(text);
    if (text.size() < word.size()) return false;
    for (size_t i = 0; i < word.size(); ++i)
        if (upper(text[i]) != word[i]) return false;
    text.remove_prefix(word.size());
    return true;
}

bool took_number(std::string_view& text, double& value) {
    skip_spaces(text);
    const char* begin = text.data();
    const char* const end = begin + text.size();
    if (end - begin > 1 && *begin == '+' && begin[1] != '-') ++begin;
    const auto [at, error] = fast_float::from_chars(begin, end, value);
    if (error != std::errc() || (at != end && (is_letter(*at) || *at == '.'))) return false;
    text.remove_prefix(static_cast<size_t>(at - text.data()));
    return true;
}

/// "SRID=4326;", if it stands there.
void skip_srid(std::string_view& text) {
    std::string_view rest = text;
    double number = 0;
    if (took_word(rest, "SRID") && took(rest, '=') && took_number(rest, number) && took(rest, ';')) text = rest;
}

/// Z, M or ZM behind the name of a shape.
void skip_dimensions(std::string_view& text) {
    took_word(text, "Z");
    took_word(text, "M");
}

}  // namespace

std::optional<Point> wkt_point(std::string_view cell) {
    skip_srid(cell);
    const bool many = took_word(cell, "MULTIPOINT");
    if (!many && !took_word(cell, "POINT")) return std::nullopt;
    skip_dimensions(cell);
    Point place{NAN, NAN};
    if (!took_word(cell, "EMPTY")) {
        if (!took(cell, '(')) return std::nullopt;
        const bool nested = many && took(cell, '(');
        if (!took_number(cell, place.x) || !took_number(cell, place.y)) return std::nullopt;
        double further = 0;
        for (int count = 0; count < 2 && took_number(cell, further);) ++count;
        if ((nested && !took(cell, ')')) || !took(cell, ')')) return std::nullopt;
    }
    skip_spaces(cell);
    if (!cell.empty()) return std::nullopt;
    return place;
}

}  // namespace flipscope::io
