#include "io/parse.h"

#include <fast_float/fast_float.h>

#include <limits>

namespace flipscope::io {
namespace {

bool is_binary(std::string_view text) {
    return std::ranges::any_of(text, [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return (byte < 0x20 && !is_blank(c) && c != '\v' && c != '\f') || byte == 0x7f;
    });
}

}  // namespace

std::string line_place(const std::filesystem::path& path, uint64_t line) {
    return path.string() + ":" + std::to_string(line) + ": ";
}

Error expected_at(const std::string& place, const std::string& what, std::string_view found) {
    const bool binary = is_binary(found) || found.starts_with("\xff\xfe") || found.starts_with("\xfe\xff");
    return Error(place + "expected " + (binary ? "plain text" : what) + ", found " + excerpt(trimmed(found)));
}

Lines::Lines(const std::filesystem::path& path, std::string_view text) : path_(path), text_(text) {
    if (text_.starts_with("\xef\xbb\xbf")) text_.remove_prefix(3);
    if (text_.find('\n') == text_.npos) end_ = '\r';
}

bool Lines::next(std::string_view& line) {
    poll_();
    if (text_.empty()) return false;
    line = take_until(text_, end_);
    ++number_;
    return true;
}

Error declares_more(const Lines& lines, std::string_view content, const std::string& of) {
    return lines.fail(excerpt(content) + " declares more " + of + (of.empty() ? "" : " ") +
                      "than the file has room for: " + std::to_string(lines.remaining()) + " bytes follow");
}

bool next_content(Lines& lines, std::string_view& content) {
    for (std::string_view line; lines.next(line);) {
        content = trimmed(line.substr(0, line.find('#')));
        if (!content.empty()) return true;
    }
    return false;
}

bool Words::next(std::string_view& word) {
    if (rest_.empty()) {
        if (!next_content(lines_, line_)) return false;
        rest_ = line_;
    }
    word = take_word(rest_);
    return true;
}

std::string_view take_word(std::string_view& text) {
    const size_t end = std::min(text.find_first_of(" \t\r"), text.size());
    const std::string_view word = text.substr(0, end);
    text = trimmed(text.substr(end));
    return word;
}

void split_words(std::string_view line, std::vector<std::string_view>& words) {
    words.clear();
    for (std::string_view rest = trimmed(line); !rest.empty();) words.push_back(take_word(rest));
}

void put_utf8(std::string& text, uint32_t code) {
    if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) code = 0xfffd;
    const auto put = [&](uint32_t byte) { text += static_cast<char>(byte); };
    if (code < 0x80) return put(code);
    const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;  // bytes after the first one
    put((0xff00 >> (more + 1) & 0xff) | code >> 6 * more);
    for (int k = more; k-- > 0;) put(0x80 | (code >> 6 * k & 0x3f));
}

size_t utf8_length(std::string_view text, uint32_t& code) {
    const auto first = static_cast<unsigned char>(text.front());
    const size_t length = first < 0x80                    ? 1
                          : first >= 0xc2 && first < 0xe0 ? 2
                          : first >= 0xe0 && first < 0xf0 ? 3
                          : first >= 0xf0 && first < 0xf5 ? 4
                                                          : 0;
    if (length == 0 || length > text.size()) return 0;
    code = length == 1 ? first : first & (0x7fu >> length);
    for (const char c : text.substr(1, length - 1)) {
        if ((static_cast<unsigned char>(c) & 0xc0) != 0x80) return 0;
        code = code << 6 | (static_cast<unsigned char>(c) & 0x3f);
    }
    return length;
}

std::optional<uint32_t> take_unicode_escape(std::string_view& text) {
    const auto unit_at = [&](size_t at) -> std::optional<uint32_t> {
        uint32_t value = 0;
        if (text.size() < at + 4) return std::nullopt;
        const char* const digits = text.data() + at;
        const auto [end, error] = std::from_chars(digits, digits + 4, value, 16);
        return error == std::errc() && end == digits + 4 ? std::optional(value) : std::nullopt;
    };
    const std::optional<uint32_t> high = unit_at(0);
    if (!high) return std::nullopt;
    const bool is_high = *high >= 0xd800 && *high < 0xdc00 && text.substr(4).starts_with("\\u");
    const std::optional<uint32_t> low = is_high ? unit_at(6) : std::nullopt;
    const bool is_pair = low && *low >= 0xdc00 && *low < 0xe000;
    text.remove_prefix(is_pair ? 10 : 4);
    return is_pair ? 0x10000 + ((*high - 0xd800) << 10) + (*low - 0xdc00) : *high;
}

bool take_quoted(std::string_view& text, std::string_view& between) {
    size_t end = text.find('"', 1);
    while (end != text.npos && end + 1 < text.size() && text[end + 1] == '"') end = text.find('"', end + 2);
    if (end == text.npos) return false;
    between = text.substr(1, end - 1);
    text.remove_prefix(end + 1);
    return true;
}

std::string with_single_quotes(std::string_view between) {
    std::string text;
    for (size_t i = 0; i < between.size(); ++i) {
        text += between[i];
        if (between[i] == '"') ++i;
    }
    return text;
}

std::optional<double> hexadecimal(std::string_view word) {
    const bool negative = word.starts_with('-');
    if (negative || word.starts_with('+')) word.remove_prefix(1);
    if (!word.starts_with("0x") && !word.starts_with("0X")) return std::nullopt;
    word.remove_prefix(2);
    if (word.empty() || word.front() == '-') return std::nullopt;
    double value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value, std::chars_format::hex);
    if (error == std::errc::invalid_argument || end != word.data() + word.size()) return std::nullopt;
    if (error == std::errc::result_out_of_range) value = std::numeric_limits<double>::infinity();
    return negative ? -value : value;
}

bool take_number(std::string_view& text, double& value) {
    const char* begin = text.data();
    const char* end = begin + text.size();
    if (end - begin > 1 && *begin == '+' && begin[1] != '-') ++begin;
    const auto [at, error] = fast_float::from_chars(begin, end, value);
    if (error != std::errc()) return false;
    const bool stops = at == end || is_blank(*at) || *at == ',' || *at == ';' || *at == '#' ||
                       (*at == '/' && at + 1 != end && at[1] == '/');
    if (!stops) return false;
    text.remove_prefix(at - text.data());
    return true;
}

}  // namespace flipscope::io
