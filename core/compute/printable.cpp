#include "compute/printable.h"

#include <algorithm>
#include <cstdio>

#include "flipscope/error.h"

namespace flipscope {
namespace {

/// The length in bytes of the printable UTF-8 character at the start of `text`; 0: not printable.
size_t printable_length(std::string_view text) {
    const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(0);
    if (first < 0x80) return first >= 0x20 && first != 0x7f ? 1 : 0;
    const size_t length = first >= 0xc2 && first < 0xe0   ? 2
                          : first >= 0xe0 && first < 0xf0 ? 3
                          : first >= 0xf0 && first < 0xf5 ? 4
                                                          : 0;
    if (length == 0 || length > text.size()) return 0;
    uint32_t code = first & (0xffu >> (length + 1));
    for (size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xc0) != 0x80) return 0;
        code = code << 6 | (byte(i) & 0x3f);
    }
    const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
    const bool none = code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff);
    const bool control = code < 0xa0;
    // Marks, embeddings, overrides and isolates of the bidirectional algorithm (UAX #9) make a text look like another.
    const bool turns = code == 0x61c || code == 0x200e || code == 0x200f || (code >= 0x202a && code <= 0x202e) ||
                       (code >= 0x2066 && code <= 0x2069);
    const bool separator = code == 0x2028 || code == 0x2029;
    return overlong || none || control || turns || separator ? 0 : length;
}

/// Takes the first character off `text` and puts it into `shown`, escaped where it must be.
void take_character(std::string_view& text, std::string& shown) {
    const size_t length = printable_length(text);
    if (length > 0) {
        shown += text.substr(0, length);
    } else {
        char escaped[8];
        std::snprintf(escaped, sizeof escaped, "\\x%02x", static_cast<unsigned char>(text[0]));
        shown += escaped;
    }
    text.remove_prefix(std::max<size_t>(length, 1));
}

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

}  // namespace

std::string printable(std::string_view text) {
    std::string shown;
    shown.reserve(text.size());
    while (!text.empty()) take_character(text, shown);
    return shown;
}

std::string excerpt(std::string_view text) {
    constexpr size_t kLongest = 40;
    std::string shown = "\"";
    while (!text.empty()) {
        if (shown.size() > kLongest) return shown + "...\"";
        take_character(text, shown);
    }
    return shown + "\"";
}

std::string printable_within(std::string_view text, size_t most) {
    std::string shown = printable(text);
    if (shown.size() <= most) return shown;
    size_t head = most / 2, tail = shown.size() - most / 2;
    while (head > 0 && continues(shown[head])) --head;
    while (tail < shown.size() && continues(shown[tail])) ++tail;
    return shown.substr(0, head) + "..." + shown.substr(tail);
}

Error::Error(std::string_view sentence) : std::runtime_error(printable_within(sentence, kMostBytes)) {}

}  // namespace flipscope
