#include "io/json_line.h"

#include <fast_float/fast_float.h>

#include <cmath>
#include <limits>
#include <optional>

#include "compute/printable.h"
#include "io/parse.h"

namespace flipscope::io {
void JsonLine::skip_blanks() {
    size_t n = 0;
    while (n < rest_.size() && (rest_[n] == ' ' || rest_[n] == '\t' || rest_[n] == '\r' || rest_[n] == '\n')) ++n;
    rest_.remove_prefix(n);
}

bool JsonLine::took(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    if (!rest_.empty() && rest_.front() <= ' ') skip_blanks();
    return true;
}

void JsonLine::take(char c, const char* what) {
    if (!took(c)) expected(what);
}

bool JsonLine::goes_on(char close) {
    if (took(',')) return true;
    if (!took(close)) expected(std::string("a comma or ") + close);
    return false;
}

void JsonLine::expected(const std::string& what) const {
    fail("expected " + what + ", found " + (rest_.empty() ? "the end of the line" : excerpt(rest_.substr(0, 80))));
}

void JsonLine::fail(const std::string& what) const {
    throw Error(place_ + (at.empty() ? "" : at + (item < 0 ? "" : "/" + std::to_string(item)) + ": ") + what);
}

void JsonLine::end() {
    if (!rest_.empty()) expected("the end of the line after the step");
}

double JsonLine::number(const char* what, std::string_view& written) {
    if (is_next('"')) {
        const std::string_view before = rest_;
        const std::string text = string(what);
        if (const std::optional<double> value = hexadecimal(text)) {
            if (std::isinf(*value)) fail(excerpt(text) + " is beyond what a double can hold");
            written = before.substr(0, before.size() - rest_.size());
            return *value;
        }
        rest_ = before;
        expected(what);
    }
    for (const auto& [word, value] :
         {std::pair<std::string_view, double>{"NaN", std::numeric_limits<double>::quiet_NaN()},
          {"Infinity", std::numeric_limits<double>::infinity()},
          {"-Infinity", -std::numeric_limits<double>::infinity()}}) {
        if (!rest_.starts_with(word)) continue;
        written = rest_.substr(0, word.size());
        rest_.remove_prefix(word.size());
        skip_blanks();
        return value;
    }
    const size_t sign = rest_.starts_with('-') ? 1 : 0;
    if (rest_.size() <= sign || !is_decimal_digit(rest_[sign])) expected(what);
    double value = 0;
    const char* begin = rest_.data();
    const auto [stop, error] = fast_float::from_chars(begin, begin + rest_.size(), value);
    const auto length = static_cast<size_t>(stop - begin);
    if (length == 0) expected(what);
    written = rest_.substr(0, length);
    rest_.remove_prefix(length);
    if (!rest_.empty() && rest_.front() <= ' ') skip_blanks();
    return value;
}

uint32_t JsonLine::index(const char* what, const char* of) {
    const auto refuse = [&](const char* why) {
        const size_t digits = std::min<size_t>(rest_.find_first_not_of("0123456789", 1), 24);
        fail("names number " + std::string(rest_.substr(0, digits)) + " of the " + of + why);
    };
    size_t n = 0;
    uint64_t value = 0;
    for (; n < rest_.size() && is_decimal_digit(rest_[n]); ++n) {
        value = 10 * value + static_cast<uint64_t>(rest_[n] - '0');
        if (value >= std::numeric_limits<uint32_t>::max()) refuse(", which is too large");
    }
    if (n == 0 && rest_.starts_with('-') && rest_.size() > 1 && is_decimal_digit(rest_[1]))
        refuse(", and they are counted from 0");
    if (n == 0) expected(what);
    if (n < rest_.size() && (rest_[n] == '.' || rest_[n] == 'e' || rest_[n] == 'E')) expected(what);
    rest_.remove_prefix(n);
    if (!rest_.empty() && rest_.front() <= ' ') skip_blanks();
    return static_cast<uint32_t>(value);
}

std::string JsonLine::string(const char* what) {
    if (!is_next('"')) expected(what);
    std::string text;
    std::string_view rest = rest_.substr(1);
    for (;;) {
        const size_t plain = std::min(rest.find_first_of("\"\\"), rest.size());
        text += rest.substr(0, plain);
        rest.remove_prefix(plain);
        if (rest.empty()) fail("expected the end of a string, found the end of the line");
        if (rest.front() == '"') break;
        if (rest.size() < 2) fail("expected the end of a string, found the end of the line");
        const char escape = rest[1];
        rest.remove_prefix(2);
        static constexpr std::string_view kEscapes = "\"\\/bfnrt", kMeant = "\"\\/\b\f\n\r\t";
        if (const size_t known = kEscapes.find(escape); known != kEscapes.npos) {
            text += kMeant[known];
            continue;
        }
        std::optional<uint32_t> code;
        if (escape == 'u') code = take_unicode_escape(rest);
        if (!code) fail("expected an escape of JSON, found " + excerpt(std::string("\\") + escape));
        put_utf8(text, *code);
    }
    rest_ = rest.substr(1);
    skip_blanks();
    return text;
}

void JsonLine::skip_value(size_t depth) {
    constexpr size_t kDeepest = 64;
    if (is_next('{') || is_next('[')) {
        if (depth == kDeepest) fail("is nested too deeply");
        if (is_next('{')) return object("an object", [&](const std::string&) { skip_value(depth + 1); });
        return array("an array", [&](uint64_t) { skip_value(depth + 1); });
    }
    if (is_next('"')) {
        string("a string");
        return;
    }
    for (const std::string_view known : {"true", "false", "null"}) {
        if (!rest_.starts_with(known)) continue;
        rest_.remove_prefix(known.size());
        return skip_blanks();
    }
    std::string_view written;
    number("a value of JSON", written);
}

}  // namespace flipscope::io
