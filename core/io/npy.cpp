// NumPy's .npy, versions 1 to 3 (numpy/lib/format.py, NEP 1): a magic string, a Python dictionary, the raw numbers.

#include <bit>
#include <charconv>
#include <cstdint>
#include <map>

#include "io/parse.h"
#include "io/points.h"

namespace flipscope::io {
namespace {

class NpyFile {
  public:
    NpyFile(const std::filesystem::path& path, std::string_view bytes) : name_(path.string()), bytes_(bytes) {}

    /// Checks the magic string and the version; the dictionary's text. The data is what data() has afterwards.
    std::string_view take_header() {
        constexpr std::string_view kMagic = "\x93NUMPY";
        if (!bytes_.starts_with(kMagic)) throw fail("expected an npy file, found " + excerpt(bytes_.substr(0, 64)));
        if (bytes_.size() < 12) throw fail("ends within its header");
        const auto version = static_cast<unsigned char>(bytes_[6]);
        if (version < 1 || version > 3) throw fail("expected version 1, 2 or 3, found " + std::to_string(version));
        const size_t length_bytes = version == 1 ? 2 : 4;
        const size_t begin = 8 + length_bytes;
        uint64_t length = 0;
        for (size_t i = length_bytes; i-- > 0;) length = length << 8 | static_cast<unsigned char>(bytes_[8 + i]);
        if (length > bytes_.size() - begin) throw fail("ends within its header");
        const std::string_view header = bytes_.substr(begin, length);
        bytes_.remove_prefix(begin + length);
        return header;
    }

    std::string_view data() const { return bytes_; }
    Error fail(const std::string& what) const { return Error(name_ + ": " + what); }
    const std::string& name() const { return name_; }

  private:
    std::string name_;
    std::string_view bytes_;
};

/// Where the value at the start of `text` ends: at a comma or a brace outside brackets and quotes.
size_t value_length(std::string_view text) {
    int depth = 0;
    char quote = 0;
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quote) {
            if (c == quote) quote = 0;
        } else if (c == '\'' || c == '"') {
            quote = c;
        } else if (c == '(' || c == '[') {
            ++depth;
        } else if (c == ')' || c == ']') {
            --depth;
        } else if (depth <= 0 && (c == ',' || c == '}')) {
            return i;
        }
    }
    return text.size();
}

std::string_view unquoted(std::string_view text) {
    const bool quotes =
        text.size() >= 2 && (text.front() == '\'' || text.front() == '"') && text.back() == text.front();
    return quotes ? text.substr(1, text.size() - 2) : text;
}

/// The dictionary's entries, their values as written.
std::map<std::string_view, std::string_view> read_dictionary(const NpyFile& file, std::string_view header) {
    const Error broken = file.fail("expected a dictionary as the header, found " + excerpt(header));
    while (!header.empty() && (is_blank(header.back()) || header.back() == '\n')) header.remove_suffix(1);
    header = trimmed(header);
    if (!header.starts_with('{') || !header.ends_with('}')) throw broken;
    header = trimmed(header.substr(1));
    std::map<std::string_view, std::string_view> entries;
    while (header != "}") {
        const size_t colon = header.find(':');
        if (colon == header.npos) throw broken;
        const std::string_view key = unquoted(trimmed(header.substr(0, colon)));
        header = trimmed(header.substr(colon + 1));
        const size_t length = value_length(header);
        entries[key] = trimmed(header.substr(0, length));
        header.remove_prefix(length);
        if (header.starts_with(',')) header.remove_prefix(1);
        header = trimmed(header);
        if (header.empty()) throw broken;
    }
    return entries;
}

/// "(1000, 2)" gives 1000; anything but two columns throws.
uint64_t read_row_count(const NpyFile& file, std::string_view shape) {
    const Error wrong = file.fail("expected shape (n, 2), found " + std::string(shape.substr(0, 40)));
    if (!shape.starts_with('(') || !shape.ends_with(')')) throw wrong;
    std::string_view rest = shape.substr(1, shape.size() - 2);
    uint64_t sizes[2] = {};
    for (uint64_t& size : sizes) {
        rest = trimmed(rest);
        const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), size);
        if (error != std::errc()) throw wrong;
        rest = trimmed(rest.substr(end - rest.data()));
        if (rest.starts_with(',')) rest.remove_prefix(1);
    }
    if (!trimmed(rest).empty() || sizes[1] != 2) throw wrong;
    return sizes[0];
}

struct NumberType {
    size_t size;  // bytes
    bool big_endian;
};

NumberType read_type(const NpyFile& file, std::string_view written) {
    const std::string_view text = unquoted(written);
    const bool known = text.size() == 3 && std::string_view("<>=").find(text[0]) != text.npos && text[1] == 'f' &&
                       (text[2] == '8' || text[2] == '4');
    if (!known) {
        throw file.fail("expected dtype '<f8' or '<f4' (float64 or float32), found " + excerpt(written));
    }
    const bool big_endian = text[0] == '>' || (text[0] == '=' && std::endian::native == std::endian::big);
    return {static_cast<size_t>(text[2] - '0'), big_endian};
}

double load(const char* bytes, NumberType type) {
    uint64_t bits = 0;
    for (size_t i = 0; i < type.size; ++i) {
        const size_t significance = type.big_endian ? type.size - 1 - i : i;
        bits |= uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * significance);
    }
    return type.size == 8 ? std::bit_cast<double>(bits) : std::bit_cast<float>(static_cast<uint32_t>(bits));
}

}  // namespace

std::vector<Point> read_npy(const std::filesystem::path& path, std::string_view text, std::vector<std::string>& notes) {
    NpyFile file(path, text);
    const auto header = read_dictionary(file, file.take_header());
    for (const char* key : {"descr", "fortran_order", "shape"}) {
        if (!header.contains(key)) throw file.fail(std::string("the header does not say ") + excerpt(key));
    }
    const NumberType type = read_type(file, header.at("descr"));
    const uint64_t n = read_row_count(file, header.at("shape"));
    const std::string_view order = header.at("fortran_order");
    if (order != "True" && order != "False") {
        throw file.fail("expected fortran_order True or False, found " + excerpt(order));
    }
    const std::string_view data = file.data();
    if (n > data.size() / (2 * type.size)) {
        throw file.fail("expected " + std::to_string(n) + " points as declared, but only " +
                        std::to_string(data.size()) + " bytes follow the header");
    }
    if (data.size() > n * 2 * type.size) {
        notes.push_back(file.name() + ": " + std::to_string(data.size() - n * 2 * type.size) +
                        " bytes after the points are not used");
    }
    // Column-major: all x, then all y.
    const size_t point_stride = type.size * (order == "True" ? 1 : 2);
    const size_t y_offset = type.size * (order == "True" ? n : 1);
    std::vector<Point> points(n);
    for (uint64_t i = 0; i < n; ++i) {
        const char* at = data.data() + i * point_stride;
        points[i] = {load(at, type), load(at + y_offset, type)};
    }
    return points;
}

}  // namespace flipscope::io
